//! Loops as phases that the threads of one launch share.
//!
//! In: a loop of a cooperative program, and which of the loops in it are parallel or reductions. Out: `parallel` and `reduce` phases of the program. What
//! writes and is neither is one thread's work, alone.

pub mod one_launch;
pub mod shares;
pub mod widths;

use std::collections::HashSet;

use numptx_ir::DType;
use numptx_ir::array::{Function, Op, OpKind, Region, ValueId};
use numptx_ir::scalar::{Reducer, ScalarOp, Val};
use numptx_source::Span;

use crate::analysis::traverse::{for_each_op, terminator_operands};
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::dependence::{Affine, LoopId, Subscript, Variable};
use crate::loops::emit::hoist::define;
use crate::loops::nest::program::{Refusal, Translation};
use crate::loops::nest::translator::Translator;
use crate::loops::schedule::cooperative::shares::{Crossing, Shares, has_stores};
use crate::loops::schedule::cost::THREADS_OF_SUM;
use crate::loops::schedule::plan::nest;

/// Limit: axes of a phase.
const MAX_AXES: usize = 3;

/// Loops that become the axes of one phase.
struct Axes<'o> {
    loops: Vec<&'o Op>,
    /// Lower bounds and steps.
    places: Vec<(Val, i64)>,
    extents: Vec<Val>,
    indices: Vec<Option<Affine>>,
    around: Option<LoopId>,
}

impl<'f> Translator<'f> {
    /// Whether the op was made a phase that threads share, or one thread's work.
    pub(crate) fn shared(&mut self, op: &Op) -> Result<bool, Refusal> {
        let Some(shares) = self.shares.filter(|_| !self.is_alone) else { return Ok(false) };
        if op.kind == OpKind::For {
            let index = op.regions[0].parameters[0];
            if shares.parallel.contains(&index) {
                for part in parts(op, shares) {
                    self.share(&part, None)?;
                }
                return Ok(true);
            }
            if let Some(crossing) = shares.crossings.get(&index) {
                return self.cross(op, crossing).map(|()| true);
            }
            if let Some(reducer) = shares.reductions.get(&index) {
                return self.share(op, Some(*reducer)).map(|()| true);
            }
        }
        if !op.results.is_empty() || !has_stores(op) || shares.within(op) {
            return Ok(false);
        }
        self.code.open_block(&[]);
        self.is_alone = true;
        let done = self.translate_op(op);
        self.is_alone = false;
        let body = self.code.close_block(&[]);
        self.code.parallel(&[], body);
        self.leave(op);
        done.map(|()| true)
    }

    /// Forgets what an op defines, because the block that it stands in is closed: the same scalars may be computed once more for another phase, and
    /// until then nothing may be taken for known that only the work items of this one know.
    fn leave(&mut self, op: &Op) {
        let mut defined = HashSet::new();
        define(op, &mut defined);
        self.scope.retain(|value, _| !defined.contains(value));
    }

    /// The loop as a `reduce` of the work item that it is in, if it combines what may be combined in any order.
    pub(crate) fn summed(&mut self, op: &Op) -> Result<bool, Refusal> {
        let index = op.regions[0].parameters[0];
        let Some(reducer) = self.reductions.get(&index).filter(|_| self.is_alone && !self.is_summing) else {
            return Ok(false);
        };
        self.share(op, Some(*reducer)).map(|()| true)
    }

    fn share(&mut self, op: &Op, reducer: Option<Reducer>) -> Result<(), Refusal> {
        let axes = self.axes_of(op, reducer.is_some())?;
        let n_accesses = self.nest.access_ids().count();
        let parameters = self.code.open_block(&vec![DType::I64; axes.loops.len()]);
        let around = (self.is_alone, self.is_summing);
        (self.is_alone, self.is_summing) = (true, reducer.is_some());
        let body = self.body_of(&axes, &parameters, reducer);
        (self.is_alone, self.is_summing) = around;
        self.within = axes.around;
        let mut body = self.code.close_block(&body?);
        self.leave(op);
        match reducer {
            None => {
                let (mut extents, last) = (axes.extents.clone(), self.fastest(&axes, n_accesses));
                for axes in [&mut extents, &mut body.parameters] {
                    let moved = axes.remove(last);
                    axes.push(moved);
                }
                self.code.parallel(&extents, body);
            }
            Some(reducer) => {
                let total = self.code.reduce(reducer, &axes.extents, body);
                self.bind_results(&op.results, &[total]);
            }
        }
        Ok(())
    }

    /// The axis along which most accesses since the first `n` go from an element to its neighbour, as arrays in C order lie; the innermost of several.
    fn fastest(&self, axes: &Axes, n: usize) -> usize {
        let mut scores = vec![0; axes.loops.len()];
        for id in self.nest.access_ids().skip(n) {
            let Some(Subscript::Index(last)) = self.nest.access(id).subscripts.last() else { continue };
            for (axis, level) in axes.loops.iter().enumerate() {
                let index = self.loops.get(&level.regions[0].parameters[0]).map(|id| Variable::Index(*id));
                let is_next = |(v, factor): &(Variable, i64)| Some(*v) == index && factor.abs() == 1;
                scores[axis] += usize::from(last.terms().iter().any(is_next));
            }
        }
        let best = scores.iter().max().copied().unwrap_or_default();
        scores.iter().rposition(|score| *score == best).unwrap_or_default()
    }

    fn cross(&mut self, op: &Op, crossing: &'f Crossing) -> Result<(), Refusal> {
        let (origin, extent) = (self.val(crossing.origin)?, self.val(crossing.extent)?);
        let work_item = self.code.open_block(&[DType::I64])[0];
        let index = self.code.op(ScalarOp::Add, &[origin, work_item]);
        self.crossing = Some((crossing, index));
        self.is_alone = true;
        let done = self.translate_op(op);
        self.is_alone = false;
        self.crossing = None;
        let body = self.code.close_block(&[]);
        self.code.parallel(&[extent], body);
        self.leave(op);
        done
    }

    /// The loops that are the axes: one in another, as long as their bounds are known outside of all.
    fn axes_of<'o>(&mut self, op: &'o Op, is_reduction: bool) -> Result<Axes<'o>, Refusal> {
        let mut axes = Axes { loops: vec![], places: vec![], extents: vec![], indices: vec![], around: self.within };
        let mut level = op;
        loop {
            let region = &level.regions[0];
            let (id, affine) = self.open_loop(region.parameters[0], &level.operands[..3])?;
            self.within = Some(id);
            let (lower, upper) = (self.val(level.operands[0])?, self.val(level.operands[1])?);
            let step = self.index(level.operands[2])?.affine.and_then(|a| a.as_constant()).filter(|n| *n != 0);
            let step = step.ok_or(Refusal("a step that nobody knows"))?;
            axes.extents.push(self.count(lower, upper, step)?);
            axes.places.push((lower, step));
            axes.indices.push(affine);
            axes.loops.push(level);
            let inner = if is_reduction { inner_reduction(region) } else { the_loop(region) };
            let is_next = |inner: &&Op| {
                self.shares.is_some_and(|shares| shares.has(inner))
                    && inner.results.is_empty() != is_reduction
                    && inner.operands[..3].iter().all(|v| self.scope.contains_key(v))
            };
            match inner.filter(is_next) {
                Some(inner) if axes.loops.len() < MAX_AXES => level = inner,
                _ => return Ok(axes),
            }
        }
    }

    /// How many iterations a loop with a known step has; negative or 0: none.
    fn count(&mut self, lower: Val, upper: Val, step: i64) -> Result<Val, Refusal> {
        let (from, to) = if step > 0 { (lower, upper) } else { (upper, lower) };
        let distance = self.code.op(ScalarOp::Sub, &[to, from]);
        let size = step.checked_abs().ok_or(Refusal("large numbers"))?;
        if size == 1 {
            return Ok(distance);
        }
        let (rest, size) = (self.code.integer(size - 1), self.code.integer(size));
        let rounded = self.code.op(ScalarOp::Add, &[distance, rest]);
        Ok(self.code.op(ScalarOp::FloorDiv, &[rounded, size]))
    }

    /// What is done at an index; the value that a reduction takes of it.
    fn body_of(&mut self, axes: &Axes, parameters: &[Val], reducer: Option<Reducer>) -> Result<Vec<Val>, Refusal> {
        for (n, level) in axes.loops.iter().enumerate() {
            let region = &level.regions[0];
            let (lower, step) = axes.places[n];
            let step = self.code.integer(step);
            let moved = self.code.op(ScalarOp::Mul, &[parameters[n], step]);
            let index = self.code.op(ScalarOp::Add, &[lower, moved]);
            self.bind_scalar(region.parameters[0], index, axes.indices[n].clone(), None);
            if let (Some(reducer), Some(total)) = (reducer, region.parameters.get(1)) {
                let dtype = self.function.ty(*total).dtype();
                let identity = self.code.constant(reducer.identity(dtype), dtype);
                self.bind_scalar(*total, identity, None, None);
            }
            let next = axes.loops.get(n + 1).map(|inner| inner.regions[0].parameters[0]);
            let is_next =
                |op: &Op| next.is_some() && op.regions.first().is_some_and(|r| r.parameters.first() == next.as_ref());
            for op in region.ops.iter().filter(|op| !op.kind.is_terminator() && !is_next(op)) {
                self.translate_op(op)?;
            }
            if next.is_none() && reducer.is_some() {
                return self.yields(region);
            }
        }
        Ok(Vec::new())
    }
}

/// For how many threads there is work in so many work items that sum up.
pub fn threads_for_sums(host: &mut HostProgram, work_items: ValueId) -> ValueId {
    host.multiple(work_items, THREADS_OF_SUM)
}

/// The nest of a cooperative program whose phases have so many work items at most, and those that sum up so many. Where work items sum up there is work for
/// more threads than work items.
pub(crate) fn cooperative_nest(
    function: &mut Function,
    program: Translation,
    (work_items, sums): (ValueId, ValueId),
    span: Span,
) -> Vec<Op> {
    let mut host = HostProgram::new(function, span);
    let mut extent = work_items;
    if program.code.sums_in_work_items() {
        let threads = threads_for_sums(&mut host, sums);
        extent = host.scalar(OpKind::Scalar(ScalarOp::Max), vec![work_items, threads], DType::I64);
    }
    let mut ops = std::mem::take(&mut host.ops);
    ops.push(nest(program, vec![extent], span));
    ops
}

/// The loop that goes on with a reduction's total and is all that is left of it.
fn inner_reduction(region: &Region) -> Option<&Op> {
    let (total, [yielded]) = (region.parameters.get(1)?, terminator_operands(region)) else { return None };
    region
        .ops
        .iter()
        .find(|op| op.kind == OpKind::For && op.operands.get(3..) == Some(&[*total]) && op.results == [*yielded])
}

/// A parallel loop as loops one after the other, where all that one of them does is a parallel loop in it, so that its work items have two axes: iterations
/// do not depend on each other, and each does the parts in order. Scalars that cost nothing are computed in every part; others do not cross.
pub fn parts(op: &Op, shares: &Shares) -> Vec<Op> {
    let region = &op.regions[0];
    let is_free = |op: &Op| op.kind.is_pure_scalar_or_view() || op.kind.is_terminator();
    let is_kept = |op: &Op| is_free(op) || matches!(op.kind, OpKind::Check { .. });
    let own = &region.parameters[..1];
    let inner = |op: &Op| {
        let is_shared = op.kind == OpKind::For && shares.parallel.contains(&op.regions[0].parameters[0]);
        is_shared && op.operands[..3].iter().all(|v| !own.contains(v) && !defines(region, *v))
    };
    let effects: Vec<usize> = (0..region.ops.len()).filter(|n| !is_kept(&region.ops[*n])).collect();
    let before = match effects[..] {
        [.., before, last] if inner(&region.ops[last]) => before,
        [first, _, ..] if inner(&region.ops[first]) => first,
        _ => match effects.iter().position(|n| inner(&region.ops[*n])) {
            Some(n) if n > 0 => effects[n - 1],
            _ => return vec![op.clone()],
        },
    };
    let mut lost: HashSet<ValueId> = HashSet::new();
    let mut later = Vec::new();
    for op in &region.ops[..=before] {
        if is_free(op) && !op.operands.iter().any(|v| lost.contains(v)) {
            later.push(op.clone());
        } else {
            lost.extend(&op.results);
        }
    }
    later.extend_from_slice(&region.ops[before + 1..]);
    let mut is_whole = true;
    let mut visit = |op: &Op| is_whole &= !op.operands.iter().any(|v| lost.contains(v));
    later.iter().for_each(|op| {
        visit(op);
        op.regions.iter().for_each(|nested| for_each_op(nested, &mut visit));
    });
    if !is_whole || !region.ops[..=before].iter().any(has_stores) {
        return vec![op.clone()];
    }
    let mut first = region.ops[..=before].to_vec();
    first.extend(region.ops.last().filter(|op| op.kind.is_terminator()).cloned());
    let part = |ops: Vec<Op>| Op { regions: vec![Region { parameters: region.parameters.clone(), ops }], ..op.clone() };
    [part(first), part(later)].iter().flat_map(|part| parts(part, shares)).collect()
}

/// Whether an op of a region, not one nested in it, defines a value.
fn defines(region: &Region, value: ValueId) -> bool {
    region.ops.iter().any(|op| op.results.contains(&value))
}

/// The loop that is all a region does. Checks are made before.
fn the_loop(region: &Region) -> Option<&Op> {
    let is_effect = |op: &&Op| {
        !op.kind.is_pure_scalar_or_view() && !op.kind.is_terminator() && !matches!(op.kind, OpKind::Check { .. })
    };
    let mut effects = region.ops.iter().filter(is_effect);
    let (first, second) = (effects.next()?, effects.next());
    (second.is_none() && first.kind == OpKind::For).then_some(first)
}
