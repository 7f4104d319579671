//! Whether the elements of other libraries' arrays may be written here.
//!
//! In: an array, and what its export says, if the export has a word for it. Out: whether the array is read-only here.
//!
//! DLPack's unversioned capsules and the tensors that its exchange in C shows have no word for it. They are read-only, unless their library stands
//! in the table below as one whose arrays may be written.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use crate::errors;

/// What programs do with the elements of a library's arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Elements {
    /// They write them in place. An export that calls an array read-only is believed.
    Mutable,
    /// Nobody writes them once they are there, whatever an export says.
    Immutable,
}

/// A library of which more is known than its arrays say.
#[derive(Debug)]
pub(crate) struct KnownLibrary {
    /// Its first module's name.
    root: &'static str,
    /// Its name in messages.
    pub name: &'static str,
    pub elements: Elements,
}

const LIBRARIES: [KnownLibrary; 5] = [
    // Methods of tensors write in place (`add_`), and there are no tensors that may not be written, but for a type whose exports say so.
    KnownLibrary { root: "torch", name: "PyTorch", elements: Elements::Mutable },
    // Arrays are written in place, as NumPy's are, and have no flag `writeable`.
    KnownLibrary { root: "cupy", name: "CuPy", elements: Elements::Mutable },
    // Where an array has `writeable=False` and the capsule cannot say it, there is no capsule.
    KnownLibrary { root: "numpy", name: "NumPy", elements: Elements::Mutable },
    // Arrays are values: `x[:]`, constants and results of compiled functions may share their memory. Exports do not say so.
    KnownLibrary { root: "jax", name: "JAX", elements: Elements::Immutable },
    KnownLibrary { root: "jaxlib", name: "JAX", elements: Elements::Immutable },
];

/// The library of the table that a type, or the first of its bases that is of such a one, comes from.
pub(crate) fn library_of(class: &Bound<'_, PyType>) -> PyResult<Option<&'static KnownLibrary>> {
    let py = class.py();
    for base in class.mro() {
        let module = base.getattr(intern!(py, "__module__")).and_then(|module| Ok(module.cast_into::<PyString>()?));
        let Some(module) = errors::if_any(py, module)? else { continue };
        let name = module.to_cow()?;
        let root = name.split('.').next().unwrap_or_default();
        if let Some(known) = LIBRARIES.iter().find(|known| known.root == root) {
            return Ok(Some(known));
        }
    }
    Ok(None)
}

/// Whether arrays of a type may be written where nothing says that they may not.
pub(crate) fn is_mutable(class: &Bound<'_, PyType>) -> PyResult<bool> {
    Ok(library_of(class)?.is_some_and(|library| library.elements == Elements::Mutable))
}

/// Whether nobody ever writes arrays of a type.
pub(crate) fn is_immutable(class: &Bound<'_, PyType>) -> PyResult<bool> {
    Ok(library_of(class)?.is_some_and(|library| library.elements == Elements::Immutable))
}

/// Whether an array is read-only here. `said`: what its export says; `None`: it has no word for it.
pub(crate) fn is_read_only(array: &Bound<'_, PyAny>, said: Option<bool>) -> PyResult<bool> {
    let class = array.get_type();
    match said {
        Some(true) => Ok(true),
        Some(false) => is_immutable(&class),
        None => is_mutable(&class).map(|is_mutable| !is_mutable),
    }
}
