//! Products of matrices by kernels of our own: the PTX of a kernel that computes its result tile by tile.
//!
//! In: what the elements are, how large tiles are and how factors are read. Out: a module's text with one entry. A block computes one tile: parts of both
//! factors are copied to shared memory while those before them are multiplied, and sums stay in registers. Nothing here launches anything; tiles are chosen and
//! kernels loaded in files of their own.
//!
//! Source: NVIDIA, «Parallel Thread Execution ISA», 9.7.9.25.3 (`cp.async`), 9.7.14.5 (`mma.sync`, fragments of `.f64`).

mod choice;
mod copies;
mod element;
mod kernel;
mod lanes;
mod layout;
mod loaded;
mod matrices;
mod results;

pub(crate) use choice::{Extents, LEAST_ARCHITECTURE, shape};
pub use element::Element;
pub use kernel::PARAMETERS;
pub use layout::{Along, Reach};
pub(crate) use loaded::function;

use layout::Layout;

/// Threads of a warp.
const WARP: u32 = 32;
/// Bytes that a thread copies at once, or reads of shared memory, at most.
pub const VECTOR_BYTES: u32 = 16;

/// How a warp multiplies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Each lane for itself: 4 lanes down, 8 across.
    Lanes,
    /// Tensor cores, by matrices of so many rows, 8 columns, and so many summed elements: 8 × 4, 16 × 4, 16 × 8 or 16 × 16.
    Matrices {
        /// Rows of the first factor's.
        rows: u32,
        /// Elements along the axis that is summed.
        summed: u32,
    },
}

/// How large the pieces are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// How warps multiply.
    pub unit: Unit,
    /// Rows and columns of the result that a warp computes.
    pub warp: (u32, u32),
    /// Warps of a block, down and across.
    pub warps: (u32, u32),
    /// Summed elements that are in shared memory at a time.
    pub summed: u32,
    /// Parts of the factors that have room in shared memory: one is read, the others are on their way.
    pub stages: u32,
    /// Blocks that are to have room on a processor, which bounds registers.
    pub blocks: u32,
}

/// A kernel: `c[i, j] = Σ a[i, k] b[k, j]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tiled {
    /// Of both factors and the result.
    pub element: Element,
    /// How large the pieces are.
    pub shape: Shape,
    /// How the factors are read.
    pub factors: [Reach; 2],
    /// Elements of a row of the result that a thread writes at once.
    pub written: u32,
}

impl Shape {
    /// Rows and columns of a tile.
    pub fn tile(&self) -> (u32, u32) {
        (self.warp.0 * self.warps.0, self.warp.1 * self.warps.1)
    }

    /// Threads of a block.
    pub fn threads(&self) -> u32 {
        self.warps.0 * self.warps.1 * WARP
    }

    /// The oldest GPUs that have the instructions.
    pub fn architecture(&self) -> u32 {
        if matches!(self.unit, Unit::Matrices { rows: 16, .. }) { 90 } else { 80 }
    }
}

impl Tiled {
    /// The entry of the module.
    pub const ENTRY: &str = "product";

    fn layouts(&self) -> [Layout; 2] {
        let (rows, columns) = self.shape.tile();
        let of = |kept, reach: Reach| Layout::of(self.element, self.shape.unit, reach.along, kept, self.shape.summed);
        [of(rows, self.factors[0]), of(columns, self.factors[1])]
    }

    /// Bytes of both factors' parts.
    fn stage_bytes(&self) -> u32 {
        self.layouts().iter().map(Layout::bytes).sum()
    }

    /// Bytes of shared memory.
    pub fn shared_bytes(&self) -> u32 {
        self.stage_bytes() * self.shape.stages
    }

    /// Bytes of it that a launch asks for: all, or none where the entry declares them.
    pub(crate) fn asked_bytes(&self) -> u32 {
        let bytes = self.shared_bytes();
        if bytes > kernel::STATIC_BYTES { bytes } else { 0 }
    }

    /// The module.
    pub fn text(&self) -> String {
        kernel::module(self)
    }
}
