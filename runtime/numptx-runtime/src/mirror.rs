//! Copies of host memory on a device for the time of a call.
//!
//! In: the byte ranges of a call's host arguments. Out: one region for each group of overlapping ranges, with one device allocation that
//! keeps relative addresses, filled at its first use and written back element by element, so that bytes between a view's elements stay the caller's.

use std::cell::{Cell, OnceCell};

use crate::axes::byte_range;
use crate::buffer::{self, BufferRef};
use crate::copy::packed_bytes;
use crate::device::Device;
use crate::error::Result;
use crate::host_copy::{Side, copy_elements};
use crate::pinned::Block;
use crate::recording::Recording;
use crate::staging::{self, UnfinishedCopy};
use crate::stream::Stream;
use crate::{debug, room, stats};

/// What device addresses keep of host addresses, so that alignment is the same.
const ALIGN: usize = 256;

/// One range of host memory and its copy.
pub(crate) struct Region {
    device: &'static Device,
    stream: Stream,
    /// The capture that the call takes part in, or null. It outlives the region.
    recording: *const Recording,
    low: *mut u8,
    bytes: usize,
    /// The allocation on the device; 0 before the first use.
    allocation: Cell<u64>,
    /// What a capture keeps: the buffer of the allocation.
    kept: OnceCell<BufferRef>,
    /// The copy holds what the host's memory held.
    filled: Cell<bool>,
    written: Cell<bool>,
}

impl Region {
    /// A region that is not on the device yet.
    pub(crate) fn new(
        device: &'static Device,
        stream: &Stream,
        recording: Option<&Recording>,
        (low, bytes): (*mut u8, usize),
    ) -> Region {
        Region {
            device,
            stream: stream.clone(),
            recording: recording.map_or(std::ptr::null(), std::ptr::from_ref),
            low,
            bytes,
            allocation: Cell::new(0),
            kept: OnceCell::new(),
            filled: Cell::new(false),
            written: Cell::new(false),
        }
    }

    /// The host range.
    pub(crate) fn contains(&self, low: usize, high: usize) -> bool {
        low >= self.low.addr() && high <= self.low.addr() + self.bytes
    }

    fn base(&self) -> u64 {
        self.allocation.get() + (self.low.addr() % ALIGN) as u64
    }

    /// The device address that stands for a host address of this region. The first use copies the region to the device.
    pub(crate) fn address(&self, host: *const u8, write: bool) -> Result<u64> {
        if !self.filled.get() {
            // SAFETY: the call's recording outlives its regions.
            match unsafe { self.recording.as_ref() } {
                Some(recording) => self.record(recording)?,
                None => self.fill()?,
            }
            self.filled.set(true);
        }
        if write {
            self.written.set(true);
        }
        // A buffer may begin before the part of it that is an argument.
        Ok(self.base().wrapping_add_signed(host.addr().wrapping_sub(self.low.addr()).cast_signed() as i64))
    }

    /// Copies the region to the device.
    fn fill(&self) -> Result<()> {
        if self.allocation.get() == 0 {
            let pointer = self.device.alloc(self.bytes + ALIGN, self.stream.handle())?;
            stats::allocated(self.device.ordinal, self.bytes as i64);
            self.allocation.set(pointer);
        }
        // SAFETY: the region is the union of arguments' ranges, readable during the call; the allocation has room for it.
        unsafe { staging::to_device_at_once(self.device, self.base(), self.low, self.bytes, &self.stream) }?;
        stats::transferred(self.device.ordinal, self.bytes);
        Ok(())
    }

    /// Makes a node that copies the region, as it is now, to the device at each replay.
    fn record(&self, recording: &Recording) -> Result<()> {
        if self.kept.get().is_none() {
            let buffer = buffer::new_aside(self.device, (self.bytes + ALIGN) as i64)?;
            recording.keep(&buffer, true);
            self.allocation.set(buffer.address());
            let _ = self.kept.set(buffer);
        }
        let block = Block::new(self.device, self.bytes)?;
        // SAFETY: the block has the region's size; the node reads it as long as the graph, which keeps it, is there.
        let recorded = unsafe {
            std::ptr::copy_nonoverlapping(self.low, block.first(), self.bytes);
            self.device.driver.upload(self.base(), block.first().cast(), self.bytes, self.stream.handle())
        };
        recording.keep_block(block);
        Ok(recorded?)
    }

    /// Whether a launch wrote to the copy.
    pub(crate) fn is_written(&self) -> bool {
        self.written.get()
    }

    /// Writes the elements of one array back to the host, and waits for it; nothing where the copy never held them. Where the copy itself fails, a part
    /// of the array may be new; between two pieces the error tells how much.
    ///
    /// # Safety
    /// `data` is element `[0, …, 0]` of a writable array inside the region.
    pub(crate) unsafe fn write_back(&self, data: *mut u8, shape: &[i64], strides: &[i64], itemsize: i64) -> Result<()> {
        let (low, high) = byte_range(shape, strides, itemsize);
        let bytes = usize::try_from(high - low).unwrap_or(0);
        if bytes == 0 || !self.filled.get() {
            return Ok(());
        }
        let first = data.wrapping_offset(low as isize);
        let source = self.address(first, false)?;
        let dense = i64::try_from(bytes).is_ok_and(|b| packed_bytes(shape, itemsize) == Ok(b));
        stats::transferred(self.device.ordinal, bytes);
        if dense {
            // SAFETY: every byte of the range belongs to an element that is the caller's to write.
            unsafe { staging::to_host(self.device, first, source, bytes, &self.stream) }
                .map_err(UnfinishedCopy::into_visible)?;
            return self.device.wait(self.stream.handle());
        }
        let mut range = room::zeroed(bytes)?;
        // SAFETY: there is room for the range.
        unsafe { staging::to_host(self.device, range.as_mut_ptr(), source, bytes, &self.stream) }?;
        self.device.wait(self.stream.handle())?;
        let from = range.as_mut_ptr().wrapping_offset(-(low as isize));
        // SAFETY: the same shape and strides lie in the range and in the caller's array.
        unsafe { copy_elements(&Side::new(data, strides), &Side::new(from, strides), shape, itemsize as usize) };
        Ok(())
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        if self.kept.get().is_none() && self.allocation.get() != 0 {
            stats::freed(self.device.ordinal, self.bytes as i64);
            if debug::is_on() {
                self.device.fill(self.allocation.get(), debug::FREED, self.bytes as i64, &self.stream);
            }
            self.device.free(self.allocation.get(), &self.stream, Vec::new());
        }
    }
}

/// Joins overlapping ranges `(low, high)` of addresses; returns the unions in ascending order. Empty ranges are left out.
pub(crate) fn join_ranges(ranges: &mut Vec<(usize, usize)>) {
    ranges.retain(|(low, high)| low < high);
    ranges.sort_unstable();
    let mut joined: Vec<(usize, usize)> = Vec::with_capacity(ranges.len());
    for (low, high) in ranges.drain(..) {
        match joined.last_mut() {
            Some(last) if low < last.1 => last.1 = last.1.max(high),
            _ => joined.push((low, high)),
        }
    }
    *ranges = joined;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_ranges_become_one() {
        let mut ranges = vec![(50, 60), (0, 10), (5, 20), (20, 30), (7, 7), (55, 58)];
        join_ranges(&mut ranges);
        assert_eq!(ranges, [(0, 20), (20, 30), (50, 60)]);
    }
}
