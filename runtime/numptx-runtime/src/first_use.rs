//! What is made at its first use, by one thread, and then stays: device code that is loaded, a device that is opened.
//!
//! In: a function that may take long and may fail. Out: its value, for all threads. Threads that come meanwhile wait for the one that makes it;
//! no lock is held while it does. After a failure the next one tries again.

use std::sync::OnceLock;

use crate::lock::{lock, wait};
use crate::sync::{Condvar, Mutex};

/// A value that is made at its first use.
pub(crate) struct FirstUse<T> {
    value: OnceLock<T>,
    /// Whether a thread makes it now.
    is_busy: Mutex<bool>,
    is_free: Condvar,
}

/// The one thread that makes the value. Others are woken also where it panics.
struct Maker<'a, T>(&'a FirstUse<T>);

impl<T> Drop for Maker<'_, T> {
    fn drop(&mut self) {
        *lock(&self.0.is_busy) = false;
        self.0.is_free.notify_all();
    }
}

impl<T> FirstUse<T> {
    pub(crate) const fn new() -> FirstUse<T> {
        FirstUse { value: OnceLock::new(), is_busy: Mutex::new(false), is_free: Condvar::new() }
    }

    /// The value, if it is there.
    pub(crate) fn get(&self) -> Option<&T> {
        self.value.get()
    }

    /// The value, made now if it is not there. `make` must not ask for it.
    pub(crate) fn get_or_make<E>(&self, make: impl FnOnce() -> Result<T, E>) -> Result<&T, E> {
        if let Some(value) = self.get() {
            return Ok(value);
        }
        let mut is_busy = lock(&self.is_busy);
        while *is_busy {
            is_busy = wait(&self.is_free, is_busy);
        }
        if let Some(value) = self.get() {
            return Ok(value);
        }
        *is_busy = true;
        drop(is_busy);
        let _maker = Maker(self);
        let value = make()?;
        Ok(self.value.get_or_init(|| value))
    }
}
