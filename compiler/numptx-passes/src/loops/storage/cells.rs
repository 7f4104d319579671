//! Which arrays of rank 0 a loop may carry as their elements.
//!
//! In: a function. Out: for a value that a loop carries, whether anybody could see that it is memory, and not the number in it.
//! A kernel keeps such a value in a register and makes another array of it in the end.

use std::collections::{HashMap, HashSet};

use numptx_ir::array::{ArrayType, Function, Layout, Op, OpKind, ValueId};
use numptx_ir::signature::ResultType;

use crate::analysis::points_to::{PointsTo, written_arrays};
use crate::analysis::traverse::for_each_op;

/// Memory that others see: what comes from outside, what is written after it was made, and what is returned more than once, but for scalars of NumPy, which are
/// numbers to the caller.
pub struct SeenMemory(HashSet<ValueId>);

impl SeenMemory {
    /// Of a function.
    pub fn of(function: &Function, points_to: &PointsTo) -> Self {
        let mut seen: HashSet<ValueId> = HashSet::new();
        let mut arrays = Vec::new();
        array_leaves(&function.signature.result, &mut arrays);
        for parameter in &function.parameters {
            seen.extend(points_to.locations(*parameter));
        }
        for_each_op(&function.body, &mut |op| {
            for written in written_arrays(op) {
                seen.extend(points_to.locations(written));
            }
            if matches!(op.kind, OpKind::Return) {
                seen.extend(returned_twice(op, &arrays, points_to));
            }
        });
        SeenMemory(seen)
    }

    /// Whether what a loop, and those in it, carry is no array, or one whose element is all there is to see of it.
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

/// Which memory is returned more than once, and as an array.
fn returned_twice(op: &Op, are_arrays: &[bool], points_to: &PointsTo) -> Vec<ValueId> {
    let mut times: HashMap<ValueId, (usize, bool)> = HashMap::new();
    for (n, value) in op.operands.iter().enumerate() {
        let is_array = are_arrays.get(n) != Some(&false);
        for location in points_to.locations(*value) {
            let (known, as_array) = times.entry(*location).or_default();
            *known += 1;
            *as_array |= is_array;
        }
    }
    times.into_iter().filter(|(_, (times, as_array))| *times > 1 && *as_array).map(|(location, _)| location).collect()
}

/// Of each value that is returned, whether it is an array.
fn array_leaves(ty: &ResultType, leaves: &mut Vec<bool>) {
    match ty {
        ResultType::None => {}
        ResultType::PythonScalar(_)
        | ResultType::NumpyScalar(_)
        | ResultType::DeviceScalar(_)
        | ResultType::Object(_) => leaves.push(false),
        ResultType::Array { .. } => leaves.push(true),
        ResultType::Tuple(members) | ResultType::List(members) | ResultType::Record(_, members) => {
            members.iter().for_each(|member| array_leaves(member, leaves));
        }
        ResultType::OneOf(members) => {
            leaves.push(false);
            members.iter().for_each(|member| array_leaves(member, leaves));
        }
    }
}
