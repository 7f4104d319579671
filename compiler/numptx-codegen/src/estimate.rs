//! Numbers that the runtime's cost model and launch plans need of a kernel.

use numptx_ir::kernel::Kernel;
use numptx_ir::scalar::{Block, Body, InstrKind, ScalarOp, StmtKind};

use crate::accumulator::Layout;
use crate::code::{LANES, Strip, may_be_vectors};
use crate::device::thread_elements;

/// Bytes of one accumulator in memory, a multiple of 16; 0 for maps.
pub fn accumulator_bytes(kernel: &Kernel) -> u32 {
    match kernel.phases().next() {
        Some(phase) if !phase.reducers.is_empty() => Layout::of(phase).bytes,
        _ => 0,
    }
}

/// Elements that a thread of the flat variant handles; of a scan those of a thread in a tile. Of a kernel with code, work items of a row that host threads
/// are given together: those that run side by side, or a multiple of any vector.
pub fn side_by_side(kernel: &Kernel) -> u8 {
    const VECTORS: u8 = 64;
    match kernel.code() {
        Some(code) if Strip::of(code, kernel.rank).is_some() => LANES as u8,
        Some(code) if may_be_vectors(code) => VECTORS,
        Some(_) => 1,
        None if kernel.is_scan() => thread_elements(kernel) as u8,
        None => kernel.schedule.vector as u8,
    }
}

/// Estimated scalar operations an element: 1 for an addition, about 20 for a library function.
pub fn work_estimate(kernel: &Kernel) -> u32 {
    let phases = kernel.phases().map(|phase| phase.reducers.len() as u32 + body_work(&phase.body));
    (phases.sum::<u32>() + kernel.code().map_or(0, |code| block_work(&code.block))).clamp(1, 1 << 24)
}

/// How often a loop is taken to run: nobody knows, but a loop left on one thread costs more than threads that had little to do.
const ITERATIONS: u32 = numptx_abi::Kernel::LOOP_WORK;

fn block_work(block: &Block) -> u32 {
    let work = block.stmts.iter().map(|stmt| {
        let nested = stmt.blocks.iter().map(block_work).fold(0, u32::saturating_add);
        match stmt.kind {
            StmtKind::Op(op) => op_work(op),
            StmtKind::Load(_) | StmtKind::Store(_) => 4,
            StmtKind::Check(_) => 1,
            StmtKind::For | StmtKind::While | StmtKind::Parallel | StmtKind::Reduce(_) | StmtKind::Solve(..) => {
                nested.saturating_add(1).saturating_mul(ITERATIONS)
            }
            StmtKind::If => nested,
            StmtKind::Constant(_) | StmtKind::Index(_) | StmtKind::Input(_) | StmtKind::Barrier => 0,
        }
    });
    work.fold(0, u32::saturating_add)
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
        ScalarOp::Gcd => 200,
        ScalarOp::Div | ScalarOp::Sqrt => 5,
        ScalarOp::Ldexp | ScalarOp::NextAfter | ScalarOp::FrexpMantissa | ScalarOp::FrexpExponent => 8,
        _ => 1,
    }
}
