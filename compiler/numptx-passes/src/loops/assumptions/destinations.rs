//! Stores whose destination is chosen: where what is computed has other extents than where it goes, an array of its own comes between.
//!
//! In: a `for` op. Out: the same where all of them go directly, and checks that extents are equal: for the version of a loop that runs where all of its
//! checks hold.

use std::collections::HashMap;

use numptx_ir::DType;
use numptx_ir::array::{ErrorKind, Function, Op, OpKind, Region, Type, ValueId};
use numptx_ir::scalar::ScalarOp;

use crate::analysis::traverse::{Substitution, for_each_op, substitute, terminator_operands};

/// What says of two numbers that they differ.
pub type Different = HashMap<ValueId, [ValueId; 2]>;

/// All of a function's body.
pub fn different_in(body: &Region) -> Different {
    let mut different = Different::new();
    for_each_op(body, &mut |op| {
        if let (OpKind::Scalar(ScalarOp::Ne), [a, b]) = (&op.kind, &op.operands[..]) {
            different.insert(op.results[0], [*a, *b]);
        }
    });
    different
}

/// Lets stores go directly. `different`: those of the function, and of the loop as it is called here.
pub fn store_directly(function: &mut Function, different: &Different, op: &mut Op) {
    let mut own = different.clone();
    op.regions.iter().for_each(|region| own.extend(different_in(region)));
    op.regions.iter_mut().for_each(|region| in_region(function, &own, region));
}

fn in_region(function: &mut Function, different: &Different, region: &mut Region) {
    let mut direct = Substitution::default();
    let mut equal: Vec<ValueId> = Vec::new();
    let mut ops: Vec<Op> = Vec::with_capacity(region.ops.len());
    for mut op in std::mem::take(&mut region.ops) {
        op.regions.iter_mut().for_each(|nested| in_region(function, different, nested));
        if op.kind == OpKind::If
            && let Some(destination) = chosen(&op)
            && let Some(extents) = different.get(&op.operands[0])
        {
            equal.push(op.operands[0]);
            direct.replace(op.results[0], destination);
            let condition = function.add_value(Type::Scalar(DType::Bool));
            let simple = |kind, operands, results| Op { kind, operands, results, regions: Vec::new(), span: op.span };
            ops.push(simple(OpKind::Scalar(ScalarOp::Eq), extents.to_vec(), vec![condition]));
            // It is never raised: where it does not hold the other version of the loop runs.
            let check = OpKind::Check { kind: ErrorKind::Value, message: String::new() };
            ops.push(simple(check, vec![condition], Vec::new()));
            continue;
        }
        // What was computed elsewhere is stored where it is.
        if op.kind == OpKind::If && op.results.is_empty() && equal.contains(&op.operands[0]) {
            continue;
        }
        ops.push(op);
    }
    region.ops = ops;
    substitute(region, &direct);
}

/// The destination of a store that goes through a fresh array under a condition.
fn chosen(op: &Op) -> Option<ValueId> {
    let [then, otherwise] = op.regions.as_slice() else { return None };
    let [alloc, _] = then.ops.as_slice() else { return None };
    let is_fresh = matches!(alloc.kind, OpKind::Alloc { .. }) && terminator_operands(then) == alloc.results;
    match terminator_operands(otherwise) {
        [destination] if is_fresh && otherwise.ops.len() == 1 => Some(*destination),
        _ => None,
    }
}
