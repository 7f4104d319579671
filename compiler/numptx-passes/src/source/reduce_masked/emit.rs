//! Emits the ops of a plan: in the places of selected elements stand all elements, and a condition.

use numptx_ir::DType;
use numptx_ir::array::{
    ArrayType, Function, Layout, Map, Meeting, Op, OpKind, Order, Reduce, Region, Scatter, Type, ValueId,
};
use numptx_ir::scalar::{BodyBuilder, InstrKind, Reducer, ScalarOp, Val};

use crate::source::computations::compress;
use crate::source::reduce_masked::own_work_items::stored_at_own_work_items;
use crate::source::reduce_masked::places::{All, Ops, Places, trimmed};
use crate::source::reduce_masked::plan::{Replaced, filled};

impl Places {
    /// Emits what stands for an op of the plan.
    pub fn emit(&mut self, function: &mut Function, op: Op, ops: &mut Vec<Op>) {
        let emitted = &mut Ops { function, ops, of: &op };
        if let Some(counting) = self.inner(&op) {
            return self.inner_count(emitted, &op, &counting);
        }
        match &op.kind {
            _ if op.results.first() == Some(&self.plan.count) => self.count(emitted, &op),
            OpKind::Alloc { .. } => {}
            OpKind::If if self.moves_inner(&op) => self.inner_move(emitted, &op),
            OpKind::If if filled(&op).is_some() => self.moved(emitted, &op),
            OpKind::If => self.put_back(emitted, &op),
            OpKind::Map(map) => self.map(emitted, &op, map),
            OpKind::Reduce(reduce) => self.reduce(emitted, &op, reduce),
            OpKind::Scatter(scatter) => self.scatter(emitted, &op, scatter),
            _ if op.results.first().is_some_and(|v| self.plan.rows.contains_key(v)) => {}
            OpKind::Index { .. } if self.plan.reductions.contains(&op.results[0]) => self.element(emitted, &op),
            _ => self.view(emitted, &op),
        }
    }

    /// The number of chosen elements on the host.
    pub(crate) fn count(&mut self, ops: &mut Ops, op: &Op) {
        let mask = self.mask(ops);
        let rank = self.plan.extents.len();
        let mut body = BodyBuilder::new();
        let chosen = body.input(0, DType::Bool);
        let one = body.cast(chosen, DType::I64);
        let reduce = Reduce {
            rank,
            n_reduced: rank,
            body: body.finish(vec![one]),
            reducers: vec![Reducer::Add],
            epilogue: None,
            order: Order::C,
        };
        let operands = [&self.plan.extents[..], &[mask]].concat();
        let sum = ops.push(OpKind::Reduce(Box::new(reduce)), operands);
        ops.push_as(OpKind::Item, sum, op.results.clone());
    }

    /// What was moved, at every element.
    pub(crate) fn moved(&mut self, ops: &mut Ops, op: &Op) {
        self.mask(ops);
        for nested in &op.regions[0].ops {
            let OpKind::Scatter(scatter) = &nested.kind else {
                if !nested.kind.is_terminator() {
                    ops.ops.push(nested.clone());
                }
                continue;
            };
            let (extents, inputs) = nested.operands.split_at(scatter.rank);
            let inputs: Vec<ValueId> =
                inputs[1..].iter().map(|v| self.plan.whole.get(v).copied().unwrap_or(*v)).collect();
            let mut builder = BodyBuilder::new();
            let vals: Vec<Val> = inputs
                .iter()
                .enumerate()
                .map(|(n, input)| builder.input(n as u32, ops.function.ty(*input).dtype()))
                .collect();
            let value = builder.inline(&scatter.body, &vals, None)[0];
            let value_kind = &scatter.body.instrs[scatter.body.outputs[0].0 as usize].kind;
            if let (true, InstrKind::Input(n)) = (self.plan.is_direct, value_kind) {
                self.all.extend(filled(op).map(|chosen| (chosen, inputs[*n as usize])));
                continue;
            }
            let (body, inputs, order) = compress(builder.finish(vec![value]), inputs, Order::C);
            let map = Map { rank: scatter.rank, body, order };
            let all = ops.push(OpKind::Map(Box::new(map)), [extents, &inputs].concat())[0];
            self.all.extend(filled(op).map(|chosen| (chosen, all)));
        }
    }

    pub(crate) fn map(&mut self, ops: &mut Ops, op: &Op, map: &Map) {
        let at = self.plan.axes[&op.results[0]];
        let mut all = All::of(self, ops, op, (&map.body, map.rank, at));
        let rank = all.extents.len();
        let outputs = std::mem::take(&mut all.outputs);
        let body = all.builder.finish(outputs);
        let (body, operands) = trimmed(body, all.extents, all.inputs, all.tables);
        let results = ops.push(OpKind::Map(Box::new(Map { rank, body, order: Order::C })), operands);
        self.all.extend(op.results.iter().copied().zip(results));
    }

    pub(crate) fn reduce(&mut self, ops: &mut Ops, op: &Op, reduce: &Reduce) {
        let extents = &op.operands[..reduce.rank];
        let Some(at) = extents.iter().position(|extent| *extent == self.plan.count) else { return };
        let mut all = All::of(self, ops, op, (&reduce.body, reduce.rank, at));
        let rank = all.extents.len();
        let mask = self.mask_over(ops, &all.extents, at);
        let position = all.inputs.len() as u32;
        all.inputs.push(mask);
        let chosen = all.builder.input(position, DType::Bool);
        let mut outputs = Vec::with_capacity(all.outputs.len());
        for (reducer, output) in reduce.reducers.iter().zip(&all.outputs) {
            let dtype = all.builder.dtype(*output);
            let reducer = if *reducer == Reducer::ArgMax { Reducer::Max } else { *reducer };
            let none = all.builder.push(InstrKind::Constant(reducer.identity(dtype)), dtype);
            outputs.push(all.builder.op(ScalarOp::Select, &[chosen, *output, none]));
        }
        let body = all.builder.finish(outputs);
        let (body, operands) = trimmed(body, all.extents, all.inputs, all.tables);
        let n_reduced = reduce.n_reduced + self.plan.extents.len() - 1;
        let reduce = Reduce { rank, n_reduced, body, ..reduce.clone() };
        ops.push_as(OpKind::Reduce(Box::new(reduce)), operands, op.results.clone());
    }

    /// An element at a position that was found among all elements in C order.
    pub(crate) fn element(&mut self, ops: &mut Ops, op: &Op) {
        let (vector, position) = self.plan.elements[&op.results[0]];
        let mut indices = Vec::with_capacity(self.plan.extents.len());
        let mut rest = position;
        for extent in self.plan.extents.iter().skip(1).rev() {
            indices.push(ops.scalar(OpKind::Scalar(ScalarOp::Mod), vec![rest, *extent], DType::I64));
            rest = ops.scalar(OpKind::Scalar(ScalarOp::FloorDiv), vec![rest, *extent], DType::I64);
        }
        indices.push(rest);
        indices.reverse();
        let cell = |dtype| ArrayType { dtype, rank: 0, layout: Layout::C, writable: true };
        let result = &mut ops.function.values[op.results[0].0 as usize].ty;
        if let Some(axis) = self.plan.indices.get(&vector) {
            *result = Type::Array(cell(DType::I64));
            let mut body = BodyBuilder::new();
            let index = body.input(0, DType::I64);
            let map = Map { rank: 0, body: body.finish(vec![index]), order: Order::C };
            return ops.push_as(OpKind::Map(Box::new(map)), vec![indices[*axis]], op.results.clone());
        }
        let mut array = self.all[&vector];
        for index in &indices {
            array = ops.push(OpKind::Index { axis: 0 }, vec![array, *index])[0];
        }
        let last = ops.ops.pop();
        ops.function.values[op.results[0].0 as usize].ty = ops.function.ty(array);
        ops.ops.extend(last.map(|last| Op { results: op.results.clone(), ..last }));
    }

    /// What puts chosen elements back, at every work item.
    pub(crate) fn put_back(&mut self, ops: &mut Ops, op: &Op) {
        let then = &op.regions[0].ops;
        for nested in then {
            let replaced = nested.results.first().and_then(|v| self.plan.replaced.get(v).copied());
            match (&nested.kind, replaced) {
                (OpKind::Map(map), Some(replaced)) => {
                    // A mask has the extents of what it is written by: what was there is the destination itself, not what it is broadcast to.
                    let mut map_op = nested.clone();
                    let assigned = then.iter().find(|op| op.kind == OpKind::Assign).map(|op| op.operands[0]);
                    for operand in &mut map_op.operands {
                        let broadcast = then.iter().find(|op| op.results == [*operand] && op.kind == OpKind::Broadcast);
                        if let Some(base) = broadcast.map(|op| op.operands[0]).filter(|base| Some(*base) == assigned)
                            && ops.rank(base) == map.rank
                        {
                            *operand = base;
                        }
                    }
                    self.replace(ops, &map_op, map, replaced);
                }
                (kind, _) if kind.is_terminator() => {}
                _ => ops.ops.push(nested.clone()),
            }
        }
    }

    pub(crate) fn replace(&mut self, ops: &mut Ops, op: &Op, map: &Map, replaced: Replaced) {
        let (extents, operands) = op.operands.split_at(map.rank);
        let mut inputs = operands[..operands.len() - 1].to_vec();
        let mask = self.mask(ops);
        inputs[replaced.mask as usize] = mask;
        inputs.push(self.all[&replaced.values]);
        let mut body = map.body.clone();
        body.instrs[replaced.element].kind = InstrKind::Input(inputs.len() as u32 - 1);
        let mut builder = BodyBuilder::new();
        let vals: Vec<Val> = inputs
            .iter()
            .enumerate()
            .map(|(n, input)| builder.input(n as u32, ops.function.ty(*input).dtype()))
            .collect();
        let outputs = builder.inline(&body, &vals, None);
        let order = map.order.clone();
        let (body, inputs, order) = compress(builder.finish(outputs), inputs, order);
        let map = Map { rank: map.rank, body, order };
        ops.push_as(OpKind::Map(Box::new(map)), [extents, &inputs].concat(), op.results.clone());
    }

    pub(crate) fn scatter(&mut self, ops: &mut Ops, op: &Op, scatter: &Scatter) {
        let (extents, rest) = op.operands.split_at(scatter.rank);
        let Some(at) = extents.iter().position(|extent| *extent == self.plan.count) else { return };
        let read = Op { operands: [extents, &rest[1..]].concat(), ..op.clone() };
        let mut all = All::of(self, ops, &read, (&scatter.body, scatter.rank, at));
        let n_indices = ops.rank(rest[0]);
        let mask = self.mask_over(ops, &all.extents, at);
        let chosen = all.builder.input(all.inputs.len() as u32, DType::Bool);
        all.inputs.push(mask);
        let mut outputs = all.outputs;
        let writes = match outputs.get(1 + n_indices) {
            Some(writes) => all.builder.op(ScalarOp::BitAnd, &[*writes, chosen]),
            None => chosen,
        };
        outputs.truncate(1 + n_indices);
        outputs.push(writes);
        let rank = all.extents.len();
        let body = all.builder.finish(outputs);
        let (body, operands) = trimmed(body, all.extents, all.inputs, all.tables);
        if scatter.meeting != Meeting::Accumulating && stored_at_own_work_items(ops, (&body, rank), &operands, rest[0])
        {
            return;
        }
        let operands = [&operands[..rank], &rest[..1], &operands[rank..]].concat();
        let kind = OpKind::Scatter(Box::new(Scatter { rank, body, meeting: scatter.meeting, n_destinations: 1 }));
        let simple = |kind, operands| Op { kind, operands, results: Vec::new(), regions: Vec::new(), span: op.span };
        // An array without elements may have no memory, and then nothing is chosen.
        let condition = ops.has_elements(rest[0]);
        let then =
            Region { parameters: Vec::new(), ops: vec![simple(kind, operands), simple(OpKind::Yield, Vec::new())] };
        let otherwise = Region { parameters: Vec::new(), ops: vec![simple(OpKind::Yield, Vec::new())] };
        ops.ops.push(Op { regions: vec![then, otherwise], ..simple(OpKind::If, vec![condition]) });
    }
}
