//! A CUDA driver for tests on machines without a GPU, chosen with `NUMPTX_LIBCUDA`.
//!
//! In: the driver calls that the runtime makes. Out: what a driver would answer. Device memory is host memory, tracked; streams are
//! synchronous; a launch runs the kernel's host twin on a frame that is rebuilt from the device parameters alone, in the order that
//! `numptx_abi::Kernel` documents. It refuses what a driver refuses: unknown handles, wild pointers, copies out of range, names that the image
//! lacks, grids beyond the limits. It does not model time, streams' order or capture.
//!
//! Environment: `NUMPTX_MOCK_DEVICES` (1), `NUMPTX_MOCK_ARCH` (90), `NUMPTX_MOCK_MEMORY` (bytes; 16 GiB). Tests ask it through
//! `numptx_mock_counts`, `numptx_mock_fail_allocations` and the allocation functions of the driver.

mod control;
mod elf;
mod launch;
mod memory;
mod modules;
mod queries;
mod state;

pub use control::Counts;
