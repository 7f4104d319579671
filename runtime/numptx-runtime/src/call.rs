//! One running call: its device, its stream, where its error goes, and what generated code asks of it while it runs.

use std::cell::Cell;
use std::ffi::{CStr, c_void};
use std::time::{Duration, Instant};

use numptx_abi::{Call, Element, InvokeOptions, Operand, Status, error_kind};

use crate::buffer::{self, Buffer, BufferRef, HostMemory, Storage};
use crate::device::{Device, LANDING_BYTES};
use crate::error::{Error, Result};
use crate::message;
use crate::recording::Recording;
use crate::replay::Replay;
use crate::stream::Stream;
use crate::{debug, staging, stats};

/// A running call. [`numptx_abi::Call`] is its opaque name in generated code. It stays on the thread that made the call.
pub(crate) struct CallState {
    /// `None`: the CPU.
    pub(crate) device: Option<&'static Device>,
    pub(crate) stream: Stream,
    /// What fresh host memory is made as.
    pub(crate) memory: HostMemory,
    /// The capture that the call takes part in.
    pub(crate) recording: Option<Recording>,
    pub(crate) error: *mut numptx_abi::Error,
    /// The loop that runs, if its launches may be those of a graph.
    pub(crate) replay: Replay,
    interrupt: Option<unsafe extern "C" fn(*mut c_void) -> i32>,
    interrupt_data: *mut c_void,
    polls: Polls,
}

impl Drop for CallState {
    #[inline]
    fn drop(&mut self) {
        if self.device.is_some() {
            self.stream.end_call();
        }
    }
}

/// When a host loop asks the caller next: short steps are counted, so that the clock is read seldom.
struct Polls {
    steps_left: Cell<u32>,
    steps: Cell<u32>,
    last: Cell<Option<Instant>>,
}

/// The time between two questions to the caller.
const POLL_TIME: Duration = Duration::from_millis(10);
/// The most steps between two looks at the clock.
const MAX_STEPS: u32 = 1024;

impl CallState {
    /// A call on the CPU, with the caller's interrupt callback. `stream`: the one that it is on if it computes on a device.
    #[inline]
    pub(crate) fn new(stream: Stream, options: &InvokeOptions, error: *mut numptx_abi::Error) -> CallState {
        CallState {
            device: None,
            stream,
            memory: HostMemory::Buffers,
            recording: None,
            error,
            replay: Replay::default(),
            interrupt: options.interrupt,
            interrupt_data: options.interrupt_data,
            polls: Polls { steps_left: Cell::new(0), steps: Cell::new(1), last: Cell::new(None) },
        }
    }

    /// The call computes on a device. Nothing is done yet: from now on others' uses of the same arrays take account of it, until it is dropped.
    #[inline]
    pub(crate) fn compute_on(&mut self, device: &'static Device) {
        self.stream.begin_call();
        self.device = Some(device);
    }

    /// # Safety
    /// `call` is what the runtime passed to the entry, and the entry has not returned.
    pub(crate) unsafe fn from_abi<'a>(call: *mut Call) -> &'a CallState {
        // SAFETY: as the caller promises.
        unsafe { &*call.cast::<CallState>() }
    }

    /// -1: the CPU, otherwise the device's ordinal.
    pub(crate) fn place(&self) -> i32 {
        self.device.map_or(-1, |d| d.ordinal)
    }

    /// A fresh buffer on the call's device.
    pub(crate) fn alloc(&self, bytes: i64) -> Result<BufferRef> {
        match self.device {
            None => self.memory.alloc(bytes),
            Some(device) => match &self.recording {
                None => buffer::new_device(device, bytes, &self.stream),
                Some(recording) => {
                    let fresh = buffer::new_aside(device, bytes)?;
                    recording.keep(&fresh, true);
                    Ok(fresh)
                }
            },
        }
    }

    /// [`numptx_abi::RuntimeTable::reuse`]: the buffer itself with one more reference where nobody else can see it, else a fresh one.
    ///
    /// # Safety
    /// The caller holds a reference to `buffer`.
    pub(crate) unsafe fn reuse(&self, buffer: *mut Buffer, bytes: i64, fits: bool) -> Result<BufferRef> {
        // SAFETY: alive, because the caller holds a reference.
        let held = unsafe { &*buffer };
        let is_here = match &held.storage {
            Storage::Host { .. } | Storage::Vector { .. } => self.device.is_none(),
            Storage::Device { device, stream, .. } => {
                self.device.is_some_and(|d| std::ptr::eq(d, *device)) && stream.is(&self.stream)
            }
            // The caller's memory, whatever its count says.
            Storage::Pinned(_) | Storage::Foreign { .. } | Storage::Parameter { .. } | Storage::Object(_) => false,
        };
        if !fits || !is_here || held.references() != 1 || held.read_only || held.bytes != bytes {
            return self.alloc(bytes);
        }
        // SAFETY: alive, as above.
        Ok(unsafe { BufferRef::to(buffer) })
    }

    /// [`CallState::address`] of an operand's buffer, for a launch on a device: at once where it lies there, and nothing has to be waited for or kept.
    ///
    /// # Safety
    /// The buffer is alive.
    #[inline]
    pub(crate) unsafe fn found(&self, operand: &Operand, write: bool) -> Result<*mut u8> {
        debug::check_use(operand.buffer.cast())?;
        // SAFETY: alive, as the caller promises; arguments keep the buffers alive that they stand for.
        unsafe {
            let buffer = &*operand.buffer.cast::<Buffer>();
            let is_ordered = match &buffer.storage {
                // What another library owns is ordered by its streams, for the call as a whole.
                Storage::Parameter { stands_for, region, .. } if region.is_null() => stands_for
                    .as_ref()
                    .is_none_or(|real| real.uses().is_some_and(|uses| uses.is_of(&self.stream, write))),
                Storage::Device { uses, .. } => uses.is_of(&self.stream, write),
                _ => false,
            };
            if is_ordered && self.recording.is_none() && buffer.device == self.place() {
                return Ok(buffer.data);
            }
            self.address(buffer, write)
        }
    }

    /// First byte of a buffer, where the call computes. On a device, host arguments are copied there first.
    #[inline]
    pub(crate) fn address(&self, buffer: &Buffer, write: bool) -> Result<*mut u8> {
        let here = self.place();
        if let Storage::Parameter { region, ref written, .. } = buffer.storage
            && !region.is_null()
        {
            // SAFETY: regions live as long as the call.
            let address = unsafe { &*region }.address(buffer.data, write)?;
            // Only now: what never came to the device is not written back.
            written.set(written.get() || write);
            return Ok(std::ptr::with_exposed_provenance_mut(address as usize));
        }
        if let Some(device) = self.device {
            self.enter_uses(device, buffer, write)?;
        }
        if buffer.device != here && buffer.bytes != 0 {
            let text = format!("a call on {} met an array on {}", place_name(here), place_name(buffer.device));
            return Err(Error::runtime(text));
        }
        Ok(buffer.data)
    }

    /// Orders the call's stream after other streams' work with device memory, and keeps that memory for a graph.
    #[inline]
    fn enter_uses(&self, device: &'static Device, buffer: &Buffer, write: bool) -> Result<()> {
        let real = match buffer.storage {
            // SAFETY: arguments keep their buffers alive during the call.
            Storage::Parameter { stands_for, .. } => unsafe { stands_for.as_ref() },
            _ => Some(buffer),
        };
        let Some((real, uses)) = real.and_then(|real| Some((real, real.uses()?))) else { return Ok(()) };
        if let Some(recording) = &self.recording {
            // SAFETY: alive, and no argument's.
            recording.keep(&unsafe { BufferRef::to(std::ptr::from_ref(real).cast_mut()) }, write);
        }
        uses.enter(device, &self.stream, write, self.recording.as_ref().map(Recording::id))
    }

    /// An error if the call is being captured: then nothing is computed before a replay, and the host cannot have it.
    pub(crate) fn refuse_capture(&self, what: &str) -> Result<()> {
        match self.recording {
            None => Ok(()),
            Some(_) => Err(Error::runtime(format!(
                "{what} during the capture of a graph, where nothing is computed yet; call this function outside of the capture"
            ))),
        }
    }

    /// Whether the caller wants to be asked during long calls.
    pub(crate) fn can_be_interrupted(&self) -> bool {
        self.interrupt.is_some()
    }

    /// [`numptx_abi::RuntimeTable::replay`].
    pub(crate) fn step(&self, number: i64, left: i64) -> Result<()> {
        match (self.device, &self.recording) {
            (Some(device), None) => self.replay.step((device, &self.stream), number, left),
            _ => Ok(()),
        }
    }

    /// Asks the caller whether to go on.
    pub(crate) fn poll(&self) -> Result<()> {
        match self.interrupt {
            // SAFETY: the callback and its datum are the caller's, valid during the call, and this is the caller's thread.
            Some(ask) if unsafe { ask(self.interrupt_data) } != 0 => {
                Err(Error::new(error_kind::INTERRUPTED, "the call was interrupted"))
            }
            _ => Ok(()),
        }
    }

    /// [`CallState::poll`] for loops whose steps may be short: asks about every 10 ms.
    pub(crate) fn poll_in_time(&self) -> Result<()> {
        let polls = &self.polls;
        let left = polls.steps_left.get();
        if left > 0 || self.interrupt.is_none() {
            polls.steps_left.set(left.saturating_sub(1));
            return Ok(());
        }
        let now = Instant::now();
        let since = now - polls.last.get().unwrap_or(now);
        let is_due = since >= POLL_TIME;
        let steps = if is_due { 1 } else { (polls.steps.get() * 2).min(MAX_STEPS) };
        polls.steps.set(steps);
        polls.steps_left.set(steps);
        if is_due || polls.last.get().is_none() {
            polls.last.set(Some(now));
        }
        if is_due { self.poll() } else { Ok(()) }
    }

    /// Notes work that takes longer than looking at the clock.
    pub(crate) fn note_work(&self) {
        self.polls.steps_left.set(0);
        self.polls.steps.set(1);
    }

    /// Copies bytes to device memory in stream order.
    pub(crate) fn upload(&self, device: &'static Device, to: *mut u8, bytes: &[u8]) -> Result<()> {
        if !bytes.is_empty() {
            let to = to.expose_provenance() as u64;
            // SAFETY: `to` holds that many bytes on the device.
            unsafe { staging::to_device(device, to, bytes.as_ptr(), bytes.len(), &self.stream) }?;
            stats::transferred(device.ordinal, bytes.len());
        }
        Ok(())
    }

    /// [`numptx_abi::RuntimeTable::item`]: one element as [`numptx_abi::Value::bits`]; waits for the device.
    pub(crate) fn item(&self, buffer: &Buffer, offset: i64, dtype: u32) -> Result<[u64; 2]> {
        let size = usize::try_from(crate::copy::itemsize(dtype)?).unwrap_or(0);
        let mut raw = [0u8; 16];
        // What no launch has written is still the same on the host.
        let on_host = buffer.is_unwritten_argument();
        let first = if on_host { buffer.data } else { self.address(buffer, false)? };
        let element = first.wrapping_offset(offset as isize);
        match self.device.filter(|_| !on_host) {
            // SAFETY: generated code asks for an element inside the buffer.
            None => unsafe { std::ptr::copy_nonoverlapping(element, raw.as_mut_ptr(), size) },
            Some(device) => {
                self.refuse_capture("the function needs an element on the host")?;
                let from = element.expose_provenance() as u64;
                // SAFETY: as above, in device memory.
                unsafe { device.driver.download(raw.as_mut_ptr().cast(), from, size, self.stream.handle()) }?;
                device.wait(self.stream.handle())?;
                stats::transferred(device.ordinal, size);
            }
        }
        Ok(scalar_bits(raw, dtype))
    }

    /// [`numptx_abi::RuntimeTable::items`]: elements as [`numptx_abi::Value::bits`]; waits for the device once.
    pub(crate) fn items(&self, elements: &[Element], out: &mut [[u64; 2]]) -> Result<()> {
        const MOST: usize = LANDING_BYTES / 16;
        let Some(device) = self.device else {
            for (element, out) in elements.iter().zip(out) {
                // SAFETY: generated code passes live buffers.
                *out = self.item(unsafe { &*element.buffer.cast::<Buffer>() }, element.offset, element.dtype)?;
            }
            return Ok(());
        };
        self.refuse_capture("the function needs elements on the host")?;
        for (elements, out) in elements.chunks(MOST).zip(out.chunks_mut(MOST)) {
            device.landed(|first| {
                let mut is_waited_for = false;
                for (n, element) in elements.iter().enumerate() {
                    // SAFETY: as above.
                    let buffer = unsafe { &*element.buffer.cast::<Buffer>() };
                    let size = usize::try_from(crate::copy::itemsize(element.dtype)?).unwrap_or(0);
                    let to = first.wrapping_add(16 * n);
                    let on_host = buffer.is_unwritten_argument();
                    let from = if on_host { buffer.data } else { self.address(buffer, false)? };
                    let from = from.wrapping_offset(element.offset as isize);
                    if on_host {
                        // SAFETY: generated code asks for an element inside the buffer; the block has 16 bytes for each.
                        unsafe { std::ptr::copy_nonoverlapping(from, to, size) };
                        continue;
                    }
                    is_waited_for = true;
                    // SAFETY: as above, in device memory.
                    unsafe {
                        device.driver.download(to.cast(), from.expose_provenance() as u64, size, self.stream.handle())
                    }?;
                    stats::transferred(device.ordinal, size);
                }
                if is_waited_for {
                    device.wait(self.stream.handle())?;
                }
                for (n, (element, out)) in elements.iter().zip(out).enumerate() {
                    // SAFETY: the copies are done, and all bytes of the block were set.
                    let raw = unsafe { first.wrapping_add(16 * n).cast::<[u8; 16]>().read() };
                    *out = scalar_bits(raw, element.dtype);
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// [`numptx_abi::RuntimeTable::raise`].
    ///
    /// # Safety
    /// `message` is null-terminated; `arguments` are what its placeholders take.
    pub(crate) unsafe fn raise(&self, kind: Status, message: &CStr, arguments: &[i64]) -> Status {
        let out = message::filled(&message.to_string_lossy(), arguments);
        // SAFETY: the error structure is the caller's, valid during the call.
        unsafe { Error::new(kind, out).store(self.error) }
    }
}

/// How messages name a device.
pub(crate) fn place_name(device: i32) -> String {
    if device < 0 { "the CPU".to_string() } else { format!("CUDA device {device}") }
}

/// An element's bytes as [`numptx_abi::Value::bits`]: integers extended to 64 bits.
pub(crate) fn scalar_bits(raw: [u8; 16], code: u32) -> [u64; 2] {
    use numptx_abi::dtype;
    let part = |i: usize| {
        u64::from_le_bytes([raw[i], raw[i + 1], raw[i + 2], raw[i + 3], raw[i + 4], raw[i + 5], raw[i + 6], raw[i + 7]])
    };
    let low = part(0);
    let extend = |bits: u32| ((low << (64 - bits)).cast_signed() >> (64 - bits)).cast_unsigned();
    match u8::try_from(code).unwrap_or(u8::MAX) {
        dtype::INT8 => [extend(8), 0],
        dtype::INT16 => [extend(16), 0],
        dtype::INT32 => [extend(32), 0],
        dtype::BOOL | dtype::UINT8 => [low & 0xff, 0],
        dtype::UINT16 | dtype::FLOAT16 => [low & 0xffff, 0],
        dtype::UINT32 | dtype::FLOAT32 => [low & 0xffff_ffff, 0],
        dtype::COMPLEX64 => [low & 0xffff_ffff, low >> 32],
        dtype::COMPLEX128 => [low, part(8)],
        _ => [low, 0],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_are_extended_by_their_sign() {
        let mut raw = [0u8; 16];
        raw[..4].copy_from_slice(&(-2i32).to_le_bytes());
        assert_eq!(scalar_bits(raw, u32::from(numptx_abi::dtype::INT32))[0].cast_signed(), -2);
        assert_eq!(scalar_bits(raw, u32::from(numptx_abi::dtype::UINT32))[0], 0xffff_fffe);
        assert_eq!(scalar_bits(raw, u32::from(numptx_abi::dtype::UINT8))[0], 0xfe);
    }
}
