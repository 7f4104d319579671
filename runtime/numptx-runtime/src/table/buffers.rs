//! The entries of buffers and of copies between arrays.

use std::ffi::c_void;

use numptx_abi::{Array, Buffer as AbiBuffer, BufferInfo, Error as AbiError, OwnerTable, Status};

use super::guarded;
use crate::buffer::{self, Buffer, BufferRef};
use crate::error::Result;
use crate::stream::{Capture, Stream};
use crate::uses::Uses;
use crate::{copy, deferred, device};

pub(super) unsafe extern "C" fn buffer_new(
    device: i32,
    bytes: i64,
    stream: *mut numptx_abi::Stream,
    out: *mut *mut AbiBuffer,
    error: *mut AbiError,
) -> Status {
    guarded(error, || {
        // SAFETY: the binding passes a live stream or null.
        let stream = unsafe { Stream::of_abi(stream) };
        let fresh = new_buffer(device, bytes, &stream)?;
        // SAFETY: the binding passes a place for the result.
        unsafe { *out = fresh.into_raw().cast() };
        Ok(())
    })
}

/// A fresh buffer on a device (-1: host), for use on a stream first.
pub(crate) fn new_buffer(device: i32, bytes: i64, stream: &Stream) -> Result<BufferRef> {
    if device < 0 {
        return buffer::new_host(bytes);
    }
    let device = device::device(device)?;
    deferred::catch_up();
    let _context = device.enter()?;
    let is_own = stream.device().is_none_or(|other| other.ordinal == device.ordinal);
    if is_own && stream.capture(device.driver)? == Capture::No {
        buffer::new_device(device, bytes, stream)
    } else {
        buffer::new_aside(device, bytes)
    }
}

pub(super) unsafe extern "C" fn buffer_foreign(
    data: *mut c_void,
    bytes: i64,
    device: i32,
    read_only: u32,
    pending: u32,
    owner: *mut c_void,
    owner_table: *const OwnerTable,
    out: *mut *mut AbiBuffer,
    error: *mut AbiError,
) -> Status {
    guarded(error, || {
        // SAFETY: the binding passes memory that its owner keeps, the owner's functions, and a place for the result.
        unsafe {
            let uses = if pending != 0 { Uses::on(&Stream::LEGACY) } else { Uses::none() };
            let owner = (owner, &*owner_table);
            *out = buffer::new_foreign(data, bytes, device, read_only != 0, owner, uses).into_raw().cast();
        };
        Ok(())
    })
}

pub(super) unsafe extern "C" fn buffer_info(buffer: *const AbiBuffer, out: *mut BufferInfo) {
    // SAFETY: the binding passes a live buffer and a place for the result.
    unsafe { *out = (*buffer.cast::<Buffer>()).describe() };
}

pub(super) unsafe extern "C" fn array_copy(
    destination: *const Array,
    source: *const Array,
    stream: *mut numptx_abi::Stream,
    fresh: u32,
    error: *mut AbiError,
) -> Status {
    // SAFETY: the binding passes live arrays, and a live stream or null.
    guarded(error, || unsafe { copy::array_copy(&*destination, &*source, &Stream::of_abi(stream), fresh != 0) })
}
