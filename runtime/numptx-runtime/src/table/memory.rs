//! The table's entries for memory as a whole: limits, counters, what is given back, and what could not be.

use std::ffi::{CString, c_char, c_void};
use std::sync::atomic::AtomicU32;

use numptx_abi::{Error as AbiError, MemoryStats, Status};

use super::{caught, guarded};
use crate::{clean_up, deferred, device, limit, stats};

pub(super) extern "C" fn set_memory_limit(device: i32, bytes: i64) {
    limit::set(device, bytes);
}

pub(super) unsafe extern "C" fn trim(device: i32, error: *mut AbiError) -> Status {
    guarded(error, || {
        if device < 0 {
            let _ = crate::recycle::give_back();
            return Ok(());
        }
        deferred::settle();
        device::device(device)?.trim()
    })
}

pub(super) extern "C" fn set_reclaim(function: Option<unsafe extern "C" fn()>) {
    limit::set_reclaim(function);
}

pub(super) unsafe extern "C" fn memory_stats(device: i32, out: *mut MemoryStats) {
    let _ = caught(deferred::settle);
    let found =
        if device == MemoryStats::EVERYWHERE { stats::memory_stats(None) } else { stats::memory_stats_at(device) };
    // SAFETY: the binding passes a place for the result.
    unsafe { *out = found };
}

pub(super) extern "C" fn reset_peak_memory() {
    stats::reset_peak_memory();
}

pub(super) extern "C" fn failed_clean_ups() -> *const AtomicU32 {
    clean_up::count()
}

pub(super) unsafe extern "C" fn take_failed_clean_ups(
    see: unsafe extern "C" fn(*mut c_void, *const c_char),
    data: *mut c_void,
) {
    let texts = caught(clean_up::take).unwrap_or_default();
    for text in texts.into_iter().filter_map(|text| CString::new(text).ok()) {
        // SAFETY: the binding's function and data; null-terminated text.
        unsafe { see(data, text.as_ptr()) };
    }
}
