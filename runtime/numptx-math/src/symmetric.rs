//! Eigenvalues and eigenvectors of Hermitian matrices.
//!
//! In: the lower triangle. Out: eigenvalues, ascending, and vectors in the matrix's place. A matrix with an element that is not finite does not converge.

use faer::dyn_stack::{MemStack, StackReq};
use faer::linalg::evd::tridiag::{tridiag_in_place, tridiag_in_place_scratch};
use faer::linalg::evd::{ComputeEigenvectors, SelfAdjointEvdParams, self_adjoint_evd, self_adjoint_evd_scratch};
use faer::traits::ext::ComplexFieldExt;
use faer::{Auto, ColMut, MatMut, MatRef, Par, Spec};

use crate::element::Element;
use crate::operand::{Answer, by_columns};
use crate::range::{self, Part};
use crate::{scratch, tridiagonal};

/// [`numptx_abi::routine::EIGH`].
pub(crate) fn decompose<T: Element>(a: MatMut<'_, T>, values: ColMut<'_, T::Float>) -> Answer {
    let (n, mut values) = (a.nrows(), values);
    if n == 0 {
        return Ok(0);
    }
    let params = params::<T>();
    let required = StackReq::all_of(&[
        scratch::required::<T>(n, n),
        scratch::required::<T>(n, 1),
        self_adjoint_evd_scratch::<T>(n, ComputeEigenvectors::Yes, Par::Seq, params),
    ]);
    by_columns(a, |a| {
        scratch::with(required, |stack| {
            let (mut copy, stack) = scratch::matrix::<T>(n, n, stack);
            let Some(factor) = copy_lower(a.as_ref(), copy.as_mut()) else {
                return Ok(1);
            };
            let (mut found, stack) = scratch::matrix::<T>(n, 1, stack);
            let diagonal = found.as_mut().col_mut(0).as_diagonal_mut();
            let done = self_adjoint_evd(copy.as_ref(), diagonal, Some(a), Par::Seq, stack, params);
            (0..n).for_each(|i| values[i] = found[(i, 0)].real() / factor);
            Ok(i64::from(done.is_err()))
        })
    })??
}

/// [`numptx_abi::routine::EIGVALSH`].
pub(crate) fn values<T: Element>(a: MatMut<'_, T>, values: ColMut<'_, T::Float>) -> Answer {
    let (n, mut values) = (a.nrows(), values);
    if n == 0 {
        return Ok(0);
    }
    let of_real = scratch::required::<T::Float>(n, 1);
    let required = StackReq::all_of(&[
        scratch::required::<T>(n, n),
        of_real,
        of_real,
        scratch::required::<T>(1, n - 1),
        tridiag_in_place_scratch::<T>(n, Par::Seq, params::<T>().tridiag.into()),
    ]);
    scratch::with(required, |stack| {
        let (mut copy, stack) = scratch::matrix::<T>(n, n, stack);
        let Some(factor) = copy_lower(a.as_ref(), copy.as_mut()) else {
            return Ok(1);
        };
        let (diagonal, stack) = scratch::vector::<T::Float>(n, stack);
        let (beside, stack) = scratch::vector::<T::Float>(n - 1, stack);
        tridiagonalise(copy, diagonal, beside, stack);
        if !tridiagonal::eigenvalues(diagonal, beside) {
            return Ok(1);
        }
        (0..n).for_each(|i| values[i] = diagonal[i] / factor);
        Ok(0)
    })?
}

fn params<T: Element>() -> Spec<SelfAdjointEvdParams, T> {
    Spec::new(SelfAdjointEvdParams { ..Auto::<T>::auto() })
}

/// The lower triangle, scaled, and by what; none where some element is not finite.
fn copy_lower<T: Element>(a: MatRef<'_, T>, copy: MatMut<'_, T>) -> Option<T::Float> {
    let factor = range::scale(a, Part::Lower)?;
    let mut copy = copy;
    copy.copy_from_triangular_lower(a);
    range::multiply(copy.as_mut(), factor);
    // What is imaginary on the diagonal counts as 0, as LAPACK has it.
    (0..a.nrows()).for_each(|i| copy[(i, i)] = T::of(copy[(i, i)].real()));
    Some(factor)
}

/// The matrix's diagonal, and the absolute values of what is beside it, once it is tridiagonal.
fn tridiagonalise<T: Element>(
    a: MatMut<'_, T>,
    diagonal: &mut [T::Float],
    beside: &mut [T::Float],
    stack: &mut MemStack,
) {
    let (n, mut a) = (a.nrows(), a);
    let (reflections, stack) = scratch::matrix::<T>(1, n - 1, stack);
    tridiag_in_place(a.as_mut(), reflections, Par::Seq, stack, params::<T>().tridiag.into());
    (0..n).for_each(|i| diagonal[i] = a[(i, i)].real());
    (0..n - 1).for_each(|i| beside[i] = a[(i + 1, i)].abs());
}
