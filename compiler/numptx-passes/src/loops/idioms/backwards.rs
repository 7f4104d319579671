//! Reductions whose work items are taken from the last one on, where the last one of equals wins.
//!
//! In: a body, and views over its work items. Out: the same with every index counted from the other end.

use numptx_ir::DType;
use numptx_ir::array::{OpKind, ValueId};
use numptx_ir::scalar::{Body, BodyBuilder, Constant, InstrKind, ScalarOp, Val};

use crate::loops::assumptions::guards::HostProgram;

/// A body at the work items of another one in opposite order; extents are the inputs from `first` on.
pub fn backwards(body: &Body, first: usize) -> Body {
    let mut out = BodyBuilder::new();
    let mut vals: Vec<Val> = Vec::with_capacity(body.instrs.len());
    for instr in &body.instrs {
        let renamed = |of: &[Val]| of.iter().map(|v| vals[v.0 as usize]).collect::<Vec<Val>>();
        vals.push(match &instr.kind {
            InstrKind::Index(axis) => {
                let extent = out.input(first as u32 + *axis, DType::I64);
                let one = out.push(InstrKind::Constant(Constant::Int(1)), DType::I64);
                let last = out.op(ScalarOp::Sub, &[extent, one]);
                let index = out.index(*axis);
                out.op(ScalarOp::Sub, &[last, index])
            }
            InstrKind::Op(op, of) => out.push(InstrKind::Op(*op, renamed(of)), instr.dtype),
            InstrKind::Element(table, at) => out.element(*table, &renamed(at), instr.dtype),
            kind @ (InstrKind::Input(_) | InstrKind::Constant(_)) => out.push(kind.clone(), instr.dtype),
        });
    }
    let outputs = body.outputs.iter().map(|v| vals[v.0 as usize]).collect();
    out.finish(outputs)
}

impl HostProgram<'_> {
    /// A view over extents, which are not 0, with every axis turned round.
    pub fn turned(&mut self, mut view: ValueId, extents: &[ValueId]) -> Option<ValueId> {
        let (one, back) = (self.number(1), self.number(-1));
        for (axis, extent) in extents.iter().enumerate() {
            let last = self.scalar(OpKind::Scalar(ScalarOp::Sub), vec![*extent, one], DType::I64);
            view = *self.derived(OpKind::Slice { axis }, vec![view, last, *extent, back])?.first()?;
        }
        Some(view)
    }
}
