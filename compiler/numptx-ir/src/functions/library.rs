//! Rows of class `Library`: functions that are written in Python, in `numptx-lower/src/library/`; those of linear algebra are in `algebra.rs`, of transforms in `fourier.rs`, of
//! statistics in `statistics.rs`, of calculus and polynomials in `polynomials.rs`, of windows, signals and images in `signals.rs`.

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
pub(super) const VECTOR: Takes = array(1, 1, Holds::Anything);
pub(super) const VECTORS: Takes = array(1, MAX_RANK, Holds::Anything);
pub(super) const INTEGERS: Takes = array(1, 1, Holds::Integers);
pub(super) const REAL: Takes = array(0, MAX_RANK, Holds::Real);
pub(super) const REALS: Takes = array(1, 1, Holds::Real);
pub(super) const VARIABLES: Takes = array(1, 2, Holds::Anything);
pub(super) const NUMBERS: Takes = array(0, MAX_RANK, Holds::RealNumbers);
const SORTS: &[(&str, Takes)] = &[("a", ANY), ("axis", Takes::Axis("a")), ("kind", KIND), ("stable", Takes::Flag)];
const BITORDER: Takes = Takes::Word(&["big", "little"]);
const KIND: Takes = Takes::Word(&["quicksort", "mergesort", "heapsort", "stable"]);

const SORT: &str = "a, axis=-1, kind=None, order=None, *, stable=None";
const UNIQUE: &str =
    "ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True, sorted=True";

/// The rows.
pub const TABLE: &[Function] = &[
    library("math.gcd", "*integers", &[("integers", Takes::Integer)]).of_pairs().doc("greatest common divisor"),
    library("math.lcm", "*integers", &[("integers", Takes::Integer)]).of_pairs().doc("least common multiple"),
    library("math.isqrt", "n, /", &[("n", Takes::Integer)]).doc("square root, rounded down"),
    library("math.factorial", "n, /", &[("n", Takes::Integer)]).doc("factorial"),
    library("math.comb", "n, k, /", &[("n", Takes::Integer), ("k", Takes::Integer)]).doc("ways to choose k of n"),
    library("math.perm", "n, k=None, /", &[("n", Takes::Integer), ("k", Takes::Integer)]).doc("ordered ways to choose k of n"),
    library("math.prod", "iterable, /, *, start=1", &[("iterable", Takes::Anything), ("start", Takes::Anything)])
        .doc("product of the members of an array, a list or a tuple"),
    library("math.fsum", "seq, /", &[("seq", Takes::Anything)]).doc("sum of floats, rounded once"),
    library("math.dist", "p, q, /", &[("p", Takes::Anything), ("q", Takes::Anything)]).ulp(2).doc("distance of two points"),
    library("math.hypot", "*coordinates", &[("coordinates", Takes::Number)]).ulp(4).doc("square root of the sum of squares"),
    library("math.frexp", "x, /", &[("x", Takes::Number)]).doc("mantissa in [0.5, 1) and exponent"),
    library("math.ldexp", "x, i, /", &[("x", Takes::Number), ("i", Takes::Integer)]).doc("x * 2**i"),
    library("math.modf", "x, /", &[("x", Takes::Number)]).doc("fraction and whole part"),
    library("math.isclose", "a, b, *, rel_tol=1e-09, abs_tol=0.0", &[("a", Takes::Number), ("b", Takes::Number), ("rel_tol", Takes::Number), ("abs_tol", Takes::Number)])
        .doc("whether floats differ by little"),
    library("numpy.packbits", "a, /, axis=None, bitorder='big'", &[("a", ANY), ("axis", Takes::Axis("a")), ("bitorder", BITORDER)])
        .doc("bytes of eight bits each")
        .example("np.packbits(y > 3.0, axis=1)"),
    library("numpy.unpackbits", "a, /, axis=None, count=None, bitorder='big'", &[("a", ANY), ("axis", Takes::Axis("a")), ("count", Takes::Integer), ("bitorder", BITORDER)])
        .doc("the bits of bytes")
        .example("np.unpackbits(y.astype(np.uint8), axis=0, count=-3)"),
    library("numpy.isposinf", "x, out=None", &[("x", REAL)])
        .without(&["out"])
        .doc("whether elements are positive infinity")
        .example("np.isposinf(y * np.inf)"),
    library("numpy.isneginf", "x, out=None", &[("x", REAL)])
        .without(&["out"])
        .doc("whether elements are negative infinity")
        .example("np.isneginf(y * -np.inf)"),
    library("numpy.asarray_chkfinite", "a, dtype=None, order=None", &[("a", ANY)])
        .without(&["dtype", "order"])
        .converts_members()
        .doc("the array, of which an error is raised if an element is not finite")
        .example("np.asarray_chkfinite(y)"),
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
    library("numpy.unique", UNIQUE, &[("ar", ANY), ("return_index", Takes::Flag), ("return_inverse", Takes::Flag), ("return_counts", Takes::Flag), ("axis", Takes::Axis("ar")), ("equal_nan", Takes::Flag), ("sorted", Takes::Flag)])
        .doc("different elements in ascending order; where each stands first, where each element went, and how often each occurs")
        .example("np.unique(np.floor(3 * y), return_index=True, return_inverse=True, return_counts=True)"),
    library("numpy.searchsorted", "a, v, side='left', sorter=None", &[("a", VECTOR), ("v", ANY), ("side", Takes::Word(&["left", "right"])), ("sorter", INTEGERS)])
        .aliases(&["ndarray.searchsorted"])
        .method("self, v, /, side='left', sorter=None")
        .doc("where values belong in a sorted vector")
        .example("np.searchsorted(np.arange(5.0), x)"),
    library("numpy.digitize", "x, bins, right=False", &[("x", REAL), ("bins", REALS), ("right", Takes::Flag)])
        .doc("which bin of increasing or decreasing edges values belong to")
        .example("np.digitize(x, np.arange(5.0))"),
];
