//! Rows of a scan: their elements, what is stored of them, and what goes before a thread in its block.
//!
//! In: a scan's function under way. Out: one element as an accumulator, one stored value, and totals of the threads before one.

use inkwell::IntPredicate;
use inkwell::values::{IntValue, PointerValue};

use super::super::launch::access_of;
use super::super::reduce::{Reduction, wide};
use super::super::warp::{Exchange, Shuffle, WARP, barrier, exchange};
use crate::accumulator::{Accumulator, Order};
use crate::elements::Elements;
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::phase::operand;
use crate::value::Scalar;

/// See the file's header.
pub(super) struct Rows<'ctx, 'k> {
    pub r: Reduction<'ctx, 'k>,
    pub exchange: Exchange<'ctx>,
}

/// A row at hand.
pub(super) struct Row<'ctx> {
    /// `i64`
    pub number: IntValue<'ctx>,
    /// Its indices along the kept axes.
    pub kept: Vec<IntValue<'ctx>>,
    /// Its operands' addresses at the first element.
    pub bases: Vec<PointerValue<'ctx>>,
}

impl<'ctx> Rows<'ctx, '_> {
    pub fn row(&self, e: &Emitter<'ctx, '_>, number: IntValue<'ctx>) -> Emit<Row<'ctx>> {
        let (kept, bases) = self.r.kept_work_item(e, e.resize_unsigned(number, self.r.width.int(e))?)?;
        Ok(Row { number, kept, bases })
    }

    /// The address of an operand's element of a row.
    pub fn address(
        &self,
        e: &Emitter<'ctx, '_>,
        row: &Row<'ctx>,
        n: usize,
        i: IntValue<'ctx>,
    ) -> Emit<PointerValue<'ctx>> {
        let index = e.resize_unsigned(i, self.r.width.int(e))?;
        self.r.launch.address(e, self.r.kernel, (n, row.bases[n]), self.r.kernel.rank - 1, &[index])
    }

    /// All indices of an element of a row, `i64`.
    pub fn indices(&self, e: &Emitter<'ctx, '_>, row: &Row<'ctx>, i: IntValue<'ctx>) -> Emit<Vec<IntValue<'ctx>>> {
        let mut indices = row.kept.iter().map(|index| wide(e, *index)).collect::<Emit<Vec<_>>>()?;
        indices.push(i);
        Ok(indices)
    }

    /// An element, loaded.
    pub fn element(&self, e: &Emitter<'ctx, '_>, row: &Row<'ctx>, i: IntValue<'ctx>) -> Emit<Accumulator<'ctx>> {
        self.element_of(e, row, i, |n| {
            let operand = operand(self.r.kernel, n)?;
            e.load(self.address(e, row, n, i)?, operand.dtype, access_of(operand))
        })
    }

    /// An element of what `load` gives of the operands.
    pub fn element_of(
        &self,
        e: &Emitter<'ctx, '_>,
        row: &Row<'ctx>,
        i: IntValue<'ctx>,
        load: impl FnMut(usize) -> Emit<Scalar<'ctx>>,
    ) -> Emit<Accumulator<'ctx>> {
        let indices = self.indices(e, row, i)?;
        let launch = &self.r.launch;
        let elements = Elements { kernel: self.r.kernel, bases: &launch.bases, scalars: &launch.scalars, group: None };
        let outputs = e.phase_outputs(self.r.phase, &elements, &indices, load)?;
        e.singleton(&self.r.layout, &outputs, e.i64(0))
    }

    /// What is stored at an element of an accumulator.
    pub fn outputs(
        &self,
        e: &Emitter<'ctx, '_>,
        row: &Row<'ctx>,
        i: IntValue<'ctx>,
        values: &[Scalar<'ctx>],
    ) -> Emit<Vec<Scalar<'ctx>>> {
        let indices = self.indices(e, row, i)?;
        e.epilogue(self.r.phase, e.results(&self.r.layout, values)?, &indices)
    }

    pub fn store(
        &self,
        e: &Emitter<'ctx, '_>,
        row: &Row<'ctx>,
        i: IntValue<'ctx>,
        values: &[Scalar<'ctx>],
    ) -> Emit<()> {
        let outputs = self.outputs(e, row, i, values)?;
        e.phase_stores(self.r.phase, &outputs, |n, value| {
            e.store(self.address(e, row, n, i)?, value, operand(self.r.kernel, n)?.dtype, Default::default())
        })
    }

    /// The totals of all threads of the block before this one, whether there are any, and the total of the block. Holds two barriers.
    pub fn before(
        &self,
        e: &Emitter<'ctx, '_>,
        thread: IntValue<'ctx>,
        own: &[Scalar<'ctx>],
    ) -> Emit<(Accumulator<'ctx>, IntValue<'ctx>, Accumulator<'ctx>)> {
        let layout = &self.r.layout;
        let lane = e.and(thread, e.int_like(thread, i64::from(WARP) - 1))?;
        let warp = e.builder.build_right_shift(thread, e.int_like(thread, 5), false, "")?;
        let up = |values: &[Scalar<'ctx>], distance: u32| -> Emit<Accumulator<'ctx>> {
            values.iter().map(|value| exchange(e, *value, Shuffle::Before(distance))).collect()
        };
        let mut total = own.to_vec();
        let mut distance = 1;
        while distance < WARP {
            let reaches = e.icmp_with(IntPredicate::UGE, lane, i64::from(distance))?;
            total = e.combine_if(layout, reaches, &up(&total, distance)?, &total)?;
            distance *= 2;
        }
        let in_warp = up(&total, 1)?;
        let is_last = e.icmp_with(IntPredicate::EQ, lane, i64::from(WARP) - 1)?;
        e.when(is_last, || self.exchange.write(e, layout, warp, &total))?;
        barrier(e)?;
        let mut sum: Option<Accumulator<'ctx>> = None;
        let mut warps_before = in_warp.clone();
        for w in 0..self.exchange.n_warps() {
            if let Some(sum) = &sum {
                let is_own = e.icmp_with(IntPredicate::EQ, warp, i64::from(w))?;
                let chosen = sum.iter().zip(&warps_before).map(|(sum, other)| e.choose(is_own, *sum, *other));
                warps_before = chosen.collect::<Emit<_>>()?;
            }
            let of_warp = self.exchange.read(e, layout, e.int_like(warp, i64::from(w)))?;
            sum = Some(match sum {
                Some(sum) => e.combine(layout, &sum, &of_warp, Order::Fixed)?,
                None => of_warp,
            });
        }
        barrier(e)?;
        let (first_lane, later_warp) =
            (e.icmp_with(IntPredicate::EQ, lane, 0)?, e.icmp_with(IntPredicate::UGT, warp, 0)?);
        let both = e.combine_if(layout, later_warp, &warps_before, &in_warp)?;
        let before = both.into_iter().zip(&warps_before).map(|(both, warps)| e.choose(first_lane, *warps, both));
        let before = before.collect::<Emit<_>>()?;
        let has_before = e.icmp_with(IntPredicate::UGT, thread, 0)?;
        Ok((before, has_before, sum.ok_or_else(|| bug("a block without warps"))?))
    }
}
