//! float32 and float64, and what float16 is made of, as NumPy's loops and `npy_math` have them.

use inkwell::FloatPredicate;
use inkwell::values::{FloatValue, IntValue};
use numptx_ir::scalar::ScalarOp;

use crate::emitter::Emitter;
use crate::error::{Emit, undefined};

impl<'ctx> Emitter<'ctx, '_> {
    /// Operations on floats; those of one operand ignore `b`.
    pub(super) fn real(&self, op: ScalarOp, a: FloatValue<'ctx>, b: FloatValue<'ctx>) -> Emit<FloatValue<'ctx>> {
        use ScalarOp::*;
        match op {
            Add => self.fadd(a, b),
            Sub => self.fsub(a, b),
            Mul => self.fmul(a, b),
            Product => self.product(a, b),
            Div => self.fdiv(a, b),
            FloorDiv => Ok(self.divmod(a, b)?.0),
            Mod => Ok(self.divmod(a, b)?.1),
            Fmod => self.library("fmod", &[a, b]),
            Pow => self.power_of_reals(a, b),
            Neg => self.fneg(a),
            Abs => self.float_intrinsic("llvm.fabs", &[a]),
            Sign => self.sign(a),
            Sqrt => self.float_intrinsic("llvm.sqrt", &[a]),
            Floor => self.float_intrinsic("llvm.floor", &[a]),
            Ceil => self.float_intrinsic("llvm.ceil", &[a]),
            Trunc => self.float_intrinsic("llvm.trunc", &[a]),
            Rint => self.float_intrinsic("llvm.rint", &[a]),
            Min => self.pick(a, b, FloatPredicate::OLT, a),
            Max => self.pick(a, b, FloatPredicate::OGT, a),
            FMin => self.pick(a, b, FloatPredicate::OLT, b),
            FMax => self.pick(a, b, FloatPredicate::OGT, b),
            CopySign => self.float_intrinsic("llvm.copysign", &[a, b]),
            NextAfter => self.next_after(a, b),
            FrexpMantissa => self.frexp_mantissa(a),
            _ => Err(undefined(op, "floats")),
        }
    }

    /// `a ** b`. Where the exponent is an odd number of halves, from -1.5 to 2.5, it is made of the root: at most three roundings, of which none
    /// overflows or loses bits where the power does not. See Note [Halves].
    fn power_of_reals(&self, a: FloatValue<'ctx>, b: FloatValue<'ctx>) -> Emit<FloatValue<'ctx>> {
        let exponent = b.get_constant().map(|(exponent, _)| exponent);
        let Some(exponent) = exponent.filter(|exponent| [-1.5, -0.5, 0.5, 1.5, 2.5].contains(exponent)) else {
            return self.library("pow", &[a, b]);
        };
        let x = self.fadd(a, self.float_like(a, 0.0))?;
        let root = self.float_intrinsic("llvm.sqrt", &[x])?;
        let power = match exponent {
            0.5 => root,
            1.5 => self.fmul(x, root)?,
            2.5 => self.fmul(self.fmul(x, x)?, root)?,
            -0.5 => self.fdiv(self.float_like(a, 1.0), root)?,
            _ => self.fdiv(self.fdiv(self.float_like(a, 1.0), root)?, x)?,
        };
        let is_least = self.fcmp_with(FloatPredicate::OEQ, a, f64::NEG_INFINITY)?;
        let there = self.float_like(a, if exponent > 0.0 { f64::INFINITY } else { 0.0 });
        self.select(is_least, there, power)
    }

    /// `a` if it compares so with `b` or if `judge` is nan, else `b`.
    fn pick(
        &self,
        a: FloatValue<'ctx>,
        b: FloatValue<'ctx>,
        predicate: FloatPredicate,
        judge: FloatValue<'ctx>,
    ) -> Emit<FloatValue<'ctx>> {
        let first = self.or(self.fcmp(predicate, a, b)?, self.is_nan(judge)?)?;
        self.select(first, a, b)
    }

    fn sign(&self, a: FloatValue<'ctx>) -> Emit<FloatValue<'ctx>> {
        let positive = self.fcmp_with(FloatPredicate::OGT, a, 0.0)?;
        let negative = self.fcmp_with(FloatPredicate::OLT, a, 0.0)?;
        let zero = self.fcmp_with(FloatPredicate::OEQ, a, 0.0)?;
        let rest = self.select(zero, self.float_like(a, 0.0), a)?;
        let rest = self.select(negative, self.float_like(a, -1.0), rest)?;
        self.select(positive, self.float_like(a, 1.0), rest)
    }

    /// Quotient and modulus of `npy_floor_divide` and `npy_remainder`, by selects.
    fn divmod(&self, a: FloatValue<'ctx>, b: FloatValue<'ctx>) -> Emit<(FloatValue<'ctx>, FloatValue<'ctx>)> {
        let zero = self.float_like(a, 0.0);
        let fmod = self.library("fmod", &[a, b])?;
        let by_zero = self.fcmp(FloatPredicate::OEQ, b, zero)?;
        let exact = self.fcmp(FloatPredicate::OEQ, fmod, zero)?;
        let signs = self.xor(self.fcmp(FloatPredicate::OLT, b, zero)?, self.fcmp(FloatPredicate::OLT, fmod, zero)?)?;
        let against = self.and(signs, self.not(exact)?)?;
        let modulus = self.select(against, self.fadd(fmod, b)?, fmod)?;
        let modulus = self.select(exact, self.float_intrinsic("llvm.copysign", &[zero, b])?, modulus)?;
        let modulus = self.select(by_zero, fmod, modulus)?;

        let quotient = self.fdiv(self.fsub(a, fmod)?, b)?;
        let quotient = self.select(against, self.fsub(quotient, self.float_like(a, 1.0))?, quotient)?;
        let floor = self.float_intrinsic("llvm.floor", &[quotient])?;
        let above = self.fcmp_with(FloatPredicate::OGT, self.fsub(quotient, floor)?, 0.5)?;
        let floor = self.select(above, self.fadd(floor, self.float_like(a, 1.0))?, floor)?;
        let ratio = self.fdiv(a, b)?;
        let none = self.fcmp(FloatPredicate::OEQ, quotient, zero)?;
        let floor = self.select(none, self.float_intrinsic("llvm.copysign", &[zero, ratio])?, floor)?;
        Ok((self.select(by_zero, ratio, floor)?, modulus))
    }

    /// Tests of one float, by its bits where signs matter.
    pub(super) fn classify(&self, op: ScalarOp, a: FloatValue<'ctx>) -> Emit<IntValue<'ctx>> {
        let magnitude = || self.float_intrinsic("llvm.fabs", &[a]);
        match op {
            ScalarOp::IsNan => self.is_nan(a),
            ScalarOp::IsInf => self.fcmp_with(FloatPredicate::OEQ, magnitude()?, f64::INFINITY),
            ScalarOp::IsFinite => self.fcmp_with(FloatPredicate::OLT, magnitude()?, f64::INFINITY),
            ScalarOp::SignBit => self.icmp_with(inkwell::IntPredicate::SLT, self.float_bits(a)?, 0),
            _ => Err(undefined(op, "floats")),
        }
    }
}

// Note [Halves]
//
// C's `pow` takes -0 for 0 in these powers, which adding 0 does, and -inf for inf, where the root is nan. `1 / root` lies between 1e-154 and 1e162 for
// all float64, denormals too; it is divided by `x` last, so that the only rounding to a denormal, to 0, or to inf is that of the power itself. `1 / (x * root)`
// would be 0 from 3e205 on, where the power is 1e-308. `x * x` is 0 or inf only where the power is.
