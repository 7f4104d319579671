//! Which arrays of rank 0 a loop may hand on as their elements.
//!
//! In: a function. Out: for a value that a loop hands on, whether anybody could see that it is memory, and not the number in it.
//! A kernel keeps such a value in a register and makes another array of it in the end.

use std::collections::HashSet;

use numptx_ir::array::{ArrayType, Function, Layout, Op, OpKind, ValueId};

use crate::points_to::{PointsTo, written_arrays};
use crate::traverse::for_each_op;

/// Memory that others see: what comes from outside, what is written after it was made, and what is returned more than once.
pub struct SeenMemory(HashSet<ValueId>);

impl SeenMemory {
    /// Of a function.
    pub fn of(function: &Function, points_to: &PointsTo) -> Self {
        let mut seen: HashSet<ValueId> = HashSet::new();
        let mut returned: HashSet<ValueId> = HashSet::new();
        for parameter in &function.parameters {
            seen.extend(points_to.locations(*parameter));
        }
        for_each_op(&function.body, &mut |op| {
            for written in written_arrays(op) {
                seen.extend(points_to.locations(written));
            }
            if matches!(op.kind, OpKind::Return) {
                let twice = op.operands.iter().flat_map(|v| points_to.locations(*v)).filter(|l| !returned.insert(**l));
                seen.extend(twice);
            }
        });
        SeenMemory(seen)
    }

    /// Whether what a loop, and those in it, hand on is no array, or one whose element is all there is to see of it.
    pub fn is_apart_from(&self, op: &Op, function: &Function, points_to: &PointsTo) -> bool {
        let is_loop = matches!(op.kind, OpKind::For | OpKind::While);
        let is_cell = |v: &ValueId| function.array(*v).is_none_or(|array| self.is_cell(*v, array, points_to));
        (!is_loop || op.results.iter().all(is_cell))
            && op
                .regions
                .iter()
                .flat_map(|region| &region.ops)
                .all(|nested| self.is_apart_from(nested, function, points_to))
    }

    fn is_cell(&self, value: ValueId, array: ArrayType, points_to: &PointsTo) -> bool {
        // Arrays with axes are judged where they are used.
        array.rank > 0
            || (array.layout == Layout::C
                && array.writable
                && points_to.locations(value).iter().all(|location| !self.0.contains(location)))
    }
}
