//! What a loop does in every iteration alike, before it.
//!
//! In: a `for` op. Out: the same without the scalars and views that use nothing of it, and these. Computations and checks stay.

use std::collections::{HashMap, HashSet};

use numptx_ir::array::{Op, OpKind, ValueId};
use numptx_ir::scalar::{Constant, ScalarOp};

use crate::analysis::traverse::for_each_op;

/// Moves scalars and views that use nothing of a loop before it. `is_written`: whether the loop writes memory of an array.
pub fn hoist(
    op: &mut Op,
    constants: &HashMap<ValueId, Constant>,
    is_written: &dyn Fn(ValueId) -> bool,
    before: &mut Vec<Op>,
) {
    let number = |v: Option<&ValueId>| v.and_then(|v| constants.get(v)).copied();
    // Of a step of 0, which a check in the loop looks for, there are no bounds.
    let may_fail = |op: &Op| {
        let step = number(op.operands.iter().rev().nth(1));
        matches!(op.kind, OpKind::SliceBounds { .. }) && !matches!(step, Some(Constant::Int(n)) if n != 0)
    };
    // Views of what the loop writes stay beside it, so that all of it is one table.
    let stays = |op: &Op| {
        let is_simple = match op.kind {
            OpKind::Slice { .. } => number(op.operands.get(3)).is_some(),
            OpKind::Part { .. } => false,
            _ => true,
        };
        op.kind.is_view() && is_simple && is_written(op.operands[0])
    };
    hoist_some(op, before, &|op| !may_fail(op) && !stays(op));
}

/// Moves scalars that use nothing of a loop before it. Views stay, and what they show stays one array.
pub fn hoist_scalars(op: &mut Op, before: &mut Vec<Op>) {
    hoist_some(op, before, &|op| !op.kind.is_view());
}

fn hoist_some(op: &mut Op, before: &mut Vec<Op>, may_move: &dyn Fn(&Op) -> bool) {
    let mut inside = HashSet::new();
    define(op, &mut inside);
    let mut hoisted = Vec::new();
    hoist_from(op, &mut hoisted, &mut inside, may_move);
    keep_what_chooses(op, &mut hoisted);
    before.append(&mut hoisted);
}

/// Puts comparisons back by which a loop chooses among ints that change with it: what was compared tells when an index counts from the end.
fn keep_what_chooses(op: &mut Op, hoisted: &mut Vec<Op>) {
    let [body] = op.regions.as_mut_slice() else { return };
    let mut choosing = HashSet::new();
    for_each_op(body, &mut |op| {
        if op.kind == OpKind::Scalar(ScalarOp::Select) {
            choosing.insert(op.operands[0]);
        }
    });
    let used_before: HashSet<ValueId> = hoisted.iter().flat_map(|op| op.operands.iter().copied()).collect();
    let is_comparison = |op: &Op| {
        use ScalarOp::{Ge, Gt, Le, Lt};
        let compares = matches!(op.kind, OpKind::Scalar(Lt | Le | Gt | Ge));
        compares && choosing.contains(&op.results[0]) && !used_before.contains(&op.results[0])
    };
    let (mut kept, others): (Vec<Op>, Vec<Op>) = std::mem::take(hoisted).into_iter().partition(is_comparison);
    *hoisted = others;
    kept.append(&mut body.ops);
    body.ops = kept;
}

/// Moves scalars and views out of the loops in an op, as far as they use nothing of them.
pub fn hoist_inside(op: &mut Op) {
    for region in &mut op.regions {
        let mut ops = Vec::with_capacity(region.ops.len());
        for mut nested in std::mem::take(&mut region.ops) {
            hoist_inside(&mut nested);
            if nested.kind == OpKind::For {
                let bounds = bounds_in(&nested);
                hoist_some(&mut nested, &mut ops, &|op| match op.kind {
                    OpKind::SliceBounds { .. } => false,
                    // In the loop its bounds tell what is chosen: an index of an iteration may not count from the end.
                    OpKind::Scalar(ScalarOp::Select) => op.results.iter().any(|v| bounds.contains(v)),
                    _ => true,
                });
            }
            ops.push(nested);
        }
        region.ops = ops;
    }
}

/// The bounds of the loops in a loop.
fn bounds_in(op: &Op) -> HashSet<ValueId> {
    let mut bounds = HashSet::new();
    let mut visit = |op: &Op| {
        if op.kind == OpKind::For {
            bounds.extend(&op.operands[..3]);
        }
    };
    op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
    bounds
}

pub fn define(op: &Op, inside: &mut HashSet<ValueId>) {
    inside.extend(&op.results);
    for region in &op.regions {
        inside.extend(&region.parameters);
        region.ops.iter().for_each(|nested| define(nested, inside));
    }
}

fn hoist_from(op: &mut Op, before: &mut Vec<Op>, inside: &mut HashSet<ValueId>, may_move: &dyn Fn(&Op) -> bool) {
    for region in &mut op.regions {
        for mut nested in std::mem::take(&mut region.ops) {
            let is_fixed = nested.kind.is_pure_scalar_or_view() && !nested.operands.iter().any(|v| inside.contains(v));
            if is_fixed && may_move(&nested) {
                for result in &nested.results {
                    inside.remove(result);
                }
                before.push(nested);
            } else {
                hoist_from(&mut nested, before, inside, may_move);
                region.ops.push(nested);
            }
        }
    }
}

/// Takes out what must not be evaluated before the checks of the loop hold, and what uses that. It follows them in the branch where they do.
/// So do uses of the values `late`.
pub fn after_checks(ops: &mut Vec<Op>, mut late: HashSet<ValueId>) -> Vec<Op> {
    let (before, after) = std::mem::take(ops).into_iter().partition(|op: &Op| {
        let has_terms = matches!(
            op.kind,
            OpKind::Broadcast
                | OpKind::DropAxis { .. }
                | OpKind::Slice { .. }
                | OpKind::Diagonal { .. }
                | OpKind::Windows { .. }
                | OpKind::Split { .. }
                | OpKind::Alloc { .. }
        );
        let is_late = has_terms || op.operands.iter().any(|v| late.contains(v));
        if is_late {
            late.extend(op.results.clone());
        }
        !is_late
    });
    *ops = before;
    after
}
