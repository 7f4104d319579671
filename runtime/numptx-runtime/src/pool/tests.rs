//! The pool without threads of its own: tests take a worker's steps by hand, so that nothing depends on who is awake when.

use std::sync::atomic::{AtomicBool, AtomicI64};
use std::sync::{Barrier, Mutex};

use super::*;

const ONE: Sizes = Sizes { grain: 1, first: 1, most: 1 };

fn work<'a>(n: i64, threads: i64, sizes: Sizes, run: &'a (dyn Fn(i64, i64) + Sync)) -> Work<'a> {
    Work { n, threads, sizes, sharing: Sharing::AtOnce, run }
}

fn run_in(pool: &Pool, work: &Work<'_>) {
    run_ranges_in(&|| Some(pool), work, &mut || true);
}

/// Counts how often each unit is run.
struct Counts(Vec<AtomicI64>);

impl Counts {
    fn new(n: usize) -> Counts {
        Counts((0..n).map(|_| AtomicI64::new(0)).collect())
    }

    fn note(&self, begin: i64, end: i64) {
        assert!(begin < end);
        for count in &self.0[begin as usize..end as usize] {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn are_one(&self) -> bool {
        self.0.iter().all(|count| count.load(Ordering::Relaxed) == 1)
    }
}

/// A pool with workers, which lives as long as the test program.
fn pool_with(workers: usize) -> &'static Pool {
    let pool = Box::leak(Box::new(Pool::new()));
    start_workers(pool, workers);
    pool
}

#[test]
fn a_launch_ends_though_no_worker_ever_begins() {
    let pool = Pool::new();
    for (n, threads) in [(1, 64), (2, 2), (1000, 64)] {
        let counts = Counts::new(n as usize);
        run_in(&pool, &work(n, threads, ONE, &|begin, end| counts.note(begin, end)));
        assert!(counts.are_one());
    }
}

#[test]
fn workers_that_come_late_find_nothing() {
    let pool = Pool::new();
    let is_over = AtomicBool::new(false);
    let run = |_, _| assert!(!is_over.load(Ordering::Relaxed), "a worker ran what was over");
    run_in(&pool, &work(100, 64, ONE, &run));
    is_over.store(true, Ordering::Relaxed);
    assert!(!pool.help());
}

#[test]
fn a_worker_that_comes_between_two_ranges_takes_part_and_is_waited_for() {
    let pool = Pool::new();
    let (counts, both) = (Counts::new(2), Barrier::new(2));
    let left = AtomicBool::new(false);
    let run = |begin: i64, end: i64| {
        counts.note(begin, end);
        both.wait();
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // Until the caller has opened its offer.
            while !pool.help() {
                std::thread::yield_now();
            }
            left.store(true, Ordering::Relaxed);
            assert!(!pool.help());
        });
        run_in(&pool, &work(2, 2, ONE, &run));
        assert!(counts.are_one());
    });
    assert!(left.into_inner());
}

#[test]
fn no_more_workers_come_than_there_are_seats() {
    let pool = Pool::new();
    let came = AtomicI64::new(0);
    let run = |begin: i64, _| {
        if begin == 0 {
            // From within the caller's range: each finds a range, runs it, and leaves when none is left.
            std::thread::scope(|scope| {
                for _ in 0..6 {
                    scope.spawn(|| came.fetch_add(i64::from(pool.help()), Ordering::Relaxed));
                }
            });
        }
    };
    run_in(&pool, &work(50, 4, ONE, &run));
    assert_eq!(came.into_inner(), 3);
}

#[test]
fn every_unit_runs_once_in_ranges_of_all_sizes() {
    let pool = pool_with(7);
    for sizes in [ONE, Sizes { most: 64, ..ONE }, Sizes { grain: 8, first: 24, most: 1024 }] {
        for sharing in [Sharing::Never, Sharing::WhenLong, Sharing::AtOnce] {
            let counts = Counts::new(10_000);
            let run = |begin: i64, end: i64| {
                assert!(begin % sizes.grain == 0);
                counts.note(begin, end);
            };
            run_in(pool, &Work { sharing, ..work(10_000, 8, sizes, &run) });
            assert!(counts.are_one());
        }
    }
}

#[test]
fn launches_of_many_threads_and_nested_ones_share_a_pool() {
    let pool = pool_with(3);
    let callers = 2 * 32;
    let inner = AtomicI64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..callers {
            scope.spawn(|| {
                let counts = Counts::new(20);
                let run = |begin: i64, end: i64| {
                    counts.note(begin, end);
                    let add = |begin, end| {
                        inner.fetch_add(end - begin, Ordering::Relaxed);
                    };
                    run_in(pool, &work(5, 4, ONE, &add));
                };
                run_in(pool, &work(20, 4, ONE, &run));
                assert!(counts.are_one());
            });
        }
    });
    assert_eq!(inner.into_inner(), callers * 20 * 5);
}

#[test]
fn an_end_leaves_the_rest_undone() {
    let pool = pool_with(3);
    let done = AtomicI64::new(0);
    let run = |_, _| {
        done.fetch_add(1, Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(1));
    };
    let mut left = 3;
    let mut goes_on = || {
        left -= 1;
        left > 0
    };
    run_ranges_in(&|| Some(pool), &work(100_000, 4, ONE, &run), &mut goes_on);
    assert!(done.into_inner() < 100_000);
}

#[test]
fn what_is_left_tells_how_many_workers_it_is_worth() {
    let us = Duration::from_micros;
    assert_eq!(worth(us(10), 1000, 4000), 0);
    assert_eq!(worth(us(10), 1000, 5000), 1);
    assert_eq!(worth(us(10), 1000, 49_000), 9);
    assert_eq!(worth(us(10), 1000, -3), 0);
    assert_eq!(worth(Duration::from_secs(1_000_000), 1, i64::MAX), 1024);
}

#[test]
fn work_that_takes_longer_than_was_known_is_shared() {
    let pool = Pool::new();
    let helped = AtomicBool::new(false);
    let run = |_, _| {
        std::thread::sleep(Duration::from_millis(1));
        std::thread::scope(|scope| drop(scope.spawn(|| helped.fetch_or(pool.help(), Ordering::Relaxed))));
    };
    run_in(&pool, &Work { sharing: Sharing::WhenLong, ..work(4, 2, ONE, &run) });
    assert!(helped.into_inner());
}

#[test]
fn a_panic_of_a_worker_is_the_caller_s() {
    let pool = Pool::new();
    let both = Barrier::new(2);
    let caller = std::thread::current().id();
    let run = |_, _| {
        both.wait();
        assert!(std::thread::current().id() == caller, "a worker fails");
    };
    let outcome = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !pool.help() {
                std::thread::yield_now();
            }
        });
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run_in(&pool, &work(2, 2, ONE, &run))))
    });
    assert!(outcome.is_err());
    // The slot is free again, and no seat is left.
    assert!(!pool.help());
    run_in(&pool, &work(2, 2, ONE, &|_, _| {}));
}

#[test]
fn a_panic_of_the_caller_leaves_no_offer() {
    let pool = Pool::new();
    let run = |begin: i64, _| assert!(begin != 1, "the caller fails");
    let failing = || run_in(&pool, &work(3, 2, ONE, &run));
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(failing)).is_err());
    assert!(!pool.help());
}

#[test]
fn in_a_pause_nobody_is_in_a_range_and_then_the_caller_goes_on() {
    let pool = Pool::new();
    let counts = Counts::new(100_000);
    let (began, paused, first) = (AtomicBool::new(false), AtomicBool::new(false), AtomicBool::new(true));
    let caller = std::thread::current().id();
    let run = |begin: i64, end: i64| {
        counts.note(begin, end);
        if std::thread::current().id() != caller {
            began.store(true, Ordering::Relaxed);
            std::thread::sleep(Duration::from_micros(100));
            assert!(!paused.load(Ordering::Relaxed), "a worker was in a range");
        } else if first.swap(false, Ordering::Relaxed) {
            while !began.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
            pool.pause();
            paused.store(true, Ordering::Relaxed);
            assert_eq!(counts.0[99_999].load(Ordering::Relaxed), 0, "the pause waited for the end");
            // No seat is there.
            std::thread::scope(|scope| drop(scope.spawn(|| assert!(!pool.help()))));
            paused.store(false, Ordering::Relaxed);
            pool.go_on();
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !pool.help() {
                std::thread::yield_now();
            }
        });
        run_in(&pool, &work(100_000, 8, ONE, &run));
    });
    assert!(counts.are_one());
}

/// The least positive number that is no denormal.
const TINY: f64 = f64::MIN_POSITIVE;

/// Computes what the state decides: a quotient that is rounded, and a product of a denormal.
#[inline(never)]
fn probe() -> [u64; 2] {
    let hide = std::hint::black_box::<f64>;
    [(hide(1.0) / hide(3.0)).to_bits(), (hide(TINY / 2.0) * hide(4.0)).to_bits()]
}

/// The bits of MXCSR, or of FPCR, that round upwards and flush denormals.
#[cfg(target_arch = "x86_64")]
const ODD: u64 = 0x1f80 | 1 << 15 | 1 << 6 | 2 << 13;
#[cfg(target_arch = "aarch64")]
const ODD: u64 = 1 << 24 | 1 << 22;

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[test]
fn workers_compute_with_the_caller_s_floating_point_state_and_get_their_own_back() {
    let pool = Pool::new();
    let (both, found) = (Barrier::new(2), Mutex::new(Vec::new()));
    let run = |_, _| {
        // Neither goes on before the other one has begun: each thread has one unit.
        both.wait();
        found.lock().expect("nobody fails").push(probe());
    };
    let usual = probe();
    std::thread::scope(|scope| {
        let worker = scope.spawn(|| {
            while !pool.help() {
                std::thread::yield_now();
            }
            probe()
        });
        let odd = float::Control::odd(ODD);
        odd.during(|| run_in(&pool, &work(2, 2, ONE, &run)));
        assert_eq!(worker.join().expect("nobody fails"), usual);
    });
    let found = found.into_inner().expect("nobody fails");
    assert_eq!(found[0], found[1]);
    assert_ne!(found[0][0], usual[0]);
    assert_eq!(found[0][1], 0);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn exceptions_that_workers_raise_are_the_caller_s() {
    let pool = Pool::new();
    let both = Barrier::new(2);
    let caller = std::thread::current().id();
    let run = |_, _| {
        both.wait();
        if std::thread::current().id() != caller {
            std::hint::black_box(std::hint::black_box(1.0) / std::hint::black_box(0.0));
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !pool.help() {
                std::thread::yield_now();
            }
        });
        // Bit 2 of MXCSR: a division by zero.
        let raised = float::Control::of_thread().during(|| run_in(&pool, &work(2, 2, ONE, &run)));
        assert_eq!(raised & 4, 4);
    });
}
