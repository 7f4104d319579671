//! **Does**: counts what equal masks choose once, so that `x[m]` and `y[m]` have one length, which the host waits for once.
//! **Requires**: phase Source. Works best after `simplify`.
//! **Ensures**: no two counts of one region are of masks that are computed there alike of the same unwritten arrays.
//! **Keeps**: every value, every write and every check; a count is read where the first of its kind was.
//! **Example**: `%r = scan %m; %n = item of %r's last; %s = scan %m; %k = item of %s's last; check %n == %k` becomes `%r = scan %m; %n = item of
//! %r's last; check %n == %n`.

use std::collections::{BTreeSet, HashMap};

use numptx_ir::array::{Function, Module, Op, OpKind, Region, ValueId};
use numptx_source::InternalError;

use crate::Pass;
use crate::analysis::compactions::{Counting, Definitions, Move, countings};
use crate::analysis::points_to::{PointsTo, written_arrays};
use crate::analysis::traverse::{Substitution, for_each_op, substitute};
use crate::source::simplify::simplify_function;

/// See the file's header.
pub const SHARE_COUNTS: Pass = Pass::optional("share-counts", "count once what equal masks choose", share_counts);

fn share_counts(module: &mut Module) -> Result<(), InternalError> {
    for function in &mut module.functions {
        let Shared { counts, masks, is_some } = Shared::of(function);
        if is_some {
            substitute(&mut function.body, &counts);
            read_masks(&mut function.body, &masks);
            simplify_function(function);
        }
    }
    Ok(())
}

/// Moves of chosen elements read other masks; by the array that they fill.
fn read_masks(region: &mut Region, masks: &HashMap<ValueId, ValueId>) {
    for op in &mut region.ops {
        if let OpKind::Scatter(scatter) = &op.kind
            && let Some(mask) = masks.get(&op.operands[scatter.rank])
        {
            op.operands[scatter.rank + 1] = *mask;
        }
        op.regions.iter_mut().for_each(|nested| read_masks(nested, masks));
    }
}

/// What stands for what.
#[derive(Default)]
struct Shared {
    counts: Substitution,
    /// By array that is filled with what a mask chooses: the mask to read.
    masks: HashMap<ValueId, ValueId>,
    is_some: bool,
}

impl Shared {
    fn of(function: &Function) -> Shared {
        let mut regions = vec![&function.body];
        for_each_op(&function.body, &mut |op| regions.extend(&op.regions));
        let (definitions, points_to) = (Definitions::of(function), PointsTo::of(function));
        let mut search = Search { definitions, points_to, shared: Shared::default() };
        regions.into_iter().for_each(|region| search.region(region));
        search.shared
    }
}

struct Search<'f> {
    definitions: Definitions<'f>,
    points_to: PointsTo,
    shared: Shared,
}

impl Search<'_> {
    fn region(&mut self, region: &Region) {
        let mut first: Vec<Counting> = Vec::new();
        for later in countings(region, &self.definitions) {
            let moves: Vec<(usize, Move)> = region
                .ops
                .iter()
                .enumerate()
                .skip(later.at)
                .filter_map(|(at, op)| later.moved(op, &self.definitions).map(|moved| (at, moved)))
                .collect();
            let until = moves.last().map_or(later.at, |(at, _)| *at);
            let equal = first.iter().find(|earlier| self.is_equal(region, earlier, &later, until)).cloned();
            let Some(earlier) = equal else {
                first.push(later);
                continue;
            };
            self.shared.counts.replace(later.running, earlier.running);
            self.shared.counts.replace(later.count, earlier.count);
            self.shared.is_some = true;
            for (_, moved) in moves {
                let whole = self.definitions.get(earlier.mask).filter(|_| moved.extents.len() > 1);
                self.shared.masks.insert(moved.chosen, whole.map_or(earlier.mask, |reshaped| reshaped.operands[0]));
            }
        }
    }

    /// Whether two masks are, from the first one on until a position, the same.
    fn is_equal(&self, region: &Region, earlier: &Counting, later: &Counting, until: usize) -> bool {
        let (mut read, mut made) = (BTreeSet::new(), BTreeSet::new());
        if earlier.extent != later.extent || !self.is_alike(earlier.mask, later.mask, &mut read, &mut made) {
            return false;
        }
        // What was read before the region may have changed before it, too.
        let own: BTreeSet<ValueId> = region.ops.iter().flat_map(|op| op.results.iter().copied()).collect();
        let reads = |v: ValueId| self.definitions.get(v).is_none_or(|op| !op.kind.is_pure_scalar_or_view());
        if made.iter().any(|v| reads(*v) && !own.contains(v)) {
            return false;
        }
        let is_made = |op: &Op| op.results.iter().any(|v| made.contains(v));
        let from = region.ops.iter().position(is_made).map_or(earlier.scan, |at| at.min(earlier.scan));
        let written: Vec<ValueId> = region.ops[from..until].iter().flat_map(written_arrays).collect();
        !written.iter().any(|w| read.iter().any(|r| self.points_to.may_share(*w, *r)))
    }

    /// Whether two values are computed alike. `read`: the arrays that matter for that. `made`: what was computed.
    fn is_alike(&self, a: ValueId, b: ValueId, read: &mut BTreeSet<ValueId>, made: &mut BTreeSet<ValueId>) -> bool {
        read.extend([a, b]);
        if a == b {
            return true;
        }
        let (Some(x), Some(y)) = (self.definitions.get(a), self.definitions.get(b)) else { return false };
        let is_repeatable = x.kind.is_view()
            || matches!(x.kind, OpKind::Map(_) | OpKind::Reshape(_))
            || x.kind.is_pure_scalar_or_view();
        made.extend([a, b]);
        let position = |op: &Op, v: ValueId| op.results.iter().position(|r| *r == v);
        is_repeatable
            && x.kind == y.kind
            && position(x, a) == position(y, b)
            && x.operands.len() == y.operands.len()
            && x.operands.iter().zip(&y.operands).all(|(a, b)| self.is_alike(*a, *b, read, made))
    }
}
