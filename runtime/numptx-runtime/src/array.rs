//! What Rust programs use: arrays that the runtime owns, on the host or on a GPU.
//!
//! In: slices, shapes and devices. Out: arrays, and errors as values. A [`DeviceArray`] is the only way to its elements, and may be written.
//! A [`SharedDeviceArray`] has many owners, and is only read. Both are a [`DeviceArrayRef`] where they are read.

mod borrowed;
mod element;
mod float16;
mod owned;

use std::marker::PhantomData;

use numptx_abi::{Argument, Array, InvokeOptions, MAX_RANK, Module, Overload, Value};

use crate::buffer::{self, BufferRef, HostMemory};
use crate::copy::{Place, array_copy, contiguous_strides, copy_arrays, packed_bytes};
use crate::error::{Error, Result, no_error};
use crate::stream::Stream;
use crate::table::buffers::new_buffer;
use crate::{image, invoke as invocation};

pub use borrowed::{DeviceCow, DeviceView};
pub use element::Element;
pub use float16::Float16;
pub use num_complex::Complex;
pub use owned::{DeviceArray, SharedDeviceArray};

pub(crate) use element::{alignment, into_elements};

/// Where arrays live and calls compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Device {
    /// Host memory and the CPU.
    Cpu,
    /// A GPU, by its ordinal.
    Cuda(i32),
}

impl Device {
    /// -1 for the CPU, otherwise the ordinal: as the C interface counts.
    pub fn ordinal(self) -> i32 {
        match self {
            Device::Cpu => -1,
            Device::Cuda(ordinal) => ordinal,
        }
    }

    pub(crate) fn from_ordinal(ordinal: i32) -> Device {
        if ordinal < 0 { Device::Cpu } else { Device::Cuda(ordinal) }
    }

    /// Number of GPUs; 0 without a driver. Opens the driver.
    pub fn cuda_count() -> i32 {
        crate::device::count().unwrap_or(0)
    }

    /// Name, architecture, memory and driver in one line, or why there is no such device. Opens the driver for a GPU.
    pub fn describe(self) -> String {
        match self {
            Device::Cpu => "the CPU".to_string(),
            Device::Cuda(ordinal) => {
                crate::device::describe(ordinal).unwrap_or_else(|error| error.message().to_string())
            }
        }
    }
}

/// Elements in memory of the runtime's that somebody else keeps alive: what a [`DeviceArray`], a [`SharedDeviceArray`] and a [`DeviceCow`] are
/// where they are read.
pub struct DeviceArrayRef<T: Element> {
    array: Array,
    data: *mut u8,
    device: Device,
    element: PhantomData<T>,
}

// SAFETY: elements are plain values, and are only read through this; the runtime orders uses of a buffer by any thread.
unsafe impl<T: Element + Send> Send for DeviceArrayRef<T> {}
// SAFETY: as above.
unsafe impl<T: Element + Sync> Sync for DeviceArrayRef<T> {}

impl<T: Element> std::fmt::Debug for DeviceArrayRef<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "DeviceArray(shape={:?}, device={:?})", self.shape(), self.device)
    }
}

impl<T: Element> DeviceArrayRef<T> {
    /// # Safety
    /// The array lies in `buffer`, whose elements are of `T`, and whoever has the result keeps the buffer alive.
    pub(crate) unsafe fn new(array: Array, buffer: &BufferRef) -> DeviceArrayRef<T> {
        let data = buffer.data.wrapping_offset(array.offset as isize);
        DeviceArrayRef { array, data, device: Device::from_ordinal(buffer.device), element: PhantomData }
    }

    /// Extents.
    pub fn shape(&self) -> &[i64] {
        &self.array.shape[..self.array.rank as usize]
    }

    /// Strides in bytes.
    pub fn strides(&self) -> &[i64] {
        &self.array.strides[..self.array.rank as usize]
    }

    /// Where the elements lie.
    pub fn device(&self) -> Device {
        self.device
    }

    /// Address of element `[0, …, 0]`, in the memory of [`DeviceArrayRef::device`].
    pub fn data(&self) -> *mut u8 {
        self.data
    }

    /// A C-contiguous copy on a device; waits for it.
    pub fn to_device(&self, device: Device) -> Result<DeviceArray<T>> {
        let shape: Vec<usize> = self.shape().iter().map(|e| *e as usize).collect();
        let copy = DeviceArray::fresh(device, &shape)?;
        // SAFETY: both arrays are alive; the fresh one is nobody else's.
        unsafe { array_copy(&copy.array, &self.array, &Stream::LEGACY, true) }?;
        Ok(copy)
    }

    /// A C-contiguous copy where the elements lie; waits for it.
    pub fn copy(&self) -> Result<DeviceArray<T>> {
        self.to_device(self.device)
    }

    /// The elements in C order; waits for the device.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        // SAFETY: alive as long as this reference.
        unsafe { gathered(&Place::of(&self.array)?) }
    }

    /// The array as an argument of [`crate::invoke`]. The array must outlive the call.
    pub fn argument(&self) -> Argument {
        Argument {
            kind: Value::ARRAY,
            dtype: u32::from(T::DTYPE),
            bits: [0; 2],
            array: self.array,
            data: std::ptr::null_mut(),
            device: self.device.ordinal(),
            read_only: 0,
            stream: std::ptr::null_mut(),
            owner: std::ptr::null_mut(),
            owner_table: std::ptr::null(),
        }
    }
}

/// A fresh buffer for a C-contiguous array, and the array in it. Contents undefined.
fn fresh<T: Element>(device: Device, shape: &[usize]) -> Result<(Array, BufferRef)> {
    let size = size_of::<T>() as i64;
    let mut array = empty_array(T::DTYPE, shape)?;
    let rank = shape.len();
    let bytes = packed_bytes(&array.shape[..rank], size)?;
    array.strides = contiguous_strides(&array.shape[..rank], size);
    let buffer = new_buffer(device.ordinal(), bytes, &Stream::LEGACY)?;
    array.buffer = buffer.as_ptr().cast();
    Ok((array, buffer))
}

/// The elements of an array, in C order, in memory of their own; waits for the device.
///
/// # Safety
/// The place holds its elements, which are of `T`.
pub(crate) unsafe fn gathered<T: Element>(from: &Place<'_>) -> Result<Vec<T>> {
    let size = size_of::<T>() as i64;
    let buffer = buffer::new_vector(packed_bytes(from.shape, size)?, align_of::<T>())?;
    let strides = contiguous_strides(from.shape, size);
    let to = Place {
        device: None,
        data: buffer.data,
        shape: from.shape,
        strides: &strides[..from.shape.len()],
        uses: None,
        pinned: None,
    };
    // SAFETY: the source is as the caller promises; the destination has room, and is nobody else's. Copies to it are waited for.
    unsafe { copy_arrays(&to, from, size, &Stream::LEGACY) }?;
    let n = from.shape.iter().product::<i64>() as usize;
    // SAFETY: all elements were copied.
    unsafe { into_elements(buffer, n) }.map_err(|_| Error::runtime("a copy on the host has another owner"))
}

fn empty_array(code: u8, shape: &[usize]) -> Result<Array> {
    if shape.len() > MAX_RANK {
        return Err(Error::value(format!("at most {MAX_RANK} axes are supported")));
    }
    let mut array = Array {
        buffer: std::ptr::null_mut(),
        offset: 0,
        rank: shape.len() as u32,
        dtype: u32::from(code),
        shape: [0; MAX_RANK],
        strides: [0; MAX_RANK],
    };
    for (to, from) in array.shape.iter_mut().zip(shape) {
        *to = i64::try_from(*from).map_err(|_| Error::memory(format!("an array of shape {shape:?} is too large")))?;
    }
    Ok(array)
}

/// Options of a call: on a device, or (`None`) where the arrays live.
pub fn options(device: Option<Device>) -> InvokeOptions {
    InvokeOptions {
        device: device.map_or(InvokeOptions::AUTO, Device::ordinal),
        results_on_device: 0,
        stream: std::ptr::null_mut(),
        interrupt: None,
        interrupt_data: std::ptr::null_mut(),
    }
}

/// Waits for everything that calls have started on any GPU.
pub fn synchronize() -> Result<()> {
    crate::table::wait_for_all()
}

/// Binds a generated module to this runtime. Idempotent. Fails if it was compiled for another ABI.
///
/// # Safety
/// `module` is the descriptor of a generated library, which is never unloaded.
pub unsafe fn bind(module: *const Module) -> Result<()> {
    // SAFETY: as the caller promises.
    unsafe { image::bind(module) }
}

/// Calls an overload of a bound module. See [`numptx_abi::RuntimeTable::invoke`] for what results hold.
///
/// # Safety
/// The arguments have the overload's types, and their memory is valid during the call.
pub unsafe fn invoke(
    overload: &Overload,
    arguments: &[Argument],
    results: &mut [Value],
    options: &InvokeOptions,
) -> Result<()> {
    if arguments.len() != overload.n_arguments as usize || results.len() != overload.n_results as usize {
        return Err(Error::runtime("the call has another number of arguments or results than the function"));
    }
    let (mut error, options) = (no_error(), (options, HostMemory::Buffers));
    // SAFETY: as the caller promises; the slices are as long as the overload says.
    unsafe { invocation::invoke(overload, arguments.as_ptr(), results.as_mut_ptr(), options, &mut error) }
}
