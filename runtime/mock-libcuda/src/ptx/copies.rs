//! Copies to shared memory that are on their way.
//!
//! What a copy is to fill holds nothing until the copy has arrived, which is as late as the program allows: so a program that reads too early, or fills what
//! others still read, is wrong here as it may be on a GPU.

use super::memory::Memory;

/// One copy: `places` bytes are filled, the first of them with as many as are read, the others with zeros.
#[derive(Clone, Copy, Debug)]
pub(super) struct Copy {
    pub(super) to: u64,
    pub(super) from: u64,
    pub(super) places: u64,
    pub(super) read: u64,
}

/// A thread's copies: those of no group yet, and groups, the oldest first.
#[derive(Default)]
pub(super) struct Copies {
    fresh: Vec<Copy>,
    groups: Vec<Vec<Copy>>,
}

impl Copies {
    pub(super) fn begin(&mut self, copy: Copy, memory: &mut Memory<'_>, shared: &mut [u8]) -> Result<(), String> {
        if !matches!(copy.places, 4 | 8 | 16) || copy.read > copy.places {
            return Err(format!("a copy of {} bytes to {}", copy.read, copy.places));
        }
        let is_aligned = |address: u64| address.is_multiple_of(copy.places);
        if !is_aligned(copy.to) || !is_aligned(copy.from) {
            return Err(format!("a copy from {:#x} to {:#x} is not aligned", copy.from, copy.to));
        }
        let nothing = |at| memory.write(copy.to + at, 4, 0xCBCB_CBCB, shared, &mut []);
        (0..copy.places).step_by(4).try_for_each(nothing)?;
        self.fresh.push(copy);
        Ok(())
    }

    pub(super) fn group(&mut self) {
        self.groups.push(std::mem::take(&mut self.fresh));
    }

    /// All groups arrive but so many.
    pub(super) fn arrive(&mut self, left: usize, memory: &mut Memory<'_>, shared: &mut [u8]) -> Result<(), String> {
        let arrived = self.groups.len().saturating_sub(left);
        for copy in self.groups.drain(..arrived).flatten() {
            for at in (0..copy.places).step_by(4) {
                let value = if at < copy.read { memory.read(copy.from + at, 4, shared, &[])? } else { 0 };
                memory.write(copy.to + at, 4, value, shared, &mut [])?;
            }
        }
        Ok(())
    }
}
