//! The runtime's errors as Python exceptions.

use std::ffi::CStr;

use numptx_abi::{Error, Status, error_kind};
use pyo3::exceptions::{
    PyArithmeticError, PyAssertionError, PyException, PyFloatingPointError, PyIndexError, PyKeyError, PyMemoryError,
    PyNotImplementedError, PyOverflowError, PyRuntimeError, PyTypeError, PyValueError, PyZeroDivisionError,
};
use pyo3::prelude::*;

pyo3::create_exception!(
    numptx,
    CudaError,
    PyRuntimeError,
    "The CUDA driver refused something; the message has its words."
);

/// An error that the runtime may fill.
pub(crate) fn empty() -> Error {
    Error { kind: error_kind::OK, message: [0; 1020] }
}

/// The exception of a failed call of the runtime. An interrupted call has its own exception pending: that one is taken.
pub(crate) fn exception(py: Python<'_>, status: Status, error: &Error) -> PyErr {
    if status == error_kind::INTERRUPTED
        && let Some(pending) = PyErr::take(py)
    {
        return pending;
    }
    // SAFETY: the runtime null-terminates every message, and an untouched error is all zero.
    let message = unsafe { CStr::from_ptr(error.message.as_ptr()) }.to_string_lossy().into_owned();
    match status {
        error_kind::VALUE => PyValueError::new_err(message),
        error_kind::INDEX => PyIndexError::new_err(message),
        error_kind::ZERO_DIVISION => PyZeroDivisionError::new_err(message),
        error_kind::OVERFLOW => PyOverflowError::new_err(message),
        error_kind::TYPE => PyTypeError::new_err(message),
        error_kind::MEMORY => PyMemoryError::new_err(message),
        error_kind::ASSERTION => without_empty(message, PyAssertionError::new_err, PyAssertionError::new_err),
        error_kind::CUDA => CudaError::new_err(message),
        error_kind::ARITHMETIC => PyArithmeticError::new_err(message),
        error_kind::FLOATING_POINT => PyFloatingPointError::new_err(message),
        error_kind::KEY => PyKeyError::new_err(message),
        error_kind::NOT_IMPLEMENTED => PyNotImplementedError::new_err(message),
        error_kind::EXCEPTION => PyException::new_err(message),
        _ => PyRuntimeError::new_err(message),
    }
}

/// `assert x` without a message raises `AssertionError()`, not `AssertionError('')`.
fn without_empty(message: String, with: fn(String) -> PyErr, without: fn(()) -> PyErr) -> PyErr {
    if message.is_empty() { without(()) } else { with(message) }
}

/// `Ok` if the status is success.
pub(crate) fn check(py: Python<'_>, status: Status, error: &Error) -> PyResult<()> {
    if status == error_kind::OK { Ok(()) } else { Err(exception(py, status, error)) }
}
