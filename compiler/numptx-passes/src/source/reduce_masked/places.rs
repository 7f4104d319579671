//! Chosen elements as all elements, and a mask.
//!
//! In: the ops of a plan, one after the other. Out: what stands for them. The one axis of chosen elements becomes the axes of the mask.

use std::collections::HashMap;

use numptx_ir::DType;
use numptx_ir::array::{
    ArrayType, Function, Layout, Map, Meeting, Op, OpKind, Order, Reduce, Region, Scatter, Type, ValueId, typing,
};
use numptx_ir::scalar::{Body, BodyBuilder, Constant, InstrKind, Reducer, ScalarOp, Val};

use crate::source::computations::compress;
use crate::source::reduce_masked::guards::guarded;
use crate::source::reduce_masked::inner::Both;
use crate::source::reduce_masked::own_work_items::stored_at_own_work_items;
use crate::source::reduce_masked::plan::{Plan, Replaced, filled};

/// A plan under way.
pub struct Places {
    pub(crate) plan: Plan,
    /// By running count of a mask over chosen elements.
    pub(crate) both: HashMap<ValueId, Both>,
    /// The mask as it was when its elements were counted: of bools.
    mask: Option<ValueId>,
    /// What stands for arrays of chosen elements.
    all: HashMap<ValueId, ValueId>,
}

/// Emits ops.
pub struct Ops<'o> {
    /// The function.
    pub function: &'o mut Function,
    /// What was emitted.
    pub ops: &'o mut Vec<Op>,
    /// What it stands for.
    pub of: &'o Op,
}

impl Ops<'_> {
    /// Emits an op; gives its results.
    pub fn push(&mut self, kind: OpKind, operands: Vec<ValueId>) -> Vec<ValueId> {
        let types: Vec<Type> = operands.iter().map(|v| self.function.ty(*v)).collect();
        let types = typing::result_types(&kind, &types).ok().flatten().unwrap_or_default();
        let results: Vec<ValueId> = types.into_iter().map(|ty| self.function.add_value(ty)).collect();
        self.push_as(kind, operands, results.clone());
        results
    }

    /// Emits an op that gives these results.
    pub fn push_as(&mut self, kind: OpKind, operands: Vec<ValueId>, results: Vec<ValueId>) {
        self.ops.push(Op { kind, operands, results, regions: Vec::new(), span: self.of.span });
    }

    /// Emits a scalar op.
    pub fn scalar(&mut self, kind: OpKind, operands: Vec<ValueId>, dtype: DType) -> ValueId {
        let result = self.function.add_value(Type::Scalar(dtype));
        self.push_as(kind, operands, vec![result]);
        result
    }

    /// Whether an array has elements.
    pub fn has_elements(&mut self, array: ValueId) -> ValueId {
        let zero = self.scalar(OpKind::Constant(Constant::Int(0)), Vec::new(), DType::I64);
        let mut has_some = self.scalar(OpKind::Constant(Constant::Bool(true)), Vec::new(), DType::Bool);
        for axis in 0..self.rank(array) {
            let extent = self.scalar(OpKind::Dim(axis), vec![array], DType::I64);
            let is_some = self.scalar(OpKind::Scalar(ScalarOp::Lt), vec![zero, extent], DType::Bool);
            has_some = self.scalar(OpKind::Scalar(ScalarOp::BitAnd), vec![has_some, is_some], DType::Bool);
        }
        has_some
    }

    /// The axes of a value.
    pub fn rank(&self, value: ValueId) -> usize {
        self.function.array(value).map_or(0, |array| array.rank)
    }
}

impl Places {
    /// Nothing was met yet.
    pub fn of(plan: Plan) -> Self {
        Places { plan, both: HashMap::new(), mask: None, all: HashMap::new() }
    }

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
    fn count(&mut self, ops: &mut Ops, op: &Op) {
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

    /// The mask's elements as they are where this is called first.
    fn mask(&mut self, ops: &mut Ops) -> ValueId {
        if let Some(mask) = self.mask {
            return mask;
        }
        let dtype = ops.function.ty(self.plan.mask).dtype();
        if self.plan.is_direct && dtype == DType::Bool {
            return self.plan.mask;
        }
        let mut body = BodyBuilder::new();
        let element = body.input(0, dtype);
        let chosen = body.cast(element, DType::Bool);
        let map = Map { rank: self.plan.extents.len(), body: body.finish(vec![chosen]), order: Order::C };
        let operands = [&self.plan.extents[..], &[self.plan.mask]].concat();
        let mask = ops.push(OpKind::Map(Box::new(map)), operands)[0];
        self.mask = Some(mask);
        mask
    }

    /// What was moved, at every element.
    fn moved(&mut self, ops: &mut Ops, op: &Op) {
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

    /// An axis as it is called now, where chosen elements lie along another one.
    fn moved_axis(&self, axis: usize, at: usize) -> usize {
        if axis > at { axis + self.plan.extents.len() - 1 } else { axis }
    }

    fn moved_extents(&self, extents: &[ValueId], at: usize) -> Vec<ValueId> {
        [&extents[..at], &self.plan.extents, &extents[at + 1..]].concat()
    }

    pub(crate) fn view(&mut self, ops: &mut Ops, op: &Op) {
        let array = op.operands[0];
        let at = self.plan.axes[&array];
        // A column that will be filled is no view of anything any more.
        let Some(all) = self.all.get(&array) else { return };
        let mut operands = op.operands.clone();
        operands[0] = *all;
        let kind = match &op.kind {
            OpKind::NewAxis { axis } if *axis <= at => OpKind::NewAxis { axis: *axis },
            OpKind::NewAxis { axis } => OpKind::NewAxis { axis: self.moved_axis(*axis, at) },
            OpKind::DropAxis { axis } => OpKind::DropAxis { axis: self.moved_axis(*axis, at) },
            OpKind::Index { axis } => OpKind::Index { axis: self.moved_axis(*axis, at) },
            OpKind::Slice { axis } => OpKind::Slice { axis: self.moved_axis(*axis, at) },
            OpKind::Permute { permutation } => {
                let n = self.plan.extents.len();
                let axes = permutation.iter().flat_map(|axis| {
                    let first = self.moved_axis(*axis, at);
                    first..first + if *axis == at { n } else { 1 }
                });
                OpKind::Permute { permutation: axes.collect() }
            }
            OpKind::Broadcast => {
                let extents = self.moved_extents(&op.operands[1..], self.plan.axes[&op.results[0]]);
                operands = [vec![operands[0]], extents].concat();
                OpKind::Broadcast
            }
            other => other.clone(),
        };
        let all = ops.push(kind, operands)[0];
        self.all.insert(op.results[0], all);
    }

    fn map(&mut self, ops: &mut Ops, op: &Op, map: &Map) {
        let at = self.plan.axes[&op.results[0]];
        let mut all = All::of(self, ops, op, (&map.body, map.rank, at));
        let rank = all.extents.len();
        let outputs = std::mem::take(&mut all.outputs);
        let body = all.builder.finish(outputs);
        let (body, operands) = trimmed(body, all.extents, all.inputs, all.tables);
        let results = ops.push(OpKind::Map(Box::new(Map { rank, body, order: Order::C })), operands);
        self.all.extend(op.results.iter().copied().zip(results));
    }

    fn reduce(&mut self, ops: &mut Ops, op: &Op, reduce: &Reduce) {
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
    fn element(&mut self, ops: &mut Ops, op: &Op) {
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

    /// Whether a map puts chosen elements back.
    pub fn puts_back(&self, result: ValueId) -> bool {
        self.plan.replaced.contains_key(&result)
    }

    /// What puts chosen elements back, at every work item.
    fn put_back(&mut self, ops: &mut Ops, op: &Op) {
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

    fn replace(&mut self, ops: &mut Ops, op: &Op, map: &Map, replaced: Replaced) {
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

    /// Whether a scatter is of chosen elements.
    pub fn scatters(&self, op: &Op, scatter: &Scatter) -> bool {
        self.plan.scattered.contains(&op.operands[scatter.rank])
            && op.operands[..scatter.rank].contains(&self.plan.count)
    }

    fn scatter(&mut self, ops: &mut Ops, op: &Op, scatter: &Scatter) {
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

    /// The mask over an iteration space in which its axes begin at `at`.
    pub(crate) fn mask_over(&mut self, ops: &mut Ops, extents: &[ValueId], at: usize) -> ValueId {
        let mut mask = self.mask(ops);
        let n = self.plan.extents.len();
        for axis in n..extents.len() - at {
            mask = ops.push(OpKind::NewAxis { axis }, vec![mask])[0];
        }
        if extents.len() == n {
            return mask;
        }
        ops.push(OpKind::Broadcast, [&[mask], extents].concat())[0]
    }
}

/// A computation over all elements.
pub struct All {
    /// Those of the iteration space.
    pub extents: Vec<ValueId>,
    /// The inputs.
    pub inputs: Vec<ValueId>,
    /// The tables.
    pub tables: Vec<ValueId>,
    /// The body so far.
    pub builder: BodyBuilder,
    /// What it gives.
    pub outputs: Vec<Val>,
}

impl All {
    /// `at`: the axis of chosen elements.
    pub fn of(places: &mut Places, ops: &mut Ops, op: &Op, (body, rank, at): (&Body, usize, usize)) -> All {
        let (extents, operands) = op.operands.split_at(rank);
        let extents = places.moved_extents(extents, at);
        let (inputs, tables) = body.split_tables(operands).unwrap_or((operands, &[]));
        let mut builder = BodyBuilder::new();
        let mut moved = Vec::with_capacity(inputs.len());
        let mut vals = Vec::with_capacity(inputs.len());
        for (n, input) in inputs.iter().enumerate() {
            let dtype = ops.function.ty(*input).dtype();
            moved.push(places.input(ops, *input, &extents));
            vals.push(match places.plan.indices.get(input) {
                Some(axis) => builder.index((at + axis) as u32),
                None => builder.input(n as u32, dtype),
            });
        }
        let mut body = body.clone();
        for (position, instr) in body.instrs.iter_mut().enumerate() {
            let InstrKind::Element(n, _) = instr.kind else { continue };
            if op.results.first().is_some_and(|v| places.plan.plain.contains(&(*v, position))) {
                let table = ops.push(OpKind::Broadcast, [&[tables[n as usize]], &extents[..]].concat())[0];
                instr.kind = InstrKind::Input(vals.len() as u32);
                vals.push(builder.input(moved.len() as u32, instr.dtype));
                moved.push(table);
            }
        }
        let mut tables = tables.to_vec();
        let is_guarded = |n: &usize| op.results.first().is_some_and(|v| places.plan.guarded.contains(&(*v, *n)));
        let positions: Vec<usize> = (0..body.instrs.len()).filter(is_guarded).collect();
        if !positions.is_empty() {
            let mask = places.mask_over(ops, &extents, at);
            body = guarded(ops, &body, &positions, (vals.len() as u32, &mut tables));
            vals.push(builder.input(moved.len() as u32, DType::Bool));
            moved.push(mask);
        }
        let indices: Vec<Val> = (0..rank).map(|axis| builder.index(places.moved_axis(axis, at) as u32)).collect();
        let outputs = builder.inline(&body, &vals, Some(&indices));
        All { extents, inputs: moved, tables, builder, outputs }
    }
}

impl Places {
    fn input(&self, ops: &mut Ops, input: ValueId, extents: &[ValueId]) -> ValueId {
        if let Some(all) = self.all.get(&input) {
            return *all;
        }
        let Some(repeated) = self.plan.repeated.get(&input) else { return input };
        let mut base = repeated.base;
        for _ in 1..self.plan.extents.len() {
            if let Some(axis) = repeated.axis {
                base = ops.push(OpKind::NewAxis { axis }, vec![base])[0];
            }
        }
        debug_assert!(ops.rank(base) <= extents.len());
        ops.push(OpKind::Broadcast, [&[base], extents].concat())[0]
    }
}

/// The same without inputs that the body does not read, and the operands.
pub fn trimmed(body: Body, extents: Vec<ValueId>, inputs: Vec<ValueId>, tables: Vec<ValueId>) -> (Body, Vec<ValueId>) {
    let (body, inputs, _) = compress(body, inputs, Order::C);
    let n_tables = body.n_tables();
    (body, [extents, inputs, tables[..n_tables].to_vec()].concat())
}
