//! The library functions that rows call, by name.

use crate::scalar::{MATH_FUNCTIONS, MathFunction};

macro_rules! library {
    ($($name:ident $stem:literal)*) => {
        $(#[doc = concat!("C's `", $stem, "`.")] pub const $name: &MathFunction = named($stem);)*
    };
}

library! {
    EXP "exp"
    EXP2 "exp2"
    EXPM1 "expm1"
    LOG "log"
    LOG2 "log2"
    LOG10 "log10"
    LOG1P "log1p"
    CBRT "cbrt"
    SIN "sin"
    COS "cos"
    TAN "tan"
    ASIN "asin"
    ACOS "acos"
    ATAN "atan"
    SINH "sinh"
    COSH "cosh"
    TANH "tanh"
    ASINH "asinh"
    ACOSH "acosh"
    ATANH "atanh"
    ATAN2 "atan2"
    HYPOT "hypot"
    ERF "erf"
    ERFC "erfc"
    TGAMMA "tgamma"
    LGAMMA "lgamma"
}

/// The function of a stem; a stem that there is not does not compile.
const fn named(stem: &str) -> &'static MathFunction {
    let mut position = 0;
    while position < MATH_FUNCTIONS.len() {
        if is_same(MATH_FUNCTIONS[position].stem.as_bytes(), stem.as_bytes()) {
            return &MATH_FUNCTIONS[position];
        }
        position += 1;
    }
    panic!("no library function has this stem")
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut position = 0;
    while position < a.len() && position < b.len() && a[position] == b[position] {
        position += 1;
    }
    position == a.len() && position == b.len()
}
