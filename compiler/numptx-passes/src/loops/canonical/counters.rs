//! How large ints may be, and which of those that loops carry grow by little in each iteration: no loop runs long enough for one to become too large.
//!
//! In: what ints are made of; what a loop carries, and what its iterations make of it. Out: which may be of any size, and which count. A counter starts below
//! 2⁵² and grows or falls by at most [`MOST`] at a time, so that 2⁶³ is 2⁵⁸ iterations away: years, where one takes a nanosecond.

use std::collections::HashMap;

use numptx_ir::array::{Op, OpKind, Region, ValueId};
use numptx_ir::scalar::ScalarOp;

use crate::analysis::traverse::{for_each_op, terminator_operands};
use crate::loops::assumptions::guards::{LARGE, is_small};
use crate::loops::dependence::{Affine, Variable};
use crate::loops::nest::translator::Translator;

/// Limit: what a counter grows by.
const MOST: i64 = 16;
/// Limit: how large an int may be that is made of others, so that nothing overflows where it is computed with as `guards` has it.
const FARTHEST: u128 = 1 << 46;

impl Translator<'_> {
    /// A symbol for a carried int that counts, in iterations of the loop `within`; what the loop starts from, and its body.
    pub(crate) fn counter(&mut self, initial: ValueId, body: &Region, position: usize) -> Option<Affine> {
        let starts = self.scalar(initial).ok()?.affine.filter(|affine| self.is_bounded(affine))?;
        let n_indices = body.parameters.len() - terminator_operands(body).len();
        let (parameter, next) = (body.parameters[n_indices + position], terminator_operands(body)[position]);
        let mut made: HashMap<ValueId, &Op> = HashMap::new();
        for_each_op(body, &mut |op| made.extend(op.results.iter().map(|v| (*v, op))));
        let is_near = starts.terms().len() <= 1 && is_small(&starts);
        let steps = Steps { constants: &|v| self.integer(v), made: &made };
        (is_near && steps.lead(parameter, next, 0)).then(|| self.new_counter())
    }

    /// A symbol for an int that counts.
    pub(crate) fn new_counter(&mut self) -> Affine {
        let variable = Variable::Symbol(self.nest.add_symbol(self.within));
        self.unbounded.insert(variable);
        self.counters.insert(variable);
        Affine::from(variable)
    }

    /// Whether a function takes no value that is too large to compute with: it is of nothing unbounded, or nothing but a counter.
    pub(crate) fn is_bounded(&self, function: &Affine) -> bool {
        let is_bounded = |(v, _): &(Variable, i64)| !self.unbounded.contains(v);
        function.terms().iter().all(is_bounded) || self.is_counter(function)
    }

    /// Whether a function is a counter and a small number.
    pub(crate) fn is_counter(&self, function: &Affine) -> bool {
        let is_near = function.constant_part().unsigned_abs() <= 64 * MOST.unsigned_abs();
        is_near && matches!(function.terms(), [(v, 1)] if self.counters.contains(v))
    }

    /// Notes how large an int may be that is as large as one of these at most.
    pub(crate) fn sized<'a>(&mut self, variable: Variable, made_of: impl Iterator<Item = &'a Affine> + Clone) {
        if made_of.clone().any(|of| self.is_counter(of)) && made_of.clone().all(|of| self.is_bounded(of)) {
            self.counters.insert(variable);
        }
        let farthest = made_of.map(|of| self.reach(of)).try_fold(0, |most, reach| Some(reach?.max(most)));
        match farthest.filter(|reach: &u128| *reach <= FARTHEST) {
            Some(reach) => _ = self.reaches.insert(variable, reach),
            None => _ = self.unbounded.insert(variable),
        }
    }

    /// How far from 0 a function may be; `None`: as far as 64 bits go.
    pub(crate) fn reach(&self, function: &Affine) -> Option<u128> {
        function.terms().iter().try_fold(u128::from(function.constant_part().unsigned_abs()), |sum, (v, factor)| {
            let own = self.reaches.get(v).copied().unwrap_or(LARGE.unsigned_abs().into());
            (!self.unbounded.contains(v)).then(|| sum + own * u128::from(factor.unsigned_abs()))
        })
    }

    fn integer(&self, value: ValueId) -> Option<i64> {
        self.scalar(value).ok()?.affine?.as_constant()
    }
}

/// From what an iteration begins with to what it ends with.
struct Steps<'s> {
    constants: &'s dyn Fn(ValueId) -> Option<i64>,
    made: &'s HashMap<ValueId, &'s Op>,
}

impl Steps<'_> {
    fn number(&self, value: ValueId) -> Option<i64> {
        match self.made.get(&value).map(|op| &op.kind) {
            Some(OpKind::Constant(constant)) => constant.as_int(),
            _ => (self.constants)(value),
        }
    }

    fn is_small(&self, value: ValueId) -> bool {
        self.number(value).is_some_and(|n| n.unsigned_abs() <= MOST.unsigned_abs())
    }

    /// Whether small steps lead from a value to another one.
    fn lead(&self, from: ValueId, to: ValueId, depth: usize) -> bool {
        if from == to {
            return true;
        }
        let Some(op) = self.made.get(&to).filter(|_| depth < 16) else { return false };
        let position = op.results.iter().position(|v| *v == to).unwrap_or_default();
        let lead = |to: ValueId| self.lead(from, to, depth + 1);
        match (&op.kind, op.operands.as_slice()) {
            (OpKind::Scalar(ScalarOp::Add), [a, b]) => {
                (self.is_small(*b) && lead(*a)) || (self.is_small(*a) && lead(*b))
            }
            (OpKind::Scalar(ScalarOp::Sub), [a, b]) => self.is_small(*b) && lead(*a),
            (OpKind::Scalar(ScalarOp::Select), [_, a, b]) => lead(*a) && lead(*b),
            (OpKind::If, _) => op.regions.iter().all(|region| lead(terminator_operands(region)[position])),
            // Each step of a loop in the loop takes its time, too.
            (OpKind::For | OpKind::While, operands) => {
                let Some(body) = op.regions.last() else { return false };
                let inner = body.parameters[body.parameters.len() - op.results.len() + position];
                lead(operands[operands.len() - op.results.len() + position])
                    && self.lead(inner, terminator_operands(body)[position], depth + 1)
            }
            _ => false,
        }
    }
}
