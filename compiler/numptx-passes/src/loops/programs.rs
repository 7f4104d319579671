//! Loops of a function in work as programs: with all that is known of the function, and apart from other memory.
//!
//! In: ops. Out: their translation; whether what it writes is apart from what else it touches; the guard of assumptions.

use crate::loops::assumptions::kinds::Kind;
use std::collections::{HashMap, HashSet};

use numptx_ir::array::{Op, ValueId};
use numptx_source::Span;

use crate::analysis::points_to::written_arrays;
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::assumptions::kinds::Assumption;
use crate::loops::assumptions::simplify::{Conjunction, Given};
use crate::loops::dependence::{Nest, Variable};
use crate::loops::emit::hoist::hoist;
use crate::loops::facts::ValueFacts;
use crate::loops::function::FormNests;
use crate::loops::nest::program::{Axis, Checks, Program, Surroundings, Translation};
use crate::loops::nest::translate::translate;
use crate::loops::schedule::plan::Plan;

/// The guard of a version.
pub(crate) struct Guard {
    /// What is computed before it, and it itself.
    pub before: Vec<Op>,
    /// How many of these ops are not its own.
    n_before: usize,
    /// What it asks.
    assumptions: Vec<Assumption>,
    /// Whether all of that holds.
    pub holds: ValueId,
}

impl FormNests<'_> {
    /// Whether assumptions hold, which ops compute that go before a loop; `None` if that cannot be told there.
    pub(crate) fn guard(
        &mut self,
        span: Span,
        whole: &Translation,
        assumptions: &[Assumption],
        ops: &mut Vec<Op>,
    ) -> Option<ValueId> {
        self.guard_over(span, (&whole.nest, &whole.symbols), assumptions, ops)
    }

    /// Whether conditions hold that ops compute.
    pub(crate) fn guard_of(&mut self, span: Span, conditions: &[Assumption], ops: &mut Vec<Op>) -> Option<ValueId> {
        self.guard_over(span, (&Nest::new(), &HashMap::new()), conditions, ops)
    }

    fn guard_over(
        &mut self,
        span: Span,
        (nest, symbols): (&Nest, &HashMap<Variable, ValueId>),
        assumptions: &[Assumption],
        ops: &mut Vec<Op>,
    ) -> Option<ValueId> {
        self.known.learn_ints(self.function, ops);
        let ValueFacts { constants, sums, ranges, truths, .. } = &*self.known;
        let given = Given { nest, symbols, constants, sums, ranges, truths };
        let conjunction = Conjunction::of(assumptions, &given)?;
        let mut host = HostProgram::new(self.function, span);
        let guard = host.guard(&conjunction, &given)?;
        ops.append(&mut host.ops);
        self.note_assumptions(span, &conjunction, symbols);
        Some(guard)
    }

    /// The guard of assumptions, after the ops that compute what it is of; `None` if it cannot be told before the loop.
    pub(crate) fn guarded(
        &mut self,
        span: Span,
        whole: &Translation,
        assumptions: Vec<Assumption>,
        mut before: Vec<Op>,
    ) -> Option<Guard> {
        let n_before = before.len();
        let holds = self.guard(span, whole, &assumptions, &mut before)?;
        Some(Guard { before, n_before, assumptions, holds })
    }

    /// A guard that asks for more, after ops that compute it.
    pub(crate) fn asking_for(
        &mut self,
        guard: Guard,
        (span, whole): (Span, &Translation),
        ops: Vec<Op>,
        more: Vec<Assumption>,
    ) -> Option<Guard> {
        let Guard { mut before, n_before, mut assumptions, .. } = guard;
        before.truncate(n_before);
        before.extend(ops);
        assumptions.extend(more);
        self.guarded(span, whole, assumptions, before)
    }

    /// Notes what the guard of a loop's version asks.
    fn note_assumptions(&mut self, span: Span, conjunction: &Conjunction, symbols: &HashMap<Variable, ValueId>) {
        let mut kinds: Vec<Kind> = conjunction.clauses.iter().map(|clause| clause.kind).collect();
        kinds.extend((!conjunction.small.is_empty()).then_some(Kind::SmallInts));
        kinds.sort_unstable();
        kinds.into_iter().for_each(|kind| self.schedule.assume(span, kind.name()));
        let captured: HashSet<&ValueId> = symbols.values().collect();
        let is_asked = |(_, ends): &(&ValueId, &[ValueId; 2])| ends.iter().any(|end| captured.contains(end));
        let mut arrays: Vec<ValueId> = self
            .draft
            .assumed
            .iter()
            .flat_map(|assumed| &assumed.ends)
            .filter(is_asked)
            .map(|(array, _)| *array)
            .collect();
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
            assumed: self.draft.assumed.as_ref(),
            sums: &self.known.sums,
            answers: &self.settings.answers,
            checks,
        }
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
    pub fn overlapping(&self, program: &Translation) -> Option<(ValueId, ValueId)> {
        let tables = program.tables.iter().enumerate();
        let mut written = tables.clone().filter(|(n, _)| program.code.stores(*n));
        written.find_map(|(n, written)| {
            let mut others = tables.clone().filter(|(other, _)| *other != n).map(|(_, other)| other);
            let other = others.find(|other| !self.facts.apart.are(*written, **other, &self.known.points_to))?;
            Some((*written, *other))
        })
    }
}
