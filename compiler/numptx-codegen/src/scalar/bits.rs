//! Operations on a float's bits: `nextafter`, `ldexp`, `frexp`. No library is called, so both targets agree bit for bit.

use inkwell::values::{FloatValue, IntValue};
use inkwell::{FloatPredicate, IntPredicate};

use crate::emitter::Emitter;
use crate::error::Emit;

/// How a binary format is laid out.
#[derive(Clone, Copy)]
struct Format {
    /// Stored bits of the mantissa.
    mantissa: i64,
    /// Bias of the exponent; also the largest exponent.
    bias: i64,
}

impl Format {
    fn of(a: IntValue<'_>) -> Format {
        match a.get_type().get_bit_width() {
            32 => Format { mantissa: 23, bias: 127 },
            _ => Format { mantissa: 52, bias: 1023 },
        }
    }

    /// The bits of `2**exponent`, for normal results.
    fn power_of_two(self, exponent: i64) -> i64 {
        (exponent + self.bias) << self.mantissa
    }
}

impl<'ctx> Emitter<'ctx, '_> {
    /// The next float after `a` towards `b`: `b` if they are equal, nan if either is.
    pub(super) fn next_after(&self, a: FloatValue<'ctx>, b: FloatValue<'ctx>) -> Emit<FloatValue<'ctx>> {
        let bits = self.float_bits(a)?;
        let upward = self.fcmp(FloatPredicate::OGT, b, a)?;
        let positive = self.fcmp_with(FloatPredicate::OGT, a, 0.0)?;
        let grows = self.icmp(IntPredicate::EQ, upward, positive)?;
        let one = self.int_like(bits, 1);
        let moved = self.select(grows, self.add(bits, one)?, self.sub(bits, one)?)?;
        let smallest = self.float_intrinsic("llvm.copysign", &[self.bits_float(one)?, b])?;
        let zero = self.fcmp_with(FloatPredicate::OEQ, a, 0.0)?;
        let moved = self.select(zero, smallest, self.bits_float(moved)?)?;
        let equal = self.fcmp(FloatPredicate::OEQ, a, b)?;
        let moved = self.select(equal, b, moved)?;
        let nan = self.fcmp(FloatPredicate::UNO, a, b)?;
        self.select(nan, self.builder.build_float_add(a, b, "")?, moved)
    }

    /// `a * 2**n`, rounded once: two steps take the exponent near, exactly, the last multiplication rounds.
    pub(super) fn ldexp(&self, a: FloatValue<'ctx>, n: IntValue<'ctx>) -> Emit<FloatValue<'ctx>> {
        let bits = self.float_bits(a)?;
        let format = Format::of(bits);
        let power = |exponent: i64| self.bits_float(self.int_like(bits, format.power_of_two(exponent)));
        let (highest, lowest) = (format.bias, 1 - format.bias);
        // Not to lose bits in two subnormal steps: steps down stop short by the mantissa's width.
        let down = lowest + format.mantissa + 1;
        let (mut value, mut rest) = (a, n);
        for _ in 0..2 {
            let above = self.icmp_with(IntPredicate::SGT, rest, highest)?;
            let below = self.icmp_with(IntPredicate::SLT, rest, lowest)?;
            let raised = self.builder.build_float_mul(value, power(highest)?, "")?;
            let lowered = self.builder.build_float_mul(value, power(down)?, "")?;
            value = self.select(above, raised, self.select(below, lowered, value)?)?;
            let less = self.sub(rest, self.int_like(rest, highest))?;
            let more = self.sub(rest, self.int_like(rest, down))?;
            rest = self.select(above, less, self.select(below, more, rest)?)?;
        }
        let high = self.icmp_with(IntPredicate::SGT, rest, highest)?;
        let rest = self.select(high, self.int_like(rest, highest), rest)?;
        let low = self.icmp_with(IntPredicate::SLT, rest, lowest)?;
        let rest = self.select(low, self.int_like(rest, lowest), rest)?;
        let rest = self.resize_signed(rest, bits.get_type())?;
        let biased = self.add(rest, self.int_like(bits, format.bias))?;
        let factor = self.builder.build_left_shift(biased, self.int_like(bits, format.mantissa), "")?;
        Ok(self.builder.build_float_mul(value, self.bits_float(factor)?, "")?)
    }

    /// In [0.5, 1); zeros, infinities and nans as they are.
    pub(super) fn frexp_mantissa(&self, a: FloatValue<'ctx>) -> Emit<FloatValue<'ctx>> {
        let (bits, _) = self.normal_bits(a)?;
        let format = Format::of(bits);
        let kept = self.and(bits, self.int_like(bits, !(exponent_mask(format) << format.mantissa)))?;
        let mantissa = self.or(kept, self.int_like(bits, format.power_of_two(-1)))?;
        self.select(self.is_special(a)?, a, self.bits_float(mantissa)?)
    }

    /// The exponent that belongs to the mantissa, `int32`; 0 for zeros, infinities and nans.
    pub(super) fn frexp_exponent(&self, a: FloatValue<'ctx>) -> Emit<IntValue<'ctx>> {
        let (bits, bias) = self.normal_bits(a)?;
        let format = Format::of(bits);
        let shifted = self.builder.build_right_shift(bits, self.int_like(bits, format.mantissa), false, "")?;
        let field = self.and(shifted, self.int_like(bits, exponent_mask(format)))?;
        let exponent = self.sub(field, bias)?;
        let exponent = self.select(self.is_special(a)?, self.int_like(bits, 0), exponent)?;
        self.resize_signed(exponent, self.context.i32_type())
    }

    /// The bits of the value scaled to be normal, and what to subtract from its exponent field.
    fn normal_bits(&self, a: FloatValue<'ctx>) -> Emit<(IntValue<'ctx>, IntValue<'ctx>)> {
        let bits = self.float_bits(a)?;
        let format = Format::of(bits);
        let smallest_normal = self.bits_float(self.int_like(bits, format.power_of_two(1 - format.bias)))?;
        let magnitude = self.float_intrinsic("llvm.fabs", &[a])?;
        let subnormal = self.fcmp(FloatPredicate::OLT, magnitude, smallest_normal)?;
        let steps = format.mantissa + 1;
        let factor = self.bits_float(self.int_like(bits, format.power_of_two(steps)))?;
        let scaled = self.float_bits(self.builder.build_float_mul(a, factor, "")?)?;
        let bias =
            self.select(subnormal, self.int_like(bits, format.bias - 1 + steps), self.int_like(bits, format.bias - 1))?;
        Ok((self.select(subnormal, scaled, bits)?, bias))
    }

    /// Zero, infinite or nan.
    fn is_special(&self, a: FloatValue<'ctx>) -> Emit<IntValue<'ctx>> {
        let magnitude = self.float_intrinsic("llvm.fabs", &[a])?;
        let finite = self.fcmp_with(FloatPredicate::OLT, magnitude, f64::INFINITY)?;
        let zero = self.fcmp_with(FloatPredicate::OEQ, a, 0.0)?;
        self.or(zero, self.not(finite)?)
    }
}

fn exponent_mask(format: Format) -> i64 {
    2 * format.bias + 1
}
