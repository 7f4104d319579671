//! Arithmetic of `float16`, `float32` and `float64`, as NumPy's loops and `npy_math` have it.

use numptx_abi::half;

use super::{Precision, ScalarOp};

/// Before the last rounding; `None` where the operation is not defined on floats.
pub(super) fn arithmetic(op: ScalarOp, a: f64, b: f64, precision: Precision) -> Option<f64> {
    use ScalarOp::*;
    Some(match op {
        Add => a + b,
        Sub => a - b,
        Mul | Product => a * b,
        Div => a / b,
        FloorDiv => divmod(a, b, precision).0,
        Mod => divmod(a, b, precision).1,
        Fmod => a % b,
        Pow => a.powf(b),
        Neg => -a,
        Abs => a.abs(),
        Sign => sign(a),
        Sqrt => a.sqrt(),
        Floor => a.floor(),
        Ceil => a.ceil(),
        Trunc => a.trunc(),
        Rint => a.round_ties_even(),
        Min => {
            if a.is_nan() || a < b {
                a
            } else {
                b
            }
        }
        Max => {
            if a.is_nan() || a > b {
                a
            } else {
                b
            }
        }
        FMin => {
            if b.is_nan() || a < b {
                a
            } else {
                b
            }
        }
        FMax => {
            if b.is_nan() || a > b {
                a
            } else {
                b
            }
        }
        CopySign => a.copysign(b),
        NextAfter => next_after(a, b, precision),
        FrexpMantissa => frexp(a).0,
        Math(function) => (function.eval)(a, b),
        _ => return None,
    })
}

/// A product and a sum, rounded once.
pub(super) fn fma([a, b, c]: [f64; 3], precision: Precision) -> f64 {
    match precision {
        Precision::Half => precision.round(f64::from((a as f32).mul_add(b as f32, c as f32))),
        Precision::Single => f64::from((a as f32).mul_add(b as f32, c as f32)),
        Precision::Double => a.mul_add(b, c),
    }
}

/// Tests of one float.
pub(super) fn classify(op: ScalarOp, a: f64) -> bool {
    match op {
        ScalarOp::IsNan => a.is_nan(),
        ScalarOp::IsInf => a.is_infinite(),
        ScalarOp::IsFinite => a.is_finite(),
        _ => a.is_sign_negative(),
    }
}

fn sign(a: f64) -> f64 {
    if a > 0.0 {
        1.0
    } else if a < 0.0 {
        -1.0
    } else if a == 0.0 {
        0.0
    } else {
        a
    }
}

/// `npy_floor_divide` and `npy_remainder`: quotient and modulus. By zero: the quotient's `inf` or `nan`, and `fmod`.
fn divmod(a: f64, b: f64, precision: Precision) -> (f64, f64) {
    let steps = precision.of_steps();
    let round = |x| steps.round(x);
    let mut modulus = a % b;
    if b == 0.0 {
        return (a / b, modulus);
    }
    let mut quotient = round(round(a - modulus) / b);
    if modulus == 0.0 {
        modulus = 0f64.copysign(b);
    } else if (b < 0.0) != (modulus < 0.0) {
        modulus = round(modulus + b);
        quotient = round(quotient - 1.0);
    }
    if quotient == 0.0 {
        return (0f64.copysign(round(a / b)), modulus);
    }
    let floor = quotient.floor();
    (if quotient - floor > 0.5 { floor + 1.0 } else { floor }, modulus)
}

fn next_after(a: f64, b: f64, precision: Precision) -> f64 {
    if a.is_nan() || b.is_nan() {
        return a + b;
    }
    // Of zeros of both signs NumPy's loops of 16 bits give the first, C's function the second.
    if a == b && precision != Precision::Half {
        return b;
    }
    match precision {
        Precision::Double if b > a => a.next_up(),
        Precision::Double => a.next_down(),
        Precision::Single if b > a => f64::from((a as f32).next_up()),
        Precision::Single => f64::from((a as f32).next_down()),
        Precision::Half => half::next_towards(a, b),
    }
}

/// `x * 2**n`, rounded once.
pub(super) fn ldexp(x: f64, n: i64, precision: Precision) -> f64 {
    let two_to = |n: i64| f64::from_bits(((n + 1023) as u64) << 52);
    let (mantissa, exponent) = frexp(x);
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let exponent = exponent + n.clamp(-5000, 5000);
    // The mantissa times a power of two is exact as long as it is normal; one multiplication more rounds, or overflows.
    let scaled = match exponent {
        1024.. => mantissa * two_to(1023) * two_to((exponent - 1023).min(1023)),
        -1021..=1023 => mantissa * two_to(exponent),
        _ => mantissa * two_to(-1000) * two_to((exponent + 1000).max(-1000)),
    };
    precision.round(scaled)
}

/// C's `frexp`: a mantissa in [0.5, 1) and an exponent; zeros, infinities and nans with exponent 0.
pub(super) fn frexp(x: f64) -> (f64, i64) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    let two_to_54 = 18_014_398_509_481_984.0;
    let (x, bias) = if x.is_subnormal() { (x * two_to_54, 54) } else { (x, 0) };
    let exponent = ((x.to_bits() >> 52) & 0x7ff) as i64 - 1022;
    let mantissa = f64::from_bits((x.to_bits() & !(0x7ff << 52)) | (1022 << 52));
    (mantissa, exponent - bias)
}
