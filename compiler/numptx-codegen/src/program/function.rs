//! One function of the array IR (owned phase) → one LLVM entry: op by op.

use numptx_abi::reshaping;
use numptx_ir::array::{Function, Op, OpKind, Region};

use super::emitter::ProgramEmitter;
use super::runtime::RuntimeCall;
use super::values::{Emitted, FunctionEmitter, Shared};
use crate::error::{Emit, bug};

impl<'a, 'm, 'ctx> FunctionEmitter<'a, 'm, 'ctx> {
    /// Emits the function's body into an LLVM function of type [`numptx_abi::Entry`].
    pub fn emit(e: ProgramEmitter<'a, 'ctx>, shared: &'a Shared<'m, 'ctx>, ir: &'a Function) -> Emit<()> {
        let (mut this, arguments) = FunctionEmitter::new(e, shared, ir)?;
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
            OneLaunch => self.asked(RuntimeCall::OneLaunch, op),
            OneRead => self.asked(RuntimeCall::OneRead, op),
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
                self.note_retained(op.operands[0]);
                let buffer = self.array(op.operands[0])?.buffer;
                self.e.runtime(self.table, RuntimeCall::Retain, &[buffer.into()]).map(drop)
            }
            Release => {
                let buffer = self.array(op.operands[0])?.buffer;
                self.disown(op.operands[0])?;
                self.e.runtime(self.table, RuntimeCall::Release, &[buffer.into()]).map(drop)
            }
            Map(_) | Reduce(_) | Scan(_) | Assign | Store(_) | StoreReduce(_) | StoreScan(_) | Scatter(_)
            | Compact(_) | Nest(_) => Err(bug(format!("{:?} is left in the host program", op.kind))),
        }
    }
}
