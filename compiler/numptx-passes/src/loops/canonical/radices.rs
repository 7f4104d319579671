//! Indices as numbers of several digits: `(i * m + j) * k + l` has the digits `i`, `j` and `l`, of which the last lies below `k`, and the one before below `m`.
//!
//! In: all indices of an array's axis, as polynomials. Out: by what the axis is divided into rows, and rows into rows; the digits of each index. That
//! digits lie in their ranges is for the caller to see to. This is delinearisation: Grosser, Ramanujam, Pouchet, Sadayappan and Pop, ICS 2015.

use numptx_ir::array::ValueId;

use crate::loops::canonical::polynomials::Polynomial;

/// How many of the digit on its right a digit stands for: a number, multiplied by ints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Radix {
    pub number: i64,
    pub factors: Vec<ValueId>,
}

/// A digit: a sum of ints, each multiplied by a number, and a number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Digit {
    pub terms: Vec<(ValueId, i64)>,
    pub number: i64,
}

/// The radices of an axis, from the right to the left; the leftmost digit has none.
#[derive(Clone, Debug)]
pub(crate) struct Radices {
    /// What each digit but the rightmost one is multiplied by.
    pub weights: Vec<Radix>,
    pub radices: Vec<Radix>,
}

impl Radices {
    /// Those by which all of these indices have digits. `is_fixed`: whether an int is the same in all iterations.
    pub(crate) fn of(indices: &[Polynomial], is_fixed: &dyn Fn(ValueId) -> bool) -> Option<Radices> {
        let fixed = |factors: &[ValueId]| factors.iter().copied().filter(|v| is_fixed(*v)).collect::<Vec<_>>();
        let terms = || indices.iter().flat_map(Polynomial::terms);
        let mut levels: Vec<Vec<ValueId>> = Vec::new();
        for (factors, _) in terms() {
            let own = fixed(factors);
            if !own.is_empty() && own.len() < factors.len() && !levels.contains(&own) {
                levels.push(own);
            }
        }
        levels.sort_by_key(Vec::len);
        let mut weights = Vec::new();
        for level in levels {
            let above = terms().filter(|(factors, _)| without(&fixed(factors), &level).is_some());
            let number = above.fold(0, |all, (_, number)| greatest_common_divisor(all, number));
            weights.push(Radix { number: i64::try_from(number).ok()?, factors: level });
        }
        let mut radices = Vec::new();
        let mut right = Radix { number: 1, factors: Vec::new() };
        for weight in &weights {
            let factors = without(&weight.factors, &right.factors).filter(|factors| !factors.is_empty())?;
            // What divides more divides less.
            radices.push(Radix { number: weight.number / right.number, factors });
            if weight.number % right.number != 0 {
                return None;
            }
            right = weight.clone();
        }
        (!radices.is_empty()).then_some(Radices { weights, radices })
    }

    /// The digits of an index, from the right to the left.
    pub(crate) fn digits(&self, index: &Polynomial) -> Option<Vec<Digit>> {
        let mut digits = vec![Digit::default(); self.weights.len() + 1];
        for (factors, number) in index.terms() {
            let rest = |weight: &Radix| {
                let rest = without(factors, &weight.factors)?;
                (number % weight.number == 0).then(|| (rest, number / weight.number))
            };
            let found = self.weights.iter().enumerate().rev().find_map(|(n, weight)| Some((n + 1, rest(weight)?)));
            let (at, (rest, number)) = found.unwrap_or_else(|| (0, (factors.clone(), number)));
            match rest.as_slice() {
                [] => digits[at].number = digits[at].number.checked_add(number)?,
                [value] => digits[at].terms.push((*value, number)),
                _ => return None,
            }
        }
        Some(digits)
    }
}

/// Factors without others; `None` if not all of these are among them.
fn without(factors: &[ValueId], others: &[ValueId]) -> Option<Vec<ValueId>> {
    let mut rest = factors.to_vec();
    for other in others {
        rest.remove(rest.iter().position(|factor| factor == other)?);
    }
    Some(rest)
}

/// Factors but for those among others.
pub(crate) fn rest(factors: &[ValueId], others: &[ValueId]) -> Vec<ValueId> {
    let mut others = others.to_vec();
    let mut rest = factors.to_vec();
    rest.retain(|factor| match others.iter().position(|other| other == factor) {
        Some(at) => {
            others.swap_remove(at);
            false
        }
        None => true,
    });
    rest
}

fn greatest_common_divisor(a: u64, b: i64) -> u64 {
    let (mut a, mut b) = (a, b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
