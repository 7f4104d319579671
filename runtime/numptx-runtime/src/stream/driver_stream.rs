//! The driver's streams behind ours: those that were made here are destroyed here, those of other libraries are not.

use std::ffi::c_void;

use cudarc::driver::sys;
use numptx_abi::OwnerTable;

use crate::allocator;
use crate::device::Device;
use crate::driver::opened;
use crate::error::Result;
use crate::reserve::Reserve;

const NON_BLOCKING: u32 = 1;

/// A stream of the driver's.
#[expect(clippy::large_enum_variant, reason = "most are owned, and each lies where it was made")]
pub(super) enum DriverStream {
    Owned(OwnedStream),
    Borrowed(BorrowedStream),
}

/// A stream that was made here, and goes with its last use.
pub(super) struct OwnedStream {
    handle: sys::CUstream,
    device: &'static Device,
    /// Memory freed in its order.
    reserve: Reserve,
}

/// A stream of another library, which destroys it.
pub(super) struct BorrowedStream {
    handle: sys::CUstream,
    device: &'static Device,
    /// What keeps it alive, and the function that lets that go; without one the stream lives as long as the process.
    owner: Option<(*mut c_void, unsafe extern "C" fn(*mut c_void))>,
}

// SAFETY: driver handles may be used on any thread.
unsafe impl Send for OwnedStream {}
// SAFETY: as above; what changes is behind a lock.
unsafe impl Sync for OwnedStream {}
// SAFETY: driver handles may be used on any thread, and so may owners' functions.
unsafe impl Send for BorrowedStream {}
// SAFETY: as above; the fields never change.
unsafe impl Sync for BorrowedStream {}

impl OwnedStream {
    /// A stream that neither waits for the legacy one nor keeps that waiting.
    pub(super) fn new(device: &'static Device, priority: i32) -> Result<OwnedStream> {
        let _context = device.enter()?;
        let mut handle = allocator::kept_stream(device, priority).unwrap_or(std::ptr::null_mut());
        if handle.is_null() {
            // SAFETY: writes to a local; the context is current.
            unsafe { device.driver.stream_create(&mut handle, NON_BLOCKING, priority) }?;
        }
        Ok(OwnedStream { handle, device, reserve: Reserve::new() })
    }
}

impl Drop for OwnedStream {
    fn drop(&mut self) {
        if let (Some(driver), Ok(_context)) = (opened(), self.device.enter()) {
            for block in self.reserve.take_all() {
                self.device.give_back(block.pointer, self.handle);
            }
            if !allocator::keep_stream(self.device, driver, self.handle) {
                // SAFETY: made by `OwnedStream::new`; what it was given is done all the same.
                let _ = unsafe { driver.stream_destroy(self.handle) };
            }
        }
    }
}

impl BorrowedStream {
    /// Retains the owner.
    ///
    /// # Safety
    /// The handle is a stream of the device, which lives as long as `owner`, or for ever without one.
    pub(super) unsafe fn new(
        device: &'static Device,
        handle: sys::CUstream,
        owner: Option<(*mut c_void, &OwnerTable)>,
    ) -> BorrowedStream {
        let owner = owner.map(|(owner, table)| {
            // SAFETY: as the caller promises.
            unsafe { (table.retain)(owner) };
            (owner, table.release)
        });
        BorrowedStream { handle, device, owner }
    }
}

impl Drop for BorrowedStream {
    fn drop(&mut self) {
        if let Some((owner, release)) = self.owner {
            // SAFETY: retained by `BorrowedStream::new`.
            unsafe { release(owner) };
        }
    }
}

impl DriverStream {
    pub(super) fn handle(&self) -> sys::CUstream {
        match self {
            DriverStream::Owned(OwnedStream { handle, .. }) | DriverStream::Borrowed(BorrowedStream { handle, .. }) => {
                *handle
            }
        }
    }

    pub(super) fn device(&self) -> &'static Device {
        match self {
            DriverStream::Owned(OwnedStream { device, .. }) | DriverStream::Borrowed(BorrowedStream { device, .. }) => {
                device
            }
        }
    }

    /// Memory freed in its order. None of other libraries' streams: they may destroy them, and the memory would be held back from them.
    pub(super) fn reserve(&self) -> Option<&Reserve> {
        match self {
            DriverStream::Owned(stream) => Some(&stream.reserve),
            DriverStream::Borrowed(_) => None,
        }
    }
}
