//! Page-locked host memory: blocks from which a device copies without the driver's own staging, which a graph can own, or an array.

use std::ffi::c_void;
use std::sync::{Arc, Mutex};

use crate::device::Device;
use crate::driver::{Failure, opened};
use crate::error::Result;
use crate::event::Event;
use crate::lock::lock;
use crate::pending_free::{self, Memory};
use crate::stream::Stream;
use crate::{staging, stats};

/// A block. Freed when dropped.
pub(crate) struct Block {
    device: &'static Device,
    first: *mut u8,
    bytes: usize,
}

// SAFETY: nobody else has the memory.
unsafe impl Send for Block {}
// SAFETY: only the address is read through a shared reference.
unsafe impl Sync for Block {}

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

/// The memory of a page-locked array. Copies from it to devices go on when the call that asked for them has returned.
pub(crate) struct PinnedMemory {
    /// Gone only where it is dropped.
    block: Option<Block>,
    /// The ends of copies, until they were seen to be over. Events are waited for without the lock.
    copies: Mutex<Vec<Arc<Event>>>,
}

impl PinnedMemory {
    /// Memory of so many bytes, for all devices. The device's context is current.
    pub(crate) fn new(device: &'static Device, bytes: usize) -> Result<PinnedMemory> {
        pending_free::free_done();
        Ok(PinnedMemory { block: Some(Block::new(device, bytes)?), copies: Mutex::default() })
    }

    pub(crate) fn first(&self) -> *mut u8 {
        self.block.as_ref().map_or(std::ptr::null_mut(), Block::first)
    }

    /// Notes that a stream of a device was given a copy from here. If it cannot be noted, the stream is waited for. The device's context is current.
    pub(crate) fn note_copy(&self, device: &'static Device, stream: &Stream) -> Result<()> {
        let marked = Event::after(device, stream.handle());
        let Ok(event) = marked else { return device.wait(stream.handle()) };
        let known = self.copies();
        let over: Vec<_> = known.into_iter().filter(|copy| matches!(copy.is_done(), Ok(true))).collect();
        let mut copies = lock(&self.copies);
        copies.retain(|copy| !over.iter().any(|other| Arc::ptr_eq(copy, other)));
        copies.push(Arc::new(event));
        Ok(())
    }

    fn copies(&self) -> Vec<Arc<Event>> {
        lock(&self.copies).clone()
    }

    /// Whether copies may be under way.
    pub(crate) fn is_busy(&self) -> bool {
        !lock(&self.copies).is_empty()
    }

    /// Waits for the copies that are under way, so that the memory may be written.
    pub(crate) fn settle(&self) -> Result<()> {
        let known = self.copies();
        if known.is_empty() {
            return Ok(());
        }
        known.iter().try_for_each(|copy| copy.synchronize())?;
        lock(&self.copies).retain(|copy| !known.iter().any(|other| Arc::ptr_eq(copy, other)));
        Ok(())
    }
}

impl Drop for PinnedMemory {
    fn drop(&mut self) {
        let copies = std::mem::take(self.copies.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner));
        let Some(block) = self.block.take() else { return };
        // Whoever else had an event is done with it.
        let until: Vec<Event> = copies.into_iter().filter_map(Arc::into_inner).collect();
        // To unlock pages takes long, and who lets go of an array does not wait.
        pending_free::free_after(Memory::Block(block), until);
    }
}
