//! Slices of a loop whose bounds are as they are written: neither counted from the end nor beyond it.
//!
//! In: a loop. Out: the same with checks that say so before such slices, which start at the lower bound and end at the upper one: for the version of a
//! loop that runs where all of its checks hold.

use std::collections::HashMap;

use numptx_ir::DType;
use numptx_ir::array::{ErrorKind, Function, Op, OpKind, ValueId};
use numptx_ir::scalar::{Constant, ScalarOp};

use super::guards::HostProgram;

/// Replaces the slices with a step of 1 in an op's regions.
pub fn take_bounds_as_written(function: &mut Function, constants: &HashMap<ValueId, Constant>, op: &mut Op) {
    for region in &mut op.regions {
        let mut ops = Vec::with_capacity(region.ops.len());
        for mut nested in std::mem::take(&mut region.ops) {
            take_bounds_as_written(function, constants, &mut nested);
            let OpKind::SliceBounds { lower, upper } = nested.kind else {
                ops.push(nested);
                continue;
            };
            let (bounds, [step, extent]) = nested.operands.split_at(usize::from(lower) + usize::from(upper)) else {
                ops.push(nested);
                continue;
            };
            if constants.get(step).and_then(|step| step.as_int()) != Some(1) {
                ops.push(nested);
                continue;
            }
            let lower = bounds.first().copied().filter(|_| lower);
            let upper = bounds.last().copied().filter(|_| upper);
            let mut host = HostProgram::new(function, nested.span);
            bounded(&mut host, [lower, upper], *extent, [nested.results[0], nested.results[1]]);
            ops.append(&mut host.ops);
        }
        region.ops = ops;
    }
}

/// Start and length of a slice from `lower` to `upper`, or to the ends where there is none.
fn bounded(
    host: &mut HostProgram,
    [lower, upper]: [Option<ValueId>; 2],
    extent: ValueId,
    [start, length]: [ValueId; 2],
) {
    let zero = host.number(0);
    for bound in [lower, upper].into_iter().flatten() {
        required(host, ScalarOp::Ge, [bound, zero]);
    }
    if let Some(upper) = upper {
        required(host, ScalarOp::Le, [upper, extent]);
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
