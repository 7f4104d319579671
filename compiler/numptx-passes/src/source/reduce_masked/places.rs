//! Chosen elements as all elements, and a mask.
//!
//! In: the ops of a plan, one after the other. Out: what stands for them. The one axis of chosen elements becomes the axes of the mask.

use std::collections::HashMap;

use numptx_ir::DType;
use numptx_ir::array::{Function, Map, Op, OpKind, Order, Scatter, Type, ValueId, typing};
use numptx_ir::scalar::{Body, BodyBuilder, Constant, InstrKind, ScalarOp, Val};

use crate::source::computations::compress;
use crate::source::reduce_masked::guards::guarded;
use crate::source::reduce_masked::inner::Both;
use crate::source::reduce_masked::plan::Plan;

/// A plan under way.
pub struct Places {
    pub(crate) plan: Plan,
    /// By running count of a mask over chosen elements.
    pub(crate) both: HashMap<ValueId, Both>,
    /// The mask as it was when its elements were counted: of bools.
    pub(crate) mask: Option<ValueId>,
    /// What stands for arrays of chosen elements.
    pub(crate) all: HashMap<ValueId, ValueId>,
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

    /// The mask's elements as they are where this is called first.
    pub(crate) fn mask(&mut self, ops: &mut Ops) -> ValueId {
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

    /// An axis as it is called now, where chosen elements lie along another one.
    pub(crate) fn moved_axis(&self, axis: usize, at: usize) -> usize {
        if axis > at { axis + self.plan.extents.len() - 1 } else { axis }
    }

    pub(crate) fn moved_extents(&self, extents: &[ValueId], at: usize) -> Vec<ValueId> {
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

    /// Whether a map puts chosen elements back.
    pub fn puts_back(&self, result: ValueId) -> bool {
        self.plan.replaced.contains_key(&result)
    }

    /// Whether a scatter is of chosen elements.
    pub fn scatters(&self, op: &Op, scatter: &Scatter) -> bool {
        self.plan.scattered.contains(&op.operands[scatter.rank])
            && op.operands[..scatter.rank].contains(&self.plan.count)
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
    pub(crate) fn input(&self, ops: &mut Ops, input: ValueId, extents: &[ValueId]) -> ValueId {
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
