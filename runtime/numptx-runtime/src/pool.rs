//! The host's thread pool: our own, built on first use, in each process anew.
//!
//! In: a count of pieces and a function for one piece. Out: all pieces done; the calling thread works too.
//! `NUMPTX_NUM_THREADS` sets the number of threads.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, AtomicPtr, Ordering};

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
    let helpers = (thread_count() as i64).min(n) - 1;
    let pool = if helpers > 0 { pool() } else { None };
    let next = AtomicI64::new(0);
    let work = || {
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i >= n {
                return;
            }
            piece(i);
        }
    };
    match pool {
        None => work(),
        Some(pool) => pool.in_place_scope(|scope| {
            for _ in 0..helpers {
                scope.spawn(|_| work());
            }
            work();
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_runs_once() {
        let counts: Vec<AtomicI64> = (0..1000).map(|_| AtomicI64::new(0)).collect();
        run_pieces(1000, &|i| {
            counts[i as usize].fetch_add(1, Ordering::Relaxed);
        });
        assert!(counts.iter().all(|c| c.load(Ordering::Relaxed) == 1));
    }
}
