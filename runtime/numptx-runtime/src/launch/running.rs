//! How the rows of a scan are cut and spread. Depends on shapes only, so that results do not change with threads or from run to run.

use numptx_abi::Kernel;

use super::device::{Grid, ceil_div};

/// The most chunks of a row: every chunk goes through the totals of those before it.
const MAX_CHUNKS: i64 = 1024;
/// Elements of a chunk on the host, at least. Shorter rows are run through in NumPy's own order.
const HOST_CHUNK: i64 = 1 << 16;
/// The same for a block on a device.
const BLOCK_CHUNK: i64 = 8192;
/// The same for a thread.
const THREAD_CHUNK: i64 = 64;
/// The most chunks of a row that has a thread: each thread goes through the totals alone.
const MAX_THREAD_CHUNKS: i64 = 128;
/// Blocks that fill a device.
const BLOCKS: i64 = 1024;
/// Threads that fill a device.
const THREADS: i64 = 1 << 17;
/// Rows up to this length have a thread where there are rows enough.
const SHORT: i64 = 32;

/// Elements of a chunk, and chunks of a row, on the host.
pub(super) fn host_chunks(elements: i64) -> (i64, i64) {
    cut(elements, (elements / HOST_CHUNK).min(MAX_CHUNKS))
}

/// The elements cut into about `wanted` chunks.
fn cut(elements: i64, wanted: i64) -> (i64, i64) {
    if wanted < 2 {
        return (elements.max(1), 1);
    }
    let chunk = ceil_div(ceil_div(elements, wanted), 256) * 256;
    (chunk, ceil_div(elements, chunk))
}

/// The launches of a scan on a device.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScanPlan {
    /// Whether a thread runs along a row, or else a block.
    pub(super) across: bool,
    pub(super) chunk: i64,
    pub(super) n_chunks: i64,
    /// Of the launch that makes the chunks' totals, only if there are several chunks; and of the one that stores.
    pub(super) grid: Grid,
}

impl ScanPlan {
    /// `side_by_side`: neighbouring rows read neighbouring elements.
    pub(super) fn of(kernel: &Kernel, side_by_side: bool, rows: i64, elements: i64) -> ScanPlan {
        let block = i64::from(kernel.block.max(1));
        let across = if side_by_side { rows >= WARP } else { elements <= SHORT && rows > BLOCKS };
        let (blocks, wanted) = match across {
            true => {
                let wanted = (THREADS / rows).min(elements / THREAD_CHUNK).min(MAX_THREAD_CHUNKS);
                (ceil_div(rows, block), wanted)
            }
            false => (rows, (2 * BLOCKS / rows).min(elements / BLOCK_CHUNK).min(MAX_CHUNKS)),
        };
        let (chunk, n_chunks) = cut(elements, wanted);
        ScanPlan { across, chunk, n_chunks, grid: Grid { blocks: (blocks, n_chunks), threads: (block, 1) } }
    }
}

/// The launch of a scan on a device whose blocks run through tiles of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TilePlan {
    /// Tiles of a row, and of all rows.
    pub(super) tiles: i64,
    pub(super) all: i64,
    /// Anchors of all rows.
    pub(super) anchors: i64,
}

impl TilePlan {
    /// `None`: the rows are short, or have threads, or the kernel has no such variant. `side_by_side` as in [`ScanPlan::of`].
    pub(super) fn of(kernel: &Kernel, side_by_side: bool, rows: i64, elements: i64) -> Option<TilePlan> {
        let tile = i64::from(kernel.block.max(1)) * i64::from(kernel.vector);
        if tile == 0 || elements < SHORTEST * tile || (side_by_side && rows >= WARP) {
            return None;
        }
        let tiles = ceil_div(elements, tile);
        let all = rows.checked_mul(tiles).filter(|all| *all < MOST_TILES)?;
        Some(TilePlan { tiles, all, anchors: rows * ceil_div(tiles, Kernel::ANCHOR_TILES) })
    }
}

/// Tiles of a row, at least: of fewer a block makes less work of the row alone.
const SHORTEST: i64 = 2;
/// Tiles have numbers of 32 bits.
const MOST_TILES: i64 = i32::MAX as i64;
/// Threads of a warp.
const WARP: i64 = 32;

#[cfg(test)]
mod tests {
    use super::{Kernel, MAX_CHUNKS, TilePlan, cut, host_chunks};
    use crate::launch::any_kernel::any_kernel;

    #[test]
    fn chunks_cover_the_elements_once() {
        for elements in [0, 1, 1000, (1 << 17) - 1, 1 << 17, (1 << 30) + 7] {
            let (chunk, n) = host_chunks(elements);
            assert!((1..=MAX_CHUNKS).contains(&n) && chunk * n >= elements);
            assert!(n == 1 || chunk * (n - 1) < elements);
        }
        assert_eq!(host_chunks((1 << 17) - 1).1, 1);
        assert_eq!(cut(1000, 2), (512, 2));
    }
    #[test]
    fn long_rows_are_cut_into_tiles() {
        let kernel = Kernel { kind: Kernel::SCAN, n_reduced: 1, block: 256, vector: 16, ..any_kernel() };
        let plan = |rows, elements| TilePlan::of(&kernel, false, rows, elements);
        assert_eq!(plan(1, 8191), None);
        assert_eq!(plan(1, 8192), Some(TilePlan { tiles: 2, all: 2, anchors: 1 }));
        assert_eq!(plan(3, 8193), Some(TilePlan { tiles: 3, all: 9, anchors: 3 }));
        assert_eq!(plan(3, 64 * 4096 + 1), Some(TilePlan { tiles: 65, all: 195, anchors: 6 }));
        assert_eq!(plan(i64::MAX, 8192), None);
        assert_eq!(plan(1 << 31, 8192), None);
        assert_eq!(TilePlan::of(&kernel, true, 32, 8192), None, "a thread has a row where rows lie side by side");
        assert!(TilePlan::of(&kernel, true, 31, 8192).is_some());
        assert_eq!(TilePlan::of(&Kernel { vector: 0, ..kernel }, false, 1, 1 << 20), None, "it has no such variant");
    }
}
