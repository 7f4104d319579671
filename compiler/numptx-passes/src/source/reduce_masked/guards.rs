//! Elements of tables at indices that only chosen work items are known to have.
//!
//! In: a body over all work items. Out: the same, in which work items that are not chosen read the first element of such a table. One that has none is
//! exchanged for one that has.

use numptx_ir::DType;
use numptx_ir::array::{ArrayType, Layout, Op, OpKind, Order, Region, Type, ValueId};
use numptx_ir::scalar::{Body, BodyBuilder, Constant, InstrKind, ScalarOp, Val};

use crate::source::reduce_masked::places::Ops;

/// `positions`: the instructions that read such elements. `mask`: the input that tells whether a work item is chosen. The tables are changed in place.
pub fn guarded(ops: &mut Ops, body: &Body, positions: &[usize], (mask, tables): (u32, &mut Vec<ValueId>)) -> Body {
    let mut builder = BodyBuilder::new();
    let mut vals: Vec<Val> = Vec::with_capacity(body.instrs.len());
    let mut exchanged: Vec<u32> = Vec::new();
    for (position, instr) in body.instrs.iter().enumerate() {
        let mut kind = instr.kind.clone();
        match &mut kind {
            InstrKind::Op(_, operands) => operands.iter_mut().for_each(|v| *v = vals[v.0 as usize]),
            InstrKind::Element(table, indices) => {
                indices.iter_mut().for_each(|v| *v = vals[v.0 as usize]);
                if positions.contains(&position) {
                    let (chosen, zero) = (builder.input(mask, DType::Bool), builder.constant(0.0, DType::I64));
                    let first = |builder: &mut BodyBuilder, v: Val| builder.op(ScalarOp::Select, &[chosen, v, zero]);
                    indices.iter_mut().for_each(|v| *v = first(&mut builder, *v));
                    exchanged.push(*table);
                }
            }
            InstrKind::Input(_) | InstrKind::Index(_) | InstrKind::Constant(_) => {}
        }
        vals.push(builder.push(kind, instr.dtype));
    }
    exchanged.sort_unstable();
    exchanged.dedup();
    for table in exchanged {
        if let Some(table) = tables.get_mut(table as usize) {
            *table = some(ops, *table);
        }
    }
    builder.finish(body.outputs.iter().map(|v| vals[v.0 as usize]).collect())
}

/// A table, or one of one element where it has none.
fn some(ops: &mut Ops, table: ValueId) -> ValueId {
    let Type::Array(ty) = ops.function.ty(table) else { return table };
    let condition = ops.has_elements(table);
    let one = ops.scalar(OpKind::Constant(Constant::Int(1)), Vec::new(), DType::I64);
    let simple = |kind, operands, results| Op { kind, operands, results, regions: Vec::new(), span: ops.of.span };
    let region = |ops| Region { parameters: Vec::new(), ops };
    let layout = if ty.rank == 0 || ty.layout == Layout::C { Layout::C } else { Layout::Any };
    let fresh = ArrayType { layout: Layout::C, writable: true, ..ty };
    let alloc = OpKind::Alloc { dtype: ty.dtype, order: Order::C };
    let made = ops.function.add_value(Type::Array(fresh));
    let result = ops.function.add_value(Type::Array(ArrayType { layout, writable: false, ..ty }));
    let regions = vec![
        region(vec![simple(OpKind::Yield, vec![table], Vec::new())]),
        region(vec![simple(alloc, vec![one; ty.rank], vec![made]), simple(OpKind::Yield, vec![made], Vec::new())]),
    ];
    ops.ops.push(Op { regions, ..simple(OpKind::If, vec![condition], vec![result]) });
    result
}
