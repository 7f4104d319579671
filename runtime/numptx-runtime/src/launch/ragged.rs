//! Launches of work items that groups of lanes take, because their loops are as long as data say.
//!
//! In: a launch of one axis. Out: it is queued, with groups of as many lanes as the loops keep busy that are of mean length.

use numptx_abi::Kernel;

use super::Launch;
use super::device::{Grid, Parameters, ceil_div, submit};
use crate::axes::Axes;
use crate::call::CallState;
use crate::device::Device;
use crate::error::Result;
use crate::plan::Variant;

/// Iterations that a lane does together: a group of fewer lanes waits for memory more often.
const AT_ONCE: i64 = 4;
/// The binary logarithm of a warp's lanes.
const WARP_SHIFT: i32 = 5;
/// The same of a group's where nobody knows how long loops are.
const UNKNOWN_SHIFT: i32 = 3;
/// Iterations of a loop of mean length from which on a work item is a block's.
const OF_BLOCK: i64 = 2048;

/// Queues a launch.
pub(super) fn launch(call: &CallState, device: &'static Device, launch: &Launch<'_>, axes: &Axes) -> Result<()> {
    let work_items = axes.count();
    let shift = shift(launch, work_items);
    let block = i64::from(launch.kernel.block.max(1));
    let groups = (block >> shift).max(1);
    let mut parameters = Parameters::new(launch);
    parameters.push_space(launch, &[axes])?;
    parameters.push(i64::from(shift));
    let grid = Grid { blocks: (ceil_div(work_items, groups), 1), threads: (block, 1) };
    submit(call, device, launch, Variant::Ragged64, grid, &mut parameters)
}

/// The size of groups, which no data decide, so that sums are the same in every run.
fn shift(launch: &Launch<'_>, work_items: i64) -> i32 {
    let Some(entries) = launch.kernel.entries.checked_sub(1).filter(|n| *n < launch.kernel.n_scalars) else {
        return UNKNOWN_SHIFT;
    };
    // SAFETY: generated code passes `n_scalars` scalars.
    let entries = unsafe { (*launch.scalars.add(entries as usize))[0] }.cast_signed();
    shift_of(entries / work_items.max(1))
}

fn shift_of(mean: i64) -> i32 {
    match mean {
        OF_BLOCK.. => Kernel::BLOCK_SHIFT,
        mean => (ceil_div(mean.max(1), AT_ONCE).cast_unsigned().next_power_of_two().ilog2() as i32).min(WARP_SHIFT),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_as_large_as_loops_are_long() {
        let shifts = [-1, 0, 1, 4, 5, 16, 17, 128, 129, 2047, 2048, i64::MAX].map(shift_of);
        assert_eq!(shifts, [0, 0, 0, 0, 1, 2, 3, 5, 5, 5, 31, 31]);
    }
}
