//! Casts as C makes them on x86-64.

use super::{Constant, Precision, as_bool, as_complex, as_float, as_integer, integer};
use crate::DType;
use crate::dtype::Kind;

/// A value of one dtype as another.
pub(super) fn cast(value: Constant, from: DType, to: DType) -> Constant {
    match to.kind() {
        Kind::Bool => Constant::Bool(is_nonzero(value, from)),
        Kind::Signed | Kind::Unsigned => Constant::Int(to_integer(value, from, to)),
        Kind::Float => Constant::Float(to_float(value, from, to)),
        Kind::Complex => {
            let precision = Precision::of(to);
            let im = if from.is_complex() { as_complex(value).1 } else { 0.0 };
            Constant::Complex(to_float(value, from, to), precision.round(im))
        }
    }
}

fn is_nonzero(value: Constant, from: DType) -> bool {
    match from.kind() {
        Kind::Bool => as_bool(value),
        Kind::Signed | Kind::Unsigned => as_integer(value) != 0,
        Kind::Float => as_float(value) != 0.0,
        Kind::Complex => as_complex(value).0 != 0.0 || as_complex(value).1 != 0.0,
    }
}

fn to_float(value: Constant, from: DType, to: DType) -> f64 {
    let precision = Precision::of(to);
    let n = as_integer(value);
    match from.kind() {
        Kind::Bool => f64::from(u8::from(as_bool(value))),
        // One rounding: not through binary64.
        Kind::Signed if precision == Precision::Single => f64::from(n as f32),
        Kind::Signed => precision.round(n as f64),
        Kind::Unsigned if precision == Precision::Single => f64::from(n as u64 as f32),
        Kind::Unsigned => precision.round(n as u64 as f64),
        Kind::Float => precision.round(as_float(value)),
        Kind::Complex => precision.round(as_complex(value).0),
    }
}

fn to_integer(value: Constant, from: DType, to: DType) -> i64 {
    match from.kind() {
        Kind::Bool => i64::from(as_bool(value)),
        Kind::Signed | Kind::Unsigned => integer::wrap(as_integer(value), to),
        Kind::Float => float_to_integer(as_float(value), to),
        Kind::Complex => float_to_integer(as_complex(value).0, to),
    }
}

/// x86-64: `cvttsd2si` gives the smallest integer for nan and out of range; narrow integers go through 32 bits, `uint32` through 64.
fn float_to_integer(x: f64, to: DType) -> i64 {
    const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;
    let to_64 = |x: f64| if (-TWO_TO_63..TWO_TO_63).contains(&x) { x as i64 } else { i64::MIN };
    let to_32 = |x: f64| if x > -2_147_483_649.0 && x < 2_147_483_648.0 { x as i32 } else { i32::MIN };
    match to {
        DType::I64 => to_64(x),
        DType::U64 if x >= TWO_TO_63 => to_64(x - TWO_TO_63) ^ i64::MIN,
        DType::U64 => to_64(x),
        DType::U32 => integer::wrap(to_64(x), to),
        _ => integer::wrap(i64::from(to_32(x)), to),
    }
}
