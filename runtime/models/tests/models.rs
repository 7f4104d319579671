//! The runtime's source under a scheduler that tries orders of steps: exhaustively up to a bound where there are few, at random where there are many.

/// What `numptx-runtime` takes from the standard library, of the scheduler.
mod sync {
    use std::cell::Cell;
    use std::sync::LockResult;
    use std::time::Duration;

    pub(crate) use shuttle::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
    pub(crate) use shuttle::sync::{Condvar, MutexGuard};
    pub(crate) use shuttle::thread::{Thread, park};
    pub(crate) use shuttle::thread_local;

    thread_local! {
        static IS_CHILD: Cell<bool> = const { Cell::new(false) };
    }

    /// This thread goes on as the only one of a forked process.
    pub(crate) fn fork() {
        IS_CHILD.with(|is_child| is_child.set(true));
    }

    pub(crate) fn is_child() -> bool {
        IS_CHILD.with(Cell::get)
    }

    /// A lock for which a forked process never asks: a thread of its parent may have it.
    pub(crate) struct Mutex<T>(shuttle::sync::Mutex<T>);

    impl<T> Mutex<T> {
        pub(crate) const fn new(value: T) -> Mutex<T> {
            Mutex(shuttle::sync::Mutex::new(value))
        }

        pub(crate) fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
            assert!(!is_child(), "a forked process asks for a lock that a thread of its parent may have");
            self.0.lock()
        }
    }

    /// The time may be over at once, or late.
    pub(crate) fn park_timeout(_: Duration) {
        shuttle::thread::yield_now();
    }
}

#[allow(dead_code)]
#[path = "../../numptx-runtime/src/first_use.rs"]
mod first_use;
#[allow(dead_code)]
#[path = "../../numptx-runtime/src/lock.rs"]
mod lock;

// As in the runtime's own crate, the list of what is put off is made of pointers.
#[allow(unsafe_code)]
#[path = "../../numptx-runtime/src/deferred"]
mod deferred {
    pub(crate) mod queue;
}
#[allow(dead_code)]
#[path = "../../numptx-runtime/src/uses"]
mod uses {
    pub(crate) mod shared;
    pub(crate) mod state;
}

#[path = "models/deferred.rs"]
mod model_of_deferred;
#[path = "models/first_use.rs"]
mod model_of_first_use;
#[path = "models/uses.rs"]
mod model_of_uses;

/// How many orders are tried: `NUMPTX_QUICK=1`, as in `make test`, asks for fewer.
fn orders(all: usize) -> usize {
    if std::env::var_os("NUMPTX_QUICK").is_some() { all / 20 } else { all }
}
