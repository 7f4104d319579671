//! Everything the mock driver knows, behind one lock, and the codes that it answers with.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use numptx_abi::Kernel;

use crate::control::Counts;

/// A `CUresult`.
pub(crate) type Code = i32;

pub(crate) const SUCCESS: Code = 0;
pub(crate) const INVALID_VALUE: Code = 1;
pub(crate) const OUT_OF_MEMORY: Code = 2;
pub(crate) const NOT_INITIALIZED: Code = 3;
pub(crate) const NO_DEVICE: Code = 100;
pub(crate) const INVALID_DEVICE: Code = 101;
pub(crate) const INVALID_IMAGE: Code = 200;
pub(crate) const INVALID_CONTEXT: Code = 201;
pub(crate) const NO_BINARY: Code = 209;
pub(crate) const INVALID_PTX: Code = 218;
pub(crate) const UNSUPPORTED_PTX: Code = 222;
pub(crate) const INVALID_HANDLE: Code = 400;
pub(crate) const NOT_FOUND: Code = 500;
pub(crate) const ILLEGAL_ADDRESS: Code = 700;
/// What no driver has named yet.
const UNHEARD_OF: Code = 9999;

/// The names and texts of the codes, as the driver gives them.
pub(crate) const NAMES: &[(Code, &std::ffi::CStr, &std::ffi::CStr)] = &[
    (SUCCESS, c"CUDA_SUCCESS", c"no error"),
    (INVALID_VALUE, c"CUDA_ERROR_INVALID_VALUE", c"invalid argument"),
    (OUT_OF_MEMORY, c"CUDA_ERROR_OUT_OF_MEMORY", c"out of memory"),
    (NOT_INITIALIZED, c"CUDA_ERROR_NOT_INITIALIZED", c"initialization error"),
    (NO_DEVICE, c"CUDA_ERROR_NO_DEVICE", c"no CUDA-capable device is detected"),
    (INVALID_DEVICE, c"CUDA_ERROR_INVALID_DEVICE", c"invalid device ordinal"),
    (INVALID_IMAGE, c"CUDA_ERROR_INVALID_IMAGE", c"device kernel image is invalid"),
    (INVALID_CONTEXT, c"CUDA_ERROR_INVALID_CONTEXT", c"invalid device context"),
    (NO_BINARY, c"CUDA_ERROR_NO_BINARY_FOR_GPU", c"no kernel image is available for execution on the device"),
    (INVALID_PTX, c"CUDA_ERROR_INVALID_PTX", c"a PTX JIT compilation failed"),
    (
        UNSUPPORTED_PTX,
        c"CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
        c"the provided PTX was compiled with an unsupported toolchain.",
    ),
    (INVALID_HANDLE, c"CUDA_ERROR_INVALID_HANDLE", c"invalid resource handle"),
    (NOT_FOUND, c"CUDA_ERROR_NOT_FOUND", c"named symbol not found"),
    (ILLEGAL_ADDRESS, c"CUDA_ERROR_ILLEGAL_ADDRESS", c"an illegal memory access was encountered"),
];

/// A kernel that the runtime made known. The pointer leads to a descriptor that lives as long as its library.
#[derive(Clone, Copy)]
pub(crate) struct Known(pub(crate) *const Kernel);

// SAFETY: descriptors are immutable, their slots excepted, which the mock does not touch.
unsafe impl Send for Known {}

/// A loaded image: its entries, and where it was loaded from.
pub(crate) struct LoadedModule {
    pub(crate) entries: Vec<String>,
    pub(crate) image: usize,
}

/// A function of a loaded image.
#[derive(Clone)]
pub(crate) struct LoadedFunction {
    pub(crate) name: String,
    pub(crate) image: usize,
}

/// The driver's state.
pub(crate) struct State {
    pub(crate) allocations: BTreeMap<u64, usize>,
    pub(crate) modules: Vec<LoadedModule>,
    pub(crate) functions: Vec<LoadedFunction>,
    pub(crate) kernels: Vec<Known>,
    pub(crate) events: Vec<bool>,
    pub(crate) used_bytes: usize,
    pub(crate) release_threshold: u64,
    pub(crate) allocations_to_pass: i64,
    pub(crate) allocations_to_fail: i64,
    /// Work calls until one fails; negative: none does.
    pub(crate) work_to_pass: i64,
    pub(crate) counts: Counts,
}

static STATE: Mutex<State> = Mutex::new(State {
    allocations: BTreeMap::new(),
    modules: Vec::new(),
    functions: Vec::new(),
    kernels: Vec::new(),
    events: Vec::new(),
    used_bytes: 0,
    release_threshold: 0,
    allocations_to_pass: 0,
    allocations_to_fail: 0,
    work_to_pass: -1,
    counts: Counts::NONE,
});

/// The process that initialised the driver; 0 before.
static OWNER: AtomicU32 = AtomicU32::new(0);

thread_local! {
    /// The current context's handle on this thread.
    static CURRENT: Cell<usize> = const { Cell::new(0) };
}

/// The state, whoever asks.
pub(crate) fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Marks the driver as initialised by this process.
pub(crate) fn initialise() {
    OWNER.store(std::process::id(), Ordering::Relaxed);
}

/// The state for a driver call: refused before `cuInit` and in a forked child.
pub(crate) fn enter() -> Result<MutexGuard<'static, State>, Code> {
    let owner = OWNER.load(Ordering::Relaxed);
    if owner != std::process::id() {
        if owner != 0 {
            crate::control::note_call_in_child();
        }
        return Err(NOT_INITIALIZED);
    }
    let mut state = state();
    state.counts.calls += 1;
    Ok(state)
}

/// [`enter`] for calls that need a current context.
pub(crate) fn enter_context() -> Result<MutexGuard<'static, State>, Code> {
    let state = enter()?;
    if CURRENT.get() == 0 { Err(INVALID_CONTEXT) } else { Ok(state) }
}

pub(crate) fn current_context() -> usize {
    CURRENT.get()
}

pub(crate) fn set_current_context(handle: usize) {
    CURRENT.set(handle);
}

/// Turns an outcome into what the driver returns.
pub(crate) fn code(outcome: Result<(), Code>) -> Code {
    outcome.err().unwrap_or(SUCCESS)
}

/// A number from the environment.
pub(crate) fn setting(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// [`enter_context`] for calls that move or compute: tests may make one of them fail.
pub(crate) fn enter_work() -> Result<MutexGuard<'static, State>, Code> {
    let mut state = enter_context()?;
    if state.work_to_pass < 0 {
        return Ok(state);
    }
    state.work_to_pass -= 1;
    if state.work_to_pass < 0 { Err(UNHEARD_OF) } else { Ok(state) }
}

impl State {
    /// Notes a call that no right program makes.
    pub(crate) fn violation(&mut self, text: &str) {
        self.counts.violations += 1;
        eprintln!("mock libcuda: {text}");
    }

    /// Whether `bytes` bytes from `address` lie in one live allocation.
    pub(crate) fn holds(&self, address: u64, bytes: usize) -> bool {
        self.allocations
            .range(..=address)
            .next_back()
            .is_some_and(|(first, size)| address + bytes as u64 <= first + *size as u64)
    }
}
