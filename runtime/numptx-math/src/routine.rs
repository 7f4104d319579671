//! The entry of all routines but transforms: operands become matrices of their dtype.

use std::panic::{AssertUnwindSafe, catch_unwind};

use faer::reborrow::IntoConst;
use faer::{c32, c64};
use numptx_abi::{MatrixOperand, Status, dtype, error_kind, routine};

use crate::element::Element;
use crate::operand::{Answer, Pivots, read, vector, written};
use crate::triangular::Form;
use crate::{cholesky, general, lu, orthogonal, qr, svd, symmetric, triangular};

/// [`numptx_abi::MathTable::routine`].
///
/// # Safety
/// As the table says: the operands are those of the routine, of its shapes and dtypes, and nobody else uses them meanwhile.
pub(crate) unsafe extern "C" fn routine(
    routine: u32,
    flags: u32,
    dtype: u8,
    operands: *const MatrixOperand,
    n: u32,
) -> i64 {
    let done = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: as the caller promises.
        let operands = unsafe { std::slice::from_raw_parts(operands, n as usize) };
        // SAFETY: as the caller promises, for the dtype.
        unsafe {
            match dtype {
                dtype::FLOAT32 => of::<f32>(routine, flags, operands),
                dtype::FLOAT64 => of::<f64>(routine, flags, operands),
                dtype::COMPLEX64 => of::<c32>(routine, flags, operands),
                dtype::COMPLEX128 => of::<c64>(routine, flags, operands),
                _ => Err(error_kind::RUNTIME),
            }
        }
    }));
    let refused = |code: Status| -i64::from(code);
    done.map_or(refused(error_kind::RUNTIME), |answer| answer.unwrap_or_else(refused))
}

/// # Safety
/// As of [`routine`], and elements are of this type.
unsafe fn of<T: Element>(asked: u32, flags: u32, operands: &[MatrixOperand]) -> Answer {
    // SAFETY: as the caller promises: of a written operand, and a read one, this is the dtype.
    unsafe {
        match (asked, operands) {
            (routine::LU, [a, pivots]) => lu::factor::<T>(written(a), Pivots::of(pivots)),
            (routine::SOLVE, [a, b]) => lu::solve::<T>(written(a), written(b)),
            (routine::CHOLESKY, [a]) => cholesky::factor::<T>(written(a)),
            (routine::QR, [a, tau]) => qr::factor::<T>(written(a), vector(tau)),
            (routine::Q, [q, tau]) => orthogonal::form::<T>(written(q), vector(tau).into_const()),
            (routine::EIGH, [a, values]) => symmetric::decompose::<T>(written(a), vector(values)),
            (routine::EIGVALSH, [a, values]) => symmetric::values::<T>(written(a), vector(values)),
            (routine::SVD, [a, values, u, v]) => {
                svd::decompose::<T>(written(a), vector(values), written(u), written(v))
            }
            (routine::SVDVALS, [a, values]) => svd::values::<T>(written(a), vector(values)),
            (routine::EIG, [a, values, vectors]) => {
                general::decompose::<T>(written(a), vector(values), written(vectors))
            }
            (routine::EIGVALS, [a, values]) => general::values::<T>(written(a), vector(values)),
            (routine::TRIANGULAR, [b, a]) => triangular::solve::<T>(written(b), read(a), Form::of(flags)),
            (routine::LU_SOLVE, [b, lu, pivots]) => {
                lu::solve_factored::<T>(written(b), read(lu), &Pivots::of(pivots), Form::of(flags))
            }
            _ => Err(error_kind::RUNTIME),
        }
    }
}
