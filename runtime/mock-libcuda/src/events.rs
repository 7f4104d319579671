//! Events: points in a stream's work, or in a capture.

use std::ffi::c_void;
use std::time::Instant;

use crate::state::{
    CAPTURE_ISOLATION, CAPTURE_MERGE, CAPTURED_EVENT, Code, INVALID_HANDLE, INVALID_VALUE, NOT_READY, State, code,
    current_context, enter, enter_context, enter_work,
};
use crate::work::Op;

const WITHOUT_TIMING: u32 = 2;

/// An event.
pub(crate) struct Event {
    has_timing: bool,
    context: usize,
    point: Option<Point>,
    /// When its stream came to it.
    pub(crate) stamp: Option<Instant>,
}

#[derive(Clone, Copy)]
enum Point {
    /// A stream had been given so much.
    Stream { stream: usize, given: u64 },
    /// In a capture, on a stream.
    Capture { id: u64, stream: usize },
}

impl State {
    fn event(&mut self, handle: *mut c_void) -> Result<&mut Event, Code> {
        if !self.events.contains_key(&handle.addr()) {
            self.violation("use of an event that is not alive");
        }
        self.events.get_mut(&handle.addr()).ok_or(INVALID_HANDLE)
    }

    fn record(&mut self, handle: *mut c_void, key: usize) -> Result<(), Code> {
        let context = self.event(handle)?.context;
        if self.streams[&key].context != context {
            self.violation("an event is recorded in a stream of another context");
            return Err(INVALID_HANDLE);
        }
        if let Some(id) = self.streams[&key].capture {
            self.event(handle)?.point = Some(Point::Capture { id, stream: key });
            return Ok(());
        }
        self.event(handle)?.stamp = None;
        self.submit(key, Op::Stamp(handle.addr()))?;
        let given = self.streams[&key].given;
        self.event(handle)?.point = Some(Point::Stream { stream: key, given });
        Ok(())
    }

    fn wait(&mut self, key: usize, handle: *mut c_void) -> Result<(), Code> {
        let Some(point) = self.event(handle)?.point else { return Ok(()) };
        let own = self.streams[&key].capture;
        match (point, own) {
            (Point::Stream { stream, given }, None) => self.submit(key, Op::Wait { stream, until: given }),
            (Point::Stream { .. }, Some(id)) => {
                self.invalidate(id);
                Err(CAPTURE_ISOLATION)
            }
            (Point::Capture { id, stream }, own) => {
                if own.is_some_and(|own| own != id) {
                    self.invalidate(id);
                    return Err(CAPTURE_MERGE);
                }
                if !self.captures.contains_key(&id) {
                    return Err(INVALID_VALUE);
                }
                if self.is_implied(key) || key & 0xff == 1 {
                    self.invalidate(id);
                    return Err(crate::state::CAPTURE_IMPLICIT);
                }
                if self.is_origin(key, id)
                    && let Some(capture) = self.captures.get_mut(&id)
                {
                    capture.joined.insert(stream);
                }
                self.join_capture(key, id);
                Ok(())
            }
        }
    }

    /// The stream and the piece of work that an event marks; an event of a capture cannot be waited for.
    fn point(&mut self, handle: *mut c_void) -> Result<Option<(usize, u64)>, Code> {
        match self.event(handle)?.point {
            None => Ok(None),
            Some(Point::Stream { stream, given }) => Ok(Some((stream, given))),
            Some(Point::Capture { id, .. }) => {
                self.invalidate(id);
                Err(CAPTURED_EVENT)
            }
        }
    }

    fn is_done(&self, (stream, given): (usize, u64)) -> bool {
        self.streams.get(&stream).is_none_or(|s| s.done >= given)
    }
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventCreate(out: *mut *mut c_void, flags: u32) -> Code {
    code((|| {
        let mut state = enter_context("cuEventCreate")?;
        let handle = state.fresh_handle();
        let event =
            Event { has_timing: flags & WITHOUT_TIMING == 0, context: current_context(), point: None, stamp: None };
        state.events.insert(handle, event);
        state.counts.live_events += 1;
        state.counts.events += 1;
        // SAFETY: as the caller promises.
        unsafe { *out = std::ptr::without_provenance_mut(handle) };
        Ok(())
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventRecord(event: *mut c_void, stream: *mut c_void) -> Code {
    code((|| {
        let mut state = enter("cuEventRecord")?;
        let key = state.stream(stream)?;
        state.record(event, key)
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamWaitEvent(stream: *mut c_void, event: *mut c_void, _flags: u32) -> Code {
    code((|| {
        let mut state = enter("cuStreamWaitEvent")?;
        let key = state.stream(stream)?;
        state.wait(key, event)
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventSynchronize(event: *mut c_void) -> Code {
    code((|| {
        let mut state = enter_work("cuEventSynchronize")?;
        state.check_unsafe()?;
        if let Some((stream, given)) = state.point(event)? {
            state.run_stream(stream, given)?;
        }
        state.counts.waits += 1;
        state.check_lost()
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventQuery(event: *mut c_void) -> Code {
    code((|| {
        let mut state = enter("cuEventQuery")?;
        state.check_unsafe()?;
        let Some(point) = state.point(event)? else { return Ok(()) };
        if state.is_done(point) {
            return state.check_lost();
        }
        let next = state.streams[&point.0].done + 1;
        state.run_stream(point.0, next)?;
        Err(NOT_READY)
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventElapsedTime(out: *mut f32, first: *mut c_void, last: *mut c_void) -> Code {
    code((|| {
        let mut state = enter("cuEventElapsedTime")?;
        let mut stamps = [None; 2];
        for (stamp, event) in stamps.iter_mut().zip([first, last]) {
            let point = state.point(event)?;
            let found = state.event(event)?;
            if !found.has_timing || point.is_none() {
                return Err(INVALID_HANDLE);
            }
            *stamp = found.stamp;
        }
        let [Some(first), Some(last)] = stamps else { return Err(NOT_READY) };
        let seconds = match last.checked_duration_since(first) {
            Some(after) => after.as_secs_f32(),
            None => -first.duration_since(last).as_secs_f32(),
        };
        // SAFETY: as the caller promises.
        unsafe { *out = seconds * 1000.0 };
        Ok(())
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventDestroy_v2(event: *mut c_void) -> Code {
    code((|| {
        let mut state = enter("cuEventDestroy")?;
        state.event(event)?;
        state.events.remove(&event.addr());
        state.counts.live_events -= 1;
        Ok(())
    })())
}
