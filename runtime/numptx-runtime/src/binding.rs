//! Arguments of a call as its entry sees them: a value and a buffer each, on the call's stack; and whether those that are written share memory.

use std::mem::MaybeUninit;

use numptx_abi::{Argument, MAX_RANK, Overload, Value};

use crate::axes::{byte_range, copy_axes};
use crate::buffer::Buffer;
use crate::copy::itemsize;
use crate::error::{Error, Result};
use crate::invoke::MAX_ARGUMENTS;
use crate::overlap::{self, Extent, Overlap};

/// Arguments as the entry sees them, the buffers behind them, and their bytes. They lie in room of the call's, as many of each as there are arguments.
pub(crate) struct BoundArguments<'a> {
    pub(crate) values: &'a mut [MaybeUninit<Value>],
    pub(crate) buffers: &'a mut [MaybeUninit<Buffer>],
    pub(crate) extents: &'a mut [MaybeUninit<Bytes>],
}

impl BoundArguments<'_> {
    /// How many arguments there are.
    pub(crate) fn n(&self) -> usize {
        self.values.len()
    }

    /// The stack buffer of argument `k`. Buffers hold nothing that needs dropping.
    pub(crate) fn buffer(&mut self, k: usize) -> *mut Buffer {
        self.buffers[k].as_mut_ptr()
    }
}

/// An array argument's bytes.
#[derive(Clone, Copy)]
pub(crate) struct Bytes {
    /// Address of element `[0, …, 0]`.
    pub(crate) first: usize,
    pub(crate) low: usize,
    pub(crate) high: usize,
}

impl Bytes {
    pub(crate) const NONE: Bytes = Bytes { first: 0, low: 0, high: 0 };

    pub(crate) fn meet(&self, other: &Bytes) -> bool {
        let has_elements = |bytes: &Bytes| bytes.low < bytes.high;
        has_elements(self) && has_elements(other) && self.low < other.high && other.low < self.high
    }
}

/// Makes all values, buffers and extents.
///
/// # Safety
/// As [`crate::invoke::invoke`].
#[inline]
pub(crate) unsafe fn bind_arguments(bound: &mut BoundArguments<'_>, arguments: &[Argument]) -> Result<()> {
    let room = bound.values.iter_mut().zip(bound.buffers.iter_mut()).zip(bound.extents.iter_mut());
    for ((k, argument), ((value, buffer), extent)) in arguments.iter().enumerate().zip(room) {
        // SAFETY: as the caller promises.
        extent.write(unsafe { bind_argument(value, buffer, k, argument) }?);
    }
    Ok(())
}

/// Makes the value of argument `k` and its buffer, or the stand-in for its buffer of ours; returns its bytes.
///
/// # Safety
/// As [`crate::invoke::invoke`].
#[inline]
unsafe fn bind_argument(
    value: &mut MaybeUninit<Value>,
    buffer: &mut MaybeUninit<Buffer>,
    k: usize,
    argument: &Argument,
) -> Result<Bytes> {
    let value = value.as_mut_ptr();
    // SAFETY: writes within the slot; what of an array lies beyond its rank, and of a scalar in its array, is never read.
    unsafe {
        (&raw mut (*value).kind).write(argument.kind);
        (&raw mut (*value).dtype).write(argument.dtype);
        (&raw mut (*value).bits).write(argument.bits);
    }
    if argument.kind == Value::OBJECT {
        // SAFETY: as above. The binding's own reference lasts as long as the call.
        unsafe { (&raw mut (*value).array.buffer).write(argument.array.buffer) };
    }
    if argument.kind != Value::ARRAY {
        // Every buffer slot is filled, so that a result's buffer is recognised by its address alone.
        buffer.write(Buffer::parameter(std::ptr::null_mut(), 0, -1, std::ptr::null_mut()));
        return Ok(Bytes::NONE);
    }
    let rank = argument.array.rank as usize;
    if rank > MAX_RANK {
        return Err(Error::value(format!("argument {} has {rank} axes; at most {MAX_RANK} are supported", k + 1)));
    }
    let (shape, strides) = (&argument.array.shape[..rank], &argument.array.strides[..rank]);
    let (low, high) = byte_range(shape, strides, itemsize(argument.dtype)?);
    let runtime = argument.array.buffer.cast::<Buffer>();
    // A buffer of ours has a stand-in, which tells which argument a result views, and in a call on a device where the copy is.
    // SAFETY: a binding passes live buffers.
    let (first, bytes, device, offset) = match unsafe { runtime.as_ref() } {
        Some(known) => (known.data, known.bytes, known.device, argument.array.offset),
        None => (argument.data.cast::<u8>().wrapping_offset(low as isize), high - low, argument.device, -low),
    };
    let stand_in = buffer.write(Buffer::parameter(first, bytes, device, runtime));
    // SAFETY: as above.
    unsafe {
        let array = &raw mut (*value).array;
        (&raw mut (*array).buffer).write((&raw mut *stand_in).cast());
        (&raw mut (*array).offset).write(offset);
        (&raw mut (*array).rank).write(argument.array.rank);
        (&raw mut (*array).dtype).write(argument.dtype);
        copy_axes(shape, (&raw mut (*array).shape).cast());
        copy_axes(strides, (&raw mut (*array).strides).cast());
    }
    let origin = first.addr().wrapping_add_signed(offset as isize);
    Ok(Bytes {
        first: origin,
        low: origin.wrapping_add_signed(low as isize),
        high: origin.wrapping_add_signed(high as isize),
    })
}

/// Whether a written array shares bytes with another one. Most arrays lie apart; those whose ranges meet may still be interleaved. Refuses a written
/// array two elements of which share bytes: the order of writes would show, and NumPy calls the outcome unpredictable.
pub(crate) fn written_overlaps(overload: &Overload, arguments: &[Argument], extents: &[Bytes]) -> Result<bool> {
    let mut overlaps = false;
    for (k, argument) in written(overload, arguments) {
        let own = strided(argument, &extents[k]);
        if overlap::overlaps_itself(&own) != Overlap::No {
            return Err(Error::value(format!(
                "elements of argument {} share memory with one another, and the function writes to it; copy it first",
                k + 1
            )));
        }
        overlaps |= arguments.iter().zip(extents).enumerate().any(|(j, (other, bytes))| {
            j != k && extents[k].meet(bytes) && overlap::share(&own, &strided(other, bytes)) != Overlap::No
        });
    }
    Ok(overlaps)
}

/// The arrays that the function writes to, with their places among the arguments.
pub(crate) fn written<'a>(
    overload: &Overload,
    arguments: &'a [Argument],
) -> impl Iterator<Item = (usize, &'a Argument)> {
    touched(overload, arguments).filter(|(_, argument)| argument.kind == Value::ARRAY)
}

/// The lists, dictionaries and sets that the function may change.
pub(crate) fn changed(overload: &Overload, arguments: &[Argument]) -> impl Iterator<Item = *const Buffer> {
    let objects = touched(overload, arguments).filter(|(_, argument)| argument.kind == Value::OBJECT);
    objects.map(|(_, argument)| argument.array.buffer.cast::<Buffer>().cast_const()).filter(|buffer| !buffer.is_null())
}

fn touched<'a>(overload: &Overload, arguments: &'a [Argument]) -> impl Iterator<Item = (usize, &'a Argument)> {
    let mut left = overload.written;
    let numbers = std::iter::from_fn(move || {
        let k = left.trailing_zeros() as usize;
        left &= left.wrapping_sub(1);
        (k < MAX_ARGUMENTS).then_some(k)
    });
    numbers.filter_map(|k| Some((k, arguments.get(k)?)))
}

/// An array argument whose dtype and rank were checked.
pub(crate) fn strided<'a>(argument: &'a Argument, bytes: &Bytes) -> Extent<'a> {
    let rank = (argument.array.rank as usize).min(MAX_RANK);
    Extent {
        first: bytes.first,
        shape: &argument.array.shape[..rank],
        strides: &argument.array.strides[..rank],
        itemsize: itemsize(argument.dtype).unwrap_or(1),
    }
}
