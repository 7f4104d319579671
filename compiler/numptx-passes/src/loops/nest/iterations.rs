//! How many iterations the loops in a loop have in all, as far as this is known before it.
//!
//! In: a loop of a plan that stays where it is, and how many iterations it has itself. Out: host scalars, at least 0, which follow from integers and
//! extents alone. A loop in it whose range its index changes, as those of triangles and bands, has as many as the mean of the most and the least
//! that it can have; one whose range only data tell has none. They measure work: nothing that is computed depends on them but in how many parts.
//!
//! ```text
//! for i in range(n): for j in range(i + 1, n)        n · (n - 1 + 0) / 2
//! for i in range(n): for j in range(max(0, i - w), min(n, i + w + 1))        at most n · (2 · w + 1)
//! ```

use std::collections::HashSet;

use numptx_ir::DType;
use numptx_ir::array::{Op, OpKind, Region, ValueId};
use numptx_ir::scalar::ScalarOp;
use numptx_source::Span;

use crate::loops::assumptions::guards::HostProgram;
use crate::loops::dependence::{Access, Affine, LoopId, Nest, Step};
use crate::loops::emit::hoist::define;
use crate::loops::nest::program::Translation;
use crate::loops::schedule::least::all_least;
use crate::loops::schedule::plan::Plan;

/// Limit: more iterations count as so many where those of several loops are added up.
const MOST_ITERATIONS: i64 = 1 << 60;

/// The iterations of a loop and of those in it.
pub struct Iterations {
    /// Of loops that have as many in each iteration around them.
    pub of_boxes: ValueId,
    /// Also of those that have not, and of those in branches; `None` if there are none of these, or nothing is known of them.
    pub of_all: Option<ValueId>,
    /// A loop that combines values with elements, and of whose iterations nothing is known.
    pub uncounted: Option<Span>,
}

/// How many iterations the innermost loops in a loop have that has `n`. A loop without others in it has these.
pub fn iterations(host: &mut HostProgram, plan: &Plan, op: &Op, n: ValueId) -> Option<Iterations> {
    let mut inside = HashSet::new();
    define(op, &mut inside);
    let of = *plan.whole.loops.get(&op.regions[0].parameters[0])?;
    let mut count = Count { plan, inside, of, has_bounded: false, uncounted: None };
    let boxes = count.in_one(host, op, false);
    let all = count.in_one(host, op, true);
    let mut times = |inner: Option<ValueId>| match inner {
        Some(inner) => host.product(n, inner),
        None => n,
    };
    let of_boxes = times(boxes);
    let of_all = count.has_bounded.then(|| times(all));
    Some(Iterations { of_boxes, of_all, uncounted: count.uncounted })
}

/// The iterations of a loop are being counted.
struct Count<'p> {
    plan: &'p Plan,
    /// What is defined in the loop.
    inside: HashSet<ValueId>,
    of: LoopId,
    /// Whether there was one that does not count but with `bounded`.
    has_bounded: bool,
    /// The first one of which nothing is known.
    uncounted: Option<Span>,
}

impl Count<'_> {
    /// Those of loops in one iteration of a loop; with `bounded`, also of those whose range changes, and in branches. `None` if none are known.
    fn in_one(&mut self, host: &mut HostProgram, op: &Op, bounded: bool) -> Option<ValueId> {
        let mut sum = None;
        for (inner, is_in_branch) in loops_in(&op.regions[0]) {
            if is_in_branch && !bounded {
                continue;
            }
            let Some(mut times) = self.times(host, inner, bounded) else {
                let uncounted = (bounded && self.combines(inner)).then_some(inner.span);
                self.uncounted = self.uncounted.or(uncounted);
                continue;
            };
            if let Some(within) = self.in_one(host, inner, bounded) {
                times = host.product(times, within);
            }
            self.has_bounded |= is_in_branch;
            let most = host.number(MOST_ITERATIONS);
            sum = Some(match sum {
                Some(sum) => {
                    let [sum, times] = [sum, times].map(|times| host.integer(ScalarOp::Min, times, most));
                    host.integer(ScalarOp::Add, sum, times)
                }
                None => times,
            });
        }
        sum
    }

    /// Whether a loop combines values with elements.
    fn combines(&self, inner: &Op) -> bool {
        let nest = &self.plan.whole.nest;
        let Some(id) = self.plan.whole.loops.get(&inner.regions[0].parameters[0]) else { return false };
        let is_update = |access: &Access| access.group.is_some() && !access.subscripts.is_empty();
        nest.access_ids().any(|access| nest.is_within(access, *id) && is_update(nest.access(access)))
    }

    /// How many iterations a loop in the loop has.
    fn times(&mut self, host: &mut HostProgram, inner: &Op, bounded: bool) -> Option<ValueId> {
        let id = *self.plan.whole.loops.get(&inner.regions[0].parameters[0])?;
        let Step::Known(step) = self.plan.whole.nest.loop_of(id).step else { return None };
        if !inner.operands[..2].iter().any(|v| self.inside.contains(v)) {
            return host.count((inner.operands[0], inner.operands[1]), step);
        }
        let mean = bounded.then(|| self.mean(host, id, step))??;
        self.has_bounded = true;
        Some(mean)
    }

    /// The mean of the most and the least iterations that a loop can have whose range changes.
    fn mean(&self, host: &mut HostProgram, id: LoopId, step: i64) -> Option<ValueId> {
        let distances = self.distances(id, step)?;
        let mosts: Vec<Affine> = distances.iter().filter_map(|distance| self.most(distance)).collect();
        let leasts: Vec<Affine> = distances.iter().filter_map(|distance| self.least(distance)).collect();
        let (zero, two) = (host.number(0), host.number(2));
        let most = self.smallest(host, &mosts)?;
        let most = host.integer(ScalarOp::Max, most, zero);
        let mut least = zero;
        if leasts.len() == distances.len() {
            let smallest = self.smallest(host, &leasts)?;
            let natural = host.integer(ScalarOp::Max, smallest, zero);
            least = host.integer(ScalarOp::Min, natural, most);
        }
        let sum = host.integer(ScalarOp::Add, most, least);
        let mean = host.rounded_up(sum, two);
        let by = host.number(step.checked_abs()?);
        Some(host.rounded_up(mean, by))
    }

    /// How far it is from each first index to each end: a loop goes no further than any of these.
    fn distances(&self, id: LoopId, step: i64) -> Option<Vec<Affine>> {
        let of = self.plan.whole.nest.loop_of(id);
        let lowers = || std::iter::once(&of.lower).chain(&of.lower_of);
        let ends = of.upper.iter().flat_map(|upper| lowers().map(move |lower| (lower, upper)));
        ends.map(|(lower, upper)| if step > 0 { upper.minus(lower) } else { lower.minus(upper) }).collect()
    }

    /// A function that is known before the loop, and at most this one in every iteration.
    fn least(&self, function: &Affine) -> Option<Affine> {
        let nest = &self.plan.whole.nest;
        let loops: Vec<LoopId> = nest.loop_ids().filter(|id| nest.chain(Some(*id)).contains(&self.of)).collect();
        let is_known = |least: &Affine| {
            let mut values = least.terms().iter().map(|(variable, _)| self.plan.values.get(variable));
            values.all(|value| value.is_some_and(|value| !self.inside.contains(value)))
        };
        all_least(nest, function, &loops).into_iter().find(is_known)
    }

    /// One that is at least as large.
    fn most(&self, function: &Affine) -> Option<Affine> {
        self.least(&function.times(-1)?)?.times(-1)
    }

    /// The smallest of values that are known before the loop.
    fn smallest(&self, host: &mut HostProgram, of: &[Affine]) -> Option<ValueId> {
        let mut smallest = None;
        for function in of {
            let Some(value) = host.value(function, &self.plan.values) else { continue };
            smallest = Some(match smallest {
                Some(smallest) => host.integer(ScalarOp::Min, smallest, value),
                None => value,
            });
        }
        smallest
    }
}

/// The outermost loops in a region, and whether each is in a branch.
fn loops_in(region: &Region) -> Vec<(&Op, bool)> {
    let mut found = Vec::new();
    for op in &region.ops {
        match op.kind {
            OpKind::For => found.push((op, false)),
            OpKind::If => found.extend(op.regions.iter().flat_map(loops_in).map(|(inner, _)| (inner, true))),
            _ => {}
        }
    }
    found
}

impl HostProgram<'_> {
    /// An operation on two integers.
    pub fn integer(&mut self, op: ScalarOp, a: ValueId, b: ValueId) -> ValueId {
        self.scalar(OpKind::Scalar(op), vec![a, b], DType::I64)
    }

    /// a / b, rounded up; b is positive.
    pub(crate) fn rounded_up(&mut self, a: ValueId, b: ValueId) -> ValueId {
        let minus_one = self.number(-1);
        let sum = self.integer(ScalarOp::Add, a, b);
        let sum = self.integer(ScalarOp::Add, sum, minus_one);
        self.integer(ScalarOp::FloorDiv, sum, b)
    }

    /// How many steps `range` takes.
    pub(crate) fn count(&mut self, (lower, upper): (ValueId, ValueId), step: i64) -> Option<ValueId> {
        let (from, to) = if step > 0 { (lower, upper) } else { (upper, lower) };
        let distance = self.integer(ScalarOp::Sub, to, from);
        let by = self.number(step.checked_abs()?);
        let zero = self.number(0);
        let count = self.rounded_up(distance, by);
        Some(self.integer(ScalarOp::Max, count, zero))
    }
}

/// How many iterations a loop has, at least 0, on the host; its bounds are the same everywhere.
pub(crate) fn trip_count(host: &mut HostProgram, whole: &Translation, id: LoopId) -> Option<ValueId> {
    let Step::Known(step) = whole.nest.loop_of(id).step else { return None };
    let mut count = host.value(&room(&whole.nest, id)?.plus_constant(step.checked_abs()?)?, &whole.symbols)?;
    if step.abs() != 1 {
        let by = host.number(step.abs());
        count = host.scalar(OpKind::Scalar(ScalarOp::FloorDiv), vec![count, by], DType::I64);
    }
    let zero = host.number(0);
    Some(host.scalar(OpKind::Scalar(ScalarOp::Max), vec![count, zero], DType::I64))
}

/// What is at least 0 where a loop has an iteration.
pub(crate) fn room(nest: &Nest, id: LoopId) -> Option<Affine> {
    let of = nest.loop_of(id);
    let ([upper], Step::Known(step)) = (of.upper.as_slice(), of.step) else { return None };
    let distance = if step > 0 { upper.minus(&of.lower)? } else { of.lower.minus(upper)? };
    distance.plus_constant(-1)
}
