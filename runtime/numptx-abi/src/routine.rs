//! Routines of linear algebra and Fourier transforms that generated code asks the runtime for: what each takes, writes and answers.
//!
//! All arrays of a routine have the same leading axes, a batch, for each index of which it does the same. What is said below is said of one index:
//! matrices are the last two axes, vectors the last one. Where nothing else is said all elements are of one dtype, `float32`, `float64`, `complex64` or
//! `complex128`, and `real` is the float of the same width. Written arrays come first, are the caller's alone, and share no memory with each other.
//! A matrix lies *by columns* where a step down is one element. The answer is 0, or of the batch's first index that failed the number that is named.

/// (a, pivots): a = P L U by rows exchanged, in place; L has a diagonal of ones. `pivots`, of `int32`: with which row each was exchanged, from 1. Answers
/// 0, whatever the matrix. Matrices lie by columns.
pub const LU: u32 = 0;
/// (a, b): b becomes x of a x = b; a is lost. Answers the first diagonal element of U, from 1, that is zero. Matrices lie by columns.
pub const SOLVE: u32 = 1;
/// (a): the lower triangle of a Hermitian matrix becomes its factor L of L Lᴴ; what is above is neither read nor of use afterwards. Answers the
/// order of the first leading minor that is not positive. The matrix lies by columns or by rows.
pub const CHOLESKY: u32 = 2;
/// (a, tau): a = Q R as Householder's vectors below R, in LAPACK's form. Matrices lie by columns.
pub const QR: u32 = 3;
/// (q, tau): the vectors in the first columns of q, as many as `tau` has elements, become as many columns of Q as q has. Matrices lie by columns.
pub const Q: u32 = 4;
/// (a, values): a Hermitian matrix, of which the lower triangle is read, becomes its eigenvectors, by columns; `values`, real: its eigenvalues, ascending.
/// Answers not 0 where it did not converge. Matrices lie by columns.
pub const EIGH: u32 = 5;
/// (a, values): as [`EIGH`], without the vectors; a is lost.
pub const EIGVALSH: u32 = 6;
/// (a, values, u, v): a = u diag(values) v, where `values`, real, descend. a is lost. Of m × n elements with k the lesser: u is m × k or m × m, v
/// k × n or n × n, both alike. Matrices lie by columns where m ≥ n, by rows where m < n. Answers not 0 where it did not converge.
pub const SVD: u32 = 7;
/// (a, values): as [`SVD`], without the matrices.
pub const SVDVALS: u32 = 8;
/// (a, values, vectors): eigenvalues of any matrix, and vectors of length 1 by columns; both complex, of the same width. a is lost. Answers not 0 where it
/// did not converge. Matrices lie by columns.
pub const EIG: u32 = 9;
/// (a, values): as [`EIG`], without the vectors.
pub const EIGVALS: u32 = 10;
/// (b, a): b becomes x of op(a) x = b, where a is triangular; flags [`LOWER`], [`TRANSPOSED`], [`CONJUGATED`], [`UNIT`]. Matrices lie by columns. Answers
/// the first diagonal element, from 1, that is zero; then b is as it was.
pub const TRIANGULAR: u32 = 11;
/// (b, lu, pivots): b becomes x of op(a) x = b, of what [`LU`] made of a; flags [`TRANSPOSED`], [`CONJUGATED`]. Matrices lie by columns.
pub const LU_SOLVE: u32 = 12;
/// (y, x): the discrete Fourier transform over the last [`axes`] axes, not scaled; both complex; flag [`INVERSE`]. Any strides. Answers 0.
pub const FFT: u32 = 13;
/// (y, x): of real x, the first half of what [`FFT`] would give along the last axis: y has n / 2 + 1 elements of its n.
pub const RFFT: u32 = 14;
/// (y, x): the inverse of [`RFFT`], not scaled, along the last axis: real y of n elements, of whose n / 2 + 1 in x the imaginary part of the first one, and
/// of even n of the last one, is not read.
pub const IRFFT: u32 = 15;

/// The number of routines.
pub const COUNT: u32 = 16;

/// Their names in text, by their codes.
pub const NAMES: [&str; COUNT as usize] = [
    "lu",
    "solve",
    "cholesky",
    "qr",
    "q",
    "eigh",
    "eigvalsh",
    "svd",
    "svdvals",
    "eig",
    "eigvals",
    "triangular",
    "lu_solve",
    "fft",
    "rfft",
    "irfft",
];

/// How many arrays a routine takes, and how many of these, the first ones, it writes.
pub const fn operands(routine: u32) -> (usize, usize) {
    match routine {
        CHOLESKY => (1, 1),
        SVD => (4, 4),
        EIG => (3, 3),
        Q | TRIANGULAR | FFT | RFFT | IRFFT => (2, 1),
        LU_SOLVE => (3, 1),
        _ => (2, 2),
    }
}

/// The lower triangle counts.
pub const LOWER: u32 = 1;
/// The matrix is taken transposed.
pub const TRANSPOSED: u32 = 2;
/// And conjugated; only with [`TRANSPOSED`].
pub const CONJUGATED: u32 = 4;
/// The diagonal counts as ones, and is not read.
pub const UNIT: u32 = 8;
/// The exponent is positive.
pub const INVERSE: u32 = 16;

/// Over how many last axes, one to three, a transform goes, among its flags.
pub const fn axes(flags: u32) -> u32 {
    flags >> 8
}
