//! Slices of a loop whose bounds are as they are written: neither counted from the end nor beyond it.
//!
//! In: a loop. Out: the same with checks that say so before such slices, which start at the lower bound and end at the upper one, and before the least of
//! an integer that changes with the loop and one that does not, which is the former: for the version of a loop that runs where all of its checks hold.
//! A window that begins at the larger of two integers, as `x[max(0, i - r):min(n, i + r + 1)]`, is one that ends within the array, too: what such
//! a slice has beyond the end is left out, and not asked for.

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::array::{ErrorKind, Function, Op, OpKind, Type, ValueId};
use numptx_ir::scalar::{Constant, ScalarOp};

use crate::analysis::traverse::for_each_op;
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::emit::hoist::define;

/// Whether there is anything to replace in an op's regions.
pub fn has_bounds(function: &Function, constants: &HashMap<ValueId, Constant>, op: &Op) -> bool {
    let windows = Windows::of(op, constants);
    let mut has = false;
    let mut visit = |op: &Op| {
        has |= matches!(op.kind, OpKind::SliceBounds { .. }) || windows.least(function, op).is_some();
    };
    op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
    has
}

/// Replaces the slices with a step of 1 in an op's regions, and least integers.
pub fn take_bounds_as_written(function: &mut Function, constants: &HashMap<ValueId, Constant>, op: &mut Op) {
    let windows = Windows::of(op, constants);
    AsWritten { function, constants, windows }.regions(op);
}

/// What there is to know of the integers in a loop.
struct Windows {
    /// What is made in the loop, and so may change with it.
    inside: HashSet<ValueId>,
    /// The larger of two integers each: where windows begin.
    larger: HashSet<ValueId>,
    /// The upper bounds of slices that begin there, or that are tiles of a loop that goes from tile to tile, as `x[s:min(s + 64, n)]`.
    ends: HashSet<ValueId>,
}

impl Windows {
    fn of(op: &Op, constants: &HashMap<ValueId, Constant>) -> Windows {
        let (mut inside, mut larger, mut ends) = (HashSet::new(), HashSet::new(), HashSet::new());
        // Sums with what they are sums of, and the least of such a sum and another integer with that.
        let (mut beyond, mut tiles) = (HashMap::new(), HashSet::new());
        // Indices of loops that do not go from one to the next.
        let mut strided = HashSet::new();
        define(op, &mut inside);
        let mut visit = |op: &Op| match (&op.kind, op.operands.as_slice()) {
            (OpKind::For, [_, _, step, ..]) if constants.get(step).and_then(|step| step.as_int()) != Some(1) => {
                strided.insert(op.regions[0].parameters[0]);
            }
            (OpKind::Scalar(ScalarOp::Max), _) => larger.extend(&op.results),
            (OpKind::Scalar(ScalarOp::Add), [a, b]) => _ = beyond.insert(op.results[0], [*a, *b]),
            (OpKind::Scalar(ScalarOp::Min), of) => {
                let begins = of.iter().filter_map(|v| beyond.get(v)).flatten().filter(|v| strided.contains(v));
                tiles.extend(begins.map(|begin| (op.results[0], *begin)));
            }
            // The length of a slice of which more is known, or one with bounds of its own.
            (OpKind::Scalar(ScalarOp::Sub), [end, begin])
            | (OpKind::SliceBounds { lower: true, upper: true }, [begin, end, ..])
                if larger.contains(begin) || tiles.contains(&(*end, *begin)) =>
            {
                ends.insert(*end);
            }
            _ => {}
        };
        visit(op);
        op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
        Windows { inside, larger, ends }
    }

    /// Of the least of an integer that changes with the loop and one that does not, which ends no window: both, in this order.
    fn least(&self, function: &Function, op: &Op) -> Option<[ValueId; 2]> {
        let (OpKind::Scalar(ScalarOp::Min), [a, b]) = (&op.kind, op.operands.as_slice()) else { return None };
        if function.ty(op.results[0]) != Type::Scalar(DType::I64) || self.ends.contains(&op.results[0]) {
            return None;
        }
        match [a, b].map(|v| self.inside.contains(v)) {
            [true, false] => Some([*a, *b]),
            [false, true] => Some([*b, *a]),
            _ => None,
        }
    }
}

struct AsWritten<'f> {
    function: &'f mut Function,
    constants: &'f HashMap<ValueId, Constant>,
    windows: Windows,
}

impl AsWritten<'_> {
    fn regions(&mut self, op: &mut Op) {
        for region in &mut op.regions {
            let mut ops = Vec::with_capacity(region.ops.len());
            for mut nested in std::mem::take(&mut region.ops) {
                self.regions(&mut nested);
                match self.replaced(&nested) {
                    Some(replaced) => ops.extend(replaced),
                    None => ops.push(nested),
                }
            }
            region.ops = ops;
        }
    }

    fn replaced(&mut self, op: &Op) -> Option<Vec<Op>> {
        if let Some([changing, fixed]) = self.windows.least(self.function, op) {
            let mut host = HostProgram::new(self.function, op.span);
            required(&mut host, ScalarOp::Le, [changing, fixed]);
            let zero = host.number(0);
            host.push(OpKind::Scalar(ScalarOp::Add), vec![changing, zero], op.results.clone());
            return Some(host.ops);
        }
        let OpKind::SliceBounds { lower, upper } = op.kind else { return None };
        let (bounds, [step, extent]) = op.operands.split_at(usize::from(lower) + usize::from(upper)) else {
            return None;
        };
        if self.constants.get(step).and_then(|step| step.as_int()) != Some(1) {
            return None;
        }
        let lower = bounds.first().copied().filter(|_| lower);
        let upper = bounds.last().copied().filter(|_| upper);
        let is_window = lower.is_some_and(|lower| self.windows.larger.contains(&lower));
        let mut host = HostProgram::new(self.function, op.span);
        bounded(&mut host, ([lower, upper], is_window), *extent, [op.results[0], op.results[1]]);
        Some(host.ops)
    }
}

/// Start and length of a slice from `lower` to `upper`, or to the ends where there is none.
fn bounded(
    host: &mut HostProgram,
    ([lower, mut upper], is_window): ([Option<ValueId>; 2], bool),
    extent: ValueId,
    [start, length]: [ValueId; 2],
) {
    let zero = host.number(0);
    for bound in [lower, upper].into_iter().flatten() {
        required(host, ScalarOp::Ge, [bound, zero]);
    }
    match &mut upper {
        Some(upper) if is_window => {
            *upper = host.scalar(OpKind::Scalar(ScalarOp::Min), vec![*upper, extent], DType::I64);
        }
        Some(upper) => required(host, ScalarOp::Le, [*upper, extent]),
        None => {}
    }
    let [first, end] = [lower.unwrap_or(zero), upper.unwrap_or(extent)];
    let distance = host.scalar(OpKind::Scalar(ScalarOp::Sub), vec![end, first], DType::I64);
    host.push(OpKind::Scalar(ScalarOp::Add), vec![first, zero], vec![start]);
    host.push(OpKind::Scalar(ScalarOp::Max), vec![distance, zero], vec![length]);
}

/// A check, which is never raised: where it does not hold the other version of the loop runs.
fn required(host: &mut HostProgram, op: ScalarOp, operands: [ValueId; 2]) {
    let holds = host.scalar(OpKind::Scalar(op), operands.to_vec(), DType::Bool);
    host.push(OpKind::Check { kind: ErrorKind::Value, message: String::new() }, vec![holds], Vec::new());
}
