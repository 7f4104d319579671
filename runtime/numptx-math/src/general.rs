//! Eigenvalues and eigenvectors of matrices of any kind.
//!
//! In: a square matrix, lost. Out: complex eigenvalues, and vectors of length 1, of which the largest element is real. A matrix with an element that is
//! not finite does not converge.

use faer::complex::Complex;
use faer::dyn_stack::{MemStack, StackReq};
use faer::linalg::evd::{ComputeEigenvectors, EvdParams, evd_cplx, evd_real, evd_scratch};
use faer::traits::ext::ComplexFieldExt;
use faer::traits::{ComplexField, RealField};
use faer::{Auto, ColMut, MatMut, MatRef, Par, Spec};
use numptx_abi::Status;

use crate::balance;
use crate::element::{ComplexOf, Element};
use crate::operand::{Answer, by_columns};
use crate::range::{self, Part};
use crate::scratch;

/// [`numptx_abi::routine::EIG`].
pub(crate) fn decompose<T: Element>(
    a: MatMut<'_, T>,
    values: ColMut<'_, ComplexOf<T>>,
    vectors: MatMut<'_, ComplexOf<T>>,
) -> Answer {
    decomposed(a, values, Some(vectors))
}

/// [`numptx_abi::routine::EIGVALS`].
pub(crate) fn values<T: Element>(a: MatMut<'_, T>, values: ColMut<'_, ComplexOf<T>>) -> Answer {
    decomposed(a, values, None)
}

fn decomposed<T: Element>(
    a: MatMut<'_, T>,
    values: ColMut<'_, ComplexOf<T>>,
    vectors: Option<MatMut<'_, ComplexOf<T>>>,
) -> Answer {
    let (mut a, mut values, mut vectors) = (a, values, vectors);
    let n = a.nrows();
    let Some(factor) = range::scale(a.as_ref(), Part::Whole) else {
        return Ok(1);
    };
    if n == 0 {
        return Ok(0);
    }
    range::multiply(a.as_mut(), factor);
    let converged = by_columns(a, |a| {
        let mut a = a;
        let balanced = balance::balance(a.as_mut());
        let mut converged = of_balanced(a.as_ref(), values.as_mut(), vectors.as_mut().map(MatMut::as_mut))?;
        let Some(mut vectors) = vectors else {
            return Ok::<bool, Status>(converged);
        };
        if converged && size_of::<T>() < size_of::<T::Double>() && !vectors.as_ref().is_all_finite() {
            converged = in_double(a.as_ref(), values.as_mut(), vectors.as_mut())?;
        }
        balanced.undo(vectors.as_mut());
        (0..n).for_each(|j| normalise::<T>(vectors.as_mut().col_mut(j)));
        Ok(converged)
    })??;
    for i in 0..n {
        values[i] = values[i].mul_real(factor.recip());
    }
    Ok(i64::from(!converged))
}

/// Vectors of length 1; whether it converged.
fn of_balanced<T: Element>(
    a: MatRef<'_, T>,
    values: ColMut<'_, ComplexOf<T>>,
    vectors: Option<MatMut<'_, ComplexOf<T>>>,
) -> Result<bool, Status> {
    let (n, mut vectors) = (a.nrows(), vectors);
    let wanted = if vectors.is_some() { ComputeEigenvectors::Yes } else { ComputeEigenvectors::No };
    let required = StackReq::all_of(&[
        scratch::required::<T>(n, n),
        scratch::required::<T>(n, 2),
        evd_scratch::<T>(n, ComputeEigenvectors::No, wanted, Par::Seq, params::<T>()),
    ]);
    let converged = scratch::with(required, |stack| T::eigen(a, values, vectors.as_mut().map(MatMut::as_mut), stack))?;
    if let Some(mut vectors) = vectors {
        (0..n).for_each(|j| normalise::<T>(vectors.as_mut().col_mut(j)));
    }
    Ok(converged)
}

/// The same with the exponents of double precision: single ones do not reach where elements of a vector grow on the way, as those of triangles do.
fn in_double<T: Element>(
    a: MatRef<'_, T>,
    values: ColMut<'_, ComplexOf<T>>,
    vectors: MatMut<'_, ComplexOf<T>>,
) -> Result<bool, Status> {
    let (n, mut values, mut vectors) = (a.nrows(), values, vectors);
    let complex = scratch::required::<ComplexOf<T::Double>>(n, n);
    let required = StackReq::all_of(&[scratch::required::<T::Double>(n, n), complex, complex]);
    scratch::with(required, |stack| {
        let (mut wide, stack) = scratch::matrix::<T::Double>(n, n, stack);
        let (mut found, stack) = scratch::matrix::<ComplexOf<T::Double>>(n, 1, stack);
        let (mut columns, _) = scratch::matrix::<ComplexOf<T::Double>>(n, n, stack);
        for j in 0..n {
            (0..n).for_each(|i| wide[(i, j)] = a[(i, j)].double());
        }
        let converged = of_balanced(wide.as_ref(), found.as_mut().col_mut(0), Some(columns.as_mut()))?;
        for j in 0..n {
            values[j] = T::narrow(found[(j, 0)]);
            (0..n).for_each(|i| vectors[(i, j)] = T::narrow(columns[(i, j)]));
        }
        Ok(converged)
    })?
}

fn params<T: ComplexField>() -> Spec<EvdParams, T> {
    Spec::new(EvdParams { ..Auto::<T>::auto() })
}

/// Length 1, and the largest element a positive real, as LAPACK's `geev`.
fn normalise<T: Element>(vector: ColMut<'_, ComplexOf<T>>) {
    let mut vector = vector;
    // First to 1, so that squares are finite.
    let size = vector.as_ref().norm_max();
    vector.as_mut().iter_mut().for_each(|element| *element = Complex::new(element.re / size, element.im / size));
    let length = vector.as_ref().norm_l2();
    let mut largest = T::Float::zero();
    let mut there = 0;
    for i in 0..vector.nrows() {
        let element = vector[i].mul_real(length.recip());
        vector[i] = element;
        let size = element.abs2();
        if size > largest {
            largest = size;
            there = i;
        }
    }
    if vector.as_ref().iter().all(|element| element.imag() == T::Float::zero()) {
        return;
    }
    let turn = vector[there].conj().mul_real(largest.sqrt().recip());
    for i in 0..vector.nrows() {
        vector[i] *= turn;
    }
    vector[there] = Complex::new(vector[there].real(), T::Float::zero());
}

/// Eigenvalues and eigenvectors of a complex matrix; whether it converged.
pub(crate) fn of_complex<R: RealField>(
    a: MatRef<'_, Complex<R>>,
    values: ColMut<'_, Complex<R>>,
    vectors: Option<MatMut<'_, Complex<R>>>,
    stack: &mut MemStack,
) -> bool {
    evd_cplx(a, values.as_diagonal_mut(), None, vectors, Par::Seq, stack, params::<Complex<R>>()).is_ok()
}

/// Eigenvalues and eigenvectors of a real matrix; whether it converged. Pairs of complex vectors come as their parts, side by side.
pub(crate) fn of_real<R: RealField + Copy>(
    a: MatRef<'_, R>,
    values: ColMut<'_, Complex<R>>,
    vectors: Option<MatMut<'_, Complex<R>>>,
    stack: &mut MemStack,
) -> bool {
    let (mut values, n) = (values, a.nrows());
    let (parts, stack) = scratch::matrix::<R>(n, 2, stack);
    let (mut real, mut imaginary) = parts.split_at_col_mut(1);
    let (re, im) = (real.as_mut().col_mut(0).as_diagonal_mut(), imaginary.as_mut().col_mut(0).as_diagonal_mut());
    let Some(mut vectors) = vectors else {
        let done = evd_real(a, re, im, None, None, Par::Seq, stack, params::<R>()).is_ok();
        (0..n).for_each(|i| values[i] = Complex::new(real[(i, 0)], imaginary[(i, 0)]));
        return done;
    };
    let (mut found, stack) = scratch::matrix::<R>(n, n, stack);
    let done = evd_real(a, re, im, None, Some(found.as_mut()), Par::Seq, stack, params::<R>()).is_ok();
    (0..n).for_each(|i| values[i] = Complex::new(real[(i, 0)], imaginary[(i, 0)]));
    let mut j = 0;
    while j < n {
        let paired = values[j].im != R::zero_impl() && j + 1 < n;
        for i in 0..n {
            let im = if paired { found[(i, j + 1)] } else { R::zero_impl() };
            vectors[(i, j)] = Complex::new(found[(i, j)], im);
            if paired {
                vectors[(i, j + 1)] = Complex::new(found[(i, j)], -im);
            }
        }
        j += if paired { 2 } else { 1 };
    }
    done
}
