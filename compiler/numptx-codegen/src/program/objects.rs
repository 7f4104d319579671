//! `object`: an operation on lists, dictionaries, sets and strings, by the runtime.

use core::mem::size_of;

use inkwell::values::{PointerValue, StructValue};
use numptx_abi::{Array, ObjectCall, object};
use numptx_ir::array::{ObjectOp, Op, Type, ValueId};

use super::descriptors::Descriptors;
use super::lists::ListAccess;
use super::runtime::RuntimeCall;
use super::values::{ArrayValue, Emitted, FunctionEmitter, axes_of};
use crate::error::Emit;

/// Bytes of an operand or a result.
const WORDS: usize = 16;

impl<'ctx> FunctionEmitter<'_, '_, 'ctx> {
    /// Operands and results are two words each: a scalar's own; an object's address; the address of an array's record. A result that is an object or an
    /// array brings a reference.
    pub fn object(&mut self, object: &ObjectOp, op: &Op) -> Emit<()> {
        let results = match ListAccess::of(object, op, self.ir) {
            Some(access) => self.access_list(access, object, op)?,
            None => self.object_by_runtime(object, op)?,
        };
        for (value, at) in op.results.iter().zip(results) {
            let emitted = match self.ir.ty(*value) {
                Type::Scalar(dtype) => Emitted::Scalar(self.e.load_scalar(at, dtype)?),
                ty @ Type::Array(_) => Emitted::Array(self.load_array(self.e.load_ptr(at, 0)?, axes_of(ty))?),
                Type::Object => Emitted::Array(self.object_value(self.e.load_ptr(at, 0)?)),
            };
            self.set(*value, emitted);
        }
        op.results.iter().try_for_each(|value| self.own(*value))
    }

    /// The runtime's call. Gives where the words of each result lie.
    pub(super) fn object_by_runtime(&mut self, object: &ObjectOp, op: &Op) -> Emit<Vec<PointerValue<'ctx>>> {
        let operands = self.words_of_operands(&op.operands)?;
        let results = self.room_for_results(&op.results)?;
        let call = self.described(object, op);
        let arguments = [self.call.into(), call.into(), operands.into(), results.into()];
        let status = self.e.runtime_status(self.table, RuntimeCall::Object, &arguments)?;
        self.guard(status)?;
        (0..op.results.len()).map(|n| self.e.at(results, n * WORDS)).collect()
    }

    /// Waits for the device, so that what it finds is raised here.
    pub fn settle(&mut self, of: &Op) -> Emit<()> {
        let op = Op { operands: Vec::new(), results: Vec::new(), regions: Vec::new(), ..of.clone() };
        self.object_by_runtime(&ObjectOp { operation: object::SETTLE, layout: Vec::new() }, &op).map(drop)
    }

    /// An object as the emitter carries it: its buffer alone.
    fn object_value(&self, buffer: PointerValue<'ctx>) -> ArrayValue<'ctx> {
        ArrayValue {
            buffer,
            offset: self.e.i64(0),
            shape: Vec::new(),
            strides: Vec::new(),
            parameter: self.e.i32(-1),
            read_only: self.e.context.bool_type().const_zero(),
        }
    }

    fn words_of_operands(&mut self, values: &[ValueId]) -> Emit<PointerValue<'ctx>> {
        let words = self.e.slot(self.e.i64_type().array_type(2 * values.len().max(1) as u32), "operands")?;
        for (n, value) in values.iter().enumerate() {
            let at = self.e.at(words, n * WORDS)?;
            match self.ir.ty(*value) {
                Type::Scalar(dtype) => self.e.store_scalar(at, self.scalar(*value)?, dtype)?,
                Type::Array(_) => {
                    let record = self.array_slot("operand")?;
                    self.store_array(record, &self.array(*value)?, self.dtype(*value))?;
                    self.e.store(at, 0, record)?;
                }
                Type::Object => self.e.store(at, 0, self.array(*value)?.buffer)?,
            }
        }
        Ok(words)
    }

    /// Room for the results; those that are arrays have the address of a record there.
    fn room_for_results(&mut self, values: &[ValueId]) -> Emit<PointerValue<'ctx>> {
        let words = self.e.slot(self.e.i64_type().array_type(2 * values.len().max(1) as u32), "results")?;
        for (n, value) in values.iter().enumerate() {
            if let Type::Array(_) = self.ir.ty(*value) {
                let record = self.array_slot("result")?;
                self.e.store(self.e.at(words, n * WORDS)?, 0, record)?;
            }
        }
        Ok(words)
    }

    /// The constant that tells the runtime what to do ([`ObjectCall`]).
    fn described(&self, object: &ObjectOp, op: &Op) -> PointerValue<'ctx> {
        let descriptors = Descriptors::new(self.e.module);
        let kind = |value: &ValueId| match self.ir.ty(*value) {
            Type::Scalar(_) => ObjectCall::SCALAR,
            Type::Object => ObjectCall::OBJECT,
            Type::Array(_) => ObjectCall::ARRAY,
        };
        let kinds: Vec<u8> = op.operands.iter().chain(&op.results).map(kind).collect();
        let record: StructValue<'ctx> = descriptors.record(&[
            descriptors.u32(object.operation),
            descriptors.u32(op.operands.len() as u32),
            descriptors.u32(op.results.len() as u32),
            descriptors.u32(object.layout.len() as u32),
            descriptors.bytes(&kinds).into(),
            descriptors.bytes(&object.layout).into(),
        ]);
        descriptors.constant(record.into(), "object")
    }
}

const _: () = assert!(size_of::<ObjectCall>() == 32 && size_of::<Array>().is_multiple_of(8));
