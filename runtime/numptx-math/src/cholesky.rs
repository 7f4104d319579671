//! Cholesky's factor of Hermitian matrices.
//!
//! In: the lower triangle, by any strides. Out: L in its place. As in OpenBLAS a pivot that is no number is no failure: it goes on into the factor.

use faer::linalg::matmul::triangular::{BlockStructure, matmul};
use faer::linalg::triangular_solve::solve_lower_triangular_in_place_with_conj;
use faer::traits::ComplexField;
use faer::traits::ext::ComplexFieldExt;
use faer::{Accum, Conj, MatMut, Par};

use crate::element::{Element, add_multiple};
use crate::operand::Answer;
use crate::processor::for_processor;

/// The order of diagonal blocks that are factored by loops over elements, in a copy by columns.
const BLOCK: usize = 32;
/// The order of small ones, whose copy costs less.
const TINY: usize = 8;

/// [`numptx_abi::routine::CHOLESKY`].
pub(crate) fn factor<T: Element>(a: MatMut<'_, T>) -> Answer {
    Ok(factor_from(a, 0).err().unwrap_or(0))
}

/// The failing order, of a matrix whose leading minors of that many rows are positive.
fn factor_from<T: Element>(a: MatMut<'_, T>, before: usize) -> Result<(), i64> {
    let n = a.nrows();
    if n <= TINY {
        return factor_block(a, &mut [T::zero(); TINY * TINY]).map_err(|row| (before + row) as i64 + 1);
    }
    if n <= BLOCK {
        return factor_block(a, &mut [T::zero(); BLOCK * BLOCK]).map_err(|row| (before + row) as i64 + 1);
    }
    let half = (n / 2).next_multiple_of(BLOCK);
    let half = if half >= n { BLOCK } else { half };
    let (mut first, _, mut below, mut rest) = a.split_at_mut(half, half);
    factor_from(first.as_mut(), before)?;
    solve_lower_triangular_in_place_with_conj(first.as_ref(), Conj::Yes, below.as_mut().transpose_mut(), Par::Seq);
    matmul(
        rest.as_mut(),
        BlockStructure::TriangularLower,
        Accum::Add,
        below.as_ref(),
        BlockStructure::Rectangular,
        below.as_ref().adjoint(),
        BlockStructure::Rectangular,
        -T::one(),
        Par::Seq,
    );
    factor_from(rest, before + half)
}

fn factor_block<T: Element>(a: MatMut<'_, T>, block: &mut [T]) -> Result<(), usize> {
    let (n, mut a) = (a.nrows(), a);
    for j in 0..n {
        for i in j..n {
            block[j * n + i] = a[(i, j)];
        }
    }
    let factored = factor_copy(&mut block[..n * n], n);
    for j in 0..n {
        for i in j..n {
            a[(i, j)] = block[j * n + i];
        }
    }
    factored
}

for_processor! {
    fn factor_copy<T>(block: &mut [T], n: usize) -> Result<(), usize> = factor_by_elements
}

/// Columns one after the other; each is subtracted from all after it. The row that failed.
#[inline(always)]
fn factor_by_elements<T: Element>(block: &mut [T], n: usize) -> Result<(), usize> {
    for j in 0..n {
        let (done, rest) = block.split_at_mut((j + 1) * n);
        let column = &mut done[j * n..];
        let pivot = column[j].real();
        if pivot <= T::Float::zero_impl() {
            return Err(j);
        }
        let pivot = pivot.sqrt();
        column[j] = T::of(pivot);
        let factor = pivot.recip();
        for element in &mut column[j + 1..] {
            *element = element.mul_real(factor);
        }
        for (next, column_next) in (j + 1..n).zip(rest.chunks_exact_mut(n)) {
            let factor = -column[next].conj();
            add_multiple(&mut column_next[next..], factor, &column[next..]);
        }
    }
    Ok(())
}
