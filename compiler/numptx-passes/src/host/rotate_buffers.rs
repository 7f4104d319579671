//! **Does**: hands the memory that ends in an iteration of a loop to the next iteration, which takes it for an array of its own.
//! **Requires**: phase Host.
//! **Ensures**: a loop whose iterations make arrays of equal extents allocates at most two for each, however often it runs.
//! **Keeps**: values. Whether memory is free and fits is asked at run time (`reuse`), so that nothing has to be known of it here.
//! **Example**: `for … (%i, %u = %a) { %n = alloc %m; launch (%n, %u[1:], …); yield %n }` becomes
//! `for … (%i, %u = %a, %s = %a) { %n = reuse %s, %m; launch (%n, %u[1:], …); yield %n, %u }`.
//!
//! What is carried is the array that ends: the new one itself where it stays in its iteration, else a carried value of its dtype and rank
//! that is not carried on. The first iteration gets what nobody can take: what the loop starts from, a parameter, or an empty array.

use std::collections::BTreeSet;

use numptx_ir::DType;
use numptx_ir::array::{ArrayType, Function, Layout, Module, Op, OpKind, Order, Region, Type, ValueData, ValueId};
use numptx_ir::scalar::Constant;
use numptx_source::InternalError;

use crate::Pass;
use crate::analysis::points_to::PointsTo;
use crate::analysis::roots::Roots;
use crate::analysis::traverse::terminator_operands;

/// See the file's header.
pub const ROTATE_BUFFERS: Pass =
    Pass::optional("rotate-buffers", "carry memory from iteration to iteration", rotate_buffers);

fn rotate_buffers(module: &mut Module) -> Result<(), InternalError> {
    module.functions.iter_mut().for_each(rotate_in_function);
    Ok(())
}

fn rotate_in_function(function: &mut Function) {
    let parameters = function.parameters.iter().filter_map(|v| Some((*v, function.array(*v)?))).collect();
    let (roots, points_to) = (Roots::of(function), PointsTo::of(function));
    let mut body = std::mem::take(&mut function.body);
    let mut rotate = Rotate { roots, points_to, parameters, values: &mut function.values };
    rotate.region(&mut body);
    function.body = body;
}

struct Rotate<'f> {
    roots: Roots,
    points_to: PointsTo,
    /// The function's arrays.
    parameters: Vec<(ValueId, ArrayType)>,
    values: &'f mut Vec<ValueData>,
}

/// An allocation of a loop's body that may take what an iteration before left.
struct Turn {
    /// Its position in the body.
    alloc: usize,
    /// What an iteration leaves.
    left: ValueId,
    /// What there is before the first iteration; `None`: an empty array.
    first: Option<ValueId>,
}

impl Rotate<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut ops = Vec::with_capacity(region.ops.len());
        for mut op in std::mem::take(&mut region.ops) {
            op.regions.iter_mut().for_each(|nested| self.region(nested));
            if matches!(op.kind, OpKind::For | OpKind::While) {
                for turn in self.turns(&op) {
                    self.take_turns(&mut op, turn, &mut ops);
                }
            }
            ops.push(op);
        }
        region.ops = ops;
    }

    /// The arrays of a loop's body that can take turns.
    fn turns(&self, op: &Op) -> Vec<Turn> {
        let Some(body) = op.regions.last() else { return Vec::new() };
        let varying = varying(body, |v| self.array(v).is_some());
        let mut left: Vec<ValueId> = Vec::new();
        let mut turns = Vec::new();
        for (index, made) in body.ops.iter().enumerate() {
            let OpKind::Alloc { .. } = made.kind else { continue };
            let array = made.results[0];
            if made.operands.iter().any(|v| varying.contains(v)) {
                continue;
            }
            let turn = if self.is_handed_on(array, body) {
                self.ending(op, body, array, &left).map(|(left, first)| Turn { alloc: index, left, first: Some(first) })
            } else {
                let left = self.heir(array, body);
                Some(Turn { alloc: index, left, first: self.like(left) })
            };
            left.extend(turn.as_ref().map(|turn| turn.left));
            turns.extend(turn);
        }
        turns
    }

    /// Whether the next iteration, or who comes after the loop, may see an array.
    fn is_handed_on(&self, array: ValueId, body: &Region) -> bool {
        terminator_operands(body).iter().any(|v| self.points_to.locations(*v).contains(&array))
    }

    /// A carried array that ends in its iteration and may lie as `array` does, with what the loop starts from.
    fn ending(&self, op: &Op, body: &Region, array: ValueId, left: &[ValueId]) -> Option<(ValueId, ValueId)> {
        let wanted = self.array(array)?;
        let n_bounds = op.operands.len() - op.results.len();
        let parameters = &body.parameters[body.parameters.len() - op.results.len()..];
        let mut carried = parameters.iter().zip(&op.operands[n_bounds..]);
        let is_taken = |root: ValueId| left.contains(&root) || self.heir(root, body) != root;
        let ends = |root: ValueId| terminator_operands(body).iter().all(|v| self.roots.root(*v) != Some(root));
        let fits = |v: ValueId| self.array(v).is_some_and(|a| (a.dtype, a.rank) == (wanted.dtype, wanted.rank));
        carried.find(|(p, _)| fits(**p) && ends(**p) && !is_taken(**p)).map(|(p, first)| (*p, *first))
    }

    /// The array that has an array's memory at the end of its iteration.
    fn heir(&self, array: ValueId, body: &Region) -> ValueId {
        let mut heir = array;
        for op in body.ops.iter().filter(|op| matches!(op.kind, OpKind::Reuse { .. })) {
            if self.roots.root(op.operands[0]) == Some(heir) {
                heir = op.results[0];
            }
        }
        heir
    }

    fn array(&self, value: ValueId) -> Option<ArrayType> {
        if let Type::Array(array) = self.values[value.0 as usize].ty { Some(array) } else { None }
    }

    /// An array parameter of the function of the same dtype and rank.
    fn like(&self, array: ValueId) -> Option<ValueId> {
        let wanted = self.array(array)?;
        let is_like = |(_, a): &&(ValueId, ArrayType)| (a.dtype, a.rank) == (wanted.dtype, wanted.rank);
        self.parameters.iter().find(is_like).map(|(v, _)| *v)
    }

    fn value(&mut self, ty: Type) -> ValueId {
        self.values.push(ValueData { ty, name: None });
        ValueId(self.values.len() as u32 - 1)
    }

    /// Carries what an iteration leaves, and takes it in the next.
    fn take_turns(&mut self, op: &mut Op, turn: Turn, before: &mut Vec<Op>) {
        let Some(array) = self.array(turn.left) else { return };
        let first = turn.first.unwrap_or_else(|| self.empty(array, op, before));
        let carried = Type::Array(ArrayType { layout: Layout::Any, writable: false, ..array });
        op.operands.push(first);
        let result = self.value(carried);
        op.results.push(result);
        for region in &mut op.regions {
            let parameter = self.value(carried);
            region.parameters.push(parameter);
        }
        let Some(body) = op.regions.last_mut() else { return };
        let Some(parameter) = body.parameters.last().copied() else { return };
        body.ops[turn.alloc].operands.insert(0, parameter);
        if let OpKind::Alloc { dtype, order } = &body.ops[turn.alloc].kind {
            body.ops[turn.alloc].kind = OpKind::Reuse { dtype: *dtype, order: order.clone() };
        }
        if let Some(terminator) = body.ops.last_mut() {
            terminator.operands.push(turn.left);
        }
    }

    /// An array without elements, made before the loop.
    fn empty(&mut self, like: ArrayType, op: &Op, before: &mut Vec<Op>) -> ValueId {
        let zero = self.value(Type::Scalar(DType::I64));
        let empty = self.value(Type::Array(ArrayType { layout: Layout::C, writable: true, ..like }));
        let new =
            |kind, operands, result| Op { kind, operands, results: vec![result], regions: Vec::new(), span: op.span };
        before.push(new(OpKind::Constant(Constant::Int(0)), Vec::new(), zero));
        let kind = OpKind::Alloc { dtype: like.dtype, order: Order::C };
        before.push(new(kind, vec![zero; like.rank], empty));
        empty
    }
}

/// What is likely to differ from iteration to iteration: scalars that follow from carried ones or from elements of arrays, and arrays
/// whose extents do.
fn varying(body: &Region, is_array: impl Fn(ValueId) -> bool) -> BTreeSet<ValueId> {
    let mut varying: BTreeSet<ValueId> = body.parameters.iter().copied().filter(|v| !is_array(*v)).collect();
    for op in &body.ops {
        let decisive: Vec<ValueId> = match op.kind {
            OpKind::Index { .. } => vec![op.operands[0]],
            OpKind::Slice { .. } => vec![op.operands[0], op.operands[2]],
            _ => op.operands.clone(),
        };
        let follows = op.kind.is_pure_scalar_or_view() && decisive.iter().any(|v| varying.contains(v));
        let is_unknown =
            matches!(op.kind, OpKind::Item | OpKind::Call { .. } | OpKind::Object(_)) || !op.regions.is_empty();
        varying.extend(op.results.iter().filter(|v| follows || (is_unknown && !is_array(**v))));
    }
    varying
}
