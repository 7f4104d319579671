//! The C table: each entry catches panics, turns errors into statuses and calls the function that does the work.

pub(crate) mod buffers;
mod images;
pub(crate) mod made;
mod memory;
mod process;
mod sources;
mod streams;

use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use numptx_abi::{
    Argument, Array, Buffer as AbiBuffer, Call, Element, Error as AbiError, InvokeOptions, Kernel, MAX_RANK, Module,
    ObjectCall, Operand, Overload, RuntimeTable, Status, Value, error_kind,
};

use crate::buffer::{self, Buffer, HostMemory};
use crate::call::CallState;
use crate::error::{Error, Result};
use crate::{
    debug, deferred, device, driver, image, invoke, launch, objects, order, overlap, pending_free, pool, reshape,
    routines, sorting,
};

static TABLE: RuntimeTable = RuntimeTable {
    abi_version: numptx_abi::ABI_VERSION,
    struct_bytes: size_of::<RuntimeTable>() as u32,
    alloc,
    retain,
    release,
    launch: launch_kernel,
    item,
    raise,
    order_strides,
    reshape: reshape_array,
    poll,
    bind,
    invoke: invoke_overload,
    buffer_new: buffers::buffer_new,
    buffer_foreign: buffers::buffer_foreign,
    buffer_info: buffers::buffer_info,
    array_copy: buffers::array_copy,
    device_count,
    device_text,
    last_device,
    synchronize,
    memory_stats: memory::memory_stats,
    reset_peak_memory: memory::reset_peak_memory,
    preload: images::preload,
    thread_count,
    shutdown: process::shutdown,
    reuse,
    overlap: arrays_overlap,
    stream_new: streams::stream_new,
    stream_foreign: streams::stream_foreign,
    stream_release: streams::stream_release,
    stream_info: streams::stream_info,
    stream_synchronize: streams::stream_synchronize,
    stream_query: streams::stream_query,
    event_new: streams::event_new,
    event_release: streams::event_release,
    event_record: streams::event_record,
    event_wait: streams::event_wait,
    event_synchronize: streams::event_synchronize,
    event_query: streams::event_query,
    event_elapsed: streams::event_elapsed,
    graph_begin: streams::graph_begin,
    graph_end: streams::graph_end,
    graph_launch: streams::graph_launch,
    graph_release: streams::graph_release,
    graph_nodes: streams::graph_nodes,
    buffer_share: streams::buffer_share,
    set_memory_limit: memory::set_memory_limit,
    trim: memory::trim,
    set_reclaim: memory::set_reclaim,
    link: images::link,
    kernel_facts: images::kernel_facts,
    one_launch,
    one_read,
    items,
    replay,
    sort: sort_rows,
    routine: run_routine,
    graph_update: streams::graph_update,
    graph_updated: streams::graph_updated,
    set_allocator: sources::set_allocator,
    buffer_pinned: sources::buffer_pinned,
    buffer_is_read: sources::buffer_is_read,
    buffer_settle: sources::buffer_settle,
    pointer_facts: sources::pointer_facts,
    stream_references: streams::stream_references,
    failed_clean_ups: memory::failed_clean_ups,
    take_failed_clean_ups: memory::take_failed_clean_ups,
    set_exit_check: process::set_exit_check,
    set_before_wait: process::set_before_wait,
    stack_limit: process::stack_limit,
    set_packages: process::set_packages,
    object: run_object,
    object_new: made::object_new,
    object_view: made::object_view,
    object_reference: made::object_reference,
    set_writer: made::set_writer,
};

/// The runtime's table.
pub fn table() -> *const RuntimeTable {
    &TABLE
}

/// The runtime's table, for C and for bindings that open the library.
#[unsafe(no_mangle)]
pub extern "C" fn numptx_runtime_table() -> *const RuntimeTable {
    table()
}

/// Runs `work`; an error or a panic is stored for the caller.
#[inline]
pub(crate) fn guarded(error: *mut AbiError, work: impl FnOnce() -> Result<()>) -> Status {
    let outcome = caught(work).and_then(|done| done);
    match outcome {
        Ok(()) => error_kind::OK,
        // SAFETY: callers of the table pass null or a writable structure.
        Err(failure) => unsafe { failure.store(error) },
    }
}

/// Runs `work`; a panic becomes an error.
fn caught<T>(work: impl FnOnce() -> T) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text =
            panic.downcast_ref::<&str>().map(|s| (*s).to_string()).or_else(|| panic.downcast_ref::<String>().cloned());
        Error::runtime(format!("the runtime failed: {}; this is a bug of numptx", text.unwrap_or_default()))
    })
}

/// [`guarded`] for functions that generated code calls.
///
/// # Safety
/// `call` is the running call.
unsafe fn in_call(call: *mut Call, work: impl FnOnce(&CallState) -> Result<()>) -> Status {
    // SAFETY: as the caller promises.
    let state = unsafe { CallState::from_abi(call) };
    guarded(state.error, || work(state))
}

unsafe extern "C" fn alloc(call: *mut Call, bytes: i64, out: *mut *mut AbiBuffer) -> Status {
    // SAFETY: generated code passes the running call and a place for the result.
    unsafe {
        in_call(call, |state| {
            *out = state.alloc(bytes)?.into_raw().cast();
            Ok(())
        })
    }
}

unsafe extern "C" fn reuse(
    call: *mut Call,
    buffer: *mut AbiBuffer,
    bytes: i64,
    fits: u32,
    out: *mut *mut AbiBuffer,
) -> Status {
    // SAFETY: generated code passes the running call, a live buffer that it owns a reference to, and a place for the result.
    unsafe {
        in_call(call, |state| {
            *out = state.reuse(buffer.cast(), bytes, fits != 0)?.into_raw().cast();
            Ok(())
        })
    }
}

unsafe extern "C" fn retain(buffer: *mut AbiBuffer) {
    // SAFETY: the caller passes a live buffer.
    unsafe { buffer::retain(buffer.cast()) };
}

unsafe extern "C" fn release(buffer: *mut AbiBuffer) {
    // What a `try` that failed did not make.
    if buffer.is_null() {
        return;
    }
    // SAFETY: the caller gives up a reference. A panic here could only be our bug; the memory stays.
    let _ = caught(|| unsafe { buffer::release(buffer.cast()) });
}

unsafe extern "C" fn launch_kernel(
    call: *mut Call,
    kernel: *const Kernel,
    extents: *const i64,
    operands: *const Operand,
    scalars: *const [u64; 2],
) -> Status {
    // SAFETY: generated code passes the running call and what the kernel's descriptor says.
    unsafe { in_call(call, |state| launch::launch(state, &*kernel, extents, operands, scalars)) }
}

unsafe extern "C" fn item(
    call: *mut Call,
    buffer: *mut AbiBuffer,
    offset: i64,
    dtype: u32,
    out: *mut [u64; 2],
) -> Status {
    // SAFETY: generated code passes the running call, a live buffer and a place for the result.
    unsafe {
        in_call(call, |state| {
            debug::check_use(buffer.cast())?;
            *out = state.item(&*buffer.cast::<Buffer>(), offset, dtype)?;
            Ok(())
        })
    }
}

unsafe extern "C" fn items(call: *mut Call, elements: *const Element, n: u32, out: *mut [u64; 2]) -> Status {
    // SAFETY: generated code passes the running call, `n` elements of live buffers and places for as many results.
    unsafe {
        in_call(call, |state| {
            let (elements, out) =
                (std::slice::from_raw_parts(elements, n as usize), std::slice::from_raw_parts_mut(out, n as usize));
            elements.iter().try_for_each(|element| debug::check_use(element.buffer.cast()))?;
            state.items(elements, out)
        })
    }
}

unsafe extern "C" fn replay(call: *mut Call, number: i64, left: i64) -> Status {
    // SAFETY: generated code passes the running call.
    unsafe { in_call(call, |state| state.step(number, left)) }
}

unsafe extern "C" fn sort_rows(
    call: *mut Call,
    what: u32,
    values: *const Array,
    order: *const Array,
    done: *mut u32,
) -> Status {
    // SAFETY: generated code passes the running call, live arrays or null for the second, and a place for the answer.
    unsafe {
        in_call(call, |state| {
            *done = u32::from(sorting::sort(state, what, &*values, order.as_ref())?);
            Ok(())
        })
    }
}

unsafe extern "C" fn run_routine(
    call: *mut Call,
    routine: u32,
    flags: u32,
    arrays: *const Array,
    n: u32,
    answer: *mut i64,
) -> Status {
    // SAFETY: generated code passes the running call, `n` live arrays, and a place for the answer.
    unsafe {
        in_call(call, |state| {
            *answer = routines::run(state, routine, flags, std::slice::from_raw_parts(arrays, n as usize))?;
            Ok(())
        })
    }
}

unsafe extern "C" fn run_object(
    call: *mut Call,
    request: *const ObjectCall,
    operands: *const [u64; 2],
    results: *mut [u64; 2],
) -> Status {
    // SAFETY: generated code passes the running call, a request, and what it says.
    unsafe { in_call(call, |state| objects::run(state, &*request, operands, results)) }
}

unsafe extern "C" fn one_launch(call: *mut Call, points: i64, row: i64, rounds: i64) -> u32 {
    // SAFETY: generated code passes the running call.
    let wanted = caught(|| unsafe { launch::is_one_launch(CallState::from_abi(call), points, row, rounds) });
    u32::from(wanted.unwrap_or(false))
}

unsafe extern "C" fn one_read(call: *mut Call, rows: i64, width: i64, held: i64) -> u32 {
    // SAFETY: generated code passes the running call.
    let wanted = caught(|| unsafe { launch::is_one_read(CallState::from_abi(call), rows, width, held) });
    u32::from(wanted.unwrap_or(false))
}

unsafe extern "C" fn raise(
    call: *mut Call,
    kind: Status,
    message: *const c_char,
    arguments: *const i64,
    n: u32,
) -> Status {
    // SAFETY: generated code passes the running call, a null-terminated text and `n` numbers.
    let raised = caught(|| unsafe {
        let numbers = if n == 0 { &[][..] } else { std::slice::from_raw_parts(arguments, n as usize) };
        CallState::from_abi(call).raise(kind, CStr::from_ptr(message), numbers)
    });
    raised.unwrap_or(kind)
}

unsafe extern "C" fn order_strides(
    rank: u32,
    itemsize: i64,
    extents: *const i64,
    n_inputs: u32,
    strides: *const i64,
    out: *mut i64,
) {
    let rank = (rank as usize).min(MAX_RANK);
    if rank == 0 {
        return;
    }
    // SAFETY: the caller passes `rank` extents, `n_inputs * rank` strides, and room for `rank` results.
    let _ = caught(|| unsafe {
        let mut inputs: crate::inline::Inline<&[i64], 16> = crate::inline::Inline::new();
        for i in 0..n_inputs as usize {
            inputs.push(std::slice::from_raw_parts(strides.add(i * rank), rank));
        }
        let extents = std::slice::from_raw_parts(extents, rank);
        order::order_strides(extents, itemsize, &inputs, std::slice::from_raw_parts_mut(out, rank));
    });
}

unsafe extern "C" fn reshape_array(
    call: *mut Call,
    input: *const Array,
    rank: u32,
    shape: *const i64,
    out: *mut Array,
    what: u32,
) -> Status {
    // SAFETY: generated code passes the running call, a live array, `rank` extents, or as many extents and strides, and a place for the result.
    unsafe {
        in_call(call, |state| {
            debug::check_use((*input).buffer.cast())?;
            let is_strided = what & 3 == numptx_abi::reshaping::STRIDED;
            let n = if is_strided { 2 * rank as usize } else { rank as usize };
            let shape = if n == 0 { &[][..] } else { std::slice::from_raw_parts(shape, n) };
            *out = match is_strided {
                true => reshape::strided(state, &*input, shape, what >> numptx_abi::reshaping::DTYPE_SHIFT)?,
                false => reshape::reshape(state, &*input, shape, what)?,
            };
            Ok(())
        })
    }
}

unsafe extern "C" fn arrays_overlap(written: *const Array, read: *const Array) -> u32 {
    // SAFETY: generated code passes live arrays. Where there is no answer, «may» is right.
    let found = caught(|| unsafe { overlap::arrays_overlap(&*written, &*read) });
    u32::from(!matches!(found, Ok(Ok(false))))
}

unsafe extern "C" fn poll(call: *mut Call) -> Status {
    // SAFETY: generated code passes the running call.
    unsafe { in_call(call, CallState::poll_in_time) }
}

unsafe extern "C" fn bind(module: *const Module, error: *mut AbiError) -> Status {
    // SAFETY: the binding passes a module's descriptor.
    guarded(error, || unsafe { image::bind(module) })
}

unsafe extern "C" fn invoke_overload(
    overload: *const Overload,
    arguments: *const Argument,
    results: *mut Value,
    options: *const InvokeOptions,
    error: *mut AbiError,
) -> Status {
    if error.is_null() {
        // SAFETY: as this function's.
        return unsafe { invoke_unread(overload, arguments, results, options) };
    }
    // SAFETY: the binding passes an overload with its arguments, results and options.
    guarded(error, || unsafe {
        invoke::invoke(&*overload, arguments, results, (&*options, HostMemory::Buffers), error)
    })
}

/// The same where nobody reads the error. Its room is not on the stack of other calls.
///
/// # Safety
/// As the table's documentation says.
#[cold]
#[inline(never)]
unsafe fn invoke_unread(
    overload: *const Overload,
    arguments: *const Argument,
    results: *mut Value,
    options: *const InvokeOptions,
) -> Status {
    let mut unread = crate::error::no_error();
    // SAFETY: as the caller promises; the error is a local.
    unsafe { invoke_overload(overload, arguments, results, options, &mut unread) }
}

extern "C" fn device_count() -> i32 {
    caught(|| device::count().unwrap_or(0)).unwrap_or(0)
}

unsafe extern "C" fn device_text(ordinal: i32, out: *mut c_char, capacity: usize) -> usize {
    let described = caught(|| device::describe(ordinal)).and_then(|text| text);
    let text = described.unwrap_or_else(|error| error.message().to_string());
    if capacity > 0 && !out.is_null() {
        let mut end = text.len().min(capacity - 1);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        // SAFETY: the binding passes room for `capacity` bytes.
        unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr(), out.cast::<u8>(), end);
            *out.add(end) = 0;
        }
    }
    text.len() + 1
}

extern "C" fn last_device() -> i32 {
    invoke::last_device()
}

unsafe extern "C" fn synchronize(error: *mut AbiError) -> Status {
    guarded(error, wait_for_all)
}

/// Waits for everything on every device that was used.
pub(crate) fn wait_for_all() -> Result<()> {
    if driver::opened().is_none() {
        return Ok(());
    }
    deferred::settle();
    device::used().try_for_each(device::Device::synchronize)?;
    pending_free::free_done();
    Ok(())
}

extern "C" fn thread_count() -> i32 {
    caught(pool::thread_count).map_or(1, |n| i32::try_from(n).unwrap_or(i32::MAX))
}
