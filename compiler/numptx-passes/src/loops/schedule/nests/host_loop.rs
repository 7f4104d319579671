//! A loop on the host, around kernels.
//!
//! In: a loop with parallel loops in it. Out: the loop, with a nest for each of these, and one of one work item for what stands between them.

use std::collections::HashSet;

use numptx_ir::array::{Op, OpKind, Region, ValueId};

use crate::analysis::traverse::for_each_op;
use crate::loops::dependence::Variable;
use crate::loops::emit::hoist::define;
use crate::loops::function::FormNests;
use crate::loops::idioms::histograms::is_histogram;
use crate::loops::schedule::attempt::Attempt;
use crate::loops::schedule::plan::{Plan, is_at_work_item, is_parallel, original_of};
use crate::rewrite::emit::yielding;

impl FormNests<'_> {
    /// The loop on the host; in it a nest for each parallel loop, and one for what stands between them.
    pub fn around(&mut self, op: &Op, plan: &mut Plan) -> Option<Vec<Op>> {
        if !op.results.is_empty() {
            return None;
        }
        let iterations = self.iterations_expected(op);
        let around = self.tried_with(Attempt { is_repeated: true, ..self.attempt }, |pass| {
            pass.in_host_loop(iterations, |pass| pass.host_loop(op, plan))
        });
        self.keep(around)
    }

    fn host_loop(&mut self, op: &Op, plan: &mut Plan) -> Option<Vec<Op>> {
        let index = op.regions[0].parameters[0];
        let id = *plan.whole.loops.get(&index)?;
        plan.values.insert(Variable::Index(id), index);
        let n_around = plan.around.len();
        let mut ops = Vec::new();
        let mut run: Vec<Op> = Vec::new();
        let mut is_checked = false;
        for nested in op.regions[0].ops.iter().filter(|nested| !nested.kind.is_terminator()) {
            is_checked |= is_at_work_item(nested, plan);
            // What a check of a work item allows, another kernel would do without it.
            if is_checked && (original_of(nested, plan).is_some() || nested.kind == OpKind::For) {
                return None;
            }
            if nested.kind.is_pure_scalar_or_view() {
                // A nest computes what it uses of these itself.
                plan.around.push(nested.clone());
                ops.push(nested.clone());
            } else if let Some(original) = original_of(nested, plan) {
                self.flush(plan, &mut run, &mut ops)?;
                original.iter().for_each(|op| self.note_elements(op));
                ops.extend(original.iter().cloned());
            } else if matches!(nested.kind, OpKind::For) && (plan.is_around_all || is_spread(nested, plan)) {
                self.flush(plan, &mut run, &mut ops)?;
                ops.extend(self.placed(nested.clone(), plan)?);
            } else if !matches!(nested.kind, OpKind::Check { .. }) || is_at_work_item(nested, plan) {
                run.push(nested.clone());
            }
        }
        self.flush(plan, &mut run, &mut ops)?;
        plan.around.truncate(n_around);
        let mut lost = HashSet::new();
        op.regions.iter().flat_map(|region| &region.ops).for_each(|nested| define(nested, &mut lost));
        if !close(&mut ops, lost) {
            return None;
        }
        ops.push(yielding(Vec::new(), op.span));
        let regions = vec![Region { parameters: op.regions[0].parameters.clone(), ops }];
        Some(vec![Op { regions, ..op.clone() }])
    }

    /// A nest of one work item for ops that have an effect.
    fn flush(&mut self, plan: &Plan, run: &mut Vec<Op>, ops: &mut Vec<Op>) -> Option<()> {
        if !run.is_empty() {
            ops.extend(self.sequential(plan, std::mem::take(run), &[])?);
        }
        Some(())
    }
}

/// Leaves out scalars and views of what only a nest knows now; `lost` are values that were defined among the ops. Whether nothing else
/// uses what is lost.
fn close(ops: &mut Vec<Op>, mut lost: HashSet<ValueId>) -> bool {
    let mut is_closed = true;
    ops.retain(|op| {
        let mut own = HashSet::new();
        define(op, &mut own);
        let is_lost = |v: &ValueId| lost.contains(v) && !own.contains(v);
        let mut uses = op.operands.iter().any(is_lost);
        let mut visit = |nested: &Op| uses |= nested.operands.iter().any(is_lost);
        op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
        if uses {
            is_closed &= op.kind.is_pure_scalar_or_view();
            return false;
        }
        lost.retain(|v| !own.contains(v));
        true
    });
    is_closed
}

/// Whether a loop, or one in it, is the work of several work items.
fn is_spread(op: &Op, plan: &Plan) -> bool {
    is_parallel(op, plan) || is_histogram(op, plan) || has_parallel(op, plan)
}

/// Whether a loop in a loop is, or a computation over rows.
pub fn has_parallel(op: &Op, plan: &Plan) -> bool {
    let inner = |op: &Op| matches!(op.kind, OpKind::For) && (is_spread(op, plan) || original_of(op, plan).is_some());
    op.regions[0].ops.iter().any(inner)
}
