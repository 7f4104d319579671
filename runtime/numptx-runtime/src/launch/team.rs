//! Launches of team programs on a device: one block, or a grid of blocks that are all resident and wait for each other.
//!
//! In: a kernel with [`numptx_abi::Kernel::TEAM`] and its extent: for how many threads there is work between two barriers. Out: one launch. Waiting costs a block tens of
//! nanoseconds and a grid more than a microsecond, but a block has one processor only. Which of the two runs follows from the extent, so that
//! results do not change from run to run. `NUMPTX_TEAM` decides otherwise: `block`, `grid`, or the extent from which on there is a grid.

use std::ffi::c_void;
use std::sync::OnceLock;

use numptx_abi::Kernel;

use super::Launch;
use super::device::{Grid, Parameters, ceil_div};
use crate::axes::Axes;
use crate::call::CallState;
use crate::device::Device;
use crate::driver::Failure;
use crate::error::Result;
use crate::image::{Variant, function};
use crate::inline::Inline;

/// The extent from which on one processor's bandwidth costs more than the meetings of a grid.
const GRID_FROM: i64 = 4096;
/// Threads of a grid's blocks while there is not work for all processors.
const SMALL_BLOCK: i64 = 256;
const WARP: i64 = 32;

/// The extent from which on a grid is launched.
fn grid_from() -> i64 {
    static FROM: OnceLock<i64> = OnceLock::new();
    *FROM.get_or_init(|| parse_wish(&std::env::var("NUMPTX_TEAM").unwrap_or_default()))
}

fn parse_wish(text: &str) -> i64 {
    match text.trim() {
        "block" => i64::MAX,
        "grid" => 0,
        number => number.parse().unwrap_or(GRID_FROM),
    }
}

/// One block for an extent.
fn block_of(extent: i64, most: i64) -> Grid {
    Grid { blocks: (1, 1), threads: ((ceil_div(extent.clamp(1, most), WARP) * WARP).min(most), 1) }
}

/// Blocks for an extent, no more than one a processor: so many are resident at once whatever registers they need.
fn grid_of(extent: i64, most: i64, processors: i64) -> Grid {
    let is_small = extent <= SMALL_BLOCK * processors;
    let threads = if is_small { SMALL_BLOCK.min(most) } else { most };
    Grid { blocks: (ceil_div(extent.max(1), threads).clamp(1, processors.max(1)), 1), threads: (threads, 1) }
}

/// Queues the one launch of a team program.
pub(super) fn launch(call: &CallState, device: &'static Device, launch: &Launch<'_>, axes: &Axes) -> Result<()> {
    let (extent, most) = (axes.count(), i64::from(launch.kernel.block));
    if device.is_cooperative && extent >= grid_from() {
        let grid = grid_of(extent, most, device.processors);
        if grid.blocks.0 > 1 && launch_grid(call, device, launch, axes, grid)? {
            return Ok(());
        }
    }
    let mut parameters = Parameters::new(launch);
    parameters.push_space(launch, &[axes])?;
    super::device::submit(call, device, launch, Variant::Team64, block_of(extent, most), &mut parameters)
}

/// Whether the grid was launched: not where the device has less room than it says.
fn launch_grid(
    call: &CallState,
    device: &'static Device,
    launch: &Launch<'_>,
    axes: &Axes,
    grid: Grid,
) -> Result<bool> {
    let function = function(device, launch.kernel, Variant::Grid64)?;
    let bytes = Kernel::GRID_COUNTER_BYTES + Kernel::GRID_BLOCK_BYTES * grid.blocks.0;
    let scratch = call.alloc(bytes)?;
    // SAFETY: just allocated.
    let address = unsafe { (*scratch).data.expose_provenance() as u64 };
    let mut parameters = Parameters::new(launch);
    let done = parameters.push_space(launch, &[axes]).and_then(|()| {
        parameters.push(address.cast_signed());
        let mut pointers: Inline<*mut c_void, 128> = Inline::new();
        for value in parameters.values.iter_mut() {
            pointers.push((value as *mut u64).cast());
        }
        let (blocks, threads) = (grid.blocks.0 as u32, grid.threads.0 as u32);
        let stream = call.stream.handle();
        // SAFETY: the memory is ours, and work on the stream is done in order.
        unsafe { device.driver.fill(address, 0, bytes as usize, stream) }?;
        // SAFETY: the parameters are the variant's, in its order, and live until the driver has copied them.
        let launched = unsafe {
            device.driver.launch_cooperative(function, blocks, 1, 1, threads, 1, 1, 0, stream, pointers.as_mut_ptr())
        };
        match launched {
            Ok(()) => Ok(true),
            Err(Failure { code: Failure::TOO_LARGE, .. }) => Ok(false),
            Err(failure) => Err(failure.into()),
        }
    });
    // SAFETY: our reference; the memory is given back in stream order, after the launch.
    unsafe { crate::buffer::release(scratch) };
    done
}

#[cfg(test)]
mod tests {
    use super::{GRID_FROM, block_of, grid_of, parse_wish};

    #[test]
    fn blocks_are_whole_warps_and_grids_resident() {
        for (extent, threads) in [(0, 32), (1, 32), (33, 64), (1000, 1024), (5000, 1024)] {
            assert_eq!(block_of(extent, 1024).threads, (threads, 1), "{extent}");
        }
        for extent in [1, 256, 257, 33_792, 33_793, 1 << 40] {
            let grid = grid_of(extent, 1024, 132);
            assert!(grid.blocks.0 >= 1 && grid.blocks.0 <= 132, "{extent}");
            assert!(grid.blocks.0 == 132 || grid.blocks.0 * grid.threads.0 >= extent, "{extent}");
        }
    }

    #[test]
    fn the_environment_decides() {
        let wishes = [("block", i64::MAX), ("grid", 0), (" 100 ", 100), ("", GRID_FROM), ("?", GRID_FROM)];
        wishes.into_iter().for_each(|(text, from)| assert_eq!(parse_wish(text), from));
    }
}
