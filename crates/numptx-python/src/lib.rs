//! The extension module `numptx._native`: what a compiled library and the Python package need of the interpreter.
//!
//! In: calls of compiled functions with Python objects, through the capsule `numptx._native._C_API`
//! ([`numptx_abi::PythonTable`]). Out: Python objects. The runtime library beside this file does the work; this crate
//! holds no computation, and it never opens the CUDA driver itself.
//!
//! Two manners of code live here. The call path ([`call`], [`arguments`], [`results`]) uses CPython's and NumPy's C interfaces
//! as they are, because a call must cost tens of nanoseconds. Everything else uses PyO3.

mod allocator;
mod arguments;
mod array;
mod borrowed_stream;
mod call;
mod call_arguments;
mod closable;
mod cupy;
mod devices;
mod dlpack;
mod errors;
mod events;
mod exchange;
mod foreign;
mod fresh;
mod graphs;
mod indexing;
mod interrupt;
mod layout;
mod library;
mod linking;
mod memory_view;
mod module;
mod mutability;
mod numpy;
mod objects;
mod owners;
mod parameters;
mod producers;
mod questions;
mod read_only;
mod refusal;
mod reloading;
mod results;
mod runtime;
mod scalars;
mod streams;
mod threads;
mod unwinding;
mod warnings;

use std::ffi::CStr;

use numptx_abi::{ABI_VERSION, PYTHON_CAPSULE, PythonTable};
use pyo3::prelude::*;

/// The package's version, as `numptx.__version__`.
pub(crate) const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => c"",
};

#[pymodule(gil_used = false)]
fn _native(native: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = native.py();
    unwinding::install();
    runtime::load()?;
    numpy::import(py)?;
    devices::read_environment(py)?;
    interrupt::remember_main_thread(py)?;
    interrupt::watch_forks();
    native.add("__version__", env!("CARGO_PKG_VERSION"))?;
    native.add("CudaError", py.get_type::<errors::CudaError>())?;
    array::register(native)?;
    devices::register(native)?;
    streams::register(native)?;
    events::register(native)?;
    graphs::register(native)?;
    module::register(native)?;
    reloading::register(native)?;
    linking::register(native)?;
    warnings::register(native)?;
    foreign::register(native)?;
    fresh::register(native)?;
    allocator::register(native)?;
    add_capsule(native)
}

/// Puts the table that compiled libraries fetch into the module; it lives as long as the process.
fn add_capsule(native: &Bound<'_, PyModule>) -> PyResult<()> {
    let table = Box::leak(Box::new(PythonTable {
        abi_version: ABI_VERSION,
        struct_bytes: size_of::<PythonTable>() as u32,
        runtime: runtime::table(),
        module_init: module::module_init,
        call: call::call,
        package_version: VERSION.as_ptr(),
    }));
    let name = Box::leak(format!("{PYTHON_CAPSULE}\0").into_boxed_str());
    // SAFETY: the table and the name are leaked, so both outlive the capsule; the result is a new reference or null.
    let capsule = unsafe {
        let raw = pyo3::ffi::PyCapsule_New((&raw mut *table).cast(), name.as_ptr().cast(), None);
        Bound::from_owned_ptr_or_err(native.py(), raw)?
    };
    native.add("_C_API", capsule)
}
