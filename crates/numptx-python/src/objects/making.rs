//! Objects of the runtime's as Python's.

use std::ffi::CStr;

use numptx_abi::{Buffer, ObjectView, Value, error_kind, object};
use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

use super::{Made, Owned, Reader, failed, seen};
use crate::call::new_reference;
use crate::numpy::{Dtype, numpy};
use crate::{errors, runtime, scalars};

/// Makes Python's objects of the runtime's. `array`: makes one of an array.
pub(crate) struct Objects<'a, 'py> {
    pub(crate) py: Python<'py>,
    pub(crate) made: &'a Made,
    pub(crate) array: &'a dyn Fn(&Value) -> PyResult<*mut PyObject>,
    /// Makes an instance of a class of the function's module, of a text that describes it and the tuple of its fields, which it takes over.
    pub(crate) instance: &'a dyn Fn(&CStr, *mut PyObject) -> PyResult<*mut PyObject>,
}

impl Objects<'_, '_> {
    /// A new reference to the list, dictionary, set or string that an object is: what was passed as it, what was made of it before, or a new one. A
    /// description says where it becomes something else; it is that of a live library.
    pub(crate) fn made_of(&self, buffer: *mut Buffer, described: Option<Reader>) -> PyResult<*mut PyObject> {
        if let Some(known) = self.made.of(buffer) {
            // SAFETY: kept alive.
            return Ok(unsafe { new_reference(known) });
        }
        let mut members = self.members(buffer)?;
        // SAFETY: the description is that of this object.
        let class = described.map(|mut reader| unsafe {
            let code = reader.next();
            let makes = (code == object::DEFAULT).then(|| reader.text());
            members.described = Some(reader);
            (code, makes)
        });
        let (seen, most) = (&members.seen, members.seen.n_text);
        let made = match seen.kind {
            kind if kind == u32::from(object::STRING) => {
                // SAFETY: the text lives as long as the object.
                let made = unsafe { ffi::PyUnicode_FromStringAndSize(seen.text.cast(), seen.n_text as isize) };
                return self.checked(made);
            }
            kind if kind == u32::from(object::DICTIONARY) => members.dictionary(),
            kind if kind == u32::from(object::SET) => members.set(),
            _ => members.list(),
        }?;
        let made = match class {
            Some((code, makes)) => {
                // SAFETY: a new reference.
                let made = unsafe { Bound::from_owned_ptr(self.py, made) };
                self.become_class(made, code, makes, most)?
            }
            None => made,
        };
        self.made.add(buffer, made);
        Ok(made)
    }

    /// What a new list or dictionary becomes by its description's code.
    fn become_class(
        &self,
        made: Bound<'_, PyAny>,
        code: u8,
        makes: Option<&CStr>,
        most: i64,
    ) -> PyResult<*mut PyObject> {
        if code == object::TUPLE {
            // SAFETY: a live list.
            return self.checked(unsafe { ffi::PyList_AsTuple(made.as_ptr()) });
        }
        if !matches!(code, object::DEQUE | object::COUNTER | object::DEFAULT) {
            return Ok(made.into_ptr());
        }
        let collections = self.py.import("collections")?;
        let became = match code {
            object::DEQUE => collections.getattr("deque")?.call1((made, (most >= 0).then_some(most)))?,
            object::COUNTER => collections.getattr("Counter")?.call1((made,))?,
            _ => {
                let name = makes.unwrap_or_default().to_string_lossy();
                let function = match name.as_ref() {
                    "None" => None,
                    // A lookup that fails would leave an exception behind: see `Note [Attached, and known to be]`.
                    name @ ("deque" | "Counter" | "defaultdict") => Some(collections.getattr(name)?),
                    name => Some(self.py.import("builtins")?.getattr(name)?),
                };
                collections.getattr("defaultdict")?.call1((function, made))?
            }
        };
        Ok(became.into_ptr())
    }

    /// The members of an object; none of a string.
    pub(super) fn members(&self, buffer: *const Buffer) -> PyResult<Members<'_, '_>> {
        let seen = seen(self.py, buffer)?;
        let keeping = (!seen.elements.is_null()).then(|| Owned(seen.elements));
        let layout = match seen.n_layout {
            0 => &[][..],
            // SAFETY: the layout lives as long as the object.
            n => unsafe { std::slice::from_raw_parts(seen.layout, n as usize) },
        };
        let list = if seen.elements.is_null() { buffer } else { seen.elements.cast_const() };
        Ok(Members {
            objects: self,
            list,
            layout,
            words: seen.words,
            next: 0,
            described: None,
            seen,
            _keeping: keeping,
        })
    }

    /// What a status of Python's says.
    pub(super) fn done(&self, status: std::ffi::c_int) -> PyResult<()> {
        if status < 0 { Err(PyErr::fetch(self.py)) } else { Ok(()) }
    }

    fn checked(&self, made: *mut PyObject) -> PyResult<*mut PyObject> {
        if made.is_null() { Err(PyErr::fetch(self.py)) } else { Ok(made) }
    }
}

/// The members of an object, one after the other; those of a dictionary are pairs.
pub(super) struct Members<'a, 'py> {
    objects: &'a Objects<'a, 'py>,
    list: *const Buffer,
    layout: &'a [u8],
    words: *const u64,
    /// The next reference.
    next: i64,
    /// Where each member is described, if what it becomes is told.
    described: Option<Reader>,
    pub(super) seen: ObjectView,
    /// What holds the members, if it was made for them.
    _keeping: Option<Owned>,
}

/// What is left of a layout.
type Codes<'a> = std::iter::Copied<std::slice::Iter<'a, u8>>;

impl Members<'_, '_> {
    fn list(mut self) -> PyResult<*mut PyObject> {
        // SAFETY: members are new references that the list takes over.
        unsafe {
            let list = self.objects.checked(ffi::PyList_New(self.seen.n as isize))?;
            for index in 0..self.seen.n {
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

    /// A new set of all of them.
    pub(super) fn set(mut self) -> PyResult<*mut PyObject> {
        // SAFETY: live objects; references are given up once.
        unsafe {
            let set = self.objects.checked(ffi::PySet_New(std::ptr::null_mut()))?;
            for _ in 0..self.seen.n {
                let added = self.element().and_then(|member| {
                    let status = ffi::PySet_Add(set, member);
                    ffi::Py_DECREF(member);
                    self.objects.done(status)
                });
                if let Err(error) = added {
                    ffi::Py_DECREF(set);
                    return Err(error);
                }
            }
            Ok(set)
        }
    }

    fn dictionary(mut self) -> PyResult<*mut PyObject> {
        // SAFETY: as above.
        unsafe {
            let dictionary = self.objects.checked(ffi::PyDict_New())?;
            for _ in 0..self.seen.n {
                let added = self.pair().and_then(|(key, value)| {
                    let status = ffi::PyDict_SetItem(dictionary, key, value);
                    ffi::Py_DECREF(key);
                    ffi::Py_DECREF(value);
                    self.objects.done(status)
                });
                if let Err(error) = added {
                    ffi::Py_DECREF(dictionary);
                    return Err(error);
                }
            }
            Ok(dictionary)
        }
    }

    /// The next member: a new reference.
    pub(super) fn element(&mut self) -> PyResult<*mut PyObject> {
        let mut codes = self.layout.iter().copied();
        let mut described = self.described;
        self.next_of(&mut codes, &mut described)
    }

    /// The next member of a dictionary, two new references.
    fn pair(&mut self) -> PyResult<(*mut PyObject, *mut PyObject)> {
        self.pair_like(|_| Ok(None))
    }

    /// The next member of a dictionary, two new references. A value that is what `known` gives for its key is that object.
    pub(super) fn pair_like(
        &mut self,
        known: impl FnOnce(*mut PyObject) -> PyResult<Option<*mut PyObject>>,
    ) -> PyResult<(*mut PyObject, *mut PyObject)> {
        let mut codes = self.codes_of_pair();
        let mut described = self.described;
        let key = self.next_of(&mut codes, &mut described)?;
        let value = known(key).and_then(|known| match known {
            Some(known) if self.passed(known, &mut codes)? => {
                // SAFETY: a live object.
                Ok(unsafe { new_reference(known) })
            }
            _ => self.next_of(&mut codes, &mut described),
        });
        match value {
            Ok(value) => Ok((key, value)),
            Err(error) => {
                // SAFETY: a new reference.
                unsafe { ffi::Py_DECREF(key) };
                Err(error)
            }
        }
    }

    /// The layout of a dictionary's members is that of pairs.
    fn codes_of_pair<'b>(&self) -> Codes<'b>
    where
        Self: 'b,
    {
        // SAFETY: the layout lives as long as the members do.
        let layout = unsafe { std::slice::from_raw_parts(self.layout.as_ptr(), self.layout.len()) };
        layout.get(1..).unwrap_or_default().iter().copied()
    }

    /// Passes the next member if it is an object; whether it is.
    pub(super) fn is(&mut self, object: *mut PyObject) -> PyResult<bool> {
        let mut codes = self.layout.iter().copied();
        self.passed(object, &mut codes)
    }

    fn passed(&mut self, object: *mut PyObject, codes: &mut Codes<'_>) -> PyResult<bool> {
        let (words, next, before) = (self.words, self.next, codes.clone());
        let is_same = match codes.next() {
            Some(code) => self.same(code, codes, object)?,
            // SAFETY: `None` is immortal for as long as the interpreter is attached.
            None => object == unsafe { ffi::Py_None() },
        };
        if !is_same {
            (self.words, self.next, *codes) = (words, next, before);
        }
        Ok(is_same)
    }

    /// Whether a member is an object, and passes it as far as it was.
    fn same(&mut self, code: u8, codes: &mut Codes<'_>, object: *mut PyObject) -> PyResult<bool> {
        // SAFETY: the list has words and references for each code of its layout; a live object, the interpreter is attached.
        unsafe {
            match code {
                code if object::is_scalar(code) => {
                    let bits = self.bits(code);
                    match scalars::fit(object, object::dtype_of(code), !object::is_numpy(code)) {
                        Ok(fitted) => Ok(fitted.is_some_and(|(own, _)| own == bits)),
                        Err(scalars::PendingException) => {
                            ffi::PyErr_Clear();
                            Ok(false)
                        }
                    }
                }
                object::OPEN => {
                    if ffi::PyTuple_Check(object) == 0 {
                        return Ok(false);
                    }
                    let mut index = 0;
                    loop {
                        match codes.next() {
                            None | Some(object::CLOSE) => return Ok(index == ffi::PyTuple_Size(object)),
                            Some(_) if index == ffi::PyTuple_Size(object) => return Ok(false),
                            Some(code) if !self.same(code, codes, ffi::PyTuple_GetItem(object, index))? => {
                                return Ok(false);
                            }
                            Some(_) => index += 1,
                        }
                    }
                }
                object::STRING => {
                    let value = self.value()?;
                    let (seen, mut n) = (seen(self.objects.py, value.array.buffer)?, 0);
                    if ffi::PyUnicode_Check(object) == 0 || seen.kind != u32::from(object::STRING) {
                        return Ok(false);
                    }
                    let text = ffi::PyUnicode_AsUTF8AndSize(object, &mut n).cast::<u8>();
                    if text.is_null() {
                        ffi::PyErr_Clear();
                        return Ok(false);
                    }
                    let own = std::slice::from_raw_parts(seen.text, seen.n_text as usize);
                    Ok(own == std::slice::from_raw_parts(text, n as usize))
                }
                object::OBJECT => {
                    let value = self.value()?;
                    Ok(self.objects.made.of(value.array.buffer) == Some(object))
                }
                object::ARRAY => {
                    let value = self.value()?;
                    let is_same = is_array(&value, object);
                    if !value.array.buffer.is_null() {
                        drop(Owned(value.array.buffer));
                    }
                    Ok(is_same)
                }
                _ => Ok(object == ffi::Py_None()),
            }
        }
    }

    fn next_of(&mut self, codes: &mut Codes<'_>, described: &mut Option<Reader>) -> PyResult<*mut PyObject> {
        match codes.next() {
            Some(code) => self.member(code, codes, described),
            // SAFETY: `None` is immortal for as long as the interpreter is attached.
            None => Ok(unsafe { new_reference(ffi::Py_None()) }),
        }
    }

    /// The next scalar.
    ///
    /// # Safety
    /// The list has words of this code.
    unsafe fn bits(&mut self, code: u8) -> [u64; 2] {
        let mut bits = [0; 2];
        for word in bits.iter_mut().take(object::words(code)) {
            // SAFETY: as the caller promises.
            unsafe {
                *word = *self.words;
                self.words = self.words.add(1);
            }
        }
        bits
    }

    fn member(&mut self, code: u8, codes: &mut Codes<'_>, described: &mut Option<Reader>) -> PyResult<*mut PyObject> {
        // SAFETY: the list has words and references for each code of its layout, and a description that has the same; the interpreter is attached.
        unsafe {
            let own = *described;
            let mut class = None;
            if let Some(reader) = described {
                match code {
                    object::OPEN => class = (reader.next() == object::RECORD).then(|| reader.text()),
                    _ => reader.pass(),
                }
            }
            match code {
                code if object::is_scalar(code) => {
                    let bits = self.bits(code);
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
                            Some(code) => match self.member(code, codes, described) {
                                Ok(member) => members.push(member),
                                Err(error) => break Err(error),
                            },
                        }
                    };
                    if let Some(reader) = described {
                        reader.next();
                    }
                    let tuple = match outcome {
                        Ok(()) => self.objects.checked(ffi::PyTuple_New(members.len() as isize)),
                        Err(error) => Err(error),
                    };
                    match tuple {
                        Ok(tuple) => {
                            for (index, member) in members.into_iter().enumerate() {
                                ffi::PyTuple_SetItem(tuple, index as isize, member);
                            }
                            match class {
                                Some(class) => (self.objects.instance)(class, tuple),
                                None => Ok(tuple),
                            }
                        }
                        Err(error) => {
                            members.into_iter().for_each(|member| ffi::Py_DECREF(member));
                            Err(error)
                        }
                    }
                }
                object::STRING | object::OBJECT | object::ARRAY => {
                    let value = self.value()?;
                    match value.kind {
                        Value::OBJECT => self.objects.made_of(value.array.buffer, own),
                        _ => (self.objects.array)(&value),
                    }
                }
                _ => Ok(new_reference(ffi::Py_None())),
            }
        }
    }

    /// The next reference: an object, which is borrowed, or an array, which brings a reference.
    fn value(&mut self) -> PyResult<Value> {
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
            Value::OBJECT | Value::ARRAY => Ok(value),
            _ => Err(PyRuntimeError::new_err("numptx: a list holds something unknown; this is a bug of numptx")),
        }
    }
}

/// Whether an object is a NumPy array of the very elements of a value.
///
/// # Safety
/// A live object, an array of the host's as a value.
pub(crate) unsafe fn is_array(value: &Value, object: *mut PyObject) -> bool {
    // SAFETY: as the caller promises.
    unsafe {
        if value.kind != Value::ARRAY || !numpy().is_array(object) {
            return false;
        }
        let fields = numpy().fields(object);
        let (shape, strides) = fields.axes();
        let rank = value.array.rank as usize;
        fields.data.cast() == value.data
            && shape == &value.array.shape[..rank]
            && strides == &value.array.strides[..rank]
            && numpy().dtype(fields) == Dtype::Native(value.array.dtype as u8)
    }
}
