//! What a wavefront runs at each time: groups of statements, and between what their indices lie.

use std::collections::BTreeMap;

use numptx_ir::array::ValueId;

use crate::loops::dependence::{Affine, Variable};

/// When and where everything in loops runs.
#[derive(Clone, Debug)]
pub struct Wavefronts {
    /// The indices of the loops around the parts, from the outside in.
    pub around: Vec<ValueId>,
    /// The first time is the least of these.
    pub first: Vec<Affine>,
    /// The last time is the largest of these.
    pub last: Vec<Affine>,
    /// A time has as many work items as the largest of these products, at most.
    pub widths: Vec<Vec<Extent>>,
    /// The phases of a time, in order.
    pub wavefronts: Vec<WavefrontGroup>,
    /// What stands for the time.
    pub time: Variable,
    /// What stands for the indices that count.
    pub counts: Vec<Variable>,
}

/// The work items of a time at which some parts run, one after the other.
#[derive(Clone, Debug)]
pub struct WavefrontGroup {
    /// Positions of the parts in the body.
    pub parts: Vec<usize>,
    /// At the first index that counts all of these are at least 0, in which no other counts.
    pub bounds: Vec<Affine>,
    /// The other indices that count.
    pub further: Vec<Further>,
    /// The indices of the loops around.
    pub around: Vec<Affine>,
    /// The inner loop's, where each of its iterations is a work item.
    pub inner: Option<Affine>,
    /// Whether a time may have several work items.
    pub is_wide: bool,
}

/// What wavefronts are made with.
#[derive(Clone, Debug)]
pub struct WavefrontProgram {
    /// The wavefronts.
    pub wavefronts: Wavefronts,
    /// Host scalars: the first time, and the one after the last.
    pub times: [ValueId; 2],
    /// Host scalars for what functions of wavefronts are made of.
    pub values: BTreeMap<Variable, ValueId>,
}

/// How many indices there are at most: as many as the least of these, each a function divided by a number, rounded down, and 1.
pub type Extent = Vec<(Affine, i64)>;

/// An index that counts beside the first.
#[derive(Clone, Debug)]
pub struct Further {
    /// At its range's beginning all of these are at least 0, in which later indices do not count.
    pub lower: Vec<Affine>,
    /// How long the range is.
    pub extent: Extent,
    /// There is a work item where all of these are at least 0.
    pub upper: Vec<Affine>,
}
