//! One function of the array IR (owned phase) → one LLVM entry.
//!
//! An array value is a handful of SSA values: buffer, byte offset, extents, strides. Every owned value has a stack slot that holds its
//! buffer exactly while this call owns a reference to it; a failing call jumps to one cleanup block that releases what the slots hold.

use inkwell::basic_block::BasicBlock;
use inkwell::values::{BasicValueEnum, FunctionValue, IntValue, PointerValue};
use numptx_abi::reshaping;
use numptx_ir::DType;
use numptx_ir::array::{self, Function, Op, OpKind, Region, ValueId};
use numptx_ir::kernel::Kernel;

use super::calls::CallFrame;
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

impl<'a, 'm, 'ctx> FunctionEmitter<'a, 'm, 'ctx> {
    /// Emits the function's body into an LLVM function of type [`numptx_abi::Entry`].
    pub fn emit(e: ProgramEmitter<'a, 'ctx>, shared: &'a Shared<'m, 'ctx>, ir: &'a Function) -> Emit<()> {
        let parameter = |n: u32| e.function.get_nth_param(n).map(|p| p.into_pointer_value());
        let missing = || bug("the entry lacks a parameter");
        let call = parameter(0).ok_or_else(missing)?;
        let arguments = parameter(1).ok_or_else(missing)?;
        let results = parameter(2).ok_or_else(missing)?;
        let table = e.load_ptr(shared.table_slot, 0)?;
        let status = e.slot_with(e.i32(0), "status")?;
        let cleanup = e.block("cleanup");
        let n = ir.values.len();
        let mut this = FunctionEmitter {
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
        if ir.is_routine {
            this.routine_parameters(arguments)?;
        } else {
            this.parameters(arguments)?;
            this.open_calls(None)?;
        }
        this.region(&ir.body)?;
        this.emit_cleanup()?;
        this.e.finish()
    }

    /// Emits the ops of a region up to its terminator, which the caller handles unless it is `return`.
    pub fn region(&mut self, region: &Region) -> Emit<()> {
        for op in &region.ops {
            self.op(op)?;
        }
        Ok(())
    }

    fn op(&mut self, op: &Op) -> Emit<()> {
        use OpKind::*;
        match &op.kind {
            Constant(constant) => {
                let value = self.e.scalar_constant(*constant, self.ir.ty(op.results[0]).dtype())?;
                self.set(op.results[0], Emitted::Scalar(value));
                Ok(())
            }
            Scalar(scalar) => self.scalar_op(*scalar, op),
            Dim(axis) => {
                let extent = self.array(op.operands[0])?.shape[*axis];
                self.set(op.results[0], Emitted::Scalar(extent.into()));
                Ok(())
            }
            Stride(axis) => {
                let stride = self.array(op.operands[0])?.strides[*axis];
                self.set(op.results[0], Emitted::Scalar(stride.into()));
                Ok(())
            }
            SliceBounds { lower, upper } => self.slice_bounds(*lower, *upper, op),
            BroadcastExtent => self.broadcast_extent(op),
            Overlap => self.overlap(op),
            IsWritable => self.is_writable(op),
            SameBuffer => self.same_buffer(op),
            OneLaunch => self.one_launch(op),
            Check { kind, message } => self.check(*kind, message, op),
            Slice { .. }
            | Index { .. }
            | NewAxis { .. }
            | DropAxis { .. }
            | Permute { .. }
            | Broadcast
            | Part { .. }
            | Diagonal { .. }
            | Windows { .. }
            | Split { .. }
            | ReadOnly
            | Writable => self.view(op),
            Reshape(reading) => self.reshape(*reading, reshaping::RESHAPE, op),
            Ravel(reading) => self.reshape(*reading, reshaping::RAVEL, op),
            Contiguous(reading) => self.reshape(*reading, reshaping::CONTIGUOUS, op),
            Strided { dtype } => self.strided(*dtype, op),
            Alloc { dtype, order } => self.alloc(*dtype, order, op),
            Reuse { dtype, order } => self.reuse(*dtype, order, op),
            Call { routine, .. } => self.call_routine(routine, op),
            Launch(kernel) => self.launch(kernel.0 as usize, op),
            Sort(sorting) => self.sort(*sorting, op),
            External(external) => self.external(*external, op),
            Object(object) => self.object(object, op),
            Item if op.operands.len() > 1 => self.items(op),
            Item => self.item(op),
            If => self.if_op(op),
            For => self.for_op(op),
            While => self.while_op(op),
            Try => self.try_op(op),
            Yield => Ok(()),
            Return if self.ir.is_routine => self.return_from_routine(op),
            Return => self.return_op(op),
            Retain => {
                let root = self.roots[op.operands[0].0 as usize];
                self.retained[root.0 as usize] += 1;
                let buffer = self.array(op.operands[0])?.buffer;
                self.e.runtime(self.table, RuntimeCall::Retain, &[buffer.into()]).map(drop)
            }
            Release => {
                let buffer = self.array(op.operands[0])?.buffer;
                self.disown(op.operands[0])?;
                self.e.runtime(self.table, RuntimeCall::Release, &[buffer.into()]).map(drop)
            }
            Map(_) | Reduce(_) | Scan(_) | Assign | Store(_) | StoreReduce(_) | StoreScan(_) | Scatter(_) | Nest(_) => {
                Err(bug(format!("{:?} is left in the host program", op.kind)))
            }
        }
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

    fn emit_cleanup(&mut self) -> Emit<()> {
        self.e.builder.position_at_end(self.cleanup);
        let values: Vec<ValueId> = (0..self.slots.len() as u32).map(ValueId).collect();
        self.release_owned(&values)?;
        let status = self.e.load(self.e.context.i32_type(), self.status, 0)?;
        self.e.builder.build_return(Some(&status))?;
        Ok(())
    }
}
