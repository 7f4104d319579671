//! **Does**: lets a consuming op take an owned root's own reference where a retain and that root's release stand right before it.
//! **Requires**: phase Owned.
//! **Ensures**: no retain and release of one root stand together before a consuming op.
//! **Keeps**: the ownership invariants; where each buffer is freed.
//! **Example**: `retain %v; release %b; return %v`, with `%v` a view of `%b`, becomes `return %v`.

use numptx_ir::array::{Function, Module, Op, OpKind, Region, ValueId};
use numptx_source::InternalError;

use crate::Pass;
use crate::analysis::roots::Roots;
use crate::host::rules::{Rule, holds};

/// See the file's header.
pub const ELIDE_OWNERSHIP: Pass =
    Pass::optional("elide-ownership", "move references instead of making and dropping them", elide_ownership);

fn elide_ownership(module: &mut Module) -> Result<(), InternalError> {
    module.functions.iter_mut().for_each(elide_function);
    Ok(())
}

fn elide_function(function: &mut Function) {
    let roots = Roots::of(function);
    elide_region(&mut function.body, &roots);
}

fn elide_region(region: &mut Region, roots: &Roots) {
    let mut kept: Vec<Op> = Vec::with_capacity(region.ops.len());
    for mut op in std::mem::take(&mut region.ops) {
        op.regions.iter_mut().for_each(|nested| elide_region(nested, roots));
        if roots.consumed(&op).next().is_some() {
            elide_before(&mut kept, roots);
        }
        kept.push(op);
    }
    region.ops = kept;
}

/// Removes pairs from the retains and releases at the end of `ops`.
fn elide_before(ops: &mut Vec<Op>, roots: &Roots) {
    let is_reference = |op: &Op| matches!(op.kind, OpKind::Retain | OpKind::Release);
    let start = ops
        .iter()
        .rposition(|op| !is_reference(op) && holds(Rule::ElideBesideTheOpThatConsumes))
        .map_or(0, |position| position + 1);
    let mut references = ops.split_off(start);
    let released: Vec<ValueId> =
        references.iter().filter(|op| matches!(op.kind, OpKind::Release)).map(|op| op.operands[0]).collect();
    for root in released {
        let retain = references.iter().position(|op| {
            let is_of = |v: ValueId| roots.root(v) == Some(root) || !holds(Rule::ElideOneRoot);
            matches!(op.kind, OpKind::Retain) && is_of(op.operands[0])
        });
        let Some(retain) = retain else { continue };
        references.remove(retain);
        if holds(Rule::ElidePairs) {
            references.retain(|op| !(matches!(op.kind, OpKind::Release) && op.operands[0] == root));
        }
    }
    ops.extend(references);
}
