//! What to pass in the place of an object that is more than an array of numbers. No advice drops a part of it without saying so.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

use crate::errors;
use crate::numpy::{Dtype, numpy};

/// What to pass, with `{}` for the object.
pub(crate) struct Advice {
    words: String,
    /// The elements alone would say something else, so that nothing converts the object unasked.
    pub is_needed: bool,
}

impl Advice {
    /// The advice for an object that has a name.
    pub fn of(&self, name: &str) -> String {
        self.words.replace("{}", name)
    }
}

/// Objects that are known by what their types have. The first row that fits counts.
const KNOWN: [(&[&str], bool, &str); 6] = [
    // NumPy's masked arrays, and what is like them.
    (&["mask", "filled"], true, "{}.filled(value), where the value is what masked elements count as"),
    // Quantities of Astropy, of unyt, and of Pint.
    (&["to_value", "unit"], false, "{}.to_value(unit), in the unit that the function expects"),
    (&["to_value", "units"], false, "{}.to_value(units), in the units that the function expects"),
    (&["m_as", "units"], false, "{}.m_as(units), in the units that the function expects"),
    // Sparse arrays and matrices of SciPy and CuPy.
    (&["toarray", "nnz"], true, "its parts, such as {}.data and {}.indices, or {}.toarray() with the zeros between"),
    // Series and frames of pandas.
    (&["to_numpy", "index"], false, "{}.to_numpy(), which has the elements by their position and no index"),
];

/// What to pass in the place of an object; `None`: nothing better is known.
pub(crate) fn advice_for(object: &Bound<'_, PyAny>) -> PyResult<Option<Advice>> {
    let class = object.get_type();
    for (attributes, is_needed, words) in KNOWN {
        if has_all(&class, attributes)? {
            return Ok(Some(Advice { words: words.to_string(), is_needed }));
        }
    }
    // SAFETY: a live object, and an array by the check.
    let (is_array, found) = unsafe {
        if !numpy().is_array_or_subclass(object.as_ptr()) {
            return Ok(None);
        }
        (numpy().is_array(object.as_ptr()), numpy().dtype(numpy().fields(object.as_ptr())))
    };
    let words = match found {
        Dtype::Other => field_of(object)?,
        _ if is_array => None,
        _ => Some(elements_of(object)?),
    };
    Ok(words.map(|words| Advice { words, is_needed: false }))
}

/// Whether objects of a type have all these attributes. The type is asked: an object's own code stays out of it.
fn has_all(class: &Bound<'_, PyType>, attributes: &[&str]) -> PyResult<bool> {
    for name in attributes {
        if errors::if_any(class.py(), class.hasattr(*name))? != Some(true) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Of an array of records one field; `None`: it has no fields.
fn field_of(object: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let py = object.py();
    let names = object.getattr(intern!(py, "dtype")).and_then(|dtype| dtype.getattr(intern!(py, "names")));
    let names = errors::if_any(py, names.and_then(|names| Ok(names.cast_into::<PyTuple>()?)))?;
    let Some(first) = names.and_then(|names| names.get_item(0).ok()) else { return Ok(None) };
    Ok(errors::if_any(py, first.repr())?.map(|name| format!("one field after the other, such as {{}}[{name}]")))
}

/// The elements of a subclass alone.
fn elements_of(object: &Bound<'_, PyAny>) -> PyResult<String> {
    let class = object.get_type();
    let module = errors::if_any(object.py(), class.module())?.map(|module| module.to_string()).unwrap_or_default();
    if module.split('.').next() == Some("numpy") {
        let operators = if has_all(&class, &["getA"])? { ", whose operators work element by element" } else { "" };
        return Ok(format!("numpy.asarray({{}}), which has the same elements{operators}"));
    }
    Ok("{}.view(numpy.ndarray) for the elements alone, without what the type adds to them".to_string())
}
