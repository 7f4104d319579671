//! Limits of device memory that a program sets, and what is tried before an allocation fails for good.

use std::sync::atomic::{AtomicI64, AtomicPtr, Ordering};

use crate::device::MAX_DEVICES;
use crate::stats;

/// Bytes; negative: no limit.
static LIMITS: [AtomicI64; MAX_DEVICES] = [const { AtomicI64::new(-1) }; MAX_DEVICES];
/// A function of the binding that lets its garbage go.
static RECLAIM: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());

fn slot(device: i32) -> Option<&'static AtomicI64> {
    usize::try_from(device).ok().and_then(|ordinal| LIMITS.get(ordinal))
}

/// The most bytes that a device's buffers may hold together.
pub(crate) fn of(device: i32) -> Option<u64> {
    slot(device).and_then(|limit| u64::try_from(limit.load(Ordering::Relaxed)).ok())
}

/// Negative: no limit.
pub(crate) fn set(device: i32, bytes: i64) {
    if let Some(limit) = slot(device) {
        limit.store(bytes, Ordering::Relaxed);
    }
}

/// Whether so many bytes more are too many. Counts what is counted, so that threads may go a little beyond it together.
pub(crate) fn forbids(device: i32, bytes: usize) -> bool {
    of(device).is_some_and(|limit| {
        let live = stats::memory_stats_at(device).live_bytes.max(0).unsigned_abs();
        live.saturating_add(bytes as u64) > limit
    })
}

/// [`numptx_abi::RuntimeTable::set_reclaim`].
pub(crate) fn set_reclaim(function: Option<unsafe extern "C" fn()>) {
    RECLAIM.store(function.map_or(std::ptr::null_mut(), |f| f as *mut ()), Ordering::Release);
}

/// Lets the binding's garbage go; whether there is a binding that has any.
pub(crate) fn reclaim() -> bool {
    let function = RECLAIM.load(Ordering::Acquire);
    if function.is_null() {
        return false;
    }
    // SAFETY: only `set_reclaim` fills the slot, with a function of this type.
    unsafe { std::mem::transmute::<*mut (), unsafe extern "C" fn()>(function)() };
    true
}
