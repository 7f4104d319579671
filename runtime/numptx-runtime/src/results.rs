//! What a call gives back: results as bindings read them, and the check that a call keeps nothing.
//!
//! In: the values that an entry wrote. Out: views of arguments by the argument's number, everything in buffers of ours with one reference,
//! and addresses; after a call on a device with host arguments, fresh results moved to the host.

use std::ffi::CStr;
use std::sync::OnceLock;

use numptx_abi::{Argument, Overload, Value};

use crate::axes::byte_range;
use crate::binding::changed;
use crate::buffer::{Buffer, BufferRef, Storage};
use crate::call::CallState;
use crate::copy::itemsize;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::invoke::{release_results, replace_buffer};
use crate::objects::{self, Counts};
use crate::stream::Stream;
use crate::{debug, staging, stats};

/// The buffers of a call's arguments.
pub(crate) struct Parameters {
    pub(crate) first: *mut Buffer,
    pub(crate) n: usize,
}

impl Parameters {
    /// References to arguments that were not given back.
    fn surplus(&self) -> i64 {
        // SAFETY: the stack buffers live until the call ends.
        (0..self.n).map(|k| unsafe { &*self.first.wrapping_add(k) }.references() - 1).sum()
    }

    /// The argument whose stack buffer this is.
    pub(crate) fn index_of(&self, buffer: *mut Buffer) -> Option<usize> {
        (0..self.n).find(|k| self.first.wrapping_add(*k) == buffer)
    }
}

/// Makes an entry's results what bindings read. On failure all references are dropped.
///
/// # Safety
/// Each array result carries one reference to a live buffer.
pub(crate) unsafe fn translate(
    results: &mut [Value],
    parameters: &Parameters,
    call: &CallState,
    to_host: bool,
) -> Result<()> {
    if to_host {
        // SAFETY: as the caller promises.
        if let Err(error) = unsafe { move_to_host(results, parameters, call) } {
            // SAFETY: as above; parameters' buffers are still there.
            unsafe { release_results(results) };
            return Err(error);
        }
    }
    for result in results.iter().filter(|r| r.kind == Value::OBJECT) {
        // SAFETY: alive, as the caller promises.
        if let Err(error) =
            // SAFETY: the entry handed a reference to a live object over.
            objects::settle(unsafe { &*result.array.buffer.cast::<Buffer>() }, parameters, call, to_host)
        {
            // SAFETY: as above.
            unsafe { release_results(results) };
            return Err(error);
        }
    }
    for result in results.iter_mut().filter(|r| r.kind == Value::ARRAY) {
        let buffer = result.array.buffer.cast::<Buffer>();
        if let Some(k) = parameters.index_of(buffer) {
            // SAFETY: the argument's buffer is on the caller's stack.
            unsafe { name_argument(result, k, buffer) };
        } else {
            // SAFETY: alive, as the caller promises.
            let held = unsafe { &*buffer };
            result.data = held.data.wrapping_offset(result.array.offset as isize).cast();
            result.device = held.device;
            // The memory of a recorded call is home on no stream of the caller's, who may go on with it where it was recorded or on the default one.
            if call.recording.is_some()
                && let Some(uses) = held.uses()
            {
                uses.give_to(&call.stream);
                uses.give_to(&Stream::LEGACY);
            }
        }
    }
    Ok(())
}

/// # Safety
/// `buffer` is the stack buffer of argument `k`, and the result carries a reference to it.
unsafe fn name_argument(result: &mut Value, k: usize, buffer: *mut Buffer) {
    // SAFETY: as the caller promises.
    let held = unsafe { &*buffer };
    result.data = held.data.wrapping_offset(result.array.offset as isize).cast();
    result.device = held.device;
    result.parameter = i32::try_from(k).unwrap_or(-1);
    match held.storage {
        Storage::Parameter { stands_for, .. } if !stands_for.is_null() => {
            // SAFETY: the argument keeps its buffer alive during the call.
            unsafe { replace_buffer(result, BufferRef::to(stands_for)) };
        }
        _ => {
            // SAFETY: as the caller promises.
            drop(unsafe { BufferRef::from_raw(buffer) });
            result.array.buffer = std::ptr::null_mut();
        }
    }
}

/// Moves fresh results to the host: results that share a buffer share one afterwards.
///
/// # Safety
/// As [`translate`].
unsafe fn move_to_host(results: &mut [Value], parameters: &Parameters, call: &CallState) -> Result<()> {
    let Some(device) = call.device else { return Ok(()) };
    let mut moved = false;
    for i in 0..results.len() {
        let buffer = results[i].array.buffer.cast::<Buffer>();
        // SAFETY: alive, as the caller promises.
        if holds(&results[i], buffer) && parameters.index_of(buffer).is_none() && unsafe { &*buffer }.device >= 0 {
            // SAFETY: as above.
            unsafe { move_buffer(results, buffer, device, call) }?;
            moved = true;
        }
    }
    if moved { device.wait(call.stream.handle()) } else { Ok(()) }
}

/// Whether a result lies in a buffer.
fn holds(result: &Value, buffer: *mut Buffer) -> bool {
    result.kind == Value::ARRAY && result.array.buffer.cast() == buffer
}

/// Copies the part of a device buffer that results show to a fresh host buffer, and points those results there.
///
/// # Safety
/// The buffer is alive, and each result in it carries one reference.
unsafe fn move_buffer(
    results: &mut [Value],
    buffer: *mut Buffer,
    device: &'static Device,
    call: &CallState,
) -> Result<()> {
    let (mut low, mut high) = (i64::MAX, 0i64);
    for result in results.iter().filter(|r| holds(r, buffer)) {
        let (first, last) = bytes_of(result)?;
        // An empty array may begin anywhere, before the buffer too.
        if first < last {
            (low, high) = (low.min(first), high.max(last));
        }
    }
    let low = low.min(high);
    let fresh = call.memory.alloc(high - low)?;
    let bytes = usize::try_from(high - low).unwrap_or(0);
    // SAFETY: both are alive; the fresh buffer has room for the range, which lies in the device buffer.
    let copied = unsafe {
        let from = ((*buffer).data.expose_provenance() as u64).wrapping_add_signed(low);
        match bytes {
            0 => Ok(()),
            _ => staging::to_host(device, fresh.data, from, bytes, &call.stream).map_err(Error::from),
        }
    };
    stats::transferred(device.ordinal, bytes);
    if copied.is_ok() {
        for result in results.iter_mut().filter(|r| holds(r, buffer)) {
            let is_empty = bytes_of(result).is_ok_and(|(first, last)| first == last);
            result.array.offset = if is_empty { 0 } else { result.array.offset - low };
            // SAFETY: the result carries a reference to its buffer.
            unsafe { replace_buffer(result, fresh.clone()) };
        }
    }
    copied
}

/// The bytes of its buffer that a result touches.
fn bytes_of(result: &Value) -> Result<(i64, i64)> {
    let array = &result.array;
    let rank = (array.rank as usize).min(numptx_abi::MAX_RANK);
    let (low, high) = byte_range(&array.shape[..rank], &array.strides[..rank], itemsize(result.dtype)?);
    Ok((array.offset + low, array.offset + high))
}

/// Whether calls are checked for what they keep: in debug builds, in the debug mode, and with `NUMPTX_CHECK_LEAKS=1`.
pub(crate) fn accounts_are_checked() -> bool {
    static CHECKED: OnceLock<bool> = OnceLock::new();
    *CHECKED.get_or_init(|| {
        cfg!(debug_assertions) || debug::is_on() || std::env::var_os("NUMPTX_CHECK_LEAKS").is_some_and(|v| v == "1")
    })
}

/// The error of a call that kept buffers.
fn leaked(overload: &Overload, n: i64) -> Error {
    Error::runtime(format!(
        "`{}` did not balance its references: {n} buffers too many; this is a bug of the compiler",
        signature(overload)
    ))
}

/// The overload as users read it.
pub(crate) fn signature(overload: &Overload) -> String {
    if overload.signature.is_null() {
        return "a function".to_string();
    }
    // SAFETY: a signature is null-terminated.
    unsafe { CStr::from_ptr(overload.signature) }.to_string_lossy().into_owned()
}

/// Checks that a call that failed keeps nothing but what it put into the caller's objects.
///
/// # Safety
/// The arguments that are objects are live.
pub(crate) unsafe fn check_failure(
    overload: &Overload,
    arguments: &[Argument],
    parameters: &Parameters,
    call: u64,
    alive: i64,
) -> Result<()> {
    // SAFETY: as the caller promises.
    let counts = unsafe { held_by_arguments(overload, arguments) };
    // SAFETY: an object of the caller holds each.
    let (held, surplus) = unsafe { held(&counts, call) };
    match alive - held + surplus + parameters.surplus() {
        0 => Ok(()),
        n => Err(leaked(overload, n)),
    }
}

/// The references that the caller's objects hold which the function may have changed.
///
/// # Safety
/// The arguments that are objects are live.
unsafe fn held_by_arguments(overload: &Overload, arguments: &[Argument]) -> Counts {
    let mut counts = Counts::default();
    for buffer in changed(overload, arguments) {
        // SAFETY: as the caller promises.
        unsafe { counts.add_members(buffer) };
    }
    counts
}

/// How many of the buffers were made by a call, and how many references to them are nobody's.
///
/// # Safety
/// Live buffers, with how often each is held.
unsafe fn held(counts: &Counts, call: u64) -> (i64, i64) {
    let (mut held, mut surplus) = (0, 0);
    for (buffer, count) in counts.held() {
        // SAFETY: as the caller promises.
        let state = unsafe { &*buffer };
        if debug::is_on() && state.object().is_none() {
            // SAFETY: alive, as above.
            unsafe { debug::check_canaries(buffer.cast_mut()) };
        }
        if state.was_born_in(call) {
            held += 1;
            surplus += state.references() - count;
        }
    }
    (held, surplus)
}

/// Checks that what the call allocated is alive exactly as far as its results hold it, and that arguments have their references back.
/// On failure the results' references are dropped.
///
/// # Safety
/// The results were translated, the arguments that are objects are live; `alive` counts the call's buffers that were not freed.
pub(crate) unsafe fn check_accounts(
    overload: &Overload,
    arguments: &[Argument],
    results: &mut [Value],
    parameters: &Parameters,
    call: u64,
    alive: i64,
) -> Result<()> {
    // SAFETY: as the caller promises.
    let mut counts = unsafe { held_by_arguments(overload, arguments) };
    for result in results.iter().filter(|r| matches!(r.kind, Value::ARRAY | Value::OBJECT)) {
        let buffer = result.array.buffer.cast::<Buffer>().cast_const();
        if !buffer.is_null() {
            // SAFETY: alive: the result holds a reference.
            unsafe { counts.hold(buffer) };
        }
    }
    // SAFETY: alive: a result, or an object in one or of the caller, holds a reference.
    let (held, surplus) = unsafe { held(&counts, call) };
    let surplus = surplus + parameters.surplus();
    if alive == held && surplus == 0 {
        return Ok(());
    }
    // SAFETY: each array result carries a reference.
    unsafe { release_results(results) };
    Err(leaked(overload, alive - held + surplus))
}
