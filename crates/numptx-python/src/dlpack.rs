//! DLPack in both directions: memory that libraries share without a copy.
//!
//! Source: dlpack.h 1.3 and the Python specification of the array API standard. Strides are in elements there.

mod export;

use std::ffi::{CStr, c_void};

use numptx_abi::{MAX_RANK, dtype};
use pyo3::exceptions::{PyBufferError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;

pub(crate) use export::{ArrayPlace, Request, export, given, managed, stream_number};

use crate::layout;

const CPU: i32 = 1;
pub(crate) const CUDA: i32 = 2;
const CUDA_HOST: i32 = 3;
const CUDA_MANAGED: i32 = 13;
/// What we speak.
pub(crate) const VERSION: (u32, u32) = (1, 3);
const READ_ONLY: u64 = 1;
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
    #[inline]
    pub fn look<'a>(&'a self, code: u8, rank: usize) -> Option<Look<'a>> {
        let (kind, bits) = DTYPES[usize::from(code)];
        if self.dtype != (DlDtype { code: kind, bits, lanes: 1 }) || self.ndim != rank as i32 {
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
            _ => unsafe { std::slice::from_raw_parts::<'a>(first, rank) },
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
struct ManagedTensor {
    tensor: DlTensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut ManagedTensor)>,
}

/// A tensor and what it keeps alive.
#[repr(C)]
pub(crate) struct ManagedTensorVersioned {
    version: (u32, u32),
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut ManagedTensorVersioned)>,
    flags: u64,
    tensor: DlTensor,
}

/// DLPack's `(code, bits)` of each dtype code.
const DTYPES: [(u8, u8); 14] = [
    (6, 8),
    (0, 8),
    (0, 16),
    (0, 32),
    (0, 64),
    (1, 8),
    (1, 16),
    (1, 32),
    (1, 64),
    (2, 32),
    (2, 64),
    (5, 64),
    (5, 128),
    (2, 16),
];

/// `__dlpack_device__` of an array on a device of ours (-1: host).
pub(crate) fn device(ordinal: i32) -> (i32, i32) {
    if ordinal < 0 { (CPU, 0) } else { (CUDA, ordinal) }
}

/// A tensor that another library exported, as plain facts.
pub(crate) struct ImportedTensor {
    pub code: u8,
    pub shape: Vec<i64>,
    /// Bytes.
    pub strides: Vec<i64>,
    pub data: *mut c_void,
    /// -1: host.
    pub device: i32,
    /// What the exporter says; `None`: its tensors have no word for it.
    pub read_only: Option<bool>,
    /// To be called once, when the memory is no longer used.
    pub owner: ImportedOwner,
}

impl ImportedTensor {
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
                    let managed = raw.cast::<ManagedTensor>();
                    if let Some(deleter) = (*managed).deleter {
                        deleter(managed)
                    }
                }
                ImportedOwner::Versioned(raw) => {
                    let managed = raw.cast::<ManagedTensorVersioned>();
                    if let Some(deleter) = (*managed).deleter {
                        deleter(managed)
                    }
                }
            }
        }
    }
}

/// Takes over the tensor in a capsule.
pub(crate) fn take(capsule: &Bound<'_, PyAny>) -> PyResult<ImportedTensor> {
    // SAFETY: the capsule's name tells what it points to, and renaming it takes the tensor over.
    let (tensor, owner) = unsafe {
        let raw = capsule.as_ptr();
        if ffi::PyCapsule_IsValid(raw, VERSIONED.as_ptr()) != 0 {
            let managed = ffi::PyCapsule_GetPointer(raw, VERSIONED.as_ptr()).cast::<ManagedTensorVersioned>();
            ffi::PyCapsule_SetName(raw, USED_VERSIONED.as_ptr());
            return take_managed(managed);
        } else if ffi::PyCapsule_IsValid(raw, PLAIN.as_ptr()) != 0 {
            let managed = ffi::PyCapsule_GetPointer(raw, PLAIN.as_ptr()).cast::<ManagedTensor>();
            ffi::PyCapsule_SetName(raw, USED.as_ptr());
            (&(*managed).tensor, ImportedOwner::Plain(managed.cast()))
        } else {
            return Err(PyBufferError::new_err("__dlpack__() returned no unused DLPack capsule"));
        }
    };
    describe(tensor, owner, None)
}

/// Takes over a tensor; one of another version is only given back.
///
/// # Safety
/// A live tensor, whose deleter nobody else calls.
pub(crate) unsafe fn take_managed(managed: *mut ManagedTensorVersioned) -> PyResult<ImportedTensor> {
    let owner = ImportedOwner::Versioned(managed.cast());
    // SAFETY: as the caller promises; what comes before the tensor is the same in every version.
    unsafe {
        if (*managed).version.0 != VERSION.0 {
            let version = (*managed).version.0;
            return Err(PyBufferError::new_err(format!("DLPack version {version} is not known here")));
        }
        describe(&(*managed).tensor, owner, Some((*managed).flags & READ_ONLY != 0))
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
pub(crate) fn describe(tensor: &DlTensor, owner: ImportedOwner, read_only: Option<bool>) -> PyResult<ImportedTensor> {
    let (code, device) = place(tensor)?;
    let itemsize = i64::from(dtype::ITEMSIZE[usize::from(code)]);
    let Ok(rank) = usize::try_from(tensor.ndim) else {
        return Err(PyBufferError::new_err(format!("a DLPack tensor with {} axes", tensor.ndim)));
    };
    if rank > MAX_RANK {
        return Err(PyValueError::new_err(format!(
            "the array cannot be: arrays have at most {MAX_RANK} axes here, found {rank}"
        )));
    }
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
    Ok(ImportedTensor { code, shape, strides, data, device, read_only, owner })
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
