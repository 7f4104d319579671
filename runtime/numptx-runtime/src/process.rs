//! What the process is doing: alive, shut down, or a forked child of a process that had opened the driver.
//!
//! A forked child must not touch its parent's driver state: the driver answers with wrong codes or crashes there.
//! A child has the thread that forked and no other: a lock that another one held would be held there for good. The locks that calls on the CPU wait
//! for are taken before the fork, and launches of the thread that forks are between two ranges; all else that the hooks do is to store atomics, as a
//! fork handler must.

use std::ffi::c_int;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

static DRIVER_TOUCHED: AtomicBool = AtomicBool::new(false);
static INHERITED: AtomicBool = AtomicBool::new(false);
static SHUT_DOWN: AtomicBool = AtomicBool::new(false);
/// A function of the binding that tells whether its host is going.
static EXIT_CHECK: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());
static WATCH: Once = Once::new();

/// Whether this is a forked child whose parent had opened the driver.
pub(crate) fn inherited_driver() -> bool {
    INHERITED.load(Ordering::Relaxed)
}

/// Whether device resources are to be left alone: after shutdown, and in a forked child.
pub(crate) fn leaves_devices_alone() -> bool {
    is_shut_down() || inherited_driver()
}

/// From now on device resources are left alone.
pub(crate) fn shut_down() {
    SHUT_DOWN.store(true, Ordering::Relaxed);
}

/// Whether [`shut_down`] was called, or the binding's host is going.
pub(crate) fn is_shut_down() -> bool {
    SHUT_DOWN.load(Ordering::Relaxed) || is_host_going()
}

/// [`numptx_abi::RuntimeTable::set_exit_check`].
pub(crate) fn set_exit_check(function: Option<unsafe extern "C" fn() -> c_int>) {
    EXIT_CHECK.store(function.map_or(std::ptr::null_mut(), |f| f as *mut ()), Ordering::Release);
}

fn is_host_going() -> bool {
    let function = EXIT_CHECK.load(Ordering::Acquire);
    if function.is_null() {
        return false;
    }
    // SAFETY: only `set_exit_check` fills the slot, with a function of this type.
    unsafe { std::mem::transmute::<*mut (), unsafe extern "C" fn() -> c_int>(function)() != 0 }
}

/// Called before the driver is opened.
pub(crate) fn touch_driver() {
    watch_forks();
    DRIVER_TOUCHED.store(true, Ordering::Relaxed);
}

/// Called right after `cuInit`: the driver tears itself down in an exit handler that was registered by then, so ours runs
/// before it and keeps later frees away from a driver that is going.
pub(crate) fn watch_exit() {
    // SAFETY: the handler is an `extern "C"` function that stores an atomic, and waits for a moment where other threads are at our work.
    unsafe { libc::atexit(at_exit) };
}

extern "C" fn at_exit() {
    shut_down();
    crate::deferred::end();
}

/// Registers what a forked child does first. Idempotent.
pub(crate) fn watch_forks() {
    WATCH.call_once(|| {
        // SAFETY: the handlers hold a lock across the fork, which nobody waits for who forks, wait for ranges of this thread's launches, and store atomics.
        unsafe { libc::pthread_atfork(Some(before), Some(in_parent), Some(in_child)) };
    });
}

unsafe extern "C" fn before() {
    // First: workers that are waited for may want the lock.
    crate::pool::pause_for_fork();
    crate::debug::hold_across_fork();
}

unsafe extern "C" fn in_parent() {
    crate::debug::let_go_after_fork();
    crate::pool::go_on_after_fork();
}

unsafe extern "C" fn in_child() {
    crate::debug::let_go_after_fork();
    crate::pool::go_on_after_fork();
    if DRIVER_TOUCHED.load(Ordering::Relaxed) {
        INHERITED.store(true, Ordering::Relaxed);
    }
    crate::pool::forget_in_child();
}
