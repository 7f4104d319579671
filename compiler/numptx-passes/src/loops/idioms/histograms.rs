//! Loops whose iterations meet only in elements that all of them combine with values: histograms, sums by label.
//!
//! In: a loop of class reduction. Out: its iterations in chunks (`chunk_counts.rs`), each of which combines in arrays of its own; then what the chunks have is
//! combined with the elements, in the order of the chunks. Work items of parallel loops in it are a device's threads in each chunk. A loop with too few
//! iterations for its arrays is a nest of one work item, or of threads that own elements (`owners.rs`).
//!
//! ```text
//! p = identities, chunks × the extents of y
//! in parallel, for each chunk c: for i in the chunk: p[c, k] = p[c, k] ⊕ e
//! in parallel, for each element k: for c in the chunks: y[k] = y[k] ⊕ p[c, k]
//! ```

use std::collections::HashSet;

use numptx_ir::DType;
use numptx_ir::array::{ArrayType, Layout, LoopStrategy, Map, Nest, Op, OpKind, Order, Region, Type, ValueId};
use numptx_ir::scalar::{Body, CodeBuilder, ScalarOp, Val};
use numptx_source::Span;

use crate::analysis::traverse::{Substitution, for_each_op, substitute};
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::dependence::{Class, LoopId, ReductionGroup};
use crate::loops::emit::hoist::define;
use crate::loops::function::FormNests;
use crate::loops::idioms::chunk_counts::{Chunks, Stores, chooses, stored_in};
use crate::loops::idioms::updates::Combination;
use crate::loops::nest::program::{Axis, Origin};
use crate::loops::schedule::launches::Threads;
use crate::loops::schedule::nests::inner_axes::{Axes, axes_in_chunks};
use crate::loops::schedule::plan::{Plan, is_parallel, nest};
use crate::rewrite::emit::yielding;

/// Limit: axes of an array that may have one more.
const MAX_RANK: usize = 8;

/// An array that a loop updates, and the chunks' own.
struct Bins {
    array: ValueId,
    combination: Combination,
    /// Chunks × the array.
    parts: ValueId,
}

impl FormNests<'_> {
    /// The loop in chunks that combine apart, if that is what it is.
    pub fn histogram(&mut self, op: &Op, plan: &Plan) -> Option<Vec<Op>> {
        let updated = self.updated(op, plan)?;
        let mut host = HostProgram::new(self.function, op.span);
        let inner = axes_in_chunks(&mut host, op, plan)?;
        let stores = Stores { op, updated: &updated, are_inside: !inner.axes.is_empty() };
        let counts = Chunks::of(&mut host, plan, &stores)?;
        host.name(counts.number, "chunks");
        let two = host.number(2);
        let is_worth_it = host.scalar(OpKind::Scalar(ScalarOp::Ge), vec![counts.number, two], DType::Bool);
        let mut ops = std::mem::take(&mut host.ops);
        let mut chunked = self.chunked(op, plan, &updated, (&counts, &inner))?;
        // Where inner loops are parallel their work items may have the few iterations.
        let interchanged = self.tried(|pass| pass.interchanged(op, plan));
        let interchanged = self.keep_as_fallback(interchanged);
        let uncounted = counts.uncounted.filter(|_| interchanged.is_none());
        let alone = match interchanged {
            Some(ops) => Some(ops),
            None => self.tried(|pass| pass.one_chunk(op, plan, (&counts, &inner))).value,
        };
        let mut alone = alone?;
        self.decide_chunks(op, plan, uncounted);
        self.decide_inner(op, &[], LoopStrategy::InWorkItem, plan);
        for branch in [&mut chunked, &mut alone] {
            branch.push(yielding(Vec::new(), op.span));
        }
        let regions = [chunked, alone].map(|ops| Region { parameters: Vec::new(), ops });
        let operands = vec![is_worth_it];
        ops.push(Op { kind: OpKind::If, operands, results: Vec::new(), regions: regions.into(), span: op.span });
        Some(ops)
    }

    /// The arrays that a loop updates; `None` if its iterations meet in another way.
    fn updated(&self, op: &Op, plan: &Plan) -> Option<Vec<(ValueId, Combination)>> {
        if !is_histogram(op, plan) {
            return None;
        }
        let mut inside = HashSet::new();
        define(op, &mut inside);
        let mut found: Vec<(ValueId, Combination)> = Vec::new();
        for (view, root) in stored_in(op) {
            let combination = self.draft.updates.group(view).and_then(|group| self.draft.updates.combination(group));
            let Some(combination) = combination else { continue };
            if !found.contains(&(root, combination)) {
                found.push((root, combination));
            }
        }
        let is_array = |(root, _): &(ValueId, Combination)| {
            !inside.contains(root) && self.function.array(*root).is_some_and(|array| array.rank <= MAX_RANK)
        };
        (!found.is_empty() && found.iter().all(is_array)).then_some(found)
    }

    fn chunked(
        &mut self,
        op: &Op,
        plan: &Plan,
        updated: &[(ValueId, Combination)],
        (counts, inner): (&Chunks, &Axes),
    ) -> Option<Vec<Op>> {
        let (span, n_chunks) = (op.span, counts.number);
        let mut ops = Vec::new();
        let mut bins = Vec::with_capacity(updated.len());
        for (array, combination) in updated {
            let parts = self.parts(*array, *combination, n_chunks, span, &mut ops)?;
            bins.push(Bins { array: *array, combination: *combination, parts });
        }
        let (chunks, axis) = self.chunks(op, &bins, counts, &mut ops)?;
        let program = self.program(plan, std::slice::from_ref(&chunks), &[axis], &[])?;
        let whole = nest(program, vec![n_chunks], span);
        ops.extend(self.or_owner_computes(&chunks, plan, (counts, inner), Some(axis), vec![whole]));
        self.note_chunks(op, &|op| inner.axes.iter().any(|axis| op.regions[0].parameters.contains(&axis.index)));
        for bins in &bins {
            self.note_kernel(Threads::Iterations, &[], &|_| true);
            let mut host = HostProgram::new(self.function, span);
            let combining = host.combining(bins, n_chunks)?;
            ops.append(&mut host.ops);
            ops.push(combining);
        }
        Some(ops)
    }

    /// The loop as it is, without arrays of its own.
    fn one_chunk(&mut self, op: &Op, plan: &Plan, (counts, inner): (&Chunks, &Axes)) -> Option<Vec<Op>> {
        let sequential = self.sequential(plan, vec![op.clone()], &[])?;
        Some(self.or_owner_computes(op, plan, (counts, inner), None, sequential))
    }

    /// Identities for all chunks.
    fn parts(
        &mut self,
        array: ValueId,
        combination: Combination,
        n_chunks: ValueId,
        span: Span,
        ops: &mut Vec<Op>,
    ) -> Option<ValueId> {
        let ty = self.function.array(array)?;
        let (rank, dtype) = (ty.rank, ty.dtype);
        let parts = ArrayType { dtype, rank: rank + 1, layout: Layout::C, writable: true };
        let parts = self.function.add_value(Type::Array(parts));
        self.known.points_to.add_fresh(parts);
        let mut host = HostProgram::new(self.function, span);
        let mut operands = vec![n_chunks];
        operands.extend((0..rank).map(|axis| host.scalar(OpKind::Dim(axis), vec![array], DType::I64)));
        operands.push(host.scalar(OpKind::Constant(combination.identity(dtype)), Vec::new(), dtype));
        ops.append(&mut host.ops);
        let map = Map { rank: rank + 1, body: Body::identity(dtype), order: Order::C };
        ops.push(Op { kind: OpKind::Map(Box::new(map)), operands, results: vec![parts], regions: Vec::new(), span });
        Some(parts)
    }

    /// A loop over chunks around the loop, which updates the parts of its chunk.
    fn chunks(&mut self, op: &Op, bins: &[Bins], counts: &Chunks, ops: &mut Vec<Op>) -> Option<(Op, Axis)> {
        let chunk = self.function.add_value(Type::Scalar(DType::I64));
        let mut names = Substitution::default();
        let mut body = Vec::new();
        for bins in bins {
            let ty = self.function.array(bins.array)?;
            let row = self.function.add_value(Type::Array(ArrayType { layout: Layout::Any, writable: true, ..ty }));
            self.known.points_to.add_alias(row, bins.parts);
            names.replace(bins.array, row);
            let (operands, results) = (vec![bins.parts, chunk], vec![row]);
            body.push(Op { kind: OpKind::Index { axis: 0 }, operands, results, regions: Vec::new(), span: op.span });
        }
        let mut host = HostProgram::new(self.function, op.span);
        let (zero, one) = (host.number(0), host.number(1));
        ops.append(&mut host.ops);
        let mut scalar = |op, operands| host.scalar(OpKind::Scalar(op), operands, DType::I64);
        let (lower, step) = (op.operands[0], op.operands[2]);
        let first = scalar(ScalarOp::Mul, vec![chunk, counts.length]);
        let past = scalar(ScalarOp::Add, vec![first, counts.length]);
        let past = scalar(ScalarOp::Min, vec![past, counts.n]);
        let bounds = [first, past].map(|position| {
            let distance = scalar(ScalarOp::Mul, vec![position, step]);
            scalar(ScalarOp::Add, vec![lower, distance])
        });
        body.append(&mut host.ops);
        let mut inner = op.clone();
        inner.operands[..2].copy_from_slice(&bounds);
        inner.regions.iter_mut().for_each(|region| substitute(region, &names));
        body.push(inner);
        body.push(yielding(Vec::new(), op.span));
        let regions = vec![Region { parameters: vec![chunk], ops: body }];
        let operands = vec![zero, counts.number, one];
        let chunks = Op { kind: OpKind::For, operands, results: Vec::new(), regions, span: op.span };
        Some((chunks, Axis { index: chunk, number: 0, origin: Origin::Own, from: None }))
    }
}

/// Whether the iterations of a loop meet only where they update elements, which nothing else in it looks at. Those of loops around parallel ones
/// stay in order, unless data tell which elements they update: the work items of the inner loops have work also where there are too few iterations
/// for chunks.
pub fn is_histogram(op: &Op, plan: &Plan) -> bool {
    let id = plan.whole.loops.get(&op.regions[0].parameters[0]);
    let may_be = |id: &&LoopId| op.results.is_empty() && (!is_around_parallel(op, plan) || chooses(**id, plan));
    let Some(id) = id.filter(may_be) else { return false };
    let Some(Class::Reduction { groups, snapshots }) = plan.classes.get(id) else { return false };
    let nest = &plan.whole.nest;
    let group_of = |array| {
        let mut accesses = nest.access_ids().filter(|a| nest.is_within(*a, *id)).map(|a| nest.access(a));
        let mut group: Option<Option<ReductionGroup>> = None;
        accesses.all(|a| a.array != array || *group.get_or_insert(a.group) == a.group)
    };
    let mut grouped = nest.access_ids().filter(|a| nest.is_within(*a, *id)).map(|a| nest.access(a));
    snapshots.is_empty() && !groups.is_empty() && grouped.all(|a| a.group.is_none() || group_of(a.array))
}

/// Whether a loop in a loop is parallel.
fn is_around_parallel(op: &Op, plan: &Plan) -> bool {
    let mut found = false;
    let mut visit = |op: &Op| found |= matches!(op.kind, OpKind::For) && is_parallel(op, plan);
    op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
    found
}

impl HostProgram<'_> {
    /// A nest over the elements of an array, which combines each with those of the chunks.
    fn combining(&mut self, bins: &Bins, n_chunks: ValueId) -> Option<Op> {
        let ArrayType { rank, dtype, .. } = self.array(bins.array)?;
        let extents: Vec<ValueId> =
            (0..rank).map(|axis| self.scalar(OpKind::Dim(axis), vec![bins.array], DType::I64)).collect();
        let mut code = CodeBuilder::new();
        let at: Vec<Val> = (0..rank).map(|axis| code.index(axis as u32)).collect();
        let (zero, one) = (code.integer(0), code.integer(1));
        let end = code.input(0, DType::I64);
        let first = code.load(0, &at, dtype);
        let vals = code.open_block(&[DType::I64, dtype]);
        let part = code.load(1, &[&[vals[0]], &at[..]].concat(), dtype);
        let next = bins.combination.emit(&mut code, vals[1], part);
        let block = code.close_block(&[next]);
        let last = code.for_([zero, end, one], &[first], block);
        code.store(0, &at, last[0]);
        let kind = OpKind::Nest(Box::new(Nest { rank, code: code.finish() }));
        let operands = [&extents[..], &[bins.array, bins.parts, n_chunks]].concat();
        Some(Op { kind, operands, results: Vec::new(), regions: Vec::new(), span: self.span })
    }
}
