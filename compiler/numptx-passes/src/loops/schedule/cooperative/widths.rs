//! How many work items the phases of a launch have.
//!
//! In: which loops of a program its threads share, and what is known of their extents before it. Out: values on the host: the work items of the largest phase,
//! of the largest that sums up, and of loops in the loop, and whether a nest in their place would have few.

use std::collections::{BTreeSet, HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::array::{OpKind, ValueId};
use numptx_ir::scalar::ScalarOp;

use crate::loops::assumptions::guards::HostProgram;
use crate::loops::dependence::LoopId;
use crate::loops::schedule::cooperative::shares::{Crossing, Shares};
use crate::loops::schedule::cost::NARROW_WORK_ITEMS;
use crate::loops::schedule::nests::axes::count_of_loop;
use crate::loops::schedule::plan::Plan;

/// Loops whose iterations are work items that sum up.
pub fn summing_loops(plan: &Plan, shares: &Shares) -> HashSet<LoopId> {
    let id = |v: &ValueId| plan.whole.loops.get(v).copied();
    let around = |sum: LoopId| plan.whole.nest.chain(plan.whole.nest.loop_of(sum).parent);
    let sums = shares.reductions.keys().filter_map(id);
    let inside: HashSet<LoopId> = sums.flat_map(around).collect();
    shares.parallel.iter().chain(shares.crossings.keys()).filter_map(id).filter(|id| inside.contains(id)).collect()
}

/// How many work items the largest phase has, at least 1; of those in `only` alone, if that is given.
pub fn width(
    host: &mut HostProgram,
    plan: &Plan,
    shares: &Shares,
    bounds: &HashMap<ValueId, ValueId>,
    only: Option<&HashSet<LoopId>>,
) -> Option<ValueId> {
    let mut width = host.number(1);
    let mut ids: Vec<LoopId> = {
        let indices = shares.parallel.iter().chain(shares.reductions.keys()).chain(&shares.combined);
        indices.filter_map(|v| plan.whole.loops.get(v)).copied().collect()
    };
    ids.sort_unstable();
    let bound_of: HashMap<LoopId, ValueId> =
        bounds.iter().filter_map(|(index, bound)| Some((*plan.whole.loops.get(index)?, *bound))).collect();
    let count = |host: &mut HostProgram, id: LoopId| count_of_loop(host, plan, id).or(bound_of.get(&id).copied());
    let is_shared = |id: &LoopId| ids.contains(id);
    let steps: Vec<LoopId> = shares.parallel.iter().filter_map(|v| plan.whole.loops.get(v)).copied().collect();
    let reductions: Vec<LoopId> = shares.reductions.keys().filter_map(|v| plan.whole.loops.get(v)).copied().collect();
    for id in ids.iter().filter(|id| only.is_none_or(|only| only.contains(id))) {
        // A sum in a work item is one thread's.
        let mut around = plan.whole.nest.loop_of(*id).parent.filter(|_| reductions.contains(id));
        while let Some(outer) = around.filter(|outer| !steps.contains(outer)) {
            around = plan.whole.nest.loop_of(outer).parent;
        }
        if around.is_some() {
            continue;
        }
        let mut work_items = count(host, *id)?;
        let mut around = plan.whole.nest.loop_of(*id).parent;
        while let Some(outer) = around.filter(is_shared) {
            let count = count(host, outer)?;
            work_items = host.product(work_items, count);
            around = plan.whole.nest.loop_of(outer).parent;
        }
        width = host.scalar(OpKind::Scalar(ScalarOp::Max), vec![width, work_items], DType::I64);
    }
    // In the order of the program: what is compiled is the same in every run.
    let mut crossings: Vec<(&ValueId, &Crossing)> = shares.crossings.iter().collect();
    crossings.sort_unstable_by_key(|(index, _)| **index);
    let is_counted =
        |index: &ValueId| only.is_none_or(|only| plan.whole.loops.get(index).is_some_and(|id| only.contains(id)));
    for (_, crossing) in crossings.into_iter().filter(|(index, _)| is_counted(index)) {
        width = host.scalar(OpKind::Scalar(ScalarOp::Max), vec![width, crossing.extent], DType::I64);
    }
    Some(width)
}

/// How many work items the largest phase has of loops in a loop that the threads go through together, and how many iterations those have, at least 1; `None`
/// where there are no such loops, or it is not known. `own`: the loop, if it counts.
pub fn width_inside(
    host: &mut HostProgram,
    plan: &Plan,
    shares: &Shares,
    bounds: &HashMap<ValueId, ValueId>,
    own: ValueId,
) -> Option<(ValueId, ValueId)> {
    let nest = &plan.whole.nest;
    let own = plan.whole.loops.get(&own);
    let indices = shares.parallel.iter().chain(shares.reductions.keys()).chain(&shares.combined);
    let shared: HashSet<LoopId> =
        indices.chain(shares.crossings.keys()).filter_map(|v| plan.whole.loops.get(v)).copied().collect();
    let together = |id: LoopId| -> Vec<LoopId> {
        let around = nest.chain(nest.loop_of(id).parent).into_iter();
        around.take_while(|id| !shared.contains(id)).filter(|id| Some(id) != own).collect()
    };
    let inside: HashSet<LoopId> = shared.iter().copied().filter(|id| !together(*id).is_empty()).collect();
    let loops: BTreeSet<LoopId> = inside.iter().flat_map(|id| together(*id)).collect();
    if loops.is_empty() {
        return None;
    }
    let mut iterations = host.number(1);
    for id in loops {
        let count = count_of_loop(host, plan, id)?;
        iterations = host.scalar(OpKind::Scalar(ScalarOp::Max), vec![iterations, count], DType::I64);
    }
    Some((width(host, plan, shares, bounds, Some(&inside))?, iterations))
}

/// Whether none of the outermost loops that are shared has as many iterations as a device has threads for, each of which would run what is in it.
pub fn is_narrow_nest(
    host: &mut HostProgram,
    plan: &Plan,
    shares: &Shares,
    bounds: &HashMap<ValueId, ValueId>,
) -> Option<ValueId> {
    let shared: HashSet<LoopId> = shares.parallel.iter().filter_map(|v| plan.whole.loops.get(v)).copied().collect();
    let mut most = host.number(0);
    let mut indices: Vec<(ValueId, LoopId)> =
        shares.parallel.iter().filter_map(|v| Some((*v, *plan.whole.loops.get(v)?))).collect();
    indices.sort_unstable();
    for (index, id) in indices {
        let around = plan.whole.nest.chain(plan.whole.nest.loop_of(id).parent);
        if !around.iter().any(|id| shared.contains(id)) {
            let count = count_of_loop(host, plan, id).or(bounds.get(&index).copied())?;
            most = host.scalar(OpKind::Scalar(ScalarOp::Max), vec![most, count], DType::I64);
        }
    }
    let limit = host.number(NARROW_WORK_ITEMS);
    Some(host.scalar(OpKind::Scalar(ScalarOp::Lt), vec![most, limit], DType::Bool))
}
