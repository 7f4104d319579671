//! **Does**: removes ops whose results nobody uses and that have no effect, loops and branches among them, and carried values that only
//! carry themselves.
//! **Requires**: any phase before Owned.
//! **Ensures**: every remaining op without effect has a use.
//! **Keeps**: writes, checks, `while` loops (they may not end), the order of ops.
//! **Example**: `%3 = map (%n; %a) …` without uses disappears, and `%n = dim %a, 0` with it.

use numptx_ir::array::{Function, Module, Op, OpKind, Region, ValueId};
use numptx_source::InternalError;

use crate::Pass;

/// See the file's header.
pub const REMOVE_DEAD: Pass = Pass::optional("remove-dead", "remove what nobody uses", remove_dead);

fn remove_dead(module: &mut Module) -> Result<(), InternalError> {
    module.functions.iter_mut().for_each(remove_dead_ops);
    Ok(())
}

/// Removes the dead ops of one function.
pub fn remove_dead_ops(function: &mut Function) {
    let mut used = vec![false; function.values.len()];
    sweep(&mut function.body, &mut used);
}

/// Removes the dead ops of a loop's body. `n_values`: how many values its function has.
pub(crate) fn remove_dead_in(region: &mut Region, n_values: usize) {
    sweep(region, &mut vec![false; n_values]);
}

/// Walks backwards. A value used only by later iterations is defined before the loop or carried: carried values count as used.
fn sweep(region: &mut Region, used: &mut [bool]) {
    let mut kept: Vec<Op> = Vec::with_capacity(region.ops.len());
    for mut op in std::mem::take(&mut region.ops).into_iter().rev() {
        let is_used = op.results.iter().any(|v| used[v.0 as usize]);
        if !is_used && !op.kind.is_terminator() && is_removable(&op) {
            continue;
        }
        mark(&op.operands, used);
        // The loop's own regions may use each other's values only through parameters, so one sweep of each is enough.
        for nested in op.regions.iter_mut().rev() {
            sweep(nested, used);
        }
        kept.push(op);
    }
    kept.reverse();
    region.ops = kept;
}

fn mark(values: &[ValueId], used: &mut [bool]) {
    values.iter().for_each(|v| used[v.0 as usize] = true);
}

/// Whether an op without used results may go.
fn is_removable(op: &Op) -> bool {
    let kind = &op.kind;
    match kind {
        OpKind::Map(_) | OpKind::Reduce(_) | OpKind::Scan(_) | OpKind::Alloc { .. } => true,
        OpKind::Reuse { .. } | OpKind::Item => true,
        OpKind::If | OpKind::For => op.regions.iter().flat_map(|r| &r.ops).all(is_removable),
        OpKind::Yield => true,
        _ => kind.is_pure_scalar_or_view() || kind.is_view_or_copy(),
    }
}
