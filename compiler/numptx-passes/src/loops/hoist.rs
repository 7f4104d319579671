//! What a loop does in every iteration alike, before it.
//!
//! In: a `for` op. Out: the same without the scalars and views that use nothing of it, and these. Computations and checks stay.

use std::collections::HashSet;

use numptx_ir::array::{Op, OpKind, ValueId};

/// Moves scalars and views that use nothing of a loop before it.
pub fn hoist(op: &mut Op, before: &mut Vec<Op>) {
    let mut inside = HashSet::new();
    define(op, &mut inside);
    hoist_from(op, before, &mut inside);
}

pub fn define(op: &Op, inside: &mut HashSet<ValueId>) {
    inside.extend(&op.results);
    for region in &op.regions {
        inside.extend(&region.parameters);
        region.ops.iter().for_each(|nested| define(nested, inside));
    }
}

fn hoist_from(op: &mut Op, before: &mut Vec<Op>, inside: &mut HashSet<ValueId>) {
    for region in &mut op.regions {
        for mut nested in std::mem::take(&mut region.ops) {
            let is_fixed = nested.kind.is_pure_scalar_or_view() && !nested.operands.iter().any(|v| inside.contains(v));
            if is_fixed && !matches!(nested.kind, OpKind::SliceBounds { .. }) {
                for result in &nested.results {
                    inside.remove(result);
                }
                before.push(nested);
            } else {
                hoist_from(&mut nested, before, inside);
                region.ops.push(nested);
            }
        }
    }
}

/// Takes out what must not be evaluated before the checks of the loop hold, and what uses that. It follows them in the branch where they do.
pub fn after_checks(ops: &mut Vec<Op>) -> Vec<Op> {
    let mut late = HashSet::new();
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
