//! Which loops of a cooperative program take long, where all threads do alike what one does.
//!
//! In: a loop that no threads share, and constants. Out: whether it may have many iterations that read or write elements. Changes nothing.

use std::collections::HashMap;

use numptx_ir::array::{Op, OpKind, ValueId};
use numptx_ir::scalar::Constant;

use crate::analysis::traverse::for_each_op;
use crate::loops::schedule::cost::SHORT_LOOP_ITERATIONS;

/// Whether a counted loop, or loops in it, may have many iterations over elements. Of a `while` it is not known: those that search are short.
pub fn is_long(op: &Op, constants: &HashMap<ValueId, Constant>) -> bool {
    op.kind == OpKind::For && iterations(op, constants) > SHORT_LOOP_ITERATIONS && touches_elements(op)
}

fn iterations(op: &Op, constants: &HashMap<ValueId, Constant>) -> i64 {
    let integer = |n: usize| constants.get(&op.operands[n]).and_then(|constant| constant.as_int());
    let own = match (integer(0), integer(1), integer(2)) {
        (Some(lower), Some(upper), Some(by)) => upper.saturating_sub(lower).checked_div(by).unwrap_or(0).max(0) + 1,
        _ => return i64::MAX,
    };
    let nested = op.regions[0].ops.iter().filter(|nested| nested.kind == OpKind::For);
    nested.map(|nested| iterations(nested, constants)).max().unwrap_or(1).saturating_mul(own)
}

fn touches_elements(op: &Op) -> bool {
    let mut touches = false;
    let mut visit = |op: &Op| touches |= matches!(op.kind, OpKind::Index { .. });
    op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
    touches
}
