//! Locks: the one way in which this crate takes them and waits.
//!
//! A panic under a lock leaves what it guards as it was at that point, which everything here is made to bear: nobody else is to fail for it. Calls on
//! arrays that stay on their stream take no lock; builds with debug assertions count them, so that a test sees that.

use std::sync::{Mutex, MutexGuard, PoisonError};

#[cfg(debug_assertions)]
thread_local! {
    static TAKEN: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Takes a lock.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    #[cfg(debug_assertions)]
    let _ = TAKEN.try_with(|taken| taken.set(taken.get() + 1));
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How many locks the calling thread has taken. In builds with debug assertions alone, for tests.
#[cfg(debug_assertions)]
#[unsafe(no_mangle)]
pub extern "C" fn numptx_runtime_locks_taken() -> u64 {
    TAKEN.try_with(std::cell::Cell::get).unwrap_or(0)
}
