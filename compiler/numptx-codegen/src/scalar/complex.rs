//! complex64 and complex128: the naive product, Smith's quotient, `hypot` for the absolute value.

use inkwell::FloatPredicate;
use inkwell::values::FloatValue;
use numptx_ir::scalar::ScalarOp;

use crate::emitter::Emitter;
use crate::error::{Emit, undefined};
use crate::value::Scalar;

/// Real and imaginary part.
type Parts<'ctx> = (FloatValue<'ctx>, FloatValue<'ctx>);

impl<'ctx> Emitter<'ctx, '_> {
    /// Operations on complex numbers; those of one operand ignore `b`.
    pub(super) fn complex_arithmetic(&self, op: ScalarOp, a: Parts<'ctx>, b: Parts<'ctx>) -> Emit<Scalar<'ctx>> {
        let (re, im) = match op {
            ScalarOp::Add => (self.fadd(a.0, b.0)?, self.fadd(a.1, b.1)?),
            ScalarOp::Sub => (self.fsub(a.0, b.0)?, self.fsub(a.1, b.1)?),
            ScalarOp::Mul | ScalarOp::Product => self.complex_product(a, b)?,
            ScalarOp::Div => self.complex_quotient(a, b)?,
            ScalarOp::Neg => (self.fneg(a.0)?, self.fneg(a.1)?),
            ScalarOp::Abs => return Ok(Scalar::Float(self.library("hypot", &[a.0, a.1])?)),
            _ => return Err(undefined(op, "complex numbers")),
        };
        Ok(Scalar::Complex(re, im))
    }

    fn complex_product(&self, a: Parts<'ctx>, b: Parts<'ctx>) -> Emit<Parts<'ctx>> {
        let re = self.fsub(self.fmul(a.0, b.0)?, self.fmul(a.1, b.1)?)?;
        let im = self.fadd(self.fmul(a.0, b.1)?, self.fmul(a.1, b.0)?)?;
        Ok((re, im))
    }

    /// Smith's method: divides by the larger part of the divisor.
    fn complex_quotient(&self, a: Parts<'ctx>, b: Parts<'ctx>) -> Emit<Parts<'ctx>> {
        let abs = |x| self.float_intrinsic("llvm.fabs", &[x]);
        let (abs_re, abs_im) = (abs(b.0)?, abs(b.1)?);
        let re_larger = self.fcmp(FloatPredicate::OGE, abs_re, abs_im)?;
        let (large, small) = (self.select(re_larger, b.0, b.1)?, self.select(re_larger, b.1, b.0)?);
        let ratio = self.fdiv(small, large)?;
        let divisor = self.fadd(large, self.fmul(small, ratio)?)?;
        let scale = self.fdiv(self.float_like(large, 1.0), divisor)?;
        let (re_ratio, im_ratio) = (self.fmul(a.0, ratio)?, self.fmul(a.1, ratio)?);
        let re = self.select(re_larger, self.fadd(a.0, im_ratio)?, self.fadd(re_ratio, a.1)?)?;
        let im = self.select(re_larger, self.fsub(a.1, re_ratio)?, self.fsub(im_ratio, a.0)?)?;
        let (re, im) = (self.fmul(re, scale)?, self.fmul(im, scale)?);

        let by_zero = self.and(
            self.fcmp_with(FloatPredicate::OEQ, abs_re, 0.0)?,
            self.fcmp_with(FloatPredicate::OEQ, abs_im, 0.0)?,
        )?;
        let re = self.select(by_zero, self.fdiv(a.0, abs_re)?, re)?;
        let im = self.select(by_zero, self.fdiv(a.1, abs_re)?, im)?;
        Ok((re, im))
    }
}
