//! The library functions that rows call: C's names, evaluation in the interpreters, error bounds on host and device.

use crate::scalar::MathFunction;

/// A function of one argument.
const fn one(stem: &'static str, eval: fn(f64, f64) -> f64, ulp: u32) -> MathFunction {
    MathFunction { stem, eval, arity: 1, ulp }
}

/// A function of two arguments.
const fn two(stem: &'static str, eval: fn(f64, f64) -> f64, ulp: u32) -> MathFunction {
    MathFunction { stem, eval, arity: 2, ulp }
}

macro_rules! library {
    ($($name:ident = $arity:ident($stem:literal, $eval:expr, $ulp:literal);)*) => {
        $(#[doc = concat!("C's `", $stem, "`.")] pub static $name: MathFunction = $arity($stem, $eval, $ulp);)*
        /// All of them.
        pub static ALL: &[&MathFunction] = &[$(&$name),*];
    };
}

library! {
    EXP = one("exp", |x, _| x.exp(), 4);
    EXP2 = one("exp2", |x, _| x.exp2(), 4);
    EXPM1 = one("expm1", |x, _| x.exp_m1(), 4);
    LOG = one("log", |x, _| x.ln(), 4);
    LOG2 = one("log2", |x, _| x.log2(), 4);
    LOG10 = one("log10", |x, _| x.log10(), 4);
    LOG1P = one("log1p", |x, _| x.ln_1p(), 4);
    CBRT = one("cbrt", |x, _| x.cbrt(), 4);
    SIN = one("sin", |x, _| x.sin(), 4);
    COS = one("cos", |x, _| x.cos(), 4);
    TAN = one("tan", |x, _| x.tan(), 4);
    ASIN = one("asin", |x, _| x.asin(), 4);
    ACOS = one("acos", |x, _| x.acos(), 4);
    ATAN = one("atan", |x, _| x.atan(), 4);
    SINH = one("sinh", |x, _| x.sinh(), 4);
    COSH = one("cosh", |x, _| x.cosh(), 4);
    TANH = one("tanh", |x, _| x.tanh(), 4);
    ASINH = one("asinh", |x, _| x.asinh(), 4);
    ACOSH = one("acosh", |x, _| x.acosh(), 4);
    ATANH = one("atanh", |x, _| x.atanh(), 4);
    ATAN2 = two("atan2", f64::atan2, 4);
    HYPOT = two("hypot", f64::hypot, 4);
}
