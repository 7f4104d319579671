//! Memory pools: each device has one, but for those that `NUMPTX_MOCK_POOLLESS` names, as GPUs that machines share may have none.

use std::ffi::c_void;

use crate::queries::{check_device, device_count};
use crate::state::{Code, INVALID_VALUE, NOT_SUPPORTED, code, enter};

/// The handle of device 0's pool; the others follow.
const POOL: usize = 0x900;
const RELEASE_THRESHOLD: i32 = 4;

/// The handle of a device's pool; `None`: it has none.
pub(crate) fn pool_of(device: i32) -> Option<usize> {
    let poolless = std::env::var("NUMPTX_MOCK_POOLLESS").unwrap_or_default();
    let has_none = poolless.split(',').any(|ordinal| ordinal.trim().parse() == Ok(device));
    (!has_none).then_some(POOL + device as usize)
}

fn check_pool(pool: *mut c_void) -> Result<(), Code> {
    if (0..device_count() as i32).any(|device| pool_of(device) == Some(pool.addr())) {
        Ok(())
    } else {
        Err(INVALID_VALUE)
    }
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetMemPool(out: *mut *mut c_void, device: i32) -> Code {
    code((|| {
        let _state = enter("cuDeviceGetMemPool")?;
        check_device(device)?;
        let pool = pool_of(device).ok_or(NOT_SUPPORTED)?;
        // SAFETY: as the caller promises.
        unsafe { *out = std::ptr::without_provenance_mut(pool) };
        Ok(())
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemPoolGetAttribute(pool: *mut c_void, attribute: i32, value: *mut c_void) -> Code {
    code((|| {
        let state = enter("cuMemPoolGetAttribute")?;
        check_pool(pool)?;
        let number = if attribute == RELEASE_THRESHOLD { state.release_threshold } else { state.used_bytes as u64 };
        // SAFETY: as the caller promises: the attributes are 64-bit integers.
        unsafe { *value.cast::<u64>() = number };
        Ok(())
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemPoolSetAttribute(pool: *mut c_void, attribute: i32, value: *mut c_void) -> Code {
    code((|| {
        let mut state = enter("cuMemPoolSetAttribute")?;
        state.check_unsafe()?;
        check_pool(pool)?;
        if attribute != RELEASE_THRESHOLD {
            return Err(INVALID_VALUE);
        }
        // SAFETY: as the caller promises.
        state.release_threshold = unsafe { *value.cast::<u64>() };
        Ok(())
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemPoolTrimTo(pool: *mut c_void, _keep: usize) -> Code {
    code((|| {
        let mut state = enter("cuMemPoolTrimTo")?;
        state.check_unsafe()?;
        check_pool(pool)
    })())
}
