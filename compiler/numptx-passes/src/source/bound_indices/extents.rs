//! Checks of indices that lie below an extent which need not be that of the axis: the host asks how the two numbers compare before it looks at elements.
//!
//! In: a region, and what is known of indices. Out: the same, in which `%b = reduce [or] …; %f = item %b` is
//! `%f = if %extent <= %axis { false } else { %b = reduce [or] …; item %b }`.

use std::collections::BTreeSet;

use numptx_ir::DType;
use numptx_ir::array::{Function, Op, OpKind, Region, Type, ValueId};
use numptx_ir::scalar::{Constant, Reducer, ScalarOp};

use crate::analysis::traverse::for_each_op;
use crate::source::bound_indices::facts::Facts;

/// Whether any check is asked for now.
pub fn ask_extents(function: &mut Function, facts: &Facts, region: &mut Region) -> bool {
    let mut is_changed = false;
    for op in &mut region.ops {
        for nested in &mut op.regions {
            is_changed |= ask_extents(function, facts, nested);
        }
    }
    let mut at = 0;
    while at < region.ops.len() {
        let Some((pairs, item)) = asked(function, facts, region, at) else {
            at += 1;
            continue;
        };
        let item = region.ops.remove(item);
        let reduce = region.ops.remove(at);
        let ops = branch(function, &pairs, reduce, item);
        at += ops.len();
        region.ops.splice(at - ops.len()..at - ops.len(), ops);
        is_changed = true;
    }
    is_changed
}

/// What has to hold for an op, the `or` of a check, to be false, and the position of the one op that reads it: an `item` behind it.
fn asked(
    function: &Function,
    facts: &Facts,
    region: &Region,
    at: usize,
) -> Option<(BTreeSet<(ValueId, ValueId)>, usize)> {
    let op = &region.ops[at];
    let OpKind::Reduce(reduce) = &op.kind else { return None };
    if reduce.rank != reduce.n_reduced || reduce.reducers != [Reducer::Or] || reduce.epilogue.is_some() {
        return None;
    }
    let mut n_readers = 0;
    for_each_op(region, &mut |reader| n_readers += usize::from(reader.operands.contains(&op.results[0])));
    let next = region.ops.get(at + 1).filter(|next| next.kind == OpKind::Item && next.operands == op.results);
    let pairs = next.and_then(|_| facts.suffices(function, op, reduce))?;
    (n_readers == 1).then_some((pairs, at + 1))
}

fn branch(function: &mut Function, pairs: &BTreeSet<(ValueId, ValueId)>, reduce: Op, item: Op) -> Vec<Op> {
    let span = reduce.span;
    let op = |kind, operands, results| Op { kind, operands, results, regions: Vec::new(), span };
    let mut ops = Vec::new();
    let scalar = |function: &mut Function, ops: &mut Vec<Op>, kind, operands| {
        let result = function.add_value(Type::Scalar(DType::Bool));
        ops.push(op(kind, operands, vec![result]));
        result
    };
    let mut fits = None;
    for (extent, axis) in pairs {
        let one = scalar(function, &mut ops, OpKind::Scalar(ScalarOp::Le), vec![*extent, *axis]);
        fits =
            Some(fits.map_or(one, |all| scalar(function, &mut ops, OpKind::Scalar(ScalarOp::BitAnd), vec![all, one])));
    }
    let mut then = Vec::new();
    let never = scalar(function, &mut then, OpKind::Constant(Constant::Bool(false)), Vec::new());
    then.push(op(OpKind::Yield, vec![never], Vec::new()));
    let found = function.add_value(Type::Scalar(DType::Bool));
    let looked = Op { results: vec![found], ..item.clone() };
    let otherwise = vec![reduce, looked, op(OpKind::Yield, vec![found], Vec::new())];
    let regions = [then, otherwise].map(|ops| Region { parameters: Vec::new(), ops });
    let condition = fits.into_iter().collect();
    ops.push(Op { kind: OpKind::If, operands: condition, results: item.results, regions: regions.to_vec(), span });
    ops
}
