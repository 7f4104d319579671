//! What other libraries tell of their streams: the driver's handle, and the device.

use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;

use super::Stream;
use crate::errors;

/// The driver's handle of a stream.
pub(crate) fn handle_of(source: &Bound<'_, PyAny>) -> PyResult<usize> {
    let py = source.py();
    if let Some(protocol) = source.getattr_opt(intern!(py, "__cuda_stream__"))? {
        let answer = if protocol.is_callable() { protocol.call0()? } else { protocol };
        let (version, handle): (i64, usize) = answer.extract().map_err(|error| {
            let wrong = PyTypeError::new_err("__cuda_stream__() has to return (version, handle)");
            errors::instead(py, error, wrong)
        })?;
        if version != 0 {
            return Err(PyTypeError::new_err(format!("version {version} of __cuda_stream__ is not known here")));
        }
        return Ok(handle);
    }
    for name in [intern!(py, "cuda_stream"), intern!(py, "ptr")] {
        if let Some(handle) = source.getattr_opt(name)?
            && let Some(handle) = errors::if_any(py, handle.extract())?
        {
            return Ok(handle);
        }
    }
    Err(PyTypeError::new_err(format!(
        "a stream is a numptx.Stream or an object with __cuda_stream__(); found {}",
        source.get_type().name()?
    )))
}

/// The device that a stream says it is on.
pub(super) fn device_of(source: &Bound<'_, PyAny>) -> PyResult<Option<i32>> {
    if let Ok(stream) = source.cast::<Stream>() {
        return Ok(Some(stream.get().device));
    }
    let py = source.py();
    if let Some(id) = source.getattr_opt(intern!(py, "device_id"))?
        && let Some(id) = errors::if_any(py, id.extract::<i32>())?.filter(|id| *id >= 0)
    {
        return Ok(Some(id));
    }
    let Some(device) = source.getattr_opt(intern!(py, "device"))? else { return Ok(None) };
    for name in [intern!(py, "index"), intern!(py, "device_id"), intern!(py, "id")] {
        if let Some(index) = device.getattr_opt(name)? {
            return Ok(errors::if_any(py, index.extract::<i32>())?.filter(|found| *found >= 0));
        }
    }
    Ok(None)
}
