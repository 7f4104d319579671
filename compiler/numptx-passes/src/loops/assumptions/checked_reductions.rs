//! Reductions that take part of what they need from the loop as it is written: where a check fails at a work item, and where there are few iterations.
//!
//! In: a loop as a reduction, which finds out beside its values whether a check fails. Out: its results where none does, else the loop, which raises
//! where it did: it has stored nothing, so that it may begin again. A loop that reads no elements is worth a reduction only where it has many iterations:
//! the host runs it otherwise.

use std::cmp::Ordering;
use std::collections::HashMap;

use numptx_ir::DType;
use numptx_ir::array::{ErrorKind, Op, OpKind, Type, ValueId};
use numptx_ir::scalar::{Constant, ScalarOp};
use numptx_source::Span;

use crate::loops::assumptions::guards::HostProgram;
use crate::loops::assumptions::kinds::{Assumption, Kind};
use crate::loops::assumptions::versions::Version;
use crate::loops::dependence::{LoopId, Nest, Step};
use crate::loops::function::FormNests;
use crate::loops::idioms::recurrences::flow::Recurrences;
use crate::loops::nest::iterations::trip_count;
use crate::loops::nest::program::Translation;
use crate::loops::schedule::cost::MANY_ITERATIONS;

impl FormNests<'_> {
    /// What a reduction gives where `guard` holds and no check fails. `then` yields after the loop's results whether one fails.
    pub(crate) fn where_checks_hold(&mut self, op: &Op, guard: ValueId, mut then: Vec<Op>) -> Option<Version> {
        let (fails, results) = then.pop()?.operands.split_last().map(|(fails, results)| (*fails, results.to_vec()))?;
        let mut host = HostProgram::new(self.function, op.span);
        let holds = host.scalar(OpKind::Scalar(ScalarOp::BitNot), vec![fails], DType::Bool);
        then.append(&mut host.ops);
        Some(self.where_done(op, guard, then, [vec![holds], results].concat()))
    }
}

impl FormNests<'_> {
    /// What has to hold for the first of each two carried values not to be larger than the second before the loop; `None` where it is.
    pub(crate) fn begin_in_order(
        &mut self,
        span: Span,
        pairs: &[[usize; 2]],
        initial: &[ValueId],
        before: &mut Vec<Op>,
    ) -> Option<Vec<Assumption>> {
        let mut conditions = Vec::new();
        for pair in pairs {
            let pair = pair.map(|k| initial[k]);
            let [low, high] = pair.map(|v| self.known.same.get(&v).copied().unwrap_or(v));
            let is_wide = self.function.ty(low).dtype() == DType::U64;
            let numbers = self.known.constants.get(&low).zip(self.known.constants.get(&high));
            match numbers.filter(|_| !is_wide).and_then(|(low, high)| is_in_order(*low, *high)) {
                Some(true) => continue,
                Some(false) => return None,
                None if low == high => continue,
                None => {}
            }
            let mut host = HostProgram::new(self.function, span);
            let [low, high] = [low, high].map(|v| if matches!(host.ty(v), Type::Array(_)) { host.item(v) } else { v });
            let is_larger = host.scalar(OpKind::Scalar(ScalarOp::Lt), vec![high, low], DType::Bool);
            let is_in_order = host.scalar(OpKind::Scalar(ScalarOp::BitNot), vec![is_larger], DType::Bool);
            conditions.push(Assumption::holds(Kind::AsWritten, is_in_order));
            before.append(&mut host.ops);
        }
        Some(conditions)
    }
}

/// Whether a number is not larger than another one.
fn is_in_order(low: Constant, high: Constant) -> Option<bool> {
    match (low, high) {
        (Constant::Int(low), Constant::Int(high)) => Some(low <= high),
        (Constant::Float(low), Constant::Float(high)) => Some(low.partial_cmp(&high) != Some(Ordering::Greater)),
        _ => None,
    }
}

impl HostProgram<'_> {
    /// What has to hold for checks to be made at work items: that there is an element where no check lets a work item read its own. `extents`: by array and
    /// axis.
    pub(crate) fn checkable(
        &mut self,
        found: &Recurrences,
        whole: &Translation,
        extents: &HashMap<(ValueId, usize), ValueId>,
    ) -> Option<Vec<Assumption>> {
        let mut conditions = Vec::new();
        for table in &found.checked_tables {
            let array = *whole.tables.get(*table as usize)?;
            for axis in 0..self.array(array)?.rank {
                let known = extents.get(&(array, axis)).copied();
                let extent = known.unwrap_or_else(|| self.scalar(OpKind::Dim(axis), vec![array], DType::I64));
                let zero = self.number(0);
                let has_any = self.scalar(OpKind::Scalar(ScalarOp::Gt), vec![extent, zero], DType::Bool);
                conditions.push(Assumption::holds(Kind::InBounds, has_any));
            }
        }
        Some(conditions)
    }

    /// Whether loops in each other have many iterations.
    pub(crate) fn are_many(&mut self, whole: &Translation, ids: &[LoopId]) -> Option<ValueId> {
        let many = self.number(MANY_ITERATIONS);
        let (first, rest) = ids.split_first()?;
        let mut all = trip_count(self, whole, *first)?;
        for id in rest {
            let n = trip_count(self, whole, *id)?;
            // Of a few loops this does not overflow.
            let [a, b] = [all, n].map(|n| self.scalar(OpKind::Scalar(ScalarOp::Min), vec![n, many], DType::I64));
            all = self.scalar(OpKind::Scalar(ScalarOp::Mul), vec![a, b], DType::I64);
        }
        Some(self.scalar(OpKind::Scalar(ScalarOp::Ge), vec![all, many], DType::Bool))
    }
}

/// Whether loops in each other are not known to have few iterations.
pub(crate) fn may_be_many(whole: &Translation, ids: &[LoopId]) -> bool {
    ids.iter()
        .try_fold(1_i128, |all, id| Some(all.saturating_mul(known_count(&whole.nest, *id)?)))
        .is_none_or(|all| all >= i128::from(MANY_ITERATIONS))
}

/// How many iterations a loop has, if that is known.
fn known_count(nest: &Nest, id: LoopId) -> Option<i128> {
    let of = nest.loop_of(id);
    let ([upper], Step::Known(step)) = (of.upper.as_slice(), of.step) else { return None };
    let [lower, upper] = [&of.lower, upper].map(|bound| bound.as_constant().map(i128::from));
    let (lower, upper, step) = (lower?, upper?, i128::from(step));
    let distance = if step > 0 { upper - lower } else { lower - upper };
    (distance.max(0) + step.abs() - 1).checked_div(step.abs())
}

/// Whether checks of carried values only say that ints became too large.
pub(crate) fn carried_checks_are_of_sizes(found: &Recurrences, whole: &Translation) -> bool {
    found.carried_checks.iter().all(|n| match whole.raised.get(*n).map(|raised| &raised.kind) {
        Some(OpKind::Check { kind, message }) => {
            *kind == ErrorKind::Overflow && message.starts_with("Python int is too large")
        }
        _ => false,
    })
}
