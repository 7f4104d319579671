//! A loop as a program that all threads share: at each time of its wavefront, the points of that time.
//!
//! In: a loop in parts, and its fronts. Out: a loop over times, with a `parallel` step for each front. Each point computes for itself the scalars and
//! views of the body that its parts use.

use std::collections::{BTreeMap, HashMap};

use numptx_ir::DType;
use numptx_ir::array::{Op, OpKind, ValueId};
use numptx_ir::scalar::{ScalarOp, Val};

use super::fronts::{Front, Fronts};
use super::translate::{Refusal, Translator};
use crate::dependence::{Affine, Variable};

/// What fronts are made with.
#[derive(Clone, Debug)]
pub struct Team {
    /// The fronts.
    pub fronts: Fronts,
    /// Host scalars: the first time, and the one after the last.
    pub times: [ValueId; 2],
    /// Host scalars for what functions of fronts are made of.
    pub values: BTreeMap<Variable, ValueId>,
}

impl Translator<'_> {
    /// The loop whose fronts are given.
    pub(super) fn team(&mut self, op: &Op, team: &Team) -> Result<(), Refusal> {
        let mut vals = HashMap::new();
        for (variable, value) in &team.values {
            vals.insert(*variable, self.val(*value)?);
        }
        let [first, end] = [self.val(team.times[0])?, self.val(team.times[1])?];
        let one = self.code.integer(1);
        let time = self.code.open_block(&[DType::I64])[0];
        vals.insert(team.fronts.time, time);
        for front in &team.fronts.fronts {
            self.front(op, front, team.fronts.count, &mut vals)?;
        }
        let block = self.code.close_block(&[]);
        self.code.for_([first, end, one], &[], block);
        Ok(())
    }

    fn front(
        &mut self,
        op: &Op,
        front: &Front,
        count: Variable,
        vals: &mut HashMap<Variable, Val>,
    ) -> Result<(), Refusal> {
        let [lower, extent] = self.range(&front.bounds, count, vals)?;
        let point = self.code.open_block(&[DType::I64])[0];
        let index = self.code.op(ScalarOp::Add, &[lower, point]);
        vals.insert(count, index);
        let (outer, affine) = self.open_loop(op.regions[0].parameters[0], &op.operands[..3])?;
        let within = self.within.replace(outer);
        self.is_alone = true;
        let val = self.function_of(&front.outer, vals)?;
        self.bind_scalar(op.regions[0].parameters[0], val, affine, None);
        for (position, nested) in op.regions[0].ops.iter().enumerate() {
            if nested.kind.is_pure_scalar_or_view() || matches!(nested.kind, OpKind::Constant(_)) {
                self.op(nested)?;
            } else if front.parts.contains(&position) {
                self.part(nested, front, vals)?;
            }
        }
        self.within = within;
        self.is_alone = false;
        vals.remove(&count);
        let body = self.code.close_block(&[]);
        self.code.parallel(&[extent], body);
        Ok(())
    }

    /// A part at a point: the iteration of its loop, or all of them.
    fn part(&mut self, part: &Op, front: &Front, vals: &HashMap<Variable, Val>) -> Result<(), Refusal> {
        let Some(inner) = &front.inner else { return self.op(part) };
        let index = part.regions[0].parameters[0];
        let (id, affine) = self.open_loop(index, &part.operands[..3])?;
        let within = self.within.replace(id);
        let val = self.function_of(inner, vals)?;
        self.bind_scalar(index, val, affine, None);
        self.block(&part.regions[0].ops)?;
        self.within = within;
        Ok(())
    }

    /// The first index at which all bounds hold, and how many there are from it on.
    fn range(
        &mut self,
        bounds: &[Affine],
        count: Variable,
        vals: &HashMap<Variable, Val>,
    ) -> Result<[Val; 2], Refusal> {
        let (mut lower, mut upper, mut condition) = (None, None, None);
        for bound in bounds {
            let factor = bound.terms().iter().find(|(variable, _)| *variable == count).map_or(0, |(_, factor)| *factor);
            let rest = bound.with(count, &Affine::constant(0)).ok_or(Refusal("large numbers"))?;
            let rest = self.function_of(&rest, vals)?;
            if factor == 0 {
                let zero = self.code.integer(0);
                let holds = self.code.op(ScalarOp::Ge, &[rest, zero]);
                condition = Some(self.either(condition, ScalarOp::BitAnd, holds));
                continue;
            }
            // At least -rest / factor, rounded up; at most rest / -factor, rounded down.
            let by = self.code.integer(factor.abs());
            let quotient = if factor.abs() == 1 { rest } else { self.code.op(ScalarOp::FloorDiv, &[rest, by]) };
            if factor > 0 {
                let least = self.code.op(ScalarOp::Neg, &[quotient]);
                lower = Some(self.either(lower, ScalarOp::Max, least));
            } else {
                upper = Some(self.either(upper, ScalarOp::Min, quotient));
            }
        }
        let (Some(lower), Some(upper)) = (lower, upper) else { return Err(Refusal("a front without end")) };
        let distance = self.code.op(ScalarOp::Sub, &[upper, lower]);
        let one = self.code.integer(1);
        let mut extent = self.code.op(ScalarOp::Add, &[distance, one]);
        if let Some(condition) = condition {
            let zero = self.code.integer(0);
            extent = self.code.op(ScalarOp::Select, &[condition, extent, zero]);
        }
        Ok([lower, extent])
    }

    fn either(&mut self, so_far: Option<Val>, op: ScalarOp, val: Val) -> Val {
        so_far.map_or(val, |other| self.code.op(op, &[other, val]))
    }

    /// The value of a function.
    fn function_of(&mut self, function: &Affine, vals: &HashMap<Variable, Val>) -> Result<Val, Refusal> {
        let mut sum = None;
        for (variable, factor) in function.terms() {
            let mut term = *vals.get(variable).ok_or(Refusal("a function of what nobody knows"))?;
            if *factor != 1 {
                let factor = self.code.integer(*factor);
                term = self.code.op(ScalarOp::Mul, &[term, factor]);
            }
            sum = Some(self.either(sum, ScalarOp::Add, term));
        }
        let constant = self.code.integer(function.constant_part());
        Ok(match sum {
            Some(sum) if function.constant_part() == 0 => sum,
            Some(sum) => self.code.op(ScalarOp::Add, &[sum, constant]),
            None => constant,
        })
    }
}
