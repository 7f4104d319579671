//! The `TypeError` of a call that no overload accepts: the accepted signatures, what was given, and why where that is not plain.

use std::ffi::{CStr, c_char};

use numptx_abi::{Function, Overload};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString, PyTuple};

use crate::array::Array;
use crate::call_arguments::CallArguments;
use crate::errors;
use crate::numpy::{self, DTYPE_NAMES, Dtype, numpy};

/// The error for arguments that fit no overload. `raised`: what the own code of one of them raised when it was asked for its value; where that is
/// no word about its type or size, it is the error.
pub(crate) fn refused(
    py: Python<'_>,
    function: &Function,
    overloads: &[Overload],
    given: &CallArguments,
    raised: Option<PyErr>,
) -> PyErr {
    match raised {
        Some(error) if !errors::is_refusal(py, &error) => error,
        raised => {
            let refusal = no_overload(py, function, overloads, given).unwrap_or_else(|passing| passing);
            refusal.set_cause(py, raised);
            refusal
        }
    }
}

/// The `TypeError` for arguments that fit no overload.
fn no_overload(py: Python<'_>, function: &Function, overloads: &[Overload], given: &CallArguments) -> PyResult<PyErr> {
    let name = text(function.name);
    let n = given.values.len();
    let shown = (0..n.min(MAX_MEMBERS)).map(|index| argument(py, given, index)).collect::<PyResult<_>>()?;
    let mut message = format!("{name}() got ({})", listed(shown, n));
    message.push_str(if overloads.len() == 1 { "; it accepts" } else { "; it accepts one of" });
    for overload in overloads {
        message.push_str("\n    ");
        message.push_str(&text(overload.signature));
    }
    Ok(PyTypeError::new_err(message))
}

fn text(raw: *const c_char) -> String {
    if raw.is_null() {
        return String::new();
    }
    // SAFETY: the descriptor's strings are null-terminated.
    unsafe { CStr::from_ptr(raw) }.to_string_lossy().into_owned()
}

fn argument(py: Python<'_>, given: &CallArguments, index: usize) -> PyResult<String> {
    // SAFETY: arguments live for the call.
    let object = unsafe { Bound::from_borrowed_ptr(py, given.values[index]) };
    let described = describe(&object, MAX_DEPTH)?;
    Ok(match index.checked_sub(given.n_positional) {
        Some(keyword) => format!("{}={described}", String::from_utf8_lossy(given.keyword(keyword))),
        None => described,
    })
}

/// How deep tuples are described; deeper ones are `…`.
const MAX_DEPTH: usize = 8;
/// Arguments, and members of a tuple, that are described.
const MAX_MEMBERS: usize = 64;
/// Characters of a string that are shown.
const MAX_CHARACTERS: usize = 60;

/// An argument in the words of the signatures. An error is one that passes.
fn describe(object: &Bound<'_, PyAny>, depth: usize) -> PyResult<String> {
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
    Ok(object.get_type().name().map_or_else(|_| "?".to_string(), |name| name.to_string()))
}

/// The first of `n` members, and that there are more.
fn listed(mut shown: Vec<String>, n: usize) -> String {
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
    format!("{dtype}[{}]", vec![":"; rank].join(","))
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
        let class = object.get_type().name().map_or_else(|_| "subclass".to_string(), |name| name.to_string());
        notes.push(format!("a {class}: pass numpy.asarray of it"));
    }
    if matches!(found, Dtype::Swapped(_)) {
        notes.push("in the other byte order".to_string());
    }
    if fields.flags & numpy::ALIGNED == 0 {
        notes.push("not aligned".to_string());
    }
    let shape = object.getattr(intern!(py, "shape")).and_then(|shape| Ok(shape.cast_into::<PyTuple>()?));
    let shape = errors::if_any(py, shape)?;
    let extents: Vec<String> = shape.iter().flatten().map(|extent| extent.to_string()).collect();
    let comma = if extents.len() == 1 { "," } else { "" };
    notes.push(format!("shape ({}{comma})", extents.join(", ")));
    if fields.flags & (numpy::C_CONTIGUOUS | numpy::F_CONTIGUOUS) == 0 {
        notes.push("strided".to_string());
    } else if fields.flags & numpy::C_CONTIGUOUS == 0 {
        notes.push("order F".to_string());
    }
    Ok(format!("{} {{{}}}", axes(&dtype, fields.rank as usize), notes.join(", ")))
}
