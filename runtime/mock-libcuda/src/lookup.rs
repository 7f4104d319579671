//! The look-up of functions by name, as far as the driver's version and `NUMPTX_MOCK_MISSING` have them.

use std::ffi::{CStr, c_char, c_void};

use crate::queries::{answer, version};
use crate::state::{Code, NOT_FOUND};
use crate::{
    capture, clusters, copies, events, graphs, launch, memory, modules, objects, pointers, pools, queries, streams,
    updates,
};

macro_rules! lookup {
    ($name:expr, $($text:literal => $function:path),* $(,)?) => {
        match $name {
            $( $text => $function as *const c_void, )*
            _ => std::ptr::null(),
        }
    };
}

fn find(name: &str) -> *const c_void {
    lookup!(name,
        "cuInit" => queries::cuInit,
        "cuDriverGetVersion" => queries::cuDriverGetVersion,
        "cuDeviceGetCount" => queries::cuDeviceGetCount,
        "cuDeviceGet" => queries::cuDeviceGet,
        "cuDeviceGetName" => queries::cuDeviceGetName,
        "cuDeviceGetAttribute" => queries::cuDeviceGetAttribute,
        "cuDeviceTotalMem" => queries::cuDeviceTotalMem_v2,
        "cuDevicePrimaryCtxRetain" => queries::cuDevicePrimaryCtxRetain,
        "cuDevicePrimaryCtxRelease" => queries::cuDevicePrimaryCtxRelease_v2,
        "cuCtxGetCurrent" => queries::cuCtxGetCurrent,
        "cuCtxGetDevice" => queries::cuCtxGetDevice,
        "cuCtxSetCurrent" => queries::cuCtxSetCurrent,
        "cuCtxSynchronize" => streams::cuCtxSynchronize,
        "cuDeviceGetMemPool" => pools::cuDeviceGetMemPool,
        "cuMemPoolGetAttribute" => pools::cuMemPoolGetAttribute,
        "cuMemPoolSetAttribute" => pools::cuMemPoolSetAttribute,
        "cuMemPoolTrimTo" => pools::cuMemPoolTrimTo,
        "cuMemAllocFromPoolAsync" => memory::cuMemAllocFromPoolAsync,
        "cuMemAlloc" => memory::cuMemAlloc_v2,
        "cuMemAllocManaged" => memory::cuMemAllocManaged,
        "cuMemFree" => memory::cuMemFree_v2,
        "cuMemFreeAsync" => memory::cuMemFreeAsync,
        "cuMemGetInfo" => memory::cuMemGetInfo_v2,
        "cuMemHostAlloc" => memory::cuMemHostAlloc,
        "cuPointerGetAttributes" => pointers::cuPointerGetAttributes,
        "cuMemFreeHost" => memory::cuMemFreeHost,
        "cuMemcpyHtoDAsync" => copies::cuMemcpyHtoDAsync_v2,
        "cuMemcpyDtoHAsync" => copies::cuMemcpyDtoHAsync_v2,
        "cuMemcpyDtoDAsync" => copies::cuMemcpyDtoDAsync_v2,
        "cuMemcpy2DAsync" => copies::cuMemcpy2DAsync_v2,
        "cuMemcpyPeerAsync" => copies::cuMemcpyPeerAsync,
        "cuMemsetD8Async" => copies::cuMemsetD8Async,
        "cuStreamCreate" => streams::cuStreamCreate,
        "cuStreamCreateWithPriority" => streams::cuStreamCreateWithPriority,
        "cuStreamGetPriority" => streams::cuStreamGetPriority,
        "cuStreamDestroy" => streams::cuStreamDestroy_v2,
        "cuStreamSynchronize" => streams::cuStreamSynchronize,
        "cuStreamQuery" => streams::cuStreamQuery,
        "cuStreamGetCtx" => streams::cuStreamGetCtx,
        "cuStreamWaitEvent" => events::cuStreamWaitEvent,
        "cuStreamBeginCapture" => capture::cuStreamBeginCapture_v2,
        "cuStreamEndCapture" => capture::cuStreamEndCapture,
        "cuStreamIsCapturing" => capture::cuStreamIsCapturing,
        "cuStreamGetCaptureInfo" => capture::cuStreamGetCaptureInfo_v2,
        "cuThreadExchangeStreamCaptureMode" => capture::cuThreadExchangeStreamCaptureMode,
        "cuEventCreate" => events::cuEventCreate,
        "cuEventRecord" => events::cuEventRecord,
        "cuEventQuery" => events::cuEventQuery,
        "cuEventSynchronize" => events::cuEventSynchronize,
        "cuEventElapsedTime" => events::cuEventElapsedTime,
        "cuEventDestroy" => events::cuEventDestroy_v2,
        "cuGraphInstantiateWithFlags" => graphs::cuGraphInstantiateWithFlags,
        "cuGraphExecUpdate" => updates::cuGraphExecUpdate_v2,
        "cuGraphLaunch" => graphs::cuGraphLaunch,
        "cuGraphDestroy" => graphs::cuGraphDestroy,
        "cuGraphExecDestroy" => graphs::cuGraphExecDestroy,
        "cuGraphCreate" => graphs::cuGraphCreate,
        "cuGraphAddKernelNode" => graphs::cuGraphAddKernelNode_v2,
        "cuGraphExecKernelNodeSetParams" => graphs::cuGraphExecKernelNodeSetParams_v2,
        "cuGraphGetNodes" => graphs::cuGraphGetNodes,
        "cuUserObjectCreate" => objects::cuUserObjectCreate,
        "cuUserObjectRelease" => objects::cuUserObjectRelease,
        "cuGraphRetainUserObject" => objects::cuGraphRetainUserObject,
        "cuModuleLoadDataEx" => modules::cuModuleLoadDataEx,
        "cuFuncGetAttribute" => modules::cuFuncGetAttribute,
        "cuModuleGetFunction" => modules::cuModuleGetFunction,
        "cuFuncSetAttribute" => clusters::cuFuncSetAttribute,
        "cuOccupancyMaxActiveClusters" => clusters::cuOccupancyMaxActiveClusters,
        "cuLaunchKernelEx" => clusters::cuLaunchKernelEx,
        "cuLaunchKernel" => launch::cuLaunchKernel,
        "cuLaunchCooperativeKernel" => launch::cuLaunchCooperativeKernel,
        "cuGetErrorName" => queries::cuGetErrorName,
        "cuGetErrorString" => queries::cuGetErrorString,
    )
}

fn is_missing(name: &str) -> bool {
    std::env::var("NUMPTX_MOCK_MISSING").is_ok_and(|names| names.split(',').any(|missing| missing == name))
}

/// The level that brought a function; those of which it is not known have been there always.
fn first_level(name: &str) -> i32 {
    if name == "cuDriverGetVersion" { 2020 } else { 0 }
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetProcAddress_v2(
    name: *const c_char,
    out: *mut *mut c_void,
    level: i32,
    _flags: u64,
    status: *mut i32,
) -> Code {
    // SAFETY: as the caller promises: a null-terminated name.
    let name = unsafe { CStr::from_ptr(name) }.to_str().unwrap_or("");
    let found = if is_missing(name) { std::ptr::null() } else { find(name) };
    let is_new = level > version() || level < first_level(name);
    let outcome = if found.is_null() || is_new { Err(NOT_FOUND) } else { Ok(found.cast_mut()) };
    if !status.is_null() {
        // SAFETY: as the caller promises. 1: no such symbol; 2: the driver is too old for it.
        unsafe { *status = if found.is_null() { 1 } else { i32::from(is_new) * 2 } };
    }
    // SAFETY: as the caller promises.
    unsafe { answer(out, outcome) }
}
