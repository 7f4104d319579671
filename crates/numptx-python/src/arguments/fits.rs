//! Whether an array or an object is what a parameter asks for, and the array as a leaf.

use std::ffi::c_char;

use numptx_abi::{Argument, MAX_RANK, Parameter, Value};
use pyo3::ffi::{self, PyObject};

use crate::layout;
use crate::scalars::Fit;

pub(super) fn exact_if(condition: bool) -> Fit {
    if condition { Fit::Exact } else { Fit::No }
}

/// Whether an object is a string, and the given one unless `text` is null.
///
/// # Safety
/// A live object; null-terminated text or null.
pub(super) unsafe fn is_text(object: *mut PyObject, text: *const c_char) -> bool {
    // SAFETY: by this function's requirements.
    unsafe {
        ffi::PyUnicode_Check(object) != 0
            && (text.is_null() || ffi::PyUnicode_CompareWithASCIIString(object, text) == 0)
    }
}

/// Whether the elements lie in the order that the parameter asks for.
pub(super) fn order_fits(node: &Parameter, shape: &[i64], strides: &[i64], itemsize: i64) -> bool {
    match node.order {
        1 => layout::is_c_contiguous(shape, strides, itemsize),
        2 => layout::is_f_contiguous(shape, strides, itemsize),
        _ => true,
    }
}

/// Whether the extents are those that the parameter fixes.
pub(super) fn extents_fit(node: &Parameter, shape: &[i64]) -> bool {
    if shape.len() > MAX_RANK {
        return false;
    }
    if node.extents.is_null() {
        return true;
    }
    // SAFETY: the descriptor has one extent an axis.
    let wanted = unsafe { std::slice::from_raw_parts(node.extents, shape.len()) };
    wanted.iter().zip(shape).all(|(&wanted, &found)| wanted < 0 || wanted == found)
}

/// # Safety
/// Room for an argument; the rank is at most `MAX_RANK`.
#[inline]
pub(super) unsafe fn write_array(slot: *mut Argument, code: u8, shape: &[i64], strides: &[i64]) {
    // SAFETY: by this function's requirements.
    unsafe {
        write_kind(slot, code, shape.len());
        layout::copy_axes(shape, (&raw mut (*slot).array.shape).cast());
        layout::copy_axes(strides, (&raw mut (*slot).array.strides).cast());
    }
}

/// # Safety
/// Room for an argument; the rank is at most `MAX_RANK`.
#[inline]
pub(super) unsafe fn write_kind(slot: *mut Argument, code: u8, rank: usize) {
    // SAFETY: by this function's requirements.
    unsafe {
        (&raw mut (*slot).kind).write(Value::ARRAY);
        (&raw mut (*slot).dtype).write(u32::from(code));
        (&raw mut (*slot).bits).write([0; 2]);
        (&raw mut (*slot).array.rank).write(rank as u32);
        (&raw mut (*slot).array.dtype).write(u32::from(code));
    }
}
