//! Calls through the runtime's table, by the ABI's offsets.

use inkwell::types::{BasicMetadataTypeEnum, FunctionType};
use inkwell::values::{BasicMetadataValueEnum, IntValue, PointerValue};
use numptx_abi::RuntimeTable;

use super::emitter::ProgramEmitter;
use crate::error::{Emit, bug};

/// The entries of the table that generated code calls.
#[derive(Clone, Copy, Debug)]
pub enum RuntimeCall {
    /// `alloc(call, bytes, out)`
    Alloc,
    /// `retain(buffer)`
    Retain,
    /// `release(buffer)`
    Release,
    /// `launch(call, kernel, extents, operands, scalars)`
    Launch,
    /// `item(call, buffer, offset, dtype, out)`
    Item,
    /// `raise(call, kind, message, arguments, n)`
    Raise,
    /// `order_strides(rank, itemsize, extents, n_inputs, strides, out)`
    OrderStrides,
    /// `reshape(call, input, rank, shape, out, what)`
    Reshape,
    /// `poll(call)`
    Poll,
    /// `reuse(call, buffer, bytes, fits, out)`
    Reuse,
    /// `overlap(written, read)`
    Overlap,
    /// `one_launch(call, work items, row, rounds)`
    OneLaunch,
    /// `one_read(call, rows, width, held)`
    OneRead,
    /// `items(call, elements, n, out)`
    Items,
    /// `replay(call, number, left)`
    Replay,
    /// `sort(call, what, values, order, done)`
    Sort,
    /// `routine(call, routine, flags, arrays, n, answer)`
    Routine,
    /// `stack_limit()`, an address
    StackLimit,
    /// `object(call, operation, operands, results)`
    Object,
}

impl RuntimeCall {
    fn offset(self) -> usize {
        use core::mem::offset_of;
        match self {
            RuntimeCall::Alloc => offset_of!(RuntimeTable, alloc),
            RuntimeCall::Retain => offset_of!(RuntimeTable, retain),
            RuntimeCall::Release => offset_of!(RuntimeTable, release),
            RuntimeCall::Launch => offset_of!(RuntimeTable, launch),
            RuntimeCall::Item => offset_of!(RuntimeTable, item),
            RuntimeCall::Raise => offset_of!(RuntimeTable, raise),
            RuntimeCall::OrderStrides => offset_of!(RuntimeTable, order_strides),
            RuntimeCall::Reshape => offset_of!(RuntimeTable, reshape),
            RuntimeCall::Poll => offset_of!(RuntimeTable, poll),
            RuntimeCall::Reuse => offset_of!(RuntimeTable, reuse),
            RuntimeCall::Overlap => offset_of!(RuntimeTable, overlap),
            RuntimeCall::OneLaunch => offset_of!(RuntimeTable, one_launch),
            RuntimeCall::OneRead => offset_of!(RuntimeTable, one_read),
            RuntimeCall::Items => offset_of!(RuntimeTable, items),
            RuntimeCall::Replay => offset_of!(RuntimeTable, replay),
            RuntimeCall::Sort => offset_of!(RuntimeTable, sort),
            RuntimeCall::Routine => offset_of!(RuntimeTable, routine),
            RuntimeCall::StackLimit => offset_of!(RuntimeTable, stack_limit),
            RuntimeCall::Object => offset_of!(RuntimeTable, object),
        }
    }

    fn ty<'ctx>(self, emitter: &ProgramEmitter<'_, 'ctx>) -> FunctionType<'ctx> {
        let ptr: BasicMetadataTypeEnum = emitter.ptr_type().into();
        let i64: BasicMetadataTypeEnum = emitter.i64_type().into();
        let i32_type = emitter.context.i32_type();
        let i32: BasicMetadataTypeEnum = i32_type.into();
        let void = emitter.context.void_type();
        match self {
            RuntimeCall::Alloc => i32_type.fn_type(&[ptr, i64, ptr], false),
            RuntimeCall::Retain | RuntimeCall::Release => void.fn_type(&[ptr], false),
            RuntimeCall::Launch => i32_type.fn_type(&[ptr, ptr, ptr, ptr, ptr], false),
            RuntimeCall::Item => i32_type.fn_type(&[ptr, ptr, i64, i32, ptr], false),
            RuntimeCall::Raise => i32_type.fn_type(&[ptr, i32, ptr, ptr, i32], false),
            RuntimeCall::OrderStrides => void.fn_type(&[i32, i64, ptr, i32, ptr, ptr], false),
            RuntimeCall::Reshape => i32_type.fn_type(&[ptr, ptr, i32, ptr, ptr, i32], false),
            RuntimeCall::Poll => i32_type.fn_type(&[ptr], false),
            RuntimeCall::Reuse => i32_type.fn_type(&[ptr, ptr, i64, i32, ptr], false),
            RuntimeCall::Overlap => i32_type.fn_type(&[ptr, ptr], false),
            RuntimeCall::OneLaunch | RuntimeCall::OneRead => i32_type.fn_type(&[ptr, i64, i64, i64], false),
            RuntimeCall::Items => i32_type.fn_type(&[ptr, ptr, i32, ptr], false),
            RuntimeCall::Replay => i32_type.fn_type(&[ptr, i64, i64], false),
            RuntimeCall::Sort => i32_type.fn_type(&[ptr, i32, ptr, ptr, ptr], false),
            RuntimeCall::Routine => i32_type.fn_type(&[ptr, i32, i32, ptr, i32, ptr], false),
            RuntimeCall::StackLimit => emitter.i64_type().fn_type(&[], false),
            RuntimeCall::Object => i32_type.fn_type(&[ptr, ptr, ptr, ptr], false),
        }
    }
}

impl<'ctx> ProgramEmitter<'_, 'ctx> {
    /// Calls the runtime; `Some(status)`, or another integer, where the entry returns one.
    pub fn runtime(
        &self,
        table: PointerValue<'ctx>,
        entry: RuntimeCall,
        arguments: &[BasicMetadataValueEnum<'ctx>],
    ) -> Emit<Option<IntValue<'ctx>>> {
        let callee = self.load_ptr(table, entry.offset())?;
        let result = self.call(entry.ty(self), callee, arguments)?;
        Ok(result.map(|status| status.into_int_value()))
    }

    /// Calls the runtime; the status.
    pub fn runtime_status(
        &self,
        table: PointerValue<'ctx>,
        entry: RuntimeCall,
        arguments: &[BasicMetadataValueEnum<'ctx>],
    ) -> Emit<IntValue<'ctx>> {
        self.runtime(table, entry, arguments)?.ok_or_else(|| bug(format!("{entry:?} returns no status")))
    }
}
