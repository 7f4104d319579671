//! What tests ask of the mock driver beyond the driver's own calls. The counts are read without the driver being initialised.

use std::ffi::{CStr, c_char};
use std::sync::atomic::{AtomicI64, Ordering};

use numptx_abi::Kernel;

use crate::state::{Code, KernelRef, State, state};

/// What the mock driver counted since the process started. What is `live_` is there now.
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
    /// Images of machine code among them.
    pub cubin_loads: i64,
    /// Attempts to load an image.
    pub load_attempts: i64,
    /// Kernels launched; those of a graph at each of its launches.
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
    /// Streams.
    pub live_streams: i64,
    /// Events.
    pub live_events: i64,
    /// Events made.
    pub events: i64,
    /// Graphs.
    pub live_graphs: i64,
    /// Executable graphs.
    pub live_execs: i64,
    /// User objects.
    pub live_objects: i64,
    /// Page-locked host blocks.
    pub live_pinned: i64,
    /// Captures that something invalidated.
    pub invalidated: i64,
    /// Launches of graphs.
    pub graph_launches: i64,
    /// Kernels launched whose device code ran.
    pub device_code: i64,
}

impl Counts {
    pub(crate) const NONE: Counts = Counts {
        calls: 0,
        live_allocations: 0,
        live_bytes: 0,
        allocations: 0,
        loads: 0,
        cubin_loads: 0,
        load_attempts: 0,
        launches: 0,
        uploads: 0,
        downloads: 0,
        waits: 0,
        violations: 0,
        calls_in_child: 0,
        live_streams: 0,
        live_events: 0,
        events: 0,
        live_graphs: 0,
        live_execs: 0,
        live_objects: 0,
        live_pinned: 0,
        invalidated: 0,
        graph_launches: 0,
        device_code: 0,
    };
}

/// A call that is to fail.
pub(crate) struct FailureRule {
    /// Of this function; empty: of any.
    call: String,
    pass: i64,
    code: Code,
}

impl State {
    /// The code that this call fails with, if a test asked for it.
    pub(crate) fn failing_now(&mut self, call: &str) -> Option<Code> {
        let failing = self.failing.as_mut().filter(|f| f.call.is_empty() || f.call == call)?;
        failing.pass -= 1;
        (failing.pass == -1).then_some(failing.code)
    }
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
    state().kernels.push(KernelRef(kernel));
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

/// One count by its name in [`Counts`]; -1 for another name.
///
/// # Safety
/// `name` is null-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn numptx_mock_count(name: *const c_char) -> i64 {
    let mut counts = Counts::NONE;
    // SAFETY: a local; the name is as the caller promises.
    let name = unsafe {
        numptx_mock_counts(&mut counts);
        CStr::from_ptr(name).to_string_lossy().into_owned()
    };
    let text = format!("{counts:?}");
    let start = text.match_indices(&format!(" {name}: ")).next().map(|(at, found)| at + found.len());
    let digits = |rest: &str| rest.chars().take_while(|c| *c == '-' || c.is_ascii_digit()).collect::<String>();
    start.and_then(|at| digits(&text[at..]).parse().ok()).unwrap_or(-1)
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

/// Lets `pass` calls of a function (an empty name: of any) pass, and makes the next one fail with `code`. Negative: none fails.
/// Returns how many were still to pass; negative if the failure has happened or none was asked for.
///
/// # Safety
/// `name` is null-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn numptx_mock_fail_call(name: *const c_char, pass: i64, code: Code) -> i64 {
    // SAFETY: as the caller promises.
    let call = unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned();
    let fresh = (pass >= 0).then_some(FailureRule { call, pass, code });
    std::mem::replace(&mut state().failing, fresh).map_or(-1, |failing| failing.pass)
}

/// Starts a log of driver calls (1), or ends it (0).
#[unsafe(no_mangle)]
pub extern "C" fn numptx_mock_log(on: i32) {
    state().log = (on != 0).then(Vec::new);
}

/// Writes the log: a name a line, null-terminated. Returns the bytes needed.
///
/// # Safety
/// `out` has room for `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn numptx_mock_read_log(out: *mut u8, capacity: usize) -> usize {
    let text = state().log.as_ref().map(|calls| calls.join("\n")).unwrap_or_default();
    if capacity > 0 {
        let length = text.len().min(capacity - 1);
        // SAFETY: as the caller promises.
        unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr(), out, length);
            *out.add(length) = 0;
        }
    }
    text.len() + 1
}

/// Whether streams put their work off until somebody waits (1), or do it at once (0).
#[unsafe(no_mangle)]
pub extern "C" fn numptx_mock_defer(on: i32) {
    let mut state = state();
    state.run_all();
    state.defer = Some(on != 0);
}

/// The driver tears itself down, as it does when a process exits.
#[unsafe(no_mangle)]
pub extern "C" fn numptx_mock_deinitialise() {
    crate::state::deinitialise();
}
