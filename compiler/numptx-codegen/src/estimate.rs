//! Numbers that the runtime's cost model and launch plans need of a kernel.

use numptx_ir::kernel::{Kernel, Node};
use numptx_ir::scalar::{Body, InstrKind, ScalarOp};

use crate::accumulator::Layout;

/// Bytes of one accumulator in memory, a multiple of 16; 0 for maps.
pub fn accumulator_bytes(kernel: &Kernel) -> u32 {
    let [Node::Phase(phase)] = kernel.body.as_slice() else {
        return 0;
    };
    if phase.reducers.is_empty() { 0 } else { Layout::of(phase).bytes }
}

/// Estimated scalar operations an element: 1 for an addition, about 20 for a library function.
pub fn work_estimate(kernel: &Kernel) -> u32 {
    let phases = kernel.body.iter().map(|Node::Phase(phase)| phase.reducers.len() as u32 + body_work(&phase.body));
    phases.sum::<u32>().max(1)
}

fn body_work(body: &Body) -> u32 {
    let work = body.instrs.iter().map(|instr| match &instr.kind {
        InstrKind::Op(op, _) => op_work(*op) * if instr.dtype.is_complex() { 3 } else { 1 },
        InstrKind::Element(..) => 4,
        InstrKind::Input(_) | InstrKind::Index(_) | InstrKind::Constant(_) => 0,
    });
    work.sum()
}

/// Roughly reciprocal throughputs on one core of a current x86-64.
fn op_work(op: ScalarOp) -> u32 {
    match op {
        ScalarOp::Math(_) => 20,
        ScalarOp::Pow | ScalarOp::Mod | ScalarOp::Fmod | ScalarOp::FloorDiv => 20,
        ScalarOp::Div | ScalarOp::Sqrt => 5,
        ScalarOp::Ldexp | ScalarOp::NextAfter | ScalarOp::FrexpMantissa | ScalarOp::FrexpExponent => 8,
        _ => 1,
    }
}
