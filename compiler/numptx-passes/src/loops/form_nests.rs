//! **Does**: makes nests of `for` loops over elements: of parallel loops, a nest whose work items are their iterations; of others, a nest of one work item
//! that runs them as they are. A loop that is not parallel and has parallel ones in it stays a loop on the host, around theirs. Of a
//! loop whose iterations meet only in elements that they update, a nest whose work items are chunks of iterations, with elements of their own.
//! A loop that only carries values for which the order of iterations does not matter is a `reduce`; one that stores what such a value is
//! in each iteration is a `store_scan`, and so is one that multiplies such a value and adds to it. Values that are rounded stay a loop there, but where
//! the pass is given free rounding.
//! **Requires**: phase Placed.
//! **Ensures**: a loop whose body only reads and writes elements is a nest wherever the checks hold that can be made before it. Where they do not,
//! the loop runs as it did, and raises where it did. Where a check fails that work items make, a nest of one work item that is all there is has done what
//! the loop did until then, and the host raises; else what was written is restored, and the loop runs as it did.
//! **Keeps**: values, exceptions, and what was written before them. Iterations of a parallel loop touch no element that another writes.
//! **Example**: `for %0, %n, %1 (%i) { check %i < %m; %v = index %x, %i; store<0> %v, … }` becomes
//! `if %n ≤ %m { nest<1> %n, %x { $0 = index 0; …; store $1 to 0 at $0 } } else { for … }`.

mod checking;
mod choice;
pub(crate) mod contents;
mod flattening;
mod names;
mod prepared;
mod rows_of_products;

use std::collections::HashSet;

use numptx_ir::array::{LoopStrategy, Module, Op, OpKind, Region};
use numptx_source::{InternalError, Span};

use self::contents::checks_alone;
use self::prepared::Prepared;
use crate::Pass;
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::assumptions::kinds::{Assumption, Kind};
use crate::loops::assumptions::versions::{Nests, Version};
use crate::loops::canonical::distribute::rematerialisation::Reading;
use crate::loops::canonical::distribute::worth::may_be_as_written;
use crate::loops::dependence::classify;
use crate::loops::emit::hoist::after_checks;
use crate::loops::function::{FormNests, Rounding, Settings, over_bodies};
use crate::loops::idioms::updates::Updates;
use crate::loops::nest::program::{Program, Refusal, Refused, Translation};
use crate::loops::nest::rows::originals::Originals;
use crate::loops::programs::Guard;
use crate::loops::schedule::attempt::{Attempt, Draft};
use crate::loops::schedule::choose::Formed;
use crate::loops::schedule::plan::{Plan, has_nest, is_parallel};
use crate::loops::schedule::strategies::names;
use crate::loops::storage::snapshots::are_in_order;
use crate::rewrite::emit::yielding;
use crate::run::Run;

pub use self::checking::MAKES_CHECKS;
pub(crate) use self::contents::touches_elements;
pub(crate) use self::prepared::overlaps_among;

macro_rules! chosen {
    ($($at:literal),*) => { [$(form_chosen::<$at>),*] };
}

/// See the file's header.
pub const FORM_NESTS: Pass = Pass::optional("form-nests", "make kernels of loops over elements", form_nests);

/// The pass with one of these roundings.
pub const fn forming_nests(rounding: Rounding) -> Pass {
    let run: Run = match rounding {
        Rounding::AsWritten => form_nests,
        Rounding::Free => |module| form(module, &Settings::new(Rounding::Free)),
    };
    Pass { run, ..FORM_NESTS }
}

/// One pass a name, as a pass knows nothing but the module.
const CHOSEN: &[Run] = &chosen![0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// The pass with one strategy forced, where there is one of this name: a loop that it has no kernels for is the host's.
pub fn forming_nests_by(strategy: &str) -> Option<Pass> {
    let at = names().iter().position(|name| *name == strategy)?;
    Some(Pass { run: *CHOSEN.get(at)?, ..FORM_NESTS })
}

fn form_chosen<const AT: usize>(module: &mut Module) -> Result<(), InternalError> {
    form(module, &Settings { chosen: names().get(AT).copied(), ..Settings::new(Rounding::AsWritten) })
}

/// The pass with so little memory for arrays of work items that small programs have chunks of work items.
pub const fn forming_nests_within<const BYTES: i64>() -> Pass {
    let run: Run = |module| form(module, &Settings { most_bytes: BYTES, ..Settings::new(Rounding::AsWritten) });
    Pass { run, ..FORM_NESTS }
}

fn form_nests(module: &mut Module) -> Result<(), InternalError> {
    form(module, &Settings::new(Rounding::AsWritten))
}

fn form(module: &mut Module, settings: &Settings) -> Result<(), InternalError> {
    over_bodies(module, settings, |pass, body| pass.region(body));
    Ok(())
}

impl FormNests<'_> {
    fn region(&mut self, region: &mut Region) {
        // These have forms of their own, whatever form a loop around them is tried in.
        let attempt = Attempt { is_repeated: self.attempt.is_repeated, ..Attempt::default() };
        let inside = self.tried_with(attempt, |pass| {
            (pass.draft, pass.made) = (Draft::new(), HashSet::new());
            let mut ops = Vec::with_capacity(region.ops.len());
            for op in std::mem::take(&mut region.ops) {
                if matches!(op.kind, OpKind::Map(_) | OpKind::Reduce(_)) {
                    pass.made.extend(&op.results);
                }
                pass.scheduled(op, &mut ops);
            }
            region.ops = ops;
        });
        self.keep_inside(inside);
    }

    /// What is in an op that stays on the host, as its schedule has it.
    pub fn regions_on_host(&mut self, op: &mut Op) {
        if matches!(op.kind, OpKind::For | OpKind::While) {
            let iterations = self.iterations_expected(op);
            self.in_host_loop(iterations, |pass| pass.regions_of(op));
        } else {
            self.note_elements(op);
            self.regions_of(op);
        }
    }

    /// What is in an op that stays on the host.
    pub fn regions_of(&mut self, op: &mut Op) {
        let is_loop = matches!(op.kind, OpKind::For | OpKind::While);
        let attempt = Attempt { is_repeated: self.attempt.is_repeated || is_loop, ..self.attempt };
        let inside = self.tried_with(attempt, |pass| {
            if may_be_as_written(op) {
                // What is said of the loop is what becomes of it where it is distributed.
                pass.region(&mut op.regions[0]);
                let as_written = pass.tried(|pass| pass.region(&mut op.regions[1]));
                pass.is_changed |= as_written.is_changed;
                without_places(&mut op.regions[1]);
            } else {
                op.regions.iter_mut().for_each(|nested| pass.region(nested));
            }
        });
        self.keep_inside(inside);
    }

    /// The loop as nests, under the condition that no check fails.
    pub fn formed(&mut self, op: &Op) -> Formed {
        if op.results.iter().any(|v| self.function.array(*v).is_some_and(|array| array.rank > 0)) {
            return Err(Refusal("it carries arrays from iteration to iteration").into());
        }
        let mut fast = op.clone();
        let names = self.rename(std::slice::from_mut(&mut fast));
        let unused = op.results.iter().filter(|v| !self.facts.is_used(**v));
        self.draft.unused = unused.map(|v| names.resolve(*v)).collect();
        let mut originals = Originals::new();
        let Prepared { before: mut ops, is_worth_it, rows } = self.prepared(&mut fast, &mut originals);
        self.choose_extents(&mut ops);
        let mut then = after_checks(&mut ops, HashSet::new());
        self.known.learn(self.function, &ops);
        self.draft.updates = Updates::find(self.function, &self.known.points_to, &mut fast);
        self.draft.fault = self.new_fault();
        let whole = self.whole(&Program::of(std::slice::from_ref(&fast)))?;
        let whole = self.reading_again(&mut fast, whole, &Program::of(&[]), Reading::Once);
        self.is_ordered(&whole, &originals)?;
        let (whole, ahead) = self.copy_overwritten(&mut fast, whole, &originals, &then, false);
        let has_copies = !ahead.copies.is_empty();
        let (whole, columns) = self.expand_scalars_of_rows(&mut fast, whole);
        ops.extend(ahead.scalars);
        then.extend(ahead.copies);
        then.extend(columns);
        let step = op.operands.get(2).and_then(|step| self.known.constant(*step));
        self.draft.at_work_items = whole.at_work_items.clone();
        // The host has parallel phases of it where there is no other form.
        if self.attempt.refuses_checks && !self.draft.at_work_items.is_empty() {
            return Err(Refusal("a check that depends on data").into());
        }
        let mut assumptions = whole.assumptions.clone();
        assumptions.extend(is_worth_it.map(|is_worth_it| Assumption::holds(Kind::EnoughWork, is_worth_it)));
        // Nobody is to miss memory for iterations that there are not.
        if then.iter().any(|op| matches!(op.kind, OpKind::Alloc { .. })) {
            let mut host = HostProgram::new(self.function, op.span);
            assumptions.extend(host.runs(op, step).map(|runs| Assumption::holds(Kind::Memory, runs)));
            ops.append(&mut host.ops);
        }
        let guard = self.guarded(op.span, &whole, assumptions, ops);
        let guard = guard.ok_or(Refusal("whether its indices are in range cannot be told before it"))?;
        let classes = whole.nest.loop_ids().map(|id| (id, classify(&whole.nest, id))).collect();
        let values = whole.symbols.clone();
        let mut plan =
            Plan { whole, classes, values, originals, around: Vec::new(), guard: op.span, is_around_all: false };
        self.trust(&fast, &mut plan);
        if self.attempt.at_once {
            let is_free = !has_copies && is_parallel(&fast, &plan);
            let batched = rows.filter(|_| is_free).and_then(|rows| self.batched(&rows, &plan));
            let placed = batched.ok_or(Refusal("its iterations are not reductions alone"))?;
            let nests = Nests { guard, before: then, placed, results: Vec::new() };
            return Ok(self.version_of(op, nests, &plan).into());
        }
        let results = op.results.iter().map(|v| names.resolve(*v)).collect();
        let placed = self.placed_somehow(op, fast, &mut plan)?;
        if !has_nest(&placed) && !checks_alone(op) {
            return Err(Refusal("it works on whole arrays").into());
        }
        if self.attempt.has_parts && (self.schedule.has_slow_launches() || self.schedule.has_cooperative_kernel()) {
            return Err(Refusal("each of its statements is better a kernel of its own").into());
        }
        let (placed, guard) = self.asking_for_privatised_arrays(placed, guard, &plan)?;
        Ok(self.version_of(op, Nests { guard, before: then, placed, results }, &plan).into())
    }

    /// A loop as nests, in the best way there is; nothing, if it only made checks before.
    fn placed_somehow(&mut self, op: &Op, fast: Op, plan: &mut Plan) -> Result<Vec<Op>, Refused> {
        let apart = Refusal("its loops and what stands between them do not go apart");
        if checks_alone(op) {
            if !self.draft.at_work_items.is_empty() {
                return Err(apart.into());
            }
            self.decide(op, LoopStrategy::Parallel, plan);
            return Ok(Vec::new());
        }
        if let Some(placed) = self.spread(&fast, plan) {
            return Ok(placed);
        }
        if !self.may_be_serial(&fast, plan) {
            return Err(apart.into());
        }
        if let Some(raising) = self.raising(&fast, plan) {
            let placed = self.where_narrow(op, &fast, plan, raising);
            self.draft.at_work_items.clear();
            return Ok(placed);
        }
        let results = fast.results.clone();
        Ok(self.sequential(plan, vec![fast], &results).ok_or(apart)?)
    }

    /// Whether a loop's program may take the place of the loop: what it writes is nothing else's memory, and rows are read before they are written.
    fn is_ordered(&self, whole: &Translation, originals: &Originals) -> Result<(), Refused> {
        if let Some((a, b)) = self.overlapping(whole) {
            let is_one = self.facts.apart.are_of_one(a, b);
            return Err(if is_one { Refusal::VIEWS_MAY_OVERLAP } else { Refusal::MAY_OVERLAP }.into());
        }
        let mut snapshots = originals.iter().filter(|(_, whole)| whole.len() > 1);
        if !snapshots.all(|(outermost, _)| are_in_order(whole, *outermost)) {
            return Err(Refusal::ROWS_IN_DISORDER.into());
        }
        Ok(())
    }

    /// A version of a loop, where what it requires holds and no check of a work item fails.
    fn version_of(&mut self, op: &Op, nests: Nests, plan: &Plan) -> Version {
        if !self.draft.at_work_items.is_empty() {
            return self.checked(op, nests, &plan.whole);
        }
        let Nests { guard, before: mut then, placed, results } = nests;
        then.extend(placed);
        then.push(yielding(results, op.span));
        Version { before: guard.before, guard: guard.holds, then }
    }

    /// A guard that asks for the conditions of privatised arrays, too; they are computed before.
    fn asking_for_privatised_arrays(
        &mut self,
        mut placed: Vec<Op>,
        guard: Guard,
        plan: &Plan,
    ) -> Result<(Vec<Op>, Guard), Refused> {
        let conditions = std::mem::take(&mut self.draft.own.worth);
        let Some((_, last)) = conditions.last() else { return Ok((placed, guard)) };
        let apart = Refusal("each of its statements is better a kernel of its own");
        let at = placed.iter().position(|op| op.results.contains(last)).ok_or(apart)?;
        let rest = placed.split_off(at + 1);
        let (scalars, others): (Vec<Op>, Vec<Op>) = placed.into_iter().partition(|op| op.kind.is_pure_scalar_or_view());
        let more = conditions.into_iter().map(|(kind, holds)| Assumption::holds(kind, holds)).collect();
        let guard = self.asking_for(guard, (plan.guard, &plan.whole), scalars, more).ok_or(apart)?;
        Ok(([others, rest].concat(), guard))
    }
}

/// Takes from branches where they stand: reports take them for what remarks require.
fn without_places(region: &mut Region) {
    for op in &mut region.ops {
        if matches!(op.kind, OpKind::If) {
            op.span = Span::default();
        }
        op.regions.iter_mut().for_each(without_places);
    }
}
