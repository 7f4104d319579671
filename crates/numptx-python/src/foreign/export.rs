//! Arrays of ours as arrays of another library, for results of calls that got arrays of that library.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::array::Array;
use crate::{errors, exchange, mutability};

/// An array as an array of the library that `example` is of; itself where that library does not take it.
pub(crate) fn export<'py>(array: Bound<'py, Array>, example: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let (py, class) = (array.py(), example.get_type());
    let read_only = array.get().is_read_only();
    // Only arrays that nobody writes keep what may not be written.
    if read_only && !mutability::is_immutable(&class)? {
        return Ok(array.into_any());
    }
    if let Some(answer) = exchange::of(example).and_then(|speaker| exchange::export(speaker, &array)) {
        return answer;
    }
    errors::pending(py)?;
    let module: String = class.module()?.extract()?;
    let library = match module.split('.').next() {
        Some("torch") => "torch",
        Some("cupy") => "cupy",
        Some("jax" | "jaxlib") => "jax.dlpack",
        _ => return Ok(array.into_any()),
    };
    let runs_backwards = array.get().strides().iter().any(|stride| *stride < 0);
    // PyTorch has no such arrays: asked for one on a device, it aborts the process (seen with an H200).
    if library == "torch" && runs_backwards {
        return Ok(array.into_any());
    }
    let shown = if read_only { unmarked(&array)? } else { array.clone() };
    match py.import(library)?.call_method1(intern!(py, "from_dlpack"), PyTuple::new(py, [&shown])?) {
        // Not every library has arrays that run backwards, or takes each view.
        Err(error) if (read_only || runs_backwards) && !errors::passes(py, &error) => Ok(array.into_any()),
        answer => answer,
    }
}

/// The same elements without the mark that they may not be written: JAX asks for capsules that cannot carry it, and writes nothing.
fn unmarked<'py>(array: &Bound<'py, Array>) -> PyResult<Bound<'py, Array>> {
    Array::view_in(array, array.get().view(), array.get().address(), false)
}
