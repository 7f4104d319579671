//! Work that could not be done where it came up: frees during a capture, and what a graph kept alive.
//!
//! In: from any thread, from the driver's own as well, without a lock. Out: done at the next call of the runtime from outside, or by a thread of our
//! own, whichever comes first: what a graph kept goes though nobody calls any more. The thread starts with the first work that may come up, sleeps
//! while there is none, and tries again, ever more rarely, what still cannot be done. After shutdown and in a forked child all is left alone.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};
use std::thread::Thread;
use std::time::Duration;

use crate::device::Device;
use crate::lock::{lock, wait};
use crate::recording::Bundle;
use crate::stream::{Stream, StreamUse};
use crate::{pending_free, process};

/// What is to be done later.
pub(crate) enum DeferredWork {
    /// What a graph used is let go: its last executable is gone.
    Drop(Box<Bundle>),
    /// Device memory is freed.
    Free { device: &'static Device, pointer: u64, home: Stream, others: Vec<StreamUse> },
}

struct Node {
    work: DeferredWork,
    next: *mut Node,
}

/// Newest first.
static FIRST: AtomicPtr<Node> = AtomicPtr::new(std::ptr::null_mut());
/// Our thread; `None`: the system has no more threads, and calls do the work.
static WORKER: OnceLock<Option<Thread>> = OnceLock::new();
/// How many threads are at work that was put off.
static AT_WORK: Mutex<usize> = Mutex::new(0);
/// One of them has done it.
static DONE: Condvar = Condvar::new();

thread_local! {
    /// Whether this thread is one of them.
    static IS_AT_WORK: Cell<bool> = const { Cell::new(false) };
    /// Whether this is our thread.
    static IS_OURS: Cell<bool> = const { Cell::new(false) };
}

/// How soon what could not be done is tried again, first and at last.
const PAUSES: (Duration, Duration) = (Duration::from_millis(10), Duration::from_secs(1));

/// Puts work off. Neither blocks nor calls anybody.
pub(crate) fn put_off(work: DeferredWork) {
    let node = Box::into_raw(Box::new(Node { work, next: std::ptr::null_mut() }));
    let mut first = FIRST.load(Ordering::Relaxed);
    loop {
        // SAFETY: nobody else knows the node yet.
        unsafe { (*node).next = first };
        match FIRST.compare_exchange_weak(first, node, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => break,
            Err(now) => first = now,
        }
    }
    wake();
}

/// Our thread looks what there is to do. What it puts off itself it tries again after a pause.
pub(crate) fn wake() {
    if let Some(Some(worker)) = WORKER.get()
        && !IS_OURS.try_with(Cell::get).unwrap_or(false)
    {
        worker.unpark();
    }
}

/// Work may be put off from now on: there is a thread for it. Not to be called by the driver's threads.
pub(crate) fn expect_work() {
    WORKER.get_or_init(|| {
        let thread = std::thread::Builder::new().name("numptx-later".to_string()).stack_size(STACK_BYTES);
        without_signals(|| thread.spawn(work)).ok().map(|started| started.thread().clone())
    });
}

/// Owners that are let go may run anything.
const STACK_BYTES: usize = 8 << 20;

/// Runs something while this thread takes no signals, and threads that it starts never do: handlers are the program's threads' business.
fn without_signals<T>(run: impl FnOnce() -> T) -> T {
    let mut before = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
    let mut all = before;
    // SAFETY: both sets are locals, and filled before they are read; the thread's own set comes back.
    unsafe {
        libc::sigfillset(all.as_mut_ptr());
        // A thread's own faults are told as everywhere.
        for fault in
            [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGABRT, libc::SIGTRAP, libc::SIGSYS]
        {
            libc::sigdelset(all.as_mut_ptr(), fault);
        }
        let is_set = libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr()) == 0;
        let outcome = run();
        if is_set {
            libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), std::ptr::null_mut());
        }
        outcome
    }
}

/// What our thread does until the process ends.
fn work() {
    IS_OURS.set(true);
    let mut pause = PAUSES.0;
    while !process::leaves_devices_alone() {
        if FIRST.load(Ordering::Relaxed).is_null() && !pending_free::is_ready() {
            pause = PAUSES.0;
            std::thread::park();
        } else {
            std::thread::park_timeout(pause);
            pause = (2 * pause).min(PAUSES.1);
        }
        // A panic could only be our bug; what it left undone is leaked.
        let _ = catch_unwind(AssertUnwindSafe(|| {
            catch_up();
            pending_free::free_ready();
        }));
    }
}

/// One thread more at work, until dropped.
struct WorkGuard {
    outer: bool,
}

impl WorkGuard {
    fn begin() -> WorkGuard {
        *lock(&AT_WORK) += 1;
        WorkGuard { outer: IS_AT_WORK.replace(true) }
    }
}

impl Drop for WorkGuard {
    fn drop(&mut self) {
        IS_AT_WORK.set(self.outer);
        *lock(&AT_WORK) -= 1;
        DONE.notify_all();
    }
}

/// Does what was put off, as far as it can be done now, and nobody else is at it.
#[inline]
pub(crate) fn catch_up() {
    if !FIRST.load(Ordering::Relaxed).is_null() {
        catch_up_now();
    }
}

#[cold]
#[inline(never)]
fn catch_up_now() {
    if process::leaves_devices_alone() {
        return;
    }
    let _at_work = WorkGuard::begin();
    let mut next = FIRST.swap(std::ptr::null_mut(), Ordering::Acquire);
    while !next.is_null() {
        // SAFETY: taken off the list, so that it is ours.
        let node = unsafe { Box::from_raw(next) };
        next = node.next;
        match node.work {
            DeferredWork::Drop(bundle) => drop(bundle),
            DeferredWork::Free { device, pointer, home, others } => device.free(pointer, &home, others),
        }
    }
}

/// The same, and waits for those who are at it. The caller has no lock, the interpreter's neither: owners may want that. Who is at it does not wait.
pub(crate) fn settle() {
    catch_up();
    if !process::leaves_devices_alone() {
        pending_free::free_ready();
    }
    if process::leaves_devices_alone() || IS_AT_WORK.get() {
        return;
    }
    let mut n = lock(&AT_WORK);
    while *n > 0 {
        n = wait(&DONE, n);
    }
}

/// The process ends: what is under way is waited for, but not for long, because it may want what the ending thread has. Nothing begins any more.
pub(crate) fn end() {
    const PATIENCE: Duration = Duration::from_millis(200);
    if WORKER.get().is_none() || process::inherited_driver() || IS_AT_WORK.try_with(Cell::get).unwrap_or(true) {
        return;
    }
    let n = AT_WORK.lock().unwrap_or_else(PoisonError::into_inner);
    let _ = DONE.wait_timeout_while(n, PATIENCE, |n| *n > 0);
}
