//! Arrays as leaves: of NumPy, of ours, and of libraries that show theirs.

use std::ffi::c_void;

use numptx_abi::{Parameter, dtype};
use pyo3::ffi::PyObject;
use pyo3::prelude::*;

use super::fits::{extents_fit, order_fits, write_array, write_kind};
use super::{Family, Leaves};
use crate::array::{self, Array, Memory};
use crate::layout;
use crate::library::{ArrayRoom, Library, Sight};
use crate::numpy::{self, Dtype, Fields, NumPy};
use crate::scalars::Fit;

impl<'py> Leaves<'py> {
    /// An array that its library shows; `None`: the slower protocols have to tell.
    pub(super) fn shown_array(
        &mut self,
        node: &Parameter,
        library: Library,
        object: &Bound<'py, PyAny>,
    ) -> Option<Fit> {
        let slot = self.room();
        // SAFETY: this leaf's room, which nobody reads before it is pushed; ranks of parameters are at most `MAX_RANK`.
        let mut shown = unsafe { ArrayRoom::new(slot, usize::from(node.rank)) };
        match library.show(object, node.dtype, &mut shown) {
            Sight::Array => {}
            Sight::Other => return Some(Fit::No),
            Sight::Unclear => return None,
        }
        let (data, device) = (shown.data, shown.device);
        // SAFETY: an array was seen, with all its axes.
        let (shape, strides) = unsafe { shown.axes() };
        let itemsize = i64::from(dtype::ITEMSIZE[usize::from(node.dtype)]);
        if !order_fits(node, shape, strides, itemsize)
            || !extents_fit(node, shape)
            || !layout::has_whole_steps(node.dtype, shape, strides)
        {
            return Some(Fit::No);
        }
        let stream = if device >= 0 { self.working(library, device)? } else { 0 };
        if self.family == Family::NumPy {
            self.family = Family::Foreign(object.as_ptr());
        }
        self.bytes = if device >= 0 { i64::MAX } else { self.bytes.saturating_add(layout::size(shape) * itemsize) };
        self.push(object.as_ptr());
        // SAFETY: as above; the axes are there.
        unsafe {
            write_kind(slot, node.dtype, usize::from(node.rank));
            (&raw mut (*slot).array.buffer).write(std::ptr::null_mut());
            (&raw mut (*slot).array.offset).write(0);
            (&raw mut (*slot).data).write(data);
            (&raw mut (*slot).device).write(device);
            (&raw mut (*slot).read_only).write(0);
            (&raw mut (*slot).stream).write(stream as *mut c_void);
            (&raw mut (*slot).owner).write(object.as_ptr().cast());
            (&raw mut (*slot).owner_table).write(&crate::owners::OBJECT);
        }
        Some(Fit::Exact)
    }

    pub(super) fn numpy_array(&mut self, numpy: &NumPy, node: &Parameter, object: *mut PyObject) -> Fit {
        // SAFETY: `object` is an array; NumPy keeps `rank` extents and strides behind its pointers.
        let (fields, shape, strides) = unsafe {
            let fields: &Fields = numpy.fields(object);
            // Nearly every array of a dtype has that dtype's one descriptor.
            let is_dtype = fields.descr == numpy.descr(node.dtype) || numpy.dtype(fields) == Dtype::Native(node.dtype);
            if fields.rank as usize != usize::from(node.rank) || !is_dtype {
                return Fit::No;
            }
            let (shape, strides) = fields.axes();
            (fields, shape, strides)
        };
        let order = match node.order {
            1 => fields.flags & numpy::C_CONTIGUOUS != 0,
            2 => fields.flags & numpy::F_CONTIGUOUS != 0,
            _ => true,
        };
        if fields.flags & numpy::ALIGNED == 0
            || !order
            || !extents_fit(node, shape)
            || !layout::has_whole_steps(node.dtype, shape, strides)
        {
            return Fit::No;
        }
        self.bytes =
            self.bytes.saturating_add(layout::size(shape) * i64::from(dtype::ITEMSIZE[usize::from(node.dtype)]));
        let slot = self.push(object);
        // SAFETY: `slot` is this leaf's room, the rank is at most `MAX_RANK`.
        unsafe {
            write_array(slot, node.dtype, shape, strides);
            (&raw mut (*slot).array.buffer).write(std::ptr::null_mut());
            (&raw mut (*slot).array.offset).write(0);
            (&raw mut (*slot).data).write(fields.data);
            (&raw mut (*slot).device).write(-1);
            (&raw mut (*slot).read_only).write(u32::from(fields.flags & numpy::WRITEABLE == 0));
            (&raw mut (*slot).stream).write(std::ptr::null_mut());
            (&raw mut (*slot).owner).write(std::ptr::null_mut());
        }
        Fit::Exact
    }

    pub(super) fn device_array(
        &mut self,
        node: &Parameter,
        array: &Array,
        object: *mut PyObject,
        family: Family,
    ) -> PyResult<Fit> {
        let (shape, strides) = (array.shape(), array.strides());
        let itemsize = i64::from(dtype::ITEMSIZE[usize::from(node.dtype)]);
        let same_kind = shape.len() == usize::from(node.rank) && array.dtype_code() == node.dtype;
        if !same_kind
            || !order_fits(node, shape, strides, itemsize)
            || !extents_fit(node, shape)
            || !layout::has_whole_steps(node.dtype, shape, strides)
        {
            return Ok(Fit::No);
        }
        let handle =
            |memory: &Memory| memory.producer().map_or(std::ptr::null_mut(), |producer| producer.handle as *mut c_void);
        let producer = array.glance(handle)?;
        self.has_produced |= !producer.is_null();
        if self.family == Family::NumPy {
            self.family = family;
        }
        self.bytes = if array.device_ordinal() >= 0 {
            i64::MAX
        } else {
            self.bytes.saturating_add(layout::size(shape) * itemsize)
        };
        let slot = self.push(object);
        // SAFETY: `slot` is this leaf's room, the rank is at most `MAX_RANK`.
        unsafe {
            write_array(slot, node.dtype, shape, strides);
            (&raw mut (*slot).array.buffer).write(array.view().buffer);
            (&raw mut (*slot).array.offset).write(array.view().offset);
            (&raw mut (*slot).data).write(array.address());
            (&raw mut (*slot).device).write(array.device_ordinal());
            (&raw mut (*slot).read_only).write(u32::from(array.is_read_only()));
            (&raw mut (*slot).stream).write(producer);
            (&raw mut (*slot).owner).write(std::ptr::null_mut());
        }
        Ok(Fit::Exact)
    }

    /// An array of ours, which others may close.
    pub(super) fn own_array(&mut self, node: &Parameter, array: &Array, object: *mut PyObject) -> PyResult<Fit> {
        self.has_own = true;
        self.device_array(node, array, object, Family::Numptx)
    }

    /// Keeps the call's arrays of ours open until the answer is dropped.
    #[inline]
    pub fn stay(&self) -> PyResult<OpenArrays<'_, 'py>> {
        let mut staying = OpenArrays { leaves: self, n: 0 };
        if self.has_own {
            staying.open_all()?;
        }
        Ok(staying)
    }

    /// The array of ours that a leaf is.
    fn own(&self, leaf: usize) -> Option<&Array> {
        let object = self.object(leaf)?;
        // SAFETY: arguments live for the call.
        unsafe { array::of_ours(self.py, &object).map(|array| &*std::ptr::from_ref(array)) }
    }
}

/// The arrays of ours that a call got: nobody closes them meanwhile.
pub(crate) struct OpenArrays<'a, 'py> {
    leaves: &'a Leaves<'py>,
    /// Of so many leaves.
    n: usize,
}

impl OpenArrays<'_, '_> {
    fn open_all(&mut self) -> PyResult<()> {
        for leaf in 0..self.leaves.n_leaves {
            if let Some(array) = self.leaves.own(leaf) {
                array.stay()?;
            }
            self.n = leaf + 1;
        }
        Ok(())
    }

    #[inline(never)]
    fn leave_all(&self) {
        for array in (0..self.n).filter_map(|leaf| self.leaves.own(leaf)) {
            array.leave();
        }
    }
}

impl Drop for OpenArrays<'_, '_> {
    #[inline]
    fn drop(&mut self) {
        if self.n > 0 {
            self.leave_all();
        }
    }
}
