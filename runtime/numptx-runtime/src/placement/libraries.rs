//! What routines of libraries cost, for the cost model of a call.
//!
//! In: what an overload asks for, and the shapes of its arguments: of the largest one the last two axes are taken for a matrix, the others for a batch. Out:
//! nanoseconds on the CPU, on a GPU, and until the GPU's libraries are open. Measured on an H200 and on one core of a current x86-64
//! (`bench/linalg.py`, `bench/results`); what was not measured counts nothing, so that the CPU keeps it.

use numptx_abi::{Argument, Overload, Value, routine};

use crate::libraries::{cublas, cufft, cusolver};
use crate::pool::thread_count;

/// In nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Costs {
    pub(super) cpu: f64,
    pub(super) gpu: f64,
    pub(super) start: f64,
}

/// How long one routine takes: of matrices of m × n elements and k = min(m, n).
struct Class {
    routines: u64,
    /// On one core, for each m n k; of transforms for each element and bit of their length.
    cpu: f64,
    /// On a GPU for each of k steps, of one matrix or of a whole batch of small ones.
    gpu_step: f64,
    /// The GPU's library: from being found to its first result.
    start: f64,
    is_known: fn() -> bool,
    /// Whether the host's threads share one matrix.
    is_shared: bool,
}

const fn bits(routines: &[u32]) -> u64 {
    let (mut bits, mut n) = (0, 0);
    while n < routines.len() {
        bits |= 1 << routines[n];
        n += 1;
    }
    bits
}

const TRANSFORMS: u64 = bits(&[routine::FFT, routine::RFFT, routine::IRFFT]);

const CLASSES: [Class; 5] = [
    Class {
        routines: Overload::PRODUCTS,
        cpu: 0.05,
        gpu_step: 1.0,
        start: 300e6,
        is_known: cublas::is_known,
        is_shared: true,
    },
    Class {
        routines: bits(&[
            routine::LU,
            routine::SOLVE,
            routine::CHOLESKY,
            routine::QR,
            routine::Q,
            routine::TRIANGULAR,
            routine::LU_SOLVE,
        ]),
        cpu: 0.05,
        gpu_step: 4e3,
        start: 350e6,
        is_known: cusolver::is_known,
        is_shared: false,
    },
    Class {
        routines: bits(&[routine::EIGH, routine::EIGVALSH]),
        cpu: 0.5,
        gpu_step: 14e3,
        start: 350e6,
        is_known: cusolver::is_known,
        is_shared: false,
    },
    Class {
        routines: bits(&[routine::SVD, routine::SVDVALS]),
        cpu: 1.0,
        gpu_step: 220e3,
        start: 350e6,
        is_known: cusolver::is_known,
        is_shared: false,
    },
    Class { routines: TRANSFORMS, cpu: 0.7, gpu_step: 0.0, start: 100e6, is_known: cufft::is_known, is_shared: false },
];

/// See the file's header.
pub(super) fn costs(asked: u64, arguments: &[Argument]) -> Costs {
    let Some(shape) = largest(arguments).filter(|_| asked != 0) else { return Costs::default() };
    let mut costs = Costs::default();
    for class in CLASSES.iter().filter(|class| class.routines & asked != 0) {
        let (count, elements, least) = matrices(shape, class.routines == TRANSFORMS);
        let threads = thread_count() as f64;
        let threads = if class.is_shared { threads } else { threads.min(count.max(1.0)) };
        costs.cpu += class.cpu * count * elements * least / threads;
        costs.gpu += class.gpu_step * least;
        costs.start += if (class.is_known)() { 0.0 } else { class.start };
    }
    costs
}

/// The shape of the array of most elements.
fn largest(arguments: &[Argument]) -> Option<&[i64]> {
    let arrays = arguments.iter().filter(|a| a.kind == Value::ARRAY);
    let shapes = arrays.map(|a| &a.array.shape[..(a.array.rank as usize).min(numptx_abi::MAX_RANK)]);
    shapes.max_by(|a, b| size(a).total_cmp(&size(b)))
}

fn size(shape: &[i64]) -> f64 {
    shape.iter().map(|extent| *extent as f64).product()
}

/// How many matrices, elements of each, and the lesser of its extents; of transforms rows, and the bits of their length.
fn matrices(shape: &[i64], are_rows: bool) -> (f64, f64, f64) {
    let along = |from_last: usize| shape.len().checked_sub(from_last).map_or(1.0, |axis| shape[axis] as f64);
    let (rows, columns) = (along(2), along(1));
    if are_rows {
        return (size(shape) / columns.max(1.0), columns, columns.max(2.0).log2());
    }
    (size(shape) / (rows * columns).max(1.0), rows * columns, rows.min(columns))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_batches_of_matrices_or_of_rows() {
        assert_eq!(matrices(&[5, 3, 4], false), (5.0, 12.0, 3.0));
        assert_eq!(matrices(&[7], false), (1.0, 7.0, 1.0));
        assert_eq!(matrices(&[6, 8], true), (6.0, 8.0, 3.0));
        assert_eq!(matrices(&[], true), (1.0, 1.0, 1.0));
        assert_eq!(matrices(&[0, 4], true).0, 0.0);
    }

    #[test]
    fn every_routine_that_was_measured_is_in_one_class() {
        let all = CLASSES.iter().fold(0u64, |all, class| {
            assert_eq!(all & class.routines, 0);
            all | class.routines
        });
        let unmeasured = bits(&[routine::EIG, routine::EIGVALS]);
        assert_eq!(all, Overload::PRODUCTS | (((1 << routine::COUNT) - 1) & !unmeasured));
    }

    #[test]
    fn nothing_asked_costs_nothing() {
        assert_eq!(costs(0, &[]), Costs::default());
    }
}
