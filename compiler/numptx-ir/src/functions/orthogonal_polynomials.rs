//! Rows of `np.polynomial`: sums of powers and of orthogonal polynomials, the lowest degree first. They are written in Python.

use super::Function;
use super::error::MAX_RANK;
use super::library::{ANY, REALS, array, library};
use super::takes::{Holds, Takes};

/// Coefficients of polynomials of two and of three variables, and where they are evaluated.
const OF_TWO: &[(&str, Takes)] = &[("x", Takes::Anything), ("y", Takes::Anything), ("c", MATRICES)];
const OF_THREE: &[(&str, Takes)] = &[
    ("x", Takes::Anything),
    ("y", Takes::Anything),
    ("z", Takes::Anything),
    ("c", array(3, MAX_RANK, Holds::Anything)),
];
const UP_TO_VECTOR: Takes = array(0, 1, Holds::Anything);
const COLUMNS: Takes = array(1, 2, Holds::Anything);
const MATRICES: Takes = array(2, MAX_RANK, Holds::Anything);

/// The rows.
pub const TABLE: &[Function] = &[
    library(
        "numpy.polynomial.polynomial.polyval",
        "x, c, tensor=True",
        &[("x", Takes::Anything), ("c", ANY), ("tensor", Takes::Flag)],
    )
    .ulp(16)
    .doc("values of a sum of powers; the lowest degree first")
    .example("np.polynomial.polynomial.polyval(y, x)"),
    library("numpy.polynomial.polynomial.polyvander", "x, deg", &[("x", ANY), ("deg", Takes::Integer)])
        .ulp(8)
        .doc("values of powers up to a degree, along a new last axis")
        .example("np.polynomial.polynomial.polyvander(x, 3)"),
    library(
        "numpy.polynomial.polynomial.polyfit",
        "x, y, deg, rcond=None, full=False, w=None",
        &[("x", REALS), ("y", COLUMNS), ("deg", Takes::Integer), ("rcond", Takes::Number), ("w", REALS)],
    )
    .without(&["full"])
    .ulp(64)
    .doc("the sum of powers that is closest to points")
    .example("np.polynomial.polynomial.polyfit(np.arange(4.0), x, 1)"),
    library(
        "numpy.polynomial.chebyshev.chebval",
        "x, c, tensor=True",
        &[("x", Takes::Anything), ("c", ANY), ("tensor", Takes::Flag)],
    )
    .ulp(16)
    .doc("values of a sum of polynomials of Chebyshev; the lowest degree first")
    .example("np.polynomial.chebyshev.chebval(y, x)"),
    library("numpy.polynomial.chebyshev.chebvander", "x, deg", &[("x", ANY), ("deg", Takes::Integer)])
        .ulp(8)
        .doc("values of polynomials of Chebyshev up to a degree, along a new last axis")
        .example("np.polynomial.chebyshev.chebvander(x, 3)"),
    library(
        "numpy.polynomial.chebyshev.chebfit",
        "x, y, deg, rcond=None, full=False, w=None",
        &[("x", REALS), ("y", COLUMNS), ("deg", Takes::Integer), ("rcond", Takes::Number), ("w", REALS)],
    )
    .without(&["full"])
    .ulp(64)
    .doc("the sum of polynomials of Chebyshev that is closest to points")
    .example("np.polynomial.chebyshev.chebfit(np.arange(4.0), x, 1)"),
    library(
        "numpy.polynomial.legendre.legval",
        "x, c, tensor=True",
        &[("x", Takes::Anything), ("c", ANY), ("tensor", Takes::Flag)],
    )
    .ulp(16)
    .doc("values of a sum of polynomials of Legendre; the lowest degree first")
    .example("np.polynomial.legendre.legval(y, x)"),
    library("numpy.polynomial.legendre.legvander", "x, deg", &[("x", ANY), ("deg", Takes::Integer)])
        .ulp(8)
        .doc("values of polynomials of Legendre up to a degree, along a new last axis")
        .example("np.polynomial.legendre.legvander(x, 3)"),
    library(
        "numpy.polynomial.legendre.legfit",
        "x, y, deg, rcond=None, full=False, w=None",
        &[("x", REALS), ("y", COLUMNS), ("deg", Takes::Integer), ("rcond", Takes::Number), ("w", REALS)],
    )
    .without(&["full"])
    .ulp(64)
    .doc("the sum of polynomials of Legendre that is closest to points")
    .example("np.polynomial.legendre.legfit(np.arange(4.0), x, 1)"),
    library(
        "numpy.polynomial.hermite.hermval",
        "x, c, tensor=True",
        &[("x", Takes::Anything), ("c", ANY), ("tensor", Takes::Flag)],
    )
    .ulp(16)
    .doc("values of a sum of polynomials of Hermite; the lowest degree first")
    .example("np.polynomial.hermite.hermval(y, x)"),
    library("numpy.polynomial.hermite.hermvander", "x, deg", &[("x", ANY), ("deg", Takes::Integer)])
        .ulp(8)
        .doc("values of polynomials of Hermite up to a degree, along a new last axis")
        .example("np.polynomial.hermite.hermvander(x, 3)"),
    library(
        "numpy.polynomial.hermite.hermfit",
        "x, y, deg, rcond=None, full=False, w=None",
        &[("x", REALS), ("y", COLUMNS), ("deg", Takes::Integer), ("rcond", Takes::Number), ("w", REALS)],
    )
    .without(&["full"])
    .ulp(64)
    .doc("the sum of polynomials of Hermite that is closest to points")
    .example("np.polynomial.hermite.hermfit(np.arange(4.0), x, 1)"),
    library(
        "numpy.polynomial.hermite_e.hermeval",
        "x, c, tensor=True",
        &[("x", Takes::Anything), ("c", ANY), ("tensor", Takes::Flag)],
    )
    .ulp(16)
    .doc("values of a sum of polynomials of Hermite as statistics has them; the lowest degree first")
    .example("np.polynomial.hermite_e.hermeval(y, x)"),
    library("numpy.polynomial.hermite_e.hermevander", "x, deg", &[("x", ANY), ("deg", Takes::Integer)])
        .ulp(8)
        .doc("values of polynomials of Hermite as statistics has them up to a degree, along a new last axis")
        .example("np.polynomial.hermite_e.hermevander(x, 3)"),
    library(
        "numpy.polynomial.hermite_e.hermefit",
        "x, y, deg, rcond=None, full=False, w=None",
        &[("x", REALS), ("y", COLUMNS), ("deg", Takes::Integer), ("rcond", Takes::Number), ("w", REALS)],
    )
    .without(&["full"])
    .ulp(64)
    .doc("the sum of polynomials of Hermite as statistics has them that is closest to points")
    .example("np.polynomial.hermite_e.hermefit(np.arange(4.0), x, 1)"),
    library(
        "numpy.polynomial.laguerre.lagval",
        "x, c, tensor=True",
        &[("x", Takes::Anything), ("c", ANY), ("tensor", Takes::Flag)],
    )
    .ulp(16)
    .doc("values of a sum of polynomials of Laguerre; the lowest degree first")
    .example("np.polynomial.laguerre.lagval(y, x)"),
    library("numpy.polynomial.laguerre.lagvander", "x, deg", &[("x", ANY), ("deg", Takes::Integer)])
        .ulp(8)
        .doc("values of polynomials of Laguerre up to a degree, along a new last axis")
        .example("np.polynomial.laguerre.lagvander(x, 3)"),
    library(
        "numpy.polynomial.laguerre.lagfit",
        "x, y, deg, rcond=None, full=False, w=None",
        &[("x", REALS), ("y", COLUMNS), ("deg", Takes::Integer), ("rcond", Takes::Number), ("w", REALS)],
    )
    .without(&["full"])
    .ulp(64)
    .doc("the sum of polynomials of Laguerre that is closest to points")
    .example("np.polynomial.laguerre.lagfit(np.arange(4.0), x, 1)"),
    library("numpy.polynomial.polynomial.polyval2d", "x, y, c", OF_TWO)
        .ulp(16)
        .doc("values of a sum of products of powers of two variables")
        .example("np.polynomial.polynomial.polyval2d(x, x, y)"),
    library("numpy.polynomial.polynomial.polygrid2d", "x, y, c", OF_TWO)
        .ulp(16)
        .doc("the same on the grid of two vectors")
        .example("np.polynomial.polynomial.polygrid2d(x, x[:2], y)"),
    library("numpy.polynomial.chebyshev.chebval2d", "x, y, c", OF_TWO)
        .ulp(16)
        .doc("values of a sum of products of polynomials of Chebyshev of two variables")
        .example("np.polynomial.chebyshev.chebval2d(x, x, y)"),
    library("numpy.polynomial.chebyshev.chebgrid2d", "x, y, c", OF_TWO)
        .ulp(16)
        .doc("the same on the grid of two vectors")
        .example("np.polynomial.chebyshev.chebgrid2d(x, x[:2], y)"),
    library("numpy.polynomial.legendre.legval2d", "x, y, c", OF_TWO)
        .ulp(16)
        .doc("values of a sum of products of polynomials of Legendre of two variables")
        .example("np.polynomial.legendre.legval2d(x, x, y)"),
    library("numpy.polynomial.legendre.leggrid2d", "x, y, c", OF_TWO)
        .ulp(16)
        .doc("the same on the grid of two vectors")
        .example("np.polynomial.legendre.leggrid2d(x, x[:2], y)"),
    library("numpy.polynomial.polynomial.polyval3d", "x, y, z, c", OF_THREE)
        .ulp(16)
        .doc("values of a sum of products of powers of three variables")
        .example("np.polynomial.polynomial.polyval3d(x, x, x, y[None])"),
    library("numpy.polynomial.polynomial.polygrid3d", "x, y, z, c", OF_THREE)
        .ulp(16)
        .doc("the same on the grid of three vectors")
        .example("np.polynomial.polynomial.polygrid3d(x, x, x[:2], y[None])"),
    library(
        "numpy.polynomial.polynomial.polyvalfromroots",
        "x, r, tensor=True",
        &[("x", Takes::Anything), ("r", ANY), ("tensor", Takes::Flag)],
    )
    .ulp(8)
    .doc("values of the polynomial that has these zeros")
    .example("np.polynomial.polynomial.polyvalfromroots(y, x)"),
    library("numpy.polynomial.polynomial.polyadd", "c1, c2", &[("c1", UP_TO_VECTOR), ("c2", UP_TO_VECTOR)])
        .ulp(4)
        .doc("sum of two polynomials, the lowest power first")
        .example("np.polynomial.polynomial.polyadd(x, y[1])"),
    library("numpy.polynomial.polynomial.polysub", "c1, c2", &[("c1", UP_TO_VECTOR), ("c2", UP_TO_VECTOR)])
        .ulp(4)
        .doc("difference of two polynomials, the lowest power first")
        .example("np.polynomial.polynomial.polysub(x, y[1])"),
    library("numpy.polynomial.polynomial.polymul", "c1, c2", &[("c1", UP_TO_VECTOR), ("c2", UP_TO_VECTOR)])
        .ulp(4)
        .doc("product of two polynomials, the lowest power first")
        .example("np.polynomial.polynomial.polymul(x, y[1])"),
    library(
        "numpy.polynomial.polynomial.polyder",
        "c, m=1, scl=1, axis=0",
        &[("c", UP_TO_VECTOR), ("m", Takes::Constant), ("scl", Takes::Number)],
    )
    .without(&["axis"])
    .ulp(2)
    .doc("derivative of a polynomial, the lowest power first")
    .example("np.polynomial.polynomial.polyder(x, 2)"),
    library("numpy.polynomial.polynomial.polyroots", "c", &[("c", UP_TO_VECTOR)])
        .ulp(64)
        .doc("zeros of a polynomial, complex; in ascending order")
        .example("np.abs(np.polynomial.polynomial.polyroots(x)).sum()"),
    library("numpy.polynomial.chebyshev.chebgauss", "deg", &[("deg", Takes::Integer)])
        .ulp(4)
        .doc("nodes and weights of the quadrature of Gauss and Chebyshev")
        .example("np.polynomial.chebyshev.chebgauss(5)"),
    library("numpy.polynomial.legendre.leggauss", "deg", &[("deg", Takes::Integer)])
        .ulp(64)
        .doc("nodes and weights of the quadrature of Gauss and Legendre")
        .example("np.polynomial.legendre.leggauss(5)"),
];
