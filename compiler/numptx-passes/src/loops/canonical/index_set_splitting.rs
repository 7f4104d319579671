//! **Does**: splits loops in three at the index of the loop around: below that index, at it, and above.
//! **Requires**: phase Placed.
//! **Ensures**: loops over the same elements as the loop around, as those of shortest paths between all pairs of nodes, have parts that it orders:
//! row and column `k` are written by the iterations that others read them from.
//! **Keeps**: values: the iterations are the same in the same order. (P. Feautrier, *Dataflow analysis of array and scalar references*, 1991;
//! Griebl, Feautrier, Lengauer, *Index set splitting*, 2000.)
//! **Example**: `for k: for i in range(n): …` becomes `for k: for i in range(k): …; for i in range(k, k + 1): …; for i in range(k + 1, n): …`.

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::array::{Op, OpKind, Region, ValueId};
use numptx_ir::scalar::ScalarOp;

use crate::Pass;
use crate::loops::canonical::each_loop::{Rewritten, each_loop};
use numptx_source::Span;

use crate::analysis::traverse::for_each_op;
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::emit::hoist::define;
use crate::loops::function::FormNests;

/// See the file's header.
pub const SPLIT_INDEX_SETS: Pass =
    Pass::optional("split-index-sets", "split loops at the index of the loop around", |module| {
        each_loop(module, split)
    });

fn split(pass: &mut FormNests, op: &Op) -> Option<Rewritten> {
    let (split, _) = if op.kind == OpKind::For { pass.split_at_index(op)? } else { return None };
    Some(Rewritten { ops: vec![split], results: op.results.clone() })
}

/// Limit: loops in one another that are split: each triples what is in it.
const MAX_SPLITS: usize = 2;
/// Limit: ops of a loop that is split.
const MAX_OPS: usize = 200;

/// What is known of the loop around.
struct Around {
    index: ValueId,
    /// It starts there.
    first: i64,
    /// It ends before this number.
    upper: ValueId,
    /// Defined in it.
    inside: HashSet<ValueId>,
    /// Along which axes of which arrays an index goes.
    axes: HashMap<ValueId, HashSet<(ValueId, usize)>>,
}

impl FormNests<'_> {
    /// The loop with the loops in it split at its index, if there are such, and where these stand.
    pub fn split_at_index(&mut self, op: &Op) -> Option<(Op, HashSet<Span>)> {
        let around = self.element_index_of(op)?;
        let (mut split, mut places) = (op.clone(), HashSet::new());
        self.split_region(&mut split.regions[0], &around, MAX_SPLITS, &mut places);
        (!places.is_empty()).then_some((split, places))
    }

    fn element_index_of(&self, op: &Op) -> Option<Around> {
        let is_counted = op.kind == OpKind::For && self.known.constant(op.operands[2]) == Some(1);
        let (first, index) = (self.known.constant(op.operands[0])?, *op.regions[0].parameters.first()?);
        let (mut inside, mut n_ops) = (HashSet::new(), 0);
        define(op, &mut inside);
        for_each_op(&op.regions[0], &mut |_| n_ops += 1);
        let axes = if is_counted && n_ops <= MAX_OPS { self.axes_of_indices(op) } else { HashMap::new() };
        axes.contains_key(&index).then(|| Around { index, first, upper: op.operands[1], inside, axes })
    }

    /// Along which axes of which arrays values of a loop are indices.
    fn axes_of_indices(&self, op: &Op) -> HashMap<ValueId, HashSet<(ValueId, usize)>> {
        let mut found: HashMap<ValueId, HashSet<(ValueId, usize)>> = HashMap::new();
        // Of elements and rows: the array, and the axes of it that are left.
        let mut left: HashMap<ValueId, (ValueId, Vec<usize>)> = HashMap::new();
        for_each_op(&op.regions[0], &mut |op| {
            let (OpKind::Index { axis }, [of, at]) = (&op.kind, op.operands.as_slice()) else { return };
            let rank = self.function.array(*of).map_or(0, |array| array.rank);
            let (array, mut axes) = left.get(of).cloned().unwrap_or_else(|| (*of, (0..rank).collect()));
            if *axis < axes.len() {
                found.entry(*at).or_default().insert((array, axes.remove(*axis)));
            }
            left.insert(op.results[0], (array, axes));
        });
        found
    }

    /// Splits the loops of a region, and those in them, `depth` deep.
    fn split_region(&mut self, region: &mut Region, around: &Around, depth: usize, places: &mut HashSet<Span>) {
        for mut op in std::mem::take(&mut region.ops) {
            if op.kind == OpKind::For && depth > 0 && self.may_meet(&op, around) {
                places.insert(op.span);
                self.split_region(&mut op.regions[0], around, depth - 1, places);
                region.ops.extend(self.parts_of(op, around));
            } else {
                region.ops.push(op);
            }
        }
    }

    /// Whether a loop over elements may come to the index of the loop around.
    fn may_meet(&self, op: &Op, around: &Around) -> bool {
        let is_counted = self.known.constant(op.operands[2]) == Some(1) && op.results.is_empty();
        let starts = self.known.constant(op.operands[0]).is_some_and(|first| (0..=around.first).contains(&first));
        let axes_of = |index: &ValueId| around.axes.get(index);
        let own = op.regions[0].parameters.first().and_then(axes_of).zip(axes_of(&around.index));
        let meets = own.is_some_and(|(own, of_around)| !own.is_disjoint(of_around));
        is_counted && starts && meets && !around.inside.contains(&op.operands[1])
    }

    /// A loop in three.
    fn parts_of(&mut self, op: Op, around: &Around) -> Vec<Op> {
        let [lower, upper, step] = [op.operands[0], op.operands[1], op.operands[2]];
        let mut host = HostProgram::new(self.function, op.span);
        let next = host.scalar(OpKind::Scalar(ScalarOp::Add), vec![around.index, step], DType::I64);
        let is_within = upper == around.upper;
        let mut end = |value: ValueId| match is_within {
            true => value,
            false => host.scalar(OpKind::Scalar(ScalarOp::Min), vec![value, upper], DType::I64),
        };
        let [below, at] = [around.index, next].map(&mut end);
        let mut ops = std::mem::take(&mut host.ops);
        for (lower, upper) in [(lower, below), (around.index, at), (next, upper)] {
            let mut part = Op { operands: vec![lower, upper, step], ..op.clone() };
            self.rename(std::slice::from_mut(&mut part));
            ops.push(part);
        }
        ops
    }
}
