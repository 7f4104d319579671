//! Small blocks of device memory that were freed in the order of a stream, kept for the next allocations in the order of the same stream.
//!
//! In: blocks that no other stream has work with. Out: the same, for as many bytes; neither way asks the driver for anything, which makes a
//! call that makes a small result a launch and no more. Each stream has its own; what it keeps is bounded, and given back by `trim`, when memory
//! is short, and with the stream. Nobody waits: who finds another thread at the blocks asks the driver.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering};

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

/// Blocks, oldest first.
struct Blocks {
    n: usize,
    blocks: [Block; MAX_BLOCKS],
}

impl Blocks {
    fn remove(&mut self, at: usize) -> Block {
        let block = self.blocks[at];
        self.blocks.copy_within(at + 1..self.n, at);
        self.n -= 1;
        block
    }
}

/// The blocks of one stream.
pub(crate) struct Reserve {
    /// A thread is at the blocks.
    is_taken: AtomicBool,
    blocks: UnsafeCell<Blocks>,
}

// SAFETY: the blocks are touched by the thread alone that has set `is_taken`.
unsafe impl Sync for Reserve {}

impl Reserve {
    pub(crate) const fn new() -> Reserve {
        let blocks = Blocks { n: 0, blocks: [Block { pointer: 0, bytes: 0 }; MAX_BLOCKS] };
        Reserve { is_taken: AtomicBool::new(false), blocks: UnsafeCell::new(blocks) }
    }

    /// Does something with the blocks; `None`: another thread is at them.
    #[inline]
    fn with<T>(&self, run: impl FnOnce(&mut Blocks) -> T) -> Option<T> {
        if self.is_taken.swap(true, Ordering::Acquire) {
            return None;
        }
        // SAFETY: no other thread has seen `is_taken` unset since.
        let outcome = run(unsafe { &mut *self.blocks.get() });
        self.is_taken.store(false, Ordering::Release);
        Some(outcome)
    }

    /// A block of so many bytes.
    #[inline]
    pub(crate) fn take(&self, bytes: usize) -> Option<u64> {
        if bytes > MAX_BLOCK {
            return None;
        }
        self.with(|kept| {
            let at = kept.blocks[..kept.n].iter().rposition(|block| block.bytes == bytes)?;
            Some(kept.remove(at).pointer)
        })?
    }

    /// Keeps a block; what comes back has to be freed in its place.
    #[inline]
    pub(crate) fn keep(&self, block: Block) -> Option<Block> {
        if block.bytes > MAX_BLOCK {
            return Some(block);
        }
        let kept = self.with(|kept| {
            let oldest = (kept.n == MAX_BLOCKS).then(|| kept.remove(0));
            kept.blocks[kept.n] = block;
            kept.n += 1;
            oldest
        });
        kept.unwrap_or(Some(block))
    }

    /// All of them, of a stream that nobody has any more. A thread that was at them when the process was forked is not there to leave them.
    pub(crate) fn take_all(&mut self) -> Vec<Block> {
        let kept = self.blocks.get_mut();
        let given = kept.blocks[..kept.n].to_vec();
        kept.n = 0;
        given
    }

    /// All of them, to be freed.
    pub(crate) fn give_back(&self) -> Vec<Block> {
        let mut given = Vec::with_capacity(MAX_BLOCKS);
        // Nobody is at the blocks for long.
        while self
            .with(|kept| {
                given.extend_from_slice(&kept.blocks[..kept.n]);
                kept.n = 0;
            })
            .is_none()
        {
            std::thread::yield_now();
        }
        given
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

    #[test]
    fn threads_never_get_the_same_block() {
        let reserve = Reserve::new();
        let n_threads = 4;
        std::thread::scope(|scope| {
            for first in 0..n_threads {
                let reserve = &reserve;
                scope.spawn(move || {
                    let mut mine = vec![Block { pointer: first + 1, bytes: 8 }];
                    for _ in 0..5000 {
                        if let Some(block) = mine.pop()
                            && let Some(left) = reserve.keep(block)
                        {
                            mine.push(left);
                        }
                        mine.extend(reserve.take(8).map(|pointer| Block { pointer, bytes: 8 }));
                    }
                    mine.into_iter().for_each(|block| assert_eq!(reserve_all(reserve, block), None));
                });
            }
        });
        let mut left: Vec<u64> = reserve.give_back().iter().map(|block| block.pointer).collect();
        left.sort_unstable();
        assert_eq!(left, (1..=n_threads).collect::<Vec<_>>());
    }

    /// Keeps a block, however long that takes.
    fn reserve_all(reserve: &Reserve, block: Block) -> Option<Block> {
        let mut left = Some(block);
        for _ in 0..1_000_000 {
            left = reserve.keep(left?);
            if left.is_some() {
                std::thread::yield_now();
            }
        }
        left
    }
}
