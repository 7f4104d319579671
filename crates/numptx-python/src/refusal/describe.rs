//! Arguments in the words of signatures: types of Python, dtypes and axes, and what may have stood in the way.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyComplex, PyFloat, PyInt, PyString, PyTuple};

use crate::array::Array;
use crate::numpy::{self, DTYPE_NAMES, Dtype, numpy};
use crate::{errors, foreign, layout};

/// How deep tuples are described; deeper ones are `…`.
pub(super) const MAX_DEPTH: usize = 8;
/// Arguments, and members of a tuple, that are described.
pub(super) const MAX_MEMBERS: usize = 64;
/// Characters of a string that are shown.
const MAX_CHARACTERS: usize = 60;

/// A number by its value, another argument as [`describe`] says it.
pub(super) fn value_or_description(object: &Bound<'_, PyAny>) -> PyResult<String> {
    // SAFETY: a live object.
    let is_number = unsafe { numpy().is_scalar(object.as_ptr()) }
        || object.is_instance_of::<PyInt>()
        || object.is_instance_of::<PyFloat>()
        || object.is_instance_of::<PyComplex>();
    // An int of very many digits has no text.
    match if is_number { errors::if_any(object.py(), object.repr())? } else { None } {
        Some(repr) => Ok(shortened(&repr.to_string())),
        None => describe(object, MAX_DEPTH),
    }
}

/// An argument in the words of the signatures. An error is one that passes.
pub(super) fn describe(object: &Bound<'_, PyAny>, depth: usize) -> PyResult<String> {
    let py = object.py();
    if let Ok(members) = object.cast::<PyTuple>() {
        if depth == 0 {
            return Ok("(…)".to_string());
        }
        let described = members.iter().take(MAX_MEMBERS).map(|member| describe(&member, depth - 1));
        let shown = described.collect::<PyResult<_>>()?;
        return Ok(format!("({})", listed(shown, members.len())));
    }
    if let Ok(array) = object.cast::<Array>() {
        return Ok(axes(DTYPE_NAMES[usize::from(array.get().dtype_code())], array.get().shape().len()));
    }
    // SAFETY: a live object.
    if unsafe { numpy().is_array_or_subclass(object.as_ptr()) } {
        return describe_array(object);
    }
    // SAFETY: a live object.
    if let Some(code) = unsafe { numpy().scalar_dtype(object.as_ptr()) } {
        return Ok(DTYPE_NAMES[usize::from(code)].to_string());
    }
    if object.is_none() {
        return Ok("None".to_string());
    }
    if object.is_instance_of::<PyString>() {
        let repr = errors::if_any(py, object.repr())?;
        return Ok(repr.map_or_else(|| "str".to_string(), |repr| shortened(&repr.to_string())));
    }
    if object.is_instance_of::<PyInt>() && object.extract::<i64>().is_err() {
        return Ok("int beyond 64 bits".to_string());
    }
    if foreign::is_array(object)? {
        return describe_foreign(object);
    }
    Ok(class_of(object))
}

/// An array of another library: its type, and what it says of its dtype and shape.
fn describe_foreign(object: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = object.py();
    let dtype = object.getattr(intern!(py, "dtype")).and_then(|dtype| dtype.str());
    let dtype = errors::if_any(py, dtype)?.map(|dtype| shortened(&dtype.to_string()));
    let notes: Vec<String> = dtype.into_iter().chain(shape_of(object)?).collect();
    let class = class_of(object);
    Ok(if notes.is_empty() { class } else { format!("{class} {{{}}}", notes.join(", ")) })
}

fn class_of(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "?".to_string(), |name| name.to_string())
}

/// `shape (2, 3)`, of an array that says it.
fn shape_of(object: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let py = object.py();
    let shape = object.getattr(intern!(py, "shape")).and_then(|shape| Ok(shape.cast_into::<PyTuple>()?));
    let Some(shape) = errors::if_any(py, shape)? else { return Ok(None) };
    let extents: Vec<String> = shape.iter().take(MAX_MEMBERS).map(|extent| extent.to_string()).collect();
    let comma = if extents.len() == 1 { "," } else { "" };
    Ok(Some(format!("shape ({}{comma})", extents.join(", "))))
}

/// The first of `n` members, and that there are more.
pub(super) fn listed(mut shown: Vec<String>, n: usize) -> String {
    if shown.len() < n {
        shown.push(format!("… {} more", n - shown.len()));
    }
    shown.join(", ")
}

/// The beginning of a string's text, with an ellipsis where it goes on.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// An array without axes has no signature of its own, and `float64[]` is one of an array of one axis.
fn axes(dtype: &str, rank: usize) -> String {
    if rank == 0 {
        return format!("{dtype} array without axes");
    }
    format!("{dtype}[{}]", vec![":"; rank].join(", "))
}

/// A NumPy array: dtype and axes, then what may have stood in the way.
fn describe_array(object: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = object.py();
    // SAFETY: an array, by the caller's check.
    let (fields, found, exact) = unsafe {
        let fields = numpy().fields(object.as_ptr());
        (fields, numpy().dtype(fields), numpy().is_array(object.as_ptr()))
    };
    let dtype = match found {
        Dtype::Native(code) | Dtype::Swapped(code) => DTYPE_NAMES[usize::from(code)].to_string(),
        Dtype::Other => {
            let dtype = errors::if_any(py, object.getattr(intern!(py, "dtype")))?;
            dtype.map_or_else(|| "?".to_string(), |dtype| dtype.to_string())
        }
    };
    let mut notes = Vec::new();
    if !exact {
        notes.push(class_of(object));
    }
    if matches!(found, Dtype::Swapped(_)) {
        notes.push("in the other byte order".to_string());
    }
    if fields.flags & numpy::ALIGNED == 0 {
        notes.push("not aligned".to_string());
    }
    notes.extend(shape_of(object)?);
    if fields.flags & (numpy::C_CONTIGUOUS | numpy::F_CONTIGUOUS) == 0 {
        notes.push("strided".to_string());
    } else if fields.flags & numpy::C_CONTIGUOUS == 0 {
        notes.push("order F".to_string());
    }
    if let Dtype::Native(code) = found {
        // SAFETY: NumPy keeps `rank` extents and strides behind its pointers.
        let (shape, strides) = unsafe { fields.axes() };
        if !layout::has_whole_steps(code, shape, strides) {
            notes.push("strides of no whole elements".to_string());
        }
    }
    Ok(format!("{} {{{}}}", axes(&dtype, fields.rank as usize), notes.join(", ")))
}
