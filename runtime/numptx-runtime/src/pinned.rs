//! Page-locked host memory: blocks from which a device copies without the driver's own staging, and which a graph can own.

use std::ffi::c_void;

use crate::device::Device;
use crate::driver::{Failure, opened};
use crate::error::Result;
use crate::{staging, stats};

/// A block. Freed when dropped.
pub(crate) struct Block {
    device: &'static Device,
    first: *mut u8,
    bytes: usize,
}

// SAFETY: nobody else has the memory.
unsafe impl Send for Block {}

impl Block {
    /// A block of at least one byte. Where there is no page-locked memory, what copies keep is given back first. The device's context is current.
    pub(crate) fn new(device: &'static Device, bytes: usize) -> Result<Block> {
        const PORTABLE: u32 = 1;
        let mut first: *mut c_void = std::ptr::null_mut();
        // SAFETY: writes to a local.
        let mut attempt = || unsafe { device.driver.host_alloc(&mut first, bytes.max(1), PORTABLE) };
        match attempt() {
            Err(failure) if failure.code == Failure::OUT_OF_MEMORY && staging::give_back(device) => attempt()?,
            outcome => outcome?,
        }
        stats::pinned(device.ordinal, bytes as i64);
        Ok(Block { device, first: first.cast(), bytes })
    }

    pub(crate) fn first(&self) -> *mut u8 {
        self.first
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        stats::pinned(self.device.ordinal, -(self.bytes as i64));
        if let (Some(driver), Ok(_context)) = (opened(), self.device.enter()) {
            // SAFETY: ours, and no copy from it is under way.
            let _ = unsafe { driver.host_free(self.first.cast()) };
        }
    }
}
