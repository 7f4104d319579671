//! Where device memory comes from if the program chose another source than the devices' pools.
//!
//! In: functions of a binding, or none. Out: memory in the order of a stream, which goes back to the functions that gave it, also when others were
//! chosen since. They may want the interpreter's lock: no lock of ours is held while they run.
//!
//! Allocators keep freed memory for the next user of the same stream, by the stream's handle. A stream that we destroy would take that order with it,
//! so streams are kept, and used again, once another source was chosen.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use cudarc::driver::sys;
use numptx_abi::{AllocatorTable, error_kind};

use crate::device::Device;
use crate::driver::{Driver, THREAD_STREAM};
use crate::error::{Error, Result};
use crate::lock::lock;

/// What device memory is a multiple of, as the driver's own is.
const ALIGN: u64 = 256;

/// Functions that give memory and take it back. Let go when nobody chooses them any more, and none of their memory is left.
struct Allocator(AllocatorTable);

// SAFETY: a binding's functions may be called on any thread.
unsafe impl Send for Allocator {}
// SAFETY: as above; the table is never changed.
unsafe impl Sync for Allocator {}

impl Drop for Allocator {
    fn drop(&mut self) {
        // SAFETY: the binding's function, once.
        unsafe { (self.0.release)(self.0.data) };
    }
}

/// Memory that an allocator gave.
struct Block {
    allocator: Arc<Allocator>,
    bytes: usize,
}

/// The source that is chosen; `None`: the devices' pools.
static CHOSEN: Mutex<Option<Arc<Allocator>>> = Mutex::new(None);
/// Whether one is, for those who only ask that.
static IS_CHOSEN: AtomicBool = AtomicBool::new(false);
/// Whether one ever was: before, all memory is the pools'.
static WAS_CHOSEN: AtomicBool = AtomicBool::new(false);
/// What allocators gave and did not get back.
static BLOCKS: Mutex<BTreeMap<u64, Block>> = Mutex::new(BTreeMap::new());

/// A stream that nobody has any more.
struct IdleStream {
    device: i32,
    priority: i32,
    handle: usize,
}

static IDLE_STREAMS: Mutex<Vec<IdleStream>> = Mutex::new(Vec::new());
/// The handles of streams that allocators were told of.
static TOLD_STREAMS: Mutex<BTreeSet<usize>> = Mutex::new(BTreeSet::new());

/// [`numptx_abi::RuntimeTable::set_allocator`]. What streams keep of the memory of before is the caller's to give back.
pub(crate) fn choose(table: Option<AllocatorTable>) {
    let fresh = table.map(|table| Arc::new(Allocator(table)));
    IS_CHOSEN.store(fresh.is_some(), Ordering::Release);
    if fresh.is_some() {
        WAS_CHOSEN.store(true, Ordering::Release);
    }
    let before = std::mem::replace(&mut *lock(&CHOSEN), fresh);
    drop(before);
    forget_if_unused(&lock(&BLOCKS));
}

/// Nobody asks any more where memory is from, once all of it went back and the devices' pools are the source again.
fn forget_if_unused(blocks: &BTreeMap<u64, Block>) {
    if blocks.is_empty() && !IS_CHOSEN.load(Ordering::Acquire) {
        WAS_CHOSEN.store(false, Ordering::Release);
    }
}

/// A stream's handle as allocators know it: default streams are 0, the one of each thread too, which waits for the legacy one.
fn handle_of(stream: sys::CUstream) -> sys::CUstream {
    if stream.addr() <= THREAD_STREAM.addr() { std::ptr::null_mut() } else { stream }
}

/// Memory from the chosen source in the order of a stream; `None`: the device's pool is asked. At least one byte.
pub(crate) fn alloc(device: i32, bytes: usize, stream: sys::CUstream) -> Option<Result<u64>> {
    if !IS_CHOSEN.load(Ordering::Acquire) {
        return None;
    }
    let allocator = lock(&CHOSEN).clone()?;
    Some(ask(allocator, device, bytes, stream))
}

fn ask(allocator: Arc<Allocator>, device: i32, bytes: usize, stream: sys::CUstream) -> Result<u64> {
    let (mut pointer, mut error) = (0u64, crate::error::no_error());
    let stream = handle_of(stream);
    lock(&TOLD_STREAMS).insert(stream.addr());
    let Allocator(AllocatorTable { data, allocate, .. }) = *allocator;
    // SAFETY: the binding's function; both out-parameters are locals.
    let status = unsafe { allocate(data, bytes, device, stream.cast(), &mut pointer, &mut error) };
    if status != error_kind::OK {
        return Err(Error::from_abi(status, &error));
    }
    if pointer == 0 || !pointer.is_multiple_of(ALIGN) {
        return Err(Error::runtime(format!(
            "the allocator of numptx.set_allocator returned the address {pointer:#x}; device memory begins at a multiple of {ALIGN}"
        )));
    }
    let mut blocks = lock(&BLOCKS);
    if blocks.contains_key(&pointer) {
        return Err(Error::runtime(format!(
            "the allocator of numptx.set_allocator returned the address {pointer:#x}, which it gave before and did not get back"
        )));
    }
    WAS_CHOSEN.store(true, Ordering::Release);
    blocks.insert(pointer, Block { allocator, bytes });
    Ok(pointer)
}

/// Whether an allocator gave this memory.
pub(crate) fn gave(pointer: u64) -> bool {
    WAS_CHOSEN.load(Ordering::Acquire) && lock(&BLOCKS).contains_key(&pointer)
}

/// Gives memory back in the order of a stream, if an allocator gave it; whether one did.
pub(crate) fn free(device: i32, pointer: u64, stream: sys::CUstream) -> bool {
    if !WAS_CHOSEN.load(Ordering::Acquire) {
        return false;
    }
    let block = {
        let mut blocks = lock(&BLOCKS);
        let block = blocks.remove(&pointer);
        forget_if_unused(&blocks);
        block
    };
    let Some(block) = block else { return false };
    lock(&TOLD_STREAMS).insert(handle_of(stream).addr());
    let AllocatorTable { data, deallocate, .. } = block.allocator.0;
    // SAFETY: the binding's function gets what its other one gave, once.
    unsafe { deallocate(data, pointer, block.bytes, device, handle_of(stream).cast()) };
    true
}

/// Whether memory comes from where fresh memory would come from now.
pub(crate) fn is_from_here(pointer: u64) -> bool {
    if !WAS_CHOSEN.load(Ordering::Acquire) {
        return true;
    }
    let chosen = lock(&CHOSEN).clone();
    let source = lock(&BLOCKS).get(&pointer).map(|block| Arc::clone(&block.allocator));
    match (chosen, source) {
        (None, None) => true,
        (Some(chosen), Some(source)) => Arc::ptr_eq(&chosen, &source),
        _ => false,
    }
}

/// Takes over a stream of ours that nobody has any more; false: it is to be destroyed.
pub(crate) fn keep_stream(device: &Device, driver: &Driver, stream: sys::CUstream) -> bool {
    if !lock(&TOLD_STREAMS).contains(&stream.addr()) {
        return false;
    }
    let mut priority = 0;
    // SAFETY: writes to a local; the stream is alive.
    if unsafe { driver.stream_priority(stream, &mut priority) }.is_err() {
        return false;
    }
    lock(&IDLE_STREAMS).push(IdleStream { device: device.ordinal, priority, handle: stream.expose_provenance() });
    true
}

/// A stream that was kept, for whoever wants one.
pub(crate) fn kept_stream(device: &Device, priority: i32) -> Option<sys::CUstream> {
    let mut streams = lock(&IDLE_STREAMS);
    let at = streams.iter().position(|idle| idle.device == device.ordinal && idle.priority == priority)?;
    Some(std::ptr::with_exposed_provenance_mut(streams.swap_remove(at).handle))
}
