//! `numptx.set_allocator`: Python functions as the source of device memory.
//!
//! In: the runtime's wish for memory, or memory that it gives back, on any thread and with no lock of its own. Out: what the functions answer. What they
//! raise becomes the cause of the `MemoryError` that the call ends with; what stops a program, such as Ctrl-C, passes.

use std::cell::RefCell;
use std::ffi::c_void;

use numptx_abi::{AllocatorTable, Error, Status, error_kind};
use pyo3::exceptions::{PyException, PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::call::attached;
use crate::owners::with_interpreter;
use crate::{errors, streams};

/// How messages of failures begin, by which the runtime's errors are told to have a cause.
const FAILED: &str = "the allocator of numptx.set_allocator failed";

thread_local! {
    /// What the function raised last on this thread, until a call takes it.
    static CAUSE: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// The functions of one `set_allocator`.
struct Functions {
    allocate: Py<PyAny>,
    deallocate: Py<PyAny>,
}

/// What a failed allocation was caused by, if the runtime's message tells of one.
pub(crate) fn cause_of(message: &str) -> Option<PyErr> {
    if !message.starts_with(FAILED) {
        return None;
    }
    CAUSE.try_with(RefCell::take).ok().flatten()
}

fn keep_cause(cause: Option<PyErr>) {
    let before = CAUSE.try_with(|kept| kept.replace(cause));
    drop(before);
}

unsafe extern "C" fn allocate(
    data: *mut c_void,
    bytes: usize,
    device: i32,
    stream: *mut c_void,
    out: *mut u64,
    error: *mut Error,
) -> Status {
    let mut status = error_kind::RUNTIME;
    let mut words = format!("{FAILED}: Python ends, and calls nobody any more");
    with_interpreter(|| {
        attached(|py| {
            // SAFETY: the functions live until they are released.
            let functions = unsafe { &*data.cast::<Functions>() };
            let answer = functions.allocate.call1(py, (bytes, device, stream.addr()));
            match answer.and_then(|answer| answer.extract::<u64>(py)) {
                Ok(pointer) => {
                    keep_cause(None);
                    // SAFETY: a place for the result.
                    unsafe { out.write(pointer) };
                    status = error_kind::OK;
                }
                // What is no `Exception` is to end the program, not to be handled.
                Err(raised) if !raised.is_instance_of::<PyException>(py) => {
                    raised.restore(py);
                    status = error_kind::INTERRUPTED;
                }
                Err(raised) => {
                    words = format!("{FAILED}: {raised}");
                    keep_cause(Some(raised));
                    status = error_kind::MEMORY;
                }
            }
        });
    });
    if status != error_kind::OK {
        // SAFETY: writable, as the table says.
        unsafe { errors::store(error, status, &words) };
    }
    status
}

unsafe extern "C" fn deallocate(data: *mut c_void, pointer: u64, bytes: usize, device: i32, stream: *mut c_void) {
    with_interpreter(|| {
        attached(|py| {
            // Memory goes in the midst of anything: an exception on its way stays.
            let pending = PyErr::take(py);
            // SAFETY: as above.
            let functions = unsafe { &*data.cast::<Functions>() };
            if let Err(raised) = functions.deallocate.call1(py, (pointer, bytes, device, stream.addr())) {
                raised.write_unraisable(py, Some(functions.deallocate.bind(py)));
            }
            if let Some(pending) = pending {
                pending.restore(py);
            }
        });
    });
}

unsafe extern "C" fn release(data: *mut c_void) {
    with_interpreter(|| {
        // SAFETY: boxed by `set_allocator`, and given up once.
        attached(|_| drop(unsafe { Box::from_raw(data.cast::<Functions>()) }));
    });
}

/// Where device memory comes from: from `give(nbytes, device, stream)`, back to `take(pointer, nbytes, device, stream)`; `None` both: the devices' pools.
#[pyfunction]
fn set_allocator(py: Python<'_>, give: Option<Py<PyAny>>, take: Option<Py<PyAny>>) -> PyResult<()> {
    let table = match (give, take) {
        (None, None) => None,
        (Some(give), Some(take)) if !(give.bind(py).is_callable() && take.bind(py).is_callable()) => {
            return Err(PyTypeError::new_err("an allocator is two functions"));
        }
        (Some(give), Some(take)) => {
            let functions = Box::new(Functions { allocate: give, deallocate: take });
            Some(AllocatorTable { data: Box::into_raw(functions).cast(), allocate, deallocate, release })
        }
        _ => return Err(PyValueError::new_err("an allocator gives memory and takes it back")),
    };
    let given =
        streams::SendPointer(table.as_ref().map_or(std::ptr::null_mut(), |table| std::ptr::from_ref(table).cast_mut()));
    // SAFETY: a table or null; the runtime copies it.
    let chosen = streams::detached(py, move |runtime, error| unsafe { (runtime.set_allocator)(given.get(), error) });
    if let (Err(_), Some(table)) = (&chosen, &table) {
        // SAFETY: boxed above; the runtime did not take it.
        unsafe { release(table.data) };
    }
    chosen
}

pub(crate) fn register(native: &Bound<'_, PyModule>) -> PyResult<()> {
    native.add_function(wrap_pyfunction!(set_allocator, native)?)
}
