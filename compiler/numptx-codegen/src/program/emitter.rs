//! A thin layer over inkwell's builder for the host program: 64-bit arithmetic, memory by byte offset, blocks, calls. Kernels and scalar
//! operations have their own (`crate::emitter`), which knows dtypes.

use inkwell::basic_block::BasicBlock;
use inkwell::builder::Builder;
use inkwell::context::ContextRef;
use inkwell::module::Module;
use inkwell::types::{BasicType, FunctionType, IntType, PointerType};
use inkwell::values::{BasicMetadataValueEnum, BasicValue, BasicValueEnum, FunctionValue, IntValue, PointerValue};
use inkwell::{AddressSpace, IntPredicate};

use crate::error::{Emit, bug};

/// Emits into one function of the host program.
pub struct ProgramEmitter<'a, 'ctx> {
    /// The module.
    pub module: &'a Module<'ctx>,
    /// LLVM's context.
    pub context: ContextRef<'ctx>,
    /// Positioned at the end of the current block.
    pub builder: Builder<'ctx>,
    /// The function.
    pub function: FunctionValue<'ctx>,
    /// Its first block, where every stack slot lies.
    entry: BasicBlock<'ctx>,
}

impl<'a, 'ctx> ProgramEmitter<'a, 'ctx> {
    /// Starts a function: an entry block for stack slots, and a block for its code.
    pub fn new(module: &'a Module<'ctx>, function: FunctionValue<'ctx>) -> Self {
        let context = module.get_context();
        let entry = context.append_basic_block(function, "slots");
        let start = context.append_basic_block(function, "start");
        let builder = context.create_builder();
        builder.position_at_end(start);
        ProgramEmitter { module, context, builder, function, entry }
    }

    /// Joins the entry block to the code; no slot may be made after it.
    pub fn finish(&self) -> Emit<()> {
        let start = self.entry.get_next_basic_block().ok_or_else(|| bug("the function has no code"))?;
        self.builder.position_at_end(self.entry);
        self.builder.build_unconditional_branch(start)?;
        Ok(())
    }

    /// A new block at the function's end.
    pub fn block(&self, name: &str) -> BasicBlock<'ctx> {
        self.context.append_basic_block(self.function, name)
    }

    /// A stack slot, made in the entry block so that loops do not grow the stack.
    pub fn slot<T: BasicType<'ctx>>(&self, ty: T, name: &str) -> Emit<PointerValue<'ctx>> {
        let here = self.builder.get_insert_block().ok_or_else(|| bug("no current block"))?;
        self.builder.position_at_end(self.entry);
        let slot = self.builder.build_alloca(ty, name)?;
        self.builder.position_at_end(here);
        Ok(slot)
    }

    /// A stack slot that holds a value from the start.
    pub fn slot_with<V: BasicValue<'ctx> + Copy>(&self, value: V, name: &str) -> Emit<PointerValue<'ctx>> {
        let here = self.builder.get_insert_block().ok_or_else(|| bug("no current block"))?;
        self.builder.position_at_end(self.entry);
        let slot = self.builder.build_alloca(value.as_basic_value_enum().get_type(), name)?;
        self.builder.build_store(slot, value)?;
        self.builder.position_at_end(here);
        Ok(slot)
    }

    /// `i64`
    pub fn i64_type(&self) -> IntType<'ctx> {
        self.context.i64_type()
    }

    /// `ptr`
    pub fn ptr_type(&self) -> PointerType<'ctx> {
        self.context.ptr_type(AddressSpace::default())
    }

    /// An `i64` constant.
    pub fn i64(&self, value: i64) -> IntValue<'ctx> {
        self.i64_type().const_int(value as u64, true)
    }

    /// An `i32` constant.
    pub fn i32(&self, value: i32) -> IntValue<'ctx> {
        self.context.i32_type().const_int(value as u64, true)
    }

    /// `a + b`, wrapping.
    pub fn add(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        Ok(self.builder.build_int_add(a, b, "")?)
    }

    /// `a - b`, wrapping.
    pub fn sub(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        Ok(self.builder.build_int_sub(a, b, "")?)
    }

    /// `a * b`, wrapping.
    pub fn mul(&self, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        Ok(self.builder.build_int_mul(a, b, "")?)
    }

    /// A signed comparison.
    pub fn compare(&self, predicate: IntPredicate, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        Ok(self.builder.build_int_compare(predicate, a, b, "")?)
    }

    /// `condition ? a : b` of integers.
    pub fn select(&self, condition: IntValue<'ctx>, a: IntValue<'ctx>, b: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        Ok(self.builder.build_select(condition, a, b, "")?.into_int_value())
    }

    /// The address `bytes` past a pointer.
    pub fn at(&self, pointer: PointerValue<'ctx>, bytes: usize) -> Emit<PointerValue<'ctx>> {
        if bytes == 0 {
            return Ok(pointer);
        }
        let offset = self.i64(bytes as i64);
        // SAFETY: the offset lies inside the ABI struct or stack array that the pointer addresses.
        Ok(unsafe { self.builder.build_in_bounds_gep(self.context.i8_type(), pointer, &[offset], "") }?)
    }

    /// Loads a value at a byte offset.
    pub fn load<T: BasicType<'ctx>>(
        &self,
        ty: T,
        pointer: PointerValue<'ctx>,
        bytes: usize,
    ) -> Emit<BasicValueEnum<'ctx>> {
        Ok(self.builder.build_load(ty, self.at(pointer, bytes)?, "")?)
    }

    /// Loads an `i64` at a byte offset.
    pub fn load_i64(&self, pointer: PointerValue<'ctx>, bytes: usize) -> Emit<IntValue<'ctx>> {
        Ok(self.load(self.i64_type(), pointer, bytes)?.into_int_value())
    }

    /// Loads a pointer at a byte offset.
    pub fn load_ptr(&self, pointer: PointerValue<'ctx>, bytes: usize) -> Emit<PointerValue<'ctx>> {
        Ok(self.load(self.ptr_type(), pointer, bytes)?.into_pointer_value())
    }

    /// Stores a value at a byte offset.
    pub fn store<V: BasicValue<'ctx>>(&self, pointer: PointerValue<'ctx>, bytes: usize, value: V) -> Emit<()> {
        self.builder.build_store(self.at(pointer, bytes)?, value)?;
        Ok(())
    }

    /// Calls a function pointer.
    pub fn call(
        &self,
        ty: FunctionType<'ctx>,
        callee: PointerValue<'ctx>,
        arguments: &[BasicMetadataValueEnum<'ctx>],
    ) -> Emit<Option<BasicValueEnum<'ctx>>> {
        let call = self.builder.build_indirect_call(ty, callee, arguments, "")?;
        Ok(call.try_as_basic_value().basic())
    }

    /// Jumps.
    pub fn jump(&self, block: BasicBlock<'ctx>) -> Emit<()> {
        self.builder.build_unconditional_branch(block)?;
        Ok(())
    }

    /// Branches.
    pub fn branch(&self, condition: IntValue<'ctx>, then: BasicBlock<'ctx>, otherwise: BasicBlock<'ctx>) -> Emit<()> {
        self.builder.build_conditional_branch(condition, then, otherwise)?;
        Ok(())
    }
}
