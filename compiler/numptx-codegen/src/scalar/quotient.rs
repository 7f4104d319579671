//! Quotients of `float64` on a device in two parts: what only the divisor is needed for, and the rest.
//!
//! In: a divisor, later a dividend. Out: their quotient, correctly rounded, as `div.rn.f64` gives it: these are the instructions that PTX's division
//! becomes, so that divisions by one number that follow each other need not make its reciprocal again. Where the way through the reciprocal
//! does not give the quotient, it is divided.

use inkwell::values::{FloatValue, IntValue};
use inkwell::{FloatPredicate, InlineAsmDialect, IntPredicate};

use crate::emitter::Emitter;
use crate::error::{Emit, bug};

/// Dividends whose upper half is a smaller number as a `float32` are divided: the remainder may be too small to be one.
const LEAST_DIVIDEND: u32 = 0x0360_0000;
/// So are those whose quotient is: of the smallest numbers.
const LEAST_QUOTIENT: u32 = 0x0010_0000;

impl<'ctx> Emitter<'ctx, '_> {
    /// The reciprocal of a divisor, for [`Emitter::quotient`].
    pub fn reciprocal(&self, divisor: FloatValue<'ctx>) -> Emit<FloatValue<'ctx>> {
        let first = self.intrinsic("llvm.nvvm.rcp.approx.ftz.d", &[], &[divisor.into()])?.into_float_value();
        let bits = self.float_bits(first)?;
        let mut so_far = self.bits_float(self.or(bits, self.i64(1))?)?;
        let (less, one) = (self.fneg(divisor)?, self.float_like(divisor, 1.0));
        let error = self.float_intrinsic("llvm.fma", &[less, so_far, one])?;
        let error = self.float_intrinsic("llvm.fma", &[error, error, error])?;
        so_far = self.float_intrinsic("llvm.fma", &[so_far, error, so_far])?;
        let error = self.float_intrinsic("llvm.fma", &[less, so_far, one])?;
        self.float_intrinsic("llvm.fma", &[so_far, error, so_far])
    }

    /// A dividend divided by a divisor with this reciprocal.
    pub fn quotient(
        &self,
        dividend: FloatValue<'ctx>,
        divisor: FloatValue<'ctx>,
        reciprocal: FloatValue<'ctx>,
    ) -> Emit<FloatValue<'ctx>> {
        let (quotient, is_right) = self.quick_quotient(dividend, divisor, reciprocal)?;
        let slot = self.slot_with(quotient, "quotient")?;
        self.when(self.icmp_with(IntPredicate::EQ, is_right, 0)?, || {
            self.write(slot, self.divided(dividend, divisor)?)
        })?;
        Ok(self.builder.build_load(quotient.get_type(), slot, "")?.into_float_value())
    }

    /// The quotient by way of the reciprocal, and whether it is the right one.
    pub fn quick_quotient(
        &self,
        dividend: FloatValue<'ctx>,
        divisor: FloatValue<'ctx>,
        reciprocal: FloatValue<'ctx>,
    ) -> Emit<(FloatValue<'ctx>, IntValue<'ctx>)> {
        let about = self.builder.build_float_mul(dividend, reciprocal, "")?;
        let rest = self.float_intrinsic("llvm.fma", &[self.fneg(divisor)?, about, dividend])?;
        let quotient = self.float_intrinsic("llvm.fma", &[reciprocal, rest, about])?;
        let nothing = self.context.f32_type().const_zero();
        // nan where the divisor is infinite or nan.
        let size = self.float_intrinsic("llvm.fma", &[nothing, self.upper(divisor)?, self.upper(quotient)?])?;
        let is_large = self.reaches(FloatPredicate::UGE, self.upper(dividend)?, LEAST_DIVIDEND)?;
        let is_right = self.and(is_large, self.reaches(FloatPredicate::OGT, size, LEAST_QUOTIENT)?)?;
        // Nothing divided by a number, in parts the same with the same sign; -0 is not.
        let is_nothing = self.icmp_with(IntPredicate::EQ, self.float_bits(dividend)?, 0)?;
        let is_nothing = self.and(is_nothing, self.fcmp_with(FloatPredicate::OEQ, quotient, 0.0)?)?;
        Ok((quotient, self.or(is_right, is_nothing)?))
    }

    /// A quotient that is made here and nowhere before: LLVM would divide always, and choose then.
    fn divided(&self, dividend: FloatValue<'ctx>, divisor: FloatValue<'ctx>) -> Emit<FloatValue<'ctx>> {
        let ty = dividend.get_type();
        let function = ty.fn_type(&[ty.into(), ty.into()], false);
        let (text, operands) = ("div.rn.f64 $0, $1, $2;".to_string(), "=d,d,d".to_string());
        let dialect = Some(InlineAsmDialect::ATT);
        let assembly = self.context.create_inline_asm(function, text, operands, true, false, dialect, false);
        let call = self.builder.build_indirect_call(function, assembly, &[dividend.into(), divisor.into()], "")?;
        let value = call.try_as_basic_value().basic();
        Ok(value.ok_or_else(|| bug("assembly without a result"))?.into_float_value())
    }

    /// The upper half of a number, as a `float32`.
    fn upper(&self, of: FloatValue<'ctx>) -> Emit<FloatValue<'ctx>> {
        let bits = self.float_bits(of)?;
        let upper = self.builder.build_right_shift(bits, self.i64(32), false, "")?;
        self.bits_float(self.resize_unsigned(upper, self.context.i32_type())?)
    }

    /// Whether the size of a `float32` compares so with the number of these bits.
    fn reaches(&self, predicate: FloatPredicate, of: FloatValue<'ctx>, bits: u32) -> Emit<IntValue<'ctx>> {
        let least = self.bits_float(self.context.i32_type().const_int(u64::from(bits), false))?;
        self.fcmp(predicate, self.float_intrinsic("llvm.fabs", &[of])?, least)
    }
}
