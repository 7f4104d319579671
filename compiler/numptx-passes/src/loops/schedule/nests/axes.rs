//! Axes of nests: how many work items stand for a loop's iterations.
//!
//! In: loops that become axes, and the loops around them. Out: host scalars for extents and first indices. Where bounds differ between iterations of
//! loops around, an axis covers them all; where a loop is as long in all of them, as a tile is, it begins with each.

use numptx_ir::DType;
use numptx_ir::array::{OpKind, ValueId};
use numptx_ir::scalar::ScalarOp;

use crate::loops::assumptions::guards::HostProgram;
use crate::loops::dependence::{Affine, LoopId, Step};
use crate::loops::nest::program::{Axis, Origin};
use crate::loops::schedule::least::least;
use crate::loops::schedule::plan::Plan;

/// The axis for a loop, whose bounds may depend on the loops `outer` of the nest, and its extent.
pub fn axis_of(
    host: &mut HostProgram,
    plan: &Plan,
    index: ValueId,
    id: LoopId,
    outer: &[LoopId],
) -> Option<(Axis, ValueId)> {
    let nest = &plan.whole.nest;
    let of = nest.loop_of(id);
    let number = outer.len() as u32;
    if let Some(extent) = moving(host, plan, id, outer) {
        return Some((Axis { index, number, origin: Origin::OwnWithin, from: None }, extent));
    }
    let upper = of.upper.first()?;
    let first = least(nest, &of.lower, outer)?;
    let last = least(nest, &upper.times(-1)?, outer)?.times(-1)?;
    let is_box = first != of.lower || last != *upper || of.upper.len() > 1;
    if is_box && of.step != Step::Known(1) {
        return None;
    }
    let Step::Known(step) = of.step else {
        let extent = count_by(host, plan, &last.minus(&first)?, plan.whole.nest.stride_of(id)?)?;
        return Some((Axis { index, number, origin: Origin::Own, from: None }, extent));
    };
    let distance = if step > 0 { last.minus(&first)? } else { of.lower.minus(upper)? };
    let extent = count_of(host, plan, &distance, step.checked_abs()?)?;
    let origin = if is_box { Origin::Shared(host.value(&first, &plan.values)?) } else { Origin::Own };
    Some((Axis { index, number, origin, from: None }, extent))
}

/// Of a loop that begins elsewhere in each iteration of the loops around, as a tile does, how many iterations it has at most, if that does not change.
fn moving(host: &mut HostProgram, plan: &Plan, id: LoopId, outer: &[LoopId]) -> Option<ValueId> {
    let nest = &plan.whole.nest;
    let of = nest.loop_of(id);
    let Step::Known(step) = of.step else { return None };
    if of.lower_of.is_empty() && least(nest, &of.lower, outer)? == of.lower {
        return None;
    }
    let lowers = || std::iter::once(&of.lower).chain(&of.lower_of);
    let ends = of.upper.iter().flat_map(|upper| lowers().map(move |lower| (lower, upper)));
    let distance = |(lower, upper): (&Affine, &Affine)| if step > 0 { upper.minus(lower) } else { lower.minus(upper) };
    let is_known = |f: &Affine| f.terms().iter().all(|(variable, _)| plan.values.contains_key(variable));
    let distances: Vec<Affine> = ends.filter_map(distance).filter(is_known).collect();
    let mut least: Option<ValueId> = None;
    for distance in &distances {
        let count = count_of(host, plan, distance, step.checked_abs()?)?;
        least = Some(match least {
            Some(least) => host.scalar(OpKind::Scalar(ScalarOp::Min), vec![least, count], DType::I64),
            None => count,
        });
    }
    least
}

/// Where the work items of an axis of several loops side by side begin, and how many there are.
pub fn shared_axis(
    host: &mut HostProgram,
    plan: &Plan,
    ids: &[LoopId],
    around: &[LoopId],
) -> Option<(Origin, ValueId)> {
    if let [id] = ids
        && let Some(extent) = moving(host, plan, *id, around)
    {
        return Some((Origin::OwnWithin, extent));
    }
    let (first, extent, is_box) = box_of(host, plan, ids, around)?;
    Some((if is_box { Origin::Shared(first) } else { Origin::Own }, extent))
}

/// How many iterations a loop has at most, whatever those of the loops around it.
pub fn count_of_loop(host: &mut HostProgram, plan: &Plan, id: LoopId) -> Option<ValueId> {
    let nest = &plan.whole.nest;
    let of = nest.loop_of(id);
    let Step::Known(step) = of.step else { return None };
    let around = nest.chain(of.parent);
    let most = |upper: &Affine| {
        let distance = if step > 0 { upper.minus(&of.lower)? } else { of.lower.minus(upper)? };
        least(nest, &distance.times(-1)?, &around)?.times(-1)
    };
    let mosts: Vec<Affine> = of.upper.iter().filter_map(most).collect();
    let number = mosts.iter().find(|most| most.as_constant().is_some());
    count_of(host, plan, number.or(mosts.first())?, step.checked_abs()?)
}

/// How many steps of a run-time size it takes to go a distance or beyond it; none where it is negative. The size is at least 1 where the axis is used.
fn count_by(host: &mut HostProgram, plan: &Plan, distance: &Affine, step: &Affine) -> Option<ValueId> {
    let (zero, one) = (host.number(0), host.number(1));
    let by = host.value(step, &plan.values)?;
    let by = host.scalar(OpKind::Scalar(ScalarOp::Max), vec![by, one], DType::I64);
    let less = host.value(&distance.plus_constant(-1)?, &plan.values)?;
    let beyond = host.scalar(OpKind::Scalar(ScalarOp::Add), vec![less, by], DType::I64);
    let count = host.scalar(OpKind::Scalar(ScalarOp::FloorDiv), vec![beyond, by], DType::I64);
    Some(host.scalar(OpKind::Scalar(ScalarOp::Max), vec![count, zero], DType::I64))
}

/// How many steps it takes to go a distance or beyond it; none where it is negative.
fn count_of(host: &mut HostProgram, plan: &Plan, distance: &Affine, step: i64) -> Option<ValueId> {
    let mut count = host.value(&distance.plus_constant(step - 1)?, &plan.values)?;
    if step != 1 {
        let step = host.number(step);
        count = host.scalar(OpKind::Scalar(ScalarOp::FloorDiv), vec![count, step], DType::I64);
    }
    let zero = host.number(0);
    Some(host.scalar(OpKind::Scalar(ScalarOp::Max), vec![count, zero], DType::I64))
}

/// The first index of several rising loops that take every index, and how many there are up to the last of all, for whatever iteration of the
/// loops `around`; and whether not all of them begin and end there always.
pub fn box_of(
    host: &mut HostProgram,
    plan: &Plan,
    ids: &[LoopId],
    around: &[LoopId],
) -> Option<(ValueId, ValueId, bool)> {
    let nest = &plan.whole.nest;
    let mut bounds: Option<(ValueId, ValueId)> = None;
    let mut is_box = false;
    let first_loop = nest.loop_of(*ids.first()?);
    for id in ids {
        let of = nest.loop_of(*id);
        if of.step != Step::Known(1) {
            return None;
        }
        let upper = of.upper.first()?;
        let first = least(nest, &of.lower, around)?;
        let last = least(nest, &upper.times(-1)?, around)?.times(-1)?;
        is_box |= of.upper.len() > 1;
        is_box |= first != of.lower || last != *upper || of.lower != first_loop.lower || of.upper != first_loop.upper;
        let (first, last) = (host.value(&first, &plan.values)?, host.value(&last, &plan.values)?);
        bounds = Some(match bounds {
            None => (first, last),
            Some(same) if !is_box => same,
            Some((low, high)) => (
                host.scalar(OpKind::Scalar(ScalarOp::Min), vec![low, first], DType::I64),
                host.scalar(OpKind::Scalar(ScalarOp::Max), vec![high, last], DType::I64),
            ),
        });
    }
    let (first, last) = bounds?;
    let count = host.scalar(OpKind::Scalar(ScalarOp::Sub), vec![last, first], DType::I64);
    let zero = host.number(0);
    let extent = host.scalar(OpKind::Scalar(ScalarOp::Max), vec![count, zero], DType::I64);
    Some((first, extent, is_box))
}
