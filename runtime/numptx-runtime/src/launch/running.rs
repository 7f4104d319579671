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

/// Threads of a warp.
const WARP: i64 = 32;

#[cfg(test)]
mod tests {
    use super::{MAX_CHUNKS, cut, host_chunks};

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
}
