//! **Does**: folds host scalars and checks, forwards extents, turns slice bounds into arithmetic, brings views into one form, shares equal
//! pure ops within dominance, replaces branches with a known condition by the branch taken, and states C order where K order is C order.
//! **Requires**: phase Source or Placed.
//! **Ensures**: equal pure ops that see each other are one value; no check is constantly true or made twice on a path.
//! **Keeps**: reads and writes of memory and their order; which checks fail, and their order; returned views stay views.
//! **Example**: `%l = max (%n + -1), 0; %m = max (%l + -1), 0` becomes `%m = max (%n + -2), 0`.

use numptx_ir::DType;
use numptx_ir::array::{Function, Module, Op, OpKind, Type, ValueId};
use numptx_ir::scalar::{Constant, InstrKind, ScalarOp};
use numptx_source::InternalError;

use crate::Pass;
use crate::rewrite::emit::{Definition, Emitter};
use crate::rewrite::function::{Place, Rewrite, rebuild};
use crate::source::remove_dead::remove_dead_ops;

/// See the file's header.
pub const SIMPLIFY: Pass =
    Pass::optional("simplify", "fold scalars, extents and views, and share equal ones", simplify);

fn simplify(module: &mut Module) -> Result<(), InternalError> {
    module.functions.iter_mut().for_each(simplify_function);
    Ok(())
}

/// The pass on one function.
pub fn simplify_function(function: &mut Function) {
    rebuild(function, &mut Simplify);
    remove_dead_ops(function);
}

struct Simplify;

impl Rewrite for Simplify {
    fn emit(&mut self, emitter: &mut Emitter, op: Op, _place: Place) {
        emitter.emit(op);
    }

    fn flattens(&self) -> bool {
        true
    }
}

impl Emitter {
    /// Emits an op of the old body: resolves its operands, simplifies it, and lets its results stand for what came of it.
    pub fn emit(&mut self, mut op: Op) {
        op.operands.iter_mut().for_each(|v| *v = self.resolve(*v));
        if op.kind.is_pure_scalar_or_view() {
            return self.emit_pure(op);
        }
        match op.kind {
            OpKind::Check { .. } => self.emit_check(op),
            OpKind::Map(_) | OpKind::Reduce(_) | OpKind::Scan(_) => self.emit_computation(op),
            OpKind::Item => self.emit_item(op),
            OpKind::Assign => {
                op.operands[1] = self.same_elements(op.operands[1]);
                self.push(op);
            }
            _ => self.push(op),
        }
    }

    fn emit_pure(&mut self, op: Op) {
        let reuse = Some(op.results.clone());
        let dtype = self.ty(op.results[0]).dtype();
        let value = match &op.kind {
            OpKind::Scalar(scalar) => self.scalar_as(*scalar, &op.operands, dtype, reuse),
            OpKind::Dim(axis) => self.dim_as(op.operands[0], *axis, reuse),
            OpKind::BroadcastExtent => self.broadcast_extent(op.operands[0], op.operands[1], reuse),
            OpKind::SliceBounds { lower, upper } => return self.emit_slice_bounds(*lower, *upper, &op),
            OpKind::IsWritable => self.is_writable(op.operands[0], reuse),
            kind if kind.is_view() => self.view(op.kind.clone(), op.operands.clone(), reuse),
            _ => self.number(op.kind.clone(), op.operands.clone(), dtype, reuse)[0],
        };
        self.replace(op.results[0], value);
    }

    fn broadcast_extent(&mut self, a: ValueId, b: ValueId, reuse: Option<Vec<ValueId>>) -> ValueId {
        match (self.i64_of(a), self.i64_of(b)) {
            _ if a == b => a,
            (Some(1), _) => b,
            (_, Some(1)) => a,
            // The other one is equal, or it is 1 and gives way.
            (Some(_), _) => a,
            (_, Some(_)) => b,
            _ => self.number(OpKind::BroadcastExtent, vec![a, b], DType::I64, reuse)[0],
        }
    }

    fn emit_slice_bounds(&mut self, has_lower: bool, has_upper: bool, op: &Op) {
        let mut operands = op.operands.iter().copied();
        let lower = if has_lower { operands.next() } else { None };
        let upper = if has_upper { operands.next() } else { None };
        let (Some(step), Some(extent)) = (operands.next(), operands.next()) else { return self.push(op.clone()) };
        let bounds = match self.slice_bounds(lower, upper, step, extent) {
            Some((start, length)) => vec![start, length],
            None => self.number(op.kind.clone(), op.operands.clone(), DType::I64, Some(op.results.clone())),
        };
        for (result, value) in op.results.iter().zip(bounds) {
            self.replace(*result, value);
        }
    }

    fn emit_check(&mut self, op: Op) {
        let condition = op.operands[0];
        if self.constant_of(condition) == Some(Constant::Bool(true)) || self.has_passed(condition) {
            return;
        }
        self.push(op);
        self.note_passed_parts(condition);
    }

    /// A conjunction holds in its parts too.
    fn note_passed_parts(&mut self, condition: ValueId) {
        self.note_passed(condition);
        if let Some(definition) = self.definition(condition)
            && matches!(definition.kind, OpKind::Scalar(ScalarOp::BitAnd))
        {
            definition.operands.iter().for_each(|part| self.note_passed_parts(*part));
        }
    }

    /// The element of a rank-0 computation on host scalars is computed on the host.
    fn emit_item(&mut self, mut op: Op) {
        op.operands[0] = self.same_elements(op.operands[0]);
        match self.host_scalar(op.operands[0]) {
            Some(value) => self.replace(op.results[0], value),
            None if self.is_constant_array(op.operands[0]) => self.emit_pure(op),
            None => self.push(op),
        }
    }

    /// Whether an array is a fresh one that nothing writes.
    fn is_constant_array(&self, array: ValueId) -> bool {
        let is_computed = |op: &Definition| matches!(op.kind, OpKind::Map(_) | OpKind::Reduce(_));
        self.definition(array).is_some_and(|op| is_computed(&op)) && !self.is_written(array)
    }

    fn host_scalar(&mut self, array: ValueId) -> Option<ValueId> {
        let definition = self.definition(array)?;
        let OpKind::Map(map) = &definition.kind else { return None };
        let is_scalar = |v: &ValueId| matches!(self.ty(*v), Type::Scalar(_));
        if map.rank != 0 || !definition.operands.iter().all(is_scalar) || self.is_written(array) {
            return None;
        }
        let mut values: Vec<ValueId> = Vec::with_capacity(map.body.instrs.len());
        for instr in &map.body.instrs {
            values.push(match &instr.kind {
                InstrKind::Input(n) => definition.operands[*n as usize],
                InstrKind::Index(_) | InstrKind::Element(..) => return None,
                InstrKind::Constant(constant) => self.constant(*constant, instr.dtype),
                InstrKind::Op(scalar, operands) => {
                    let operands: Vec<ValueId> = operands.iter().map(|v| values[v.0 as usize]).collect();
                    self.scalar(*scalar, &operands, instr.dtype)
                }
            });
        }
        let position = definition.results.iter().position(|v| *v == array)?;
        map.body.outputs.get(position).map(|v| values[v.0 as usize])
    }
}
