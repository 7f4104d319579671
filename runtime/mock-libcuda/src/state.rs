//! Everything the mock driver knows, behind one lock, and the codes that it answers with.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use numptx_abi::Kernel;

use crate::capture::Capture;
use crate::control::{Counts, FailureRule};
use crate::cublas::Handle;
use crate::cufft::Plan;
use crate::cusolver::Solver;
use crate::events::Event;
use crate::graphs::{Exec, Graph};
use crate::memory::{Allocation, Pinned};
use crate::objects::UserObject;
use crate::ptx::Program;
use crate::streams::Stream;

/// A `CUresult`.
pub(crate) type Code = i32;

pub(crate) const SUCCESS: Code = 0;
pub(crate) const INVALID_VALUE: Code = 1;
pub(crate) const OUT_OF_MEMORY: Code = 2;
pub(crate) const NOT_INITIALIZED: Code = 3;
pub(crate) const DEINITIALIZED: Code = 4;
pub(crate) const NO_DEVICE: Code = 100;
pub(crate) const INVALID_DEVICE: Code = 101;
pub(crate) const INVALID_IMAGE: Code = 200;
pub(crate) const INVALID_CONTEXT: Code = 201;
pub(crate) const NO_BINARY: Code = 209;
pub(crate) const INVALID_PTX: Code = 218;
pub(crate) const UNSUPPORTED_PTX: Code = 222;
pub(crate) const INVALID_HANDLE: Code = 400;
pub(crate) const NOT_FOUND: Code = 500;
pub(crate) const NOT_READY: Code = 600;
pub(crate) const ILLEGAL_ADDRESS: Code = 700;
pub(crate) const TOO_LARGE: Code = 720;
pub(crate) const CONTEXT_IS_DESTROYED: Code = 709;
pub(crate) const NOT_PERMITTED: Code = 800;
pub(crate) const NOT_SUPPORTED: Code = 801;
pub(crate) const CAPTURE_UNSUPPORTED: Code = 900;
pub(crate) const CAPTURE_INVALIDATED: Code = 901;
pub(crate) const CAPTURE_MERGE: Code = 902;
pub(crate) const CAPTURE_UNJOINED: Code = 904;
pub(crate) const CAPTURE_ISOLATION: Code = 905;
pub(crate) const CAPTURE_IMPLICIT: Code = 906;
pub(crate) const CAPTURED_EVENT: Code = 907;
pub(crate) const CAPTURE_WRONG_THREAD: Code = 908;
pub(crate) const UPDATE_FAILURE: Code = 910;
/// What no driver has named yet.
const UNHEARD_OF: Code = 9999;

/// The names and texts of the codes, as the driver gives them.
pub(crate) const NAMES: &[(Code, &std::ffi::CStr, &std::ffi::CStr)] = &[
    (SUCCESS, c"CUDA_SUCCESS", c"no error"),
    (INVALID_VALUE, c"CUDA_ERROR_INVALID_VALUE", c"invalid argument"),
    (OUT_OF_MEMORY, c"CUDA_ERROR_OUT_OF_MEMORY", c"out of memory"),
    (NOT_INITIALIZED, c"CUDA_ERROR_NOT_INITIALIZED", c"initialization error"),
    (DEINITIALIZED, c"CUDA_ERROR_DEINITIALIZED", c"driver shutting down"),
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
    (NOT_READY, c"CUDA_ERROR_NOT_READY", c"device not ready"),
    (ILLEGAL_ADDRESS, c"CUDA_ERROR_ILLEGAL_ADDRESS", c"an illegal memory access was encountered"),
    (CONTEXT_IS_DESTROYED, c"CUDA_ERROR_CONTEXT_IS_DESTROYED", c"context is destroyed"),
    (NOT_PERMITTED, c"CUDA_ERROR_NOT_PERMITTED", c"operation not permitted"),
    (NOT_SUPPORTED, c"CUDA_ERROR_NOT_SUPPORTED", c"operation not supported"),
    (
        CAPTURE_UNSUPPORTED,
        c"CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
        c"operation not permitted when stream is capturing",
    ),
    (
        CAPTURE_INVALIDATED,
        c"CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
        c"operation failed due to a previous error during capture",
    ),
    (
        CAPTURE_MERGE,
        c"CUDA_ERROR_STREAM_CAPTURE_MERGE",
        c"operation would result in a merge of separate capture sequences",
    ),
    (CAPTURE_UNJOINED, c"CUDA_ERROR_STREAM_CAPTURE_UNJOINED", c"capturing stream has unjoined work"),
    (
        CAPTURE_ISOLATION,
        c"CUDA_ERROR_STREAM_CAPTURE_ISOLATION",
        c"dependency created on uncaptured work in another stream",
    ),
    (
        CAPTURE_IMPLICIT,
        c"CUDA_ERROR_STREAM_CAPTURE_IMPLICIT",
        c"operation would make the legacy stream depend on a capturing blocking stream",
    ),
    (
        CAPTURED_EVENT,
        c"CUDA_ERROR_CAPTURED_EVENT",
        c"operation not permitted on an event last recorded in a capturing stream",
    ),
    (
        CAPTURE_WRONG_THREAD,
        c"CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD",
        c"attempt to terminate a thread-local capture sequence from another thread",
    ),
    (
        UPDATE_FAILURE,
        c"CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE",
        c"the graph update was not performed because it included changes which violated constraints specific to instantiated graph update",
    ),
];

/// A kernel that the runtime made known. The pointer leads to a descriptor that lives as long as its library.
#[derive(Clone, Copy)]
pub(crate) struct KernelRef(pub(crate) *const Kernel);

// SAFETY: descriptors are immutable, their slots excepted, which the mock does not touch.
unsafe impl Send for KernelRef {}

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
    /// Clusters may have more blocks than every device gives.
    pub(crate) is_non_portable: bool,
    /// Bytes of shared memory that launches may ask for.
    pub(crate) shared_bytes: u32,
}

/// The driver's state. Handles are keys; no key is used twice, so that a destroyed handle is known for one.
pub(crate) struct State {
    pub(crate) allocations: BTreeMap<u64, Allocation>,
    /// Page-locked host blocks.
    pub(crate) pinned: BTreeMap<usize, Pinned>,
    pub(crate) modules: BTreeMap<usize, LoadedModule>,
    pub(crate) functions: BTreeMap<usize, LoadedFunction>,
    pub(crate) kernels: Vec<KernelRef>,
    /// Device code by the image that it is from.
    pub(crate) programs: BTreeMap<usize, Program>,
    pub(crate) streams: BTreeMap<usize, Stream>,
    pub(crate) events: BTreeMap<usize, Event>,
    pub(crate) captures: BTreeMap<u64, Capture>,
    pub(crate) graphs: BTreeMap<usize, Graph>,
    pub(crate) execs: BTreeMap<usize, Exec>,
    pub(crate) objects: BTreeMap<usize, UserObject>,
    /// Handles of the stand-in of cuBLAS.
    pub(crate) blas: BTreeMap<usize, Handle>,
    /// Those of cuSOLVER, and its parameters.
    pub(crate) solvers: BTreeMap<usize, Solver>,
    /// Those of cuFFT.
    pub(crate) plans: BTreeMap<i32, Plan>,
    /// Destructors of user objects that are due: they run on another thread, when the lock is free.
    pub(crate) due: Vec<(usize, usize)>,
    /// How often each device's primary context is retained, and whether it was destroyed.
    pub(crate) contexts: BTreeMap<usize, (usize, bool)>,
    pub(crate) next_handle: usize,
    pub(crate) used_bytes: usize,
    pub(crate) release_threshold: u64,
    pub(crate) allocations_to_pass: i64,
    pub(crate) allocations_to_fail: i64,
    /// Work calls until one fails; negative: none does.
    pub(crate) work_to_pass: i64,
    pub(crate) failing: Option<FailureRule>,
    pub(crate) log: Option<Vec<&'static str>>,
    /// What work that was put off failed with: every wait says it again.
    pub(crate) lost: Option<Code>,
    pub(crate) defer: Option<bool>,
    pub(crate) counts: Counts,
}

static STATE: Mutex<State> = Mutex::new(State {
    allocations: BTreeMap::new(),
    pinned: BTreeMap::new(),
    modules: BTreeMap::new(),
    functions: BTreeMap::new(),
    kernels: Vec::new(),
    programs: BTreeMap::new(),
    streams: BTreeMap::new(),
    events: BTreeMap::new(),
    captures: BTreeMap::new(),
    graphs: BTreeMap::new(),
    execs: BTreeMap::new(),
    objects: BTreeMap::new(),
    blas: BTreeMap::new(),
    solvers: BTreeMap::new(),
    plans: BTreeMap::new(),
    due: Vec::new(),
    contexts: BTreeMap::new(),
    next_handle: 0x10_0000,
    used_bytes: 0,
    release_threshold: 0,
    allocations_to_pass: 0,
    allocations_to_fail: 0,
    work_to_pass: -1,
    failing: None,
    log: None,
    lost: None,
    defer: None,
    counts: Counts::NONE,
});

/// The process that initialised the driver; 0 before.
static OWNER: AtomicU32 = AtomicU32::new(0);
/// Whether the driver has torn itself down.
static ENDED: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// The current context's handle on this thread.
    static CURRENT: Cell<usize> = const { Cell::new(0) };
    /// Whether this thread runs a user object's destructor.
    static IN_DESTRUCTOR: Cell<bool> = const { Cell::new(false) };
}

/// The state, whoever asks.
pub(crate) fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Marks the driver as initialised by this process. As the real one does, it ends in an exit handler.
pub(crate) fn initialise() {
    unsafe extern "C" {
        fn atexit(handler: extern "C" fn()) -> i32;
    }
    let process = std::process::id();
    if OWNER.swap(process, Ordering::Relaxed) != process {
        // SAFETY: the handler stores an atomic.
        unsafe { atexit(deinitialise) };
    }
}

/// The driver's end: every call answers [`DEINITIALIZED`] from now on.
pub(crate) extern "C" fn deinitialise() {
    ENDED.store(true, Ordering::Relaxed);
}

/// Runs a destructor with the driver closed to its thread.
pub(crate) fn in_destructor(run: impl FnOnce()) {
    IN_DESTRUCTOR.set(true);
    run();
    IN_DESTRUCTOR.set(false);
}

/// What a forked child's call answers: most that the driver is not initialised.
pub(crate) fn is_child() -> bool {
    let owner = OWNER.load(Ordering::Relaxed);
    owner != 0 && owner != std::process::id()
}

/// The state for a driver call: refused before `cuInit`, after the driver's end, in a forked child and in destructors.
pub(crate) fn enter(call: &'static str) -> Result<MutexGuard<'static, State>, Code> {
    if ENDED.load(Ordering::Relaxed) {
        return Err(DEINITIALIZED);
    }
    if OWNER.load(Ordering::Relaxed) != std::process::id() {
        if is_child() {
            crate::control::note_call_in_child();
        }
        return Err(match call {
            "cuMemFreeAsync" if is_child() => OUT_OF_MEMORY,
            _ => NOT_INITIALIZED,
        });
    }
    crate::faults::before(call);
    let mut state = state();
    state.shuffle();
    state.counts.calls += 1;
    if let Some(log) = &mut state.log {
        log.push(call);
    }
    if IN_DESTRUCTOR.get() {
        state.violation(&format!("{call} in the destructor of a user object"));
        return Err(NOT_PERMITTED);
    }
    match state.failing_now(call) {
        Some(code) => Err(code),
        None => Ok(state),
    }
}

/// [`enter`] for calls that need a current context.
pub(crate) fn enter_context(call: &'static str) -> Result<MutexGuard<'static, State>, Code> {
    let state = enter(call)?;
    if CURRENT.get() == 0 {
        return Err(INVALID_CONTEXT);
    }
    if state.is_destroyed(CURRENT.get()) { Err(CONTEXT_IS_DESTROYED) } else { Ok(state) }
}

pub(crate) fn current_context() -> usize {
    CURRENT.get()
}

pub(crate) fn set_current_context(handle: usize) {
    CURRENT.set(handle);
}

/// Turns an outcome into what the driver returns; then destructors that are due run, as the real driver's do, on another thread.
pub(crate) fn code(outcome: Result<(), Code>) -> Code {
    crate::objects::run_due();
    outcome.err().unwrap_or(SUCCESS)
}

/// A number from the environment.
pub(crate) fn setting(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// [`enter_context`] for calls that move or compute: tests may make one of them fail.
pub(crate) fn enter_work(call: &'static str) -> Result<MutexGuard<'static, State>, Code> {
    let mut state = enter_context(call)?;
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

    /// A handle that was never used.
    pub(crate) fn fresh_handle(&mut self) -> usize {
        self.next_handle += 16;
        self.next_handle
    }

    /// Whether a primary context's last reference was given up.
    pub(crate) fn is_destroyed(&self, context: usize) -> bool {
        self.contexts.get(&context).is_some_and(|(_, destroyed)| *destroyed)
    }

    /// The live allocation in which `bytes` bytes from `address` lie.
    pub(crate) fn allocation_at(&self, address: u64, bytes: usize) -> Option<&Allocation> {
        let (first, found) = self.allocations.range(..=address).next_back()?;
        ((address - first).saturating_add(bytes as u64) <= found.bytes as u64).then_some(found)
    }

    /// The page-locked block in which host bytes lie.
    pub(crate) fn pinned_at(&self, address: usize, bytes: usize) -> Option<&Pinned> {
        let (first, found) = self.pinned.range(..=address).next_back()?;
        ((address - first).saturating_add(bytes) <= found.bytes).then_some(found)
    }

    /// Whether copies of devices reach bytes: all lie in one live allocation, of any device, or in one page-locked block.
    pub(crate) fn holds(&self, address: u64, bytes: usize) -> bool {
        self.allocation_at(address, bytes).is_some() || self.is_pinned(address as usize, bytes)
    }

    /// Whether kernels of a context reach bytes: no device here reaches another's memory.
    pub(crate) fn reaches(&self, context: usize, address: u64, bytes: usize) -> bool {
        self.is_pinned(address as usize, bytes)
            || self.allocation_at(address, bytes).is_some_and(|found| found.is_managed || found.context == context)
    }

    /// The live allocation or page-locked block around an address: `first..end`.
    pub(crate) fn bounds_around(&self, address: u64) -> Option<(u64, u64)> {
        let own = self.allocations.range(..=address).next_back().map(|(first, found)| (*first, found.bytes));
        let pinned =
            self.pinned.range(..=address as usize).next_back().map(|(first, found)| (*first as u64, found.bytes));
        let around =
            |(first, bytes): (u64, usize)| Some((first, first + bytes as u64)).filter(|(_, end)| address < *end);
        own.and_then(around).or_else(|| pinned.and_then(around))
    }

    /// Whether host bytes lie in one page-locked block.
    pub(crate) fn is_pinned(&self, address: usize, bytes: usize) -> bool {
        self.pinned_at(address, bytes).is_some()
    }
}
