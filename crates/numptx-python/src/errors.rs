//! The runtime's errors as Python exceptions.

use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;

use numptx_abi::{Error, Status, error_kind};
use pyo3::exceptions::{
    PyArithmeticError, PyAssertionError, PyAttributeError, PyException, PyFloatingPointError, PyIndexError, PyKeyError,
    PyMemoryError, PyNotImplementedError, PyOverflowError, PyRecursionError, PyRuntimeError, PyTypeError,
    PyUnboundLocalError, PyValueError, PyZeroDivisionError,
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

/// As [`empty`], with the message's bytes left undefined but the first: clearing a thousand of them costs as much as a short call.
pub(crate) fn unfilled() -> MaybeUninit<Error> {
    let mut error = MaybeUninit::<Error>::uninit();
    // SAFETY: writes within the room of an error; bytes and integers have no invalid values.
    unsafe {
        (&raw mut (*error.as_mut_ptr()).kind).write(error_kind::OK);
        (&raw mut (*error.as_mut_ptr()).message).cast::<u8>().write(0);
    }
    error
}

/// The exception of a failed call of the runtime. An interrupted call has its own exception pending: that one is taken.
///
/// # Safety
/// `message` is null-terminated.
pub(crate) unsafe fn exception(py: Python<'_>, status: Status, message: *const c_char) -> PyErr {
    if status == error_kind::INTERRUPTED
        && let Some(pending) = PyErr::take(py)
    {
        return pending;
    }
    // SAFETY: by this function's requirement.
    let message = unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned();
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
        error_kind::RECURSION => PyRecursionError::new_err(message),
        error_kind::UNBOUND_LOCAL => PyUnboundLocalError::new_err(message),
        error_kind::ATTRIBUTE => PyAttributeError::new_err(message),
        error_kind::LIN_ALG => linear_algebra(py, message),
        _ => PyRuntimeError::new_err(message),
    }
}

/// `numpy.linalg.LinAlgError`; a `ValueError`, of which it is one, where NumPy is not there.
fn linear_algebra(py: Python<'_>, message: String) -> PyErr {
    let class = py.import("numpy.linalg").and_then(|module| module.getattr("LinAlgError"));
    match class.and_then(|class| class.call1((&message,))) {
        Ok(error) => PyErr::from_value(error),
        Err(_) => PyValueError::new_err(message),
    }
}

/// `assert x` without a message raises `AssertionError()`, not `AssertionError('')`.
fn without_empty(message: String, with: fn(String) -> PyErr, without: fn(()) -> PyErr) -> PyErr {
    if message.is_empty() { without(()) } else { with(message) }
}

/// `Ok` if the status is success.
pub(crate) fn check(py: Python<'_>, status: Status, error: &Error) -> PyResult<()> {
    if status == error_kind::OK {
        return Ok(());
    }
    // SAFETY: the runtime null-terminates every message, and an untouched error is all zero.
    Err(unsafe { exception(py, status, error.message.as_ptr()) })
}
