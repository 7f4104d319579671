//! Sizes of elements: what is not finite has no eigenvalues, and what is very large or small is scaled before it is squared, as LAPACK does.

use faer::traits::ext::ComplexFieldExt;
use faer::traits::{ComplexField, RealField};
use faer::{MatMut, MatRef};

use crate::element::Element;

/// Which elements of a matrix count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// All.
    Whole,
    /// The lower triangle.
    Lower,
}

/// A power of two that brings the elements to a size whose squares are finite and not 0; 1 where they are so; none where some element is not finite.
pub(crate) fn scale<T: Element>(a: MatRef<'_, T>, part: Part) -> Option<T::Float> {
    let (one, two) = (T::Float::one(), T::Float::from_f64_impl(2.0));
    let mut largest = T::Float::zero();
    for j in 0..a.ncols() {
        let from = if part == Part::Lower { j } else { 0 };
        for i in from..a.nrows() {
            let size = a[(i, j)].abs1();
            if size > largest {
                largest = size;
            } else if size.is_nan() {
                return None;
            }
        }
    }
    if largest > T::Float::max_positive_impl() {
        return finite_in_parts(a, part).then(|| one / T::Float::max_positive_impl().sqrt());
    }
    let least = (T::Float::min_positive_impl() / T::Float::epsilon_impl()).sqrt().sqrt();
    if largest == T::Float::zero() || (largest >= least && largest <= one / least) {
        return Some(one);
    }
    let most = one / T::Float::min_positive_impl() / two;
    let mut factor = one;
    while largest * factor < one && factor < most {
        factor *= two;
    }
    while largest * factor > two {
        factor /= two;
    }
    Some(factor)
}

/// The sum of the parts of a complex number may be infinite where both are finite.
fn finite_in_parts<T: Element>(a: MatRef<'_, T>, part: Part) -> bool {
    let column = |j: usize| {
        let from = if part == Part::Lower { j.min(a.nrows()) } else { 0 };
        (from..a.nrows()).all(|i| a[(i, j)].is_finite())
    };
    (0..a.ncols()).all(column)
}

/// Multiplies elements by the factor.
pub(crate) fn multiply<T: Element>(a: MatMut<'_, T>, factor: T::Float) {
    if factor == T::Float::one() {
        return;
    }
    let mut a = a;
    for j in 0..a.ncols() {
        for i in 0..a.nrows() {
            a[(i, j)] = a[(i, j)].mul_real(factor);
        }
    }
}
