//! Elementwise kernels on the host: a flat loop over contiguous operands, and rows of any strides.
//!
//! Points are independent, also where an operand is written in place, so every innermost loop is marked parallel: LLVM vectorises it without
//! asking whether operands overlap.

use inkwell::IntPredicate;
use inkwell::values::{FunctionValue, IntValue, PointerValue};
use numptx_ir::kernel::{Access as Use, Kernel, Phase};

use super::frame::{Frame, Walk};
use crate::emitter::Emitter;
use crate::error::Emit;
use crate::memory::Access;
use crate::phase::{loaded_operands, operand};
use crate::value::Scalar;

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

/// One innermost loop over points that differ in their last index only.
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
    let frame = Frame::read(e, kernel, e.parameter(function, 0)?.into_pointer_value())?;
    let begin = e.parameter(function, 1)?.into_int_value();
    let end = e.parameter(function, 2)?.into_int_value();
    let steps = kernel.operands.iter().map(|o| if o.is_scalar() { Step::Stay } else { Step::Element }).collect();
    let row = Row { kernel, phase, scalars: &frame.scalars, bases: &frame.bases, steps, outer: &[] };
    row.emit(e, (begin, end))?;
    e.builder.build_return(None)?;
    Ok(())
}

/// Fills a function of type `numptx_abi::HostMap`: rows `begin..end`, each the whole last axis.
pub(super) fn emit_strided<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    phase: &Phase,
    function: FunctionValue<'ctx>,
) -> Emit<()> {
    let frame = Frame::read(e, kernel, e.parameter(function, 0)?.into_pointer_value())?;
    let begin = e.parameter(function, 1)?.into_int_value();
    let end = e.parameter(function, 2)?.into_int_value();
    let some = e.icmp(IntPredicate::SLT, begin, end)?;
    e.when(some, || match kernel.rank {
        0 => point(e, kernel, phase, &frame),
        rank => rows(e, kernel, phase, &frame, rank - 1, (begin, end)),
    })?;
    e.builder.build_return(None)?;
    Ok(())
}

/// The only point of a space without axes.
fn point<'ctx>(e: &Emitter<'ctx, '_>, kernel: &Kernel, phase: &Phase, frame: &Frame<'ctx>) -> Emit<()> {
    let steps = vec![Step::Stay; kernel.operands.len()];
    let row = Row { kernel, phase, scalars: &frame.scalars, bases: &frame.bases, steps, outer: &[] };
    row.emit(e, (e.i64(0), e.i64(1)))
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
    let contiguous = is_contiguous(e, kernel, frame, last, 0..kernel.operands.len())?;
    let row_end = frame.extents[last];
    e.count((begin, end), e.i64(1), None, |_| {
        let (outer, bases) = (walk.indices(e)?, walk.addresses(e)?);
        let row = |unit: bool| {
            let steps = steps_along(kernel, frame, last, unit);
            Row { kernel, phase, scalars: &frame.scalars, bases: &bases, steps, outer: &outer }
        };
        e.either(contiguous, || row(true).emit(e, (e.i64(0), row_end)), || row(false).emit(e, (e.i64(0), row_end)))?;
        walk.advance(e)
    })
}

/// Whether those operands that move along an axis at all move by one element.
pub(super) fn is_contiguous<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    frame: &Frame<'ctx>,
    axis: usize,
    operands: impl IntoIterator<Item = usize>,
) -> Emit<IntValue<'ctx>> {
    let mut all = e.context.bool_type().const_int(1, false);
    for n in operands {
        let operand = operand(kernel, n)?;
        if !operand.fixed[axis] {
            let unit = e.icmp_with(IntPredicate::EQ, frame.strides[n][axis], operand.dtype.itemsize() as i64)?;
            all = e.and(all, unit)?;
        }
    }
    Ok(all)
}

/// How each operand moves along an axis, where [`is_contiguous`] holds (`unit`) or not.
pub(super) fn steps_along<'ctx>(kernel: &Kernel, frame: &Frame<'ctx>, axis: usize, unit: bool) -> Vec<Step<'ctx>> {
    let step = |(n, operand): (usize, &numptx_ir::kernel::Operand)| match (operand.fixed[axis], unit) {
        (true, _) => Step::Stay,
        (false, true) => Step::Element,
        (false, false) => Step::Bytes(frame.strides[n][axis]),
    };
    kernel.operands.iter().enumerate().map(step).collect()
}

impl<'ctx> Row<'ctx, '_> {
    /// The loop over a range of the last index.
    fn emit(&self, e: &Emitter<'ctx, '_>, (begin, end): (IntValue<'ctx>, IntValue<'ctx>)) -> Emit<()> {
        let some = e.icmp(IntPredicate::SLT, begin, end)?;
        e.when(some, || {
            let kept = self.load_kept(e)?;
            let parallel = e.parallel()?;
            let access = Access { group: Some(parallel.group), invariant: false };
            e.count((begin, end), e.i64(1), Some(parallel.loop_id), |i| self.point(e, i, &kept, access))
        })
    }

    /// Operands that are read and stay: loaded once. No point writes what another reads.
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

    fn point(
        &self,
        e: &Emitter<'ctx, '_>,
        i: IntValue<'ctx>,
        kept: &[Option<Scalar<'ctx>>],
        access: Access<'ctx>,
    ) -> Emit<()> {
        let mut indices = self.outer.to_vec();
        indices.push(i);
        let address = |n: usize| self.steps[n].address(e, self.bases[n], i, operand(self.kernel, n)?.dtype);
        let outputs = e.phase_outputs(self.phase, self.scalars, &indices, |n| match kept[n] {
            Some(value) => Ok(value),
            None => e.load(address(n)?, operand(self.kernel, n)?.dtype, access),
        })?;
        e.phase_stores(self.phase, &outputs, |n, value| {
            e.store(address(n)?, value, operand(self.kernel, n)?.dtype, access)
        })
    }
}
