//! Integer arithmetic: on 64 bits, wrapped to the dtype's width afterwards.

use std::cmp::Ordering;

use super::ScalarOp;
use crate::DType;
use crate::dtype::Kind;

/// The value of the low bits, sign- or zero-extended.
pub(super) fn wrap(n: i64, dtype: DType) -> i64 {
    match dtype {
        DType::I8 => i64::from(n as i8),
        DType::I16 => i64::from(n as i16),
        DType::I32 => i64::from(n as i32),
        DType::U8 => i64::from(n as u8),
        DType::U16 => i64::from(n as u16),
        DType::U32 => i64::from(n as u32),
        _ => n,
    }
}

/// Before wrapping; `None` where the operation is not defined on integers.
pub(super) fn arithmetic(op: ScalarOp, a: i64, b: i64, dtype: DType) -> Option<i64> {
    use ScalarOp::*;
    let signed = dtype.kind() == Kind::Signed;
    let order = if signed { a.cmp(&b) } else { (a as u64).cmp(&(b as u64)) };
    Some(match op {
        Add => a.wrapping_add(b),
        Sub => a.wrapping_sub(b),
        Mul => a.wrapping_mul(b),
        FloorDiv => floor_divide(a, b, signed),
        Mod => remainder(a, b, signed),
        Fmod => truncated_remainder(a, b, signed),
        Pow => power(a, b),
        Gcd => greatest_common_divisor(a as u64, b as u64) as i64,
        Neg => a.wrapping_neg(),
        Abs => {
            if signed {
                a.wrapping_abs()
            } else {
                a
            }
        }
        Sign => {
            if signed {
                a.signum()
            } else {
                i64::from(a != 0)
            }
        }
        Min | FMin => {
            if order == Ordering::Greater {
                b
            } else {
                a
            }
        }
        Max | FMax => {
            if order == Ordering::Less {
                b
            } else {
                a
            }
        }
        BitAnd => a & b,
        BitOr => a | b,
        BitXor => a ^ b,
        BitNot => !a,
        ShiftLeft => shift_count(b, dtype).map_or(0, |n| a << n),
        ShiftRight => shift_right(a, b, dtype),
        _ => return None,
    })
}

fn floor_divide(a: i64, b: i64, signed: bool) -> i64 {
    match (b, signed) {
        (0, _) => 0,
        (_, false) => (a as u64 / b as u64) as i64,
        _ => {
            let inexact = a.wrapping_rem(b) != 0;
            let quotient = a.wrapping_div(b);
            if inexact && (a < 0) != (b < 0) { quotient - 1 } else { quotient }
        }
    }
}

fn remainder(a: i64, b: i64, signed: bool) -> i64 {
    let remainder = truncated_remainder(a, b, signed);
    if signed && remainder != 0 && (remainder < 0) != (b < 0) { remainder + b } else { remainder }
}

fn truncated_remainder(a: i64, b: i64, signed: bool) -> i64 {
    match (b, signed) {
        (0, _) => 0,
        (_, false) => (a as u64 % b as u64) as i64,
        _ => a.wrapping_rem(b),
    }
}

fn power(a: i64, b: i64) -> i64 {
    let (mut base, mut exponent, mut result) = (a, b as u64, 1i64);
    while exponent != 0 {
        if exponent & 1 == 1 {
            result = result.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        exponent >>= 1;
    }
    result
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The count, if it is in range for the dtype's width.
fn shift_count(count: i64, dtype: DType) -> Option<u32> {
    u32::try_from(count).ok().filter(|n| (*n as usize) < 8 * dtype.itemsize())
}

fn shift_right(a: i64, b: i64, dtype: DType) -> i64 {
    match (shift_count(b, dtype), dtype.kind() == Kind::Signed) {
        (Some(n), true) => a >> n,
        (Some(n), false) => ((a as u64) >> n) as i64,
        (None, true) if a < 0 => -1,
        (None, _) => 0,
    }
}
