//! What was followed of a mask so far: its plan, and which values lie along the selected elements.

use std::collections::HashSet;

use numptx_ir::array::{Op, OpKind, ValueId};
use numptx_source::Span;

use crate::analysis::compactions::{Counting, Move};
use crate::loops::nest::rows::broadcasts::Along;
use crate::source::reduce_masked::plan::{Plan, Search};

/// Follows chosen elements through a region.
pub struct Follow<'s, 'f> {
    pub(crate) search: &'s Search<'f>,
    pub(crate) moves: Vec<Move<'f>>,
    /// Counts of as many elements as are chosen.
    pub(crate) countings: Vec<Counting>,
    pub(crate) plan: Plan,
    pub(crate) is_filled: HashSet<ValueId>,
    /// Arrays whose columns are filled: nothing else is known of them.
    pub(crate) matrices: HashSet<ValueId>,
    pub(crate) moved_at: Vec<(ValueId, Span)>,
    /// Positions among chosen elements.
    pub(crate) positions: HashSet<ValueId>,
    /// Numbers that checks since the count have found equal.
    pub(crate) known: Vec<(ValueId, ValueId)>,
    /// The running count.
    pub(crate) running: ValueId,
    pub(crate) n_reductions: usize,
    /// What is computed at every work item, in units of `work_of`.
    pub(crate) work: usize,
    /// Branches around the op that is looked at.
    pub(crate) depth: usize,
}

impl Follow<'_, '_> {
    pub(crate) fn is_equal(&self, a: ValueId, b: ValueId) -> bool {
        self.search.is_equal(a, b) || self.known.contains(&(a, b)) || self.known.contains(&(b, a))
    }

    pub(crate) fn is_chosen(&self, value: ValueId) -> bool {
        self.plan.axes.contains_key(&value)
    }

    pub(crate) fn view(&mut self, op: &Op) -> Option<()> {
        let array = op.operands[0];
        let at = *self.plan.axes.get(&array)?;
        if let (OpKind::Index { axis }, [_, position]) = (&op.kind, &op.operands[..])
            && *axis == at
            && self.positions.contains(position)
        {
            return self.element(op.results[0], array, *position).filter(|()| self.search.rank(array) == 1);
        }
        let dropped = |axis: usize| (axis != at).then_some(at - usize::from(axis < at));
        let axis = match &op.kind {
            OpKind::NewAxis { axis } => at + usize::from(*axis <= at),
            OpKind::DropAxis { axis } | OpKind::Index { axis } => dropped(*axis)?,
            OpKind::Slice { axis } if *axis == at => return None,
            OpKind::Slice { .. } | OpKind::Part { .. } => at,
            OpKind::Permute { permutation } => permutation.iter().position(|axis| *axis == at)?,
            OpKind::Broadcast => {
                let axis = at + op.operands.len() - 1 - self.search.rank(array);
                self.is_along(&op.operands[1..], axis).then_some(axis)?
            }
            _ => return None,
        };
        self.plan.axes.insert(op.results[0], axis);
        if !matches!(op.kind, OpKind::Part { .. })
            && let Some(index) = self.plan.indices.get(&array).copied()
        {
            self.plan.indices.insert(op.results[0], index);
        }
        self.ready(array)
    }

    /// `None` where an array is no vector of chosen elements, or not filled yet.
    pub(crate) fn ready(&self, array: ValueId) -> Option<()> {
        let is_root = self.moves.iter().any(|m| m.chosen == array);
        let is_ready = !is_root || self.is_filled.contains(&array);
        (is_ready && !self.matrices.contains(&array)).then_some(())
    }

    /// Notes where elements are used that were moved before.
    pub(crate) fn fuse_into(&mut self, into: Span) {
        let spans = self.moved_at.iter().filter(|(_, span)| *span != into);
        let fused: Vec<(Span, Span)> = spans.map(|(_, span)| (*span, into)).collect();
        self.plan.fused.extend(fused);
    }

    pub(crate) fn axis(&self, extents: &[ValueId]) -> Option<usize> {
        let axis = extents.iter().position(|extent| *extent == self.plan.count)?;
        self.is_along(extents, axis).then_some(axis)
    }

    /// Whether the count is the extent of this axis and of no other one.
    pub(crate) fn is_along(&self, extents: &[ValueId], axis: usize) -> bool {
        extents.iter().enumerate().all(|(n, extent)| (*extent == self.plan.count) == (n == axis))
    }

    /// The array that a broadcast to the mask's extents shows element by element.
    pub(crate) fn whole(&self, view: ValueId) -> Option<ValueId> {
        let broadcast = self.search.definitions.get(view).filter(|op| op.kind == OpKind::Broadcast)?;
        let (base, extents) = broadcast.operands.split_first()?;
        let is_own = |(axis, extent): (usize, &ValueId)| matches!(self.search.extents.along(*base, axis), Along::Value(own) if self.is_equal(own, *extent));
        let is_whole = self.search.rank(*base) == extents.len() && extents.iter().enumerate().all(is_own);
        is_whole.then_some(*base)
    }

    pub(crate) fn element(&mut self, result: ValueId, vector: ValueId, position: ValueId) -> Option<()> {
        self.ready(vector)?;
        self.plan.elements.insert(result, (vector, position));
        self.plan.reductions.insert(result);
        Some(())
    }
}
