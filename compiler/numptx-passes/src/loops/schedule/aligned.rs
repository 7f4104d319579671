//! Loops side by side that begin with the same index, so that an iteration of one and an iteration of another may be one thread's.
//!
//! In: a body of loops. Out: the same with loops that begin where the first of them does and compute the index that they had. Rows that are stored as a whole
//! are loops from 0 on, and stand beside loops over some of their elements, which begin later.

use std::collections::HashMap;

use numptx_ir::DType;
use numptx_ir::array::{Function, Op, OpKind, Region, Type, ValueId};
use numptx_ir::scalar::{Constant, ScalarOp};
use numptx_source::Span;

/// Makes the loops of a body whose step is 1 and whose first index is known begin where the first such loop does.
pub fn align(function: &mut Function, constants: &HashMap<ValueId, Constant>, body: &mut Region) {
    let known = |value: ValueId| constants.get(&value).and_then(|constant| constant.as_int());
    let mut first: Option<(i64, ValueId)> = None;
    let mut ops = Vec::with_capacity(body.ops.len());
    for op in std::mem::take(&mut body.ops) {
        let begin = match op.operands.as_slice() {
            [lower, _, step] if op.kind == OpKind::For && known(*step) == Some(1) => known(*lower),
            _ => None,
        };
        match (begin, first) {
            (Some(begin), Some((wanted, lower))) if begin != wanted => {
                match wanted.checked_sub(begin).and_then(|by| Some([by, by.checked_neg()?])) {
                    Some(ways) => moved(function, op, (lower, ways), &mut ops),
                    None => ops.push(op),
                }
            }
            (Some(begin), None) => {
                first = Some((begin, op.operands[0]));
                ops.push(op);
            }
            _ => ops.push(op),
        }
    }
    body.ops = ops;
}

/// The loop with indices from `lower` on; `ways`: by how much they are larger, and by how much the old ones are.
fn moved(function: &mut Function, mut op: Op, (lower, ways): (ValueId, [i64; 2]), ops: &mut Vec<Op>) {
    let span = op.span;
    let [by, back] = ways.map(|n| scalar(function, OpKind::Constant(Constant::Int(n)), Vec::new(), span, ops));
    let upper = scalar(function, OpKind::Scalar(ScalarOp::Add), vec![by, op.operands[1]], span, ops);
    (op.operands[0], op.operands[1]) = (lower, upper);
    let index = function.add_value(Type::Scalar(DType::I64));
    let body = &mut op.regions[0];
    let old = std::mem::replace(&mut body.parameters[0], index);
    let (operands, results) = (vec![back, index], vec![old]);
    body.ops.insert(0, Op { kind: OpKind::Scalar(ScalarOp::Add), operands, results, regions: Vec::new(), span });
    ops.push(op);
}

fn scalar(function: &mut Function, kind: OpKind, operands: Vec<ValueId>, span: Span, ops: &mut Vec<Op>) -> ValueId {
    let result = function.add_value(Type::Scalar(DType::I64));
    ops.push(Op { kind, operands, results: vec![result], regions: Vec::new(), span });
    result
}
