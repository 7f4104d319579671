//! Events: marks in the work of a stream, to wait for and to measure by.

use cudarc::driver::sys;

use crate::device::{Device, device};
use crate::driver::{Failure, opened};
use crate::error::{Error, Result};
use crate::stats;
use crate::stream::{Capture, Stream, place};

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

/// Makes a stream of a device whose context is current wait for what another one was given so far.
///
/// What is captured is not done before a replay. A stream that is captured waits before it goes on being captured: the host waits for the other
/// one. Two streams of one capture are ordered in the graph.
pub(crate) fn order(device: &'static Device, stream: sys::CUstream, producer: sys::CUstream) -> Result<()> {
    if stream == producer {
        return Ok(());
    }
    let driver = device.driver;
    let (own, other) = (crate::stream::capture_of(driver, stream)?, crate::stream::capture_of(driver, producer)?);
    let may_record = match (own, other) {
        (_, Capture::No) => true,
        (Capture::Into { id, .. }, Capture::Into { id: same, .. }) => id == same,
        _ => false,
    };
    if !may_record {
        return Err(Error::runtime(
            "an array is in use on a stream that is being captured, and work outside of the capture would have to wait for that; \
             use it after the capture",
        ));
    }
    let event = Event::on(device, false)?;
    // SAFETY: the streams are alive as the caller promises by passing them; an event may be destroyed while it is waited for.
    unsafe {
        driver.event_record(event.handle, producer)?;
        match (own, other) {
            (Capture::Into { .. }, Capture::No) => {
                stats::waited(device.ordinal);
                driver.event_synchronize(event.handle)?;
            }
            _ => driver.stream_wait(stream, event.handle, 0)?,
        }
    }
    Ok(())
}
