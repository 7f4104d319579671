//! Fresh arrays, whose elements are undefined: on a device, on the host, or in page-locked memory of the host.

use numptx_abi as abi;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::array::{Array, Parts, address, view_of};
use crate::numpy::DTYPE_NAMES;
use crate::{devices, layout, runtime, streams};

/// `numptx.empty`, whose shape is a list of extents and whose dtype is a name.
#[pyfunction]
fn empty(
    py: Python<'_>,
    shape: Vec<i64>,
    dtype: &str,
    device: Option<devices::DeviceName>,
    pinned: bool,
) -> PyResult<Array> {
    let code = DTYPE_NAMES
        .iter()
        .position(|known| *known == dtype)
        .ok_or_else(|| PyTypeError::new_err(format!("dtype {dtype} is not supported by numptx")))? as u8;
    let itemsize = i64::from(abi::dtype::ITEMSIZE[usize::from(code)]);
    let strides = layout::c_strides(&shape, itemsize);
    if let Some(fault) = layout::fault(&shape, &strides, itemsize) {
        return Err(PyValueError::new_err(format!("the array cannot be: {fault}")));
    }
    let place = device.map(devices::placement).transpose()?.unwrap_or(-1);
    match pinned {
        true if place >= 0 => Err(PyValueError::new_err(format!(
            "page-locked memory is the host's, and device='{}' was given: leave out the device",
            devices::name(place)
        ))),
        true => Array::pinned(py, code, (&shape, &strides)),
        false => Array::empty(py, code, (&shape, &strides), place),
    }
}

impl Array {
    /// A fresh array in page-locked memory of the host. The driver locks pages without the interpreter's lock: that takes long.
    fn pinned(py: Python<'_>, code: u8, (shape, strides): (&[i64], &[i64])) -> PyResult<Self> {
        let mut view = view_of(code, shape, strides)?;
        let bytes = layout::size(shape) * i64::from(abi::dtype::ITEMSIZE[usize::from(code)]);
        let (ordinal, out) = (streams::ordinal(None)?, streams::SendPointer(&raw mut view.buffer));
        // SAFETY: the out-parameter is alive.
        streams::detached(py, move |table, error| unsafe { (table.buffer_pinned)(ordinal, bytes, out.get(), error) })?;
        Ok(Array::new(view, Parts { data: address(&view), device: -1, read_only: false, base: None }))
    }

    /// Waits for copies that devices make from page-locked memory, so that somebody else may write it.
    pub fn settle(&self, py: Python<'_>) -> PyResult<()> {
        // A closed array has no buffer any more.
        let _open = self.open()?;
        let buffer = self.view().buffer;
        // SAFETY: the array holds a reference as long as it is open.
        if self.device_ordinal() >= 0 || unsafe { (runtime::table().buffer_is_read)(buffer) } == 0 {
            return Ok(());
        }
        let buffer = streams::SendPointer(buffer);
        // SAFETY: as above.
        streams::detached(py, move |table, error| unsafe { (table.buffer_settle)(buffer.get(), error) })
    }
}

pub(crate) fn register(native: &Bound<'_, PyModule>) -> PyResult<()> {
    native.add_function(wrap_pyfunction!(empty, native)?)
}
