//! Host scalars: the ABI's two words to LLVM values and back. `bool` is `i1`, complex is a struct of its parts.

use inkwell::types::{BasicTypeEnum, FloatType};
use inkwell::values::{BasicValueEnum, FloatValue, PointerValue};
use numptx_ir::DType;
use numptx_ir::scalar::{Constant, ScalarOp};

use super::emitter::ProgramEmitter;
use super::values::FunctionEmitter;
use crate::CodegenOptions;
use crate::emitter::{Emitter, Side};
use crate::error::{Emit, bug};
use crate::value::Scalar;

impl<'ctx> ProgramEmitter<'_, 'ctx> {
    fn float_type(&self, dtype: DType) -> FloatType<'ctx> {
        if matches!(dtype.real(), DType::F16 | DType::F32) { self.context.f32_type() } else { self.context.f64_type() }
    }

    /// The LLVM type of a host scalar.
    pub fn scalar_type(&self, dtype: DType) -> BasicTypeEnum<'ctx> {
        match dtype {
            DType::Bool => self.context.bool_type().into(),
            DType::I8 | DType::U8 => self.context.i8_type().into(),
            DType::I16 | DType::U16 => self.context.i16_type().into(),
            DType::I32 | DType::U32 => self.context.i32_type().into(),
            DType::I64 | DType::U64 => self.context.i64_type().into(),
            DType::F16 | DType::F32 | DType::F64 => self.float_type(dtype).into(),
            DType::C64 | DType::C128 => {
                let part = self.float_type(dtype).into();
                self.context.struct_type(&[part, part], false).into()
            }
        }
    }

    /// A constant.
    pub fn scalar_constant(&self, constant: Constant, dtype: DType) -> Emit<BasicValueEnum<'ctx>> {
        let part = |x: f64| -> FloatValue<'ctx> { self.float_type(dtype).const_float(x) };
        Ok(match (constant, self.scalar_type(dtype)) {
            (Constant::Bool(b), BasicTypeEnum::IntType(ty)) => ty.const_int(b as u64, false).into(),
            (Constant::Int(n), BasicTypeEnum::IntType(ty)) => ty.const_int(n as u64, false).into(),
            (Constant::Float(x), BasicTypeEnum::FloatType(_)) => part(x).into(),
            (Constant::Complex(re, im), BasicTypeEnum::StructType(ty)) => {
                ty.const_named_struct(&[part(re).into(), part(im).into()]).into()
            }
            (constant, _) => return Err(bug(format!("{constant:?} is no constant of {dtype}"))),
        })
    }

    /// What emits conversions.
    fn emitter(&self) -> Emitter<'ctx, '_> {
        Emitter::new(self.module, &self.builder, Side::Host, CodegenOptions::default())
    }

    /// Reads a scalar from the ABI's two words at `words`.
    pub fn load_scalar(&self, words: PointerValue<'ctx>, dtype: DType) -> Emit<BasicValueEnum<'ctx>> {
        match self.scalar_type(dtype) {
            _ if dtype == DType::F16 => {
                let bits = self.load(self.context.i16_type(), words, 0)?.into_int_value();
                Ok(self.emitter().unpack_half(bits)?.into())
            }
            BasicTypeEnum::IntType(ty) if dtype == DType::Bool => {
                let word = self.load_i64(words, 0)?;
                Ok(self.builder.build_int_truncate(word, ty, "")?.into())
            }
            BasicTypeEnum::StructType(ty) => {
                let part = self.float_type(dtype);
                let (re, im) = (self.load(part, words, 0)?, self.load(part, words, 8)?);
                let value = self.builder.build_insert_value(ty.get_undef(), re, 0, "")?;
                let value = self.builder.build_insert_value(value, im, 1, "")?;
                Ok(value.into_struct_value().into())
            }
            ty => self.load(ty, words, 0),
        }
    }

    /// Writes a scalar as the ABI's two words at `words`: integers extended to 64 bits, other bits zero.
    pub fn store_scalar(&self, words: PointerValue<'ctx>, value: BasicValueEnum<'ctx>, dtype: DType) -> Emit<()> {
        self.store(words, 8, self.i64(0))?;
        self.store_words(words, value, dtype)
    }

    /// Writes a scalar as layouts of objects have it: as [`ProgramEmitter::store_scalar`], without a second word where it needs none.
    pub fn store_words(&self, words: PointerValue<'ctx>, value: BasicValueEnum<'ctx>, dtype: DType) -> Emit<()> {
        if dtype.real().itemsize() < 8 && !value.is_int_value() {
            self.store(words, 0, self.i64(0))?;
        }
        match value {
            BasicValueEnum::FloatValue(value) if dtype == DType::F16 => {
                let bits = self.emitter().pack_half(value)?;
                self.store(words, 0, bits)
            }
            BasicValueEnum::IntValue(int) => {
                let signed = matches!(dtype, DType::I8 | DType::I16 | DType::I32 | DType::I64);
                let word = match signed {
                    true => self.builder.build_int_s_extend_or_bit_cast(int, self.i64_type(), "")?,
                    false => self.builder.build_int_z_extend_or_bit_cast(int, self.i64_type(), "")?,
                };
                self.store(words, 0, word)
            }
            BasicValueEnum::StructValue(parts) => {
                let re = self.builder.build_extract_value(parts, 0, "")?;
                let im = self.builder.build_extract_value(parts, 1, "")?;
                self.store(words, 0, re)?;
                if dtype.real().itemsize() < 8 {
                    self.store(words, 8, self.i64(0))?;
                }
                self.store(words, 8, im)
            }
            value => self.store(words, 0, value),
        }
    }
}

impl<'ctx> FunctionEmitter<'_, '_, 'ctx> {
    /// A scalar operation, emitted as in host kernels.
    pub fn host_scalar(
        &self,
        op: ScalarOp,
        operands: &[(BasicValueEnum<'ctx>, DType)],
        result: DType,
    ) -> Emit<BasicValueEnum<'ctx>> {
        let emitter = Emitter::new(self.e.module, &self.e.builder, Side::Host, self.shared.options);
        let operands = operands.iter().map(|(v, d)| Ok((self.unpacked(*v)?, *d))).collect::<Emit<Vec<_>>>()?;
        let value = emitter.scalar_op(op, &operands, result)?;
        self.packed(value, result)
    }

    fn unpacked(&self, value: BasicValueEnum<'ctx>) -> Emit<Scalar<'ctx>> {
        Ok(match value {
            BasicValueEnum::IntValue(int) => Scalar::Int(int),
            BasicValueEnum::FloatValue(float) => Scalar::Float(float),
            BasicValueEnum::StructValue(parts) => {
                let part = |n| self.e.builder.build_extract_value(parts, n, "");
                Scalar::Complex(part(0)?.into_float_value(), part(1)?.into_float_value())
            }
            other => return Err(bug(format!("{other} is no host scalar"))),
        })
    }

    fn packed(&self, value: Scalar<'ctx>, dtype: DType) -> Emit<BasicValueEnum<'ctx>> {
        Ok(match value {
            Scalar::Int(int) => int.into(),
            Scalar::Float(float) => float.into(),
            Scalar::Complex(re, im) => {
                let ty = self.e.scalar_type(dtype).into_struct_type();
                let packed = self.e.builder.build_insert_value(ty.get_undef(), re, 0, "")?;
                let packed = self.e.builder.build_insert_value(packed, im, 1, "")?;
                packed.into_struct_value().into()
            }
        })
    }
}
