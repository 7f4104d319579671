//! A loop around parallel ones as one launch, whose threads share each of them.
//!
//! In: a `for` or a `while` whose body computes rows, elements and sums. Out: the ops before it, the condition under which it is one launch, and the
//! ops that make it one. Where phases have many work items a launch for each of them costs little: the runtime says whether the loop is one launch
//! (`numptx-runtime/src/launch/cooperative.rs`), else it stays on the host.

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::array::{LoopStrategy, Op, OpKind, Type, ValueId};
use numptx_ir::scalar::{Code, ScalarOp, zero};

use crate::analysis::traverse::for_each_op;
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::assumptions::kinds::{Assumption, Kind};
use crate::loops::assumptions::known_extents::Known;
use crate::loops::canonical::distribute::rematerialisation::Reading;
use crate::loops::canonical::double_buffers::DoubleBuffers;
use crate::loops::dependence::{Class, Interchange, LoopId, Step, classify, interchange};
use crate::loops::emit::combined::{combining_loops, share_combined};
use crate::loops::emit::hoist::{after_checks, hoist_inside, hoist_scalars};
use crate::loops::function::FormNests;
use crate::loops::idioms::updates::Updates;
use crate::loops::nest::program::Checks;
use crate::loops::nest::program::{Program, Translation};
use crate::loops::nest::rows::expand::expand;
use crate::loops::nest::rows::originals::{Originals, Reductions, Several};
use crate::loops::nest::translate::translate;
use crate::loops::programs::Guard;
use crate::loops::schedule::cooperative::cooperative_nest;
use crate::loops::schedule::cooperative::shares::{Crossing, Shares};
use crate::loops::schedule::cooperative::widths::{is_narrow_nest, summing_loops, width, width_inside};
use crate::loops::schedule::launches::Threads;
use crate::loops::schedule::long_loops::is_long;
use crate::loops::schedule::nests::axes::box_of;
use crate::loops::schedule::plan::Plan;
use crate::loops::schedule::plan::{is_free, loops_only};
use crate::loops::storage::copy_elision::ElidedCopies;

/// A loop as one launch.
pub(crate) struct OneLaunch {
    /// Whether no check fails and the runtime wants it so.
    pub guard: Guard,
    /// The loop as a program.
    pub whole: Translation,
    /// Whether the runtime would have launches of the loops in it instead, if there are any.
    pub apart: Option<ValueId>,
    /// The launch, and its results read back.
    pub then: Vec<Op>,
    /// The values of the loop's results.
    pub results: Vec<ValueId>,
}

/// What a loop is where it is not one launch, as far as that matters.
#[derive(Clone, Copy)]
pub struct Otherwise {
    /// A kernel that runs in wavefronts.
    pub is_wavefront: bool,
    /// A nest of few work items, of which each runs loops that threads could share.
    pub is_narrow: bool,
    /// One thread's work, on a GPU too.
    pub is_one_thread: bool,
}

impl Otherwise {
    /// Whether it gives way to a launch with such shares: a wavefront or a nest of few work items only to one whose threads share all loops in it.
    fn yields_to(self, op: &Op, shares: &Shares) -> bool {
        !(self.is_wavefront || self.is_narrow) || shares.have_all(op, !self.is_narrow)
    }
}

impl FormNests<'_> {
    /// The loop as one launch, if that can be, and is worth it: instead of a wavefront or of a nest of few work items only if the threads share all loops in
    /// it, but for those that a wavefront has no more threads for.
    pub fn one_launch(&mut self, op: &Op, otherwise: Otherwise) -> Option<OneLaunch> {
        if !self.settings.may("phases") {
            return None;
        }
        let launch_with = |pass: &mut Self, expands_scalars| {
            let mut tried = pass.tried(|pass| {
                pass.with_elided_copies(|pass, rows| pass.launch_of(op, otherwise, (expands_scalars, rows)))
            });
            (std::mem::take(&mut tried.found.is_stuck), tried)
        };
        let (is_stuck, launch) = launch_with(self, false);
        if !is_stuck || launch.value.is_none() {
            return self.keep(launch);
        }
        self.draft.shared_spans.clone_from(&launch.draft.shared_spans);
        let (is_stuck, expand_scalars) = launch_with(self, true);
        self.keep(if !is_stuck && expand_scalars.value.is_some() { expand_scalars } else { launch })
    }

    fn launch_of(
        &mut self,
        op: &Op,
        otherwise: Otherwise,
        (expands_scalars, rows): (bool, &mut ElidedCopies),
    ) -> Option<OneLaunch> {
        let mut fast = op.clone();
        self.rename(std::slice::from_mut(&mut fast));
        let (mut before, mut originals) = (Vec::new(), HashMap::new());
        self.elide_copies(&mut fast, rows);
        if expands_scalars && !self.expand_scalars(&mut fast, &mut originals) {
            return None;
        }
        let rotated = self.rotated(&mut fast, &mut before)?;
        let without = rotated.without(op);
        let mut arrays = self.carried_arrays(&without, &mut fast)?;
        let scratch = self.with_scratch(&mut fast, &arrays.extents)?;
        let row = self.longest_row(&fast);
        self.draft.broadcasts = scratch.broadcasts;
        let reductions = self.expanded(&mut fast, &mut originals);
        before.extend([std::mem::take(&mut arrays.before), row.1].concat());
        hoist_scalars(&mut fast, &mut before);
        hoist_inside(&mut fast);
        self.choose_extents(&mut before);
        let has_arrays = scratch.before.iter().any(|op| matches!(op.kind, OpKind::Alloc { .. }));
        let has_copies = arrays.has_copies;
        let mut then = [std::mem::take(&mut arrays.homes), scratch.before].concat();
        let made = then.iter().flat_map(|op| op.results.clone()).collect();
        then.extend(after_checks(&mut before, made));
        self.known.learn(self.function, &before);

        let whole = self.analysed(&mut fast)?;
        let (whole, ahead) = self.copy_overwritten(&mut fast, whole, &originals, &then, true);
        before.extend(ahead.scalars);
        then.extend(ahead.copies);
        let classes = whole.nest.loop_ids().map(|id| (id, classify(&whole.nest, id))).collect();
        let values = whole.symbols.clone();
        rows.are_shared(&whole, &originals)?;
        let plan = Plan { whole, classes, values, originals, around: Vec::new(), guard: op.span, is_around_all: false };
        let mut host = HostProgram::new(self.function, op.span);
        let mut shares = Shares { reductions, ..Shares::default() };
        let combining = combining_in(&fast, &plan.whole.code);
        mark(&fast, &plan, &combining, &mut shares, &mut host);
        before.append(&mut host.ops);
        if !shares.within(&fast) || shares.has(&fast) || !otherwise.yields_to(&fast, &shares) {
            return None;
        }
        let bounds = self.bounds_of_loops(&fast, &shares);
        let step = op.operands.get(2).and_then(|step| self.known.constant(*step));
        before.extend(bounds.1);
        let mut host = HostProgram::new(self.function, op.span);
        let runs = if has_arrays || has_copies { host.runs(op, step) } else { None };
        if has_copies && runs.is_none() {
            return None;
        }
        let (width, sums) = widths(&mut host, &plan, &shares, &bounds.0)?;
        let mut enough = vec![host.is_one_launch(width, row.0, otherwise.is_one_thread)];
        if otherwise.is_narrow {
            enough.push(is_narrow_nest(&mut host, &plan, &shares, &bounds.0)?);
        }
        let apart = asks_apart(&mut host, (&plan, &shares), &bounds.0, &fast, width);
        before.append(&mut host.ops);
        let enough = enough.into_iter().map(|enough| Assumption::holds(Kind::EnoughWork, enough));
        let runs = runs.map(|runs| Assumption::holds(Kind::Memory, runs));
        let assumptions: Vec<_> = plan.whole.assumptions.iter().cloned().chain(enough).chain(runs).collect();
        let guard = self.guarded(op.span, &plan.whole, assumptions, before)?;
        let unused = self.unused_results(op, &rotated, &without, &arrays.results);
        self.decide_shares(&fast, &shares, &plan);
        let known = Known { constants: &self.known.constants, sums: &self.known.sums };
        known.name(self.function, &guard.before, &plan.whole.assumptions, &mut fast);
        self.note_cooperative(Threads::Phases, &fast, &|op| shares.has(op), &|op| shares.has(op) || !shares.within(op));
        let carried = self.launched(fast, &unused, &shares, (width, sums), &mut then)?;
        let mut results = arrays.values(carried)?;
        if !rotated.is_empty() {
            let last = results.pop()?;
            let own = self.rotated_results(op, &rotated, rotated.rotation().unwrap_or(last), &mut then);
            results = rotated.merged(results, own);
        }
        Some(OneLaunch { guard, whole: plan.whole, apart, then, results })
    }

    /// Brings what is left of rows to elements; the loops that reduce.
    fn expanded(&mut self, op: &mut Op, originals: &mut Originals) -> Reductions {
        let mut reductions = Reductions::new();
        expand(self.function, op, &HashSet::new(), originals, (&mut reductions, Several::Apart));
        self.draft.reductions.extend(&reductions);
        self.follow_views(&[], op);
        reductions
    }

    /// Of each result that the launch carries whether nobody uses it.
    fn unused_results(&self, op: &Op, rotated: &DoubleBuffers, without: &Op, results: &[Option<ValueId>]) -> Vec<bool> {
        let is_rotation_used = || rotated.rotation().is_none() && op.results.iter().any(|v| self.facts.is_used(*v));
        let carried = results.iter().enumerate().filter(|(_, array)| array.is_none());
        carried
            .map(|(n, _)| !without.results.get(n).map_or_else(is_rotation_used, |v| self.facts.is_used(*v)))
            .collect()
    }

    /// The translation of a launch, whose parallel loops read for themselves; `None` where work items would check something.
    fn analysed(&mut self, op: &mut Op) -> Option<Translation> {
        self.draft.fault = self.new_fault();
        // Steps of a launch have no elements of their own to combine in.
        self.draft.updates = Updates::default();
        let program = Program { is_as_written: true, ..Program::of(std::slice::from_ref(op)) };
        let whole = self.whole(&program).ok()?;
        let whole = self.reading_again(op, whole, &Program { is_as_written: true, ..Program::of(&[]) }, Reading::Again);
        self.found.is_stuck = self.uses_scalars_of_work_items(op, &whole);
        // What work items check themselves is not told to all threads.
        (self.is_apart(&whole) && whole.at_work_items.is_empty()).then_some(whole)
    }

    /// Notes how the loops of a launch run.
    fn decide_shares(&mut self, op: &Op, shares: &Shares, plan: &Plan) {
        self.decide(op, LoopStrategy::Phases, plan);
        let is_loop = |op: &&Op| matches!(op.kind, OpKind::For | OpKind::While);
        let mut loops: Vec<&Op> = Vec::new();
        op.regions.iter().for_each(|region| for_each_op(region, &mut |nested| loops.push(nested)));
        let mut in_work_items = HashSet::new();
        for nested in loops.iter().filter(|nested| shares.has(nested)) {
            nested
                .regions
                .iter()
                .for_each(|region| for_each_op(region, &mut |inner| _ = in_work_items.insert(inner.span)));
        }
        for nested in loops.into_iter().filter(is_loop) {
            let Some(index) = nested.regions[0].parameters.first() else { continue };
            let way = if shares.parallel.contains(index) {
                LoopStrategy::Parallel
            } else if shares.reductions.contains_key(index) || shares.combined.contains(index) {
                LoopStrategy::Reduction
            } else if shares.crossings.contains_key(index) {
                LoopStrategy::Interchanged
            } else if shares.within(nested) {
                LoopStrategy::Phases
            } else if !in_work_items.contains(&nested.span) && is_long(nested, &self.known.constants) {
                LoopStrategy::OneThread
            } else {
                LoopStrategy::InWorkItem
            };
            if nested.span != op.span {
                self.decide(nested, way, plan);
            }
        }
    }

    /// Emits the launch; the values of the loop's results, of which those that nobody uses are 0.
    fn launched(
        &mut self,
        op: Op,
        unused: &[bool],
        shares: &Shares,
        (width, sums): (ValueId, ValueId),
        ops: &mut Vec<Op>,
    ) -> Option<Vec<ValueId>> {
        let span = op.span;
        let mut homes = Vec::with_capacity(op.results.len());
        for (result, is_unused) in op.results.iter().zip(unused) {
            // The program's own result has another name than the array that it goes to.
            let data = self.function.ty(*result);
            let named = self.function.add_value(data);
            self.known.points_to.add_fresh(named);
            if *is_unused && matches!(data, Type::Scalar(_)) {
                let zero = OpKind::Constant(zero(data.dtype()));
                let results = vec![named];
                ops.push(Op { kind: zero, operands: Vec::new(), results, regions: Vec::new(), span });
                homes.push((*result, named, None));
                continue;
            }
            let home = self.home(named, span, ops);
            self.known.points_to.add_fresh(home);
            homes.push((*result, named, Some(home)));
        }
        let stored = homes.iter().filter_map(|(result, _, home)| home.map(|home| (*result, home))).collect::<Vec<_>>();
        let ops_of = std::slice::from_ref(&op);
        let none = HashSet::new();
        let checks = Checks { fault: self.draft.fault, at_work_items: Some(&none), payload: None };
        let program = Program { results: &stored, shares: Some(shares), is_as_written: true, ..Program::of(ops_of) };
        let mut program = translate(&self.surroundings(checks), &program).ok()?;
        share_combined(&mut program.code);
        if program.code.n_written() == 0 || !self.is_apart(&program) {
            return None;
        }
        ops.extend(cooperative_nest(self.function, program, (width, sums), span));
        let mut results = Vec::with_capacity(homes.len());
        for (_, named, home) in homes {
            if let Some(home) = home.filter(|home| named != *home) {
                let (operands, results) = (vec![home], vec![named]);
                ops.push(Op { kind: OpKind::Item, operands, results, regions: Vec::new(), span });
            }
            results.push(named);
        }
        Some(results)
    }
}

/// The loops in a loop that only combine a value which they carry, by their indices.
fn combining_in(op: &Op, code: &Code) -> HashSet<ValueId> {
    let mut indices = vec![op.regions[0].parameters.first().copied()];
    op.regions.iter().for_each(|region| {
        for_each_op(region, &mut |op| {
            indices.extend((op.kind == OpKind::For).then(|| op.regions[0].parameters.first().copied()))
        });
    });
    if op.kind != OpKind::For {
        indices.remove(0);
    }
    // Each loop is one of the program, in the order of the text.
    let combining = combining_loops(code);
    if combining.len() != indices.len() {
        return HashSet::new();
    }
    indices.into_iter().zip(combining).filter(|(_, combines)| *combines).filter_map(|(index, _)| index).collect()
}

/// Finds which of the loops in a loop are shared. `combining`: those that combine, as far as they are not in work items of others.
fn mark(op: &Op, plan: &Plan, combining: &HashSet<ValueId>, shares: &mut Shares, host: &mut HostProgram) {
    let none = HashSet::new();
    for nested in op.regions.iter().flat_map(|region| &region.ops) {
        if nested.kind == OpKind::For {
            let index = nested.regions[0].parameters[0];
            let id = plan.whole.loops.get(&index);
            let is_parallel = id.is_some_and(|id| matches!(plan.classes.get(id), Some(Class::Parallel)));
            let is_known = id.is_some_and(|id| matches!(plan.whole.nest.loop_of(*id).step, Step::Known(_)));
            if is_parallel && is_known && nested.results.is_empty() {
                shares.parallel.insert(index);
                mark(nested, plan, &none, shares, host);
                continue;
            } else if combining.contains(&index) && !shares.reductions.contains_key(&index) {
                shares.combined.insert(index);
                continue;
            } else if let Some(crossing) = crossing(nested, plan, host) {
                shares.crossings.insert(index, crossing);
                continue;
            }
        }
        mark(nested, plan, combining, shares, host);
    }
}

/// The phase over the iterations of the loops in a loop, which runs in each of its work items, where that changes nothing.
fn crossing(op: &Op, plan: &Plan, host: &mut HostProgram) -> Option<Crossing> {
    let outer = *plan.whole.loops.get(&op.regions[0].parameters[0])?;
    let inner = loops_only(plan, &op.regions[0])?;
    let ids = inner.iter().map(|inner| is_free(inner, plan)).collect::<Option<Vec<LoopId>>>()?;
    if !op.results.is_empty() || interchange(&plan.whole.nest, outer, &ids) != Interchange::Aligned(Vec::new()) {
        return None;
    }
    let (origin, extent, _) = box_of(host, plan, &ids, &[outer])?;
    Some(Crossing { origin, extent, inner: inner.iter().map(|op| op.regions[0].parameters[0]).collect() })
}

/// How many work items the largest phase has, and the largest that sums up.
fn widths(
    host: &mut HostProgram,
    plan: &Plan,
    shares: &Shares,
    bounds: &HashMap<ValueId, ValueId>,
) -> Option<(ValueId, ValueId)> {
    let summing = summing_loops(plan, shares);
    let sums = width(host, plan, shares, bounds, Some(&summing))?;
    Some((width(host, plan, shares, bounds, None)?, sums))
}

/// Whether the runtime wants launches of the loops in a loop whose largest phase has `width` work items, if there are any.
fn asks_apart(
    host: &mut HostProgram,
    (plan, shares): (&Plan, &Shares),
    bounds: &HashMap<ValueId, ValueId>,
    op: &Op,
    width: ValueId,
) -> Option<ValueId> {
    let own = op.regions[0].parameters.first()?;
    let (inside, iterations) = width_inside(host, plan, shares, bounds, *own)?;
    let rounds = host.scalar(OpKind::Scalar(ScalarOp::Neg), vec![iterations], DType::I64);
    Some(host.scalar(OpKind::OneLaunch, vec![width, inside, rounds], DType::Bool))
}

impl HostProgram<'_> {
    /// Whether the runtime wants one launch; a device wants it whatever the sizes are where one thread is the alternative.
    fn is_one_launch(&mut self, width: ValueId, row: ValueId, is_one_thread: bool) -> ValueId {
        let rounds = self.number(if is_one_thread { 0 } else { 1 });
        self.scalar(OpKind::OneLaunch, vec![width, row, rounds], DType::Bool)
    }
}
