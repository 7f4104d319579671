//! A module that takes the functions of a library compiled anew, and what a library tells of its file. `numptx._modules` decides when.

use std::ffi::{CStr, c_char};

use numptx_abi::Module;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::module::{add_members, descriptor};

/// The attribute under which a module keeps the module object of the library that it was reloaded from.
const NEWEST: &str = "__numptx_library__";

pub(crate) fn register(native: &Bound<'_, PyModule>) -> PyResult<()> {
    native.add_function(wrap_pyfunction!(adopt, native)?)?;
    native.add_function(wrap_pyfunction!(exported, native)?)?;
    native.add_function(wrap_pyfunction!(is_compiled, native)?)?;
    native.add_function(wrap_pyfunction!(library_address, native)?)?;
    native.add_function(wrap_pyfunction!(source_facts, native)?)?;
    native.add_function(wrap_pyfunction!(source_hash, native)?)
}

/// The module object whose definition is that of a module's present library: the module itself, unless it was reloaded.
pub(crate) fn newest<'py>(module: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let Ok(known) = module.cast::<PyModule>() else { return Ok(module.clone()) };
    Ok(known.dict().get_item(intern!(module.py(), NEWEST))?.unwrap_or_else(|| module.clone()))
}

/// Gives `module` the functions and globals of the library that `fresh` was made from. Names of the library before stay; the caller removes them.
#[pyfunction]
fn adopt(module: &Bound<'_, PyModule>, fresh: &Bound<'_, PyModule>) -> PyResult<()> {
    descriptor(module)?;
    add_members(module, fresh)?;
    module.setattr("__doc__", fresh.getattr("__doc__")?)?;
    module.dict().set_item(NEWEST, fresh)
}

/// The names of a module's functions and exported globals.
#[pyfunction]
fn exported(module: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let descriptor = descriptor(module)?;
    // SAFETY: descriptors live as long as their library, and have as many functions and globals as they say.
    unsafe {
        let Module { n_functions, n_globals, functions, global_names, .. } = &*descriptor;
        let functions = (0..*n_functions as usize).map(|n| (*functions.add(n)).name);
        let globals = (0..*n_globals as usize).map(|n| *global_names.add(n));
        functions.chain(globals).map(|name| text(name)).collect()
    }
}

/// Whether an object is a module that numptx compiled.
#[pyfunction]
fn is_compiled(module: &Bound<'_, PyAny>) -> bool {
    descriptor(module).is_ok()
}

/// What tells a module's library from others that are loaded.
#[pyfunction]
fn library_address(module: &Bound<'_, PyAny>) -> PyResult<usize> {
    Ok(descriptor(module)? as usize)
}

/// `(hash, constants, functions)` as [`numptx_abi::Source`] has them, or `None`.
#[pyfunction]
fn source_facts(module: &Bound<'_, PyAny>) -> PyResult<Option<(u64, String, String)>> {
    let descriptor = descriptor(module)?;
    // SAFETY: the descriptor and what it points to live as long as their library.
    let Some(source) = (unsafe { (*descriptor).source.as_ref() }) else { return Ok(None) };
    // SAFETY: as above.
    unsafe { Ok(Some((source.hash, text(source.constants)?, text(source.functions)?))) }
}

/// [`numptx_abi::source_hash`] of a file's bytes.
#[pyfunction]
fn source_hash(file: &Bound<'_, PyBytes>) -> u64 {
    numptx_abi::source_hash(file.as_bytes())
}

/// # Safety
/// A null-terminated string that outlives the call.
unsafe fn text(text: *const c_char) -> PyResult<String> {
    // SAFETY: as the caller promises.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map(str::to_owned).map_err(|_| PyTypeError::new_err("a library's text is no UTF-8"))
}
