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

/// Numbers that are smaller than what they were subtracted from by this factor are too inexact for [`Emitter::quotient_of_difference`].
const MOST_CANCELLED: f64 = (1u64 << 20) as f64;
/// So are quotients of this size: what they consist of may be infinite.
const MOST_QUOTIENT: f64 = 1e300;

/// A quotient that is to be found.
pub(crate) struct Quotient<'ctx> {
    pub dividend: FloatValue<'ctx>,
    pub divisor: FloatValue<'ctx>,
    /// As [`Emitter::reciprocal`] gives it.
    pub reciprocal: FloatValue<'ctx>,
}

/// What a dividend is the difference of. The subtrahend is known last.
pub(crate) struct Difference<'ctx> {
    pub minuend: FloatValue<'ctx>,
    pub subtrahend: FloatValue<'ctx>,
    /// The minuend by the reciprocal, where that is known.
    pub scaled: Option<FloatValue<'ctx>>,
}

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
    pub fn quotient(&self, of: &Quotient<'ctx>) -> Emit<FloatValue<'ctx>> {
        let (quotient, is_right) = self.quick_quotient(of)?;
        let slot = self.slot_with(quotient, "quotient")?;
        self.when(self.icmp_with(IntPredicate::EQ, is_right, 0)?, || {
            self.write(slot, self.divided(of.dividend, of.divisor)?)
        })?;
        Ok(self.builder.build_load(quotient.get_type(), slot, "")?.into_float_value())
    }

    /// The quotient by way of the reciprocal, and whether it is the right one.
    pub fn quick_quotient(&self, of: &Quotient<'ctx>) -> Emit<(FloatValue<'ctx>, IntValue<'ctx>)> {
        let Quotient { dividend, divisor, reciprocal } = *of;
        let about = self.builder.build_float_mul(dividend, reciprocal, "")?;
        let quotient = self.corrected(of, about)?;
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

    /// What is about a quotient, corrected by what it leaves of the dividend.
    fn corrected(&self, of: &Quotient<'ctx>, about: FloatValue<'ctx>) -> Emit<FloatValue<'ctx>> {
        let rest = self.float_intrinsic("llvm.fma", &[self.fneg(of.divisor)?, about, of.dividend])?;
        self.float_intrinsic("llvm.fma", &[of.reciprocal, rest, about])
    }

    /// The quotient of a difference, one step sooner after the subtrahend: that is multiplied while it is subtracted. Not as exact, see
    /// [`Emitter::is_about`].
    pub fn quotient_of_difference(&self, of: &Quotient<'ctx>, by: &Difference<'ctx>) -> Emit<FloatValue<'ctx>> {
        let scaled = match by.scaled {
            Some(scaled) => scaled,
            None => self.builder.build_float_mul(by.minuend, of.reciprocal, "")?,
        };
        let about = self.float_intrinsic("llvm.fma", &[self.fneg(by.subtrahend)?, of.reciprocal, scaled])?;
        self.corrected(of, about)
    }

    /// Whether [`Emitter::quotient_of_difference`] is a quotient's neighbour if not the quotient itself, as it is but for one in 2^30: where little
    /// enough was cancelled that the correction, which is exact to 2^-52 of what it corrects, mends what was.
    pub fn is_about(
        &self,
        of: &Quotient<'ctx>,
        by: &Difference<'ctx>,
        quotient: FloatValue<'ctx>,
    ) -> Emit<IntValue<'ctx>> {
        let (size, left) =
            (self.float_intrinsic("llvm.fabs", &[by.minuend])?, self.float_intrinsic("llvm.fabs", &[of.dividend])?);
        let most = self.builder.build_float_mul(left, self.float_like(left, MOST_CANCELLED), "")?;
        let is_left = self.fcmp(FloatPredicate::OLE, size, most)?;
        let is_small =
            self.fcmp_with(FloatPredicate::OLE, self.float_intrinsic("llvm.fabs", &[quotient])?, MOST_QUOTIENT)?;
        self.and(is_left, is_small)
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
