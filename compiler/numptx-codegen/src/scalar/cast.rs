//! Casts as C makes them on x86-64, on both targets: a float outside an integer's range gives what `cvttsd2si` gives.

use inkwell::types::{FloatType, IntType};
use inkwell::values::{FloatValue, IntValue};
use inkwell::{FloatPredicate, IntPredicate};
use numptx_ir::DType;
use numptx_ir::dtype::Kind;

use crate::emitter::Emitter;
use crate::error::Emit;
use crate::value::Scalar;

impl<'ctx> Emitter<'ctx, '_> {
    /// A value of one dtype as another.
    pub(super) fn cast(&self, value: Scalar<'ctx>, from: DType, to: DType) -> Emit<Scalar<'ctx>> {
        match to.kind() {
            Kind::Bool => Ok(Scalar::Int(self.is_nonzero(value)?)),
            Kind::Signed | Kind::Unsigned => Ok(Scalar::Int(self.to_integer(value, from, to)?)),
            Kind::Float if to == DType::F16 => Ok(Scalar::Float(self.to_half(value, from)?)),
            Kind::Float => Ok(Scalar::Float(self.to_float(value, from, self.float_type(to))?)),
            Kind::Complex => {
                let ty = self.float_type(to);
                let im = match value {
                    Scalar::Complex(_, im) => self.resize_float(im, ty)?,
                    _ => ty.const_zero(),
                };
                Ok(Scalar::Complex(self.to_float(value, from, ty)?, im))
            }
        }
    }

    fn is_nonzero(&self, value: Scalar<'ctx>) -> Emit<IntValue<'ctx>> {
        match value {
            Scalar::Int(value) => self.icmp_with(IntPredicate::NE, value, 0),
            Scalar::Float(value) => self.fcmp_with(FloatPredicate::UNE, value, 0.0),
            Scalar::Complex(re, im) => {
                let re = self.fcmp_with(FloatPredicate::UNE, re, 0.0)?;
                self.or(re, self.fcmp_with(FloatPredicate::UNE, im, 0.0)?)
            }
        }
    }

    /// The real part of a complex number; integers are rounded once, to nearest even.
    fn to_float(&self, value: Scalar<'ctx>, from: DType, ty: FloatType<'ctx>) -> Emit<FloatValue<'ctx>> {
        match value {
            Scalar::Int(value) if from.kind() == Kind::Signed => {
                Ok(self.builder.build_signed_int_to_float(value, ty, "")?)
            }
            Scalar::Int(value) => Ok(self.builder.build_unsigned_int_to_float(value, ty, "")?),
            Scalar::Float(value) | Scalar::Complex(value, _) => self.resize_float(value, ty),
        }
    }

    /// Of the value itself, rounded once: integers that a `float` does not hold are infinite as float16.
    fn to_half(&self, value: Scalar<'ctx>, from: DType) -> Emit<FloatValue<'ctx>> {
        match value {
            Scalar::Float(value) if from == DType::F16 => Ok(value),
            Scalar::Float(value) | Scalar::Complex(value, _) => self.round_to_half(value),
            Scalar::Int(_) => {
                let value = self.to_float(value, from, self.context.f32_type())?;
                self.round_to_half(value)
            }
        }
    }

    fn resize_float(&self, value: FloatValue<'ctx>, ty: FloatType<'ctx>) -> Emit<FloatValue<'ctx>> {
        if value.get_type() == ty {
            Ok(value)
        } else if ty == self.context.f64_type() {
            Ok(self.builder.build_float_ext(value, ty, "")?)
        } else {
            Ok(self.builder.build_float_trunc(value, ty, "")?)
        }
    }

    fn to_integer(&self, value: Scalar<'ctx>, from: DType, to: DType) -> Emit<IntValue<'ctx>> {
        let ty = self.int_type(to);
        match value {
            Scalar::Int(value) if from.kind() == Kind::Signed => self.resize_signed(value, ty),
            Scalar::Int(value) => self.resize_unsigned(value, ty),
            Scalar::Float(value) | Scalar::Complex(value, _) => self.float_to_integer(value, to),
        }
    }

    /// Narrow integers go through 32 bits, `uint32` through 64, `uint64` in two halves.
    fn float_to_integer(&self, value: FloatValue<'ctx>, to: DType) -> Emit<IntValue<'ctx>> {
        const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;
        let (i32_type, i64_type) = (self.context.i32_type(), self.context.i64_type());
        match to {
            DType::I64 => self.truncate(value, i64_type),
            DType::U32 => self.resize_signed(self.truncate(value, i64_type)?, i32_type),
            DType::U64 => {
                let large = self.fcmp_with(FloatPredicate::OGE, value, TWO_TO_63)?;
                let shifted = self.builder.build_float_sub(value, self.float_like(value, TWO_TO_63), "")?;
                let upper = self.xor(self.truncate(shifted, i64_type)?, self.i64(i64::MIN))?;
                self.select(large, upper, self.truncate(value, i64_type)?)
            }
            _ => self.resize_signed(self.truncate(value, i32_type)?, self.int_type(to)),
        }
    }

    /// Towards zero; the smallest integer for nan and out of range. Values that truncate to the smallest integer need no conversion.
    fn truncate(&self, value: FloatValue<'ctx>, ty: IntType<'ctx>) -> Emit<IntValue<'ctx>> {
        let bits = ty.get_bit_width();
        let bound = 2f64.powi(bits as i32 - 1);
        let inside = self.and(
            self.fcmp_with(FloatPredicate::OGE, value, -bound)?,
            self.fcmp_with(FloatPredicate::OLT, value, bound)?,
        )?;
        let converted = self.builder.build_float_to_signed_int(value, ty, "")?;
        self.select(inside, converted, ty.const_int((i64::MIN >> (64 - bits)) as u64, true))
    }
}
