//! Loops as one launch: whether a loop is one, and launches of cooperative programs on a device: one block, a cluster of blocks, or a grid of blocks that
//! are all resident and wait for each other.
//!
//! In: how many work items the largest step of a loop has; a kernel with [`numptx_abi::Kernel::COOPERATIVE`] and its extent: for how many threads there is
//! work between two barriers. Out: the choice; one launch. This is the only place that knows what launches and barriers cost:
//!
//! | a step is | costs beside its work items | and its work items have |
//! | --- | --- | --- |
//! | a part of one block | tens of nanoseconds for a barrier | one processor |
//! | a part of a cluster | 0.6 to 0.8 µs for its blocks to meet and see what was stored | up to 16 processors |
//! | a part of a grid | 1.5 to 2 µs for its blocks to meet | all processors |
//! | a kernel from the host | 3.4 µs | all of the device |
//!
//! So a block is right up to some thousands of work items, and a cluster up to tens of thousands. But work items of diagonals have their elements in a line of
//! memory each. Of them a processor does one access a cycle, and each counts as eight: an H200 took as long in a block and in a cluster at 800 of them, in a
//! cluster and in a grid at 6500. A grid costs less than kernels at all sizes that were measured, up to eight million work items. There a step of 12 to 48
//! bytes a work item takes 10 µs instead of 25 from L2, and 39 instead of 42 from memory. A kernel's sums have many threads each, a step's sums along rows
//! those of a warp where there are few. Kernels go through memory once for each iteration. A step that stands for several iterations does so once for all of
//! them, so that such a loop is one launch at all sizes. Wavefronts of several loops, which ask with 0 iterations, have fewer steps with more work items than
//! those of one. Their work items lie far apart, for which a host pays and gets nothing. Which of them runs follows from extents, so that results do not change
//! from run to run. `NUMPTX_COOPERATIVE` decides otherwise: `block`, `cluster`, `grid`, `host`, or the extent from which on there is a grid.

use std::ffi::c_void;
use std::sync::OnceLock;

use numptx_abi::Kernel;

use super::Launch;
use super::device::{Grid, Parameters, ceil_div};
use crate::axes::Axes;
use crate::call::CallState;
use crate::device::Device;
use crate::driver::Failure;
use crate::error::{Error, Result};
use crate::inline::Inline;
use crate::plan::{Variant, function};

/// The extent from which on one processor's bandwidth costs more than the meetings of a cluster.
const CLUSTER_FROM: i64 = 4096;
/// The extent from which on that of a cluster's processors costs more than the meetings of a grid.
const GRID_FROM: i64 = 1 << 16;
/// The extent from which on there is a grid where there are no clusters.
const GRID_FROM_ALONE: i64 = 1 << 14;
/// As how many work items one counts whose elements lie far from those of its neighbours.
const APART: i64 = 8;
/// Work items of a step from which on kernels of their own may cost less than a grid.
const KERNELS_FROM: i64 = 1 << 23;
/// The same where there are no grids, and on the host, whose threads share kernels.
const KERNELS_FROM_ALONE: i64 = 1 << 15;
/// Iterations of a loop from which on what its own barriers cost is more than what launches around it do.
const APART_FROM: i64 = 8;
/// Elements that a thread sums up on its own, at a tenth of a microsecond each, before the threads of a kernel for the sum cost less. Where a step sums up no
/// more elements than it may have work items, its work items are few enough that warps sum up, and rows may be of any length.
const LONGEST_ROW: i64 = 128;
/// Threads of a grid's blocks while there is not work for all processors.
const SMALL_BLOCK: i64 = 256;
const WARP: i64 = 32;

/// What runs loops of small steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    /// One launch, of this group.
    OneLaunch(ThreadGroup),
    /// One launch, a block below this extent, or else a grid.
    GridFrom(i64),
    /// Kernels from the host.
    Kernels,
    /// Whichever the table above says is cheapest.
    Cheapest,
}

/// The threads of one launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ThreadGroup {
    Block,
    Cluster,
    Grid,
}

/// Where a call computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// A device with cooperative grids.
    Grids,
    /// A device without them.
    Blocks,
    /// Where one thread runs what is one launch.
    Host,
}

fn wish() -> &'static Result<Wish> {
    static WISH: OnceLock<Result<Wish>> = OnceLock::new();
    WISH.get_or_init(|| parse_wish(&std::env::var("NUMPTX_COOPERATIVE").unwrap_or_default()))
}

fn parse_wish(text: &str) -> Result<Wish> {
    Ok(match text.trim() {
        "" => Wish::Cheapest,
        "block" => Wish::OneLaunch(ThreadGroup::Block),
        "cluster" => Wish::OneLaunch(ThreadGroup::Cluster),
        "grid" => Wish::OneLaunch(ThreadGroup::Grid),
        "host" => Wish::Kernels,
        number => match number.parse() {
            Ok(from) => Wish::GridFrom(from),
            Err(_) => {
                let message =
                    format!("NUMPTX_COOPERATIVE is `{text}`; it may be block, cluster, grid, host or a number");
                return Err(Error::value(message));
            }
        },
    })
}

/// Fails if `NUMPTX_COOPERATIVE` is nothing that it may be.
pub(crate) fn check_wish() -> Result<()> {
    wish().as_ref().map(|_| ()).map_err(Error::clone)
}

impl Wish {
    /// Whether a loop is one launch. Its largest step, which is that of so many iterations, has so many work items, and sums of so many elements in one thread.
    /// 0 iterations: anything else is one loop's wavefronts or one thread's work.
    fn is_one_launch(self, points: i64, row: i64, rounds: i64, place: Place) -> bool {
        match self {
            Wish::OneLaunch(_) | Wish::GridFrom(_) => true,
            Wish::Kernels => false,
            Wish::Cheapest if rounds == 0 => place != Place::Host,
            Wish::Cheapest => {
                let elements = points.saturating_mul(row.max(1));
                match place {
                    Place::Grids => {
                        elements <= KERNELS_FROM || ((points <= KERNELS_FROM || rounds > 1) && row <= LONGEST_ROW)
                    }
                    Place::Blocks => {
                        elements <= KERNELS_FROM_ALONE || (points <= KERNELS_FROM_ALONE && row <= LONGEST_ROW)
                    }
                    Place::Host => elements <= KERNELS_FROM_ALONE,
                }
            }
        }
    }

    /// Whether loops in a loop, whose largest step has so many work items, so many of them in these loops, which have so many iterations, are launches of
    /// their own: their steps are one block's, whose barriers are for nothing, but all would meet as a grid.
    fn is_apart(self, points: i64, inside: i64, iterations: i64, place: Place) -> bool {
        match self {
            Wish::OneLaunch(_) | Wish::GridFrom(_) => false,
            Wish::Kernels => true,
            Wish::Cheapest => {
                place == Place::Grids && points >= GRID_FROM && inside < CLUSTER_FROM && iterations >= APART_FROM
            }
        }
    }

    /// The groups for an extent, of work items that count as so many, the best one first; a block is always there.
    fn groups(self, extent: i64, weight: i64) -> &'static [ThreadGroup] {
        match self {
            Wish::OneLaunch(ThreadGroup::Block) => &[],
            Wish::OneLaunch(ThreadGroup::Cluster) => &[ThreadGroup::Cluster],
            Wish::OneLaunch(ThreadGroup::Grid) => &[ThreadGroup::Grid],
            Wish::GridFrom(from) if extent >= from => &[ThreadGroup::Grid],
            Wish::GridFrom(_) => &[],
            Wish::Kernels | Wish::Cheapest => match extent.saturating_mul(weight) {
                GRID_FROM.. => &[ThreadGroup::Grid, ThreadGroup::Cluster],
                GRID_FROM_ALONE.. => &[ThreadGroup::Cluster, ThreadGroup::Grid],
                CLUSTER_FROM.. => &[ThreadGroup::Cluster],
                _ => &[],
            },
        }
    }
}

/// [`numptx_abi::RuntimeTable::one_launch`].
pub(crate) fn is_one_launch(call: &CallState, points: i64, row: i64, rounds: i64) -> bool {
    let place = match call.device {
        None => Place::Host,
        Some(device) if device.is_cooperative => Place::Grids,
        Some(_) => Place::Blocks,
    };
    // Calls look for a mistake in it before.
    let wish = wish().as_ref().unwrap_or(&Wish::Cheapest);
    match rounds {
        ..0 => wish.is_apart(points, row, rounds.saturating_neg(), place),
        _ => wish.is_one_launch(points, row, rounds, place),
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

/// The same with work items on as many processors as there are.
fn wide_grid_of(extent: i64, most: i64, processors: i64) -> Grid {
    let processors = processors.max(1);
    let threads = (ceil_div(ceil_div(extent.max(1), processors), WARP) * WARP).min(most);
    Grid { blocks: (ceil_div(extent.max(1), threads).clamp(1, processors), 1), threads: (threads, 1) }
}

/// Queues the one launch of a cooperative program.
pub(super) fn launch(call: &CallState, device: &'static Device, launch: &Launch<'_>, axes: &Axes) -> Result<()> {
    let (extent, most) = (axes.count(), i64::from(launch.kernel.block));
    let weight = if launch.lies_apart() { APART } else { 1 };
    let processors = device.processors.min(device.most_blocks[0]);
    for group in wish().as_ref().map_err(Error::clone)?.groups(extent, weight) {
        let is_launched = match group {
            ThreadGroup::Block => false,
            ThreadGroup::Cluster => super::cluster::launch(call, device, launch, axes, extent.saturating_mul(weight))?,
            ThreadGroup::Grid => {
                let grid = match weight {
                    1 => grid_of(extent, most, processors),
                    _ => wide_grid_of(extent, most, processors),
                };
                // A grid's memory is for two blocks or more: one alone needs no grid.
                device.is_cooperative && grid.blocks.0 > 1 && launch_grid(call, device, launch, axes, grid)?
            }
        };
        if is_launched {
            return Ok(());
        }
    }
    let mut parameters = Parameters::new(launch);
    parameters.push_space(launch, &[axes])?;
    super::device::submit(call, device, launch, Variant::Block64, block_of(extent, most), &mut parameters)
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
    call.replay.give_up();
    let bytes = Kernel::GRID_COUNTER_BYTES + Kernel::GRID_BLOCK_BYTES * grid.blocks.0;
    let scratch = call.alloc(bytes)?;
    let address = scratch.address();
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
    // Given back in stream order, after the launch.
    drop(scratch);
    done
}

#[cfg(test)]
mod tests {
    use super::{
        APART, APART_FROM, CLUSTER_FROM, GRID_FROM, GRID_FROM_ALONE, KERNELS_FROM, KERNELS_FROM_ALONE, LONGEST_ROW,
        Place, ThreadGroup, WARP, Wish, block_of, grid_of, parse_wish, wide_grid_of,
    };

    fn wished(text: &str) -> Wish {
        parse_wish(text).expect("it is one of the wishes")
    }

    #[test]
    fn blocks_are_whole_warps_and_grids_resident() {
        for (extent, threads) in [(0, 32), (1, 32), (33, 64), (1000, 1024), (5000, 1024)] {
            assert_eq!(block_of(extent, 1024).threads, (threads, 1), "{extent}");
        }
        for extent in [1, 256, 257, 33_792, 33_793, 1 << 40] {
            let grid = grid_of(extent, 1024, 132);
            assert!(grid.blocks.0 >= 1 && grid.blocks.0 <= 132, "{extent}");
            assert!(grid.blocks.0 == 132 || grid.blocks.0 * grid.threads.0 >= extent, "{extent}");
            let wide = wide_grid_of(extent, 1024, 132);
            assert!(wide.blocks.0 <= 132 && wide.threads.0 % WARP == 0, "{extent}");
            assert!(wide.blocks.0 * wide.threads.0 >= extent.min(132 * 1024), "{extent}");
        }
        assert_eq!(wide_grid_of(19_701, 1024, 132).threads, (160, 1));
    }

    #[test]
    fn the_environment_decides() {
        let wishes = [
            ("block", Wish::OneLaunch(ThreadGroup::Block)),
            ("cluster", Wish::OneLaunch(ThreadGroup::Cluster)),
            ("grid", Wish::OneLaunch(ThreadGroup::Grid)),
            ("host", Wish::Kernels),
            (" 100 ", Wish::GridFrom(100)),
            ("", Wish::Cheapest),
        ];
        wishes.into_iter().for_each(|(text, wish)| assert_eq!(parse_wish(text).ok(), Some(wish)));
        let error = parse_wish("?").expect_err("it is none of the wishes");
        assert_eq!(error.message(), "NUMPTX_COOPERATIVE is `?`; it may be block, cluster, grid, host or a number");
        assert_eq!(wished("100").groups(99, APART), []);
        assert_eq!(wished("100").groups(100, 1), [ThreadGroup::Grid]);
        assert_eq!(wished("cluster").groups(1, 1), [ThreadGroup::Cluster]);
        assert_eq!(wished("block").groups(i64::MAX, APART), []);
    }

    #[test]
    fn teams_grow_with_their_steps() {
        for (extent, groups) in [
            (CLUSTER_FROM - 1, &[][..]),
            (CLUSTER_FROM, &[ThreadGroup::Cluster]),
            (GRID_FROM_ALONE - 1, &[ThreadGroup::Cluster]),
            (GRID_FROM_ALONE, &[ThreadGroup::Cluster, ThreadGroup::Grid]),
            (GRID_FROM, &[ThreadGroup::Grid, ThreadGroup::Cluster]),
        ] {
            assert_eq!(Wish::Cheapest.groups(extent, 1), groups, "{extent}");
            assert_eq!(Wish::Cheapest.groups(extent / APART, APART), Wish::Cheapest.groups(extent / APART * APART, 1));
        }
    }

    #[test]
    fn fronts_of_several_loops_are_for_devices() {
        for (place, is_one) in [(Place::Grids, true), (Place::Blocks, true), (Place::Host, false)] {
            assert_eq!(Wish::Cheapest.is_one_launch(1 << 40, 1, 0, place), is_one);
            assert!(!Wish::Kernels.is_one_launch(1, 1, 0, place));
            assert!(Wish::OneLaunch(ThreadGroup::Block).is_one_launch(1, 1, 0, place));
        }
    }

    #[test]
    fn narrow_loops_in_wide_ones_are_launches() {
        for (points, inside, iterations, place, is_apart) in [
            (GRID_FROM, CLUSTER_FROM - 1, APART_FROM, Place::Grids, true),
            (GRID_FROM - 1, 1, 1 << 20, Place::Grids, false),
            (1 << 30, CLUSTER_FROM, 1 << 20, Place::Grids, false),
            (1 << 30, 1, APART_FROM - 1, Place::Grids, false),
            (1 << 30, 1, 1 << 20, Place::Blocks, false),
            (1 << 30, 1, 1 << 20, Place::Host, false),
        ] {
            assert_eq!(Wish::Cheapest.is_apart(points, inside, iterations, place), is_apart, "{points} {inside}");
            assert!(!Wish::OneLaunch(ThreadGroup::Grid).is_apart(points, inside, iterations, place));
            assert!(Wish::Kernels.is_apart(points, inside, iterations, place));
        }
    }

    #[test]
    fn steps_of_many_points_are_kernels() {
        for (points, row, place, is_one) in [
            (0, 1, Place::Grids, true),
            (KERNELS_FROM, LONGEST_ROW, Place::Grids, true),
            (KERNELS_FROM + 1, 1, Place::Grids, false),
            (KERNELS_FROM / 4096, 4096, Place::Grids, true),
            (KERNELS_FROM / 4096 + 1, 4096, Place::Grids, false),
            (KERNELS_FROM_ALONE / 4096, 4096, Place::Blocks, true),
            (KERNELS_FROM_ALONE / 4096 + 1, 4096, Place::Blocks, false),
            (KERNELS_FROM_ALONE, 1, Place::Blocks, true),
            (KERNELS_FROM_ALONE + 1, 1, Place::Blocks, false),
            (KERNELS_FROM_ALONE / 8, 8, Place::Host, true),
            (KERNELS_FROM_ALONE / 8, 9, Place::Host, false),
            (i64::MAX, i64::MAX, Place::Host, false),
        ] {
            assert_eq!(Wish::Cheapest.is_one_launch(points, row, 1, place), is_one, "{points} {row}");
            assert!(Wish::OneLaunch(ThreadGroup::Grid).is_one_launch(points, row, 1, place));
            assert!(!Wish::Kernels.is_one_launch(points, row, 4, place));
            let is_tiled = Wish::Cheapest.is_one_launch(points, row, 4, place);
            assert_eq!(is_tiled, is_one || (place == Place::Grids && row <= LONGEST_ROW), "{points} {row}");
        }
    }
}
