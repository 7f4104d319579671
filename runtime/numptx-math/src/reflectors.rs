//! Blocks of Householder's reflections in LAPACK's form: H = I - tau v vᴴ, of v with a 1 on the diagonal.
//!
//! The product of a block's reflections is I - V T Vᴴ (Schreiber and Van Loan, A Storage-Efficient WY Representation, 1989). V is copied with its ones and
//! zeros, and V T is made once, so that a block is applied by two products of matrices.

use faer::dyn_stack::{MemStack, StackReq};
use faer::linalg::matmul::matmul;
use faer::reborrow::IntoConst;
use faer::traits::ext::ComplexFieldExt;
use faer::{Accum, MatMut, MatRef, Par};

use crate::element::Element;
use crate::scratch;

/// Reflections in a block.
pub(crate) const BLOCK: usize = 32;

/// Reflections, ready to be applied.
pub(crate) struct Reflectors<'a, T: Element> {
    /// The vectors, `(rows, n)`, with their ones and zeros.
    pub v: MatRef<'a, T>,
    /// V T, of the same shape.
    pub vt: MatRef<'a, T>,
}

/// Memory for a block of so many rows, and to apply it to so many columns.
pub(crate) fn required<T: Element>(rows: usize, columns: usize) -> StackReq {
    let (tall, square) = (scratch::required::<T>(rows, BLOCK), scratch::required::<T>(BLOCK, BLOCK));
    StackReq::all_of(&[tall, tall, square, square, scratch::required::<T>(BLOCK, columns)])
}

impl<'a, T: Element> Reflectors<'a, T> {
    /// The reflections whose vectors lie below the diagonal of the panel, and the memory that is left.
    pub fn of(panel: MatRef<'_, T>, tau: &[T], stack: &'a mut MemStack) -> (Reflectors<'a, T>, &'a mut MemStack) {
        let (rows, n) = panel.shape();
        let (mut v, stack) = scratch::matrix::<T>(rows, n, stack);
        let (mut vt, stack) = scratch::matrix::<T>(rows, n, stack);
        for j in 0..n {
            v[(j, j)] = T::one();
            v.as_mut().col_mut(j).subrows_mut(j + 1, rows - j - 1).copy_from(panel.col(j).subrows(j + 1, rows - j - 1));
        }
        {
            let (mut t, stack) = scratch::matrix::<T>(n, n, stack);
            let (mut gram, _) = scratch::matrix::<T>(n, n, stack);
            matmul(gram.as_mut(), Accum::Replace, v.as_ref().adjoint(), v.as_ref(), T::one(), Par::Seq);
            triangle(t.as_mut(), gram.as_ref(), tau);
            matmul(vt.as_mut(), Accum::Replace, v.as_ref(), t.as_ref(), T::one(), Par::Seq);
        }
        (Reflectors { v: v.into_const(), vt: vt.into_const() }, stack)
    }

    /// `c` becomes Q c.
    pub fn apply(&self, c: MatMut<'_, T>, stack: &mut MemStack) {
        update(self.v, self.vt, c, stack);
    }

    /// `c` becomes Qᴴ c.
    pub fn apply_adjoint(&self, c: MatMut<'_, T>, stack: &mut MemStack) {
        update(self.vt, self.v, c, stack);
    }

    /// `q` becomes the first columns of Q, as many as there are reflections.
    pub fn form(&self, q: MatMut<'_, T>) {
        let (n, mut q) = (self.v.ncols(), q);
        let top = self.v.subrows(0, n);
        matmul(q.as_mut(), Accum::Replace, self.vt, top.adjoint(), -T::one(), Par::Seq);
        for j in 0..n {
            q[(j, j)] += T::one();
        }
    }
}

/// T of Vᴴ V, in zeros, as LAPACK's `larft`.
fn triangle<T: Element>(t: MatMut<'_, T>, gram: MatRef<'_, T>, tau: &[T]) {
    let mut t = t;
    for (j, &tau) in tau.iter().enumerate().take(gram.ncols()) {
        t[(j, j)] = tau;
        for i in 0..j {
            let sum = (i..j).fold(T::zero(), |sum, k| sum + t[(i, k)] * gram[(k, j)]);
            t[(i, j)] = -(tau * sum);
        }
    }
}

/// `c -= outer (innerᴴ c)`
fn update<T: Element>(inner: MatRef<'_, T>, outer: MatRef<'_, T>, c: MatMut<'_, T>, stack: &mut MemStack) {
    let mut c = c;
    if c.ncols() == 0 {
        return;
    }
    let (mut inside, _) = scratch::matrix::<T>(inner.ncols(), c.ncols(), stack);
    matmul(inside.as_mut(), Accum::Replace, inner.adjoint(), c.as_ref(), T::one(), Par::Seq);
    matmul(c.as_mut(), Accum::Add, outer, inside.as_ref(), -T::one(), Par::Seq);
}
