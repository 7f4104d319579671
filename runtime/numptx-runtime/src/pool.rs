//! The host's thread pool: our own, built on first use, in each process anew.
//!
//! In: a count of units and a function for a range of them. Out: all units done; the calling thread works too, and never waits for a worker that has
//! not begun: what nobody took, it computes. Workers compute with the floating-point state of the launch's caller.
//! `NUMPTX_NUM_THREADS` sets the number of threads; `NUMPTX_SHARE=always` shares work of any size.

mod float;
mod futex;
mod offers;
#[cfg(test)]
mod tests;
mod units;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::time::Duration;

use crate::process;
use offers::{Job, Offer, Pool};
pub(crate) use units::Sizes;
use units::{Pace, Units};

static POOL: AtomicPtr<Pool> = AtomicPtr::new(std::ptr::null_mut());
/// The pool of a thread that is forking, for the parent and the child.
static PAUSED: AtomicPtr<Pool> = AtomicPtr::new(std::ptr::null_mut());

/// Threads that host work is spread over, the calling one included.
pub(crate) fn thread_count() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| {
        let asked = std::env::var("NUMPTX_NUM_THREADS").ok().and_then(|text| text.trim().parse::<usize>().ok());
        let there = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        asked.filter(|n| *n > 0).unwrap_or_else(there).min(1024)
    })
}

/// Whether all work is shared that is more than one range, in the smallest ranges: for tests that compare numbers of threads.
pub(crate) fn shares_always() -> bool {
    static WISH: OnceLock<bool> = OnceLock::new();
    *WISH.get_or_init(|| std::env::var_os("NUMPTX_SHARE").is_some_and(|wish| wish == "always"))
}

/// The process's pool. Where not all workers can be had, there are fewer.
fn pool() -> &'static Pool {
    let built = POOL.load(Ordering::Acquire);
    if !built.is_null() {
        // SAFETY: pools are never freed.
        return unsafe { &*built };
    }
    process::watch_forks();
    let fresh = Box::into_raw(Box::new(Pool::new()));
    match POOL.compare_exchange(std::ptr::null_mut(), fresh, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => {
            // SAFETY: pools are never freed once they are in place.
            let pool: &'static Pool = unsafe { &*fresh };
            start_workers(pool, thread_count() - 1);
            pool
        }
        Err(winner) => {
            // SAFETY: `fresh` was boxed above and nobody else saw it; `winner` is never freed.
            unsafe {
                drop(Box::from_raw(fresh));
                &*winner
            }
        }
    }
}

fn start_workers(pool: &'static Pool, n: usize) {
    for i in 0..n {
        let serve = || {
            pool.serve();
        };
        let started = std::thread::Builder::new().name(format!("numptx-{i}")).spawn(serve);
        if started.is_err() {
            return;
        }
    }
}

/// Before a fork: launches of the forking thread wait, with nobody in the middle of a range.
pub(crate) fn pause_for_fork() {
    let pool = POOL.load(Ordering::Acquire);
    PAUSED.store(pool, Ordering::Relaxed);
    // SAFETY: pools are never freed.
    if let Some(pool) = unsafe { pool.as_ref() } {
        pool.pause();
    }
}

/// After a fork, in the parent and in the child: its thread goes on with them.
pub(crate) fn go_on_after_fork() {
    // SAFETY: pools are never freed.
    if let Some(pool) = unsafe { PAUSED.load(Ordering::Relaxed).as_ref() } {
        pool.go_on();
    }
}

/// Called in a forked child: the parent's threads do not exist there. The pool's memory is left alone.
pub(crate) fn forget_in_child() {
    POOL.store(std::ptr::null_mut(), Ordering::Release);
}

/// Runs `piece(0..n)` on the pool and the calling thread, in any order; returns when all are done.
pub(crate) fn run_pieces(n: i64, piece: &(dyn Fn(i64) + Sync)) {
    let sizes = Sizes { grain: 1, first: 1, most: 1 };
    let run = |i: i64, _| piece(i);
    run_ranges(&Work { n, threads: thread_count() as i64, sizes, sharing: Sharing::AtOnce, run: &run }, &mut || true);
}

/// Units `0..n`, and how they are run.
pub(crate) struct Work<'a> {
    pub(crate) n: i64,
    /// Threads that may run them, the calling one included.
    pub(crate) threads: i64,
    pub(crate) sizes: Sizes,
    pub(crate) sharing: Sharing,
    /// Runs a range.
    pub(crate) run: &'a (dyn Fn(i64, i64) + Sync),
}

/// When workers are asked for help.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sharing {
    Never,
    /// For work that takes long.
    AtOnce,
    /// As soon as the caller's own ranges tell that what is left takes long, and for as much help as that is worth.
    WhenLong,
}

/// What has to be left for each worker, in the caller's time. `bench/pool.py` measures from where on a second thread pays.
const WORTH_A_WORKER: Duration = Duration::from_micros(50);

/// Runs units in ranges, on the calling thread and helpers, as long as `goes_on`, which the calling thread asks after each of its own: then what was
/// begun is done.
pub(crate) fn run_ranges(work: &Work<'_>, goes_on: &mut dyn FnMut() -> bool) {
    let find = || Some(pool());
    run_ranges_in(&find, work, goes_on);
}

fn run_ranges_in<'a>(pool: &dyn Fn() -> Option<&'a Pool>, work: &Work<'_>, goes_on: &mut dyn FnMut() -> bool) {
    let units = Units::new(work.n);
    let help = || {
        let mut pace = Pace::new(&work.sizes, false);
        while pace.step(&units, work.run).is_some() {}
    };
    let job = Job::new(&help, &units);
    let most = work.threads.min((work.n + work.sizes.first - 1) / work.sizes.first) - 1;
    let mut helpers = Helpers { pool, job: &job, most, asked: 0, offer: None };
    if work.sharing == Sharing::AtOnce {
        helpers.ask(most);
    }
    let mut pace = Pace::new(&work.sizes, work.sharing == Sharing::WhenLong);
    while let Some((done, took)) = pace.step(&units, work.run) {
        if !goes_on() {
            units.end();
        } else if work.sharing == Sharing::WhenLong {
            helpers.ask(worth(took, done, units.left()));
        }
    }
    drop(helpers);
    job.finish();
}

/// How many workers the units left are worth, if `done` of them took so long.
fn worth(took: Duration, done: i64, left: i64) -> i64 {
    let rest = took.as_nanos().saturating_mul(left.max(0) as u128) / done.max(1) as u128;
    (rest / WORTH_A_WORKER.as_nanos()).min(1024) as i64
}

/// The workers that a launch has asked for.
struct Helpers<'a, 'p> {
    pool: &'a dyn Fn() -> Option<&'p Pool>,
    job: &'a Job<'a>,
    most: i64,
    asked: i64,
    offer: Option<Offer<'a>>,
}

impl<'a, 'p: 'a> Helpers<'a, 'p> {
    /// Asks for so many in all, of those that may come.
    fn ask(&mut self, wanted: i64) {
        let wanted = wanted.min(self.most);
        if wanted <= self.asked {
            return;
        }
        if self.offer.is_none() {
            // SAFETY: the offer is dropped with this, which borrows the job.
            self.offer = (self.pool)().and_then(|pool| unsafe { pool.offer(self.job) });
        }
        if let Some(offer) = &self.offer {
            offer.give_seats((wanted - self.asked) as u32);
        }
        self.asked = wanted;
    }
}
