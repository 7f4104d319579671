//! Work that could not be done where it came up: frees during a capture, and what a graph kept alive.
//!
//! In: from any thread, from the driver's own as well, without a lock. Out: done at the next call of the runtime from outside, or later if it
//! still cannot be. After shutdown and in a forked child it is left alone.

use std::sync::atomic::{AtomicPtr, Ordering};

use crate::device::Device;
use crate::process;
use crate::recording::Bundle;
use crate::stream::{Stream, StreamUse};

/// What is to be done later.
pub(crate) enum Later {
    /// What a graph used is let go: its last executable is gone.
    Drop(Box<Bundle>),
    /// Device memory is freed.
    Free { device: &'static Device, pointer: u64, home: Stream, others: Vec<StreamUse> },
}

struct Node {
    work: Later,
    next: *mut Node,
}

/// Newest first.
static FIRST: AtomicPtr<Node> = AtomicPtr::new(std::ptr::null_mut());

/// Puts work off. Neither blocks nor calls anybody.
pub(crate) fn put_off(work: Later) {
    let node = Box::into_raw(Box::new(Node { work, next: std::ptr::null_mut() }));
    let mut first = FIRST.load(Ordering::Relaxed);
    loop {
        // SAFETY: nobody else knows the node yet.
        unsafe { (*node).next = first };
        match FIRST.compare_exchange_weak(first, node, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => return,
            Err(now) => first = now,
        }
    }
}

/// Does what was put off, as far as it can be done now.
pub(crate) fn catch_up() {
    if FIRST.load(Ordering::Relaxed).is_null() || process::leaves_devices_alone() {
        return;
    }
    let mut next = FIRST.swap(std::ptr::null_mut(), Ordering::Acquire);
    while !next.is_null() {
        // SAFETY: taken off the list, so that it is ours.
        let node = unsafe { Box::from_raw(next) };
        next = node.next;
        match node.work {
            Later::Drop(bundle) => drop(bundle),
            Later::Free { device, pointer, home, others } => device.free(pointer, &home, others),
        }
    }
}
