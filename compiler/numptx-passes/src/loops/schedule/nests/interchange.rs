//! A loop in the work items of the loops in it.
//!
//! In: a loop whose iterations may be the inner ones of those of the loops that are all there is in it. Out: a nest over these, whose work items run it.

use numptx_ir::array::{LoopStrategy, Op};

use crate::loops::assumptions::guards::HostProgram;
use crate::loops::function::FormNests;
use crate::loops::schedule::nests::inner_axes::axes_within;
use crate::loops::schedule::plan::{Plan, has_parallel_loop};

impl FormNests<'_> {
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
}
