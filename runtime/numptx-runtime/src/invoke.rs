//! A call of a compiled function: from a binding's arguments to its results.
//!
//! In: an overload, arguments in the caller's or in runtime memory, options. Out: results that name the argument that they view or carry
//! a reference; written host arguments hold their new contents. On failure nothing is kept. Arguments' buffers live on this stack.

use std::cell::Cell;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU64, Ordering};

use numptx_abi::{Argument, InvokeOptions, Overload, Value, error_kind};

use crate::binding::{BoundArguments, Bytes, bind_arguments, changed, written, written_overlaps};
use crate::buffer::{self, Buffer, BufferRef, HostMemory, Storage};
use crate::call::CallState;
use crate::copy::itemsize;
use crate::debug;
use crate::deferred;
use crate::error::{Error, Result};
use crate::mirror::{Region, join_ranges};
use crate::objects;
use crate::pinned::PinnedMemory;
use crate::placement::{Places, argument_device, place, places};
use crate::producers::{check_addressable, order_after_producers, order_producers_after};
use crate::recording::{Recording, begin_recording};
use crate::results;
use crate::stream::Stream;

/// The most argument leaves: the bits of [`Overload::written`].
pub(crate) const MAX_ARGUMENTS: usize = 64;
/// As many as most functions have.
const FEW_ARGUMENTS: usize = 8;

thread_local! {
    static LAST_DEVICE: Cell<i32> = const { Cell::new(-2) };
}

/// [`numptx_abi::RuntimeTable::last_device`].
pub(crate) fn last_device() -> i32 {
    LAST_DEVICE.get()
}

/// Numbers calls, for the accounts of buffers.
static CALLS: AtomicU64 = AtomicU64::new(1);

/// Where a call's arguments are bound: as its entry sees them, the buffers behind them, and their bytes.
struct Room<const N: usize> {
    values: [MaybeUninit<Value>; N],
    buffers: [MaybeUninit<Buffer>; N],
    extents: [MaybeUninit<Bytes>; N],
}

impl<const N: usize> Room<N> {
    #[inline(always)]
    fn new() -> Room<N> {
        Room {
            values: [const { MaybeUninit::uninit() }; N],
            buffers: [const { MaybeUninit::uninit() }; N],
            extents: [const { MaybeUninit::uninit() }; N],
        }
    }

    /// The part for `n` arguments.
    #[inline(always)]
    fn of(&mut self, n: usize) -> BoundArguments<'_> {
        BoundArguments {
            values: &mut self.values[..n],
            buffers: &mut self.buffers[..n],
            extents: &mut self.extents[..n],
        }
    }
}

/// [`numptx_abi::RuntimeTable::invoke`].
///
/// # Safety
/// As the table's documentation says; `error` is writable. `memory`: what the call's fresh host memory is made as.
#[inline]
pub(crate) unsafe fn invoke(
    overload: &Overload,
    arguments: *const Argument,
    results: *mut Value,
    (options, memory): (&InvokeOptions, HostMemory),
    error: *mut numptx_abi::Error,
) -> Result<()> {
    let n_arguments = overload.n_arguments as usize;
    if n_arguments > FEW_ARGUMENTS {
        // SAFETY: as the caller promises.
        return unsafe { invoke_with_many(overload, arguments, results, (options, memory), error) };
    }
    let mut room = Room::<FEW_ARGUMENTS>::new();
    // SAFETY: as the caller promises.
    unsafe { invoke_in(room.of(n_arguments), overload, arguments, results, (options, memory), error) }
}

/// [`invoke`] of a function with many arguments. Room for all that there may be is half of a small stack.
///
/// # Safety
/// As [`invoke`].
#[cold]
#[inline(never)]
unsafe fn invoke_with_many(
    overload: &Overload,
    arguments: *const Argument,
    results: *mut Value,
    (options, memory): (&InvokeOptions, HostMemory),
    error: *mut numptx_abi::Error,
) -> Result<()> {
    let n_arguments = overload.n_arguments as usize;
    if n_arguments > MAX_ARGUMENTS {
        return Err(Error::runtime(format!("a function takes at most {MAX_ARGUMENTS} arguments")));
    }
    let mut room = Room::<MAX_ARGUMENTS>::new();
    // SAFETY: as the caller promises.
    unsafe { invoke_in(room.of(n_arguments), overload, arguments, results, (options, memory), error) }
}

/// [`invoke`] with room for as many arguments as there are.
///
/// # Safety
/// As [`invoke`].
#[inline(never)]
unsafe fn invoke_in(
    mut bound: BoundArguments<'_>,
    overload: &Overload,
    arguments: *const Argument,
    results: *mut Value,
    (options, memory): (&InvokeOptions, HostMemory),
    error: *mut numptx_abi::Error,
) -> Result<()> {
    let (n_arguments, n_results) = (bound.n(), overload.n_results as usize);
    // SAFETY: as the caller promises; empty slices do not read their pointer.
    let (arguments, results) = unsafe {
        (
            if n_arguments == 0 { &[][..] } else { std::slice::from_raw_parts(arguments, n_arguments) },
            if n_results == 0 { &mut [][..] } else { std::slice::from_raw_parts_mut(results, n_results) },
        )
    };
    if overload.written != 0 {
        check_writable(overload, arguments)?;
    }
    // SAFETY: a binding passes a live stream or null.
    let stream = unsafe { Stream::of_abi(options.stream) };
    let places = places(arguments, &stream)?;
    let device = place(overload, arguments, &places, options)?;
    LAST_DEVICE.set(device.map_or(-1, |d| d.ordinal));
    let _context;
    let mut unread;
    let error = match error.is_null() {
        true => {
            unread = crate::error::no_error();
            &raw mut unread
        }
        false => error,
    };
    let mut call = CallState::new(stream, options, error);
    call.memory = memory;
    if let Some(device) = device {
        deferred::catch_up();
        _context = device.enter()?;
        call.recording = begin_recording(device, &call.stream, overload, arguments)?;
        if let Some(recording) = &call.recording {
            recording.keep_owners(arguments);
        }
        check_addressable(arguments)?;
        if places.has_producers {
            order_after_producers(device, arguments, &call.stream)?;
        }
        call.compute_on(device);
    }
    // SAFETY: as the caller promises.
    let outcome = unsafe { run(&mut bound, overload, arguments, &places, results, options, &call) };
    let Some(device) = device else { return outcome };
    if let Some(recording) = call.recording.take() {
        return finish_recording(recording, outcome, results);
    }
    if !places.has_producers {
        return outcome;
    }
    let ordered = order_producers_after(device, arguments, &call.stream);
    // SAFETY: after a success each array result carries a reference.
    unsafe { follow(outcome, ordered, results) }
}

/// Gives the graph what the call used, whether the call succeeded or not: its nodes are there.
fn finish_recording(recording: Recording, outcome: Result<()>, results: &mut [Value]) -> Result<()> {
    let handed = recording.hand_over();
    // SAFETY: after a success each array result carries a reference.
    unsafe { follow(outcome, handed, results) }
}

fn check_writable(overload: &Overload, arguments: &[Argument]) -> Result<()> {
    for (k, argument) in written(overload, arguments) {
        // SAFETY: a binding passes live buffers.
        let buffer = unsafe { argument.array.buffer.cast::<Buffer>().as_ref() };
        if argument.read_only != 0 || buffer.is_some_and(|b| b.read_only) {
            return Err(Error::value(format!(
                "assignment destination is read-only: the function writes to its argument {}",
                k + 1
            )));
        }
        // What devices still copy from it is what was there.
        buffer.and_then(Buffer::pinned).map_or(Ok(()), PinnedMemory::settle)?;
    }
    Ok(())
}

/// Binds the arguments and runs the overload's entry.
///
/// # Safety
/// As [`invoke`].
#[inline]
unsafe fn run(
    bound: &mut BoundArguments<'_>,
    overload: &Overload,
    arguments: &[Argument],
    places: &Places,
    results: &mut [Value],
    options: &InvokeOptions,
    call: &CallState,
) -> Result<()> {
    // SAFETY: as the caller promises.
    unsafe { bind_arguments(bound, arguments) }?;
    // SAFETY: each was written.
    let extents = unsafe { std::slice::from_raw_parts(bound.extents.as_ptr().cast::<Bytes>(), arguments.len()) };
    let overlaps = overload.written != 0 && written_overlaps(overload, arguments, extents)?;
    let has_copies = places.has_host && call.device.is_some();
    let regions = if has_copies { make_regions(bound, arguments, extents, call) } else { Vec::new() };
    let entry = if overlaps { overload.mayalias } else { overload.noalias };
    results.iter_mut().for_each(clear);
    let accounts = results::accounts_are_checked().then(|| {
        let number = CALLS.fetch_add(1, Ordering::Relaxed);
        let outer = buffer::open_ledger(number);
        (number, outer, debug::enter_call(overload, number, bound.buffers.as_mut_ptr().cast(), bound.n()))
    });
    // SAFETY: the entry belongs to the overload; its arguments and results are as many as it says.
    let status =
        unsafe { entry((&raw const *call).cast_mut().cast(), bound.values.as_ptr().cast(), results.as_mut_ptr()) };
    let finished = call.replay.finish();
    // SAFETY: the arguments are as the caller promises.
    let written = if regions.is_empty() { Ok(()) } else { unsafe { write_back(overload, arguments, bound) } };
    if has_copies {
        drop(regions);
    } else {
        // Nothing to drop, which the function that drops would find out.
        std::mem::forget(regions);
    }
    let first = bound.buffers.as_mut_ptr().cast::<Buffer>();
    let parameters = results::Parameters { first, n: bound.n() };
    let to_host =
        call.device.is_some() && options.results_on_device == 0 && call.recording.is_none() && places.device.is_none();
    // What the call put into the caller's objects stays there, whatever it ends with: none of it may be of the call.
    // SAFETY: arguments are live.
    let written = written.and(unsafe { settle_arguments(overload, arguments, &parameters, call, to_host) });
    let outcome = if status == error_kind::OK {
        // SAFETY: the entry succeeded: each array result carries one reference.
        unsafe { settle(finished.and(written), results, &parameters, call, to_host) }
    } else {
        results.iter_mut().for_each(clear);
        // SAFETY: the error structure is the caller's, and valid.
        let error =
            unsafe { call.error.as_ref() }.map_or_else(|| Error::new(status, ""), |e| Error::from_abi(status, e));
        // What the call made of its host arguments until then comes back, too.
        Err(match written {
            Ok(()) => error,
            Err(lost) => error.and(format_args!("{lost}")),
        })
    };
    let Some((number, outer, watched)) = accounts else { return outcome };
    let alive = buffer::close_ledger(outer);
    // A graph keeps what the call used.
    if call.recording.is_some() {
        return outcome;
    }
    let outcome = match outcome {
        // SAFETY: the results were translated.
        Ok(()) => unsafe { results::check_accounts(overload, arguments, results, &parameters, number, alive) },
        Err(error) => {
            // SAFETY: arguments are live.
            unsafe { results::check_failure(overload, arguments, &parameters, number, alive) }.and(Err(error))
        }
    };
    // SAFETY: after a success each array result carries a reference.
    unsafe { heed(watched.verdict(), outcome, results) }
}

/// The outcome of a call after which something else was done: the call's own error comes first.
///
/// # Safety
/// If `outcome` is a success, each array result carries a reference.
unsafe fn follow(outcome: Result<()>, after: Result<()>, results: &mut [Value]) -> Result<()> {
    outcome?;
    // SAFETY: as the caller promises.
    unsafe { heed(after, Ok(()), results) }
}

/// The outcome of a call in which nothing, or something, was found wrong: with what is wrong comes first.
///
/// # Safety
/// If `outcome` is a success, each array result carries a reference.
unsafe fn heed(verdict: Result<()>, outcome: Result<()>, results: &mut [Value]) -> Result<()> {
    if verdict.is_err() && outcome.is_ok() {
        // SAFETY: as the caller promises.
        unsafe { release_results(results) };
    }
    verdict.and(outcome)
}

/// Makes a successful entry's results what bindings read. If the arguments could not be written back, the results are dropped.
///
/// # Safety
/// Each array result carries one reference.
unsafe fn settle(
    written: Result<()>,
    results: &mut [Value],
    parameters: &results::Parameters,
    call: &CallState,
    to_host: bool,
) -> Result<()> {
    // SAFETY: as the caller promises.
    unsafe {
        match written {
            Ok(()) => results::translate(results, parameters, call, to_host),
            Err(error) => {
                release_results(results);
                Err(error)
            }
        }
    }
}

/// Makes arrays in the objects of the caller's that the function may have changed what bindings read.
///
/// # Safety
/// The arguments that are objects are live.
unsafe fn settle_arguments(
    overload: &Overload,
    arguments: &[Argument],
    parameters: &results::Parameters,
    call: &CallState,
    to_host: bool,
) -> Result<()> {
    if overload.written == 0 {
        return Ok(());
    }
    for buffer in changed(overload, arguments) {
        // SAFETY: as the caller promises.
        objects::settle(unsafe { &*buffer }, parameters, call, to_host)?;
    }
    Ok(())
}

/// Makes a result one that was not set. Extents and strides stay: nobody reads those of no array.
fn clear(result: &mut Value) {
    (result.kind, result.dtype, result.parameter, result.identity) = (Value::NONE, 0, -1, 0);
    result.bits = [0; 2];
    (result.array.buffer, result.array.offset) = (std::ptr::null_mut(), 0);
    (result.array.rank, result.array.dtype) = (0, 0);
    (result.data, result.device, result.read_only) = (std::ptr::null_mut(), -1, 0);
}

/// For a call on a device: one region for each group of overlapping host arguments, tied to their buffers.
fn make_regions(
    bound: &mut BoundArguments<'_>,
    arguments: &[Argument],
    extents: &[Bytes],
    call: &CallState,
) -> Vec<Region> {
    let Some(device) = call.device else { return Vec::new() };
    let on_host = |k: usize| argument_device(&arguments[k]).is_some_and(|d| d < 0);
    let hosts = (0..bound.n()).filter(|k| on_host(*k));
    let mut ranges: Vec<(usize, usize)> = hosts.map(|k| (extents[k].low, extents[k].high)).collect();
    if ranges.is_empty() {
        return Vec::new();
    }
    join_ranges(&mut ranges);
    let mut regions = Vec::with_capacity(ranges.len());
    for (low, high) in &ranges {
        let inside = (0..bound.n()).find(|k| on_host(*k) && extents[*k].low == *low && extents[*k].high > *low);
        // SAFETY: every slot below `n` was filled.
        let first = inside.map(|k| unsafe { &*bound.buffer(k) }.data.with_addr(*low));
        let first = first.unwrap_or(std::ptr::null_mut());
        regions.push(Region::new(device, &call.stream, call.recording.as_ref(), (first, high - low)));
    }
    for k in (0..bound.n()).filter(|k| on_host(*k)) {
        let Bytes { low, high, .. } = extents[k];
        if low == high {
            continue;
        }
        if let Some(found) = regions.iter().find(|r| r.contains(low, high)) {
            // SAFETY: every slot below `n` was filled; the regions outlive the entry, and their vector does not move any more.
            unsafe {
                if let Storage::Parameter { region, .. } = &mut (*bound.buffer(k)).storage {
                    *region = found;
                }
            }
        }
    }
    regions
}

/// Copies what launches wrote to host arguments' copies back: those arguments alone, even where others share a copy with them. After a failure too:
/// the writes that NumPy would have done are done.
///
/// # Safety
/// As [`invoke`].
unsafe fn write_back(overload: &Overload, arguments: &[Argument], bound: &mut BoundArguments<'_>) -> Result<()> {
    for (k, argument) in written(overload, arguments) {
        // SAFETY: every slot below `n` was filled.
        let buffer = unsafe { &*bound.buffer(k) };
        let Storage::Parameter { region, ref written, .. } = buffer.storage else { continue };
        // SAFETY: regions live until the caller drops them.
        let Some(region) = (unsafe { region.as_ref() }) else { continue };
        if written.get() {
            let (array, rank) = (&argument.array, argument.array.rank as usize);
            // SAFETY: filled by `bind_argument`.
            let offset = unsafe { (*bound.values[k].as_ptr()).array.offset };
            let data = buffer.data.wrapping_offset(offset as isize);
            // SAFETY: the argument may be written, and lies in the region.
            unsafe {
                region.write_back(data, &array.shape[..rank], &array.strides[..rank], itemsize(argument.dtype)?)
            }?;
        }
    }
    Ok(())
}

/// Drops the references that results carry.
///
/// # Safety
/// Each array result carries one reference to a buffer that is alive.
pub(crate) unsafe fn release_results(results: &mut [Value]) {
    for result in results.iter_mut() {
        if matches!(result.kind, Value::ARRAY | Value::OBJECT) && !result.array.buffer.is_null() {
            // SAFETY: as the caller promises.
            drop(unsafe { BufferRef::from_raw(result.array.buffer.cast()) });
        }
        clear(result);
    }
}

/// Gives up a result's reference to its buffer for one to another.
///
/// # Safety
/// The result carries a reference to its buffer.
pub(crate) unsafe fn replace_buffer(result: &mut Value, by: BufferRef) {
    let old = std::mem::replace(&mut result.array.buffer, by.into_raw().cast());
    // SAFETY: as the caller promises.
    drop(unsafe { BufferRef::from_raw(old.cast()) });
}
