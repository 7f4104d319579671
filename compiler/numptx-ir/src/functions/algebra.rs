//! Rows of linear algebra that are written in Python: factors, eigenvalues, norms, products of several matrices; SciPy's functions of kept factors.

use super::Function;
use super::error::MAX_RANK;
use super::library::{ANY, VECTORS, array, library};
use super::takes::{Holds, Takes};

const MATRIX: Takes = array(2, 2, Holds::Anything);
const MATRICES: Takes = array(2, MAX_RANK, Holds::Anything);
const COLUMNS: Takes = array(1, 2, Holds::Anything);
const UPLO: Takes = Takes::Word(&["L", "U", "l", "u"]);
const MODE: Takes = Takes::Word(&["reduced", "complete", "r", "raw"]);
/// Hints of SciPy, which change no result.
const HINT: Takes = Takes::Flag;

/// The rows.
pub const TABLE: &[Function] = &[
    library("numpy.linalg.cholesky", "a, /, *, upper=False", &[("a", MATRICES), ("upper", Takes::Flag)])
        .ulp(64)
        .doc("the lower triangular factor L of L @ L.mT.conj(), or the upper one")
        .example("np.linalg.cholesky(y @ y.T + 10 * np.eye(y.shape[0]))"),
    library("numpy.linalg.qr", "a, mode='reduced'", &[("a", MATRICES), ("mode", MODE)])
        .ulp(64)
        .doc("orthonormal columns and an upper triangle; or the triangle alone, or LAPACK's form")
        .example("np.abs(np.linalg.qr(y, 'r'))"),
    library("numpy.linalg.solve", "a, b", &[("a", MATRICES), ("b", VECTORS)])
        .ulp(64)
        .doc("x of a @ x = b")
        .example("np.linalg.solve(y @ y.T + 10 * np.eye(y.shape[0]), y)"),
    library("numpy.linalg.inv", "a", &[("a", MATRICES)])
        .ulp(64)
        .doc("the inverse")
        .example("np.linalg.inv(y @ y.T + 10 * np.eye(y.shape[0]))"),
    library("numpy.linalg.det", "a", &[("a", MATRICES)])
        .ulp(64)
        .doc("the determinant")
        .example("np.linalg.det(y @ y.T + 10 * np.eye(y.shape[0]))"),
    library("numpy.linalg.slogdet", "a", &[("a", MATRICES)])
        .ulp(64)
        .doc("the determinant's sign, and the logarithm of its magnitude")
        .example("np.linalg.slogdet(y @ y.T + 10 * np.eye(y.shape[0]))[1]"),
    library("numpy.linalg.eig", "a", &[("a", MATRICES)])
        .ulp(64)
        .doc("eigenvalues and eigenvectors, both complex; in no order")
        .example("np.abs(np.linalg.eig(y @ y.T + 10 * np.eye(y.shape[0]))[0]).sum()"),
    library("numpy.linalg.eigvals", "a", &[("a", MATRICES)])
        .ulp(64)
        .doc("eigenvalues, complex; in no order")
        .example("np.abs(np.linalg.eigvals(y @ y.T + 10 * np.eye(y.shape[0]))).sum()"),
    library("numpy.linalg.eigh", "a, UPLO='L'", &[("a", MATRICES), ("UPLO", UPLO)])
        .ulp(64)
        .doc("eigenvalues of a Hermitian matrix, ascending, and eigenvectors")
        .example("np.linalg.eigh(y @ y.T)[0]"),
    library("numpy.linalg.eigvalsh", "a, UPLO='L'", &[("a", MATRICES), ("UPLO", UPLO)])
        .ulp(64)
        .doc("eigenvalues of a Hermitian matrix, ascending")
        .example("np.linalg.eigvalsh(y @ y.T)"),
    library(
        "numpy.linalg.svd",
        "a, full_matrices=True, compute_uv=True, hermitian=False",
        &[("a", MATRICES), ("full_matrices", Takes::Flag), ("compute_uv", Takes::Flag), ("hermitian", Takes::Flag)],
    )
    .ulp(64)
    .doc("singular values, descending, between orthonormal matrices")
    .example("np.linalg.svd(y, False)[1]"),
    library("numpy.linalg.svdvals", "x, /", &[("x", MATRICES)])
        .ulp(64)
        .doc("singular values, descending")
        .example("np.linalg.svdvals(y)"),
    library(
        "numpy.linalg.pinv",
        "a, rcond=None, hermitian=False, *, rtol=<no value>",
        &[("a", MATRICES), ("rcond", ANY), ("hermitian", Takes::Flag)],
    )
    .without(&["rtol"])
    .ulp(64)
    .doc("the pseudo-inverse")
    .example("np.linalg.pinv(y[:, :2])"),
    library("numpy.linalg.lstsq", "a, b, rcond=None", &[("a", MATRIX), ("b", COLUMNS), ("rcond", Takes::Number)])
        .ulp(64)
        .doc("least squares: solution, residuals, rank, singular values")
        .example("np.linalg.lstsq(y[:, :2], y)[0]"),
    library(
        "numpy.linalg.matrix_rank",
        "A, tol=None, hermitian=False, *, rtol=None",
        &[("A", ANY), ("tol", ANY), ("hermitian", Takes::Flag), ("rtol", ANY)],
    )
    .doc("how many singular values are not negligible")
    .example("np.linalg.matrix_rank(y)"),
    library("numpy.linalg.matrix_power", "a, n", &[("a", MATRICES), ("n", Takes::Integer)])
        .ulp(64)
        .doc("a matrix times itself, or its inverse")
        .example("np.linalg.matrix_power(y @ y.T, 3)"),
    library(
        "numpy.linalg.tensorsolve",
        "a, b, axes=None",
        &[("a", VECTORS), ("b", VECTORS), ("axes", Takes::Axes("a"))],
    )
    .ulp(64)
    .doc("x of np.tensordot(a, x, x.ndim) = b")
    .example("np.linalg.tensorsolve((y @ y.T + 10 * np.eye(3)).reshape(3, 1, 3), y[:, :1])"),
    library("numpy.linalg.tensorinv", "a, ind=2", &[("a", VECTORS), ("ind", Takes::Constant)])
        .ulp(64)
        .doc("the inverse of np.tensordot(a, b, ind)")
        .example("np.linalg.tensorinv((y @ y.T + 10 * np.eye(3)).reshape(3, 1, 3))"),
    library(
        "numpy.linalg.norm",
        "x, ord=None, axis=None, keepdims=False",
        &[("x", ANY), ("ord", Takes::Anything), ("axis", Takes::Axes("x")), ("keepdims", Takes::Flag)],
    )
    .ulp(8)
    .doc("norms of vectors and of matrices")
    .example("np.linalg.norm(y, axis=1)"),
    library(
        "numpy.linalg.matrix_norm",
        "x, /, *, keepdims=False, ord='fro'",
        &[("x", MATRICES), ("keepdims", Takes::Flag), ("ord", Takes::Anything)],
    )
    .ulp(8)
    .doc("norms of matrices")
    .example("np.linalg.matrix_norm(y)"),
    library(
        "numpy.linalg.vector_norm",
        "x, /, *, axis=None, keepdims=False, ord=2",
        &[("x", ANY), ("axis", Takes::Axes("x")), ("keepdims", Takes::Flag), ("ord", Takes::Anything)],
    )
    .ulp(8)
    .doc("norms of vectors, along axes or of all elements")
    .example("np.linalg.vector_norm(y, ord=3)"),
    library("numpy.linalg.cond", "x, p=None", &[("x", MATRICES), ("p", Takes::Anything)])
        .ulp(64)
        .doc("the condition: a norm times that of the inverse")
        .example("np.linalg.cond(y @ y.T + 10 * np.eye(3))"),
    library("numpy.linalg.multi_dot", "arrays, *, out=None", &[("arrays", Takes::Anything)])
        .without(&["out"])
        .ulp(16)
        .doc("a product of several matrices, in the cheapest order")
        .example("np.linalg.multi_dot([y, y.T, y, x])"),
    library(
        "numpy.linalg.cross",
        "x1, x2, /, *, axis=-1",
        &[("x1", VECTORS), ("x2", VECTORS), ("axis", Takes::Place("x1"))],
    )
    .doc("cross products of vectors of three elements")
    .example("np.linalg.cross(x[:3], x[1:4])"),
    library(
        "numpy.linalg.trace",
        "x, /, *, offset=0, dtype=None",
        &[("x", MATRICES), ("offset", Takes::Integer), ("dtype", Takes::Anything)],
    )
    .doc("sums along diagonals of the last two axes")
    .example("np.linalg.trace(y)"),
    library("numpy.linalg.matrix_transpose", "x, /", &[("x", MATRICES)])
        .doc("the last two axes exchanged")
        .example("np.linalg.matrix_transpose(y)"),
    library("numpy.kron", "a, b", &[("a", ANY), ("b", ANY)])
        .doc("each element of a times all of b")
        .example("np.kron(y, x)"),
    library(
        "numpy.cross",
        "a, b, axisa=-1, axisb=-1, axisc=-1, axis=None",
        &[
            ("a", VECTORS),
            ("b", VECTORS),
            ("axisa", Takes::Place("a")),
            ("axisb", Takes::Place("b")),
            ("axisc", Takes::Integer),
            ("axis", Takes::Place("a")),
        ],
    )
    .doc("cross products of vectors of three elements, or of two, where that is known when compiling")
    .example("np.cross(x[:3], x[1:4])"),
    library(
        "scipy.linalg.solve_triangular",
        "a, b, trans=0, lower=False, unit_diagonal=False, overwrite_b=False, check_finite=True",
        &[
            ("a", MATRICES),
            ("b", VECTORS),
            ("trans", Takes::Anything),
            ("lower", Takes::Flag),
            ("unit_diagonal", Takes::Flag),
            ("overwrite_b", HINT),
            ("check_finite", Takes::Flag),
        ],
    )
    .ulp(64)
    .doc("x of a @ x = b, where a is triangular"),
    library(
        "scipy.linalg.cho_factor",
        "a, lower=False, overwrite_a=False, check_finite=True",
        &[("a", MATRICES), ("lower", Takes::Flag), ("overwrite_a", HINT), ("check_finite", Takes::Flag)],
    )
    .ulp(64)
    .doc("Cholesky's factor, for `cho_solve`, and whether it is the lower one"),
    library(
        "scipy.linalg.cho_solve",
        "c_and_lower, b, overwrite_b=False, check_finite=True",
        &[("c_and_lower", Takes::Anything), ("b", VECTORS), ("overwrite_b", HINT), ("check_finite", Takes::Flag)],
    )
    .ulp(64)
    .doc("x of a @ x = b, by what `cho_factor` made of a"),
    library(
        "scipy.linalg.lu_factor",
        "a, overwrite_a=False, check_finite=True",
        &[("a", MATRICES), ("overwrite_a", HINT), ("check_finite", Takes::Flag)],
    )
    .ulp(64)
    .doc("triangular factors in one matrix, for `lu_solve`, and with which row each was exchanged"),
    library(
        "scipy.linalg.lu_solve",
        "lu_and_piv, b, trans=0, overwrite_b=False, check_finite=True",
        &[
            ("lu_and_piv", Takes::Anything),
            ("b", VECTORS),
            ("trans", Takes::Anything),
            ("overwrite_b", HINT),
            ("check_finite", Takes::Flag),
        ],
    )
    .ulp(64)
    .doc("x of a @ x = b, by what `lu_factor` made of a"),
];
