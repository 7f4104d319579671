//! Objects that a call gives back: arrays in them become what bindings read, and their references are accounted for.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use numptx_objects::Object;

use super::{Held, HeldArray};
use crate::axes::byte_range;
use crate::buffer::{Buffer, BufferRef, Storage};
use crate::call::CallState;
use crate::copy::itemsize;
use crate::error::{Error, Result};
use crate::results::Parameters;
use crate::{staging, stats};

/// Makes arrays in an object views of the arguments that they are, and moves fresh ones to the host where results go there.
pub(crate) fn settle(buffer: &Buffer, parameters: &Parameters, call: &CallState, to_host: bool) -> Result<()> {
    let Some(cell) = buffer.object() else { return Ok(()) };
    // Each array once, however often it is held.
    let mut settled: HashMap<usize, Arc<HeldArray>> = HashMap::new();
    let mut outcome = Ok(());
    let mut inner = Vec::new();
    cell.change(|object| {
        object.for_each_reference(&mut |held| match held {
            Held::Object(buffer) => inner.push(buffer.clone()),
            Held::Array(array) => {
                let key = Arc::as_ptr(array).expose_provenance();
                let known = settled.get(&key).cloned();
                match known.map_or_else(|| settled_array(array, parameters, call, to_host), |known| Ok(Some(known))) {
                    Ok(Some(new)) => {
                        settled.insert(key, new.clone());
                        *array = new;
                    }
                    Ok(None) => {}
                    Err(error) => outcome = Err(error),
                }
            }
        });
    });
    outcome?;
    inner.iter().try_for_each(|buffer| settle(buffer, parameters, call, to_host))
}

/// `None`: it stays as it is.
fn settled_array(
    array: &HeldArray,
    parameters: &Parameters,
    call: &CallState,
    to_host: bool,
) -> Result<Option<Arc<HeldArray>>> {
    let Some(buffer) = &array.buffer else { return Ok(None) };
    if let Some(k) = parameters.index_of(buffer.as_ptr()) {
        let Storage::Parameter { stands_for, .. } = buffer.storage else { return Ok(None) };
        // SAFETY: an argument keeps the buffer alive that it stands for.
        let real = if stands_for.is_null() { None } else { Some(unsafe { BufferRef::to(stands_for) }) };
        let mut record = array.array;
        record.buffer = std::ptr::null_mut();
        let first = buffer.data.wrapping_offset(record.offset as isize);
        return Ok(Some(Arc::new(HeldArray { array: record, buffer: real, parameter: k as i32, first })));
    }
    let Some(device) = call.device.filter(|_| to_host && buffer.device >= 0) else { return Ok(None) };
    let rank = array.array.rank as usize;
    let size = itemsize(array.array.dtype)?;
    let (low, high) = byte_range(&array.array.shape[..rank], &array.array.strides[..rank], size);
    let fresh = call.memory.alloc(high - low)?;
    let bytes = usize::try_from(high - low).unwrap_or(0);
    if bytes > 0 {
        let from = buffer.address().wrapping_add_signed(array.array.offset + low);
        // SAFETY: the fresh buffer has room for the range, which lies in the device buffer.
        unsafe { staging::to_host(device, fresh.data, from, bytes, &call.stream) }.map_err(Error::from)?;
        device.wait(call.stream.handle())?;
        stats::transferred(device.ordinal, bytes);
    }
    let mut record = array.array;
    record.offset = -low;
    record.buffer = fresh.as_ptr().cast();
    let first = fresh.data.wrapping_offset(-low as isize);
    Ok(Some(Arc::new(HeldArray { array: record, buffer: Some(fresh), parameter: -1, first })))
}

/// Whether an object, or one in it, holds an array with elements in host memory.
pub(crate) fn holds_host_arrays(buffer: &Buffer) -> bool {
    let Some(cell) = buffer.object() else { return false };
    let (mut inner, mut found) = (Vec::new(), false);
    cell.change(|object: &mut Object<Held>| {
        object.for_each_reference(&mut |held| match held {
            Held::Object(buffer) => inner.push(buffer.clone()),
            Held::Array(array) => found |= array.buffer.as_ref().is_none_or(|buffer| buffer.device < 0),
        });
    });
    found || inner.iter().any(|buffer| holds_host_arrays(buffer))
}

/// How often buffers are held, by objects and by who looks at them.
#[derive(Default)]
pub(crate) struct Counts {
    buffers: HashMap<*const Buffer, i64>,
    /// Objects whose members were counted, and arrays: each holds one reference, however many lists it is in.
    seen: HashSet<usize>,
}

impl Counts {
    /// Buffers, and how often each is held.
    pub(crate) fn held(&self) -> impl Iterator<Item = (*const Buffer, i64)> {
        self.buffers.iter().map(|(buffer, count)| (*buffer, *count))
    }

    /// Adds a reference to a buffer, and those that it holds if it is an object.
    ///
    /// # Safety
    /// A live buffer.
    pub(crate) unsafe fn hold(&mut self, buffer: *const Buffer) {
        *self.buffers.entry(buffer).or_default() += 1;
        // SAFETY: as the caller promises.
        unsafe { self.add_members(buffer) };
    }

    /// Adds the references that an object holds, and those that the objects in it hold.
    ///
    /// # Safety
    /// A live buffer.
    pub(crate) unsafe fn add_members(&mut self, buffer: *const Buffer) {
        // SAFETY: as the caller promises.
        let Some(cell) = unsafe { &*buffer }.object() else { return };
        if !self.seen.insert(buffer.addr()) {
            return;
        }
        let (mut inner, mut arrays) = (Vec::new(), Vec::new());
        cell.change(|object: &mut Object<Held>| {
            object.for_each_reference(&mut |held| match held {
                Held::Object(buffer) => inner.push(buffer.as_ptr().cast_const()),
                Held::Array(array) => {
                    arrays.push((Arc::as_ptr(array).addr(), array.buffer.as_ref().map(BufferRef::as_ptr)))
                }
            });
        });
        for (array, buffer) in arrays {
            if let Some(buffer) = buffer.filter(|_| self.seen.insert(array)) {
                *self.buffers.entry(buffer.cast_const()).or_default() += 1;
            }
        }
        for buffer in inner {
            // SAFETY: alive: the object holds a reference.
            unsafe { self.hold(buffer) };
        }
    }
}
