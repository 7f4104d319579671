//! Memory that is free when work is over which is under way: device memory where there are no pools, page-locked blocks that a device copies from.
//!
//! In: memory that nobody has any more, and events. Out: it is freed by who comes by when the events have happened: who allocates such memory, waits
//! for everything, or gives memory back; and by the thread of [`deferred`] where there are none. Letting an array go never waits.

use std::sync::Mutex;

use crate::deferred;
use crate::device::Device;
use crate::driver::opened;
use crate::event::Event;
use crate::lock::lock;
use crate::pinned::Block;

/// What is to be freed.
pub(crate) enum Memory {
    /// Device memory that came from no pool.
    Plain { device: &'static Device, pointer: u64 },
    /// Freed where it is dropped.
    Block(Block),
}

struct PendingFree {
    memory: Memory,
    until: Vec<Event>,
}

/// The driver is never called with this lock held.
static PENDING: Mutex<Vec<PendingFree>> = Mutex::new(Vec::new());

/// Frees memory when events have happened.
pub(crate) fn free_after(memory: Memory, until: Vec<Event>) {
    if opened().is_none() {
        // In a forked child another thread of the parent may have the lock for ever.
        std::mem::forget((memory, until));
        return;
    }
    deferred::expect_work();
    lock(&PENDING).push(PendingFree { memory, until });
    deferred::wake();
}

/// Whether something is free now.
pub(crate) fn is_ready() -> bool {
    lock(&PENDING).iter().any(|pending| pending.until.is_empty())
}

/// Frees what waits for no event: what was let go by somebody who does not wait.
pub(crate) fn free_ready() {
    if opened().is_none() {
        return;
    }
    let ready: Vec<PendingFree> = lock(&PENDING).extract_if(.., |pending| pending.until.is_empty()).collect();
    ready.into_iter().for_each(|pending| pending.memory.free());
}

/// Frees what is free by now.
pub(crate) fn free_done() {
    if opened().is_none() {
        return;
    }
    let all = std::mem::take(&mut *lock(&PENDING));
    if all.is_empty() {
        return;
    }
    let mut left = Vec::new();
    for mut pending in all {
        pending.until.retain(|event| !matches!(event.is_done(), Ok(true)));
        if pending.until.is_empty() {
            pending.memory.free();
        } else {
            left.push(pending);
        }
    }
    if !left.is_empty() {
        lock(&PENDING).extend(left);
    }
}

impl Memory {
    fn free(self) {
        match self {
            Memory::Block(block) => drop(block),
            Memory::Plain { device, pointer } => {
                if let (Some(driver), Ok(_context)) = (opened(), device.enter()) {
                    // SAFETY: the pointer came from the driver's plain allocation, nothing uses it any more, and it is freed once.
                    let _ = unsafe { driver.free_plain(pointer) };
                }
            }
        }
    }
}
