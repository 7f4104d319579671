//! Which values are constants. Changes nothing.

use std::collections::HashMap;

use numptx_ir::array::{Op, OpKind, Region, ValueId};
use numptx_ir::scalar::Constant;

use crate::analysis::traverse::for_each_op;

/// All constants of a function.
pub fn constants_of(region: &Region) -> HashMap<ValueId, Constant> {
    let mut constants = HashMap::new();
    for_each_op(region, &mut |op| constants.extend(constant_of(op)));
    constants
}

/// The constants that stand among ops.
pub fn constants_among(ops: &[Op]) -> impl Iterator<Item = (ValueId, Constant)> {
    ops.iter().filter_map(constant_of)
}

fn constant_of(op: &Op) -> Option<(ValueId, Constant)> {
    match op.kind {
        OpKind::Constant(constant) => Some((op.results[0], constant)),
        _ => None,
    }
}
