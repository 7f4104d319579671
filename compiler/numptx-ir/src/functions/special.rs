//! Rows of SciPy's special functions, which are written in Python: the texts are `numptx-lower/src/library/special/`, where each names its sources.
//!
//! The ULP of a row are those of float64, of the results' magnitudes: beside zeros of the functions of waves of their amplitudes.

use super::Function;
use super::elementwise::{Typing, compute};
use super::error::MAX_RANK;
use super::library::{REAL, array, library};
use super::takes::{Holds, Takes};
use super::ufunc::{BINARY, UNARY};
use super::value::Typed;
use crate::DType;
use crate::array::Builder;
use crate::scalar::{MATH_FUNCTIONS, ScalarOp};

const TERNARY: &str =
    "x1, x2, x3, /, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None";
const TO_FOUR: &str = "x, /, out=(None, None, None, None), *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None";
/// What ufuncs take besides.
const KEYWORDS: &[&str] = &["out", "where", "casting", "order", "dtype", "subok", "signature"];
/// Arrays of numbers that are added up.
const NUMBERS: Takes = array(0, MAX_RANK, Holds::RealNumbers);

const fn one(name: &'static str, ulp: u32) -> Function {
    library(name, UNARY, &[("x", Takes::Elements)]).without(KEYWORDS).ulp(ulp)
}

const fn two(name: &'static str, ulp: u32) -> Function {
    library(name, BINARY, &[("x1", Takes::Elements), ("x2", Takes::Elements)]).without(KEYWORDS).ulp(ulp)
}

const fn three(name: &'static str, ulp: u32) -> Function {
    library(name, TERNARY, &[("x1", Takes::Elements), ("x2", Takes::Elements), ("x3", Takes::Elements)])
        .without(KEYWORDS)
        .ulp(ulp)
}

const fn spherical(name: &'static str) -> Function {
    library(
        name,
        "n, z, derivative=False",
        &[("n", Takes::Elements), ("z", Takes::Elements), ("derivative", Takes::Flag)],
    )
    .ulp(4096)
}

/// The rows.
pub const TABLE: &[Function] = &[
    one("scipy.special.cbrt", 8).doc("cube root"),
    one("scipy.special.exp2", 8).doc("2 to the power x"),
    one("scipy.special.exp10", 8).doc("10 to the power x"),
    one("scipy.special.expm1", 8).doc("exp(x) - 1"),
    one("scipy.special.log1p", 8).doc("log(1 + x)"),
    one("scipy.special.exprel", 8).doc("(exp(x) - 1) / x"),
    one("scipy.special.cosm1", 16).doc("cos(x) - 1"),
    library("scipy.special.sinc", "x", &[("x", Takes::Elements)]).ulp(8).doc("sin(pi x) / (pi x)"),
    one("scipy.special.expit", 8).doc("the logistic function 1 / (1 + exp(-x))"),
    one("scipy.special.logit", 8).doc("log(x / (1 - x))"),
    one("scipy.special.log_expit", 8).doc("logarithm of the logistic function"),
    two("scipy.special.xlogy", 8).doc("x log(y), 0 where x is 0"),
    two("scipy.special.xlog1py", 8).doc("x log(1 + y), 0 where x is 0"),
    one("scipy.special.entr", 8).doc("-x log(x)"),
    two("scipy.special.rel_entr", 16).doc("x log(x / y)"),
    two("scipy.special.kl_div", 16).doc("x log(x / y) - x + y"),
    library("scipy.special.softmax", "x, axis=None", &[("x", NUMBERS), ("axis", Takes::Axes("x"))])
        .ulp(16)
        .doc("exponentials, divided by their sum"),
    library("scipy.special.log_softmax", "x, axis=None", &[("x", NUMBERS), ("axis", Takes::Axes("x"))])
        .ulp(16)
        .doc("logarithms of what `softmax` gives"),
    library(
        "scipy.special.logsumexp",
        "a, axis=None, b=None, keepdims=False, return_sign=False",
        &[
            ("a", REAL),
            ("axis", Takes::Axes("a")),
            ("b", Takes::Elements),
            ("keepdims", Takes::Flag),
            ("return_sign", Takes::Flag),
        ],
    )
    .ulp(64)
    .doc("logarithm of a sum of exponentials, with weights if they are given"),
    one("scipy.special.erf", 8).doc("error function"),
    one("scipy.special.erfc", 8).doc("1 - erf(x)"),
    one("scipy.special.erfcx", 512).doc("exp(x * x) erfc(x)"),
    one("scipy.special.erfinv", 16).doc("inverse of erf"),
    one("scipy.special.erfcinv", 16).doc("inverse of erfc"),
    one("scipy.special.ndtr", 1024).doc("the normal distribution function"),
    one("scipy.special.ndtri", 16).doc("inverse of ndtr"),
    one("scipy.special.log_ndtr", 1024).doc("logarithm of the normal distribution function"),
    one("scipy.special.gamma", 16).doc("gamma function"),
    one("scipy.special.gammaln", 256).doc("logarithm of the magnitude of gamma"),
    one("scipy.special.loggamma", 256).doc("logarithm of gamma, nan of negative numbers"),
    one("scipy.special.gammasgn", 0).doc("sign of gamma"),
    one("scipy.special.rgamma", 2048).doc("1 / gamma(x)"),
    one("scipy.special.digamma", 64).aliases(&["scipy.special.psi"]).doc("derivative of the logarithm of gamma"),
    library("scipy.special.polygamma", "n, x", &[("n", Takes::Elements), ("x", Takes::Elements)])
        .ulp(256)
        .doc("derivatives of digamma"),
    library("scipy.special.zeta", "x, q=None, out=None", &[("x", Takes::Elements), ("q", Takes::Elements)])
        .without(&["out"])
        .ulp(1024)
        .doc("zeta function, Riemann's or Hurwitz's"),
    one("scipy.special.zetac", 1024).doc("zeta(x) - 1"),
    library("scipy.special.factorial", "n, exact=False, extend='zero'", &[("n", Takes::Elements)])
        .without(&["exact", "extend"])
        .ulp(16)
        .doc("factorials, as floats"),
    two("scipy.special.poch", 2048).doc("gamma(x1 + x2) / gamma(x1)"),
    two("scipy.special.beta", 4096).doc("beta function"),
    two("scipy.special.betaln", 512).doc("logarithm of the magnitude of beta"),
    two("scipy.special.binom", 4096).doc("binomial coefficients of real numbers"),
    library(
        "scipy.special.comb",
        "N, k, *, exact=False, repetition=False",
        &[("N", Takes::Elements), ("k", Takes::Elements), ("repetition", Takes::Flag)],
    )
    .without(&["exact"])
    .ulp(4096)
    .doc("ways to choose k of N, as floats"),
    library("scipy.special.perm", "N, k, exact=False", &[("N", Takes::Elements), ("k", Takes::Elements)])
        .without(&["exact"])
        .ulp(4096)
        .doc("ways to choose k of N in order, as floats"),
    two("scipy.special.gammainc", 16384).doc("the incomplete gamma function P(x1, x2), regularised"),
    two("scipy.special.gammaincc", 16384).doc("the incomplete gamma function Q(x1, x2), regularised"),
    three("scipy.special.betainc", 16384).doc("the incomplete beta function I of x3, regularised"),
    three("scipy.special.betaincc", 16384).doc("1 - betainc"),
    two("scipy.special.chdtr", 16384).doc("distribution function of chi square of x1 degrees of freedom"),
    two("scipy.special.chdtrc", 16384).doc("1 - chdtr"),
    two("scipy.special.stdtr", 16384).doc("Student's distribution function of x1 degrees of freedom"),
    three("scipy.special.fdtr", 16384).doc("distribution function of F of x1 and x2 degrees of freedom"),
    three("scipy.special.fdtrc", 16384).doc("1 - fdtr"),
    two("scipy.special.boxcox", 2048).doc("(x1 ** x2 - 1) / x2, log(x1) where x2 is 0"),
    two("scipy.special.boxcox1p", 2048).doc("boxcox of 1 + x1"),
    two("scipy.special.inv_boxcox", 2048).doc("inverse of boxcox"),
    two("scipy.special.huber", 8).doc("Huber's loss: square up to x1, linear beyond"),
    two("scipy.special.pseudo_huber", 16).doc("x1**2 (sqrt(1 + (x2 / x1)**2) - 1)"),
    two("scipy.special.eval_legendre", 4096).doc("Legendre polynomial of whole degree"),
    two("scipy.special.eval_chebyt", 4096).doc("Chebyshev polynomial of the first kind, of whole degree"),
    two("scipy.special.eval_chebyu", 4096).doc("Chebyshev polynomial of the second kind, of whole degree"),
    two("scipy.special.eval_hermite", 4096).doc("Hermite polynomial of whole degree, with weight exp(-x2**2)"),
    two("scipy.special.eval_hermitenorm", 4096).doc("Hermite polynomial of whole degree, with weight exp(-x2**2 / 2)"),
    two("scipy.special.eval_laguerre", 4096).doc("Laguerre polynomial of whole degree"),
    three("scipy.special.eval_genlaguerre", 4096).doc("generalised Laguerre polynomial of whole degree"),
    library("scipy.special.airy", TO_FOUR, &[("x", Takes::Elements)])
        .without(KEYWORDS)
        .ulp(16384)
        .doc("Airy functions and their derivatives: Ai, Ai', Bi, Bi'"),
    one("scipy.special.exp1", 256).doc("exponential integral E1"),
    one("scipy.special.expi", 16384).doc("exponential integral Ei"),
    one("scipy.special.ellipk", 64).doc("complete elliptic integral of the first kind, of m"),
    one("scipy.special.ellipkm1", 64).doc("ellipk of 1 - x"),
    one("scipy.special.ellipe", 256).doc("complete elliptic integral of the second kind, of m"),
    one("scipy.special.j0", 1024).doc("Bessel function J of order 0"),
    one("scipy.special.j1", 1024).doc("Bessel function J of order 1"),
    one("scipy.special.y0", 1024).doc("Bessel function Y of order 0"),
    one("scipy.special.y1", 1024).doc("Bessel function Y of order 1"),
    one("scipy.special.i0", 64).doc("modified Bessel function I of order 0"),
    one("scipy.special.i0e", 64).doc("exp(-abs(x)) i0(x)"),
    one("scipy.special.i1", 64).doc("modified Bessel function I of order 1"),
    one("scipy.special.i1e", 64).doc("exp(-abs(x)) i1(x)"),
    one("scipy.special.k0", 64).doc("modified Bessel function K of order 0"),
    one("scipy.special.k0e", 64).doc("exp(x) k0(x)"),
    one("scipy.special.k1", 64).doc("modified Bessel function K of order 1"),
    one("scipy.special.k1e", 64).doc("exp(x) k1(x)"),
    two("scipy.special.jv", 16384)
        .aliases(&["scipy.special.jn"])
        .doc("Bessel function J of real order; nan of orders above a million where no expansion holds"),
    two("scipy.special.yv", 16384)
        .doc("Bessel function Y of real order; nan of orders above a million where no expansion holds"),
    two("scipy.special.iv", 4096).doc("modified Bessel function I of real order"),
    two("scipy.special.ive", 4096).doc("exp(-abs(x2)) iv(x1, x2)"),
    two("scipy.special.kv", 4096).doc("modified Bessel function K of real order"),
    two("scipy.special.kve", 4096).doc("exp(x2) kv(x1, x2)"),
    two("scipy.special.yn", 16384).doc("Bessel function Y of whole order"),
    two("scipy.special.kn", 4096).doc("modified Bessel function K of whole order"),
    spherical("scipy.special.spherical_jn").doc("spherical Bessel function j of whole order, or its derivative"),
    spherical("scipy.special.spherical_yn").doc("spherical Bessel function y of whole order, or its derivative"),
];

/// A function of C's library, by its stem, of each element of float64; `None` of other names and operands.
pub fn elementwise(builder: &mut Builder, stem: &str, operand: Typed) -> Option<Typed> {
    let function = MATH_FUNCTIONS.iter().copied().find(|f| f.stem == stem && f.arity == 1)?;
    let typing = Typing { operands: &[operand], dtypes: &[DType::F64] };
    let results = compute(builder, typing, &mut |b, v| vec![b.op(ScalarOp::Math(function), v)]);
    results.ok()?.first().copied()
}
