//! Arithmetic of `complex64` and `complex128`: the naive product, Smith's quotient, `hypot` for the absolute value.

use super::{Constant, Precision, ScalarOp};

/// `None` where the operation is not defined on complex numbers. `Abs` gives a float.
pub(super) fn arithmetic(op: ScalarOp, a: (f64, f64), b: (f64, f64), precision: Precision) -> Option<Constant> {
    let round = |x| precision.round(x);
    let (re, im) = match op {
        ScalarOp::Add => (a.0 + b.0, a.1 + b.1),
        ScalarOp::Sub => (a.0 - b.0, a.1 - b.1),
        ScalarOp::Mul | ScalarOp::Product => multiply(a, b, precision),
        ScalarOp::Div => divide(a, b, precision),
        ScalarOp::Neg => (-a.0, -a.1),
        ScalarOp::Abs => return Some(Constant::Float(round(a.0.hypot(a.1)))),
        _ => return None,
    };
    Some(Constant::Complex(round(re), round(im)))
}

fn multiply(a: (f64, f64), b: (f64, f64), precision: Precision) -> (f64, f64) {
    let round = |x| precision.round(x);
    (round(a.0 * b.0) - round(a.1 * b.1), round(a.0 * b.1) + round(a.1 * b.0))
}

fn divide(a: (f64, f64), b: (f64, f64), precision: Precision) -> (f64, f64) {
    let round = |x| precision.round(x);
    if b.0 == 0.0 && b.1 == 0.0 {
        return (a.0 / b.0.abs(), a.1 / b.0.abs());
    }
    if b.0.abs() >= b.1.abs() {
        let ratio = round(b.1 / b.0);
        let scale = round(1.0 / round(b.0 + round(b.1 * ratio)));
        let re = round(a.0 + round(a.1 * ratio));
        let im = round(a.1 - round(a.0 * ratio));
        (re * scale, im * scale)
    } else {
        let ratio = round(b.0 / b.1);
        let scale = round(1.0 / round(b.1 + round(b.0 * ratio)));
        let re = round(round(a.0 * ratio) + a.1);
        let im = round(round(a.1 * ratio) - a.0);
        (re * scale, im * scale)
    }
}
