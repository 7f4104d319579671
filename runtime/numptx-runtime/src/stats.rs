//! Counters of live memory and of work done, a set for the host and one for each device.
//!
//! In: what the runtime does. Out: [`MemoryStats`], for people, tests and benchmarks. The counters are always on: an allocation and its free
//! take two relaxed additions each. Memory that belongs to callers is not counted, except buffers over foreign memory, by number.

use std::sync::atomic::{AtomicI64, Ordering};

use numptx_abi::MemoryStats;

/// Devices that have counters of their own; those beyond share the last ones.
const MAX_DEVICES: usize = 63;

/// The counters of one place. Live buffers are what was allocated and not freed.
// Aligned so that places do not share a cache line.
#[repr(align(128))]
struct Counters {
    live_bytes: AtomicI64,
    peak_bytes: AtomicI64,
    allocations: AtomicI64,
    frees: AtomicI64,
    foreign_buffers: AtomicI64,
    transferred_bytes: AtomicI64,
    launches: AtomicI64,
    copies: AtomicI64,
    synchronizations: AtomicI64,
    violations: AtomicI64,
    pinned_bytes: AtomicI64,
    replays: AtomicI64,
}

impl Counters {
    const fn new() -> Counters {
        const fn zero() -> AtomicI64 {
            AtomicI64::new(0)
        }
        Counters {
            live_bytes: zero(),
            peak_bytes: zero(),
            allocations: zero(),
            frees: zero(),
            foreign_buffers: zero(),
            transferred_bytes: zero(),
            launches: zero(),
            copies: zero(),
            synchronizations: zero(),
            violations: zero(),
            pinned_bytes: zero(),
            replays: zero(),
        }
    }

    fn add_to(&self, sum: &mut MemoryStats) {
        let read = |counter: &AtomicI64| counter.load(Ordering::Relaxed);
        // Frees are read before allocations: what is counted as freed was counted as allocated.
        let frees = read(&self.frees);
        let allocations = read(&self.allocations);
        sum.live_buffers += allocations - frees;
        sum.live_bytes += read(&self.live_bytes);
        sum.peak_bytes += read(&self.peak_bytes);
        sum.allocations += allocations;
        sum.frees += frees;
        sum.foreign_buffers += read(&self.foreign_buffers);
        sum.transferred_bytes += read(&self.transferred_bytes);
        sum.launches += read(&self.launches);
        sum.copies += read(&self.copies);
        sum.synchronizations += read(&self.synchronizations);
        sum.violations += read(&self.violations);
        sum.pinned_bytes += read(&self.pinned_bytes);
        sum.replays += read(&self.replays);
    }
}

/// The host's, then those of each device.
static PLACES: [Counters; 1 + MAX_DEVICES] = [const { Counters::new() }; 1 + MAX_DEVICES];

/// The counters of a device (-1: the host).
fn place(device: i32) -> &'static Counters {
    &PLACES[usize::try_from(device).map_or(0, |ordinal| 1 + ordinal.min(MAX_DEVICES - 1))]
}

fn add(counter: &AtomicI64, n: i64) {
    counter.fetch_add(n, Ordering::Relaxed);
}

pub(crate) fn allocated(device: i32, bytes: i64) {
    let here = place(device);
    add(&here.allocations, 1);
    let live = here.live_bytes.fetch_add(bytes, Ordering::Relaxed) + bytes;
    if live > here.peak_bytes.load(Ordering::Relaxed) {
        here.peak_bytes.fetch_max(live, Ordering::Relaxed);
    }
}

pub(crate) fn freed(device: i32, bytes: i64) {
    let here = place(device);
    add(&here.frees, 1);
    add(&here.live_bytes, -bytes);
}

/// A buffer takes more or fewer bytes than before.
pub(crate) fn resized(device: i32, bytes: i64) {
    let here = place(device);
    let live = here.live_bytes.fetch_add(bytes, Ordering::Relaxed) + bytes;
    if live > here.peak_bytes.load(Ordering::Relaxed) {
        here.peak_bytes.fetch_max(live, Ordering::Relaxed);
    }
}

/// A buffer over foreign memory was made.
pub(crate) fn adopted(device: i32) {
    add(&place(device).foreign_buffers, 1);
}

/// A buffer over foreign memory let its owner go.
pub(crate) fn abandoned(device: i32) {
    add(&place(device).foreign_buffers, -1);
}

pub(crate) fn launched(device: i32) {
    add(&place(device).launches, 1);
}

/// Bytes copied between the host and a device.
pub(crate) fn transferred(device: i32, bytes: usize) {
    add(&place(device).transferred_bytes, bytes as i64);
}

/// `reshape` had to copy.
pub(crate) fn copied(device: i32) {
    add(&place(device).copies, 1);
}

/// The host waits for a device.
pub(crate) fn waited(device: i32) {
    add(&place(device).synchronizations, 1);
}

/// Page-locked host memory was taken for copies to and from a device; negative: it was given back.
pub(crate) fn pinned(device: i32, bytes: i64) {
    add(&place(device).pinned_bytes, bytes);
}

/// The launches of an iteration were one of a graph.
pub(crate) fn replayed(device: i32) {
    add(&place(device).replays, 1);
}

/// The debug mode found something wrong.
pub(crate) fn violated(device: i32) {
    add(&place(device).violations, 1);
}

/// The counters of the host (-1) or of a device now.
pub(crate) fn memory_stats_at(device: i32) -> MemoryStats {
    let mut stats = MemoryStats::default();
    place(device).add_to(&mut stats);
    stats
}

/// The counters now: of one place, or (`None`) their sums over all places. The sum of peaks is a bound: places need not peak together.
pub fn memory_stats(place: Option<crate::Device>) -> MemoryStats {
    match place {
        Some(device) => memory_stats_at(device.ordinal()),
        None => {
            let mut sum = MemoryStats::default();
            PLACES.iter().for_each(|counters| counters.add_to(&mut sum));
            sum
        }
    }
}

/// Starts peaks anew, everywhere: [`MemoryStats::peak_bytes`] is what is live now.
pub fn reset_peak_memory() {
    for counters in &PLACES {
        counters.peak_bytes.store(counters.live_bytes.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A place that no other test touches.
    const FAR: i32 = 61;

    #[test]
    fn a_place_counts_what_lives_there() {
        allocated(FAR, 100);
        allocated(FAR, 50);
        freed(FAR, 100);
        allocated(FAR, 20);
        let stats = memory_stats_at(FAR);
        assert_eq!((stats.live_buffers, stats.live_bytes, stats.peak_bytes), (2, 70, 150));
        assert_eq!((stats.allocations, stats.frees), (3, 1));
        assert_eq!(memory_stats_at(FAR - 1).allocations, 0);
        reset_peak_memory();
        assert_eq!(memory_stats_at(FAR).peak_bytes, 70);
        freed(FAR, 50);
        allocated(FAR, 10);
        assert_eq!((memory_stats_at(FAR).live_bytes, memory_stats_at(FAR).peak_bytes), (30, 70));
    }

    #[test]
    fn places_beyond_the_last_share_it() {
        adopted(1000);
        assert_eq!(memory_stats_at(MAX_DEVICES as i32 - 1).foreign_buffers, 1);
        abandoned(5000);
        assert_eq!(memory_stats_at(1000).foreign_buffers, 0);
    }
}
