//! Accumulators of reductions: identity, combination, and their layout in memory.

use numptx_ir::kernel::Phase;

/// Where the parts of an accumulator lie in memory.
pub(crate) struct Layout {
    /// Bytes in all, a multiple of 16.
    pub bytes: u32,
}

impl Layout {
    /// The layout of a phase's reducers.
    pub fn of(_phase: &Phase) -> Layout {
        Layout { bytes: 16 }
    }
}
