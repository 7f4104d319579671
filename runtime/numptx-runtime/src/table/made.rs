//! Entries of the table by which bindings make objects and look at them.

use std::ffi::c_void;

use numptx_abi::{Buffer as AbiBuffer, Error as AbiError, ObjectView, Status, Value};

use super::{caught, guarded};
use crate::buffer::Buffer;
use crate::error::Error;
use crate::objects;

#[allow(clippy::too_many_arguments)]
pub(super) unsafe extern "C" fn object_new(
    kind: u32,
    layout: *const u8,
    n_layout: u32,
    n: i64,
    words: *const c_void,
    references: *const *const c_void,
    out: *mut *mut AbiBuffer,
    error: *mut AbiError,
) -> Status {
    guarded(error, || {
        // SAFETY: the binding passes a layout, elements of it, and a place for the result.
        unsafe {
            let layout = if n_layout == 0 { &[][..] } else { std::slice::from_raw_parts(layout, n_layout as usize) };
            let n = usize::try_from(n).map_err(|_| Error::value("an object of fewer than no elements"))?;
            *out = objects::make(kind as u8, layout, n, words.cast(), references)?.into_raw().cast();
        }
        Ok(())
    })
}

pub(super) unsafe extern "C" fn object_view(
    buffer: *const AbiBuffer,
    out: *mut ObjectView,
    error: *mut AbiError,
) -> Status {
    guarded(error, || {
        // SAFETY: the binding passes a live buffer and a place for the result.
        unsafe {
            let cell = (*buffer.cast::<Buffer>()).object().ok_or_else(|| Error::runtime("this buffer is no object"))?;
            *out = objects::view(cell)?;
        }
        Ok(())
    })
}

pub(super) unsafe extern "C" fn object_reference(
    buffer: *const AbiBuffer,
    at: i64,
    out: *mut Value,
    error: *mut AbiError,
) -> Status {
    guarded(error, || {
        // SAFETY: as above.
        unsafe {
            let cell = (*buffer.cast::<Buffer>()).object().ok_or_else(|| Error::runtime("this buffer is no object"))?;
            objects::reference_at(cell, usize::try_from(at).unwrap_or(usize::MAX), &mut *out)
        }
    })
}

pub(super) unsafe extern "C" fn set_writer(
    writer: Option<unsafe extern "C" fn(text: *const u8, bytes: i64, *mut AbiError) -> Status>,
) {
    let _ = caught(|| objects::set_writer(writer));
}
