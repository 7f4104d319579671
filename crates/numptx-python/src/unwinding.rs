//! Threads that CPython ends while they are inside of numptx: they wait for the end of the process.
//!
//! In: an interpreter that goes while other threads run Python code that numptx called, or want the lock back. Out: no frame of Rust is unwound by
//! force, nothing is said, and the process ends with its own status.
//!
//! CPython 3.11 to 3.13 end a thread that asks for the lock of an interpreter that is going by `pthread_exit`, which unwinds the thread's stack by
//! force. Frames of Rust do not survive that: `catch_unwind`, functions that are `extern "C"`, and calls of functions that are said not to unwind
//! all abort the process. CPython does it wherever a thread asks for the lock: after `time.sleep` in a `__float__`, between two bytecodes of a
//! `__dlpack__`, in the destructor of whatever is let go. No look before a call finds that out, because the interpreter may go during the call.
//!
//! So the unwinder itself is met. It asks the frames' personality routine, the innermost frame first, before anything is done to a frame. All frames
//! of this library have one routine, and find it through one pointer in its data, [`install`] puts [`personality`] there, which keeps a thread that is
//! unwound by force while the interpreter goes. The thread has no lock of the interpreter then. Frames that name no routine have nothing to clean up,
//! and are passed. That holds for every call of CPython from here, by whatever path, and for all that is called inside of it.
//!
//! Frames of the runtime library have a routine of their own. It calls CPython through this library alone: the functions that it is given run inside of
//! [`within`], which is a frame that names our routine. CPython 3.14 keeps such threads itself.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicPtr, Ordering};
use std::time::Duration;

use pyo3::ffi;

/// The routine's type, as the C++ ABI for Itanium has it.
type Personality = unsafe extern "C" fn(c_int, c_int, u64, *mut c_void, *mut c_void) -> c_int;

/// `_UA_FORCE_UNWIND`
const FORCED: c_int = 8;

/// The routine that Rust's standard library has.
static OF_RUST: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());

/// The pointer through which this library's frames find their routine.
fn slot() -> &'static AtomicPtr<c_void> {
    let slot: *const AtomicPtr<c_void>;
    // SAFETY: takes an address and nothing else. The compiler makes this variable in each library that has frames to clean up.
    unsafe {
        std::arch::asm!(
            "lea {slot}, [rip + DW.ref.rust_eh_personality]",
            slot = out(reg) slot,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    // SAFETY: it lies in the library's data, which may be written, as long as the library; others only read it.
    unsafe { &*slot }
}

/// Keeps threads that are ended inside of this library's frames, from now on. Idempotent.
pub(crate) fn install() {
    let ours = personality as Personality as *mut c_void;
    let before = slot().load(Ordering::Acquire);
    if before != ours {
        OF_RUST.store(before, Ordering::Release);
        slot().store(ours, Ordering::Release);
    }
}

unsafe extern "C" fn personality(
    version: c_int,
    actions: c_int,
    class: u64,
    exception: *mut c_void,
    context: *mut c_void,
) -> c_int {
    if actions & FORCED != 0 && is_of_the_end() {
        stay();
    }
    // SAFETY: `install` stored Rust's own routine, which is of this type, before anybody could get here.
    unsafe {
        let of_rust = std::mem::transmute::<*mut c_void, Personality>(OF_RUST.load(Ordering::Acquire));
        of_rust(version, actions, class, exception, context)
    }
}

/// Whether the interpreter is going. It says so a moment after it begins to end threads.
fn is_of_the_end() -> bool {
    for _ in 0..1000 {
        if is_finalizing() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    false
}

/// Whether the interpreter is going, or gone: threads that ask for its lock do not come back, but for the one that ends it.
pub(crate) fn is_finalizing() -> bool {
    // SAFETY: may be called at any time.
    unsafe { ffi::Py_IsInitialized() == 0 }
}

/// Waits for the end of the process.
fn stay() -> ! {
    loop {
        // SAFETY: always safe to call.
        unsafe { libc::pause() };
    }
}

/// Keeps the thread that unwinds over it.
struct StayGuard;

impl Drop for StayGuard {
    fn drop(&mut self) {
        stay();
    }
}

/// Runs what may call CPython, in a frame that names this library's routine.
pub(crate) fn within<T>(run: impl FnOnce() -> T) -> T {
    let stays = StayGuard;
    let outcome = run();
    // A call that nobody can know not to unwind, by whatever name it is declared elsewhere: so the frame has something to clean up, and a routine.
    std::hint::black_box(nothing as extern "C-unwind" fn())();
    std::mem::forget(stays);
    outcome
}

extern "C-unwind" fn nothing() {}
