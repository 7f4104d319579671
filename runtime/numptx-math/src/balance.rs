//! Balancing before eigenvalues, as LAPACK's `gebal`: rows and columns that isolate an eigenvalue are moved to the ends, and the rest is scaled by powers of
//! two so that each row is about as long as its column (James, Langou and Lowery, On Matrix Balancing and Eigenvector Computation, 2014).

use faer::MatMut;
use faer::traits::ext::ComplexFieldExt;
use faer::traits::{ComplexField, RealField};

use crate::element::{ComplexOf, Element};

/// What was done to a matrix.
pub(crate) struct Balanced<T: Element> {
    /// Rows that were exchanged, and columns alike, one pair after the other.
    exchanges: Vec<(usize, usize)>,
    /// What each column was multiplied by, and each row divided by.
    factors: Vec<T::Float>,
}

/// Balances the matrix in its place.
pub(crate) fn balance<T: Element>(a: MatMut<'_, T>) -> Balanced<T> {
    let (n, mut a) = (a.nrows(), a);
    let mut balanced = Balanced { exchanges: Vec::new(), factors: vec![T::Float::one(); n] };
    let (mut from, mut to) = (0, n);
    let is_zero = |a: &MatMut<'_, T>, i: usize, j: usize| i == j || a[(i, j)] == T::zero();
    while let Some(row) = (0..to).rev().find(|&row| (0..to).all(|j| is_zero(&a, row, j))) {
        to -= 1;
        exchange(a.as_mut(), row, to);
        balanced.exchanges.push((row, to));
    }
    while let Some(column) = (from..to).find(|&column| (from..to).all(|i| is_zero(&a, i, column))) {
        exchange(a.as_mut(), column, from);
        balanced.exchanges.push((column, from));
        from += 1;
    }
    let mut changed = true;
    while changed {
        changed = false;
        for at in from..to {
            changed |= scale(a.as_mut(), at, from..to, &mut balanced.factors[at]);
        }
    }
    balanced
}

impl<T: Element> Balanced<T> {
    /// Makes eigenvectors of the balanced matrix those of the original one.
    pub fn undo(&self, vectors: MatMut<'_, ComplexOf<T>>) {
        let mut vectors = vectors;
        for j in 0..vectors.ncols() {
            for (i, &factor) in self.factors.iter().enumerate() {
                vectors[(i, j)] = vectors[(i, j)].mul_real(factor);
            }
            for &(one, other) in self.exchanges.iter().rev() {
                let held = vectors[(one, j)];
                vectors[(one, j)] = vectors[(other, j)];
                vectors[(other, j)] = held;
            }
        }
    }
}

fn exchange<T: Element>(a: MatMut<'_, T>, one: usize, other: usize) {
    if one == other {
        return;
    }
    let mut a = a;
    for i in 0..a.nrows() {
        let held = a[(i, one)];
        a[(i, one)] = a[(i, other)];
        a[(i, other)] = held;
    }
    for j in 0..a.ncols() {
        let held = a[(one, j)];
        a[(one, j)] = a[(other, j)];
        a[(other, j)] = held;
    }
}

/// Scales one row and column; whether that was worth it.
fn scale<T: Element>(a: MatMut<'_, T>, at: usize, middle: std::ops::Range<usize>, total: &mut T::Float) -> bool {
    let (mut a, two) = (a, T::Float::from_f64_impl(2.0));
    let inside = a.as_ref().submatrix(middle.start, middle.start, middle.len(), middle.len());
    let column = inside.col(at - middle.start).norm_l2();
    let row = inside.row(at - middle.start).norm_l2();
    if column == T::Float::zero() || row == T::Float::zero() {
        return false;
    }
    let Some(factor) = factor::<T::Float>(column, row) else {
        return false;
    };
    let least = T::Float::min_positive_impl() / T::Float::epsilon_impl() * two;
    let next = *total * factor;
    if !(next > least && next < T::Float::one() / least) {
        return false;
    }
    *total = next;
    for i in 0..a.nrows() {
        a[(i, at)] = a[(i, at)].mul_real(factor);
    }
    for j in 0..a.ncols() {
        a[(at, j)] = a[(at, j)].mul_real(factor.recip());
    }
    true
}

/// The power of two by which a column becomes about as long as its row, if both together become shorter by a twentieth.
fn factor<R: RealField + Copy>(column: R, row: R) -> Option<R> {
    let (two, worth) = (R::from_f64_impl(2.0), R::from_f64_impl(0.95));
    let least = R::min_positive_impl() / R::epsilon_impl() * two;
    let most = R::one_impl() / least;
    let (mut c, mut r, mut factor) = (column, row, R::one_impl());
    while c < r / two && c < most && r > least {
        factor *= two;
        c *= two;
        r /= two;
    }
    while c / two >= r && r < most && c > least {
        factor /= two;
        c /= two;
        r *= two;
    }
    (c + r < worth * (column + row)).then_some(factor)
}
