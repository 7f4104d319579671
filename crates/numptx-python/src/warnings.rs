//! Clean-ups that failed, as warnings: the runtime notes them wherever they happen, and the next call from Python says so.

use std::ffi::{CStr, CString, c_char, c_void};
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;

use crate::call::attached;
use crate::runtime;

pyo3::create_exception!(
    numptx,
    CudaWarning,
    PyRuntimeWarning,
    "The CUDA driver refused to take something back, so that it may stay allocated until the process ends."
);

/// Where the runtime counts them.
static FAILED: AtomicPtr<AtomicU32> = AtomicPtr::new(std::ptr::null_mut());

pub(crate) fn register(native: &Bound<'_, PyModule>) -> PyResult<()> {
    // SAFETY: the runtime's table is complete.
    let failed = unsafe { (runtime::table().failed_clean_ups)() };
    FAILED.store(failed.cast_mut(), Ordering::Release);
    native.add("CudaWarning", native.py().get_type::<CudaWarning>())
}

/// Warns of what has failed since the last time; an error where a filter makes one of it.
#[inline]
pub(crate) fn warn() -> PyResult<()> {
    // SAFETY: the runtime's counter, or null before the import is done; it lives as long as the process.
    let failed = unsafe { FAILED.load(Ordering::Acquire).as_ref() };
    match failed.map_or(0, |failed| failed.load(Ordering::Relaxed)) {
        0 => Ok(()),
        // See Note [Attached, and known to be] in `call`.
        _ => attached(warn_now),
    }
}

#[cold]
fn warn_now(py: Python<'_>) -> PyResult<()> {
    let mut texts: Vec<CString> = Vec::new();
    // SAFETY: `see` gets the list that is passed with it.
    unsafe { (runtime::table().take_failed_clean_ups)(see, (&raw mut texts).cast()) };
    let category = py.get_type::<CudaWarning>();
    // All are told, also where the first becomes an error.
    let mut outcome = Ok(());
    for text in &texts {
        outcome = outcome.and(PyErr::warn(py, &category, text, 1));
    }
    outcome
}

unsafe extern "C" fn see(texts: *mut c_void, text: *const c_char) {
    // SAFETY: as of `warn_now`, and a null-terminated text.
    unsafe { (*texts.cast::<Vec<CString>>()).push(CStr::from_ptr(text).to_owned()) };
}
