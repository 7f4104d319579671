//! Which masks' elements need not move.
//!
//! In: a function. Out: for each count of a mask of which that is so, the arrays that hang on it, along which of their axes, and the
//! reductions, scatters and writes back that end them. What becomes of chosen elements, `follow` finds out.

use std::collections::{HashMap, HashSet};

use numptx_ir::array::{Function, Op, OpKind, Region, ValueId};
use numptx_ir::scalar::ScalarOp;
use numptx_source::Span;

use crate::analysis::compactions::{Counting, Definitions, Move, countings};
use crate::analysis::points_to::{PointsTo, written_arrays};
use crate::analysis::traverse::for_each_op;
use crate::loops::nest::broadcasts::Extents;
use crate::source::reduce_masked::follow::Follow;

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

/// Plans of a function, no two of which change one op.
pub fn plans(function: &Function) -> Vec<Plan> {
    let mut search = Search {
        function,
        definitions: Definitions::of(function),
        points_to: PointsTo::of(function),
        extents: Extents::of(function),
        known: Vec::new(),
        plans: Vec::new(),
    };
    search.region(&function.body);
    // What a mask over chosen elements chooses is followed first.
    let counts: Vec<ValueId> = search.plans.iter().map(|plan| plan.count).collect();
    let is_last = |plan: &Plan| !plan.inner.iter().any(|inner| counts.contains(&inner.count));
    search.plans.retain(is_last);
    search.plans
}

/// Looks for plans.
pub struct Search<'f> {
    pub(crate) function: &'f Function,
    pub(crate) definitions: Definitions<'f>,
    points_to: PointsTo,
    pub(crate) extents: Extents,
    /// Numbers that checks before have found equal.
    known: Vec<(ValueId, ValueId)>,
    plans: Vec<Plan>,
}

impl<'f> Search<'f> {
    fn region(&mut self, region: &'f Region) {
        let n_known = self.known.len();
        let mut countings = countings(region, &self.definitions).into_iter().peekable();
        for (at, op) in region.ops.iter().enumerate() {
            while let Some(counting) = countings.next_if(|counting| counting.at <= at) {
                let plan = self.plan(region, &counting);
                self.plans.extend(plan);
            }
            op.regions.iter().for_each(|nested| self.region(nested));
            self.known.extend(self.equal(op));
        }
        self.known.truncate(n_known);
    }

    /// The numbers that a check finds equal.
    pub(crate) fn equal(&self, op: &Op) -> Option<(ValueId, ValueId)> {
        let condition =
            self.definitions.get(*op.operands.first()?).filter(|_| matches!(op.kind, OpKind::Check { .. }))?;
        let is_equality = condition.kind == OpKind::Scalar(ScalarOp::Eq);
        is_equality.then(|| (condition.operands[0], condition.operands[1]))
    }

    fn plan(&self, region: &'f Region, counting: &Counting) -> Option<Plan> {
        let moves: Vec<Move> = region.ops.iter().filter_map(|op| counting.moved(op, &self.definitions)).collect();
        let first = moves.first()?;
        let is_one = moves.iter().all(|m| m.mask == first.mask && m.extents == first.extents);
        let is_defined_before =
            |value: &ValueId| !region.ops[counting.at..].iter().any(|op| op.results.contains(value));
        if !is_one || !first.extents.iter().all(is_defined_before) {
            return None;
        }
        let plan = Plan {
            count: counting.count,
            keeps_count: false,
            mask: first.mask,
            extents: first.extents.to_vec(),
            axes: HashMap::new(),
            indices: HashMap::new(),
            reductions: HashSet::new(),
            scattered: HashSet::new(),
            is_direct: false,
            repeated: HashMap::new(),
            plain: HashSet::new(),
            guarded: HashSet::new(),
            columns: HashMap::new(),
            rows: HashMap::new(),
            elements: HashMap::new(),
            whole: HashMap::new(),
            replaced: HashMap::new(),
            inner: Vec::new(),
            inner_moves: HashSet::new(),
            fused: Vec::new(),
        };
        let moves_read: Vec<ValueId> = moves.iter().flat_map(|m| m.inputs).chain([&plan.mask]).copied().collect();
        let of_chosen = |inner: &Counting| inner.extent == counting.count;
        let inner = countings(region, &self.definitions).into_iter().filter(of_chosen).collect();
        let mut follow = Follow::of(self, (moves, inner), plan, counting.running);
        let rest = &region.ops[counting.at + 1..];
        let mut last = 0;
        for (n, op) in rest.iter().enumerate() {
            if follow.op(op)? {
                last = n;
            }
        }
        let (mut plan, moves) = follow.finished()?;
        plan.keeps_count = self.has_other_users(counting, &moves, &plan);
        plan.is_direct = self.is_unwritten(&rest[..=last.min(rest.len().saturating_sub(1))], &moves_read);
        if plan.is_direct {
            // Views say that elements are there, whatever was checked since.
            plan.whole.clear();
        }
        Some(plan)
    }

    /// Whether ops write none of these arrays.
    fn is_unwritten(&self, ops: &[Op], arrays: &[ValueId]) -> bool {
        let written: Vec<ValueId> = ops.iter().flat_map(written_arrays).collect();
        !written.iter().any(|w| arrays.iter().any(|a| self.points_to.may_share(*w, *a)))
    }

    /// Whether anything but the count and the moves reads the running count.
    fn has_other_users(&self, counting: &Counting, moves: &[Move], plan: &Plan) -> bool {
        let mut shapes = vec![counting.running];
        let mut has_others = false;
        for_each_op(&self.function.body, &mut |op| {
            if !op.operands.iter().any(|v| shapes.contains(v)) {
                return;
            }
            match &op.kind {
                OpKind::Reshape(_) => shapes.extend(&op.results),
                OpKind::Scatter(scatter) => {
                    has_others |= !moves.iter().any(|m| m.chosen == op.operands[scatter.rank]);
                }
                OpKind::Index { .. } => {
                    let is_last = |op: &Op| op.kind == OpKind::Item && op.results.len() == 1;
                    let mut readers = 0;
                    for_each_op(&self.function.body, &mut |reader| {
                        if reader.operands.contains(&op.results[0]) {
                            readers += if is_last(reader) { 1 } else { 2 };
                        }
                    });
                    has_others |= readers > 1;
                }
                _ => has_others |= !op.results.iter().any(|v| plan.replaced.contains_key(v)),
            }
        });
        has_others
    }

    pub(crate) fn rank(&self, value: ValueId) -> usize {
        self.function.array(value).map_or(0, |array| array.rank)
    }

    pub(crate) fn is_equal(&self, a: ValueId, b: ValueId) -> bool {
        a == b || self.known.contains(&(a, b)) || self.known.contains(&(b, a))
    }
}
