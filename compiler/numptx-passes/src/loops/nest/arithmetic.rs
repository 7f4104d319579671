//! Scalars of a loop, and what is known of them.
//!
//! In: scalar ops. Out: statements of the program; affine functions, ranges and cases of integers; what conditions say.

use numptx_ir::DType;
use numptx_ir::array::{Op, ValueId};
use numptx_ir::scalar::{ScalarOp, StmtKind, Val};

use crate::loops::assumptions::kinds::{Assumption, Kind, Predicate};
use crate::loops::dependence::{Affine, Symbol, Variable};
use crate::loops::nest::conditions::Condition;
use crate::loops::nest::scope::{Binding, Scalar};
use crate::loops::nest::translate::{Refusal, Surroundings};
use crate::loops::nest::translator::Translator;
use crate::loops::schedule::least::is_negative;

/// Limit: what conditions of cases say, together, of one integer.
const MAX_CASE_GUARDS: usize = 8;
/// Limit: assumptions of one loop: each is host code before it.
const MAX_ASSUMPTIONS: usize = 1024;

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

    pub(crate) fn require(&mut self, kind: Kind, any: Vec<Affine>) {
        let (guards, n_conditions) = (self.guards.clone(), self.guards.len());
        let predicate = Predicate::AtLeastZero { any, within: self.within, guards, n_conditions };
        self.assumptions.push(Assumption { kind, predicate });
    }

    /// Whether a function is of integers that are chosen among others.
    pub(crate) fn has_cases(&self, function: &Affine) -> bool {
        function.terms().iter().any(|(variable, _)| self.cases.contains_key(variable))
    }

    /// What requires a function to be at least 0 where these are.
    fn assumption(&self, kind: Kind, function: &Affine, more: &[Affine]) -> Assumption {
        let mut guards = self.guards.clone();
        guards.extend_from_slice(more);
        for (variable, _) in function.terms() {
            guards.extend(self.facts.get(variable).into_iter().flatten().cloned());
        }
        let (any, n_conditions) = (vec![function.clone()], self.guards.len());
        Assumption { kind, predicate: Predicate::AtLeastZero { any, within: self.within, guards, n_conditions } }
    }

    /// Requires a function to be at least 0 whichever of their cases integers are.
    pub(crate) fn require_in_all_cases(
        &mut self,
        kind: Kind,
        function: Affine,
        more: &[Affine],
    ) -> Result<(), Refusal> {
        // Cases multiply.
        if more.len() > MAX_CASE_GUARDS || self.assumptions.len() > MAX_ASSUMPTIONS {
            return Err(Refusal("an index has too many cases"));
        }
        // The one that was made last: cases of others are not of it, so that it is one of them everywhere.
        let chosen_in = |f: &Affine| f.terms().iter().map(|(v, _)| *v).filter(|v| self.cases.contains_key(v)).max();
        let is_in_function = chosen_in(&function).is_some();
        // What is known in a case may be of an integer that has cases itself, as the length of a slice is.
        let has_room = more.len() + 2 <= MAX_CASE_GUARDS && 2 * self.assumptions.len() < MAX_ASSUMPTIONS;
        let chosen = more.iter().filter(|_| has_room).filter_map(chosen_in).chain(chosen_in(&function)).max();
        let chosen = chosen.and_then(|variable| Some((variable, self.cases.get(&variable)?.clone())));
        let assumption = if is_in_function { None } else { Some(self.assumption(kind, &function, more)) };
        let is_certain = assumption.as_ref().is_some_and(|assumption| assumption.is_certain(&self.nest));
        let (Some((variable, cases)), false) = (chosen, is_certain) else {
            self.assumptions.extend(assumption);
            return Ok(());
        };
        for (value, guards) in cases {
            let is = |f: &Affine| f.with(variable, &value).ok_or(Refusal("an index may be a very large number"));
            let more = more.iter().chain(&guards).map(is).collect::<Result<Vec<Affine>, Refusal>>()?;
            self.require_in_all_cases(kind, is(&function)?, &more)?;
        }
        Ok(())
    }
}

/// What an integer that is chosen among others is, and what is at least 0 then.
fn cases_of(op: ScalarOp, operands: &[Scalar]) -> Option<Vec<(Affine, Vec<Affine>)>> {
    let of = |n: usize| operands.get(n).and_then(|s| s.affine.clone());
    Some(match op {
        ScalarOp::Min | ScalarOp::Max => {
            let (a, b) = (of(0)?, of(1)?);
            let (above, below) = (a.minus(&b)?, b.minus(&a)?);
            if op == ScalarOp::Max {
                vec![(a, vec![above]), (b, vec![below])]
            } else {
                vec![(a, vec![below]), (b, vec![above])]
            }
        }
        ScalarOp::Select => {
            let condition = operands.first()?.condition.clone();
            let (holds, fails) = condition.map_or_else(Default::default, |c| (c.holds, c.fails));
            vec![(of(1)?, holds), (of(2)?, fails)]
        }
        _ => return None,
    })
}

pub(crate) fn affine_of(op: ScalarOp, dtype: DType, operands: &[Scalar]) -> Option<Affine> {
    if dtype != DType::I64 {
        return None;
    }
    let of = |n: usize| operands.get(n).and_then(|s| s.affine.as_ref());
    match op {
        ScalarOp::Add => of(0)?.plus(of(1)?),
        ScalarOp::Sub => of(0)?.minus(of(1)?),
        ScalarOp::Neg => of(0)?.times(-1),
        ScalarOp::Mul => match (of(0)?.as_constant(), of(1)?.as_constant()) {
            (Some(n), _) => of(1)?.times(n),
            (_, Some(n)) => of(0)?.times(n),
            _ => None,
        },
        _ => None,
    }
}

pub(crate) fn condition_of(op: ScalarOp, operands: &[Scalar]) -> Option<Condition> {
    let of = |n: usize| operands.get(n).and_then(|s| s.condition.as_ref());
    match op {
        ScalarOp::BitAnd => Condition::and(of(0), of(1)),
        ScalarOp::BitOr => Condition::or(of(0), of(1)),
        ScalarOp::BitNot => of(0).cloned().map(Condition::not),
        ScalarOp::Ge if operands.first().is_some_and(|s| !s.signs.is_empty()) => {
            let zero = operands.get(1).and_then(|s| s.affine.as_ref()).and_then(Affine::as_constant);
            if zero == Some(0) { Condition::no_overflow(&operands[0].signs) } else { None }
        }
        _ => {
            let affine = |n: usize| operands.get(n).and_then(|s| s.affine.as_ref());
            Condition::compare(op, affine(0)?, affine(1)?)
        }
    }
}

fn signs_of(op: ScalarOp, operands: &[Scalar]) -> Vec<[Affine; 2]> {
    let of = |n: usize| operands.get(n);
    match (op, of(0), of(1)) {
        (ScalarOp::BitXor, Some(a), Some(b)) => match (&a.affine, &b.affine) {
            (Some(a), Some(b)) => vec![[a.clone(), b.clone()]],
            _ => Vec::new(),
        },
        (ScalarOp::BitAnd, Some(a), Some(b)) if a.signs.len() == 1 && b.signs.len() == 1 => {
            vec![a.signs[0].clone(), b.signs[0].clone()]
        }
        _ => Vec::new(),
    }
}
