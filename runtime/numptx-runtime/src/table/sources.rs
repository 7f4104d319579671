//! The table's entries for memory that is not the pools' and not the host's own: allocators that a program chooses, page-locked arrays, and what
//! foreign addresses are.

use std::ffi::c_void;

use numptx_abi::{AllocatorTable, Buffer as AbiBuffer, Error as AbiError, PointerFacts, Status};

use super::guarded;
use crate::buffer::{self, Buffer};
use crate::error::Error;
use crate::{allocator, debug, deferred, device, pending_free, pointers, process};

pub(super) unsafe extern "C" fn set_allocator(table: *const AllocatorTable, error: *mut AbiError) -> Status {
    guarded(error, || {
        if process::leaves_devices_alone() {
            return Err(Error::runtime(
                "no source of device memory can be chosen in a forked child, nor while the process exits",
            ));
        }
        // SAFETY: the binding passes a table or null.
        allocator::choose(unsafe { table.as_ref() }.copied());
        // What streams keep came from the source of before.
        deferred::catch_up();
        device::used().for_each(device::Device::free_reserves);
        pending_free::free_done();
        Ok(())
    })
}

pub(super) unsafe extern "C" fn buffer_pinned(
    ordinal: i32,
    bytes: i64,
    out: *mut *mut AbiBuffer,
    error: *mut AbiError,
) -> Status {
    guarded(error, || {
        let device = device::device(ordinal)?;
        let _context = device.enter()?;
        let fresh = buffer::new_pinned(device, bytes)?;
        // SAFETY: the binding passes a place for the result.
        unsafe { *out = fresh.into_raw().cast() };
        Ok(())
    })
}

pub(super) unsafe extern "C" fn buffer_is_read(buffer: *const AbiBuffer) -> u32 {
    if debug::check_use(buffer.cast_mut().cast()).is_err() {
        return 0;
    }
    // SAFETY: the binding passes a live buffer.
    let pinned = unsafe { (*buffer.cast::<Buffer>()).pinned() };
    u32::from(pinned.is_some_and(|pinned| pinned.is_busy()))
}

pub(super) unsafe extern "C" fn buffer_settle(buffer: *mut AbiBuffer, error: *mut AbiError) -> Status {
    guarded(error, || {
        debug::check_use(buffer.cast())?;
        // SAFETY: the binding passes a live buffer.
        let pinned = unsafe { (*buffer.cast::<Buffer>()).pinned() };
        pinned.map_or(Ok(()), |pinned| pinned.settle())
    })
}

pub(super) unsafe extern "C" fn pointer_facts(
    address: *const c_void,
    out: *mut PointerFacts,
    error: *mut AbiError,
) -> Status {
    guarded(error, || {
        let facts = pointers::facts(address.addr() as u64)?;
        // SAFETY: the binding passes a place for the result.
        unsafe { *out = facts };
        Ok(())
    })
}
