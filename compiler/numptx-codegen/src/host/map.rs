//! Elementwise kernels on the host: a flat loop over contiguous operands, and rows of any strides.
//!
//! Work items are independent, also where an operand is written in place, so every innermost loop is marked parallel: LLVM vectorises it without
//! asking whether operands overlap. Work items of kernels with scatters run one after the other.

use inkwell::IntPredicate;
use inkwell::values::{FunctionValue, IntValue, PointerValue};
use numptx_ir::kernel::{Access as Use, Kernel, Phase};

use super::frame::{Frame, Walk};
use super::pace::{self, Step};
use crate::elements::Elements;
use crate::emitter::Emitter;
use crate::error::Emit;
use crate::memory::Access;
use crate::phase::{loaded_operands, operand};
use crate::scalar::uses_library;
use crate::value::Scalar;

/// One innermost loop over work items that differ in their last index only.
struct Row<'ctx, 'k> {
    kernel: &'k Kernel,
    phase: &'k Phase,
    scalars: &'k [Scalar<'ctx>],
    /// Addresses at index 0, one an operand.
    bases: &'k [PointerValue<'ctx>],
    /// One an operand.
    steps: Vec<Step<'ctx>>,
    /// Indices of the outer axes.
    outer: &'k [IntValue<'ctx>],
}

/// Fills a function of type `numptx_abi::HostMap`: elements `begin..end` of contiguous operands.
pub(super) fn emit_flat<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    phase: &Phase,
    function: FunctionValue<'ctx>,
) -> Emit<()> {
    fill(e, kernel, function, |frame, range| {
        if kernel.rank == 0 {
            let some = e.icmp(IntPredicate::SLT, range.0, range.1)?;
            return e.when(some, || work_item(e, kernel, phase, frame));
        }
        let steps = kernel.operands.iter().map(|o| if o.is_scalar() { Step::Stay } else { Step::Element }).collect();
        let row = Row { kernel, phase, scalars: &frame.scalars, bases: &frame.bases, steps, outer: &[] };
        row.emit(e, range, true)
    })
}

/// Fills a function of type `numptx_abi::HostMap`: rows `begin..end`, each the whole last axis.
pub(super) fn emit_strided<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    phase: &Phase,
    function: FunctionValue<'ctx>,
) -> Emit<()> {
    fill(e, kernel, function, |frame, (begin, end)| {
        let some = e.icmp(IntPredicate::SLT, begin, end)?;
        e.when(some, || match kernel.rank {
            0 => work_item(e, kernel, phase, frame),
            rank => rows(e, kernel, phase, frame, rank - 1, (begin, end)),
        })
    })
}

/// Fills a function of type `numptx_abi::HostMap` with what `emit` makes of its frame and its range.
fn fill<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    function: FunctionValue<'ctx>,
    emit: impl FnOnce(&Frame<'ctx>, (IntValue<'ctx>, IntValue<'ctx>)) -> Emit<()>,
) -> Emit<()> {
    let frame = Frame::of(e, kernel, function)?;
    let begin = e.int_parameter(function, 1)?;
    let end = e.int_parameter(function, 2)?;
    emit(&frame, (begin, end))?;
    e.builder.build_return(None)?;
    Ok(())
}

/// The only work item of a space without axes.
fn work_item<'ctx>(e: &Emitter<'ctx, '_>, kernel: &Kernel, phase: &Phase, frame: &Frame<'ctx>) -> Emit<()> {
    let steps = vec![Step::Stay; kernel.operands.len()];
    let row = Row { kernel, phase, scalars: &frame.scalars, bases: &frame.bases, steps, outer: &[] };
    row.emit(e, (e.i64(0), e.i64(1)), false)
}

fn rows<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    phase: &Phase,
    frame: &Frame<'ctx>,
    last: usize,
    (begin, end): (IntValue<'ctx>, IntValue<'ctx>),
) -> Emit<()> {
    let walk = Walk::new(e, frame, 0..last)?;
    walk.start(e, begin, &frame.bases)?;
    let all: Vec<usize> = (0..kernel.operands.len()).collect();
    let paces = pace::tested(e, kernel, frame, 0..last + 1, &all)?;
    let row_end = frame.extents[last];
    e.count((begin, end), e.i64(1), None, |_| {
        let (outer, bases) = (walk.indices(e)?, walk.addresses(e)?);
        pace::by_pace(e, &paces, (frame, last), &mut |steps, fast| {
            let row = Row { kernel, phase, scalars: &frame.scalars, bases: &bases, steps, outer: &outer };
            row.emit(e, (e.i64(0), row_end), fast)
        })?;
        walk.advance(e)
    })
}

impl<'ctx> Row<'ctx, '_> {
    /// The loop over a range of the last index. `fast`: worth a loop over vectors; others are where library functions have vector versions.
    fn emit(&self, e: &Emitter<'ctx, '_>, (begin, end): (IntValue<'ctx>, IntValue<'ctx>), fast: bool) -> Emit<()> {
        let some = e.icmp(IntPredicate::SLT, begin, end)?;
        e.when(some, || {
            let kept = self.load_kept(e)?;
            let is_plain = !fast && !uses_library(&self.phase.body) || self.kernel.is_sequential();
            if is_plain {
                return e.count((begin, end), e.i64(1), Some(e.plain()?), |i| {
                    self.work_item(e, i, &kept, Access::default())
                });
            }
            let parallel = e.parallel()?;
            let access = Access { group: Some(parallel.group), invariant: false };
            e.count((begin, end), e.i64(1), Some(parallel.loop_id), |i| self.work_item(e, i, &kept, access))
        })
    }

    /// Operands that are read and stay: loaded once. No work item writes what another reads.
    fn load_kept(&self, e: &Emitter<'ctx, '_>) -> Emit<Vec<Option<Scalar<'ctx>>>> {
        let mut kept = vec![None; self.kernel.operands.len()];
        for n in loaded_operands(self.phase) {
            let operand = operand(self.kernel, n)?;
            if matches!(self.steps[n], Step::Stay) && operand.access == Use::Read {
                kept[n] = Some(e.load(self.bases[n], operand.dtype, Access::default())?);
            }
        }
        Ok(kept)
    }

    fn work_item(
        &self,
        e: &Emitter<'ctx, '_>,
        i: IntValue<'ctx>,
        kept: &[Option<Scalar<'ctx>>],
        access: Access<'ctx>,
    ) -> Emit<()> {
        let mut indices = self.outer.to_vec();
        indices.push(i);
        let address = |n: usize| self.steps[n].address(e, self.bases[n], i, operand(self.kernel, n)?.dtype);
        let elements = Elements { kernel: self.kernel, bases: self.bases, scalars: self.scalars, group: access.group };
        let outputs = e.phase_outputs(self.phase, &elements, &indices, |n| match kept[n] {
            Some(value) => Ok(value),
            None => e.load(address(n)?, operand(self.kernel, n)?.dtype, access),
        })?;
        elements.scatter(e, self.phase, &outputs)?;
        e.phase_stores(self.phase, &outputs, |n, value| {
            e.store(address(n)?, value, operand(self.kernel, n)?.dtype, access)
        })
    }
}
