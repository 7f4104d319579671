//! Copies between memories of the mock device and the host, and fills. They are checked against live allocations when they run.

use std::ffi::c_void;
use std::sync::Arc;

use crate::state::{CONTEXT_IS_DESTROYED, Code, INVALID_CONTEXT, INVALID_VALUE, code, enter_work};
use crate::work::{Op, Source};

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyHtoDAsync_v2(to: u64, from: *const c_void, bytes: usize, stream: *mut c_void) -> Code {
    code((|| {
        let mut state = enter_work("cuMemcpyHtoDAsync")?;
        let key = state.own_stream(stream)?;
        state.counts.uploads += 1;
        let address = from.expose_provenance();
        let is_captured = state.streams[&key].capture.is_some();
        let from = if is_captured || state.is_pinned(address, bytes) {
            Source::Host(address)
        } else {
            // SAFETY: as the caller promises.
            Source::Bytes(Arc::new(unsafe { std::slice::from_raw_parts(from.cast::<u8>(), bytes) }.to_vec()))
        };
        state.submit(key, Op::ToDevice { to, from, bytes })
    })())
}

/// # Safety
/// As the driver's function. Into pageable memory it waits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyDtoHAsync_v2(to: *mut c_void, from: u64, bytes: usize, stream: *mut c_void) -> Code {
    code((|| {
        let mut state = enter_work("cuMemcpyDtoHAsync")?;
        let key = state.own_stream(stream)?;
        state.counts.downloads += 1;
        let to = to.expose_provenance();
        let waits = state.streams[&key].capture.is_none() && !state.is_pinned(to, bytes);
        state.submit(key, Op::ToHost { to, from, bytes })?;
        if waits { state.run_stream(key, u64::MAX) } else { Ok(()) }
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyDtoDAsync_v2(to: u64, from: u64, bytes: usize, stream: *mut c_void) -> Code {
    code((|| {
        let mut state = enter_work("cuMemcpyDtoDAsync")?;
        let key = state.own_stream(stream)?;
        state.submit(key, Op::ToDevice { to, from: Source::Device(from), bytes })
    })())
}

/// One side of a rectangle.
#[repr(C)]
pub struct Rectangle {
    x_bytes: usize,
    y: usize,
    /// 2: device memory, the only kind that is taken here.
    kind: u32,
    host: *mut c_void,
    device: u64,
    array: *mut c_void,
    pitch: usize,
}

/// `CUDA_MEMCPY2D`.
#[repr(C)]
pub struct Copy2d {
    from: Rectangle,
    to: Rectangle,
    width_bytes: usize,
    height: usize,
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpy2DAsync_v2(copy: *const Copy2d, stream: *mut c_void) -> Code {
    const DEVICE_MEMORY: u32 = 2;
    code((|| {
        let mut state = enter_work("cuMemcpy2DAsync")?;
        let key = state.own_stream(stream)?;
        // SAFETY: as the caller promises.
        let copy = unsafe { &*copy };
        let is_plain = |side: &Rectangle| {
            side.kind == DEVICE_MEMORY && side.pitch >= copy.width_bytes && side.pitch <= i32::MAX as usize
        };
        if !is_plain(&copy.from) || !is_plain(&copy.to) {
            return Err(INVALID_VALUE);
        }
        let row = |side: &Rectangle, y: usize| side.device + ((side.y + y) * side.pitch + side.x_bytes) as u64;
        for y in 0..copy.height {
            let (to, from) = (row(&copy.to, y), Source::Device(row(&copy.from, y)));
            state.submit(key, Op::ToDevice { to, from, bytes: copy.width_bytes })?;
        }
        Ok(())
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyPeerAsync(
    to: u64,
    to_context: *mut c_void,
    from: u64,
    from_context: *mut c_void,
    bytes: usize,
    stream: *mut c_void,
) -> Code {
    code((|| {
        let mut state = enter_work("cuMemcpyPeerAsync")?;
        for context in [to_context as usize, from_context as usize] {
            match state.contexts.get(&context) {
                Some((_, false)) => {}
                Some((_, true)) => return Err(CONTEXT_IS_DESTROYED),
                None => return Err(INVALID_CONTEXT),
            }
        }
        let key = state.own_stream(stream)?;
        state.submit(key, Op::ToDevice { to, from: Source::Device(from), bytes })
    })())
}

/// # Safety
/// As the driver's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemsetD8Async(to: u64, value: u8, bytes: usize, stream: *mut c_void) -> Code {
    code((|| {
        let mut state = enter_work("cuMemsetD8Async")?;
        let key = state.own_stream(stream)?;
        state.submit(key, Op::Fill { to, value, bytes })
    })())
}
