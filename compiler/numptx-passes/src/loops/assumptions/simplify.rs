//! Conjunctions of assumptions without what the rest of them implies.
//!
//! In: what a version of a loop assumes, and what is known of the ints that it captures. Out: a [`Conjunction`], from which the guard is made. What is
//! left out holds wherever the rest does:
//!
//! - Comparisons that overflow for no ints at all come first. They imply one another, and that ints are small.
//! - Then all ints are small, and nothing overflows. Of the other comparisons those are left out that anything before, or one another, implies.

use std::collections::{HashMap, HashSet};

use numptx_ir::array::ValueId;
use numptx_ir::scalar::{Constant, ScalarOp};

use crate::analysis::ranges::{Ranges, narrowed, plus, times};
use crate::analysis::truths::Truths;
use crate::loops::assumptions::guards::SMALL_INT;
use crate::loops::assumptions::kinds::{Assumption, Kind, Predicate, is_known};
use crate::loops::dependence::{Affine, Nest, Variable, Work, follows, is_never};
use crate::loops::schedule::least::{is_certain, keep_largest};

/// What a clause tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// One of these functions of symbols is at least 0. Not empty; each is one comparison: see [`sides`].
    Any(Vec<Affine>),
    /// A truth value that is computed already, and what it says: in one of several cases all of some functions are at least 0. Of a case of which
    /// nothing is known there is `None`.
    Truth(ValueId, Vec<Option<Vec<Affine>>>),
}

/// Something that has to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// What for.
    pub kind: Kind,
    /// What.
    pub test: Test,
}

impl Clause {
    /// What is at least 0 where it holds.
    fn says(&self) -> &[Affine] {
        match &self.test {
            Test::Any(any) if any.len() == 1 => any,
            Test::Truth(_, cases) => match cases.as_slice() {
                [Some(all)] => all,
                _ => &[],
            },
            Test::Any(_) => &[],
        }
    }

    /// What costs more is left out first. That two ints are equal says more than that one is not less.
    fn cost(&self) -> usize {
        let of = |f: &Affine| 2 * f.terms().len() + usize::from(!matches!(f.constant_part(), -1 | 0));
        match &self.test {
            Test::Any(any) => any.iter().map(of).sum(),
            Test::Truth(_, cases) => match cases.as_slice() {
                [Some(all)] => all.first().map_or(0, of).saturating_sub(usize::from(all.len() > 1)),
                _ => usize::MAX,
            },
        }
    }
}

/// What a guard asks.
#[derive(Clone, Debug, Default)]
pub struct Conjunction {
    /// All of these hold.
    pub clauses: Vec<Clause>,
    /// Ints that are less than [`SMALL_INT`], and as far from 0 at most; whether they are known not to be negative.
    pub small: Vec<(ValueId, bool)>,
}

/// What is known where a guard is made.
pub struct Given<'g> {
    /// The loops.
    pub nest: &'g Nest,
    /// What symbols stand for.
    pub symbols: &'g HashMap<Variable, ValueId>,
    /// Scalars that are constants.
    pub constants: &'g HashMap<ValueId, Constant>,
    /// What ints are sums of.
    pub sums: &'g HashMap<ValueId, (ScalarOp, [ValueId; 2])>,
    /// Between what ints lie.
    pub ranges: &'g Ranges,
    /// How truth values are made.
    pub truths: &'g Truths,
}

impl Conjunction {
    /// Of all assumptions of a version; `None` if one of them cannot be computed before the loop, or is seen to be false.
    pub fn of(assumptions: &[Assumption], given: &Given<'_>) -> Option<Self> {
        let mut simplifier = Simplifier::new(given);
        for assumption in assumptions {
            simplifier.add(assumption)?;
        }
        simplifier.compare_extremes();
        let clauses = std::mem::take(&mut simplifier.clauses).into_iter().enumerate();
        let (exact, others) = clauses.partition(|(_, clause)| simplifier.is_exact(clause));
        let exact = simplifier.needed(exact);
        simplifier.known.extend(exact.iter().flat_map(|(_, clause)| clause.says()).cloned());
        let small = simplifier.small();
        let mut needed = [exact, simplifier.needed(others)].concat();
        needed.sort_by_key(|(n, _)| *n);
        Some(Conjunction { clauses: needed.into_iter().map(|(_, clause)| clause).collect(), small })
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
    /// Ints as variables: symbols, and ints of truth values.
    names: HashMap<ValueId, Variable>,
    /// Between what variables lie.
    ranges: HashMap<Variable, [i64; 2]>,
    /// Truth values that compare sums of symbols which may wrap where these are not small.
    of_sums: HashSet<ValueId>,
    /// What is at least 0, and computed without overflow.
    known: Vec<Affine>,
    clauses: Vec<Clause>,
}

impl<'s> Simplifier<'s> {
    fn new(given: &'s Given<'s>) -> Self {
        let (names, ranges, of_sums) = (HashMap::new(), HashMap::new(), HashSet::new());
        let (known, clauses, work) = (Vec::new(), Vec::new(), Work::of(given.nest));
        let mut new = Simplifier { given, work, names, ranges, of_sums, known, clauses };
        let symbols = new.sorted_symbols();
        symbols.iter().for_each(|(value, variable)| new.name(*value, *variable));
        for (value, variable) in symbols {
            let sum = new.sum(value).filter(|(_, is_exact)| *is_exact);
            new.known.extend(sum.into_iter().flat_map(|(sum, _)| equal(variable, &sum)));
        }
        new
    }

    fn sorted_symbols(&self) -> Vec<(ValueId, Variable)> {
        let mut symbols: Vec<_> = self.given.symbols.iter().map(|(variable, value)| (*value, *variable)).collect();
        symbols.sort_unstable();
        symbols
    }

    /// An int is a variable, which lies in a range.
    fn name(&mut self, value: ValueId, variable: Variable) {
        let (itself, [low, high]) = (Affine::from(variable), self.given.ranges.get(value));
        let above = low.checked_neg().and_then(|low| itself.plus_constant(low));
        let below = itself.times(-1).filter(|_| high < i64::MAX).and_then(|minus| minus.plus_constant(high));
        self.known.extend(above.into_iter().chain(below));
        self.names.insert(value, variable);
        self.ranges.insert(variable, [low, high]);
    }

    /// The least of two ints is not more than either, the largest not less.
    fn compare_extremes(&mut self) {
        let mut names: Vec<_> = self.names.iter().map(|(value, variable)| (*value, *variable)).collect();
        names.sort_unstable();
        for (value, variable) in names {
            let (sign, of) = match self.given.truths.get(value) {
                Some((ScalarOp::Min, of)) => (1, of),
                Some((ScalarOp::Max, of)) => (-1, of),
                _ => continue,
            };
            let beyond =
                of.into_iter().filter_map(|v| self.function_of(v)?.minus(&Affine::from(variable))?.times(sign));
            self.known.extend(beyond.collect::<Vec<_>>());
        }
    }

    /// An int as a function of variables, if it has a name.
    fn function_of(&self, value: ValueId) -> Option<Affine> {
        let constant = self.given.constants.get(&value).and_then(|constant| constant.as_int()).map(Affine::constant);
        constant.or_else(|| self.names.get(&value).copied().map(Affine::from))
    }

    /// An int that a truth value is of, as a function of variables.
    fn named(&mut self, value: ValueId, of: ValueId) -> Affine {
        if let Some(function) = self.function_of(value) {
            return function;
        }
        let is_symbol = |(variable, _): &(Variable, i64)| self.given.symbols.contains_key(variable);
        if let Some((sum, is_exact)) = self.sum(value).filter(|(sum, _)| sum.terms().iter().all(is_symbol)) {
            self.of_sums.extend((!is_exact).then_some(of));
            return sum;
        }
        let variable = Variable::Symbol(self.given.nest.other_symbol(self.names.len()));
        self.name(value, variable);
        Affine::from(variable)
    }

    /// What an int is the sum of, and whether that wraps for none of them.
    fn sum(&self, value: ValueId) -> Option<(Affine, bool)> {
        let (op, operands) = self.given.sums.get(&value)?;
        let sign = match op {
            ScalarOp::Add => 1,
            ScalarOp::Sub => -1,
            _ => return None,
        };
        let [a, b] = operands.map(|v| self.given.ranges.get(v).map(i128::from));
        let is_exact = narrowed(plus(a, times(b, [sign.into(); 2]))).is_some();
        let [a, b] = operands.map(|v| self.function_of(v));
        Some((a?.plus(&b?.times(sign)?)?, is_exact))
    }

    /// Whether a test is right for all ints that there may be.
    fn is_exact(&self, clause: &Clause) -> bool {
        let any = match &clause.test {
            Test::Truth(value, _) => return !self.of_sums.contains(value),
            Test::Any(any) => any,
        };
        let does_fit = |side: &Affine| {
            let mut sum = [0, 0];
            for (variable, factor) in side.terms() {
                let of = self.ranges.get(variable).copied().unwrap_or([i64::MIN, i64::MAX]).map(i128::from);
                let term = times(of, [i128::from(*factor); 2]);
                sum = plus(sum, term);
                if narrowed(term).and(narrowed(sum)).is_none() {
                    return false;
                }
            }
            narrowed(plus(sum, [i128::from(side.constant_part()); 2])).is_some()
        };
        let is_exact = |f: &Affine| sides(f).is_some_and(|(left, _, right)| does_fit(&left) && does_fit(&right));
        any.len() == 1 && any.iter().all(is_exact)
    }

    fn add(&mut self, assumption: &Assumption) -> Option<()> {
        let any = match assumption.predicate {
            Predicate::Holds(value) => {
                self.add_truth(assumption.kind, value);
                return Some(());
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
        self.push(Clause { kind: assumption.kind, test: Test::Any(any) });
        Some(())
    }

    fn push(&mut self, clause: Clause) {
        if self.clauses.iter().all(|other| other.test != clause.test) {
            self.clauses.push(clause);
        }
    }

    /// A truth value holds: both of which it is made, if it is.
    fn add_truth(&mut self, kind: Kind, value: ValueId) {
        let given = self.given;
        if given.constants.get(&value) == Some(&Constant::Bool(true)) {
            return;
        }
        match given.truths.get(value) {
            Some((ScalarOp::BitAnd, both)) => both.into_iter().for_each(|v| self.add_truth(kind, v)),
            _ => {
                let mut cases = Vec::new();
                self.add_cases(value, value, &mut cases);
                self.push(Clause { kind, test: Test::Truth(value, cases) });
            }
        }
    }

    /// What is at least 0 in each of the cases in which a truth value holds. `of`: what it is a part of, or itself.
    fn add_cases(&mut self, value: ValueId, of: ValueId, cases: &mut Vec<Option<Vec<Affine>>>) {
        let Some((op, [a, b])) = self.given.truths.get(value) else { return cases.push(None) };
        if op == ScalarOp::BitOr {
            [a, b].into_iter().for_each(|v| self.add_cases(v, of, cases));
            return;
        }
        if op == ScalarOp::BitAnd {
            return cases.push(None);
        }
        let [a, b] = [a, b].map(|v| self.named(v, of));
        let [less, more] = [b.minus(&a), a.minus(&b)];
        let above = |room: Option<Affine>| room.and_then(|room| room.plus_constant(-1));
        let all = match op {
            ScalarOp::Lt => vec![above(less)],
            ScalarOp::Le => vec![less],
            ScalarOp::Gt => vec![above(more)],
            ScalarOp::Ge => vec![more],
            _ => vec![less, more],
        };
        cases.push(all.into_iter().collect());
    }

    /// The clauses that neither what is known nor the others imply, each without what never decides.
    fn needed(&mut self, mut clauses: Vec<(usize, Clause)>) -> Vec<(usize, Clause)> {
        clauses.sort_by_key(|(_, clause)| clause.cost());
        let mut kept: Vec<(usize, Clause)> = Vec::with_capacity(clauses.len());
        while let Some((n, clause)) = clauses.pop() {
            let others = clauses.iter().chain(&kept).flat_map(|(_, other)| other.says());
            let given: Vec<&Affine> = self.known.iter().chain(others).collect();
            kept.extend(without_implied(clause, &given, &mut self.work).map(|clause| (n, clause)));
        }
        kept
    }

    /// The ints of which it has to be asked whether they are small; all are known to be from there on, and their sums not to wrap.
    fn small(&mut self) -> Vec<(ValueId, bool)> {
        let mut symbols = self.sorted_symbols();
        let sums = self.sums_of_small(&mut symbols);
        let bounds: Vec<Vec<Affine>> = symbols.iter().map(|(_, v)| not_far(*v)).collect();
        let mut is_asked = vec![true; symbols.len()];
        for n in 0..symbols.len() {
            let others = (0..symbols.len()).filter(|other| *other != n && is_asked[*other]).flat_map(|n| &bounds[n]);
            let given: Vec<&Affine> = self.known.iter().chain(others).collect();
            is_asked[n] = !bounds[n].iter().all(|side| follows(side, &given, &mut self.work));
        }
        let known: Vec<&Affine> = self.known.iter().collect();
        let asked = symbols.iter().zip(is_asked).filter(|(_, is_asked)| *is_asked).map(|(of, _)| *of);
        let small = asked.map(|(value, v)| (value, follows(&Affine::from(v), &known, &mut self.work))).collect();
        self.known.extend(bounds.into_iter().flatten().chain(sums));
        small
    }

    /// Takes the sums of two others, or of one and a number, from ints that have to be small. They are less than `LARGE` where these are small.
    /// Returns what the sums are.
    fn sums_of_small(&self, symbols: &mut Vec<(ValueId, Variable)>) -> Vec<Affine> {
        let (mut taken, mut kept, mut known) = (HashSet::new(), HashSet::new(), Vec::new());
        let all: HashSet<Variable> = symbols.iter().map(|(_, variable)| *variable).collect();
        symbols.retain(|(value, variable)| {
            let is_of_small = |sum: &Affine| {
                let is_small = |(v, _): &(Variable, i64)| v != variable && all.contains(v) && !taken.contains(v);
                sum.constant_part().unsigned_abs() <= SMALL_INT.unsigned_abs() && sum.terms().iter().all(is_small)
            };
            let sum = self.sum(*value).filter(|(sum, _)| is_of_small(sum) && !kept.contains(variable));
            let Some((sum, _)) = sum else { return true };
            taken.insert(*variable);
            kept.extend(sum.terms().iter().map(|(v, _)| *v));
            known.extend(equal(*variable, &sum));
            false
        });
        known
    }
}

/// That a variable is what a function is.
fn equal(variable: Variable, function: &Affine) -> Vec<Affine> {
    let difference = Affine::from(variable).minus(function);
    [1, -1].into_iter().filter_map(|sign| difference.as_ref()?.times(sign)).collect()
}

/// That a variable is small.
fn not_far(variable: Variable) -> Vec<Affine> {
    let sides = [(SMALL_INT, 1), (SMALL_INT - 1, -1)];
    sides.into_iter().filter_map(|(constant, sign)| Affine::sum(constant, &[(variable, sign)])).collect()
}

/// A clause without functions that are never at least 0, or only where another one is; `None` if it always holds.
fn without_implied(mut clause: Clause, given: &[&Affine], work: &mut Work) -> Option<Clause> {
    let any = match &mut clause.test {
        Test::Any(any) => any,
        Test::Truth(_, cases) => {
            let mut known = cases.iter().flatten();
            return (!known.any(|all| all.iter().all(|f| follows(f, given, work)))).then_some(clause);
        }
    };
    if any.iter().any(|f| follows(f, given, work)) {
        return None;
    }
    let mut n = 0;
    while n < any.len() && any.len() > 1 {
        let own = any.remove(n);
        let with_own: Vec<&Affine> = given.iter().copied().chain([&own]).collect();
        let is_implying = any.iter().any(|other| follows(other, &with_own, work));
        if !is_implying && !is_never(&own, given, work) {
            any.insert(n, own);
            n += 1;
        }
    }
    Some(clause)
}

#[cfg(test)]
mod tests;
