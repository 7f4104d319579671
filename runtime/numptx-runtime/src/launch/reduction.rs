//! How a reduction is spread over a device: which threads share an output, and into how many chunks its elements are cut.
//!
//! In: the kernel, its numbers of outputs and elements, and which of them lie side by side. Out: grids. Nothing else decides, so results do not
//! change from run to run.

use numptx_abi::Kernel;

use super::chunking;
use super::device::{Grid, ceil_div, power_of_two_from};

/// Threads of a warp.
const WARP: i64 = 32;
/// Elements of a thread before more threads share them.
const THREAD_ELEMENTS: i64 = 4;
/// Elements of a chunk that has a whole block.
const CHUNK_ELEMENTS: i64 = 4096;
/// The longest row for a warp, and the longest where there are too few rows to fill a device with warps.
const WARP_ELEMENTS: (i64, i64) = (4095, 128);
/// Rows that fill a device with warps.
const WARP_ROWS: i64 = 4096;
/// Elements up to which a thread does a column alone.
const COLUMN_ELEMENTS: i64 = 64;
/// Columns that fill a device with threads.
const THREAD_COLUMNS: i64 = 1 << 17;
/// Elements of a thread in a chunk of columns, at least.
const COLUMN_CHUNK: i64 = 16;

/// See the file's header.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// Whether outputs run along x.
    pub(super) across: bool,
    pub(super) fold: Grid,
    /// Elements of a chunk.
    pub(super) chunk: i64,
    pub(super) n_chunks: i64,
    /// Of the second launch; only if there are several chunks.
    pub(super) finish: Grid,
}

impl Plan {
    /// `across`: neighbouring outputs read neighbouring elements.
    pub(super) fn of(kernel: &Kernel, across: bool, outputs: i64, elements: i64) -> Plan {
        let block = i64::from(kernel.block.max(1));
        let size = i64::from(kernel.accumulator_bytes);
        let (threads, shortest) = match across {
            true => columns(block, block * size <= i64::from(Kernel::SHARED_BYTES), outputs, elements),
            false => rows(block, outputs, elements),
        };
        let a_block = if across { threads.0 } else { threads.1 };
        let blocks = ceil_div(outputs, a_block);
        let (chunk, n_chunks) = match shortest {
            Some(shortest) if size > 0 => chunking(blocks, elements, shortest),
            _ => (elements, 1),
        };
        Plan {
            across,
            fold: Grid { blocks: (blocks, n_chunks), threads },
            chunk,
            n_chunks,
            finish: finish(block, outputs, n_chunks),
        }
    }
}

/// Threads of a block where elements of an output lie side by side, and the shortest chunk if rows are worth cutting.
fn rows(block: i64, outputs: i64, elements: i64) -> ((i64, i64), Option<i64>) {
    let longest = if outputs >= WARP_ROWS { WARP_ELEMENTS.0 } else { WARP_ELEMENTS.1 };
    if elements > longest {
        return ((block, 1), Some(CHUNK_ELEMENTS));
    }
    let x = power_of_two_from(ceil_div(elements, THREAD_ELEMENTS), WARP.min(block));
    ((x, block / x), None)
}

/// The same where neighbouring outputs lie side by side. `shares`: several threads can share an output.
fn columns(block: i64, shares: bool, outputs: i64, elements: i64) -> ((i64, i64), Option<i64>) {
    if elements <= COLUMN_ELEMENTS || outputs >= THREAD_COLUMNS {
        return ((block, 1), None);
    }
    if !shares {
        return ((block, 1), Some(COLUMN_CHUNK));
    }
    let x = power_of_two_from(outputs, WARP.min(block));
    ((x, block / x), Some(COLUMN_CHUNK * block / x))
}

/// The launch that combines `n_chunks` accumulators an output.
fn finish(block: i64, outputs: i64, n_chunks: i64) -> Grid {
    let wanted = ceil_div(n_chunks, THREAD_ELEMENTS);
    let x = if wanted > WARP { block } else { power_of_two_from(wanted, WARP.min(block)) };
    Grid { blocks: (ceil_div(outputs, block / x), 1), threads: (x, block / x) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launch::any_kernel::any_kernel;

    fn kernel(block: u16, accumulator_bytes: u32) -> Kernel {
        Kernel { kind: Kernel::REDUCE, n_reduced: 1, n_operands: 0, block, accumulator_bytes, ..any_kernel() }
    }

    #[test]
    fn threads_fill_the_block_and_chunks_cover_the_elements() {
        for (block, bytes) in [(32, 16), (128, 16), (256, 16), (256, 256), (1024, 16)] {
            for outputs in [1, 2, 3, 31, 33, 1000, 4096, 1 << 18, 1 << 31] {
                for elements in [0, 1, 3, 5, 17, 33, 129, 513, 1025, 100_000, 1 << 31] {
                    for across in [false, true] {
                        let plan = Plan::of(&kernel(block, bytes), across, outputs, elements);
                        let case = format!("{block} {bytes} {outputs} {elements}: {plan:?}");
                        for (x, y) in [plan.fold.threads, plan.finish.threads] {
                            assert_eq!(x * y, i64::from(block), "{case}");
                        }
                        let (x, y) = plan.fold.threads;
                        assert!(across || x <= 32 || y == 1, "{case}");
                        assert!(!across || y == 1 || u32::from(block) * bytes <= Kernel::SHARED_BYTES, "{case}");
                        assert!(plan.fold.blocks.0 * if across { x } else { y } >= outputs, "{case}");
                        assert!(plan.n_chunks >= 1 && plan.n_chunks * plan.chunk >= elements, "{case}");
                        assert_eq!(plan.fold.blocks.1, plan.n_chunks, "{case}");
                    }
                }
            }
        }
    }

    #[test]
    fn short_rows_share_warps_and_narrow_columns_fill_the_device() {
        let sum = kernel(256, 16);
        assert_eq!(Plan::of(&sum, false, 1 << 20, 3).fold.threads, (1, 256));
        assert_eq!(Plan::of(&sum, false, 1 << 20, 17).fold.threads, (8, 32));
        assert_eq!(Plan::of(&sum, false, 1 << 19, 512).fold.threads, (32, 8));
        assert_eq!(Plan::of(&sum, false, 64, 100_000).fold.threads, (256, 1));
        let narrow = Plan::of(&sum, true, 3, 1 << 20);
        assert_eq!((narrow.fold.threads, narrow.n_chunks > 500), ((4, 64), true));
        assert_eq!(Plan::of(&sum, true, 1 << 20, 100).fold.threads, (256, 1));
    }
}
