//! Whether neighbouring points of a cooperative program's steps meet elements that lie far apart, as those of a table's diagonals do.
//!
//! In: a kernel. Out: an answer for the runtime's choice of a group: a warp whose threads meet elements in lines of their own takes as many cycles for each access as
//! it has threads. Only points without loops are judged, for those of others go along rows as well; nothing but speed depends on it.

use std::collections::HashSet;

use numptx_ir::kernel::Kernel;
use numptx_ir::scalar::{Block, Step, StepKind, Val};

/// See the file's header.
pub fn lies_apart(kernel: &Kernel) -> bool {
    let (mut apart, mut all) = (0, 0);
    let Some(code) = kernel.code().filter(|code| code.is_cooperative()) else { return false };
    code.block.for_each_step(&mut |step| {
        if let (StepKind::Parallel, [body]) = (step.kind, &step.blocks[..])
            && !has_loops(body)
        {
            let mut moving: HashSet<Val> = body.parameters.last().copied().into_iter().collect();
            judge(body, &mut moving, (&mut apart, &mut all));
        }
    });
    all > 0 && 2 * apart > all
}

fn has_loops(body: &Block) -> bool {
    let mut found = false;
    body.for_each_step(&mut |step| {
        found |= matches!(step.kind, StepKind::For | StepKind::While | StepKind::Reduce(_) | StepKind::Parallel);
    });
    found
}

/// Counts accesses along whose axes but the last neighbours go; `moving`: values that they have not alike.
fn judge(block: &Block, moving: &mut HashSet<Val>, (apart, all): (&mut u32, &mut u32)) {
    for step in &block.steps {
        let indices: &[Val] = match step.kind {
            StepKind::Load(_) => &step.operands,
            StepKind::Store(_) => &step.operands[1..],
            _ => &[],
        };
        if let [before @ .., _] = indices {
            *all += 1;
            *apart += u32::from(before.iter().any(|index| moving.contains(index)));
        }
        if moves(step, moving) {
            moving.extend(&step.results);
        }
        step.blocks.iter().for_each(|nested| judge(nested, moving, (apart, all)));
    }
}

fn moves(step: &Step, moving: &HashSet<Val>) -> bool {
    step.operands.iter().any(|val| moving.contains(val))
}
