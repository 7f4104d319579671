//! Eigenvalues and eigenvectors of Hermitian matrices.
//!
//! In: the lower triangle. Out: eigenvalues, ascending, and vectors in the matrix's place. A matrix with an element that is not finite does not converge.

use faer::diag::DiagMut;
use faer::dyn_stack::{MemStack, StackReq};
use faer::linalg::evd::{ComputeEigenvectors, SelfAdjointEvdParams, self_adjoint_evd, self_adjoint_evd_scratch};
use faer::traits::ext::ComplexFieldExt;
use faer::{Auto, ColMut, MatMut, Par, Spec};

use crate::element::Element;
use crate::operand::{Answer, by_columns};
use crate::range::{self, Part};
use crate::scratch;

/// [`numptx_abi::routine::EIGH`].
pub(crate) fn decompose<T: Element>(a: MatMut<'_, T>, values: ColMut<'_, T::Float>) -> Answer {
    decomposed(a, values, ComputeEigenvectors::Yes)
}

/// [`numptx_abi::routine::EIGVALSH`].
pub(crate) fn values<T: Element>(a: MatMut<'_, T>, values: ColMut<'_, T::Float>) -> Answer {
    decomposed(a, values, ComputeEigenvectors::No)
}

fn decomposed<T: Element>(a: MatMut<'_, T>, values: ColMut<'_, T::Float>, vectors: ComputeEigenvectors) -> Answer {
    let Some(factor) = range::scale(a.as_ref(), Part::Lower) else {
        return Ok(1);
    };
    let (n, mut values) = (a.nrows(), values);
    if n == 1 {
        let mut a = a;
        values[0] = a[(0, 0)].real();
        a[(0, 0)] = T::one();
        return Ok(0);
    }
    let params = Spec::<SelfAdjointEvdParams, T>::new(SelfAdjointEvdParams { ..Auto::<T>::auto() });
    let required = StackReq::all_of(&[
        scratch::required::<T>(n, n),
        scratch::required::<T>(n, 1),
        self_adjoint_evd_scratch::<T>(n, vectors, Par::Seq, params),
    ]);
    by_columns(a, |a| {
        scratch::with(required, |stack| {
            let (mut copy, stack) = scratch::matrix::<T>(n, n, stack);
            let (mut found, stack) = scratch::matrix::<T>(n, 1, stack);
            copy.copy_from_triangular_lower(a.as_ref());
            range::multiply(copy.as_mut(), factor);
            // What is imaginary there counts as 0, as LAPACK has it.
            (0..n).for_each(|i| copy[(i, i)] = T::of(copy[(i, i)].real()));
            let vectors = (vectors == ComputeEigenvectors::Yes).then_some(a);
            let diagonal = found.as_mut().col_mut(0).as_diagonal_mut();
            if !converges(copy, diagonal, vectors, stack, params) {
                return Ok(1);
            }
            (0..n).for_each(|i| values[i] = found[(i, 0)].real() / factor);
            Ok(0)
        })
    })??
}

fn converges<T: Element>(
    a: MatMut<'_, T>,
    values: DiagMut<'_, T>,
    vectors: Option<MatMut<'_, T>>,
    stack: &mut MemStack,
    params: Spec<SelfAdjointEvdParams, T>,
) -> bool {
    self_adjoint_evd(a.as_ref(), values, vectors, Par::Seq, stack, params).is_ok()
}
