//! The runtime's source under a scheduler that tries orders of steps: exhaustively up to a bound where there are few, at random where there are many.

/// What `numptx-runtime` takes from the standard library, of the scheduler.
mod sync {
    pub(crate) use shuttle::sync::atomic::{AtomicUsize, Ordering};
    pub(crate) use shuttle::sync::{Condvar, Mutex, MutexGuard};
}

#[allow(dead_code)]
#[path = "../../numptx-runtime/src/first_use.rs"]
mod first_use;
#[allow(dead_code)]
#[path = "../../numptx-runtime/src/lock.rs"]
mod lock;

#[allow(dead_code)]
#[path = "../../numptx-runtime/src/uses"]
mod uses {
    pub(crate) mod shared;
    pub(crate) mod state;
}

#[path = "models/first_use.rs"]
mod model_of_first_use;
#[path = "models/uses.rs"]
mod model_of_uses;

/// How many orders are tried: `NUMPTX_QUICK=1`, as in `make test`, asks for fewer.
fn orders(all: usize) -> usize {
    if std::env::var_os("NUMPTX_QUICK").is_some() { all / 20 } else { all }
}
