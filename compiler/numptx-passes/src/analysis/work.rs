//! How much one element of a body costs, for the choice between computing twice and storing once.
//!
//! In: a body. Out: a count in units of one addition. An estimate for choices only: nothing depends on its being right.

use numptx_ir::scalar::{Body, InstrKind, ScalarOp};

/// The work of one element.
pub fn work_of(body: &Body) -> usize {
    body.instrs
        .iter()
        .map(|instr| match &instr.kind {
            InstrKind::Input(_) | InstrKind::Constant(_) => 0,
            InstrKind::Index(_) => 1,
            InstrKind::Element(..) => 4,
            InstrKind::Op(op, _) => work_of_op(*op),
        })
        .sum()
}

fn work_of_op(op: ScalarOp) -> usize {
    match op {
        ScalarOp::Math(_) | ScalarOp::Pow | ScalarOp::Fmod => 24,
        ScalarOp::Gcd => 100,
        ScalarOp::FloorDiv | ScalarOp::Mod | ScalarOp::Div | ScalarOp::Sqrt => 6,
        _ => 1,
    }
}
