//! Objects of Python's as arguments: copied in, member by member, as their descriptions say.
//!
//! Members are converted as arguments are: a list of floats takes ints, as a parameter `float` does.

use std::ffi::c_void;

use numptx_abi::{Array, dtype, object};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::description::Reader;
use super::known::Lock;
use super::{Known, Owned, new_object};
use crate::scalars::{self, Fit};

/// What an object is as an argument of a description; `None`: it does not fit. The object is borrowed from `known`.
///
/// # Safety
/// A live object, the description of a parameter.
pub(crate) unsafe fn fit(
    py: Python<'_>,
    description: *const u8,
    given: *mut PyObject,
    known: &mut Known,
) -> PyResult<Option<(*mut numptx_abi::Buffer, Fit)>> {
    let mut reading = Reading { py, known, worst: Fit::Exact };
    // SAFETY: as the caller promises. A description ends where what it describes does.
    let made = unsafe { reading.object(&mut Reader::new(description), given) }?;
    let worst = reading.worst;
    Ok(made.map(|made| {
        let buffer = made.as_ptr();
        known.keep(made);
        (buffer, worst)
    }))
}

/// What members become, one after the other.
#[derive(Default)]
struct Members {
    words: Vec<u64>,
    references: Vec<*const c_void>,
    /// What the references are to, until the object is made.
    owned: Vec<Owned>,
    #[expect(clippy::vec_box, reason = "references point to them")]
    arrays: Vec<Box<Array>>,
}

/// The reading of an argument.
struct Reading<'a, 'py> {
    py: Python<'py>,
    known: &'a mut Known,
    worst: Fit,
}

impl Reading<'_, '_> {
    /// # Safety
    /// At the description of an object; a live object.
    unsafe fn object(&mut self, reader: &mut Reader, given: *mut PyObject) -> PyResult<Option<Owned>> {
        // SAFETY: as the caller promises.
        unsafe {
            let whole = *reader;
            let kind = reader.next();
            if kind == object::STRING {
                return self.text(given);
            }
            if matches!(kind, object::GENERATOR | object::RANDOM_STATE | object::RANDOM_GLOBAL) {
                return self.generator(kind, whole.until(*reader), given);
            }
            let member = *reader;
            let mut layout = Vec::new();
            reader.layout(&mut layout);
            if kind == object::DICTIONARY {
                layout.push(object::VALUE);
                reader.layout(&mut layout);
            }
            let description = whole.until(*reader);
            if let Some((made, fit)) = self.known.object(given, description) {
                self.worst = self.worst.max(fit);
                return Ok(Some(made));
            }
            let before = std::mem::replace(&mut self.worst, Fit::Exact);
            let mut members = Members::default();
            let n = match kind {
                object::LIST => self.all_of_list(member, given, &mut members)?,
                object::SET => self.all_of_set(member, given, &mut members)?,
                _ => self.all_of_dictionary(member, given, &mut members)?,
            };
            let Some(n) = n else { return Ok(None) };
            let (words, references) = (members.words.as_ptr().cast(), members.references.as_ptr());
            let made = new_object(self.py, kind, &layout, n, words, references)?;
            self.known.add_object(given, &made, description, self.worst);
            self.worst = self.worst.max(before);
            Ok(Some(made))
        }
    }

    /// # Safety
    /// At the description of a member; a live object.
    unsafe fn all_of_list(
        &mut self,
        reader: Reader,
        given: *mut PyObject,
        members: &mut Members,
    ) -> PyResult<Option<i64>> {
        // SAFETY: as the caller promises. A member is kept while it is converted: code of its own may change the list.
        unsafe {
            if ffi::PyList_Check(given) == 0 {
                return Ok(None);
            }
            let n = ffi::PyList_Size(given);
            members.words.reserve(n as usize);
            if reader.code() == dtype::FLOAT64 && floats(given, n, members) {
                return Ok(Some(n as i64));
            }
            members.words.clear();
            for index in 0..n {
                let member = ffi::PyList_GetItem(given, index);
                if member.is_null() {
                    return Err(PyErr::fetch(self.py));
                }
                let member = Bound::<PyAny>::from_borrowed_ptr(self.py, member);
                if !self.member(&mut reader.clone(), member.as_ptr(), members)? {
                    return Ok(None);
                }
            }
            Ok(Some(n as i64))
        }
    }

    /// # Safety
    /// As [`Reading::all_of_list`].
    unsafe fn all_of_set(
        &mut self,
        reader: Reader,
        given: *mut PyObject,
        members: &mut Members,
    ) -> PyResult<Option<i64>> {
        // SAFETY: as the caller promises.
        let given = unsafe { Bound::<PyAny>::from_borrowed_ptr(self.py, given) };
        // SAFETY: a live object.
        if unsafe { ffi::PyAnySet_Check(given.as_ptr()) } == 0 {
            return Ok(None);
        }
        let mut n = 0;
        for member in given.try_iter()? {
            let member = member?;
            // SAFETY: as the caller promises.
            if !unsafe { self.member(&mut reader.clone(), member.as_ptr(), members) }? {
                return Ok(None);
            }
            n += 1;
        }
        Ok(Some(n))
    }

    /// # Safety
    /// At the description of a key, and of a value behind it; a live object.
    unsafe fn all_of_dictionary(
        &mut self,
        reader: Reader,
        given: *mut PyObject,
        members: &mut Members,
    ) -> PyResult<Option<i64>> {
        // SAFETY: as the caller promises; what is borrowed from the dictionary is kept while it is converted.
        unsafe {
            if ffi::PyDict_Check(given) == 0 {
                return Ok(None);
            }
            let (mut position, mut n) = (0, 0);
            let (mut key, mut value) = (std::ptr::null_mut(), std::ptr::null_mut());
            while ffi::PyDict_Next(given, &mut position, &mut key, &mut value) != 0 {
                let key = Bound::<PyAny>::from_borrowed_ptr(self.py, key);
                let value = Bound::<PyAny>::from_borrowed_ptr(self.py, value);
                let mut reader = reader;
                if !self.member(&mut reader, key.as_ptr(), members)?
                    || !self.member(&mut reader, value.as_ptr(), members)?
                {
                    return Ok(None);
                }
                n += 1;
            }
            Ok(Some(n))
        }
    }

    /// Adds a member; whether it fits.
    ///
    /// # Safety
    /// At the description of a member; a live object.
    unsafe fn member(&mut self, reader: &mut Reader, given: *mut PyObject, members: &mut Members) -> PyResult<bool> {
        // SAFETY: as the caller promises.
        unsafe {
            match reader.code() {
                code if object::is_scalar(code) => {
                    reader.next();
                    let (dtype, is_python) = (object::dtype_of(code), !object::is_numpy(code));
                    let Ok(fitted) = scalars::fit(given, dtype, is_python) else { return Err(PyErr::fetch(self.py)) };
                    let Some((bits, fit)) = fitted else { return Ok(false) };
                    self.worst = self.worst.max(fit);
                    members.words.extend_from_slice(&bits[..object::words(code)]);
                    Ok(true)
                }
                object::NONE => {
                    reader.next();
                    Ok(given == ffi::Py_None())
                }
                object::OPEN => {
                    reader.next();
                    if ffi::PyTuple_Check(given) == 0 {
                        return Ok(false);
                    }
                    let (n, mut index) = (ffi::PyTuple_Size(given), 0);
                    while reader.code() != object::CLOSE {
                        if index == n || !self.member(reader, ffi::PyTuple_GetItem(given, index), members)? {
                            return Ok(false);
                        }
                        index += 1;
                    }
                    reader.next();
                    Ok(index == n)
                }
                object::ARRAY => {
                    reader.next();
                    let (dtype, rank) = (reader.next(), reader.next());
                    let kept = crate::foreign::of_numpy_kept(self.py, given, dtype, usize::from(rank))?;
                    let Some(array) = kept.map(Box::new) else { return Ok(false) };
                    self.known.add_array(given, array.buffer);
                    members.references.push((&raw const *array).cast());
                    members.owned.push(Owned(array.buffer));
                    members.arrays.push(array);
                    Ok(true)
                }
                _ => match self.object(reader, given)? {
                    Some(made) => {
                        members.references.push(made.as_ptr().cast_const().cast());
                        members.owned.push(made);
                        Ok(true)
                    }
                    None => Ok(false),
                },
            }
        }
    }

    /// A generator of NumPy's; `None` of other objects. Its lock is held for the time of the call.
    ///
    /// # Safety
    /// A live object, and its description.
    unsafe fn generator(
        &mut self,
        kind: u8,
        description: &'static [u8],
        given: *mut PyObject,
    ) -> PyResult<Option<Owned>> {
        if let Some((made, _)) = self.known.object(given, description) {
            return Ok(Some(made));
        }
        let is_legacy = kind != object::GENERATOR;
        // SAFETY: as the caller promises.
        let generator = unsafe { Bound::<PyAny>::from_borrowed_ptr(self.py, given) };
        let found = self.py.import("numptx._random")?.call_method1("words", (generator, is_legacy))?;
        if found.is_none() {
            return Ok(None);
        }
        let (words, bits, is_held) = found.extract::<(Vec<u64>, Bound<'_, PyAny>, bool)>()?;
        if is_held {
            // SAFETY: a live object, whose lock is held.
            self.known.add_lock(unsafe { Lock::of(bits.as_ptr()) });
        }
        // Two generators of one bit generator go on in turn; each `RandomState` keeps a normal draw of its own.
        let made = match self.known.object(bits.as_ptr(), description) {
            Some(_) if is_legacy => {
                let message = "two RandomStates of one bit generator were passed; pass one of them";
                return Err(PyTypeError::new_err(message));
            }
            Some((made, _)) => made,
            None => {
                let layout = [dtype::UINT64 | object::NUMPY];
                let (n, words) = (words.len() as i64, words.as_ptr().cast());
                new_object(self.py, object::LIST, &layout, n, words, std::ptr::null())?
            }
        };
        // SAFETY: both are live.
        unsafe {
            self.known.add_object(bits.as_ptr(), &made, description, Fit::Exact);
            self.known.add_object(given, &made, description, Fit::Exact);
        }
        Ok(Some(made))
    }

    /// A string; `None` of other objects.
    ///
    /// # Safety
    /// A live object.
    unsafe fn text(&self, given: *mut PyObject) -> PyResult<Option<Owned>> {
        // SAFETY: as the caller promises.
        let given = unsafe { Bound::<PyAny>::from_borrowed_ptr(self.py, given) };
        let Ok(text) = given.cast::<PyString>() else { return Ok(None) };
        let text = text.to_str()?;
        new_object(self.py, object::STRING, &[], text.len() as i64, text.as_ptr().cast(), std::ptr::null()).map(Some)
    }
}

/// Adds the members of a list that are all floats of Python; whether they are.
///
/// # Safety
/// A live list of so many members, which nobody else changes.
unsafe fn floats(list: *mut PyObject, n: isize, members: &mut Members) -> bool {
    // SAFETY: as the caller promises; reading a float runs no Python code.
    unsafe {
        for index in 0..n {
            let member = ffi::PyList_GetItem(list, index);
            if member.is_null() || ffi::PyFloat_CheckExact(member) == 0 {
                ffi::PyErr_Clear();
                return false;
            }
            members.words.push(ffi::PyFloat_AsDouble(member).to_bits());
        }
    }
    true
}
