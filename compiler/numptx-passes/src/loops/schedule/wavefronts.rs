//! Sequential loops as wavefronts: one launch whose threads share the work items of each time.
//!
//! In: a loop that is neither parallel nor may go inside of parallel ones. Out: a nest that all threads share, if times are found for the parts of
//! its body at which many work items may run together. Where a loop around such a loop is sequential, too, as that over Gauss and Seidel's sweeps, its
//! iterations need not wait for each other's ends: a wavefront of all of these loops has work items of many sweeps.

pub mod bounds;
pub mod groups;
pub mod program;

use std::collections::{BTreeMap, HashMap};

use numptx_ir::DType;
use numptx_ir::array::{LoopStrategy, Op, OpKind, ValueId};
use numptx_ir::scalar::ScalarOp;
use numptx_source::Span;

use crate::loops::assumptions::guards::HostProgram;
use crate::loops::canonical::distribute::fission::{Parts, parts_within};
use crate::loops::dependence::{
    AccessKind, Affine, Class, LoopId, MAX_AROUND, Nest, Part, Step, Subscript, Variable, Wavefront, wavefront,
};
use crate::loops::function::FormNests;
use crate::loops::nest::program::Checks;
use crate::loops::nest::program::{Program, Translation};
use crate::loops::nest::translate::translate;
use crate::loops::schedule::aligned::align;
use crate::loops::schedule::cooperative::cooperative_nest;
use crate::loops::schedule::cooperative::shares::has_stores;
use crate::loops::schedule::launches::Threads;
use crate::loops::schedule::long_loops::is_long;
use crate::loops::schedule::plan::{Plan, is_free, is_parallel};
use crate::loops::schedule::wavefronts::bounds::wavefronts;
use crate::loops::schedule::wavefronts::groups::WavefrontProgram;
use crate::loops::schedule::wavefronts::groups::{Extent, Wavefronts};

/// Loops as wavefronts for a device.
pub struct GuardedWavefronts {
    /// What is computed before.
    pub before: Vec<Op>,
    /// Whether wavefronts of several loops are what the runtime wants.
    pub guard: ValueId,
    /// The launch.
    pub then: Vec<Op>,
}

impl FormNests<'_> {
    fn checks(&self) -> Checks<'_> {
        Checks { fault: self.draft.fault, at_work_items: Some(&self.draft.at_work_items), payload: None }
    }

    /// The loop as a wavefront.
    pub fn wavefronts(&mut self, op: &Op, plan: &Plan) -> Option<Vec<Op>> {
        // A work item that fails ends alone.
        if !op.results.is_empty() || !self.draft.at_work_items.is_empty() {
            return None;
        }
        let parts = parts_within(self.function, op, 1)?;
        self.wavefronts_of(op, plan, &parts).map(|wavefronts| [wavefronts.before, wavefronts.ops].concat())
    }

    /// The loop, and loops that are all there is in those around them, as one wavefront, and whether there is a device that it is for. Work items of one time
    /// lie far apart: what that costs a host, it does not get back, as its barriers cost nothing.
    pub fn deep_wavefronts(&mut self, op: &Op, plan: &Plan) -> Option<GuardedWavefronts> {
        if !op.results.is_empty() || !self.draft.at_work_items.is_empty() || !is_waiting(op, plan) {
            return None;
        }
        let wavefronts = (2..=MAX_AROUND).rev().find_map(|depth| {
            let mut parts = parts_within(self.function, op, depth).filter(|parts| parts.around.len() == depth)?;
            let mut loops = parts.body().ops.iter().filter(|part| part.kind == OpKind::For);
            let waits = loops.any(|part| is_free(part, plan).is_some() && !is_parallel(part, plan));
            if !waits {
                return None;
            }
            align(self.function, &self.known.constants, parts.body_mut());
            self.wavefronts_of(op, plan, &parts)
        })?;
        let mut host = HostProgram::new(self.function, op.span);
        let [row, rounds] = [1, 0].map(|n| host.number(n));
        let is_wanted = host.scalar(OpKind::OneLaunch, vec![wavefronts.width, row, rounds], DType::Bool);
        let guard = both(&mut host, wavefronts.condition, is_wanted);
        Some(GuardedWavefronts { before: [wavefronts.before, host.ops].concat(), guard, then: wavefronts.ops })
    }

    /// The loop on the host, around the wavefronts of loops in it, and whether there is a device that it is for: a host has one thread for either.
    pub fn host_around_wavefronts(&mut self, op: &Op, plan: &mut Plan) -> Option<GuardedWavefronts> {
        if !op.results.is_empty() || !self.draft.at_work_items.is_empty() || !is_waiting(op, plan) {
            return None;
        }
        let n_around = plan.around.len();
        plan.is_around_all = true;
        let mut then = self.tried(|pass| {
            pass.decide(op, LoopStrategy::AroundKernels, plan);
            let ops = pass.around(op, plan);
            ops.filter(|_| pass.schedule.has_cooperative_kernel() && !pass.schedule.has_slow_launches())
        });
        plan.is_around_all = false;
        let Some(ops) = then.value.take() else {
            plan.around.truncate(n_around);
            return None;
        };
        self.keep(then);
        let then = ops;
        let mut host = HostProgram::new(self.function, op.span);
        let [work_items, row, rounds] = [1, 1, 0].map(|n| host.number(n));
        let guard = host.scalar(OpKind::OneLaunch, vec![work_items, row, rounds], DType::Bool);
        Some(GuardedWavefronts { before: std::mem::take(&mut host.ops), guard, then })
    }

    /// Loops in parts as a wavefront.
    fn wavefronts_of(&mut self, op: &Op, plan: &Plan, parts: &Parts) -> Option<Launch> {
        let whole = [&plan.around, std::slice::from_ref(&parts.op)].concat();
        let mut asked = translate(&self.surroundings(self.checks()), &Program::of(&whole)).ok()?;
        let around =
            parts.around.iter().map(|index| asked.loops.get(index).copied()).collect::<Option<Vec<LoopId>>>()?;
        let (schedule, equal) = match with_equal_ranges(parts, &asked, &around) {
            Some((nest, schedule, equal)) => {
                asked.nest = nest;
                (schedule, equal)
            }
            None => (wavefront(&asked.nest, &around)?, Vec::new()),
        };
        if around.len() > 1 && !schedule.iter().all(|(part, time)| !time.spread || goes_through(&asked.nest, *part)) {
            return None;
        }
        // One work item a time is one thread's work.
        let wavefronts =
            wavefronts(parts, &asked, &schedule).filter(|found| found.wavefronts.iter().any(|group| group.is_wide))?;
        let mut host = HostProgram::new(self.function, op.span);
        let mut condition = None;
        for difference in &equal {
            let (difference, zero) = (host.value(difference, &asked.symbols)?, host.number(0));
            let is_zero = host.scalar(OpKind::Scalar(ScalarOp::Eq), vec![difference, zero], DType::Bool);
            condition = Some(both(&mut host, condition, is_zero));
        }
        let first = extreme(&mut host, &wavefronts.first, &asked.symbols, ScalarOp::Min)?;
        let last = extreme(&mut host, &wavefronts.last, &asked.symbols, ScalarOp::Max)?;
        let one = host.number(1);
        let end = host.scalar(OpKind::Scalar(ScalarOp::Add), vec![last, one], DType::I64);
        let width = width(&mut host, &wavefronts.widths, &asked.symbols)?;
        let before = std::mem::take(&mut host.ops);
        let values = values_of(&wavefronts, &asked.symbols)?;
        let alone = alone_in(parts, &wavefronts);
        let wavefront = WavefrontProgram { wavefronts, times: [first, end], values };
        let program = translate(
            &self.surroundings(self.checks()),
            &Program { wavefront: Some(&wavefront), ..Program::of(&whole) },
        )
        .ok()?;
        let may_run = program.code.n_written() > 0 && program.code.is_cooperative() && self.is_apart(&program);
        if !may_run || self.shares_expanded(&program) {
            return None;
        }
        let ops = cooperative_nest(self.function, program, (width, width), op.span);
        let first = parts.around.first();
        let is_inside = |op: &Op| op.regions[0].parameters.first() != first;
        self.note_cooperative(Threads::Wavefronts, &parts.op, &is_inside, &is_inside);
        self.note_wavefronts(op, plan, parts, &alone);
        Some(Launch { before, condition, width, ops })
    }

    /// Notes which loops go in wavefronts, and that each work item runs those in them; those that are `alone` at their time are one thread's work where they
    /// store in order.
    fn note_wavefronts(&mut self, op: &Op, plan: &Plan, parts: &Parts, alone: &[Span]) {
        let mut spans = Vec::new();
        let mut level = Some(op);
        for next in parts.around.iter().skip(1).map(Some).chain([None]) {
            let Some(around) = level else { break };
            self.decide(around, LoopStrategy::Wavefront, plan);
            spans.push(around.span);
            let is_next = |inner: &&Op| inner.kind == OpKind::For && inner.regions[0].parameters.first() == next;
            level = around.regions[0].ops.iter().find(is_next);
            if next.is_none() {
                let inner: Vec<&Op> = around.regions[0].ops.iter().filter(|inner| inner.kind == OpKind::For).collect();
                for inner in &inner {
                    let is_crawl = is_left_alone(inner, plan, alone) && is_long(inner, &self.known.constants);
                    self.decide(inner, if is_crawl { LoopStrategy::OneThread } else { LoopStrategy::Wavefront }, plan);
                }
                spans.extend(inner.iter().map(|inner| inner.span));
            }
        }
        self.decide_inner(op, &spans, LoopStrategy::InWorkItem, plan);
    }
}

/// Loops of which one work item runs all iterations, and no other work item is there at its time. Pieces of a loop have its span.
fn alone_in(parts: &Parts, wavefronts: &Wavefronts) -> Vec<Span> {
    let ops = &parts.body().ops;
    let spans_of = |is_wide: bool| {
        let wavefronts = wavefronts.wavefronts.iter().filter(move |group| group.is_wide == is_wide);
        wavefronts.flat_map(|group| &group.parts).filter_map(|position| ops.get(*position)).map(|part| part.span)
    };
    let wide: Vec<Span> = spans_of(true).collect();
    spans_of(false).filter(|span| !wide.contains(span)).collect()
}

/// Whether one thread runs all of a loop, whose iterations store elements and depend on each other in another way than by a sum.
fn is_left_alone(op: &Op, plan: &Plan, alone: &[Span]) -> bool {
    if op.kind != OpKind::For || !alone.contains(&op.span) {
        return false;
    }
    let id = op.regions[0].parameters.first().and_then(|index| plan.whole.loops.get(index));
    let is_sum = id.is_some_and(|id| matches!(plan.classes.get(id), Some(Class::Reduction { .. })));
    !is_sum && has_stores(op)
}

/// A launch of wavefronts: what is computed before, where it is right, for how many threads there is work, and the ops.
struct Launch {
    before: Vec<Op>,
    condition: Option<ValueId>,
    width: ValueId,
    ops: Vec<Op>,
}

/// Whether each iteration of a part's loop writes elements of its own. Iterations that combine what they find with one element are better off in one work item,
/// whose sum threads may share.
fn goes_through(nest: &Nest, part: Part) -> bool {
    let Part::Loop(id) = part else { return true };
    let is_of = |subscript: &Subscript| match subscript {
        Subscript::Index(at) => at.terms().iter().any(|(variable, _)| *variable == Variable::Index(id)),
        _ => false,
    };
    let within = nest.access_ids().filter(|access| nest.is_within(*access, id)).map(|access| nest.access(access));
    within.filter(|access| access.kind == AccessKind::Write).all(|access| access.subscripts.iter().any(is_of))
}

/// Of several loops around parts: times at which parts share threads if their ranges are equal, the nest in which they are, and what has to be 0 for that.
/// Nothing, where they are equal anyway or no parts share threads.
fn with_equal_ranges(parts: &Parts, asked: &Translation, around: &[LoopId]) -> Option<(Nest, Wavefront, Vec<Affine>)> {
    let (mut nest, mut equal, mut changed) = (asked.nest.clone(), Vec::new(), Vec::new());
    let indices =
        parts.body().ops.iter().filter(|part| part.kind == OpKind::For).map(|part| part.regions[0].parameters[0]);
    let ids: Vec<LoopId> = indices.filter_map(|index| asked.loops.get(&index).copied()).collect();
    let (first, others) = ids.split_first().filter(|_| around.len() > 1)?;
    for other in others {
        let differences = differences_of_ranges(&nest, *first, *other)?;
        if !differences.is_empty() {
            nest.make_alike(*other, *first);
            changed.push(*other);
            equal.extend(differences);
        }
    }
    let schedule = wavefront(&nest, around).filter(|_| !changed.is_empty())?;
    let time = |id: &LoopId| schedule.get(&Part::Loop(*id)).copied();
    let shared = changed.iter().all(|id| {
        ids.iter().any(|other| other != id && time(id).is_some_and(|own| own.spread && time(other) == Some(own)))
    });
    shared.then_some((nest, schedule, equal))
}

/// What has to be 0 for two rising loops to have one range, if that is the same in all iterations of those around.
fn differences_of_ranges(nest: &Nest, a: LoopId, b: LoopId) -> Option<Vec<Affine>> {
    let [a, b] = [a, b].map(|id| nest.loop_of(id));
    if a.parent != b.parent || a.step != Step::Known(1) || b.step != a.step || a.upper.len() != b.upper.len() {
        return None;
    }
    let mut differences = vec![a.lower.minus(&b.lower)?];
    for (a, b) in a.upper.iter().zip(&b.upper) {
        differences.push(a.minus(b)?);
    }
    let is_fixed = |variable: &Variable| match variable {
        Variable::Symbol(symbol) => nest.varies_in(*symbol).is_none(),
        Variable::Index(_) => false,
    };
    differences.retain(|difference| difference.as_constant() != Some(0));
    let are_possible = differences.iter().all(|difference| {
        difference.as_constant().is_none() && difference.terms().iter().all(|(variable, _)| is_fixed(variable))
    });
    are_possible.then_some(differences)
}

/// Whether two conditions hold; `None` always does.
fn both(host: &mut HostProgram, a: Option<ValueId>, b: ValueId) -> ValueId {
    a.map_or(b, |a| host.scalar(OpKind::Scalar(ScalarOp::BitAnd), vec![a, b], DType::Bool))
}

/// Whether the iterations of a loop depend on each other, and those of a loop in it.
fn is_waiting(op: &Op, plan: &Plan) -> bool {
    let waits = |op: &Op| op.kind == OpKind::For && is_free(op, plan).is_some() && !is_parallel(op, plan);
    waits(op) && op.regions[0].ops.iter().any(waits)
}

/// The largest of products, each at least 0, and 1.
fn width(host: &mut HostProgram, widths: &[Vec<Extent>], values: &HashMap<Variable, ValueId>) -> Option<ValueId> {
    let one = host.number(1);
    let mut largest = one;
    for width in widths {
        let mut product = None;
        for extent in width {
            let mut least = None;
            for (distance, by) in extent {
                let mut distance = host.value(distance, values)?;
                if *by != 1 {
                    let by = host.number(*by);
                    distance = host.scalar(OpKind::Scalar(ScalarOp::FloorDiv), vec![distance, by], DType::I64);
                }
                let own = host.scalar(OpKind::Scalar(ScalarOp::Add), vec![distance, one], DType::I64);
                least = Some(either(host, ScalarOp::Min, least, own));
            }
            let zero = host.number(0);
            let extent = host.scalar(OpKind::Scalar(ScalarOp::Max), vec![least?, zero], DType::I64);
            product = Some(product.map_or(extent, |other| host.product(other, extent)));
        }
        largest = host.scalar(OpKind::Scalar(ScalarOp::Max), vec![product?, largest], DType::I64);
    }
    Some(largest)
}

fn either(host: &mut HostProgram, op: ScalarOp, so_far: Option<ValueId>, value: ValueId) -> ValueId {
    so_far.map_or(value, |other| host.scalar(OpKind::Scalar(op), vec![other, value], DType::I64))
}

/// The least or the largest of some functions.
fn extreme(
    host: &mut HostProgram,
    functions: &[Affine],
    values: &HashMap<Variable, ValueId>,
    op: ScalarOp,
) -> Option<ValueId> {
    let mut found = None;
    for function in functions {
        let value = host.value(function, values)?;
        found = Some(either(host, op, found, value));
    }
    found
}

/// The host's values of all that work items of wavefronts depend on.
fn values_of(wavefronts: &Wavefronts, symbols: &HashMap<Variable, ValueId>) -> Option<BTreeMap<Variable, ValueId>> {
    let mut values = BTreeMap::new();
    for group in &wavefronts.wavefronts {
        let further = group.further.iter().flat_map(|further| {
            further.lower.iter().chain(&further.upper).chain(further.extent.iter().map(|(distance, _)| distance))
        });
        let functions = group.bounds.iter().chain(further).chain(&group.around).chain(&group.inner);
        for (variable, _) in functions.flat_map(Affine::terms) {
            if *variable != wavefronts.time && !wavefronts.counts.contains(variable) {
                values.insert(*variable, *symbols.get(variable)?);
            }
        }
    }
    Some(values)
}
