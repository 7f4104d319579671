//! Memory of the mock device: host memory, tracked by address. Copies are checked against live allocations when they run.

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::ffi::c_void;

use crate::state::{
    CONTEXT_IS_DESTROYED, Code, INVALID_VALUE, NOT_SUPPORTED, OUT_OF_MEMORY, State, code, current_context, enter,
    enter_context, setting,
};
use crate::work::Op;

/// What device addresses are multiples of.
pub(crate) const ALIGN: usize = 256;
/// What page-locked host blocks are aligned to.
const PAGE: usize = 4096;
/// The pool's handle.
const POOL: usize = 0x900;
const RELEASE_THRESHOLD: i32 = 4;
/// The attribute of addresses that tells of what kind the memory is.
const MEMORY_TYPE: i32 = 2;

/// Device memory.
pub(crate) struct Allocation {
    pub(crate) bytes: usize,
    context: usize,
    /// A free was asked for.
    is_going: bool,
}

pub(crate) fn memory_bytes() -> usize {
    setting("NUMPTX_MOCK_MEMORY", 16 << 30)
}

fn allocate(state: &mut State, bytes: usize, context: usize) -> Result<u64, Code> {
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
    state.allocations.insert(address, Allocation { bytes, context, is_going: false });
    state.used_bytes += bytes;
    state.counts.allocations += 1;
    state.counts.live_allocations += 1;
    state.counts.live_bytes += bytes as i64;
    Ok(address)
}

/// Marks memory as freed, for whoever frees it again.
fn begin_free(state: &mut State, address: u64) -> Result<(), Code> {
    let Some(found) = state.allocations.get_mut(&address).filter(|found| !found.is_going) else {
        state.violation(&format!("free of {address:#x}, which is no live allocation"));
        return Err(INVALID_VALUE);
    };
    let context = found.context;
    if state.is_destroyed(context) {
        return Err(CONTEXT_IS_DESTROYED);
    }
    if let Some(found) = state.allocations.get_mut(&address) {
        found.is_going = true;
    }
    Ok(())
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
        let mut state = enter("cuMemAllocFromPoolAsync")?;
        let key = state.stream(stream)?;
        if pool.addr() != POOL {
            state.violation("allocation from an unknown pool");
            return Err(INVALID_VALUE);
        }
        // Memory that belongs to a graph is not modelled: nobody here asks for any.
        if state.streams[&key].capture.is_some() {
            state.violation("memory from a pool in the order of a stream that is captured");
            return Err(NOT_SUPPORTED);
        }
        let context = state.streams[&key].context;
        let address = allocate(&mut state, bytes, context)?;
        // SAFETY: as the caller promises.
        unsafe { *out = address };
        Ok(())
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemAlloc_v2(out: *mut u64, bytes: usize) -> Code {
    code((|| {
        let mut state = enter_context("cuMemAlloc")?;
        state.check_unsafe()?;
        let address = allocate(&mut state, bytes, current_context())?;
        // SAFETY: as the caller promises.
        unsafe { *out = address };
        Ok(())
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemFree_v2(address: u64) -> Code {
    code((|| {
        let mut state = enter("cuMemFree")?;
        state.check_unsafe()?;
        begin_free(&mut state, address)?;
        state.run_all();
        state.give_up(address)
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemFreeAsync(address: u64, stream: *mut c_void) -> Code {
    code((|| {
        let mut state = enter("cuMemFreeAsync")?;
        let key = state.stream(stream)?;
        // Not the graph's memory: refused, and the capture goes on.
        if state.streams[&key].capture.is_some() {
            return Err(INVALID_VALUE);
        }
        begin_free(&mut state, address)?;
        state.submit(key, Op::Free(address))
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemHostAlloc(out: *mut *mut c_void, bytes: usize, _flags: u32) -> Code {
    code((|| {
        let mut state = enter_context("cuMemHostAlloc")?;
        state.check_unsafe()?;
        let layout = Layout::from_size_align(bytes, PAGE).map_err(|_| OUT_OF_MEMORY)?;
        if bytes == 0 {
            return Err(INVALID_VALUE);
        }
        // SAFETY: the layout is not empty.
        let block = unsafe { alloc_zeroed(layout) };
        if block.is_null() {
            return Err(OUT_OF_MEMORY);
        }
        state.pinned.insert(block.expose_provenance(), bytes);
        state.counts.live_pinned += 1;
        // SAFETY: as the caller promises.
        unsafe { *out = block.cast() };
        Ok(())
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemFreeHost(block: *mut c_void) -> Code {
    code((|| {
        let mut state = enter("cuMemFreeHost")?;
        state.check_unsafe()?;
        let Some(bytes) = state.pinned.remove(&block.addr()) else {
            state.violation("free of host memory that is not page-locked");
            return Err(INVALID_VALUE);
        };
        state.counts.live_pinned -= 1;
        state.run_all();
        if let Ok(layout) = Layout::from_size_align(bytes, PAGE) {
            // SAFETY: allocated with this layout.
            unsafe { dealloc(block.cast(), layout) };
        }
        Ok(())
    })())
}

/// # Safety
/// As the driver's function. It tells the type of memory, and nothing else.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuPointerGetAttributes(
    n: u32,
    attributes: *const i32,
    values: *const *mut c_void,
    pointer: u64,
) -> Code {
    code((|| {
        let state = enter_context("cuPointerGetAttributes")?;
        // SAFETY: as the caller promises.
        if n != 1 || unsafe { *attributes } != MEMORY_TYPE {
            return Err(NOT_SUPPORTED);
        }
        // Host, device, and what the driver does not know.
        let kind = match pointer {
            _ if state.is_pinned(pointer as usize, 1) => 1,
            _ if state.holds(pointer, 1) => 2,
            _ => 0,
        };
        // SAFETY: as the caller promises.
        unsafe { (*values).cast::<u32>().write(kind) };
        Ok(())
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemGetInfo_v2(available: *mut usize, total: *mut usize) -> Code {
    code((|| {
        let state = enter_context("cuMemGetInfo")?;
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
        let _state = enter("cuDeviceGetMemPool")?;
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
        let state = enter("cuMemPoolGetAttribute")?;
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
        let mut state = enter("cuMemPoolSetAttribute")?;
        state.check_unsafe()?;
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
    code((|| {
        let mut state = enter("cuMemPoolTrimTo")?;
        state.check_unsafe()?;
        if pool.addr() == POOL { Ok(()) } else { Err(INVALID_VALUE) }
    })())
}
