//! The work of the other blocks: the terms that a tile's rows have of all tiles but the last two before it.
//!
//! In: tiles of values, as they are found. Out: sums, one or more a row, for the first block. Warps share the rows and the columns of factors out: a row's
//! part of them belongs to one warp. In a grid each block has two shifts of warps, which take tiles in turn. So a shift has the time of two tiles: while
//! one waits for values or says what it found, factors are on their way to the other. Most terms are added before the last values are known, and the
//! factors for these are in registers then. Factors for the tile's own values and those of the two tiles before it are read and not used: the first
//! block finds them in the L2 cache.

use inkwell::IntPredicate;
use inkwell::values::{IntValue, PointerValue};

use super::{LANES, Others, ROWS, Solver, Tile, one};
use crate::accumulator::{Layout, Order};
use crate::code::{ThreadGroup, TriangularSolve};
use crate::device::lanes;
use crate::emitter::Emitter;
use crate::error::Emit;
use crate::value::Scalar;

/// Terms that a lane loads together.
const TOGETHER: i64 = 16;
/// The same where a thread has fewer registers.
const TOGETHER_IN_LARGE: i64 = 4;
/// Factors for late values that a lane holds.
const LATE: usize = 4;

/// What a warp has of its part of a row before the last values are known: slots of the sum of the first terms, and of factors for the values after.
struct Held<'ctx> {
    sum: Vec<PointerValue<'ctx>>,
    factors: Vec<Vec<PointerValue<'ctx>>>,
    of_term: Layout,
    of_factor: Layout,
}

/// A tile, and the values whose terms its rows get: the first `early` ones are known before the others, which are so many in all.
struct Sum<'ctx> {
    tile: Tile<'ctx>,
    early: IntValue<'ctx>,
    end: IntValue<'ctx>,
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
    pub(super) fn work(&self, e: &Emitter<'ctx, '_>, parts: &mut dyn TriangularSolve<'ctx>) -> Emit<()> {
        let (n, of_term, of_factor) = (parts.n(), parts.layout().clone(), parts.of_factor().clone());
        let (nothing, no_factor) = (e.identity(&of_term)?, e.identity(&of_factor)?);
        let factors = (0..LATE).map(|_| e.accumulator_slots(&of_factor, &no_factor)).collect::<Emit<Vec<_>>>()?;
        let held = Held { sum: e.accumulator_slots(&of_term, &nothing)?, factors, of_term, of_factor };
        let step = e.mul(self.shifts, e.i64(ROWS))?;
        let is_first = e.icmp_with(IntPredicate::EQ, self.shift, 0)?;
        let first = e.mul(e.select(is_first, self.shifts, self.shift)?, e.i64(ROWS))?;
        // `end`: how many values are known when a tile is summed up.
        let sum = |early: IntValue<'ctx>, end: IntValue<'ctx>| -> Emit<Sum<'ctx>> {
            Ok(Sum { tile: self.tile(e, n, e.add(end, e.i64(2 * ROWS))?)?, early, end })
        };
        let exists = |sum: &Sum<'ctx>| e.icmp(IntPredicate::SLT, sum.tile.begin, n);
        let before = sum(e.i64(0), first)?;
        e.when(exists(&before)?, || self.anew(e)?.begin_sum(e, parts, &before, &held))?;
        let mut work = |end: IntValue<'ctx>| -> Emit<()> {
            let is_first = e.icmp(IntPredicate::EQ, end, first)?;
            let now = sum(e.select(is_first, e.i64(0), e.sub(end, step)?)?, end)?;
            self.wait_for_tiles(e, end)?;
            self.anew(e)?.finish_sum(e, parts, &now, &held)?;
            self.found(e, &now.tile)?;
            let next = sum(end, e.add(end, step)?)?;
            e.when(exists(&next)?, || self.anew(e)?.begin_sum(e, parts, &next, &held))
        };
        let Others::Cluster(_) = self.group.others else {
            return e.count((first, e.sub(n, e.i64(2 * ROWS))?), step, None, work);
        };
        e.count((e.i64(0), n), step, None, |end| {
            let is_one = e.icmp_with(IntPredicate::SGT, end, 0)?;
            let is_one = e.and(is_one, exists(&sum(end, end)?)?)?;
            e.when(is_one, || work(end))?;
            self.group.barrier(e)
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

    /// So many columns that a lane has together from one on, as far as a row has factors there.
    fn columns(
        &self,
        e: &Emitter<'ctx, '_>,
        (first, step): (IntValue<'ctx>, IntValue<'ctx>),
        (row, end): (IntValue<'ctx>, IntValue<'ctx>),
        n: i64,
    ) -> Emit<Vec<Column<'ctx>>> {
        let (last, last_value) = (e.sub(row, e.i64(1))?, e.sub(end, e.i64(1))?);
        let column = |n: i64| {
            let column = e.add(first, e.mul(step, e.i64(n))?)?;
            let exists = e.icmp(IntPredicate::SLT, column, end)?;
            Ok(Column { factor: e.smin(column, last)?, value: e.smin(column, last_value)?, exists })
        };
        (0..n).map(column).collect()
    }

    /// Adds up the terms of a warp's part of a row and of the values that are known early, and loads the first factors for the others.
    fn begin_sum(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn TriangularSolve<'ctx>,
        sum: &Sum<'ctx>,
        held: &Held<'ctx>,
    ) -> Emit<()> {
        let part = self.part(e, self.worker)?;
        let row = self.row(e, &sum.tile, part.row)?;
        let late = self.columns(e, (e.add(sum.early, part.first)?, part.step), (row, sum.end), LATE as i64)?;
        for (slots, column) in held.factors.iter().zip(&late) {
            let factor = parts.factor(row, column.factor)?;
            e.write_accumulator(slots, &held.of_factor, &[factor])?;
        }
        e.write_accumulator(&held.sum, &held.of_term, &e.identity(&held.of_term)?)?;
        self.terms_from(e, parts, (row, sum.early), (&part, part.first, sum.early), (&held.sum, self.together()))
    }

    /// Adds the terms of the other values, and leaves the sum.
    fn finish_sum(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn TriangularSolve<'ctx>,
        sum: &Sum<'ctx>,
        held: &Held<'ctx>,
    ) -> Emit<()> {
        let (layout, tile) = (&held.of_term, &sum.tile);
        let part = self.part(e, self.worker)?;
        let row = self.row(e, tile, part.row)?;
        let first = e.add(sum.early, part.first)?;
        let factors = held.factors.iter().map(|slots| one(&e.read_accumulator(slots, &held.of_factor)?));
        let factors = factors.collect::<Emit<Vec<_>>>()?;
        let columns = self.columns(e, (first, part.step), (row, sum.end), LATE as i64)?;
        self.terms(e, parts, (&held.sum, &columns), &factors)?;
        let others = e.add(first, e.mul(part.step, e.i64(LATE as i64))?)?;
        self.terms_from(e, parts, (row, sum.end), (&part, others, row), (&held.sum, LATE as i64))?;
        self.leave(e, tile, &part, layout, &held.sum)?;
        // Where there are fewer warps than rows.
        let slots = e.accumulator_slots(layout, &e.identity(layout)?)?;
        let other = e.add(self.worker, self.workers)?;
        e.count((other, self.n_sums(e)?), self.workers, None, |number| {
            e.write_accumulator(&slots, layout, &e.identity(layout)?)?;
            let part = self.part(e, number)?;
            let row = self.row(e, tile, part.row)?;
            self.terms_from(e, parts, (row, sum.end), (&part, part.first, row), (&slots, self.together()))?;
            self.leave(e, tile, &part, layout, &slots)
        })
    }

    /// Adds the terms of a row from a column to another one, of the first `end` values.
    fn terms_from(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn TriangularSolve<'ctx>,
        (row, end): (IntValue<'ctx>, IntValue<'ctx>),
        (part, first, last): (&Part<'ctx>, IntValue<'ctx>, IntValue<'ctx>),
        (slots, together): (&[PointerValue<'ctx>], i64),
    ) -> Emit<()> {
        e.count((first, last), e.mul(part.step, e.i64(together))?, None, |column| {
            let columns = self.columns(e, (column, part.step), (row, end), together)?;
            let factors = columns.iter().map(|column| parts.factor(row, column.factor)).collect::<Emit<Vec<_>>>()?;
            self.terms(e, parts, (slots, &columns), &factors)
        })
    }

    /// Adds the terms of factors and of the values of columns, all of which are loaded first.
    fn terms(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn TriangularSolve<'ctx>,
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
