//! How much one element of a body costs, for the choice between computing twice and storing once.
//!
//! In: a body. Out: a count in units of one addition, by the weights of the cost model. An estimate for choices only: nothing depends on its being right.

use numptx_ir::scalar::{Body, InstrKind, ScalarOp};

use crate::loops::schedule::cost::{WORK_OF_DIVISION, WORK_OF_ELEMENT, WORK_OF_FUNCTION, WORK_OF_GCD};

/// The work of one element.
pub fn work_of(body: &Body) -> usize {
    body.instrs
        .iter()
        .map(|instr| match &instr.kind {
            InstrKind::Input(_) | InstrKind::Constant(_) => 0,
            InstrKind::Index(_) => 1,
            InstrKind::Element(..) => WORK_OF_ELEMENT,
            InstrKind::Op(op, _) => work_of_op(*op),
        })
        .sum()
}

fn work_of_op(op: ScalarOp) -> usize {
    match op {
        ScalarOp::Math(_) | ScalarOp::Pow | ScalarOp::Fmod => WORK_OF_FUNCTION,
        ScalarOp::Gcd => WORK_OF_GCD,
        ScalarOp::FloorDiv | ScalarOp::Mod | ScalarOp::Div | ScalarOp::Sqrt => WORK_OF_DIVISION,
        _ => 1,
    }
}
