//! Whether a stream is being captured into a graph, as the driver tells.

use std::ffi::c_int;

use cudarc::driver::sys;

use crate::driver::{Driver, Failure};
use crate::error::{Error, Result};

/// `CUstreamCaptureStatus`.
const CAPTURED: c_int = 1;
const INVALIDATED: c_int = 2;

/// Whether a stream is being captured.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Capture {
    No,
    /// Into this graph, by this number.
    Into {
        graph: sys::CUgraph,
        id: u64,
    },
    /// It cannot be used, since another stream that it would wait for is.
    Implied,
}

/// Whether a stream is being captured; an error if something ended the capture. Of a stream that another thread captures, this alone may be asked.
/// What the driver tells by [`capture_of`] it reads while that thread may take it away.
pub(crate) fn is_captured(driver: &Driver, handle: sys::CUstream) -> Result<bool> {
    let mut status: c_int = 0;
    // SAFETY: writes to a local; the stream is alive.
    match unsafe { driver.stream_is_capturing(handle, &mut status) } {
        Ok(()) if status == INVALIDATED => Err(invalidated()),
        Ok(()) => Ok(status == CAPTURED),
        Err(Failure { code: Failure::MISSING, .. }) => Ok(false),
        Err(Failure { code: Failure::IMPLICIT_CAPTURE, .. }) => Ok(true),
        Err(failure) => Err(failure.into()),
    }
}

/// [`Stream::capture`] of a handle, whose capture nobody ends meanwhile.
pub(crate) fn capture_of(driver: &Driver, handle: sys::CUstream) -> Result<Capture> {
    let mut status: c_int = 0;
    // SAFETY: writes to a local; the stream is alive.
    match unsafe { driver.stream_is_capturing(handle, &mut status) } {
        Ok(()) if status == CAPTURED => {}
        Ok(()) if status == INVALIDATED => return Err(invalidated()),
        Ok(()) | Err(Failure { code: Failure::MISSING, .. }) => return Ok(Capture::No),
        Err(Failure { code: Failure::IMPLICIT_CAPTURE, .. }) => return Ok(Capture::Implied),
        Err(failure) => return Err(failure.into()),
    }
    let (mut id, mut graph) = (0u64, std::ptr::null_mut());
    // SAFETY: writes to locals; nodes are not asked for.
    unsafe {
        driver.stream_capture_info(handle, &mut status, &mut id, &mut graph, std::ptr::null_mut(), std::ptr::null_mut())
    }?;
    Ok(if status == CAPTURED { Capture::Into { graph, id } } else { Capture::No })
}

fn invalidated() -> Error {
    Error::new(
        numptx_abi::error_kind::CUDA,
        "the stream's capture was invalidated by an earlier call, of numptx or of another library: end it and capture again",
    )
}
