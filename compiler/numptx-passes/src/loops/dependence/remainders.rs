//! Indices that are remainders, and such that are made of elements: what is added to the system of two accesses.
//!
//! In: the system of two accesses with all that is affine in it. Out: the same with what remainders are, and with equations between numbers whose
//! remainders are equal, and between elements whose indices are. Each equation follows from what was there before, so that no solution is lost.

use std::collections::BTreeSet;

use crate::loops::dependence::affine::{Affine, Symbol, Variable};
use crate::loops::dependence::found::Solutions;
use crate::loops::dependence::instances::{Instances, Key, Side};
use crate::loops::dependence::nest::Subscript;
use crate::loops::dependence::system::{Row, Work};

impl<'n> Instances<'n> {
    /// What remainders are, of those that are spoken of, and of those in what they are of.
    pub(crate) fn state_remainders(&mut self) -> Option<()> {
        let mut stated = BTreeSet::new();
        loop {
            let is_new = |key: &Key| match key.1 {
                Variable::Symbol(symbol) => self.nest.remainder(symbol).is_some() && !stated.contains(key),
                Variable::Index(_) => false,
            };
            let Some(key) = self.columns.keys().copied().find(is_new) else { return Some(()) };
            stated.insert(key);
            let Variable::Symbol(symbol) = key.1 else { continue };
            let Some([of, by]) = self.nest.remainder(symbol) else { continue };
            let side = key.0.unwrap_or(Side::First);
            // What an access outside of a loop is told nothing of.
            let around = self.nest.chain(self.access(side).within);
            if self.nest.varies_in(symbol).is_some_and(|l| !around.contains(&l)) {
                continue;
            }
            let (remainder, of, divisor) = (self.symbol(side, symbol), self.row(side, of)?, self.row(side, by)?);
            self.system.add_inequality(remainder.clone());
            self.system.add_inequality(divisor.minus(&remainder)?.plus(-1, &Row::constant(1))?);
            if let Some(by) = by.as_constant() {
                let quotient = Row::column(self.system.add_column());
                self.system.add_equation(of.minus(&remainder)?.plus(-by, &quotient)?);
            }
        }
    }

    /// Where two indices are remainders by the same run-time integer, of numbers that always differ by less: these are equal where the indices are.
    pub(crate) fn state_equal_remainders(&mut self, pair: (&Subscript, &Subscript), work: &mut Work) -> Option<()> {
        let (Subscript::Index(a), Subscript::Index(b)) = pair else { return Some(()) };
        let (Some([of, by]), Some([other_of, other_by])) = (self.remainder_in(a), self.remainder_in(b)) else {
            return Some(());
        };
        let is_fixed = by.terms().iter().all(|(variable, _)| match variable {
            Variable::Index(of) => self.same.contains(of),
            Variable::Symbol(symbol) => self.owner(Side::First, self.nest.varies_in(*symbol)).is_none(),
        });
        if by != other_by || by.as_constant().is_some() || a.constant_part() != b.constant_part() || !is_fixed {
            return Some(());
        }
        let difference = self.row(Side::First, of)?.minus(&self.row(Side::Second, other_of)?)?;
        let by = self.row(Side::First, by)?;
        if self.is_less(&difference, &by, work)? {
            self.system.add_equation(difference);
        }
        Some(())
    }

    /// Whether a difference is less than this, whatever its sign, in all solutions so far.
    fn is_less(&self, difference: &Row, than: &Row, work: &mut Work) -> Option<bool> {
        for sign in [1, -1] {
            let mut apart = self.system.clone();
            apart.add_inequality(Row::default().plus(sign, difference)?.minus(than)?);
            if apart.solve(work) != Solutions::Never {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Where two indices are made of elements of one array that nothing writes, whose own indices are equal in all solutions so far: they are the same.
    pub(crate) fn state_equal_elements(&mut self, pair: (&Subscript, &Subscript), work: &mut Work) -> Option<()> {
        let (Subscript::Index(a), Subscript::Index(b)) = pair else { return Some(()) };
        for symbol in self.elements_in(a) {
            for other in self.elements_in(b) {
                self.state_equal_element([symbol, other], work)?;
            }
        }
        Some(())
    }

    fn state_equal_element(&mut self, [symbol, other]: [Symbol; 2], work: &mut Work) -> Option<()> {
        let nest = self.nest;
        let (Some((array, at)), Some((other_array, other_at))) = (nest.element(symbol), nest.element(other)) else {
            return Some(());
        };
        let (first, second) = (self.symbol(Side::First, symbol), self.symbol(Side::Second, other));
        if array != other_array || at.len() != other_at.len() || first == second {
            return Some(());
        }
        for (index, other) in at.iter().zip(other_at) {
            let difference = self.row(Side::First, index)?.minus(&self.row(Side::Second, other)?)?;
            if !self.is_less(&difference, &Row::constant(1), work)? {
                return Some(());
            }
        }
        self.system.add_equation(first.minus(&second)?);
        Some(())
    }

    /// The elements that an index is made of, or what it is a remainder of.
    fn elements_in(&self, index: &Affine) -> Vec<Symbol> {
        let of = self.remainder_in(index).map_or(index, |[of, _]| of);
        let symbol = |(variable, _): &(Variable, i64)| match variable {
            Variable::Symbol(symbol) => self.nest.element(*symbol).map(|_| *symbol),
            Variable::Index(_) => None,
        };
        of.terms().iter().filter_map(symbol).collect()
    }

    /// What an index is the remainder of, but for a constant, and by what it was divided.
    fn remainder_in(&self, index: &Affine) -> Option<&'n [Affine; 2]> {
        match index.terms() {
            [(Variable::Symbol(symbol), 1)] => self.nest.remainder(*symbol),
            _ => None,
        }
    }
}
