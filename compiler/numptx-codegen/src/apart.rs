//! Whether neighbouring work items of a cooperative program's statements meet elements that lie far apart, as those of a table's diagonals do.
//!
//! In: a kernel. Out: an answer for the runtime's choice of a group. A warp whose threads meet elements in lines of their own takes as many cycles for each
//! access as it has threads. Only work items without loops are judged, for those of others go along rows as well. Nothing but speed depends on it.

use std::collections::HashSet;

use numptx_ir::kernel::Kernel;
use numptx_ir::scalar::{Block, Stmt, StmtKind, Val};

/// See the file's header.
pub fn lies_apart(kernel: &Kernel) -> bool {
    let (mut apart, mut all) = (0, 0);
    let Some(code) = kernel.code().filter(|code| code.is_cooperative()) else { return false };
    code.block.for_each_stmt(&mut |stmt| {
        if let (StmtKind::Parallel, [body]) = (stmt.kind, &stmt.blocks[..])
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
    body.for_each_stmt(&mut |stmt| {
        found |= matches!(stmt.kind, StmtKind::For | StmtKind::While | StmtKind::Reduce(_) | StmtKind::Parallel);
    });
    found
}

/// Counts accesses along whose axes but the last neighbours go; `moving`: values that they have not alike.
fn judge(block: &Block, moving: &mut HashSet<Val>, (apart, all): (&mut u32, &mut u32)) {
    for stmt in &block.stmts {
        let indices: &[Val] = match stmt.kind {
            StmtKind::Load(_) => &stmt.operands,
            StmtKind::Store(_) => &stmt.operands[1..],
            _ => &[],
        };
        if let [before @ .., _] = indices {
            *all += 1;
            *apart += u32::from(before.iter().any(|index| moving.contains(index)));
        }
        if moves(stmt, moving) {
            moving.extend(&stmt.results);
        }
        stmt.blocks.iter().for_each(|nested| judge(nested, moving, (apart, all)));
    }
}

fn moves(stmt: &Stmt, moving: &HashSet<Val>) -> bool {
    stmt.operands.iter().any(|val| moving.contains(val))
}
