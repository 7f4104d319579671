//! Exponentials and logarithms.

use crate::functions::ufunc::{binary, compose, op, unary};
use crate::functions::{Function, complex};
use crate::scalar::{BodyBuilder, ScalarOp, Val, library};

/// The rows.
pub const TABLE: &[Function] = &[
    unary("numpy.exp", &[("efdFD", "x->x")], op(ScalarOp::Math(library::EXP)))
        .complex(complex::exp)
        .ulp(4)
        .doc("exponential"),
    unary("numpy.exp2", &[("efdFD", "x->x")], op(ScalarOp::Math(library::EXP2)))
        .complex(complex::exp2)
        .ulp(4)
        .doc("2 to the power x"),
    unary("numpy.expm1", &[("efdFD", "x->x")], op(ScalarOp::Math(library::EXPM1)))
        .complex(complex::expm1)
        .ulp(4)
        .doc("exp(x) - 1, accurate near 0"),
    unary("numpy.log", &[("efdFD", "x->x")], op(ScalarOp::Math(library::LOG)))
        .complex(complex::log)
        .ulp(4)
        .doc("natural logarithm; nan below 0"),
    unary("numpy.log2", &[("efdFD", "x->x")], op(ScalarOp::Math(library::LOG2)))
        .complex(complex::log2)
        .ulp(4)
        .doc("logarithm to base 2"),
    unary("numpy.log10", &[("efdFD", "x->x")], op(ScalarOp::Math(library::LOG10)))
        .complex(complex::log10)
        .ulp(4)
        .doc("logarithm to base 10"),
    unary("numpy.log1p", &[("efdFD", "x->x")], op(ScalarOp::Math(library::LOG1P)))
        .complex(complex::log1p)
        .ulp(4)
        .doc("log(1 + x), accurate near 0"),
    binary("numpy.logaddexp", &[("efd", "xx->x")], compose(logaddexp)).ulp(8).doc("log(exp(x1) + exp(x2))"),
    binary("numpy.logaddexp2", &[("efd", "xx->x")], compose(logaddexp2)).ulp(8).doc("log2(2**x1 + 2**x2)"),
];

fn logaddexp(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    log_of_sum(b, v, std::f64::consts::LN_2, |b, difference| {
        let power = b.math(library::EXP, difference);
        b.math(library::LOG1P, power)
    })
}

fn logaddexp2(b: &mut BodyBuilder, v: &[Val]) -> Vec<Val> {
    log_of_sum(b, v, 1.0, |b, difference| {
        let power = b.math(library::EXP2, difference);
        let natural = b.math(library::LOG1P, power);
        let factor = b.number(std::f64::consts::LOG2_E, natural);
        b.mul(factor, natural)
    })
}

/// The larger operand plus the logarithm of one plus the power of minus their distance; equal operands (infinities too) add `of_two`.
fn log_of_sum(b: &mut BodyBuilder, v: &[Val], of_two: f64, correction: fn(&mut BodyBuilder, Val) -> Val) -> Vec<Val> {
    let (x, y) = (v[0], v[1]);
    let two = b.number(of_two, x);
    let (equal, if_equal) = (b.eq(x, y), b.add(x, two));
    let difference = b.sub(x, y);
    let distance = b.abs(difference);
    let minus = b.neg(distance);
    let correction = correction(b, minus);
    let larger = b.max(x, y);
    let sum = b.add(larger, correction);
    vec![b.select(equal, if_equal, sum)]
}
