//! Whether strided arrays share bytes.
//!
//! In: first elements, extents, strides and item sizes. Out: yes or no, exact while the search stays within a bound, and «may» beyond it. It
//! reads no memory. NumPy's `np.shares_memory` answers the same question.
//!
//! An array's bytes are `low + Σ sₖ·iₖ + p` with `0 ≤ iₖ < nₖ`, positive strides (a negative one is walked from its other end) and
//! `0 ≤ p < itemsize`. A byte of one array is a byte of another where two such sums are equal. With the second array's indices counted from their
//! ends, that is one equation `Σ aₖ·uₖ = b` over positive `aₖ` and bounded `uₖ ≥ 0`: a bounded linear Diophantine equation.

use numptx_abi::{Array, MAX_RANK};

use crate::axes::byte_range;
use crate::buffer::Buffer;
use crate::copy::itemsize;
use crate::error::Result;

/// Candidates that are looked at for one question. Views of arrays need a few; what needs more is made to be hard.
const WORK: u32 = 4096;
/// Axes of two arrays, and the bytes of an element.
const MAX_TERMS: usize = 2 * MAX_RANK + 1;

/// An array's place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent<'a> {
    /// Address of element `[0, …, 0]`.
    pub(crate) first: usize,
    /// Extents.
    pub(crate) shape: &'a [i64],
    /// Strides in bytes, one an axis.
    pub(crate) strides: &'a [i64],
    /// Bytes of an element; positive.
    pub(crate) itemsize: i64,
}

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overlap {
    No,
    Yes,
    /// The search was given up.
    May,
}

/// `Σ aₖ·uₖ = b` with `0 ≤ uₖ ≤ most`.
struct Equation {
    terms: [Term; MAX_TERMS],
    n: usize,
}

#[derive(Clone, Copy, Default)]
struct Term {
    /// Positive.
    factor: i128,
    /// The unknown's largest value; positive.
    most: i128,
    /// The largest sum of the terms after this one.
    rest: i128,
    /// The greatest common divisor of their factors; 0 if there are none.
    divisor: i128,
}

impl Extent<'_> {
    /// First byte and the one after the last; equal if there are no elements.
    pub(crate) fn range(&self) -> (usize, usize) {
        let (low, high) = byte_range(self.shape, self.strides, self.itemsize);
        (self.first.wrapping_add_signed(low as isize), self.first.wrapping_add_signed(high as isize))
    }

    /// Whether the two show the same elements at the same indices.
    fn is_same(&self, other: &Extent<'_>) -> bool {
        let mut axes = self.shape.iter().zip(self.strides.iter().zip(other.strides));
        self.first == other.first
            && self.itemsize == other.itemsize
            && self.shape == other.shape
            && axes.all(|(extent, (a, b))| *extent <= 1 || a == b)
    }

    /// Axes with more than one element, as terms of a sum.
    fn steps(&self) -> impl Iterator<Item = (i128, i128)> {
        let axes = self.shape.iter().zip(self.strides).filter(|(extent, _)| **extent > 1);
        axes.map(|(extent, stride)| (i128::from(*stride).abs(), i128::from(*extent) - 1))
    }
}

/// Whether two arrays have a byte in common.
pub(crate) fn share(a: &Extent<'_>, b: &Extent<'_>) -> Overlap {
    share_within(a, b, WORK)
}

fn share_within(a: &Extent<'_>, b: &Extent<'_>, work: u32) -> Overlap {
    let ((a_low, a_high), (b_low, b_high)) = (a.range(), b.range());
    if a_low == a_high || b_low == b_high || a_high <= b_low || b_high <= a_low {
        return Overlap::No;
    }
    let mut equation = Equation::new();
    equation.add(1, i128::from(a.itemsize - 1) + i128::from(b.itemsize - 1));
    a.steps().chain(b.steps()).for_each(|(factor, most)| equation.add(factor, most));
    equation.solve(b_high as i128 - 1 - a_low as i128, work)
}

/// Whether each axis steps over all that the axes after it reach: then no two elements meet. Arrays in C order, and views of them, are so.
fn nests(array: &Extent<'_>) -> bool {
    let mut reach = array.itemsize;
    array.shape.iter().zip(array.strides).rev().filter(|(extent, _)| **extent > 1).all(|(extent, stride)| {
        let step = stride.saturating_abs();
        let nests = step >= reach;
        reach = reach.saturating_add(step.saturating_mul(extent - 1));
        nests
    })
}

/// Whether two indices of an array lead to elements that have a byte in common.
pub(crate) fn overlaps_itself(a: &Extent<'_>) -> Overlap {
    if nests(a) || a.shape.contains(&0) || is_nested(a) {
        return Overlap::No;
    }
    let mut answer = Overlap::No;
    let steps = a.steps().enumerate();
    for (axis, (factor, most)) in steps {
        // Two indices differ first along this axis, where the second one's is larger by `1 + u`; along the axes after it by anything.
        let mut equation = Equation::new();
        equation.add(1, 2 * i128::from(a.itemsize - 1));
        equation.add(factor, most - 1);
        let mut sum = i128::from(a.itemsize - 1) - factor;
        for (factor, most) in a.steps().skip(axis + 1) {
            equation.add(factor, 2 * most);
            sum += factor * most;
        }
        match equation.solve(sum, WORK) {
            Overlap::No => {}
            Overlap::Yes => return Overlap::Yes,
            Overlap::May => answer = Overlap::May,
        }
    }
    answer
}

/// Whether each axis steps over all that the axes of smaller strides cover: then no element is met twice.
fn is_nested(a: &Extent<'_>) -> bool {
    let mut steps = [(0, 0); MAX_RANK];
    let mut n = 0;
    for step in a.steps().take(MAX_RANK) {
        steps[n] = step;
        n += 1;
    }
    steps[..n].sort_unstable();
    let mut covered = i128::from(a.itemsize);
    steps[..n].iter().all(|(factor, most)| {
        let steps_over = *factor >= covered;
        covered += factor * most;
        steps_over
    })
}

/// Whether writing an element at each index of `written` could change what another index reads of `read`: they share bytes, and not
/// just each element with itself.
pub(crate) fn endangers(written: &Extent<'_>, read: &Extent<'_>) -> bool {
    let ((w_low, w_high), (r_low, r_high)) = (written.range(), read.range());
    if w_low == w_high || r_low == r_high || w_high <= r_low || r_high <= w_low {
        return false;
    }
    if written.is_same(read) {
        return overlaps_itself(written) != Overlap::No;
    }
    share(written, read) != Overlap::No
}

/// [`numptx_abi::RuntimeTable::overlap`]. Addresses are those of the caller's memory, whose copies on a device keep them relative to each other.
///
/// # Safety
/// Both arrays are alive.
pub(crate) unsafe fn arrays_overlap(written: &Array, read: &Array) -> Result<bool> {
    // SAFETY: alive, as the caller promises.
    let (to, from) = unsafe { (&*written.buffer.cast::<Buffer>(), &*read.buffer.cast::<Buffer>()) };
    if to.device != from.device {
        return Ok(false);
    }
    Ok(endangers(&extent_of(written, to)?, &extent_of(read, from)?))
}

fn extent_of<'a>(array: &'a Array, buffer: &Buffer) -> Result<Extent<'a>> {
    let rank = (array.rank as usize).min(MAX_RANK);
    Ok(Extent {
        first: buffer.data.addr().wrapping_add_signed(array.offset as isize),
        shape: &array.shape[..rank],
        strides: &array.strides[..rank],
        itemsize: itemsize(array.dtype)?,
    })
}

impl Equation {
    fn new() -> Equation {
        Equation { terms: [Term::default(); MAX_TERMS], n: 0 }
    }

    /// Adds an unknown; equal factors are one unknown.
    fn add(&mut self, factor: i128, most: i128) {
        if factor == 0 || most == 0 {
            return;
        }
        match self.terms[..self.n].iter_mut().find(|term| term.factor == factor) {
            Some(term) => term.most += most,
            None => {
                self.terms[self.n] = Term { factor, most, ..Term::default() };
                self.n += 1;
            }
        }
    }

    /// Whether there is a solution, looking at no more than `work` candidates.
    fn solve(&mut self, sum: i128, mut work: u32) -> Overlap {
        let terms = &mut self.terms[..self.n];
        // Large factors first: they leave the fewest candidates.
        terms.sort_unstable_by_key(|term| std::cmp::Reverse(term.factor));
        let (mut rest, mut divisor) = (0, 0);
        for term in terms.iter_mut().rev() {
            (term.rest, term.divisor) = (rest, divisor);
            rest += term.factor * term.most;
            divisor = gcd(term.factor, divisor);
        }
        if !(0..=rest).contains(&sum) {
            return Overlap::No;
        }
        search(terms, sum, &mut work)
    }
}

/// Whether the terms add up to `sum`, which lies between 0 and the most that they can be.
fn search(terms: &[Term], sum: i128, work: &mut u32) -> Overlap {
    let Some((term, others)) = terms.split_first() else {
        return if sum == 0 { Overlap::Yes } else { Overlap::No };
    };
    let Some((first, step)) = candidates(term, sum) else { return Overlap::No };
    let last = term.most.min(sum / term.factor);
    let mut answer = Overlap::No;
    let mut unknown = first;
    while unknown <= last {
        if *work == 0 {
            return Overlap::May;
        }
        *work -= 1;
        match search(others, sum - term.factor * unknown, work) {
            Overlap::No => {}
            Overlap::Yes => return Overlap::Yes,
            Overlap::May => answer = Overlap::May,
        }
        unknown += step;
    }
    answer
}

/// The smallest value of a term's unknown that leaves the others a sum that they can reach and that their factors' divisor divides; and the
/// distance to the next one.
fn candidates(term: &Term, sum: i128) -> Option<(i128, i128)> {
    let least = (sum - term.rest + term.factor - 1).div_euclid(term.factor).max(0);
    if term.divisor == 0 {
        // The last term: `factor · unknown = sum`.
        return (sum % term.factor == 0).then_some((least, 1));
    }
    let (common, inverse) = inverse(term.factor, term.divisor);
    if sum % common != 0 {
        return None;
    }
    let step = term.divisor / common;
    let wanted = (sum / common % step * inverse).rem_euclid(step);
    Some((least + (wanted - least).rem_euclid(step), step))
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// `(g, i)` with `g` the greatest common divisor of two positive numbers, and `factor / g · i ≡ 1` modulo `modulus / g`.
fn inverse(factor: i128, modulus: i128) -> (i128, i128) {
    let (mut a, mut b) = (factor, modulus);
    let (mut x, mut next) = (1i128, 0i128);
    while b != 0 {
        let quotient = a / b;
        (a, b) = (b, a % b);
        (x, next) = (next, x - quotient * next);
    }
    let modulus = modulus / a;
    (a, x.rem_euclid(modulus))
}

#[cfg(test)]
mod tests;
