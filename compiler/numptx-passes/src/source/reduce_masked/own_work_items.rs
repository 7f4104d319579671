//! Writes of chosen elements to where the mask's own work items are: stores that keep what is there at all other work items.
//!
//! In: a scatter over all work items, each of which writes the element that has its own indices, or none. Out: an assignment, which takes in how values are
//! computed, and has no order. Chosen work items are in range, as was checked before. Of an array that is shorter than the mask the work items beyond it are
//! none.

use numptx_ir::DType;
use numptx_ir::array::{Map, OpKind, Order, ValueId};
use numptx_ir::scalar::{Body, BodyBuilder, Constant, InstrKind, ScalarOp, Val};

use crate::source::reduce_masked::places::Ops;

/// Emits the assignment; false, and nothing, where work items write other elements. The body's outputs: a value, an index an axis, whether it is written.
pub fn stored_at_own_work_items(
    ops: &mut Ops,
    (body, rank): (&Body, usize),
    operands: &[ValueId],
    destination: ValueId,
) -> bool {
    let [value, indices @ .., writes] = &body.outputs[..] else { return false };
    let is_own = |(axis, v): (usize, &Val)| body.instrs[v.0 as usize].kind == InstrKind::Index(axis as u32);
    if indices.len() != rank || !indices.iter().enumerate().all(is_own) {
        return false;
    }
    let (extents, operands) = operands.split_at(rank);
    let Some((inputs, tables)) = body.split_tables(operands) else { return false };
    let mut met = Vec::with_capacity(rank);
    for (axis, extent) in extents.iter().enumerate() {
        let own = ops.scalar(OpKind::Dim(axis), vec![destination], DType::I64);
        met.push(ops.scalar(OpKind::Scalar(ScalarOp::Min), vec![own, *extent], DType::I64));
    }
    let destination = beginning(ops, destination, &met);
    let mut builder = BodyBuilder::new();
    let mut vals = Vec::with_capacity(inputs.len());
    for (n, input) in inputs.iter().enumerate() {
        vals.push(builder.input(n as u32, ops.function.ty(*input).dtype()));
    }
    let kept = Body { outputs: vec![*value, *writes], ..body.clone() };
    let outputs = builder.inline(&kept, &vals, None);
    let old = builder.input(inputs.len() as u32, ops.function.ty(destination).dtype());
    let new = builder.op(ScalarOp::Select, &[outputs[1], outputs[0], old]);
    let body = builder.finish(vec![new]);
    let mut read = Vec::with_capacity(inputs.len() + 1);
    for input in inputs {
        read.push(if ops.function.array(*input).is_some() { beginning(ops, *input, &met) } else { *input });
    }
    read.push(destination);
    let map = OpKind::Map(Box::new(Map { rank, body, order: Order::C }));
    let result = ops.push(map, [&met, &read, tables].concat());
    ops.push(OpKind::Assign, vec![destination, result[0]]);
    true
}

/// The first elements along each axis.
fn beginning(ops: &mut Ops, array: ValueId, extents: &[ValueId]) -> ValueId {
    let zero = ops.scalar(OpKind::Constant(Constant::Int(0)), Vec::new(), DType::I64);
    let one = ops.scalar(OpKind::Constant(Constant::Int(1)), Vec::new(), DType::I64);
    let mut array = array;
    for (axis, extent) in extents.iter().enumerate() {
        array = ops.push(OpKind::Slice { axis }, vec![array, zero, *extent, one])[0];
    }
    array
}
