//! Arrays made of a `numptx.Array` in its place: other extents, another dtype, another order in memory.
//!
//! In: NumPy's arguments. Out: a view where NumPy gives one, else an array over memory of its own. Elements are moved by the runtime's copies, on
//! the device where these stay there. They are converted by NumPy on the host, also those of a device.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyTuple};

use super::display::shape_text;
use super::{Array, view_of};
use crate::numpy::dtype_code;
use crate::{errors, layout};

/// NumPy's names of orders in memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// The last index runs fastest.
    C,
    /// The first index runs fastest.
    F,
    /// As the elements of the source lie.
    K,
}

/// The order that a name stands for. "A": F where the array lies so and not in C order, else C.
fn order_of(array: &Array, name: &str) -> PyResult<Order> {
    match name {
        "C" | "c" => Ok(Order::C),
        "F" | "f" => Ok(Order::F),
        "K" | "k" => Ok(Order::K),
        "A" | "a" if array.lies_in(Order::F) && !array.lies_in(Order::C) => Ok(Order::F),
        "A" | "a" => Ok(Order::C),
        _ => Err(PyValueError::new_err(format!("order must be one of 'C', 'F', 'A', or 'K' (got '{name}')"))),
    }
}

impl Array {
    fn lies_in(&self, order: Order) -> bool {
        match order {
            Order::C => layout::is_c_contiguous(self.shape(), self.strides(), self.itemsize()),
            Order::F => layout::is_f_contiguous(self.shape(), self.strides(), self.itemsize()),
            Order::K => true,
        }
    }

    /// Strides of a fresh array of these extents in an order.
    fn fresh_strides(&self, order: Order, itemsize: i64) -> Vec<i64> {
        match order {
            Order::C => layout::c_strides(self.shape(), itemsize),
            Order::F => layout::f_strides(self.shape(), itemsize),
            Order::K => layout::k_strides(self.shape(), self.strides(), itemsize),
        }
    }

    /// A copy in the same place.
    fn copy_in(&self, py: Python<'_>, order: Order) -> PyResult<Array> {
        let strides = self.fresh_strides(order, self.itemsize());
        let copy = Array::empty(py, self.dtype_code(), (self.shape(), &strides), self.device)?;
        copy.fill_from(py, self, true)?;
        Ok(copy)
    }

    /// The same memory, fresh as it is, with other extents and strides.
    fn with_axes(mut self, shape: &[i64], strides: &[i64]) -> PyResult<Array> {
        let axes = view_of(self.dtype_code(), shape, strides)?;
        (self.view.rank, self.view.shape, self.view.strides) = (axes.rank, axes.shape, axes.strides);
        Ok(self)
    }
}

/// `array.copy(order)`.
pub(super) fn copy(array: &Array, py: Python<'_>, order: &str) -> PyResult<Array> {
    array.copy_in(py, order_of(array, order)?)
}

/// `array.astype(dtype, order=…, casting=…, copy=…)`.
pub(super) fn astype<'py>(
    array: &Bound<'py, Array>,
    dtype: &Bound<'py, PyAny>,
    (order, casting, copy): (&str, &str, bool),
) -> PyResult<Bound<'py, Array>> {
    let (py, this, code) = (array.py(), array.get(), dtype_code(dtype)?);
    let order = order_of(this, order)?;
    if code == this.dtype_code() {
        if !copy && this.lies_in(order) {
            this.open()?;
            return Ok(array.clone());
        }
        return Bound::new(py, this.copy_in(py, order)?);
    }
    let itemsize = i64::from(numptx_abi::dtype::ITEMSIZE[usize::from(code)]);
    let fresh = Array::empty(py, code, (this.shape(), &this.fresh_strides(order, itemsize)), -1)?;
    let fresh = Bound::new(py, fresh)?;
    let options = PyDict::new(py);
    options.set_item("casting", casting)?;
    let pair = (Array::numpy_view(&fresh)?, Array::to_host(array)?);
    py.import("numpy")?.call_method(intern!(py, "copyto"), pair, Some(&options))?;
    if this.device < 0 { Ok(fresh) } else { Bound::new(py, fresh.get().copy_to(py, this.device)?) }
}

/// `array.reshape(shape, order=…, copy=…)`; `shape` is a tuple of extents or holds one.
pub(super) fn reshape<'py>(
    array: &Bound<'py, Array>,
    shape: &Bound<'py, PyTuple>,
    order: &str,
    copy: Option<bool>,
) -> PyResult<Bound<'py, Array>> {
    let (py, this) = (array.py(), array.get());
    let turned = match order_of(this, order)? {
        Order::K => return Err(PyValueError::new_err("order 'K' is not permitted for reshaping")),
        order => order == Order::F,
    };
    // Any order is C order of the axes taken in another sequence.
    let in_sequence =
        |axes: &[i64]| -> Vec<i64> { if turned { axes.iter().rev().copied().collect() } else { axes.to_vec() } };
    let wanted = in_sequence(&resolved(&extents(shape)?, layout::size(this.shape()))?);
    let (old, strides) = (in_sequence(this.shape()), in_sequence(this.strides()));
    if copy != Some(true)
        && let Some(strides) = layout::reshaped_strides(&old, &strides, &wanted, this.itemsize())
    {
        return Array::sub_view(array, &in_sequence(&wanted), &in_sequence(&strides), 0);
    }
    if copy == Some(false) {
        return Err(PyValueError::new_err("Unable to avoid creating a copy while reshaping."));
    }
    let fresh = this.copy_in(py, if turned { Order::F } else { Order::C })?;
    let strides = layout::c_strides(&wanted, this.itemsize());
    Bound::new(py, fresh.with_axes(&in_sequence(&wanted), &in_sequence(&strides))?)
}

/// The extents of `reshape(2, 3)`, `reshape((2, 3))` and `reshape(6)`.
fn extents(given: &Bound<'_, PyTuple>) -> PyResult<Vec<i64>> {
    let py = given.py();
    let number = |extent: &Bound<'_, PyAny>| {
        extent.extract::<i64>().map_err(|error| {
            let found = extent.get_type().name().map_or_else(|_| "?".to_string(), |name| name.to_string());
            let refusal = PyTypeError::new_err(format!("a shape is an int or a sequence of ints; found {found}"));
            if error.is_instance_of::<PyTypeError>(py) { errors::instead(py, error, refusal) } else { error }
        })
    };
    match given.len() {
        0 => Err(PyTypeError::new_err("reshape() takes a shape: an int or a sequence of ints")),
        1 => {
            let shape = given.get_item(0)?;
            if shape.is_instance_of::<PyInt>() || !shape.hasattr(intern!(py, "__iter__"))? {
                return Ok(vec![number(&shape)?]);
            }
            shape.try_iter()?.map(|extent| number(&extent?)).collect()
        }
        _ => given.iter().map(|extent| number(&extent)).collect(),
    }
}

/// The extents asked for, with -1 replaced.
fn resolved(shape: &[i64], size: i64) -> PyResult<Vec<i64>> {
    let mut known: i64 = 1;
    for extent in shape.iter().filter(|extent| **extent != -1) {
        if *extent < 0 {
            return Err(PyValueError::new_err("negative dimensions not allowed"));
        }
        known = known.saturating_mul(*extent);
    }
    let fits = match shape.iter().filter(|extent| **extent == -1).count() {
        0 => known == size,
        1 => known != 0 && size % known == 0,
        _ => return Err(PyValueError::new_err("can only specify one unknown dimension")),
    };
    if !fits {
        let text = format!("cannot reshape array of size {size} into shape {}", shape_text(shape));
        return Err(PyValueError::new_err(text));
    }
    Ok(shape.iter().map(|extent| if *extent == -1 { size / known } else { *extent }).collect())
}
