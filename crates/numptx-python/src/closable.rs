//! What an object holds until it is closed: streams, graphs, events and arrays let go of theirs at once then, and say so to who uses them later.
//!
//! In: what is held. Out: the same for who opens it, as long as that takes. What is open when its object is closed goes with the last one that has it
//! open: a call on another thread, a view, a `with` block. All of this happens with the interpreter attached; where there is one lock for that, counting
//! needs no agreement among processors, which would cost a call as much as the rest of its checks.

use std::cell::UnsafeCell;
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::call::attached;
use crate::numpy::is_free_threaded;

/// Nobody opens it any more.
const CLOSED: usize = 1;
/// It is not there any more.
const GONE: usize = 2;
/// One more has it open.
const USER: usize = 4;

/// Something that is held until it is closed.
pub(crate) struct Closable<T> {
    /// [`CLOSED`], [`GONE`], and [`USER`] as often as somebody has it open.
    state: AtomicUsize,
    value: UnsafeCell<Option<T>>,
}

// SAFETY: the value is read by those who have it open, and taken out once, by the one who finds that nobody has and nobody will.
unsafe impl<T: Send + Sync> Sync for Closable<T> {}

impl<T> Closable<T> {
    pub fn new(value: T) -> Closable<T> {
        Closable { state: AtomicUsize::new(0), value: UnsafeCell::new(Some(value)) }
    }

    /// What is held, for who has it open as long as the answer lives. `what`: the object's name, for the error where it was closed.
    #[inline]
    pub fn open(&self, what: &str) -> PyResult<OpenGuard<'_, T>> {
        if self.add(USER) & CLOSED != 0 {
            self.leave();
            return Err(closed(what));
        }
        // SAFETY: it is there: whoever takes it out has closed it before, and found nobody.
        match unsafe { &*self.value.get() } {
            Some(value) => Ok(OpenGuard { held: self, value }),
            None => Err(closed(what)),
        }
    }

    /// Has it open until [`Closable::leave`].
    #[inline]
    pub fn enter(&self, what: &str) -> PyResult<()> {
        // The guard would leave.
        self.open(what).map(std::mem::forget)
    }

    /// What a short look at what is held tells. It runs no Python code, and keeps the interpreter attached: where there is one lock for that, nobody
    /// lets go meanwhile, and nothing has to be counted.
    #[inline]
    pub fn glance<R>(&self, what: &str, look: impl FnOnce(&T) -> R) -> PyResult<R> {
        if is_free_threaded() {
            return self.open(what).map(|open| look(&open));
        }
        // SAFETY: it is taken out by a thread that has the lock, which this one has.
        match unsafe { &*self.value.get() } {
            Some(value) if !self.is_closed() => Ok(look(value)),
            _ => Err(closed(what)),
        }
    }

    /// Has it open until [`Closable::leave`], as a caller that has it open already may also where it was closed meanwhile.
    pub fn stay(&self) {
        self.add(USER);
    }

    /// Ends what [`Closable::stay`] began; the last one lets go of what was closed.
    #[inline]
    pub fn leave(&self) {
        if self.subtract(USER) == CLOSED + USER {
            self.let_go();
        }
    }

    /// What is held, of an object that nobody else has yet.
    pub fn of_fresh(&mut self) -> Option<&mut T> {
        self.value.get_mut().as_mut()
    }

    /// Lets go at once, or with the last one that has it open.
    pub fn close(&self) {
        self.state.fetch_or(CLOSED, Ordering::AcqRel);
        self.let_go();
    }

    pub fn is_closed(&self) -> bool {
        self.state.load(Ordering::Acquire) & CLOSED != 0
    }

    /// What is held, for a look by the collector of cycles, while which nobody lets go.
    pub fn look(&self) -> Option<&T> {
        if self.state.load(Ordering::Acquire) & GONE != 0 {
            return None;
        }
        // SAFETY: it is taken out by an attached thread alone; the collector runs on the one that is, or while none is.
        unsafe { (*self.value.get()).as_ref() }
    }

    fn let_go(&self) {
        if self.state.compare_exchange(CLOSED, CLOSED | GONE, Ordering::AcqRel, Ordering::Acquire).is_ok() {
            // SAFETY: nobody has it open, and nobody else gets here.
            let value = unsafe { (*self.value.get()).take() };
            // May run anything. See Note [Attached, and known to be] in `call`.
            attached(|_| drop(value));
        }
    }

    #[inline]
    fn add(&self, n: usize) -> usize {
        if is_free_threaded() {
            return self.state.fetch_add(n, Ordering::AcqRel);
        }
        let before = self.state.load(Ordering::Relaxed);
        self.state.store(before + n, Ordering::Relaxed);
        before
    }

    #[inline]
    fn subtract(&self, n: usize) -> usize {
        if is_free_threaded() {
            return self.state.fetch_sub(n, Ordering::AcqRel);
        }
        let before = self.state.load(Ordering::Relaxed);
        self.state.store(before - n, Ordering::Relaxed);
        before
    }
}

/// The error of a use after the object was closed.
#[cold]
fn closed(what: &str) -> PyErr {
    PyValueError::new_err(format!("the {what} was closed"))
}

/// What somebody has open.
pub(crate) struct OpenGuard<'a, T> {
    held: &'a Closable<T>,
    value: &'a T,
}

impl<T> Deref for OpenGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.value
    }
}

impl<T> Drop for OpenGuard<'_, T> {
    fn drop(&mut self) {
        self.held.leave();
    }
}
