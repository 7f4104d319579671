//! Loops as a program that all threads share: at each time of their wavefront, the work items of that time.
//!
//! In: loops in parts, and their wavefronts. Out: a loop over times, with a `parallel` phase for each wavefront. Each work item computes for itself the scalars
//! and views of the body that its parts use.

use std::collections::HashMap;

use numptx_ir::DType;
use numptx_ir::array::{Op, OpKind, ValueId};
use numptx_ir::scalar::{ScalarOp, Val};

use crate::loops::dependence::{Affine, Variable};
use crate::loops::nest::program::Refusal;
use crate::loops::nest::translator::Translator;
use crate::loops::schedule::wavefronts::bounds::factor;
use crate::loops::schedule::wavefronts::groups::{Extent, WavefrontGroup, WavefrontProgram, Wavefronts};

impl Translator<'_> {
    /// The loops whose wavefronts are given.
    pub(crate) fn wavefront(&mut self, op: &Op, wavefront: &WavefrontProgram) -> Result<(), Refusal> {
        let mut vals = HashMap::new();
        for (variable, value) in &wavefront.values {
            vals.insert(*variable, self.val(*value)?);
        }
        let [first, end] = [self.val(wavefront.times[0])?, self.val(wavefront.times[1])?];
        let one = self.code.integer(1);
        let time = self.code.open_block(&[DType::I64])[0];
        vals.insert(wavefront.wavefronts.time, time);
        for group in &wavefront.wavefronts.wavefronts {
            self.group(op, group, &wavefront.wavefronts, &mut vals)?;
        }
        let block = self.code.close_block(&[]);
        self.code.for_([first, end, one], &[], block);
        Ok(())
    }

    fn group(
        &mut self,
        op: &Op,
        group: &WavefrontGroup,
        wavefronts: &Wavefronts,
        vals: &mut HashMap<Variable, Val>,
    ) -> Result<(), Refusal> {
        let (first, others) = wavefronts.counts.split_first().ok_or(Refusal("a wavefront without an index"))?;
        let [lower, extent] = self.range(&group.bounds, *first, vals)?;
        let mut extents = vec![extent];
        for further in &group.further {
            extents.push(self.extent(&further.extent, vals)?);
        }
        let work_items = self.code.open_block(&vec![DType::I64; extents.len()]);
        let index = self.code.op(ScalarOp::Add, &[lower, work_items[0]]);
        vals.insert(*first, index);
        let mut is_work_item = None;
        for ((further, count), work_item) in group.further.iter().zip(others).zip(&work_items[1..]) {
            let lower = self.first_of(&further.lower, *count, vals)?;
            let index = self.code.op(ScalarOp::Add, &[lower, *work_item]);
            vals.insert(*count, index);
            for bound in &further.upper {
                let holds = self.at_least_zero(bound, vals)?;
                is_work_item = Some(self.either(is_work_item, ScalarOp::BitAnd, holds));
            }
        }
        if is_work_item.is_some() {
            self.code.open_block(&[]);
        }
        self.is_alone = true;
        self.work_item(op, group, &wavefronts.around, vals)?;
        self.is_alone = false;
        if let Some(is_work_item) = is_work_item {
            let then = self.code.close_block(&[]);
            self.code.open_block(&[]);
            let otherwise = self.code.close_block(&[]);
            self.code.if_(is_work_item, then, otherwise);
        }
        wavefronts.counts.iter().for_each(|count| _ = vals.remove(count));
        let body = self.code.close_block(&[]);
        self.code.parallel(&extents, body);
        Ok(())
    }

    /// What a work item does of a loop around parts and of those in it; `around`: their indices.
    fn work_item(
        &mut self,
        op: &Op,
        group: &WavefrontGroup,
        around: &[ValueId],
        vals: &HashMap<Variable, Val>,
    ) -> Result<(), Refusal> {
        let (index, inner) = around.split_first().ok_or(Refusal("a wavefront without a loop"))?;
        let function = group.around.len().checked_sub(around.len()).and_then(|at| group.around.get(at));
        let function = function.ok_or(Refusal("a wavefront without a loop"))?;
        let (id, affine) = self.open_loop(*index, &op.operands[..3])?;
        let within = self.within.replace(id);
        let val = self.function_of(function, vals)?;
        self.bind_scalar(*index, val, affine, None);
        for (position, nested) in op.regions[0].ops.iter().enumerate() {
            if nested.kind.is_pure_scalar_or_view() || matches!(nested.kind, OpKind::Constant(_)) {
                self.translate_op(nested)?;
            } else if nested.kind == OpKind::For && inner.first() == nested.regions[0].parameters.first() {
                self.work_item(nested, group, inner, vals)?;
            } else if inner.is_empty() && group.parts.contains(&position) {
                self.part(nested, group, vals)?;
            }
        }
        self.within = within;
        Ok(())
    }

    /// A part at a work item: the iteration of its loop, or all of them.
    fn part(&mut self, part: &Op, group: &WavefrontGroup, vals: &HashMap<Variable, Val>) -> Result<(), Refusal> {
        let Some(inner) = &group.inner else { return self.translate_op(part) };
        let index = part.regions[0].parameters[0];
        let (id, affine) = self.open_loop(index, &part.operands[..3])?;
        let within = self.within.replace(id);
        let val = self.function_of(inner, vals)?;
        self.bind_scalar(index, val, affine, None);
        self.translate_block(&part.regions[0].ops)?;
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
            match factor(bound, count).signum() {
                0 => {
                    let holds = self.at_least_zero(bound, vals)?;
                    condition = Some(self.either(condition, ScalarOp::BitAnd, holds));
                }
                1 => {
                    let least = self.end(bound, count, vals)?;
                    lower = Some(self.either(lower, ScalarOp::Max, least));
                }
                _ => {
                    let most = self.end(bound, count, vals)?;
                    upper = Some(self.either(upper, ScalarOp::Min, most));
                }
            }
        }
        let (Some(lower), Some(upper)) = (lower, upper) else { return Err(Refusal("a wavefront without end")) };
        let distance = self.code.op(ScalarOp::Sub, &[upper, lower]);
        let one = self.code.integer(1);
        let mut extent = self.code.op(ScalarOp::Add, &[distance, one]);
        if let Some(condition) = condition {
            let zero = self.code.integer(0);
            extent = self.code.op(ScalarOp::Select, &[condition, extent, zero]);
        }
        Ok([lower, extent])
    }

    /// The first index at which all of these are at least 0.
    fn first_of(&mut self, bounds: &[Affine], count: Variable, vals: &HashMap<Variable, Val>) -> Result<Val, Refusal> {
        let mut lower = None;
        for bound in bounds {
            let least = self.end(bound, count, vals)?;
            lower = Some(self.either(lower, ScalarOp::Max, least));
        }
        lower.ok_or(Refusal("a wavefront without end"))
    }

    /// Up to which index a function is at least 0, or from which one on if it rises.
    fn end(&mut self, bound: &Affine, count: Variable, vals: &HashMap<Variable, Val>) -> Result<Val, Refusal> {
        let factor = factor(bound, count);
        let rest = bound.with(count, &Affine::constant(0)).ok_or(Refusal("large numbers"))?;
        let rest = self.function_of(&rest, vals)?;
        // At least -rest / factor, rounded up; at most rest / -factor, rounded down.
        let by = self.code.integer(factor.abs());
        let quotient = if factor.abs() == 1 { rest } else { self.code.op(ScalarOp::FloorDiv, &[rest, by]) };
        Ok(if factor > 0 { self.code.op(ScalarOp::Neg, &[quotient]) } else { quotient })
    }

    /// How many indices there are at most.
    fn extent(&mut self, extent: &Extent, vals: &HashMap<Variable, Val>) -> Result<Val, Refusal> {
        let mut least = None;
        for (distance, by) in extent {
            let mut distance = self.function_of(distance, vals)?;
            if *by != 1 {
                let by = self.code.integer(*by);
                distance = self.code.op(ScalarOp::FloorDiv, &[distance, by]);
            }
            least = Some(self.either(least, ScalarOp::Min, distance));
        }
        let (least, one) = (least.ok_or(Refusal("a wavefront without end"))?, self.code.integer(1));
        Ok(self.code.op(ScalarOp::Add, &[least, one]))
    }

    fn at_least_zero(&mut self, function: &Affine, vals: &HashMap<Variable, Val>) -> Result<Val, Refusal> {
        let (value, zero) = (self.function_of(function, vals)?, self.code.integer(0));
        Ok(self.code.op(ScalarOp::Ge, &[value, zero]))
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
