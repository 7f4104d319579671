//! Work that could not be done where it came up: frees during a capture, and what a graph kept alive.
//!
//! In: from any thread, from the driver's own as well, without a lock. Out: done at the next call of the runtime from outside, or by a thread of our
//! own, whichever comes first: what a graph kept goes though nobody calls any more. The thread starts with the first work that may come up, sleeps
//! while there is none, and tries again, ever more rarely, what still cannot be done. After shutdown and in a forked child all is left alone.

mod queue;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::Thread;
use std::time::Duration;

use crate::device::Device;
use crate::recording::Bundle;
use crate::stream::{Stream, StreamUse};
use crate::{pending_free, process};
use queue::{DeferredQueue, Process};

/// What is to be done later.
pub(crate) enum DeferredWork {
    /// What a graph used is let go: its last executable is gone.
    Drop(Box<Bundle>),
    /// Device memory is freed.
    Free { device: &'static Device, pointer: u64, home: Stream, others: Vec<StreamUse> },
}

static QUEUE: DeferredQueue<DeferredWork> = DeferredQueue::new();

/// The process that this code runs in.
struct ThisProcess;

impl Process for ThisProcess {
    fn is_over(&self) -> bool {
        process::leaves_devices_alone()
    }

    fn is_child(&self) -> bool {
        process::inherited_driver()
    }
}

/// Puts work off. Neither blocks nor calls anybody.
pub(crate) fn put_off(work: DeferredWork) {
    QUEUE.push(work);
}

/// Our thread looks what there is to do.
pub(crate) fn wake() {
    QUEUE.wake();
}

/// Work may be put off from now on: there is a thread for it. Not to be called by the driver's threads.
pub(crate) fn expect_work() {
    QUEUE.expect(start);
}

fn start() -> Option<Thread> {
    let thread = std::thread::Builder::new().name("numptx-later".to_string()).stack_size(STACK_BYTES);
    without_signals(|| thread.spawn(serve)).ok().map(|started| started.thread().clone())
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
fn serve() {
    QUEUE.serve(&ThisProcess, pending_free::is_ready, || {
        // A panic could only be our bug; what it left undone is leaked.
        let _ = catch_unwind(AssertUnwindSafe(do_all));
    });
}

/// Does what was put off, and frees what is free, as far as it can be done now.
fn do_all() {
    QUEUE.do_all(&ThisProcess, run, pending_free::free_ready);
}

fn run(work: DeferredWork) {
    match work {
        DeferredWork::Drop(bundle) => drop(bundle),
        DeferredWork::Free { device, pointer, home, others } => device.free(pointer, &home, others),
    }
}

/// Does what was put off, as far as it can be done now, and nobody else is at it.
pub(crate) fn catch_up() {
    QUEUE.catch_up(&ThisProcess, run);
}

/// The same, and waits for those who are at it. The caller has no lock, the interpreter's neither: owners may want that. Who is at it does not wait.
pub(crate) fn settle() {
    do_all();
    QUEUE.wait_for_others(&ThisProcess);
}

/// The process ends: what is under way is waited for, but not for long, because it may want what the ending thread has. Nothing begins any more.
pub(crate) fn end() {
    const PATIENCE: Duration = Duration::from_millis(200);
    QUEUE.end(&ThisProcess, PATIENCE);
}
