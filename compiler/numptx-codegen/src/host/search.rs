//! `argmin` and `argmax` along a row: the best value of a block by vectors, and its position only where the block beats what came before.
//!
//! The body is computed again for the elements of the rare blocks that win.

use inkwell::IntPredicate;
use inkwell::values::{IntValue, PointerValue};
use numptx_ir::DType;
use numptx_ir::scalar::{Reducer, ScalarOp};

use super::pace::Step;
use super::reduce::Reduction;
use crate::accumulator::{Layout, Order};
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::value::Scalar;

/// A range of the last reduced axis.
pub(super) struct Row<'ctx, 'r> {
    pub reduction: &'r Reduction<'ctx, 'r>,
    /// Indices of the other axes.
    pub outer: &'r [IntValue<'ctx>],
    /// Addresses at index 0.
    pub bases: &'r [PointerValue<'ctx>],
    pub steps: &'r [Step<'ctx>],
    pub range: (IntValue<'ctx>, IntValue<'ctx>),
    /// Linear index of the first element of the range.
    pub from: IntValue<'ctx>,
}

/// Folds a row that is not empty into the accumulator in `open`.
pub(super) fn fold<'ctx>(e: &Emitter<'ctx, '_>, row: &Row<'ctx, '_>, open: &[PointerValue<'ctx>]) -> Emit<()> {
    let layout = row.reduction.layout;
    let [(reducer, dtype)] = layout.reducers.as_slice() else {
        return Err(bug("a search has one reducer"));
    };
    let best = row.best(e, if *reducer == Reducer::ArgMin { Reducer::Min } else { Reducer::Max }, *dtype)?;
    let [value, index] = e.read_accumulator(open, layout)?[..] else {
        return Err(bug("a search keeps a value and an index"));
    };
    let wins = e.second_wins(*reducer, *dtype, (value, index), (best, Scalar::Int(row.from)))?;
    e.when(wins, || {
        let at = row.position(e, best, *dtype)?;
        let index = e.add(row.from, e.sub(at, row.range.0)?)?;
        e.write_accumulator(open, layout, &[best, Scalar::Int(index)])
    })
}

impl<'ctx> Row<'ctx, '_> {
    fn element(&self, e: &Emitter<'ctx, '_>, i: IntValue<'ctx>) -> Emit<Scalar<'ctx>> {
        let mut indices = self.outer.to_vec();
        indices.push(i);
        let outputs = self.reduction.outputs_at(e, &indices, self.bases, self.steps, i)?;
        outputs.first().copied().ok_or_else(|| bug("a search has one output"))
    }

    /// The best value of the row.
    fn best(&self, e: &Emitter<'ctx, '_>, reducer: Reducer, dtype: DType) -> Emit<Scalar<'ctx>> {
        let layout = Layout::of_reducers(vec![(reducer, dtype)]);
        let slots = e.accumulator_slots(&layout, &e.identity(&layout)?)?;
        e.count(self.range, e.i64(1), None, |i| {
            let so_far = e.read_accumulator(&slots, &layout)?;
            let element = [self.element(e, i)?];
            e.write_accumulator(&slots, &layout, &e.combine(&layout, &so_far, &element, Order::Free)?)
        })?;
        e.read_accumulator(&slots, &layout)?.first().copied().ok_or_else(|| bug("a search has one value"))
    }

    /// The first index at which the row has a value. It has it, at the last index if not before.
    fn position(&self, e: &Emitter<'ctx, '_>, value: Scalar<'ctx>, dtype: DType) -> Emit<IntValue<'ctx>> {
        let (begin, end) = self.range;
        let last = e.sub(end, e.i64(1))?;
        let at = e.slot_with(begin, "at")?;
        e.repeat(
            || {
                let i = e.read_int(at, begin)?;
                let more = e.icmp(IntPredicate::SLT, i, last)?;
                e.and(more, e.not(self.is_same(e, self.element(e, i)?, value, dtype)?)?)
            },
            || e.write(at, e.add(e.read_int(at, begin)?, e.i64(1))?),
        )?;
        e.read_int(at, begin)
    }

    /// Equal, or both nan.
    fn is_same(&self, e: &Emitter<'ctx, '_>, a: Scalar<'ctx>, b: Scalar<'ctx>, dtype: DType) -> Emit<IntValue<'ctx>> {
        let equal = e.scalar_op(ScalarOp::Eq, &[(a, dtype), (b, dtype)], DType::Bool)?.int()?;
        match (a, b) {
            (Scalar::Float(a), Scalar::Float(b)) => e.or(equal, e.and(e.is_nan(a)?, e.is_nan(b)?)?),
            _ => Ok(equal),
        }
    }
}
