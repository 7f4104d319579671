//! Scalar operations in LLVM: the third exhaustive match over [`ScalarOp`], after its typing and its evaluation.
//!
//! Goes in: an operation, its operands with their dtypes, the result's dtype. Comes out: a value that equals what
//! `numptx_ir::scalar::eval` gives, bit for bit where the operation is no library function. No operand makes it undefined: divisions,
//! shifts and casts are guarded by selects, so that bodies stay free of branches and vectorise.

mod bits;
mod cast;
mod compare;
mod complex;
mod float;
mod half;
mod integer;
mod library;
pub(crate) mod quotient;

use numptx_ir::DType;
use numptx_ir::dtype::Kind;
use numptx_ir::scalar::{Constant, ScalarOp};

use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::value::Scalar;

pub(crate) use half::define as define_half_conversions;
pub(crate) use library::{VectorVersion, code_uses_library, host_variants, is_math_function, uses_library};

/// A value with its dtype.
pub(crate) type Operand<'ctx> = (Scalar<'ctx>, DType);

impl<'ctx> Emitter<'ctx, '_> {
    /// Emits an operation.
    pub fn scalar_op(&self, op: ScalarOp, operands: &[Operand<'ctx>], result: DType) -> Emit<Scalar<'ctx>> {
        let value = self.unrounded_op(op, operands, result)?;
        match value {
            Scalar::Float(value) if result == DType::F16 && !half::is_exact(op) => {
                Ok(Scalar::Float(self.round_to_half(value)?))
            }
            value => Ok(value),
        }
    }

    /// An operation, whose result may not be a float16 yet.
    fn unrounded_op(&self, op: ScalarOp, operands: &[Operand<'ctx>], result: DType) -> Emit<Scalar<'ctx>> {
        use ScalarOp::*;
        let (a, dtype) = *operands.first().ok_or_else(|| bug(format!("`{}` without operands", op.name())))?;
        if operands.len() != op.arity() {
            return Err(bug(format!("`{}` takes {} operands", op.name(), op.arity())));
        }
        let operand = |n: usize| operands[n].0;
        match op {
            Add | Sub | Mul | Product | Div | FloorDiv | Mod | Fmod | Pow | Gcd | Neg | Abs | Sign | Sqrt | Floor
            | Ceil | Trunc | Rint | Min | Max | FMin | FMax | BitAnd | BitOr | BitXor | BitNot | ShiftLeft
            | ShiftRight | CopySign | NextAfter | FrexpMantissa => self.arithmetic(op, operands, dtype),
            Eq | Ne | Lt | Le | Gt | Ge => self.comparison(op, a, operand(1), dtype),
            IsNan | IsInf | IsFinite | SignBit => Ok(Scalar::Int(self.classify(op, a.float()?)?)),
            Fma => {
                let arguments = [a.float()?, operand(1).float()?, operand(2).float()?];
                Ok(Scalar::Float(self.float_intrinsic("llvm.fma", &arguments)?))
            }
            Ldexp => Ok(Scalar::Float(self.ldexp(a.float()?, operand(1).int()?)?)),
            FrexpExponent => Ok(Scalar::Int(self.frexp_exponent(a.float()?)?)),
            Select => self.choose(a.int()?, operand(1), operand(2)),
            Cast => self.cast(a, dtype, result),
            Real => Ok(Scalar::Float(a.complex()?.0)),
            Imag => Ok(Scalar::Float(a.complex()?.1)),
            Complex => Ok(Scalar::Complex(a.float()?, operand(1).float()?)),
            Math(function) => {
                let arguments = operands.iter().map(|o| o.0.float()).collect::<Emit<Vec<_>>>()?;
                Ok(Scalar::Float(self.library(function.stem, &arguments)?))
            }
        }
    }

    /// Operations of one dtype, by its kind.
    fn arithmetic(&self, op: ScalarOp, operands: &[Operand<'ctx>], dtype: DType) -> Emit<Scalar<'ctx>> {
        let (a, b) = (operands[0].0, operands.get(1).map_or(operands[0].0, |o| o.0));
        match dtype.kind() {
            Kind::Bool => Ok(Scalar::Int(self.boolean(op, a.int()?, b.int()?)?)),
            Kind::Signed => Ok(Scalar::Int(self.signed(op, a.int()?, b.int()?)?)),
            Kind::Unsigned => Ok(Scalar::Int(self.unsigned(op, a.int()?, b.int()?)?)),
            Kind::Float if dtype == DType::F16 && op == ScalarOp::NextAfter => {
                Ok(Scalar::Float(self.next_half(a.float()?, b.float()?)?))
            }
            Kind::Float => Ok(Scalar::Float(self.real(op, a.float()?, b.float()?)?)),
            Kind::Complex => self.complex_arithmetic(op, a.complex()?, b.complex()?),
        }
    }

    /// `if condition { a } else { b }` for any dtype.
    pub fn choose(
        &self,
        condition: inkwell::values::IntValue<'ctx>,
        a: Scalar<'ctx>,
        b: Scalar<'ctx>,
    ) -> Emit<Scalar<'ctx>> {
        Ok(match (a, b) {
            (Scalar::Int(a), Scalar::Int(b)) => Scalar::Int(self.select(condition, a, b)?),
            (Scalar::Float(a), Scalar::Float(b)) => Scalar::Float(self.select(condition, a, b)?),
            (Scalar::Complex(a, b), Scalar::Complex(c, d)) => {
                Scalar::Complex(self.select(condition, a, c)?, self.select(condition, b, d)?)
            }
            _ => return Err(bug("a select between different kinds")),
        })
    }

    /// A constant of a dtype.
    pub fn constant(&self, constant: Constant, dtype: DType) -> Emit<Scalar<'ctx>> {
        Ok(match (constant, dtype.kind()) {
            (Constant::Bool(value), Kind::Bool) => Scalar::Int(self.int_type(dtype).const_int(value as u64, false)),
            (Constant::Int(value), Kind::Signed | Kind::Unsigned) => {
                let ty = self.int_type(dtype);
                let kept = u64::MAX >> (64 - ty.get_bit_width());
                Scalar::Int(ty.const_int(value as u64 & kept, false))
            }
            (Constant::Float(value), Kind::Float) => Scalar::Float(self.float_constant(value, dtype)?),
            (Constant::Complex(re, im), Kind::Complex) => {
                Scalar::Complex(self.float_constant(re, dtype)?, self.float_constant(im, dtype)?)
            }
            _ => return Err(bug(format!("{constant:?} is no {dtype}"))),
        })
    }

    /// From bits, so that nans keep their sign and payload.
    fn float_constant(&self, value: f64, dtype: DType) -> Emit<inkwell::values::FloatValue<'ctx>> {
        let bits = match dtype.real() {
            DType::F16 | DType::F32 => self.context.i32_type().const_int(u64::from((value as f32).to_bits()), false),
            _ => self.context.i64_type().const_int(value.to_bits(), false),
        };
        self.bits_float(bits)
    }
}
