//! Arrays of other libraries for the time of one call, as their libraries show them: no object of ours is made of an argument, and results
//! become arrays of the library without one.
//!
//! In: an array of a library with DLPack's exchange in C, or of CuPy. Out: where its elements lie, and the stream that its library works on.

use std::ffi::c_void;
use std::mem::MaybeUninit;

use numptx_abi::{self as abi, Argument, dtype};
use pyo3::prelude::*;

use crate::call::attached;
use crate::cupy::{self, CuPy};
use crate::dlpack::{self, ArrayPlace};
use crate::exchange::{self, Speaker};
use crate::layout;

/// A library that shows its arrays.
#[derive(Clone, Copy)]
pub(crate) enum Library {
    Speaker(Speaker),
    CuPy(&'static CuPy),
}

impl PartialEq for Library {
    fn eq(&self, other: &Library) -> bool {
        match (self, other) {
            (Library::Speaker(one), Library::Speaker(other)) => std::ptr::eq(one.table, other.table),
            (Library::CuPy(one), Library::CuPy(other)) => std::ptr::eq(*one, *other),
            _ => false,
        }
    }
}

/// Room for an array of a dtype and rank that were asked for, its axes in the leaf that it becomes.
pub(crate) struct ArrayRoom<'a> {
    /// As many as the rank.
    pub shape: &'a mut [MaybeUninit<i64>],
    /// Bytes, as many.
    pub strides: &'a mut [MaybeUninit<i64>],
    pub data: *mut c_void,
    /// -1: host.
    pub device: i32,
}

/// What a look at an array gave.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sight {
    /// It has the dtype and rank that were asked for, and was written to the room.
    Array,
    /// It has others.
    Other,
    /// A slower protocol has to tell.
    Unclear,
}

/// The stream that a library works on now on this thread.
pub(crate) struct WorkingStream<'py> {
    /// The driver's handle.
    pub handle: usize,
    /// What keeps it; without one it lives for ever.
    pub owner: Option<Bound<'py, PyAny>>,
}

impl Library {
    /// The library of an array's type, found by the type's address but for the first time. `None` with an exception pending: it passes.
    pub fn of(object: &Bound<'_, PyAny>) -> Option<Library> {
        Library::known(object).or_else(|| Library::look_up(object))
    }

    /// The same of types that were met before.
    #[inline]
    pub fn known(object: &Bound<'_, PyAny>) -> Option<Library> {
        let class = object.get_type_ptr();
        exchange::known(class).map(Library::Speaker).or_else(|| cupy::known(class).map(Library::CuPy))
    }

    /// The same of others.
    #[cold]
    pub fn look_up(object: &Bound<'_, PyAny>) -> Option<Library> {
        // See Note [Attached, and known to be] in `call`.
        attached(|_| {
            let speaker = exchange::look_up(object).map(Library::Speaker);
            // SAFETY: attached. A pending exception passes.
            let may_ask = || unsafe { pyo3::ffi::PyErr_Occurred().is_null() };
            speaker.or_else(|| if may_ask() { cupy::look_up(object).map(Library::CuPy) } else { None })
        })
    }

    /// Looks at an array as one of a dtype and rank.
    #[inline]
    pub fn show(self, object: &Bound<'_, PyAny>, code: u8, out: &mut ArrayRoom<'_>) -> Sight {
        let sight = match self {
            Library::Speaker(speaker) => show_tensor(speaker, object, code, out),
            Library::CuPy(cupy) => cupy.show(object, code, out),
        };
        let itemsize = i64::from(dtype::ITEMSIZE[usize::from(code)]);
        // What cannot be is refused elsewhere.
        if sight != Sight::Array {
            return sight;
        }
        // SAFETY: an array was seen, with all its axes.
        let (shape, strides) = unsafe { out.axes() };
        let is_usable = layout::can_be(shape, strides, itemsize)
            && (!out.data.is_null() || shape.contains(&0))
            && (out.device >= 0 || layout::is_aligned(shape, strides, out.data.addr(), code));
        if is_usable { Sight::Array } else { Sight::Unclear }
    }

    /// The stream that the library works on now on a device; `None`: nobody knows how long it lives.
    pub fn working<'py>(self, py: Python<'py>, device: i32) -> Option<WorkingStream<'py>> {
        match self {
            Library::CuPy(cupy) => cupy.working(py, device),
            Library::Speaker(speaker) => {
                let handle = exchange::current_stream(speaker.table, device)?;
                speaker.stays(py, handle, device).then_some(WorkingStream { handle, owner: None })
            }
        }
    }

    /// A fresh result, computed on the library's current stream, as an array of it. The view's reference is taken over, also on failure;
    /// but not where the answer is `None`: the slower protocol has to do it.
    pub fn give<'py>(
        self,
        py: Python<'py>,
        view: &abi::Array,
        place: ArrayPlace,
    ) -> Option<PyResult<Bound<'py, PyAny>>> {
        match self {
            Library::Speaker(speaker) => exchange::give(py, speaker, view, place),
            Library::CuPy(cupy) => (place.device >= 0).then(|| cupy.give(py, view, place)),
        }
    }
}

impl<'a> ArrayRoom<'a> {
    /// # Safety
    /// The leaf is room for one that nobody else uses for as long; the rank is at most `MAX_RANK`.
    pub unsafe fn new(leaf: *mut Argument, rank: usize) -> ArrayRoom<'a> {
        // SAFETY: as this function's: there is room for `MAX_RANK` numbers each.
        let (shape, strides) = unsafe {
            let (shape, strides) = (&raw mut (*leaf).array.shape, &raw mut (*leaf).array.strides);
            let axes = |first| std::slice::from_raw_parts_mut(first, rank);
            (axes(shape.cast()), axes(strides.cast()))
        };
        ArrayRoom { shape, strides, data: std::ptr::null_mut(), device: -1 }
    }

    /// Extents and strides.
    ///
    /// # Safety
    /// All were written.
    #[inline]
    pub unsafe fn axes(&self) -> (&[i64], &[i64]) {
        // SAFETY: as this function's.
        unsafe { (self.shape.assume_init_ref(), self.strides.assume_init_ref()) }
    }
}

#[inline]
fn show_tensor(speaker: Speaker, object: &Bound<'_, PyAny>, code: u8, out: &mut ArrayRoom<'_>) -> Sight {
    let Some(tensor) = exchange::show(speaker, object) else { return Sight::Unclear };
    let Some(look) = tensor.look(code, out.shape.len()) else {
        let is_other = dlpack::place(&tensor).is_ok_and(|(found, _)| found < dtype::COMPLEX64);
        return if is_other { Sight::Other } else { Sight::Unclear };
    };
    // A complex tensor may stand for its conjugate.
    if code >= dtype::COMPLEX64 {
        return Sight::Unclear;
    }
    let itemsize = i64::from(dtype::ITEMSIZE[usize::from(code)]);
    for (to, from) in out.shape.iter_mut().zip(look.shape) {
        to.write(*from);
    }
    match look.strides {
        Some(strides) => {
            for (to, from) in out.strides.iter_mut().zip(strides) {
                to.write(dlpack::bytes_of(*from, itemsize));
            }
        }
        None => {
            out.strides.write_copy_of_slice(&layout::c_strides(look.shape, itemsize));
        }
    }
    (out.data, out.device) = (look.data, look.device);
    Sight::Array
}
