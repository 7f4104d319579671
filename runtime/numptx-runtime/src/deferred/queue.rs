//! What is put off, for all threads: a list without a lock, and how many are at it. A thread does what nobody else comes for.
//!
//! In: pieces of work, from any thread. Out: each is done once, by who comes first. What a piece is, and when the process is over, others say: the
//! models of `runtime/models` go through all of it.

use std::cell::Cell;
use std::convert::Infallible;
use std::time::Duration;

use crate::first_use::FirstUse;
use crate::lock::{lock, wait, wait_at_most};
use crate::sync::{AtomicPtr, Condvar, Mutex, Ordering, Thread, park, park_timeout, thread_local};

/// What the process is doing.
pub(crate) trait Process {
    /// Nothing begins any more: it ends, or is a child.
    fn is_over(&self) -> bool;

    /// It was forked: locks may be held by threads that are not there.
    fn is_child(&self) -> bool;
}

struct Node<W> {
    work: W,
    next: *mut Node<W>,
}

/// Work that was put off.
pub(crate) struct DeferredQueue<W> {
    /// Newest first.
    first: AtomicPtr<Node<W>>,
    /// `None`: the system has no more threads, and who comes does the work.
    worker: FirstUse<Option<Thread>>,
    /// How many threads are at work.
    at_work: Mutex<usize>,
    /// One of them has done it.
    is_done: Condvar,
}

thread_local! {
    /// Whether this thread is at work.
    static IS_AT_WORK: Cell<bool> = const { Cell::new(false) };
    /// Whether this thread is a queue's own.
    static IS_WORKER: Cell<bool> = const { Cell::new(false) };
}

/// How soon what could not be done is tried again, first and at last.
const PAUSES: (Duration, Duration) = (Duration::from_millis(10), Duration::from_secs(1));

impl<W: Send> DeferredQueue<W> {
    pub(crate) const fn new() -> DeferredQueue<W> {
        DeferredQueue {
            first: AtomicPtr::new(std::ptr::null_mut()),
            worker: FirstUse::new(),
            at_work: Mutex::new(0),
            is_done: Condvar::new(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.first.load(Ordering::Relaxed).is_null()
    }

    /// Work may be put off from now on: `start` starts the thread for it, which calls [`DeferredQueue::serve`]. Threads that come meanwhile wait until
    /// it is known, so that what they put off wakes it.
    pub(crate) fn expect(&self, start: impl FnOnce() -> Option<Thread>) {
        let Ok(_worker) = self.worker.get_or_make(|| Ok::<_, Infallible>(start()));
    }

    /// Puts work off, which was expected. Neither blocks nor calls anybody.
    pub(crate) fn push(&self, work: W) {
        let node = Box::into_raw(Box::new(Node { work, next: std::ptr::null_mut() }));
        let mut first = self.first.load(Ordering::Relaxed);
        loop {
            // SAFETY: nobody else knows the node yet.
            unsafe { (*node).next = first };
            match self.first.compare_exchange_weak(first, node, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => break,
                Err(now) => first = now,
            }
        }
        self.wake();
    }

    /// The queue's thread looks what there is to do. What it puts off itself could not be done, and waits for its next try.
    pub(crate) fn wake(&self) {
        if let Some(Some(worker)) = self.worker.get()
            && !IS_WORKER.with(Cell::get)
        {
            worker.unpark();
        }
    }

    /// Does what was put off, as far as nobody else is at it.
    #[inline]
    pub(crate) fn catch_up(&self, process: &impl Process, run: impl FnMut(W)) {
        if !self.is_empty() {
            self.do_all(process, run, || ());
        }
    }

    /// The same, and something else that may be there to do.
    pub(crate) fn do_all(&self, process: &impl Process, mut run: impl FnMut(W), also: impl FnOnce()) {
        if process.is_over() {
            return;
        }
        let _at_work = WorkGuard::begin(self, process);
        // A process that ends looks once for those who are at work: who begins after that sees here that it ends.
        if process.is_over() {
            return;
        }
        let mut next = self.first.swap(std::ptr::null_mut(), Ordering::Acquire);
        while !next.is_null() {
            // SAFETY: taken off the list, so that it is ours.
            let node = unsafe { Box::from_raw(next) };
            next = node.next;
            run(node.work);
        }
        also();
    }

    /// Waits for all who are at work. Who is at it does not wait: they would wait for one another.
    pub(crate) fn wait_for_others(&self, process: &impl Process) {
        if process.is_over() || IS_AT_WORK.with(Cell::get) {
            return;
        }
        let mut n = lock(&self.at_work);
        while *n > 0 {
            n = wait(&self.is_done, n);
        }
    }

    /// The process is over, and says so: nobody begins any more. Waits for those who are at work, but not for long: they may want what the ending
    /// thread has.
    pub(crate) fn end(&self, process: &impl Process, patience: Duration) {
        let is_at_work = IS_AT_WORK.try_with(Cell::get).unwrap_or(true);
        if self.worker.get().is_none() || process.is_child() || is_at_work {
            return;
        }
        drop(wait_at_most(&self.is_done, lock(&self.at_work), patience, |n| *n > 0));
    }

    /// What the queue's thread does until the process is over: `run`, where there is work here or, as `has_more` tells, elsewhere.
    pub(crate) fn serve(&self, process: &impl Process, has_more: impl Fn() -> bool, mut run: impl FnMut()) {
        IS_WORKER.with(|is_worker| is_worker.set(true));
        let mut pause = PAUSES.0;
        while !process.is_over() {
            if self.is_empty() && !has_more() {
                pause = PAUSES.0;
                park();
            } else {
                park_timeout(pause);
                pause = (2 * pause).min(PAUSES.1);
            }
            run();
        }
    }
}

/// One thread more at work, until dropped.
struct WorkGuard<'a, W, P: Process> {
    queue: &'a DeferredQueue<W>,
    process: &'a P,
    outer: bool,
}

impl<'a, W, P: Process> WorkGuard<'a, W, P> {
    fn begin(queue: &'a DeferredQueue<W>, process: &'a P) -> WorkGuard<'a, W, P> {
        *lock(&queue.at_work) += 1;
        WorkGuard { queue, process, outer: IS_AT_WORK.with(|is_at_work| is_at_work.replace(true)) }
    }
}

impl<W, P: Process> Drop for WorkGuard<'_, W, P> {
    fn drop(&mut self) {
        IS_AT_WORK.with(|is_at_work| is_at_work.set(self.outer));
        // Work may have forked: nobody waits in the child, where another thread may have the lock for ever.
        if self.process.is_child() {
            return;
        }
        *lock(&self.queue.at_work) -= 1;
        self.queue.is_done.notify_all();
    }
}
