//! Q of reflections in LAPACK's form: its first columns, as `orgqr`, and products with it, as `ormqr`.

use faer::traits::ext::ComplexFieldExt;
use faer::{ColRef, MatMut, MatRef};
use numptx_abi::Status;

use crate::columns::Columns;
use crate::element::{Element, add_multiple, dot};
use crate::operand::{Answer, by_columns};
use crate::processor::for_processor;
use crate::reflectors::{self, BLOCK, Reflectors};
use crate::scratch;

/// Columns of Q that are formed by loops over elements.
const NARROW: usize = 16;

/// [`numptx_abi::routine::Q`].
pub(crate) fn form<T: Element>(q: MatMut<'_, T>, tau: ColRef<'_, T>) -> Answer {
    by_columns(q, |q| form_columns(q, tau))??;
    Ok(0)
}

fn form_columns<T: Element>(q: MatMut<'_, T>, tau: ColRef<'_, T>) -> Result<(), Status> {
    let (n, mut q) = (tau.nrows(), q);
    let (rows, columns) = q.shape();
    for j in n..columns {
        q.as_mut().col_mut(j).fill(T::zero());
        q[(j, j)] = T::one();
    }
    if columns <= NARROW {
        let mut held = [T::zero(); NARROW];
        (0..n).for_each(|j| held[j] = tau[j]);
        form_narrow(Columns::of(q), &held[..n]);
        return Ok(());
    }
    scratch::with(reflectors::required::<T>(rows, columns), |stack| {
        for from in (0..n).step_by(BLOCK).rev() {
            let width = BLOCK.min(n - from);
            let held = block_of(tau, from, width);
            q.as_mut().submatrix_mut(0, from, from, width).fill(T::zero());
            let below = q.as_mut().submatrix_mut(from, from, rows - from, columns - from);
            let (panel, right) = below.split_at_col_mut(width);
            let (block, stack) = Reflectors::of(panel.as_ref(), &held[..width], stack);
            block.apply(right, stack);
            block.form(panel);
        }
    })
}

fn block_of<T: Element>(tau: ColRef<'_, T>, from: usize, width: usize) -> [T; BLOCK] {
    let mut held = [T::zero(); BLOCK];
    (0..width).for_each(|j| held[j] = tau[from + j]);
    held
}

/// `c` becomes Q c, where the vectors lie below the diagonal of `a`.
pub(crate) fn multiply<T: Element>(a: MatRef<'_, T>, tau: ColRef<'_, T>, c: MatMut<'_, T>) -> Result<(), Status> {
    let (mut c, rows, n) = (c, a.nrows(), tau.nrows());
    let columns = c.ncols();
    scratch::with(reflectors::required::<T>(rows, columns), |stack| {
        for from in (0..n).step_by(BLOCK).rev() {
            let width = BLOCK.min(n - from);
            let held = block_of(tau, from, width);
            let panel = a.submatrix(from, from, rows - from, width);
            let below = c.as_mut().subrows_mut(from, rows - from);
            let (block, stack) = Reflectors::of(panel, &held[..width], stack);
            block.apply(below, stack);
        }
    })
}

for_processor! {
    fn form_narrow<T>(q: Columns<'_, T>, tau: &[T]) -> () = form_by_elements
}

/// As LAPACK's `org2r`: the last reflection first.
#[inline(always)]
fn form_by_elements<T: Element>(q: Columns<'_, T>, tau: &[T]) {
    let mut q = q;
    for (j, &tau) in tau.iter().enumerate().rev() {
        for next in j + 1..q.columns() {
            let (v, column) = q.pair(j, next);
            let v = &v[j + 1..];
            let (head, column) = column[j..].split_first_mut().expect("a row is left");
            let along = tau * (*head + dot(v, column));
            *head -= along;
            add_multiple(column, -along, v);
        }
        let column = q.get_mut(j);
        column[..j].fill(T::zero());
        column[j] = T::one() - tau;
        column[j + 1..].iter_mut().for_each(|element| *element *= -tau);
    }
}
