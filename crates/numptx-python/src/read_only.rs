//! The `ValueError` of a write to an array that may not be written: NumPy's words, then who would write, whose array it is, and what to pass.

use numptx_abi::Overload;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::array::Array;
use crate::numpy::{self, numpy};
use crate::{errors, mutability, parameters};

/// NumPy's words.
const REFUSAL: &str = "assignment destination is read-only";

/// The error of a call that would write an argument's leaf.
pub(crate) fn refused_argument(overload: &Overload, leaf: usize, object: &Bound<'_, PyAny>) -> PyErr {
    let place = parameters::place_of_leaf(overload, leaf);
    let (place, name) =
        place.map_or(("an argument".to_string(), "x".to_string()), |it| (it.to_string(), it.expression));
    let signature = parameters::text(overload.signature);
    let function = signature.split('(').next().unwrap_or_default();
    match holder(object, &name) {
        Ok((holder, copy)) => PyValueError::new_err(format!(
            "{REFUSAL}: {function}() writes to {place}, {holder}; pass a copy, such as {copy}"
        )),
        Err(passing) => passing,
    }
}

/// The error of what would write such an array, which views `base`. `writer`: `copy_from()`, say.
pub(crate) fn refused_copy(py: Python<'_>, writer: &str, base: Option<Py<PyAny>>) -> PyErr {
    let words = base.map(|base| of_base(base.bind(py)));
    match words.transpose() {
        Ok(holder) => PyValueError::new_err(format!(
            "{REFUSAL}: {writer} writes to {}; take a copy, such as x.copy()",
            holder.as_deref().unwrap_or(OURS)
        )),
        Err(passing) => passing,
    }
}

const OURS: &str = "a read-only numptx.Array";

/// What a read-only array is, and an expression for a copy of it that may be written.
fn holder(object: &Bound<'_, PyAny>, name: &str) -> PyResult<(String, String)> {
    if let Ok(array) = object.cast::<Array>() {
        let base = array.get().open()?.owner(array);
        let base = base.bind(object.py());
        let holder = if base.is(object) { OURS.to_string() } else { of_base(base)? };
        return Ok((holder, format!("{name}.copy()")));
    }
    if let Some(reason) = reason(object)? {
        let copy = if is_numpy(object) { format!("{name}.copy()") } else { other_copy(name) };
        return Ok((reason, copy));
    }
    Ok((format!("an array of type {}, which is not exported as writable", class_name(object)?), other_copy(name)))
}

fn other_copy(name: &str) -> String {
    format!("numptx.asarray({name}).copy()")
}

/// An array of ours, by what it views.
fn of_base(base: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Some(reason) = reason(base)? {
        return Ok(format!("a numptx.Array over {reason}"));
    }
    // What is read-only of an array that may be written is a view of it, as a broadcast is.
    if is_numpy(base) || mutability::is_mutable(&base.get_type())? || base.is_instance_of::<Array>() {
        return Ok(OURS.to_string());
    }
    Ok(format!("{OURS} over an array of type {}", class_name(base)?))
}

/// Why an array may not be written, where it tells.
fn reason(object: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if is_numpy(object) {
        // SAFETY: an array, by the check.
        let flags = unsafe { numpy().fields(object.as_ptr()).flags };
        return Ok((flags & numpy::WRITEABLE == 0).then(|| "a NumPy array with writeable=False".to_string()));
    }
    let class = object.get_type();
    let library = mutability::library_of(&class)?.filter(|library| library.elements == mutability::Elements::Immutable);
    Ok(library.map(|library| format!("an array of {}, whose arrays are immutable", library.name)))
}

fn is_numpy(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: a live object.
    unsafe { numpy().is_array_or_subclass(object.as_ptr()) }
}

fn class_name(object: &Bound<'_, PyAny>) -> PyResult<String> {
    let name = errors::if_any(object.py(), object.get_type().fully_qualified_name())?;
    Ok(name.map_or_else(|| "?".to_string(), |name| name.to_string()))
}
