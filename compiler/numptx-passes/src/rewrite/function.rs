//! Drives a rebuild of a whole function: regions, loops and terminators are handled here, each op goes to a [`Rewrite`].
//!
//! In: a function and a rewrite. Out: the function rebuilt through an [`Emitter`]. The tree of regions stays as it is, except that
//! an `if` whose condition is known is replaced by the branch taken where the rewrite wants that.

use numptx_ir::DType;
use numptx_ir::array::{Function, Op, OpKind, Region, ValueId};
use numptx_ir::scalar::{Constant, ScalarOp};

use crate::analysis::traverse::terminator_operands;
use crate::analysis::types::agree;
use crate::rewrite::emit::{Emitter, Induction};

/// Where an op stood before the rebuild: regions are counted in program order, the body being 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The region.
    pub region: usize,
    /// The position in the region.
    pub index: usize,
}

/// What is done with each op.
pub trait Rewrite {
    /// Emits an op that has no regions and is no terminator. Its operands are not resolved yet.
    fn emit(&mut self, emitter: &mut Emitter, op: Op, place: Place);

    /// Whether branches whose condition is known are replaced by the branch taken.
    fn flattens(&self) -> bool {
        false
    }
}

/// Rebuilds a function. What branches and loops carry then promises no more than what was put there.
pub fn rebuild(function: &mut Function, rewrite: &mut dyn Rewrite) {
    let (emitter, ops) = Emitter::of(function);
    let mut rebuild = Rebuild { emitter, rewrite, n_regions: 1 };
    rebuild.walk(ops, 0);
    rebuild.emitter.finish(function);
    agree(function);
}

struct Rebuild<'r> {
    emitter: Emitter,
    rewrite: &'r mut dyn Rewrite,
    n_regions: usize,
}

impl Rebuild<'_> {
    fn walk(&mut self, ops: Vec<Op>, region: usize) {
        for (index, op) in ops.into_iter().enumerate() {
            self.emitter.set_span(op.span);
            if !op.regions.is_empty() {
                self.nested(op);
            } else if op.kind.is_terminator() {
                self.push_resolved(op);
            } else {
                self.rewrite.emit(&mut self.emitter, op, Place { region, index });
            }
        }
    }

    fn push_resolved(&mut self, mut op: Op) {
        op.operands.iter_mut().for_each(|v| *v = self.emitter.resolve(*v));
        self.emitter.push(op);
    }

    fn nested(&mut self, mut op: Op) {
        op.operands.iter_mut().for_each(|v| *v = self.emitter.resolve(*v));
        if self.rewrite.flattens()
            && matches!(op.kind, OpKind::If)
            && let Some(Constant::Bool(condition)) = self.emitter.constant_of(op.operands[0])
        {
            return self.flatten(op, condition);
        }
        if matches!(op.kind, OpKind::For)
            && let Some(induction) = op.regions.first().and_then(|r| r.parameters.first()).copied()
        {
            let [lower, upper, step] = [op.operands[0], op.operands[1], op.operands[2]];
            self.emitter.set_induction(induction, Induction { lower, upper, step });
        }
        let regions = std::mem::take(&mut op.regions);
        op.regions = regions.into_iter().map(|region| self.region(region)).collect();
        if self.rewrite.flattens() {
            self.forward_invariant(&op);
            if self.has_failed_before(&op) {
                return;
            }
        }
        self.emitter.push(op);
    }

    /// Whether an `if` only raises, and an earlier one would have, had its condition held.
    fn has_failed_before(&mut self, op: &Op) -> bool {
        let is_no = |v: &ValueId| self.emitter.constant_of(*v) == Some(Constant::Bool(false));
        let raises = |op: &Op| matches!(op.kind, OpKind::Check { .. }) && op.operands.first().is_some_and(is_no);
        let is_raise = match (&op.kind, op.regions.as_slice()) {
            (OpKind::If, [then, otherwise]) => then.ops.iter().any(raises) && otherwise.ops.len() == 1,
            _ => false,
        };
        if !is_raise || !op.results.is_empty() {
            return false;
        }
        let holds = self.emitter.scalar(ScalarOp::BitNot, &[op.operands[0]], DType::Bool);
        let has_passed = self.emitter.has_passed(holds);
        self.emitter.note_passed(holds);
        has_passed
    }

    fn region(&mut self, region: Region) -> Region {
        let number = self.n_regions;
        self.n_regions += 1;
        self.emitter.open_region(region.parameters);
        self.walk(region.ops, number);
        self.emitter.close_region()
    }

    /// Replaces an `if` by the branch taken.
    fn flatten(&mut self, op: Op, condition: bool) {
        let Some(mut region) = op.regions.into_iter().nth(usize::from(!condition)) else { return };
        let yielded = terminator_operands(&region).to_vec();
        region.ops.pop();
        let number = self.n_regions;
        self.n_regions += 1;
        self.walk(region.ops, number);
        for (result, value) in op.results.iter().zip(yielded) {
            let value = self.emitter.resolve(value);
            self.emitter.replace(*result, value);
        }
    }

    /// A result that is the same outer value on every path is that value.
    fn forward_invariant(&mut self, op: &Op) {
        let same: Vec<Option<ValueId>> = match op.kind {
            OpKind::If => {
                let (then, otherwise) = (terminator_operands(&op.regions[0]), terminator_operands(&op.regions[1]));
                then.iter().zip(otherwise).map(|(a, b)| (a == b).then_some(*a)).collect()
            }
            _ => return,
        };
        for (result, value) in op.results.iter().zip(same) {
            if let Some(value) = value {
                self.emitter.replace(*result, value);
            }
        }
    }
}
