//! Locks: the one way in which this crate takes them and waits.
//!
//! A panic under a lock leaves what it guards as it was at that point, which everything here is made to bear: nobody else is to fail for it. Calls on
//! arrays that stay on their stream take no lock, and no driver call that may wait is made under one. What a thread took and holds is counted, so that
//! tests see both.

use std::cell::Cell;
use std::ops::{Deref, DerefMut};
use std::sync::PoisonError;
use std::time::Duration;

use crate::sync::{Condvar, Mutex, MutexGuard};

thread_local! {
    static TAKEN: Cell<u64> = const { Cell::new(0) };
    static HELD: Cell<u64> = const { Cell::new(0) };
}

/// A lock that is held.
pub(crate) struct Guard<'a, T> {
    inner: MutexGuard<'a, T>,
    held: HoldCount,
}

/// Counts while it is there.
struct HoldCount;

impl HoldCount {
    fn new() -> HoldCount {
        let _ = HELD.try_with(|held| held.set(held.get() + 1));
        HoldCount
    }
}

impl Drop for HoldCount {
    fn drop(&mut self) {
        let _ = HELD.try_with(|held| held.set(held.get().saturating_sub(1)));
    }
}

impl<T> Deref for Guard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.inner
    }
}

impl<T> DerefMut for Guard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.inner
    }
}

/// Takes a lock.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> Guard<'_, T> {
    let _ = TAKEN.try_with(|taken| taken.set(taken.get() + 1));
    let inner = mutex.lock().unwrap_or_else(PoisonError::into_inner);
    Guard { inner, held: HoldCount::new() }
}

/// Gives a lock up until somebody notifies, and takes it again.
pub(crate) fn wait<'a, T>(condvar: &Condvar, guard: Guard<'a, T>) -> Guard<'a, T> {
    let Guard { inner, held } = guard;
    drop(held);
    let inner = condvar.wait(inner).unwrap_or_else(PoisonError::into_inner);
    Guard { inner, held: HoldCount::new() }
}

/// Gives a lock up while something is so, which who notifies may have changed; takes it again at the latest when the time is over.
pub(crate) fn wait_at_most<'a, T>(
    condvar: &Condvar,
    guard: Guard<'a, T>,
    time: Duration,
    is_so: impl FnMut(&mut T) -> bool,
) -> Guard<'a, T> {
    let Guard { inner, held } = guard;
    drop(held);
    let (inner, _) = condvar.wait_timeout_while(inner, time, is_so).unwrap_or_else(PoisonError::into_inner);
    Guard { inner, held: HoldCount::new() }
}

/// How many locks the calling thread has taken.
pub(crate) fn taken() -> u64 {
    TAKEN.try_with(Cell::get).unwrap_or(0)
}

/// How many locks the calling thread holds.
pub(crate) fn held() -> u64 {
    HELD.try_with(Cell::get).unwrap_or(0)
}
