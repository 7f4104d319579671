//! Rows of calculus and of polynomials that are written in Python.

use super::Function;
use super::error::MAX_RANK;
use super::library::{ANY, REALS, VECTOR, VECTORS, array, library};
use super::takes::{Holds, Takes};

const UP_TO_VECTOR: Takes = array(0, 1, Holds::Anything);
const COLUMNS: Takes = array(1, 2, Holds::Anything);
const NUMBER_VECTORS: Takes = array(1, MAX_RANK, Holds::RealNumbers);

/// The rows.
pub const TABLE: &[Function] = &[
    library("numpy.ediff1d", "ary, to_end=None, to_begin=None", &[("ary", ANY), ("to_end", ANY), ("to_begin", ANY)])
        .doc("differences of neighbours in C order")
        .example("np.ediff1d(y, to_end=0.5, to_begin=[1, 2])"),
    library(
        "numpy.gradient",
        "f, *varargs, axis=None, edge_order=1",
        &[("f", VECTORS), ("varargs", Takes::Anything), ("axis", Takes::Axes("f")), ("edge_order", Takes::Constant)],
    )
    .ulp(8)
    .doc("derivatives along the axes, by differences of neighbours; of several axes a tuple")
    .example("np.gradient(y, 0.5, np.arange(4.0) ** 2)"),
    library(
        "numpy.trapezoid",
        "y, x=None, dx=1.0, axis=-1",
        &[("y", VECTORS), ("x", VECTORS), ("dx", Takes::Number), ("axis", Takes::Place("y"))],
    )
    .ulp(16)
    .doc("integrals of straight lines through samples")
    .example("np.trapezoid(y, x)"),
    library(
        "numpy.unwrap",
        "p, discont=None, axis=-1, *, period=6.283185307179586",
        &[("p", NUMBER_VECTORS), ("discont", Takes::Number), ("axis", Takes::Place("p")), ("period", Takes::Number)],
    )
    .ulp(16)
    .doc("angles without jumps by a period")
    .example("np.unwrap(3 * x)"),
    library("numpy.polyval", "p, x", &[("p", VECTOR), ("x", ANY)])
        .ulp(4)
        .doc("a polynomial's values; the coefficient of the highest power first")
        .example("np.polyval(x, y)"),
    library("numpy.polyadd", "a1, a2", &[("a1", UP_TO_VECTOR), ("a2", UP_TO_VECTOR)])
        .doc("sum of two polynomials")
        .example("np.polyadd(x, y[0, :2])"),
    library("numpy.polysub", "a1, a2", &[("a1", UP_TO_VECTOR), ("a2", UP_TO_VECTOR)])
        .doc("difference of two polynomials")
        .example("np.polysub(x, y[0, :2])"),
    library("numpy.polymul", "a1, a2", &[("a1", UP_TO_VECTOR), ("a2", UP_TO_VECTOR)])
        .ulp(4)
        .doc("product of two polynomials")
        .example("np.polymul(x, y[0])"),
    library("numpy.polydiv", "u, v", &[("u", UP_TO_VECTOR), ("v", UP_TO_VECTOR)])
        .ulp(8)
        .doc("quotient of two polynomials, and what is left")
        .example("np.polydiv(x, y[1, :2])"),
    library("numpy.polyder", "p, m=1", &[("p", VECTOR), ("m", Takes::Constant)])
        .doc("derivative of a polynomial")
        .example("np.polyder(x, 2)"),
    library("numpy.polyint", "p, m=1, k=None", &[("p", VECTOR), ("m", Takes::Constant), ("k", UP_TO_VECTOR)])
        .ulp(2)
        .doc("integral of a polynomial")
        .example("np.polyint(x, 2, [1, 2])"),
    library(
        "numpy.polyfit",
        "x, y, deg, rcond=None, full=False, w=None, cov=False",
        &[
            ("x", VECTOR),
            ("y", COLUMNS),
            ("deg", Takes::Integer),
            ("rcond", Takes::Number),
            ("full", Takes::Flag),
            ("w", REALS),
            ("cov", Takes::Anything),
        ],
    )
    .ulp(64)
    .doc("the polynomial that is closest to points")
    .example("np.polyfit(np.arange(4.0), x, 1)"),
    library("numpy.roots", "p", &[("p", UP_TO_VECTOR)])
        .ulp(64)
        .doc("zeros of a polynomial, complex; in no order")
        .example("np.abs(np.roots(x)).sum()"),
    library("numpy.poly", "seq_of_zeros", &[("seq_of_zeros", array(0, 2, Holds::Anything))])
        .ulp(4)
        .doc("the polynomial that has these zeros, or the eigenvalues of a matrix")
        .example("np.poly(x)"),
    library(
        "numpy.vander",
        "x, N=None, increasing=False",
        &[("x", VECTOR), ("N", Takes::Integer), ("increasing", Takes::Flag)],
    )
    .ulp(4)
    .doc("powers of a vector's elements, the highest one first")
    .example("np.vander(x, 3)"),
];
