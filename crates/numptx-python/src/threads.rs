//! What the package keeps for a thread of Python's: it goes with the thread.
//!
//! In: streams that the thread uses. Out: the same, on that thread. They lie behind a capsule in the interpreter's own state of the thread, which is
//! cleared with the interpreter attached: a destructor of the system's thread would have to ask for the interpreter's lock when it may be too late.

use std::cell::{Cell, RefCell};
use std::ffi::CStr;

use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

use crate::borrowed_stream::RecentStream;
use crate::call::attached;
use crate::streams::StreamBlock;

const NAME: &CStr = c"numptx.thread";

/// What is kept for a thread.
#[derive(Default)]
pub(crate) struct ThreadState {
    /// Another library's stream that the thread used last.
    pub last_foreign: RefCell<Option<RecentStream>>,
    /// The streams of its `with` blocks, innermost last.
    pub entered: RefCell<Vec<StreamBlock>>,
}

thread_local! {
    /// Where that lies; null: nothing is kept yet, or no more.
    static KEPT: Cell<*const ThreadState> = const { Cell::new(std::ptr::null()) };
}

/// Does something with what is kept for this thread. It is borrowed for a moment only: dropping what it held may run Python code.
pub(crate) fn kept<T>(py: Python<'_>, run: impl FnOnce(&ThreadState) -> T) -> PyResult<T> {
    if KEPT.get().is_null() {
        make(py)?;
    }
    // SAFETY: the capsule of this thread's state keeps it, and resets the pointer before it goes; both happen on this thread.
    Ok(run(unsafe { &*KEPT.get() }))
}

/// The same, where something is kept.
pub(crate) fn kept_so_far<T>(run: impl FnOnce(&ThreadState) -> T) -> Option<T> {
    // SAFETY: as above.
    unsafe { KEPT.get().as_ref() }.map(run)
}

#[cold]
fn make(py: Python<'_>) -> PyResult<()> {
    let kept = Box::into_raw(Box::<ThreadState>::default());
    // SAFETY: the interpreter is attached; the capsule takes over what it points to, and the dictionary the capsule.
    unsafe {
        let capsule = ffi::PyCapsule_New(kept.cast(), NAME.as_ptr(), Some(forget));
        if capsule.is_null() {
            drop(Box::from_raw(kept));
            return Err(PyErr::fetch(py));
        }
        let capsule = Bound::from_owned_ptr(py, capsule);
        let state = ffi::PyThreadState_GetDict();
        if state.is_null() {
            return Err(PyRuntimeError::new_err("numptx: the interpreter has no state of this thread"));
        }
        if ffi::PyDict_SetItemString(state, NAME.as_ptr(), capsule.as_ptr()) != 0 {
            return Err(PyErr::fetch(py));
        }
    }
    KEPT.set(kept);
    Ok(())
}

/// The thread's state goes: on the thread itself, or where its thread is gone and can ask for nothing any more.
unsafe extern "C" fn forget(capsule: *mut PyObject) {
    // SAFETY: a capsule of `make`, whose box it owns.
    unsafe {
        let kept = ffi::PyCapsule_GetPointer(capsule, NAME.as_ptr()).cast::<ThreadState>();
        if std::ptr::eq(KEPT.get(), kept) {
            KEPT.set(std::ptr::null());
            crate::streams::leave_all();
        }
        // See Note [Attached, and known to be] in `call`.
        attached(|_| drop(Box::from_raw(kept)));
    }
}
