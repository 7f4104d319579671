//! Slices of a loop whose bounds are as they are written: neither counted from the end nor beyond it.
//!
//! In: a loop. Out: the same with checks that say so before such slices, which start at the lower bound and end at the upper one: for the version of a
//! loop that runs where all of its checks hold. A window that begins at the larger of two integers, as `x[max(0, i - r):i + r + 1]`, is one
//! that ends within the array, too: what such a slice has beyond the end is left out, and not asked for.

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::array::{ErrorKind, Function, Op, OpKind, ValueId};
use numptx_ir::scalar::{Constant, ScalarOp};

use super::guards::HostProgram;
use crate::traverse::for_each_op;

/// Whether there is anything to replace in an op's regions.
pub fn has_bounds(op: &Op) -> bool {
    let mut has = false;
    let mut visit = |op: &Op| has |= matches!(op.kind, OpKind::SliceBounds { .. });
    op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
    has
}

/// Replaces the slices with a step of 1 in an op's regions.
pub fn take_bounds_as_written(function: &mut Function, constants: &HashMap<ValueId, Constant>, op: &mut Op) {
    AsWritten { function, constants, larger: HashSet::new() }.regions(op);
}

struct AsWritten<'f> {
    function: &'f mut Function,
    constants: &'f HashMap<ValueId, Constant>,
    /// The larger of two integers each, as far as the ops are visited.
    larger: HashSet<ValueId>,
}

impl AsWritten<'_> {
    fn regions(&mut self, op: &mut Op) {
        for region in &mut op.regions {
            let mut ops = Vec::with_capacity(region.ops.len());
            for mut nested in std::mem::take(&mut region.ops) {
                self.regions(&mut nested);
                match self.replaced(&nested) {
                    Some(replaced) => ops.extend(replaced),
                    None => ops.push(nested),
                }
            }
            region.ops = ops;
        }
    }

    fn replaced(&mut self, op: &Op) -> Option<Vec<Op>> {
        if matches!(op.kind, OpKind::Scalar(ScalarOp::Max)) {
            self.larger.extend(&op.results);
        }
        let OpKind::SliceBounds { lower, upper } = op.kind else { return None };
        let (bounds, [step, extent]) = op.operands.split_at(usize::from(lower) + usize::from(upper)) else {
            return None;
        };
        if self.constants.get(step).and_then(|step| step.as_int()) != Some(1) {
            return None;
        }
        let lower = bounds.first().copied().filter(|_| lower);
        let upper = bounds.last().copied().filter(|_| upper);
        let is_window = lower.is_some_and(|lower| self.larger.contains(&lower));
        let mut host = HostProgram::new(self.function, op.span);
        bounded(&mut host, ([lower, upper], is_window), *extent, [op.results[0], op.results[1]]);
        Some(host.ops)
    }
}

/// Start and length of a slice from `lower` to `upper`, or to the ends where there is none.
fn bounded(
    host: &mut HostProgram,
    ([lower, mut upper], is_window): ([Option<ValueId>; 2], bool),
    extent: ValueId,
    [start, length]: [ValueId; 2],
) {
    let zero = host.number(0);
    for bound in [lower, upper].into_iter().flatten() {
        required(host, ScalarOp::Ge, [bound, zero]);
    }
    match &mut upper {
        Some(upper) if is_window => {
            *upper = host.scalar(OpKind::Scalar(ScalarOp::Min), vec![*upper, extent], DType::I64);
        }
        Some(upper) => required(host, ScalarOp::Le, [*upper, extent]),
        None => {}
    }
    let [first, end] = [lower.unwrap_or(zero), upper.unwrap_or(extent)];
    let distance = host.scalar(OpKind::Scalar(ScalarOp::Sub), vec![end, first], DType::I64);
    host.push(OpKind::Scalar(ScalarOp::Add), vec![first, zero], vec![start]);
    host.push(OpKind::Scalar(ScalarOp::Max), vec![distance, zero], vec![length]);
}

/// A check, which is never raised: where it does not hold the other version of the loop runs.
fn required(host: &mut HostProgram, op: ScalarOp, operands: [ValueId; 2]) {
    let holds = host.scalar(OpKind::Scalar(op), operands.to_vec(), DType::Bool);
    host.push(OpKind::Check { kind: ErrorKind::Value, message: String::new() }, vec![holds], Vec::new());
}
