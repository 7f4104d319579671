//! Loops in a loop whose range an outer one's index bounds on one side, as squares: every iteration goes through all indices, and asks of each whether
//! it is in its range.
//!
//! In: a loop that only carries values, around loops of which each is the only one in the one before, and its analysis. Out: the same values, of loops
//! whose bounds are the same in all iterations, and the conditions that no range ends before it begins: then at most half of the work items are none of
//! a loop's, for each that is a triangle. What is asked is asked in the innermost loop. Decides nothing.

use numptx_ir::DType;
use numptx_ir::array::{Op, OpKind, Region, ValueId};
use numptx_ir::scalar::ScalarOp;
use numptx_source::Span;

use crate::loops::assumptions::guards::HostProgram;
use crate::loops::dependence::{LoopId, Step};
use crate::loops::function::FormNests;
use crate::loops::nest::program::Translation;
use crate::loops::schedule::least::least;
use crate::rewrite::emit::yielding;

/// What is asked of the indices of loops that were triangles.
#[derive(Default)]
struct Squares {
    /// Whether the first is less than the second, or not less.
    inside: Vec<(ScalarOp, ValueId, ValueId)>,
    /// What has to hold before.
    conditions: Vec<ValueId>,
}

impl FormNests<'_> {
    /// Makes the only loop in a loop a square, where it is a triangle, and the only one in that. Ops before the loop go into `ops`. What has to hold
    /// then, if anything; `None` if there are no triangles.
    pub fn squared(&mut self, op: &mut Op, whole: &Translation, ops: &mut Vec<Op>) -> Option<Vec<ValueId>> {
        let (span, mut squares) = (op.span, Squares::default());
        self.squares(op, whole, (span, &mut squares), ops)?;
        (!squares.inside.is_empty()).then_some(squares.conditions)
    }

    fn squares(
        &mut self,
        op: &mut Op,
        whole: &Translation,
        (span, squares): (Span, &mut Squares),
        ops: &mut Vec<Op>,
    ) -> Option<()> {
        let is_handed_on = carries(op);
        let mut inner = op.regions[0].ops.iter_mut().filter(|inner| matches!(inner.kind, OpKind::For));
        let Some(inner_op) = inner.next() else {
            if !squares.inside.is_empty() {
                self.ask(op, span, &squares.inside);
            }
            return Some(());
        };
        // What a loop does around another one is done by each of its work items.
        if inner.next().is_some() || (!squares.inside.is_empty() && !is_handed_on) {
            return None;
        }
        self.square(inner_op, whole, (span, &mut *squares), ops)?;
        self.squares(inner_op, whole, (span, squares), ops)
    }

    /// Makes a loop a square, if it is a triangle. `None` if it cannot be told.
    fn square(
        &mut self,
        inner: &mut Op,
        whole: &Translation,
        (span, squares): (Span, &mut Squares),
        ops: &mut Vec<Op>,
    ) -> Option<()> {
        let index = *inner.regions[0].parameters.first()?;
        let of = whole.nest.loop_of(*whole.loops.get(&index)?);
        let [upper] = of.upper.as_slice() else { return None };
        let around: Vec<LoopId> = whole.nest.chain(of.parent);
        let first = least(&whole.nest, &of.lower, &around)?;
        let last = least(&whole.nest, &upper.times(-1)?, &around)?.times(-1)?;
        let (rises, falls) = (first != of.lower, last != *upper);
        if !rises && !falls {
            return Some(());
        }
        if of.step != Step::Known(1) || rises == falls {
            return None;
        }
        let room = least(&whole.nest, &upper.minus(&of.lower)?, &around)?;
        let mut host = HostProgram::new(self.function, span);
        if room.as_constant().is_none_or(|room| room < 0) {
            let (room, zero) = (host.value(&room, &whole.symbols)?, host.number(0));
            squares.conditions.push(host.scalar(OpKind::Scalar(ScalarOp::Ge), vec![room, zero], DType::Bool));
        }
        let bound = host.value(if rises { &first } else { &last }, &whole.symbols)?;
        ops.append(&mut host.ops);
        let own = std::mem::replace(&mut inner.operands[usize::from(falls)], bound);
        squares.inside.push((if rises { ScalarOp::Ge } else { ScalarOp::Lt }, index, own));
        Some(())
    }

    /// Lets the innermost loop carry what it carries, where one of these does not hold.
    fn ask(&mut self, op: &mut Op, span: Span, inside: &[(ScalarOp, ValueId, ValueId)]) {
        let mut host = HostProgram::new(self.function, span);
        let mut is_inside = None;
        for (compares, index, own) in inside {
            let holds = host.scalar(OpKind::Scalar(*compares), vec![*index, *own], DType::Bool);
            is_inside = Some(match is_inside {
                Some(all) => host.scalar(OpKind::Scalar(ScalarOp::BitAnd), vec![all, holds], DType::Bool),
                None => holds,
            });
        }
        let mut body = std::mem::take(&mut host.ops);
        let carried = op.regions[0].parameters[1..].to_vec();
        let types: Vec<_> = carried.iter().map(|value| host.ty(*value)).collect();
        let results: Vec<ValueId> = types.into_iter().map(|ty| host.add_value(ty)).collect();
        for (result, value) in results.iter().zip(&carried) {
            self.known.points_to.add_alias(*result, *value);
        }
        let otherwise = vec![yielding(carried, span)];
        let then = std::mem::take(&mut op.regions[0].ops);
        let regions = [then, otherwise].map(|ops| Region { parameters: Vec::new(), ops });
        let (operands, yields) = (is_inside.into_iter().collect(), results.clone());
        body.push(Op { kind: OpKind::If, operands, results, regions: regions.into(), span });
        body.push(yielding(yields, span));
        op.regions[0].ops = body;
    }
}

/// Whether what a loop carries goes through the loop in it, and that is all that becomes of it.
fn carries(op: &Op) -> bool {
    let body = &op.regions[0];
    let inner = body.ops.iter().find(|inner| matches!(inner.kind, OpKind::For));
    inner
        .zip(body.ops.last())
        .is_some_and(|(inner, end)| inner.operands[3..] == body.parameters[1..] && end.operands == inner.results)
}
