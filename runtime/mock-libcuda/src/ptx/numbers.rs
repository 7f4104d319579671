//! Arithmetic of registers: numbers are read as a type says, and are 64 bits wide until somebody reads them again.

use std::cmp::Ordering;

use super::instruction::{Arithmetic, Kind, Relation, Rounding, Type};

/// The bits of a value as a type reads them: with its sign, or with zeros.
pub(super) fn read(bits: u64, ty: Type) -> u64 {
    let unused = 64 - ty.bits;
    match ty.kind {
        Kind::Predicate => u64::from(bits != 0),
        Kind::Signed => (bits.cast_signed() << unused >> unused).cast_unsigned(),
        Kind::Unsigned | Kind::Float => bits << unused >> unused,
    }
}

fn single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

/// What an operation makes of one or two numbers; `None` where the mock does not know it for the type.
pub(super) fn compute(op: Arithmetic, ty: Type, a: u64, b: u64) -> Option<u64> {
    match (ty.kind, ty.bits) {
        (Kind::Float, 32) => Some(u64::from(float(op, single(a), single(b))?.to_bits())),
        (Kind::Float, _) => Some(double(op, f64::from_bits(a), f64::from_bits(b))?.to_bits()),
        _ => integer(op, ty, read(a, ty), read(b, ty)),
    }
}

fn integer(op: Arithmetic, ty: Type, a: u64, b: u64) -> Option<u64> {
    let is_signed = ty.kind == Kind::Signed;
    let (x, y) = (a.cast_signed(), b.cast_signed());
    let wide = |value: u64| if is_signed { i128::from(value.cast_signed()) } else { i128::from(value) };
    Some(match op {
        Arithmetic::Add => a.wrapping_add(b),
        Arithmetic::Sub => a.wrapping_sub(b),
        Arithmetic::MulLow | Arithmetic::MulWide => a.wrapping_mul(b),
        Arithmetic::MulHigh if is_signed => ((wide(a) * wide(b)) >> ty.bits) as u64,
        Arithmetic::MulHigh => ((u128::from(a) * u128::from(b)) >> ty.bits) as u64,
        Arithmetic::Div | Arithmetic::Rem if b == 0 => u64::MAX,
        Arithmetic::Div if is_signed => x.wrapping_div(y).cast_unsigned(),
        Arithmetic::Div => a / b,
        Arithmetic::Rem if is_signed => x.wrapping_rem(y).cast_unsigned(),
        Arithmetic::Rem => a % b,
        Arithmetic::Min => {
            if wide(b) < wide(a) {
                b
            } else {
                a
            }
        }
        Arithmetic::Max => {
            if wide(b) > wide(a) {
                b
            } else {
                a
            }
        }
        Arithmetic::And => a & b,
        Arithmetic::Or => a | b,
        Arithmetic::Xor => a ^ b,
        Arithmetic::Not if ty.kind == Kind::Predicate => a ^ 1,
        Arithmetic::Not => !a,
        Arithmetic::Neg => x.wrapping_neg().cast_unsigned(),
        Arithmetic::Abs => x.wrapping_abs().cast_unsigned(),
        Arithmetic::ShiftLeft | Arithmetic::ShiftRight => return None,
        Arithmetic::Count => u64::from(a.count_ones()),
        Arithmetic::LeadingZeros => u64::from(a.leading_zeros() - (64 - ty.bits)),
        Arithmetic::Reverse => a.reverse_bits() >> (64 - ty.bits),
        Arithmetic::Root | Arithmetic::Reciprocal | Arithmetic::RootBelow => return None,
        Arithmetic::Power | Arithmetic::Logarithm | Arithmetic::CopySign => return None,
    })
}

/// A shift by so many bits: beyond all of them nothing is left, or the sign.
pub(super) fn shift(left: bool, ty: Type, a: u64, by: u64) -> u64 {
    let a = read(a, ty);
    let by = by & u64::from(u32::MAX);
    match (left, ty.kind) {
        (true, _) => {
            if by >= u64::from(ty.bits) {
                0
            } else {
                a << by
            }
        }
        (false, Kind::Signed) => (a.cast_signed() >> by.min(63)).cast_unsigned(),
        (false, _) => {
            if by >= u64::from(ty.bits) {
                0
            } else {
                a >> by
            }
        }
    }
}

macro_rules! floats {
    ($name:ident, $float:ty) => {
        fn $name(op: Arithmetic, a: $float, b: $float) -> Option<$float> {
            Some(match op {
                Arithmetic::Add => a + b,
                Arithmetic::Sub => a - b,
                Arithmetic::MulLow => a * b,
                Arithmetic::Div => a / b,
                Arithmetic::Neg => -a,
                Arithmetic::Abs => a.abs(),
                Arithmetic::Root => a.sqrt(),
                Arithmetic::Reciprocal => 1.0 / a,
                Arithmetic::RootBelow => 1.0 / a.sqrt(),
                Arithmetic::Power => a.exp2(),
                Arithmetic::Logarithm => a.log2(),
                // The sign of the first, and the rest of the second.
                Arithmetic::CopySign => b.copysign(a),
                // The other one of a nan; -0 is less than 0.
                Arithmetic::Min | Arithmetic::Max if a.is_nan() => b,
                Arithmetic::Min | Arithmetic::Max if b.is_nan() => a,
                Arithmetic::Min => {
                    if a.total_cmp(&b).is_lt() {
                        a
                    } else {
                        b
                    }
                }
                Arithmetic::Max => {
                    if a.total_cmp(&b).is_gt() {
                        a
                    } else {
                        b
                    }
                }
                _ => return None,
            })
        }
    };
}

floats!(float, f32);
floats!(double, f64);

/// A product and a sum, of floats rounded once.
pub(super) fn multiply_add(op: Arithmetic, ty: Type, a: u64, b: u64, c: u64) -> Option<u64> {
    match (ty.kind, ty.bits) {
        (Kind::Float, 32) => Some(u64::from(single(a).mul_add(single(b), single(c)).to_bits())),
        (Kind::Float, _) => Some(f64::from_bits(a).mul_add(f64::from_bits(b), f64::from_bits(c)).to_bits()),
        _ => Some(integer(op, ty, read(a, ty), read(b, ty))?.wrapping_add(c)),
    }
}

/// Whether two numbers compare so.
pub(super) fn compare(relation: Relation, ty: Type, a: u64, b: u64) -> bool {
    let order = match (ty.kind, ty.bits) {
        (Kind::Float, 32) => single(a).partial_cmp(&single(b)),
        (Kind::Float, _) => f64::from_bits(a).partial_cmp(&f64::from_bits(b)),
        (Kind::Signed, _) => Some(read(a, ty).cast_signed().cmp(&read(b, ty).cast_signed())),
        _ => Some(read(a, ty).cmp(&read(b, ty))),
    };
    match order {
        Some(Ordering::Less) => relation.less,
        Some(Ordering::Equal) => relation.equal,
        Some(Ordering::Greater) => relation.greater,
        None => relation.unordered,
    }
}

/// A value of another type. Integers of floats are the nearest that there are.
pub(super) fn convert(to: Type, from: Type, rounding: Rounding, bits: u64) -> u64 {
    if from.kind != Kind::Float {
        let value = read(bits, from);
        let is_signed = from.kind == Kind::Signed;
        return match (to.kind, to.bits) {
            (Kind::Float, 32) => u64::from(if is_signed { value.cast_signed() as f32 } else { value as f32 }.to_bits()),
            (Kind::Float, _) => if is_signed { value.cast_signed() as f64 } else { value as f64 }.to_bits(),
            _ => read(value, to),
        };
    }
    let value = if from.bits == 32 { f64::from(single(bits)) } else { f64::from_bits(bits) };
    let whole = match rounding {
        Rounding::None => value,
        Rounding::ToNearest => value.round_ties_even(),
        Rounding::Down => value.floor(),
        Rounding::Up => value.ceil(),
        Rounding::TowardsZero => value.trunc(),
        Rounding::Saturated if value.is_nan() => 0.0,
        Rounding::Saturated => value.clamp(0.0, 1.0),
    };
    match (to.kind, to.bits) {
        (Kind::Float, 32) if from.bits == 32 && rounding == Rounding::None => bits,
        (Kind::Float, 32) => u64::from((whole as f32).to_bits()),
        (Kind::Float, _) => whole.to_bits(),
        (Kind::Signed, n) => {
            let most = (1i64 << (n - 1)).wrapping_sub(1);
            (whole as i64).clamp(most.wrapping_neg().wrapping_sub(1), most).cast_unsigned()
        }
        (_, n) => (whole as u64).min(u64::MAX >> (64 - n)),
    }
}

/// Bytes of two words, as a selector of four numbers says.
pub(super) fn permute(a: u64, b: u64, selector: u64) -> u64 {
    let bytes = u64::from(a as u32) | u64::from(b as u32) << 32;
    (0..4).fold(0, |word, n| {
        let choice = selector >> (4 * n) & 15;
        let byte = bytes >> (8 * (choice & 7)) & 255;
        let byte = if choice & 8 == 0 { byte } else { if byte & 128 == 0 { 0 } else { 255 } };
        word | byte << (8 * n)
    })
}

/// The upper or the lower word of two, shifted together.
pub(super) fn funnel(left: bool, wraps: bool, low: u64, high: u64, by: u64) -> u64 {
    let both = u64::from(low as u32) | u64::from(high as u32) << 32;
    let by = if wraps { by & 31 } else { (by & u64::from(u32::MAX)).min(32) };
    u64::from(if left { (u128::from(both) << by >> 32) as u32 } else { (both >> by) as u32 })
}

/// So many bits of a value, from one on.
pub(super) fn field(ty: Type, a: u64, first: u64, length: u64) -> u64 {
    let (first, length) = ((first & 255) as u32, (length & 255) as u32);
    if length == 0 {
        return 0;
    }
    let shifted = shift(false, ty, a, first.into());
    read(shifted, Type { bits: length.min(ty.bits.saturating_sub(first).max(1)).min(64), ..ty })
}

/// `lop3.b32`: bit `4 a + 2 b + c` of the table, for each three bits.
pub(super) fn logic([a, b, c]: [u64; 3], table: u64) -> u64 {
    let bit = |n: u32| (a >> n & 1) << 2 | (b >> n & 1) << 1 | c >> n & 1;
    (0..32).fold(0, |all, n| all | (table >> bit(n) & 1) << n)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ty(word: &str) -> Type {
        Type::parse(word).expect("a type")
    }

    #[test]
    fn numbers_are_read_as_wide_as_their_type() {
        assert_eq!(read(0x1_ffff_fffe, ty("s32")).cast_signed(), -2);
        assert_eq!(read(0x1_ffff_fffe, ty("u32")), 0xffff_fffe);
        assert_eq!(compute(Arithmetic::MulHigh, ty("u64"), u64::MAX, u64::MAX), Some(u64::MAX - 1));
        assert_eq!(compute(Arithmetic::MulHigh, ty("s32"), (-3i64).cast_unsigned(), 5), Some(u64::MAX));
        assert_eq!(compute(Arithmetic::MulWide, ty("u32"), 0xffff_ffff, 2), Some(0x1_ffff_fffe));
        assert_eq!(compute(Arithmetic::Min, ty("s64"), 1, u64::MAX), Some(u64::MAX));
        assert_eq!(shift(false, ty("s16"), 0x8000, 40), u64::MAX);
        assert_eq!(shift(true, ty("b32"), 1, 32), 0);
    }

    #[test]
    fn bytes_are_chosen() {
        assert_eq!(permute(0x4433_2211, 0x8877_6655, 0x7610), 0x8877_2211);
        assert_eq!(permute(0x80, 0, 0x8888), 0xffff_ffff);
        assert_eq!(funnel(true, true, 0x8000_0000, 1, 1), 3);
        assert_eq!(field(ty("u32"), 0xabcd, 4, 8), 0xbc);
    }

    #[test]
    fn floats_become_the_nearest_integers() {
        let convert = |to, x: f64| super::convert(ty(to), ty("f64"), Rounding::TowardsZero, x.to_bits());
        assert_eq!(convert("s32", -1e20).cast_signed(), i64::from(i32::MIN));
        assert_eq!(convert("u8", 300.0), 255);
        assert_eq!(convert("s64", 2.9), 2);
        assert_eq!(super::convert(ty("s8"), ty("s32"), Rounding::None, 0x1ff).cast_signed(), -1);
    }
}
