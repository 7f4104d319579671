//! What a loop compares of the element at a position that it carries, as a function of that element.
//!
//! In: a loop's body, and what depends on the position. Out: the function, and the body with a value in the place of it. Decides nothing.

use std::collections::HashSet;

use numptx_ir::array::{OpKind, Region, ValueId};
use numptx_ir::scalar::{Body, BodyBuilder, InstrKind, ScalarOp, Val};

use crate::rewrite::bodies::without_unused;

/// What is compared of the element at a position.
pub(crate) struct Compared {
    pub body: Body,
    pub operands: Vec<ValueId>,
}

/// What the first comparison of a region compares that depends on a position, which is `value` from now on.
pub(crate) fn compared(region: &mut Region, depending: &HashSet<ValueId>, value: ValueId) -> Option<Compared> {
    for op in &mut region.ops {
        let operands = op.operands.clone();
        if let OpKind::Map(map) = &mut op.kind
            && map.rank == 0
            && map.body.n_tables() == 0
            && let Some(side) = side_of(&map.body, &|n| operands.get(n as usize).is_some_and(|v| depending.contains(v)))
        {
            let n_inputs = operands.len();
            let with = [operands.as_slice(), &[value]].concat();
            let (body, with) = without_unused(taking(&map.body, side, n_inputs as u32), with, 0, n_inputs + 1);
            let own = Body { instrs: map.body.instrs.clone(), outputs: vec![side] };
            let own = finished(&own);
            if !is_exact(&own) {
                return None;
            }
            let (own, operands) = without_unused(own, operands, 0, n_inputs);
            map.body = body;
            op.operands = with;
            return Some(Compared { body: own, operands });
        }
        if let Some(found) = op.regions.iter_mut().find_map(|nested| compared(nested, depending, value)) {
            return Some(found);
        }
    }
    None
}

/// The side of a body's first comparison that depends on some of its inputs, if the other one does not.
fn side_of(body: &Body, is_some: &dyn Fn(u32) -> bool) -> Option<Val> {
    let mut depends: Vec<bool> = Vec::with_capacity(body.instrs.len());
    for instr in &body.instrs {
        let depends_on = |v: &Val| depends[v.0 as usize];
        if let InstrKind::Op(ScalarOp::Lt | ScalarOp::Le | ScalarOp::Gt | ScalarOp::Ge, sides) = &instr.kind
            && let [a, b] = sides.as_slice()
            && depends_on(a) != depends_on(b)
        {
            return Some(if depends_on(a) { *a } else { *b });
        }
        depends.push(match &instr.kind {
            InstrKind::Input(n) => is_some(*n),
            kind => kind.operands().iter().any(depends_on),
        });
    }
    None
}

/// A body that takes one of its values from an input.
fn taking(body: &Body, value: Val, input: u32) -> Body {
    let mut taking = body.clone();
    taking.instrs[value.0 as usize].kind = InstrKind::Input(input);
    finished(&taking)
}

/// A body without what its outputs do not need.
fn finished(body: &Body) -> Body {
    let mut builder = BodyBuilder::new();
    let inputs =
        body.instrs.iter().filter_map(|i| if let InstrKind::Input(n) = i.kind { Some((n, i.dtype)) } else { None });
    let n_inputs = inputs.clone().map(|(n, _)| n + 1).max().unwrap_or(0);
    let mut vals = vec![Val(0); n_inputs as usize];
    for (n, dtype) in inputs {
        vals[n as usize] = builder.input(n, dtype);
    }
    let outputs = builder.inline(body, &vals, None);
    builder.finish(outputs)
}

/// Whether a body is the same number wherever it is computed, on the host and in a kernel: elements that are equal stay so.
fn is_exact(body: &Body) -> bool {
    use ScalarOp::*;
    body.instrs.iter().all(|instr| match &instr.kind {
        InstrKind::Op(op, operands) => {
            let is_real = operands.iter().all(|v| !body.dtype(*v).is_complex());
            let is_rounded_alike = matches!(
                op,
                Add | Sub
                    | Mul
                    | Neg
                    | Abs
                    | Min
                    | Max
                    | Select
                    | Lt
                    | Le
                    | Gt
                    | Ge
                    | Eq
                    | Ne
                    | BitAnd
                    | BitOr
                    | BitNot
                    | Cast
            );
            is_real && is_rounded_alike
        }
        InstrKind::Input(_) | InstrKind::Constant(_) => true,
        InstrKind::Index(_) | InstrKind::Element(..) => false,
    })
}
