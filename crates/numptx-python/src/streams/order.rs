//! What is ordered after what, between streams of one device.

use numptx_abi as abi;
use pyo3::prelude::*;

use super::{Place, SendPointer, detached};
use crate::events::Event;
use crate::{errors, runtime};

/// Whether a stream is being captured.
pub(crate) fn is_captured(py: Python<'_>, stream: *mut abi::Stream) -> PyResult<bool> {
    let mut info = abi::StreamInfo { handle: std::ptr::null_mut(), device: -1, capturing: 0 };
    let mut error = errors::empty();
    // SAFETY: the stream is alive.
    let status = unsafe { (runtime::table().stream_info)(stream, &mut info, &mut error) };
    errors::check(py, status, &error)?;
    Ok(info.capturing != 0)
}

/// Makes a stream of a device wait for what another one, which is not captured, was given so far; null: the legacy default stream. A stream that
/// is captured goes on when the host has waited.
pub(crate) fn order_after(
    py: Python<'_>,
    later: *mut abi::Stream,
    earlier: *mut abi::Stream,
    device: i32,
) -> PyResult<()> {
    if later == earlier {
        return Ok(());
    }
    let event = Event::fresh(py, device, false)?;
    event.record_on(py, Place { stream: earlier, device })?;
    if !later.is_null() && is_captured(py, later)? {
        return event.synchronize(py);
    }
    event.wait_on(py, Place { stream: later, device })
}

/// Waits for another library's stream.
pub(crate) fn wait_for(py: Python<'_>, stream: *mut abi::Stream, device: i32) -> PyResult<()> {
    let stream = SendPointer(stream);
    // SAFETY: the stream is alive.
    detached(py, move |table, error| unsafe { (table.stream_synchronize)(stream.get(), device, error) })
}
