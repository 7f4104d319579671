//! The runtime of compiled modules: buffers, devices, lazily loaded device code, launches, the host's thread pool.
//!
//! In: calls from generated code and bindings, through the C table of `numptx-abi`. Out: results, and errors as values. It knows nothing
//! of the compiler. Rust programs use [`DeviceArray`], [`bindings!`] and [`memory_stats`]; Python and C open `libnumptx_runtime.so`.

mod allocator;
mod array;
mod axes;
mod binding;
mod buffer;
mod c_call;
mod call;
mod clean_up;
mod copy;
mod debug;
mod deferred;
mod descriptor;
mod device;
mod device_copy;
mod draws;
mod driver;
mod error;
mod event;
mod first_use;
mod graph;
mod host_code;
mod host_copy;
mod image;
mod inline;
mod invoke;
mod launch;
mod libraries;
mod limit;
mod linked;
mod linking;
mod lock;
mod lock_counts;
mod message;
mod mirror;
mod objects;
mod order;
mod overlap;
mod own_kernel;
mod pending_free;
mod pinned;
mod placement;
mod plan;
mod pointers;
mod pool;
mod process;
mod producers;
mod recording;
mod recycle;
mod replay;
mod reserve;
mod reshape;
mod results;
mod room;
mod routines;
mod rows;
mod shutdown;
pub mod sorting;
mod stack;
mod staging;
mod stats;
mod stream;
pub mod strided_copy;
mod sync;
mod table;
pub mod tiled;
mod uses;
mod waits;

/// The C interface, which generated bindings speak.
pub use numptx_abi as abi;

pub use array::{
    Complex, Device, DeviceArray, DeviceArrayRef, DeviceCow, DeviceView, Element, Float16, SharedDeviceArray, bind,
    invoke, options, synchronize,
};
pub use c_call::numptx_call;
pub use error::{Error, Result, no_error};
pub use libraries::{DeviceLibrary, find_library};
pub use linked::{CallArgument, HostArray, HostCow, HostView, LinkedModule, ResultPlace, Results, is_module_symbol};
pub use linking::{LinkInput, LinkOptions, LinkOutput, find_nvjitlink, link};
pub use lock_counts::{numptx_runtime_locks_held, numptx_runtime_locks_taken};
pub use stats::{memory_stats, reset_peak_memory};
pub use table::{numptx_runtime_table, table};
