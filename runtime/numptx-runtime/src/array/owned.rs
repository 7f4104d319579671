//! Arrays that own what they show: one owner that may write, or many that read.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use numptx_abi::Value;

use super::{Device, DeviceArrayRef, Element, fresh};
use crate::buffer::BufferRef;
use crate::error::{Error, Result};

/// An array in memory that the runtime owns, on the host or on a GPU, and that nobody else can reach: functions may write it through `&mut`.
///
/// It is no `Clone`. [`DeviceArray::share`] gives an array that many may own and read, and [`DeviceArrayRef::copy`] a copy.
///
/// ```compile_fail,E0599
/// use numptx_runtime::{Device, DeviceArray};
/// let x = DeviceArray::from_slice(Device::Cpu, &[2], &[1.0, 2.0]).unwrap();
/// let mut y: DeviceArray<f64> = x.clone(); // would be a second way to the same elements
/// ```
///
/// What is being read cannot be written meanwhile:
///
/// ```compile_fail,E0502
/// # fn scale_on_device(x: &mut numptx_runtime::DeviceArray<f64>) {}
/// use numptx_runtime::{Device, DeviceArray};
/// let mut x = DeviceArray::from_slice(Device::Cpu, &[2], &[1.0, 2.0]).unwrap();
/// std::thread::scope(|scope| {
///     scope.spawn(|| x.to_vec());
///     scale_on_device(&mut x);
/// });
/// ```
pub struct DeviceArray<T: Element> {
    pub(super) elements: DeviceArrayRef<T>,
    /// The array's own reference to its buffer.
    buffer: BufferRef,
}

/// An array that many may own and read. Cloning shares the elements.
///
/// No function writes it:
///
/// ```compile_fail,E0308
/// # fn scale_on_device(x: &mut numptx_runtime::DeviceArray<f64>) {}
/// use numptx_runtime::{Device, DeviceArray};
/// let mut x = DeviceArray::from_slice(Device::Cpu, &[2], &[1.0, 2.0]).unwrap().share();
/// scale_on_device(&mut x);
/// ```
///
/// Reading takes either:
///
/// ```
/// # fn sum_on_device(x: &numptx_runtime::DeviceArrayRef<f64>) -> f64 { x.to_vec().unwrap().iter().sum() }
/// # fn scale_on_device(x: &mut numptx_runtime::DeviceArray<f64>) {}
/// use numptx_runtime::{Device, DeviceArray};
/// let mut x = DeviceArray::from_slice(Device::Cpu, &[2], &[1.0, 2.0]).unwrap();
/// scale_on_device(&mut x);
/// assert_eq!(sum_on_device(&x), 3.0);
/// let x = x.share();
/// assert_eq!(sum_on_device(&x.clone()), 3.0);
/// ```
pub struct SharedDeviceArray<T: Element> {
    elements: DeviceArrayRef<T>,
    buffer: BufferRef,
}

// SAFETY: buffers are counted atomically and may be let go on any thread; elements are plain values.
unsafe impl<T: Element + Send> Send for DeviceArray<T> {}
// SAFETY: through a shared reference elements are only read, and the reference to the buffer stays.
unsafe impl<T: Element + Sync> Sync for DeviceArray<T> {}
// SAFETY: as above; every owner only reads, on whatever thread.
unsafe impl<T: Element + Send + Sync> Send for SharedDeviceArray<T> {}
// SAFETY: as above.
unsafe impl<T: Element + Send + Sync> Sync for SharedDeviceArray<T> {}

impl<T: Element> Deref for DeviceArray<T> {
    type Target = DeviceArrayRef<T>;

    fn deref(&self) -> &DeviceArrayRef<T> {
        &self.elements
    }
}

impl<T: Element> Deref for SharedDeviceArray<T> {
    type Target = DeviceArrayRef<T>;

    fn deref(&self) -> &DeviceArrayRef<T> {
        &self.elements
    }
}

impl<T: Element> fmt::Debug for DeviceArray<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.elements.fmt(f)
    }
}

impl<T: Element> fmt::Debug for SharedDeviceArray<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.elements.fmt(f)
    }
}

impl<T: Element> DeviceArray<T> {
    /// # Safety
    /// The array lies in `buffer`, whose elements are of `T`. No two of its elements are one, and nobody else reaches them as long as it lives.
    pub(crate) unsafe fn new(array: numptx_abi::Array, buffer: BufferRef) -> DeviceArray<T> {
        // SAFETY: as the caller promises; the reference to the buffer is kept beside.
        let elements = unsafe { DeviceArrayRef::new(array, &buffer) };
        DeviceArray { elements, buffer }
    }

    /// A C-contiguous array of undefined contents.
    pub(super) fn fresh(device: Device, shape: &[usize]) -> Result<DeviceArray<T>> {
        let (array, buffer) = fresh::<T>(device, shape)?;
        // SAFETY: the buffer was just made for this array.
        Ok(unsafe { DeviceArray::new(array, buffer) })
    }

    /// A C-contiguous array with these elements, in C order. Fails if there are not as many as the shape says.
    pub fn from_slice(device: Device, shape: &[usize], elements: &[T]) -> Result<DeviceArray<T>> {
        if shape.iter().try_fold(1usize, |n, extent| n.checked_mul(*extent)) != Some(elements.len()) {
            return Err(Error::value(format!("{} elements do not make an array of shape {shape:?}", elements.len())));
        }
        let host = DeviceArray::fresh(Device::Cpu, shape)?;
        // SAFETY: a fresh host buffer with room for the elements.
        unsafe { std::ptr::copy_nonoverlapping(elements.as_ptr(), host.data().cast(), elements.len()) };
        if device == Device::Cpu { Ok(host) } else { host.to_device(device) }
    }

    /// The same elements for many owners, who may read and not write them.
    pub fn share(self) -> SharedDeviceArray<T> {
        SharedDeviceArray { elements: self.elements, buffer: self.buffer }
    }

    /// Takes over a result's reference.
    ///
    /// # Safety
    /// `value` is an array result of [`crate::invoke`] whose buffer is not null. Nobody else takes its reference, and nobody reads or writes its
    /// elements in another way as long as the array lives.
    pub unsafe fn from_value(value: &Value) -> Result<DeviceArray<T>> {
        if value.kind != Value::ARRAY || value.dtype != u32::from(T::DTYPE) || value.array.buffer.is_null() {
            return Err(Error::value("the result is not an array of this type"));
        }
        // SAFETY: as the caller promises.
        unsafe { Ok(DeviceArray::new(value.array, BufferRef::from_raw(value.array.buffer.cast()))) }
    }
}

impl<T: Element> Clone for SharedDeviceArray<T> {
    fn clone(&self) -> SharedDeviceArray<T> {
        let DeviceArrayRef { array, data, device, .. } = self.elements;
        let elements = DeviceArrayRef { array, data, device, element: PhantomData };
        SharedDeviceArray { elements, buffer: self.buffer.clone() }
    }
}

impl<T: Element> SharedDeviceArray<T> {
    /// The array for writing, if this is its only owner; else itself.
    #[allow(clippy::result_large_err, reason = "the error is the array itself, as large as what it is otherwise")]
    pub fn try_unique(self) -> std::result::Result<DeviceArray<T>, SharedDeviceArray<T>> {
        // Who was an owner has read all that it wanted, on the host before it gave its reference up, and on devices in the order of streams.
        match self.buffer.is_only() {
            true => Ok(DeviceArray { elements: self.elements, buffer: self.buffer }),
            false => Err(self),
        }
    }
}
