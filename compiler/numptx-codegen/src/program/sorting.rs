//! `sort`: what the runtime does of it, and whether it did.

use inkwell::IntPredicate;
use numptx_abi::sorting;
use numptx_ir::array::{Op, Sorting};

use super::runtime::RuntimeCall;
use super::values::{Emitted, FunctionEmitter};
use crate::error::Emit;

impl FunctionEmitter<'_, '_, '_> {
    /// `sort`: rows put into order, where the call computes on the host.
    pub fn sort(&mut self, kind: Sorting, op: &Op) -> Emit<()> {
        let mut records = [self.e.ptr_type().const_null(); 2];
        for ((value, name), place) in op.operands.iter().zip(["values", "order"]).zip(&mut records) {
            *place = self.array_slot(name)?;
            self.store_array(*place, &self.array(*value)?, self.dtype(*value))?;
        }
        let what = match kind {
            Sorting::Values => sorting::VALUES,
            Sorting::Indices => sorting::INDICES,
            Sorting::Middle => sorting::MIDDLE,
        };
        let done = self.e.slot_with(self.e.i32(0), "done")?;
        let [values, order] = records.map(Into::into);
        let arguments = [self.call.into(), self.e.i32(what as i32).into(), values, order, done.into()];
        let status = self.e.runtime_status(self.table, RuntimeCall::Sort, &arguments)?;
        self.guard(status)?;
        let done = self.e.load(self.e.context.i32_type(), done, 0)?.into_int_value();
        let done = self.e.compare(IntPredicate::NE, done, self.e.i32(0))?;
        self.set(op.results[0], Emitted::Scalar(done.into()));
        Ok(())
    }
}
