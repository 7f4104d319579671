//! The runtime's errors as Python exceptions.

use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;

use numptx_abi::{Error, Status, error_kind};
use pyo3::exceptions::{
    PyArithmeticError, PyAssertionError, PyAttributeError, PyException, PyFloatingPointError, PyIndexError, PyKeyError,
    PyMemoryError, PyNotImplementedError, PyOverflowError, PyRecursionError, PyRuntimeError, PyTypeError,
    PyUnboundLocalError, PyValueError, PyZeroDivisionError,
};
use pyo3::ffi;
use pyo3::prelude::*;

use crate::allocator;

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

/// Writes an error of ours where the runtime reads it; words that do not fit are cut.
///
/// # Safety
/// `error` is null or writable.
pub(crate) unsafe fn store(error: *mut Error, kind: Status, words: &str) {
    // SAFETY: as the caller promises.
    let Some(error) = (unsafe { error.as_mut() }) else { return };
    let end = words.floor_char_boundary(error.message.len() - 1);
    for (to, byte) in error.message.iter_mut().zip(words.as_bytes()[..end].iter().chain(&[0])) {
        *to = byte.cast_signed();
    }
    error.kind = kind;
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
        error_kind::MEMORY => {
            let (cause, error) = (allocator::cause_of(&message), PyMemoryError::new_err(message));
            if cause.is_some() {
                error.set_cause(py, cause);
            }
            error
        }
        error_kind::ASSERTION => without_empty(message, PyAssertionError::new_err, PyAssertionError::new_err),
        error_kind::CUDA => CudaError::new_err(message),
        error_kind::ARITHMETIC => PyArithmeticError::new_err(message),
        error_kind::FLOATING_POINT => PyFloatingPointError::new_err(message),
        error_kind::KEY => PyKeyError::new_err(message),
        error_kind::KEY_REPR => key_error(py, message),
        error_kind::NOT_IMPLEMENTED => PyNotImplementedError::new_err(message),
        error_kind::EXCEPTION => PyException::new_err(message),
        error_kind::RECURSION => PyRecursionError::new_err(message),
        error_kind::UNBOUND_LOCAL => PyUnboundLocalError::new_err(message),
        error_kind::ATTRIBUTE => PyAttributeError::new_err(message),
        error_kind::LIN_ALG => linear_algebra(py, message),
        _ => PyRuntimeError::new_err(message),
    }
}

/// A `KeyError` of the key that this is the `repr` of; of the text, where that is no literal, as `np.float64(1.0)` is none.
fn key_error(py: Python<'_>, repr: String) -> PyErr {
    let key = py.import("ast").and_then(|module| module.call_method1("literal_eval", (&repr,)));
    match key {
        Ok(key) => PyKeyError::new_err((key.unbind(),)),
        Err(_) => PyKeyError::new_err(repr),
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

/// Whether an exception is not to be answered for in its place: what ends programs, and what says that there is no memory or no stack left.
pub(crate) fn passes(py: Python<'_>, error: &PyErr) -> bool {
    !error.is_instance_of::<PyException>(py)
        || error.is_instance_of::<PyMemoryError>(py)
        || error.is_instance_of::<PyRecursionError>(py)
}

/// Whether an exception says that something is no number, or a large one, and nothing else.
pub(crate) fn is_refusal(py: Python<'_>, error: &PyErr) -> bool {
    error.is_instance_of::<PyTypeError>(py) || error.is_instance_of::<PyOverflowError>(py)
}

/// An exception in the place of one that it is raised from; that one itself where it passes.
pub(crate) fn instead(py: Python<'_>, original: PyErr, other: PyErr) -> PyErr {
    if passes(py, &original) {
        return original;
    }
    other.set_cause(py, Some(original));
    other
}

/// What a question gave; `None` where it has no answer. What passes stays an error.
pub(crate) fn if_any<T>(py: Python<'_>, answer: PyResult<T>) -> PyResult<Option<T>> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(error) if passes(py, &error) => Err(error),
        Err(_) => Ok(None),
    }
}

/// Forgets the pending exception, which has said that a question has no answer. What passes stays pending: see [`pending`].
///
/// # Safety
/// The interpreter is attached.
pub(crate) unsafe fn forget_pending() {
    // SAFETY: attached, as the caller promises.
    let is_answer = unsafe {
        let is_of = |class| ffi::PyErr_ExceptionMatches(class) != 0;
        is_of(ffi::PyExc_Exception) && !is_of(ffi::PyExc_MemoryError) && !is_of(ffi::PyExc_RecursionError)
    };
    if is_answer {
        // SAFETY: as above.
        unsafe { ffi::PyErr_Clear() };
    }
}

/// An error if an exception is pending that [`forget_pending`] has left.
pub(crate) fn pending(py: Python<'_>) -> PyResult<()> {
    // SAFETY: the interpreter is attached.
    if unsafe { ffi::PyErr_Occurred().is_null() } { Ok(()) } else { Err(PyErr::fetch(py)) }
}

/// The answer to a question where `None` stands for none; what passes is left pending, as by [`forget_pending`].
pub(crate) fn or_pending<T>(py: Python<'_>, answer: PyResult<T>) -> Option<T> {
    answer
        .map_err(|error| {
            if passes(py, &error) {
                error.restore(py)
            }
        })
        .ok()
}
