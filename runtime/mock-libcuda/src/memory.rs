//! Memory of the mock device: host memory, tracked by address. Copies are checked against live allocations.

use std::alloc::{Layout, alloc, dealloc};
use std::ffi::c_void;

use crate::state::{
    Code, INVALID_CONTEXT, INVALID_VALUE, OUT_OF_MEMORY, State, code, current_context, enter, enter_context,
    enter_work, setting,
};

/// What device addresses are multiples of.
const ALIGN: usize = 256;
/// The pool's handle.
const POOL: usize = 0x900;
const RELEASE_THRESHOLD: i32 = 4;

pub(crate) fn memory_bytes() -> usize {
    setting("NUMPTX_MOCK_MEMORY", 16 << 30)
}

fn allocate(state: &mut State, bytes: usize) -> Result<u64, Code> {
    if bytes == 0 {
        return Err(INVALID_VALUE);
    }
    if state.allocations_to_pass > 0 {
        state.allocations_to_pass -= 1;
    } else if state.allocations_to_fail > 0 {
        state.allocations_to_fail -= 1;
        return Err(OUT_OF_MEMORY);
    }
    if state.used_bytes.saturating_add(bytes) > memory_bytes() {
        return Err(OUT_OF_MEMORY);
    }
    let layout = Layout::from_size_align(bytes, ALIGN).map_err(|_| OUT_OF_MEMORY)?;
    // SAFETY: the layout is not empty.
    let memory = unsafe { alloc(layout) };
    if memory.is_null() {
        return Err(OUT_OF_MEMORY);
    }
    // Fresh device memory holds anything: reading it before writing must show.
    // SAFETY: just allocated.
    unsafe { memory.write_bytes(0xCB, bytes) };
    let address = memory.expose_provenance() as u64;
    state.allocations.insert(address, bytes);
    state.used_bytes += bytes;
    state.counts.allocations += 1;
    state.counts.live_allocations += 1;
    state.counts.live_bytes += bytes as i64;
    Ok(address)
}

fn free(state: &mut State, address: u64) -> Result<(), Code> {
    let Some(bytes) = state.allocations.remove(&address) else {
        state.violation(&format!("free of {address:#x}, which is no live allocation"));
        return Err(INVALID_VALUE);
    };
    state.used_bytes -= bytes;
    state.counts.live_allocations -= 1;
    state.counts.live_bytes -= bytes as i64;
    if let Ok(layout) = Layout::from_size_align(bytes, ALIGN) {
        let memory = std::ptr::with_exposed_provenance_mut::<u8>(address as usize);
        // SAFETY: allocated with this layout; used after this it is somebody else's bug, made visible.
        unsafe {
            memory.write_bytes(0xDD, bytes);
            dealloc(memory, layout);
        }
    }
    Ok(())
}

/// A null stream means the current context's: there must be one.
fn check_stream(stream: *mut c_void) -> Result<(), Code> {
    if stream.is_null() && current_context() == 0 { Err(INVALID_CONTEXT) } else { Ok(()) }
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemAllocFromPoolAsync(
    out: *mut u64,
    bytes: usize,
    pool: *mut c_void,
    stream: *mut c_void,
) -> Code {
    code((|| {
        let mut state = enter()?;
        check_stream(stream)?;
        if pool.addr() != POOL {
            state.violation("allocation from an unknown pool");
            return Err(INVALID_VALUE);
        }
        let address = allocate(&mut state, bytes)?;
        // SAFETY: as the caller promises.
        unsafe { *out = address };
        Ok(())
    })())
}

/// For tests: memory of another library.
///
/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemAlloc_v2(out: *mut u64, bytes: usize) -> Code {
    code((|| {
        let address = allocate(&mut *enter_context()?, bytes)?;
        // SAFETY: as the caller promises.
        unsafe { *out = address };
        Ok(())
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemFree_v2(address: u64) -> Code {
    code(enter().and_then(|mut state| free(&mut state, address)))
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemFreeAsync(address: u64, stream: *mut c_void) -> Code {
    code((|| {
        let mut state = enter()?;
        check_stream(stream)?;
        free(&mut state, address)
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemGetInfo_v2(available: *mut usize, total: *mut usize) -> Code {
    code((|| {
        let state = enter_context()?;
        // SAFETY: as the caller promises.
        unsafe {
            *total = memory_bytes();
            *available = memory_bytes().saturating_sub(state.used_bytes);
        }
        Ok(())
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetMemPool(out: *mut *mut c_void, device: i32) -> Code {
    code((|| {
        let _state = enter()?;
        crate::queries::check_device(device)?;
        // SAFETY: as the caller promises.
        unsafe { *out = std::ptr::without_provenance_mut(POOL) };
        Ok(())
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemPoolGetAttribute(pool: *mut c_void, attribute: i32, value: *mut c_void) -> Code {
    code((|| {
        let state = enter()?;
        if pool.addr() != POOL {
            return Err(INVALID_VALUE);
        }
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
        let mut state = enter()?;
        if pool.addr() != POOL || attribute != RELEASE_THRESHOLD {
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
    code(enter().and_then(|_| if pool.addr() == POOL { Ok(()) } else { Err(INVALID_VALUE) }))
}

fn check_device_range(state: &mut State, address: u64, bytes: usize, what: &str) -> Result<(), Code> {
    if state.holds(address, bytes) {
        return Ok(());
    }
    state.violation(&format!("{what}: {bytes} bytes at {address:#x} are not in one live allocation"));
    Err(INVALID_VALUE)
}

fn pointer(address: u64) -> *mut u8 {
    std::ptr::with_exposed_provenance_mut(address as usize)
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyHtoDAsync_v2(to: u64, from: *const c_void, bytes: usize, stream: *mut c_void) -> Code {
    code((|| {
        let mut state = enter_work()?;
        check_stream(stream)?;
        check_device_range(&mut state, to, bytes, "copy to the device")?;
        state.counts.uploads += 1;
        // SAFETY: the destination was checked; the source is the caller's.
        unsafe { std::ptr::copy(from.cast::<u8>(), pointer(to), bytes) };
        Ok(())
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyDtoHAsync_v2(to: *mut c_void, from: u64, bytes: usize, stream: *mut c_void) -> Code {
    code((|| {
        let mut state = enter_work()?;
        check_stream(stream)?;
        check_device_range(&mut state, from, bytes, "copy from the device")?;
        state.counts.downloads += 1;
        // SAFETY: the source was checked; the destination is the caller's.
        unsafe { std::ptr::copy(pointer(from), to.cast::<u8>(), bytes) };
        Ok(())
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyDtoDAsync_v2(to: u64, from: u64, bytes: usize, stream: *mut c_void) -> Code {
    code((|| {
        let mut state = enter_work()?;
        check_stream(stream)?;
        check_device_range(&mut state, from, bytes, "copy on the device (source)")?;
        check_device_range(&mut state, to, bytes, "copy on the device (destination)")?;
        // SAFETY: both ranges were checked.
        unsafe { std::ptr::copy(pointer(from), pointer(to), bytes) };
        Ok(())
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemsetD8Async(to: u64, value: u8, bytes: usize, stream: *mut c_void) -> Code {
    code((|| {
        let mut state = enter_work()?;
        check_stream(stream)?;
        check_device_range(&mut state, to, bytes, "fill")?;
        // SAFETY: the range was checked.
        unsafe { pointer(to).write_bytes(value, bytes) };
        Ok(())
    })())
}
