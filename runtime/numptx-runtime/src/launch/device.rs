//! Launches on a device: the variant, its parameters, its grid.
//!
//! Parameters are packed on the stack in the order that [`numptx_abi::Kernel`] documents. A launch allocates nothing (chunked reductions
//! take their accumulators from the device's pool) and takes no lock once the kernel's functions are known.

use std::ffi::c_void;
use std::mem::MaybeUninit;

use numptx_abi::{Kernel, Operand, OperandInfo, dtype};

use super::limits::{fits_32, most_flat};
use super::reduction::Plan;
use super::{FLAT_ALIGN, Launch, scattering};
use crate::axes::Axes;
use crate::call::CallState;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::inline::Inline;
use crate::plan::{Variant, function};
use crate::replay::Function;
use crate::stats;

/// Threads of a warp.
const WARP: i64 = 32;
/// Threads of a block whose warps run a work item each: few, so that all processors have some.
const TURNS_BLOCK: i64 = 64;

/// Parameters of a launch: each is 8 bytes here, of which the kernel reads what its type has.
pub(super) struct Parameters {
    pub(super) values: Inline<u64, 128>,
}

impl Parameters {
    /// The operands' pointers, then the scalars.
    // Made where it stays: it is too large to move about.
    #[inline(always)]
    pub(super) fn new(launch: &Launch<'_>) -> Parameters {
        let mut values = Inline::new();
        for pointer in launch.pointers.iter() {
            values.push(pointer.expose_provenance() as u64);
        }
        for i in 0..launch.kernel.n_scalars as usize {
            // SAFETY: generated code passes `n_scalars` scalars, and the kernel has as many dtypes.
            let (bits, code) = unsafe { (*launch.scalars.add(i), *launch.kernel.scalars.add(i)) };
            values.push(bits[0]);
            if code == dtype::COMPLEX64 || code == dtype::COMPLEX128 {
                values.push(bits[1]);
            }
        }
        Parameters { values }
    }

    pub(super) fn push(&mut self, value: i64) {
        self.values.push(value.cast_unsigned());
    }

    /// Extents, then strides in elements by operand and axis; `scalar` operands have none.
    pub(super) fn push_space(&mut self, launch: &Launch<'_>, parts: &[&Axes]) -> Result<()> {
        for axes in parts {
            axes.extents[..axes.rank].iter().for_each(|e| self.push(*e));
        }
        for (operand, info) in launch.infos.iter().enumerate().filter(|(_, info)| info.scalar == 0) {
            for stride in parts.iter().flat_map(|axes| &axes.strides[operand][..axes.rank]) {
                if stride % i64::from(info.itemsize) != 0 {
                    return Err(unaligned(operand));
                }
                self.push(stride / i64::from(info.itemsize));
            }
        }
        Ok(())
    }
}

fn unaligned(operand: usize) -> Error {
    Error::value(format!(
        "operand {operand} of a kernel has strides that are not whole elements, which a GPU cannot address; copy the array first, or compute on the CPU"
    ))
}

pub(super) fn ceil_div(n: i64, by: i64) -> i64 {
    (n + by - 1) / by
}

/// Blocks of a grid and threads of a block, along x and y.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    pub(super) blocks: (i64, i64),
    pub(super) threads: (i64, i64),
}

/// Queues one launch.
pub(super) fn submit(
    call: &CallState,
    device: &'static Device,
    launch: &Launch<'_>,
    variant: Variant,
    grid: Grid,
    parameters: &mut Parameters,
) -> Result<()> {
    let mut pointers: Inline<*mut c_void, 128> = Inline::new();
    for value in parameters.values.iter_mut() {
        pointers.push((value as *mut u64).cast());
    }
    // SAFETY: the parameters are the variant's, in its order, and live until the driver has copied them.
    unsafe { submit_at(call, device, launch.kernel, variant, grid, (pointers.as_mut_ptr(), parameters.values.len())) }
}

/// Queues one launch.
///
/// # Safety
/// The parameters, so many, are the variant's, in its order.
#[inline]
unsafe fn submit_at(
    call: &CallState,
    device: &'static Device,
    kernel: &Kernel,
    variant: Variant,
    grid: Grid,
    (parameters, n): (*mut *mut c_void, usize),
) -> Result<()> {
    let function = function(device, kernel, variant)?;
    let (x, y, z) = grid.placed(variant, device.most_blocks)?;
    let threads = (grid.threads.0 as u32, grid.threads.1 as u32);
    if z > 1 {
        call.replay.give_up();
    }
    // SAFETY: as the caller promises.
    let take = || unsafe { call.replay.take(Function { function, blocks: (x, y), threads }, parameters, n) };
    if call.replay.is_on() && take() {
        return Ok(());
    }
    // SAFETY: as the caller promises; the driver copies them.
    unsafe {
        device.driver.launch(
            function,
            x,
            y,
            z,
            threads.0,
            threads.1,
            1,
            0,
            call.stream.handle(),
            parameters,
            std::ptr::null_mut(),
        )
    }?;
    Ok(())
}

/// A map.
///
/// # Safety
/// The launch's operands hold every element that the axes visit, in the device's memory.
pub(crate) unsafe fn map(
    call: &CallState,
    device: &'static Device,
    launch: &Launch<'_>,
    axes: &mut Axes,
    flat: bool,
) -> Result<()> {
    if flat {
        return self::flat(call, device, launch, axes.count());
    }
    axes.pad(launch.rank());
    if launch.is_cooperative() {
        return super::cooperative::launch(call, device, launch, axes);
    }
    if launch.is_sequential() {
        return scattering::launch(call, device, launch, axes);
    }
    if launch.is_tiled() {
        return tiles(call, device, launch, axes);
    }
    if launch.is_ragged() {
        return super::ragged::launch(call, device, launch, axes);
    }
    let last = if axes.rank > 0 { axes.extents[axes.rank - 1] } else { 1 };
    let outer = axes.count() / last.max(1);
    let is_narrow = Kernel::has_strided32(launch.rank(), launch.kernel.flags) && fits_32(launch, &[axes]);
    let variant = if is_narrow { Variant::Strided32 } else { Variant::Strided64 };
    let mut parameters = Parameters::new(launch);
    parameters.push_space(launch, &[axes])?;
    submit(call, device, launch, variant, strided_grid(launch, last, outer), &mut parameters)
}

/// A map of tiles: a warp a tile.
fn tiles(call: &CallState, device: &'static Device, launch: &Launch<'_>, axes: &Axes) -> Result<()> {
    let variant = if fits_32(launch, &[axes]) { Variant::Tiles32 } else { Variant::Tiles64 };
    let mut parameters = Parameters::new(launch);
    parameters.push_space(launch, &[axes])?;
    let block = i64::from(launch.kernel.block.max(1));
    let blocks = ceil_div(ceil_div(axes.count(), Kernel::TILE), block / WARP);
    let grid = Grid { blocks: (blocks.min(device.most_blocks[0]), 1), threads: (block, 1) };
    submit(call, device, launch, variant, grid, &mut parameters)
}

/// Rows as long as the last axis: several to a block where they are short.
fn strided_grid(launch: &Launch<'_>, last: i64, rows: i64) -> Grid {
    let block = i64::from(launch.kernel.block.max(1));
    if launch.takes_turns(last) {
        let x = block.min(TURNS_BLOCK);
        return Grid { blocks: (ceil_div(last * WARP, x), 1), threads: (x, 1) };
    }
    let x = if launch.rank() < 2 { block } else { power_of_two_from(last, block) };
    let y = if launch.rank() < 2 { 1 } else { block / x };
    Grid { blocks: (ceil_div(last, x), ceil_div(rows, y)), threads: (x, y) }
}

/// The smallest power of two that is not less than `n`; `most` where that is smaller.
pub(super) fn power_of_two_from(n: i64, most: i64) -> i64 {
    n.clamp(1, most).cast_unsigned().next_power_of_two().cast_signed().min(most)
}

/// The flat variant of a map over `count` elements: several launches where they are many.
pub(super) fn flat(call: &CallState, device: &'static Device, launch: &Launch<'_>, count: i64) -> Result<()> {
    let step = i64::from(launch.kernel.block) * i64::from(launch.kernel.vector.max(1));
    let most = most_flat(device, launch.kernel);
    let mut parameters = Parameters::new(launch);
    parameters.push(0);
    let length = parameters.values.len() - 1;
    let mut first = 0;
    while first < count {
        let n = (count - first).min(most);
        parameters.values[length] = n.cast_unsigned();
        let grid = Grid { blocks: (ceil_div(n, step), 1), threads: (i64::from(launch.kernel.block), 1) };
        submit(call, device, launch, Variant::Flat32, grid, &mut parameters)?;
        first += n;
        if first == count {
            break;
        }
        for (value, info) in parameters.values.iter_mut().zip(launch.infos) {
            if info.scalar == 0 {
                *value = value.wrapping_add_signed(n * i64::from(info.itemsize));
            }
        }
    }
    Ok(())
}

/// A map in one flat launch with few parameters, which are made in one pass where they stay: what most short calls are.
pub(super) struct QuickLaunch<'a> {
    kernel: &'a Kernel,
    count: i64,
}

/// Parameters of a quick launch at most.
const FEW: usize = 24;

impl<'a> QuickLaunch<'a> {
    /// `None`: there are too many elements or parameters.
    #[inline]
    pub(super) fn of(device: &Device, kernel: &'a Kernel, count: i64) -> Option<QuickLaunch<'a>> {
        let parameters = kernel.n_operands as usize + 2 * kernel.n_scalars as usize + 1;
        (count <= most_flat(device, kernel) && parameters <= FEW).then_some(QuickLaunch { kernel, count })
    }

    /// `None`: flat variants cannot address the operands. May be done again.
    ///
    /// # Safety
    /// As [`super::launch`]; the operands lie flat, and no extent is 0.
    #[inline]
    pub(super) unsafe fn run(
        &self,
        call: &CallState,
        device: &'static Device,
        operands: &[Operand],
        infos: &[OperandInfo],
        scalars: *const [u64; 2],
    ) -> Option<Result<()>> {
        let mut values = [const { MaybeUninit::<u64>::uninit() }; FEW];
        let mut n = 0;
        let mut push = |value: u64| {
            values[n].write(value);
            n += 1;
        };
        for (operand, info) in operands.iter().zip(infos) {
            // SAFETY: as the caller promises.
            let base = match unsafe { call.found(operand, info.access & OperandInfo::WRITE != 0) } {
                Ok(base) => base,
                Err(error) => return Some(Err(error)),
            };
            let first = base.wrapping_offset(operand.offset as isize);
            if info.scalar == 0 && !first.addr().is_multiple_of(FLAT_ALIGN) {
                return None;
            }
            push(first.expose_provenance() as u64);
        }
        for i in 0..self.kernel.n_scalars as usize {
            // SAFETY: generated code passes `n_scalars` scalars, and the kernel has as many dtypes.
            let (bits, code) = unsafe { (*scalars.add(i), *self.kernel.scalars.add(i)) };
            push(bits[0]);
            if code == dtype::COMPLEX64 || code == dtype::COMPLEX128 {
                push(bits[1]);
            }
        }
        push(self.count.cast_unsigned());
        stats::launched(device.ordinal);
        call.note_work();
        let mut pointers = [const { MaybeUninit::<*mut c_void>::uninit() }; FEW];
        for (pointer, value) in pointers.iter_mut().zip(&mut values[..n]) {
            pointer.write(value.as_mut_ptr().cast());
        }
        let (block, vector) = (i64::from(self.kernel.block), i64::from(self.kernel.vector.max(1)));
        let grid = Grid { blocks: (ceil_div(self.count, block * vector), 1), threads: (block, 1) };
        // SAFETY: a flat variant's parameters, in its order.
        Some(unsafe { submit_at(call, device, self.kernel, Variant::Flat32, grid, (pointers.as_mut_ptr().cast(), n)) })
    }
}

/// A reduction.
///
/// # Safety
/// As [`map`].
pub(crate) unsafe fn reduce(
    call: &CallState,
    device: &'static Device,
    launch: &Launch<'_>,
    kept: &Axes,
    reduced: &Axes,
) -> Result<()> {
    // SAFETY: as the caller promises.
    if launch.kernel.factors != 0 && unsafe { super::product::on_device(call, device, launch, kept, reduced) }? {
        return Ok(());
    }
    let outputs = kept.count();
    let fold = if fits_32(launch, &[kept, reduced]) { Variant::Fold32 } else { Variant::Fold64 };
    let plan = Plan::of(launch.kernel, launch.reads_along(kept), outputs, reduced.count());
    let mut parameters = Parameters::new(launch);
    parameters.push_space(launch, &[kept, reduced])?;
    let size = i64::from(launch.kernel.accumulator_bytes);
    let partials = if plan.n_chunks > 1 { Some(call.alloc(outputs * plan.n_chunks * size)?) } else { None };
    parameters.push(partials.as_ref().map_or(0, |memory| memory.address().cast_signed()));
    parameters.push(plan.chunk);
    parameters.push(plan.n_chunks);
    parameters.push(i64::from(plan.across));
    let mut done = submit(call, device, launch, fold, plan.fold, &mut parameters);
    if plan.n_chunks > 1 {
        done = done.and_then(|()| submit(call, device, launch, Variant::Finish64, plan.finish, &mut parameters));
    }
    // Given back in stream order, after the launches.
    drop(partials);
    done
}
