//! Atomic operations on floats, which the builder has none for.
//!
//! In: an address and a float. Out: one instruction, ordered with no other access.

use inkwell::llvm_sys::core::LLVMBuildAtomicRMW;
use inkwell::llvm_sys::{LLVMAtomicOrdering, LLVMAtomicRMWBinOp};
use inkwell::values::{AsValueRef, FloatValue, PointerValue};

use crate::emitter::Emitter;
use crate::error::Emit;

/// Adds a float to the one at an address.
pub(super) fn add<'ctx>(e: &Emitter<'ctx, '_>, address: PointerValue<'ctx>, value: FloatValue<'ctx>) -> Emit<()> {
    // The position is known to the builder here, as it is to every function that emits.
    e.here()?;
    let (op, ordering) = (LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpFAdd, LLVMAtomicOrdering::LLVMAtomicOrderingMonotonic);
    let (builder, address, value) = (e.builder.as_mut_ptr(), address.as_value_ref(), value.as_value_ref());
    // SAFETY: the builder stands in a block, and the values are of its context: a pointer, and a float as memory has it.
    unsafe { LLVMBuildAtomicRMW(builder, op, address, value, ordering, 0) };
    Ok(())
}
