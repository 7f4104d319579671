//! Reductions on the host whose last kept axis is the contiguous one, as in `sum(axis=0)` of a C-ordered array: tiles of outputs are reduced
//! together, the elements of the tile in the inner loop, so that memory is read in its order and the loop vectorises without reordering sums.
//!
//! Every 128 elements the tile's accumulators are folded into a second row of accumulators, to keep rounding errors small.

use inkwell::IntPredicate;
use inkwell::values::{IntValue, PointerValue};
use numptx_ir::dtype::Kind;

use super::frame::Walk;
use super::pace::{Pace, any_steps};
use super::reduce::Reduction;
use crate::accumulator::{Accumulator, Layout, Order};
use crate::elements::Elements;
use crate::emitter::Emitter;
use crate::error::Emit;
use crate::memory::Access;
use crate::phase::{loaded_operands, operand};
use crate::value::Scalar;

/// Outputs that are reduced together.
pub(super) const TILE: i64 = 512;
/// Elements folded before the accumulators are folded themselves.
const BLOCK: i64 = 128;
/// Elements of each output that are folded in one pass over the accumulators: memory is read in as many places at once, and accumulators go through the
/// cache once. They are folded one after the other, so that sums are the same.
const GROUP: i64 = 8;
/// The most instructions of a body that is worth so many copies.
const GROUPED: usize = 8;
/// A last kept axis shorter than this is not worth a tile.
const SHORTEST: i64 = 8;

/// Whether tiles read memory in a better order than single outputs: tested at run time, or `None` if they cannot.
pub(super) fn is_better<'ctx>(e: &Emitter<'ctx, '_>, r: &Reduction<'ctx, '_>) -> Emit<Option<IntValue<'ctx>>> {
    let loads = loaded_operands(r.phase);
    let Some(axis) = r.kept().checked_sub(1) else {
        return Ok(None);
    };
    let pace = Pace::along(r.kernel, axis);
    if pace.is_still(&loads) {
        return Ok(None);
    }
    let along_kept = pace.holds(e, r.kernel, (r.frame, axis), &loads)?;
    let last = r.kernel.rank - 1;
    let along_reduced = Pace::along(r.kernel, last).holds(e, r.kernel, (r.frame, last), &loads)?;
    let long = e.icmp_with(IntPredicate::SGE, r.frame.extents[axis], SHORTEST)?;
    Ok(Some(e.and(e.and(along_kept, long)?, e.not(along_reduced)?)?))
}

/// Reduces all outputs of a function in tiles.
pub(super) fn emit<'ctx>(e: &Emitter<'ctx, '_>, r: &Reduction<'ctx, '_>) -> Emit<()> {
    let axis = r.kept() - 1;
    let extent = r.frame.extents[axis];
    let (begin, end) = r.outputs;
    let rows = Walk::new(e, r.frame, 0..axis)?;
    let row = e.udiv(begin, extent)?;
    rows.start(e, row, &r.frame.bases)?;
    let tile = Tile { r, inner: Row::new(e, r.layout)?, outer: Row::new(e, r.layout)? };
    let done = e.slot_with(begin, "done")?;
    let column = e.slot_with(e.sub(begin, e.mul(row, extent)?)?, "column")?;
    e.repeat(
        || e.icmp(IntPredicate::SLT, e.read_int(done, begin)?, end),
        || {
            let (output, from) = (e.read_int(done, begin)?, e.read_int(column, begin)?);
            let room = e.smin(e.sub(extent, from)?, e.sub(end, output)?)?;
            let length = e.smin(room, e.i64(TILE))?;
            tile.emit(e, output, (&rows.indices(e)?, from), &rows.addresses(e)?, length)?;
            e.write(done, e.add(output, length)?)?;
            let next = e.add(from, length)?;
            e.write(column, next)?;
            e.when(e.icmp(IntPredicate::EQ, next, extent)?, || {
                e.write(column, e.i64(0))?;
                rows.advance(e)
            })
        },
    )
}

/// One accumulator an output of the tile, in memory: an array a component.
pub(super) struct Row<'ctx> {
    arrays: Vec<PointerValue<'ctx>>,
}

impl<'ctx> Row<'ctx> {
    pub(super) fn new(e: &Emitter<'ctx, '_>, layout: &Layout) -> Emit<Self> {
        let mut arrays = Vec::new();
        for field in &layout.fields {
            let parts = if field.dtype.kind() == Kind::Complex { 2 } else { 1 };
            let bytes = (TILE as u32) * parts * e.memory_bytes(field.dtype);
            arrays.push(e.slot(e.context.i64_type().array_type(bytes.div_ceil(8)), "row")?);
        }
        Ok(Row { arrays })
    }

    pub(super) fn read(
        &self,
        e: &Emitter<'ctx, '_>,
        l: &Layout,
        i: IntValue<'ctx>,
        access: Access<'ctx>,
    ) -> Emit<Accumulator<'ctx>> {
        let load = |(array, field): (&PointerValue<'ctx>, &crate::accumulator::Field)| {
            e.load(e.at_element(*array, i, field.dtype)?, field.dtype, access)
        };
        self.arrays.iter().zip(&l.fields).map(load).collect()
    }

    pub(super) fn write(
        &self,
        e: &Emitter<'ctx, '_>,
        l: &Layout,
        i: IntValue<'ctx>,
        values: &[Scalar<'ctx>],
        access: Access<'ctx>,
    ) -> Emit<()> {
        for ((array, field), value) in self.arrays.iter().zip(&l.fields).zip(values) {
            e.store(e.at_element(*array, i, field.dtype)?, *value, field.dtype, access)?;
        }
        Ok(())
    }
}

struct Tile<'ctx, 'k> {
    r: &'k Reduction<'ctx, 'k>,
    /// Sums of up to [`BLOCK`] elements.
    inner: Row<'ctx>,
    /// Sums of blocks.
    outer: Row<'ctx>,
}

impl<'ctx> Tile<'ctx, '_> {
    /// Reduces `length` outputs from `output` on; the tile begins at `bases` moved by `column` elements along the last kept axis.
    fn emit(
        &self,
        e: &Emitter<'ctx, '_>,
        output: IntValue<'ctx>,
        (kept, column): (&[IntValue<'ctx>], IntValue<'ctx>),
        bases: &[PointerValue<'ctx>],
        length: IntValue<'ctx>,
    ) -> Emit<()> {
        let r = self.r;
        let identity = e.identity(r.layout)?;
        self.each(e, length, |i, access| {
            self.inner.write(e, r.layout, i, &identity, access)?;
            self.outer.write(e, r.layout, i, &identity, access)
        })?;
        let (first, last) = r.elements;
        let some = e.icmp(IntPredicate::SLT, first, last)?;
        e.when(some, || {
            let reduced = Walk::new(e, r.frame, r.kept()..r.kernel.rank)?;
            reduced.start(e, first, bases)?;
            let fold = |element, n| {
                self.fold_elements(e, (element, n), (kept, column), &reduced, length)?;
                let done = e.add(e.sub(element, first)?, e.i64(n))?;
                let full = e.icmp_with(IntPredicate::EQ, e.and(done, e.i64(BLOCK - 1))?, 0)?;
                e.when(full, || self.fold_block(e, length))
            };
            let mut begin = first;
            if r.phase.body.instrs.len() <= GROUPED {
                let rest = e.and(e.sub(last, first)?, e.i64(GROUP - 1))?;
                let end = e.sub(last, rest)?;
                e.count((first, end), e.i64(GROUP), None, |element| fold(element, GROUP))?;
                begin = end;
            }
            e.count((begin, last), e.i64(1), None, |element| fold(element, 1))
        })?;
        self.fold_block(e, length)?;
        let steps = any_steps(r.frame, r.kept() - 1);
        e.count((e.i64(0), length), e.i64(1), None, |i| {
            let total = self.outer.read(e, r.layout, i, Access::default())?;
            let mut indices = kept.to_vec();
            let at = e.add(column, i)?;
            indices.push(at);
            let mut addresses = Vec::with_capacity(bases.len());
            for ((base, step), operand) in bases.iter().zip(&steps).zip(&r.kernel.operands) {
                addresses.push(step.address(e, *base, at, operand.dtype)?);
            }
            r.deliver(e, e.add(output, i)?, &total, &indices, &addresses)
        })
    }

    /// Folds so many elements of every output of the tile, and goes on to the next one.
    fn fold_elements(
        &self,
        e: &Emitter<'ctx, '_>,
        (first, n): (IntValue<'ctx>, i64),
        (kept, column): (&[IntValue<'ctx>], IntValue<'ctx>),
        reduced: &Walk<'ctx, '_>,
        length: IntValue<'ctx>,
    ) -> Emit<()> {
        let r = self.r;
        let steps = Pace::along(r.kernel, r.kept() - 1).steps();
        let mut places = Vec::new();
        for _ in 0..n {
            places.push((reduced.addresses(e)?, reduced.indices(e)?));
            reduced.advance(e)?;
        }
        self.each(e, length, |i, access| {
            let at = e.add(column, i)?;
            let mut so_far = self.inner.read(e, r.layout, i, access)?;
            for (number, (bases, inner)) in places.iter().enumerate() {
                let mut indices = kept.to_vec();
                indices.push(at);
                indices.extend(inner);
                let elements = Elements { kernel: r.kernel, bases, scalars: &r.frame.scalars, group: access.group };
                let outputs = e.phase_outputs(r.phase, &elements, &indices, |n| {
                    let dtype = operand(r.kernel, n)?.dtype;
                    e.load(steps[n].address(e, bases[n], at, dtype)?, dtype, access)
                })?;
                let element = e.singleton(r.layout, &outputs, e.add(first, e.i64(number as i64))?)?;
                so_far = e.combine(r.layout, &so_far, &element, Order::Fixed)?;
            }
            self.inner.write(e, r.layout, i, &so_far, access)
        })
    }

    /// Folds the inner row into the outer one and clears it.
    fn fold_block(&self, e: &Emitter<'ctx, '_>, length: IntValue<'ctx>) -> Emit<()> {
        let layout = self.r.layout;
        let identity = e.identity(layout)?;
        self.each(e, length, |i, access| {
            let (outer, inner) = (self.outer.read(e, layout, i, access)?, self.inner.read(e, layout, i, access)?);
            self.outer.write(e, layout, i, &e.combine(layout, &outer, &inner, Order::Fixed)?, access)?;
            self.inner.write(e, layout, i, &identity, access)
        })
    }

    /// A parallel loop over the tile's outputs.
    fn each(
        &self,
        e: &Emitter<'ctx, '_>,
        length: IntValue<'ctx>,
        body: impl FnOnce(IntValue<'ctx>, Access<'ctx>) -> Emit<()>,
    ) -> Emit<()> {
        let parallel = e.parallel()?;
        let access = Access { group: Some(parallel.group), invariant: false };
        e.count((e.i64(0), length), e.i64(1), Some(parallel.loop_id), |i| body(i, access))
    }
}
