//! Indices that go on at the other end, chosen by a condition: `0 if i + 1 == n else i + 1`, `n - 1 if i == 0 else i - 1`.
//!
//! In: the two ints that one is chosen of, and what conditions say in either case; captured ints that are sums, as `n - 1` is. Out: that it is the remainder of
//! one of them, by an int that this one never lies farther beyond than once. It is what `%` gives, so that the dependence analysis sees no difference between
//! both.

use numptx_ir::DType;
use numptx_ir::array::ValueId;

use crate::loops::assumptions::guards::is_small;
use crate::loops::dependence::{Affine, Symbol, Variable};
use crate::loops::nest::affine_ops::affine_of;
use crate::loops::nest::conditions::Condition;
use crate::loops::nest::scope::Sums;
use crate::loops::nest::translator::Translator;
use crate::loops::schedule::least::{is_certain, ways};

/// What an int is in one of two cases, what is at least 0 there, and what is not 0.
struct Case {
    value: Affine,
    guards: Vec<Affine>,
    distinct: Vec<Affine>,
}

impl Translator<'_> {
    /// Notes what captured sums are of what else is captured. That is small where the loop's condition holds, so that they do not wrap.
    pub(crate) fn note_sums(&mut self, scalars: &[ValueId], sums: &Sums) {
        for value in scalars {
            let Some((op, [a, b])) = sums.get(value) else { continue };
            let (Ok(own), Ok(a), Ok(b)) = (self.scalar(*value), self.scalar(*a), self.scalar(*b)) else { continue };
            if let Some(([(variable, 1)], 0)) = own.affine.as_ref().map(|own| (own.terms(), own.constant_part()))
                && let Some(sum) = affine_of(*op, DType::I64, &[a, b]).filter(is_small)
            {
                self.captured_sums.insert(*variable, sum);
            }
        }
    }

    /// Whether an int, which is the first one where a condition holds and else the second one, is a remainder: it is noted as one then.
    pub(crate) fn wrapped(&mut self, symbol: Symbol, condition: &Condition, [then, otherwise]: [&Affine; 2]) -> bool {
        let then = self.case(then, &condition.holds, &condition.distinct);
        let otherwise = self.case(otherwise, &condition.fails, &condition.fails_distinct);
        let both = [[&then, &otherwise], [&otherwise, &then]];
        let found = both.into_iter().find_map(|[turned, kept]| {
            let mut divisors = divisors(turned, kept);
            divisors.retain(|by| by.terms().iter().all(|(variable, _)| self.is_fixed(*variable)));
            let by = divisors.into_iter().find(|by| self.is_remainder(turned, kept, by))?;
            Some((kept.value.clone(), by))
        });
        let Some((of, by)) = found else { return false };
        let itself = Affine::from(symbol);
        let Some(below) = room(&itself, &by) else { return false };
        self.facts.insert(Variable::Symbol(symbol), vec![itself, below]);
        self.sized(Variable::Symbol(symbol), std::iter::once(&by));
        self.nest.add_remainder(symbol, of, by);
        true
    }

    /// A case, with captured sums as what they are of.
    fn case(&self, value: &Affine, guards: &[Affine], distinct: &[Affine]) -> Case {
        let sums = |of: &Affine| {
            let summed = |of: Affine, (variable, _): &(Variable, i64)| match self.captured_sums.get(variable) {
                Some(sum) => of.with(*variable, sum).unwrap_or(of),
                None => of,
            };
            of.terms().iter().fold(of.clone(), summed)
        };
        let all = |of: &[Affine]| of.iter().map(sums).collect();
        Case { value: sums(value), guards: all(guards), distinct: all(distinct) }
    }

    /// Whether a variable is the same in all iterations.
    fn is_fixed(&self, variable: Variable) -> bool {
        match variable {
            Variable::Symbol(symbol) => self.nest.varies_in(symbol).is_none(),
            Variable::Index(_) => false,
        }
    }

    /// Whether one value is in its range where it is kept, and the other one there, too, and as much before or behind the first one, where that is turned.
    fn is_remainder(&self, turned: &Case, kept: &Case, by: &Affine) -> bool {
        let is_in_range = |case: &Case| {
            let below = room(&case.value, by);
            self.is_at_least_0(&case.value, case) && below.is_some_and(|below| self.is_at_least_0(&below, case))
        };
        let is_0 = |function: Affine| {
            self.is_at_least_0(&function, turned) && function.times(-1).is_some_and(|f| self.is_at_least_0(&f, turned))
        };
        let is_apart = |sign: i64| {
            let distance = turned.value.minus(&kept.value).and_then(|distance| distance.minus(&by.times(sign)?));
            distance.is_some_and(is_0)
        };
        is_in_range(kept) && is_in_range(turned) && (is_apart(-1) || is_apart(1))
    }

    /// Whether a function is at least 0 in a case: as it is, or because it is at least -1 and that is excluded.
    fn is_at_least_0(&self, function: &Affine, case: &Case) -> bool {
        let guards = [self.guards.as_slice(), &case.guards].concat();
        let is_known = |function: &Affine| {
            is_small(function) && ways(&self.nest, function, self.within, &guards).iter().any(is_certain)
        };
        let excludes = |next: &Affine| case.distinct.iter().any(|d| d == next || d.times(-1).as_ref() == Some(next));
        is_known(function) || function.plus_constant(1).is_some_and(|next| excludes(&next) && is_known(&next))
    }
}

/// What is at least 0 where a value is less than a divisor.
pub(crate) fn room(value: &Affine, by: &Affine) -> Option<Affine> {
    by.minus(value)?.plus_constant(-1)
}

/// By what one value may be divided that is kept, as the other value and the condition tell.
fn divisors(turned: &Case, kept: &Case) -> Vec<Affine> {
    let mut divisors: Vec<Affine> = Vec::new();
    divisors.extend(turned.value.plus_constant(1));
    divisors.extend(turned.value.minus(&kept.value));
    divisors.extend(kept.value.minus(&turned.value));
    divisors.extend(turned.guards.iter().filter_map(|guard| kept.value.minus(guard)));
    divisors
}
