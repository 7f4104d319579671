//! Numbers of 16 bits, IEEE 754's binary16: 11 bits of significand, exponents from -14 to 15, and numbers below the smallest normal one.
//!
//! Conversions round once, to nearest even, whatever they begin with.

/// The largest finite number.
pub const MAX: f64 = 65504.0;

/// The number of these bits.
pub fn to_f64(bits: u16) -> f64 {
    let (exponent, mantissa) = (i32::from(bits >> 10 & 0x1f), f64::from(bits & 0x3ff));
    let magnitude = match exponent {
        0 => mantissa * 2f64.powi(-24),
        31 if bits & 0x3ff == 0 => f64::INFINITY,
        // What a nan carries stays: its bits are the upper ones of the wider nan.
        31 => f64::from_bits(0x7ff << 52 | u64::from(bits & 0x3ff) << 42),
        _ => (1024.0 + mantissa) * 2f64.powi(exponent - 25),
    };
    if bits >> 15 == 1 { -magnitude } else { magnitude }
}

/// The bits of the nearest number, of two equally near ones of that with an even last bit; infinite from 65520 on.
pub fn from_f64(x: f64) -> u16 {
    let sign = u16::from(x.is_sign_negative()) << 15;
    let magnitude = x.abs();
    if x.is_nan() {
        // Quiet, and never infinite.
        return sign | 0x7e00 | (x.to_bits() >> 42 & 0x1ff) as u16;
    }
    if magnitude >= 65520.0 {
        return sign | 0x7c00;
    }
    if magnitude < 2f64.powi(-14) {
        // How many of the smallest numbers; 1024 of them are the smallest normal one, whose bits that is, too.
        return sign | (magnitude * 2f64.powi(24)).round_ties_even() as u16;
    }
    let bits = magnitude.to_bits() - ((1023 - 15) << 52);
    let (kept, rest) = ((bits >> 42) as u16, bits & ((1 << 42) - 1));
    let is_up = rest > 1 << 41 || rest == 1 << 41 && kept % 2 == 1;
    sign | (kept + u16::from(is_up))
}

/// The nearest number that 16 bits hold.
pub fn round(x: f64) -> f64 {
    to_f64(from_f64(x))
}

/// The next number of 16 bits after `a` towards another one; neither is nan, and both are such numbers. Of equal ones it is `a`, as in NumPy, also where
/// their signs differ.
pub fn next_towards(a: f64, b: f64) -> f64 {
    let bits = from_f64(a);
    if a == b {
        return a;
    }
    if a == 0.0 {
        return 2f64.powi(-24).copysign(b);
    }
    to_f64(if (b > a) == (a > 0.0) { bits + 1 } else { bits - 1 })
}

#[cfg(test)]
mod tests {
    use super::{from_f64, next_towards, round, to_f64};

    #[test]
    fn all_numbers_are_told_apart() {
        for bits in 0..=u16::MAX {
            let x = to_f64(bits);
            // A nan that signals becomes a quiet one.
            let expected = if x.is_nan() { bits | 0x200 } else { bits };
            assert_eq!(from_f64(x), expected, "{bits:#x}");
            if bits & 0x7fff < 0x7c00 {
                let next = to_f64((bits & 0x7fff) + 1);
                let middle = if next.is_finite() { (x.abs() + next) / 2.0 } else { 65520.0 };
                let even = if bits % 2 == 0 { x.abs() } else { next };
                assert_eq!(round(middle), even, "the middle behind {x}");
                assert_eq!(round(middle.next_down()), x.abs());
                assert_eq!(round(middle.next_up()), next);
            }
        }
    }

    #[test]
    fn next_numbers_cross_zero_and_the_end() {
        assert_eq!(next_towards(0.0, -1.0), -(2f64.powi(-24)));
        assert!(next_towards(0.0, -0.0).is_sign_positive() && next_towards(-0.0, 0.0).is_sign_negative());
        assert_eq!(next_towards(65504.0, f64::INFINITY), f64::INFINITY);
        assert_eq!(next_towards(2f64.powi(-24), -1.0), 0.0);
        assert_eq!(next_towards(-1.0, 0.0), -1.0 + 2f64.powi(-11));
    }
}
