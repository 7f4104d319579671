//! The host's thread pool: our own, built on first use, in each process anew.
//!
//! In: a count of pieces and a function for one piece. Out: all pieces done; the calling thread works too.
//! `NUMPTX_NUM_THREADS` sets the number of threads.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, AtomicPtr, Ordering};
use std::time::{Duration, Instant};

use rayon::ThreadPool;

use crate::process;

static POOL: AtomicPtr<ThreadPool> = AtomicPtr::new(std::ptr::null_mut());

/// Called in a forked child: the parent's threads do not exist there. The pool's memory is left alone.
pub(crate) fn forget_in_child() {
    POOL.store(std::ptr::null_mut(), Ordering::Release);
}

/// Threads that host work is spread over, the calling one included.
pub(crate) fn thread_count() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| {
        let asked = std::env::var("NUMPTX_NUM_THREADS").ok().and_then(|text| text.trim().parse::<usize>().ok());
        let there = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        asked.filter(|n| *n > 0).unwrap_or_else(there).min(1024)
    })
}

fn pool() -> Option<&'static ThreadPool> {
    let built = POOL.load(Ordering::Acquire);
    if !built.is_null() {
        // SAFETY: pools are never freed.
        return Some(unsafe { &*built });
    }
    process::watch_forks();
    let name = |i| format!("numptx-{i}");
    let fresh = rayon::ThreadPoolBuilder::new().num_threads(thread_count() - 1).thread_name(name).build().ok()?;
    let fresh = Box::into_raw(Box::new(fresh));
    match POOL.compare_exchange(std::ptr::null_mut(), fresh, Ordering::AcqRel, Ordering::Acquire) {
        // SAFETY: pools are never freed once they are in place.
        Ok(_) => Some(unsafe { &*fresh }),
        Err(winner) => {
            // SAFETY: `fresh` was boxed above and nobody else saw it; `winner` is never freed.
            unsafe {
                drop(Box::from_raw(fresh));
                Some(&*winner)
            }
        }
    }
}

/// Runs `piece(0..n)` on the pool and the calling thread, in any order; returns when all are done.
pub(crate) fn run_pieces(n: i64, piece: &(dyn Fn(i64) + Sync)) {
    run_pieces_while(n, piece, &mut || true);
}

/// [`run_pieces`] as long as `goes_on`, which the calling thread asks after each of its pieces: then what was begun is done.
pub(crate) fn run_pieces_while(n: i64, piece: &(dyn Fn(i64) + Sync), goes_on: &mut dyn FnMut() -> bool) {
    let one = Sizes { grain: 1, first: 1, most: 1 };
    run_ranges(thread_count() as i64, n, &one, &|i, _| piece(i), goes_on);
}

/// How many units go together. They are multiples of `grain`, `first` to begin with and `most` at most.
pub(crate) struct Sizes {
    pub(crate) grain: i64,
    pub(crate) first: i64,
    pub(crate) most: i64,
}

/// Ranges that take less are joined, so that taking them costs little beside them.
const SHORT: Duration = Duration::from_micros(20);
/// Ranges that take more are halved, so that threads end together and the caller is asked often.
const LONG: Duration = Duration::from_millis(1);

impl Sizes {
    /// The size of the next range, after one that took so long.
    fn after(&self, size: i64, took: Duration) -> i64 {
        if took < SHORT {
            size.saturating_mul(2).min(self.most)
        } else if took > LONG {
            (size / 2 / self.grain * self.grain).max(self.grain)
        } else {
            size
        }
    }
}

/// Runs units `0..n` in ranges, on the calling thread and helpers up to `threads` in all, as long as `goes_on`, which the calling thread asks after
/// each of its own.
pub(crate) fn run_ranges(
    threads: i64,
    n: i64,
    sizes: &Sizes,
    run: &(dyn Fn(i64, i64) + Sync),
    goes_on: &mut dyn FnMut() -> bool,
) {
    let helpers = threads.min((n + sizes.first - 1) / sizes.first) - 1;
    let pool = if helpers > 0 { pool() } else { None };
    let next = AtomicI64::new(0);
    let is_fixed = sizes.most == sizes.grain;
    let work = |goes_on: &mut dyn FnMut() -> bool| {
        let mut size = sizes.first;
        loop {
            let begin = next.fetch_add(size, Ordering::Relaxed);
            if begin >= n {
                return;
            }
            let clock = (!is_fixed).then(Instant::now);
            run(begin, n.min(begin + size));
            size = clock.map_or(size, |clock| sizes.after(size, clock.elapsed()));
            if !goes_on() {
                // Nobody finds a range any more.
                next.store(n, Ordering::Relaxed);
            }
        }
    };
    match pool {
        None => work(goes_on),
        Some(pool) => pool.in_place_scope(|scope| {
            for _ in 0..helpers {
                scope.spawn(|_| work(&mut || true));
            }
            work(goes_on);
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_leaves_the_rest_undone() {
        let done = AtomicI64::new(0);
        let mut left = 3;
        let mut goes_on = || {
            left -= 1;
            left > 0
        };
        let one = |_| {
            done.fetch_add(1, Ordering::Relaxed);
            std::thread::sleep(std::time::Duration::from_millis(1));
        };
        run_pieces_while(100_000, &one, &mut goes_on);
        assert!(done.load(Ordering::Relaxed) < 100_000);
    }

    #[test]
    fn every_unit_runs_once_in_ranges_of_all_sizes() {
        for sizes in [Sizes { grain: 1, first: 1, most: 64 }, Sizes { grain: 8, first: 24, most: 1024 }] {
            let counts: Vec<AtomicI64> = (0..10_000).map(|_| AtomicI64::new(0)).collect();
            let run = |begin: i64, end: i64| {
                assert!(begin < end && begin % sizes.grain == 0);
                counts[begin as usize..end as usize].iter().for_each(|count| {
                    count.fetch_add(1, Ordering::Relaxed);
                });
            };
            run_ranges(thread_count() as i64, 10_000, &sizes, &run, &mut || true);
            assert!(counts.iter().all(|c| c.load(Ordering::Relaxed) == 1));
        }
    }

    #[test]
    fn every_piece_runs_once() {
        let counts: Vec<AtomicI64> = (0..1000).map(|_| AtomicI64::new(0)).collect();
        run_pieces(1000, &|i| {
            counts[i as usize].fetch_add(1, Ordering::Relaxed);
        });
        assert!(counts.iter().all(|c| c.load(Ordering::Relaxed) == 1));
    }
}
