//! Lists, dictionaries, sets and strings between Python and compiled code: copied in, and fresh ones out.
//!
//! In: a Python object and the description of a parameter (see [`numptx_abi::object`]); or an object of the runtime. Out: the other one. Members are
//! converted as arguments are: a list of floats takes ints, as a parameter `float` does.

use std::ffi::c_void;

use numptx_abi::{Array, Buffer, Error as AbiError, ObjectView, Status, Value, error_kind, object};
use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::call::new_reference;
use crate::interrupt::outside_of_calls;
use crate::scalars::{self, Fit};
use crate::{errors, runtime};

/// A reference to an object of the runtime, given up when it is dropped.
pub(crate) struct Owned(*mut Buffer);

impl Owned {
    /// The object; borrowed.
    pub(crate) fn as_ptr(&self) -> *mut Buffer {
        self.0
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: this reference's.
        unsafe { (runtime::table().release)(self.0) };
    }
}

/// What an object is as an argument of a description; `None`: it does not fit.
///
/// # Safety
/// A live object, the description of a parameter.
pub(crate) unsafe fn fit(
    py: Python<'_>,
    description: *const u8,
    given: *mut PyObject,
) -> PyResult<Option<(Owned, Fit)>> {
    // A description ends where what it describes does: none is longer than this.
    let mut reader = Reader { at: description };
    let mut worst = Fit::Exact;
    // SAFETY: as the caller promises.
    let made = unsafe { reader.object(py, given, &mut worst) }?;
    Ok(made.map(|made| (made, worst)))
}

/// A description on the way through.
#[derive(Clone, Copy)]
struct Reader {
    at: *const u8,
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

impl Reader {
    /// # Safety
    /// Inside of a description.
    unsafe fn next(&mut self) -> u8 {
        // SAFETY: as the caller promises.
        unsafe {
            let code = *self.at;
            self.at = self.at.add(1);
            code
        }
    }

    /// # Safety
    /// At the description of an object; a live object.
    unsafe fn object(&mut self, py: Python<'_>, given: *mut PyObject, worst: &mut Fit) -> PyResult<Option<Owned>> {
        // SAFETY: as the caller promises.
        unsafe {
            let kind = self.next();
            if kind == object::STRING {
                return text(py, given);
            }
            let member = *self;
            let mut layout = Vec::new();
            self.layout(&mut layout);
            if kind == object::DICTIONARY {
                layout.push(object::VALUE);
                self.layout(&mut layout);
            }
            let mut members = Members::default();
            let n = match kind {
                object::LIST => member.all_of_list(py, given, &mut members, worst)?,
                object::SET => member.all_of_set(py, given, &mut members, worst)?,
                _ => member.all_of_dictionary(py, given, &mut members, worst)?,
            };
            match n {
                Some(n) => make(py, kind, &layout, n, &members).map(Some),
                None => Ok(None),
            }
        }
    }

    /// Passes a member's description, and writes its layout.
    ///
    /// # Safety
    /// At the description of a member.
    unsafe fn layout(&mut self, layout: &mut Vec<u8>) {
        // SAFETY: as the caller promises.
        unsafe {
            match self.next() {
                object::OPEN => {
                    layout.push(object::OPEN);
                    while *self.at != object::CLOSE {
                        self.layout(layout);
                    }
                    layout.push(self.next());
                }
                object::ARRAY => {
                    layout.push(object::ARRAY);
                    self.at = self.at.add(2);
                }
                object::LIST | object::SET => {
                    layout.push(object::OBJECT);
                    self.layout(&mut Vec::new());
                }
                object::DICTIONARY => {
                    layout.push(object::OBJECT);
                    self.layout(&mut Vec::new());
                    self.layout(&mut Vec::new());
                }
                code => layout.push(code),
            }
        }
    }

    /// # Safety
    /// At the description of a member; a live object.
    unsafe fn all_of_list(
        self,
        py: Python<'_>,
        given: *mut PyObject,
        members: &mut Members,
        worst: &mut Fit,
    ) -> PyResult<Option<i64>> {
        // SAFETY: as the caller promises; a member is borrowed from the list for as long as its conversion takes, in which no Python code runs that
        // could change the list but that of a number's own methods, for which it is kept.
        unsafe {
            if ffi::PyList_Check(given) == 0 {
                return Ok(None);
            }
            let n = ffi::PyList_Size(given);
            members.words.reserve(n as usize);
            if *self.at == numptx_abi::dtype::FLOAT64 && floats(given, n, members) {
                return Ok(Some(n as i64));
            }
            members.words.clear();
            for index in 0..n {
                let member = ffi::PyList_GetItem(given, index);
                if member.is_null() {
                    return Err(PyErr::fetch(py));
                }
                let member = Bound::<PyAny>::from_borrowed_ptr(py, member);
                let mut reader = self;
                if !reader.member(py, member.as_ptr(), members, worst)? {
                    return Ok(None);
                }
            }
            Ok(Some(n as i64))
        }
    }

    /// # Safety
    /// As [`Reader::all_of_list`].
    unsafe fn all_of_set(
        self,
        py: Python<'_>,
        given: *mut PyObject,
        members: &mut Members,
        worst: &mut Fit,
    ) -> PyResult<Option<i64>> {
        // SAFETY: as the caller promises.
        let given = unsafe { Bound::<PyAny>::from_borrowed_ptr(py, given) };
        // SAFETY: a live object.
        if unsafe { ffi::PyAnySet_Check(given.as_ptr()) } == 0 {
            return Ok(None);
        }
        let mut n = 0;
        for member in given.try_iter()? {
            let (member, mut reader) = (member?, self);
            // SAFETY: as the caller promises.
            if !unsafe { reader.member(py, member.as_ptr(), members, worst) }? {
                return Ok(None);
            }
            n += 1;
        }
        Ok(Some(n))
    }

    /// # Safety
    /// At the description of a key, and of a value behind it; a live object.
    unsafe fn all_of_dictionary(
        self,
        py: Python<'_>,
        given: *mut PyObject,
        members: &mut Members,
        worst: &mut Fit,
    ) -> PyResult<Option<i64>> {
        // SAFETY: as the caller promises; what is borrowed from the dictionary is kept while it is converted.
        unsafe {
            if ffi::PyDict_Check(given) == 0 {
                return Ok(None);
            }
            let (mut position, mut n) = (0, 0);
            let (mut key, mut value) = (std::ptr::null_mut(), std::ptr::null_mut());
            while ffi::PyDict_Next(given, &mut position, &mut key, &mut value) != 0 {
                let key = Bound::<PyAny>::from_borrowed_ptr(py, key);
                let value = Bound::<PyAny>::from_borrowed_ptr(py, value);
                let mut reader = self;
                if !reader.member(py, key.as_ptr(), members, worst)?
                    || !reader.member(py, value.as_ptr(), members, worst)?
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
    unsafe fn member(
        &mut self,
        py: Python<'_>,
        given: *mut PyObject,
        members: &mut Members,
        worst: &mut Fit,
    ) -> PyResult<bool> {
        // SAFETY: as the caller promises.
        unsafe {
            match *self.at {
                code if object::is_scalar(code) => {
                    self.next();
                    let (dtype, is_python) = (object::dtype_of(code), !object::is_numpy(code));
                    let Ok(fitted) = scalars::fit(given, dtype, is_python) else { return Err(PyErr::fetch(py)) };
                    let Some((bits, fit)) = fitted else { return Ok(false) };
                    if fit == Fit::Converted {
                        *worst = Fit::Converted;
                    }
                    members.words.extend_from_slice(&bits[..object::words(code)]);
                    Ok(true)
                }
                object::NONE => {
                    self.next();
                    Ok(given == ffi::Py_None())
                }
                object::OPEN => {
                    self.next();
                    if ffi::PyTuple_Check(given) == 0 {
                        return Ok(false);
                    }
                    let (n, mut index) = (ffi::PyTuple_Size(given), 0);
                    while *self.at != object::CLOSE {
                        if index == n || !self.member(py, ffi::PyTuple_GetItem(given, index), members, worst)? {
                            return Ok(false);
                        }
                        index += 1;
                    }
                    self.next();
                    Ok(index == n)
                }
                object::ARRAY => {
                    self.next();
                    let (dtype, rank) = (self.next(), self.next());
                    let kept = crate::foreign::of_numpy_kept(py, given, dtype, usize::from(rank))?;
                    let Some(array) = kept.map(Box::new) else { return Ok(false) };
                    members.references.push((&raw const *array).cast());
                    members.owned.push(Owned(array.buffer));
                    members.arrays.push(array);
                    Ok(true)
                }
                _ => match self.object(py, given, worst)? {
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

/// A string; `None` of other objects.
///
/// # Safety
/// A live object.
unsafe fn text(py: Python<'_>, given: *mut PyObject) -> PyResult<Option<Owned>> {
    // SAFETY: as the caller promises.
    let given = unsafe { Bound::<PyAny>::from_borrowed_ptr(py, given) };
    let Ok(text) = given.cast::<PyString>() else { return Ok(None) };
    let text = text.to_str()?;
    new_object(py, object::STRING, &[], text.len() as i64, text.as_ptr().cast(), std::ptr::null()).map(Some)
}

fn make(py: Python<'_>, kind: u8, layout: &[u8], n: i64, members: &Members) -> PyResult<Owned> {
    new_object(py, kind, layout, n, members.words.as_ptr().cast(), members.references.as_ptr())
}

fn new_object(
    py: Python<'_>,
    kind: u8,
    layout: &[u8],
    n: i64,
    words: *const c_void,
    references: *const *const c_void,
) -> PyResult<Owned> {
    let (mut made, mut error) = (std::ptr::null_mut(), errors::unfilled());
    // SAFETY: elements of this layout, as many as are told.
    let status = unsafe {
        (runtime::table().object_new)(
            u32::from(kind),
            layout.as_ptr(),
            layout.len() as u32,
            n,
            words,
            references,
            &mut made,
            error.as_mut_ptr(),
        )
    };
    if status == error_kind::OK { Ok(Owned(made)) } else { Err(failed(py, status, &mut error)) }
}

fn failed(py: Python<'_>, status: Status, error: &mut std::mem::MaybeUninit<AbiError>) -> PyErr {
    // SAFETY: the message was null-terminated from the start.
    unsafe { errors::exception(py, status, (&raw const (*error.as_ptr()).message).cast()) }
}

/// Makes Python's objects of the runtime's. `array`: makes one of an array.
pub(crate) struct Objects<'a, 'py> {
    pub(crate) py: Python<'py>,
    pub(crate) array: &'a dyn Fn(&Value) -> PyResult<*mut PyObject>,
}

impl Objects<'_, '_> {
    /// A new reference to a list, a dictionary, a set or a string of what an object holds.
    pub(crate) fn made_of(&self, buffer: *const Buffer) -> PyResult<*mut PyObject> {
        let seen = self.seen(buffer)?;
        let _keeping = (!seen.elements.is_null()).then(|| Owned(seen.elements));
        if seen.kind == u32::from(object::STRING) {
            // SAFETY: the text lives as long as the object.
            let made = unsafe { ffi::PyUnicode_FromStringAndSize(seen.text.cast(), seen.n_text as isize) };
            return self.checked(made);
        }
        // SAFETY: the layout lives as long as the object.
        let layout = match seen.n_layout {
            0 => &[][..],
            // SAFETY: as above.
            n => unsafe { std::slice::from_raw_parts(seen.layout, n as usize) },
        };
        let list = if seen.elements.is_null() { buffer } else { seen.elements.cast_const() };
        let mut members = Taken { objects: self, list, layout, words: seen.words, next: 0 };
        match seen.kind {
            kind if kind == u32::from(object::DICTIONARY) => members.dictionary(seen.n),
            kind if kind == u32::from(object::SET) => members.set(seen.n),
            _ => members.list(seen.n),
        }
    }

    fn seen(&self, buffer: *const Buffer) -> PyResult<ObjectView> {
        let (mut seen, mut error) = (std::mem::MaybeUninit::uninit(), errors::unfilled());
        // SAFETY: a live object, and room for what it holds.
        let status = unsafe { (runtime::table().object_view)(buffer, seen.as_mut_ptr(), error.as_mut_ptr()) };
        match status {
            // SAFETY: filled.
            error_kind::OK => Ok(unsafe { seen.assume_init() }),
            _ => Err(failed(self.py, status, &mut error)),
        }
    }

    fn checked(&self, made: *mut PyObject) -> PyResult<*mut PyObject> {
        if made.is_null() { Err(PyErr::fetch(self.py)) } else { Ok(made) }
    }
}

/// The members of a list on the way to Python.
struct Taken<'a, 'b, 'py> {
    objects: &'a Objects<'b, 'py>,
    list: *const Buffer,
    layout: &'a [u8],
    words: *const u64,
    /// The next reference.
    next: i64,
}

impl Taken<'_, '_, '_> {
    fn list(&mut self, n: i64) -> PyResult<*mut PyObject> {
        // SAFETY: members are new references that the list takes over.
        unsafe {
            let list = self.objects.checked(ffi::PyList_New(n as isize))?;
            for index in 0..n {
                match self.element() {
                    Ok(member) => ffi::PyList_SetItem(list, index as isize, member),
                    Err(error) => {
                        ffi::Py_DECREF(list);
                        return Err(error);
                    }
                };
            }
            Ok(list)
        }
    }

    fn set(&mut self, n: i64) -> PyResult<*mut PyObject> {
        // SAFETY: live objects; references are given up once.
        unsafe {
            let set = self.objects.checked(ffi::PySet_New(std::ptr::null_mut()))?;
            for _ in 0..n {
                let added = self.element().and_then(|member| {
                    let status = ffi::PySet_Add(set, member);
                    ffi::Py_DECREF(member);
                    if status == 0 { Ok(()) } else { Err(PyErr::fetch(self.objects.py)) }
                });
                if let Err(error) = added {
                    ffi::Py_DECREF(set);
                    return Err(error);
                }
            }
            Ok(set)
        }
    }

    fn dictionary(&mut self, n: i64) -> PyResult<*mut PyObject> {
        // SAFETY: as above.
        unsafe {
            let dictionary = self.objects.checked(ffi::PyDict_New())?;
            for _ in 0..n {
                let added = self.element().and_then(|pair| {
                    let status =
                        ffi::PyDict_SetItem(dictionary, ffi::PyTuple_GetItem(pair, 0), ffi::PyTuple_GetItem(pair, 1));
                    ffi::Py_DECREF(pair);
                    if status == 0 { Ok(()) } else { Err(PyErr::fetch(self.objects.py)) }
                });
                if let Err(error) = added {
                    ffi::Py_DECREF(dictionary);
                    return Err(error);
                }
            }
            Ok(dictionary)
        }
    }

    /// The next element.
    fn element(&mut self) -> PyResult<*mut PyObject> {
        let layout = self.layout;
        let mut codes = layout.iter().copied();
        match codes.next() {
            Some(code) => self.member(code, &mut codes),
            // SAFETY: `None` is immortal for as long as the interpreter is attached.
            None => Ok(unsafe { new_reference(ffi::Py_None()) }),
        }
    }

    fn member(&mut self, code: u8, codes: &mut dyn Iterator<Item = u8>) -> PyResult<*mut PyObject> {
        // SAFETY: the list has words and references for each code of its layout; the interpreter is attached.
        unsafe {
            match code {
                code if object::is_scalar(code) => {
                    let mut bits = [0; 2];
                    for word in bits.iter_mut().take(object::words(code)) {
                        *word = *self.words;
                        self.words = self.words.add(1);
                    }
                    let dtype = object::dtype_of(code);
                    self.objects.checked(match object::is_numpy(code) {
                        true => scalars::numpy_object(dtype, bits),
                        false => scalars::python_object(dtype, bits),
                    })
                }
                object::OPEN => {
                    let mut members = Vec::new();
                    let outcome = loop {
                        match codes.next() {
                            None | Some(object::CLOSE) => break Ok(()),
                            Some(code) => match self.member(code, codes) {
                                Ok(member) => members.push(member),
                                Err(error) => break Err(error),
                            },
                        }
                    };
                    let tuple = match outcome {
                        Ok(()) => self.objects.checked(ffi::PyTuple_New(members.len() as isize)),
                        Err(error) => Err(error),
                    };
                    match tuple {
                        Ok(tuple) => {
                            for (index, member) in members.into_iter().enumerate() {
                                ffi::PyTuple_SetItem(tuple, index as isize, member);
                            }
                            Ok(tuple)
                        }
                        Err(error) => {
                            members.into_iter().for_each(|member| ffi::Py_DECREF(member));
                            Err(error)
                        }
                    }
                }
                object::STRING | object::OBJECT | object::ARRAY => self.reference(),
                _ => Ok(new_reference(ffi::Py_None())),
            }
        }
    }

    fn reference(&mut self) -> PyResult<*mut PyObject> {
        let (mut value, mut error) = (std::mem::MaybeUninit::<Value>::zeroed(), errors::unfilled());
        // SAFETY: a live list, and room for a value.
        let status = unsafe {
            (runtime::table().object_reference)(self.list, self.next, value.as_mut_ptr(), error.as_mut_ptr())
        };
        self.next += 1;
        if status != error_kind::OK {
            return Err(failed(self.objects.py, status, &mut error));
        }
        // SAFETY: zeros and what the runtime filled are a value.
        let value = unsafe { value.assume_init() };
        match value.kind {
            Value::OBJECT => self.objects.made_of(value.array.buffer),
            Value::ARRAY => (self.objects.array)(&value),
            _ => Err(PyRuntimeError::new_err("numptx: a list holds something unknown; this is a bug of numptx")),
        }
    }
}

/// [`numptx_abi::RuntimeTable::set_writer`]: writes to `sys.stdout`, as `print` does. What that raises stays pending, and ends the call.
pub(crate) unsafe extern "C" fn write(text: *const u8, bytes: i64, _: *mut AbiError) -> Status {
    // SAFETY: the runtime passes a text that lives for the call.
    let text = unsafe { std::slice::from_raw_parts(text, usize::try_from(bytes).unwrap_or(0)) };
    let write = |py: Python<'_>| -> PyResult<()> {
        let stdout = py.import("sys")?.getattr("stdout")?;
        if !stdout.is_none() {
            stdout.call_method1("write", (String::from_utf8_lossy(text),))?;
        }
        Ok(())
    };
    let status = Python::try_attach(|py| match outside_of_calls(|| write(py)) {
        Ok(()) => error_kind::OK,
        Err(raised) => {
            raised.restore(py);
            error_kind::INTERRUPTED
        }
    });
    status.unwrap_or(error_kind::OK)
}

/// What a description accepts, as signatures say it.
///
/// # Safety
/// The description of a parameter.
pub(crate) unsafe fn accepted(description: *const u8) -> String {
    let mut reader = Reader { at: description };
    // SAFETY: as the caller promises.
    unsafe { reader.accepted() }
}

impl Reader {
    /// # Safety
    /// At the description of a member or an object.
    unsafe fn accepted(&mut self) -> String {
        // SAFETY: as the caller promises.
        unsafe {
            match self.next() {
                object::STRING => "str".into(),
                object::LIST => format!("{} list", self.accepted()),
                object::SET => format!("{} set", self.accepted()),
                object::DICTIONARY => {
                    let key = self.accepted();
                    format!("{key}:{} dict", self.accepted())
                }
                object::OPEN => {
                    let mut members = Vec::new();
                    while *self.at != object::CLOSE {
                        members.push(self.accepted());
                    }
                    self.next();
                    format!("({})", members.join(", "))
                }
                object::ARRAY => {
                    let (dtype, rank) = (self.next(), self.next());
                    let axes = vec![":"; usize::from(rank)].join(", ");
                    format!("{}[{axes}]", crate::parameters::dtype_name(dtype))
                }
                object::NONE => "None".into(),
                code => crate::parameters::scalar_name(object::dtype_of(code), !object::is_numpy(code)).to_string(),
            }
        }
    }
}
