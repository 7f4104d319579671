//! `external`: a routine of a library, by the runtime.

use core::mem::size_of;

use numptx_abi::Array;
use numptx_ir::array::{External, Op};

use super::runtime::RuntimeCall;
use super::values::{Emitted, FunctionEmitter};
use crate::error::Emit;

impl FunctionEmitter<'_, '_, '_> {
    /// `external`: the runtime gets a record of each array, and tells what the routine answers.
    pub fn external(&mut self, external: External, op: &Op) -> Emit<()> {
        let records = self.array_slots(op.operands.len(), "operands")?;
        for (n, value) in op.operands.iter().enumerate() {
            let record = self.e.at(records, n * size_of::<Array>())?;
            self.store_array(record, &self.array(*value)?, self.dtype(*value))?;
        }
        let answer = self.e.slot_with(self.e.i64(0), "answer")?;
        let [routine, flags, n] =
            [external.routine, external.flags, op.operands.len() as u32].map(|number| self.e.i32(number as i32).into());
        let arguments = [self.call.into(), routine, flags, records.into(), n, answer.into()];
        let status = self.e.runtime_status(self.table, RuntimeCall::Routine, &arguments)?;
        self.guard(status)?;
        let answer = self.e.load_i64(answer, 0)?;
        self.set(op.results[0], Emitted::Scalar(answer.into()));
        Ok(())
    }
}
