//! What becomes of a loop's nests where a check fails.
//!
//! In: the loop as nests, and as it was. Out: an `if` on what was required before the loop. Where work items make checks themselves, the nests share one
//! fault, which the host looks at once, when all of them were started. Then
//!
//! - a nest of one work item that is all there is has done just what the loop did until that check, so the host raises what it tells;
//! - other nests may have done more or less, so what they wrote is restored from copies, and the loop runs as it was, and raises. No copy is made of
//!   fresh arrays that the loop does not read: nobody sees them once an exception is raised.

use numptx_ir::DType;
use numptx_ir::array::{ArrayType, Layout, Map, Op, OpKind, Order, Region, Store, Type, ValueId};
use numptx_ir::scalar::{Body, Constant, ScalarOp, zero};
use numptx_source::Span;

use crate::loops::assumptions::guards::HostProgram;
use crate::loops::function::FormNests;
use crate::loops::nest::program::{Raised, Translation};
use crate::loops::schedule::plan::Plan;
use crate::rewrite::emit::yielding;

impl FormNests<'_> {
    /// A name for an array that work items set where a check fails.
    pub fn new_fault(&mut self) -> ValueId {
        self.new_array(DType::I64, 0)
    }

    fn new_array(&mut self, dtype: DType, rank: usize) -> ValueId {
        let ty = ArrayType { dtype, rank, layout: Layout::C, writable: true };
        let array = self.function.add_value(Type::Array(ty));
        self.known.points_to.add_fresh(array);
        array
    }

    /// `then` where `guard` holds, else the loop as it was.
    pub fn versions(&mut self, op: &Op, guard: ValueId, then: Vec<Op>) -> Op {
        let known = self
            .attempt
            .fallback
            .as_ref()
            .or(self.attempt.without_assumptions.as_ref())
            .or(self.attempt.not_delinearised.as_ref());
        let mut otherwise = known.cloned().unwrap_or_else(|| vec![op.clone()]);
        let names = self.rename(&mut otherwise);
        let yields = op.results.iter().map(|v| names.resolve(*v)).collect();
        otherwise.push(yielding(yields, op.span));
        let regions = [then, otherwise].map(|ops| Region { parameters: Vec::new(), ops });
        let results = op.results.clone();
        Op { kind: OpKind::If, operands: vec![guard], results, regions: regions.into(), span: op.span }
    }

    /// The loop as a nest of one work item, and the exceptions of the checks that the work item makes; `None` if it makes none, or their messages are not
    /// to be told.
    pub fn raising(&mut self, op: &Op, plan: &Plan) -> Option<Vec<Op>> {
        if self.draft.at_work_items.is_empty() {
            return None;
        }
        let payload = self.new_array(DType::I64, 1);
        let mut tried = self.tried(|pass| pass.alone(plan, vec![op.clone()], &op.results, Some(payload)));
        let alone = tried.value.take()?;
        // A check without words is no exception: where it fails the loop runs as it did.
        let is_silent = |kind: &OpKind| matches!(kind, OpKind::Check { message, .. } if message.is_empty());
        if alone.raised.iter().any(|raised| is_silent(&raised.kind)) {
            return None;
        }
        self.keep(tried);
        let mut ops = alone.before;
        self.zeroed(self.draft.fault, op.span, &mut ops);
        let fault = self.draft.fault;
        let mut host = HostProgram::new(self.function, op.span);
        let n = alone.raised.iter().map(|raised| raised.payload.len()).max().unwrap_or(0);
        if n > 0 {
            let extent = host.number(n as i64);
            host.push(OpKind::Alloc { dtype: DType::I64, order: Order::C }, vec![extent], vec![payload]);
        }
        host.ops.push(alone.nest);
        let found = host.scalar(OpKind::Item, vec![fault], DType::I64);
        let zero = host.number(0);
        let has_failed = host.scalar(OpKind::Scalar(ScalarOp::Ne), vec![found, zero], DType::Bool);
        ops.append(&mut host.ops);
        for (number, raised) in alone.raised.iter().enumerate() {
            host.raise(raised, (found, number as i64 + 1), payload);
        }
        let then = std::mem::take(&mut host.ops);
        ops.push(choice(has_failed, [then, Vec::new()], [Vec::new(), Vec::new()], Vec::new(), op.span));
        ops.extend(alone.results);
        Some(ops)
    }

    /// A version of a loop whose work items make checks, and the loop as it was, where that is not taken or a check failed.
    pub fn checked(&mut self, op: &Op, version: Version, whole: &Translation) -> [Op; 2] {
        let span = op.span;
        let mut then = version.before;
        self.zeroed(self.draft.fault, span, &mut then);
        let copies = self.copies(whole, span, &mut then);
        then.extend(version.placed);
        let fault = self.draft.fault;
        let mut host = HostProgram::new(self.function, span);
        let found = host.scalar(OpKind::Item, vec![fault], DType::I64);
        let zero = host.number(0);
        let is_done = host.scalar(OpKind::Scalar(ScalarOp::Eq), vec![found, zero], DType::Bool);
        then.append(&mut host.ops);
        if !copies.is_empty() {
            then.push(choice(is_done, [Vec::new(), copies], [Vec::new(), Vec::new()], Vec::new(), span));
        }
        let not_done = host.scalar(OpKind::Constant(Constant::Bool(false)), Vec::new(), DType::Bool);
        let mut otherwise = std::mem::take(&mut host.ops);
        let nothing: Vec<ValueId> = op.results.iter().map(|v| self.nothing(*v, span, &mut otherwise)).collect();
        let mut found = vec![self.function.add_value(Type::Scalar(DType::Bool))];
        for result in &op.results {
            let value = self.function.add_value(self.function.ty(*result));
            self.known.points_to.add_alias(value, *result);
            found.push(value);
        }
        let yields = [[vec![is_done], version.results].concat(), [vec![not_done], nothing].concat()];
        let first = choice(version.guard, [then, otherwise], yields, found.clone(), span);
        let done = vec![yielding(found[1..].to_vec(), span)];
        [first, self.versions(op, found[0], done)]
    }

    /// A value of a result's type that nobody looks at.
    pub(crate) fn nothing(&mut self, result: ValueId, span: Span, ops: &mut Vec<Op>) -> ValueId {
        let ty = self.function.ty(result);
        let value = self.function.add_value(ty);
        match ty {
            Type::Array(_) => self.zeroed(value, span, ops),
            Type::Scalar(_) | Type::Object => {
                let dtype = ty.dtype();
                let kind = OpKind::Constant(zero(dtype));
                ops.push(Op { kind, operands: vec![], results: vec![value], regions: vec![], span });
            }
        }
        value
    }

    /// Copies what a loop writes and somebody might see or the loop itself read; what restores it.
    fn copies(&mut self, whole: &Translation, span: Span, ops: &mut Vec<Op>) -> Vec<Op> {
        let mut restoring = Vec::new();
        for (n, array) in whole.tables.iter().enumerate() {
            if !whole.code.stores(n) || *array == self.draft.fault || (self.is_unseen(*array) && !whole.code.loads(n)) {
                continue;
            }
            let Type::Array(ty) = self.function.ty(*array) else { continue };
            let body = Body::identity(ty.dtype);
            let copy = self.function.add_value(Type::Array(ArrayType { layout: Layout::C, writable: true, ..ty }));
            let mut host = HostProgram::new(self.function, span);
            let extents: Vec<ValueId> =
                (0..ty.rank).map(|axis| host.scalar(OpKind::Dim(axis), vec![*array], DType::I64)).collect();
            let map = Map { rank: ty.rank, body: body.clone(), order: Order::C };
            host.push(OpKind::Map(Box::new(map)), [&extents[..], &[*array]].concat(), vec![copy]);
            ops.append(&mut host.ops);
            let store = OpKind::Store(Box::new(Store { rank: ty.rank, body }));
            host.push(store, [&extents[..], &[*array, copy]].concat(), Vec::new());
            restoring.append(&mut host.ops);
        }
        restoring
    }

    /// Whether an array is of this call alone: nobody sees it once an exception is raised.
    fn is_unseen(&self, array: ValueId) -> bool {
        let locations = self.known.points_to.locations(array);
        !locations.is_empty() && locations.iter().all(|location| !self.function.parameters.contains(location))
    }
}

/// A version of a loop.
pub struct Version {
    /// Whether it is taken.
    pub guard: ValueId,
    /// What it needs before it.
    pub before: Vec<Op>,
    /// Nests, and what is around them.
    pub placed: Vec<Op>,
    /// What it gives for the results of the loop.
    pub results: Vec<ValueId>,
}

impl HostProgram<'_> {
    /// The exception of a check, if that is the one that failed.
    fn raise(&mut self, raised: &Raised, (found, number): (ValueId, i64), payload: ValueId) {
        let number = self.number(number);
        let holds = self.scalar(OpKind::Scalar(ScalarOp::Ne), vec![found, number], DType::Bool);
        let mut operands = vec![holds];
        for (n, dtype) in raised.payload.iter().enumerate() {
            let at = self.number(n as i64);
            let ty = ArrayType { dtype: DType::I64, rank: 0, layout: Layout::C, writable: true };
            let element = self.add_array(ty);
            self.push(OpKind::Index { axis: 0 }, vec![payload, at], vec![element]);
            let mut value = self.scalar(OpKind::Item, vec![element], DType::I64);
            if *dtype != DType::I64 {
                value = self.scalar(OpKind::Scalar(ScalarOp::Cast), vec![value], *dtype);
            }
            operands.push(value);
        }
        let span = raised.span;
        self.ops.push(Op { kind: raised.kind.clone(), operands, results: vec![], regions: vec![], span });
    }
}

/// `if`, with what its branches do and yield.
pub fn choice(
    condition: ValueId,
    branches: [Vec<Op>; 2],
    yields: [Vec<ValueId>; 2],
    results: Vec<ValueId>,
    span: Span,
) -> Op {
    let regions = branches.into_iter().zip(yields).map(|(mut ops, values)| {
        ops.push(yielding(values, span));
        Region { parameters: Vec::new(), ops }
    });
    Op { kind: OpKind::If, operands: vec![condition], results, regions: regions.collect(), span }
}

impl FormNests<'_> {
    /// Makes an array of rank 0 that holds 0.
    pub fn zeroed(&mut self, home: ValueId, span: Span, ops: &mut Vec<Op>) {
        let dtype = self.function.ty(home).dtype();
        let constant = self.function.add_value(Type::Scalar(dtype));
        let zero = zero(dtype);
        ops.push(Op { kind: OpKind::Constant(zero), operands: vec![], results: vec![constant], regions: vec![], span });
        let map = Map { rank: 0, body: Body::identity(dtype), order: Order::C };
        let kind = OpKind::Map(Box::new(map));
        ops.push(Op { kind, operands: vec![constant], results: vec![home], regions: vec![], span });
    }
}
