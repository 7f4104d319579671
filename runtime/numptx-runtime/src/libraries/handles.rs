//! Handles of a library that no call uses now.
//!
//! In: how one is made. Out: one for a call, which gives it back. They are never given up: the process may end at any time.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::device::{Device, MAX_DEVICES};
use crate::lock::lock;

/// Free handles of each device.
pub(super) struct Handles<T> {
    free: [Mutex<Vec<T>>; MAX_DEVICES],
    /// Devices for which the library makes none: it is for others, or too new for them.
    refused: [AtomicBool; MAX_DEVICES],
}

impl<T> Handles<T> {
    pub(super) const fn new() -> Handles<T> {
        Handles {
            free: [const { Mutex::new(Vec::new()) }; MAX_DEVICES],
            refused: [const { AtomicBool::new(false) }; MAX_DEVICES],
        }
    }

    /// Whether the library makes none for the device.
    pub(super) fn are_refused(&self, device: &Device) -> bool {
        self.refused[position(device)].load(Ordering::Relaxed)
    }

    /// One that nobody else uses, until it is given back.
    pub(super) fn take(&self, device: &Device, make: impl FnOnce() -> Option<T>) -> Option<T> {
        let kept = lock(&self.free[position(device)]).pop();
        let found = kept.or_else(make);
        if found.is_none() {
            self.refused[position(device)].store(true, Ordering::Relaxed);
        }
        found
    }

    pub(super) fn give_back(&self, device: &Device, handle: T) {
        lock(&self.free[position(device)]).push(handle);
    }
}

fn position(device: &Device) -> usize {
    usize::try_from(device.ordinal).unwrap_or(0)
}
