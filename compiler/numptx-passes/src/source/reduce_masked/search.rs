//! Looks for masks whose selected elements are all computed with, and plans what becomes of them.

use std::collections::{HashMap, HashSet};

use numptx_ir::array::{Function, Op, OpKind, Region, ValueId};

use crate::analysis::compactions::{Counting, Definitions, Move, countings};
use crate::analysis::points_to::{PointsTo, written_arrays};
use crate::analysis::traverse::for_each_op;
use crate::loops::nest::rows::broadcasts::Extents;
use crate::source::reduce_masked::followed::Follow;
use crate::source::reduce_masked::plan::{Plan, Search};

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

impl<'f> Search<'f> {
    pub(crate) fn region(&mut self, region: &'f Region) {
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

    pub(crate) fn plan(&self, region: &'f Region, counting: &Counting) -> Option<Plan> {
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
    pub(crate) fn is_unwritten(&self, ops: &[Op], arrays: &[ValueId]) -> bool {
        let written: Vec<ValueId> = ops.iter().flat_map(written_arrays).collect();
        !written.iter().any(|w| arrays.iter().any(|a| self.points_to.may_share(*w, *a)))
    }

    /// Whether anything but the count and the moves reads the running count.
    pub(crate) fn has_other_users(&self, counting: &Counting, moves: &[Move], plan: &Plan) -> bool {
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
}
