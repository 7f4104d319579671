//! Rows of class `Library`: functions that are written in Python, in `numptx-lower/src/library/`.

use super::{Class, Function};

const fn library(name: &'static str, parameters: &'static str) -> Function {
    Function::new(name, parameters, Class::Library)
}

/// The rows.
pub const TABLE: &[Function] = &[
    library("math.gcd", "a=0, b=0, /").doc("greatest common divisor"),
    library("math.lcm", "a=1, b=1, /").doc("least common multiple"),
    library("math.isqrt", "n, /").doc("square root, rounded down"),
    library("math.factorial", "x, /").doc("factorial"),
    library("math.comb", "n, k, /").doc("ways to choose k of n"),
    library("math.isclose", "a, b, *, rel_tol=1e-09, abs_tol=0.0")
        .doc("whether floats differ by little"),
    library("numpy.linalg.cholesky", "a, upper=False")
        .ulp(64)
        .doc("the lower triangular factor L of L @ L.T; of one matrix")
        .example("np.linalg.cholesky(y @ y.T + 10 * np.eye(y.shape[0]))"),
    library("numpy.linalg.solve", "a, b")
        .ulp(64)
        .doc("x of a @ x = b; of one matrix")
        .example("np.linalg.solve(y @ y.T + 10 * np.eye(y.shape[0]), y)"),
    library("numpy.linalg.inv", "a")
        .ulp(64)
        .doc("the inverse of one matrix")
        .example("np.linalg.inv(y @ y.T + 10 * np.eye(y.shape[0]))"),
    library("numpy.linalg.det", "a")
        .ulp(64)
        .doc("the determinant of one matrix")
        .example("np.linalg.det(y @ y.T + 10 * np.eye(y.shape[0]))"),
    library("numpy.linalg.norm", "x, ord=None, axis=None, keepdims=False")
        .ulp(8)
        .doc("the Frobenius norm; norms of vectors of order 1, 2 and inf")
        .example("np.linalg.norm(y, axis=1)"),
    library("numpy.kron", "a, b").doc("each element of a times all of b").example("np.kron(y, y)"),
    library("numpy.cross", "a, b")
        .doc("cross products of vectors of three elements")
        .example("np.cross(x[:3], x[1:4])"),
    library("numpy.average", "a, axis=None, weights=None, keepdims=False")
        .ulp(8)
        .doc("mean, weighted if weights of the same shape are given")
        .example("np.average(y, axis=0, weights=y)"),
    library("numpy.cov", "m, rowvar=True, bias=False, ddof=None")
        .ulp(16)
        .doc("covariances of the rows, or of the columns")
        .example("np.cov(y)"),
    library("numpy.corrcoef", "x, rowvar=True")
        .ulp(16)
        .doc("correlation coefficients of the rows, or of the columns")
        .example("np.corrcoef(y)"),
    library("numpy.histogram", "a, bins=10, range=None, density=None, weights=None")
        .ulp(2)
        .doc("counts in bins of equal width, and the edges of the bins")
        .example("np.histogram(x, 4)"),
    library("numpy.histogram_bin_edges", "a, bins=10, range=None")
        .ulp(2)
        .doc("edges of bins of equal width")
        .example("np.histogram_bin_edges(x, 4)"),
    library("numpy.bincount", "x, weights=None, minlength=0")
        .doc("how often each integer from 0 on occurs")
        .example("np.bincount(np.arange(4) // 2)"),
    library("numpy.interp", "x, xp, fp, left=None, right=None")
        .ulp(8)
        .doc("piecewise linear interpolation at x")
        .example("np.interp(x, np.arange(5.0), np.arange(5.0) ** 2)"),
    library("numpy.sort", "a, axis=-1, kind=None, stable=None")
        .doc("elements in ascending order; nans last")
        .example("np.sort(y)"),
    library("ndarray.sort", "a, axis=-1, kind=None, stable=None").doc("puts the array's elements into ascending order"),
    library("numpy.argsort", "a, axis=-1, kind=None, stable=None")
        .aliases(&["ndarray.argsort"])
        .doc("indices that sort; of equal elements the first one first")
        .example("np.argsort(y)"),
    library("numpy.copyto", "dst, src, casting='same_kind', where=True")
        .doc("writes values into an array, where a mask is true"),
    library("numpy.putmask", "a, mask, values")
        .doc("writes values, again and again from the first one, where a mask is true: each element has its own"),
    library("numpy.place", "arr, mask, vals")
        .doc("writes values, again and again from the first one, where a mask is true: one after the other"),
    library("numpy.median", "a, axis=None, keepdims=False")
        .ulp(2)
        .doc("the middle element, or the mean of two")
        .example("np.median(y)"),
    library("numpy.unique", "ar, return_index=False, return_inverse=False, return_counts=False")
        .doc("different elements in ascending order; where each stands first, where each element went, and how often each occurs")
        .example("np.unique(np.floor(3 * y), return_index=True, return_inverse=True, return_counts=True)"),
    library("numpy.searchsorted", "a, v, side='left'")
        .doc("where values belong in a sorted vector")
        .example("np.searchsorted(np.arange(5.0), x)"),
    library("numpy.digitize", "x, bins, right=False")
        .doc("which bin of increasing edges values belong to")
        .example("np.digitize(x, np.arange(5.0))"),
];
