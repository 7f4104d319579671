//! Which computations of a region can become one: the same iteration space, a common array, and nothing of the later one depends on what
//! comes between.
//!
//! In: a function. Out: for the place of the first computation of each group, the later ones that join it there. Decides only; see
//! `fuse_reductions` for what is done.

use std::collections::{BTreeMap, HashMap, HashSet};

use numptx_ir::array::{Function, Op, OpKind, Order, Region, ValueId};

use crate::analysis::points_to::{PointsTo, written_arrays};
use crate::analysis::readers::Readers;
use crate::analysis::traverse::for_each_op;
use crate::kernels::products::Products;
use crate::loops::schedule::cost::{BODY_OPERATIONS, COMMON_RESULTS};
use crate::rewrite::function::Place;
use crate::source::computations::max_arrays;

/// Groups by the place of their first member.
#[derive(Default)]
pub struct Siblings {
    /// Later members, in program order.
    pub followers: BTreeMap<Place, Vec<Place>>,
    n_regions: usize,
    products: Products,
}

struct Search<'f> {
    function: &'f Function,
    points_to: PointsTo,
    readers: Readers,
    /// Views with the extents of what they are read over.
    views: HashSet<ValueId>,
}

impl Siblings {
    /// Finds all groups of a function.
    pub fn of(function: &Function) -> Self {
        let mut views = HashSet::new();
        for_each_op(&function.body, &mut |op| {
            if op.kind == OpKind::Broadcast {
                views.extend(&op.results);
            }
        });
        let search = Search { function, points_to: PointsTo::of(function), readers: Readers::of(function), views };
        let mut siblings = Siblings { products: Products::of(function), ..Siblings::default() };
        siblings.collect(&function.body, &search);
        siblings
    }

    fn collect(&mut self, region: &Region, search: &Search) {
        let number = self.n_regions;
        self.n_regions += 1;
        let defined: HashMap<ValueId, usize> =
            region.ops.iter().enumerate().flat_map(|(index, op)| op.results.iter().map(move |v| (*v, index))).collect();
        let mut leaders: Vec<Vec<usize>> = Vec::new();
        for (index, op) in region.ops.iter().enumerate() {
            let is_product = self.products.contains(Place { region: number, index });
            if !matches!(op.kind, OpKind::Map(_) | OpKind::Reduce(_)) || is_product || search.is_assigned(op) {
                continue;
            }
            let joins = |group: &&mut Vec<usize>| search.can_join(region, &defined, group, index);
            match leaders.iter_mut().find(joins) {
                Some(group) => group.push(index),
                None => leaders.push(vec![index]),
            }
        }
        for group in leaders.into_iter().filter(|group| group.len() > 1) {
            let place = |index: usize| Place { region: number, index };
            self.followers.insert(place(group[0]), group[1..].iter().map(|index| place(*index)).collect());
        }
        for op in &region.ops {
            op.regions.iter().for_each(|nested| self.collect(nested, search));
        }
    }
}

impl Search<'_> {
    /// Whether a result is the source of an assignment, which computes it in place.
    fn is_assigned(&self, op: &Op) -> bool {
        let is_source = |v: &ValueId| self.readers.of_root(*v).iter().any(|r| r.is_assignment);
        matches!(op.kind, OpKind::Map(_)) && op.results.iter().any(is_source)
    }

    fn can_join(&self, region: &Region, defined: &HashMap<ValueId, usize>, group: &[usize], index: usize) -> bool {
        let op = &region.ops[index];
        let members: Vec<&Op> = group.iter().map(|n| &region.ops[*n]).collect();
        let first = group[0];
        space(op).is_some_and(|s| Some(s) == space(members[0]))
            && members.iter().any(|member| self.shares_array(member, op))
            && fits(&members, op)
            && op.operands.iter().all(|v| is_available(region, defined, *v, first))
            && self.is_unchanged(&region.ops[first..index], op)
            && self.is_checked(&region.ops[first..index], &members, op, &|v, n| {
                defined.get(&v).is_none_or(|at| *at < first + n)
            })
    }

    fn arrays<'o>(&self, op: &'o Op) -> impl Iterator<Item = ValueId> + use<'o, '_> {
        op.operands.iter().copied().filter(|v| self.function.array(*v).is_some())
    }

    fn shares_array(&self, a: &Op, b: &Op) -> bool {
        self.arrays(a).any(|v| b.operands.contains(&v))
    }

    /// Whether no check that comes between may be what keeps the op's reads within bounds: the members read the same arrays before it, or it reads
    /// views that were made before it. Where an op reads elements of tables depends on values, so nothing but a check says that they are there.
    /// `is_defined`: whether a value is defined before the n-th op between.
    fn is_checked(
        &self,
        between: &[Op],
        members: &[&Op],
        op: &Op,
        is_defined: &dyn Fn(ValueId, usize) -> bool,
    ) -> bool {
        let Some(first_check) = between.iter().position(holds_check) else { return true };
        let is_read = |v: ValueId| members.iter().any(|member| member.operands.contains(&v));
        let is_view = |v: ValueId| self.views.contains(&v) && is_defined(v, first_check);
        !reads_tables(op) && self.arrays(op).all(|v| is_read(v) || is_view(v))
    }

    fn is_unchanged(&self, between: &[Op], op: &Op) -> bool {
        let written: Vec<ValueId> = between.iter().flat_map(written_arrays).collect();
        let conflicts = |read: ValueId| written.iter().any(|w| self.points_to.may_share(read, *w));
        // The fresh results do not exist before the op itself: nothing between can write them.
        !self.arrays(op).any(conflicts)
    }
}

/// The iteration space, and which axes are reduced; `None` where results have an order of their own.
fn space(op: &Op) -> Option<(&[ValueId], Option<usize>)> {
    match &op.kind {
        OpKind::Map(map) => (map.order == Order::C).then(|| (&op.operands[..map.rank], None)),
        OpKind::Reduce(reduce) => {
            (reduce.order == Order::C).then(|| (&op.operands[..reduce.rank], Some(reduce.n_reduced)))
        }
        _ => None,
    }
}

fn fits(members: &[&Op], op: &Op) -> bool {
    let all = || members.iter().copied().chain([op]);
    let rank = space(op).map_or(0, |s| s.0.len());
    let n_instrs: usize = all().map(n_instrs).sum();
    let mut inputs: Vec<ValueId> = all().flat_map(|o| o.operands[rank..].to_vec()).collect();
    inputs.sort_unstable();
    inputs.dedup();
    let n_results: usize = all().map(|o| o.results.len()).sum();
    n_instrs <= BODY_OPERATIONS && inputs.len() + n_results <= max_arrays(rank) && n_results <= COMMON_RESULTS
}

fn n_instrs(op: &Op) -> usize {
    match &op.kind {
        OpKind::Map(map) => map.body.instrs.len(),
        OpKind::Reduce(reduce) => reduce.body.instrs.len(),
        _ => 0,
    }
}

fn reads_tables(op: &Op) -> bool {
    match &op.kind {
        OpKind::Map(map) => map.body.n_tables() > 0,
        OpKind::Reduce(reduce) => reduce.body.n_tables() > 0,
        _ => false,
    }
}

fn holds_check(op: &Op) -> bool {
    matches!(op.kind, OpKind::Check { .. } | OpKind::Call { .. })
        || op.regions.iter().flat_map(|region| &region.ops).any(holds_check)
}

/// Whether a value exists before position `first`, or is a scalar or view that can be made there.
fn is_available(region: &Region, defined: &HashMap<ValueId, usize>, value: ValueId, first: usize) -> bool {
    match defined.get(&value) {
        Some(index) if *index >= first => {
            let op = &region.ops[*index];
            op.kind.is_pure_scalar_or_view() && op.operands.iter().all(|v| is_available(region, defined, *v, first))
        }
        _ => true,
    }
}
