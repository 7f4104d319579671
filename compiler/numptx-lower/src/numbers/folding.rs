//! Arithmetic of Python constants when compiling, exactly as Python computes it.
//!
//! Goes in: two constants of Python scalars. Comes out: a constant, the error that Python would raise, or nothing where the result
//! is left to run time.

use numptx_ir::scalar::Constant;
use numptx_syntax::ast::BinaryOp;

/// A folded operation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Folded {
    /// The result.
    Value(Constant),
    /// A result beyond 64 bits.
    Overflow(i128),
    /// Division by zero.
    DivisionByZero,
    /// Not folded.
    Unknown,
}

fn int(n: i128) -> Folded {
    i64::try_from(n).map_or(Folded::Overflow(n), |n| Folded::Value(Constant::Int(n)))
}

/// A constant as a Python int; bools count.
fn as_int(constant: Constant) -> Option<i128> {
    match constant {
        Constant::Int(n) => Some(n.into()),
        Constant::Bool(b) => Some(b.into()),
        _ => None,
    }
}

fn as_float(constant: Constant) -> Option<f64> {
    match constant {
        Constant::Float(x) => Some(x),
        other => as_int(other).map(|n| n as f64),
    }
}

/// `a op b` of Python scalars.
pub(crate) fn fold(op: BinaryOp, a: Constant, b: Constant) -> Folded {
    if let (Constant::Bool(x), Constant::Bool(y)) = (a, b) {
        match op {
            BinaryOp::BitAnd => return Folded::Value(Constant::Bool(x & y)),
            BinaryOp::BitOr => return Folded::Value(Constant::Bool(x | y)),
            BinaryOp::BitXor => return Folded::Value(Constant::Bool(x ^ y)),
            _ => {}
        }
    }
    if let (Some(x), Some(y)) = (as_int(a), as_int(b)) {
        return fold_ints(op, x, y);
    }
    match (as_float(a), as_float(b)) {
        (Some(x), Some(y)) => fold_floats(op, x, y),
        _ => fold_complex(op, a, b),
    }
}

fn fold_ints(op: BinaryOp, a: i128, b: i128) -> Folded {
    match op {
        BinaryOp::Add => int(a + b),
        BinaryOp::Sub => int(a - b),
        BinaryOp::Mul => int(a * b),
        BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Mod if b == 0 => Folded::DivisionByZero,
        BinaryOp::Div => Folded::Value(Constant::Float(a as f64 / b as f64)),
        BinaryOp::FloorDiv => int(floor_div(a, b)),
        BinaryOp::Mod => int(a - floor_div(a, b) * b),
        BinaryOp::Pow => fold_power(a, b),
        BinaryOp::BitAnd => int(a & b),
        BinaryOp::BitOr => int(a | b),
        BinaryOp::BitXor => int(a ^ b),
        BinaryOp::ShiftLeft if (0..=64).contains(&b) => int(a << b),
        BinaryOp::ShiftRight if b >= 0 => int(a >> b.min(127)),
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight | BinaryOp::MatMul => Folded::Unknown,
    }
}

/// `a op b` of ints of any size, where they are small enough to tell.
pub(crate) fn fold_large(op: BinaryOp, a: i128, b: i128) -> Option<i128> {
    match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        BinaryOp::FloorDiv if b != 0 => Some(floor_div(a, b)),
        BinaryOp::Mod if b != 0 => Some(a - floor_div(a, b) * b),
        BinaryOp::BitAnd => Some(a & b),
        BinaryOp::BitOr => Some(a | b),
        BinaryOp::BitXor => Some(a ^ b),
        BinaryOp::ShiftRight if b >= 0 => Some(a >> b.min(127)),
        _ => None,
    }
}

fn floor_div(a: i128, b: i128) -> i128 {
    let quotient = a / b;
    if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient }
}

fn fold_power(a: i128, b: i128) -> Folded {
    match (a, b) {
        (0, b) if b < 0 => Folded::DivisionByZero,
        (_, b) if b < 0 => Folded::Value(Constant::Float((a as f64).powf(b as f64))),
        (0 | 1, _) => int(if b == 0 { 1 } else { a }),
        (-1, _) => int(if b % 2 == 0 { 1 } else { -1 }),
        (_, b) => match u32::try_from(b).ok().and_then(|b| a.checked_pow(b)) {
            Some(power) => int(power),
            None => Folded::Overflow(i128::MAX),
        },
    }
}

fn fold_floats(op: BinaryOp, a: f64, b: f64) -> Folded {
    let float = |x: f64| Folded::Value(Constant::Float(x));
    match op {
        BinaryOp::Add => float(a + b),
        BinaryOp::Sub => float(a - b),
        BinaryOp::Mul => float(a * b),
        BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Mod if b == 0.0 => Folded::DivisionByZero,
        BinaryOp::Div => float(a / b),
        BinaryOp::Pow if a == 0.0 && b < 0.0 => Folded::DivisionByZero,
        BinaryOp::Pow if (a >= 0.0 || b.fract() == 0.0) && a.is_finite() && b.is_finite() => {
            let power = a.powf(b);
            if power.is_finite() { float(power) } else { Folded::Unknown }
        }
        _ => Folded::Unknown,
    }
}

fn fold_complex(op: BinaryOp, a: Constant, b: Constant) -> Folded {
    let parts = |c: Constant| match c {
        Constant::Complex(re, im) => Some((re, im)),
        other => as_float(other).map(|re| (re, 0.0)),
    };
    let (Some((a, b)), Some((c, d))) = (parts(a), parts(b)) else { return Folded::Unknown };
    let complex = |re: f64, im: f64| Folded::Value(Constant::Complex(re, im));
    match op {
        BinaryOp::Add => complex(a + c, b + d),
        BinaryOp::Sub => complex(a - c, b - d),
        BinaryOp::Mul => complex(a * c - b * d, a * d + b * c),
        _ => Folded::Unknown,
    }
}
