//! Small blocks of device memory that were freed in the order of a stream, kept for the next allocations in the order of the same stream.
//!
//! In: blocks that no other stream has work with. Out: the same, for as many bytes; neither way asks the driver for anything, which makes a
//! call that makes a small result a launch and no more. Each stream has its own; what it keeps is bounded, and given back by `trim`, when memory
//! is short, and with the stream.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Larger blocks are the driver's pool's business.
const MAX_BLOCK: usize = 1 << 20;
/// Blocks kept at most.
const MAX_BLOCKS: usize = 16;

/// A block that nobody uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) pointer: u64,
    pub(crate) bytes: usize,
}

/// The blocks of one stream, oldest first.
pub(crate) struct Reserve(Mutex<Vec<Block>>);

impl Reserve {
    pub(crate) const fn new() -> Reserve {
        Reserve(Mutex::new(Vec::new()))
    }

    fn blocks(&self) -> MutexGuard<'_, Vec<Block>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A block of so many bytes.
    pub(crate) fn take(&self, bytes: usize) -> Option<u64> {
        if bytes > MAX_BLOCK {
            return None;
        }
        let mut blocks = self.blocks();
        let at = blocks.iter().rposition(|block| block.bytes == bytes)?;
        Some(blocks.remove(at).pointer)
    }

    /// Keeps a block; what comes back has to be freed in its place.
    pub(crate) fn keep(&self, block: Block) -> Option<Block> {
        if block.bytes > MAX_BLOCK {
            return Some(block);
        }
        let mut blocks = self.blocks();
        let oldest = (blocks.len() == MAX_BLOCKS).then(|| blocks.remove(0));
        blocks.push(block);
        oldest
    }

    /// All of them, to be freed.
    pub(crate) fn give_back(&self) -> Vec<Block> {
        std::mem::take(&mut *self.blocks())
    }
}

#[cfg(test)]
mod tests {
    use super::{Block, MAX_BLOCK, MAX_BLOCKS, Reserve};

    #[test]
    fn blocks_come_back_for_their_size_and_are_bounded() {
        let reserve = Reserve::new();
        assert_eq!(reserve.take(8), None);
        let block = |pointer, bytes| Block { pointer, bytes };
        assert_eq!(reserve.keep(block(1, MAX_BLOCK + 1)), Some(block(1, MAX_BLOCK + 1)));
        for pointer in 0..MAX_BLOCKS as u64 {
            assert_eq!(reserve.keep(block(pointer, 8 + pointer as usize % 2)), None);
        }
        assert_eq!(reserve.keep(block(99, 8)), Some(block(0, 8)));
        assert_eq!((reserve.take(8), reserve.take(9), reserve.take(10)), (Some(99), Some(15), None));
        assert_eq!(reserve.give_back().len(), MAX_BLOCKS - 2);
        assert_eq!(reserve.take(8), None);
    }
}
