//! Rows of class `Library`: functions that are written in Python, in `numptx-lower/src/library/`; those of linear algebra are in `algebra.rs`, of transforms in `fourier.rs`.

use super::error::MAX_RANK;
use super::takes::{ArrayOf, Holds, Takes};
use super::{Class, Function};

/// A row, and what each of its parameters takes.
pub(super) const fn library(
    name: &'static str,
    parameters: &'static str,
    takes: &'static [(&'static str, Takes)],
) -> Function {
    let row = Function::new(name, parameters, Class::Library);
    Function { takes, ..row }
}

pub(super) const fn array(least: usize, most: usize, holds: Holds) -> Takes {
    Takes::Array(ArrayOf { least, most, holds })
}

pub(super) const ANY: Takes = array(0, MAX_RANK, Holds::Anything);
const VECTOR: Takes = array(1, 1, Holds::Anything);
pub(super) const VECTORS: Takes = array(1, MAX_RANK, Holds::Anything);
const INTEGERS: Takes = array(1, 1, Holds::Integers);
pub(super) const REAL: Takes = array(0, MAX_RANK, Holds::Real);
const REALS: Takes = array(1, 1, Holds::Real);
const VARIABLES: Takes = array(1, 2, Holds::Real);
const NUMBERS: Takes = array(0, MAX_RANK, Holds::RealNumbers);
const SORTS: &[(&str, Takes)] = &[("a", ANY), ("axis", Takes::Axis("a")), ("kind", KIND), ("stable", Takes::Flag)];
const KIND: Takes = Takes::Word(&["quicksort", "mergesort", "heapsort", "stable"]);

const COV: &str = "m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None";
const SORT: &str = "a, axis=-1, kind=None, order=None, *, stable=None";
const UNIQUE: &str =
    "ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True, sorted=True";

/// The rows.
pub const TABLE: &[Function] = &[
    library("math.gcd", "*integers", &[("integers", Takes::Integer)]).doc("greatest common divisor"),
    library("math.lcm", "*integers", &[("integers", Takes::Integer)]).doc("least common multiple"),
    library("math.isqrt", "n, /", &[("n", Takes::Integer)]).doc("square root, rounded down"),
    library("math.factorial", "n, /", &[("n", Takes::Integer)]).doc("factorial"),
    library("math.comb", "n, k, /", &[("n", Takes::Integer), ("k", Takes::Integer)]).doc("ways to choose k of n"),
    library("math.isclose", "a, b, *, rel_tol=1e-09, abs_tol=0.0", &[("a", Takes::Number), ("b", Takes::Number), ("rel_tol", Takes::Number), ("abs_tol", Takes::Number)])
        .doc("whether floats differ by little"),
    library("numpy.average", "a, axis=None, weights=None, returned=False, *, keepdims=False", &[("a", ANY), ("axis", Takes::Axes("a")), ("weights", ANY), ("returned", Takes::Flag), ("keepdims", Takes::Flag)])
        .ulp(8)
        .doc("mean, weighted if weights of the same shape are given; the sum of the weights, too, if asked for")
        .example("np.average(y, axis=0, weights=y)"),
    library("numpy.cov", COV, &[("m", VARIABLES), ("y", VARIABLES), ("rowvar", Takes::Flag), ("bias", Takes::Flag), ("ddof", Takes::Number)])
        .without(&["fweights", "aweights", "dtype"])
        .ulp(16)
        .doc("covariances of the rows, or of the columns")
        .example("np.cov(y)"),
    library("numpy.corrcoef", "x, y=None, rowvar=True, *, dtype=None", &[("x", VARIABLES), ("y", VARIABLES), ("rowvar", Takes::Flag)])
        .without(&["dtype"])
        .ulp(16)
        .doc("correlation coefficients of the rows, or of the columns")
        .example("np.corrcoef(y)"),
    library("numpy.histogram", "a, bins=10, range=None, density=None, weights=None", &[("a", NUMBERS), ("bins", Takes::Integer), ("range", Takes::Pair), ("density", Takes::Flag), ("weights", REAL)])
        .ulp(2)
        .doc("counts in bins of equal width, and the edges of the bins")
        .example("np.histogram(x, 4)"),
    library("numpy.histogram_bin_edges", "a, bins=10, range=None, weights=None", &[("a", NUMBERS), ("bins", Takes::Integer), ("range", Takes::Pair)])
        .without(&["weights"])
        .ulp(2)
        .doc("edges of bins of equal width")
        .example("np.histogram_bin_edges(x, 4)"),
    library("numpy.bincount", "x, /, weights=None, minlength=0", &[("x", INTEGERS), ("weights", REALS), ("minlength", Takes::Integer)])
        .doc("how often each integer from 0 on occurs")
        .example("np.bincount(np.arange(4) // 2)"),
    library("numpy.interp", "x, xp, fp, left=None, right=None, period=None", &[("x", REAL), ("xp", REALS), ("fp", VECTOR), ("left", Takes::Anything), ("right", Takes::Anything)])
        .without(&["period"])
        .ulp(8)
        .doc("piecewise linear interpolation at x")
        .example("np.interp(x, np.arange(5.0), np.arange(5.0) ** 2)"),
    library("numpy.sort", SORT, SORTS)
        .without(&["order"])
        .doc("elements in ascending order; nans last")
        .example("np.sort(y)"),
    library("ndarray.sort", SORT, &[("a", Takes::Destination), ("axis", Takes::Axis("a")), ("kind", KIND), ("stable", Takes::Flag)]).without(&["order"]).doc("puts the array's elements into ascending order"),
    library("numpy.argsort", SORT, SORTS)
        .without(&["order"])
        .aliases(&["ndarray.argsort"])
        .doc("indices that sort; of equal elements the first one first")
        .example("np.argsort(y)"),
    library("numpy.copyto", "dst, src, casting='same_kind', where=True", &[("dst", Takes::Destination), ("src", Takes::Anything), ("casting", Takes::Word(&["no", "equiv", "safe", "same_kind", "unsafe"])), ("where", Takes::Anything)])
        .doc("writes values into an array, where a mask is true"),
    library("numpy.putmask", "a, /, mask, values", &[("a", Takes::Destination), ("mask", Takes::Anything), ("values", Takes::Anything)])
        .doc("writes values, again and again from the first one, where a mask is true: each element has its own"),
    library("numpy.place", "arr, mask, vals", &[("arr", Takes::Destination), ("mask", Takes::Anything), ("vals", Takes::Anything)])
        .doc("writes values, again and again from the first one, where a mask is true: one after the other"),
    library("numpy.median", "a, axis=None, out=None, overwrite_input=False, keepdims=False", &[("a", REAL), ("axis", Takes::Axis("a"))])
        .without(&["out", "overwrite_input", "keepdims"])
        .ulp(2)
        .doc("the middle element, or the mean of two")
        .example("np.median(y)"),
    library("numpy.unique", UNIQUE, &[("ar", ANY), ("return_index", Takes::Flag), ("return_inverse", Takes::Flag), ("return_counts", Takes::Flag)])
        .without(&["axis", "equal_nan", "sorted"])
        .doc("different elements in ascending order; where each stands first, where each element went, and how often each occurs")
        .example("np.unique(np.floor(3 * y), return_index=True, return_inverse=True, return_counts=True)"),
    library("numpy.searchsorted", "a, v, side='left', sorter=None", &[("a", VECTOR), ("v", ANY), ("side", Takes::Word(&["left", "right"]))])
        .without(&["sorter"])
        .doc("where values belong in a sorted vector")
        .example("np.searchsorted(np.arange(5.0), x)"),
    library("numpy.digitize", "x, bins, right=False", &[("x", REAL), ("bins", REALS), ("right", Takes::Flag)])
        .doc("which bin of increasing or decreasing edges values belong to")
        .example("np.digitize(x, np.arange(5.0))"),
];
