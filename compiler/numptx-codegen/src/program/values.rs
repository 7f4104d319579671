//! What a function's emission knows: the values that there are, what the call owns, and where it goes on when something fails.
//!
//! An array value is a handful of SSA values: buffer, byte offset, extents, strides. Every owned value has a stack slot that holds its
//! buffer exactly while this call owns a reference to it; a failing call jumps to one cleanup block that releases what the slots hold.

use inkwell::basic_block::BasicBlock;
use inkwell::values::{BasicValueEnum, FunctionValue, IntValue, PointerValue};
use numptx_ir::DType;
use numptx_ir::array::{self, Function, Type, ValueId};
use numptx_ir::kernel::Kernel;

use super::emitter::ProgramEmitter;
use super::runtime::RuntimeCall;
use crate::CodegenOptions;
use crate::error::{Emit, bug};

/// An array by value.
#[derive(Clone, Debug)]
pub struct ArrayValue<'ctx> {
    /// The buffer.
    pub buffer: PointerValue<'ctx>,
    /// Bytes to element `[0, …, 0]`.
    pub offset: IntValue<'ctx>,
    /// Extents.
    pub shape: Vec<IntValue<'ctx>>,
    /// Strides in bytes.
    pub strides: Vec<IntValue<'ctx>>,
    /// The argument leaf whose object it is, or -1: `i32`.
    pub parameter: IntValue<'ctx>,
    /// Whether nothing may be written through it, whatever its memory allows: `i1`.
    pub read_only: IntValue<'ctx>,
}

/// What an IR value has become.
#[derive(Clone, Debug)]
pub enum Emitted<'ctx> {
    /// A host scalar.
    Scalar(BasicValueEnum<'ctx>),
    /// An array.
    Array(ArrayValue<'ctx>),
}

/// What all functions of a module share.
pub struct Shared<'m, 'ctx> {
    /// The module.
    pub ir: &'m array::Module,
    /// The functions of the module, in order.
    pub functions: Vec<FunctionValue<'ctx>>,
    /// The kernels of the module.
    pub kernels: &'m [Kernel],
    /// Their descriptors.
    pub kernel_descriptors: Vec<PointerValue<'ctx>>,
    /// Where the runtime's table stands in the module descriptor.
    pub table_slot: PointerValue<'ctx>,
    /// Floating-work item rules of scalar operations on the host.
    pub options: CodegenOptions,
}

/// Emits one function.
pub struct FunctionEmitter<'a, 'm, 'ctx> {
    /// The LLVM side.
    pub e: ProgramEmitter<'a, 'ctx>,
    /// What all functions share.
    pub shared: &'a Shared<'m, 'ctx>,
    /// The function.
    pub ir: &'a Function,
    /// The runtime's table.
    pub table: PointerValue<'ctx>,
    /// The call.
    pub call: PointerValue<'ctx>,
    /// The entry's results.
    pub results: PointerValue<'ctx>,
    values: Vec<Option<Emitted<'ctx>>>,
    roots: Vec<ValueId>,
    slots: Vec<Option<PointerValue<'ctx>>>,
    /// Loose references that a following consuming use takes, by root.
    retained: Vec<usize>,
    /// Room for calls of routines.
    pub frame: Option<CallFrame<'ctx>>,
    status: PointerValue<'ctx>,
    cleanup: BasicBlock<'ctx>,
}

/// Where a function's calls find their arguments and leave their results: its calls take turns.
#[derive(Clone, Copy, Debug)]
pub struct CallFrame<'ctx> {
    /// The words of the arguments.
    pub arguments: PointerValue<'ctx>,
    /// Those of the results.
    pub results: PointerValue<'ctx>,
}

impl<'a, 'm, 'ctx> FunctionEmitter<'a, 'm, 'ctx> {
    /// Begins a function. Gives where its arguments are, too.
    pub fn new(
        e: ProgramEmitter<'a, 'ctx>,
        shared: &'a Shared<'m, 'ctx>,
        ir: &'a Function,
    ) -> Emit<(Self, PointerValue<'ctx>)> {
        let parameter = |n: u32| e.function.get_nth_param(n).map(|p| p.into_pointer_value());
        let missing = || bug("the entry lacks a parameter");
        let call = parameter(0).ok_or_else(missing)?;
        let arguments = parameter(1).ok_or_else(missing)?;
        let results = parameter(2).ok_or_else(missing)?;
        let table = e.load_ptr(shared.table_slot, 0)?;
        let status = e.slot_with(e.i32(0), "status")?;
        let cleanup = e.block("cleanup");
        let n = ir.values.len();
        let this = FunctionEmitter {
            e,
            shared,
            ir,
            table,
            call,
            results,
            values: vec![None; n],
            roots: (0..n as u32).map(ValueId).collect(),
            slots: vec![None; n],
            retained: vec![0; n],
            frame: None,
            status,
            cleanup,
        };
        Ok((this, arguments))
    }

    // Values.

    /// Gives an IR value its emitted form.
    pub fn set(&mut self, value: ValueId, emitted: Emitted<'ctx>) {
        self.values[value.0 as usize] = Some(emitted);
    }

    /// Gives a view its emitted form; it borrows from its operand's root.
    pub fn set_view(&mut self, value: ValueId, of: ValueId, array: ArrayValue<'ctx>) {
        self.roots[value.0 as usize] = self.roots[of.0 as usize];
        self.set(value, Emitted::Array(array));
    }

    /// The emitted form of a value.
    pub fn emitted(&self, value: ValueId) -> Emit<&Emitted<'ctx>> {
        self.values[value.0 as usize].as_ref().ok_or_else(|| bug(format!("%{} is used before it is emitted", value.0)))
    }

    /// An array value.
    pub fn array(&self, value: ValueId) -> Emit<ArrayValue<'ctx>> {
        match self.emitted(value)? {
            Emitted::Array(array) => Ok(array.clone()),
            Emitted::Scalar(_) => Err(bug(format!("%{} is not an array", value.0))),
        }
    }

    /// A host scalar.
    pub fn scalar(&self, value: ValueId) -> Emit<BasicValueEnum<'ctx>> {
        match self.emitted(value)? {
            Emitted::Scalar(scalar) => Ok(*scalar),
            Emitted::Array(_) => Err(bug(format!("%{} is not a scalar", value.0))),
        }
    }

    /// An integer (or bool) host scalar.
    pub fn int(&self, value: ValueId) -> Emit<IntValue<'ctx>> {
        match self.scalar(value)? {
            BasicValueEnum::IntValue(int) => Ok(int),
            _ => Err(bug(format!("%{} is not an integer", value.0))),
        }
    }

    /// The dtype of a value.
    pub fn dtype(&self, value: ValueId) -> DType {
        self.ir.ty(value).dtype()
    }

    /// A stack array of these integers.
    pub(super) fn spill(&mut self, ints: &[IntValue<'ctx>], name: &str) -> Emit<PointerValue<'ctx>> {
        let slot = self.e.slot(self.e.i64_type().array_type(ints.len().max(1) as u32), name)?;
        for (position, int) in ints.iter().enumerate() {
            self.e.store(slot, 8 * position, *int)?;
        }
        Ok(slot)
    }

    // Ownership.

    /// From here on this call owns one reference to the value's buffer.
    pub fn own(&mut self, value: ValueId) -> Emit<()> {
        if !self.ir.is_reference(value) {
            return Ok(());
        }
        let buffer = self.array(value)?.buffer;
        let slot = match self.slots[value.0 as usize] {
            Some(slot) => slot,
            None => {
                let slot = self.e.slot_with(self.e.ptr_type().const_null(), "owned")?;
                self.slots[value.0 as usize] = Some(slot);
                slot
            }
        };
        self.e.store(slot, 0, buffer)
    }

    /// The reference that this call owns through the value's root is gone or moved.
    pub fn disown(&mut self, value: ValueId) -> Emit<()> {
        let root = self.roots[value.0 as usize];
        match self.slots[root.0 as usize] {
            Some(slot) => self.e.store(slot, 0, self.e.ptr_type().const_null()),
            None => Ok(()),
        }
    }

    /// Notes a reference to the value's root that a following consuming use takes.
    pub fn note_retained(&mut self, value: ValueId) {
        let root = self.roots[value.0 as usize];
        self.retained[root.0 as usize] += 1;
    }

    /// A consuming use: takes a loose reference to the value's root if there is one, else the root's own.
    pub fn consume(&mut self, value: ValueId) -> Emit<()> {
        if !self.ir.is_reference(value) {
            return Ok(());
        }
        let root = self.roots[value.0 as usize];
        match &mut self.retained[root.0 as usize] {
            0 => self.disown(value),
            n => {
                *n -= 1;
                Ok(())
            }
        }
    }

    // Failure.

    /// Goes on if `status` is 0, else releases what is owned and returns it.
    pub fn guard(&mut self, status: IntValue<'ctx>) -> Emit<()> {
        let ok = self.e.compare(inkwell::IntPredicate::EQ, status, self.e.i32(0))?;
        let (next, fail) = (self.e.block("ok"), self.e.block("fail"));
        self.e.branch(ok, next, fail)?;
        self.e.builder.position_at_end(fail);
        self.fail(status)?;
        self.e.builder.position_at_end(next);
        Ok(())
    }

    /// Releases what is owned and returns `status`.
    pub fn fail(&mut self, status: IntValue<'ctx>) -> Emit<()> {
        self.e.store(self.status, 0, status)?;
        self.e.jump(self.cleanup)
    }

    /// From here on what fails goes on at `block`. Gives where it went on so far.
    pub fn lead_failures_to(&mut self, block: BasicBlock<'ctx>) -> BasicBlock<'ctx> {
        std::mem::replace(&mut self.cleanup, block)
    }

    /// Releases what these values own now.
    pub fn release_owned(&mut self, values: &[ValueId]) -> Emit<()> {
        for slot in values.iter().filter_map(|v| self.slots[v.0 as usize]) {
            let buffer = self.e.load_ptr(slot, 0)?;
            let (release, next) = (self.e.block("release"), self.e.block("next"));
            let null = self.e.builder.build_is_null(buffer, "")?;
            self.e.branch(null, next, release)?;
            self.e.builder.position_at_end(release);
            self.e.store(slot, 0, self.e.ptr_type().const_null())?;
            self.e.runtime(self.table, RuntimeCall::Release, &[buffer.into()])?;
            self.e.jump(next)?;
            self.e.builder.position_at_end(next);
        }
        Ok(())
    }

    /// What fails ends here: releases what is owned, and returns the status.
    pub fn emit_cleanup(&mut self) -> Emit<()> {
        self.e.builder.position_at_end(self.cleanup);
        let values: Vec<ValueId> = (0..self.slots.len() as u32).map(ValueId).collect();
        self.release_owned(&values)?;
        let status = self.e.load(self.e.context.i32_type(), self.status, 0)?;
        self.e.builder.build_return(Some(&status))?;
        Ok(())
    }
}

/// Axes that a reference has: an object is its buffer alone.
pub(super) fn axes_of(ty: Type) -> usize {
    if let Type::Array(array) = ty { array.rank } else { 0 }
}
