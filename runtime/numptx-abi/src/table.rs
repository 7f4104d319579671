//! The runtime's C table: the only way from generated code and bindings into the runtime.

use core::ffi::{c_char, c_void};

use crate::{
    Argument, Array, Buffer, BufferInfo, Call, Error, InvokeOptions, Kernel, Module, Operand, Overload, OwnerTable,
    Status, Value,
};

/// Live memory, by space.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct MemoryStats {
    /// Buffers alive in host memory.
    pub host_buffers: i64,
    /// Their bytes.
    pub host_bytes: i64,
    /// Buffers alive in device memory, all devices together.
    pub device_buffers: i64,
    /// Their bytes.
    pub device_bytes: i64,
    /// Kernels launched since the process started.
    pub launches: i64,
    /// Buffers allocated since the process started.
    pub allocations: i64,
    /// Bytes copied between host and device since the process started.
    pub transferred_bytes: i64,
    /// Array copies made by `reshape` since the process started.
    pub copies: i64,
}

/// Exported by `libnumptx_runtime.so` through `numptx_runtime_table()`. Entries are only ever added at the end.
#[repr(C)]
pub struct RuntimeTable {
    /// [`crate::ABI_VERSION`] of the runtime.
    pub abi_version: u32,
    /// `size_of::<RuntimeTable>()`.
    pub struct_bytes: u32,

    // Called by generated code.
    /// A fresh buffer of at least `bytes` (0 is allowed) on the call's device, with one reference. Contents undefined.
    pub alloc: unsafe extern "C" fn(*mut Call, bytes: i64, out: *mut *mut Buffer) -> Status,
    /// Adds a reference.
    pub retain: unsafe extern "C" fn(*mut Buffer),
    /// Drops a reference; the last one frees, in stream order on a device.
    pub release: unsafe extern "C" fn(*mut Buffer),
    /// Runs a kernel: `extents[rank]`, `operands[n_operands]`, `scalars[n_scalars]`. Nothing is done if an extent of a map is 0.
    pub launch: unsafe extern "C" fn(
        *mut Call,
        *const Kernel,
        extents: *const i64,
        operands: *const Operand,
        scalars: *const [u64; 2],
    ) -> Status,
    /// Reads one element into `out` ([`Value::bits`]); waits for the device.
    pub item: unsafe extern "C" fn(*mut Call, *mut Buffer, offset: i64, dtype: u32, out: *mut [u64; 2]) -> Status,
    /// Sets the call's error and returns `kind`. Each `{}` of `message` takes the next of `arguments`.
    pub raise: unsafe extern "C" fn(
        *mut Call,
        kind: Status,
        message: *const c_char,
        arguments: *const i64,
        n_arguments: u32,
    ) -> Status,
    /// Strides in bytes of a fresh array in NumPy's K order for inputs of the same rank and extents: `strides[input * rank + axis]`.
    pub order_strides: unsafe extern "C" fn(
        rank: u32,
        itemsize: i64,
        extents: *const i64,
        n_inputs: u32,
        strides: *const i64,
        out: *mut i64,
    ),
    /// `reshape` in C order: a view of the same buffer where the strides allow it, else a copy. The result carries one reference
    /// either way. One extent of `shape` may be -1. Raises `ValueError` if the sizes differ. `is_ravel` is 1 for a view only where
    /// the elements lie in C order without gaps.
    pub reshape: unsafe extern "C" fn(
        *mut Call,
        input: *const Array,
        rank: u32,
        shape: *const i64,
        out: *mut Array,
        is_ravel: u32,
    ) -> Status,
    /// Called once an iteration by host loops: stops a call that was interrupted.
    pub poll: unsafe extern "C" fn(*mut Call) -> Status,

    // Called by bindings.
    /// Checks the module's ABI version and fills its table slot. Idempotent and thread-safe.
    pub bind: unsafe extern "C" fn(*const Module, *mut Error) -> Status,
    /// Calls an overload. `arguments` and `results` hold its leaves. On success each array result either names the foreign argument
    /// that it views in `parameter` (`array.buffer` is null then: keep that argument alive) or carries one reference in `array.buffer`.
    /// `data` and `device` of every array result are set. Written host arguments hold their new contents when it returns.
    pub invoke: unsafe extern "C" fn(
        *const Overload,
        arguments: *const Argument,
        results: *mut Value,
        *const InvokeOptions,
        *mut Error,
    ) -> Status,
    /// A fresh buffer on a device (-1: host) with one reference.
    pub buffer_new: unsafe extern "C" fn(device: i32, bytes: i64, out: *mut *mut Buffer, *mut Error) -> Status,
    /// A buffer over foreign memory with one reference; `owner` is retained now and released with the buffer's last reference.
    pub buffer_foreign: unsafe extern "C" fn(
        data: *mut c_void,
        bytes: i64,
        device: i32,
        read_only: u32,
        owner: *mut c_void,
        owner_table: *const OwnerTable,
        out: *mut *mut Buffer,
        *mut Error,
    ) -> Status,
    /// What a buffer is.
    pub buffer_info: unsafe extern "C" fn(*const Buffer, out: *mut BufferInfo),
    /// Copies elements between arrays of the same shape and dtype, on any devices; waits for it.
    pub array_copy: unsafe extern "C" fn(destination: *const Array, source: *const Array, *mut Error) -> Status,
    /// Number of usable CUDA devices; 0 without a driver. Opens the driver.
    pub device_count: unsafe extern "C" fn() -> i32,
    /// Writes a device's name and facts, or the reason why there is none, as text. Returns the bytes needed.
    pub device_text: unsafe extern "C" fn(ordinal: i32, out: *mut c_char, capacity: usize) -> usize,
    /// Where the calling thread's last call computed: -1 the CPU, otherwise the device's ordinal, -2 if there was none.
    pub last_device: unsafe extern "C" fn() -> i32,
    /// Waits for everything that calls have started.
    pub synchronize: unsafe extern "C" fn(*mut Error) -> Status,
    /// Counters.
    pub memory_stats: unsafe extern "C" fn(*mut MemoryStats),
    /// Loads a module's image on a device now. -1: on every device.
    pub preload: unsafe extern "C" fn(*const Module, device: i32, *mut Error) -> Status,
    /// Number of threads of the host pool; the pool is built on first use, in each process anew.
    pub thread_count: unsafe extern "C" fn() -> i32,
    /// To be called when the interpreter shuts down: waits, then leaves resources alone.
    pub shutdown: unsafe extern "C" fn(),
}

/// The symbol of the runtime library that returns its table.
pub const RUNTIME_TABLE_SYMBOL: &str = "numptx_runtime_table";

const _: () = assert!(core::mem::offset_of!(RuntimeTable, alloc) == 8);
const _: () = assert!(core::mem::offset_of!(RuntimeTable, poll) == 8 + 8 * 8);
