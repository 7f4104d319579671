//! A loop brought to elements: rows become loops over elements, and what is the same in all iterations stands before it.
//!
//! In: a copy of a loop with names of its own. Out: the loop, what is before it, and on which condition work items are worth it.

use std::collections::HashSet;

use numptx_ir::DType;
use numptx_ir::array::{Op, OpKind, ValueId};
use numptx_ir::scalar::{Constant, ScalarOp};

use crate::analysis::traverse::for_each_op;
use crate::loops::assumptions::bounds_as_written::take_bounds_as_written;
use crate::loops::assumptions::destinations::store_directly;
use crate::loops::assumptions::equal_extents::name_equal_extents;
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::form_nests::rows_of_products::multiplies_rows;
use crate::loops::function::FormNests;
use crate::loops::nest::rows::broadcasts::check_broadcasts;
use crate::loops::nest::rows::expand::expand;
use crate::loops::nest::rows::originals::Originals;
use crate::loops::schedule::cost::{ROW_ELEMENTS, SMALL_OPERATION};
use crate::loops::storage::expanded_arrays::{Bounds, changing_extents, keep_fresh};

/// A loop brought to elements.
pub struct Prepared {
    /// What is the same in all iterations.
    pub before: Vec<Op>,
    /// A condition on which work items are worth it, if there is one.
    pub is_worth_it: Option<ValueId>,
    /// The loop with its computations over rows whole, if no row may have to be copied.
    pub rows: Option<Op>,
}

impl FormNests<'_> {
    /// Brings a loop to elements and what is the same in all iterations before it.
    pub fn prepared(&mut self, fast: &mut Op, originals: &mut Originals) -> Prepared {
        self.draft.broadcasts.clear();
        let mut ops = Vec::new();
        if self.attempt.at_once {
            store_directly(self.function, &self.facts.different, fast);
            name_equal_extents(self.function, &self.known.constants, &[], fast);
        }
        self.hoist(fast, &mut ops);
        let mut bounds = Bounds::new();
        if self.attempt.has_parts {
            name_equal_extents(self.function, &self.known.constants, &ops, fast);
            bounds = self.bounds_of_extents(fast, &changing_extents(fast), &mut ops);
            take_bounds_as_written(self.function, &self.known.constants, fast);
        }
        let temporaries =
            keep_fresh(self.function, &mut self.known.points_to, fast, (&bounds, !self.attempt.leaves_empty), &mut ops);
        self.draft.temporaries.extend(temporaries);
        // What is written through views of these is known to be them.
        self.follow_views(&[], fast);
        self.draft.own.worth.clear();
        self.draft.own.work = if self.attempt.has_parts { self.most_work(fast, &mut ops) } else { None };
        let is_worth_it = if self.attempt.has_parts { self.is_worth_work_items(fast, &mut ops) } else { None };
        self.hoist(fast, &mut ops);
        ops.iter().for_each(|op| self.known.shapes.add(self.function, op));
        check_broadcasts(self.function, &mut self.known.shapes, fast, &mut ops);
        let overlaps = overlaps_among(&ops, fast);
        let rows = overlaps.is_empty().then(|| fast.clone());
        expand(
            self.function,
            fast,
            &overlaps,
            originals,
            (&mut self.draft.reductions, crate::loops::nest::rows::originals::Several::Together),
        );
        // Each stands behind its check now.
        let broadcasts = &mut self.draft.broadcasts;
        let mut visit = |op: &Op| {
            if matches!(op.kind, OpKind::Broadcast) {
                broadcasts.extend(&op.results);
            }
        };
        fast.regions.iter().for_each(|region| for_each_op(region, &mut visit));
        self.follow_views(&ops, fast);
        self.hoist(fast, &mut ops);
        Prepared { before: ops, is_worth_it, rows }
    }

    /// Whether work items that sum up alone are better than a kernel for the sums of each iteration: not on the host, but for small ones. Nothing is asked
    /// where such a kernel would be of one element. Of rows of a product they always are.
    pub fn is_worth_work_items(&mut self, op: &Op, ops: &mut Vec<Op>) -> Option<ValueId> {
        if !has_steps(op) {
            return None;
        }
        if multiplies_rows(self.function, op) {
            let mut host = HostProgram::new(self.function, op.span);
            let always = host.scalar(OpKind::Constant(Constant::Bool(true)), Vec::new(), DType::Bool);
            ops.append(&mut host.ops);
            return Some(always);
        }
        let (row, before) = self.longest_row_anywhere(op);
        ops.extend(before);
        let falls = self.known.constant(op.operands[2]).is_some_and(|step| step < 0);
        let mut host = HostProgram::new(self.function, op.span);
        let (first, last) = if falls { (op.operands[1], op.operands[0]) } else { (op.operands[0], op.operands[1]) };
        let count = host.scalar(OpKind::Scalar(ScalarOp::Sub), vec![last, first], DType::I64);
        let zero = host.number(0);
        let count = host.scalar(OpKind::Scalar(ScalarOp::Max), vec![count, zero], DType::I64);
        let (most, one, rounds) = (host.multiple(count, ROW_ELEMENTS), host.number(1), host.number(2));
        let is_short = host.scalar(OpKind::Scalar(ScalarOp::Le), vec![row, most], DType::Bool);
        let elements = host.product(count, row);
        let is_one = host.scalar(OpKind::OneLaunch, vec![elements, one, rounds], DType::Bool);
        let is_better = self.draft.own.work.map_or(is_one, |work| {
            let small = host.number(SMALL_OPERATION);
            let is_small = host.scalar(OpKind::Scalar(ScalarOp::Le), vec![work, small], DType::Bool);
            host.scalar(OpKind::Scalar(ScalarOp::BitOr), vec![is_one, is_small], DType::Bool)
        });
        let is_worth_it = host.scalar(OpKind::Scalar(ScalarOp::BitAnd), vec![is_short, is_better], DType::Bool);
        ops.append(&mut host.ops);
        Some(is_worth_it)
    }

    /// Broadcast extents as choices, which mean something for extents that do not go together, too.
    pub fn choose_extents(&mut self, ops: &mut Vec<Op>) {
        for op in std::mem::take(ops) {
            let (OpKind::BroadcastExtent, [a, b]) = (&op.kind, op.operands.as_slice()) else {
                ops.push(op);
                continue;
            };
            let mut host = HostProgram::new(self.function, op.span);
            let one = host.number(1);
            let is_one = host.scalar(OpKind::Scalar(ScalarOp::Eq), vec![*a, one], DType::Bool);
            ops.append(&mut host.ops);
            ops.push(Op { kind: OpKind::Scalar(ScalarOp::Select), operands: vec![is_one, *b, *a], ..op });
        }
    }

    /// Notes which memory new views show.
    pub fn follow_views(&mut self, before: &[Op], op: &Op) {
        let points_to = &mut self.known.points_to;
        let mut visit = |op: &Op| {
            if op.kind.is_view() {
                points_to.add_alias(op.results[0], op.operands[0]);
            }
        };
        before.iter().for_each(&mut visit);
        op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
    }
}

/// Whether anything in a loop computes more than one element at once.
fn has_steps(op: &Op) -> bool {
    let mut has_steps = false;
    let mut visit = |op: &Op| {
        has_steps |= match &op.kind {
            OpKind::Map(map) => map.rank > 0,
            OpKind::Store(store) => store.rank > 0,
            kind => matches!(kind, OpKind::Reduce(_) | OpKind::StoreReduce(_)),
        }
    };
    op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
    has_steps
}

/// The answers to whether arrays overlap.
pub fn overlaps_among(before: &[Op], op: &Op) -> HashSet<ValueId> {
    let mut overlaps = HashSet::new();
    let mut visit = |op: &Op| {
        let is_either =
            matches!(op.kind, OpKind::Scalar(ScalarOp::BitOr)) && op.operands.iter().all(|v| overlaps.contains(v));
        if is_either || matches!(op.kind, OpKind::Overlap) {
            overlaps.extend(&op.results);
        }
    };
    before.iter().for_each(&mut visit);
    op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
    overlaps
}
