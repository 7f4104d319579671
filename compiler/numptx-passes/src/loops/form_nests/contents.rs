//! What a function or a loop has in it, before nests are made of it.
//!
//! In: ops. Out: the extents and tests that have names, and what a loop does beside computing. Decides nothing.

use std::collections::HashMap;

use numptx_ir::array::{Op, OpKind, Order, Region, ValueId};
use numptx_ir::scalar::ScalarOp;

use crate::analysis::traverse::for_each_op;

/// The extents of arrays that have names: those that are asked for, and those of arrays made with them.
pub(crate) fn extents_in(body: &Region) -> HashMap<(ValueId, usize), ValueId> {
    let mut extents = HashMap::new();
    for_each_op(body, &mut |op| match (&op.kind, op.results.as_slice()) {
        (OpKind::Dim(axis), [result]) => {
            extents.entry((op.operands[0], *axis)).or_insert(*result);
        }
        (OpKind::Alloc { order: Order::C | Order::F, .. }, [array]) => {
            extents.extend(op.operands.iter().enumerate().map(|(axis, extent)| ((*array, axis), *extent)));
        }
        (OpKind::Map(map), arrays) => {
            let own = op.operands[..map.rank].iter().enumerate();
            extents.extend(arrays.iter().flat_map(|v| own.clone().map(|(axis, extent)| ((*v, axis), *extent))));
        }
        _ => {}
    });
    extents
}

/// Of numbers that one op makes alike, what the first is called.
pub(crate) fn same_in(body: &Region) -> HashMap<ValueId, ValueId> {
    let mut same = HashMap::new();
    for_each_op(body, &mut |op| {
        let OpKind::Map(map) = &op.kind else { return };
        for (n, output) in map.body.outputs.iter().enumerate().filter(|_| map.rank == 0) {
            let first = map.body.outputs.iter().position(|other| other == output).unwrap_or(n);
            if first < n {
                same.insert(op.results[n], op.results[first]);
            }
        }
    });
    same
}

/// Whether extents are equal, or one of several conditions holds.
pub(crate) fn tests_in(body: &Region) -> HashMap<ValueId, Op> {
    let mut tests = HashMap::new();
    for_each_op(body, &mut |op| {
        if let OpKind::Scalar(ScalarOp::Eq | ScalarOp::BitOr) = op.kind {
            tests.insert(op.results[0], op.clone());
        }
    });
    tests
}

/// Whether a counted loop makes checks of scalars, and does nothing else: nothing is left of it where they hold.
pub(crate) fn checks_alone(op: &Op) -> bool {
    let (mut has_checks, mut has_others) = (false, false);
    let mut visit = |op: &Op| match &op.kind {
        OpKind::Check { .. } => has_checks = true,
        OpKind::Yield | OpKind::For | OpKind::If | OpKind::Dim(_) | OpKind::Constant(_) | OpKind::Scalar(_) => {}
        _ => has_others = true,
    };
    op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
    op.kind == OpKind::For && op.results.is_empty() && has_checks && !has_others
}

/// Whether a loop reads or writes elements one by one, itself or in loops in it.
pub(crate) fn touches_elements(op: &Op) -> bool {
    let mut touches = false;
    let mut visit = |op: &Op| touches |= matches!(op.kind, OpKind::Store(_) | OpKind::StoreReduce(_) | OpKind::Item);
    op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
    touches
}
