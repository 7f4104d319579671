//! `array[index] = value` and `array.copy_from(source)`: elements of others into an array's memory.
//!
//! In: an array that may be written, and whatever NumPy assigns from: numbers, lists, arrays, on any device. Out: the elements, broadcast and
//! converted as NumPy does in an assignment. In host memory NumPy itself assigns what has to be broadcast or converted. For an array on a device
//! NumPy converts on the host what has another dtype, before it is broadcast; the runtime broadcasts on the device. Overlapping arrays act as if
//! the source were copied first. The order on streams is that of [`Array::fill_from`] for both.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyEllipsis};

use super::Array;
use super::display::shape_text;
use crate::numpy::{self, Dtype, numpy};
use crate::{foreign, indexing};

/// `array[index] = value`.
pub(super) fn assign(array: &Bound<'_, Array>, index: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let this = array.get();
    this.check_writable(array.py(), "the assignment")?;
    let taken = indexing::basic(index, this.shape(), this.strides())?;
    let target = Array::sub_view(array, &taken.shape, &taken.strides, taken.offset)?;
    let source = array_of(value)?;
    if this.device_ordinal() >= 0 {
        return assign_on_device(&target, source, value);
    }
    let value = match source {
        Some(source) if is_alike(source.get(), target.get()) => {
            return target.get().fill_from(array.py(), source.get(), false);
        }
        Some(source) => Array::to_host(&source)?,
        None => value.clone(),
    };
    target.get().settle(array.py())?;
    Array::numpy_view(&target)?.set_item(PyEllipsis::get(array.py()), value)
}

/// The array that a value is, unless it is one of NumPy's or what NumPy makes one of: NumPy takes those in all of their dtypes.
fn array_of<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, Array>>> {
    // SAFETY: a live object.
    let is_of_numpy = unsafe { numpy::is_plain(value.as_ptr()) || numpy().is_array_or_subclass(value.as_ptr()) };
    if is_of_numpy { Ok(None) } else { foreign::as_array(value) }
}

fn is_alike(a: &Array, b: &Array) -> bool {
    a.shape() == b.shape() && a.dtype_code() == b.dtype_code()
}

fn assign_on_device(
    target: &Bound<'_, Array>,
    source: Option<Bound<'_, Array>>,
    value: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let code = target.get().dtype_code();
    let source = match source {
        Some(source) if source.get().dtype_code() == code => source,
        Some(source) => converted(target, &Array::to_host(&source)?)?,
        None if is_taken_as_it_is(value, code) => of_numpy(value)?,
        None => converted(target, value)?,
    };
    let (from, to) = (source.get(), target.get().shape());
    let strides = broadcast(from.shape(), from.strides(), to).ok_or_else(|| {
        PyValueError::new_err(format!(
            "could not broadcast input array from shape {} into shape {}",
            shape_text(from.shape()),
            shape_text(to)
        ))
    })?;
    let spread = Array::sub_view(&source, to, &strides, 0)?;
    target.get().fill_from(target.py(), spread.get(), false)
}

/// Whether a value is a NumPy array of the dtype whose memory the runtime may read.
fn is_taken_as_it_is(value: &Bound<'_, PyAny>, code: u8) -> bool {
    // SAFETY: a live object; fields are asked for of an array.
    unsafe {
        numpy().is_array(value.as_ptr()) && {
            let fields = numpy().fields(value.as_ptr());
            fields.flags & numpy::ALIGNED != 0 && numpy().dtype(fields) == Dtype::Native(code)
        }
    }
}

fn of_numpy<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Array>> {
    foreign::as_array(array)?.ok_or_else(|| PyTypeError::new_err("an array of NumPy is expected"))
}

/// A value as a fresh array on the host, of the target's dtype and its own shape. NumPy assigns, so that its rules hold.
fn converted<'py>(target: &Bound<'py, Array>, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Array>> {
    let py = target.py();
    let numpy = py.import("numpy")?;
    let shape = numpy.call_method1(intern!(py, "shape"), (value,))?;
    let fresh = numpy.call_method1(intern!(py, "empty"), (shape, target.get().py_dtype(py)))?;
    fresh.set_item(PyEllipsis::get(py), value)?;
    of_numpy(&fresh)
}

/// Strides under which an array has another's extents, by NumPy's rules for assignments: leading axes of extent 1 are no obstacle.
fn broadcast(shape: &[i64], strides: &[i64], to: &[i64]) -> Option<Vec<i64>> {
    let surplus = shape.len().saturating_sub(to.len());
    if shape[..surplus].iter().any(|extent| *extent != 1) {
        return None;
    }
    let lead = to.len() - (shape.len() - surplus);
    let mut spread = vec![0; to.len()];
    for (axis, (extent, stride)) in shape.iter().zip(strides).skip(surplus).enumerate() {
        match *extent {
            extent if extent == to[lead + axis] => spread[lead + axis] = *stride,
            1 => {}
            _ => return None,
        }
    }
    Some(spread)
}

/// `array.copy_from(source)`: an array of the same shape and dtype.
pub(super) fn copy_from(array: &Array, source: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = source.py();
    array.check_writable(py, "copy_from()")?;
    let found = match foreign::as_array(source)? {
        Some(found) => found,
        None => {
            let options = PyDict::new(py);
            options.set_item("dtype", array.py_dtype(py))?;
            let made = py.import("numpy")?.call_method(intern!(py, "asarray"), (source,), Some(&options))?;
            foreign::as_array(&made)?.ok_or_else(|| PyTypeError::new_err("copy_from() takes an array"))?
        }
    };
    let source = found.get();
    if !is_alike(source, array) {
        return Err(PyValueError::new_err(format!(
            "copy_from() takes an array of the same shape and dtype: {} into {}",
            source.brief(),
            array.brief()
        )));
    }
    array.fill_from(py, source, false)
}
