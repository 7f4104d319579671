//! What a call of one version does: launches, allocations, copies, waits, and how often.
//!
//! In: a function after all passes, with its remarks. Out: a [`Version`]. Counts are exact where no loop and no branch makes them depend on
//! arguments; else they are bounds and a formula.

use std::collections::{BTreeMap, BTreeSet};

use numptx_ir::array::{Aliasing, Function, Module, Op, OpKind, Region, RemarkKind, ValueId};
use numptx_ir::kernel::{Access, Kernel};
use numptx_ir::object::Part;
use numptx_passes::chunk_of;
use numptx_source::{Source, Span};

use super::choices::{Choice, choice_of};
use super::draws::{draw, is_draw};
use super::formula::Formulas;
use super::linear::{Linear, product, shown};
use super::model::{Action, Amount, Fusion, Place, Snapshot, Step, Version};

/// A place of the source.
pub fn place(source: &Source, span: Span) -> Place {
    let (line, column) = source.line_column(span.start);
    let file = source.helper_at(span.start).map(|n| source.helpers[n].name.clone());
    let listed_line = source.line_column_of_all(span.start).0;
    Place { file, start: span.start, end: span.end, line, listed_line, column, text: source.slice(span).to_owned() }
}

/// The condition for threads to share a loop that one thread could run, in words.
const MANY: &str = "there are many iterations for the elements";

/// What a region does each time that it runs.
struct Totals {
    launches: Amount,
    allocations: Amount,
    copies: Amount,
    synchronisations: Amount,
}

impl Totals {
    fn none() -> Self {
        let zero = || Amount::exactly(0);
        Totals { launches: zero(), allocations: zero(), copies: zero(), synchronisations: zero() }
    }

    fn zip(self, other: Totals, with: impl Fn(Amount, Amount) -> Amount) -> Totals {
        Totals {
            launches: with(self.launches, other.launches),
            allocations: with(self.allocations, other.allocations),
            copies: with(self.copies, other.copies),
            synchronisations: with(self.synchronisations, other.synchronisations),
        }
    }

    fn times(self, n: &Amount) -> Totals {
        self.zip(Totals::none(), |own, _| n.clone().times(&own))
    }
}

/// One version.
pub fn version(module: &Module, function: &Function, source: &Source) -> Version {
    let formulas = Formulas::of(function, source);
    let mut walk = Walk {
        kernels: &module.kernels,
        function,
        source,
        formulas,
        steps: Vec::new(),
        assumes: Vec::new(),
        is_elsewhere: false,
    };
    let totals = walk.region(&function.body, &Amount::exactly(1));
    let (steps, assumes) = (walk.steps, walk.assumes);
    Version {
        name: function.name.clone(),
        export: function.signature.function.clone(),
        signature: function.signature.text.clone(),
        arguments: if has_other_version(module, function) { "no-overlap" } else { "any" },
        assumes,
        launches: totals.launches,
        allocations: totals.allocations,
        copies: totals.copies,
        synchronisations: totals.synchronisations,
        fusions: fusions(function, source),
        snapshots: snapshots(function, source),
        steps,
    }
}

/// Whether calls with overlapping arguments take another function.
fn has_other_version(module: &Module, function: &Function) -> bool {
    let is_other = |other: &Function| other.signature == function.signature && other.aliasing == Aliasing::MayAlias;
    function.aliasing == Aliasing::NoAlias && module.functions.iter().any(is_other)
}

/// The outermost expressions that are computed in other places' kernels, each with the last such places.
fn fusions(function: &Function, source: &Source) -> Vec<Fusion> {
    let mut places: BTreeMap<Span, BTreeSet<Span>> = BTreeMap::new();
    for remark in &function.remarks {
        if let RemarkKind::Fused { into } = remark.kind {
            places.entry(remark.span).or_default().insert(into);
        }
    }
    let mut lasts: Vec<(Span, Span)> = Vec::new();
    for from in places.keys() {
        lasts.extend(last_places(*from, &places).into_iter().map(|into| (*from, into)));
    }
    let is_inside = |a: Span, b: Span| a != b && b.start <= a.start && a.end <= b.end;
    let is_outermost = |(from, into): &&(Span, Span)| {
        !is_inside(*from, *into) && !lasts.iter().any(|(other, o)| is_inside(*from, *other) && o == into)
    };
    let of = |(from, into): &(Span, Span)| Fusion { from: place(source, *from), into: place(source, *into) };
    lasts.iter().filter(is_outermost).map(of).collect()
}

/// Where a place's computation ends up, itself being computed nowhere else.
fn last_places(from: Span, places: &BTreeMap<Span, BTreeSet<Span>>) -> BTreeSet<Span> {
    let (mut seen, mut last) = (BTreeSet::from([from]), BTreeSet::new());
    let mut pending = vec![from];
    while let Some(place) = pending.pop() {
        let Some(next) = places.get(&place) else {
            last.insert(place);
            continue;
        };
        pending.extend(next.iter().filter(|next| seen.insert(**next)));
    }
    last
}

fn snapshots(function: &Function, source: &Source) -> Vec<Snapshot> {
    let of = |remark: &numptx_ir::array::Remark| match &remark.kind {
        RemarkKind::Copied { array, late } => {
            Some(Snapshot { at: place(source, remark.span), array: array.clone(), if_overlapping: *late })
        }
        _ => None,
    };
    function.remarks.iter().filter_map(of).collect()
}

struct Walk<'m> {
    kernels: &'m [Kernel],
    function: &'m Function,
    source: &'m Source,
    formulas: Formulas<'m>,
    steps: Vec<Step>,
    assumes: Vec<String>,
    /// Whether the ops are those of a loop as it is written.
    is_elsewhere: bool,
}

impl Walk<'_> {
    /// `times`: how often the region runs in a call.
    fn region(&mut self, region: &Region, times: &Amount) -> Totals {
        let mut totals = Totals::none();
        for op in &region.ops {
            totals = totals.zip(self.op(op, times), Amount::plus);
        }
        totals
    }

    fn op(&mut self, op: &Op, times: &Amount) -> Totals {
        let none = Totals::none();
        let one = || Amount::exactly(1);
        match &op.kind {
            OpKind::Launch(kernel) => {
                let action = self.launch(op, &self.kernels[kernel.0 as usize]);
                self.step(op, times, action);
                Totals { launches: one(), ..none }
            }
            OpKind::Alloc { .. } => {
                self.allocate(op, times, false);
                Totals { allocations: one(), ..none }
            }
            OpKind::Reuse { .. } => {
                self.allocate(op, times, true);
                Totals { allocations: Amount::perhaps(), ..none }
            }
            OpKind::Strided { .. } => none,
            kind if kind.is_view_or_copy() => {
                let bytes = self.bytes(op.results[0]);
                self.step(op, &Amount::perhaps().times(times), Action::Copy { bytes });
                Totals { allocations: Amount::perhaps(), copies: Amount::perhaps(), ..none }
            }
            OpKind::Item => {
                self.step(op, times, Action::Synchronise);
                Totals { synchronisations: one(), ..none }
            }
            OpKind::Object(object) if is_draw(object.operation) => {
                let code = object.row().operands.iter().position(|part| *part == Part::Int);
                let code = code.and_then(|at| self.formulas.linear(op.operands[at]).as_number());
                let (action, may_launch) = draw(object.operation, code);
                self.step(op, times, action);
                let launches = if may_launch { Amount::perhaps() } else { Amount::exactly(0) };
                Totals { launches, ..none }
            }
            OpKind::If => self.branches(op, times),
            OpKind::For => {
                let n = self.iterations(op);
                self.region(&op.regions[0], &times.clone().times(&n)).times(&n)
            }
            OpKind::While => {
                let n = Amount::unknown("iterations".to_owned());
                let [condition, body] = [0, 1].map(|nested| self.region(&op.regions[nested], &times.clone().times(&n)));
                condition.zip(body, Amount::plus).times(&n)
            }
            _ => none,
        }
    }

    fn branches(&mut self, op: &Op, times: &Amount) -> Totals {
        let choice = if self.formulas.is_guard(op) { choice_of(op, &self.formulas, self.kernels) } else { None };
        let [then, otherwise] = [&op.regions[0], &op.regions[1]];
        let condition = match choice {
            Some(Choice::Kernels) => {
                let condition = self.formulas.condition(op.operands[0]);
                let totals = self.expected(then, otherwise, times);
                if let Some(condition) = condition.filter(|c| !self.is_elsewhere && !self.assumes.contains(c)) {
                    self.assumes.push(condition);
                }
                return totals;
            }
            Some(Choice::Done) => return self.expected(then, otherwise, times),
            Some(Choice::Failed) => return self.expected(otherwise, then, times),
            Some(Choice::Shared) => Some(MANY.to_owned()),
            Some(Choice::Device) | None => self.formulas.condition(op.operands[0]),
        };
        let condition = condition.unwrap_or_else(|| "True".to_owned());
        let chosen = |yes: u64, no: u64| Amount::exactly(yes).either(Amount::exactly(no), &condition);
        let then = self.region(then, &times.clone().times(&chosen(1, 0)));
        let otherwise = self.region(otherwise, &times.clone().times(&chosen(0, 1)));
        then.zip(otherwise, |a, b| a.either(b, &condition))
    }

    /// Two branches of which the first one is expected to run.
    fn expected(&mut self, then: &Region, otherwise: &Region, times: &Amount) -> Totals {
        let times = times.clone().expecting(Amount::exactly(0));
        let then = self.region(then, &times);
        let outside = std::mem::replace(&mut self.is_elsewhere, true);
        let otherwise = self.region(otherwise, &times);
        self.is_elsewhere = outside;
        then.zip(otherwise, Amount::expecting)
    }

    /// How often the body of a `for` runs.
    fn iterations(&self, op: &Op) -> Amount {
        if chunk_of(op).is_some() {
            // All work items are in one launch as a rule.
            return Amount::exactly(1).expecting(Amount::unknown(String::new()));
        }
        let [lower, upper, step] = [0, 1, 2].map(|n| self.formulas.linear(op.operands[n]));
        let n = match step.as_number() {
            Some(1) => upper.minus(&lower),
            Some(-1) => lower.minus(&upper),
            _ => return Amount::unknown(shown(&format!("len(range({lower}, {upper}, {step}))"))),
        };
        match n.as_number() {
            Some(n) => Amount::exactly(u64::try_from(n).unwrap_or(0)),
            None => Amount::unknown(shown(&n.to_string())),
        }
    }

    fn step(&mut self, op: &Op, times: &Amount, action: Action) {
        let (at, elsewhere) = (place(self.source, op.span), self.is_elsewhere);
        self.steps.push(Step { at, times: times.clone(), elsewhere, action });
    }

    fn allocate(&mut self, op: &Op, times: &Amount, may_reuse: bool) {
        let array = self.formulas.array_name(op.results[0]);
        let bytes = self.bytes(op.results[0]);
        self.step(op, times, Action::Allocate { array, bytes, may_reuse });
    }

    fn bytes(&self, array: ValueId) -> String {
        shown(&product(self.function.ty(array).dtype().itemsize() as u64, &self.formulas.shape(array)))
    }

    fn launch(&self, op: &Op, kernel: &Kernel) -> Action {
        let (extents, rest) = op.operands.split_at(kernel.rank);
        let extents: Vec<Linear> = extents.iter().map(|v| self.formulas.linear(*v)).collect();
        let (mut read, mut written) = (Vec::new(), Vec::new());
        for (n, (operand, array)) in kernel.operands.iter().zip(rest).enumerate() {
            let touched = match kernel.table_of(n) {
                Some(_) => self.formulas.shape(*array),
                None => {
                    let moving = extents.iter().zip(&operand.fixed).filter(|(_, fixed)| !**fixed);
                    moving.map(|(extent, _)| extent.clone()).collect()
                }
            };
            let bytes = product(operand.dtype.itemsize() as u64, &touched);
            if operand.access != Access::Write {
                read.push(bytes.clone());
            }
            if operand.access != Access::Read {
                written.push(bytes);
            }
        }
        Action::Launch {
            kernel: kernel.name.clone(),
            extents: extents.iter().map(|extent| shown(&extent.to_string())).collect(),
            bytes_read: shown(&sum(&read)),
            bytes_written: shown(&sum(&written)),
            chooses_elements: !kernel.tables.is_empty(),
        }
    }
}

/// The sum of formulas.
fn sum(parts: &[String]) -> String {
    let number: u64 = parts.iter().filter_map(|part| part.parse::<u64>().ok()).sum();
    let mut formulas: Vec<(&String, usize)> = Vec::new();
    for part in parts.iter().filter(|part| part.parse::<u64>().is_err()) {
        match formulas.iter_mut().find(|(text, _)| *text == part) {
            Some((_, n)) => *n += 1,
            None => formulas.push((part, 1)),
        }
    }
    let mut shown: Vec<String> = formulas.into_iter().map(|(text, n)| several(text, n)).collect();
    if number > 0 || shown.is_empty() {
        shown.push(number.to_string());
    }
    shown.join(" + ")
}

/// `n` times a formula that may begin with a number.
fn several(text: &str, n: usize) -> String {
    match text.split_once('·').map(|(factor, rest)| (factor.parse::<usize>(), rest)) {
        _ if n == 1 => text.to_owned(),
        Some((Ok(factor), rest)) => format!("{}·{rest}", factor.saturating_mul(n)),
        _ => format!("{n}·{text}"),
    }
}
