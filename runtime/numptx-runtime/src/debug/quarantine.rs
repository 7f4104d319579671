//! Memory that was freed and is kept for a while, filled: a late write shows, and a late release meets its record.
//!
//! In: freed blocks and heads of buffers. Out: the oldest ones, once there are too many; dropping them gives the memory back.

use std::alloc::{Layout, dealloc};
use std::collections::VecDeque;

use super::FREED;
use crate::buffer::{Buffer, HEADER};

/// Blocks kept at most.
const MAX_BLOCKS: usize = 4096;
/// Bytes kept at most; a block of a quarter of it goes at once.
const MAX_BYTES: usize = 64 << 20;

/// One freed buffer.
pub(super) enum FreedBlock {
    /// Its allocation, elements included.
    Host { memory: *mut Buffer, layout: Layout },
    /// Its head alone: the elements lie elsewhere.
    Head(Box<Buffer>),
}

// SAFETY: nobody else has the memory.
unsafe impl Send for FreedBlock {}

impl FreedBlock {
    /// The buffer's address, by which it was known.
    pub fn address(&self) -> usize {
        match self {
            FreedBlock::Host { memory, .. } => memory.addr(),
            FreedBlock::Head(head) => std::ptr::from_ref::<Buffer>(head).addr(),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            FreedBlock::Host { layout, .. } => layout.size(),
            FreedBlock::Head(_) => size_of::<Buffer>(),
        }
    }

    /// The first byte of the elements that was written since.
    pub fn written_at(&self) -> Option<usize> {
        match self {
            // SAFETY: the allocation is ours, and was filled behind the buffer.
            FreedBlock::Host { memory, layout } => unsafe {
                let elements = memory.cast::<u8>().add(HEADER);
                let elements = std::slice::from_raw_parts(elements, layout.size() - HEADER);
                elements.iter().position(|byte| *byte != FREED)
            },
            FreedBlock::Head(_) => None,
        }
    }
}

impl Drop for FreedBlock {
    fn drop(&mut self) {
        if let FreedBlock::Host { memory, layout } = self {
            // SAFETY: allocated with this layout, and nobody else has it.
            unsafe { dealloc(memory.cast(), *layout) };
        }
    }
}

/// What is kept, oldest first.
#[derive(Default)]
pub(super) struct Quarantine {
    kept: VecDeque<FreedBlock>,
    bytes: usize,
}

impl Quarantine {
    /// Fills a block's elements and keeps it.
    ///
    /// # Safety
    /// The block was allocated with this layout, begins with a buffer that nobody refers to, and is given up.
    pub unsafe fn take_host(&mut self, memory: *mut Buffer, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { memory.cast::<u8>().add(HEADER).write_bytes(FREED, layout.size() - HEADER) };
        self.take(FreedBlock::Host { memory, layout });
    }

    /// Keeps a head.
    pub fn take_head(&mut self, head: Box<Buffer>) {
        self.take(FreedBlock::Head(head));
    }

    fn take(&mut self, one: FreedBlock) {
        self.bytes += one.bytes();
        self.kept.push_back(one);
    }

    /// What is too much: large blocks at once, else the oldest.
    pub fn settle(&mut self) -> Vec<FreedBlock> {
        let mut gone = Vec::new();
        if self.kept.back().is_some_and(|last| last.bytes() > MAX_BYTES / 4) {
            gone.extend(self.kept.pop_back());
        }
        self.bytes -= gone.iter().map(FreedBlock::bytes).sum::<usize>();
        while self.kept.len() > MAX_BLOCKS || self.bytes > MAX_BYTES {
            let Some(oldest) = self.kept.pop_front() else { break };
            self.bytes -= oldest.bytes();
            gone.push(oldest);
        }
        gone
    }

    /// Everything that is kept.
    pub fn kept(&self) -> impl Iterator<Item = &FreedBlock> {
        self.kept.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::alloc::alloc;

    fn block(bytes: usize) -> (*mut Buffer, Layout) {
        let layout = Layout::from_size_align(HEADER + bytes, 64).expect("a layout");
        // SAFETY: the layout is not empty.
        (unsafe { alloc(layout) }.cast(), layout)
    }

    #[test]
    fn the_oldest_go_first_and_large_ones_at_once() {
        let mut quarantine = Quarantine::default();
        for _ in 0..MAX_BLOCKS + 3 {
            let (memory, layout) = block(8);
            // SAFETY: just allocated.
            unsafe { quarantine.take_host(memory, layout) };
        }
        let first = quarantine.kept().next().map(FreedBlock::address);
        let gone = quarantine.settle();
        assert_eq!((gone.len(), gone.first().map(FreedBlock::address)), (3, first));
        let (memory, layout) = block(MAX_BYTES / 4);
        // SAFETY: just allocated.
        unsafe { quarantine.take_host(memory, layout) };
        assert_eq!(quarantine.settle().iter().map(FreedBlock::address).collect::<Vec<_>>(), [memory.addr()]);
    }

    #[test]
    fn a_write_into_kept_memory_shows() {
        let mut quarantine = Quarantine::default();
        let (memory, layout) = block(32);
        // SAFETY: the block is there as long as it is kept.
        unsafe {
            quarantine.take_host(memory, layout);
            assert_eq!(quarantine.kept().next().and_then(FreedBlock::written_at), None);
            memory.cast::<u8>().add(HEADER + 5).write(1);
        }
        assert_eq!(quarantine.kept().next().and_then(FreedBlock::written_at), Some(5));
    }
}
