//! How operands move along an innermost loop, and the few ways that have a fast loop.
//!
//! Which operand stands still along which axis is known to the program, but launches permute, merge and drop axes. So what the program says is a
//! guess: a fast loop is compiled for the likeliest combinations, and taken where the launch's strides are those.

use inkwell::IntPredicate;
use inkwell::values::{IntValue, PointerValue};
use numptx_ir::kernel::Kernel;

use super::frame::Frame;
use crate::emitter::Emitter;
use crate::error::Emit;
use crate::phase::operand;

/// Fast loops of one function, at most.
const FAST_LOOPS: usize = 2;

/// How an operand moves along an innermost loop.
#[derive(Clone, Copy)]
pub(super) enum Step<'ctx> {
    /// It stays.
    Stay,
    /// To the next element.
    Element,
    /// By bytes.
    Bytes(IntValue<'ctx>),
}

impl<'ctx> Step<'ctx> {
    /// The address after `i` steps.
    pub fn address(
        self,
        e: &Emitter<'ctx, '_>,
        base: PointerValue<'ctx>,
        i: IntValue<'ctx>,
        dtype: numptx_ir::DType,
    ) -> Emit<PointerValue<'ctx>> {
        match self {
            Step::Stay => Ok(base),
            Step::Element => e.at_element(base, i, dtype),
            Step::Bytes(stride) => e.at_bytes(base, e.mul(i, stride)?),
        }
    }
}

/// How all operands move along an innermost loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pace {
    /// By operand: whether it stays, or else moves by one element.
    stays: Vec<bool>,
}

impl Pace {
    /// As the program has it along an axis.
    pub fn along(kernel: &Kernel, axis: usize) -> Pace {
        Pace { stays: kernel.operands.iter().map(|o| o.fixed.get(axis) == Some(&true)).collect() }
    }

    /// The likeliest paces along the innermost of some axes: that of the last first, which a launch in another memory order may swap for another's.
    /// They differ in the given operands.
    pub fn likely(kernel: &Kernel, axes: std::ops::Range<usize>, operands: &[usize]) -> Vec<Pace> {
        let mut paces: Vec<Pace> = Vec::new();
        for axis in axes.rev() {
            let pace = Pace::along(kernel, axis);
            let is_known = paces.iter().any(|p| operands.iter().all(|n| p.stays.get(*n) == pace.stays.get(*n)));
            if !is_known && !pace.is_still(operands) {
                paces.push(pace);
            }
        }
        paces.truncate(FAST_LOOPS);
        paces
    }

    /// Whether none of the operands moves.
    pub fn is_still(&self, operands: &[usize]) -> bool {
        operands.iter().all(|n| self.stays.get(*n) == Some(&true))
    }

    /// Whether the operands move so along an axis of a launch.
    pub fn holds<'ctx>(
        &self,
        e: &Emitter<'ctx, '_>,
        kernel: &Kernel,
        (frame, axis): (&Frame<'ctx>, usize),
        operands: &[usize],
    ) -> Emit<IntValue<'ctx>> {
        let mut all = e.context.bool_type().const_int(1, false);
        for n in operands {
            let wanted = if self.stays[*n] { 0 } else { operand(kernel, *n)?.dtype.itemsize() as i64 };
            all = e.and(all, e.icmp_with(IntPredicate::EQ, frame.strides[*n][axis], wanted)?)?;
        }
        Ok(all)
    }

    /// The operands' steps where it holds.
    pub fn steps<'ctx>(&self) -> Vec<Step<'ctx>> {
        self.stays.iter().map(|stays| if *stays { Step::Stay } else { Step::Element }).collect()
    }
}

/// The operands' steps along an axis, whatever they are.
pub(super) fn any_steps<'ctx>(frame: &Frame<'ctx>, axis: usize) -> Vec<Step<'ctx>> {
    let step = |strides: &Vec<IntValue<'ctx>>| match strides[axis].get_sign_extended_constant() {
        Some(0) => Step::Stay,
        _ => Step::Bytes(strides[axis]),
    };
    frame.strides.iter().map(step).collect()
}

/// Code for the first pace that holds, or for any steps. `holds`: one condition a pace. `code` is told whether its loop is a fast one.
pub(super) fn by_pace<'ctx>(
    e: &Emitter<'ctx, '_>,
    paces: &[(Pace, IntValue<'ctx>)],
    (frame, axis): (&Frame<'ctx>, usize),
    code: &mut dyn FnMut(Vec<Step<'ctx>>, bool) -> Emit<()>,
) -> Emit<()> {
    let Some(((pace, holds), rest)) = paces.split_first() else {
        return code(any_steps(frame, axis), false);
    };
    let (yes, no, join) = (e.block("fast")?, e.block("next")?, e.block("join")?);
    e.builder.build_conditional_branch(*holds, yes, no)?;
    e.builder.position_at_end(yes);
    code(pace.steps(), true)?;
    e.builder.build_unconditional_branch(join)?;
    e.builder.position_at_end(no);
    by_pace(e, rest, (frame, axis), code)?;
    e.enter(join)
}

/// The likely paces of some operands along the innermost of `axes`, tested along `axis`.
pub(super) fn tested<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    frame: &Frame<'ctx>,
    axes: std::ops::Range<usize>,
    operands: &[usize],
) -> Emit<Vec<(Pace, IntValue<'ctx>)>> {
    let innermost = axes.end - 1;
    let paces = Pace::likely(kernel, axes, operands).into_iter();
    paces.map(|pace| pace.holds(e, kernel, (frame, innermost), operands).map(|holds| (pace, holds))).collect()
}
