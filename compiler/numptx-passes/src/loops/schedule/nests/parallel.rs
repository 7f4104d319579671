//! A parallel loop as work items.
//!
//! In: a parallel loop. Out: a nest over its iterations, and those of parallel loops that are all there is in it. In a loop on the host, where each iteration
//! launches it, a nest for each of its parts that has more work items.

use numptx_ir::array::{LoopStrategy, Op, OpKind};
use numptx_source::Span;

use crate::analysis::traverse::for_each_op;
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::function::FormNests;
use crate::loops::schedule::cooperative::parts;
use crate::loops::schedule::cooperative::shares::Shares;
use crate::loops::schedule::nests::axes::axis_of;
use crate::loops::schedule::nests::inner_axes::{Axes, MAX_AXES};
use crate::loops::schedule::plan::{Plan, is_parallel, loops_only, only_loop};

impl FormNests<'_> {
    /// A nest over a loop's iterations, and those of the loops that are all there is in it.
    pub fn parallel(&mut self, op: Op, plan: &Plan) -> Option<Vec<Op>> {
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
    pub fn decide_work_items(&mut self, op: &Op, axes: &[&Op], plan: &Plan) {
        axes.iter().for_each(|axis| self.decide(axis, LoopStrategy::Parallel, plan));
        let spans: Vec<Span> = axes.iter().map(|axis| axis.span).collect();
        self.decide_inner(op, &spans, LoopStrategy::InWorkItem, plan);
    }
}
