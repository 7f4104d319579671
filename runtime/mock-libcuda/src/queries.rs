//! Initialisation, devices, contexts, streams, events, texts and the look-up of functions.

use std::ffi::{CStr, c_char, c_void};

use crate::memory::memory_bytes;
use crate::state::{
    Code, INVALID_CONTEXT, INVALID_DEVICE, INVALID_HANDLE, INVALID_VALUE, NAMES, NO_DEVICE, NOT_FOUND, SUCCESS, code,
    current_context, enter, enter_context, enter_work, initialise, set_current_context, setting,
};

/// The handle of device 0's primary context; the others follow.
const CONTEXT: usize = 0x700;
/// What the mock says it supports: CUDA 12.0.
const LEVEL: i32 = 12000;

fn device_count() -> usize {
    setting("NUMPTX_MOCK_DEVICES", 1)
}

/// Compute capability times ten.
pub(crate) fn architecture() -> usize {
    setting("NUMPTX_MOCK_ARCH", 90)
}

pub(crate) fn check_device(device: i32) -> Result<(), Code> {
    if usize::try_from(device).is_ok_and(|d| d < device_count()) { Ok(()) } else { Err(INVALID_DEVICE) }
}

/// Writes a driver call's result.
///
/// # Safety
/// `out` is writable.
unsafe fn answer<T>(out: *mut T, value: Result<T, Code>) -> Code {
    code(value.map(|v| {
        // SAFETY: as the caller promises.
        unsafe { *out = v }
    }))
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuInit(flags: u32) -> Code {
    if flags != 0 {
        return INVALID_VALUE;
    }
    if device_count() == 0 {
        return NO_DEVICE;
    }
    initialise();
    SUCCESS
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDriverGetVersion(out: *mut i32) -> Code {
    // SAFETY: as the caller promises.
    unsafe { answer(out, Ok(LEVEL)) }
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetCount(out: *mut i32) -> Code {
    // SAFETY: as the caller promises.
    unsafe { answer(out, enter().map(|_| device_count() as i32)) }
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGet(out: *mut i32, ordinal: i32) -> Code {
    // SAFETY: as the caller promises.
    unsafe { answer(out, enter().and_then(|_| check_device(ordinal)).map(|()| ordinal)) }
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetName(out: *mut c_char, capacity: i32, device: i32) -> Code {
    code((|| {
        let _state = enter()?;
        check_device(device)?;
        let name = c"Mock GPU".to_bytes_with_nul();
        if usize::try_from(capacity).is_ok_and(|c| c < name.len()) {
            return Err(INVALID_VALUE);
        }
        // SAFETY: as the caller promises: room for `capacity` bytes.
        unsafe { std::ptr::copy_nonoverlapping(name.as_ptr(), out.cast::<u8>(), name.len()) };
        Ok(())
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetAttribute(out: *mut i32, attribute: i32, device: i32) -> Code {
    let value = enter().and_then(|_| check_device(device)).and_then(|()| match attribute {
        1 => Ok(1024),
        16 => Ok(132),
        75 => Ok((architecture() / 10) as i32),
        76 => Ok((architecture() % 10) as i32),
        115 => Ok(1),
        _ => Err(INVALID_VALUE),
    });
    // SAFETY: as the caller promises.
    unsafe { answer(out, value) }
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceTotalMem_v2(out: *mut usize, device: i32) -> Code {
    // SAFETY: as the caller promises.
    unsafe { answer(out, enter().and_then(|_| check_device(device)).map(|()| memory_bytes())) }
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDevicePrimaryCtxRetain(out: *mut *mut c_void, device: i32) -> Code {
    let handle = enter().and_then(|_| check_device(device)).map(|()| CONTEXT + device as usize);
    // SAFETY: as the caller promises.
    unsafe { answer(out, handle.map(std::ptr::without_provenance_mut)) }
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuCtxGetCurrent(out: *mut *mut c_void) -> Code {
    // SAFETY: as the caller promises.
    unsafe { answer(out, enter().map(|_| std::ptr::without_provenance_mut(current_context()))) }
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuCtxSetCurrent(context: *mut c_void) -> Code {
    code((|| {
        let _state = enter()?;
        let handle = context.addr();
        if handle != 0 && !(CONTEXT..CONTEXT + device_count()).contains(&handle) {
            return Err(INVALID_CONTEXT);
        }
        set_current_context(handle);
        Ok(())
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuCtxSynchronize() -> Code {
    code(enter_work().map(|mut state| state.counts.waits += 1))
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamSynchronize(_stream: *mut c_void) -> Code {
    code(enter_work().map(|mut state| state.counts.waits += 1))
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventCreate(out: *mut *mut c_void, _flags: u32) -> Code {
    let made = enter_context().map(|mut state| {
        state.events.push(true);
        std::ptr::without_provenance_mut(state.events.len())
    });
    // SAFETY: as the caller promises.
    unsafe { answer(out, made) }
}

fn with_event(event: *mut c_void, change: impl FnOnce(&mut bool)) -> Result<(), Code> {
    let mut state = enter()?;
    match event.addr().checked_sub(1).and_then(|i| state.events.get_mut(i)) {
        Some(alive) if *alive => {
            change(alive);
            Ok(())
        }
        _ => {
            state.violation("use of an event that is not alive");
            Err(INVALID_HANDLE)
        }
    }
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventRecord(event: *mut c_void, _stream: *mut c_void) -> Code {
    code(with_event(event, |_| {}))
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuStreamWaitEvent(_stream: *mut c_void, event: *mut c_void, _flags: u32) -> Code {
    code(with_event(event, |_| {}))
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventDestroy_v2(event: *mut c_void) -> Code {
    code(with_event(event, |alive| *alive = false))
}

fn text_of(
    error: Code,
    pick: impl Fn(&(Code, &'static CStr, &'static CStr)) -> &'static CStr,
) -> Result<*const c_char, Code> {
    NAMES.iter().find(|row| row.0 == error).map(|row| pick(row).as_ptr()).ok_or(INVALID_VALUE)
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorName(error: Code, out: *mut *const c_char) -> Code {
    // SAFETY: as the caller promises.
    unsafe { answer(out, text_of(error, |row| row.1)) }
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorString(error: Code, out: *mut *const c_char) -> Code {
    // SAFETY: as the caller promises.
    unsafe { answer(out, text_of(error, |row| row.2)) }
}

macro_rules! lookup {
    ($name:expr, $($text:literal => $function:path),* $(,)?) => {
        match $name {
            $( $text => $function as *const c_void, )*
            _ => std::ptr::null(),
        }
    };
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
    use crate::{launch, memory, modules};
    // SAFETY: as the caller promises: a null-terminated name.
    let name = unsafe { CStr::from_ptr(name) }.to_str().unwrap_or("");
    let found = lookup!(name,
        "cuInit" => cuInit,
        "cuDriverGetVersion" => cuDriverGetVersion,
        "cuDeviceGetCount" => cuDeviceGetCount,
        "cuDeviceGet" => cuDeviceGet,
        "cuDeviceGetName" => cuDeviceGetName,
        "cuDeviceGetAttribute" => cuDeviceGetAttribute,
        "cuDeviceTotalMem" => cuDeviceTotalMem_v2,
        "cuDevicePrimaryCtxRetain" => cuDevicePrimaryCtxRetain,
        "cuCtxGetCurrent" => cuCtxGetCurrent,
        "cuCtxSetCurrent" => cuCtxSetCurrent,
        "cuCtxSynchronize" => cuCtxSynchronize,
        "cuDeviceGetMemPool" => memory::cuDeviceGetMemPool,
        "cuMemPoolGetAttribute" => memory::cuMemPoolGetAttribute,
        "cuMemPoolSetAttribute" => memory::cuMemPoolSetAttribute,
        "cuMemPoolTrimTo" => memory::cuMemPoolTrimTo,
        "cuMemAllocFromPoolAsync" => memory::cuMemAllocFromPoolAsync,
        "cuMemAlloc" => memory::cuMemAlloc_v2,
        "cuMemFree" => memory::cuMemFree_v2,
        "cuMemFreeAsync" => memory::cuMemFreeAsync,
        "cuMemGetInfo" => memory::cuMemGetInfo_v2,
        "cuMemcpyHtoDAsync" => memory::cuMemcpyHtoDAsync_v2,
        "cuMemcpyDtoHAsync" => memory::cuMemcpyDtoHAsync_v2,
        "cuMemcpyDtoDAsync" => memory::cuMemcpyDtoDAsync_v2,
        "cuMemsetD8Async" => memory::cuMemsetD8Async,
        "cuStreamSynchronize" => cuStreamSynchronize,
        "cuStreamWaitEvent" => cuStreamWaitEvent,
        "cuEventCreate" => cuEventCreate,
        "cuEventRecord" => cuEventRecord,
        "cuEventDestroy" => cuEventDestroy_v2,
        "cuModuleLoadDataEx" => modules::cuModuleLoadDataEx,
        "cuModuleGetFunction" => modules::cuModuleGetFunction,
        "cuLaunchKernel" => launch::cuLaunchKernel,
        "cuGetErrorName" => cuGetErrorName,
        "cuGetErrorString" => cuGetErrorString,
    );
    let old = level < LEVEL;
    let outcome = if found.is_null() || old { Err(NOT_FOUND) } else { Ok(found.cast_mut()) };
    if !status.is_null() {
        // SAFETY: as the caller promises. 1: no such symbol; 2: the level is too low.
        unsafe { *status = if found.is_null() { 1 } else { i32::from(old) * 2 } };
    }
    // SAFETY: as the caller promises.
    unsafe { answer(out, outcome) }
}
