//! Events: marks in the work of a stream, to wait for and to measure by.

use std::sync::Arc;

use cudarc::driver::sys;

use crate::device::{Device, device};
use crate::driver::{Failure, opened};
use crate::error::{Error, Result};
use crate::stats;
use crate::stream::{Capture, Stream, StreamUse, capture_of, is_captured as stream_is_captured, place};

const WITHOUT_TIMING: u32 = 2;

/// An event. It may be used on any thread.
pub(crate) struct Event {
    handle: sys::CUevent,
    device: &'static Device,
    has_timing: bool,
}

// SAFETY: driver handles may be used on any thread.
unsafe impl Send for Event {}
// SAFETY: as above; the fields never change.
unsafe impl Sync for Event {}

impl Drop for Event {
    fn drop(&mut self) {
        if let (Some(driver), Ok(_context)) = (opened(), self.device.enter()) {
            // SAFETY: ours; waits that were queued for it stay.
            let _ = unsafe { driver.event_destroy(self.handle) };
        }
    }
}

impl Event {
    pub(crate) fn new(ordinal: i32, has_timing: bool) -> Result<Event> {
        let device = device(ordinal.max(0))?;
        let _context = device.enter()?;
        Event::on(device, has_timing)
    }

    /// An event on a device whose context is current.
    pub(crate) fn on(device: &'static Device, has_timing: bool) -> Result<Event> {
        let mut handle: sys::CUevent = std::ptr::null_mut();
        // SAFETY: writes to a local.
        unsafe { device.driver.event_create(&mut handle, if has_timing { 0 } else { WITHOUT_TIMING }) }?;
        Ok(Event { handle, device, has_timing })
    }

    /// Marks what a stream of the event's device was given so far. `ordinal`: the device of a stream that is a default one.
    pub(crate) fn record(&self, stream: &Stream, ordinal: i32) -> Result<()> {
        let _context = self.device.enter()?;
        if place(stream, ordinal)?.ordinal != self.device.ordinal {
            return Err(Error::value("the event and the stream belong to different devices"));
        }
        // SAFETY: both are alive.
        Ok(unsafe { self.device.driver.event_record(self.handle, stream.handle()) }?)
    }

    /// [`Event::record`] where the context is current, and the stream of the event's device.
    pub(crate) fn mark(&self, stream: &Stream) -> Result<()> {
        // SAFETY: both are alive.
        Ok(unsafe { self.device.driver.event_record(self.handle, stream.handle()) }?)
    }

    /// A mark of what a stream of a device was given so far, by its handle. The device's context is current.
    pub(crate) fn after(device: &'static Device, stream: sys::CUstream) -> Result<Event> {
        let event = Event::on(device, false)?;
        // SAFETY: the stream is alive, as the caller promises by passing it.
        unsafe { device.driver.event_record(event.handle, stream) }?;
        Ok(event)
    }

    /// [`Event::synchronize`] where the context is current, as a part of a wait that is counted.
    pub(crate) fn settle(&self) -> Result<()> {
        // SAFETY: alive.
        Ok(unsafe { self.device.driver.event_synchronize(self.handle) }?)
    }

    /// Makes a stream of any device wait. `ordinal`: the device of a stream that is a default one.
    pub(crate) fn wait_on(&self, stream: &Stream, ordinal: i32) -> Result<()> {
        let device = place(stream, ordinal)?;
        let _context = device.enter()?;
        // SAFETY: both are alive.
        Ok(unsafe { device.driver.stream_wait(stream.handle(), self.handle, 0) }?)
    }

    /// Waits.
    pub(crate) fn synchronize(&self) -> Result<()> {
        let _context = self.device.enter()?;
        stats::waited(self.device.ordinal);
        // SAFETY: alive.
        Ok(unsafe { self.device.driver.event_synchronize(self.handle) }?)
    }

    pub(crate) fn is_done(&self) -> Result<bool> {
        let _context = self.device.enter()?;
        // SAFETY: alive.
        match unsafe { self.device.driver.event_query(self.handle) } {
            Ok(()) => Ok(true),
            Err(Failure { code: Failure::NOT_READY, .. }) => Ok(false),
            Err(failure) => Err(failure.into()),
        }
    }

    /// Milliseconds from this event to a later one, both of which it waits for.
    pub(crate) fn milliseconds_to(&self, last: &Event) -> Result<f32> {
        if !self.has_timing || !last.has_timing {
            return Err(Error::value("both events have to be made with timing=True"));
        }
        self.synchronize()?;
        last.synchronize()?;
        let _context = self.device.enter()?;
        let mut elapsed = 0.0f32;
        // SAFETY: both are alive; writes to a local.
        match unsafe { self.device.driver.event_elapsed(&mut elapsed, self.handle, last.handle) } {
            Ok(()) => Ok(elapsed),
            Err(Failure { code: Failure::INVALID_HANDLE, .. }) => Err(Error::value(
                "both events have to be recorded, on streams that are not being captured, before the time between them can be told",
            )),
            Err(failure) => Err(failure.into()),
        }
    }
}

/// Makes a stream of a device whose context is current wait for what another library's one was given so far.
///
/// What is captured is not done before a replay. A stream that is captured waits before it goes on being captured: the host waits for the other
/// one. Two streams of one capture are ordered in the graph.
pub(crate) fn order(device: &'static Device, stream: sys::CUstream, producer: sys::CUstream) -> Result<()> {
    if stream == producer {
        return Ok(());
    }
    let own = capture_of(device.driver, stream)?;
    let mark = mark_on(device, producer, own)?.ok_or_else(in_use)?;
    wait_for(device, stream, own, &mark)
}

/// [`order`] after a stream whose captures are known here: work from before one is waited for also while it goes on.
pub(crate) fn order_after(device: &'static Device, stream: sys::CUstream, producer: &StreamUse) -> Result<()> {
    if stream == producer.handle() {
        return Ok(());
    }
    let own = capture_of(device.driver, stream)?;
    let mark = mark_after(device, producer, own)?.ok_or_else(in_use)?;
    wait_for(device, stream, own, &mark)
}

/// Waits on the host for what a stream was given outside of captures, as far as that is known. The device's context is current.
pub(crate) fn settle_stream(device: &'static Device, stream: &StreamUse) -> Result<()> {
    match mark_after(device, stream, Capture::No)? {
        Some(mark) => {
            stats::waited(device.ordinal);
            mark.event.settle()
        }
        None => Ok(()),
    }
}

/// [`mark_on`] of a stream whose captures are known here: of one that we capture now, what it was given before.
fn mark_after(device: &'static Device, producer: &StreamUse, own: Capture) -> Result<Option<Mark>> {
    // Nobody begins a capture between the question whether there is one and the mark.
    let before = producer.before_capture();
    if let Some(mark) = mark_on(device, producer.handle(), own)? {
        return Ok(Some(mark));
    }
    let event = before.as_ref().and_then(|before| before.as_ref().cloned());
    Ok(event.map(|event| Mark { event, is_captured: false }))
}

/// What a stream was given so far, for who is not captured itself. `None`: it is being captured, and what it was given before is not known.
pub(crate) fn mark_outside(device: &'static Device, producer: &StreamUse) -> Result<Option<Mark>> {
    mark_after(device, producer, Capture::No)
}

/// A point in a stream's work, or in a capture.
pub(crate) struct Mark {
    event: Arc<Event>,
    is_captured: bool,
}

impl Mark {
    /// A stream that is not being captured waits for it.
    pub(crate) fn come_before(&self, device: &'static Device, stream: &Stream) -> Result<()> {
        wait_for(device, stream.handle(), Capture::No, self)
    }

    /// Whether the stream has come so far.
    pub(crate) fn is_done(&self) -> Result<bool> {
        self.event.is_done()
    }
}

/// Marks what a stream was given so far, for one that takes part in the capture `own`. `None`: it is being captured, into another graph.
fn mark_on(device: &'static Device, producer: sys::CUstream, own: Capture) -> Result<Option<Mark>> {
    let mut is_captured = stream_is_captured(device.driver, producer)?;
    if is_captured {
        let Capture::Into { id, .. } = own else { return Ok(None) };
        match capture_of(device.driver, producer)? {
            Capture::Into { id: same, .. } if id == same => {}
            Capture::No => is_captured = false,
            _ => return Ok(None),
        }
    }
    let event = Event::on(device, false)?;
    // SAFETY: the stream is alive as the caller promises by passing it.
    unsafe { device.driver.event_record(event.handle, producer) }?;
    // Another library may have begun a capture in between, of which the mark is a part then: to wait for it or to ask it would end the capture.
    if !is_captured && stream_is_captured(device.driver, producer)? {
        return Ok(None);
    }
    Ok(Some(Mark { event: Arc::new(event), is_captured }))
}

/// Makes a stream wait for an event, which may be destroyed while it is waited for.
fn wait_for(device: &'static Device, stream: sys::CUstream, own: Capture, mark: &Mark) -> Result<()> {
    // SAFETY: both are alive.
    unsafe {
        // An event outside of the capture is no part of it: the host waits.
        if let Capture::Into { .. } = own
            && !mark.is_captured
        {
            stats::waited(device.ordinal);
            return Ok(device.driver.event_synchronize(mark.event.handle)?);
        }
        Ok(device.driver.stream_wait(stream, mark.event.handle, 0)?)
    }
}

fn in_use() -> Error {
    Error::runtime(
        "an array is in use on a stream that is being captured, and work outside of the capture would have to wait for that; \
         use it after the capture",
    )
}
