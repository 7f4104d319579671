//! Singular values and vectors.
//!
//! In: a matrix, lost. Out: values, descending, and both matrices. A wide matrix is taken transposed, so that all below is of tall ones, by columns:
//! B = U diag(values) W. A much taller one is made square first, by its QR. A matrix with an element that is not finite does not converge.

use faer::dyn_stack::StackReq;
use faer::linalg::svd::bidiag::{bidiag_in_place, bidiag_in_place_scratch};
use faer::linalg::svd::{ComputeSvdVectors, SvdError, SvdParams, svd, svd_scratch};
use faer::traits::ext::ComplexFieldExt;
use faer::{Auto, ColMut, MatMut, MatRef, Par, Spec};
use numptx_abi::Status;

use crate::element::Element;
use crate::operand::{Answer, by_columns};
use crate::range::{self, Part};
use crate::{bidiagonal, orthogonal, qr, scratch};

/// Where both matrices go.
struct Vectors<'a, T> {
    u: MatMut<'a, T>,
    w: MatMut<'a, T>,
}

/// [`numptx_abi::routine::SVD`].
pub(crate) fn decompose<T: Element>(
    a: MatMut<'_, T>,
    values: ColMut<'_, T::Float>,
    u: MatMut<'_, T>,
    v: MatMut<'_, T>,
) -> Answer {
    if a.nrows() < a.ncols() {
        let vectors = Vectors { u: v.transpose_mut(), w: u.transpose_mut() };
        return of_tall(a.transpose_mut(), values, Some(vectors));
    }
    of_tall(a, values, Some(Vectors { u, w: v }))
}

/// [`numptx_abi::routine::SVDVALS`].
pub(crate) fn values<T: Element>(a: MatMut<'_, T>, values: ColMut<'_, T::Float>) -> Answer {
    let a = if a.nrows() < a.ncols() { a.transpose_mut() } else { a };
    of_tall(a, values, None)
}

fn of_tall<T: Element>(a: MatMut<'_, T>, values: ColMut<'_, T::Float>, vectors: Option<Vectors<'_, T>>) -> Answer {
    let (mut a, mut values) = (a, values);
    if a.ncols() == 0 {
        if let Some(Vectors { mut u, .. }) = vectors {
            u.fill(T::zero());
            u.diagonal_mut().fill(T::one());
        }
        return Ok(0);
    }
    let Some(factor) = range::scale(a.as_ref(), Part::Whole) else {
        return Ok(1);
    };
    range::multiply(a.as_mut(), factor);
    let much_taller = 6 * a.nrows() >= 11 * a.ncols();
    let converged = by_columns(a, |a| match vectors {
        None if much_taller => through_square(a, values.as_mut(), None),
        None => alone(a.as_ref(), values.as_mut()),
        Some(Vectors { u, w }) => by_columns(u, |u| {
            let vectors = Some(Vectors { u, w });
            if much_taller {
                through_square(a, values.as_mut(), vectors)
            } else {
                of_square(a.as_ref(), values.as_mut(), vectors)
            }
        })?,
    })??;
    for i in 0..values.nrows() {
        values[i] /= factor;
    }
    Ok(i64::from(!converged))
}

/// R's own values are the matrix's, and Q takes R's vectors to the matrix's.
fn through_square<T: Element>(
    a: MatMut<'_, T>,
    values: ColMut<'_, T::Float>,
    vectors: Option<Vectors<'_, T>>,
) -> Result<bool, Status> {
    let (n, mut a) = (a.ncols(), a);
    let required = StackReq::all_of(&[scratch::required::<T>(n, n), scratch::required::<T>(n, 1)]);
    scratch::with(required, |stack| {
        let (mut r, stack) = scratch::matrix::<T>(n, n, stack);
        let (mut tau, _) = scratch::matrix::<T>(n, 1, stack);
        qr::factor_columns(a.as_mut(), tau.as_mut().col_mut(0))?;
        r.copy_from_triangular_upper(a.as_ref().subrows(0, n));
        let Some(Vectors { mut u, w }) = vectors else {
            return alone(r.as_ref(), values);
        };
        u.fill(T::zero());
        u.as_mut().diagonal_mut().fill(T::one());
        let corner = u.as_mut().submatrix_mut(0, 0, n, n);
        if !of_square(r.as_ref(), values, Some(Vectors { u: corner, w }))? {
            return Ok(false);
        }
        orthogonal::multiply(a.as_ref(), tau.as_ref().col(0), u)?;
        Ok(true)
    })?
}

/// Values without vectors.
fn alone<T: Element>(a: MatRef<'_, T>, values: ColMut<'_, T::Float>) -> Result<bool, Status> {
    let ((rows, n), mut values) = (a.shape(), values);
    let params = params::<T>().bidiag.into();
    let row = scratch::required::<T>(1, n);
    let required = StackReq::all_of(&[
        scratch::required::<T>(rows, n),
        scratch::required::<T::Float>(n, 1),
        scratch::required::<T::Float>(n, 1),
        scratch::required::<T::Float>(2 * n, 1),
        row,
        row,
        bidiag_in_place_scratch::<T>(rows, n, Par::Seq, params),
    ]);
    let converged = scratch::with(required, |stack| {
        let (mut copy, stack) = scratch::matrix::<T>(rows, n, stack);
        let (diagonal, stack) = scratch::vector::<T::Float>(n, stack);
        let (beside, stack) = scratch::vector::<T::Float>(n - 1, stack);
        let (room, stack) = scratch::vector::<T::Float>(2 * n, stack);
        let (left, stack) = scratch::matrix::<T>(1, n, stack);
        let (right, stack) = scratch::matrix::<T>(1, n - 1, stack);
        copy.copy_from(a);
        bidiag_in_place(copy.as_mut(), left, right, Par::Seq, stack, params);
        (0..n).for_each(|i| diagonal[i] = copy[(i, i)].abs());
        (1..n).for_each(|i| beside[i - 1] = copy[(i - 1, i)].abs());
        let converged = bidiagonal::singular_values(diagonal, beside, room);
        (0..n).for_each(|i| values[i] = diagonal[i]);
        converged
    })?;
    if converged { Ok(true) } else { of_square(a, values, None) }
}

fn params<T: Element>() -> Spec<SvdParams, T> {
    Spec::new(SvdParams { qr_ratio_threshold: f64::INFINITY, ..Auto::<T>::auto() })
}

fn of_square<T: Element>(
    a: MatRef<'_, T>,
    values: ColMut<'_, T::Float>,
    vectors: Option<Vectors<'_, T>>,
) -> Result<bool, Status> {
    let ((rows, n), mut values) = (a.shape(), values);
    let params = params::<T>();
    let (of_u, of_v) = match &vectors {
        None => (ComputeSvdVectors::No, ComputeSvdVectors::No),
        Some(Vectors { u, .. }) if u.ncols() == rows => (ComputeSvdVectors::Full, ComputeSvdVectors::Full),
        Some(_) => (ComputeSvdVectors::Thin, ComputeSvdVectors::Thin),
    };
    let required = StackReq::all_of(&[
        scratch::required::<T>(n, 1),
        scratch::required::<T>(n, n),
        svd_scratch::<T>(rows, n, of_u, of_v, Par::Seq, params),
    ]);
    scratch::with(required, |stack| {
        let (mut found, stack) = scratch::matrix::<T>(n, 1, stack);
        let diagonal = found.as_mut().col_mut(0).as_diagonal_mut();
        let done: Result<(), SvdError> = match vectors {
            None => svd(a, diagonal, None, None, Par::Seq, stack, params),
            Some(Vectors { u, mut w }) => {
                let (mut v, stack) = scratch::matrix::<T>(n, n, stack);
                let done = svd(a, diagonal, Some(u), Some(v.as_mut()), Par::Seq, stack, params);
                w.copy_from(v.as_ref().adjoint());
                done
            }
        };
        (0..n).for_each(|i| values[i] = found[(i, 0)].real());
        done.is_ok()
    })
}
