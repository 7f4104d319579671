//! What is found out about a nest: classes of loops, dependences, interchanges, the times of wavefronts, and solutions of systems.

use std::collections::BTreeMap;

use crate::loops::dependence::affine::LoopId;
use crate::loops::dependence::nest::{AccessId, ReductionGroup};

/// What a dependence is between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DependenceKind {
    /// A write, then a read of it.
    Flow,
    /// A write, then a write over it.
    Output,
    /// A read, then a write over what was read.
    Anti,
}

/// That an iteration may touch what an earlier one touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependence {
    /// What the earlier iteration does.
    pub source: AccessId,
    /// What the later iteration does.
    pub sink: AccessId,
    /// What they are.
    pub kind: DependenceKind,
    /// How many iterations lie between, if it is always the same number.
    pub distance: Option<i64>,
    /// How many iterations lie between at least, 1 or more.
    pub least: i64,
    /// The accumulation that both are of, which makes the order the caller's choice.
    pub group: Option<ReductionGroup>,
}

/// How the iterations of a loop may run, in one iteration of the loops around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Class {
    /// In any order, and at the same time.
    Parallel,
    /// The same, if these reads look at a copy made before the loop.
    ParallelWithSnapshot(Vec<AccessId>),
    /// The same, if these accumulations are made as such, and these reads look at a copy made before the loop.
    Reduction {
        /// Not empty.
        groups: Vec<ReductionGroup>,
        /// May be empty.
        snapshots: Vec<AccessId>,
    },
    /// One after the other, because of this at least.
    Sequential(Dependence),
}

/// Whether one thread may run all iterations with one index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interchange {
    /// It may, if these accumulations, in which several threads take part, are made as such.
    Aligned(Vec<ReductionGroup>),
    /// It may not: one thread may touch with the second what another touches with the first.
    Crosses(AccessId, AccessId),
    /// It may not: this access is in none of the inner loops, and would happen in every thread.
    Outside(AccessId),
    /// It may not: this loop is not inside the outer one.
    NotInside(LoopId),
}

/// What stands directly in a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// An inner loop with all that is in it.
    Loop(LoopId),
    /// The statement with this position.
    Statement(u32),
}

/// Limit: loops around parts.
pub const MAX_AROUND: usize = 3;

/// When iterations run: `Σ around · (index of a loop around) + inner · (index of the part's loop)`, then `phase`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time {
    /// By what the indices of the loops around count, from the outside in; then 0.
    pub around: [i64; MAX_AROUND],
    /// By what the index of the part's own loop counts; 0 unless `spread`.
    pub inner: i64,
    /// The order of what has the same time.
    pub phase: i64,
    /// Whether each iteration of the inner loop is a thread of its own.
    pub spread: bool,
}

/// The time of every part of a loop's body. Parts with one time and phase run together.
pub type Wavefront = BTreeMap<Part, Time>;

/// What is known of a system's solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Solutions {
    /// There is none.
    Never,
    /// There may be some; the objective lies between these bounds in all of them.
    Perhaps(Bounds),
}

/// Between what an integer lies, as far as that is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) least: Option<i64>,
    pub(crate) most: Option<i64>,
}
