//! What is known of a function when its loops are taken apart, and what is known of the values that versions of loops add.
//!
//! In: a function of the placed phase. Out: [`Facts`], computed once and never changed, and [`ValueFacts`], which grows with the values that copies of loops
//! define. Decides nothing.

use std::collections::{HashMap, HashSet};

use numptx_ir::array::{Function, Op, OpKind, Region, ValueId};
use numptx_ir::scalar::Constant;
use numptx_source::Span;

use crate::analysis::apart::Apart;
use crate::analysis::constants::{constants_among, constants_of};
use crate::analysis::points_to::PointsTo;
use crate::analysis::ranges::Ranges;
use crate::analysis::traverse::{count_uses, for_each_op};
use crate::analysis::truths::Truths;
use crate::loops::assumptions::destinations::{Different, different_in};
use crate::loops::form_nests::contents::{extents_in, same_in, tests_in};
use crate::loops::nest::rows::broadcasts::Extents;
use crate::loops::nest::scope::{Sums, sums_among, sums_of};
use crate::loops::storage::cells::SeenMemory;

/// What holds of a function as it stands.
pub struct Facts {
    /// Which arrays share no memory though they may refer to the same.
    pub apart: Apart,
    /// Memory that others see.
    pub seen: SeenMemory,
    /// How often each value is used.
    pub uses: Vec<usize>,
    /// Comparisons for equality, and what is made of them.
    pub tests: HashMap<ValueId, Op>,
    /// Comparisons of numbers that say whether they differ.
    pub different: Different,
    /// Loops whose sums are reductions behind them.
    pub accumulating: HashSet<Span>,
}

impl Facts {
    /// Of a function. `points_to`: of the same.
    pub fn of(function: &Function, points_to: &PointsTo) -> Self {
        let body = &function.body;
        Facts {
            apart: Apart::of(function, points_to),
            seen: SeenMemory::of(function, points_to),
            uses: count_uses(function),
            tests: tests_in(body),
            different: different_in(body),
            accumulating: accumulating_in(body),
        }
    }

    /// Whether anything uses a value. Values that were added later count as used.
    pub fn is_used(&self, value: ValueId) -> bool {
        self.uses.get(value.0 as usize) != Some(&0)
    }
}

/// What is known of values, those included that were added since.
pub struct ValueFacts {
    /// Which memory arrays refer to.
    pub points_to: PointsTo,
    /// Scalars that are constants.
    pub constants: HashMap<ValueId, Constant>,
    /// What scalars are sums of.
    pub sums: Sums,
    /// Between what ints lie.
    pub ranges: Ranges,
    /// How truth values are made of comparisons of ints.
    pub truths: Truths,
    /// Extents of arrays by axis, as far as they have names.
    pub extents: HashMap<(ValueId, usize), ValueId>,
    /// Numbers that were made alike, by those that are named first.
    pub same: HashMap<ValueId, ValueId>,
    /// Where the extents of arrays come from.
    pub shapes: Extents,
    /// Conditions under which one thread runs a loop that stays on the host otherwise.
    pub narrow: HashSet<ValueId>,
}

impl ValueFacts {
    /// Of a function.
    pub fn of(function: &Function) -> Self {
        let body = &function.body;
        ValueFacts {
            points_to: PointsTo::of(function),
            constants: constants_of(body),
            sums: sums_of(body),
            ranges: Ranges::of(function),
            truths: Truths::of(function),
            extents: extents_in(body),
            same: same_in(body),
            shapes: Extents::of(function),
            narrow: HashSet::new(),
        }
    }

    /// Learns all that ops tell of numbers.
    pub fn learn(&mut self, function: &Function, ops: &[Op]) {
        self.constants.extend(constants_among(ops));
        self.learn_ints(function, ops);
    }

    /// Learns the sums, ranges and truth values that ops make.
    pub fn learn_ints(&mut self, function: &Function, ops: &[Op]) {
        self.sums.extend(sums_among(ops));
        ops.iter().for_each(|op| self.ranges.learn(function, op));
        ops.iter().for_each(|op| self.truths.learn(function, op));
    }

    /// The integer that a value is.
    pub fn constant(&self, value: ValueId) -> Option<i64> {
        self.constants.get(&value).and_then(|constant| constant.as_int())
    }
}

/// The loops whose sums are reductions behind them, and those in them that leave something for the sum. What is left is stored where the outer loop stands.
fn accumulating_in(body: &Region) -> HashSet<Span> {
    let mut reduced: HashSet<Span> = HashSet::new();
    for_each_op(body, &mut |op| {
        if matches!(op.kind, OpKind::Reduce(_)) {
            reduced.insert(op.span);
        }
    });
    let mut accumulating = HashSet::new();
    for_each_op(body, &mut |op| {
        if op.kind != OpKind::For || !op.results.is_empty() || !reduced.contains(&op.span) {
            return;
        }
        accumulating.insert(op.span);
        for_each_op(&op.regions[0], &mut |inner| {
            let mut leaves = false;
            let mut visit = |of: &Op| leaves |= matches!(of.kind, OpKind::Store(_)) && of.span == op.span;
            inner.regions.iter().for_each(|region| for_each_op(region, &mut visit));
            if leaves && inner.kind == OpKind::For {
                accumulating.insert(inner.span);
            }
        });
    });
    accumulating
}
