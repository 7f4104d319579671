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

use numptx_ir::DType;
use numptx_ir::array::{Function, LoopStrategy, Module, Op, OpKind, Region, ValueId};
use numptx_ir::scalar::ScalarOp;
use numptx_source::{InternalError, Span};

pub use self::checking::MAKES_CHECKS;
use self::contents::checks_alone;
pub(crate) use self::contents::touches_elements;
use self::prepared::Prepared;
pub(crate) use self::prepared::overlaps_among;
use crate::Pass;
use crate::analysis::points_to::written_arrays;
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::assumptions::kinds::{Assumption, Kind};
use crate::loops::assumptions::simplify::{Conjunction, Given};
use crate::loops::assumptions::versions::Version;
use crate::loops::canonical::distribute::rematerialisation::Reading;
use crate::loops::canonical::distribute::worth::may_be_as_written;
use crate::loops::dependence::{Answers, classify};
use crate::loops::emit::hoist::{after_checks, hoist};
use crate::loops::facts::{Facts, ValueFacts};
use crate::loops::idioms::updates::Updates;
use crate::loops::nest::expand::Originals;
use crate::loops::nest::faults::Checks;
use crate::loops::nest::translate::{Axis, Program, Refusal, Refused, Surroundings, Translation, translate};
use crate::loops::schedule::attempt::{Attempt, Draft, Found};
use crate::loops::schedule::cost::OWN_BYTES;
use crate::loops::schedule::place::{Plan, has_nest, is_parallel, yielding};
use crate::loops::schedule::strategies::NAMES;
use crate::loops::schedule::tree::Schedule;
use crate::loops::storage::snapshots::are_in_order;
use crate::run::Run;
use crate::source::remove_dead::remove_dead_ops;

/// See the file's header.
pub const FORM_NESTS: Pass =
    Pass { name: "form-nests", sentence: "make kernels of loops over elements", required: false, run: form_nests };

/// How a loop over floats may round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// As its iterations do, one after the other.
    AsWritten,
    /// As if sums and products could be taken in any order, and numbers taken out of brackets: what is exact stays so, else inf and nan may come earlier.
    Free,
}

/// The pass with one of these roundings.
pub const fn forming_nests(rounding: Rounding) -> Pass {
    let run: Run = match rounding {
        Rounding::AsWritten => form_nests,
        Rounding::Free => |module| form(module, &Settings::new(Rounding::Free)),
    };
    Pass { run, ..FORM_NESTS }
}

/// The pass with one strategy forced, where there is one of this name: a loop that it has no kernels for is the host's.
pub fn forming_nests_by(strategy: &str) -> Option<Pass> {
    const CHOSEN: [Run; NAMES.len()] = [
        form_chosen::<0>,
        form_chosen::<1>,
        form_chosen::<2>,
        form_chosen::<3>,
        form_chosen::<4>,
        form_chosen::<5>,
        form_chosen::<6>,
        form_chosen::<7>,
        form_chosen::<8>,
        form_chosen::<9>,
        form_chosen::<10>,
    ];
    let at = NAMES.iter().position(|name| *name == strategy)?;
    Some(Pass { run: CHOSEN[at], ..FORM_NESTS })
}

fn form_chosen<const AT: usize>(module: &mut Module) -> Result<(), InternalError> {
    form(module, &Settings { chosen: Some(NAMES[AT]), ..Settings::new(Rounding::AsWritten) })
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

/// Changes the bodies of functions by what is known of them.
pub(crate) fn over_bodies(module: &mut Module, settings: &Settings, change: impl Fn(&mut FormNests, &mut Region)) {
    for function in &mut module.functions {
        let known = ValueFacts::of(function);
        let facts = Facts::of(function, &known.points_to);
        let mut body = std::mem::take(&mut function.body);
        let mut pass = FormNests::new(function, (&facts, known), settings);
        change(&mut pass, &mut body);
        let (is_changed, schedule) = (pass.is_changed, pass.schedule);
        function.body = body;
        function.remarks.extend(schedule.into_remarks());
        if is_changed {
            remove_dead_ops(function);
        }
    }
}

/// What nests are formed under.
#[derive(Clone)]
pub(crate) struct Settings {
    /// How sums that loops carry may be rounded.
    pub rounding: Rounding,
    /// Bytes that the arrays that a launch's work items have of their own take at most.
    pub most_bytes: i64,
    /// The strategy that is forced, if one is.
    pub chosen: Option<&'static str>,
    /// What the dependence analysis was asked before: versions of a function, and functions that call the same ones, have the same loops.
    pub answers: Answers,
}

impl Settings {
    pub fn new(rounding: Rounding) -> Self {
        Settings { rounding, most_bytes: OWN_BYTES, chosen: None, answers: Answers::default() }
    }
}

/// A function whose loops are taken apart.
pub(crate) struct FormNests<'f> {
    /// The function, without its body.
    pub function: &'f mut Function,
    /// What holds of it as it was.
    pub facts: &'f Facts,
    /// What is known of its values.
    pub known: ValueFacts,
    pub settings: Settings,
    pub attempt: Attempt,
    pub draft: Draft,
    pub found: Found,
    /// Conditions under which one thread runs a loop that stays on the host otherwise.
    pub narrow: HashSet<ValueId>,
    /// How the loops of what is formed now run.
    pub schedule: Schedule,
    /// Arrays that ops before made, in the region that is looked at.
    pub made: HashSet<ValueId>,
    pub is_changed: bool,
}

impl<'f> FormNests<'f> {
    fn new(function: &'f mut Function, (facts, known): (&'f Facts, ValueFacts), settings: &Settings) -> Self {
        FormNests {
            function,
            facts,
            known,
            settings: settings.clone(),
            attempt: Attempt::default(),
            draft: Draft::new(),
            found: Found::default(),
            narrow: HashSet::new(),
            schedule: Schedule::default(),
            made: HashSet::new(),
            is_changed: false,
        }
    }
}

impl FormNests<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut ops = Vec::with_capacity(region.ops.len());
        let around = std::mem::take(&mut self.made);
        // What is assumed of a loop around is not assumed of these, and what that is otherwise these are not.
        let (assumed, without_assumptions) = (self.attempt.assumed.take(), self.attempt.without_assumptions.take());
        let (otherwise, not_delinearised) = (self.attempt.fallback.take(), self.attempt.not_delinearised.take());
        for op in std::mem::take(&mut region.ops) {
            if matches!(op.kind, OpKind::Map(_) | OpKind::Reduce(_)) {
                self.made.extend(&op.results);
            }
            self.scheduled(op, &mut ops);
        }
        self.made = around;
        (self.attempt.assumed, self.attempt.without_assumptions) = (assumed, without_assumptions);
        (self.attempt.fallback, self.attempt.not_delinearised) = (otherwise, not_delinearised);
        region.ops = ops;
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
        let around = self.attempt.is_repeated;
        self.attempt.is_repeated |= is_loop;
        if may_be_as_written(op) {
            // What is said of the loop is what becomes of it where it is distributed.
            self.region(&mut op.regions[0]);
            self.tried(|pass| pass.region(&mut op.regions[1]));
            without_places(&mut op.regions[1]);
        } else {
            op.regions.iter_mut().for_each(|nested| self.region(nested));
        }
        self.attempt.is_repeated = around;
    }

    /// Whether assumptions hold, which ops compute that go before a loop; `None` if that cannot be told there.
    pub(crate) fn guard(
        &mut self,
        span: Span,
        whole: &Translation,
        assumptions: &[Assumption],
        ops: &mut Vec<Op>,
    ) -> Option<ValueId> {
        self.known.learn_ints(self.function, ops);
        let ValueFacts { constants, sums, ranges, truths, .. } = &self.known;
        let given = Given { nest: &whole.nest, symbols: &whole.symbols, constants, sums, ranges, truths };
        let conjunction = Conjunction::of(assumptions, &given)?;
        let mut host = HostProgram::new(self.function, span);
        let guard = host.guard(&conjunction, &given)?;
        ops.append(&mut host.ops);
        self.note_assumptions(span, &conjunction);
        Some(guard)
    }

    /// Notes what the guard of a loop's version asks.
    fn note_assumptions(&mut self, span: Span, conjunction: &Conjunction) {
        let mut kinds: Vec<Kind> = conjunction.clauses.iter().map(|clause| clause.kind).collect();
        kinds.extend((!conjunction.small.is_empty()).then_some(Kind::SmallInts));
        kinds.sort_unstable();
        kinds.into_iter().for_each(|kind| self.schedule.assume(span, kind.name()));
        let mut arrays: Vec<ValueId> =
            self.attempt.assumed.iter().flat_map(|assumed| assumed.ends.keys().copied()).collect();
        arrays.sort_unstable();
        for array in arrays {
            let name = self.function.values[array.0 as usize].name.as_ref();
            let extremes = name.map_or_else(|| "extremes of an array".to_owned(), |name| format!("extremes of {name}"));
            self.schedule.assume(span, extremes);
        }
    }

    pub fn hoist(&self, op: &mut Op, before: &mut Vec<Op>) {
        let mut written: HashSet<ValueId> = HashSet::new();
        for array in written_arrays(op) {
            written.extend(self.known.points_to.locations(array));
        }
        let is_written = |v: ValueId| self.known.points_to.locations(v).iter().any(|l| written.contains(l));
        hoist(op, &self.known.constants, &is_written, before);
    }

    pub fn surroundings<'s>(&'s self, checks: Checks<'s>) -> Surroundings<'s> {
        Surroundings {
            function: self.function,
            points_to: &self.known.points_to,
            apart: &self.facts.apart,
            extents: &self.known.shapes,
            temporaries: &self.draft.temporaries,
            constants: &self.known.constants,
            updates: &self.draft.updates,
            reductions: &self.draft.reductions,
            broadcasts: &self.draft.broadcasts,
            assumed: self.attempt.assumed.as_ref(),
            sums: &self.known.sums,
            answers: &self.settings.answers,
            checks,
        }
    }

    /// The loop as nests, under the condition that no check fails.
    pub fn formed(&mut self, op: &Op) -> Result<Vec<Op>, Refused> {
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
        let (whole, columns) = self.columns_of_rows(&mut fast, whole);
        ops.extend(ahead.scalars);
        then.extend(ahead.copies);
        then.extend(columns);
        let step = op.operands.get(2).and_then(|step| self.known.constant(*step));
        self.draft.at_work_items = whole.at_work_items.clone();
        // Where that is all there is, the host has parallel steps of it elsewhere.
        if self.attempt.assumed.is_some()
            && self.attempt.without_assumptions.is_none()
            && !self.draft.at_work_items.is_empty()
        {
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
        let guard = self.guard(op.span, &whole, &assumptions, &mut ops);
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
            return Ok(self.in_place_of(op, ops, Version { guard, before: then, placed, results: Vec::new() }, &plan));
        }
        let results = op.results.iter().map(|v| names.resolve(*v)).collect();
        let placed = self.placed_somehow(op, fast, &mut plan)?;
        if !has_nest(&placed) && !checks_alone(op) {
            return Err(Refusal("it works on whole arrays").into());
        }
        if self.attempt.has_parts && (self.schedule.has_slow_launches() || self.schedule.has_cooperative_kernel()) {
            return Err(Refusal("each of its statements is better a kernel of its own").into());
        }
        let (placed, guard) = self.privatised_arrays_guarded(op.span, placed, guard, &mut ops)?;
        Ok(self.in_place_of(op, ops, Version { guard, before: then, placed, results }, &plan))
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
        Ok(self.placed(fast, plan).ok_or(apart)?)
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

    /// A version of a loop, where what it requires holds and no check of a work item fails, else the loop as it is written.
    fn in_place_of(&mut self, op: &Op, before: Vec<Op>, version: Version, plan: &Plan) -> Vec<Op> {
        let mut ops = before;
        if !self.draft.at_work_items.is_empty() {
            ops.extend(self.checked(op, version, &plan.whole));
            return ops;
        }
        let Version { guard, before: mut then, placed, results } = version;
        then.extend(placed);
        then.push(yielding(results, op.span));
        ops.push(self.versions(op, guard, then));
        ops
    }

    /// The guard with the conditions that work items' own arrays need; they are computed before.
    fn privatised_arrays_guarded(
        &mut self,
        of: Span,
        mut placed: Vec<Op>,
        guard: ValueId,
        before: &mut Vec<Op>,
    ) -> Result<(Vec<Op>, ValueId), Refused> {
        let conditions = std::mem::take(&mut self.draft.own.worth);
        let Some(last) = conditions.last() else { return Ok((placed, guard)) };
        let at = placed.iter().position(|op| op.results.contains(last));
        let at = at.ok_or(Refusal("each of its statements is better a kernel of its own"))?;
        let rest = placed.split_off(at + 1);
        let (scalars, others): (Vec<Op>, Vec<Op>) = placed.into_iter().partition(|op| op.kind.is_pure_scalar_or_view());
        before.extend(scalars);
        let span = rest.first().map_or_else(Default::default, |op| op.span);
        [Kind::EnoughWork, Kind::Memory].into_iter().for_each(|kind| self.schedule.assume(of, kind.name()));
        let mut host = HostProgram::new(self.function, span);
        let guard = conditions
            .iter()
            .fold(guard, |all, v| host.scalar(OpKind::Scalar(ScalarOp::BitAnd), vec![all, *v], DType::Bool));
        before.append(&mut host.ops);
        Ok(([others, rest].concat(), guard))
    }

    /// The program of ops, if it writes something, and that is apart from all else.
    pub fn program(
        &self,
        plan: &Plan,
        ops: &[Op],
        axes: &[Axis],
        results: &[(ValueId, ValueId)],
    ) -> Option<Translation> {
        self.program_telling(plan, ops, axes, results, None)
    }

    /// The same, of one work item, which says in `payload` which check failed.
    pub fn program_telling(
        &self,
        plan: &Plan,
        ops: &[Op],
        axes: &[Axis],
        results: &[(ValueId, ValueId)],
        payload: Option<ValueId>,
    ) -> Option<Translation> {
        let ops = [&plan.around, ops].concat();
        let checks = Checks { fault: self.draft.fault, at_work_items: Some(&self.draft.at_work_items), payload };
        let program = translate(&self.surroundings(checks), &Program { axes, results, ..Program::of(&ops) }).ok()?;
        let may_run = program.code.n_written() > 0 && self.is_apart(&program);
        (may_run && (axes.is_empty() || !self.shares_expanded(&program))).then_some(program)
    }

    /// Whether work items of a program use memory of which each iteration in it would need its own.
    pub fn shares_expanded(&self, program: &Translation) -> bool {
        let around = program.tables.iter().filter_map(|table| self.draft.temporaries.get(table));
        around.flatten().any(|index| program.loops.contains_key(index))
    }

    /// Whether what a program writes shares memory with nothing else that it touches.
    pub fn is_apart(&self, program: &Translation) -> bool {
        self.overlapping(program).is_none()
    }

    /// What a program writes, and something else that it touches and that may share memory with that.
    fn overlapping(&self, program: &Translation) -> Option<(ValueId, ValueId)> {
        let tables = program.tables.iter().enumerate();
        let mut written = tables.clone().filter(|(n, _)| program.code.stores(*n));
        written.find_map(|(n, written)| {
            let mut others = tables.clone().filter(|(other, _)| *other != n).map(|(_, other)| other);
            let other = others.find(|other| !self.facts.apart.are(*written, **other, &self.known.points_to))?;
            Some((*written, *other))
        })
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
