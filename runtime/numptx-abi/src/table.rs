//! The runtime's C table: the only way from generated code and bindings into the runtime.

use core::ffi::{c_char, c_void};
use core::sync::atomic::AtomicU32;

use crate::{
    AllocatorTable, Argument, Array, Buffer, BufferInfo, Call, Error, Event, Graph, InvokeOptions, Kernel, KernelFacts,
    LinkRequest, Module, ObjectCall, ObjectView, Operand, Overload, OwnerTable, PointerFacts, Status, Stream,
    StreamInfo, Value,
};

/// Live memory and work done at one place, or summed over all: counted since the process started.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryStats {
    /// Buffers that the runtime allocated and that are alive: results, temporaries, copies of host arguments on a device.
    pub live_buffers: i64,
    /// Their bytes.
    pub live_bytes: i64,
    /// The most that `live_bytes` has been since the start, or since [`RuntimeTable::reset_peak_memory`]. Of all places together: the sum of their peaks.
    pub peak_bytes: i64,
    /// Buffers allocated.
    pub allocations: i64,
    /// Buffers freed.
    pub frees: i64,
    /// Buffers over other libraries' memory that hold their owners now. Arguments of a call are none: nothing is kept of them.
    pub foreign_buffers: i64,
    /// Bytes copied between the host and this device, both ways.
    pub transferred_bytes: i64,
    /// Kernels launched.
    pub launches: i64,
    /// Array copies made by `reshape`.
    pub copies: i64,
    /// How often the host waited for this device.
    pub synchronizations: i64,
    /// What `NUMPTX_DEBUG_MEMORY=1` found to be wrong; 0 without it.
    pub violations: i64,
    /// Page-locked host memory that the runtime holds for copies to and from this device: arrays, staging, in use or kept, and what graphs hold.
    pub pinned_bytes: i64,
    /// Iterations of loops on the host whose launches were one of a graph.
    pub replays: i64,
}

/// An element of a buffer that the host wants to know.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Element {
    /// The buffer.
    pub buffer: *mut Buffer,
    /// Where the element lies, in bytes.
    pub offset: i64,
    /// Its dtype's code.
    pub dtype: u32,
    /// 0.
    pub reserved: u32,
}

impl MemoryStats {
    /// All places together, where a device is asked for.
    pub const EVERYWHERE: i32 = -2;
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
    /// Sets the call's error and returns `kind`. Each placeholder of `message` takes the 64 bits of the next of `arguments`: `{}` is an
    /// `i64`, `{u}` a `u64`, `{b}` a bool, `{d}` an `f64`, `{f}` an `f32` in the low half, `{.3}` an `f64` with so many decimals,
    /// `{:10.3e}` an `f64` in that format of Python (`f`, `e`, `g`), and `{:5d}` an `i64` in one. `{{` and `}}` are braces.
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
    /// A view of the same buffer where the strides allow it, else a copy. The result carries one reference either way. One extent of
    /// `shape` may be -1. Raises `ValueError` if the sizes differ. `what` is what is asked for and in which order: see [`crate::reshaping`],
    /// which also says what else there is behind the extents.
    pub reshape: unsafe extern "C" fn(
        *mut Call,
        input: *const Array,
        rank: u32,
        shape: *const i64,
        out: *mut Array,
        what: u32,
    ) -> Status,
    /// Called once an iteration by host loops: stops a call that was interrupted.
    pub poll: unsafe extern "C" fn(*mut Call) -> Status,

    // Called by bindings.
    /// Checks the module's ABI version and fills its table slot. Idempotent and thread-safe.
    pub bind: unsafe extern "C" fn(*const Module, *mut Error) -> Status,
    /// Calls an overload. `arguments` and `results` hold its leaves. On success each array result that views an argument names it in `parameter`. If that
    /// argument lies in the caller's memory, `array.buffer` is null: keep the argument alive. Any other array result carries one reference in `array.buffer`.
    /// `data` and `device` of every array result are set. Written host arguments hold their new contents when it returns.
    pub invoke: unsafe extern "C" fn(
        *const Overload,
        arguments: *const Argument,
        results: *mut Value,
        *const InvokeOptions,
        *mut Error,
    ) -> Status,
    /// A fresh buffer on a device (-1: host) with one reference, for use on a stream first.
    pub buffer_new:
        unsafe extern "C" fn(device: i32, bytes: i64, stream: *mut Stream, out: *mut *mut Buffer, *mut Error) -> Status,
    /// A buffer over foreign memory with one reference; `owner` is retained now and released with the buffer's last reference.
    /// `pending` 1: what the producer has done with device memory comes before later work on the legacy default stream.
    pub buffer_foreign: unsafe extern "C" fn(
        data: *mut c_void,
        bytes: i64,
        device: i32,
        read_only: u32,
        pending: u32,
        owner: *mut c_void,
        owner_table: *const OwnerTable,
        out: *mut *mut Buffer,
        *mut Error,
    ) -> Status,
    /// What a buffer is.
    pub buffer_info: unsafe extern "C" fn(*const Buffer, out: *mut BufferInfo),
    /// Copies elements between arrays of the same shape and dtype, on any devices, in the order of a stream; waits for it.
    /// `fresh` 1: nobody else has the destination yet.
    pub array_copy: unsafe extern "C" fn(
        destination: *const Array,
        source: *const Array,
        stream: *mut Stream,
        fresh: u32,
        *mut Error,
    ) -> Status,
    /// Number of usable CUDA devices; 0 without a driver. Opens the driver.
    pub device_count: unsafe extern "C" fn() -> i32,
    /// Writes a device's name and facts, or the reason why there is none, as text. Returns the bytes needed.
    pub device_text: unsafe extern "C" fn(ordinal: i32, out: *mut c_char, capacity: usize) -> usize,
    /// Where the calling thread's last call computed: -1 the CPU, otherwise the device's ordinal, -2 if there was none.
    pub last_device: unsafe extern "C" fn() -> i32,
    /// Waits for everything that calls have started.
    pub synchronize: unsafe extern "C" fn(*mut Error) -> Status,
    /// The counters of a device (-1: the host), or of [`MemoryStats::EVERYWHERE`].
    pub memory_stats: unsafe extern "C" fn(device: i32, *mut MemoryStats),
    /// Starts `peak_bytes` anew from what is live, at every place.
    pub reset_peak_memory: unsafe extern "C" fn(),
    /// Loads a module's image on a device now. -1: on every device.
    pub preload: unsafe extern "C" fn(*const Module, device: i32, *mut Error) -> Status,
    /// Number of threads of the host pool; the pool is built on first use, in each process anew.
    pub thread_count: unsafe extern "C" fn() -> i32,
    /// To be called at a program's end, while the binding is whole: waits for all work. `interrupt` is called now and then with `data`; non-zero ends
    /// the wait, resources are left alone from then on, and 1 is returned. It may be null.
    pub shutdown:
        unsafe extern "C" fn(interrupt: Option<unsafe extern "C" fn(*mut c_void) -> i32>, data: *mut c_void) -> u32,

    // Called by generated code.
    /// A buffer of `bytes` for an array that takes the place of one in `buffer`: `buffer` itself with one more reference, if `fits` is 1,
    /// it has one reference and that size, and it is the runtime's own and may be written; else a fresh one. Contents undefined.
    pub reuse:
        unsafe extern "C" fn(*mut Call, buffer: *mut Buffer, bytes: i64, fits: u32, out: *mut *mut Buffer) -> Status,
    /// Whether writing an element at each index of `written` could change what another index reads of `read`: 0 where they share no
    /// byte, or are the same elements at the same indices. Exact, but for arrays that are made to be hard: then 1.
    pub overlap: unsafe extern "C" fn(written: *const Array, read: *const Array) -> u32,

    // Called by bindings.
    /// A new stream on a device, which does not wait for the legacy default stream, nor that for it. Smaller priorities are more urgent.
    pub stream_new: unsafe extern "C" fn(device: i32, priority: i32, out: *mut *mut Stream, *mut Error) -> Status,
    /// Another library's stream by its driver's handle (1: legacy, 2: per thread); -1 for its device: the driver is asked. `owner` is retained now, and
    /// released when nothing uses the stream any more; without one (null tables) the stream has to live as long as the process.
    pub stream_foreign: unsafe extern "C" fn(
        device: i32,
        handle: *mut c_void,
        owner: *mut c_void,
        owner_table: *const OwnerTable,
        out: *mut *mut Stream,
        *mut Error,
    ) -> Status,
    /// Drops a reference. What was given to the stream is done all the same.
    pub stream_release: unsafe extern "C" fn(*mut Stream),
    /// What a stream is.
    pub stream_info: unsafe extern "C" fn(*mut Stream, out: *mut StreamInfo, *mut Error) -> Status,
    /// Waits for what a stream of a device was given.
    pub stream_synchronize: unsafe extern "C" fn(*mut Stream, device: i32, *mut Error) -> Status,
    /// Whether a stream of a device has done what it was given: 1 or 0.
    pub stream_query: unsafe extern "C" fn(*mut Stream, device: i32, done: *mut u32, *mut Error) -> Status,
    /// A new event on a device; `timing` 1: elapsed times can be asked for.
    pub event_new: unsafe extern "C" fn(device: i32, timing: u32, out: *mut *mut Event, *mut Error) -> Status,
    /// Gives an event up.
    pub event_release: unsafe extern "C" fn(*mut Event),
    /// Marks what a stream was given so far. `device`: of a default stream (null); a stream of another device than the event's is an error.
    pub event_record: unsafe extern "C" fn(*mut Event, *mut Stream, device: i32, *mut Error) -> Status,
    /// Makes a stream wait for what an event marks. `device`: of a default stream (null).
    pub event_wait: unsafe extern "C" fn(*mut Event, *mut Stream, device: i32, *mut Error) -> Status,
    /// Waits for what an event marks.
    pub event_synchronize: unsafe extern "C" fn(*mut Event, *mut Error) -> Status,
    /// Whether what an event marks is done: 1 or 0.
    pub event_query: unsafe extern "C" fn(*mut Event, done: *mut u32, *mut Error) -> Status,
    /// Milliseconds from one event to another; both are waited for.
    pub event_elapsed: unsafe extern "C" fn(*mut Event, *mut Event, out: *mut f32, *mut Error) -> Status,
    /// Begins to capture a stream. `mode` is the driver's: 0 global, 1 of the thread, 2 relaxed.
    pub graph_begin: unsafe extern "C" fn(*mut Stream, mode: u32, out: *mut *mut Graph, *mut Error) -> Status,
    /// Ends the capture and makes the graph executable; `keep` 0: forgets what was captured. Then, and on failure, there is nothing to launch.
    pub graph_end: unsafe extern "C" fn(*mut Graph, keep: u32, *mut Error) -> Status,
    /// Runs a graph in the order of a stream, after what else uses its arrays.
    pub graph_launch: unsafe extern "C" fn(*mut Graph, *mut Stream, *mut Error) -> Status,
    /// Gives a graph up; a capture that has not ended is abandoned.
    pub graph_release: unsafe extern "C" fn(*mut Graph),
    /// Number of nodes of a graph whose capture has ended.
    pub graph_nodes: unsafe extern "C" fn(*const Graph) -> u64,
    /// Makes a consumer's stream (the driver's handle; 1: legacy, 2: per thread) wait for what is done with a buffer. The free waits for what the
    /// consumer does with it, on a default stream or one that is in use here; of others nobody knows how long they live.
    pub buffer_share: unsafe extern "C" fn(*mut Buffer, consumer: *mut c_void, *mut Error) -> Status,
    /// The most bytes that buffers on a device may hold together; negative: no limit.
    pub set_memory_limit: unsafe extern "C" fn(device: i32, bytes: i64),
    /// Waits for a device, then gives memory that its pool keeps back to the driver, and the runtime's own staging memory.
    pub trim: unsafe extern "C" fn(device: i32, *mut Error) -> Status,
    /// What is called, once a failed allocation, to let the binding's garbage go before memory is given up on. Null: nothing.
    pub set_reclaim: unsafe extern "C" fn(Option<unsafe extern "C" fn()>),
    /// Links images to one cubin, without loading anything and without a GPU. `out`: a host buffer with the cubin. `text`: a host buffer with
    /// what the linker said, or of a failure the whole message, which need not fit into the error; null where there is none.
    pub link:
        unsafe extern "C" fn(*const LinkRequest, out: *mut *mut Buffer, text: *mut *mut Buffer, *mut Error) -> Status,
    /// What a device (-1: the first that has loaded the module) knows about a kernel, by the name of its function. Loads nothing.
    pub kernel_facts: unsafe extern "C" fn(
        *const Module,
        function: *const c_char,
        device: i32,
        out: *mut KernelFacts,
        *mut Error,
    ) -> Status,

    // Called by generated code.
    /// Whether a loop runs as one launch where the call computes: 1, or 0 to start its kernels one by one. Either is right. `points` has its largest
    /// step; a thread sums up `row` elements for a work item, which threads of a kernel would share; a step does the work of `rounds` iterations.
    /// Of 0 rounds: whether the call computes on a device, because wavefronts of one loop, or one thread, are all there is otherwise. Of fewer: whether
    /// loops in it, of `-rounds` iterations with steps of up to `row` work items, are launches of their own.
    pub one_launch: unsafe extern "C" fn(*mut Call, points: i64, row: i64, rounds: i64) -> u32,
    /// Whether the call runs a kernel of rows ([`crate::Kernel::ROWS`]) of so many elements each, of which a thread holds up to `held`, to which
    /// [`crate::Kernel::HAS_CLUSTERS`] is added: it computes on a device, and the rows fit its threads, or are enough to fill it.
    pub one_read: unsafe extern "C" fn(*mut Call, rows: i64, width: i64, held: i64) -> u32,
    /// Reads `n` elements into `out`, as `item` does; waits for the device once.
    pub items: unsafe extern "C" fn(*mut Call, elements: *const Element, n: u32, out: *mut [u64; 2]) -> Status,
    /// An iteration of a loop on the host begins, with `left` of them to come, itself included; 0: the loop is over. What it launches on a device may
    /// then be held back until the next call, and be launched as one graph. Loops in it have other numbers.
    pub replay: unsafe extern "C" fn(*mut Call, number: i64, left: i64) -> Status,
    /// Sorts an array's rows, along its last axis: `what` is one of [`crate::sorting`]. `order` is null where no indices are asked for. `done` 0: the
    /// call computes on a device that does not sort these, and nothing was written; else 1.
    pub sort:
        unsafe extern "C" fn(*mut Call, what: u32, values: *const Array, order: *const Array, done: *mut u32) -> Status,
    /// Runs a routine of [`crate::routine`] on `n` arrays, by whatever library computes it where the call does; `answer` gets what it answers.
    pub routine: unsafe extern "C" fn(
        *mut Call,
        routine: u32,
        flags: u32,
        arrays: *const Array,
        n: u32,
        answer: *mut i64,
    ) -> Status,

    // Called by bindings.
    /// Begins to record a graph anew, on the stream that it was captured from. It is not launched meanwhile.
    pub graph_update: unsafe extern "C" fn(*mut Graph, *mut Error) -> Status,
    /// Ends that: launches do what was recorded now. `keep` 0, and on failure: the graph stays what it was.
    pub graph_updated: unsafe extern "C" fn(*mut Graph, keep: u32, *mut Error) -> Status,
    /// Where device memory comes from from now on; null: from the devices' pools. Memory goes back to where it came from.
    pub set_allocator: unsafe extern "C" fn(*const AllocatorTable, *mut Error) -> Status,
    /// A fresh buffer in page-locked memory of the host, for all devices, with one reference. It is asked of the driver on this device.
    pub buffer_pinned: unsafe extern "C" fn(device: i32, bytes: i64, out: *mut *mut Buffer, *mut Error) -> Status,
    /// Whether devices may still copy from a page-locked buffer: 1 or 0, for others always.
    pub buffer_is_read: unsafe extern "C" fn(*const Buffer) -> u32,
    /// Waits for those copies, so that the memory may be written.
    pub buffer_settle: unsafe extern "C" fn(*mut Buffer, *mut Error) -> Status,
    /// What the driver says of an address. Opens the driver.
    pub pointer_facts: unsafe extern "C" fn(address: *const c_void, out: *mut PointerFacts, *mut Error) -> Status,
    /// How many references there are to a stream, those of memory and of events included; 0 for the default stream.
    pub stream_references: unsafe extern "C" fn(*const Stream) -> i64,
    /// Where the number of clean-ups lies that failed since they were taken last: it may be read at any time.
    pub failed_clean_ups: unsafe extern "C" fn() -> *const AtomicU32,
    /// Takes what failed: `see` gets `data` and each failure's text, for the time of the call.
    pub take_failed_clean_ups:
        unsafe extern "C" fn(see: unsafe extern "C" fn(data: *mut c_void, text: *const c_char), data: *mut c_void),
    /// What tells, on any thread, whether the binding's host is going (1): then resources are left alone. Null: nothing.
    pub set_exit_check: unsafe extern "C" fn(Option<unsafe extern "C" fn() -> i32>),
    /// What is called before the driver is asked for something that may keep the thread waiting: the binding lets its lock go, if a call has it.
    pub set_before_wait: unsafe extern "C" fn(Option<unsafe extern "C" fn()>),

    // Called by bindings and by generated code.
    /// The address that calls inside calls stay above on the calling thread's stack: below it is room for what they call.
    pub stack_limit: unsafe extern "C" fn() -> usize,

    // Called by bindings.
    /// Folders of packages in which libraries of NVIDIA may lie, a line each: looked at when one is wanted first.
    pub set_packages: unsafe extern "C" fn(folders: *const c_char),

    // Called by generated code.
    /// Runs an operation on objects.
    pub object:
        unsafe extern "C" fn(*mut Call, *const ObjectCall, operands: *const [u64; 2], results: *mut [u64; 2]) -> Status,

    // Called by bindings.
    /// An object of a kind ([`ObjectView::kind`]) of so many elements, with one reference; of a dictionary elements are pairs of this layout, which is
    /// that of a dictionary. `words` and `references` have those of one element after the other; a reference is an object, or the record of an array
    /// whose buffer the object retains. Of a string `words` are bytes of UTF-8, and `n` is how many.
    pub object_new: unsafe extern "C" fn(
        kind: u32,
        layout: *const u8,
        n_layout: u32,
        n: i64,
        words: *const c_void,
        references: *const *const c_void,
        out: *mut *mut Buffer,
        *mut Error,
    ) -> Status,
    /// What an object holds.
    pub object_view: unsafe extern "C" fn(*const Buffer, out: *mut ObjectView, *mut Error) -> Status,
    /// The reference number `at` of a list: an object, which is borrowed, or an array, as results are.
    pub object_reference: unsafe extern "C" fn(*const Buffer, at: i64, out: *mut Value, *mut Error) -> Status,
    /// What writes what [`crate::object::PRINT`] prints, on any thread that runs a call; null: the standard output.
    pub set_writer:
        unsafe extern "C" fn(Option<unsafe extern "C" fn(text: *const u8, bytes: i64, *mut Error) -> Status>),
}

/// The symbol of the runtime library that returns its table.
pub const RUNTIME_TABLE_SYMBOL: &str = "numptx_runtime_table";

const _: () = assert!(core::mem::offset_of!(RuntimeTable, alloc) == 8);
const _: () = assert!(core::mem::offset_of!(RuntimeTable, poll) == 8 + 8 * 8);
