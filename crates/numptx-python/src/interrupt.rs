//! Holding the interpreter lock during a call, or not; and Ctrl-C.
//!
//! A call over much data lets the lock go at once. A short call keeps it, because giving it away can cost more than
//! the call; but when the runtime polls for the first time, the call has turned out long, and the lock goes then.
//!
//! A thread that wants the lock back while the interpreter goes does not come back; see [`crate::unwinding`].

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use pyo3::ffi::{self, PyThreadState};
use pyo3::prelude::*;

use crate::numpy::is_free_threaded;
use crate::unwinding::within;

/// How often signals are looked at, at most.
const PERIOD: Duration = Duration::from_millis(10);

/// The thread on which Python runs signals' handlers.
static MAIN: AtomicUsize = AtomicUsize::new(0);

/// Threads that are inside of the runtime without the lock. Changed with the lock held.
static DETACHED: AtomicUsize = AtomicUsize::new(0);
thread_local! {
    /// Whether this thread is one of them.
    static IS_DETACHED: Cell<bool> = const { Cell::new(false) };
    /// The innermost call that runs on this thread, and may have the lock.
    static CALL: Cell<*mut Interrupt> = const { Cell::new(std::ptr::null_mut()) };
    /// Whether this is the main thread; `None`: nobody has asked.
    static IS_MAIN: Cell<Option<bool>> = const { Cell::new(None) };
}

/// Changes [`DETACHED`], with the lock held: where there is one lock, it keeps others away, and the processors need not agree on an addition.
fn count_detached(by: isize) {
    if is_free_threaded() {
        DETACHED.fetch_add(by.cast_unsigned(), Ordering::SeqCst);
    } else {
        DETACHED.store(DETACHED.load(Ordering::Relaxed).wrapping_add_signed(by), Ordering::Release);
    }
}

/// Whether some thread is inside of the runtime without the lock, and may take references there. Where the interpreter stops all threads that have
/// the lock, the answer stays what it is.
pub(crate) fn is_anybody_detached() -> bool {
    DETACHED.load(Ordering::SeqCst) > 0
}

/// A forked child has none of the threads that were counted but the one that forked.
pub(crate) fn watch_forks() {
    unsafe extern "C" fn in_child() {
        IS_MAIN.set(None);
        MAIN.store(this_thread(), Ordering::Relaxed);
        DETACHED.store(usize::from(IS_DETACHED.get()), Ordering::SeqCst);
    }
    // SAFETY: the handler stores atomics.
    unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
}

/// Runs something with the lock in the middle of a call, which takes no references meanwhile. The call may have let the lock go.
pub(crate) fn while_idle(run: impl FnOnce()) {
    let counted = IS_DETACHED.replace(false);
    if counted {
        count_detached(-1);
    }
    run();
    if counted {
        count_detached(1);
        IS_DETACHED.set(true);
    }
}

fn this_thread() -> usize {
    // SAFETY: always safe to call.
    unsafe { libc::pthread_self() as usize }
}

/// Remembers the thread on which Python runs signals' handlers: the one that began the interpreter, whichever that is.
pub(crate) fn remember_main_thread(py: Python<'_>) -> PyResult<()> {
    let main = py.import("threading")?.call_method0("main_thread")?;
    MAIN.store(main.getattr("ident")?.extract()?, Ordering::Relaxed);
    Ok(())
}

/// Whether signals are looked at on this thread. On one too many nothing comes of it.
fn on_main_thread() -> bool {
    IS_MAIN.get().unwrap_or_else(|| {
        // SAFETY: always safe to call.
        let is_first = unsafe { libc::getpid() == libc::gettid() };
        let is_main = is_first || this_thread() == MAIN.load(Ordering::Relaxed);
        IS_MAIN.set(Some(is_main));
        is_main
    })
}

/// The state of one call, on its thread's stack.
pub(crate) struct Interrupt {
    /// What was saved when the lock was let go; null while it is held.
    saved: *mut PyThreadState,
    looked: Option<Instant>,
}

impl Interrupt {
    /// For a call that begins now, on this thread, with the interpreter attached.
    pub fn new() -> Self {
        Interrupt { saved: std::ptr::null_mut(), looked: None }
    }

    /// Lets the lock go.
    pub fn detach(&mut self) {
        if self.saved.is_null() {
            count_detached(1);
            IS_DETACHED.set(true);
            // SAFETY: the lock is held: nothing is saved.
            self.saved = unsafe { ffi::PyEval_SaveThread() };
        }
    }

    /// Has the lock again, in any case.
    #[inline]
    pub fn attach(&mut self) {
        if !self.saved.is_null() {
            self.take_back();
        }
    }

    fn take_back(&mut self) {
        // SAFETY: `saved` came from `PyEval_SaveThread` on this thread.
        unsafe { ffi::PyEval_RestoreThread(self.saved) };
        self.saved = std::ptr::null_mut();
        IS_DETACHED.set(false);
        count_detached(-1);
    }

    /// Lets signal handlers run, which they do on the main thread alone. True if one raised: the exception is pending then.
    fn signalled(&mut self) -> bool {
        if self.looked.is_some_and(|looked| looked.elapsed() < PERIOD) {
            return false;
        }
        self.looked = Some(Instant::now());
        if !on_main_thread() {
            self.detach();
            return false;
        }
        self.attach();
        // SAFETY: the lock is held.
        let raised = unsafe { ffi::PyErr_CheckSignals() } != 0;
        self.detach();
        raised
    }
}

/// Runs something without the interpreter lock. Where the interpreter is going meanwhile, the thread does not come back. Nothing that Python counts may
/// be dropped inside.
pub(crate) fn detached<T: Send>(_py: Python<'_>, run: impl FnOnce() -> T + Send) -> T {
    let mut lock = Interrupt::new();
    lock.detach();
    let outcome = outside_of_calls(run);
    lock.attach();
    outcome
}

/// Runs a call, whose state the runtime gets at by [`poll`] and [`before_wait`] alone.
#[inline]
pub(crate) fn calling<T>(state: *mut Interrupt, run: impl FnOnce() -> T) -> T {
    let outer = CALL.replace(state);
    let outcome = run();
    CALL.set(outer);
    outcome
}

/// Runs what is no part of the call around it, if there is one: Python code that the call runs has the lock, and keeps it over what it asks of the
/// runtime.
pub(crate) fn outside_of_calls<T>(run: impl FnOnce() -> T) -> T {
    calling(std::ptr::null_mut(), run)
}

/// [`numptx_abi::RuntimeTable::set_before_wait`]: a call that has turned out to wait lets the lock go.
pub(crate) unsafe extern "C" fn before_wait() {
    let call = CALL.get();
    if !call.is_null() {
        // SAFETY: the call runs, and nothing else uses its state on its own thread.
        within(|| unsafe { (*call).detach() });
    }
}

/// [`numptx_abi::InvokeOptions::interrupt`]; `data` is the [`Interrupt`] of a call that runs by [`calling`].
pub(crate) unsafe extern "C" fn poll(data: *mut c_void) -> c_int {
    let interrupt = data.cast::<Interrupt>();
    // On another thread, which works for the call: only its own may take the lock back.
    if CALL.get() != interrupt {
        return 0;
    }
    // SAFETY: the runtime passes what the call gave it, while that call runs; on its own thread nothing else uses its state.
    c_int::from(within(|| outside_of_calls(|| unsafe { (*interrupt).signalled() })))
}
