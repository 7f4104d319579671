//! Scans on a device: which of their variants run, and the memory through which blocks tell others what comes before them.
//!
//! In: the kernel, its rows and the axis along which it runs. Out: its variants are queued.

use numptx_abi::Kernel;

use super::Launch;
use super::device::{Grid, Parameters, submit};
use super::limits::fits_32;
use super::running::{ScanPlan, TilePlan};
use crate::axes::Axes;
use crate::call::CallState;
use crate::device::Device;
use crate::error::Result;
use crate::plan::Variant;

/// What pointers and rows are aligned to where threads access several elements at once.
const WIDEST: i64 = 16;

/// A scan: of long rows in one launch, or of several chunks in two, the first of which makes the chunks' totals.
///
/// # Safety
/// As [`super::device::map`].
pub(super) unsafe fn on_device(
    call: &CallState,
    device: &'static Device,
    launch: &Launch<'_>,
    rows: &Axes,
    along: &Axes,
) -> Result<()> {
    let side_by_side = launch.reads_along(rows);
    let mut parameters = Parameters::new(launch);
    parameters.push_space(launch, &[rows, along])?;
    if let Some(plan) = TilePlan::of(launch.kernel, side_by_side, rows.count(), along.count()) {
        return in_tiles(call, device, launch, (rows, along), &plan, &mut parameters);
    }
    let (fold, scan) = match fits_32(launch, &[rows, along]) {
        true => (Variant::Fold32, Variant::Scan32),
        false => (Variant::Fold64, Variant::Scan64),
    };
    let plan = ScanPlan::of(launch.kernel, side_by_side, rows.count(), along.count());
    let size = i64::from(launch.kernel.accumulator_bytes);
    let is_cut = plan.n_chunks > 1;
    let totals = if is_cut { Some(call.alloc(rows.count() * plan.n_chunks * size)?) } else { None };
    parameters.push(totals.as_ref().map_or(0, |memory| memory.address().cast_signed()));
    parameters.push(plan.chunk);
    parameters.push(plan.n_chunks);
    parameters.push(i64::from(plan.across));
    let mut done = Ok(());
    if is_cut {
        done = submit(call, device, launch, fold, plan.grid, &mut parameters);
    }
    done = done.and_then(|()| submit(call, device, launch, scan, plan.grid, &mut parameters));
    // Given back in stream order, after the launches.
    drop(totals);
    done
}

/// A block a tile; the tiles of a row before the next row's.
fn in_tiles(
    call: &CallState,
    device: &'static Device,
    launch: &Launch<'_>,
    (rows, along): (&Axes, &Axes),
    plan: &TilePlan,
    parameters: &mut Parameters,
) -> Result<()> {
    let variant = if fits_32(launch, &[rows, along]) { Variant::Running32 } else { Variant::Running64 };
    let bytes = plan.bytes(launch.kernel);
    let memory = call.alloc(bytes)?;
    let address = memory.address();
    parameters.push(address.cast_signed());
    parameters.push(plan.tiles);
    parameters.push(i64::from(is_flat(launch, rows, along)));
    call.replay.give_up();
    let block = i64::from(launch.kernel.block.max(1));
    let grid = Grid { blocks: (plan.all.min(device.most_blocks[0]), 1), threads: (block, 1) };
    // SAFETY: the buffer holds that many bytes.
    let done = unsafe { device.driver.fill(address, 0, bytes as usize, call.stream.handle()) }.map_err(Into::into);
    let done = done.and_then(|()| submit(call, device, launch, variant, grid, parameters));
    // Given back in stream order, after the launch.
    drop(memory);
    done
}

/// Whether the elements of rows lie side by side in ascending order, and their rows are aligned.
fn is_flat(launch: &Launch<'_>, rows: &Axes, along: &Axes) -> bool {
    launch.infos.iter().zip(launch.pointers.iter()).enumerate().all(|(operand, (info, pointer))| {
        let mut steps = rows.strides[operand][..rows.rank].iter();
        info.scalar != 0
            || (along.strides[operand][..along.rank] == [i64::from(info.itemsize)]
                && pointer.addr().is_multiple_of(WIDEST as usize)
                && steps.all(|step| step % WIDEST == 0))
    })
}

impl TilePlan {
    /// Bytes of the memory that a launch needs.
    fn bytes(&self, kernel: &Kernel) -> i64 {
        Kernel::TICKET_BYTES + 2 * i64::from(kernel.accumulator_bytes) * (self.all + self.anchors)
    }
}
