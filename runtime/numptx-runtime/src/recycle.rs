//! Large host blocks that were let go, kept for the next array of about that size.
//!
//! A fresh block of 32 MiB costs more page faults than computing its contents costs time; a loop that makes and drops such arrays takes them
//! from here instead. At most [`MAX_BLOCKS`] blocks and [`MAX_BYTES`] bytes are kept; smaller blocks are the allocator's business.

use std::alloc::{Layout, dealloc};
use std::sync::Mutex;

/// Blocks below this are not kept.
const MIN_BYTES: usize = 1 << 20;
/// Blocks kept at most.
const MAX_BLOCKS: usize = 8;
/// Bytes kept at most.
const MAX_BYTES: usize = 256 << 20;

/// A block that nobody uses.
struct Block {
    memory: *mut u8,
    layout: Layout,
}

// SAFETY: nobody else has the memory.
unsafe impl Send for Block {}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout, and nobody else has it.
        unsafe { dealloc(self.memory, self.layout) };
    }
}

/// Oldest first. Only ever tried, never waited for: a forked child may find it locked for good.
static KEPT: Mutex<Vec<Block>> = Mutex::new(Vec::new());

/// A kept block of at least this size and not much more, with its own size; the caller owns it.
pub(crate) fn take(wanted: Layout) -> Option<(*mut u8, usize)> {
    let size = wanted.size();
    if size < MIN_BYTES {
        return None;
    }
    let mut kept = KEPT.try_lock().ok()?;
    let fits =
        |b: &Block| b.layout.align() == wanted.align() && b.layout.size() >= size && b.layout.size() - size <= size / 8;
    let at = kept.iter().rposition(fits)?;
    let block = std::mem::ManuallyDrop::new(kept.remove(at));
    Some((block.memory, block.layout.size()))
}

/// Keeps a block or frees it.
///
/// # Safety
/// The block was allocated with this layout, and the caller gives it up.
pub(crate) unsafe fn give(memory: *mut u8, layout: Layout) {
    let block = Block { memory, layout };
    if layout.size() < MIN_BYTES || layout.size() > MAX_BYTES / 2 {
        return;
    }
    let Ok(mut kept) = KEPT.try_lock() else { return };
    kept.push(block);
    let mut surplus = Vec::new();
    while kept.len() > MAX_BLOCKS || kept.iter().map(|b| b.layout.size()).sum::<usize>() > MAX_BYTES {
        surplus.push(kept.remove(0));
    }
    // Giving pages back takes time; others need not wait for it.
    drop(kept);
    drop(surplus);
}

/// Frees all kept blocks; whether there were any.
pub(crate) fn give_back() -> bool {
    let blocks = KEPT.try_lock().map(|mut kept| std::mem::take(&mut *kept)).unwrap_or_default();
    !blocks.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::alloc::alloc;

    #[test]
    fn a_block_is_used_again_for_about_its_size() {
        let layout = |bytes| Layout::from_size_align(bytes, 64).expect("a layout");
        let big = layout(3 << 20);
        // SAFETY: the layout is not empty; the block is given up once.
        let memory = unsafe {
            let memory = alloc(big);
            give(memory, big);
            memory
        };
        assert!(take(layout(1 << 20)).is_none(), "too large by far");
        assert!(take(layout(4 << 20)).is_none(), "too small");
        let (again, size) = take(layout((3 << 20) - 4096)).expect("it fits");
        assert_eq!((again, size), (memory, 3 << 20));
        assert!(take(big).is_none(), "it is taken");
        // SAFETY: taken above.
        unsafe { give(again, big) };
        give_back();
        assert!(take(big).is_none());
    }
}
