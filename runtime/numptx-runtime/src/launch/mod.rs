//! Launches: a kernel over an iteration space, on the host or on a device.
//!
//! In: extents, operands and scalars as generated code gives them. Out: the kernel has run (host) or is queued (device). What is shared
//! by both is here: normalising the space, and the decisions that depend on shapes only, so that results do not depend on threads.

#[cfg(test)]
mod any_kernel;
mod cluster;
mod cooperative;
pub(crate) mod device;
mod direct;
mod extent;
pub(crate) mod host;
mod limits;
mod places;
mod product;
mod ragged;
mod reduction;
mod rows;
mod running;
mod scanning;
mod scattering;
mod tiles;

pub(crate) use cooperative::{check_wish, is_one_launch};
pub(crate) use rows::is_one_read;

use numptx_abi::{Kernel, MAX_RANK, Operand, OperandInfo};

use crate::axes::Axes;
use crate::buffer::Buffer;
use crate::call::CallState;
use crate::debug;
use crate::error::{Error, Result};
use crate::inline::Inline;
use crate::stats;

/// Accumulators that a chunked reduction aims at, all outputs together.
const CHUNK_GOAL: i64 = 2048;
/// What flat variants need of pointers on a device.
const FLAT_ALIGN: usize = 16;

/// What a place asks of flat variants.
#[derive(Clone, Copy)]
struct Flat {
    /// Of pointers.
    alignment: usize,
    /// Elements of one launch: several are none for a kernel that reads its indices.
    most: i64,
}

impl Flat {
    fn of(call: &CallState, kernel: &Kernel) -> Flat {
        match call.device {
            Some(device) => Flat { alignment: FLAT_ALIGN, most: limits::most_flat(device, kernel) },
            None => Flat { alignment: 1, most: kernel.flat_limit() },
        }
    }
}

/// A launch as both sides need it: operands' addresses where the call computes.
pub(crate) struct Launch<'a> {
    pub(crate) kernel: &'a Kernel,
    pub(crate) infos: &'a [OperandInfo],
    pub(crate) scalars: *const [u64; 2],
    /// As generated code gives them.
    pub(crate) operands: &'a [Operand],
    /// Address of each operand's element `[0, …, 0]`, after normalisation.
    pub(crate) pointers: Inline<*mut u8, 16>,
}

impl Launch<'_> {
    /// Rank of the kernel's iteration space.
    pub(crate) fn rank(&self) -> usize {
        usize::from(self.kernel.rank)
    }

    /// Kept axes.
    pub(crate) fn n_kept(&self) -> usize {
        usize::from(self.kernel.rank.saturating_sub(self.kernel.n_reduced))
    }

    /// Whether axes must be launched as given.
    pub(crate) fn is_indexed(&self) -> bool {
        self.kernel.flags & Kernel::INDEXED != 0
    }

    /// Whether a structured program is run for each work item.
    pub(crate) fn is_nest(&self) -> bool {
        self.kernel.flags & Kernel::NEST != 0
    }

    /// Whether the program is run once, by all threads of one launch.
    pub(crate) fn is_cooperative(&self) -> bool {
        self.kernel.flags & Kernel::COOPERATIVE != 0
    }

    /// Whether neighbouring work items of its steps meet elements that lie far apart.
    pub(crate) fn lies_apart(&self) -> bool {
        self.kernel.flags & Kernel::APART != 0
    }

    /// Whether a warp runs each of so many work items.
    pub(crate) fn takes_turns(&self, points: i64) -> bool {
        self.kernel.flags & Kernel::TURNS != 0 && points <= Kernel::TURNS_POINTS
    }

    /// Whether groups of lanes take work items.
    pub(crate) fn is_ragged(&self) -> bool {
        self.kernel.flags & Kernel::RAGGED != 0
    }

    /// Whether work items have loops of their own, which the host cannot ask the caller from.
    pub(crate) fn has_loops(&self) -> bool {
        self.kernel.flags & (Kernel::NEST | Kernel::COOPERATIVE) != 0 && self.kernel.work >= Kernel::LOOP_WORK
    }

    /// Whether work items depend on earlier ones.
    pub(crate) fn is_sequential(&self) -> bool {
        self.kernel.flags & Kernel::SEQUENTIAL != 0
    }

    /// Whether tiles of work items are counted or moved.
    pub(crate) fn is_tiled(&self) -> bool {
        self.kernel.flags & Kernel::TILES != 0
    }

    /// Bytes that one element moves, for cost models.
    pub(crate) fn bytes_an_element(&self) -> i64 {
        self.infos.iter().filter(|i| i.scalar == 0).map(|i| i64::from(i.itemsize)).sum()
    }

    /// Whether neighbouring outputs of a reduction read neighbouring elements.
    pub(crate) fn reads_along(&self, kept: &Axes) -> bool {
        kept.rank > 0
            && self.infos.iter().enumerate().any(|(i, info)| {
                let stride = kept.strides[i][kept.rank - 1];
                info.scalar == 0
                    && info.access & OperandInfo::READ != 0
                    && stride.unsigned_abs() == u64::from(info.itemsize)
            })
    }

    /// Moves the operands' first elements, by bytes.
    fn shift(&mut self, offsets: &[i64]) {
        for (pointer, offset) in self.pointers.iter_mut().zip(offsets) {
            *pointer = pointer.wrapping_offset(*offset as isize);
        }
    }

    /// Whether the flat variant computes these axes.
    fn is_flat(&self, axes: &Axes, place: Flat) -> bool {
        if self.is_indexed() && (self.kernel.rank > 1 || axes.count() > place.most) {
            return false;
        }
        // Both sides have the same variants; a module without host code says nothing of them.
        if self.kernel.host_flat.is_none() && self.kernel.host_strided.is_some() {
            return false;
        }
        self.infos.iter().zip(self.pointers.iter()).enumerate().all(|(i, (info, pointer))| {
            info.scalar != 0
                || (axes.is_flat(i, i64::from(info.itemsize)) && pointer.addr().is_multiple_of(place.alignment))
        })
    }
}

/// [`numptx_abi::RuntimeTable::launch`].
///
/// # Safety
/// The pointers hold what the table's documentation says; operands' buffers are alive and hold every element that the kernel touches.
pub(crate) unsafe fn launch(
    call: &CallState,
    kernel: &Kernel,
    extents: *const i64,
    operands: *const Operand,
    scalars: *const [u64; 2],
) -> Result<()> {
    let (rank, n_operands) = (usize::from(kernel.rank), kernel.n_operands as usize);
    if rank > MAX_RANK || kernel.n_reduced > kernel.rank {
        return Err(Error::runtime(format!("a kernel of rank {rank} is beyond this runtime's {MAX_RANK} axes")));
    }
    // SAFETY: as the caller promises; slices of length 0 do not read their pointer.
    let (extents, operands, infos) =
        unsafe { (slice(extents, rank), slice(operands, n_operands), slice(kernel.operands, n_operands)) };
    let is_map = kernel.kind == Kernel::MAP;
    let is_scan = kernel.kind == Kernel::SCAN;
    let kept = if is_map { rank } else { rank - usize::from(kernel.n_reduced) };
    if extents[..if is_scan { rank } else { kept }].contains(&0) {
        return Ok(());
    }
    extent::check(extents)?;
    // SAFETY: as the caller promises; no extent is 0.
    if is_map && let Some(done) = unsafe { direct::map(call, kernel, extents, operands, infos, scalars) } {
        return done;
    }
    let mut launch = Launch { kernel, infos, scalars, operands, pointers: Inline::new() };
    // SAFETY: as the caller promises.
    let strides = unsafe { locate(call, operands, &mut launch) }?;
    stats::launched(call.place());
    call.note_work();
    // Nobody knows how long its loops take: the caller lets its locks go, and an interrupt is seen before them.
    if call.device.is_none() && launch.has_loops() {
        call.poll()?;
    }
    if is_map {
        let (mut axes, flat) = map_axes(&mut launch, extents, &strides, Flat::of(call, kernel));
        // SAFETY: as the caller promises; the axes visit the same elements.
        return unsafe {
            match call.device {
                None => host::map(call, &launch, &mut axes, flat),
                Some(device) => device::map(call, device, &launch, &mut axes, flat),
            }
        };
    }
    let (kept, reduced) = reduce_axes(&mut launch, extents, &strides);
    // SAFETY: as above.
    unsafe {
        match call.device {
            Some(device) if kernel.kind == Kernel::ROWS => rows::launch(call, device, &launch, &kept, &reduced),
            None if kernel.kind == Kernel::ROWS => Err(Error::runtime("a kernel of rows is for devices only")),
            None if is_scan => host::scan(call, &launch, &kept, &reduced),
            Some(device) if is_scan => scanning::on_device(call, device, &launch, &kept, &reduced),
            None => host::reduce(call, &launch, &kept, &reduced),
            Some(device) => device::reduce(call, device, &launch, &kept, &reduced),
        }
    }
}

/// Finds the operands' elements where the call computes; returns their strides.
///
/// # Safety
/// The operands' buffers are alive, and each has one stride an axis, written ones at least one a kept axis.
#[inline]
unsafe fn locate<'a>(call: &CallState, operands: &[Operand], launch: &mut Launch<'_>) -> Result<Inline<&'a [i64], 16>> {
    let mut strides = Inline::new();
    for (operand, info) in operands.iter().zip(launch.infos) {
        let is_written = info.access & OperandInfo::WRITE != 0;
        let is_short = is_written && launch.kernel.kind == Kernel::REDUCE || info.access & OperandInfo::KEPT != 0;
        let n_strides = if is_short { launch.n_kept() } else { launch.rank() };
        debug::check_use(operand.buffer.cast())?;
        // SAFETY: as the caller promises.
        let (buffer, steps) = unsafe { (&*operand.buffer.cast::<Buffer>(), slice(operand.strides, n_strides)) };
        let base = call.address(buffer, is_written)?;
        launch.pointers.push(base.wrapping_offset(operand.offset as isize));
        strides.push(steps);
    }
    Ok(strides)
}

/// # Safety
/// `pointer` holds `len` values, or `len` is 0.
unsafe fn slice<'a, T>(pointer: *const T, len: usize) -> &'a [T] {
    // SAFETY: as the caller promises.
    if len == 0 { &[] } else { unsafe { std::slice::from_raw_parts(pointer, len) } }
}

/// Written operands first: their order in memory matters most.
fn voters(infos: &[OperandInfo]) -> Inline<usize, 16> {
    let mut order = Inline::new();
    for written in [true, false] {
        for (i, info) in infos.iter().enumerate() {
            if (info.access & OperandInfo::WRITE != 0) == written {
                order.push(i);
            }
        }
    }
    order
}

/// A map's axes: fewest, in the order of the written operand's memory; and whether they are the flat variant's.
#[inline]
fn map_axes(launch: &mut Launch<'_>, extents: &[i64], strides: &[&[i64]], place: Flat) -> (Axes, bool) {
    let rank = extents.len();
    if launch.is_tiled() {
        return (group_axes(launch, extents, strides, (0, rank), false), false);
    }
    if !launch.is_indexed() {
        let mut offsets: Inline<i64, 16> = Inline::filled(strides.len(), 0);
        let mut axes = Axes::dropping_ones(extents, strides, 0, rank);
        axes.sort(&voters(launch.infos));
        axes.flip(&mut offsets);
        axes.merge();
        launch.shift(&offsets);
        let flat = launch.is_flat(&axes, place);
        return (axes, flat);
    }
    let axes = Axes::as_given(extents, strides, 0, rank);
    let flat = launch.is_flat(&axes, place);
    (axes, flat)
}

/// A reduction's kept and reduced axes, each with the kernel's own number of axes.
#[inline]
fn reduce_axes(launch: &mut Launch<'_>, extents: &[i64], strides: &[&[i64]]) -> (Axes, Axes) {
    let (rank, n_kept) = (extents.len(), launch.n_kept());
    let is_scan = launch.kernel.kind == Kernel::SCAN;
    let is_ordered = is_scan || launch.kernel.flags & Kernel::ORDERED != 0;
    let kept = group_axes(launch, extents, strides, (0, n_kept), true);
    (kept, group_axes(launch, extents, strides, (n_kept, rank), !is_ordered))
}

/// The axes `first..last` of a reduction: merged, and permuted and flipped where that is allowed.
fn group_axes(
    launch: &mut Launch<'_>,
    extents: &[i64],
    strides: &[&[i64]],
    (first, last): (usize, usize),
    may_permute: bool,
) -> Axes {
    if launch.is_indexed() {
        return Axes::as_given(extents, strides, first, last);
    }
    let mut offsets: Inline<i64, 16> = Inline::filled(strides.len(), 0);
    let mut axes = Axes::dropping_ones(extents, strides, first, last);
    if may_permute {
        axes.sort(&voters(launch.infos));
        axes.flip(&mut offsets);
    }
    axes.merge();
    axes.pad(last - first);
    launch.shift(&offsets);
    axes
}

/// How the reduced elements of each of some outputs, or groups of them, are cut into chunks of no fewer than `shortest`: `(elements a chunk, chunks)`.
/// Depends on shapes only.
pub(crate) fn chunking(outputs: i64, elements: i64, shortest: i64) -> (i64, i64) {
    let wanted = (elements / shortest).min(CHUNK_GOAL / outputs.max(1)).max(1);
    if wanted == 1 {
        return (elements.max(1), 1);
    }
    let chunk = (elements + wanted - 1) / wanted;
    let chunk = (chunk + 255) / 256 * 256;
    (chunk, (elements + chunk - 1) / chunk)
}

#[cfg(test)]
mod tests {
    use super::chunking;

    #[test]
    fn chunks_cover_the_elements_once() {
        for outputs in [1, 3, 100, 5000] {
            for elements in [0, 1, 1000, 65535, 65536, 1 << 20, (1 << 27) + 13] {
                let (chunk, n) = chunking(outputs, elements, 1 << 15);
                assert!(n >= 1 && chunk * n >= elements);
                assert!(n == 1 || chunk * (n - 1) < elements);
                assert!(outputs * n <= 2048.max(outputs));
            }
        }
        assert_eq!(chunking(1, 1 << 27, 1 << 15).1, 2048);
    }
}
