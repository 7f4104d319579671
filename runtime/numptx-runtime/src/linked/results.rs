//! Results of calls from Rust: arrays of their own, or views of arguments that borrow these.

use std::marker::PhantomData;

use numptx_abi::{Array, MAX_RANK, Value, dtype};

use super::argument::NO_VALUE;
use crate::array::{Device, DeviceArray, DeviceArrayRef, DeviceCow, DeviceView, Element, gathered, into_elements};
use crate::axes::byte_range;
use crate::buffer::BufferRef;
use crate::copy::Place;
use crate::error::{Error, Result};
use crate::invoke::release_results;
use crate::overlap::{Extent, Overlap, overlaps_itself};

/// The leaves of a call's results, to be taken in order. Views of arguments that were kept borrow these for `'v`.
pub struct Results<'v, 'b, const R: usize> {
    leaves: [Value; R],
    taken: usize,
    /// Bit `k`: views of argument `k` may stay views.
    kept: u64,
    borrowed: PhantomData<(&'v (), &'b ())>,
}

/// A result in host memory that is its caller's. Element `[0, …, 0]` comes first in memory along axes whose stride is not negative, and last along
/// others.
pub struct HostArray<T: Element> {
    elements: Vec<T>,
    shape: [usize; MAX_RANK],
    strides: [isize; MAX_RANK],
    rank: usize,
}

/// A result in host memory that is a view of an argument, which is borrowed for `'v`.
pub struct HostView<'v, T: Element> {
    data: *const T,
    shape: [usize; MAX_RANK],
    strides: [isize; MAX_RANK],
    rank: usize,
    borrowed: PhantomData<&'v T>,
}

/// A result in host memory that may be a view of an argument.
pub enum HostCow<'v, T: Element> {
    /// A view of an argument.
    View(HostView<'v, T>),
    /// Memory of its own.
    Owned(HostArray<T>),
}

impl<T: Element> HostArray<T> {
    /// Extents.
    pub fn shape(&self) -> &[usize] {
        &self.shape[..self.rank]
    }

    /// Strides in elements.
    pub fn strides(&self) -> &[isize] {
        &self.strides[..self.rank]
    }

    /// The memory from the element with the lowest address on.
    pub fn into_elements(self) -> Vec<T> {
        self.elements
    }
}

impl<T: Element> HostView<'_, T> {
    /// Element `[0, …, 0]`; dangling where there is none. It and the others may be read as long as the argument is borrowed.
    pub fn as_ptr(&self) -> *const T {
        self.data
    }

    /// Extents.
    pub fn shape(&self) -> &[usize] {
        &self.shape[..self.rank]
    }

    /// Strides in elements; all 0 where there is no element.
    pub fn strides(&self) -> &[isize] {
        &self.strides[..self.rank]
    }
}

impl<'v, const R: usize> Results<'v, '_, R> {
    pub(super) fn new(kept: u64) -> Self {
        Results { leaves: [NO_VALUE; R], taken: 0, kept, borrowed: PhantomData }
    }

    /// Where a call writes them.
    pub(super) fn leaves(&mut self) -> *mut Value {
        self.leaves.as_mut_ptr()
    }

    /// The next leaf, of a kind and of elements of `T`.
    fn next<T: Element>(&mut self, kind: u32) -> Result<Leaf> {
        let other = || Error::runtime("the function has other results");
        let value = std::mem::replace(self.leaves.get_mut(self.taken).ok_or_else(other)?, NO_VALUE);
        self.taken += 1;
        let buffer = value.array.buffer.cast();
        // SAFETY: the result's reference, which the leaf has now.
        let owner = (value.kind == Value::ARRAY && !value.array.buffer.is_null())
            .then(|| unsafe { BufferRef::from_raw(buffer) });
        if value.kind != kind || value.dtype != u32::from(T::DTYPE) {
            return Err(other());
        }
        let argument = u32::try_from(value.parameter).ok();
        let is_kept = argument.is_some_and(|k| k < 64 && self.kept >> k & 1 == 1);
        Ok(Leaf { value, owner, is_fresh: argument.is_none(), is_kept })
    }

    /// A scalar.
    pub fn scalar<T: Element>(&mut self) -> Result<T> {
        Ok(T::from_words(self.next::<T>(Value::SCALAR)?.value.bits))
    }

    /// The element of an array without axes.
    pub fn element<T: Element>(&mut self) -> Result<T> {
        let leaf = self.next::<T>(Value::ARRAY)?;
        if leaf.value.device >= 0 || leaf.value.array.rank > 0 {
            let array = leaf.into_host_array::<T>()?;
            return array.elements.first().copied().ok_or_else(|| Error::runtime("the result has no element"));
        }
        let first = leaf.value.data;
        // SAFETY: an array without axes has one element, in host memory that the reference or a borrowed argument keeps.
        Ok(unsafe {
            match T::DTYPE {
                dtype::BOOL => T::from_words([u64::from(*first.cast::<u8>()), 0]),
                _ => *first.cast::<T>(),
            }
        })
    }

    /// An array in host memory: the call's own memory where it can be taken over, else a copy.
    pub fn host_array<T: Element>(&mut self) -> Result<HostArray<T>> {
        self.next::<T>(Value::ARRAY)?.into_host_array()
    }

    /// An array in host memory, or a view of an argument that was kept.
    pub fn host_cow<T: Element>(&mut self) -> Result<HostCow<'v, T>> {
        let leaf = self.next::<T>(Value::ARRAY)?;
        match leaf.host_view() {
            Some(view) => Ok(HostCow::View(view)),
            None => leaf.into_host_array().map(HostCow::Owned),
        }
    }

    /// An array of the runtime that nobody else reaches: the call's own where it can be, else a copy.
    pub fn device_array<T: Element>(&mut self) -> Result<DeviceArray<T>> {
        self.next::<T>(Value::ARRAY)?.into_device_array()
    }

    /// An array of the runtime, or a view of an argument that was kept.
    pub fn device_cow<T: Element>(&mut self) -> Result<DeviceCow<'v, T>> {
        let leaf = self.next::<T>(Value::ARRAY)?;
        match &leaf.owner {
            Some(buffer) if leaf.is_kept => {
                // SAFETY: the argument that it views keeps the buffer, and is borrowed for `'v`; the call has written what it writes.
                Ok(DeviceCow::View(unsafe { DeviceView::new(DeviceArrayRef::new(leaf.value.array, buffer)) }))
            }
            _ => leaf.into_device_array().map(DeviceCow::Owned),
        }
    }
}

impl<const R: usize> Drop for Results<'_, '_, R> {
    fn drop(&mut self) {
        // SAFETY: each leaf that was not taken carries its reference.
        unsafe { release_results(&mut self.leaves) };
    }
}

/// An array result, and its reference.
struct Leaf {
    value: Value,
    owner: Option<BufferRef>,
    /// It is no view of an argument.
    is_fresh: bool,
    is_kept: bool,
}

impl Leaf {
    fn axes(&self) -> (&[i64], &[i64]) {
        let Array { rank, shape, strides, .. } = &self.value.array;
        let rank = (*rank as usize).min(MAX_RANK);
        (&shape[..rank], &strides[..rank])
    }

    fn place(&self) -> Result<Place<'_>> {
        match &self.owner {
            // SAFETY: alive, because of the reference.
            Some(_) => unsafe { Place::of(&self.value.array) },
            None => {
                let (shape, strides) = self.axes();
                Ok(Place { device: None, data: self.value.data.cast(), shape, strides, uses: None, pinned: None })
            }
        }
    }

    /// Whether no two elements share memory.
    fn is_distinct<T: Element>(&self) -> bool {
        let (shape, strides) = self.axes();
        let extent = Extent { first: self.value.data.addr(), shape, strides, itemsize: size_of::<T>() as i64 };
        overlaps_itself(&extent) == Overlap::No
    }

    fn host_view<'v, T: Element>(&self) -> Option<HostView<'v, T>> {
        if !self.is_kept || self.owner.is_some() || self.value.device >= 0 {
            return None;
        }
        let (shape, strides, rank) = self.in_elements::<T>()?;
        let is_empty = shape[..rank].contains(&0);
        let data = if is_empty { std::ptr::dangling() } else { self.value.data.cast_const().cast() };
        let strides = if is_empty { [0; MAX_RANK] } else { strides };
        Some(HostView { data, shape, strides, rank, borrowed: PhantomData })
    }

    /// Extents and strides as Rust counts them; `None` if elements do not lie whole elements apart.
    fn in_elements<T: Element>(&self) -> Option<([usize; MAX_RANK], [isize; MAX_RANK], usize)> {
        let (mut shape, mut strides) = ([0; MAX_RANK], [0; MAX_RANK]);
        let size = size_of::<T>() as i64;
        let (extents, steps) = self.axes();
        for (axis, (extent, step)) in extents.iter().zip(steps).enumerate() {
            shape[axis] = usize::try_from(*extent).ok()?;
            strides[axis] = if *extent > 1 { isize::try_from(*step / size).ok()? } else { 0 };
            if *extent > 1 && step % size != 0 {
                return None;
            }
        }
        Some((shape, strides, extents.len()))
    }

    fn into_host_array<T: Element>(mut self) -> Result<HostArray<T>> {
        let size = size_of::<T>() as i64;
        let (low, high) = byte_range(self.axes().0, self.axes().1, size);
        let fits = self.is_fresh && self.value.array.offset + low == 0 && low < high && self.is_distinct::<T>();
        if fits
            && let Some((shape, strides, rank)) = self.in_elements::<T>()
            && let Some(buffer) = self.owner.take()
        {
            // SAFETY: the result's elements lie from the buffer's first byte on.
            match unsafe { into_elements(buffer, ((high - low) / size) as usize) } {
                Ok(elements) => return Ok(HostArray { elements, shape, strides, rank }),
                Err(buffer) => self.owner = Some(buffer),
            }
        }
        // SAFETY: the elements are there: the reference, or the argument that is borrowed, keeps them.
        let elements = unsafe { gathered::<T>(&self.place()?) }?;
        let mut array = HostArray { elements, shape: [0; MAX_RANK], strides: [0; MAX_RANK], rank: self.axes().0.len() };
        let mut step = 1;
        for (axis, extent) in self.axes().0.iter().enumerate().rev() {
            array.shape[axis] = *extent as usize;
            array.strides[axis] = if array.elements.is_empty() { 0 } else { step };
            step = step.saturating_mul(*extent as isize);
        }
        Ok(array)
    }

    fn into_device_array<T: Element>(self) -> Result<DeviceArray<T>> {
        let is_own = self.is_fresh && self.value.read_only == 0 && self.is_distinct::<T>();
        match self.owner {
            Some(buffer) if is_own && buffer.is_only() => {
                // SAFETY: a fresh result whose reference is the only one, and no two of whose elements are one.
                Ok(unsafe { DeviceArray::new(self.value.array, buffer) })
            }
            // SAFETY: alive, because of the reference.
            Some(ref buffer) => unsafe { DeviceArrayRef::<T>::new(self.value.array, buffer) }.copy(),
            None => {
                let shape: Vec<usize> = self.axes().0.iter().map(|n| *n as usize).collect();
                // SAFETY: an argument in host memory that is borrowed.
                let elements = unsafe { gathered::<T>(&self.place()?) }?;
                DeviceArray::from_slice(Device::from_ordinal(self.value.device), &shape, &elements)
            }
        }
    }
}
