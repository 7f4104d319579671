//! Basic indexing: integers, slices, `None` and `...` give a view; anything else is refused.

use pyo3::exceptions::{PyIndexError, PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyEllipsis, PySlice, PyTuple};

use crate::errors;

/// A view, relative to the array that was indexed.
pub(crate) struct IndexView {
    pub shape: Vec<i64>,
    pub strides: Vec<i64>,
    /// Bytes from element `[0, …, 0]` to the view's.
    pub offset: i64,
}

/// What `array[index]` views.
pub(crate) fn basic(index: &Bound<'_, PyAny>, shape: &[i64], strides: &[i64]) -> PyResult<IndexView> {
    let items: Vec<Bound<'_, PyAny>> = match index.cast::<PyTuple>() {
        Ok(items) => items.iter().collect(),
        Err(_) => vec![index.clone()],
    };
    let n_indexed = items.iter().filter(|item| !item.is_none() && !is_ellipsis(item)).count();
    if items.iter().filter(|item| is_ellipsis(item)).count() > 1 {
        return Err(PyIndexError::new_err("an index can only have a single ellipsis ('...')"));
    }
    if n_indexed > shape.len() {
        return Err(PyIndexError::new_err(format!(
            "too many indices for array: array is {}-dimensional, but {n_indexed} were indexed",
            shape.len()
        )));
    }
    let mut view = IndexView { shape: Vec::new(), strides: Vec::new(), offset: 0 };
    let mut axis = 0;
    for item in &items {
        if item.is_none() {
            view.shape.push(1);
            view.strides.push(0);
        } else if is_ellipsis(item) {
            let end = axis + shape.len() - n_indexed;
            view.shape.extend(&shape[axis..end]);
            view.strides.extend(&strides[axis..end]);
            axis = end;
        } else {
            take(&mut view, item, axis, (shape[axis], strides[axis]))?;
            axis += 1;
        }
    }
    view.shape.extend(&shape[axis..]);
    view.strides.extend(&strides[axis..]);
    Ok(view)
}

fn is_ellipsis(item: &Bound<'_, PyAny>) -> bool {
    item.is_instance_of::<PyEllipsis>()
}

/// An integer as an index. Exceptions of an object's own code stay what they are, but for those that say that it is no integer, or a large one.
fn number(item: &Bound<'_, PyAny>, axis: usize, extent: i64) -> PyResult<i64> {
    let py = item.py();
    let found = item.get_type().name()?;
    let refusal = PyTypeError::new_err(format!(
        "numptx.Array takes integers, slices, None and ...; found {found}: index in a function compiled by numptx, or call .to_host() for NumPy's other indices"
    ));
    if item.is_instance_of::<PyBool>() {
        return Err(refusal);
    }
    item.extract::<i64>().map_err(|error| {
        if error.is_instance_of::<PyTypeError>(py) {
            errors::instead(py, error, refusal)
        } else if error.is_instance_of::<PyOverflowError>(py) {
            let text = format!("index {item} is out of bounds for axis {axis} with size {extent}");
            errors::instead(py, error, PyIndexError::new_err(text))
        } else {
            error
        }
    })
}

/// Takes one axis by a slice or an integer.
fn take(view: &mut IndexView, item: &Bound<'_, PyAny>, axis: usize, (extent, stride): (i64, i64)) -> PyResult<()> {
    if let Ok(slice) = item.cast::<PySlice>() {
        let range = slice.indices(extent as isize)?;
        view.shape.push(range.slicelength as i64);
        // Of a step beyond the array one element is left, and nobody uses the stride.
        view.strides.push((range.step as i64).saturating_mul(stride));
        if range.slicelength > 0 {
            view.offset += range.start as i64 * stride;
        }
        return Ok(());
    }
    let position = number(item, axis, extent)?;
    let at = if position < 0 { position + extent } else { position };
    if at < 0 || at >= extent {
        return Err(PyIndexError::new_err(format!(
            "index {position} is out of bounds for axis {axis} with size {extent}"
        )));
    }
    view.offset += at * stride;
    Ok(())
}
