//! What an iteration computes, as bodies of computations over all iterations.
//!
//! In: a computation of an iteration. Out: the same with an axis more, in wavefront, whose index stands for the iteration: scalars of an iteration are computed
//! in the body.

use numptx_ir::DType;
use numptx_ir::array::{OpKind, Order, Reduce, Store, ValueId};
use numptx_ir::scalar::{Body, BodyBuilder, InstrKind, Reducer, ScalarOp, Val};

use crate::loops::idioms::batched::{Batch, Scalar};
use crate::loops::schedule::cost::BODY_OPERATIONS;
use crate::source::computations::compress;

impl Batch<'_, '_> {
    pub(crate) fn reduce(
        &mut self,
        reduce: &Reduce,
        extents: &[ValueId],
        destinations: Vec<ValueId>,
        operands: &[ValueId],
    ) -> Option<()> {
        let epilogue = reduce.epilogue.as_ref().map(moved);
        let (body, inputs) = self.body(&reduce.body, extents, operands)?;
        let wide = Reduce { rank: reduce.rank + 1, body, epilogue, order: Order::C, ..reduce.clone() };
        let operands = [&[self.count], extents, &destinations, &inputs].concat();
        self.host.push(OpKind::StoreReduce(Box::new(wide)), operands, Vec::new());
        Some(())
    }

    pub(crate) fn store(
        &mut self,
        body: &Body,
        extents: &[ValueId],
        destinations: Vec<ValueId>,
        operands: &[ValueId],
    ) -> Option<()> {
        let (body, inputs) = self.body(body, extents, operands)?;
        let wide = Store { rank: extents.len() + 1, body };
        let operands = [&[self.count], extents, &destinations, &inputs].concat();
        self.host.push(OpKind::Store(Box::new(wide)), operands, Vec::new());
        Some(())
    }

    /// A body over all iterations, and its inputs and tables.
    fn body(&mut self, body: &Body, extents: &[ValueId], operands: &[ValueId]) -> Option<(Body, Vec<ValueId>)> {
        self.fixed(extents)?;
        let (inputs, tables) = body.split_tables(operands)?;
        if tables.iter().any(|table| self.all.contains_key(table)) {
            return None;
        }
        let mut builder = BodyBuilder::new();
        let mut given = Vec::with_capacity(inputs.len());
        let mut vals = Vec::with_capacity(inputs.len());
        for input in inputs {
            let is_array = self.host.array(*input).is_some();
            if !is_array && matches!(self.scalar(*input), Scalar::Varying) {
                vals.push(self.value(&mut builder, &mut given, *input, extents)?);
                continue;
            }
            let all = match self.all.get(input) {
                Some(all) => *all,
                None if is_array => self.repeated(*input, extents)?,
                None => *input,
            };
            vals.push(read(&mut builder, &mut given, all, self.host.ty(all).dtype()));
        }
        let indices: Vec<Val> = (0..extents.len()).map(|axis| builder.index(axis as u32 + 1)).collect();
        let outputs = builder.inline(body, &vals, Some(&indices));
        let (body, given, _) = compress(builder.finish(outputs), given, Order::C);
        (body.instrs.len() <= BODY_OPERATIONS).then(|| (body, [&given, tables].concat()))
    }

    /// A scalar of an iteration as a value of a body over these extents.
    pub(crate) fn value(
        &mut self,
        builder: &mut BodyBuilder,
        given: &mut Vec<ValueId>,
        scalar: ValueId,
        extents: &[ValueId],
    ) -> Option<Val> {
        let dtype = self.host.ty(scalar).dtype();
        if scalar == self.index() {
            let work_item = builder.index(0);
            if self.is_plain {
                return Some(work_item);
            }
            let [lower, step] = [self.op.operands[0], self.op.operands[2]].map(|v| read(builder, given, v, DType::I64));
            let moved = builder.op(ScalarOp::Mul, &[work_item, step]);
            return Some(builder.op(ScalarOp::Add, &[lower, moved]));
        }
        let Some(op) = self.scalars.get(&scalar).copied() else {
            return Some(read(builder, given, scalar, dtype));
        };
        match &op.kind {
            OpKind::Constant(constant) => Some(builder.push(InstrKind::Constant(*constant), dtype)),
            OpKind::Scalar(kind) => {
                let mut operands = Vec::with_capacity(op.operands.len());
                for operand in &op.operands {
                    operands.push(self.value(builder, given, *operand, extents)?);
                }
                Some(builder.push(InstrKind::Op(*kind, operands), dtype))
            }
            OpKind::Item => {
                let position = op.results.iter().position(|v| *v == scalar)?;
                let mut cell = *self.all.get(&op.operands[position])?;
                for axis in 1..=extents.len() {
                    cell = self.push(OpKind::NewAxis { axis }, vec![cell])?;
                }
                if !extents.is_empty() {
                    cell = self.push(OpKind::Broadcast, [&[cell, self.count], extents].concat())?;
                }
                Some(read(builder, given, cell, dtype))
            }
            _ => None,
        }
    }

    /// Sets the fault where a condition that data decide does not hold in an iteration.
    pub(crate) fn look(&mut self, fault: ValueId) -> Option<()> {
        if self.checked.is_empty() {
            return Some(());
        }
        let (mut builder, mut given) = (BodyBuilder::new(), Vec::new());
        let mut holds = builder.constant(1.0, DType::Bool);
        for condition in std::mem::take(&mut self.checked) {
            let condition = self.value(&mut builder, &mut given, condition, &[])?;
            holds = builder.op(ScalarOp::BitAnd, &[holds, condition]);
        }
        let (none, one) = (builder.constant(0.0, DType::I64), builder.constant(1.0, DType::I64));
        let failed = builder.op(ScalarOp::Select, &[holds, none, one]);
        let (body, given, _) = compress(builder.finish(vec![failed]), given, Order::C);
        let reducers = vec![Reducer::Or];
        let reduce = Reduce { rank: 1, n_reduced: 1, body, reducers, epilogue: None, order: Order::C };
        let operands = [&[self.count, fault], &given[..]].concat();
        self.host.push(OpKind::StoreReduce(Box::new(reduce)), operands, Vec::new());
        Some(())
    }
}

/// A value that a body is given as its next input.
pub(crate) fn read(builder: &mut BodyBuilder, given: &mut Vec<ValueId>, value: ValueId, dtype: DType) -> Val {
    given.push(value);
    builder.input(given.len() as u32 - 1, dtype)
}

/// A body whose indices are those of one axis more.
fn moved(body: &Body) -> Body {
    let mut body = body.clone();
    for instr in &mut body.instrs {
        if let InstrKind::Index(axis) = &mut instr.kind {
            *axis += 1;
        }
    }
    body
}
