//! **Does**: moves allocations, and checks that a loop would make first, before the loop where all its iterations would do the same.
//! **Requires**: phase Host.
//! **Ensures**: an array over extents that a `for` loop does not change, used within one iteration only, is allocated once.
//! **Keeps**: values, exceptions and what was written before them: what is moved is evaluated only if the loop runs at all, and no check moves
//! past a write, another check or a loop.
//! **Example**: `for %0, %n, %1 (%i) { %t = alloc %m; launch (%t); yield }` becomes
//! `%t = if (%0 < %n) { alloc %m } else { alloc %0 }; for %0, %n, %1 (%i) { launch (%t); yield }`.
//!
//! `while` loops are left to `rotate-buffers`: whether they run is known too late.

use std::collections::{BTreeMap, BTreeSet};

use numptx_ir::DType;
use numptx_ir::array::{Function, Layout, Module, Op, OpKind, Order, Region, Type, ValueData, ValueId};
use numptx_ir::scalar::{Constant, ScalarOp};
use numptx_source::{InternalError, Span};

use crate::Pass;
use crate::analysis::points_to::PointsTo;
use crate::analysis::traverse::{Substitution, for_each_op, substitute};
use crate::host::rules::{Rule, holds};
use crate::source::remove_dead::remove_dead_ops;

/// See the file's header.
pub const HOIST_ALLOCATIONS: Pass =
    Pass::optional("hoist-allocations", "allocate once what every iteration needs", hoist_allocations);

fn hoist_allocations(module: &mut Module) -> Result<(), InternalError> {
    module.functions.iter_mut().for_each(hoist_in_function);
    Ok(())
}

fn hoist_in_function(function: &mut Function) {
    let points_to = PointsTo::of(function);
    let mut body = std::mem::take(&mut function.body);
    let mut constants = BTreeMap::new();
    for_each_op(&body, &mut |op| {
        if let OpKind::Constant(Constant::Int(n)) = op.kind {
            constants.insert(op.results[0], n);
        }
    });
    let mut hoist = Hoist { points_to, constants, values: &mut function.values, n_moved: 0 };
    hoist.region(&mut body);
    let n_moved = hoist.n_moved;
    function.body = body;
    if n_moved > 0 {
        remove_dead_ops(function);
    }
}

struct Hoist<'f> {
    points_to: PointsTo,
    constants: BTreeMap<ValueId, i64>,
    values: &'f mut Vec<ValueData>,
    n_moved: usize,
}

/// What precedes a place in a loop's body and stays there.
struct Before {
    /// No check: extents and indices are in range without one.
    is_unchecked: bool,
    /// Nothing that anybody could see.
    is_unseen: bool,
}

impl Hoist<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut ops = Vec::with_capacity(region.ops.len());
        for mut op in std::mem::take(&mut region.ops) {
            op.regions.iter_mut().for_each(|nested| self.region(nested));
            if matches!(op.kind, OpKind::For) {
                self.hoist(&mut op, &mut ops);
            }
            ops.push(op);
        }
        region.ops = ops;
    }

    /// Moves what can be moved out of a loop to the end of `before`.
    fn hoist(&mut self, op: &mut Op, before: &mut Vec<Op>) {
        let moved = self.movable(op);
        let body = &op.regions[0];
        let is_wanted = |op: &Op| matches!(op.kind, OpKind::Check { .. } | OpKind::Alloc { .. } | OpKind::If);
        let wanted: BTreeSet<usize> = moved.iter().copied().filter(|n| is_wanted(&body.ops[*n])).collect();
        if wanted.is_empty() {
            return;
        }
        self.n_moved += wanted.len();
        let needed = needed(&body.ops, &moved, &wanted);
        let then: Vec<Op> = needed.iter().map(|n| body.ops[*n].clone()).collect();
        let results: Vec<ValueId> = wanted.iter().flat_map(|n| &body.ops[*n].results).copied().collect();
        let guard = self.guarded(op, then, results);
        before.extend(guard);
        let mut position = 0;
        op.regions[0].ops.retain(|_| {
            position += 1;
            !wanted.contains(&(position - 1))
        });
    }

    /// Positions of the ops that would do the same before the loop, in order.
    fn movable(&self, op: &Op) -> Vec<usize> {
        let body = &op.regions[0];
        let mut inside: BTreeSet<ValueId> = body.parameters.iter().copied().collect();
        let mut before = Before { is_unchecked: true, is_unseen: true };
        let mut moved = Vec::new();
        for (index, op) in body.ops.iter().enumerate() {
            let mut used = op.operands.clone();
            op.regions.iter().for_each(|region| for_each_op(region, &mut |nested| used.extend(&nested.operands)));
            let is_invariant = !used.iter().any(|v| inside.contains(v)) || !holds(Rule::HoistWhatIsInvariant);
            if is_invariant && is_movable(op, &before) && self.stays(op, body) {
                moved.push(index);
                continue;
            }
            inside.extend(&op.results);
            let may_raise = |op: &Op| matches!(op.kind, OpKind::Check { .. } | OpKind::Call { .. } | OpKind::Object(_));
            before.is_unchecked &= !any(op, &may_raise);
            before.is_unseen &= !any(op, &is_seen);
        }
        moved
    }

    /// Whether no array that an op makes is handed to a loop, a branch, an object or the next iteration: it would be wanted anew there, or at least alone.
    /// Nor may another array take its memory, which an iteration cannot give away for all.
    fn stays(&self, op: &Op, body: &Region) -> bool {
        let mut made = Vec::new();
        for_each_nested(op, &mut |op| {
            if matches!(op.kind, OpKind::Alloc { .. }) {
                made.extend(&op.results);
            }
        });
        if made.is_empty() || !holds(Rule::HoistWhatStays) {
            return true;
        }
        let carries = |other: &Op| {
            let handed = match other.kind {
                OpKind::Yield | OpKind::For | OpKind::While | OpKind::Object(_) => other.operands.as_slice(),
                OpKind::Reuse { .. } => &other.operands[..1],
                _ => &[],
            };
            handed.iter().any(|v| made.iter().any(|m| self.points_to.locations(*v).contains(m)))
        };
        body.ops
            .iter()
            .filter(|other| other.results != op.results || op.results.is_empty())
            .all(|other| !any(other, &carries))
    }

    /// Ops that give `results`, evaluated as `then` does if the loop runs.
    fn guarded(&mut self, op: &Op, mut then: Vec<Op>, results: Vec<ValueId>) -> Vec<Op> {
        let span = op.span;
        if self.runs_always(op) || !holds(Rule::HoistForLoopsThatRun) {
            // What the loop still uses of the rest keeps its own.
            self.rename(&mut then, &results);
            return then;
        }
        let mut guard = Vec::new();
        let runs = self.runs(op, &mut guard);
        let new = self.rename(&mut then, &[]);
        let yielded = results.iter().map(|v| new.resolve(*v)).collect();
        then.push(plain(OpKind::Yield, yielded, Vec::new(), span));
        let otherwise = self.nothing(&results, span);
        let regions = [then, otherwise].map(|ops| Region { parameters: Vec::new(), ops });
        guard.push(Op { kind: OpKind::If, operands: vec![runs], results, regions: regions.into(), span });
        guard
    }

    /// Gives new names to all that ops define, but for `kept`.
    fn rename(&mut self, ops: &mut [Op], kept: &[ValueId]) -> Substitution {
        let mut names = Substitution::default();
        for op in ops.iter_mut() {
            self.rename_op(op, kept, &mut names);
        }
        names
    }

    fn rename_op(&mut self, op: &mut Op, kept: &[ValueId], names: &mut Substitution) {
        op.operands.iter_mut().for_each(|v| *v = names.resolve(*v));
        for region in &mut op.regions {
            substitute(region, names);
            region.ops.iter_mut().for_each(|nested| self.rename_op(nested, &[], names));
        }
        for result in op.results.iter_mut().filter(|v| !kept.contains(v)) {
            let data = self.values[result.0 as usize].clone();
            let new = self.value(data.ty);
            self.values[new.0 as usize].name = data.name;
            names.replace(*result, new);
            *result = new;
        }
    }

    fn value(&mut self, ty: Type) -> ValueId {
        self.values.push(ValueData { ty, name: None });
        ValueId(self.values.len() as u32 - 1)
    }

    fn scalar(&mut self, kind: OpKind, operands: Vec<ValueId>, dtype: DType, ops: &mut Vec<Op>, span: Span) -> ValueId {
        let result = self.value(Type::Scalar(dtype));
        ops.push(plain(kind, operands, vec![result], span));
        result
    }

    /// Whether the bounds of a loop are constants between which there is an iteration.
    fn runs_always(&self, op: &Op) -> bool {
        let constant = |n: usize| self.constants.get(&op.operands[n]);
        match (constant(0), constant(1), constant(2)) {
            (Some(lower), Some(upper), Some(step)) => (*step > 0 && lower < upper) || (*step < 0 && upper < lower),
            _ => false,
        }
    }

    /// Whether a `for` loop has an iteration.
    fn runs(&mut self, op: &Op, ops: &mut Vec<Op>) -> ValueId {
        let [lower, upper, step] = [op.operands[0], op.operands[1], op.operands[2]];
        let step_is = |known: fn(i64) -> bool| self.constants.get(&step).is_some_and(|n| known(*n));
        let (is_up, is_down) = (step_is(|n| n > 0), step_is(|n| n < 0));
        if is_up || is_down {
            let ends = if is_up { vec![lower, upper] } else { vec![upper, lower] };
            return self.scalar(OpKind::Scalar(ScalarOp::Lt), ends, DType::Bool, ops, op.span);
        }
        let zero = self.scalar(OpKind::Constant(Constant::Int(0)), Vec::new(), DType::I64, ops, op.span);
        let mut less =
            |a, b, ops: &mut Vec<Op>| self.scalar(OpKind::Scalar(ScalarOp::Lt), vec![a, b], DType::Bool, ops, op.span);
        let rises = less(zero, step, ops);
        let up = less(lower, upper, ops);
        let down = less(upper, lower, ops);
        self.scalar(OpKind::Scalar(ScalarOp::Select), vec![rises, up, down], DType::Bool, ops, op.span)
    }

    /// A region's ops that yield empty arrays.
    fn nothing(&mut self, arrays: &[ValueId], span: Span) -> Vec<Op> {
        let mut ops = Vec::new();
        let zero = self.scalar(OpKind::Constant(Constant::Int(0)), Vec::new(), DType::I64, &mut ops, span);
        let mut yielded = Vec::new();
        for array in arrays {
            let Type::Array(ty) = self.values[array.0 as usize].ty else { continue };
            let order = if ty.layout == Layout::F { Order::F } else { Order::C };
            // What typing makes of that order, which fits wherever the array's own layout does.
            let layout = if ty.layout == Layout::F { Layout::F } else { Layout::C };
            let layout = if ty.rank <= 1 { Layout::C } else { layout };
            let empty = self.value(Type::Array(numptx_ir::array::ArrayType { layout, ..ty }));
            let kind = OpKind::Alloc { dtype: ty.dtype, order };
            ops.push(plain(kind, vec![zero; ty.rank], vec![empty], span));
            yielded.push(empty);
        }
        ops.push(plain(OpKind::Yield, yielded, Vec::new(), span));
        ops
    }
}

fn plain(kind: OpKind, operands: Vec<ValueId>, results: Vec<ValueId>, span: Span) -> Op {
    Op { kind, operands, results, regions: Vec::new(), span }
}

fn for_each_nested<'o>(op: &'o Op, visit: &mut dyn FnMut(&'o Op)) {
    visit(op);
    op.regions.iter().for_each(|region| for_each_op(region, visit));
}

/// Whether an op, or one nested in it, is such.
fn any(op: &Op, is_such: &dyn Fn(&Op) -> bool) -> bool {
    let mut found = false;
    for_each_nested(op, &mut |op| found |= is_such(op));
    found
}

/// Whether a check that passes this op shows, should it fail.
fn is_seen(op: &Op) -> bool {
    let is_silent =
        matches!(op.kind, OpKind::Alloc { .. } | OpKind::Reuse { .. } | OpKind::Item | OpKind::If | OpKind::Yield);
    !(is_silent || op.kind.is_pure_scalar_or_view() || op.kind.is_view_or_copy())
}

/// Whether an op on invariant operands may be evaluated before the loop, given what would precede it there.
fn is_movable(op: &Op, before: &Before) -> bool {
    let one = |op: &Op| match op.kind {
        OpKind::Constant(_) | OpKind::Scalar(_) | OpKind::Dim(_) => true,
        OpKind::Check { .. } => before.is_unseen && before.is_unchecked || !holds(Rule::HoistChecksInOrder),
        OpKind::Alloc { .. } | OpKind::If => before.is_unchecked,
        // In range because of the checks before it.
        ref kind if kind.is_pure_scalar_or_view() => before.is_unchecked,
        _ => false,
    };
    let is_nested =
        |region: &Region| region.ops.iter().all(|op| op.regions.is_empty() && (one(op) || op.kind.is_terminator()));
    match op.kind {
        // Made by this pass for a loop inside.
        OpKind::If => {
            one(op) && op.regions.iter().all(is_nested) && any(op, &|op| matches!(op.kind, OpKind::Alloc { .. }))
        }
        _ => op.regions.is_empty() && one(op),
    }
}

/// The moved ops that the wanted ones need, themselves included.
fn needed(ops: &[Op], moved: &[usize], wanted: &BTreeSet<usize>) -> Vec<usize> {
    let mut used: BTreeSet<ValueId> = BTreeSet::new();
    let mut needed = Vec::new();
    for index in moved.iter().rev() {
        let op = &ops[*index];
        if wanted.contains(index) || op.results.iter().any(|v| used.contains(v)) {
            for_each_nested(op, &mut |op| used.extend(&op.operands));
            needed.push(*index);
        }
    }
    needed.reverse();
    needed
}
