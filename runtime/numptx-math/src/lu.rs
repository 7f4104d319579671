//! LU with exchanges of rows, and solves by it.
//!
//! In: a matrix by columns. Out: L and U in its place, and the exchanges, from 1, as LAPACK's `getrf`. A column without a pivot is left as it is, so that
//! the rest stays finite.

use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::{solve_unit_lower_triangular_in_place, solve_upper_triangular_in_place};
use faer::traits::RealField;
use faer::traits::ext::ComplexFieldExt;
use faer::{Accum, MatMut, MatRef, Par};

use crate::columns::Columns;
use crate::element::{Element, add_multiple};
use crate::operand::{Answer, Pivots, by_columns};
use crate::processor::for_processor;
use crate::scratch;
use crate::triangular::{self, Form};

/// Columns that are factored by loops over elements.
const NARROW: usize = 8;
/// Order of matrices that are solved by loops over elements.
const TINY: usize = 16;

/// [`numptx_abi::routine::LU`].
pub(crate) fn factor<T: Element>(a: MatMut<'_, T>, mut pivots: Pivots) -> Answer {
    let n = a.nrows().min(a.ncols());
    with_exchanges(n, |exchanges| {
        by_columns(a, |a| factor_columns(a, exchanges))?;
        for (row, &other) in exchanges.iter().enumerate().take(pivots.count()) {
            pivots.set(row, other as usize);
        }
        Ok(0)
    })
}

/// [`numptx_abi::routine::SOLVE`].
pub(crate) fn solve<T: Element>(a: MatMut<'_, T>, b: MatMut<'_, T>) -> Answer {
    let n = a.nrows();
    by_columns(a, |a| {
        by_columns(b, |b| {
            if n <= TINY {
                return Ok(solve_tiny(Columns::of(a), Columns::of(b)) as i64);
            }
            with_exchanges(n, |exchanges| Ok(solve_columns(a, b, exchanges)))
        })?
    })?
}

/// [`numptx_abi::routine::LU_SOLVE`].
pub(crate) fn solve_factored<T: Element>(b: MatMut<'_, T>, lu: MatRef<'_, T>, pivots: &Pivots, form: Form) -> Answer {
    let n = lu.nrows();
    let mut b = b;
    let (lower, upper) = (Form { lower: true, unit: true, ..form }, Form { lower: false, unit: false, ..form });
    if form.transposed {
        triangular::solve_any(lu, upper, b.as_mut())?;
        triangular::solve_any(lu, lower, b.as_mut())?;
        exchange(b, (0..n).rev().map(|row| (row, pivots.get(row, n))));
    } else {
        exchange(b.as_mut(), (0..n).map(|row| (row, pivots.get(row, n))));
        triangular::solve_any(lu, lower, b.as_mut())?;
        triangular::solve_any(lu, upper, b)?;
    }
    Ok(0)
}

fn with_exchanges(n: usize, function: impl FnOnce(&mut [u32]) -> Answer) -> Answer {
    if n <= TINY {
        return function(&mut [0; TINY][..n]);
    }
    scratch::with(faer::dyn_stack::StackReq::new::<u32>(n), |stack| {
        let (mut exchanges, _) = stack.make_with(n, |_| 0u32);
        function(&mut exchanges)
    })?
}

/// Exchanges rows, one pair after the other.
fn exchange<T: Element>(b: MatMut<'_, T>, pairs: impl Iterator<Item = (usize, usize)> + Clone) {
    let mut b = b;
    for column in 0..b.ncols() {
        let mut column = b.as_mut().col_mut(column);
        for (row, other) in pairs.clone() {
            if row != other {
                let held = column[row];
                column[row] = column[other];
                column[other] = held;
            }
        }
    }
}

fn solve_columns<T: Element>(a: MatMut<'_, T>, b: MatMut<'_, T>, exchanges: &mut [u32]) -> i64 {
    let (mut a, mut b) = (a, b);
    factor_columns(a.as_mut(), exchanges);
    let a = a.as_ref();
    if let Some(row) = (0..a.nrows()).find(|&row| a[(row, row)] == T::zero()) {
        return row as i64 + 1;
    }
    exchange(b.as_mut(), exchanges.iter().enumerate().map(|(row, &other)| (row, other as usize)));
    solve_unit_lower_triangular_in_place(a, b.as_mut(), Par::Seq);
    solve_upper_triangular_in_place(a, b, Par::Seq);
    0
}

/// Halves of columns, the left one first (Toledo, Locality of Reference in LU Decomposition with Partial Pivoting, 1997).
fn factor_columns<T: Element>(a: MatMut<'_, T>, exchanges: &mut [u32]) {
    let (rows, columns) = a.shape();
    if columns <= NARROW {
        factor_narrow(Columns::of(a), exchanges);
        return;
    }
    let left = if columns > rows { rows } else { (columns / 2).next_multiple_of(NARROW) };
    let mut a = a;
    let (first, second) = exchanges.split_at_mut(left);
    factor_columns(a.as_mut().subcols_mut(0, left), first);
    let pairs = |exchanges: &'_ [u32]| -> Vec<(usize, usize)> {
        exchanges.iter().enumerate().map(|(row, &other)| (row, other as usize)).collect()
    };
    exchange(a.as_mut().subcols_mut(left, columns - left), pairs(first).into_iter());
    let (upper_left, mut upper_right, mut lower_left, mut lower_right) = a.split_at_mut(left, left);
    solve_unit_lower_triangular_in_place(upper_left.as_ref(), upper_right.as_mut(), Par::Seq);
    if rows == left {
        return;
    }
    matmul(lower_right.as_mut(), Accum::Add, lower_left.as_ref(), upper_right.as_ref(), -T::one(), Par::Seq);
    factor_columns(lower_right, second);
    exchange(lower_left.as_mut(), pairs(second).into_iter());
    for other in second {
        *other += left as u32;
    }
}

for_processor! {
    fn factor_narrow<T>(a: Columns<'_, T>, exchanges: &mut [u32]) -> () = factor_by_elements
}

for_processor! {
    /// The first zero of U's diagonal, from 1, or 0.
    fn solve_tiny<T>(a: Columns<'_, T>, b: Columns<'_, T>) -> usize = solve_by_elements
}

#[inline(always)]
fn factor_by_elements<T: Element>(a: Columns<'_, T>, exchanges: &mut [u32]) {
    let mut a = a;
    factor_in_place(&mut a, exchanges);
}

#[inline(always)]
fn factor_in_place<T: Element>(a: &mut Columns<'_, T>, exchanges: &mut [u32]) {
    let (rows, columns) = (a.rows(), a.columns());
    for j in 0..rows.min(columns) {
        let pivot = largest(&a.get(j)[j..]) + j;
        exchanges[j] = pivot as u32;
        if pivot != j {
            for column in 0..columns {
                a.get_mut(column).swap(j, pivot);
            }
        }
        let column = a.get_mut(j);
        let pivot = column[j];
        if pivot == T::zero() {
            continue;
        }
        divide(&mut column[j + 1..], pivot);
        for next in j + 1..columns {
            let (column, next) = a.pair(j, next);
            let factor = -next[j];
            add_multiple(&mut next[j + 1..], factor, &column[j + 1..]);
        }
    }
}

#[inline(always)]
fn divide<T: Element>(column: &mut [T], pivot: T) {
    if pivot.abs1() >= T::Float::min_positive_impl() {
        let factor = pivot.recip();
        column.iter_mut().for_each(|element| *element *= factor);
    } else {
        column.iter_mut().for_each(|element| *element /= pivot);
    }
}

/// The position of the largest element: the sum of its parts' absolute values counts.
#[inline(always)]
fn largest<T: Element>(column: &[T]) -> usize {
    let mut largest = T::Float::zero();
    let mut there = 0;
    for (row, element) in column.iter().enumerate() {
        let size = element.abs1();
        if size > largest {
            largest = size;
            there = row;
        }
    }
    there
}

#[inline(always)]
fn solve_by_elements<T: Element>(a: Columns<'_, T>, b: Columns<'_, T>) -> usize {
    let (n, mut a, mut b) = (a.rows(), a, b);
    let mut exchanges = [0u32; TINY];
    factor_in_place(&mut a, &mut exchanges);
    for j in 0..n {
        if a.get(j)[j] == T::zero() {
            return j + 1;
        }
    }
    for column in 0..b.columns() {
        let x = b.get_mut(column);
        for (row, &other) in exchanges[..n].iter().enumerate() {
            x.swap(row, other as usize);
        }
        for j in 0..n {
            let factor = -x[j];
            add_multiple(&mut x[j + 1..], factor, &a.get(j)[j + 1..]);
        }
        for j in (0..n).rev() {
            let column = a.get(j);
            x[j] /= column[j];
            let factor = -x[j];
            add_multiple(&mut x[..j], factor, &column[..j]);
        }
    }
    0
}
