//! **Does**: makes loops over elements of computations over rows in a loop's body.
//! **Requires**: phase Placed.
//! **Ensures**: stores and whole reductions in a loop are `for` loops that compute and store single elements, in C order. Fresh arrays are left as they
//! are. What an expanded store was is remembered, for where it does better whole.
//! **Keeps**: values. A row that may overlap what is written is copied first.
//! **Example**: `for %i { store<1> (%n) %y = %x * %x }` becomes `for %i { for 0, %n, 1 (%j) { … store<0> %y[%j] = %x[%j] * %x[%j] } }`.

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::array::{Function, Map, Op, OpKind, Order, Reduce, Region, Store, Type, ValueId, typing};
use numptx_ir::scalar::{Body, BodyBuilder, Constant, InstrKind, Reducer, ScalarOp, Val};
use numptx_source::Span;

use crate::Pass;
use crate::loops::canonical::each_loop::{Rewritten, each_loop};
use crate::loops::function::FormNests;
use crate::loops::nest::rows::originals::{Originals, Reductions, Several};
use crate::loops::storage::snapshots::take_snapshots;

/// See the file's header.
pub const ROWS_TO_LOOPS: Pass =
    Pass::optional("rows-to-loops", "make loops over elements of computations over rows", |module| {
        each_loop(module, with_loops_over_rows)
    });

fn with_loops_over_rows(pass: &mut FormNests, op: &Op) -> Option<Rewritten> {
    let (mut copy, mut reductions) = (op.clone(), Reductions::new());
    expand(pass.function, &mut copy, &HashSet::new(), &mut Originals::new(), (&mut reductions, Several::Together));
    Some(Rewritten { ops: vec![copy], results: op.results.clone() })
}

/// Expands what stands in the regions of an op. `overlaps`: whether arrays do.
pub fn expand(
    function: &mut Function,
    op: &mut Op,
    overlaps: &HashSet<ValueId>,
    originals: &mut Originals,
    (reductions, several): (&mut Reductions, Several),
) {
    for region in &mut op.regions {
        let mut taken = take_snapshots(function, overlaps, &HashSet::new(), &mut region.ops);
        let mut ops = Vec::with_capacity(region.ops.len());
        for (at, mut nested) in std::mem::take(&mut region.ops).into_iter().enumerate() {
            expand(function, &mut nested, overlaps, originals, (reductions, several));
            let mut expansion = Expansion { function, ops: Vec::new(), span: nested.span, reductions, several };
            match &nested.kind {
                OpKind::Store(store) if store.rank > 0 => expansion.store(&nested, store),
                OpKind::StoreReduce(reduce) => expansion.store_reduce(&nested, reduce),
                OpKind::Reduce(reduce) if reduce.rank == reduce.n_reduced => expansion.reduce(&nested, reduce),
                _ => {
                    ops.push(nested);
                    continue;
                }
            };
            if let Some(outermost) = expansion.ops.iter().find(|op| matches!(op.kind, OpKind::For)) {
                if nested.results.is_empty() {
                    let whole = taken.remove(&at).unwrap_or_else(|| vec![nested.clone()]);
                    originals.insert(outermost.regions[0].parameters[0], whole);
                }
                ops.append(&mut expansion.ops);
            } else {
                ops.push(nested);
            }
        }
        region.ops = ops;
    }
}

/// Emits a loop's body for the indices of all loops and what is carried; what is carried next.
type Inner<'i> = dyn FnMut(&mut Expansion, &[ValueId], Vec<ValueId>) -> Vec<ValueId> + 'i;

struct Expansion<'f> {
    function: &'f mut Function,
    ops: Vec<Op>,
    span: Span,
    reductions: &'f mut Reductions,
    several: Several,
}

impl Expansion<'_> {
    fn push(&mut self, kind: OpKind, operands: Vec<ValueId>, results: Vec<ValueId>, regions: Vec<Region>) {
        self.ops.push(Op { kind, operands, results, regions, span: self.span });
    }

    /// An op whose results' types follow from its operands.
    fn op(&mut self, kind: OpKind, operands: Vec<ValueId>) -> Vec<ValueId> {
        let types: Vec<Type> = operands.iter().map(|v| self.function.ty(*v)).collect();
        let types = typing::result_types(&kind, &types).ok().flatten().unwrap_or_default();
        let results: Vec<ValueId> = types.into_iter().map(|ty| self.function.add_value(ty)).collect();
        self.push(kind, operands, results.clone(), Vec::new());
        results
    }

    fn scalar(&mut self, kind: OpKind, operands: Vec<ValueId>, dtype: DType) -> ValueId {
        let result = self.function.add_value(Type::Scalar(dtype));
        self.push(kind, operands, vec![result], Vec::new());
        result
    }

    fn constant(&mut self, constant: Constant, dtype: DType) -> ValueId {
        self.scalar(OpKind::Constant(constant), Vec::new(), dtype)
    }

    fn cast(&mut self, value: ValueId, dtype: DType) -> ValueId {
        if self.function.ty(value).dtype() == dtype {
            return value;
        }
        self.scalar(OpKind::Scalar(ScalarOp::Cast), vec![value], dtype)
    }

    /// Loops from 0 to each extent around what `inner` emits for their indices; it takes what is carried and gives it anew.
    fn loops(
        &mut self,
        extents: &[ValueId],
        carried: Vec<ValueId>,
        indices: &mut Vec<ValueId>,
        inner: &mut Inner,
    ) -> Vec<ValueId> {
        let Some((extent, rest)) = extents.split_first() else { return inner(self, indices, carried) };
        let (zero, one) = (self.constant(Constant::Int(0), DType::I64), self.constant(Constant::Int(1), DType::I64));
        let types: Vec<Type> = carried.iter().map(|v| self.function.ty(*v)).collect();
        let index = self.function.add_value(Type::Scalar(DType::I64));
        let parameters: Vec<ValueId> = types.iter().map(|ty| self.function.add_value(*ty)).collect();
        let results: Vec<ValueId> = types.iter().map(|ty| self.function.add_value(*ty)).collect();
        let outer = std::mem::take(&mut self.ops);
        indices.push(index);
        let yielded = self.loops(rest, parameters.clone(), indices, inner);
        indices.pop();
        self.push(OpKind::Yield, yielded, Vec::new(), Vec::new());
        let region =
            Region { parameters: [vec![index], parameters].concat(), ops: std::mem::replace(&mut self.ops, outer) };
        let operands = [vec![zero, *extent, one], carried].concat();
        self.push(OpKind::For, operands, results.clone(), vec![region]);
        results
    }

    /// The element of an array at indices, as a view of rank 0; scalars as they are.
    fn element(&mut self, array: ValueId, indices: &[ValueId]) -> ValueId {
        match self.function.ty(array) {
            Type::Scalar(_) | Type::Object => array,
            Type::Array(_) => {
                indices.iter().fold(array, |view, index| self.op(OpKind::Index { axis: 0 }, vec![view, *index])[0])
            }
        }
    }

    /// A body for single elements, and its operands: the indices that it uses are further scalars.
    fn work_item(&mut self, body: &Body, operands: &[ValueId], indices: &[ValueId]) -> Option<(Body, Vec<ValueId>)> {
        let (inputs, tables) = body.split_tables(operands)?;
        let mut work_item = body.clone();
        let mut elements: Vec<ValueId> = inputs.iter().map(|input| self.element(*input, indices)).collect();
        let mut scalars: Vec<(u32, u32)> = Vec::new();
        for instr in &mut work_item.instrs {
            let InstrKind::Index(axis) = instr.kind else { continue };
            let input = match scalars.iter().find(|(a, _)| *a == axis) {
                Some((_, input)) => *input,
                None => {
                    elements.push(indices[axis as usize]);
                    scalars.push((axis, elements.len() as u32 - 1));
                    elements.len() as u32 - 1
                }
            };
            instr.kind = InstrKind::Input(input);
        }
        elements.extend(tables);
        Some((work_item, elements))
    }

    fn store(&mut self, op: &Op, store: &Store) -> Option<()> {
        let (extents, rest) = op.operands.split_at(store.rank);
        let (destinations, inputs) = rest.split_at(store.body.outputs.len());
        self.loops(extents, Vec::new(), &mut Vec::new(), &mut |e, indices, _| {
            let targets: Vec<ValueId> = destinations.iter().map(|d| e.element(*d, indices)).collect();
            if let Some((body, elements)) = e.work_item(&store.body, inputs, indices) {
                let kind = OpKind::Store(Box::new(Store { rank: 0, body }));
                e.push(kind, [targets, elements].concat(), Vec::new(), Vec::new());
            }
            Vec::new()
        });
        Some(())
    }

    /// A reduction to single values; of positions only the first of a row that is true.
    fn reduce(&mut self, op: &Op, reduce: &Reduce) -> Option<()> {
        let (extents, inputs) = op.operands.split_at(reduce.rank);
        if let ([Reducer::ArgMax], [output], None, 1) =
            (&reduce.reducers[..], &reduce.body.outputs[..], &reduce.epilogue, reduce.rank)
            && reduce.body.dtype(*output) == DType::Bool
        {
            let first = self.first_true(&reduce.body, extents, inputs);
            let kind = OpKind::Map(Box::new(Map { rank: 0, body: identity_of(&[DType::I64]), order: Order::C }));
            self.push(kind, vec![first], op.results.clone(), Vec::new());
            return Some(());
        }
        if reduce.reducers.iter().any(|reducer| reducer.operation().is_none()) {
            return None;
        }
        let values = self.reduced(reduce, extents, inputs, &[])?;
        let body = identity_of(&self.dtypes(&values));
        let kind = OpKind::Map(Box::new(Map { rank: 0, body, order: Order::C }));
        self.push(kind, values, op.results.clone(), Vec::new());
        Some(())
    }

    /// The first index at which a body's output is true; 0 where none is.
    fn first_true(&mut self, body: &Body, extents: &[ValueId], inputs: &[ValueId]) -> ValueId {
        let initial =
            vec![self.constant(Constant::Int(0), DType::I64), self.constant(Constant::Bool(false), DType::Bool)];
        let found = self.loops(extents, initial, &mut Vec::new(), &mut |e, indices, carried| {
            let Some((body, elements)) = e.work_item(body, inputs, indices) else { return carried };
            let cells = e.op(OpKind::Map(Box::new(Map { rank: 0, body, order: Order::C })), elements);
            let is_true = e.scalar(OpKind::Item, vec![cells[0]], DType::Bool);
            let [first, is_found] = carried[..] else { return carried };
            let here = e.scalar(OpKind::Scalar(ScalarOp::Select), vec![is_true, indices[0], first], DType::I64);
            let next = e.scalar(OpKind::Scalar(ScalarOp::Select), vec![is_found, first, here], DType::I64);
            vec![next, e.scalar(OpKind::Scalar(ScalarOp::BitOr), vec![is_found, is_true], DType::Bool)]
        });
        found[0]
    }

    fn dtypes(&self, values: &[ValueId]) -> Vec<DType> {
        values.iter().map(|v| self.function.ty(*v).dtype()).collect()
    }

    fn store_reduce(&mut self, op: &Op, reduce: &Reduce) -> Option<()> {
        let (extents, rest) = op.operands.split_at(reduce.rank);
        let (destinations, inputs) = rest.split_at(reduce.n_results());
        let (kept, reduced) = extents.split_at(reduce.rank - reduce.n_reduced);
        if reduce.reducers.iter().any(|reducer| reducer.operation().is_none()) {
            return None;
        }
        self.loops(kept, Vec::new(), &mut Vec::new(), &mut |e, indices, _| {
            let targets: Vec<ValueId> = destinations.iter().map(|d| e.element(*d, indices)).collect();
            if let Some(values) = e.reduced(reduce, reduced, inputs, indices) {
                let body = identity_of(&e.dtypes(&values));
                let kind = OpKind::Store(Box::new(Store { rank: 0, body }));
                e.push(kind, [targets, values].concat(), Vec::new(), Vec::new());
            }
            Vec::new()
        });
        Some(())
    }

    /// Notes the loops, so many in each other, that were just made.
    fn note_reduction(&mut self, depth: usize, reducer: Reducer) {
        let mut ops = &self.ops;
        for _ in 0..depth {
            let Some(op) = ops.iter().rev().find(|op| op.kind == OpKind::For) else { return };
            self.reductions.insert(op.regions[0].parameters[0], reducer);
            ops = &op.regions[0].ops;
        }
    }

    /// Each of several results in loops of its own; equal ones once.
    fn apart(
        &mut self,
        reduce: &Reduce,
        extents: &[ValueId],
        inputs: &[ValueId],
        kept: &[ValueId],
    ) -> Option<Vec<ValueId>> {
        let mut found: HashMap<(Val, Reducer), ValueId> = HashMap::new();
        let mut totals = Vec::with_capacity(reduce.reducers.len());
        for one in reduce.body.outputs.iter().copied().zip(reduce.reducers.iter().copied()) {
            let known = found.get(&one).copied();
            let body = Body { outputs: vec![one.0], ..reduce.body.clone() };
            let total = match known {
                Some(total) => total,
                None => *self.combined(&body, &[one.1], (extents, inputs), kept)?.first()?,
            };
            found.insert(one, total);
            totals.push(total);
        }
        Some(totals)
    }

    /// All that a body gives combined, by output, in one loop at a work item of the kept axes.
    fn combined(
        &mut self,
        body: &Body,
        reducers: &[Reducer],
        (extents, inputs): (&[ValueId], &[ValueId]),
        kept: &[ValueId],
    ) -> Option<Vec<ValueId>> {
        let operations = reducers.iter().map(|r| r.operation()).collect::<Option<Vec<_>>>()?;
        let dtypes: Vec<DType> = body.outputs.iter().map(|v| body.dtype(*v)).collect();
        let wide: Vec<DType> = operations.iter().zip(&dtypes).map(|(op, dtype)| accumulator(*op, *dtype)).collect();
        let identities = reducers.iter().zip(&wide);
        let initial: Vec<ValueId> = identities.map(|(r, d)| self.constant(r.identity(*d), *d)).collect();
        let totals = self.loops(extents, initial, &mut kept.to_vec(), &mut |e, indices, totals| {
            let Some((body, elements)) = e.work_item(body, inputs, indices) else { return totals };
            let kind = OpKind::Map(Box::new(Map { rank: 0, body, order: Order::C }));
            let cells = e.op(kind, elements);
            let mut next = Vec::with_capacity(totals.len());
            for (n, cell) in cells.iter().enumerate() {
                let value = e.scalar(OpKind::Item, vec![*cell], dtypes[n]);
                let value = e.cast(value, wide[n]);
                next.push(e.scalar(OpKind::Scalar(operations[n]), vec![totals[n], value], wide[n]));
            }
            next
        });
        if let [reducer] = reducers {
            self.note_reduction(extents.len(), *reducer);
        }
        Some(totals)
    }

    /// The results of a reduction, as scalars, at a work item of its kept axes.
    fn reduced(
        &mut self,
        reduce: &Reduce,
        extents: &[ValueId],
        inputs: &[ValueId],
        kept: &[ValueId],
    ) -> Option<Vec<ValueId>> {
        let dtypes: Vec<DType> = reduce.body.outputs.iter().map(|v| reduce.body.dtype(*v)).collect();
        let totals = match self.several {
            Several::Together => self.combined(&reduce.body, &reduce.reducers, (extents, inputs), kept)?,
            Several::Apart => self.apart(reduce, extents, inputs, kept)?,
        };
        let totals: Vec<ValueId> = totals.iter().zip(&dtypes).map(|(total, dtype)| self.cast(*total, *dtype)).collect();
        let Some(epilogue) = &reduce.epilogue else { return Some(totals) };
        let (body, operands) = self.work_item(epilogue, &totals, kept)?;
        let dtypes = epilogue.output_dtypes();
        let cells = self.op(OpKind::Map(Box::new(Map { rank: 0, body, order: Order::C })), operands);
        Some(cells.iter().zip(dtypes).map(|(cell, dtype)| self.scalar(OpKind::Item, vec![*cell], dtype)).collect())
    }
}

/// The dtype in which a total is kept: sums and products of small floats are rounded once, at the end.
fn accumulator(op: ScalarOp, dtype: DType) -> DType {
    match (op, dtype) {
        (ScalarOp::Add | ScalarOp::Mul, DType::F16 | DType::F32) => DType::F64,
        (ScalarOp::Add | ScalarOp::Mul, DType::C64) => DType::C128,
        _ => dtype,
    }
}

/// The body that returns its inputs unchanged.
fn identity_of(dtypes: &[DType]) -> Body {
    let mut body = BodyBuilder::new();
    let outputs = dtypes.iter().enumerate().map(|(n, dtype)| body.input(n as u32, *dtype)).collect();
    body.finish(outputs)
}
