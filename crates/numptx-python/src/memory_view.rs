//! The buffer protocol: host memory of a `numptx.Array` for `memoryview`, `bytes`, files, and NumPy. Memory of a device is refused.
//!
//! Extents and strides are the array's own; it lives, unchanged, as long as the view.

use std::ffi::{CStr, c_int};

use numptx_abi::dtype;
use pyo3::exceptions::PyBufferError;
use pyo3::ffi::{self, Py_buffer};
use pyo3::prelude::*;

use crate::array::Array;
use crate::{devices, layout};

/// Formats of the `struct` module, with NumPy's and PEP 3118's letters for complex numbers, by dtype code.
const FORMATS: [&CStr; 14] = [c"?", c"b", c"h", c"i", c"q", c"B", c"H", c"I", c"Q", c"f", c"d", c"Zf", c"Zd", c"e"];

/// Fills a view of an array.
///
/// # Safety
/// `view` is null or writable.
pub(crate) unsafe fn fill(array: &Bound<'_, Array>, view: *mut Py_buffer, flags: c_int) -> PyResult<()> {
    let this = array.get();
    let itemsize = i64::from(dtype::ITEMSIZE[usize::from(this.dtype_code())]);
    let (shape, strides) = (this.shape(), this.strides());
    // SAFETY: as the caller promises.
    let Some(view) = (unsafe { view.as_mut() }) else {
        return Err(PyBufferError::new_err("a buffer is asked for with a place to put it"));
    };
    view.obj = std::ptr::null_mut();
    if this.device_ordinal() >= 0 {
        return Err(PyBufferError::new_err(format!(
            "memory on {} has no buffer on the host: call .to_host()",
            devices::name(this.device_ordinal())
        )));
    }
    this.settle(array.py())?;
    let asks = |flag: c_int| flags & flag == flag;
    if asks(ffi::PyBUF_WRITABLE) && this.is_read_only() {
        return Err(PyBufferError::new_err("the array is read-only"));
    }
    let is_c = layout::is_c_contiguous(shape, strides, itemsize);
    let is_f = layout::is_f_contiguous(shape, strides, itemsize);
    let fits = match () {
        () if asks(ffi::PyBUF_C_CONTIGUOUS) || !asks(ffi::PyBUF_STRIDES) => is_c,
        () if asks(ffi::PyBUF_F_CONTIGUOUS) => is_f,
        () if asks(ffi::PyBUF_ANY_CONTIGUOUS) => is_c || is_f,
        () => true,
    };
    if !fits {
        return Err(PyBufferError::new_err("the array's elements do not lie in the order that is asked for"));
    }
    let absent = std::ptr::null_mut();
    view.buf = this.address();
    view.len = (layout::size(shape) * itemsize) as isize;
    view.itemsize = itemsize as isize;
    view.readonly = c_int::from(this.is_read_only());
    view.ndim = shape.len() as c_int;
    let format = FORMATS[usize::from(this.dtype_code())].as_ptr().cast_mut();
    view.format = if asks(ffi::PyBUF_FORMAT) { format } else { std::ptr::null_mut() };
    view.shape = if asks(ffi::PyBUF_ND) { shape.as_ptr().cast_mut().cast() } else { absent };
    view.strides = if asks(ffi::PyBUF_STRIDES) { strides.as_ptr().cast_mut().cast() } else { absent };
    view.suboffsets = std::ptr::null_mut();
    view.internal = std::ptr::null_mut();
    view.obj = array.clone().into_ptr();
    Ok(())
}
