//! DLPack in both directions: memory that libraries share without a copy.
//!
//! Source: dlpack.h 1.3 and the Python specification of the array API standard. Strides are in elements there.

use std::ffi::{CStr, c_void};

use numptx_abi::{self as abi, Buffer, MAX_RANK, dtype};
use pyo3::exceptions::{PyBufferError, PyTypeError, PyValueError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

use crate::array::Array;
use crate::{devices, layout, runtime};

const CPU: i32 = 1;
pub(crate) const CUDA: i32 = 2;
const CUDA_HOST: i32 = 3;
const CUDA_MANAGED: i32 = 13;
/// What we speak.
pub(crate) const VERSION: (u32, u32) = (1, 3);
const READ_ONLY: u64 = 1;
const IS_COPIED: u64 = 2;
const PLAIN: &CStr = c"dltensor";
const VERSIONED: &CStr = c"dltensor_versioned";
const USED: &CStr = c"used_dltensor";
const USED_VERSIONED: &CStr = c"used_dltensor_versioned";

/// A tensor, which owns nothing.
#[repr(C)]
pub(crate) struct DlTensor {
    data: *mut c_void,
    device: (i32, i32),
    pub ndim: i32,
    dtype: DlDtype,
    pub shape: *mut i64,
    strides: *mut i64,
    byte_offset: u64,
}

impl DlTensor {
    const NONE: DlTensor = DlTensor {
        data: std::ptr::null_mut(),
        device: (0, 0),
        ndim: 0,
        dtype: DlDtype { code: 0, bits: 0, lanes: 0 },
        shape: std::ptr::null_mut(),
        strides: std::ptr::null_mut(),
        byte_offset: 0,
    };

    /// The tensor as one of a dtype and rank, if it is one.
    pub fn look<'a>(&'a self, code: u8, rank: u8) -> Option<Look<'a>> {
        let (kind, bits) = DTYPES[usize::from(code)];
        if self.dtype != (DlDtype { code: kind, bits, lanes: 1 }) || self.ndim != i32::from(rank) {
            return None;
        }
        let device = match self.device {
            (CPU | CUDA_HOST, _) => -1,
            (CUDA | CUDA_MANAGED, ordinal) if ordinal >= 0 => ordinal,
            _ => return None,
        };
        let axes = |first: *const i64| match rank {
            0 => &[][..],
            // SAFETY: a tensor has `ndim` extents, and as many strides unless these are null.
            _ => unsafe { std::slice::from_raw_parts::<'a>(first, usize::from(rank)) },
        };
        let strides = (!self.strides.is_null()).then(|| axes(self.strides));
        let data = self.data.wrapping_byte_add(self.byte_offset as usize);
        Some(Look { shape: axes(self.shape), strides, data, device })
    }
}

/// What a tensor of a known dtype and rank is.
pub(crate) struct Look<'a> {
    pub shape: &'a [i64],
    /// Elements; `None`: C order.
    pub strides: Option<&'a [i64]>,
    pub data: *mut c_void,
    /// -1: host.
    pub device: i32,
}

#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq)]
struct DlDtype {
    code: u8,
    bits: u8,
    lanes: u16,
}

#[repr(C)]
struct Managed {
    tensor: DlTensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Managed)>,
}

/// A tensor and what it keeps alive.
#[repr(C)]
pub(crate) struct ManagedVersioned {
    version: (u32, u32),
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut ManagedVersioned)>,
    flags: u64,
    tensor: DlTensor,
}

/// DLPack's `(code, bits)` of each dtype code.
const DTYPES: [(u8, u8); 13] =
    [(6, 8), (0, 8), (0, 16), (0, 32), (0, 64), (1, 8), (1, 16), (1, 32), (1, 64), (2, 32), (2, 64), (5, 64), (5, 128)];

/// The arguments of `__dlpack__`.
pub(crate) struct Request {
    pub stream: Option<i64>,
    pub max_version: Option<(u32, u32)>,
    pub device: Option<(i32, i32)>,
    pub copy: Option<bool>,
}

/// `__dlpack_device__` of an array on a device of ours (-1: host).
pub(crate) fn device(ordinal: i32) -> (i32, i32) {
    if ordinal < 0 { (CPU, 0) } else { (CUDA, ordinal) }
}

/// A tensor for a consumer, with what keeps its memory and lists alive: one allocation.
#[repr(C)]
struct Exported<M> {
    /// First: the consumer has its address alone.
    managed: M,
    buffer: *mut Buffer,
    shape: [i64; MAX_RANK],
    /// Elements.
    strides: [i64; MAX_RANK],
}

impl<M> Drop for Exported<M> {
    fn drop(&mut self) {
        // SAFETY: the export holds one reference.
        unsafe { (runtime::table().release)(self.buffer) };
    }
}

/// Where an array lies, apart from its view.
#[derive(Clone, Copy)]
pub(crate) struct Placed {
    /// Address of element `[0, …, 0]`.
    pub data: *mut c_void,
    /// -1: host.
    pub device: i32,
}

impl<M> Exported<M> {
    /// Takes over the reference that the view carries, unless it fails. `tensor` finds the tensor in what the consumer gets.
    fn give(
        managed: M,
        view: &abi::Array,
        place: Placed,
        tensor: impl FnOnce(&mut M) -> &mut DlTensor,
    ) -> PyResult<*mut M> {
        let rank = view.rank as usize;
        let (code, bits) = DTYPES[view.dtype as usize];
        let itemsize = i64::from(dtype::ITEMSIZE[view.dtype as usize]);
        if view.strides[..rank].iter().any(|stride| stride % itemsize != 0) {
            return Err(PyBufferError::new_err("DLPack has no strides that are not whole elements"));
        }
        let axes = [0; MAX_RANK];
        let mut made = Box::new(Exported { managed, buffer: view.buffer, shape: axes, strides: axes });
        made.shape[..rank].copy_from_slice(&view.shape[..rank]);
        for (to, from) in made.strides.iter_mut().zip(&view.strides[..rank]) {
            *to = from / itemsize;
        }
        let (shape, strides) = (made.shape.as_mut_ptr(), made.strides.as_mut_ptr());
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
    order_after_our_work(py, array.get(), request.stream)?;
    capsule(py, array.get(), request.max_version, 0)
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
pub(crate) fn managed(array: &Array) -> PyResult<*mut ManagedVersioned> {
    let flags = if array.is_read_only() { READ_ONLY } else { 0 };
    retained(array, |view, place| given(view, place, flags))
}

fn plain(array: &Array) -> PyResult<*mut Managed> {
    let managed = Managed { tensor: DlTensor::NONE, context: std::ptr::null_mut(), deleter: Some(delete) };
    retained(array, |view, place| Exported::give(managed, view, place, |managed| &mut managed.tensor))
}

/// Exports with a reference of its own.
fn retained<M>(array: &Array, export: impl FnOnce(&abi::Array, Placed) -> PyResult<M>) -> PyResult<M> {
    // SAFETY: the array holds a reference.
    unsafe { (runtime::table().retain)(array.view().buffer) };
    export(array.view(), Placed { data: array.address(), device: array.device_ordinal() }).inspect_err(|_| {
        // SAFETY: the reference was not taken over.
        unsafe { (runtime::table().release)(array.view().buffer) };
    })
}

/// A tensor of a view, whose reference it takes over unless it fails.
pub(crate) fn given(view: &abi::Array, place: Placed, flags: u64) -> PyResult<*mut ManagedVersioned> {
    let managed = ManagedVersioned {
        version: VERSION,
        context: std::ptr::null_mut(),
        deleter: Some(delete_versioned),
        flags,
        tensor: DlTensor::NONE,
    };
    Exported::give(managed, view, place, |managed| &mut managed.tensor)
}

unsafe extern "C" fn delete(managed: *mut Managed) {
    // SAFETY: consumers call this once, on what `plain` made.
    drop(unsafe { Box::from_raw(managed.cast::<Exported<Managed>>()) });
}

unsafe extern "C" fn delete_versioned(managed: *mut ManagedVersioned) {
    // SAFETY: consumers call this once, on what `given` made.
    drop(unsafe { Box::from_raw(managed.cast::<Exported<ManagedVersioned>>()) });
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

/// A tensor that another library exported, as plain facts.
pub(crate) struct Imported {
    pub code: u8,
    pub shape: Vec<i64>,
    /// Bytes.
    pub strides: Vec<i64>,
    pub data: *mut c_void,
    /// -1: host.
    pub device: i32,
    pub read_only: bool,
    /// To be called once, when the memory is no longer used.
    pub owner: ImportedOwner,
}

impl Imported {
    /// Whether elements are complex.
    pub fn is_complex(&self) -> bool {
        self.code >= dtype::COMPLEX64
    }
}

/// The exporter's tensor, taken over; its deleter runs when this is dropped.
pub(crate) enum ImportedOwner {
    Plain(*mut c_void),
    Versioned(*mut c_void),
    /// The memory is somebody else's to keep.
    Nobody,
}

// SAFETY: DLPack's deleters may be called on any thread.
unsafe impl Send for ImportedOwner {}
// SAFETY: nothing is done through a shared reference.
unsafe impl Sync for ImportedOwner {}

impl Drop for ImportedOwner {
    fn drop(&mut self) {
        // SAFETY: the tensor was taken over from its capsule, and is given up once.
        unsafe {
            match *self {
                ImportedOwner::Nobody => {}
                ImportedOwner::Plain(raw) => {
                    let managed = raw.cast::<Managed>();
                    if let Some(deleter) = (*managed).deleter {
                        deleter(managed)
                    }
                }
                ImportedOwner::Versioned(raw) => {
                    let managed = raw.cast::<ManagedVersioned>();
                    if let Some(deleter) = (*managed).deleter {
                        deleter(managed)
                    }
                }
            }
        }
    }
}

/// Takes over the tensor in a capsule.
pub(crate) fn take(capsule: &Bound<'_, PyAny>) -> PyResult<Imported> {
    // SAFETY: the capsule's name tells what it points to, and renaming it takes the tensor over.
    let (tensor, owner) = unsafe {
        let raw = capsule.as_ptr();
        if ffi::PyCapsule_IsValid(raw, VERSIONED.as_ptr()) != 0 {
            let managed = ffi::PyCapsule_GetPointer(raw, VERSIONED.as_ptr()).cast::<ManagedVersioned>();
            ffi::PyCapsule_SetName(raw, USED_VERSIONED.as_ptr());
            return take_managed(managed);
        } else if ffi::PyCapsule_IsValid(raw, PLAIN.as_ptr()) != 0 {
            let managed = ffi::PyCapsule_GetPointer(raw, PLAIN.as_ptr()).cast::<Managed>();
            ffi::PyCapsule_SetName(raw, USED.as_ptr());
            (&(*managed).tensor, ImportedOwner::Plain(managed.cast()))
        } else {
            return Err(PyBufferError::new_err("__dlpack__() returned no unused DLPack capsule"));
        }
    };
    describe(tensor, owner, false)
}

/// Takes over a tensor; one of another version is only given back.
///
/// # Safety
/// A live tensor, whose deleter nobody else calls.
pub(crate) unsafe fn take_managed(managed: *mut ManagedVersioned) -> PyResult<Imported> {
    let owner = ImportedOwner::Versioned(managed.cast());
    // SAFETY: as the caller promises; what comes before the tensor is the same in every version.
    unsafe {
        if (*managed).version.0 != VERSION.0 {
            let version = (*managed).version.0;
            return Err(PyBufferError::new_err(format!("DLPack version {version} is not known here")));
        }
        describe(&(*managed).tensor, owner, (*managed).flags & READ_ONLY != 0)
    }
}

/// The dtype code and the device (-1: host) of a tensor.
pub(crate) fn place(tensor: &DlTensor) -> PyResult<(u8, i32)> {
    let found = tensor.dtype;
    let Some(code) = DTYPES.iter().position(|&(code, bits)| (DlDtype { code, bits, lanes: 1 }) == found) else {
        return Err(PyTypeError::new_err(format!(
            "DLPack's data type (code {}, {} bits, {} lanes) has no dtype in numptx",
            found.code, found.bits, found.lanes
        )));
    };
    match tensor.device {
        (CPU | CUDA_HOST, _) => Ok((code as u8, -1)),
        (CUDA | CUDA_MANAGED, ordinal) if ordinal >= 0 => Ok((code as u8, ordinal)),
        other => Err(PyBufferError::new_err(format!("memory of DLPack's device {other:?} is not usable here"))),
    }
}

/// A tensor as plain facts.
pub(crate) fn describe(tensor: &DlTensor, owner: ImportedOwner, read_only: bool) -> PyResult<Imported> {
    let (code, device) = place(tensor)?;
    let itemsize = i64::from(dtype::ITEMSIZE[usize::from(code)]);
    let Ok(rank) = usize::try_from(tensor.ndim) else {
        return Err(PyBufferError::new_err(format!("a DLPack tensor with {} axes", tensor.ndim)));
    };
    // SAFETY: an exported tensor has `ndim` extents, and as many strides unless these are null.
    let (shape, strides) = unsafe {
        let shape = if rank == 0 { Vec::new() } else { std::slice::from_raw_parts(tensor.shape, rank).to_vec() };
        let strides = if rank == 0 || tensor.strides.is_null() {
            layout::c_strides(&shape, itemsize)
        } else {
            std::slice::from_raw_parts(tensor.strides, rank).iter().map(|stride| bytes_of(*stride, itemsize)).collect()
        };
        (shape, strides)
    };
    let data = tensor.data.wrapping_byte_add(tensor.byte_offset as usize);
    Ok(Imported { code, shape, strides, data, device, read_only, owner })
}

/// A stride in bytes; one that no array has stays one that no array has.
///
/// CuPy (14) divides its strides by an unsigned size: of negative ones comes what is that much too large modulo the size of an address.
pub(crate) fn bytes_of(stride: i64, itemsize: i64) -> i64 {
    let bytes = stride.wrapping_mul(itemsize);
    let is_divided_unsigned = bytes < 0 && bytes.cast_unsigned() / itemsize.cast_unsigned() == stride.cast_unsigned();
    if is_divided_unsigned { bytes } else { stride.saturating_mul(itemsize) }
}

#[cfg(test)]
mod tests {
    use super::bytes_of;

    #[test]
    fn strides_are_bytes_also_where_they_were_divided_as_unsigned_numbers() {
        for itemsize in [1, 2, 4, 8, 16] {
            for elements in [-3, -1, 0, 1, 5] {
                let bytes: i64 = elements * itemsize;
                assert_eq!(bytes_of(elements, itemsize), bytes);
                assert_eq!(bytes_of((bytes.cast_unsigned() / itemsize.cast_unsigned()).cast_signed(), itemsize), bytes);
            }
        }
        assert_eq!(bytes_of(1 << 62, 8), i64::MAX);
        assert_eq!(bytes_of(-(1 << 62), 8), i64::MIN);
    }
}
