//! Memory of the mock device: host memory, tracked by address. Copies are checked against live allocations when they run.

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::ffi::c_void;

use crate::pools::pool_of;
use crate::queries::device_of;
use crate::state::{
    CONTEXT_IS_DESTROYED, Code, INVALID_VALUE, NOT_SUPPORTED, OUT_OF_MEMORY, State, code, current_context, enter,
    enter_context, setting,
};
use crate::work::Op;

/// What device addresses are multiples of.
pub(crate) const ALIGN: usize = 256;
/// What page-locked host blocks are aligned to.
const PAGE: usize = 4096;
/// Device memory.
pub(crate) struct Allocation {
    pub(crate) bytes: usize,
    pub(crate) context: usize,
    /// The host and all devices may use it.
    pub(crate) is_managed: bool,
    /// A free was asked for.
    is_going: bool,
}

/// A page-locked block on the host.
pub(crate) struct Pinned {
    pub(crate) bytes: usize,
    pub(crate) context: usize,
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
    state.allocations.insert(address, Allocation { bytes, context, is_managed: false, is_going: false });
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
        let context = state.streams[&key].context;
        if pool_of(device_of(context)) != Some(pool.addr()) {
            state.violation("allocation from an unknown pool, or from another device's");
            return Err(INVALID_VALUE);
        }
        // Memory that belongs to a graph is not modelled: nobody here asks for any.
        if state.streams[&key].capture.is_some() {
            state.violation("memory from a pool in the order of a stream that is captured");
            return Err(NOT_SUPPORTED);
        }
        let address = allocate(&mut state, bytes, context)?;
        // SAFETY: as the caller promises.
        unsafe { *out = address };
        Ok(())
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemAllocManaged(out: *mut u64, bytes: usize, _flags: u32) -> Code {
    code((|| {
        let mut state = enter_context("cuMemAllocManaged")?;
        state.check_unsafe()?;
        let address = allocate(&mut state, bytes, current_context())?;
        if let Some(made) = state.allocations.get_mut(&address) {
            made.is_managed = true;
        }
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
/// As the driver's function. No right program relies on it to wait for work: what was put off and uses the memory is a violation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemFree_v2(address: u64) -> Code {
    code((|| {
        let mut state = enter("cuMemFree")?;
        state.check_unsafe()?;
        begin_free(&mut state, address)?;
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
        if pool_of(device_of(state.streams[&key].context)).is_none() {
            return Err(NOT_SUPPORTED);
        }
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
        let pinned = Pinned { bytes, context: current_context() };
        state.pinned.insert(block.expose_provenance(), pinned);
        state.counts.live_pinned += 1;
        // SAFETY: as the caller promises.
        unsafe { *out = block.cast() };
        Ok(())
    })())
}

/// # Safety
/// As the driver's function. As of [`cuMemFree_v2`]: it waits for nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemFreeHost(block: *mut c_void) -> Code {
    code((|| {
        let mut state = enter("cuMemFreeHost")?;
        state.check_unsafe()?;
        let Some(Pinned { bytes, .. }) = state.pinned.remove(&block.addr()) else {
            state.violation("free of host memory that is not page-locked");
            return Err(INVALID_VALUE);
        };
        state.counts.live_pinned -= 1;
        if let Ok(layout) = Layout::from_size_align(bytes, PAGE) {
            // SAFETY: allocated with this layout.
            unsafe {
                block.cast::<u8>().write_bytes(0xDD, bytes);
                dealloc(block.cast(), layout);
            }
        }
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
