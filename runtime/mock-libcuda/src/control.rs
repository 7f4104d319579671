//! What tests ask of the mock driver beyond the driver's own calls. The counts are read without the driver being initialised.

use std::sync::atomic::{AtomicI64, Ordering};

use numptx_abi::Kernel;

use crate::state::{Known, state};

/// What the mock driver counted since the process started.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Driver calls, failed ones included.
    pub calls: i64,
    /// Allocations that are alive.
    pub live_allocations: i64,
    /// Their bytes.
    pub live_bytes: i64,
    /// Allocations made.
    pub allocations: i64,
    /// Images loaded.
    pub loads: i64,
    /// Attempts to load an image.
    pub load_attempts: i64,
    /// Kernels launched.
    pub launches: i64,
    /// Copies from host to device.
    pub uploads: i64,
    /// Copies from device to host.
    pub downloads: i64,
    /// Waits for a stream or a context.
    pub waits: i64,
    /// Calls that no right program makes: double frees, wild pointers, copies out of range, wrong grids.
    pub violations: i64,
    /// Calls in a forked child of the process that initialised the driver.
    pub calls_in_child: i64,
}

impl Counts {
    pub(crate) const NONE: Counts = Counts {
        calls: 0,
        live_allocations: 0,
        live_bytes: 0,
        allocations: 0,
        loads: 0,
        load_attempts: 0,
        launches: 0,
        uploads: 0,
        downloads: 0,
        waits: 0,
        violations: 0,
        calls_in_child: 0,
    };
}

static CALLS_IN_CHILD: AtomicI64 = AtomicI64::new(0);

pub(crate) fn note_call_in_child() {
    CALLS_IN_CHILD.fetch_add(1, Ordering::Relaxed);
}

/// Makes a kernel's host functions known before its module is loaded.
///
/// # Safety
/// `kernel` lives as long as the process.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn numptx_mock_register(kernel: *const Kernel) {
    state().kernels.push(Known(kernel));
}

/// Writes the counts.
///
/// # Safety
/// `out` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn numptx_mock_counts(out: *mut Counts) {
    let mut counts = state().counts;
    counts.calls_in_child = CALLS_IN_CHILD.load(Ordering::Relaxed);
    // SAFETY: as the caller promises.
    unsafe { *out = counts };
}

/// Lets `pass` allocations pass and makes the `fail` next ones run out of memory.
#[unsafe(no_mangle)]
pub extern "C" fn numptx_mock_fail_allocations(pass: i64, fail: i64) {
    let mut state = state();
    (state.allocations_to_pass, state.allocations_to_fail) = (pass, fail);
}

/// Lets `pass` copies, launches and waits pass and makes the next one fail with a code that no driver has named yet. Negative: none fails.
/// Returns how many were still to pass before this call; negative if the failure has happened.
#[unsafe(no_mangle)]
pub extern "C" fn numptx_mock_fail_work(pass: i64) -> i64 {
    std::mem::replace(&mut state().work_to_pass, pass)
}
