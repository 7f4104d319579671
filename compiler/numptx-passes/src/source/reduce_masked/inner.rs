//! Masks over chosen elements: `y = x[m]; z = y[y < 5]`.
//!
//! In: a count of what a mask of chosen elements chooses of them, and moves of these. Out: a part of the plan: all elements are counted for which both
//! masks are true, and moved from where they lie. That is what one mask chooses, so that it may be followed in its turn.

use numptx_ir::DType;
use numptx_ir::array::{Map, Op, OpKind, Order, Reading, Region, Scan, Scatter, ValueId};
use numptx_ir::scalar::{Body, BodyBuilder, Constant, InstrKind, ScalarOp, Val};

use crate::analysis::compactions::Counting;
use crate::source::computations::compress;
use crate::source::reduce_masked::followed::Follow;
use crate::source::reduce_masked::places::{All, Ops, Places, trimmed};
use crate::source::reduce_masked::plan::filled;

/// What stands for a mask over chosen elements.
#[derive(Clone, Copy)]
pub struct Both {
    /// Where both masks are true, over all elements.
    mask: ValueId,
    /// How many elements there are.
    extent: ValueId,
    /// The running count, of the mask's extents.
    places: ValueId,
}

impl Follow<'_, '_> {
    /// Whether an op is part of what a mask over chosen elements does; `None` where it is, and that mask or what it moves is not known at all elements.
    pub(crate) fn inner(&mut self, op: &Op) -> Option<bool> {
        let result = op.results.first();
        if let Some(counting) = self.countings.iter().find(|c| result == Some(&c.running)) {
            let mask = counting.mask;
            let is_vector = self.plan.axes.get(&mask) == Some(&0) && self.search.rank(mask) == 1;
            self.ready(mask).filter(|()| is_vector && self.depth == 0)?;
            self.plan.inner.push(counting.clone());
            return Some(true);
        }
        if self.plan.inner.iter().any(|c| result == Some(&c.count)) {
            return Some(true);
        }
        let moved = self.plan.inner.iter().find_map(|c| c.moved(op, &self.search.definitions));
        let Some(moved) = moved else { return Some(false) };
        for view in op.regions[0].ops.iter().filter(|op| op.kind.is_view()) {
            if self.is_chosen(view.operands[0]) {
                self.view(view)?;
            }
        }
        let (body, inputs) = value_of(moved.scatter, moved.inputs);
        self.body(op, &[moved.extents, &inputs].concat(), (&body, 0, 1))?;
        self.plan.inner_moves.insert(moved.chosen);
        self.fuse_into(op.span);
        Some(true)
    }
}

/// What a move writes, alone, and its inputs.
fn value_of(scatter: &Scatter, inputs: &[ValueId]) -> (Body, Vec<ValueId>) {
    let mut builder = BodyBuilder::new();
    let dtype = |n: usize| {
        let input = scatter.body.instrs.iter().find(|instr| instr.kind == InstrKind::Input(n as u32));
        input.map_or(DType::Bool, |instr| instr.dtype)
    };
    let vals: Vec<Val> = (0..inputs.len()).map(|n| builder.input(n as u32, dtype(n))).collect();
    let value = builder.inline(&scatter.body, &vals, None)[0];
    let (body, inputs, _) = compress(builder.finish(vec![value]), inputs.to_vec(), Order::C);
    (body, inputs)
}

impl Places {
    /// Whether an op moves what a mask over chosen elements chooses.
    pub fn moves_inner(&self, op: &Op) -> bool {
        filled(op).is_some_and(|vector| self.plan.inner_moves.contains(&vector))
    }

    /// The count that an op is a part of.
    pub(crate) fn inner(&self, op: &Op) -> Option<Counting> {
        let result = op.results.first()?;
        self.plan.inner.iter().find(|c| c.running == *result || c.count == *result).cloned()
    }

    /// The running count of what both masks choose, or the last one of it.
    pub(crate) fn inner_count(&mut self, ops: &mut Ops, op: &Op, counting: &Counting) {
        match &op.kind {
            OpKind::Scan(scan) => self.inner_scan(ops, op, scan, counting),
            _ => self.inner_last(ops, op, counting),
        }
    }

    fn inner_scan(&mut self, ops: &mut Ops, op: &Op, scan: &Scan, counting: &Counting) {
        let mask = self.both(ops, op, counting);
        let extents = self.plan.extents.clone();
        let (mut vector, mut extent) = (mask, extents[0]);
        for other in &extents[1..] {
            extent = ops.scalar(OpKind::Scalar(ScalarOp::Mul), vec![extent, *other], DType::I64);
        }
        if extents.len() > 1 {
            vector = ops.push(OpKind::Reshape(Reading::C), vec![mask, extent])[0];
        }
        let mut body = BodyBuilder::new();
        let chosen = body.input(0, DType::Bool);
        let one = body.cast(chosen, DType::I64);
        let scan = Scan { body: body.finish(vec![one]), ..scan.clone() };
        ops.push_as(OpKind::Scan(Box::new(scan)), vec![extent, vector], op.results.clone());
        let mut places = op.results[0];
        if extents.len() > 1 {
            places = ops.push(OpKind::Reshape(Reading::C), [&[places], &extents[..]].concat())[0];
        }
        self.both.insert(counting.running, Both { mask, extent, places });
    }

    /// Where both masks are true.
    fn both(&mut self, ops: &mut Ops, op: &Op, counting: &Counting) -> ValueId {
        let mut body = BodyBuilder::new();
        let element = body.input(0, ops.function.ty(counting.mask).dtype());
        let truth = body.cast(element, DType::Bool);
        let body = body.finish(vec![truth]);
        let read = Op { operands: vec![counting.extent, counting.mask], results: Vec::new(), ..op.clone() };
        let mut all = All::of(self, ops, &read, (&body, 1, 0));
        let outer = self.mask_over(ops, &all.extents, 0);
        let chosen = all.builder.input(all.inputs.len() as u32, DType::Bool);
        all.inputs.push(outer);
        let both = all.builder.op(ScalarOp::BitAnd, &[chosen, all.outputs[0]]);
        let (rank, body) = (all.extents.len(), all.builder.finish(vec![both]));
        let (body, operands) = trimmed(body, all.extents, all.inputs, all.tables);
        ops.push(OpKind::Map(Box::new(Map { rank, body, order: Order::C })), operands)[0]
    }

    fn inner_last(&mut self, ops: &mut Ops, op: &Op, counting: &Counting) {
        let Some(both) = self.both.get(&counting.running).copied() else { return };
        let int = |ops: &mut Ops, n| ops.scalar(OpKind::Constant(Constant::Int(n)), Vec::new(), DType::I64);
        let (zero, one) = (int(ops, 0), int(ops, 1));
        let is_some = ops.scalar(OpKind::Scalar(ScalarOp::Lt), vec![zero, both.extent], DType::Bool);
        let (mut then, mut otherwise) = (Vec::new(), Vec::new());
        let inside = &mut Ops { function: ops.function, ops: &mut then, of: op };
        let last = inside.scalar(OpKind::Scalar(ScalarOp::Sub), vec![both.extent, one], DType::I64);
        let element = inside.push(OpKind::Index { axis: 0 }, vec![counting.running, last]);
        let item = inside.scalar(OpKind::Item, element, DType::I64);
        inside.push_as(OpKind::Yield, vec![item], Vec::new());
        let outside = &mut Ops { function: ops.function, ops: &mut otherwise, of: op };
        outside.push_as(OpKind::Yield, vec![zero], Vec::new());
        let regions = [then, otherwise].map(|ops| Region { parameters: Vec::new(), ops }).to_vec();
        ops.ops.push(Op { kind: OpKind::If, operands: vec![is_some], regions, ..op.clone() });
    }

    /// A move of what both masks choose.
    pub(crate) fn inner_move(&mut self, ops: &mut Ops, op: &Op) {
        let mut then = Vec::with_capacity(op.regions[0].ops.len());
        let inside = &mut Ops { function: ops.function, ops: &mut then, of: op };
        for nested in &op.regions[0].ops {
            match &nested.kind {
                OpKind::Scatter(scatter) => self.inner_scatter(inside, nested, scatter),
                kind if kind.is_view() && self.plan.axes.contains_key(&nested.operands[0]) => self.view(inside, nested),
                _ => inside.ops.push(nested.clone()),
            }
        }
        let mut regions = op.regions.clone();
        regions[0].ops = then;
        ops.ops.push(Op { regions, ..op.clone() });
    }

    fn inner_scatter(&mut self, ops: &mut Ops, op: &Op, scatter: &Scatter) {
        let (extents, rest) = op.operands.split_at(1);
        let running = self.plan.inner.iter().find(|c| rest[2] == c.running);
        let Some(both) = running.and_then(|c| self.both.get(&c.running).copied()) else { return };
        let (value, inputs) = value_of(scatter, &rest[1..]);
        let read = Op { operands: [extents, &inputs].concat(), results: Vec::new(), ..op.clone() };
        let all = All::of(self, ops, &read, (&value, 1, 0));
        let (value, inputs, _) = compress(all.builder.finish(all.outputs), all.inputs, Order::C);
        let mut body = BodyBuilder::new();
        let (chosen, running) = (body.input(0, DType::Bool), body.input(1, DType::I64));
        let vals: Vec<Val> = inputs
            .iter()
            .enumerate()
            .map(|(n, input)| body.input(n as u32 + 2, ops.function.ty(*input).dtype()))
            .collect();
        let value = body.inline(&value, &vals, None)[0];
        let one = body.constant(1.0, DType::I64);
        let place = body.op(ScalarOp::Sub, &[running, one]);
        let body = body.finish(vec![value, place, chosen]);
        let operands = [&all.extents, &rest[..1], &[both.mask, both.places], &inputs].concat();
        let scatter = Scatter { rank: all.extents.len(), body, ..scatter.clone() };
        ops.push_as(OpKind::Scatter(Box::new(scatter)), operands, Vec::new());
    }
}
