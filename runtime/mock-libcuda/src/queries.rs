//! Initialisation, devices, contexts, and the texts of codes.

use std::ffi::{CStr, c_char, c_void};

use crate::memory::memory_bytes;
use crate::pools::pool_of;
use crate::state::{
    Code, INVALID_CONTEXT, INVALID_DEVICE, INVALID_VALUE, NAMES, NO_DEVICE, NOT_INITIALIZED, SUCCESS, code,
    current_context, enter, enter_context, initialise, is_child, set_current_context, setting,
};

/// The handle of device 0's primary context; the others follow.
const CONTEXT: usize = 0x700;

/// The CUDA version that the driver says it supports.
pub(crate) fn version() -> i32 {
    setting("NUMPTX_MOCK_VERSION", 12000) as i32
}

pub(crate) fn device_count() -> usize {
    setting("NUMPTX_MOCK_DEVICES", 1)
}

/// Compute capability times ten.
pub(crate) fn architecture() -> usize {
    setting("NUMPTX_MOCK_ARCH", 90)
}

/// Blocks of a grid at most, along x, y and z.
pub(crate) fn most_blocks() -> [u32; 3] {
    let most = |name, default| setting(name, default) as u32;
    [most("NUMPTX_MOCK_MAX_GRID_X", i32::MAX as usize), most("NUMPTX_MOCK_MAX_GRID_Y", 65535), 65535]
}

pub(crate) fn check_device(device: i32) -> Result<(), Code> {
    if usize::try_from(device).is_ok_and(|d| d < device_count()) { Ok(()) } else { Err(INVALID_DEVICE) }
}

/// The device of a primary context.
pub(crate) fn device_of(context: usize) -> i32 {
    context.wrapping_sub(CONTEXT) as i32
}

/// Bytes of shared memory of a block at most.
pub(crate) const SHARED_BYTES: u32 = 227 << 10;

/// Processors of the device.
pub(crate) const PROCESSORS: i32 = 132;

/// Writes a driver call's result.
///
/// # Safety
/// `out` is writable.
pub(crate) unsafe fn answer<T>(out: *mut T, value: Result<T, Code>) -> Code {
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
    if is_child() {
        return NOT_INITIALIZED;
    }
    if device_count() == 0 {
        return NO_DEVICE;
    }
    crate::faults::before("cuInit");
    initialise();
    SUCCESS
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDriverGetVersion(out: *mut i32) -> Code {
    // SAFETY: as the caller promises.
    unsafe { answer(out, Ok(version())) }
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetCount(out: *mut i32) -> Code {
    // SAFETY: as the caller promises.
    unsafe { answer(out, enter("cuDeviceGetCount").map(|_| device_count() as i32)) }
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGet(out: *mut i32, ordinal: i32) -> Code {
    // SAFETY: as the caller promises.
    unsafe { answer(out, enter("cuDeviceGet").and_then(|_| check_device(ordinal)).map(|()| ordinal)) }
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetName(out: *mut c_char, capacity: i32, device: i32) -> Code {
    code((|| {
        let _state = enter("cuDeviceGetName")?;
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
    let value = enter("cuDeviceGetAttribute").and_then(|_| check_device(device)).and_then(|()| match attribute {
        1 => Ok(1024),
        5..=7 => Ok(most_blocks()[attribute as usize - 5] as i32),
        16 => Ok(PROCESSORS),
        75 => Ok((architecture() / 10) as i32),
        76 => Ok((architecture() % 10) as i32),
        // Blocks of a launch can be told to be resident at once.
        95 => Ok(1),
        97 => Ok(SHARED_BYTES as i32),
        // Memory pools.
        115 => Ok(i32::from(pool_of(device).is_some())),
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
    unsafe { answer(out, enter("cuDeviceTotalMem").and_then(|_| check_device(device)).map(|()| memory_bytes())) }
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDevicePrimaryCtxRetain(out: *mut *mut c_void, device: i32) -> Code {
    let handle = enter("cuDevicePrimaryCtxRetain").and_then(|mut state| {
        state.check_unsafe()?;
        check_device(device)?;
        let handle = CONTEXT + device as usize;
        let (references, destroyed) = state.contexts.entry(handle).or_default();
        (*references, *destroyed) = (*references + 1, false);
        Ok(handle)
    });
    // SAFETY: as the caller promises.
    unsafe { answer(out, handle.map(std::ptr::without_provenance_mut)) }
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuCtxGetCurrent(out: *mut *mut c_void) -> Code {
    // SAFETY: as the caller promises.
    unsafe { answer(out, enter("cuCtxGetCurrent").map(|_| std::ptr::without_provenance_mut(current_context()))) }
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuCtxGetDevice(out: *mut i32) -> Code {
    let device = enter_context("cuCtxGetDevice").map(|_| device_of(current_context()));
    // SAFETY: as the caller promises.
    unsafe { answer(out, device) }
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuCtxSetCurrent(context: *mut c_void) -> Code {
    code((|| {
        let _state = enter("cuCtxSetCurrent")?;
        let handle = context.addr();
        if handle != 0 && !(CONTEXT..CONTEXT + device_count()).contains(&handle) {
            return Err(INVALID_CONTEXT);
        }
        set_current_context(handle);
        Ok(())
    })())
}

/// # Safety
/// As the driver's function. With its last reference the context goes, and everything in it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDevicePrimaryCtxRelease_v2(device: i32) -> Code {
    code((|| {
        let mut state = enter("cuDevicePrimaryCtxRelease")?;
        check_device(device)?;
        let (references, destroyed) = state.contexts.entry(CONTEXT + device as usize).or_default();
        *references = references.checked_sub(1).ok_or(INVALID_CONTEXT)?;
        *destroyed = *references == 0;
        Ok(())
    })())
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
