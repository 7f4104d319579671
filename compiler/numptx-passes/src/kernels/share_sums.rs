//! **Does**: makes `reduce` statements of loops in the work items of cooperative programs that combine integers or truth values: a sum, a product, an extreme,
//! bits.
//! **Requires**: phase Placed.
//! **Ensures**: in such a work item no loop is left that only carries one integer, which each of more than a few iterations combines with a value of its own.
//! Threads may share what it combines. A program whose work items come to have sums asks for threads for them.
//! **Keeps**: every value: integers wrap, so that their order makes no difference. Floats are combined in the order that is written, but for what
//! `form-nests` made of products of rows and columns, and of reductions.
//! **Example**: `parallel n (i) { s = for a, b, 1, t (k, c) { v = load 0 at i, k; m = max c, v; yield m } }` becomes
//! `parallel n (i) { e = sub b, a; r = reduce max e (j) { k = add a, j; v = load 0 at i, k; yield v }; s = max t, r }`.

use std::collections::HashMap;

use numptx_ir::array::{Function, Module, Op, OpKind};
use numptx_ir::scalar::{Block, Code, Constant, StmtKind, Val};
use numptx_source::InternalError;

use crate::Pass;
use crate::analysis::traverse::rewrite_ops;
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::emit::combined::{combined, share};
use crate::loops::schedule::cooperative::threads_for_sums;

/// See the file's header.
pub const SHARE_SUMS: Pass =
    Pass::optional("share-sums", "let threads share what the work items of a launch add up", share_sums);

fn share_sums(module: &mut Module) -> Result<(), InternalError> {
    module.functions.iter_mut().for_each(|function| rewrite_ops(function, shared));
    Ok(())
}

fn shared(function: &mut Function, mut op: Op, ops: &mut Vec<Op>) {
    in_nest(function, &mut op, ops);
    ops.push(op);
}

fn in_nest(function: &mut Function, op: &mut Op, before: &mut Vec<Op>) {
    let OpKind::Nest(nest) = &mut op.kind else { return };
    if !nest.code.is_cooperative() {
        return;
    }
    let had_sums = nest.code.sums_in_work_items();
    let mut block = std::mem::take(&mut nest.code.block);
    let mut sharing = Sharing { code: &mut nest.code, numbers: HashMap::new() };
    sharing.block(&mut block, false);
    nest.code.block = block;
    if nest.code.sums_in_work_items() && !had_sums {
        let mut host = HostProgram::new(function, op.span);
        op.operands[0] = threads_for_sums(&mut host, op.operands[0]);
        before.append(&mut host.ops);
    }
}

struct Sharing<'c> {
    code: &'c mut Code,
    /// Integers that are known.
    numbers: HashMap<Val, i64>,
}

impl Sharing<'_> {
    fn block(&mut self, block: &mut Block, is_work_item: bool) {
        let mut stmts = Vec::with_capacity(block.stmts.len());
        for mut stmt in std::mem::take(&mut block.stmts) {
            match (stmt.kind, &stmt.results[..]) {
                (StmtKind::Constant(Constant::Int(n)), [result]) => _ = self.numbers.insert(*result, n),
                (StmtKind::Reduce(_), _) => {}
                _ => {
                    let is_work_item = is_work_item || stmt.kind == StmtKind::Parallel;
                    stmt.blocks.iter_mut().for_each(|nested| self.block(nested, is_work_item));
                }
            }
            match combined(self.code, &self.numbers, &stmt).filter(|combined| is_work_item && combined.is_exact) {
                Some(combined) => share(self.code, stmt, &combined, &mut stmts),
                None => stmts.push(stmt),
            }
        }
        block.stmts = stmts;
    }
}
