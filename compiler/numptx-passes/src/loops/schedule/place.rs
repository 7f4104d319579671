//! Where the loops of a program run: as axes of a nest, inside of its work items, or on the host around nests.
//!
//! In: a loop that is a program, and the classes of the loops in it. Out: the ops that take its place. Nests write nothing that they share with
//! other arrays.

use std::collections::HashSet;

use numptx_ir::array::{LoopStrategy, Op, OpKind, Region, ValueId};
use numptx_source::Span;

use crate::analysis::traverse::for_each_op;
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::dependence::Variable;
use crate::loops::emit::hoist::define;
use crate::loops::function::FormNests;
use crate::loops::idioms::histograms::is_histogram;
use crate::loops::schedule::attempt::Attempt;
use crate::loops::schedule::axes::axis_of;
use crate::loops::schedule::cooperative::parts;
use crate::loops::schedule::cooperative::shares::Shares;
use crate::loops::schedule::inner_axes::{Axes, MAX_AXES, axes_within};
use crate::loops::schedule::plan::{
    Plan, has_parallel_loop, is_at_work_item, is_free, is_parallel, loops_only, only_loop, original_of,
};
use crate::rewrite::emit::yielding;

impl FormNests<'_> {
    /// A loop as nests, or as a loop on the host around them; one that is neither as a nest of one work item.
    pub fn placed(&mut self, op: Op, plan: &mut Plan) -> Option<Vec<Op>> {
        if let Some(ops) = self.spread(&op, plan) {
            return Some(ops);
        }
        if !self.may_be_serial(&op, plan) {
            return None;
        }
        let results = op.results.clone();
        self.sequential(plan, vec![op], &results)
    }

    /// Whether one thread may run a loop: not a parallel one, unless that is forced.
    pub fn may_be_serial(&self, op: &Op, plan: &Plan) -> bool {
        self.settings.may("serial") && (self.settings.chosen.is_some() || !is_parallel(op, plan))
    }

    /// A loop as nests of several work items, or as a loop on the host around nests.
    pub fn spread(&mut self, op: &Op, plan: &mut Plan) -> Option<Vec<Op>> {
        if is_parallel(op, plan) {
            return if self.settings.may("parallel") { self.parallel(op.clone(), plan) } else { None };
        }
        if self.settings.may("histogram")
            && let Some(ops) = self.histogram(op, plan)
        {
            return Some(ops);
        }
        if self.settings.may("interchange")
            && let Some(ops) = self.interchanged(op, plan)
        {
            return Some(ops);
        }
        if !self.settings.may("wavefront") {
            return self.spread_in_order(op, plan);
        }
        let mut wavefronts = self.tried(|pass| pass.deep_wavefronts(op, plan));
        let in_order = self.tried(|pass| pass.spread_in_order(op, plan));
        if wavefronts.value.is_none() {
            if in_order.value.is_some() {
                return self.keep(in_order);
            }
            wavefronts = self.tried(|pass| pass.host_around_wavefronts(op, plan));
        }
        let found = wavefronts.value.take()?;
        self.keep(wavefronts);
        let mut otherwise = match self.keep_as_fallback(in_order) {
            Some(ops) => ops,
            None => self.tried(|pass| pass.sequential(plan, vec![op.clone()], &[])).value?,
        };
        let wavefronts = found;
        let (mut then, mut ops) = (wavefronts.then, wavefronts.before);
        [&mut then, &mut otherwise].into_iter().for_each(|ops| ops.push(yielding(Vec::new(), op.span)));
        let regions = [then, otherwise].map(|ops| Region { parameters: Vec::new(), ops });
        let operands = vec![wavefronts.guard];
        ops.push(Op { kind: OpKind::If, operands, results: Vec::new(), regions: regions.into(), span: op.span });
        Some(ops)
    }

    /// The same, iteration after iteration.
    fn spread_in_order(&mut self, op: &Op, plan: &mut Plan) -> Option<Vec<Op>> {
        let is_stuck =
            |inner: &Op| is_free(inner, plan).is_some() && !is_parallel(inner, plan) && !has_parallel(inner, plan);
        let mut inner = op.regions[0].ops.iter().filter(|inner| matches!(inner.kind, OpKind::For));
        if inner.any(|inner| is_stuck(inner) && original_of(inner, plan).is_none())
            && let Some(ops) = self.wavefronts(op, plan)
        {
            return Some(ops);
        }
        if has_parallel(op, plan) {
            let n_around = plan.around.len();
            let around = self.tried(|pass| {
                pass.decide(op, LoopStrategy::AroundKernels, plan);
                pass.around(op, plan)
            });
            if around.value.is_some() {
                return self.keep(around);
            }
            plan.around.truncate(n_around);
        }
        self.wavefronts(op, plan)
    }

    /// A nest over the iterations of the loops in a loop, which runs in each of its work items, where that changes nothing.
    pub fn interchanged(&mut self, op: &Op, plan: &Plan) -> Option<Vec<Op>> {
        let mut host = HostProgram::new(self.function, op.span);
        let axes = axes_within(&mut host, op, plan)?;
        if axes.extents.is_empty() || !op.results.is_empty() {
            return None;
        }
        let mut ops = std::mem::take(&mut host.ops);
        self.work_items_of(plan, op, (&axes.axes, &axes.extents), &mut ops)?;
        self.found.is_narrow |= axes.extents.len() == 1 && axes.loops.iter().any(|axis| has_parallel_loop(axis, plan));
        self.decide(op, LoopStrategy::Interchanged, plan);
        self.decide_work_items(op, &axes.loops, plan);
        Some(ops)
    }

    /// A nest over a loop's iterations, and those of the loops that are all there is in it.
    fn parallel(&mut self, op: Op, plan: &Plan) -> Option<Vec<Op>> {
        match self.parallel_in_parts(&op, plan) {
            Some(ops) => Some(ops),
            None => self.work_items(op, plan),
        }
    }

    /// The same of each of its parts, where such a loop stands in one on the host and parts have more work items.
    fn parallel_in_parts(&mut self, op: &Op, plan: &Plan) -> Option<Vec<Op>> {
        if !self.attempt.is_repeated || !self.draft.at_work_items.is_empty() {
            return None;
        }
        let parts = parts(op, &self.long_parallel_loops(op, plan));
        if parts.len() < 2 {
            return None;
        }
        let work_items = self.tried(|pass| {
            let each = parts.into_iter().map(|part| pass.work_items(part, plan)).collect::<Option<Vec<_>>>()?;
            Some(each.concat())
        });
        if work_items.value.is_some() { self.keep(work_items) } else { None }
    }

    /// The parallel loops in an op, but for those that have few iterations, as far as is known.
    pub fn long_parallel_loops(&self, op: &Op, plan: &Plan) -> Shares {
        let mut shares = Shares::default();
        let mut visit = |op: &Op| {
            if op.kind == OpKind::For
                && is_parallel(op, plan)
                && op.operands[..2].iter().any(|v| self.known.constant(*v).is_none())
            {
                shares.parallel.insert(op.regions[0].parameters[0]);
            }
        };
        op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
        shares
    }

    fn work_items(&mut self, op: Op, plan: &Plan) -> Option<Vec<Op>> {
        let mut host = HostProgram::new(self.function, op.span);
        let mut axes = Axes::default();
        let mut level = &op;
        loop {
            let index = level.regions[0].parameters[0];
            let id = *plan.whole.loops.get(&index)?;
            let Some((axis, extent)) = axis_of(&mut host, plan, index, id, &axes.around) else { break };
            axes.axes.push(axis);
            axes.extents.push(extent);
            axes.around.push(id);
            axes.loops.push(level);
            match only_loop(plan, &level.regions[0]) {
                Some(inner) if axes.extents.len() < MAX_AXES && is_parallel(inner, plan) => level = inner,
                _ => {
                    axes.shared(&mut host, plan, loops_only(plan, &level.regions[0]).unwrap_or_default());
                    break;
                }
            }
        }
        if axes.extents.is_empty() {
            return None;
        }
        let mut ops = std::mem::take(&mut host.ops);
        self.work_items_of(plan, &op, (&axes.axes, &axes.extents), &mut ops)?;
        self.decide_work_items(&op, &axes.loops, plan);
        Some(ops)
    }

    /// Notes the loops that work items stand for, and those that run in them.
    fn decide_work_items(&mut self, op: &Op, axes: &[&Op], plan: &Plan) {
        axes.iter().for_each(|axis| self.decide(axis, LoopStrategy::Parallel, plan));
        let spans: Vec<Span> = axes.iter().map(|axis| axis.span).collect();
        self.decide_inner(op, &spans, LoopStrategy::InWorkItem, plan);
    }

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

fn has_parallel(op: &Op, plan: &Plan) -> bool {
    let inner = |op: &Op| matches!(op.kind, OpKind::For) && (is_spread(op, plan) || original_of(op, plan).is_some());
    op.regions[0].ops.iter().any(inner)
}
