//! What a call changed of its caller's lists, dictionaries and sets, in these.
//!
//! Members that are what they were stay the very objects; the others are replaced, added and removed one by one, so that whoever holds the list sees
//! what Python's own code would have left there. A call that raises has changed what it did until then.

use std::collections::HashSet;

use numptx_abi::{Overload, Value, object};
use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

use super::known::Held;
use super::{Known, Objects};
use crate::arguments::Leaves;

/// How many leaves have a bit in [`Overload::written`]; the others may be changed.
const WITH_BIT: usize = 64;

/// The arguments that a call may change.
pub(crate) struct Changing<'a> {
    known: &'a Known,
    changed: Vec<*mut PyObject>,
}

impl<'a> Changing<'a> {
    /// Those of a call; `None` where there are none. An error where it is not known what their change would change.
    pub(crate) fn of(overload: &Overload, leaves: &'a Leaves<'_>) -> PyResult<Option<Changing<'a>>> {
        let Some(known) = leaves.known() else { return Ok(None) };
        let is_changed = |leaf: usize| leaf >= WITH_BIT || overload.written >> leaf & 1 != 0;
        let objects = leaves
            .arguments()
            .iter()
            .enumerate()
            .filter(|(leaf, argument)| argument.kind == Value::OBJECT && is_changed(*leaf));
        let changed: Vec<_> = objects.filter_map(|(leaf, _)| leaves.object(leaf)).collect();
        if changed.is_empty() {
            return Ok(None);
        }
        if known.given_twice().is_some() {
            return Err(PyTypeError::new_err(
                "one list was passed as two parameters of different types, and the function changes it; pass a copy as one of them",
            ));
        }
        Ok(Some(Changing { known, changed }))
    }

    /// Changes the caller's objects as the call did its own.
    pub(crate) fn carry_out(&self, objects: &Objects<'_, '_>) -> PyResult<()> {
        for given in self.reached()? {
            let Some(argument) = self.known.of(given.as_ptr()) else { continue };
            if matches!(
                argument.description.first(),
                Some(&object::GENERATOR | &object::RANDOM_STATE | &object::RANDOM_GLOBAL)
            ) {
                restore(objects, given.as_ptr(), argument.made.as_ptr())?;
                continue;
            }
            // SAFETY: a live object, and what it was read as.
            unsafe { carry_out(objects, given.as_ptr(), argument.made.as_ptr()) }?;
        }
        Ok(())
    }

    /// The arguments, and what was read of their members, before anything is changed.
    fn reached(&self) -> PyResult<Vec<Held>> {
        let (mut seen, mut reached, mut next) = (HashSet::new(), Vec::new(), self.changed.clone());
        while let Some(given) = next.pop() {
            if self.known.of(given).is_some() && seen.insert(given) {
                // SAFETY: arguments, and what `known` keeps, are live.
                unsafe {
                    reached.push(Held::new(given));
                    if self.known.has_inner() {
                        inner(given, &mut next);
                    }
                }
            }
        }
        Ok(reached)
    }
}

/// Adds what may be an object of its own among the members of one.
///
/// # Safety
/// A live object; the interpreter is attached.
unsafe fn inner(given: *mut PyObject, next: &mut Vec<*mut PyObject>) {
    // SAFETY: as the caller promises; nothing here runs code of the members.
    unsafe {
        if ffi::PyList_Check(given) != 0 {
            for index in 0..ffi::PyList_Size(given) {
                member(ffi::PyList_GetItem(given, index), next);
            }
        } else if ffi::PyDict_Check(given) != 0 {
            let (mut position, mut value) = (0, std::ptr::null_mut());
            while ffi::PyDict_Next(given, &mut position, std::ptr::null_mut(), &mut value) != 0 {
                member(value, next);
            }
        }
    }
}

/// # Safety
/// As [`inner`].
unsafe fn member(given: *mut PyObject, next: &mut Vec<*mut PyObject>) {
    // SAFETY: as the caller promises.
    unsafe {
        if ffi::PyTuple_Check(given) != 0 {
            for index in 0..ffi::PyTuple_Size(given) {
                member(ffi::PyTuple_GetItem(given, index), next);
            }
        } else {
            next.push(given);
        }
    }
}

/// Lets a caller's generator go on where the call stopped.
fn restore(objects: &Objects<'_, '_>, given: *mut PyObject, made: *mut numptx_abi::Buffer) -> PyResult<()> {
    let (py, seen) = (objects.py, super::seen(objects.py, made)?);
    // SAFETY: the words of a live list, which nothing changes; arguments are live.
    let (words, generator) = unsafe {
        (
            std::slice::from_raw_parts(seen.words, usize::try_from(seen.n).unwrap_or(0)),
            Bound::<PyAny>::from_borrowed_ptr(py, given),
        )
    };
    py.import("numptx._random")?.call_method1("restore", (generator, words)).map(drop)
}

/// # Safety
/// A live object that the other one was read of.
unsafe fn carry_out(objects: &Objects<'_, '_>, given: *mut PyObject, made: *mut numptx_abi::Buffer) -> PyResult<()> {
    // SAFETY: as the caller promises.
    unsafe {
        if ffi::PyList_Check(given) != 0 {
            list(objects, given, made)
        } else if ffi::PyDict_Check(given) != 0 {
            dictionary(objects, given, made)
        } else {
            set(objects, given, made)
        }
    }
}

/// # Safety
/// As [`carry_out`], of a list.
unsafe fn list(objects: &Objects<'_, '_>, given: *mut PyObject, made: *mut numptx_abi::Buffer) -> PyResult<()> {
    let mut members = objects.members(made)?;
    // SAFETY: a live list; how long it is is asked anew after everything that may run code of a member's.
    unsafe {
        for index in 0..members.seen.n as isize {
            if index < ffi::PyList_Size(given) {
                let old = Held::new(ffi::PyList_GetItem(given, index));
                if members.is(old.as_ptr())? {
                    continue;
                }
            }
            let new = members.element()?;
            if index < ffi::PyList_Size(given) {
                objects.done(ffi::PyList_SetItem(given, index, new))?;
            } else {
                let status = ffi::PyList_Append(given, new);
                ffi::Py_DECREF(new);
                objects.done(status)?;
            }
        }
        let n = members.seen.n as isize;
        if ffi::PyList_Size(given) > n {
            objects.done(ffi::PyList_SetSlice(given, n, isize::MAX, std::ptr::null_mut()))?;
        }
        Ok(())
    }
}

/// # Safety
/// As [`carry_out`], of a dictionary.
unsafe fn dictionary(objects: &Objects<'_, '_>, given: *mut PyObject, made: *mut numptx_abi::Buffer) -> PyResult<()> {
    let py = objects.py;
    // SAFETY: a live dictionary, and a description of what it holds.
    unsafe {
        let given = Bound::<PyAny>::from_borrowed_ptr(py, given);
        let mut members = objects.members(made)?;
        let mut pairs = Vec::new();
        for _ in 0..members.seen.n {
            let pair = members.pair_like(|key| {
                let known = ffi::PyDict_GetItemWithError(given.as_ptr(), key);
                match known.is_null() {
                    true if !ffi::PyErr_Occurred().is_null() => Err(PyErr::fetch(py)),
                    true => Ok(None),
                    false => Ok(Some(known)),
                }
            })?;
            pairs.push((Bound::<PyAny>::from_owned_ptr(py, pair.0), Bound::<PyAny>::from_owned_ptr(py, pair.1)));
        }
        let old: Vec<Bound<'_, PyAny>> = given.try_iter()?.collect::<PyResult<_>>()?;
        let mut stays = old.len() <= pairs.len();
        for (old, (key, _)) in old.iter().zip(&pairs) {
            stays = stays && old.eq(key)?;
        }
        if !stays {
            given.call_method0("clear")?;
        }
        for (key, value) in pairs {
            let known = ffi::PyDict_GetItemWithError(given.as_ptr(), key.as_ptr());
            if known != value.as_ptr() {
                given.set_item(key, value)?;
            }
        }
        Ok(())
    }
}

/// # Safety
/// As [`carry_out`], of a set.
unsafe fn set(objects: &Objects<'_, '_>, given: *mut PyObject, made: *mut numptx_abi::Buffer) -> PyResult<()> {
    let py = objects.py;
    // SAFETY: a live set, and a new one of what it is to hold.
    unsafe {
        let given = Bound::<PyAny>::from_borrowed_ptr(py, given);
        let new = Bound::<PyAny>::from_owned_ptr(py, objects.members(made)?.set()?);
        if given.eq(&new)? {
            return Ok(());
        }
        if ffi::PySet_Check(given.as_ptr()) == 0 {
            return Err(PyAttributeError::new_err("a 'frozenset' was passed to a function that changes it"));
        }
        given.call_method1("intersection_update", (&new,))?;
        given.call_method1("update", (&new,))?;
        Ok(())
    }
}
