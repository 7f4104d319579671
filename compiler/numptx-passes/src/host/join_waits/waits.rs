//! What the host waits for: elements, which it reads always or under a condition.
//!
//! In: an op. Out: the elements that it reads last; and the same read after it, always.

use numptx_ir::array::{ArrayType, Function, Layout, Map, Op, OpKind, Order, Type, ValueId};
use numptx_ir::scalar::BodyBuilder;

use crate::analysis::points_to::PointsTo;
use crate::analysis::traverse::terminator_operands;

/// The elements that an op reads, where it is an `item`, or a branch that ends with one on one path.
pub fn elements(op: &Op) -> Option<&[ValueId]> {
    match (&op.kind, op.regions.as_slice()) {
        (OpKind::Item, []) => Some(&op.operands),
        (OpKind::If, [then, _]) => {
            let [.., item, end] = then.ops.as_slice() else { return None };
            let is_item = item.kind == OpKind::Item && end.operands == item.results && !end.operands.is_empty();
            is_item.then_some(&item.operands)
        }
        _ => None,
    }
}

/// The `item` that stands for a wait; what it reads is added to ops that come before it.
pub fn unguarded(function: &mut Function, points_to: &mut PointsTo, op: Op, ops: &mut Vec<Op>) -> Op {
    if op.kind == OpKind::Item {
        return op;
    }
    let Op { operands, results, mut regions, span, .. } = op;
    let simple = |kind, operands, results| Op { kind, operands, results, regions: Vec::new(), span };
    let mut read = Vec::with_capacity(results.len());
    if let [then, otherwise] = regions.as_mut_slice() {
        then.ops.pop();
        let elements = then.ops.pop().map_or(Vec::new(), |item| item.operands);
        let given = terminator_operands(otherwise).to_vec();
        otherwise.ops.pop();
        let mut cells = Vec::with_capacity(given.len());
        for (element, value) in elements.iter().zip(given) {
            let dtype = function.ty(value).dtype();
            let mut body = BodyBuilder::new();
            let input = body.input(0, dtype);
            let map = Map { rank: 0, body: body.finish(vec![input]), order: Order::C };
            let fresh = ArrayType { dtype, rank: 0, layout: Layout::C, writable: true };
            let cell = function.add_value(Type::Array(fresh));
            let layout = function.array(*element).map_or(Layout::C, |array| array.layout);
            let result = function.add_value(Type::Array(ArrayType { layout, writable: false, ..fresh }));
            points_to.add_alias(result, *element);
            otherwise.ops.push(simple(OpKind::Map(Box::new(map)), vec![value], vec![cell]));
            cells.push(cell);
            read.push(result);
        }
        then.ops.push(simple(OpKind::Yield, elements, Vec::new()));
        otherwise.ops.push(simple(OpKind::Yield, cells, Vec::new()));
    }
    ops.push(Op { regions, ..simple(OpKind::If, operands, read.clone()) });
    simple(OpKind::Item, read, results)
}
