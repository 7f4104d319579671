//! Loops whose loads run ahead: a device's thread asks for what several iterations load before it does the rest of the first one.
//!
//! A thread that walks along an axis uses a part of each cache line that it gets, and far more threads than the caches have lines for do so at
//! once; what is not asked for together is fetched once an iteration. And memory that is waited for once in several iterations is waited for
//! less often.
//!
//! In: an innermost loop of a program of one point, without checks. What needs neither what the loop carries nor a table that the program stores
//! to is done for [`AHEAD`] iterations before the rest, step by step; then the rest, iteration by iteration. Tables that are stored to share
//! memory with no others, so that no load misses a store. Iterations that are left over are run one by one.

use std::collections::HashSet;

use inkwell::values::IntValue;
use numptx_ir::scalar::{Block, Code, Step, StepKind, Val};

use super::Point;
use super::control::Slot;
use crate::emitter::Side;
use crate::error::Emit;
use crate::value::Scalar;

/// Iterations whose loads are done together.
pub(super) const AHEAD: i64 = 8;
/// More loads of an iteration than these would need too many registers.
const LOADS: usize = 16;
/// A loop's body of more steps than this is long enough as it is.
const STEPS: usize = 96;

/// The steps of a loop's body in two parts, each in order.
pub(super) struct Ahead<'c> {
    early: Vec<&'c Step>,
    rest: Vec<&'c Step>,
}

impl<'c> Ahead<'c> {
    /// `None` where nothing is gained by it, or it may not be.
    pub fn of(code: &Code, body: &'c Block, side: Side) -> Option<Self> {
        let is_innermost = body.steps.iter().all(|step| step.blocks.is_empty());
        let may_be = matches!(side, Side::Device(_)) && !code.is_cooperative() && code.fault().is_none();
        if !may_be || !is_innermost || body.steps.len() > STEPS {
            return None;
        }
        let mut late: HashSet<Val> = body.parameters.iter().skip(1).copied().collect();
        let (mut early, mut rest) = (Vec::new(), Vec::new());
        for step in &body.steps {
            let is_fixed = match step.kind {
                StepKind::Load(table) => !code.stores(table as usize),
                StepKind::Constant(_) | StepKind::Op(_) | StepKind::Index(_) | StepKind::Input(_) => true,
                _ => false,
            };
            if is_fixed && step.operands.iter().all(|v| !late.contains(v)) {
                early.push(step);
            } else {
                late.extend(&step.results);
                rest.push(step);
            }
        }
        let loads = early.iter().filter(|step| matches!(step.kind, StepKind::Load(_))).count();
        (loads > 0 && loads <= LOADS).then(|| Ahead::with_late_operations(early, rest))
    }

    /// Leaves to the rest what no load needs, so that loads are near each other.
    fn with_late_operations(early: Vec<&'c Step>, mut rest: Vec<&'c Step>) -> Self {
        let mut needed: HashSet<Val> = HashSet::new();
        let mut kept = Vec::new();
        let mut left = Vec::new();
        for step in early.into_iter().rev() {
            if matches!(step.kind, StepKind::Load(_)) || step.results.iter().any(|v| needed.contains(v)) {
                needed.extend(&step.operands);
                kept.push(step);
            } else {
                left.push(step);
            }
        }
        kept.reverse();
        left.reverse();
        left.append(&mut rest);
        Ahead { early: kept, rest: left }
    }
}

impl<'ctx> Point<'_, 'ctx, '_> {
    /// Emits the iterations with these indices, the first ones of a loop's rest.
    pub(super) fn several(
        &mut self,
        ahead: &Ahead<'_>,
        body: &Block,
        indices: &[IntValue<'ctx>],
        carried: &[Slot<'ctx>],
    ) -> Emit<()> {
        let mut done: Vec<Vec<(Val, Scalar<'ctx>)>> =
            indices.iter().map(|index| vec![(body.parameters[0], Scalar::Int(*index))]).collect();
        for step in &ahead.early {
            for done in &mut done {
                for (val, value) in done.iter() {
                    self.values[val.0 as usize] = Some(*value);
                }
                let results = self.step(step)?;
                done.extend(step.results.iter().copied().zip(results));
            }
        }
        for done in done {
            for (val, value) in done {
                self.values[val.0 as usize] = Some(value);
            }
            let values = self.read(carried)?;
            self.bind(&body.parameters[1..], values);
            for step in &ahead.rest {
                let results = self.step(step)?;
                self.bind(&step.results, results);
            }
            let yields = self.all(&body.yields)?;
            self.write(carried, &yields)?;
        }
        Ok(())
    }
}
