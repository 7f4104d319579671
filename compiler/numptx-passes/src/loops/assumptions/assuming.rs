//! The form of a loop under assumptions about its data, beside its form without.
//!
//! In: a loop that is slow as it is. Out: its best form, with the least and the largest elements that its guard compares. Where the assumptions do not hold,
//! the loop runs as it would without them.

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::array::{ArrayType, Op, OpKind, Order, Reduce, ValueId};
use numptx_ir::scalar::{BodyBuilder, Reducer};

use crate::analysis::points_to::written_arrays;
use crate::analysis::ranges::range_of;
use crate::analysis::traverse::for_each_op;
use crate::loops::assumptions::assumed::Assumed;
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::assumptions::versions::Versions;
use crate::loops::dependence::{Affine, Subscript, Variable, may_repeat};
use crate::loops::function::FormNests;
use crate::loops::nest::program::{Checks, Program, Refusal, Refused, Translation};
use crate::loops::nest::scope::Captured;
use crate::loops::nest::translate::translate;
use crate::loops::schedule::attempt::{Attempt, Tried};
use crate::loops::schedule::choose::{Formed, Taken, chosen};

impl Assumed {
    /// Whether what is required of a loop leaves it more than one iteration, also where the elements of arrays differ.
    pub fn is_likely(&self, whole: &Translation) -> bool {
        let Some(outermost) = whole.nest.loop_ids().next() else { return true };
        let named: HashMap<ValueId, Variable> =
            whole.symbols.iter().map(|(variable, value)| (*value, *variable)).collect();
        let differ = self.ends.values().filter_map(|[low, high]| {
            let [low, high] = [low, high].map(|end| named.get(end).copied().map(Affine::from));
            high?.minus(&low?)?.plus_constant(-1)
        });
        let mut facts = differ.map(Some).chain([None]);
        facts.all(|fact| {
            let mut nest = whole.nest.clone();
            fact.into_iter().for_each(|fact| nest.add_fact(fact));
            may_repeat(&nest, outermost)
        })
    }

    /// Forgets arrays whose elements decide nothing in a loop. Whether there were any.
    pub fn forget_others(&mut self, whole: &Translation) -> bool {
        let (nest, n) = (&whole.nest, self.ends.len());
        let mut functions: Vec<&Affine> = Vec::new();
        for id in nest.loop_ids() {
            functions.push(&nest.loop_of(id).lower);
            functions.extend(&nest.loop_of(id).lower_of);
            functions.extend(&nest.loop_of(id).upper);
        }
        for id in nest.access_ids() {
            let access = nest.access(id);
            functions.extend(access.guards.iter().chain(&access.distinct));
            functions.extend(access.subscripts.iter().filter_map(|subscript| match subscript {
                Subscript::Index(at) => Some(at),
                _ => None,
            }));
        }
        let remainder = |(variable, _): &(Variable, i64)| match variable {
            Variable::Symbol(symbol) => nest.remainder(*symbol).map(|[of, _]| of),
            Variable::Index(_) => None,
        };
        let divided: Vec<&Affine> = functions.iter().flat_map(|f| f.terms()).filter_map(remainder).collect();
        let variables = functions.into_iter().chain(divided).flat_map(Affine::terms).map(|(variable, _)| variable);
        let arrays: HashSet<ValueId> = variables.filter_map(|v| whole.elements.get(v).copied()).collect();
        self.ends.retain(|array, _| arrays.contains(array));
        self.ends.len() < n
    }
}

impl FormNests<'_> {
    /// The loop as nests. An array that iterations make without elements is made before it, unless one thread would run all of the loop then: what the
    /// host runs may have parallel phases, which write to such an array.
    pub fn best_assuming(&mut self, op: &Op) -> Formed {
        let kept = self.tried(|pass| pass.best_or_assuming(op));
        if !makes_empty(op) || kept.value.is_ok() && !kept.schedule.has_slow_launches() {
            return self.keep(kept);
        }
        let left = self.tried_with(Attempt { leaves_empty: true, ..self.attempt }, |pass| pass.best_or_assuming(op));
        let forms = [("arrays made before the loop", kept), ("arrays made in the loop", left)];
        self.keep(chosen(op.span, forms, Taken::Second))
    }

    /// The loop as nests: where one thread would run it, and does not if more is required than that no check fails, under that condition, too.
    fn best_or_assuming(&mut self, op: &Op) -> Formed {
        self.draft.at_work_items.clear();
        let mut usual = self.tried(|pass| pass.best(op));
        match &usual.value {
            Err(refused) if refused.why == Refusal::ROWS_IN_DISORDER => return self.best_in_order(op).ok_or(*refused),
            Err(_) => return self.keep(usual),
            Ok(_) => {}
        }
        let is_usual_late = usual.is_late();
        // Steps that wait for each other are better work items that do not, as those of a row of a pivot that a loop on the host tells, and those that are
        // steps only because an index may be negative.
        let may_be_work_items = self.attempt.is_repeated || self.starts_anywhere(op);
        let is_launch = may_be_work_items && !is_usual_late && usual.schedule.has_cooperative_kernel();
        // Elements that iterations combine values in may be their own where indices do not count from the end.
        let is_combined = usual.schedule.is_combined(op);
        if op.kind != OpKind::For || !(is_launch || is_combined || is_usual_late) {
            return self.best_with_offsets(op, usual);
        }
        let found = self.best_where(op, Attempt { has_fallback: true, ..self.attempt }, |assumed| assumed);
        let is_better = found.cost() < usual.cost();
        if !is_better && !is_launch && found.value.is_ok() {
            usual.schedule.tell_more(&found.schedule);
        }
        let reasons = usual.schedule.reasons_elsewhere();
        let extremes =
            if is_better { self.extremes(&found.draft.assumed.clone().unwrap_or_default(), op) } else { None };
        let names = ["nothing assumed about data", "assumptions about data"];
        let Some(extremes) = extremes else {
            let taken = chosen(op.span, [(names[0], usual), (names[1], found)], Taken::First);
            return self.best_with_offsets(op, taken);
        };
        let formed = self.keep_assuming(op, names, [usual, found], extremes)?;
        reasons.into_iter().for_each(|reason| self.schedule.note(reason));
        Ok(formed)
    }

    /// The best form of a loop under those of its assumptions about data that are kept.
    pub fn best_where(&mut self, op: &Op, attempt: Attempt, keep: impl FnOnce(Assumed) -> Assumed) -> Tried<Formed> {
        let assumed = keep(self.assumed(op));
        self.tried_with(attempt, |pass| {
            pass.draft.at_work_items.clear();
            pass.draft.assumed = Some(assumed);
            pass.best(op)
        })
    }

    /// Takes the second of two forms, which assumes something of data, after what computes the extremes that its guard compares; elsewhere the first.
    pub fn keep_assuming(
        &mut self,
        op: &Op,
        names: [&'static str; 2],
        [usual, found]: [Tried<Formed>; 2],
        extremes: Vec<Op>,
    ) -> Formed {
        let mut taken = chosen(op.span, [(names[0], usual), (names[1], found)], Taken::SecondElseFirst);
        taken.draft.assumed = None;
        Ok(self.keep(taken)?.after(extremes))
    }

    /// Whether it is not known that a loop that rises starts at 0 or later.
    fn starts_anywhere(&self, op: &Op) -> bool {
        op.kind == OpKind::For
            && self.known.constant(op.operands[0]).is_none_or(|lower| lower < 0)
            && self.known.constant(op.operands[2]).is_some_and(|step| step > 0)
    }

    /// The loop as nests under a condition on which the rows that it writes are read in order, as those of elimination with the row of a pivot before
    /// them are; `None` if it is one thread's even so.
    fn best_in_order(&mut self, op: &Op) -> Option<Versions> {
        let mut found = self.best_where(op, Attempt { refuses_checks: true, ..self.attempt }, |assumed| assumed);
        let assumed = found.draft.assumed.take().unwrap_or_default();
        if found.value.is_err() || found.schedule.has_slow_launches() {
            return None;
        }
        let extremes = self.extremes(&assumed, op)?;
        Some(self.keep(found).ok()?.after(extremes))
    }

    /// The loop as a program. Of what may be assumed only that is left which it makes use of.
    pub fn whole(&mut self, program: &Program) -> Result<Translation, Refused> {
        let checks = Checks { fault: self.draft.fault, at_work_items: None, payload: None };
        let whole = translate(&self.surroundings(checks), program)?;
        if !self.draft.of_digits.is_disjoint(&whole.at_work_items) {
            return Err(Refusal("the digits of an index are not known before it").into());
        }
        if self.draft.assumed.as_mut().is_some_and(|assumed| assumed.forget_others(&whole)) {
            let checks = Checks { fault: self.draft.fault, at_work_items: None, payload: None };
            return translate(&self.surroundings(checks), program);
        }
        if self.draft.assumed.as_ref().is_some_and(|assumed| !assumed.is_likely(&whole)) {
            return Err(Refusal("what it would require leaves it one iteration, or data of one element").into());
        }
        Ok(whole)
    }

    /// What may be assumed of a loop.
    pub fn assumed(&mut self, op: &Op) -> Assumed {
        let written = written_arrays(op);
        let captured = Captured::of(self.function, &self.known.constants, std::slice::from_ref(op), &[]);
        let is_data = |array: &ValueId| {
            let is_written = written.iter().any(|other| !self.facts.apart.are(*array, *other, &self.known.points_to));
            let is_int = |ty: ArrayType| ty.rank > 0 && range_of(ty.dtype).is_some();
            self.function.array(*array).is_some_and(is_int) && !is_written
        };
        let arrays: Vec<ValueId> = captured.arrays.into_iter().filter(is_data).collect();
        let mut host = HostProgram::new(self.function, op.span);
        let mut end = |array: ValueId, which: &str| {
            let value = host.add_value(numptx_ir::array::Type::Scalar(DType::I64));
            if let Some(name) = host.name_of(array) {
                host.name(value, &format!("{name}.{which}()"));
            }
            value
        };
        let ends = arrays.into_iter().map(|array| (array, [end(array, "min"), end(array, "max")])).collect();
        Assumed { ends, has_offsets: false }
    }

    /// Computes the least and the largest elements.
    pub fn extremes(&mut self, assumed: &Assumed, op: &Op) -> Option<Vec<Op>> {
        let mut host = HostProgram::new(self.function, op.span);
        let mut arrays: Vec<(&ValueId, &[ValueId; 2])> = assumed.ends.iter().collect();
        arrays.sort_unstable();
        for (array, ends) in arrays {
            let ty = host.array(*array)?;
            let mut operands: Vec<ValueId> =
                (0..ty.rank).map(|axis| host.scalar(OpKind::Dim(axis), vec![*array], DType::I64)).collect();
            operands.push(*array);
            let mut builder = BodyBuilder::new();
            let element = builder.input(0, ty.dtype);
            let element = builder.cast(element, DType::I64);
            let body = builder.finish(vec![element; 2]);
            let reducers = vec![Reducer::Min, Reducer::Max];
            let reduce = Reduce { rank: ty.rank, n_reduced: ty.rank, body, reducers, epilogue: None, order: Order::C };
            let cells = host.derived(OpKind::Reduce(Box::new(reduce)), operands)?;
            for (cell, end) in cells.iter().zip(ends) {
                host.push(OpKind::Item, vec![*cell], vec![*end]);
            }
        }
        let ops = std::mem::take(&mut host.ops);
        for cell in ops.iter().filter(|op| matches!(op.kind, OpKind::Reduce(_))).flat_map(|op| &op.results) {
            self.known.points_to.add_fresh(*cell);
        }
        Some(ops)
    }
}

/// Whether iterations of a loop make arrays without elements.
fn makes_empty(op: &Op) -> bool {
    let mut makes = false;
    let mut visit = |op: &Op| makes |= matches!(op.kind, OpKind::Alloc { .. }) && !op.operands.is_empty();
    op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
    makes
}
