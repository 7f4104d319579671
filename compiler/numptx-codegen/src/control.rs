//! Blocks, loops, stack slots and attributes: the control flow around scalar code.
//!
//! Loop variables are phis; whatever else a loop carries lies in stack slots, which LLVM turns into registers.

use inkwell::IntPredicate;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::basic_block::BasicBlock;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::types::BasicType;
use inkwell::values::{BasicValue, BasicValueEnum, FunctionValue, IntValue, MetadataValue, PointerValue};

use crate::emitter::Emitter;
use crate::error::{Emit, bug};

/// States for LLVM that the iterations of a loop are independent.
#[derive(Clone, Copy)]
pub(crate) struct Parallel<'ctx> {
    /// Put on every access of the loop's body.
    pub group: MetadataValue<'ctx>,
    /// Put on the loop's latch.
    pub loop_id: MetadataValue<'ctx>,
}

impl<'ctx> Emitter<'ctx, '_> {
    /// The block that code goes to.
    pub fn here(&self) -> Emit<BasicBlock<'ctx>> {
        self.builder.get_insert_block().ok_or_else(|| bug("the builder stands nowhere"))
    }

    /// The function that code goes to.
    pub fn function(&self) -> Emit<FunctionValue<'ctx>> {
        self.here()?.get_parent().ok_or_else(|| bug("a block without a function"))
    }

    /// A new block at the function's end.
    pub fn block(&self, name: &str) -> Emit<BasicBlock<'ctx>> {
        Ok(self.context.append_basic_block(self.function()?, name))
    }

    /// A slot in the function's first block, so that loops do not grow the stack.
    pub fn slot(&self, ty: impl BasicType<'ctx>, name: &str) -> Emit<PointerValue<'ctx>> {
        let here = self.here()?;
        let entry = self.function()?.get_first_basic_block().ok_or_else(|| bug("a function without a block"))?;
        match entry.get_first_instruction() {
            Some(first) => self.builder.position_before(&first),
            None => self.builder.position_at_end(entry),
        }
        let slot = self.builder.build_alloca(ty, name)?;
        self.builder.position_at_end(here);
        Ok(slot)
    }

    /// A slot that holds a value from here on.
    pub fn slot_with(&self, value: impl BasicValue<'ctx> + Copy, name: &str) -> Emit<PointerValue<'ctx>> {
        let slot = self.slot(value.as_basic_value_enum().get_type(), name)?;
        self.builder.build_store(slot, value)?;
        Ok(slot)
    }

    /// Reads an integer slot.
    pub fn read_int(&self, slot: PointerValue<'ctx>, like: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        Ok(self.builder.build_load(like.get_type(), slot, "")?.into_int_value())
    }

    /// Writes a slot.
    pub fn write(&self, slot: PointerValue<'ctx>, value: impl BasicValue<'ctx>) -> Emit<()> {
        self.builder.build_store(slot, value)?;
        Ok(())
    }

    /// Jumps and goes on there.
    pub fn enter(&self, block: BasicBlock<'ctx>) -> Emit<()> {
        self.builder.build_unconditional_branch(block)?;
        self.builder.position_at_end(block);
        Ok(())
    }

    /// `if condition { then() }`
    pub fn when(&self, condition: IntValue<'ctx>, then: impl FnOnce() -> Emit<()>) -> Emit<()> {
        self.either(condition, then, || Ok(()))
    }

    /// `if condition { then() } else { otherwise() }`
    pub fn either(
        &self,
        condition: IntValue<'ctx>,
        then: impl FnOnce() -> Emit<()>,
        otherwise: impl FnOnce() -> Emit<()>,
    ) -> Emit<()> {
        let (yes, no, join) = (self.block("then")?, self.block("else")?, self.block("join")?);
        self.builder.build_conditional_branch(condition, yes, no)?;
        self.builder.position_at_end(yes);
        then()?;
        self.builder.build_unconditional_branch(join)?;
        self.builder.position_at_end(no);
        otherwise()?;
        self.enter(join)
    }

    /// `for i in (begin..end).step_by(step) { body(i) }` over signed integers; `end + step` does not overflow.
    pub fn count(
        &self,
        (begin, end): (IntValue<'ctx>, IntValue<'ctx>),
        step: IntValue<'ctx>,
        loop_id: Option<MetadataValue<'ctx>>,
        body: impl FnOnce(IntValue<'ctx>) -> Emit<()>,
    ) -> Emit<()> {
        let before = self.here()?;
        let (head, inside, after) = (self.block("loop")?, self.block("body")?, self.block("after")?);
        self.enter(head)?;
        let phi = self.builder.build_phi(begin.get_type(), "i")?;
        let i = phi.as_basic_value().into_int_value();
        let goes_on = self.icmp(IntPredicate::SLT, i, end)?;
        self.builder.build_conditional_branch(goes_on, inside, after)?;
        self.builder.position_at_end(inside);
        body(i)?;
        let next = self.builder.build_int_nsw_add(i, step, "")?;
        phi.add_incoming(&[(&begin, before), (&next, self.here()?)]);
        let latch = self.builder.build_unconditional_branch(head)?;
        if let Some(loop_id) = loop_id {
            let kind = self.context.get_kind_id("llvm.loop");
            latch.set_metadata(loop_id, kind).map_err(|e| bug(e.to_string()))?;
        }
        self.builder.position_at_end(after);
        Ok(())
    }

    /// `while condition() { body() }`
    pub fn repeat(
        &self,
        condition: impl FnOnce() -> Emit<IntValue<'ctx>>,
        body: impl FnOnce() -> Emit<()>,
    ) -> Emit<()> {
        let (head, inside, after) = (self.block("while")?, self.block("body")?, self.block("after")?);
        self.enter(head)?;
        let goes_on = condition()?;
        self.builder.build_conditional_branch(goes_on, inside, after)?;
        self.builder.position_at_end(inside);
        body()?;
        self.builder.build_unconditional_branch(head)?;
        self.builder.position_at_end(after);
        Ok(())
    }

    /// Metadata for one parallel loop. LLVM's C interface makes no distinct nodes, but its parser does.
    pub fn parallel(&self) -> Emit<Parallel<'ctx>> {
        const TEXT: &str = "!loop = !{!0, !1}\n!0 = distinct !{}\n!1 = distinct !{!1, !2, !3, !4}\n\
            !2 = !{!\"llvm.loop.parallel_accesses\", !0}\n!3 = !{!\"llvm.loop.mustprogress\"}\n\
            !4 = !{!\"llvm.loop.unroll.disable\"}\n\0";
        match self.metadata(TEXT)?.as_slice() {
            [group, loop_id] => Ok(Parallel { group: *group, loop_id: *loop_id }),
            _ => Err(bug("LLVM lost the metadata of a parallel loop")),
        }
    }

    /// As [`Emitter::parallel`], for iterations that need not end, and that may be worth copies.
    pub fn parallel_work_items(&self) -> Emit<Parallel<'ctx>> {
        const TEXT: &str = "!loop = !{!0, !1}\n!0 = distinct !{}\n!1 = distinct !{!1, !2}\n\
            !2 = !{!\"llvm.loop.parallel_accesses\", !0}\n\0";
        match self.metadata(TEXT)?.as_slice() {
            [group, loop_id] => Ok(Parallel { group: *group, loop_id: *loop_id }),
            _ => Err(bug("LLVM lost the metadata of a parallel loop")),
        }
    }

    /// Metadata for a loop that runs few times, so that copies of its body do not pay.
    pub fn short(&self) -> Emit<MetadataValue<'ctx>> {
        const TEXT: &str = "!loop = !{!0}\n!0 = distinct !{!0, !1}\n!1 = !{!\"llvm.loop.unroll.disable\"}\n\0";
        self.metadata(TEXT)?.first().copied().ok_or_else(|| bug("LLVM lost the metadata of a short loop"))
    }

    /// Metadata for a loop of which neither copies of its body nor vectors are worth their code.
    pub fn plain(&self) -> Emit<MetadataValue<'ctx>> {
        const TEXT: &str = "!loop = !{!0}\n!0 = distinct !{!0, !1, !2}\n!1 = !{!\"llvm.loop.unroll.disable\"}\n\
            !2 = !{!\"llvm.loop.vectorize.enable\", i1 false}\n\0";
        self.metadata(TEXT)?.first().copied().ok_or_else(|| bug("LLVM lost the metadata of a plain loop"))
    }

    /// The nodes that a text names `!loop`.
    fn metadata(&self, text: &str) -> Emit<Vec<MetadataValue<'ctx>>> {
        let text = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "loop");
        let module = self.context.create_module_from_ir(text).map_err(|e| bug(e.to_string_lossy()))?;
        Ok(module.get_global_metadata("loop"))
    }

    /// A new function with its first block; the builder stands there.
    pub fn start_function(&self, name: &str, ty: inkwell::types::FunctionType<'ctx>) -> Emit<FunctionValue<'ctx>> {
        if self.module.get_function(name).is_some() {
            return Err(bug(format!("function `{name}` is emitted twice")));
        }
        let function = self.module.add_function(name, ty, None);
        function.add_attribute(AttributeLoc::Function, self.attribute("nounwind", 0)?);
        let entry = self.context.append_basic_block(function, "entry");
        self.builder.position_at_end(entry);
        Ok(function)
    }

    /// Parameter `n` of a function.
    fn parameter(&self, function: FunctionValue<'ctx>, n: usize) -> Emit<BasicValueEnum<'ctx>> {
        function.get_nth_param(n as u32).ok_or_else(|| bug(format!("no parameter {n}")))
    }

    /// A parameter that is an integer.
    pub fn int_parameter(&self, function: FunctionValue<'ctx>, n: usize) -> Emit<IntValue<'ctx>> {
        Ok(self.parameter(function, n)?.into_int_value())
    }

    /// A parameter that is a pointer.
    pub fn pointer_parameter(&self, function: FunctionValue<'ctx>, n: usize) -> Emit<PointerValue<'ctx>> {
        Ok(self.parameter(function, n)?.into_pointer_value())
    }

    /// An attribute of LLVM's closed list.
    pub fn attribute(&self, name: &str, value: u64) -> Emit<Attribute> {
        match Attribute::get_named_enum_kind_id(name) {
            0 => Err(bug(format!("LLVM has no attribute `{name}`"))),
            kind => Ok(self.context.create_enum_attribute(kind, value)),
        }
    }

    /// States that a function neither touches memory, nor unwinds, nor hangs: `errno` is not looked at.
    pub fn mark_pure(&self, function: FunctionValue<'ctx>) -> Emit<()> {
        for (name, value) in [("nounwind", 0), ("willreturn", 0), ("memory", 0)] {
            function.add_attribute(AttributeLoc::Function, self.attribute(name, value)?);
        }
        Ok(())
    }
}
