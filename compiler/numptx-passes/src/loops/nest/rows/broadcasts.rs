//! Arrays in a loop that are broadcast or not, as the arguments are.
//!
//! In: a `for` op. Out: the same with a check before each `broadcast` that the array has the extents it is brought to, where it may have
//! others, and in place of each `broadcast_extent` one that both are equal: for the version of a loop that runs where all of its checks hold.

use std::collections::{HashMap, HashSet};

use numptx_ir::DType;
use numptx_ir::array::{ErrorKind, Function, Op, OpKind, Region, Type, ValueId};
use numptx_ir::scalar::ScalarOp;
use numptx_source::Span;

use crate::analysis::traverse::{Substitution, for_each_op, substitute};
use crate::loops::emit::hoist::define;
use crate::rewrite::extents::{Extent, extent_of};

/// Where the extents of a function's arrays come from.
#[derive(Debug, Default)]
pub struct Extents {
    /// By array: the op's first operand, and where each extent comes from.
    arrays: HashMap<ValueId, (Option<ValueId>, Vec<Extent>)>,
    /// `dim` ops that stand before all loops and branches.
    dims: HashMap<(ValueId, usize), ValueId>,
}

impl Extents {
    /// What a function's ops say.
    pub fn of(function: &Function) -> Self {
        let mut extents = Extents::default();
        for_each_op(&function.body, &mut |op| extents.add(function, op));
        for op in function.body.ops.iter().take_while(|op| op.regions.is_empty()) {
            if let OpKind::Dim(axis) = op.kind {
                extents.dims.insert((op.operands[0], axis), op.results[0]);
            }
        }
        extents
    }

    /// Notes the arrays that an op defines.
    pub fn add(&mut self, function: &Function, op: &Op) {
        for result in &op.results {
            if let Some(array) = function.array(*result) {
                let axes = (0..array.rank).map(|axis| extent_of(&op.kind, &op.operands, axis, array.rank)).collect();
                self.arrays.insert(*result, (op.operands.first().copied(), axes));
            }
        }
    }

    /// Whether an array has one element along each of its axes, whatever the arguments.
    pub fn ones(&self, array: ValueId, rank: usize) -> Vec<bool> {
        (0..rank).map(|axis| matches!(self.along(array, axis), Along::One)).collect()
    }

    /// The extent of an array: a value, or 1, or an array whose extent it is.
    pub fn along(&self, mut array: ValueId, mut axis: usize) -> Along {
        while let Some((base, axes)) = self.arrays.get(&array) {
            match (axes.get(axis), base) {
                (Some(Extent::Value(value)), _) => return Along::Value(*value),
                (Some(Extent::One), _) => return Along::One,
                (Some(Extent::OfBase(of)), Some(base)) => (array, axis) = (*base, *of),
                _ => break,
            }
        }
        self.dims.get(&(array, axis)).map_or(Along::Dim(array, axis), |dim| Along::Value(*dim))
    }
}

/// An extent.
pub enum Along {
    Value(ValueId),
    One,
    Dim(ValueId, usize),
}

/// Adds the checks. `extents` learns what the loop defines; what is the same in every iteration is asked in `before`. Extents that
/// are equal then have one name in the loop.
pub fn check_broadcasts(function: &mut Function, extents: &mut Extents, op: &mut Op, before: &mut Vec<Op>) {
    for region in &op.regions {
        for_each_op(region, &mut |op| extents.add(function, op));
    }
    let mut inside = HashSet::new();
    define(op, &mut inside);
    let mut checks = Checks { function, extents, inside, before, equal: Substitution::default() };
    op.regions.iter_mut().for_each(|region| checks.region(region));
    let equal = checks.equal;
    op.regions.iter_mut().for_each(|region| substitute(region, &equal));
}

struct Checks<'c> {
    function: &'c mut Function,
    extents: &'c Extents,
    inside: HashSet<ValueId>,
    before: &'c mut Vec<Op>,
    /// Extents from before the loop by others that they are equal to.
    equal: Substitution,
}

impl Checks<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut ops = Vec::with_capacity(region.ops.len());
        for mut op in std::mem::take(&mut region.ops) {
            op.regions.iter_mut().for_each(|nested| self.region(nested));
            if matches!(op.kind, OpKind::Broadcast) {
                self.broadcast(&op, &mut ops);
            }
            if let (OpKind::BroadcastExtent, [a, b]) = (&op.kind, &op.operands[..]) {
                self.equal_extents(&op, [*a, *b], &mut ops);
                continue;
            }
            ops.push(op);
        }
        region.ops = ops;
    }

    /// An extent that changes with the loop is that of both arrays that are brought to it.
    fn equal_extents(&mut self, op: &Op, [a, b]: [ValueId; 2], ops: &mut Vec<Op>) {
        let is_equal = OpKind::Scalar(ScalarOp::Eq);
        let is_equal = scalar(self.function, is_equal, vec![a, b], DType::Bool, op.span, ops);
        let kind = OpKind::Check { kind: ErrorKind::Value, message: String::new() };
        ops.push(Op { kind, operands: vec![is_equal], results: Vec::new(), regions: Vec::new(), span: op.span });
        let [extent, a] = [op.results[0], a].map(|v| self.equal.resolve(v));
        self.equal.replace(extent, a);
    }

    fn broadcast(&mut self, op: &Op, ops: &mut Vec<Op>) {
        let rank = self.function.array(op.operands[0]).map_or(0, |array| array.rank);
        let targets = &op.operands[op.operands.len() - rank..];
        for (axis, target) in targets.iter().enumerate() {
            let along = self.extents.along(op.operands[0], axis);
            let extent = match along {
                Along::Value(value) if value == *target => continue,
                Along::Value(value) => value,
                Along::One => continue,
                Along::Dim(array, axis) => {
                    let place = if self.inside.contains(&array) { &mut *ops } else { &mut *self.before };
                    scalar(self.function, OpKind::Dim(axis), vec![array], DType::I64, op.span, place)
                }
            };
            let is_fixed = ![extent, *target].iter().any(|v| self.inside.contains(v));
            let place = if is_fixed { &mut *self.before } else { &mut *ops };
            let is_equal = OpKind::Scalar(ScalarOp::Eq);
            let is_equal = scalar(self.function, is_equal, vec![extent, *target], DType::Bool, op.span, place);
            // It is never raised: where it does not hold the other version of the loop runs.
            let kind = OpKind::Check { kind: ErrorKind::Value, message: String::new() };
            ops.push(Op { kind, operands: vec![is_equal], results: Vec::new(), regions: Vec::new(), span: op.span });
            let [a, b] = [extent, *target].map(|v| self.equal.resolve(v));
            if is_fixed && a != b {
                self.equal.replace(a.max(b), a.min(b));
            }
        }
    }
}

fn scalar(
    function: &mut Function,
    kind: OpKind,
    operands: Vec<ValueId>,
    dtype: DType,
    span: Span,
    ops: &mut Vec<Op>,
) -> ValueId {
    let result = function.add_value(Type::Scalar(dtype));
    ops.push(Op { kind, operands, results: vec![result], regions: Vec::new(), span });
    result
}
