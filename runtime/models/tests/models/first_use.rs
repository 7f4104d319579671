//! Threads that come to one first use.

use shuttle::sync::Arc;
use shuttle::sync::atomic::{AtomicUsize, Ordering};
use shuttle::thread;

use crate::first_use::FirstUse;
use crate::orders;

/// Three threads, of whose makers the first `failures` fail; then what they got, and how often it was made.
fn race(failures: usize) -> (Vec<Result<usize, ()>>, usize) {
    let value = Arc::new(FirstUse::<usize>::new());
    let (made, under_way) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let threads: Vec<_> = (0..3)
        .map(|_| {
            let (value, made, under_way) = (value.clone(), made.clone(), under_way.clone());
            thread::spawn(move || {
                let make = || {
                    assert_eq!(under_way.fetch_add(1, Ordering::SeqCst), 0, "two threads make it at once");
                    let n = made.fetch_add(1, Ordering::SeqCst);
                    under_way.fetch_sub(1, Ordering::SeqCst);
                    if n < failures { Err(()) } else { Ok(n) }
                };
                value.get_or_make(make).copied()
            })
        })
        .collect();
    let got = threads.into_iter().map(|thread| thread.join().expect("the thread does not panic")).collect();
    (got, made.load(Ordering::SeqCst))
}

#[test]
fn one_thread_makes_it_and_all_get_it() {
    let model = || {
        let (got, made) = race(0);
        assert_eq!((got, made), (vec![Ok(0); 3], 1));
    };
    shuttle::check_pct(model, orders(5_000), 3);
}

#[test]
fn after_a_failure_the_next_thread_tries_again() {
    let model = || {
        let (got, made) = race(1);
        assert_eq!(got.iter().filter(|result| result.is_err()).count(), 1);
        assert_eq!(made, 2);
    };
    shuttle::check_pct(model, orders(5_000), 3);
}
