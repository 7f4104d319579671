//! The work of the other blocks: the terms that a tile's rows have of all tiles but the last two before it.
//!
//! In: tiles of values, as they are found. Out: sums, one or more a row, for the first block. Warps share the rows and the columns of factors out: a row's
//! part of them belongs to one warp. The first factors of the next tile are in registers before the values are known. Factors for the tile's own values
//! and those of the two tiles before it are read and not used: the first block finds them in the L2 cache.

use inkwell::IntPredicate;
use inkwell::values::{IntValue, PointerValue};

use super::{LANES, Others, ROWS, Solver, Tile, one};
use crate::accumulator::{Layout, Order};
use crate::code::{Substitution, Team};
use crate::device::lanes;
use crate::emitter::Emitter;
use crate::error::Emit;
use crate::value::Scalar;

/// Terms that a lane loads together.
const TOGETHER: i64 = 16;
/// The same where a thread has fewer registers.
const TOGETHER_IN_LARGE: i64 = 4;

/// Slots of the first factors of a warp's row.
struct Held<'ctx> {
    slots: Vec<Vec<PointerValue<'ctx>>>,
    layout: Layout,
}

/// A part of a row: its number in its tile, the first column of a lane, the distance to the next one, and the part's number.
struct Part<'ctx> {
    row: IntValue<'ctx>,
    first: IntValue<'ctx>,
    step: IntValue<'ctx>,
    part: IntValue<'ctx>,
}

/// A column of factors, the value that belongs to it, or another one where that is not known, and whether there is a term of both.
struct Column<'ctx> {
    factor: IntValue<'ctx>,
    value: IntValue<'ctx>,
    exists: IntValue<'ctx>,
}

impl<'ctx> Solver<'_, 'ctx> {
    /// Sums up terms: the work of all blocks but the first.
    pub(super) fn work(&self, e: &Emitter<'ctx, '_>, parts: &mut dyn Substitution<'ctx>) -> Emit<()> {
        let (n, layout) = (parts.n(), parts.of_factor().clone());
        let (nothing, together) = (e.identity(&layout)?, self.together());
        let slots = (0..together).map(|_| e.accumulator_slots(&layout, &nothing)).collect::<Emit<Vec<_>>>()?;
        let held = Held { slots, layout };
        // `end`: how many values are known when a tile is summed up.
        e.count((e.i64(0), n), e.i64(ROWS), None, |end| {
            let tile = self.tile(e, n, e.add(end, e.i64(2 * ROWS))?)?;
            let exists = e.icmp(IntPredicate::SLT, tile.begin, n)?;
            let works = e.and(exists, e.icmp_with(IntPredicate::SGT, end, 0)?)?;
            e.when(works, || {
                self.wait_for_tiles(e, end)?;
                self.anew(e)?.add_up(e, parts, (&tile, end), &held)?;
                self.found(e)
            })?;
            let next = self.tile(e, n, e.add(tile.begin, e.i64(ROWS))?)?;
            e.when(e.icmp(IntPredicate::SLT, next.begin, n)?, || {
                self.anew(e)?.hold(e, parts, (&next, e.add(end, e.i64(ROWS))?), &held)
            })?;
            if matches!(self.team.others, Others::Cluster(_)) { self.team.barrier(e) } else { Ok(()) }
        })
    }

    fn together(&self) -> i64 {
        if self.is_roomy() { TOGETHER } else { TOGETHER_IN_LARGE }
    }

    /// The part of a row that has a number among all sums.
    fn part(&self, e: &Emitter<'ctx, '_>, number: IntValue<'ctx>) -> Emit<Part<'ctx>> {
        let part = e.udiv(number, e.i64(ROWS))?;
        let row = e.sub(number, e.mul(part, e.i64(ROWS))?)?;
        let n_parts = e.udiv(e.add(e.sub(self.n_sums(e)?, row)?, e.i64(ROWS - 1))?, e.i64(ROWS))?;
        let first = e.add(e.mul(part, e.i64(LANES))?, self.lane)?;
        Ok(Part { row, first, step: e.mul(n_parts, e.i64(LANES))?, part })
    }

    /// The columns that a lane has together from one on, as far as a row has factors there.
    fn columns(
        &self,
        e: &Emitter<'ctx, '_>,
        (first, step): (IntValue<'ctx>, IntValue<'ctx>),
        row: IntValue<'ctx>,
        end: IntValue<'ctx>,
    ) -> Emit<Vec<Column<'ctx>>> {
        let (last, last_value) = (e.sub(row, e.i64(1))?, e.sub(end, e.i64(1))?);
        let column = |n: i64| {
            let column = e.add(first, e.mul(step, e.i64(n))?)?;
            let exists = e.icmp(IntPredicate::SLT, column, end)?;
            Ok(Column { factor: e.smin(column, last)?, value: e.smin(column, last_value)?, exists })
        };
        (0..self.together()).map(column).collect()
    }

    /// Loads the first factors of a warp's row of a tile, which has terms of the first `end` values.
    fn hold(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn Substitution<'ctx>,
        (tile, end): (&Tile<'ctx>, IntValue<'ctx>),
        held: &Held<'ctx>,
    ) -> Emit<()> {
        let part = self.part(e, self.worker)?;
        let row = self.row(e, tile, part.row)?;
        for (slots, column) in held.slots.iter().zip(self.columns(e, (part.first, part.step), row, end)?) {
            let factor = parts.factor(row, column.factor)?;
            e.write_accumulator(slots, &held.layout, &[factor])?;
        }
        Ok(())
    }

    /// Sums up the terms of a tile's rows and of the first `end` values.
    fn add_up(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn Substitution<'ctx>,
        (tile, end): (&Tile<'ctx>, IntValue<'ctx>),
        held: &Held<'ctx>,
    ) -> Emit<()> {
        let layout = parts.layout().clone();
        let nothing = e.identity(&layout)?;
        let slots = e.accumulator_slots(&layout, &nothing)?;
        e.write_accumulator(&slots, &layout, &nothing)?;
        let part = self.part(e, self.worker)?;
        let factors = held.slots.iter().map(|slots| one(&e.read_accumulator(slots, &held.layout)?));
        let factors = factors.collect::<Emit<Vec<_>>>()?;
        let columns = self.columns(e, (part.first, part.step), self.row(e, tile, part.row)?, end)?;
        self.terms(e, parts, (&slots, &columns), &factors)?;
        let held = e.mul(part.step, e.i64(self.together()))?;
        self.rest(e, parts, (tile, end), (&part, e.add(part.first, held)?, &slots))?;
        self.leave(e, tile, &part, &layout, &slots)?;
        // Where there are fewer warps than rows.
        let other = e.add(self.worker, self.workers)?;
        e.count((other, self.n_sums(e)?), self.workers, None, |number| {
            e.write_accumulator(&slots, &layout, &nothing)?;
            let part = self.part(e, number)?;
            self.rest(e, parts, (tile, end), (&part, part.first, &slots))?;
            self.leave(e, tile, &part, &layout, &slots)
        })
    }

    /// Adds the terms of a row from a column on.
    fn rest(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn Substitution<'ctx>,
        (tile, end): (&Tile<'ctx>, IntValue<'ctx>),
        (part, first, slots): (&Part<'ctx>, IntValue<'ctx>, &[PointerValue<'ctx>]),
    ) -> Emit<()> {
        let row = self.row(e, tile, part.row)?;
        e.count((first, row), e.mul(part.step, e.i64(self.together()))?, None, |column| {
            let columns = self.columns(e, (column, part.step), row, end)?;
            let factors = columns.iter().map(|column| parts.factor(row, column.factor)).collect::<Emit<Vec<_>>>()?;
            self.terms(e, parts, (slots, &columns), &factors)
        })
    }

    /// Adds the terms of factors and of the values of columns, all of which are loaded first.
    fn terms(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn Substitution<'ctx>,
        (slots, columns): (&[PointerValue<'ctx>], &[Column<'ctx>]),
        factors: &[Scalar<'ctx>],
    ) -> Emit<()> {
        let layout = parts.layout().clone();
        let nothing = one(&e.identity(&layout)?)?;
        let values = columns.iter().map(|column| parts.given(column.value)).collect::<Emit<Vec<_>>>()?;
        let mut total = e.read_accumulator(slots, &layout)?;
        for ((factor, value), column) in factors.iter().zip(values).zip(columns) {
            let term = e.choose(column.exists, parts.term(*factor, value)?, nothing)?;
            total = e.combine(&layout, &total, &[term], Order::Fixed)?;
        }
        e.write_accumulator(slots, &layout, &total)
    }

    /// Leaves the sum of a warp's lanes for the first block.
    fn leave(
        &self,
        e: &Emitter<'ctx, '_>,
        tile: &Tile<'ctx>,
        part: &Part<'ctx>,
        layout: &Layout,
        slots: &[PointerValue<'ctx>],
    ) -> Emit<()> {
        let total = lanes::total(e, layout, &e.read_accumulator(slots, layout)?)?;
        let is_first = e.icmp_with(IntPredicate::EQ, self.lane, 0)?;
        e.when(is_first, || e.store_accumulator(layout, self.sum_at(e, tile, (part.row, part.part), true)?, &total))
    }
}
