//! CuPy's arrays, by their own attributes: DLPack's Python protocol and `from_dlpack` take several times as long as a launch.
//!
//! In: an array whose type is `cupy.ndarray` itself. Out: what it is, CuPy's current stream, and arrays of CuPy over memory of ours. Whatever is
//! not as expected is left to the protocols.

use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicPtr, Ordering};

use numptx_abi as abi;
use pyo3::ffi::{self, PyObject, PyTypeObject};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use crate::dlpack::ArrayPlace;
use crate::library::{ArrayRoom, Sight, WorkingStream};
use crate::numpy::{DTYPE_NAMES, numpy};
use crate::{errors, layout, mutability, results};

/// What calls need of CuPy. Kept for good, with a reference to each object.
pub(crate) struct CuPy {
    class: *mut PyTypeObject,
    /// `cupy.ndarray.__new__`, which makes a whole array.
    new: *mut PyObject,
    unowned_memory: *mut PyObject,
    memory_pointer: *mut PyObject,
    get_current_stream: *mut PyObject,
    /// Streams of which CuPy has the handle alone, so that they do not live as long as its object; null: a version without.
    external_stream: *mut PyTypeObject,
}

/// Those of the process: one, but for tests.
static KNOWN: [AtomicPtr<CuPy>; 8] = [const { AtomicPtr::new(std::ptr::null_mut()) }; 8];

/// The CuPy whose array type this is, if it was met before.
pub(crate) fn known(class: *mut PyTypeObject) -> Option<&'static CuPy> {
    for slot in &KNOWN {
        // SAFETY: what is stored is never freed.
        let known = unsafe { slot.load(Ordering::Acquire).as_ref() }?;
        if known.class == class {
            return Some(known);
        }
    }
    None
}

/// The CuPy that an array's type belongs to, remembered from now on.
pub(crate) fn look_up(object: &Bound<'_, PyAny>) -> Option<&'static CuPy> {
    let class = object.get_type();
    if class.module().ok()?.to_cow().ok()? != "cupy" {
        return None;
    }
    // Its attributes have no word for an array that may not be written.
    if !errors::or_pending(class.py(), mutability::is_mutable(&class))? {
        return None;
    }
    let found = errors::or_pending(class.py(), found(&class))??;
    for slot in &KNOWN {
        let fresh = Box::into_raw(Box::new(CuPy { ..found }));
        match slot.compare_exchange(std::ptr::null_mut(), fresh, Ordering::AcqRel, Ordering::Acquire) {
            // SAFETY: stored for good.
            Ok(_) => return Some(unsafe { &*fresh }),
            // SAFETY: nobody else has seen it.
            Err(_) => drop(unsafe { Box::from_raw(fresh) }),
        }
    }
    None
}

fn found(class: &Bound<'_, PyType>) -> PyResult<Option<CuPy>> {
    let py = class.py();
    let cupy = py.import("cupy")?;
    for name in ["data", "shape", "strides", "dtype"] {
        if !class.hasattr(name)? {
            return Ok(None);
        }
    }
    if !cupy.getattr("ndarray")?.is(class) {
        return Ok(None);
    }
    let cuda = cupy.getattr("cuda")?;
    let part = |name: &str| cuda.getattr(name).map(Bound::into_ptr);
    Ok(Some(CuPy {
        class: class.clone().into_ptr().cast(),
        new: class.getattr("__new__")?.into_ptr(),
        unowned_memory: part("UnownedMemory")?,
        memory_pointer: part("MemoryPointer")?,
        get_current_stream: part("get_current_stream")?,
        external_stream: part("ExternalStream").unwrap_or(std::ptr::null_mut()).cast(),
    }))
}

/// An attribute; `None` where there is none, or with an exception pending that passes.
fn attribute<'py>(object: &Bound<'py, PyAny>, name: &Bound<'py, PyString>) -> Option<Bound<'py, PyAny>> {
    // SAFETY: both are live objects; the answer is a new reference, or null with an exception set.
    unsafe {
        let found = ffi::PyObject_GetAttr(object.as_ptr(), name.as_ptr());
        if found.is_null() {
            errors::forget_pending();
        }
        Bound::from_owned_ptr_or_opt(object.py(), found)
    }
}

fn number(object: &Bound<'_, PyAny>) -> Option<i64> {
    // SAFETY: a live object.
    unsafe {
        let value = ffi::PyLong_AsLongLong(object.as_ptr());
        if value == -1 && !ffi::PyErr_Occurred().is_null() {
            errors::forget_pending();
            return None;
        }
        Some(value)
    }
}

fn address(object: &Bound<'_, PyAny>) -> Option<usize> {
    // SAFETY: a live object.
    unsafe {
        let value = ffi::PyLong_AsVoidPtr(object.as_ptr());
        if value.is_null() && !ffi::PyErr_Occurred().is_null() {
            errors::forget_pending();
            return None;
        }
        Some(value as usize)
    }
}

/// The numbers of a tuple with as many members as there is room; `Some(false)`: it has another number of them.
fn numbers(tuple: &Bound<'_, PyAny>, out: &mut [MaybeUninit<i64>]) -> Option<bool> {
    // SAFETY: a live object; members of a tuple live as long as it does.
    unsafe {
        if ffi::PyTuple_Check(tuple.as_ptr()) == 0 {
            return None;
        }
        if ffi::PyTuple_Size(tuple.as_ptr()) != out.len() as isize {
            return Some(false);
        }
        for (index, slot) in out.iter_mut().enumerate() {
            let member = ffi::PyTuple_GetItem(tuple.as_ptr(), index as isize);
            slot.write(number(&Bound::from_borrowed_ptr(tuple.py(), member))?);
        }
    }
    Some(true)
}

/// A call with positional arguments.
fn called<'py>(py: Python<'py>, function: *mut PyObject, arguments: &[*mut PyObject]) -> PyResult<Bound<'py, PyAny>> {
    let at = |index: usize| arguments.get(index).copied().unwrap_or(std::ptr::null_mut());
    // SAFETY: live objects, and null after the last; the result is a new reference or null with an exception set.
    unsafe {
        let end = std::ptr::null_mut::<PyObject>();
        let made = ffi::PyObject_CallFunctionObjArgs(function, at(0), at(1), at(2), at(3), at(4), end);
        Bound::from_owned_ptr_or_err(py, made)
    }
}

/// A new reference as an object, or the exception that kept it from being made.
fn object(py: Python<'_>, made: *mut PyObject) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: a new reference, or null with an exception set.
    unsafe { Bound::from_owned_ptr_or_err(py, made) }
}

fn tuple<'py>(py: Python<'py>, values: &[i64]) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the tuple takes over the members, each of which is set once.
    unsafe {
        let tuple = object(py, ffi::PyTuple_New(values.len() as isize))?;
        for (index, value) in values.iter().enumerate() {
            let member = object(py, ffi::PyLong_FromLongLong(*value))?;
            ffi::PyTuple_SetItem(tuple.as_ptr(), index as isize, member.into_ptr());
        }
        Ok(tuple)
    }
}

impl CuPy {
    /// An array of a dtype and rank as CuPy shows it.
    pub fn show(&self, array: &Bound<'_, PyAny>, code: u8, out: &mut ArrayRoom<'_>) -> Sight {
        self.try_show(array, code, out).unwrap_or(Sight::Unclear)
    }

    fn try_show(&self, array: &Bound<'_, PyAny>, code: u8, out: &mut ArrayRoom<'_>) -> Option<Sight> {
        let py = array.py();
        let dtype = attribute(array, intern!(py, "dtype"))?;
        if dtype.as_ptr() != numpy().descr(code) {
            let is_other = (0..DTYPE_NAMES.len()).any(|other| numpy().descr(other as u8) == dtype.as_ptr());
            return Some(if is_other { Sight::Other } else { Sight::Unclear });
        }
        if !numbers(&attribute(array, intern!(py, "shape"))?, out.shape)?
            || !numbers(&attribute(array, intern!(py, "strides"))?, out.strides)?
        {
            return Some(Sight::Other);
        }
        let data = attribute(array, intern!(py, "data"))?;
        let first = address(&attribute(&data, intern!(py, "ptr"))?)?;
        out.data = std::ptr::with_exposed_provenance_mut(first);
        out.device = i32::try_from(number(&attribute(&data, intern!(py, "device_id"))?)?).ok()?;
        Some(if out.device < 0 { Sight::Unclear } else { Sight::Array })
    }

    /// CuPy's current stream on a device. One that somebody else may destroy is left to the protocols, and a version that tells only that of its
    /// current device.
    pub fn working<'py>(&self, py: Python<'py>, device: i32) -> Option<WorkingStream<'py>> {
        let found = object(py, ordinal_object(device))
            .and_then(|ordinal| called(py, self.get_current_stream, &[ordinal.as_ptr()]));
        let stream = errors::or_pending(py, found)?;
        if stream.get_type_ptr() == self.external_stream {
            return None;
        }
        let handle = address(&attribute(&stream, intern!(py, "ptr"))?)?.max(1);
        Some(WorkingStream { handle, owner: Some(stream) })
    }

    /// A fresh result, whose reference is taken over also on failure.
    pub fn give<'py>(&self, py: Python<'py>, view: &abi::Array, place: ArrayPlace) -> PyResult<Bound<'py, PyAny>> {
        let owner = object(py, results::owner(view.buffer))?;
        let rank = view.rank as usize;
        let itemsize = i64::from(abi::dtype::ITEMSIZE[view.dtype as usize]);
        let (low, high) = layout::reach(&view.shape[..rank], &view.strides[..rank], itemsize);
        let first = place.data.wrapping_byte_offset(low as isize);
        // SAFETY: numbers.
        let (first, bytes) = unsafe { (ffi::PyLong_FromVoidPtr(first), ffi::PyLong_FromLongLong(high - low)) };
        let (first, bytes) = (object(py, first)?, object(py, bytes)?);
        let device = object(py, ordinal_object(place.device))?;
        let memory = [first.as_ptr(), bytes.as_ptr(), owner.as_ptr(), device.as_ptr()];
        let memory = called(py, self.unowned_memory, &memory)?;
        // SAFETY: a number.
        let offset = object(py, unsafe { ffi::PyLong_FromLongLong(-low) })?;
        let pointer = called(py, self.memory_pointer, &[memory.as_ptr(), offset.as_ptr()])?;
        self.array(view, &pointer)
    }

    /// A view of an array of CuPy: of its memory, as CuPy's own are.
    pub fn view<'py>(
        &self,
        parent: &Bound<'py, PyAny>,
        view: &abi::Array,
        first: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = parent.py();
        let data = parent.getattr(intern!(py, "data"))?;
        let there: usize = data.getattr(intern!(py, "ptr"))?.extract()?;
        let pointer = data.add(first.wrapping_sub(there).cast_signed())?;
        self.array(view, &pointer)
    }

    fn array<'py>(&self, view: &abi::Array, pointer: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, rank) = (pointer.py(), view.rank as usize);
        let (shape, strides) = (&view.shape[..rank], &view.strides[..rank]);
        let extents = tuple(py, shape)?;
        let dtype = numpy().descr(view.dtype as u8);
        let arguments = [self.class.cast(), extents.as_ptr(), dtype, pointer.as_ptr()];
        let itemsize = i64::from(abi::dtype::ITEMSIZE[view.dtype as usize]);
        if layout::is_c_contiguous(shape, strides, itemsize) {
            return called(py, self.new, &arguments);
        }
        let steps = tuple(py, strides)?;
        let [class, extents, dtype, pointer] = arguments;
        called(py, self.new, &[class, extents, dtype, pointer, steps.as_ptr()])
    }
}

/// A new reference to a Python number.
fn ordinal_object(value: i32) -> *mut PyObject {
    // SAFETY: the interpreter is attached wherever arrays are looked at.
    unsafe { ffi::PyLong_FromLong(value.into()) }
}
