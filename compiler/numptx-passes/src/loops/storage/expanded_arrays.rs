//! Arrays that an iteration makes for itself, as arrays from before the loop.
//!
//! In: a `for` op. Out: the same with stores where fresh arrays were computed, nothing where arrays were made with elements that mean nothing yet, and the
//! allocations of both. An array that is carried stays as it is, and so does one whose extents change from iteration to iteration, unless they have bounds: it
//! is part of a larger one then. Each iteration may have its own, as far as values go: see [`ExpandedArrays`].

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::array::{Function, Op, OpKind, Order, Region, Store, Type, ValueId, typing};

use crate::analysis::points_to::PointsTo;
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::emit::hoist::define;

/// Arrays that loops write before they read them, and the indices of those loops: what one iteration leaves there no other one reads.
pub type ExpandedArrays = HashMap<ValueId, Vec<ValueId>>;

/// What extents that an iteration computes are never larger than, as far as that is known before the loop.
pub type Bounds = HashMap<ValueId, ValueId>;

/// Replaces the fresh arrays of a loop's iterations; those that are made without elements too, if `empty`. Allocations go to `before`.
pub fn keep_fresh(
    function: &mut Function,
    points_to: &mut PointsTo,
    op: &mut Op,
    (bounds, empty): (&Bounds, bool),
    before: &mut Vec<Op>,
) -> ExpandedArrays {
    let inside = defined_in(op);
    let carried = carried(op);
    let (names, kept) = (HashMap::new(), HashMap::new());
    let mut search = Search { function, points_to, inside, carried, bounds, empty, before, names, kept };
    search.loop_(op, &[]);
    search.kept
}

/// The extents of a loop's fresh arrays that its iterations compute.
pub fn changing_extents(op: &Op) -> Vec<ValueId> {
    let inside = defined_in(op);
    let mut ops = Vec::new();
    collect(op, &mut ops);
    let own = ops.into_iter().flat_map(|op| fresh_extents(op).map_or(&[][..], |(n_kept, _)| &op.operands[..n_kept]));
    own.copied().filter(|extent| inside.contains(extent)).collect()
}

fn defined_in(op: &Op) -> HashSet<ValueId> {
    let mut inside = HashSet::new();
    define(op, &mut inside);
    inside
}

/// How many extents the fresh arrays of an op have, and its computation.
fn fresh_extents(op: &Op) -> Option<(usize, usize)> {
    match &op.kind {
        OpKind::Alloc { order: Order::C | Order::F, .. } => Some((op.operands.len(), op.operands.len())),
        OpKind::Map(map) => Some((map.rank, map.rank)),
        OpKind::Reduce(reduce) => Some((reduce.rank - reduce.n_reduced, reduce.rank)),
        _ => None,
    }
}

struct Search<'s> {
    function: &'s mut Function,
    points_to: &'s mut PointsTo,
    /// What the loop defines.
    inside: HashSet<ValueId>,
    carried: HashSet<ValueId>,
    bounds: &'s Bounds,
    /// Whether arrays that are made without elements are replaced.
    empty: bool,
    before: &'s mut Vec<Op>,
    /// What stands for the arrays that are replaced.
    names: HashMap<ValueId, ValueId>,
    kept: ExpandedArrays,
}

impl Search<'_> {
    fn loop_(&mut self, op: &mut Op, around: &[ValueId]) {
        let around = [around, &op.regions[0].parameters[..1]].concat();
        self.region(&mut op.regions[0], &around);
    }

    fn region(&mut self, region: &mut Region, around: &[ValueId]) {
        let mut ops = Vec::with_capacity(region.ops.len());
        for mut op in std::mem::take(&mut region.ops) {
            self.rename(&mut op);
            match op.kind {
                OpKind::For => self.loop_(&mut op, around),
                OpKind::If => op.regions.iter_mut().for_each(|nested| self.region(nested, around)),
                OpKind::While => op.regions.iter_mut().for_each(|nested| self.names_only(nested)),
                OpKind::Alloc { .. } if !self.empty => {}
                _ => {
                    let is_made = matches!(op.kind, OpKind::Alloc { .. });
                    // Nothing is to be stored to an array that was only made.
                    if self.replace(&mut op, around, &mut ops).is_some() && is_made {
                        continue;
                    }
                }
            }
            ops.push(op);
        }
        region.ops = ops;
    }

    fn names_only(&mut self, region: &mut Region) {
        for op in &mut region.ops {
            self.rename(op);
            op.regions.iter_mut().for_each(|nested| self.names_only(nested));
        }
    }

    /// Operands as they are called now; views of what is laid out otherwise have another type.
    fn rename(&mut self, op: &mut Op) {
        let mut is_changed = false;
        for operand in &mut op.operands {
            if let Some(new) = self.names.get(operand) {
                is_changed = true;
                *operand = *new;
            }
        }
        if !is_changed || !op.kind.is_view() {
            return;
        }
        let types: Vec<Type> = op.operands.iter().map(|v| self.function.ty(*v)).collect();
        if let Ok(Some(types)) = typing::result_types(&op.kind, &types) {
            for (result, ty) in op.results.iter().zip(types) {
                self.function.values[result.0 as usize].ty = ty;
                self.names.insert(*result, *result);
            }
        }
    }

    /// Replaces what an op makes; views that this takes go to `ops`. `None` where the op is left as it is.
    fn replace(&mut self, op: &mut Op, around: &[ValueId], ops: &mut Vec<Op>) -> Option<()> {
        let (n_kept, n_extents) = fresh_extents(op)?;
        let (extents, rest) = op.operands.split_at(n_extents);
        let (own, inside) = (&extents[..n_kept], &self.inside);
        let bound = |v: &ValueId| if inside.contains(v) { self.bounds.get(v).copied() } else { Some(*v) };
        let bounds = own.iter().map(bound).collect::<Option<Vec<_>>>()?;
        if n_kept == 0 || op.results.iter().any(|v| self.carried.contains(v)) {
            return None;
        }
        let dtypes: Vec<DType> = op.results.iter().map(|v| self.function.ty(*v).dtype()).collect();
        let homes: Vec<ValueId> = dtypes.iter().map(|dtype| self.alloc(*dtype, &bounds, op)).collect();
        let parts: Vec<ValueId> = if bounds == own {
            homes.clone()
        } else {
            homes.iter().map(|home| self.part(*home, own, op, ops)).collect()
        };
        let operands = [extents, &parts, rest].concat();
        let kind = match &op.kind {
            OpKind::Map(map) => OpKind::Store(Box::new(Store { rank: map.rank, body: map.body.clone() })),
            OpKind::Reduce(reduce) => OpKind::StoreReduce(reduce.clone()),
            kind => kind.clone(),
        };
        for (result, (home, part)) in op.results.iter().zip(homes.iter().zip(&parts)) {
            self.names.insert(*result, *part);
            self.kept.insert(*home, around.to_vec());
        }
        *op = Op { kind, operands, results: Vec::new(), regions: Vec::new(), span: op.span };
        Some(())
    }

    /// The part of an array with these extents, from its first element on.
    fn part(&mut self, home: ValueId, extents: &[ValueId], of: &Op, ops: &mut Vec<Op>) -> ValueId {
        let mut host = HostProgram::new(self.function, of.span);
        let (zero, one) = (host.number(0), host.number(1));
        ops.append(&mut host.ops);
        extents.iter().enumerate().fold(home, |part, (axis, extent)| {
            let (kind, operands) = (OpKind::Slice { axis }, vec![part, zero, *extent, one]);
            let types: Vec<Type> = operands.iter().map(|v| self.function.ty(*v)).collect();
            let ty = typing::result_types(&kind, &types).ok().flatten().and_then(|types| types.first().copied());
            let next = self.function.add_value(ty.unwrap_or(self.function.ty(part)));
            self.points_to.add_alias(next, home);
            ops.push(Op { kind, operands, results: vec![next], regions: Vec::new(), span: of.span });
            next
        })
    }

    fn alloc(&mut self, dtype: DType, extents: &[ValueId], of: &Op) -> ValueId {
        let kind = OpKind::Alloc { dtype, order: Order::C };
        let types: Vec<Type> = extents.iter().map(|v| self.function.ty(*v)).collect();
        let ty = typing::result_types(&kind, &types).ok().flatten().and_then(|types| types.first().copied());
        let home = self.function.add_value(ty.unwrap_or(Type::Scalar(dtype)));
        self.points_to.add_fresh(home);
        let operands = extents.to_vec();
        self.before.push(Op { kind, operands, results: vec![home], regions: Vec::new(), span: of.span });
        home
    }
}

/// Arrays that leave the region that they are made in, or of which views do.
fn carried(op: &Op) -> HashSet<ValueId> {
    let mut ops = Vec::new();
    collect(op, &mut ops);
    let mut carried = HashSet::new();
    for op in ops.iter().rev() {
        let carries = matches!(op.kind, OpKind::Yield | OpKind::For | OpKind::While | OpKind::Call { .. })
            || op.kind.is_view_or_copy();
        let is_view_of = op.kind.is_view() && op.results.iter().any(|v| carried.contains(v));
        if carries || is_view_of {
            carried.extend(&op.operands);
        }
    }
    carried
}

fn collect<'o>(op: &'o Op, ops: &mut Vec<&'o Op>) {
    for nested in op.regions.iter().flat_map(|region| &region.ops) {
        ops.push(nested);
        collect(nested, ops);
    }
}
