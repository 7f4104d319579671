//! Which object of Python's is which of the runtime's, for the time of a call.

use std::cell::RefCell;
use std::collections::HashMap;

use numptx_abi::Buffer;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

use super::Owned;
use crate::call::{attached, new_reference};
use crate::scalars::Fit;

/// The lists, dictionaries and sets that a call was given, and all others in them. Each is read once, however often it is given.
#[derive(Default)]
pub(crate) struct Known {
    objects: HashMap<*mut PyObject, Argument>,
    /// NumPy's arrays in them, by the buffers that keep them.
    arrays: HashMap<*const Buffer, Held>,
    /// Strings, and what a second description made of an object.
    kept: Vec<Owned>,
    /// An object that was given as one of two types.
    twice: Option<*mut PyObject>,
    /// Locks of bit generators, which are held meanwhile.
    locks: Vec<Lock>,
}

/// The lock of a bit generator, which is given up when this is dropped.
pub(super) struct Lock(Held);

impl Lock {
    /// # Safety
    /// A live bit generator, whose lock is held; the interpreter is attached where this is made and dropped, by the same thread.
    pub(super) unsafe fn of(bits: *mut PyObject) -> Lock {
        // SAFETY: as the caller promises.
        Lock(unsafe { Held::new(bits) })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        attached(|py| {
            // SAFETY: kept alive here.
            let bits = unsafe { Bound::<PyAny>::from_borrowed_ptr(py, self.0.as_ptr()) };
            // An exception that is on its way is none of the lock's.
            let pending = PyErr::take(py);
            if let Err(error) = bits.getattr("lock").and_then(|lock| lock.call_method0("release")) {
                error.write_unraisable(py, Some(&bits));
            }
            if let Some(pending) = pending {
                pending.restore(py);
            }
        });
    }
}

/// An object that was given.
pub(super) struct Argument {
    pub(super) made: Owned,
    pub(super) given: Held,
    pub(super) description: &'static [u8],
    fit: Fit,
}

/// A reference to an object of Python's.
pub(super) struct Held(*mut PyObject);

impl Held {
    /// # Safety
    /// A live object; the interpreter is attached where this is made and dropped.
    pub(super) unsafe fn new(object: *mut PyObject) -> Held {
        // SAFETY: as the caller promises.
        Held(unsafe { new_reference(object) })
    }

    pub(super) fn as_ptr(&self) -> *mut PyObject {
        self.0
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // SAFETY: this reference's; calls are attached where they drop what they were given.
        unsafe { ffi::Py_DECREF(self.0) };
    }
}

impl Known {
    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        let is_empty = self.objects.is_empty() && self.kept.is_empty() && self.arrays.is_empty();
        if !(is_empty && self.locks.is_empty()) {
            *self = Known::default();
        }
    }

    /// Whether one object was given as two types: what changes one would not change the other.
    pub(crate) fn given_twice(&self) -> Option<*mut PyObject> {
        self.twice
    }

    /// Whether more than one object was read, so that one may be in another.
    pub(super) fn has_inner(&self) -> bool {
        self.objects.len() > 1
    }

    /// Says which array a buffer keeps.
    ///
    /// # Safety
    /// A live array, which the buffer keeps alive.
    pub(super) unsafe fn add_array(&mut self, given: *mut PyObject, buffer: *const Buffer) {
        // SAFETY: as the caller promises.
        self.arrays.insert(buffer, unsafe { Held::new(given) });
    }

    /// The array that a buffer keeps, borrowed.
    pub(crate) fn array(&self, buffer: *const Buffer) -> Option<*mut PyObject> {
        self.arrays.get(&buffer).map(Held::as_ptr)
    }

    /// Keeps a lock held.
    pub(super) fn add_lock(&mut self, lock: Lock) {
        self.locks.push(lock);
    }

    /// Keeps an object of the runtime alive.
    pub(super) fn keep(&mut self, object: Owned) {
        self.kept.push(object);
    }

    /// What was made of an object before, by the same description.
    pub(super) fn object(&mut self, given: *mut PyObject, description: &[u8]) -> Option<(Owned, Fit)> {
        let known = self.objects.get(&given)?;
        if known.description != description {
            self.twice = Some(given);
            return None;
        }
        // SAFETY: kept alive here.
        Some((unsafe { Owned::to(known.made.as_ptr()) }, known.fit))
    }

    /// # Safety
    /// A live object, which was read as the description says; the description is part of a library, which calls keep.
    pub(super) unsafe fn add_object(
        &mut self,
        given: *mut PyObject,
        made: &Owned,
        description: &'static [u8],
        fit: Fit,
    ) {
        self.objects.entry(given).or_insert_with(|| {
            // SAFETY: both are live.
            let (made, given) = unsafe { (Owned::to(made.as_ptr()), Held::new(given)) };
            Argument { made, given, description, fit }
        });
    }

    /// What an object was read as.
    pub(super) fn of(&self, given: *mut PyObject) -> Option<&Argument> {
        self.objects.get(&given)
    }

    /// Says of each object what it was made of.
    pub(crate) fn tell(&self, made: &Made) {
        for argument in self.objects.values() {
            made.add(argument.made.as_ptr(), argument.given.as_ptr());
        }
    }
}

/// By object of the runtime, the one of Python's: those that were given, and those that were made of results.
#[derive(Default)]
pub(crate) struct Made {
    objects: RefCell<HashMap<*const Buffer, (Owned, Held)>>,
}

impl Made {
    /// The object of Python's, borrowed.
    pub(super) fn of(&self, buffer: *const Buffer) -> Option<*mut PyObject> {
        self.objects.borrow().get(&buffer).map(|(_, object)| object.as_ptr())
    }

    /// Says what an object is in Python. Both are kept as long as this.
    pub(super) fn add(&self, buffer: *mut Buffer, object: *mut PyObject) {
        // SAFETY: both are live; calls are attached throughout.
        let pair = unsafe { (Owned::to(buffer), Held::new(object)) };
        self.objects.borrow_mut().insert(buffer.cast_const(), pair);
    }
}
