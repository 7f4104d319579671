//! Counting and moving tiles of points on the host: one tile after the other, each in C order.
//!
//! Chosen elements of a tile are written to a buffer on the stack first: every element is, over the last one that was not chosen, so that nothing
//! depends on a branch. The buffer's elements then go where the tile's begin.

use inkwell::IntPredicate;
use inkwell::values::{FunctionValue, IntValue, PointerValue};
use numptx_ir::array::TILE;
use numptx_ir::kernel::{Kernel, Phase, Tiles};

use super::frame::Frame;
use super::pace::{self, Pace, Step};
use crate::elements::Elements;
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::phase::operand;
use crate::value::Scalar;

/// A function of tiles under way.
struct Tile<'ctx, 'k> {
    kernel: &'k Kernel,
    phase: &'k Phase,
    frame: &'k Frame<'ctx>,
    /// All points.
    n: IntValue<'ctx>,
    /// How many points of the tile were chosen so far.
    chosen: PointerValue<'ctx>,
    /// Where chosen elements are put first, one a scatter.
    buffers: Vec<PointerValue<'ctx>>,
    paces: Vec<(Pace, IntValue<'ctx>)>,
}

/// Fills a function of type `numptx_abi::HostMap`: tiles `begin..end`.
pub(super) fn emit<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    (phase, tiles): (&Phase, Tiles),
    function: FunctionValue<'ctx>,
) -> Emit<()> {
    let frame = Frame::of(e, kernel, function)?;
    let range = (e.int_parameter(function, 1)?, e.int_parameter(function, 2)?);
    let n = frame.extents.iter().try_fold(e.i64(1), |n, extent| e.mul(n, *extent))?;
    let chosen = e.slot(e.context.i64_type(), "chosen")?;
    let buffer = |dtype: numptx_ir::DType| {
        let words = TILE as usize * dtype.itemsize() / 8;
        e.slot(e.context.i64_type().array_type(words as u32), "buffer")
    };
    let buffers = phase.scatters.iter().map(|to| buffer(phase.body.dtype(phase.body.outputs[to.output])));
    let buffers = buffers.collect::<Emit<Vec<_>>>()?;
    let moving: Vec<usize> = (0..kernel.operands.len()).filter(|n| kernel.table_of(*n).is_none()).collect();
    let paces = pace::tested(e, kernel, &frame, 0..kernel.rank, &moving)?;
    let tile = Tile { kernel, phase, frame: &frame, n, chosen, buffers, paces };
    e.count(range, e.i64(1), Some(e.plain()?), |number| {
        e.write(chosen, e.i64(0))?;
        tile.rows(e, number)?;
        match tiles {
            Tiles::Count(counts) => {
                let chosen = e.read_int(chosen, number)?;
                tile.elements().store(e, counts, &[Scalar::Int(number)], Scalar::Int(chosen))
            }
            Tiles::Move(counts) => tile.put(e, number, counts),
        }
    })?;
    e.builder.build_return(None)?;
    Ok(())
}

impl<'ctx> Tile<'ctx, '_> {
    fn elements(&self) -> Elements<'_, 'ctx> {
        let Frame { bases, scalars, .. } = self.frame;
        Elements { kernel: self.kernel, bases, scalars, group: None }
    }

    /// The parts of rows that a tile has.
    fn rows(&self, e: &Emitter<'ctx, '_>, number: IntValue<'ctx>) -> Emit<()> {
        let last = self.kernel.rank - 1;
        let first = e.mul(number, e.i64(TILE))?;
        let end = e.smin(e.add(first, e.i64(TILE))?, self.n)?;
        if last == 0 {
            return self.row(e, &[], &self.frame.bases, (first, end));
        }
        let next = e.slot_with(first, "next")?;
        e.repeat(
            || e.icmp(IntPredicate::SLT, e.read_int(next, end)?, end),
            || {
                let at = e.read_int(next, end)?;
                let extent = self.frame.extents[last];
                let mut rest = e.udiv(at, extent)?;
                let begin = e.sub(at, e.mul(rest, extent)?)?;
                let stop = e.smin(extent, e.add(begin, e.sub(end, at)?)?)?;
                let (mut outer, mut bases) = (vec![rest; last], self.frame.bases.clone());
                for axis in (0..last).rev() {
                    let quotient = if axis == 0 { e.i64(0) } else { e.udiv(rest, self.frame.extents[axis])? };
                    outer[axis] = e.sub(rest, e.mul(quotient, self.frame.extents[axis])?)?;
                    rest = quotient;
                    for (base, strides) in bases.iter_mut().zip(&self.frame.strides) {
                        *base = e.at_bytes(*base, e.mul(outer[axis], strides[axis])?)?;
                    }
                }
                self.row(e, &outer, &bases, (begin, stop))?;
                e.write(next, e.add(at, e.sub(stop, begin)?)?)
            },
        )
    }

    /// Neighbouring points of a row, each put where the next chosen one goes.
    fn row(
        &self,
        e: &Emitter<'ctx, '_>,
        outer: &[IntValue<'ctx>],
        bases: &[PointerValue<'ctx>],
        range: (IntValue<'ctx>, IntValue<'ctx>),
    ) -> Emit<()> {
        let last = self.kernel.rank - 1;
        pace::by_pace(e, &self.paces, (self.frame, last), &mut |steps: Vec<Step<'ctx>>, _| {
            e.count(range, e.i64(1), None, |i| {
                let indices = [outer, &[i]].concat();
                let outputs = e.phase_outputs(self.phase, &self.elements(), &indices, |n| {
                    let dtype = operand(self.kernel, n)?.dtype;
                    e.load(steps[n].address(e, bases[n], i, dtype)?, dtype, Default::default())
                })?;
                let output =
                    |n: usize| outputs.get(n).copied().ok_or_else(|| bug(format!("a phase has no output {n}")));
                let chosen = e.read_int(self.chosen, i)?;
                for (to, buffer) in self.phase.scatters.iter().zip(&self.buffers) {
                    let value = output(to.output)?;
                    let dtype = self.phase.body.dtype(self.phase.body.outputs[to.output]);
                    e.store(e.at_element(*buffer, chosen, dtype)?, value, dtype, Default::default())?;
                }
                let holds = output(self.phase.body.outputs.len() - 1)?.int()?;
                e.write(self.chosen, e.add(chosen, e.resize_unsigned(holds, e.context.i64_type())?)?)
            })
        })
    }

    /// Writes the buffers' elements where the tile's begin. Whatever another thread of the caller writes to what is read: nothing is written beyond what
    /// was counted.
    fn put(&self, e: &Emitter<'ctx, '_>, number: IntValue<'ctx>, counts: usize) -> Emit<()> {
        let elements = self.elements();
        let up_to = |tile: IntValue<'ctx>| elements.load(e, counts, &[Scalar::Int(tile)])?.int();
        let end = up_to(number)?;
        let has_before = e.icmp_with(IntPredicate::SGT, number, 0)?;
        let before = e.select(has_before, e.sub(number, e.i64(1))?, e.i64(0))?;
        let begin = e.select(has_before, up_to(before)?, e.i64(0))?;
        let n = e.smin(e.read_int(self.chosen, end)?, e.sub(end, begin)?)?;
        for (to, buffer) in self.phase.scatters.iter().zip(&self.buffers) {
            let (first, dtype) = elements.address(e, to.table, &[Scalar::Int(begin)])?;
            let stride = elements.offset(e, to.table, &[Scalar::Int(e.i64(1))])?;
            let is_packed = e.icmp_with(IntPredicate::EQ, stride, dtype.itemsize() as i64)?;
            let copy = |to: &dyn Fn(IntValue<'ctx>) -> Emit<PointerValue<'ctx>>| {
                e.count((e.i64(0), n), e.i64(1), None, |i| {
                    let value = e.load(e.at_element(*buffer, i, dtype)?, dtype, Default::default())?;
                    e.store(to(i)?, value, dtype, Default::default())
                })
            };
            e.either(
                is_packed,
                || copy(&|i| e.at_element(first, i, dtype)),
                || copy(&|i| e.at_bytes(first, e.mul(i, stride)?)),
            )?;
        }
        Ok(())
    }
}
