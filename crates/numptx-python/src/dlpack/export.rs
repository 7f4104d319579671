//! Arrays of ours as DLPack's tensors: capsules for Python, and tensors for consumers in C.

use std::ffi::c_void;
use std::mem::MaybeUninit;

use numptx_abi::{self as abi, Buffer, MAX_RANK, dtype};
use pyo3::exceptions::{PyBufferError, PyValueError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

use super::{
    CPU, DTYPES, DlDtype, DlTensor, ManagedTensor, ManagedTensorVersioned, PLAIN, READ_ONLY, VERSION, VERSIONED, device,
};
use crate::array::Array;
use crate::{devices, errors, runtime, streams};

const IS_COPIED: u64 = 2;

/// The arguments of `__dlpack__`.
pub(crate) struct Request {
    pub stream: Option<i64>,
    pub max_version: Option<(u32, u32)>,
    pub device: Option<(i32, i32)>,
    pub copy: Option<bool>,
}

/// A tensor for a consumer, with what keeps its memory and lists alive: one allocation.
#[repr(C)]
struct ExportedTensor<M> {
    /// First: the consumer has its address alone.
    managed: M,
    buffer: *mut Buffer,
    /// The first as many as the tensor has axes were written.
    shape: [MaybeUninit<i64>; MAX_RANK],
    /// Elements; as above.
    strides: [MaybeUninit<i64>; MAX_RANK],
}

impl<M> Drop for ExportedTensor<M> {
    fn drop(&mut self) {
        // SAFETY: the export holds one reference.
        unsafe { (runtime::table().release)(self.buffer) };
    }
}

/// Where an array lies, apart from its view.
#[derive(Clone, Copy)]
pub(crate) struct ArrayPlace {
    /// Address of element `[0, …, 0]`.
    pub data: *mut c_void,
    /// -1: host.
    pub device: i32,
}

impl<M> ExportedTensor<M> {
    /// Takes over the reference that the view carries, unless it fails. `tensor` finds the tensor in what the consumer gets.
    fn give(
        managed: M,
        view: &abi::Array,
        place: ArrayPlace,
        tensor: impl FnOnce(&mut M) -> &mut DlTensor,
    ) -> PyResult<*mut M> {
        let rank = view.rank as usize;
        let (code, bits) = DTYPES[view.dtype as usize];
        let itemsize = i64::from(dtype::ITEMSIZE[view.dtype as usize]);
        if view.strides[..rank].iter().any(|stride| stride % itemsize != 0) {
            return Err(PyBufferError::new_err("DLPack has no strides that are not whole elements"));
        }
        // In place: moving the room for all axes would take longer than filling that of a few.
        let mut room = Box::<ExportedTensor<M>>::new_uninit();
        let first = room.as_mut_ptr();
        // SAFETY: all fields are written, but for the lists, which need not be.
        let mut made = unsafe {
            (&raw mut (*first).managed).write(managed);
            (&raw mut (*first).buffer).write(view.buffer);
            room.assume_init()
        };
        for axis in 0..rank {
            made.shape[axis].write(view.shape[axis]);
            made.strides[axis].write(view.strides[axis] / itemsize);
        }
        let (shape, strides) = (made.shape.as_mut_ptr().cast(), made.strides.as_mut_ptr().cast());
        *tensor(&mut made.managed) = DlTensor {
            data: place.data,
            device: device(place.device),
            ndim: rank as i32,
            dtype: DlDtype { code, bits, lanes: 1 },
            shape,
            strides,
            byte_offset: 0,
        };
        Ok(Box::into_raw(made).cast())
    }
}

/// A capsule over the array's memory, or over a copy where one was asked for.
pub(crate) fn export<'py>(array: &Bound<'py, Array>, request: Request) -> PyResult<Bound<'py, PyAny>> {
    let py = array.py();
    let own = array.get().device_ordinal();
    let wanted = match request.device {
        None => own,
        Some(found) if found == device(own) => own,
        Some((CPU, _)) => -1,
        Some(found) => {
            return Err(PyBufferError::new_err(format!(
                "an array on {} is not exported to device {found:?}",
                devices::name(own)
            )));
        }
    };
    if request.copy == Some(true) || wanted != own {
        if request.copy == Some(false) {
            return Err(PyBufferError::new_err(format!(
                "an array on {} cannot be exported to the host without a copy",
                devices::name(own)
            )));
        }
        let copy = array.get().copy_to(py, wanted)?;
        return capsule(py, &copy, request.max_version, IS_COPIED);
    }
    array.get().settle(py)?;
    order_after_our_work(py, array.get(), request.stream)?;
    capsule(py, array.get(), request.max_version, 0)
}

/// The protocol's number of a consumer's stream, however it is given.
pub(crate) fn stream_number(stream: &Bound<'_, PyAny>) -> PyResult<i64> {
    let py = stream.py();
    match stream.extract::<i64>() {
        Ok(number) => Ok(number),
        Err(error) if errors::passes(py, &error) => Err(error),
        Err(error) => match streams::handle_of(stream) {
            Ok(handle) => Ok(handle as i64),
            Err(other) => Err(errors::instead(py, error, other)),
        },
    }
}

/// Makes the consumer's stream wait for our work. The protocol's numbers: none and 1 the legacy default stream, 2 that of each thread, -1 none.
fn order_after_our_work(py: Python<'_>, array: &Array, stream: Option<i64>) -> PyResult<()> {
    match stream {
        Some(-1) => Ok(()),
        // Not allowed by the protocol, and what libraries say that mean the default stream.
        None | Some(0) => array.share_with(py, 1),
        Some(handle) => match usize::try_from(handle) {
            Ok(handle) => array.share_with(py, handle),
            Err(_) => Err(PyValueError::new_err(format!("__dlpack__(stream={handle}) is no stream"))),
        },
    }
}

fn capsule<'py>(
    py: Python<'py>,
    array: &Array,
    max_version: Option<(u32, u32)>,
    flags: u64,
) -> PyResult<Bound<'py, PyAny>> {
    let versioned = max_version.is_some_and(|version| version >= (1, 0));
    if array.is_read_only() && !versioned {
        return Err(PyBufferError::new_err("a read-only array needs DLPack 1.0: pass max_version=(1, 0)"));
    }
    // SAFETY: the capsule takes over the tensor, and its destructor gives up what no consumer took; without a capsule it is given up here.
    unsafe {
        let raw = if versioned {
            let managed = managed(array)?;
            (*managed).flags |= flags;
            let raw = ffi::PyCapsule_New(managed.cast(), VERSIONED.as_ptr(), Some(destroy));
            if raw.is_null() {
                delete_versioned(managed);
            }
            raw
        } else {
            let managed = plain(array)?;
            let raw = ffi::PyCapsule_New(managed.cast(), PLAIN.as_ptr(), Some(destroy));
            if raw.is_null() {
                delete(managed);
            }
            raw
        };
        Bound::from_owned_ptr_or_err(py, raw)
    }
}

/// The array's tensor, for a consumer that calls its deleter once.
pub(crate) fn managed(array: &Array) -> PyResult<*mut ManagedTensorVersioned> {
    let flags = if array.is_read_only() { READ_ONLY } else { 0 };
    retained(array, |view, place| given(view, place, flags))
}

fn plain(array: &Array) -> PyResult<*mut ManagedTensor> {
    let managed = ManagedTensor { tensor: DlTensor::NONE, context: std::ptr::null_mut(), deleter: Some(delete) };
    retained(array, |view, place| ExportedTensor::give(managed, view, place, |managed| &mut managed.tensor))
}

/// Exports with a reference of its own.
fn retained<M>(array: &Array, export: impl FnOnce(&abi::Array, ArrayPlace) -> PyResult<M>) -> PyResult<M> {
    let _open = array.open()?;
    // SAFETY: the array holds a reference.
    unsafe { (runtime::table().retain)(array.view().buffer) };
    export(array.view(), ArrayPlace { data: array.address(), device: array.device_ordinal() }).inspect_err(|_| {
        // SAFETY: the reference was not taken over.
        unsafe { (runtime::table().release)(array.view().buffer) };
    })
}

/// A tensor of a view, whose reference it takes over unless it fails.
pub(crate) fn given(view: &abi::Array, place: ArrayPlace, flags: u64) -> PyResult<*mut ManagedTensorVersioned> {
    let managed = ManagedTensorVersioned {
        version: VERSION,
        context: std::ptr::null_mut(),
        deleter: Some(delete_versioned),
        flags,
        tensor: DlTensor::NONE,
    };
    ExportedTensor::give(managed, view, place, |managed| &mut managed.tensor)
}

unsafe extern "C" fn delete(managed: *mut ManagedTensor) {
    // SAFETY: consumers call this once, on what `plain` made.
    drop(unsafe { Box::from_raw(managed.cast::<ExportedTensor<ManagedTensor>>()) });
}

unsafe extern "C" fn delete_versioned(managed: *mut ManagedTensorVersioned) {
    // SAFETY: consumers call this once, on what `given` made.
    drop(unsafe { Box::from_raw(managed.cast::<ExportedTensor<ManagedTensorVersioned>>()) });
}

/// The destructor of an exported capsule: a consumer renames what it takes.
unsafe extern "C" fn destroy(capsule: *mut PyObject) {
    // SAFETY: the capsule was made by `capsule`, under one of the two names.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, PLAIN.as_ptr()) != 0 {
            delete(ffi::PyCapsule_GetPointer(capsule, PLAIN.as_ptr()).cast());
        } else if ffi::PyCapsule_IsValid(capsule, VERSIONED.as_ptr()) != 0 {
            delete_versioned(ffi::PyCapsule_GetPointer(capsule, VERSIONED.as_ptr()).cast());
        }
    }
}
