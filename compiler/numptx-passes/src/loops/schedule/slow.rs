//! Whether what a loop became leaves work to one thread, or to a launch for each iteration.
//!
//! In: ops that stand for a loop. Out: answers by which forms of the loop are chosen.

use numptx_ir::array::{Op, OpKind};

use crate::loops::schedule::place::has_nest;
use crate::loops::storage::chunks::chunk_of;

/// Whether ops start a kernel in each iteration of a loop on the host, or leave a loop to one thread. Kernels that are wavefronts do enough.
/// Of a choice the first way counts: the other one is for few iterations. Chunks of points are as many as memory allows.
pub fn is_slow(ops: &[Op]) -> bool {
    ops.iter().any(|op| match &op.kind {
        OpKind::Nest(nest) => nest.rank == 0,
        OpKind::For if chunk_of(op).is_some() => is_slow(&op.regions[0].ops),
        OpKind::For | OpKind::While => {
            op.regions.iter().any(|region| has_nest(&region.ops) && !has_wavefront(&region.ops))
        }
        OpKind::If => op.regions.first().is_some_and(|region| is_slow(&region.ops)),
        _ => op.regions.iter().any(|region| is_slow(&region.ops)),
    })
}

/// Whether ops leave a loop to one thread, and start no kernel in an iteration of another. Of a choice the first way counts.
pub fn is_one_thread(ops: &[Op]) -> bool {
    let has_kernels = |op: &Op| op.regions.iter().any(|region| has_nest(&region.ops));
    ops.iter().any(|op| match &op.kind {
        OpKind::Nest(nest) => nest.rank == 0,
        OpKind::If => op.regions.first().is_some_and(|region| is_one_thread(&region.ops)),
        _ => false,
    }) && !ops.iter().any(|op| matches!(op.kind, OpKind::For | OpKind::While) && has_kernels(op))
}

/// Whether a kernel among ops runs a loop in fronts.
pub fn has_wavefront(ops: &[Op]) -> bool {
    ops.iter().any(|op| match &op.kind {
        OpKind::Nest(nest) => nest.code.is_cooperative(),
        _ => op.regions.iter().any(|region| has_wavefront(&region.ops)),
    })
}
