//! The index of a dictionary: from the hash of a key to its slot, by open addressing with steps of one.
//!
//! An entry holds a hash's 32 bits and a slot, so that other keys are passed without looking at them. Removing an entry moves those behind it up, and
//! leaves nothing to pass.

use crate::failure::{Failure, Outcome};

/// The least number of places.
const LEAST: usize = 8;

/// The index. Its places are a power of two, or none.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// 0 of an empty place, else the hash in the upper half, the slot and one in the lower.
    places: Vec<u64>,
}

fn entry(hash: u32, slot: usize) -> u64 {
    u64::from(hash) << 32 | (slot as u64 + 1)
}

fn slot_of(entry: u64) -> usize {
    (entry as u32).wrapping_sub(1) as usize
}

impl Index {
    pub(crate) fn bytes(&self) -> usize {
        self.places.capacity() * size_of::<u64>()
    }

    fn mask(&self) -> usize {
        self.places.len().wrapping_sub(1)
    }

    /// The slot with such a hash that is the one.
    #[inline]
    pub(crate) fn find(&self, hash: u32, is_it: impl Fn(usize) -> bool) -> Option<usize> {
        if self.places.is_empty() {
            return None;
        }
        let mask = self.mask();
        let mut at = hash as usize & mask;
        loop {
            let entry = *self.places.get(at)?;
            if entry == 0 {
                return None;
            }
            if (entry >> 32) as u32 == hash && is_it(slot_of(entry)) {
                return Some(slot_of(entry));
            }
            at = (at + 1) & mask;
        }
    }

    /// Makes room for so many entries, of slots up to `last`: at most five eighths of the places are taken.
    pub(crate) fn reserve(&mut self, entries: usize, last: usize) -> Outcome<()> {
        if last >= u32::MAX as usize - 1 {
            return Err(Failure::memory());
        }
        if entries * 8 <= self.places.len() * 5 {
            return Ok(());
        }
        let count = (entries * 2).next_power_of_two().max(LEAST);
        let mut places = Vec::new();
        places.try_reserve_exact(count)?;
        places.resize(count, 0);
        let old = std::mem::replace(&mut self.places, places);
        for entry in old.into_iter().filter(|entry| *entry != 0) {
            self.place(entry);
        }
        Ok(())
    }

    /// Puts an entry that is not there to the next empty place, of which there is one.
    fn place(&mut self, entry: u64) {
        let mask = self.mask();
        let mut at = (entry >> 32) as usize & mask;
        while self.places[at] != 0 {
            at = (at + 1) & mask;
        }
        self.places[at] = entry;
    }

    /// Adds the slot of a key that is not there, for which there is room.
    pub(crate) fn insert(&mut self, hash: u32, slot: usize) {
        self.place(entry(hash, slot));
    }

    /// Removes a slot.
    pub(crate) fn remove(&mut self, hash: u32, slot: usize) {
        if self.places.is_empty() {
            return;
        }
        let (mask, wanted) = (self.mask(), entry(hash, slot));
        let mut gap = hash as usize & mask;
        while self.places[gap] != wanted {
            if self.places[gap] == 0 {
                return;
            }
            gap = (gap + 1) & mask;
        }
        let mut at = gap;
        loop {
            at = (at + 1) & mask;
            let entry = self.places[at];
            if entry == 0 {
                break;
            }
            let home = (entry >> 32) as usize & mask;
            if at.wrapping_sub(home) & mask >= at.wrapping_sub(gap) & mask {
                self.places[gap] = entry;
                gap = at;
            }
        }
        self.places[gap] = 0;
    }

    /// Gives slots other numbers, by their old ones.
    pub(crate) fn renumber(&mut self, numbers: &[usize]) {
        for place in self.places.iter_mut().filter(|place| **place != 0) {
            if let Some(number) = numbers.get(slot_of(*place)) {
                *place = entry((*place >> 32) as u32, *number);
            }
        }
    }

    pub(crate) fn copied(&self) -> Outcome<Index> {
        let mut places = Vec::new();
        places.try_reserve_exact(self.places.len())?;
        places.extend_from_slice(&self.places);
        Ok(Index { places })
    }
}

#[cfg(test)]
mod tests {
    use super::Index;

    #[test]
    fn entries_are_found_while_others_come_and_go() {
        let mut index = Index::default();
        // Many hashes with the same home.
        let hash = |slot: usize| (slot as u32 % 3) << 20 | (slot as u32 / 40);
        for slot in 0..200 {
            index.reserve(slot + 1, slot).expect("there is memory");
            index.insert(hash(slot), slot);
        }
        for slot in (0..200).filter(|slot| slot % 3 != 1) {
            index.remove(hash(slot), slot);
        }
        for slot in 0..200 {
            let found = index.find(hash(slot), |found| found == slot);
            assert_eq!(found, (slot % 3 == 1).then_some(slot), "{slot}");
        }
    }
}
