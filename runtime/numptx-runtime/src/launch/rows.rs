//! Launches of kernels of rows: whether there is one, and which threads take a row.
//!
//! In: a kernel with [`numptx_abi::Kernel::ROWS`], how many rows there are, and how long they are. Out: one launch. What is chosen follows from shapes alone,
//! so that results do not change from run to run.
//!
//! Measured on an H200 (`bench/results`, 2026-12-01, designs): rows in registers give 94 to 103 % of a copy; a cluster a row takes half of what kernels that
//! go through memory again do.

use numptx_abi::Kernel;

use super::Launch;
use super::cluster;
use super::device::{Grid, Parameters, ceil_div, power_of_two_from, submit};
use super::limits::fits_32;
use crate::axes::Axes;
use crate::call::CallState;
use crate::device::Device;
use crate::error::Result;
use crate::plan::Variant;

/// Threads of a warp.
const WARP: i64 = 32;
/// Elements of one of few lanes at most.
const FEW_ELEMENTS: i64 = 4;
/// Threads of a block at most, which the compiler's schedule says, too.
const BLOCK: i64 = 256;
/// Blocks of a cluster at most.
const CLUSTER_BLOCKS: i64 = 16;
/// Capability times ten of the first devices that have clusters.
const CLUSTERS_FROM: u32 = 90;
/// Rows for each processor that fill a device.
const ROWS_A_PROCESSOR: i64 = 2;

/// [`numptx_abi::RuntimeTable::one_read`].
pub(crate) fn is_one_read(call: &CallState, rows: i64, width: i64, held: i64) -> bool {
    let Some(device) = call.device else { return false };
    let has_clusters = held & Kernel::HAS_CLUSTERS != 0 && device.architecture >= CLUSTERS_FROM;
    let held = held & (Kernel::HAS_CLUSTERS - 1);
    let cluster = CLUSTER_BLOCKS * i64::from(Kernel::CLUSTER_THREADS) * held;
    let are_held = width <= BLOCK * held || has_clusters && width <= cluster;
    rows > 0 && width > 0 && (are_held || fill(device, rows))
}

/// Whether a block for each of so many rows fills a device.
fn fill(device: &Device, rows: i64) -> bool {
    rows >= ROWS_A_PROCESSOR * device.processors
}

/// Who takes a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Team {
    /// So many lanes of a warp.
    Few(i64),
    Warp,
    Block,
    /// A cluster, where there are clusters; else a block that reads its row again.
    Long,
}

impl Team {
    fn of(block: i64, held: i64, width: i64) -> Team {
        let few = FEW_ELEMENTS.min(held);
        match width {
            _ if width <= WARP * few => Team::Few(power_of_two_from(ceil_div(width, few), WARP)),
            _ if width <= WARP * held => Team::Warp,
            _ if width <= block * held => Team::Block,
            _ => Team::Long,
        }
    }
}

/// A kernel over its rows, which have an element at least.
pub(super) fn launch(
    call: &CallState,
    device: &'static Device,
    launch: &Launch<'_>,
    kept: &Axes,
    reduced: &Axes,
) -> Result<()> {
    let (rows, width) = (kept.count(), reduced.count());
    let (block, held) = (i64::from(launch.kernel.block.max(1)), i64::from(launch.kernel.vector.max(1)));
    let mut parameters = Parameters::new(launch);
    parameters.push_space(launch, &[kept, reduced])?;
    if fits_32(launch, &[kept, reduced]) {
        let team = Team::of(block, held, width);
        let grid = |size: i64| Grid { blocks: (ceil_div(rows, block / size), 1), threads: (block, 1) };
        match team {
            Team::Few(size) => {
                parameters.push(size);
                return submit(call, device, launch, Variant::Few32, grid(size), &mut parameters);
            }
            Team::Warp => return submit(call, device, launch, Variant::Warp32, grid(WARP), &mut parameters),
            Team::Block if rows <= device.most_blocks[0] => {
                return submit(call, device, launch, Variant::Team32, grid(block), &mut parameters);
            }
            Team::Long if !fill(device, rows) => {
                if cluster::launch_rows(call, device, launch, (rows, width), &mut parameters)? {
                    return Ok(());
                }
            }
            Team::Block | Team::Long => {}
        }
    }
    let grid = Grid { blocks: (rows.min(device.most_blocks[0]), 1), threads: (block, 1) };
    submit(call, device, launch, Variant::Streamed64, grid, &mut parameters)
}

#[cfg(test)]
mod tests {
    use super::Team;

    #[test]
    fn teams_hold_their_rows() {
        for (block, held) in [(256, 32), (256, 4), (256, 1), (32, 32), (32, 2)] {
            for width in [1, 2, 3, 5, 31, 33, 100, 127, 129, 512, 1024, 1025, 5000, 8192, 8193, 1 << 30] {
                let case = format!("{block} {held} {width}");
                match Team::of(block, held, width) {
                    Team::Few(size) => assert!(size * held.min(4) >= width && 32 % size == 0, "{case}"),
                    Team::Warp => assert!(width <= 32 * held, "{case}"),
                    Team::Block => assert!(width <= block * held, "{case}"),
                    Team::Long => assert!(width > block * held, "{case}"),
                }
            }
        }
        assert_eq!(Team::of(256, 32, 512), Team::Warp);
        assert_eq!(Team::of(256, 32, 8192), Team::Block);
    }
}
