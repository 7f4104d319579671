//! Scalar bodies in LLVM: what is computed at one work item.

use inkwell::values::IntValue;
use numptx_ir::scalar::{Body, InstrKind};

use crate::elements::Elements;
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::value::Scalar;

impl<'ctx> Emitter<'ctx, '_> {
    /// Emits a body. `inputs`: one value an input; `indices`: the work item, `i64`, one an axis; `elements`: for a body that reads tables. Gives the
    /// outputs' values.
    pub fn body(
        &self,
        body: &Body,
        inputs: &[Scalar<'ctx>],
        indices: &[IntValue<'ctx>],
        elements: Option<&Elements<'_, 'ctx>>,
    ) -> Emit<Vec<Scalar<'ctx>>> {
        let mut values: Vec<Scalar<'ctx>> = Vec::with_capacity(body.instrs.len());
        let missing = |what: &str, n: u32| bug(format!("a body reads {what} {n}, which is not there"));
        for instr in &body.instrs {
            let value = match &instr.kind {
                InstrKind::Input(n) => *inputs.get(*n as usize).ok_or_else(|| missing("input", *n))?,
                InstrKind::Index(n) => {
                    Scalar::Int(*indices.get(*n as usize).ok_or_else(|| missing("the index of axis", *n))?)
                }
                InstrKind::Element(table, at) => {
                    let index = |v: &numptx_ir::scalar::Val| {
                        values.get(v.0 as usize).copied().ok_or_else(|| missing("value", v.0))
                    };
                    let at = at.iter().map(index).collect::<Emit<Vec<_>>>()?;
                    elements.ok_or_else(|| missing("table", *table))?.load(self, *table as usize, &at)?
                }
                InstrKind::Constant(constant) => self.constant(*constant, instr.dtype)?,
                InstrKind::Op(op, operands) => {
                    let operand = |v: &numptx_ir::scalar::Val| match values.get(v.0 as usize) {
                        Some(value) => Ok((*value, body.dtype(*v))),
                        None => Err(missing("value", v.0)),
                    };
                    let operands = operands.iter().map(operand).collect::<Emit<Vec<_>>>()?;
                    self.scalar_op(*op, &operands, instr.dtype)?
                }
            };
            values.push(value);
        }
        let output =
            |v: &numptx_ir::scalar::Val| values.get(v.0 as usize).copied().ok_or_else(|| missing("value", v.0));
        body.outputs.iter().map(output).collect()
    }
}
