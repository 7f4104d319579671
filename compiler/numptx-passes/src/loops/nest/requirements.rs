//! What a translation requires of data, beside that no check fails, so that iterations depend on each other in fewer ways.
//!
//! In: what bodies compute, and what is assumed. Out: affine functions and conditions of it; assumptions under which they are that. A loop that assumes
//! nothing gets none.

use numptx_ir::DType;
use numptx_ir::array::ValueId;

use crate::analysis::ranges::range_of;
use crate::loops::assumptions::assumed::DEPTH;
use crate::loops::assumptions::guards::is_small;
use crate::loops::assumptions::kinds::{Assumption, Kind, Predicate};
use crate::loops::dependence::Affine;
use crate::loops::nest::affine_ops::affine_of;
use crate::loops::nest::program::Refusal;
use crate::loops::nest::scope::{Scalar, Sums};
use crate::loops::nest::translator::Translator;

/// Limit: what conditions of cases say, together, of one integer.
const MAX_CASE_GUARDS: usize = 8;
/// Limit: assumptions of one loop: each is host code before it.
const MAX_ASSUMPTIONS: usize = 1024;

impl Translator<'_> {
    /// Makes captured sums functions of what they are sums of. That is small where the loop's condition holds, so that they do not wrap.
    pub(crate) fn take_for_sums(&mut self, scalars: &[ValueId], sums: &Sums) {
        for _ in 0..DEPTH {
            for value in scalars {
                let Some((op, [a, b])) = sums.get(value) else { continue };
                let (Ok(own), Ok(a), Ok(b)) = (self.scalar(*value), self.scalar(*a), self.scalar(*b)) else { continue };
                if own.affine.is_some()
                    && let Some(affine) = affine_of(*op, DType::I64, &[a, b]).filter(is_small)
                {
                    self.bind_scalar(*value, own.val, Some(affine), own.condition);
                }
            }
        }
    }

    /// Whether an integer is as it would be with any number of bits: what has fewer than 64 is required not to wrap.
    pub(crate) fn fits(&mut self, affine: &Affine, dtype: DType) -> bool {
        let Some([low, high]) = range_of(dtype) else { return false };
        if dtype == DType::I64 {
            return true;
        }
        if self.checks.is_decided() {
            return false;
        }
        let sides = [affine.plus_constant(-low), affine.times(-1).and_then(|minus| minus.plus_constant(high))];
        let n = self.assumptions.len();
        for side in sides {
            side.into_iter().for_each(|side| self.require(Kind::NoOverflow, vec![side]));
            let is_decidable = |last: &Assumption| last.is_decidable(&self.nest, &self.symbols);
            if self.assumptions.len() == n || !self.assumptions[n..].iter().all(is_decidable) {
                self.assumptions.truncate(n);
                return false;
            }
        }
        true
    }

    /// An index that would count from the end if it were negative, where it can be required that it is not.
    pub(crate) fn counted_forwards(&mut self, operands: &[Scalar]) -> Option<Affine> {
        let [Scalar { condition: Some(is_negative), .. }, _, Scalar { affine: Some(index), .. }] = operands else {
            return None;
        };
        if self.assumed.is_none() || self.checks.is_decided() || is_negative.fails != [index.clone()] {
            return None;
        }
        self.require_decidable(Kind::FromTheStart, index.clone()).then(|| index.clone())
    }

    /// Whether a loop by such a step rises, where it can be required that it does.
    pub(crate) fn rises(&mut self, step: &Affine) -> bool {
        let Some(above) = step.plus_constant(-1).filter(|_| self.assumed.is_some() && !self.checks.is_decided()) else {
            return false;
        };
        self.require_decidable(Kind::PositiveStep, above)
    }

    /// Requires a function to be at least 0, where that can be computed before the loop; whether it can.
    fn require_decidable(&mut self, kind: Kind, function: Affine) -> bool {
        let n = self.assumptions.len();
        self.require(kind, vec![function]);
        let is_decidable = self.assumptions[n].is_decidable(&self.nest, &self.symbols);
        if !is_decidable {
            self.assumptions.truncate(n);
        }
        is_decidable
    }

    /// Requires what suffices whatever conditions say, and states it.
    pub(crate) fn state_requirements(&mut self) {
        if self.assumed.is_none() || self.checks.is_decided() {
            return;
        }
        self.require_no_wrap_around();
        for assumption in &mut self.assumptions {
            if let Some(fact) = assumption.sufficient(&self.nest, &self.symbols) {
                self.nest.add_fact(fact.clone());
                *assumption = Assumption::at_least_zero(assumption.kind, fact);
            }
        }
    }
}

impl Translator<'_> {
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
    pub(crate) fn assumption(&self, kind: Kind, function: &Affine, more: &[Affine]) -> Assumption {
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
