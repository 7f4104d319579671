//! The two ends of an entry: arguments in, results out, by the ABI's [`Value`].

use core::mem::{offset_of, size_of};

use inkwell::IntPredicate;
use inkwell::values::PointerValue;
use numptx_abi::Value;
use numptx_ir::DType;
use numptx_ir::array::{Op, Type, ValueId};
use numptx_ir::scalar::ScalarOp;

use super::values::{ArrayValue, Emitted, FunctionEmitter};
use crate::error::Emit;

impl<'ctx> FunctionEmitter<'_, '_, 'ctx> {
    /// Reads the parameters: scalars from their words, arrays from their records.
    pub fn parameters(&mut self, arguments: PointerValue<'ctx>) -> Emit<()> {
        for (position, value) in self.ir.parameters.iter().enumerate() {
            let at = self.e.at(arguments, position * size_of::<Value>())?;
            let emitted = match self.ir.ty(*value) {
                Type::Scalar(dtype) => {
                    let words = self.e.at(at, offset_of!(Value, bits))?;
                    Emitted::Scalar(self.e.load_scalar(words, dtype)?)
                }
                Type::Array(array) => {
                    let record = self.e.at(at, offset_of!(Value, array))?;
                    let parameter = self.e.i32(position as i32);
                    Emitted::Array(ArrayValue { parameter, ..self.load_array(record, array.rank)? })
                }
                Type::Object => {
                    let record = self.e.at(at, offset_of!(Value, array))?;
                    Emitted::Array(self.load_array(record, 0)?)
                }
            };
            self.set(*value, emitted);
        }
        Ok(())
    }

    /// Writes the results and returns 0. A result that is a parameter's object names it; one whose object the path decides has its number.
    pub fn return_op(&mut self, op: &Op) -> Emit<()> {
        let numbered = &self.ir.signature.numbered;
        let (leaves, numbers) = op.operands.split_at(op.operands.len().saturating_sub(numbered.len()));
        for (position, value) in leaves.iter().enumerate() {
            let at = self.e.at(self.results, position * size_of::<Value>())?;
            self.store_result(at, *value)?;
        }
        for (position, number) in numbered.iter().zip(numbers) {
            let words = position * size_of::<Value>() + offset_of!(Value, bits);
            let number = self.scalar(*number)?;
            self.e.store_scalar(self.e.at(self.results, words)?, number, DType::I64)?;
        }
        let zero = self.e.i32(0);
        self.e.builder.build_return(Some(&zero))?;
        Ok(())
    }

    fn store_result(&mut self, at: PointerValue<'ctx>, value: ValueId) -> Emit<()> {
        let dtype = self.dtype(value);
        let none = self.e.i32(-1);
        let (kind, parameter, read_only) = match self.emitted(value)?.clone() {
            Emitted::Scalar(scalar) => {
                let words = self.e.at(at, offset_of!(Value, bits))?;
                self.e.store_scalar(words, scalar, dtype)?;
                (Value::SCALAR, none, self.e.context.bool_type().const_zero())
            }
            Emitted::Array(array) => {
                let record = self.e.at(at, offset_of!(Value, array))?;
                self.store_array(record, &array, dtype)?;
                let kind = if self.ir.ty(value) == Type::Object { Value::OBJECT } else { Value::ARRAY };
                (kind, array.parameter, array.read_only)
            }
        };
        let e = &self.e;
        let i32_type = e.context.i32_type();
        let identity = e.compare(IntPredicate::NE, parameter, none)?;
        e.store(at, offset_of!(Value, kind), e.i32(kind as i32))?;
        e.store(at, offset_of!(Value, dtype), e.i32(dtype.code() as i32))?;
        e.store(at, offset_of!(Value, parameter), parameter)?;
        e.store(at, offset_of!(Value, identity), e.builder.build_int_z_extend(identity, i32_type, "")?)?;
        e.store(at, offset_of!(Value, read_only), e.builder.build_int_z_extend(read_only, i32_type, "")?)
    }

    /// A scalar operation on the host, by the same rules as in kernels.
    pub fn scalar_op(&mut self, scalar: ScalarOp, op: &Op) -> Emit<()> {
        let operands = op.operands.iter().map(|v| Ok((self.scalar(*v)?, self.dtype(*v)))).collect::<Emit<Vec<_>>>()?;
        let result = self.dtype(op.results[0]);
        let value = self.host_scalar(scalar, &operands, result)?;
        self.set(op.results[0], Emitted::Scalar(value));
        Ok(())
    }
}
