//! Which masks' elements need not move.
//!
//! In: a function. Out: for each count of a mask of which that is so, the arrays that hang on it, along which of their axes, and the
//! reductions, scatters and writes back that end them. What becomes of chosen elements, `follow` finds out.

use std::collections::{HashMap, HashSet};

use numptx_ir::array::{Function, Op, OpKind, ValueId};
use numptx_ir::scalar::ScalarOp;
use numptx_source::Span;

use crate::analysis::compactions::{Counting, Definitions};
use crate::analysis::points_to::PointsTo;
use crate::loops::nest::rows::broadcasts::Extents;

/// What a mask chooses, and what hangs on it.
pub struct Plan {
    /// The count.
    pub count: ValueId,
    /// Whether the count stays as it is made: its running count has other users.
    pub keeps_count: bool,
    /// The mask, with all of its axes.
    pub mask: ValueId,
    /// The mask's extents.
    pub extents: Vec<ValueId>,
    /// Arrays of chosen elements, and along which of their axes these lie.
    pub axes: HashMap<ValueId, usize>,
    /// Those of them that are indices of chosen elements, and along which axis of the mask.
    pub indices: HashMap<ValueId, usize>,
    /// First results of the reductions, and of the ops that read single elements.
    pub reductions: HashSet<ValueId>,
    /// Destinations of scatters of chosen elements.
    pub scattered: HashSet<ValueId>,
    /// Whether the mask and what is moved are read where they are: nothing writes them until the last use.
    pub is_direct: bool,
    /// Other arrays that are combined with chosen elements: they have one element along their axis before they are broadcast.
    pub repeated: HashMap<ValueId, Repeated>,
    /// Instructions that read the element of a table at the work item's own indices: the first result of their op, and their position.
    pub plain: HashSet<(ValueId, usize)>,
    /// Instructions that read an element of a table which need not be there unless the work item is chosen: the first result of their op, and their position.
    pub guarded: HashSet<(ValueId, usize)>,
    /// Vectors that are columns of matrices, by matrix and position.
    pub columns: HashMap<(ValueId, i64), ValueId>,
    /// Rows of such matrices at positions among chosen elements: the matrix and the position.
    pub rows: HashMap<ValueId, (ValueId, ValueId)>,
    /// Single elements: the vector and the position.
    pub elements: HashMap<ValueId, (ValueId, ValueId)>,
    /// Views that repeat nothing, as checks say, and the arrays that they show.
    pub whole: HashMap<ValueId, ValueId>,
    /// Maps that put chosen elements back to where the mask's work items are, and how.
    pub replaced: HashMap<ValueId, Replaced>,
    /// Counts of what masks over chosen elements choose.
    pub inner: Vec<Counting>,
    /// Vectors that are filled with what these choose.
    pub inner_moves: HashSet<ValueId>,
    /// Where elements were moved, and where they are reduced now.
    pub fused: Vec<(Span, Span)>,
}

/// How a map takes chosen elements, each in its turn, where the mask is true.
#[derive(Clone, Copy)]
pub struct Replaced {
    /// The elements: its table.
    pub values: ValueId,
    /// The instruction that reads them.
    pub element: usize,
    /// The input that is the mask.
    pub mask: u32,
}

/// What an array repeats.
#[derive(Clone, Copy)]
pub struct Repeated {
    /// The array that is broadcast.
    pub base: ValueId,
    /// Its axis of one element; `None` where it has no such axis.
    pub axis: Option<usize>,
}

impl Plan {
    /// The values by which the ops are known that are to be changed.
    pub fn values(&self) -> impl Iterator<Item = ValueId> + '_ {
        let count = (!self.keeps_count).then_some(self.count);
        let ends = self.reductions.iter().chain(self.rows.keys()).copied();
        let inner = self.inner.iter().flat_map(|counting| [counting.running, counting.count]);
        count.into_iter().chain(self.axes.keys().copied()).chain(ends).chain(inner)
    }
}

/// The vector that an op without results fills under a condition.
pub fn filled(op: &Op) -> Option<ValueId> {
    let then = op.regions.first().filter(|_| op.kind == OpKind::If)?;
    then.ops.iter().find_map(|op| match &op.kind {
        OpKind::Scatter(scatter) => op.operands.get(scatter.rank).copied(),
        _ => None,
    })
}

/// Looks for plans.
pub struct Search<'f> {
    pub(crate) function: &'f Function,
    pub(crate) definitions: Definitions<'f>,
    pub(crate) points_to: PointsTo,
    pub(crate) extents: Extents,
    /// Numbers that checks before have found equal.
    pub(crate) known: Vec<(ValueId, ValueId)>,
    pub(crate) plans: Vec<Plan>,
}

impl<'f> Search<'f> {
    /// The numbers that a check finds equal.
    pub(crate) fn equal(&self, op: &Op) -> Option<(ValueId, ValueId)> {
        let condition =
            self.definitions.get(*op.operands.first()?).filter(|_| matches!(op.kind, OpKind::Check { .. }))?;
        let is_equality = condition.kind == OpKind::Scalar(ScalarOp::Eq);
        is_equality.then(|| (condition.operands[0], condition.operands[1]))
    }

    pub(crate) fn rank(&self, value: ValueId) -> usize {
        self.function.array(value).map_or(0, |array| array.rank)
    }

    pub(crate) fn is_equal(&self, a: ValueId, b: ValueId) -> bool {
        a == b || self.known.contains(&(a, b)) || self.known.contains(&(b, a))
    }
}
