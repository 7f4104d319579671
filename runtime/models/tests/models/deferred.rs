//! Threads that put work off, do it, wait for it, end the process, and fork it.

use std::time::Duration;

use shuttle::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use shuttle::sync::{Arc, Condvar, Mutex};
use shuttle::thread;

use crate::deferred::queue::{DeferredQueue, Process};
use crate::orders;
use crate::sync::{fork, is_child};

/// What a piece of work does besides being done.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain,
    /// Puts another piece off, and waits for all work as an owner's code may.
    Calls(usize),
    /// Goes on in a forked process.
    Forks,
    /// Cannot be done before [`Runtime::allow`].
    Waits,
}

/// What the runtime is to the queue, and what happened.
struct Runtime {
    queue: DeferredQueue<usize>,
    kinds: Vec<Kind>,
    /// How often each piece was done.
    done: Vec<AtomicUsize>,
    n_done: Mutex<usize>,
    is_another_done: Condvar,
    under_way: AtomicUsize,
    workers: AtomicUsize,
    is_allowed: AtomicBool,
    is_over: AtomicBool,
    /// The ending thread has seen that nothing is under way.
    has_ended: AtomicBool,
}

impl Process for Runtime {
    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::SeqCst) || is_child()
    }

    fn is_child(&self) -> bool {
        is_child()
    }
}

impl Runtime {
    fn new(kinds: &[Kind]) -> Arc<Runtime> {
        Arc::new(Runtime {
            queue: DeferredQueue::new(),
            kinds: kinds.to_vec(),
            done: kinds.iter().map(|_| AtomicUsize::new(0)).collect(),
            n_done: Mutex::new(0),
            is_another_done: Condvar::new(),
            under_way: AtomicUsize::new(0),
            workers: AtomicUsize::new(0),
            is_allowed: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
            has_ended: AtomicBool::new(false),
        })
    }

    fn put_off(self: &Arc<Self>, piece: usize) {
        self.queue.expect(|| {
            self.workers.fetch_add(1, Ordering::SeqCst);
            let runtime = self.clone();
            let worker = thread::spawn(move || runtime.queue.serve(&*runtime, || false, || runtime.do_all()));
            Some(worker.thread().clone())
        });
        self.queue.push(piece);
    }

    fn catch_up(self: &Arc<Self>) {
        self.queue.catch_up(&**self, |piece| self.run(piece));
    }

    fn do_all(self: &Arc<Self>) {
        self.queue.do_all(&**self, |piece| self.run(piece), || ());
    }

    fn settle(self: &Arc<Self>) {
        self.do_all();
        self.queue.wait_for_others(&**self);
    }

    fn end(&self) {
        self.is_over.store(true, Ordering::SeqCst);
        self.queue.end(self, Duration::MAX);
        self.has_ended.store(true, Ordering::SeqCst);
        assert_eq!(self.under_way.load(Ordering::SeqCst), 0, "the process ends beside work that was put off");
    }

    fn run(self: &Arc<Self>, piece: usize) {
        self.under_way.fetch_add(1, Ordering::SeqCst);
        assert!(is_child() || !self.has_ended.load(Ordering::SeqCst), "work begins after the end");
        match self.kinds[piece] {
            Kind::Waits if !self.is_allowed.load(Ordering::SeqCst) => {
                self.put_off(piece);
                self.under_way.fetch_sub(1, Ordering::SeqCst);
                return;
            }
            Kind::Plain | Kind::Waits => {}
            Kind::Calls(other) => {
                self.put_off(other);
                self.settle();
            }
            Kind::Forks => fork(),
        }
        assert_eq!(self.done[piece].fetch_add(1, Ordering::SeqCst), 0, "piece {piece} is done twice");
        self.under_way.fetch_sub(1, Ordering::SeqCst);
        *self.n_done.lock().expect("no model panics under the lock") += 1;
        self.is_another_done.notify_all();
    }

    /// Waits until all pieces are done, and does nothing for it.
    fn wait(&self) {
        let n = self.n_done.lock().expect("no model panics under the lock");
        let all = self.kinds.len();
        drop(self.is_another_done.wait_while(n, |n| *n < all).expect("no model panics under the lock"));
    }

    /// The model is over: the queue's thread ends.
    fn close(&self) {
        self.is_over.store(true, Ordering::SeqCst);
        self.queue.wake();
    }

    fn is_done(&self, piece: usize) -> bool {
        self.done[piece].load(Ordering::SeqCst) == 1
    }
}

/// Threads that run each of some functions; they are over when this returns.
fn side_by_side(runtime: &Arc<Runtime>, functions: &[fn(&Arc<Runtime>)]) {
    let threads: Vec<_> = functions
        .iter()
        .map(|function| {
            let (runtime, function) = (runtime.clone(), *function);
            thread::spawn(move || function(&runtime))
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().expect("the thread does not panic"));
}

#[test]
fn what_is_put_off_is_done_once_whoever_comes_first() {
    let model = || {
        let runtime = Runtime::new(&[Kind::Plain; 4]);
        let first: fn(&Arc<Runtime>) = |runtime| {
            runtime.put_off(0);
            runtime.put_off(1);
            runtime.catch_up();
        };
        let second: fn(&Arc<Runtime>) = |runtime| {
            runtime.put_off(2);
            runtime.catch_up();
            runtime.put_off(3);
        };
        side_by_side(&runtime, &[first, second, Runtime::catch_up]);
        runtime.settle();
        assert!((0..4).all(|piece| runtime.is_done(piece)), "a piece is lost");
        runtime.close();
    };
    shuttle::check_pct(model, orders(10_000), 3);
}

#[test]
fn what_nobody_comes_for_is_done_by_the_one_thread_for_it() {
    let model = || {
        let runtime = Runtime::new(&[Kind::Plain; 3]);
        side_by_side(&runtime, &[|runtime| runtime.put_off(0), |runtime| runtime.put_off(1)]);
        runtime.put_off(2);
        runtime.wait();
        assert_eq!(runtime.workers.load(Ordering::SeqCst), 1);
        runtime.close();
    };
    shuttle::check_pct(model, orders(10_000), 3);
    shuttle::check_random(model, orders(10_000));
}

#[test]
fn what_cannot_be_done_is_tried_again_without_a_call() {
    let model = || {
        let runtime = Runtime::new(&[Kind::Waits, Kind::Plain]);
        runtime.put_off(0);
        side_by_side(
            &runtime,
            &[
                |runtime| runtime.put_off(1),
                |runtime| {
                    runtime.catch_up();
                    runtime.is_allowed.store(true, Ordering::SeqCst);
                },
            ],
        );
        runtime.wait();
        runtime.close();
    };
    shuttle::check_pct(model, orders(10_000), 3);
}

#[test]
fn who_waits_finds_done_what_was_put_off_before() {
    let model = || {
        let runtime = Runtime::new(&[Kind::Plain; 2]);
        let first: fn(&Arc<Runtime>) = |runtime| {
            runtime.put_off(0);
            runtime.settle();
            assert!(runtime.is_done(0), "a wait ends before the work");
        };
        let second: fn(&Arc<Runtime>) = |runtime| {
            runtime.put_off(1);
            runtime.settle();
            assert!(runtime.is_done(1), "a wait ends before the work");
        };
        side_by_side(&runtime, &[first, second]);
        runtime.close();
    };
    shuttle::check_pct(model, orders(10_000), 3);
    shuttle::check_random(model, orders(10_000));
}

#[test]
fn who_is_at_work_waits_for_nobody() {
    let model = || {
        let runtime = Runtime::new(&[Kind::Calls(2), Kind::Calls(3), Kind::Plain, Kind::Plain]);
        let first: fn(&Arc<Runtime>) = |runtime| {
            runtime.put_off(0);
            runtime.settle();
        };
        let second: fn(&Arc<Runtime>) = |runtime| {
            runtime.put_off(1);
            runtime.catch_up();
        };
        side_by_side(&runtime, &[first, second]);
        runtime.wait();
        runtime.close();
    };
    shuttle::check_pct(model, orders(10_000), 3);
}

#[test]
fn nothing_begins_after_the_end_and_what_began_is_waited_for() {
    let model = || {
        let runtime = Runtime::new(&[Kind::Plain; 3]);
        runtime.put_off(0);
        let first: fn(&Arc<Runtime>) = |runtime| {
            runtime.put_off(1);
            runtime.catch_up();
        };
        let second: fn(&Arc<Runtime>) = |runtime| {
            runtime.put_off(2);
            runtime.settle();
        };
        side_by_side(&runtime, &[first, second, |runtime| runtime.end()]);
        assert!(runtime.done.iter().all(|done| done.load(Ordering::SeqCst) <= 1));
        runtime.close();
    };
    shuttle::check_pct(model, orders(10_000), 3);
    shuttle::check_random(model, orders(10_000));
}

#[test]
fn a_forked_process_waits_for_nobody() {
    let model = || {
        let runtime = Runtime::new(&[Kind::Forks, Kind::Plain]);
        let forks: fn(&Arc<Runtime>) = |runtime| {
            runtime.put_off(0);
            runtime.catch_up();
            if is_child() {
                runtime.catch_up();
                runtime.settle();
                runtime.queue.end(&**runtime, Duration::MAX);
            }
        };
        let goes_on: fn(&Arc<Runtime>) = |runtime| {
            runtime.put_off(1);
            runtime.catch_up();
        };
        side_by_side(&runtime, &[forks, goes_on]);
        runtime.close();
    };
    shuttle::check_pct(model, orders(10_000), 3);
}
