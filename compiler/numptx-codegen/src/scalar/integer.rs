//! Integers and bool. Divisions and shifts are guarded before they are made: LLVM leaves them undefined.

use inkwell::IntPredicate;
use inkwell::types::IntType;
use inkwell::values::{FunctionValue, IntValue};
use numptx_ir::scalar::ScalarOp;

use crate::emitter::Emitter;
use crate::error::{Emit, bug, undefined};

impl<'ctx> Emitter<'ctx, '_> {
    /// Operations on bool, held as `i1`.
    pub(super) fn boolean(&self, op: ScalarOp, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        use ScalarOp::*;
        match op {
            Add | Max | FMax | BitOr => self.or(a, b),
            Mul | Min | FMin | BitAnd => self.and(a, b),
            BitXor => self.xor(a, b),
            BitNot => self.not(a),
            Abs => Ok(a),
            _ => Err(undefined(op, "bool")),
        }
    }

    /// Operations on signed integers.
    pub(super) fn signed(&self, op: ScalarOp, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        use ScalarOp::*;
        match op {
            FloorDiv => self.signed_floor_divide(a, b),
            Mod => self.signed_remainder(a, b),
            Fmod => {
                let guarded = self.signed_divisor(a, b)?;
                self.clear_if_zero(b, self.builder.build_int_signed_rem(a, guarded, "")?)
            }
            Abs => {
                let negative = self.icmp_with(IntPredicate::SLT, a, 0)?;
                self.select(negative, self.sub(self.int_like(a, 0), a)?, a)
            }
            Sign => {
                let positive = self.icmp_with(IntPredicate::SGT, a, 0)?;
                let negative = self.builder.build_right_shift(a, self.int_like(a, last_bit(a)), true, "")?;
                self.or(negative, self.resize_unsigned(positive, a.get_type())?)
            }
            Min | FMin => self.select(self.icmp(IntPredicate::SLT, a, b)?, a, b),
            Max | FMax => self.select(self.icmp(IntPredicate::SGT, a, b)?, a, b),
            ShiftRight => {
                // Shifting by the width less one leaves copies of the sign, as every longer shift does.
                let inside = self.icmp_with(IntPredicate::ULE, b, last_bit(a))?;
                let count = self.select(inside, b, self.int_like(a, last_bit(a)))?;
                Ok(self.builder.build_right_shift(a, count, true, "")?)
            }
            _ => self.any_integer(op, a, b),
        }
    }

    /// Operations on unsigned integers.
    pub(super) fn unsigned(&self, op: ScalarOp, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        use ScalarOp::*;
        match op {
            FloorDiv => self.clear_if_zero(b, self.udiv(a, self.unsigned_divisor(b)?)?),
            Mod | Fmod => {
                let divisor = self.unsigned_divisor(b)?;
                self.clear_if_zero(b, self.builder.build_int_unsigned_rem(a, divisor, "")?)
            }
            Gcd => self.call_of_two(self.common_divisor_function(a.get_type())?, a, b),
            Abs => Ok(a),
            Sign => self.resize_unsigned(self.icmp_with(IntPredicate::NE, a, 0)?, a.get_type()),
            Min | FMin => self.select(self.icmp(IntPredicate::ULT, a, b)?, a, b),
            Max | FMax => self.select(self.icmp(IntPredicate::UGT, a, b)?, a, b),
            ShiftRight => self.guarded_shift(a, b, |count| Ok(self.builder.build_right_shift(a, count, false, "")?)),
            _ => self.any_integer(op, a, b),
        }
    }

    /// Operations that do not look at signs.
    fn any_integer(&self, op: ScalarOp, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        use ScalarOp::*;
        match op {
            Add => self.add(a, b),
            Sub => self.sub(a, b),
            Mul => self.mul(a, b),
            Neg => self.sub(self.int_like(a, 0), a),
            BitAnd => self.and(a, b),
            BitOr => self.or(a, b),
            BitXor => self.xor(a, b),
            BitNot => self.not(a),
            ShiftLeft => self.guarded_shift(a, b, |count| Ok(self.builder.build_left_shift(a, count, "")?)),
            Pow => self.power(a, b),
            _ => Err(undefined(op, "integers")),
        }
    }

    /// 0 where the count is outside `0..width`.
    fn guarded_shift(
        &self,
        a: IntValue<'ctx>,
        count: IntValue<'ctx>,
        shift: impl FnOnce(IntValue<'ctx>) -> Emit<IntValue<'ctx>>,
    ) -> Emit<IntValue<'ctx>> {
        let zero = self.int_like(a, 0);
        let inside = self.icmp_with(IntPredicate::ULE, count, last_bit(a))?;
        // Counts are masked, not selected: LLVM drops a select of the count under the select of the result, and PTX then shifts by
        // the count's low 32 bits.
        let within = count.get_type().const_int(u64::from(count.get_type().get_bit_width()) - 1, false);
        let shifted = shift(self.builder.build_and(count, within, "")?)?;
        self.select(inside, shifted, zero)
    }

    /// The divisor, or 1 where it is 0.
    fn unsigned_divisor(&self, b: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        let zero = self.icmp_with(IntPredicate::EQ, b, 0)?;
        self.select(zero, self.int_like(b, 1), b)
    }

    /// The divisor, or 1 where it is 0 or the quotient overflows: then the quotient is the dividend, the remainder 0.
    fn signed_divisor(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        let smallest = self.int_like(a, i64::MIN >> (63 - last_bit(a)));
        let overflows =
            self.and(self.icmp(IntPredicate::EQ, a, smallest)?, self.icmp_with(IntPredicate::EQ, b, -1)?)?;
        let bad = self.or(overflows, self.icmp_with(IntPredicate::EQ, b, 0)?)?;
        self.select(bad, self.int_like(b, 1), b)
    }

    fn clear_if_zero(&self, b: IntValue<'ctx>, value: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        let zero = self.icmp_with(IntPredicate::EQ, b, 0)?;
        self.select(zero, self.int_like(value, 0), value)
    }

    fn signed_floor_divide(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        let divisor = self.signed_divisor(a, b)?;
        let quotient = self.builder.build_int_signed_div(a, divisor, "")?;
        let remainder = self.sub(a, self.mul(quotient, divisor)?)?;
        let below = self.is_against(remainder, divisor)?;
        let floor = self.sub(quotient, self.resize_unsigned(below, a.get_type())?)?;
        self.clear_if_zero(b, floor)
    }

    fn signed_remainder(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        let divisor = self.signed_divisor(a, b)?;
        let remainder = self.builder.build_int_signed_rem(a, divisor, "")?;
        let against = self.is_against(remainder, divisor)?;
        let moved = self.select(against, self.add(remainder, divisor)?, remainder)?;
        self.clear_if_zero(b, moved)
    }

    /// Whether a remainder is not 0 and has the other sign than the divisor.
    fn is_against(&self, remainder: IntValue<'ctx>, divisor: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        let signs = self.icmp_with(IntPredicate::SLT, self.xor(remainder, divisor)?, 0)?;
        self.and(signs, self.icmp_with(IntPredicate::NE, remainder, 0)?)
    }

    /// A constant exponent is multiplied out; otherwise a function of the module loops over the exponent's bits.
    fn power(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        if let Some(exponent) = b.get_zero_extended_constant() {
            return self.constant_power(a, exponent);
        }
        self.call_of_two(self.power_function(a.get_type())?, a, b)
    }

    fn call_of_two(&self, function: FunctionValue<'ctx>, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        let call = self.builder.build_call(function, &[a.into(), b.into()], "")?;
        let value = call.try_as_basic_value().basic().ok_or_else(|| bug("a function of ints without a value"))?;
        Ok(value.into_int_value())
    }

    /// `numptx.NAME.iN(a, b)`, which the module has once; `body` gives its value.
    fn function_of_two(
        &self,
        name: &str,
        ty: IntType<'ctx>,
        body: impl FnOnce(FunctionValue<'ctx>) -> Emit<IntValue<'ctx>>,
    ) -> Emit<FunctionValue<'ctx>> {
        let name = format!("numptx.{name}.i{}", ty.get_bit_width());
        if let Some(function) = self.module.get_function(&name) {
            return Ok(function);
        }
        let here = self.here()?;
        let function = self.start_function(&name, ty.fn_type(&[ty.into(), ty.into()], false))?;
        function.set_linkage(inkwell::module::Linkage::Internal);
        self.mark_pure(function)?;
        let value = body(function)?;
        self.builder.build_return(Some(&value))?;
        self.builder.position_at_end(here);
        Ok(function)
    }

    /// `numptx.gcd.iN(a, b)`: Euclid's algorithm.
    fn common_divisor_function(&self, ty: IntType<'ctx>) -> Emit<FunctionValue<'ctx>> {
        self.function_of_two("gcd", ty, |function| {
            let divided = self.slot_with(self.int_parameter(function, 0)?, "divided")?;
            let divisor = self.slot_with(self.int_parameter(function, 1)?, "divisor")?;
            let zero = ty.const_int(0, false);
            self.repeat(
                || self.icmp_with(IntPredicate::NE, self.read_int(divisor, zero)?, 0),
                || {
                    let (a, b) = (self.read_int(divided, zero)?, self.read_int(divisor, zero)?);
                    self.write(divided, b)?;
                    self.write(divisor, self.builder.build_int_unsigned_rem(a, b, "")?)
                },
            )?;
            self.read_int(divided, zero)
        })
    }

    fn constant_power(&self, a: IntValue<'ctx>, exponent: u64) -> Emit<IntValue<'ctx>> {
        let (mut base, mut result, mut rest) = (a, self.int_like(a, 1), exponent);
        while rest != 0 {
            if rest & 1 == 1 {
                result = self.mul(result, base)?;
            }
            rest >>= 1;
            if rest != 0 {
                base = self.mul(base, base)?;
            }
        }
        Ok(result)
    }

    /// `numptx.power.iN(base, exponent)`: squares, the exponent as unsigned bits.
    fn power_function(&self, ty: IntType<'ctx>) -> Emit<FunctionValue<'ctx>> {
        self.function_of_two("power", ty, |function| {
            let base = self.slot_with(self.int_parameter(function, 0)?, "base")?;
            let rest = self.slot_with(self.int_parameter(function, 1)?, "rest")?;
            let one = ty.const_int(1, false);
            let result = self.slot_with(one, "result")?;
            self.repeat(
                || self.icmp_with(IntPredicate::NE, self.read_int(rest, one)?, 0),
                || {
                    let (factor, bits) = (self.read_int(base, one)?, self.read_int(rest, one)?);
                    let odd = self.icmp_with(IntPredicate::NE, self.and(bits, one)?, 0)?;
                    let product = self.read_int(result, one)?;
                    self.write(result, self.select(odd, self.mul(product, factor)?, product)?)?;
                    self.write(base, self.mul(factor, factor)?)?;
                    self.write(rest, self.builder.build_right_shift(bits, one, false, "")?)
                },
            )?;
            self.read_int(result, one)
        })
    }
}

/// The position of the highest bit.
fn last_bit(a: IntValue<'_>) -> i64 {
    i64::from(a.get_type().get_bit_width()) - 1
}
