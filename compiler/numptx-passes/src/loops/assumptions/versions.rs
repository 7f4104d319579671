//! Versions of a loop, and what becomes of its nests where a check fails.
//!
//! In: the loop as nests, and its guard. Out: a version of the loop; an `if` for each of several versions. The last one's other branch is the loop as it is
//! written. Where work items make checks themselves, the nests share one fault, which the host looks at once, when all of them were started. Then
//!
//! - a nest of one work item that is all there is has done just what the loop did until that check, so the host raises what it tells;
//! - other nests may have done more or less, so what they wrote is restored from copies, and the next version runs; in the end the loop raises as it is
//!   written. No copy is made of fresh arrays that the loop does not read: nobody sees them once an exception is raised.

use numptx_ir::DType;
use numptx_ir::array::{ArrayType, Layout, Map, Op, OpKind, Order, Region, Store, Type, ValueId};
use numptx_ir::scalar::{Body, Constant, ScalarOp, zero};
use numptx_source::Span;

use crate::analysis::points_to::reads_any;
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::function::FormNests;
use crate::loops::nest::program::{Raised, Translation};
use crate::loops::programs::Guard;
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

    /// The ops of a loop's versions.
    pub fn ops_of(&mut self, op: &Op, versions: Versions) -> Vec<Op> {
        let Versions { all, as_written } = versions;
        let mut ops = vec![as_written.unwrap_or_else(|| op.clone())];
        for Version { mut before, guard, then } in all.into_iter().rev() {
            let names = self.rename(&mut ops);
            ops.push(yielding(op.results.iter().map(|v| names.resolve(*v)).collect(), op.span));
            let regions = [then, ops].map(|ops| Region { parameters: Vec::new(), ops });
            let (operands, results) = (vec![guard], op.results.clone());
            before.push(Op { kind: OpKind::If, operands, results, regions: regions.into(), span: op.span });
            ops = before;
        }
        ops
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

    /// A version whose work items make checks. Where one fails, what it stored is restored, and the next version runs.
    pub(crate) fn checked(&mut self, op: &Op, nests: Nests, whole: &Translation) -> Version {
        let span = op.span;
        let mut then = nests.before;
        self.zeroed(self.draft.fault, span, &mut then);
        let copies = self.copies(op, whole, &mut then);
        then.extend(nests.placed);
        let fault = self.draft.fault;
        let mut host = HostProgram::new(self.function, span);
        let found = host.scalar(OpKind::Item, vec![fault], DType::I64);
        let zero = host.number(0);
        let is_done = host.scalar(OpKind::Scalar(ScalarOp::Eq), vec![found, zero], DType::Bool);
        then.append(&mut host.ops);
        if !copies.is_empty() {
            then.push(choice(is_done, [Vec::new(), copies], [Vec::new(), Vec::new()], Vec::new(), span));
        }
        let Guard { mut before, holds, .. } = nests.guard;
        let version = self.where_done(op, holds, then, [vec![is_done], nests.results].concat());
        before.extend(version.before);
        Version { before, ..version }
    }

    /// A version of a loop that is right where it says so at its end. `yields`: whether it is, and then the values of the loop's results.
    pub(crate) fn where_done(&mut self, op: &Op, guard: ValueId, then: Vec<Op>, yields: Vec<ValueId>) -> Version {
        let span = op.span;
        let mut host = HostProgram::new(self.function, span);
        let not_done = host.scalar(OpKind::Constant(Constant::Bool(false)), Vec::new(), DType::Bool);
        let mut otherwise = std::mem::take(&mut host.ops);
        let nothing: Vec<ValueId> = op.results.iter().map(|v| self.nothing(*v, span, &mut otherwise)).collect();
        let is_done = self.function.add_value(Type::Scalar(DType::Bool));
        let mut values = Vec::with_capacity(op.results.len());
        for result in &op.results {
            let value = self.function.add_value(self.function.ty(*result));
            self.known.points_to.add_alias(value, *result);
            values.push(value);
        }
        let found = [&[is_done][..], &values].concat();
        let first = choice(guard, [then, otherwise], [yields, [vec![not_done], nothing].concat()], found, span);
        Version { before: vec![first], guard: is_done, then: vec![yielding(values, span)] }
    }

    /// A value of a result's type that nobody looks at.
    fn nothing(&mut self, result: ValueId, span: Span, ops: &mut Vec<Op>) -> ValueId {
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

    /// Copies what a loop writes and somebody might see or the loop itself reads; what restores it. Nests may read copies where the loop as it is written
    /// reads the array.
    fn copies(&mut self, op: &Op, whole: &Translation, ops: &mut Vec<Op>) -> Vec<Op> {
        let (mut restoring, span) = (Vec::new(), op.span);
        for (n, array) in whole.tables.iter().enumerate() {
            let is_it = |v| self.function.array(v).is_some() && !self.facts.apart.are(*array, v, &self.known.points_to);
            let is_read = whole.code.loads(n) || reads_any(op, &is_it);
            if !whole.code.stores(n) || *array == self.draft.fault || (self.is_unseen(*array) && !is_read) {
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
#[derive(Debug)]
pub struct Version {
    /// What is computed before it.
    pub before: Vec<Op>,
    /// Whether it is taken.
    pub guard: ValueId,
    /// What it does. It yields values for the results of the loop.
    pub then: Vec<Op>,
}

/// A loop as kernels: the first version is taken whose guard holds, and where none does the loop as it is written.
#[derive(Debug)]
pub struct Versions {
    /// One version at least, in the order in which they are asked.
    pub all: Vec<Version>,
    /// The loop as it is written, with what is in it formed. `None`: as it is.
    pub as_written: Option<Op>,
}

impl From<Version> for Versions {
    fn from(version: Version) -> Self {
        Versions { all: vec![version], as_written: None }
    }
}

impl Versions {
    /// These, after ops that compute what they need.
    pub fn after(mut self, mut ops: Vec<Op>) -> Self {
        if let Some(first) = self.all.first_mut() {
            ops.append(&mut first.before);
            first.before = ops;
        }
        self
    }

    /// These; where none is taken, others.
    pub fn or(mut self, others: Versions) -> Self {
        self.all.extend(others.all);
        Versions { as_written: others.as_written.or(self.as_written), ..self }
    }

    /// These; where none is taken, others, if there are any.
    pub fn or_any<E>(self, others: Result<Versions, E>) -> Self {
        match others {
            Ok(others) => self.or(others),
            Err(_) => self,
        }
    }
}

/// A loop's nests.
pub(crate) struct Nests {
    /// Whether they are right.
    pub guard: Guard,
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
