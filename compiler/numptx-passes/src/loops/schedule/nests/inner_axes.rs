//! The axes of a nest whose work items each run loops around them.
//!
//! In: the loops in a loop, and what is known of their order. Out: those whose iterations may be work items, each of which runs all iterations of the loops
//! around these, as far as that changes nothing; how many work items there are along each axis.

use std::collections::BTreeSet;

use numptx_ir::array::{Op, OpKind, ValueId};

use crate::loops::assumptions::guards::HostProgram;
use crate::loops::dependence::{Interchange, LoopId, interchange};
use crate::loops::nest::program::Axis;
use crate::loops::schedule::nests::axes::shared_axis;
use crate::loops::schedule::plan::{Plan, is_free, is_parallel, loops_beside, loops_only};

/// Limit: axes of a nest.
pub const MAX_AXES: usize = 3;

/// The axes of a nest, as they are found from the outside in.
#[derive(Default)]
pub struct Axes<'o> {
    /// The loops.
    pub loops: Vec<&'o Op>,
    pub axes: Vec<Axis>,
    pub extents: Vec<ValueId>,
    /// The loops around what comes next.
    pub around: Vec<LoopId>,
}

/// The axes of loops in a loop whose work items may each run all of its iterations; none where there are no such loops.
pub fn axes_within<'o>(host: &mut HostProgram, op: &'o Op, plan: &Plan) -> Option<Axes<'o>> {
    axes_of(host, (op, plan), loops_only(plan, &op.regions[0]))
}

/// The same where, if there are points at all, each reads and checks for itself what an iteration does before these loops.
pub fn axes_in_chunks<'o>(host: &mut HostProgram, op: &'o Op, plan: &Plan) -> Option<Axes<'o>> {
    let is_alike = |op: &Op| match &op.kind {
        OpKind::Check { .. } | OpKind::Item => true,
        OpKind::Map(map) => map.rank == 0,
        _ => false,
    };
    axes_of(host, (op, plan), loops_beside(&op.regions[0], is_alike))
}

fn axes_of<'o>(host: &mut HostProgram, (op, plan): (&Op, &Plan), loops: Option<Vec<&'o Op>>) -> Option<Axes<'o>> {
    let outer = *plan.whole.loops.get(&op.regions[0].parameters[0])?;
    let mut axes = Axes { around: vec![outer], ..Axes::default() };
    axes.shared(host, plan, loops.unwrap_or_default());
    Some(axes)
}

impl<'o> Axes<'o> {
    /// Axes that several loops side by side share, and those in them, as long as one work item touches nothing that another one writes.
    pub fn shared(&mut self, host: &mut HostProgram, plan: &Plan, mut level: Vec<&'o Op>) {
        let Some(outer) = self.around.last().copied() else { return };
        while self.extents.len() < MAX_AXES && !level.is_empty() {
            let Some(ids) = aligned_below(plan, outer, &mut level) else { break };
            let within = ids.iter().flat_map(|id| plan.whole.nest.chain(plan.whole.nest.loop_of(*id).parent));
            let around: BTreeSet<LoopId> = self.around.iter().copied().chain(within).collect();
            let around: Vec<LoopId> = around.into_iter().collect();
            let Some((origin, extent)) = shared_axis(host, plan, &ids, &around) else { break };
            for inner in &level {
                let index = inner.regions[0].parameters[0];
                self.axes.push(Axis { index, number: self.extents.len() as u32, origin, from: None });
            }
            self.extents.push(extent);
            self.around.extend(ids);
            self.loops.extend(&level);
            let deeper: Option<Vec<Vec<&'o Op>>> =
                level.iter().map(|inner| loops_only(plan, &inner.regions[0])).collect();
            level = deeper.map_or_else(Vec::new, |deeper| deeper.concat());
        }
    }
}

/// Loops whose iterations may be work items, each of which runs all that is around the loops in `outer`.
fn aligned(plan: &Plan, outer: LoopId, level: &[&Op]) -> Option<Vec<LoopId>> {
    let ids = level.iter().map(|inner| is_free(inner, plan)).collect::<Option<Vec<LoopId>>>()?;
    (interchange(&plan.whole.nest, outer, &ids) == Interchange::Aligned(Vec::new())).then_some(ids)
}

/// The same of the first loops that may be work items, from these ones on inwards, as long as iterations depend on each other.
fn aligned_below(plan: &Plan, outer: LoopId, level: &mut Vec<&Op>) -> Option<Vec<LoopId>> {
    loop {
        if let Some(ids) = aligned(plan, outer, level) {
            return Some(ids);
        }
        *level = below_sequential(plan, level)?;
    }
}

/// Loops side by side, but for those whose iterations depend on each other the loops that are all there is in them; `None` where that changes nothing.
fn below_sequential<'o>(plan: &Plan, level: &[&'o Op]) -> Option<Vec<&'o Op>> {
    let mut found = Vec::with_capacity(level.len());
    for inner in level {
        match loops_only(plan, &inner.regions[0]).filter(|_| !is_parallel(inner, plan)) {
            Some(below) => found.extend(below),
            None => found.push(*inner),
        }
    }
    (found.len() != level.len() || found.iter().zip(level).any(|(a, b)| !std::ptr::eq(*a, *b))).then_some(found)
}
