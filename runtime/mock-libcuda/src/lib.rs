//! A CUDA driver for tests on machines without a GPU, chosen with `NUMPTX_LIBCUDA`.
//!
//! In: the driver calls that the runtime makes. Out: what a driver would answer. Device memory is host memory, tracked; a launch runs the
//! kernel's host twin on a frame that is rebuilt from the device parameters alone, in the order that `numptx_abi::Kernel` documents.
//! It refuses what a driver refuses, with the codes that were measured on one: unknown and destroyed handles, wild pointers, copies out of range,
//! names that the image lacks, grids beyond the limits, threads without a context, what may not be done during a capture, calls in a
//! forked child, after the driver's end or after the context's. Work that no right program gives to a driver counts as a *violation*.
//!
//! Streams run what they are given at once. With `NUMPTX_MOCK_DEFER=1` they put it off until somebody waits for it: then a program that
//! forgets to order two streams reads what was there before. It does not model time. With `NUMPTX_MOCK_PTX=1` launches run the image's device code instead
//! of the twin, thread by thread, where the mock knows its instructions ([`ptx`]).
//!
//! Environment: `NUMPTX_MOCK_DEVICES` (1), `NUMPTX_MOCK_MAX_GRID_X` and `NUMPTX_MOCK_MAX_GRID_Y` (blocks of a grid along them; a GPU's), `NUMPTX_MOCK_POOLLESS`
//! (ordinals of devices without memory pools), `NUMPTX_MOCK_ARCH` (90), `NUMPTX_MOCK_MEMORY` (bytes; 16 GiB), `NUMPTX_MOCK_VERSION` (12000),
//! `NUMPTX_MOCK_MISSING` (names of functions that the driver does not have), and those of `faults.rs`. Tests ask and steer it through the functions of
//! `control.rs`.

mod capture;
mod clusters;
mod control;
mod copies;
mod cublas;
mod cublas_solving;
mod cufft;
mod cusolver;
mod elf;
mod events;
mod faults;
mod graphs;
mod launch;
mod lookup;
mod mathematics;
mod memory;
mod modules;
mod objects;
mod pointers;
mod pools;
mod ptx;
mod queries;
mod state;
mod streams;
mod updates;
mod work;

pub use control::Counts;
