//! Counters of live memory and of work done, for tests and for people.

use std::sync::atomic::{AtomicI64, Ordering};

use numptx_abi::MemoryStats;

static HOST_BUFFERS: AtomicI64 = AtomicI64::new(0);
static HOST_BYTES: AtomicI64 = AtomicI64::new(0);
static DEVICE_BUFFERS: AtomicI64 = AtomicI64::new(0);
static DEVICE_BYTES: AtomicI64 = AtomicI64::new(0);
static LAUNCHES: AtomicI64 = AtomicI64::new(0);
static ALLOCATIONS: AtomicI64 = AtomicI64::new(0);
static TRANSFERRED: AtomicI64 = AtomicI64::new(0);
static COPIES: AtomicI64 = AtomicI64::new(0);

fn add(counter: &AtomicI64, n: i64) {
    counter.fetch_add(n, Ordering::Relaxed);
}

fn space(device: i32) -> (&'static AtomicI64, &'static AtomicI64) {
    if device < 0 { (&HOST_BUFFERS, &HOST_BYTES) } else { (&DEVICE_BUFFERS, &DEVICE_BYTES) }
}

pub(crate) fn allocated(device: i32, bytes: i64) {
    let (buffers, total) = space(device);
    add(buffers, 1);
    add(total, bytes);
    add(&ALLOCATIONS, 1);
}

pub(crate) fn freed(device: i32, bytes: i64) {
    let (buffers, total) = space(device);
    add(buffers, -1);
    add(total, -bytes);
}

pub(crate) fn launched() {
    add(&LAUNCHES, 1);
}

pub(crate) fn transferred(bytes: usize) {
    add(&TRANSFERRED, bytes as i64);
}

pub(crate) fn copied() {
    add(&COPIES, 1);
}

/// The counters now.
pub fn memory_stats() -> MemoryStats {
    let read = |counter: &AtomicI64| counter.load(Ordering::Relaxed);
    MemoryStats {
        host_buffers: read(&HOST_BUFFERS),
        host_bytes: read(&HOST_BYTES),
        device_buffers: read(&DEVICE_BUFFERS),
        device_bytes: read(&DEVICE_BYTES),
        launches: read(&LAUNCHES),
        allocations: read(&ALLOCATIONS),
        transferred_bytes: read(&TRANSFERRED),
        copies: read(&COPIES),
    }
}
