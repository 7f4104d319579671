//! Affine functions of loop indices and run-time integers, with checked arithmetic.
//!
//! In: variables, factors, other functions. Out: a function in one form, so that equal functions compare equal, or nothing where a number
//! overflows. Does not know what values a variable takes: see `nest`.

use std::fmt;

/// The index of a loop of one nest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoopId(pub(crate) u32);

/// An integer that the compiler does not know: an extent, a parameter, a bound that is not affine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub(crate) u32);

/// What an affine function is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variable {
    /// The value of a loop's index, not the number of its iteration.
    Index(LoopId),
    /// A run-time integer.
    Symbol(Symbol),
}

/// `constant + Σ coefficient · variable`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Affine {
    constant: i64,
    /// By variable, no coefficient 0.
    terms: Vec<(Variable, i64)>,
}

impl Affine {
    /// A function of nothing.
    #[must_use]
    pub fn constant(value: i64) -> Self {
        Self { constant: value, terms: Vec::new() }
    }

    /// `constant + Σ coefficient · variable`; a variable may occur twice. `None` where a sum overflows.
    #[must_use]
    pub fn sum(constant: i64, terms: &[(Variable, i64)]) -> Option<Self> {
        let start = Some(Self::constant(constant));
        terms.iter().fold(start, |sum, &(variable, factor)| sum?.plus(&Self::from(variable).times(factor)?))
    }

    /// The part that no variable changes.
    #[must_use]
    pub fn constant_part(&self) -> i64 {
        self.constant
    }

    /// The variables and their coefficients, by variable; no coefficient is 0.
    #[must_use]
    pub fn terms(&self) -> &[(Variable, i64)] {
        &self.terms
    }

    /// The value, if it depends on nothing.
    #[must_use]
    pub fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The sum, unless it overflows.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Option<Self> {
        let constant = self.constant.checked_add(other.constant)?;
        let mut terms = self.terms.clone();
        for &(variable, factor) in &other.terms {
            match terms.binary_search_by_key(&variable, |term| term.0) {
                Ok(at) => terms[at].1 = terms[at].1.checked_add(factor)?,
                Err(at) => terms.insert(at, (variable, factor)),
            }
        }
        terms.retain(|term| term.1 != 0);
        Some(Self { constant, terms })
    }

    /// The difference, unless it overflows.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Option<Self> {
        self.plus(&other.times(-1)?)
    }

    /// The sum with a number, unless it overflows.
    #[must_use]
    pub fn plus_constant(&self, value: i64) -> Option<Self> {
        self.plus(&Self::constant(value))
    }

    /// The product with a number, unless it overflows.
    #[must_use]
    pub fn times(&self, factor: i64) -> Option<Self> {
        if factor == 0 {
            return Some(Self::default());
        }
        let constant = self.constant.checked_mul(factor)?;
        let terms = self.terms.iter().map(|&(v, c)| Some((v, c.checked_mul(factor)?))).collect::<Option<Vec<_>>>()?;
        Some(Self { constant, terms })
    }

    /// The function with another in the place of a variable, unless it overflows.
    #[must_use]
    pub fn with(&self, variable: Variable, value: &Self) -> Option<Self> {
        let Ok(at) = self.terms.binary_search_by_key(&variable, |term| term.0) else { return Some(self.clone()) };
        let mut rest = self.clone();
        let (_, factor) = rest.terms.remove(at);
        rest.plus(&value.times(factor)?)
    }

    /// A function that is at least 0 where this one is, and nowhere else, in smaller numbers.
    #[must_use]
    pub fn reduced(&self) -> Self {
        let divisor =
            self.terms.iter().fold(0, |divisor, term| greatest_common_divisor(divisor, term.1.unsigned_abs()));
        let Some(divisor) = i64::try_from(divisor).ok().filter(|divisor| *divisor > 1) else { return self.clone() };
        let terms = self.terms.iter().map(|&(v, c)| (v, c / divisor)).collect();
        Self { constant: self.constant.div_euclid(divisor), terms }
    }
}

/// Of any two numbers; of 0 and another one it is that.
pub(crate) fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

impl From<Variable> for Affine {
    fn from(variable: Variable) -> Self {
        Self { constant: 0, terms: vec![(variable, 1)] }
    }
}

impl From<LoopId> for Affine {
    fn from(index: LoopId) -> Self {
        Self::from(Variable::Index(index))
    }
}

impl From<Symbol> for Affine {
    fn from(symbol: Symbol) -> Self {
        Self::from(Variable::Symbol(symbol))
    }
}

impl fmt::Display for Affine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, &(variable, factor)) in self.terms.iter().enumerate() {
            let sign = if n == 0 { "" } else { " + " };
            match variable {
                Variable::Index(LoopId(id)) => write!(f, "{sign}{factor}·i{id}")?,
                Variable::Symbol(Symbol(id)) => write!(f, "{sign}{factor}·s{id}")?,
            }
        }
        match (self.terms.is_empty(), self.constant) {
            (true, value) => write!(f, "{value}"),
            (false, 0) => Ok(()),
            (false, value) => write!(f, " + {value}"),
        }
    }
}
