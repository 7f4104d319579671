//! `A26`: what was taken by `reuse` is not looked at again.

use super::Checker;
use super::ownership::Roots;
use crate::array::{KernelId, Op, OpKind, Region, ValueId};
use crate::kernel::{Access, Operand};

impl Checker<'_> {
    pub(super) fn check_reuses(&mut self, region: &Region, roots: &Roots) {
        let results = region.ops.iter().flat_map(|op| &op.results);
        let defined: Vec<ValueId> = region.parameters.iter().chain(results).copied().collect();
        for (index, op) in region.ops.iter().enumerate() {
            if matches!(op.kind, OpKind::Reuse { .. }) {
                let root = ValueId(roots.root(op.operands[0]) as u32);
                if !roots.is_owned(root) || !defined.contains(&root) {
                    self.fail("A26", format!("{root} is not owned by this region"), Some(op));
                } else {
                    self.check_reuse(op, &region.ops[index + 1..], roots);
                }
            }
            op.regions.iter().for_each(|nested| self.check_reuses(nested, roots));
        }
    }

    fn check_reuse(&mut self, reuse: &Op, later: &[Op], roots: &Roots) {
        let (taken, result) = (reuse.operands[0], reuse.results[0]);
        let root = roots.root(taken);
        let first = later.iter().position(|op| uses(op, result.0 as usize, roots));
        for (index, op) in later.iter().enumerate().filter(|(_, op)| uses(op, root, roots)) {
            let may = match op.kind {
                OpKind::Release => true,
                OpKind::Launch(kernel) => first == Some(index) && self.reads_in_place(op, kernel, reuse, roots),
                _ => false,
            };
            if !may {
                self.fail("A26", format!("{taken} is used after {result} took its memory"), Some(op));
            }
        }
    }

    /// Whether a launch writes all of the result, and reads what was taken at each point only there.
    fn reads_in_place(&self, launch: &Op, kernel: KernelId, reuse: &Op, roots: &Roots) -> bool {
        let (taken, result) = (reuse.operands[0], reuse.results[0]);
        let kernel = &self.module.kernels[kernel.0 as usize];
        let arrays: Vec<_> = kernel.operands.iter().zip(&launch.operands[kernel.rank..]).enumerate().collect();
        let is_at_points = |n: usize| kernel.table_of(n).is_none();
        let over = |v: ValueId, root: ValueId| roots.root(v) == roots.root(root);
        let is_read_alone = |(n, (operand, v)): &(usize, (&Operand, &ValueId))| {
            !over(**v, taken)
                || (**v == taken && operand.access == Access::Read && !operand.noalias && is_at_points(*n))
        };
        let writes = |(n, (operand, v)): &(usize, (&Operand, &ValueId))| {
            **v == result && operand.access == Access::Write && !operand.noalias && is_at_points(*n)
        };
        kernel.n_reduced == 0 && arrays.iter().all(is_read_alone) && arrays.iter().any(writes)
    }
}

/// Whether an op, or one nested in it, uses a value with this root.
fn uses(op: &Op, root: usize, roots: &Roots) -> bool {
    let own = op.operands.iter().any(|v| roots.root(*v) == root);
    own || op.regions.iter().flat_map(|region| &region.ops).any(|nested| uses(nested, root, roots))
}
