//! Loops in a loop whose range that one's index bounds on one side, as squares: every iteration goes through all indices, and asks of each whether
//! it is in its range.
//!
//! In: a loop that only carries values, and its analysis. Out: the same values, of loops whose bounds are the same in all iterations, and the condition
//! that no range ends before it begins: then at most half of the points are none of the loop's. Decides nothing.

use numptx_ir::DType;
use numptx_ir::array::{Op, OpKind, Region, ValueId};
use numptx_ir::scalar::ScalarOp;

use super::guards::{HostProgram, least};
use super::place::yielding;
use super::translate::Translation;
use crate::dependence::{LoopId, Step};
use crate::form_nests::FormNests;

impl FormNests<'_> {
    /// Makes the only loop in a loop a square, where it is a triangle. Ops before the loop go into `ops`. What has to hold then, if anything.
    pub fn squared(&mut self, op: &mut Op, whole: &Translation, ops: &mut Vec<Op>) -> Option<Vec<ValueId>> {
        let span = op.span;
        let mut inner = op.regions[0].ops.iter_mut().filter(|inner| matches!(inner.kind, OpKind::For));
        let (Some(inner), None) = (inner.next(), inner.next()) else { return None };
        let id = *whole.loops.get(inner.regions[0].parameters.first()?)?;
        let of = whole.nest.loop_of(id);
        let [upper] = of.upper.as_slice() else { return None };
        let around: Vec<LoopId> = whole.nest.chain(of.parent);
        let first = least(&whole.nest, &of.lower, &around)?;
        let last = least(&whole.nest, &upper.times(-1)?, &around)?.times(-1)?;
        let (rises, falls) = (first != of.lower, last != *upper);
        if of.step != Step::Known(1) || rises == falls {
            return None;
        }
        let room = least(&whole.nest, &upper.minus(&of.lower)?, &around)?;
        let mut host = HostProgram::new(self.function, span);
        let mut conditions = Vec::new();
        if room.as_constant().is_none_or(|room| room < 0) {
            let (room, zero) = (host.value(&room, &whole.symbols)?, host.number(0));
            conditions.push(host.scalar(OpKind::Scalar(ScalarOp::Ge), vec![room, zero], DType::Bool));
        }
        let bound = host.value(if rises { &first } else { &last }, &whole.symbols)?;
        ops.append(&mut host.ops);

        let side = usize::from(falls);
        let own = std::mem::replace(&mut inner.operands[side], bound);
        let (index, carried) = inner.regions[0].parameters.split_first()?;
        let compares = if rises { ScalarOp::Ge } else { ScalarOp::Lt };
        let is_inside = host.scalar(OpKind::Scalar(compares), vec![*index, own], DType::Bool);
        let mut body = std::mem::take(&mut host.ops);
        let types: Vec<_> = carried.iter().map(|value| host.ty(*value)).collect();
        let results: Vec<ValueId> = types.into_iter().map(|ty| host.add_value(ty)).collect();
        let otherwise = vec![yielding(carried.to_vec(), span)];
        for (result, value) in results.iter().zip(carried) {
            self.points_to.add_alias(*result, *value);
        }
        let then = std::mem::take(&mut inner.regions[0].ops);
        let regions = [then, otherwise].map(|ops| Region { parameters: Vec::new(), ops });
        let (operands, yields) = (vec![is_inside], results.clone());
        body.push(Op { kind: OpKind::If, operands, results, regions: regions.into(), span });
        body.push(yielding(yields, span));
        inner.regions[0].ops = body;
        Some(conditions)
    }
}
