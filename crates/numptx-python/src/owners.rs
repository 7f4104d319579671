//! What keeps memory of other libraries alive, as the runtime's buffers hold it: Python objects, DLPack tensors, or nobody.
//!
//! Dropping the last reference may need the interpreter lock on any thread; after the interpreter's end owners are left alone.

use std::ffi::c_void;
use std::sync::atomic::Ordering;

use numptx_abi::OwnerTable;
use pyo3::ffi;

use crate::dlpack::ImportedOwner;
use crate::interrupt;
use crate::unwinding::{is_finalizing, within};

/// Owners that are Python objects.
pub(crate) static OBJECT: OwnerTable = OwnerTable { retain: retain_object, release: release_object };

unsafe extern "C" fn retain_object(object: *mut c_void) {
    // SAFETY: whoever hands the object to a buffer holds a reference; the state makes the lock ours on any thread.
    within(|| unsafe {
        let state = ffi::PyGILState_Ensure();
        ffi::Py_INCREF(object.cast());
        ffi::PyGILState_Release(state);
    });
}

unsafe extern "C" fn release_object(object: *mut c_void) {
    with_interpreter(|| {
        // SAFETY: the buffer held a reference, and the lock is held.
        unsafe { ffi::Py_DECREF(object.cast()) }
    });
}

/// Lets arrays go that only cycles keep, when memory is short.
// What 3.12 has in the place of the deprecated pair is not in the stable ABI of 3.11.
#[allow(deprecated)]
pub(crate) unsafe extern "C" fn collect_garbage() {
    with_interpreter(|| {
        // SAFETY: the lock is held. The collector may be switched off, as programs do against its pauses; a pending exception is put aside, and one
        // that is raised here is nobody's.
        unsafe {
            let (mut kind, mut value, mut trace) = (std::ptr::null_mut(), std::ptr::null_mut(), std::ptr::null_mut());
            ffi::PyErr_Fetch(&mut kind, &mut value, &mut trace);
            let was_off = ffi::PyGC_Enable() == 0;
            interrupt::while_idle(|| {
                ffi::PyGC_Collect();
            });
            if was_off {
                ffi::PyGC_Disable();
            }
            ffi::PyErr_Restore(kind, value, trace);
        }
    });
}

/// Runs something with the interpreter lock, unless the interpreter is going or gone.
pub(crate) fn with_interpreter(run: impl FnOnce()) {
    if is_finalizing() {
        return;
    }
    within(|| {
        // SAFETY: the interpreter is there, or keeps the thread; ensuring nests.
        let state = unsafe { ffi::PyGILState_Ensure() };
        interrupt::outside_of_calls(run);
        // SAFETY: ends what was ensured above.
        unsafe { ffi::PyGILState_Release(state) };
    });
}

/// The owner of what nobody keeps alive.
pub(crate) static NOBODY: OwnerTable = OwnerTable { retain: leave, release: leave };

unsafe extern "C" fn leave(_: *mut c_void) {}

/// Owners that are DLPack tensors; deleters of Python's libraries take the lock themselves, but some expect to have it.
pub(crate) static SHARED: OwnerTable = OwnerTable { retain: retain_shared, release: release_shared };

pub(crate) struct SharedOwner {
    pub count: std::sync::atomic::AtomicUsize,
    pub owner: ImportedOwner,
}

unsafe extern "C" fn retain_shared(shared: *mut c_void) {
    // SAFETY: whoever retains holds a reference.
    unsafe { (*shared.cast::<SharedOwner>()).count.fetch_add(1, Ordering::Relaxed) };
}

pub(crate) unsafe extern "C" fn release_shared(shared: *mut c_void) {
    let shared = shared.cast::<SharedOwner>();
    // SAFETY: the caller holds a reference.
    if unsafe { (*shared).count.fetch_sub(1, Ordering::AcqRel) } > 1 {
        return;
    }
    with_interpreter(|| {
        // SAFETY: that was the last reference.
        let last = unsafe { Box::from_raw(shared) };
        drop(last.owner);
    });
}
