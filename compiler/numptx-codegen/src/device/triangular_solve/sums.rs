//! The sums of the next tile's rows, by warps of the first block: of terms of tiles before this one, of what the other blocks found, and at last of the terms
//! of this one.
//!
//! In: the next tile, and as the rows of this one are found their values. Out: for each row its sum without the terms of the last values, which the
//! first warp adds. Eight lanes share a row, so that few steps make one number of theirs, and each helper has eight rows. What it loads for
//! the terms of this tile is in registers when the values come. Where there are fewer helpers, they take the other rows afterwards.

use inkwell::IntPredicate;
use inkwell::values::{IntValue, PointerValue};

use super::{LANES, LAST, ROWS, Solver, Tile, one};
use crate::accumulator::{Accumulator, Layout, Order};
use crate::code::{TriangularSolve, anew};
use crate::device::lanes;
use crate::device::warp::with_neighbour;
use crate::emitter::Emitter;
use crate::error::Emit;
use crate::value::Scalar;

/// Lanes that share a row.
const SHARING: i64 = 8;
/// Rows that a lane has a part of.
const OWN: i64 = 2;
/// Rows of a warp, and so many warps have all.
const ROWS_OF_WARP: i64 = OWN * LANES / SHARING;
const GROUPS: i64 = ROWS / ROWS_OF_WARP;
/// Values of a tile whose terms a lane adds before the last ones.
const VALUES: i64 = (ROWS - LAST) / SHARING;
/// Sums of a row that a lane loads together.
const SUMS: i64 = 3;

#[derive(Clone)]
pub(super) struct Sums<'s, 'ctx> {
    solver: Solver<'s, 'ctx>,
    of_term: Layout,
    of_factor: Layout,
    /// Whether this warp, which is not the first one, has rows whose factors it holds.
    holds: IntValue<'ctx>,
    /// This lane's number among those that share a row.
    part: IntValue<'ctx>,
    /// Slots, by row: the factors for this tile's values, and the sum so far.
    factors: Vec<Vec<Vec<PointerValue<'ctx>>>>,
    totals: Vec<Vec<PointerValue<'ctx>>>,
}

impl<'s, 'ctx> Sums<'s, 'ctx> {
    pub fn new(e: &Emitter<'ctx, '_>, solver: &Solver<'s, 'ctx>, parts: &mut dyn TriangularSolve<'ctx>) -> Emit<Self> {
        let (of_term, of_factor) = (parts.layout().clone(), parts.of_factor().clone());
        let (nothing, no_factor) = (e.identity(&of_term)?, e.unset(&of_factor)?);
        let slots = || (0..VALUES).map(|_| e.accumulator_slots(&of_factor, &no_factor)).collect::<Emit<Vec<_>>>();
        let factors = (0..OWN).map(|_| slots()).collect::<Emit<Vec<_>>>()?;
        let totals = (0..OWN).map(|_| e.accumulator_slots(&of_term, &nothing)).collect::<Emit<Vec<_>>>()?;
        let is_helper = e.icmp_with(IntPredicate::SGT, solver.warp, 0)?;
        let has_rows = e.icmp_with(IntPredicate::SLT, solver.helper, GROUPS)?;
        let (holds, part) = (e.and(is_helper, has_rows)?, e.and(solver.lane, e.i64(SHARING - 1))?);
        Ok(Sums { solver: *solver, of_term, of_factor, holds, part, factors, totals })
    }

    /// The same, for one of the tasks; see [`Solver::anew`].
    pub fn anew(&self, e: &Emitter<'ctx, '_>) -> Emit<Self> {
        let solver = self.solver.anew(e)?;
        Ok(Sums { solver, part: e.and(solver.lane, e.i64(SHARING - 1))?, ..self.clone() })
    }

    /// Says that nothing of the tile before is needed any more.
    pub fn forget(&self, e: &Emitter<'ctx, '_>) -> Emit<()> {
        let (nothing, no_factor) = (e.identity(&self.of_term)?, e.unset(&self.of_factor)?);
        for slots in self.factors.iter().flatten() {
            e.write_accumulator(slots, &self.of_factor, &no_factor)?;
        }
        self.totals.iter().try_for_each(|slots| e.write_accumulator(slots, &self.of_term, &nothing))
    }

    /// Adds up all terms but those of this tile's values, whose factors are on their way at the end: of the last of them in shared memory. What the
    /// other blocks found is on its way while the terms of the tile before are.
    pub fn before(&self, e: &Emitter<'ctx, '_>, parts: &mut dyn TriangularSolve<'ctx>, next: &Tile<'ctx>) -> Emit<()> {
        let waits = self.solver.has_sums(e, next)?;
        let first = e.sub(next.begin, e.i64(2 * ROWS))?;
        let has_tile = e.icmp_with(IntPredicate::SGE, first, 0)?;
        e.when(self.holds, || {
            let rows = self.rows(e, self.solver.helper)?;
            let beside = self.beside(e, parts, next, &rows)?;
            let found = self.found_slots(e)?;
            e.when(waits, || {
                self.solver.wait_for_sums(e, next)?;
                self.load_sums(e, next, &rows, &found)
            })?;
            e.when(has_tile, || {
                let factors = self.factors_of(e, parts, next, (first, &rows))?;
                // The values are in shared memory yet: their places are those of the next tile.
                let values = self.values(e, parts, next.half, ROWS / SHARING)?;
                lanes::meet(e)?;
                self.add_terms(e, parts, &self.totals, (&factors, &values))
            })?;
            let is_alone = e.icmp_with(IntPredicate::EQ, self.solver.others, 0)?;
            let others = e.select(is_alone, first, e.i64(0))?;
            self.terms_in(e, parts, next, (e.i64(0), others), (&rows, &self.totals))?;
            let loaded = self.loaded(e, parts, next, &rows)?;
            self.write_factors(e, &self.factors, &loaded)?;
            e.when(waits, || {
                self.add_sums(e, e.i64(0), (&rows, &self.totals), &found)?;
                self.sums_of_others(e, next, e.i64(SHARING * SUMS), (&rows, &self.totals))
            })?;
            self.leave_beside(e, &rows, &beside)
        })
    }

    /// The same for the other groups, which begins where there are more of them than helpers: all else is done in [`Sums::finish_others`].
    pub fn before_others(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn TriangularSolve<'ctx>,
        next: &Tile<'ctx>,
    ) -> Emit<()> {
        let has_rows = e.icmp_with(IntPredicate::SLT, self.solver.helper, GROUPS)?;
        let waits = e.and(has_rows, self.solver.has_sums(e, next)?)?;
        e.when(e.and(waits, e.not(self.holds)?)?, || self.solver.wait_for_sums(e, next))?;
        self.other_groups(e, |group| {
            let rows = self.rows(e, group)?;
            let beside = self.beside(e, parts, next, &rows)?;
            self.leave_beside(e, &rows, &beside)
        })
    }

    /// Adds the terms of this tile's values, which are there but for the last ones.
    pub fn finish(&self, e: &Emitter<'ctx, '_>, parts: &mut dyn TriangularSolve<'ctx>, next: &Tile<'ctx>) -> Emit<()> {
        e.when(self.holds, || {
            let factors = self.read_factors(e, &self.factors)?;
            self.terms_of_tile(e, parts, next, (&self.rows(e, self.solver.helper)?, &self.totals), &factors)
        })
    }

    /// The same for the other groups, with all their terms.
    pub fn finish_others(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn TriangularSolve<'ctx>,
        next: &Tile<'ctx>,
    ) -> Emit<()> {
        let totals = self.totals.iter().map(|_| e.accumulator_slots(&self.of_term, &e.identity(&self.of_term)?));
        let totals = totals.collect::<Emit<Vec<_>>>()?;
        let adds = self.solver.has_sums(e, next)?;
        self.other_groups(e, |group| {
            let (rows, nothing) = (self.rows(e, group)?, e.identity(&self.of_term)?);
            totals.iter().try_for_each(|slots| e.write_accumulator(slots, &self.of_term, &nothing))?;
            let factors = self.loaded(e, parts, next, &rows)?;
            self.terms_before(e, parts, next, (&rows, &totals))?;
            e.when(adds, || self.sums_of_others(e, next, e.i64(0), (&rows, &totals)))?;
            self.terms_of_tile(e, parts, next, (&rows, &totals), &factors)
        })
    }

    /// The groups of rows that this helper has beside those that it holds.
    fn other_groups(&self, e: &Emitter<'ctx, '_>, group: impl FnOnce(IntValue<'ctx>) -> Emit<()>) -> Emit<()> {
        let solver = &self.solver;
        let first = e.select(solver.is_alone, e.i64(0), e.add(solver.helper, solver.helpers)?)?;
        e.count((first, e.i64(GROUPS)), solver.helpers, None, group)
    }

    /// This lane's rows of a group.
    fn rows(&self, e: &Emitter<'ctx, '_>, group: IntValue<'ctx>) -> Emit<Vec<IntValue<'ctx>>> {
        let first = e.add(e.mul(group, e.i64(ROWS_OF_WARP))?, e.udiv(self.solver.lane, e.i64(SHARING))?)?;
        (0..OWN).map(|n| e.add(first, e.i64(n * ROWS_OF_WARP / OWN))).collect()
    }

    /// The factors of rows for this tile's values, but for the last ones.
    fn loaded(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn TriangularSolve<'ctx>,
        next: &Tile<'ctx>,
        rows: &[IntValue<'ctx>],
    ) -> Emit<Vec<Vec<Scalar<'ctx>>>> {
        let begin = anew(e, e.add(e.sub(next.begin, e.i64(ROWS))?, self.part)?)?;
        let mut loaded = Vec::new();
        for row in rows {
            let row = self.solver.row(e, next, *row)?;
            let factors = (0..VALUES).map(|n| parts.factor(row, e.add(begin, e.i64(n * SHARING))?));
            loaded.push(factors.collect::<Emit<Vec<_>>>()?);
        }
        Ok(loaded)
    }

    /// The factors of rows for the last values: as many as lanes share a row.
    fn beside(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn TriangularSolve<'ctx>,
        next: &Tile<'ctx>,
        rows: &[IntValue<'ctx>],
    ) -> Emit<Vec<Scalar<'ctx>>> {
        let other = e.add(e.sub(next.begin, e.i64(LAST))?, self.part)?;
        rows.iter().map(|row| parts.factor(self.solver.row(e, next, *row)?, other)).collect()
    }

    /// Leaves them in shared memory.
    fn leave_beside(&self, e: &Emitter<'ctx, '_>, rows: &[IntValue<'ctx>], factors: &[Scalar<'ctx>]) -> Emit<()> {
        for (row, factor) in rows.iter().zip(factors) {
            e.store_accumulator(&self.of_factor, self.solver.beside_at(e, *row, self.part)?, &[*factor])?;
        }
        Ok(())
    }

    /// Adds the terms of values before this tile that no other block adds: those of the tile before, or all.
    fn terms_before(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn TriangularSolve<'ctx>,
        next: &Tile<'ctx>,
        to: (&[IntValue<'ctx>], &[Vec<PointerValue<'ctx>>]),
    ) -> Emit<()> {
        let end = e.sub(next.begin, e.i64(ROWS))?;
        let is_alone = e.icmp_with(IntPredicate::EQ, self.solver.others, 0)?;
        let is_second = e.icmp_with(IntPredicate::EQ, end, 0)?;
        let begin = e.select(e.or(is_alone, is_second)?, e.i64(0), e.sub(end, e.i64(ROWS))?)?;
        self.terms_in(e, parts, next, (begin, end), to)
    }

    /// Adds the terms of the values of whole tiles.
    fn terms_in(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn TriangularSolve<'ctx>,
        next: &Tile<'ctx>,
        tiles: (IntValue<'ctx>, IntValue<'ctx>),
        (rows, totals): (&[IntValue<'ctx>], &[Vec<PointerValue<'ctx>>]),
    ) -> Emit<()> {
        // All lanes go through it alike, as they wait for each other.
        e.count(tiles, e.i64(ROWS), None, |first| {
            let factors = self.factors_of(e, parts, next, (first, rows))?;
            let first = anew(e, e.add(first, self.part)?)?;
            let values = (0..ROWS / SHARING).map(|n| parts.given(e.add(first, e.i64(n * SHARING))?));
            let values = values.collect::<Emit<Vec<_>>>()?;
            // All loads come before the first use: what waits for one of them waits for all.
            lanes::meet(e)?;
            self.add_terms(e, parts, totals, (&factors, &values))
        })
    }

    /// The factors of rows for this lane's values of a tile, by row.
    fn factors_of(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn TriangularSolve<'ctx>,
        next: &Tile<'ctx>,
        (first, rows): (IntValue<'ctx>, &[IntValue<'ctx>]),
    ) -> Emit<Vec<Vec<Scalar<'ctx>>>> {
        // Anew for each tile, and not for each address: these are some distance apart.
        let first = anew(e, e.add(first, self.part)?)?;
        let mut all = Vec::new();
        for row in rows {
            let row = self.solver.row(e, next, *row)?;
            let factors = (0..ROWS / SHARING).map(|n| parts.factor(row, e.add(first, e.i64(n * SHARING))?));
            all.push(factors.collect::<Emit<Vec<_>>>()?);
        }
        Ok(all)
    }

    /// This lane's values of the tile in a half of those in shared memory: so many of them.
    fn values(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn TriangularSolve<'ctx>,
        half: IntValue<'ctx>,
        count: i64,
    ) -> Emit<Vec<Scalar<'ctx>>> {
        let value = |n: i64| {
            let at = self.solver.value_at(e, half, e.add(self.part, e.i64(n * SHARING))?)?;
            one(&e.load_accumulator(parts.of_value(), at)?)
        };
        (0..count).map(value).collect()
    }

    /// Adds the terms of factors and values.
    fn add_terms(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn TriangularSolve<'ctx>,
        totals: &[Vec<PointerValue<'ctx>>],
        (factors, values): (&[Vec<Scalar<'ctx>>], &[Scalar<'ctx>]),
    ) -> Emit<()> {
        for (n, value) in values.iter().enumerate() {
            for (slots, factors) in totals.iter().zip(factors) {
                self.add(e, slots, &[parts.term(factors[n], *value)?])?;
            }
        }
        Ok(())
    }

    fn write_factors(
        &self,
        e: &Emitter<'ctx, '_>,
        slots: &[Vec<Vec<PointerValue<'ctx>>>],
        factors: &[Vec<Scalar<'ctx>>],
    ) -> Emit<()> {
        let mut both = slots.iter().flatten().zip(factors.iter().flatten());
        both.try_for_each(|(slots, factor)| e.write_accumulator(slots, &self.of_factor, &[*factor]))
    }

    fn read_factors(
        &self,
        e: &Emitter<'ctx, '_>,
        slots: &[Vec<Vec<PointerValue<'ctx>>>],
    ) -> Emit<Vec<Vec<Scalar<'ctx>>>> {
        let read = |slots: &Vec<PointerValue<'ctx>>| one(&e.read_accumulator(slots, &self.of_factor)?);
        slots.iter().map(|of_row| of_row.iter().map(read).collect()).collect()
    }

    /// Slots for the first sums that the other blocks found, by row.
    fn found_slots(&self, e: &Emitter<'ctx, '_>) -> Emit<Vec<Vec<Vec<PointerValue<'ctx>>>>> {
        let unset = e.unset(&self.of_term)?;
        (0..OWN).map(|_| (0..SUMS).map(|_| e.accumulator_slots(&self.of_term, &unset)).collect()).collect()
    }

    /// Adds what the other blocks found, from one of a row's sums on.
    fn sums_of_others(
        &self,
        e: &Emitter<'ctx, '_>,
        next: &Tile<'ctx>,
        from: IntValue<'ctx>,
        (rows, totals): (&[IntValue<'ctx>], &[Vec<PointerValue<'ctx>>]),
    ) -> Emit<()> {
        if matches!(self.solver.group.others, super::Others::Nobody) {
            return Ok(());
        }
        let found = self.found_slots(e)?;
        // All lanes go through it alike, as they wait for each other.
        e.count((from, self.solver.most_sums(e)?), e.i64(SHARING * SUMS), None, |first| {
            self.load_sums_from(e, next, first, rows, &found)?;
            lanes::meet(e)?;
            self.add_sums(e, first, (rows, totals), &found)
        })
    }

    /// Loads the first ones of what the other blocks found.
    fn load_sums(
        &self,
        e: &Emitter<'ctx, '_>,
        next: &Tile<'ctx>,
        rows: &[IntValue<'ctx>],
        found: &[Vec<Vec<PointerValue<'ctx>>>],
    ) -> Emit<()> {
        if matches!(self.solver.group.others, super::Others::Nobody) {
            return Ok(());
        }
        self.load_sums_from(e, next, e.i64(0), rows, found)
    }

    /// Loads some of them. Where there are no more, others are loaded.
    fn load_sums_from(
        &self,
        e: &Emitter<'ctx, '_>,
        next: &Tile<'ctx>,
        first: IntValue<'ctx>,
        rows: &[IntValue<'ctx>],
        found: &[Vec<Vec<PointerValue<'ctx>>>],
    ) -> Emit<()> {
        for (row, slots) in rows.iter().zip(found) {
            for (n, slots) in slots.iter().enumerate() {
                let (part, exists) = self.sum_of(e, first, *row, n)?;
                let at = (*row, e.select(exists, part, e.int_like(part, 0))?);
                let sum = e.load_accumulator(&self.of_term, self.solver.sum_at(e, next, at, false)?)?;
                e.write_accumulator(slots, &self.of_term, &sum)?;
            }
        }
        Ok(())
    }

    /// Adds them.
    fn add_sums(
        &self,
        e: &Emitter<'ctx, '_>,
        first: IntValue<'ctx>,
        (rows, totals): (&[IntValue<'ctx>], &[Vec<PointerValue<'ctx>>]),
        found: &[Vec<Vec<PointerValue<'ctx>>>],
    ) -> Emit<()> {
        let nothing = e.identity(&self.of_term)?;
        for n in 0..SUMS as usize {
            for ((row, found), total) in rows.iter().zip(found).zip(totals) {
                let (_, exists) = self.sum_of(e, first, *row, n)?;
                let sum = e.read_accumulator(&found[n], &self.of_term)?;
                let both = sum.into_iter().zip(&nothing);
                let sum = both.map(|(sum, nothing)| e.choose(exists, sum, *nothing)).collect::<Emit<Vec<_>>>()?;
                self.add(e, total, &sum)?;
            }
        }
        Ok(())
    }

    /// The number of one of a lane's sums of a row, and whether it exists.
    fn sum_of(
        &self,
        e: &Emitter<'ctx, '_>,
        first: IntValue<'ctx>,
        row: IntValue<'ctx>,
        n: usize,
    ) -> Emit<(IntValue<'ctx>, IntValue<'ctx>)> {
        let part = e.add(e.add(first, self.part)?, e.i64(n as i64 * SHARING))?;
        let small = |number: IntValue<'ctx>| e.resize_unsigned(number, e.context.i32_type());
        let (part, row, end) = (small(part)?, small(row)?, small(self.solver.n_sums(e)?)?);
        let number = e.add(e.mul(part, e.int_like(part, ROWS))?, row)?;
        Ok((part, e.icmp(IntPredicate::SLT, number, end)?))
    }

    /// Adds the terms of this tile's values, and leaves the totals.
    fn terms_of_tile(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn TriangularSolve<'ctx>,
        next: &Tile<'ctx>,
        (rows, totals): (&[IntValue<'ctx>], &[Vec<PointerValue<'ctx>>]),
        factors: &[Vec<Scalar<'ctx>>],
    ) -> Emit<()> {
        let values = self.values(e, parts, e.sub(e.i64(1), next.half)?, VALUES)?;
        let mut own = totals.iter().map(|slots| e.read_accumulator(slots, &self.of_term)).collect::<Emit<Vec<_>>>()?;
        for (n, value) in values.into_iter().enumerate() {
            for (total, factors) in own.iter_mut().zip(factors) {
                let term = [parts.term(factors[n], value)?];
                *total = e.combine(&self.of_term, total, &term, Order::Fixed)?;
            }
        }
        let mut distance = SHARING as u32 / 2;
        while distance > 0 {
            let with = |total: Accumulator<'ctx>| with_neighbour(e, &self.of_term, &total, distance);
            own = own.into_iter().map(with).collect::<Emit<Vec<_>>>()?;
            distance /= 2;
        }
        let is_first = e.icmp_with(IntPredicate::EQ, self.part, 0)?;
        e.when(is_first, || {
            let both = rows.iter().zip(&own);
            both.into_iter()
                .try_for_each(|(row, total)| e.store_accumulator(&self.of_term, self.solver.total_at(e, *row)?, total))
        })
    }

    fn add(&self, e: &Emitter<'ctx, '_>, slots: &[PointerValue<'ctx>], more: &[Scalar<'ctx>]) -> Emit<()> {
        let total = e.read_accumulator(slots, &self.of_term)?;
        e.write_accumulator(slots, &self.of_term, &e.combine(&self.of_term, &total, more, Order::Fixed)?)
    }
}
