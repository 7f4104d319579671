//! The CUDA driver: one table of functions that return integers, filled on the first use of a GPU.
//!
//! In: `libcuda.so.1`, or the library that `NUMPTX_LIBCUDA` names. Out: calls whose failures are values, a missing library or symbol
//! included. Importing a module and computing on the CPU never come here.

use std::convert::Infallible;
use std::ffi::{CStr, CString, c_char, c_int, c_uchar, c_uint, c_void};
use std::fmt::Write as _;

use cudarc::driver::sys;
use numptx_abi::{Kernel, error_kind};

use crate::error::{Error, Result};
use crate::first_use::FirstUse;
use crate::{clean_up, process, replay, waits};

/// The driver level that functions are asked for.
const LEVEL: c_int = 12000;
/// The level at which drivers tell their own: CUDA 2.2 brought `cuDriverGetVersion`, and what is asked for an earlier level is not found.
const FIRST_LEVEL: c_int = 2020;

/// The legacy default stream, by its handle: a null stream means another thing on a thread without a context.
pub(crate) const LEGACY_STREAM: sys::CUstream = std::ptr::without_provenance_mut(1);
/// The default stream of each thread.
pub(crate) const THREAD_STREAM: sys::CUstream = std::ptr::without_provenance_mut(2);

/// A driver call that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) call: &'static str,
    /// The `CUresult`, or [`Failure::MISSING`].
    pub(crate) code: c_int,
}

impl Failure {
    /// The driver does not have the function.
    pub(crate) const MISSING: c_int = -1;
    pub(crate) const INVALID_VALUE: c_int = 1;
    pub(crate) const OUT_OF_MEMORY: c_int = 2;
    pub(crate) const NO_DEVICE: c_int = 100;
    pub(crate) const NO_BINARY: c_int = 209;
    pub(crate) const UNSUPPORTED_PTX: c_int = 222;
    pub(crate) const INVALID_HANDLE: c_int = 400;
    pub(crate) const NOT_FOUND: c_int = 500;
    pub(crate) const NOT_READY: c_int = 600;
    /// A cooperative launch has more blocks than the device holds at once.
    pub(crate) const TOO_LARGE: c_int = 720;
    /// The legacy stream would have to wait for a stream that is being captured.
    pub(crate) const IMPLICIT_CAPTURE: c_int = 906;
    /// An executable graph cannot become what another graph is, and stays what it was.
    pub(crate) const UPDATE_FAILED: c_int = 910;
}

macro_rules! driver_table {
    ($( $field:ident = $name:literal, $symbol:literal ( $($arg:ident: $ty:ty),* ); )*) => {
        /// The driver's functions; those that it lacks are `None`.
        pub(crate) struct Driver {
            pub(crate) library: String,
            register: Option<unsafe extern "C" fn(*const Kernel)>,
            $( $field: Option<unsafe extern "C" fn($($ty),*) -> c_int>, )*
        }

        impl Driver {
            /// # Safety
            /// `handle` is an open CUDA driver library.
            unsafe fn resolve(library: String, handle: *mut c_void) -> Driver {
                let lookup = Lookup::new(handle);
                Driver {
                    library,
                    // SAFETY: the mock driver's function has this type; no other library has the name.
                    register: unsafe { std::mem::transmute::<*mut c_void, Option<unsafe extern "C" fn(*const Kernel)>>(
                        lookup.symbol(c"numptx_mock_register")) },
                    // SAFETY: the driver's functions have the types that the driver's header gives; null is `None`.
                    $( $field: unsafe { std::mem::transmute::<*mut c_void, Option<unsafe extern "C" fn($($ty),*) -> c_int>>(
                        lookup.function($name, $symbol)) }, )*
                }
            }

            $(
                /// # Safety
                /// As the driver's documentation of the function asks.
                #[allow(clippy::too_many_arguments)]
                pub(crate) unsafe fn $field(&self, $($arg: $ty),*) -> std::result::Result<(), Failure> {
                    let call = $name;
                    if replay::is_holding() {
                        replay::release_before(call);
                    }
                    if const { waits::may_wait($name) } {
                        waits::before();
                    }
                    let Some(function) = self.$field else { return Err(Failure { call, code: Failure::MISSING }) };
                    // SAFETY: passed on to the caller.
                    match unsafe { function($($arg),*) } {
                        0 => Ok(()),
                        code => {
                            clean_up::call_failed(call, code);
                            Err(Failure { call, code })
                        }
                    }
                }
            )*
        }
    };
}

driver_table! {
    init = "cuInit", c"cuInit" (flags: c_uint);
    version = "cuDriverGetVersion", c"cuDriverGetVersion" (out: *mut c_int);
    device_count = "cuDeviceGetCount", c"cuDeviceGetCount" (out: *mut c_int);
    device_get = "cuDeviceGet", c"cuDeviceGet" (out: *mut sys::CUdevice, ordinal: c_int);
    device_name = "cuDeviceGetName", c"cuDeviceGetName" (out: *mut c_char, capacity: c_int, device: sys::CUdevice);
    device_attribute = "cuDeviceGetAttribute", c"cuDeviceGetAttribute" (out: *mut c_int, attribute: c_int, device: sys::CUdevice);
    device_memory = "cuDeviceTotalMem", c"cuDeviceTotalMem_v2" (out: *mut usize, device: sys::CUdevice);
    primary_retain = "cuDevicePrimaryCtxRetain", c"cuDevicePrimaryCtxRetain" (out: *mut sys::CUcontext, device: sys::CUdevice);
    context_current = "cuCtxGetCurrent", c"cuCtxGetCurrent" (out: *mut sys::CUcontext);
    context_device = "cuCtxGetDevice", c"cuCtxGetDevice" (out: *mut sys::CUdevice);
    context_set = "cuCtxSetCurrent", c"cuCtxSetCurrent" (context: sys::CUcontext);
    device_pool = "cuDeviceGetMemPool", c"cuDeviceGetMemPool" (out: *mut sys::CUmemoryPool, device: sys::CUdevice);
    pool_get = "cuMemPoolGetAttribute", c"cuMemPoolGetAttribute" (pool: sys::CUmemoryPool, attribute: c_int, value: *mut c_void);
    pool_set = "cuMemPoolSetAttribute", c"cuMemPoolSetAttribute" (pool: sys::CUmemoryPool, attribute: c_int, value: *mut c_void);
    pool_trim = "cuMemPoolTrimTo", c"cuMemPoolTrimTo" (pool: sys::CUmemoryPool, keep: usize);
    alloc = "cuMemAllocFromPoolAsync", c"cuMemAllocFromPoolAsync" (
        out: *mut sys::CUdeviceptr, bytes: usize, pool: sys::CUmemoryPool, stream: sys::CUstream);
    free = "cuMemFreeAsync", c"cuMemFreeAsync" (pointer: sys::CUdeviceptr, stream: sys::CUstream);
    alloc_plain = "cuMemAlloc", c"cuMemAlloc_v2" (out: *mut sys::CUdeviceptr, bytes: usize);
    free_plain = "cuMemFree", c"cuMemFree_v2" (pointer: sys::CUdeviceptr);
    fill = "cuMemsetD8Async", c"cuMemsetD8Async" (to: sys::CUdeviceptr, value: c_uchar, bytes: usize, stream: sys::CUstream);
    memory_info = "cuMemGetInfo", c"cuMemGetInfo_v2" (free: *mut usize, total: *mut usize);
    upload = "cuMemcpyHtoDAsync", c"cuMemcpyHtoDAsync_v2" (
        to: sys::CUdeviceptr, from: *const c_void, bytes: usize, stream: sys::CUstream);
    download = "cuMemcpyDtoHAsync", c"cuMemcpyDtoHAsync_v2" (
        to: *mut c_void, from: sys::CUdeviceptr, bytes: usize, stream: sys::CUstream);
    copy = "cuMemcpyDtoDAsync", c"cuMemcpyDtoDAsync_v2" (
        to: sys::CUdeviceptr, from: sys::CUdeviceptr, bytes: usize, stream: sys::CUstream);
    copy_2d = "cuMemcpy2DAsync", c"cuMemcpy2DAsync_v2" (copy: *const sys::CUDA_MEMCPY2D, stream: sys::CUstream);
    copy_peer = "cuMemcpyPeerAsync", c"cuMemcpyPeerAsync" (
        to: sys::CUdeviceptr, to_context: sys::CUcontext, from: sys::CUdeviceptr, from_context: sys::CUcontext, bytes: usize,
        stream: sys::CUstream);
    host_alloc = "cuMemHostAlloc", c"cuMemHostAlloc" (out: *mut *mut c_void, bytes: usize, flags: c_uint);
    pointer_attributes = "cuPointerGetAttributes", c"cuPointerGetAttributes" (
        n: c_uint, attributes: *const c_int, values: *const *mut c_void, pointer: sys::CUdeviceptr);
    host_free = "cuMemFreeHost", c"cuMemFreeHost" (block: *mut c_void);
    stream_create = "cuStreamCreateWithPriority", c"cuStreamCreateWithPriority" (
        out: *mut sys::CUstream, flags: c_uint, priority: c_int);
    stream_destroy = "cuStreamDestroy", c"cuStreamDestroy_v2" (stream: sys::CUstream);
    stream_context = "cuStreamGetCtx", c"cuStreamGetCtx" (stream: sys::CUstream, out: *mut sys::CUcontext);
    stream_priority = "cuStreamGetPriority", c"cuStreamGetPriority" (stream: sys::CUstream, out: *mut c_int);
    stream_query = "cuStreamQuery", c"cuStreamQuery" (stream: sys::CUstream);
    stream_is_capturing = "cuStreamIsCapturing", c"cuStreamIsCapturing" (stream: sys::CUstream, status: *mut c_int);
    stream_capture_info = "cuStreamGetCaptureInfo", c"cuStreamGetCaptureInfo_v2" (
        stream: sys::CUstream, status: *mut c_int, id: *mut u64, graph: *mut sys::CUgraph, nodes: *mut *const c_void, n_nodes: *mut usize);
    stream_begin_capture = "cuStreamBeginCapture", c"cuStreamBeginCapture_v2" (stream: sys::CUstream, mode: c_int);
    stream_end_capture = "cuStreamEndCapture", c"cuStreamEndCapture" (stream: sys::CUstream, out: *mut sys::CUgraph);
    exchange_capture_mode = "cuThreadExchangeStreamCaptureMode", c"cuThreadExchangeStreamCaptureMode" (mode: *mut c_int);
    graph_instantiate = "cuGraphInstantiateWithFlags", c"cuGraphInstantiateWithFlags" (
        out: *mut sys::CUgraphExec, graph: sys::CUgraph, flags: u64);
    graph_update = "cuGraphExecUpdate", c"cuGraphExecUpdate_v2" (
        exec: sys::CUgraphExec, graph: sys::CUgraph, out: *mut sys::CUgraphExecUpdateResultInfo);
    graph_launch = "cuGraphLaunch", c"cuGraphLaunch" (exec: sys::CUgraphExec, stream: sys::CUstream);
    graph_destroy = "cuGraphDestroy", c"cuGraphDestroy" (graph: sys::CUgraph);
    graph_exec_destroy = "cuGraphExecDestroy", c"cuGraphExecDestroy" (exec: sys::CUgraphExec);
    graph_create = "cuGraphCreate", c"cuGraphCreate" (out: *mut sys::CUgraph, flags: c_uint);
    graph_add_kernel = "cuGraphAddKernelNode", c"cuGraphAddKernelNode_v2" (
        out: *mut sys::CUgraphNode, graph: sys::CUgraph, before: *const sys::CUgraphNode, n_before: usize,
        parameters: *const sys::CUDA_KERNEL_NODE_PARAMS);
    graph_set_kernel = "cuGraphExecKernelNodeSetParams", c"cuGraphExecKernelNodeSetParams_v2" (
        exec: sys::CUgraphExec, node: sys::CUgraphNode, parameters: *const sys::CUDA_KERNEL_NODE_PARAMS);
    graph_nodes = "cuGraphGetNodes", c"cuGraphGetNodes" (graph: sys::CUgraph, nodes: *mut sys::CUgraphNode, n: *mut usize);
    graph_retain = "cuGraphRetainUserObject", c"cuGraphRetainUserObject" (
        graph: sys::CUgraph, object: sys::CUuserObject, n: c_uint, flags: c_uint);
    object_create = "cuUserObjectCreate", c"cuUserObjectCreate" (
        out: *mut sys::CUuserObject, object: *mut c_void, destroy: unsafe extern "C" fn(*mut c_void), n: c_uint, flags: c_uint);
    stream_synchronize = "cuStreamSynchronize", c"cuStreamSynchronize" (stream: sys::CUstream);
    stream_wait = "cuStreamWaitEvent", c"cuStreamWaitEvent" (stream: sys::CUstream, event: sys::CUevent, flags: c_uint);
    event_create = "cuEventCreate", c"cuEventCreate" (out: *mut sys::CUevent, flags: c_uint);
    event_record = "cuEventRecord", c"cuEventRecord" (event: sys::CUevent, stream: sys::CUstream);
    event_query = "cuEventQuery", c"cuEventQuery" (event: sys::CUevent);
    event_synchronize = "cuEventSynchronize", c"cuEventSynchronize" (event: sys::CUevent);
    event_elapsed = "cuEventElapsedTime", c"cuEventElapsedTime" (out: *mut f32, first: sys::CUevent, last: sys::CUevent);
    event_destroy = "cuEventDestroy", c"cuEventDestroy_v2" (event: sys::CUevent);
    module_load = "cuModuleLoadDataEx", c"cuModuleLoadDataEx" (
        out: *mut sys::CUmodule, image: *const c_void, n_options: c_uint, options: *mut c_int, values: *mut *mut c_void);
    module_function = "cuModuleGetFunction", c"cuModuleGetFunction" (
        out: *mut sys::CUfunction, module: sys::CUmodule, name: *const c_char);
    function_attribute = "cuFuncGetAttribute", c"cuFuncGetAttribute" (
        out: *mut c_int, attribute: c_int, function: sys::CUfunction);
    function_set_attribute = "cuFuncSetAttribute", c"cuFuncSetAttribute" (
        function: sys::CUfunction, attribute: c_int, value: c_int);
    most_clusters = "cuOccupancyMaxActiveClusters", c"cuOccupancyMaxActiveClusters" (
        out: *mut c_int, function: sys::CUfunction, config: *const sys::CUlaunchConfig);
    launch_configured = "cuLaunchKernelEx", c"cuLaunchKernelEx" (
        config: *const sys::CUlaunchConfig, function: sys::CUfunction, parameters: *mut *mut c_void, extra: *mut *mut c_void);
    launch = "cuLaunchKernel", c"cuLaunchKernel" (
        function: sys::CUfunction, grid_x: c_uint, grid_y: c_uint, grid_z: c_uint, block_x: c_uint, block_y: c_uint, block_z: c_uint,
        shared_bytes: c_uint, stream: sys::CUstream, parameters: *mut *mut c_void, extra: *mut *mut c_void);
    launch_cooperative = "cuLaunchCooperativeKernel", c"cuLaunchCooperativeKernel" (
        function: sys::CUfunction, grid_x: c_uint, grid_y: c_uint, grid_z: c_uint, block_x: c_uint, block_y: c_uint, block_z: c_uint,
        shared_bytes: c_uint, stream: sys::CUstream, parameters: *mut *mut c_void);
    error_name = "cuGetErrorName", c"cuGetErrorName" (code: c_int, out: *mut *const c_char);
    error_text = "cuGetErrorString", c"cuGetErrorString" (code: c_int, out: *mut *const c_char);
}

type GetProcAddress = unsafe extern "C" fn(*const c_char, *mut *mut c_void, c_int, u64, *mut c_int) -> c_int;

/// Finds functions: through the driver's own look-up at our level; by symbol only where the driver has no look-up.
struct Lookup {
    handle: *mut c_void,
    get: Option<GetProcAddress>,
}

impl Lookup {
    fn new(handle: *mut c_void) -> Lookup {
        let mut lookup = Lookup { handle, get: None };
        let get = lookup.symbol(c"cuGetProcAddress_v2");
        // SAFETY: the driver's function of this name has this type since CUDA 12.0; null is `None`.
        lookup.get = unsafe { std::mem::transmute::<*mut c_void, Option<GetProcAddress>>(get) };
        lookup
    }

    fn symbol(&self, name: &CStr) -> *mut c_void {
        // SAFETY: the handle is open and the name is null-terminated.
        unsafe { libc::dlsym(self.handle, name.as_ptr()) }
    }

    fn function(&self, name: &str, symbol: &CStr) -> *mut c_void {
        let (Some(get), Ok(name)) = (self.get, CString::new(name)) else { return self.symbol(symbol) };
        let (mut found, mut status) = (std::ptr::null_mut(), 0);
        // Drivers of all levels tell theirs.
        let level = if name.as_bytes() == b"cuDriverGetVersion" { FIRST_LEVEL } else { LEVEL };
        // SAFETY: all pointers are to locals; flags 0 asks for the default-stream variant that the process uses.
        let code = unsafe { get(name.as_ptr(), &mut found, level, 0, &mut status) };
        if code == 0 { found } else { std::ptr::null_mut() }
    }
}

static DRIVER: FirstUse<Result<Driver>> = FirstUse::new();

/// The driver, opened and initialised on first use. Whether that works is decided once.
pub(crate) fn driver() -> Result<&'static Driver> {
    if process::inherited_driver() {
        return Err(Error::runtime(
            "CUDA was initialised before fork(), and a forked child cannot use its parent's driver; start the process with the \"spawn\" method, \
             or compute on the CPU (numptx.device(\"cpu\") or NUMPTX_DEVICE=cpu)",
        ));
    }
    if process::is_shut_down() {
        return Err(Error::runtime("the runtime is shut down: no GPU can be used while the process exits"));
    }
    let Ok(driver) = DRIVER.get_or_make(|| Ok::<_, Infallible>(open()));
    driver.as_ref().map_err(Error::clone)
}

/// The driver if it is open and may be used.
pub(crate) fn opened() -> Option<&'static Driver> {
    if process::leaves_devices_alone() { None } else { DRIVER.get()?.as_ref().ok() }
}

/// Whether an attempt to open the driver was made, and worked.
pub(crate) fn is_open() -> bool {
    opened().is_some()
}

fn open() -> Result<Driver> {
    process::touch_driver();
    let library = std::env::var("NUMPTX_LIBCUDA").unwrap_or_else(|_| "libcuda.so.1".to_string());
    let name = CString::new(library.as_str())
        .map_err(|_| Error::new(error_kind::CUDA, "NUMPTX_LIBCUDA holds a null character"))?;
    // SAFETY: opening a library by name; its initialisers are the driver's.
    let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    if handle.is_null() {
        return Err(Error::new(
            error_kind::CUDA,
            format!(
                "no CUDA driver: `{library}` cannot be opened ({}); install NVIDIA's driver or compute on the CPU",
                loader_text()
            ),
        ));
    }
    // SAFETY: the library was opened above.
    let driver = unsafe { Driver::resolve(library, handle) };
    if driver.level().is_some_and(|level| level < LEVEL) {
        return Err(Error::new(
            error_kind::CUDA,
            format!(
                "the CUDA driver in `{}` is for CUDA {}, and numptx needs one for CUDA 12.0 or later; update NVIDIA's driver, or compute on the CPU",
                driver.library,
                driver.cuda_version()
            ),
        ));
    }
    // SAFETY: `cuInit` takes 0.
    unsafe { driver.init(0) }.map_err(|failure| driver.explain(failure))?;
    process::watch_exit();
    Ok(driver)
}

/// Why the loader could not open the library that this thread asked for last.
pub(crate) fn loader_text() -> String {
    // SAFETY: `dlerror` returns null or a null-terminated string that lives until the next call on this thread.
    unsafe {
        let text = libc::dlerror();
        if text.is_null() { "no reason given".to_string() } else { CStr::from_ptr(text).to_string_lossy().into_owned() }
    }
}

impl Driver {
    /// Makes a mock driver know a kernel's host functions; nothing with a real one.
    pub(crate) fn register(&self, kernel: &Kernel) {
        if let Some(register) = self.register {
            // SAFETY: the kernel lives as long as its library.
            unsafe { register(kernel) };
        }
    }

    /// Whether it computes on the host.
    pub(crate) fn is_for_tests(&self) -> bool {
        self.register.is_some()
    }

    /// The CUDA version that the driver supports, as 12040; `None`: it does not tell.
    pub(crate) fn level(&self) -> Option<c_int> {
        let mut version: c_int = 0;
        // SAFETY: writes to a local.
        unsafe { self.version(&mut version) }.ok().map(|()| version)
    }

    /// The same, as people read it.
    pub(crate) fn cuda_version(&self) -> String {
        self.level()
            .map_or_else(|| "(it does not say)".to_string(), |level| format!("{}.{}", level / 1000, level % 1000 / 10))
    }

    /// The failure with the driver's name and text for it, and what to do.
    pub(crate) fn explain(&self, failure: Failure) -> Error {
        let Failure { call, code } = failure;
        if code == Failure::MISSING {
            let text = format!(
                "{call}: the driver in `{}` does not have it, and says that it is for CUDA {}; numptx needs a driver for CUDA 12.0 or later",
                self.library,
                self.cuda_version()
            );
            return Error::new(error_kind::CUDA, text);
        }
        let mut message = format!("{call}: {}", self.text_of(code));
        if let Some(hint) = hint(code) {
            let _ = write!(message, "; {hint}");
        }
        let kind = if code == Failure::OUT_OF_MEMORY { error_kind::MEMORY } else { error_kind::CUDA };
        Error::new(kind, message)
    }

    fn text_of(&self, code: c_int) -> String {
        let (mut name, mut text) = (std::ptr::null(), std::ptr::null());
        // SAFETY: both calls write a pointer to a static string, or null for codes that they do not know.
        unsafe {
            let _ = self.error_name(code, &mut name);
            let _ = self.error_text(code, &mut text);
            match (name.is_null(), text.is_null()) {
                (false, false) => {
                    format!("{} ({})", CStr::from_ptr(name).to_string_lossy(), CStr::from_ptr(text).to_string_lossy())
                }
                (false, true) => CStr::from_ptr(name).to_string_lossy().into_owned(),
                _ => format!("error {code}, which this driver does not name"),
            }
        }
    }
}

fn hint(code: c_int) -> Option<&'static str> {
    Some(match code {
        Failure::OUT_OF_MEMORY => "free arrays on the device, or compute in pieces",
        3 => "the driver is not initialised in this process; after fork() use the \"spawn\" method",
        Failure::NO_DEVICE => "no GPU is visible; check nvidia-smi and CUDA_VISIBLE_DEVICES",
        Failure::NO_BINARY => "compile for this GPU with --arch",
        Failure::UNSUPPORTED_PTX => "update NVIDIA's driver, or compile for an older --arch",
        700 | 702 | 714..=719 => {
            "the GPU's context is lost: results of this process on that device are invalid; restart the process"
        }
        900..=908 => {
            "a stream is being captured into a graph: nothing may wait for it until the capture ends, and work on it is not done yet"
        }
        701 => "the kernel needs more registers or threads than the GPU has",
        803 => {
            "the driver library and the kernel module have different versions; restart the machine or reinstall the driver"
        }
        _ => return None,
    })
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Error {
        match DRIVER.get() {
            Some(Ok(driver)) => driver.explain(failure),
            _ => Error::new(error_kind::CUDA, format!("{}: error {}", failure.call, failure.code)),
        }
    }
}
