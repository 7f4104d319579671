//! Functions of Python's `cmath` module: numbers to Python's complex numbers. Their texts are in the library, with Python's errors.

use super::Function;
use super::library::library;
use super::takes::Takes;

const fn of_one(name: &'static str, doc: &'static str) -> Function {
    library(name, "z, /", &[("z", Takes::Scalar)]).doc(doc)
}

/// The rows.
pub const TABLE: &[Function] = &[
    of_one("cmath.acos", "inverse cosine").ulp(4),
    of_one("cmath.acosh", "inverse hyperbolic cosine").ulp(4),
    of_one("cmath.asin", "inverse sine").ulp(4),
    of_one("cmath.asinh", "inverse hyperbolic sine").ulp(4),
    of_one("cmath.atan", "inverse tangent").ulp(4),
    of_one("cmath.atanh", "inverse hyperbolic tangent").ulp(4),
    of_one("cmath.cos", "cosine").ulp(4),
    of_one("cmath.cosh", "hyperbolic cosine").ulp(4),
    of_one("cmath.exp", "exponential").ulp(4),
    of_one("cmath.isfinite", "both parts are finite"),
    of_one("cmath.isinf", "either part is infinite"),
    of_one("cmath.isnan", "either part is nan"),
    library("cmath.log", "z, base=None, /", &[("z", Takes::Scalar), ("base", Takes::Scalar)])
        .differs("gives `base` the default that Python's text leaves out")
        .ulp(8)
        .doc("logarithm, natural or to a base"),
    of_one("cmath.log10", "logarithm to base 10").ulp(4),
    of_one("cmath.phase", "angle between the number and the real axis").ulp(4),
    of_one("cmath.polar", "magnitude and angle").ulp(4),
    library("cmath.rect", "r, phi, /", &[("r", Takes::Number), ("phi", Takes::Number)])
        .ulp(4)
        .doc("number of a magnitude and an angle"),
    of_one("cmath.sin", "sine").ulp(4),
    of_one("cmath.sinh", "hyperbolic sine").ulp(4),
    of_one("cmath.sqrt", "square root").ulp(4),
    of_one("cmath.tan", "tangent").ulp(4),
    of_one("cmath.tanh", "hyperbolic tangent").ulp(4),
    library(
        "cmath.isclose",
        "a, b, *, rel_tol=1e-09, abs_tol=0.0",
        &[("a", Takes::Scalar), ("b", Takes::Scalar), ("rel_tol", Takes::Number), ("abs_tol", Takes::Number)],
    )
    .doc("whether numbers differ by little"),
];
