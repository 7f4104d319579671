//! Driver calls that may keep their thread waiting: whoever makes one lets the binding's lock go before.
//!
//! In: the binding's function, and the name of a call. Out: the interpreter's lock is with others while the device is waited for, whatever the call
//! is a part of: an allocation that has to wait for memory, an image that is loaded, a copy back.

use std::ffi::c_void;
use std::sync::atomic::{AtomicPtr, Ordering};

/// Calls that wait for the device, or take long.
const WAITS: [&str; 12] = [
    "cuInit",
    "cuDevicePrimaryCtxRetain",
    "cuModuleLoadDataEx",
    "cuStreamSynchronize",
    "cuEventSynchronize",
    "cuCtxSynchronize",
    "cuMemPoolTrimTo",
    "cuMemHostAlloc",
    "cuMemFreeHost",
    "cuMemAlloc",
    "cuMemFree",
    "cuGraphInstantiateWithFlags",
];

/// Whether a call is one of those, known when this crate is compiled.
pub(crate) const fn may_wait(call: &str) -> bool {
    let mut at = 0;
    while at < WAITS.len() {
        if is_same(call.as_bytes(), WAITS[at].as_bytes()) {
            return true;
        }
        at += 1;
    }
    false
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}

static BEFORE: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());

/// [`numptx_abi::RuntimeTable::set_before_wait`].
pub(crate) fn set_before(function: Option<unsafe extern "C" fn()>) {
    BEFORE.store(function.map_or(std::ptr::null_mut(), |function| function as *mut c_void), Ordering::Release);
}

/// To be called before the thread may have to wait.
pub(crate) fn before() {
    let function = BEFORE.load(Ordering::Acquire);
    if !function.is_null() {
        // SAFETY: only `set_before` fills the slot, with a function of this type.
        unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn()>(function)() };
    }
}

#[cfg(test)]
mod tests {
    use super::may_wait;

    #[test]
    fn waits_are_told_by_their_whole_name() {
        assert!(may_wait("cuMemFree") && may_wait("cuModuleLoadDataEx"));
        assert!(!may_wait("cuMemFreeAsync") && !may_wait("cuLaunchKernel") && !may_wait(""));
    }
}
