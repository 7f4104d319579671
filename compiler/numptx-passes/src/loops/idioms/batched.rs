//! Reductions of a loop's iterations as one reduction with an axis more.
//!
//! In: a parallel loop that reduces arrays in each iteration, as it was before its computations became loops over elements. Out: the same
//! computations, each over all iterations at once, where that is all the loop does: kernels of reductions share rows among threads, and work items of a nest
//! would be a thread's work each. What an iteration makes for itself becomes an array of rank 1.

mod bodies;

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::array::{LoopStrategy, Op, OpKind, Order, Store, Type, ValueId, typing};
use numptx_ir::scalar::{BodyBuilder, Constant, ScalarOp};

use self::bodies::read;
use crate::analysis::traverse::for_each_op;
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::function::FormNests;
use crate::loops::schedule::cost::BATCHED_COMPUTATIONS;
use crate::loops::schedule::nests::axes::axis_of;
use crate::loops::schedule::plan::Plan;
use crate::source::computations::compress;

/// A view's extents or indices, or what a computation reads.
enum Scalar {
    /// The same in all iterations.
    Fixed(ValueId),
    /// Computed of the index.
    Varying,
}

struct Batch<'b, 'f> {
    host: HostProgram<'f>,
    op: &'b Op,
    /// How many iterations there are.
    count: ValueId,
    /// By scalar of the loop's body: the op that computes it.
    scalars: HashMap<ValueId, &'b Op>,
    /// What stands for arrays of an iteration: arrays with those of all iterations along their first axis.
    all: HashMap<ValueId, ValueId>,
    /// Fresh arrays among these.
    fresh: Vec<ValueId>,
    /// Whether the loop's bounds are 0 and its step 1.
    is_plain: bool,
    /// Conditions that data decide.
    at_work_items: &'b HashSet<ValueId>,
    /// Constants from before the loop.
    known: &'b HashMap<ValueId, Constant>,
    /// Those that were met.
    checked: Vec<ValueId>,
    /// The condition of the branch around.
    condition: Option<ValueId>,
}

impl FormNests<'_> {
    /// A loop's iterations at once; `None` where they are not reductions alone. `op`: the loop before its computations became loops.
    pub fn batched(&mut self, op: &Op, plan: &Plan) -> Option<Vec<Op>> {
        let region = op.regions.first()?;
        let [index] = region.parameters[..] else { return None };
        let id = *plan.whole.loops.get(&index)?;
        let is_plain = self.known.constant(op.operands[0]) == Some(0) && self.known.constant(op.operands[2]) == Some(1);
        let is_expanded = |v: &ValueId| self.draft.temporaries.contains_key(v);
        if region.ops.iter().flat_map(|op| &op.operands).any(is_expanded) {
            return None;
        }
        let (at_work_items, known, fault) =
            (self.draft.at_work_items.clone(), self.known.constants.clone(), self.draft.fault);
        let mut host = HostProgram::new(self.function, op.span);
        let (_, count) = axis_of(&mut host, plan, index, id, &[])?;
        let (scalars, all) = (HashMap::new(), HashMap::new());
        let mut batch = Batch {
            host,
            op,
            count,
            scalars,
            all,
            fresh: Vec::new(),
            is_plain,
            at_work_items: &at_work_items,
            known: &known,
            checked: Vec::new(),
            condition: None,
        };
        for op in &region.ops {
            batch.emit(op)?;
        }
        batch.look(fault)?;
        let (ops, fresh) = (batch.host.ops, batch.fresh);
        fresh.iter().for_each(|array| self.known.points_to.add_fresh(*array));
        self.follow_views(&ops, op);
        self.decide(op, LoopStrategy::Parallel, plan);
        Some(ops)
    }
}

/// Whether a loop computes a few arrays, and reduces at least once, without loops in it; branches choose where or whether it stores.
pub fn reduces_only(op: &Op) -> bool {
    let [region] = op.regions.as_slice() else { return false };
    let reduces = |op: &Op| matches!(op.kind, OpKind::StoreReduce(_) | OpKind::Reduce(_));
    let (mut is_simple, mut n_computations, mut n_reductions) = (true, 0, 0);
    for_each_op(region, &mut |op| {
        let is_other = matches!(op.kind, OpKind::Check { .. } | OpKind::Yield | OpKind::Alloc { .. } | OpKind::Item);
        is_simple &= computes(op) || is_other || op.kind == OpKind::If || op.kind.is_pure_scalar_or_view();
        n_computations += usize::from(computes(op));
        n_reductions += usize::from(reduces(op));
    });
    let is_loop = op.kind == OpKind::For && op.results.is_empty();
    is_loop && is_simple && n_reductions > 0 && n_computations <= BATCHED_COMPUTATIONS
}

fn computes(op: &Op) -> bool {
    matches!(op.kind, OpKind::StoreReduce(_) | OpKind::Reduce(_) | OpKind::Store(_) | OpKind::Map(_))
}

impl<'b> Batch<'b, '_> {
    fn index(&self) -> ValueId {
        self.op.regions[0].parameters[0]
    }

    fn emit(&mut self, op: &'b Op) -> Option<()> {
        match &op.kind {
            OpKind::Check { .. } => {
                // Others hold, or the loop does not run so.
                self.checked.extend(op.operands.first().filter(|v| self.at_work_items.contains(v)));
                Some(())
            }
            OpKind::Yield => Some(()),
            OpKind::If => self.branch(op),
            kind if kind.is_view() => self.view(op),
            kind if kind.is_pure_scalar_or_view() || *kind == OpKind::Item => {
                self.scalars.extend(op.results.iter().map(|v| (*v, op)));
                Some(())
            }
            OpKind::StoreReduce(reduce) => {
                let n = reduce.n_results();
                let (extents, rest) = op.operands.split_at(reduce.rank);
                let kept = &extents[..reduce.rank - reduce.n_reduced];
                let destinations = self.destinations(&rest[..n])?;
                let homes = self.homes(&destinations, kept)?;
                self.reduce(reduce, extents, homes.clone(), &rest[n..])?;
                self.store_where(kept, destinations, homes)
            }
            OpKind::Reduce(reduce) if reduce.rank == reduce.n_reduced => {
                let destinations = self.cells(op);
                self.reduce(reduce, &op.operands[..reduce.rank], destinations, &op.operands[reduce.rank..])
            }
            OpKind::Store(store) => {
                let n = store.body.outputs.len();
                let (extents, rest) = op.operands.split_at(store.rank);
                let destinations = self.destinations(&rest[..n])?;
                let homes = self.homes(&destinations, extents)?;
                self.store(&store.body, extents, homes.clone(), &rest[n..])?;
                self.store_where(extents, destinations, homes)
            }
            OpKind::Map(map) if map.rank == 0 => {
                let destinations = self.cells(op);
                self.store(&map.body, &[], destinations, &op.operands)
            }
            _ => None,
        }
    }

    /// An op whose results' types follow from its operands.
    fn push(&mut self, kind: OpKind, operands: Vec<ValueId>) -> Option<ValueId> {
        let types: Vec<Type> = operands.iter().map(|v| self.host.ty(*v)).collect();
        let ty = *typing::result_types(&kind, &types).ok()??.first()?;
        let result = self.host.add_value(ty);
        self.host.push(kind, operands, vec![result]);
        Some(result)
    }

    fn scalar(&self, value: ValueId) -> Scalar {
        let is_inside = value == self.index() || self.scalars.contains_key(&value);
        if is_inside { Scalar::Varying } else { Scalar::Fixed(value) }
    }

    /// Scalars that are the same in all iterations.
    fn fixed(&self, values: &[ValueId]) -> Option<()> {
        values.iter().all(|v| matches!(self.scalar(*v), Scalar::Fixed(_))).then_some(())
    }

    fn rank(&self, value: ValueId) -> usize {
        self.host.array(value).map_or(0, |array| array.rank)
    }

    fn view(&mut self, op: &Op) -> Option<()> {
        let (array, rest) = op.operands.split_first()?;
        let Some(all) = self.all.get(array).copied() else {
            let all = self.along(op, *array, rest)?;
            self.all.insert(op.results[0], all);
            return Some(());
        };
        self.fixed(rest)?;
        let mut operands = [&[all], rest].concat();
        let kind = match &op.kind {
            OpKind::Slice { axis } => OpKind::Slice { axis: axis + 1 },
            OpKind::Index { axis } => OpKind::Index { axis: axis + 1 },
            OpKind::NewAxis { axis } => OpKind::NewAxis { axis: axis + 1 },
            OpKind::DropAxis { axis } => OpKind::DropAxis { axis: axis + 1 },
            OpKind::Permute { permutation } => {
                let axes = permutation.iter().map(|axis| axis + 1);
                OpKind::Permute { permutation: [0].into_iter().chain(axes).collect() }
            }
            OpKind::Broadcast => {
                for _ in self.rank(*array)..rest.len() {
                    operands[0] = self.push(OpKind::NewAxis { axis: 1 }, vec![operands[0]])?;
                }
                operands.insert(1, self.count);
                OpKind::Broadcast
            }
            OpKind::Part { .. } | OpKind::ReadOnly | OpKind::Writable => op.kind.clone(),
            _ => return None,
        };
        let all = self.push(kind, operands)?;
        self.all.insert(op.results[0], all);
        Some(())
    }

    /// What an array shows at the index of each iteration, along a new first axis.
    fn along(&mut self, op: &Op, array: ValueId, rest: &[ValueId]) -> Option<ValueId> {
        let OpKind::Index { axis } = op.kind else {
            self.fixed(rest)?;
            let view = self.push(op.kind.clone(), op.operands.clone())?;
            return self.repeated(view, &[]);
        };
        let index = rest[0];
        if let Scalar::Fixed(index) = self.scalar(index) {
            let view = self.push(OpKind::Index { axis }, vec![array, index])?;
            return self.repeated(view, &[]);
        }
        let start = self.start(index)?;
        let one = self.host.number(1);
        let part = self.push(OpKind::Slice { axis }, vec![array, start, self.count, one])?;
        let others = (0..self.rank(array)).filter(|other| *other != axis);
        let permutation: Vec<usize> = [axis].into_iter().chain(others).collect();
        if permutation.is_sorted() {
            return Some(part);
        }
        self.push(OpKind::Permute { permutation }, vec![part])
    }

    /// The first of indices that rise by one from iteration to iteration.
    fn start(&mut self, index: ValueId) -> Option<ValueId> {
        let lower = self.op.operands[0];
        let by_one = self.is_plain;
        if index == self.index() {
            return by_one.then_some(lower);
        }
        let op = *self.scalars.get(&index)?;
        let [a, b] = op.operands[..] else { return None };
        let (kind, other) = match (&op.kind, self.scalar(a), self.scalar(b)) {
            (OpKind::Scalar(ScalarOp::Add), Scalar::Varying, Scalar::Fixed(b)) if a == self.index() => {
                (ScalarOp::Add, b)
            }
            (OpKind::Scalar(ScalarOp::Add), Scalar::Fixed(a), Scalar::Varying) if b == self.index() => {
                (ScalarOp::Add, a)
            }
            (OpKind::Scalar(ScalarOp::Sub), Scalar::Varying, Scalar::Fixed(b)) if a == self.index() => {
                (ScalarOp::Sub, b)
            }
            _ => return None,
        };
        by_one.then(|| self.host.scalar(OpKind::Scalar(kind), vec![lower, other], DType::I64))
    }

    /// An array that is the same in all iterations, with an axis for them. Without extents it has its own.
    fn repeated(&mut self, array: ValueId, extents: &[ValueId]) -> Option<ValueId> {
        let mut operands = vec![array, self.count];
        operands.extend(extents);
        if extents.is_empty() {
            for axis in 0..self.rank(array) {
                operands.push(self.push(OpKind::Dim(axis), vec![array])?);
            }
        }
        self.push(OpKind::Broadcast, operands)
    }

    /// What a branch stores where data decide, and what it computes, whatever they say.
    fn branch(&mut self, op: &'b Op) -> Option<()> {
        let [then, otherwise] = op.regions.as_slice() else { return None };
        let is_nested = self.condition.is_some() || !op.results.is_empty() || otherwise.ops.len() != 1;
        if is_nested || !self.is_of_data(op.operands[0]) {
            return None;
        }
        self.condition = Some(op.operands[0]);
        for op in &then.ops {
            if matches!(op.kind, OpKind::Check { .. }) && self.at_work_items.contains(&op.operands[0]) {
                return None;
            }
            self.emit(op)?;
        }
        self.condition = None;
        Some(())
    }

    /// Whether nothing but elements decides a condition: of others it may follow that indices are in range.
    fn is_of_data(&self, condition: ValueId) -> bool {
        self.scalars.get(&condition).is_some_and(|op| match op.kind {
            OpKind::Item | OpKind::Constant(_) => true,
            OpKind::Scalar(_) => op.operands.iter().all(|v| self.known.contains_key(v) || self.is_of_data(*v)),
            _ => false,
        })
    }

    /// Where values go first: to their destinations, or, under a condition, to arrays of their own.
    fn homes(&mut self, destinations: &[ValueId], extents: &[ValueId]) -> Option<Vec<ValueId>> {
        if self.condition.is_none() {
            return Some(destinations.to_vec());
        }
        self.fixed(extents)?;
        let mut homes = Vec::with_capacity(destinations.len());
        for destination in destinations {
            let kind = OpKind::Alloc { dtype: self.host.ty(*destination).dtype(), order: Order::C };
            let home = self.push(kind, [&[self.count], extents].concat())?;
            self.fresh.push(home);
            homes.push(home);
        }
        Some(homes)
    }

    /// Stores under the condition of the branch around what was stored in arrays of its own.
    fn store_where(&mut self, extents: &[ValueId], destinations: Vec<ValueId>, homes: Vec<ValueId>) -> Option<()> {
        let Some(condition) = self.condition else { return Some(()) };
        for (destination, home) in destinations.into_iter().zip(homes) {
            let (mut builder, mut given) = (BodyBuilder::new(), Vec::new());
            let dtype = self.host.ty(home).dtype();
            let holds = self.value(&mut builder, &mut given, condition, extents)?;
            let [new, old] = [home, destination].map(|v| read(&mut builder, &mut given, v, dtype));
            let value = builder.op(ScalarOp::Select, &[holds, new, old]);
            let (body, given, _) = compress(builder.finish(vec![value]), given, Order::C);
            let store = Store { rank: extents.len() + 1, body };
            let operands = [&[self.count], extents, &[destination], &given[..]].concat();
            self.host.push(OpKind::Store(Box::new(store)), operands, Vec::new());
        }
        Some(())
    }

    /// Views of all iterations' parts of arrays that are written.
    fn destinations(&self, arrays: &[ValueId]) -> Option<Vec<ValueId>> {
        arrays.iter().map(|array| self.all.get(array).copied()).collect()
    }

    /// Arrays for values that an iteration makes for itself.
    fn cells(&mut self, op: &Op) -> Vec<ValueId> {
        let mut cells = Vec::with_capacity(op.results.len());
        for result in &op.results {
            let kind = OpKind::Alloc { dtype: self.host.ty(*result).dtype(), order: Order::C };
            if let Some(cell) = self.push(kind, vec![self.count]) {
                self.all.insert(*result, cell);
                self.fresh.push(cell);
                cells.push(cell);
            }
        }
        cells
    }
}
