//! Conjunctions of assumptions without what the rest of them implies.
//!
//! In: what a version of a loop assumes, and what is known of the ints that it captures. Out: a [`Conjunction`], from which the guard is made. What is left out
//! holds wherever the rest does:
//!
//! - Comparisons that overflow for no ints at all come first. They imply one another, and that ints are small.
//! - Then all ints are small, and nothing overflows. Of the other comparisons those are left out that anything before, or one another, implies.

use std::collections::HashMap;

use numptx_ir::array::ValueId;
use numptx_ir::scalar::{Constant, ScalarOp};

use crate::analysis::ranges::{narrowed, plus, times};
use crate::loops::assumptions::guards::LARGE;
use crate::loops::assumptions::kinds::{Assumption, Kind, Predicate, is_known};
use crate::loops::dependence::{Affine, Nest, Variable, Work, follows, is_never};
use crate::loops::facts::ValueFacts;
use crate::loops::schedule::least::{is_certain, keep_largest};

/// Comparisons of which one has to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// What for.
    pub kind: Kind,
    /// Functions of symbols. Not empty; each is one comparison: see [`sides`].
    pub any: Vec<Affine>,
}

impl Clause {
    fn single(&self) -> Option<&Affine> {
        self.any.first().filter(|_| self.any.len() == 1)
    }

    /// What costs more is left out first.
    fn cost(&self) -> usize {
        self.any.iter().map(|f| 2 * f.terms().len() + usize::from(!matches!(f.constant_part(), -1 | 0))).sum()
    }
}

/// What a guard asks.
#[derive(Clone, Debug, Default)]
pub struct Conjunction {
    /// Truth values that are computed already.
    pub truths: Vec<ValueId>,
    /// The first of two ints is less than the second one.
    pub less: Vec<(Kind, [ValueId; 2])>,
    /// One function of each is at least 0.
    pub clauses: Vec<Clause>,
    /// Ints that are less than [`LARGE`], and as far from 0 at most; whether they are known not to be negative.
    pub small: Vec<(ValueId, bool)>,
}

/// What is known where a guard is made.
pub struct Given<'g> {
    /// The loops.
    pub nest: &'g Nest,
    /// What symbols stand for.
    pub symbols: &'g HashMap<Variable, ValueId>,
    /// What is known of ints.
    pub facts: &'g ValueFacts,
}

impl Conjunction {
    /// Of all assumptions of a version; `None` if one of them cannot be computed before the loop, or is seen to be false.
    pub fn of(assumptions: &[Assumption], given: &Given<'_>) -> Option<Self> {
        let known = given.known();
        let mut simplifier = Simplifier { given, work: Work::of(given.nest), known };
        let mut found = Conjunction::default();
        for assumption in assumptions {
            simplifier.add(assumption, &mut found)?;
        }
        let is_exact = |(_, clause): &(usize, Clause)| clause.single().is_some_and(|f| given.is_exact(f));
        let clauses = std::mem::take(&mut found.clauses).into_iter().enumerate();
        let (exact, others) = clauses.partition(is_exact);
        let exact = simplifier.needed(exact);
        simplifier.known.extend(exact.iter().filter_map(|(_, clause)| clause.single()).cloned());
        found.small = simplifier.small();
        let mut needed = [exact, simplifier.needed(others)].concat();
        needed.sort_by_key(|(n, _)| *n);
        found.clauses = needed.into_iter().map(|(_, clause)| clause).collect();
        Some(found)
    }
}

impl Given<'_> {
    /// What is at least 0: of ints with a range, and of sums that do not wrap.
    fn known(&self) -> Vec<Affine> {
        let mut symbols: Vec<(&Variable, &ValueId)> = self.symbols.iter().collect();
        symbols.sort_unstable();
        let mut known = Vec::new();
        for (variable, value) in symbols {
            let itself = Affine::from(*variable);
            let [low, high] = self.facts.ranges.get(*value);
            known.extend(low.checked_neg().and_then(|low| itself.plus_constant(low)).filter(|_| low > i64::MIN));
            known.extend(itself.times(-1).and_then(|minus| minus.plus_constant(high)).filter(|_| high < i64::MAX));
            for sign in [1, -1] {
                known.extend(self.sum(*value).and_then(|sum| itself.minus(&sum)?.times(sign)));
            }
        }
        known
    }

    /// What an int is the sum of, if that is of symbols and wraps for none of them.
    fn sum(&self, value: ValueId) -> Option<Affine> {
        let (op, operands) = self.facts.sums.get(&value)?;
        let sign = match op {
            ScalarOp::Add => 1,
            ScalarOp::Sub => -1,
            _ => return None,
        };
        let [a, b] = operands.map(|v| self.facts.ranges.get(v).map(i128::from));
        narrowed(plus(a, times(b, [sign.into(); 2])))?;
        let [a, b] = operands.map(|v| self.function_of(v));
        a?.plus(&b?.times(sign)?)
    }

    /// An int as a function of symbols.
    fn function_of(&self, value: ValueId) -> Option<Affine> {
        let constant = self.facts.constant(value).map(Affine::constant);
        let named = || self.symbols.iter().filter(|(_, v)| **v == value).map(|(variable, _)| *variable).min();
        constant.or_else(|| named().map(Affine::from))
    }

    /// Whether a comparison is right for all ints that there may be.
    fn is_exact(&self, function: &Affine) -> bool {
        let range = |variable: &Variable| self.symbols.get(variable).map(|v| self.facts.ranges.get(*v));
        let does_fit = |side: &Affine| {
            let mut sum = [0, 0];
            for (variable, factor) in side.terms() {
                let of = range(variable).unwrap_or([i64::MIN, i64::MAX]).map(i128::from);
                let term = times(of, [i128::from(*factor); 2]);
                sum = plus(sum, term);
                if narrowed(term).and(narrowed(sum)).is_none() {
                    return false;
                }
            }
            narrowed(plus(sum, [i128::from(side.constant_part()); 2])).is_some()
        };
        sides(function).is_some_and(|(left, _, right)| does_fit(&left) && does_fit(&right))
    }
}

/// That a function is at least 0, as a comparison. Numbers are taken away: of ints that are not negative that never wraps.
pub(crate) fn sides(function: &Affine) -> Option<(Affine, ScalarOp, Affine)> {
    let side = |sign: i64| {
        let terms = function.terms().iter().filter(|(_, factor)| (*factor > 0) == (sign > 0));
        Affine::sum(0, &terms.map(|(v, factor)| Some((*v, factor.checked_mul(sign)?))).collect::<Option<Vec<_>>>()?)
    };
    let (left, right, constant) = (side(1)?, side(-1)?, function.constant_part());
    if constant == -1 {
        return Some((left, ScalarOp::Gt, right));
    }
    let is_left = if right.terms().is_empty() { false } else { left.terms().is_empty() || constant < 0 };
    Some(match is_left {
        true => (left.plus_constant(constant)?, ScalarOp::Ge, right),
        false => (left, ScalarOp::Ge, right.plus_constant(constant.checked_neg()?)?),
    })
}

struct Simplifier<'s> {
    given: &'s Given<'s>,
    work: Work,
    /// What is at least 0, and computed without overflow.
    known: Vec<Affine>,
}

impl Simplifier<'_> {
    fn add(&self, assumption: &Assumption, found: &mut Conjunction) -> Option<()> {
        let kind = assumption.kind;
        let any = match assumption.predicate {
            Predicate::Holds(value) => {
                let is_true = self.given.facts.constants.get(&value) == Some(&Constant::Bool(true));
                if !is_true && !found.truths.contains(&value) {
                    found.truths.push(value);
                }
                return Some(());
            }
            Predicate::Less([a, b]) => {
                let [low, high] = [a, b].map(|v| self.given.function_of(v));
                match low.zip(high).and_then(|(low, high)| high.minus(&low)?.plus_constant(-1)) {
                    Some(room) => vec![room],
                    None => {
                        found.less.push((kind, [a, b]));
                        return Some(());
                    }
                }
            }
            Predicate::AtLeastZero { .. } => assumption.ways(self.given.nest),
        };
        if any.iter().any(is_certain) {
            return Some(());
        }
        let may_hold = |f: &Affine| f.as_constant().is_none() && is_known(self.given.nest, self.given.symbols, f);
        let mut any: Vec<Affine> = any.iter().filter(|f| may_hold(f)).map(Affine::reduced).collect();
        keep_largest(&mut any);
        if any.is_empty() {
            return None;
        }
        if found.clauses.iter().all(|other| other.any != any) {
            found.clauses.push(Clause { kind, any });
        }
        Some(())
    }

    /// The clauses that neither what is known nor the others imply, each without what never decides.
    fn needed(&mut self, mut clauses: Vec<(usize, Clause)>) -> Vec<(usize, Clause)> {
        clauses.sort_by_key(|(_, clause)| clause.cost());
        let mut kept: Vec<(usize, Clause)> = Vec::with_capacity(clauses.len());
        while let Some((n, clause)) = clauses.pop() {
            let others = clauses.iter().chain(&kept).filter_map(|(_, other)| other.single());
            let given: Vec<&Affine> = self.known.iter().chain(others).collect();
            kept.extend(without_implied(clause, &given, &mut self.work).map(|clause| (n, clause)));
        }
        kept
    }

    /// The ints of which it has to be asked whether they are small; all are known to be from there on.
    fn small(&mut self) -> Vec<(ValueId, bool)> {
        let symbols = self.given.symbols;
        let mut sized: Vec<(ValueId, Variable)> = symbols.iter().map(|(variable, value)| (*value, *variable)).collect();
        sized.sort_unstable();
        let sides = |variable: Variable| [1, -1].map(|sign| Affine::sum(LARGE - i64::from(sign < 0), &[(variable, sign)]));
        let bounds: Vec<Vec<Affine>> = sized.iter().map(|(_, v)| sides(*v).into_iter().flatten().collect()).collect();
        let mut is_asked = vec![true; sized.len()];
        for n in 0..sized.len() {
            let others = (0..sized.len()).filter(|other| *other != n && is_asked[*other]).flat_map(|n| &bounds[n]);
            let given: Vec<&Affine> = self.known.iter().chain(others).collect();
            is_asked[n] = !bounds[n].iter().all(|side| follows(side, &given, &mut self.work));
        }
        let known: Vec<&Affine> = self.known.iter().collect();
        let asked = sized.iter().zip(is_asked).filter(|(_, is_asked)| *is_asked).map(|(of, _)| *of);
        let small = asked.map(|(value, v)| (value, follows(&Affine::from(v), &known, &mut self.work))).collect();
        self.known.extend(bounds.into_iter().flatten());
        small
    }
}

/// A clause without functions that are never at least 0, or only where another one is; `None` if one of them always is.
fn without_implied(mut clause: Clause, given: &[&Affine], work: &mut Work) -> Option<Clause> {
    if clause.any.iter().any(|f| follows(f, given, work)) {
        return None;
    }
    let mut n = 0;
    while n < clause.any.len() && clause.any.len() > 1 {
        let own = clause.any.remove(n);
        let with_own: Vec<&Affine> = given.iter().copied().chain([&own]).collect();
        let is_implying = clause.any.iter().any(|other| follows(other, &with_own, work));
        if !is_implying && !is_never(&own, given, work) {
            clause.any.insert(n, own);
            n += 1;
        }
    }
    Some(clause)
}

#[cfg(test)]
mod tests;
