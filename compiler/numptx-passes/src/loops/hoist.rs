//! What a loop does in every iteration alike, before it.
//!
//! In: a `for` op. Out: the same without the scalars and views that use nothing of it, and these. Computations and checks stay.

use std::collections::HashSet;

use numptx_ir::array::{Op, OpKind, ValueId};

/// Moves scalars and views that use nothing of a loop before it.
pub fn hoist(op: &mut Op, before: &mut Vec<Op>) {
    hoist_some(op, before, &|op| !matches!(op.kind, OpKind::SliceBounds { .. }));
}

/// Moves scalars that use nothing of a loop before it. Views stay, and what they show stays one array.
pub fn hoist_scalars(op: &mut Op, before: &mut Vec<Op>) {
    hoist_some(op, before, &|op| !op.kind.is_view());
}

fn hoist_some(op: &mut Op, before: &mut Vec<Op>, may_move: &dyn Fn(&Op) -> bool) {
    let mut inside = HashSet::new();
    define(op, &mut inside);
    hoist_from(op, before, &mut inside, may_move);
}

/// Moves scalars and views out of the loops in an op, as far as they use nothing of them.
pub fn hoist_inside(op: &mut Op) {
    for region in &mut op.regions {
        let mut ops = Vec::with_capacity(region.ops.len());
        for mut nested in std::mem::take(&mut region.ops) {
            hoist_inside(&mut nested);
            if nested.kind == OpKind::For {
                hoist(&mut nested, &mut ops);
            }
            ops.push(nested);
        }
        region.ops = ops;
    }
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
