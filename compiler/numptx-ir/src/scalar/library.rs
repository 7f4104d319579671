//! The library functions that a body may call, by C's names: present in libdevice (`__nv_<stem>`) and in the host's `libm`. One list:
//! the function table calls them by its constants, the text form by their stems.
//!
//! Error bounds are the larger of the CUDA C++ Programming Guide's (Mathematical Functions) and glibc's.

/// A library function of one or two real arguments: `__nv_<stem>[f]` on the device, `<stem>[f]` on the host.
#[derive(Debug)]
pub struct MathFunction {
    /// C's name for the double version: `exp`, `log1p`, `atan2`.
    pub stem: &'static str,
    /// Evaluation in the interpreters, for binary64; the second argument is ignored by functions of one.
    pub eval: fn(f64, f64) -> f64,
    /// 1 or 2.
    pub arity: usize,
    /// Error bound on either target, in ULP of the result.
    pub ulp: u32,
}

impl PartialEq for MathFunction {
    fn eq(&self, other: &Self) -> bool {
        self.stem == other.stem
    }
}

impl Eq for MathFunction {}

impl std::hash::Hash for MathFunction {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.stem.hash(state);
    }
}

/// Declares the functions, by stem: a row is the constant that rows of the function table call it by, and the function.
macro_rules! library {
    ($($name:ident = $function:expr;)*) => {
        $(#[doc = concat!("C's `", stringify!($name), "`, in lower case.")] pub const $name: &MathFunction = &$function;)*

        /// All of them, by stem.
        pub const MATH_FUNCTIONS: &[&MathFunction] = &[$($name),*];
    };
}

library! {
    ACOS = one("acos", 2, |x, _| x.acos());
    ACOSH = one("acosh", 4, |x, _| x.acosh());
    ASIN = one("asin", 2, |x, _| x.asin());
    ASINH = one("asinh", 3, |x, _| x.asinh());
    ATAN = one("atan", 2, |x, _| x.atan());
    ATAN2 = two("atan2", 3, f64::atan2);
    ATANH = one("atanh", 3, |x, _| x.atanh());
    CBRT = one("cbrt", 4, |x, _| x.cbrt());
    COS = one("cos", 2, |x, _| x.cos());
    COSH = one("cosh", 2, |x, _| x.cosh());
    ERF = one("erf", 2, |x, _| erf(x));
    ERFC = one("erfc", 5, |x, _| erfc(x));
    EXP = one("exp", 1, |x, _| x.exp());
    EXP10 = one("exp10", 2, |x, _| 10f64.powf(x));
    EXP2 = one("exp2", 1, |x, _| x.exp2());
    EXPM1 = one("expm1", 2, |x, _| x.exp_m1());
    HYPOT = two("hypot", 2, f64::hypot);
    LGAMMA = one("lgamma", 8, |x, _| lgamma(x));
    LOG = one("log", 1, |x, _| x.ln());
    LOG10 = one("log10", 2, |x, _| x.log10());
    LOG1P = one("log1p", 2, |x, _| x.ln_1p());
    LOG2 = one("log2", 2, |x, _| x.log2());
    SIN = one("sin", 2, |x, _| x.sin());
    SINH = one("sinh", 2, |x, _| x.sinh());
    TAN = one("tan", 2, |x, _| x.tan());
    TANH = one("tanh", 2, |x, _| x.tanh());
    TGAMMA = one("tgamma", 10, |x, _| tgamma(x));
}

const fn one(stem: &'static str, ulp: u32, eval: fn(f64, f64) -> f64) -> MathFunction {
    MathFunction { stem, eval, arity: 1, ulp }
}

const fn two(stem: &'static str, ulp: u32, eval: fn(f64, f64) -> f64) -> MathFunction {
    MathFunction { stem, eval, arity: 2, ulp }
}

/// 2/√π
const ERF_SCALE: f64 = std::f64::consts::FRAC_2_SQRT_PI;

/// Below 2 by the series of positive terms e^(-x²) Σ 2ⁿ x^(2n+1) / (2n+1)!!, which does not cancel.
fn erf(x: f64) -> f64 {
    if x.is_nan() || x == 0.0 {
        return x;
    }
    if x.abs() >= 2.0 {
        return (1.0 - erfc_continued(x.abs())).copysign(x);
    }
    let (mut term, mut sum) = (x, x);
    for n in 1..100 {
        term *= 2.0 * x * x / f64::from(2 * n + 1);
        sum += term;
    }
    ERF_SCALE * (-x * x).exp() * sum
}

fn erfc(x: f64) -> f64 {
    if x.is_nan() {
        x
    } else if x >= 2.0 {
        erfc_continued(x)
    } else if x <= -2.0 {
        2.0 - erfc_continued(-x)
    } else {
        1.0 - erf(x)
    }
}

/// `erfc` from 2 on, by its continued fraction from the far end.
fn erfc_continued(x: f64) -> f64 {
    if x > 27.5 {
        return 0.0;
    }
    let tail = (1..200).rev().fold(x, |tail, n| x + f64::from(n) / 2.0 / tail);
    (-x * x).exp() / tail * (ERF_SCALE / 2.0)
}

/// Stirling's correction: ln Γ(x) = (x - ½) ln x - x + ½ ln 2π + correction, for x of 15 and more.
fn stirling_correction(x: f64) -> f64 {
    const TERMS: [f64; 6] = [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0, -691.0 / 360_360.0];
    let square = 1.0 / (x * x);
    TERMS.iter().rev().fold(0.0, |sum, term| sum * square + term) / x
}

/// The smallest x + n of 15 and more, and the product x (x+1) … (x+n-1).
fn shift_up(x: f64) -> (f64, f64) {
    let (mut x, mut product) = (x, 1.0);
    while x < 15.0 {
        product *= x;
        x += 1.0;
    }
    (x, product)
}

fn tgamma(x: f64) -> f64 {
    if x.is_nan() || x == f64::INFINITY {
        return x;
    }
    if x == 0.0 {
        return f64::INFINITY.copysign(x);
    }
    if x < 0.0 && x.floor() == x {
        return f64::NAN;
    }
    if x < -190.0 {
        return 0.0;
    }
    if x < 0.5 {
        return std::f64::consts::PI / (sin_pi(x) * tgamma(1.0 - x));
    }
    let (x, product) = shift_up(x);
    if x > 172.0 {
        return f64::INFINITY;
    }
    // Half the power at a time: x^(x - ½) overflows before Γ does.
    let half = x.powf(0.5 * x - 0.25);
    half * ((-x).exp() * std::f64::consts::TAU.sqrt() * stirling_correction(x).exp()) * half / product
}

fn lgamma(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x.is_infinite() || (x <= 0.0 && x.floor() == x) {
        return f64::INFINITY;
    }
    if x < 0.5 {
        return (std::f64::consts::PI / sin_pi(x).abs()).ln() - lgamma(1.0 - x);
    }
    if x == 1.0 || x == 2.0 {
        return 0.0;
    }
    let (x, product) = shift_up(x);
    (x - 0.5) * x.ln() - x + 0.5 * std::f64::consts::TAU.ln() + stirling_correction(x) - product.ln()
}

/// sin πx, reduced before the multiplication.
fn sin_pi(x: f64) -> f64 {
    (std::f64::consts::PI * (x - 2.0 * (x / 2.0).round())).sin()
}
