//! Which computations may be one kernel of rows: reductions of the same rows that follow each other, each of which reads what earlier ones gave, and at last
//! what is computed elementwise of that.
//!
//! In: a function of phase Placed. Out: groups of ops of a region. Nothing between the members writes, or reads what they give; only the last one may write
//! what was there before, and then at the elements that its members read, or apart from them.

use std::collections::{BTreeMap, BTreeSet};

use numptx_ir::array::{Function, Op, OpKind, Region, ValueId};
use numptx_ir::scalar::Body;

use crate::analysis::compactions::Definitions;
use crate::analysis::points_to::PointsTo;
use crate::analysis::readers::Readers;
use crate::analysis::traverse::for_each_op;
use crate::kernels::products::Products;
use crate::loops::schedule::cost::BODY_OPERATIONS;
use crate::rewrite::function::Place;
use crate::source::computations::max_arrays;

/// Groups, by the place of each member: that of the last one.
#[derive(Default)]
pub struct RowGroups {
    last: BTreeMap<Place, Place>,
    /// Results that only members of their group read.
    local: BTreeSet<ValueId>,
    n_regions: usize,
}

/// Axis by axis, which axis of another array an array's is: `None` where it repeats one element.
pub type AxesOf = Vec<Option<usize>>;

/// The array that a value shows by views that insert and repeat axes, and its axes. `definition`: the kind and the operands of the op that defines a value, and
/// how many axes the value has.
pub fn shown(
    value: ValueId,
    rank: usize,
    definition: &dyn Fn(ValueId) -> Option<(OpKind, ValueId, usize)>,
) -> (ValueId, AxesOf) {
    let Some((kind, base, base_rank)) = definition(value) else { return (value, (0..rank).map(Some).collect()) };
    let (root, axes) = match kind {
        OpKind::NewAxis { .. } | OpKind::Broadcast | OpKind::ReadOnly | OpKind::Writable => {
            shown(base, base_rank, definition)
        }
        _ => return (value, (0..rank).map(Some).collect()),
    };
    let axes = match kind {
        OpKind::NewAxis { axis } => [&axes[..axis], &[None], &axes[axis..]].concat(),
        OpKind::Broadcast => [vec![None; rank - axes.len()], axes].concat(),
        _ => axes,
    };
    (root, axes)
}

/// Whether axes are the first `n_kept` of an array, and nothing else.
pub fn are_kept(axes: &AxesOf, n_kept: usize) -> bool {
    let kept = (0..n_kept).map(Some).chain(std::iter::repeat(None));
    axes.len() > n_kept && axes.iter().copied().eq(kept.take(axes.len()))
}

/// A computation as rows.
struct Member<'o> {
    extents: &'o [ValueId],
    n_reduced: Option<usize>,
    inputs: &'o [ValueId],
    written: &'o [ValueId],
    body: &'o Body,
}

impl<'o> Member<'o> {
    fn of(op: &'o Op) -> Option<Self> {
        let member = match &op.kind {
            OpKind::Reduce(reduce) => {
                let (extents, inputs) = op.operands.split_at(reduce.rank);
                Member { extents, n_reduced: Some(reduce.n_reduced), inputs, written: &[], body: &reduce.body }
            }
            OpKind::Map(map) => {
                let (extents, inputs) = op.operands.split_at(map.rank);
                Member { extents, n_reduced: None, inputs, written: &[], body: &map.body }
            }
            OpKind::Store(store) => {
                let (extents, rest) = op.operands.split_at(store.rank);
                let (written, inputs) = rest.split_at(store.body.outputs.len());
                Member { extents, n_reduced: None, inputs, written, body: &store.body }
            }
            _ => return None,
        };
        (member.body.n_tables() == 0).then_some(member)
    }
}

struct Search<'f> {
    function: &'f Function,
    definitions: Definitions<'f>,
    points_to: PointsTo,
    products: Products,
    readers: Readers,
}

impl RowGroups {
    /// Finds all groups of a function.
    pub fn of(function: &Function) -> Self {
        let search = Search {
            function,
            definitions: Definitions::of(function),
            points_to: PointsTo::of(function),
            products: Products::of(function),
            readers: Readers::of(function),
        };
        let mut groups = RowGroups::default();
        groups.collect(&function.body, &search);
        groups
    }

    /// The place of the last member of the group that a place belongs to.
    pub fn last_of(&self, place: Place) -> Option<Place> {
        self.last.get(&place).copied()
    }

    /// Whether only members of its group read a result.
    pub fn is_local(&self, result: ValueId) -> bool {
        self.local.contains(&result)
    }

    fn collect(&mut self, region: &Region, search: &Search) {
        let number = self.n_regions;
        self.n_regions += 1;
        let place = |index: usize| Place { region: number, index };
        for index in 0..region.ops.len() {
            if !self.last.contains_key(&place(index)) {
                let members = search.group(region, number, index);
                if let [_, .., last] = members.as_slice() {
                    let is_member = |at: Place| at.region == number && members.contains(&at.index);
                    let results = members.iter().flat_map(|member| &region.ops[*member].results).copied();
                    let readers = |v: &ValueId| search.readers.of_root(*v);
                    self.local.extend(results.filter(|v| readers(v).iter().all(|reader| is_member(reader.place))));
                    self.last.extend(members.iter().map(|member| (place(*member), place(*last))));
                }
            }
            region.ops[index].regions.iter().for_each(|nested| self.collect(nested, search));
        }
    }
}

impl Search<'_> {
    /// The members of the group that begins with an op.
    fn group(&self, region: &Region, number: usize, first: usize) -> Vec<usize> {
        let leader = &region.ops[first];
        let Some(rows) = Member::of(leader).filter(|member| self.leads(member)) else { return Vec::new() };
        if self.products.contains(Place { region: number, index: first }) {
            return Vec::new();
        }
        let n_kept = rows.extents.len() - rows.n_reduced.unwrap_or(0);
        let (mut members, mut results) = (vec![first], leader.results.clone());
        for (index, op) in region.ops.iter().enumerate().skip(first + 1) {
            let member = Member::of(op).filter(|member| {
                self.is_like(member, &rows, n_kept) && member.inputs.iter().any(|v| self.is_row(*v, &results, n_kept))
            });
            let is_member = member.as_ref().is_some_and(|member| {
                self.reads_rows(member, &results, n_kept)
                    && self.writes_own(region, &members, member)
                    && self.fits(region, &members, op)
            });
            if is_member {
                members.push(index);
                results.extend(&op.results);
                if !matches!(op.kind, OpKind::Reduce(_)) {
                    break;
                }
                continue;
            }
            if !self.may_stand_between(op, &results) {
                break;
            }
        }
        members
    }

    /// A reduction that keeps axes.
    fn leads(&self, member: &Member) -> bool {
        member.n_reduced.is_some_and(|n| n < member.extents.len())
    }

    /// Whether a computation is over the same rows: its reduced extents may be other values, which are compared when it runs.
    fn is_like(&self, member: &Member, rows: &Member, n_kept: usize) -> bool {
        let is_reduced = member.n_reduced.is_none() || member.n_reduced == rows.n_reduced;
        member.extents.len() == rows.extents.len() && is_reduced && member.extents[..n_kept] == rows.extents[..n_kept]
    }

    fn shown(&self, value: ValueId) -> (ValueId, AxesOf) {
        let rank = |v: ValueId| self.function.array(v).map_or(0, |array| array.rank);
        let definition = |v: ValueId| {
            let op = self.definitions.get(v)?;
            let base = *op.operands.first()?;
            Some((op.kind.clone(), base, rank(base)))
        };
        shown(value, rank(value), &definition)
    }

    /// Whether a value is one for each row, which a member gives.
    fn is_row(&self, value: ValueId, results: &[ValueId], n_kept: usize) -> bool {
        let (root, axes) = self.shown(value);
        results.contains(&root) && are_kept(&axes, n_kept)
    }

    /// Whether a computation reads of what members give only what is one for each row.
    fn reads_rows(&self, member: &Member, results: &[ValueId], n_kept: usize) -> bool {
        let is_other = |v: &&ValueId| !self.is_row(**v, results, n_kept);
        let shares = |v: &ValueId| results.iter().any(|r| self.points_to.may_share(*v, *r));
        let is_array = |v: &&ValueId| self.function.array(**v).is_some();
        !member.inputs.iter().filter(is_array).filter(is_other).any(shares)
    }

    /// Whether what a computation writes is read by no member but at the same elements.
    fn writes_own(&self, region: &Region, members: &[usize], member: &Member) -> bool {
        let before = members.iter().filter_map(|n| Member::of(&region.ops[*n])).flat_map(|m| m.inputs.to_vec());
        let mut reads = before.chain(member.inputs.to_vec()).filter(|v| self.function.array(*v).is_some());
        let is_same = |v: ValueId, w: ValueId| match self.definitions.get(w) {
            Some(op) if matches!(op.kind, OpKind::Writable) => op.operands[0] == v || w == v,
            _ => w == v,
        };
        reads.all(|v| member.written.iter().all(|w| is_same(v, *w) || !self.points_to.may_share(v, *w)))
    }

    /// Whether all of them are not too much for one kernel.
    fn fits(&self, region: &Region, members: &[usize], op: &Op) -> bool {
        let all = members.iter().map(|n| &region.ops[*n]).chain([op]);
        let (mut arrays, mut n_instrs, mut rank) = (Vec::new(), 0, 0);
        for op in all {
            let Some(member) = Member::of(op) else { return false };
            n_instrs += member.body.instrs.len();
            rank = member.extents.len();
            arrays.extend(member.inputs.iter().chain(member.written).chain(&op.results).copied());
        }
        arrays.retain(|v| self.function.array(*v).is_some());
        arrays.sort_unstable();
        arrays.dedup();
        n_instrs <= BODY_OPERATIONS && arrays.len() <= max_arrays(rank)
    }

    /// Whether an op between members leaves memory as it is, and does not look at what they give.
    fn may_stand_between(&self, op: &Op, results: &[ValueId]) -> bool {
        if op.kind.is_pure_scalar_or_view() {
            return true;
        }
        let shares = |v: &ValueId| results.iter().any(|r| self.points_to.may_share(*v, *r));
        let mut uses = op.operands.iter().any(shares);
        op.regions.iter().for_each(|region| for_each_op(region, &mut |op| uses |= op.operands.iter().any(shares)));
        let is_still = matches!(
            op.kind,
            OpKind::Alloc { .. } | OpKind::Check { .. } | OpKind::Map(_) | OpKind::Reduce(_) | OpKind::Scan(_)
        );
        is_still && !uses
    }
}
