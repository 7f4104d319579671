//! Launches on the host: how a kernel's work items are cut into pieces, and when pieces go to the thread pool.
//!
//! Small work runs on the calling thread. Long work is cut so that the caller is asked now and then whether to go on.

mod groups;
mod spreading;

use std::alloc::{Layout, alloc, dealloc};

use numptx_abi::{Frame, HostMap, HostReduce, HostReduceFinish, HostScan, Kernel};

use groups::Groups;
pub(crate) use spreading::spread;
use spreading::{in_order, spread_loops, watched};

use super::running::host_chunks;
use super::{Launch, chunking, product};
use crate::axes::Axes;
use crate::call::CallState;
use crate::error::{Error, Result};
use crate::inline::Inline;
use crate::pool::thread_count;

/// Reduced elements below which one output is never cut into chunks.
const CHUNK_ELEMENTS: i64 = 1 << 15;
/// Flat pieces begin at multiples of this, so that vectors stay whole.
const FLAT_GRAIN: i64 = 1024;
/// Outputs that are computed together where their elements lie side by side: as many as compiled code does at a time.
const OUTPUT_GROUP: i64 = 256;

/// What a kernel's function reads, with strides by operand and axis.
struct Setup {
    strides: Inline<i64, 64>,
    extents: Inline<i64, 16>,
    pointers: Inline<*mut u8, 16>,
    scalars: *const [u64; 2],
    rank: usize,
}

// SAFETY: the pointers lead to memory that the kernel's work items use independently of each other.
unsafe impl Sync for Setup {}

impl Setup {
    #[inline]
    fn new(launch: &Launch<'_>, parts: &[&Axes]) -> Setup {
        let (mut strides, mut extents, mut pointers) = (Inline::new(), Inline::new(), Inline::new());
        for operand in 0..launch.infos.len() {
            for axes in parts {
                axes.strides[operand][..axes.rank].iter().for_each(|s| strides.push(*s));
            }
            pointers.push(launch.pointers[operand]);
        }
        for axes in parts {
            axes.extents[..axes.rank].iter().for_each(|e| extents.push(*e));
        }
        let rank = extents.len();
        Setup { strides, extents, pointers, scalars: launch.scalars, rank }
    }

    fn frame(&self) -> Frame {
        Frame {
            pointers: self.pointers.as_ptr(),
            scalars: self.scalars,
            extents: self.extents.as_ptr(),
            strides: self.strides.as_ptr(),
            watch: std::ptr::null(),
        }
    }

    /// The same with only the work items `first..last` of the last axis.
    fn narrowed(&self, first: i64, last: i64) -> Setup {
        let mut pointers = Inline::new();
        for (operand, pointer) in self.pointers.iter().enumerate() {
            let step = self.strides[(operand + 1) * self.rank - 1];
            pointers.push(pointer.wrapping_offset((first * step) as isize));
        }
        let (mut strides, mut extents) = (Inline::new(), Inline::new());
        self.strides.iter().for_each(|s| strides.push(*s));
        self.extents.iter().for_each(|e| extents.push(*e));
        extents[self.rank - 1] = last - first;
        Setup { strides, extents, pointers, scalars: self.scalars, rank: self.rank }
    }
}

/// Estimated nanoseconds for one element on one thread.
fn element_ns(launch: &Launch<'_>) -> f64 {
    f64::from(launch.kernel.work.max(1)) * 0.25 + launch.bytes_an_element() as f64 * 0.06
}

/// A map.
///
/// # Safety
/// The launch's operands hold every element that the axes visit.
pub(crate) unsafe fn map(call: &CallState, launch: &Launch<'_>, axes: &mut Axes, flat: bool) -> Result<()> {
    let kernel = launch.kernel;
    let count = axes.count();
    axes.pad(launch.rank());
    let setup = Setup::new(launch, &[axes]);
    match (flat, kernel.host_flat, kernel.host_strided) {
        (true, Some(function), _) => self::flat(call, launch, &setup.frame(), count, function),
        (_, _, Some(function)) if launch.is_cooperative() || (launch.rank() == 0 && launch.has_loops()) => {
            watched(call, |watch| {
                // SAFETY: the operands hold the work items; the one work item is the whole program.
                unsafe { function(&Frame { watch, ..setup.frame() }, 0, 1) };
            })
        }
        (_, _, Some(function)) if launch.is_tiled() => {
            let tile_ns = element_ns(launch) * Kernel::TILE as f64;
            spread(call, (count + Kernel::TILE - 1) / Kernel::TILE, 1, tile_ns, &|begin, end| {
                // SAFETY: as above; tiles are independent.
                unsafe { function(&setup.frame(), begin, end) }
            })
        }
        (_, _, Some(function)) if launch.is_nest() => {
            let groups = Groups::of(&setup.extents, i64::from(kernel.vector.max(1)));
            let run = |begin, end| {
                // SAFETY: as above.
                unsafe { function(&setup.frame(), groups.first_point(begin), groups.first_point(end)) }
            };
            let group_ns = element_ns(launch) * count as f64 / groups.count().max(1) as f64;
            match launch.has_loops() {
                true => spread_loops(call, groups.count(), 1, group_ns, &run),
                false => spread(call, groups.count(), 1, group_ns, &run),
            }
        }
        (_, _, Some(function)) => strided(call, launch, &setup, function),
        _ => Err(missing_function(launch)),
    }
}

/// The flat variant of a map over `count` elements.
pub(super) fn flat(call: &CallState, launch: &Launch<'_>, frame: &Frame, count: i64, function: HostMap) -> Result<()> {
    let frame = SharedFrame(frame);
    spread(call, count, FLAT_GRAIN, element_ns(launch), &|begin, end| {
        // SAFETY: the work items are independent, and the operands hold them.
        unsafe { function(frame.get(), begin, end) }
    })
}

/// A frame that several threads read.
struct SharedFrame<'a>(&'a Frame);

// SAFETY: as of [`Setup`].
unsafe impl Sync for SharedFrame<'_> {}

impl SharedFrame<'_> {
    fn get(&self) -> *const Frame {
        self.0
    }
}

fn missing_function(launch: &Launch<'_>) -> Error {
    // SAFETY: a kernel's name is null-terminated.
    let name = unsafe { std::ffi::CStr::from_ptr(launch.kernel.name) }.to_string_lossy();
    Error::runtime(format!("kernel `{name}` was compiled without host code; compile it again without --device-only"))
}

/// A strided map: cut along the outer axes where there are enough steps, else along the last axis.
fn strided(call: &CallState, launch: &Launch<'_>, setup: &Setup, function: HostMap) -> Result<()> {
    let (outer, last) = match setup.extents.split_last() {
        Some((last, outer)) => (outer.iter().product::<i64>(), *last),
        None => (1, 1),
    };
    let ns = element_ns(launch) * 1.5;
    if launch.is_sequential() {
        return in_order(call, outer, ns * last as f64, &|begin, end| {
            // SAFETY: as in `map`; the work items run in order.
            unsafe { function(&setup.frame(), begin, end) }
        });
    }
    let cut_last = outer < 4 * thread_count() as i64 && last >= 4 * FLAT_GRAIN && !launch.is_indexed();
    if cut_last {
        return spread(call, last, FLAT_GRAIN, ns * outer as f64, &|first, end| {
            let piece = setup.narrowed(first, end);
            // SAFETY: as in `map`; the frame covers a part of the last axis.
            unsafe { function(&piece.frame(), 0, outer) }
        });
    }
    spread(call, outer, 1, ns * last as f64, &|begin, end| {
        // SAFETY: as in `map`.
        unsafe { function(&setup.frame(), begin, end) }
    })
}

/// Memory for accumulators, aligned for any of them.
struct Partials {
    data: *mut u8,
    layout: Layout,
}

// SAFETY: threads write disjoint accumulators.
unsafe impl Sync for Partials {}

impl Partials {
    fn new(bytes: i64) -> Result<Partials> {
        let failed = || Error::memory(format!("out of host memory: {bytes} bytes for partial results wanted"));
        let layout =
            usize::try_from(bytes).ok().and_then(|b| Layout::from_size_align(b.max(1), 64).ok()).ok_or_else(failed)?;
        // SAFETY: the layout is not empty.
        let data = unsafe { alloc(layout) };
        if data.is_null() { Err(failed()) } else { Ok(Partials { data, layout }) }
    }

    fn at(&self, index: i64, size: i64) -> *mut u8 {
        self.data.wrapping_offset((index * size) as isize)
    }
}

impl Drop for Partials {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout.
        unsafe { dealloc(self.data, self.layout) };
    }
}

/// A reduction.
///
/// # Safety
/// As [`map`].
pub(crate) unsafe fn reduce(call: &CallState, launch: &Launch<'_>, kept: &Axes, reduced: &Axes) -> Result<()> {
    // SAFETY: as the caller promises.
    if launch.kernel.factors != 0 && unsafe { product::on_host(call, launch, kept, reduced) }? {
        return Ok(());
    }
    let Some(function) = launch.kernel.host_reduce else { return Err(missing_function(launch)) };
    let (outputs, elements) = (kept.count(), reduced.count());
    let setup = Setup::new(launch, &[kept, reduced]);
    let (chunk, n_chunks) = chunking(outputs, elements, CHUNK_ELEMENTS);
    if n_chunks > 1
        && launch.kernel.accumulator_bytes > 0
        && let Some(finish) = launch.kernel.host_finish
    {
        let cut = Chunks { outputs, elements, chunk, n_chunks };
        return chunked(call, launch, &setup, &cut, function, finish);
    }
    let output_ns = element_ns(launch) * elements.max(1) as f64;
    let grain = if launch.reads_along(kept) { OUTPUT_GROUP.min(outputs) } else { 1 };
    spread(call, outputs, grain, output_ns, &|begin, end| {
        // SAFETY: outputs are independent, and the operands hold them.
        unsafe { function(&setup.frame(), begin, end, 0, elements, std::ptr::null_mut(), 0) }
    })
}

/// How a chunked reduction is cut.
struct Chunks {
    outputs: i64,
    elements: i64,
    chunk: i64,
    n_chunks: i64,
}

fn chunked(
    call: &CallState,
    launch: &Launch<'_>,
    setup: &Setup,
    cut: &Chunks,
    function: HostReduce,
    finish: HostReduceFinish,
) -> Result<()> {
    let size = i64::from(launch.kernel.accumulator_bytes);
    let partials = Partials::new(cut.outputs * cut.n_chunks * size)?;
    let partials = &partials;
    // Neighbouring outputs go together: their elements often share cache lines.
    let group = cut.outputs.min(OUTPUT_GROUP);
    let n_groups = (cut.outputs + group - 1) / group;
    let unit_ns = element_ns(launch) * (cut.chunk * group) as f64;
    spread(call, n_groups * cut.n_chunks, 1, unit_ns, &|begin, end| {
        for unit in begin..end {
            let (outputs, index) = (unit / cut.n_chunks * group, unit % cut.n_chunks);
            let last_output = cut.outputs.min(outputs + group);
            let (first, last) = (index * cut.chunk, cut.elements.min((index + 1) * cut.chunk));
            let accumulators = partials.at(outputs * cut.n_chunks + index, size);
            // SAFETY: each unit writes its own accumulators.
            unsafe { function(&setup.frame(), outputs, last_output, first, last, accumulators, cut.n_chunks * size) };
        }
    })?;
    // SAFETY: every accumulator was written.
    unsafe { finish(&setup.frame(), 0, cut.outputs, cut.n_chunks, partials.data) };
    Ok(())
}

/// A scan. Short rows are run through in the order of their elements. Long ones are cut into chunks, each of which goes on from the totals of
/// those before: by threads in two passes, or, where there are rows enough for all threads, in one. Both compute the same.
///
/// # Safety
/// As [`map`].
pub(crate) unsafe fn scan(call: &CallState, launch: &Launch<'_>, kept: &Axes, along: &Axes) -> Result<()> {
    let Some(function) = launch.kernel.host_scan else { return Err(missing_function(launch)) };
    let (rows, elements) = (kept.count(), along.count());
    let setup = Setup::new(launch, &[kept, along]);
    let (chunk, n_chunks) = host_chunks(elements);
    let row_ns = element_ns(launch) * elements as f64;
    let group = if launch.reads_along(kept) { OUTPUT_GROUP.min(rows) } else { 1 };
    if n_chunks > 1 {
        let cut = Chunks { outputs: rows, elements, chunk, n_chunks };
        return scan_chunks(call, launch, &setup, &cut, group, function);
    }
    spread(call, rows, group, row_ns, &|begin, end| {
        // SAFETY: rows are independent, and the operands hold them; there is nothing to go on from and nothing to leave.
        unsafe { function(&setup.frame(), begin, end, 0, elements, std::ptr::null_mut(), 0, 1, Kernel::STORES) }
    })
}

/// `group`: rows that lie side by side, and go together.
fn scan_chunks(
    call: &CallState,
    launch: &Launch<'_>,
    setup: &Setup,
    cut: &Chunks,
    group: i64,
    function: HostScan,
) -> Result<()> {
    let size = i64::from(launch.kernel.accumulator_bytes);
    let totals = Partials::new(cut.outputs * cut.n_chunks * size)?;
    let totals = &totals;
    let n_groups = (cut.outputs + group - 1) / group;
    let run = |unit: i64, index: i64, mode: i64| {
        let (first, last) = (index * cut.chunk, cut.elements.min((index + 1) * cut.chunk));
        let (begin, end) = (unit * group, cut.outputs.min((unit + 1) * group));
        let accumulators = totals.at(begin * cut.n_chunks, size);
        // SAFETY: rows and chunks are independent; accumulators that are gone on from were written before.
        unsafe { function(&setup.frame(), begin, end, first, last, accumulators, index, cut.n_chunks, mode) }
    };
    let unit_ns = element_ns(launch) * (cut.chunk * group) as f64;
    let threads = thread_count() as i64;
    if n_groups >= threads || threads == 1 {
        return spread(call, n_groups, 1, unit_ns * cut.n_chunks as f64, &|begin, end| {
            for unit in begin..end {
                (0..cut.n_chunks).for_each(|index| run(unit, index, Kernel::STORES | Kernel::TOTALS));
            }
        });
    }
    for mode in [Kernel::TOTALS, Kernel::STORES] {
        spread(call, n_groups * cut.n_chunks, 1, unit_ns, &|begin, end| {
            (begin..end).for_each(|unit| run(unit / cut.n_chunks, unit % cut.n_chunks, mode));
        })?;
    }
    Ok(())
}
