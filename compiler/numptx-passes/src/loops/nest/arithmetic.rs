//! Scalars of a loop, and what is known of them.
//!
//! In: scalar ops. Out: statements of the program; affine functions, ranges and cases of integers; what conditions say.

use numptx_ir::DType;
use numptx_ir::array::{Op, ValueId};
use numptx_ir::scalar::{Constant, ScalarOp, StmtKind, Val};

use crate::analysis::ranges::range_of;
use crate::loops::assumptions::assumed::Known;
use crate::loops::assumptions::kinds::Kind;
use crate::loops::dependence::{Affine, Symbol, Variable};
use crate::loops::nest::affine_ops::{affine_of, cases_of, condition_of, signs_of};
use crate::loops::nest::conditions::Condition;
use crate::loops::nest::elements::Index;
use crate::loops::nest::program::{Refusal, Surroundings};
use crate::loops::nest::scope::{Binding, Scalar};
use crate::loops::nest::translator::Translator;
use crate::loops::schedule::least::is_negative;

impl Translator<'_> {
    pub(crate) fn scalar_op(&mut self, op: &Op, scalar: ScalarOp) -> Result<(), Refusal> {
        let operands = op.operands.iter().map(|v| self.scalar(*v)).collect::<Result<Vec<_>, _>>()?;
        let vals: Vec<Val> = operands.iter().map(|s| s.val).collect();
        let dtype = self.function.ty(op.results[0]).dtype();
        let val = self.code.push(StmtKind::Op(scalar), &vals, &[dtype], Vec::new())[0];
        let from_start = if scalar == ScalarOp::Select { self.counted_forwards(&operands) } else { None };
        let affine = match from_start.or_else(|| affine_of(scalar, dtype, &operands)) {
            // What is known of an int of fewer bits.
            None if dtype == DType::I64 && scalar == ScalarOp::Cast => operands[0].affine.clone(),
            None if dtype == DType::I64 => {
                let decided = self.decided(scalar, &operands).or_else(|| self.clamped(op, scalar, &operands));
                decided.or_else(|| self.bounded(scalar, &operands))
            }
            affine => affine,
        };
        let mut signs_used = operands.iter().flat_map(|s| &s.signs).flatten();
        let is_bounded = signs_used.all(|a| self.is_bounded(a));
        let condition = if is_bounded { condition_of(scalar, &operands) } else { None };
        let condition = condition.or_else(|| self.is_in_range(scalar, &operands).then(Condition::certain));
        let condition = condition.map(|condition| self.told_apart(scalar, &operands, condition));
        let signs = signs_of(scalar, &operands);
        self.bind(op.results[0], Binding::Scalar(Scalar { val, affine, condition, signs }));
        Ok(())
    }

    /// States how far captured quotients, as the `n // 2` of `for i in range(n // 2)`, may be from what they are of.
    pub(crate) fn state_quotients(&mut self, scalars: &[ValueId], around: &Surroundings<'_>) {
        for value in scalars {
            let Some((ScalarOp::FloorDiv, [of, by])) = around.sums.get(value) else { continue };
            let by = around.constants.get(by).and_then(|by| by.as_int()).filter(|by| *by > 0);
            let (Ok(own), Ok(of), Some(by)) = (self.scalar(*value), self.scalar(*of), by) else { continue };
            let rest = own.affine.zip(of.affine).and_then(|(own, of)| of.minus(&own.times(by)?));
            if let Some(rest) = rest
                && let Some(below) = Affine::constant(by - 1).minus(&rest)
            {
                self.nest.add_fact(rest);
                self.nest.add_fact(below);
            }
        }
    }

    /// Whether a comparison asks whether an int is near the end of 64 bits, and finds that it is not: it counts, or is of ints that are not large.
    fn is_in_range(&self, op: ScalarOp, operands: &[Scalar]) -> bool {
        let [Scalar { affine: Some(counter), .. }, Scalar { affine: Some(end), .. }] = operands else { return false };
        let is_far = |least: bool| end.as_constant().is_some_and(|n| if least { n < -(1 << 62) } else { n > 1 << 62 });
        let is_near = || self.reach(counter).is_some_and(|reach| reach < 1 << 62);
        (self.is_counter(counter) || is_near())
            && match op {
                ScalarOp::Le | ScalarOp::Lt => is_far(false),
                ScalarOp::Ge | ScalarOp::Gt => is_far(true),
                _ => false,
            }
    }

    /// Of a comparison of a remainder with the least or the largest one that there is, what follows where they differ.
    fn told_apart(&self, op: ScalarOp, operands: &[Scalar], mut condition: Condition) -> Condition {
        let differ = match op {
            ScalarOp::Eq => &mut condition.fails,
            ScalarOp::Ne => &mut condition.holds,
            _ => return condition,
        };
        let affine = |n: usize| operands.get(n).and_then(|s| s.affine.as_ref());
        let (Some(a), Some(b)) = (affine(0), affine(1)) else { return condition };
        for (a, b) in [(a, b), (b, a)] {
            let ([(variable @ Variable::Symbol(symbol), 1)], 0, Some(n)) =
                (a.terms(), a.constant_part(), b.as_constant())
            else {
                continue;
            };
            let Some(by) = self.nest.remainder(*symbol).and_then(|[_, by]| by.as_constant()) else { continue };
            let itself = Affine::from(*variable);
            if n == 0 {
                differ.extend(itself.plus_constant(-1));
            } else if n == by - 1 {
                differ.extend(itself.times(-1).and_then(|minus| minus.plus_constant(by - 2)));
            }
        }
        condition
    }

    /// A choice that loops and conditions around have made: an index that they keep from being negative does not count from the end.
    fn decided(&self, op: ScalarOp, operands: &[Scalar]) -> Option<Affine> {
        let (ScalarOp::Select, [Scalar { condition: Some(condition), .. }, a, b]) = (op, operands) else { return None };
        let is_never = |all: &[Affine]| all.iter().any(|f| self.is_never(f));
        match (is_never(&condition.holds), is_never(&condition.fails)) {
            (true, false) => b.affine.clone(),
            (false, true) => a.affine.clone(),
            _ => None,
        }
    }

    /// Whether a function is negative wherever this is, as far as loops, conditions and what is known of its integers say.
    fn is_never(&self, function: &Affine) -> bool {
        let facts = function.terms().iter().filter_map(|(variable, _)| self.facts.get(variable)).flatten();
        let guards: Vec<Affine> = self.guards.iter().chain(facts).cloned().collect();
        is_negative(&self.nest, function, self.within, &guards)
    }

    /// A symbol for an integer that is not affine, where something is known of it.
    pub(crate) fn bounded(&mut self, op: ScalarOp, operands: &[Scalar]) -> Option<Affine> {
        let of = |n: usize| operands.get(n).and_then(|s| s.affine.clone());
        let symbol = self.nest.add_symbol(self.within);
        let variable = Variable::Symbol(symbol);
        let itself = Affine::from(variable);
        match op {
            ScalarOp::Mod => {
                // Of a positive divisor; others take the loop as it is.
                let largest = of(1)?.plus_constant(-1)?;
                let facts = vec![itself.clone(), largest.minus(&itself)?];
                if !self.checks.is_decided() {
                    self.require(Kind::PositiveDivisor, vec![largest.clone()]);
                    let assumption = self.assumptions.last()?;
                    if !assumption.is_decidable(&self.nest, &self.symbols) {
                        self.assumptions.pop();
                        return None;
                    }
                }
                self.facts.insert(variable, facts);
                if let Some(of) = of(0) {
                    self.nest.add_remainder(symbol, of, largest.plus_constant(1)?);
                }
            }
            ScalarOp::FloorDiv => {
                let by = of(1)?.as_constant().filter(|by| *by > 0)?;
                let rest = of(0)?.minus(&itself.times(by)?)?;
                let below = Affine::constant(by - 1).minus(&rest)?;
                [&rest, &below].into_iter().for_each(|fact| self.nest.add_fact(fact.clone()));
                self.facts.insert(variable, vec![rest, below]);
            }
            ScalarOp::Select if self.is_wrapped(symbol, operands) => return Some(itself),
            _ => {
                if op == ScalarOp::Min {
                    self.minima.insert(variable, vec![of(0)?, of(1)?]);
                }
                if op == ScalarOp::Max {
                    self.maxima.insert(variable, vec![of(0)?, of(1)?]);
                }
                self.cases.insert(variable, cases_of(op, operands)?);
            }
        }
        // A remainder is as small as its divisor, everything else as large as what it is made of.
        let sizes = operands.iter().skip(usize::from(op == ScalarOp::Mod)).filter_map(|s| s.affine.as_ref());
        self.sized(variable, sizes);
        Some(itself)
    }

    /// Whether a choice is a remainder.
    fn is_wrapped(&mut self, symbol: Symbol, operands: &[Scalar]) -> bool {
        let [Scalar { condition: Some(condition), .. }, Scalar { affine: Some(a), .. }, Scalar { affine: Some(b), .. }] =
            operands
        else {
            return false;
        };
        self.wrapped(symbol, condition, [a, b])
    }
}

/// Limit: elements and sums of them that are farther from 0 may wrap.
const FARTHEST: u128 = 1 << 62;

impl Translator<'_> {
    /// Notes what is known of what a body computes: NumPy's ints wrap, and so do those that may be far from 0.
    pub(crate) fn note_computed(&mut self, op: ScalarOp, dtype: DType, used: &[Index], val: Val) {
        if self.assumed.is_none() {
            return;
        }
        let scalar = |index: &Index| {
            let known = self.known.get(&index.val).cloned().unwrap_or_default();
            let affine = index.affine.clone().or(known.affine);
            Scalar { val: index.val, affine, condition: known.condition, signs: Vec::new() }
        };
        let operands: Vec<Scalar> = used.iter().map(scalar).collect();
        let takes_remainders = self.assumed.is_some_and(|assumed| assumed.has_offsets);
        let affine = match (op, dtype) {
            (ScalarOp::Cast, _) => operands[0].affine.clone(),
            (ScalarOp::Mod, _) if takes_remainders => self.bounded(op, &operands),
            _ => affine_of(op, DType::I64, &operands),
        };
        let is_near = |affine: &Affine| self.reach(affine).is_some_and(|reach| reach < FARTHEST);
        // A remainder is less than a divisor that fits.
        let is_remainder = op == ScalarOp::Mod;
        let affine = affine.filter(is_near).filter(|affine| is_remainder || self.fits(affine, dtype));
        let condition = if dtype == DType::Bool { condition_of(op, &operands) } else { None };
        if affine.is_some() || condition.is_some() {
            self.known.insert(val, Known { affine, condition });
        }
    }

    /// Notes a constant of a body: those of 64 bits tell what they are themselves.
    pub(crate) fn note_constant(&mut self, constant: Constant, dtype: DType, val: Val) {
        if self.assumed.is_some()
            && range_of(dtype).is_some()
            && let Some(n) = constant.as_int()
        {
            self.known.insert(val, Known { affine: Some(Affine::constant(n)), condition: None });
        }
    }
}
