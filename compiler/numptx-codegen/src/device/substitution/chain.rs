//! The rows of a tile, one after the other: the work of the first warp, and the one thing in a substitution that nothing else can hide.
//!
//! In: sums of rows, factors, and what rows have ready, in shared memory. Out: values, there and where they belong. A lane adds the terms of two rows, as
//! values are found. Some rows are a group: all lanes get their sums, and find their values alike, so that no lane waits for another one's
//! value within a group. Values are found the quick way first; whether that gave what it should is asked before others see them. If it did
//! not, rows are found again.

use inkwell::IntPredicate;
use inkwell::values::{IntValue, PointerValue};

use super::{LANES, LAST, ROWS, Solver, Tile, one};
use crate::accumulator::{Accumulator, Layout, Order};
use crate::code::{Ready, Substitution};
use crate::device::warp::{Shuffle, exchange};
use crate::emitter::Emitter;
use crate::error::Emit;
use crate::value::Scalar;

/// Rows of a group.
const GROUP: i64 = 4;
/// Steps of a value from which on groups are of one row: code counts then.
const LONG: usize = 8;

pub(super) struct Chain<'v, 's, 'ctx> {
    solver: &'v Solver<'s, 'ctx>,
    /// What a row had ready.
    like: Ready<'ctx>,
    of_term: Layout,
    of_value: Layout,
    of_factor: Layout,
    /// This lane's rows of a tile.
    rows: [IntValue<'ctx>; 2],
    /// Slots of their sums, and of their values.
    totals: [Vec<PointerValue<'ctx>>; 2],
    own: [Vec<PointerValue<'ctx>>; 2],
    /// Slots of the sums of the last values' terms, of this lane's rows of the next tile.
    next: [Vec<PointerValue<'ctx>>; 2],
}

/// How values are found.
#[derive(Clone, Copy)]
struct Way<'ctx> {
    /// Rows of a group.
    rows: i64,
    /// A slot that says whether all values were right, for the quick way.
    is_right: Option<PointerValue<'ctx>>,
}

/// Rows that all lanes find.
#[derive(Clone, Copy)]
struct Group<'ctx> {
    /// Which of a lane's rows is one of them.
    half: usize,
    /// The first one's lane, 32 bits.
    lane: IntValue<'ctx>,
    /// Whether the next tile's rows get terms, too.
    is_last: bool,
}

impl<'v, 's, 'ctx> Chain<'v, 's, 'ctx> {
    pub fn new(
        e: &Emitter<'ctx, '_>,
        solver: &'v Solver<'s, 'ctx>,
        parts: &mut dyn Substitution<'ctx>,
        like: Ready<'ctx>,
    ) -> Emit<Self> {
        let (of_term, of_value) = (parts.layout().clone(), parts.of_value().clone());
        let two = |layout: &Layout| -> Emit<[Vec<PointerValue<'ctx>>; 2]> {
            let nothing = e.identity(layout)?;
            Ok([e.accumulator_slots(layout, &nothing)?, e.accumulator_slots(layout, &nothing)?])
        };
        Ok(Chain {
            rows: [solver.lane, e.add(solver.lane, e.i64(LANES))?],
            totals: two(&of_term)?,
            own: two(&of_value)?,
            next: two(&of_term)?,
            of_factor: parts.of_factor().clone(),
            solver,
            like,
            of_term,
            of_value,
        })
    }

    /// The rows of a tile but the last ones.
    pub fn first_rows(&self, e: &Emitter<'ctx, '_>, parts: &mut dyn Substitution<'ctx>, tile: &Tile<'ctx>) -> Emit<()> {
        self.found(e, parts, &mut |e, parts, way| {
            for (half, row) in self.rows.into_iter().enumerate() {
                let total = e.load_accumulator(&self.of_term, self.solver.total_at(e, row)?)?;
                let next = e.read_accumulator(&self.next[half], &self.of_term)?;
                let total = e.combine(&self.of_term, &total, &next, Order::Fixed)?;
                e.write_accumulator(&self.totals[half], &self.of_term, &total)?;
            }
            for (half, end) in [LANES, LANES - LAST].into_iter().enumerate() {
                let last = e.smin(e.sub(tile.rows, e.i64(half as i64 * LANES))?, e.i64(end))?;
                self.groups(e, parts, (tile, way), (half, false), (e.i64(0), last))?;
                self.take(e, parts, (tile, way), (half, end))?;
            }
            Ok(())
        })?;
        let nothing = e.identity(&self.of_term)?;
        self.next.iter().try_for_each(|slots| e.write_accumulator(slots, &self.of_term, &nothing))?;
        self.leave(e, tile, 0)?;
        self.leave(e, tile, 1)?;
        self.store(e, parts, tile, 0)
    }

    /// The last rows of a tile, whose terms go to the next tile's rows, too.
    pub fn last_rows(&self, e: &Emitter<'ctx, '_>, parts: &mut dyn Substitution<'ctx>, tile: &Tile<'ctx>) -> Emit<()> {
        e.when(e.icmp_with(IntPredicate::SGT, tile.rows, ROWS - LAST)?, || {
            let total = e.read_accumulator(&self.totals[1], &self.of_term)?;
            let nothing = e.identity(&self.of_term)?;
            self.found(e, parts, &mut |e, parts, way| {
                e.write_accumulator(&self.totals[1], &self.of_term, &total)?;
                self.next.iter().try_for_each(|slots| e.write_accumulator(slots, &self.of_term, &nothing))?;
                self.groups(e, parts, (tile, way), (1, true), (e.i64(LANES - LAST), e.i64(LANES)))?;
                self.take(e, parts, (tile, way), (1, LANES))
            })?;
            // Others look at the first ones now.
            let is_last = e.icmp_with(IntPredicate::SGE, self.solver.lane, LANES - LAST)?;
            e.when(is_last, || self.leave(e, tile, 1))
        })?;
        self.store(e, parts, tile, 1)
    }

    /// Finds values, the quick way, and if that was wrong the other one.
    fn found<'a>(
        &self,
        e: &Emitter<'ctx, 'a>,
        parts: &mut dyn Substitution<'ctx>,
        find: &mut dyn FnMut(&Emitter<'ctx, 'a>, &mut dyn Substitution<'ctx>, Way<'ctx>) -> Emit<()>,
    ) -> Emit<()> {
        let group = if parts.n_late() < LONG { GROUP } else { 1 };
        if !parts.is_quick() {
            return find(e, parts, Way { rows: group, is_right: None });
        }
        let yes = e.context.bool_type().const_all_ones();
        let is_right = e.slot_with(yes, "is_right")?;
        find(e, parts, Way { rows: group, is_right: Some(is_right) })?;
        let own = e.read_int(is_right, yes)?;
        let all = e.context.i32_type().const_all_ones();
        let are_right = e.intrinsic("llvm.nvvm.vote.all.sync", &[], &[all.into(), own.into()])?.into_int_value();
        let are_wrong = e.not(are_right)?;
        e.when(are_wrong, || find(e, parts, Way { rows: 1, is_right: None }))
    }

    /// Groups of rows: those of the lanes of a range.
    fn groups(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn Substitution<'ctx>,
        (tile, way): (&Tile<'ctx>, Way<'ctx>),
        (half, is_last): (usize, bool),
        (begin, end): (IntValue<'ctx>, IntValue<'ctx>),
    ) -> Emit<()> {
        let int = e.context.i32_type();
        let lanes = (e.resize_unsigned(begin, int)?, e.resize_unsigned(end, int)?);
        let step = int.const_int(way.rows as u64, false);
        e.count(lanes, step, Some(e.short()?), |lane| self.group(e, parts, (tile, way), Group { half, lane, is_last }))
    }

    fn group(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn Substitution<'ctx>,
        (tile, way): (&Tile<'ctx>, Way<'ctx>),
        group: Group<'ctx>,
    ) -> Emit<()> {
        let lane = e.resize_unsigned(group.lane, e.context.i64_type())?;
        let first = e.add(lane, e.i64(group.half as i64 * LANES))?;
        let mut totals = self.broadcast(e, group, way.rows)?;
        let factors = self.factors(e, tile, (first, way.rows), &group)?;
        let mut ready = Vec::new();
        for n in 0..way.rows {
            ready.push(self.solver.kept(e, parts, (tile, e.add(first, e.i64(n))?), &self.like)?);
        }
        for (n, factors) in factors.iter().enumerate() {
            let total = one(&totals[n])?;
            let value = match way.is_right {
                None => parts.value(&ready[n], total)?,
                Some(_) => parts.quick_value(&ready[n], total)?.0,
            };
            for (total, factor) in totals[n + 1..].iter_mut().zip(&factors.of_group) {
                let term = [parts.term(*factor, value)?];
                *total = e.combine(&self.of_term, total, &term, Order::Fixed)?;
            }
            // A row that is found keeps its sum: its lane finds its value again.
            let lane = e.add(group.lane, e.int_like(group.lane, n as i64))?;
            let own_lane = e.resize_unsigned(self.solver.lane, lane.get_type())?;
            let is_later = e.icmp(IntPredicate::SLT, lane, own_lane)?;
            let later = self.totals.iter().skip(group.half).zip(&factors.of_lanes);
            for (number, (slots, factor)) in later.chain(self.next.iter().zip(&factors.beside)).enumerate() {
                let (term, total) = ([parts.term(*factor, value)?], e.read_accumulator(slots, &self.of_term)?);
                let mut sum = e.combine(&self.of_term, &total, &term, Order::Fixed)?;
                if number == 0 {
                    let both = sum.into_iter().zip(total);
                    sum = both.map(|(sum, total)| e.choose(is_later, sum, total)).collect::<Emit<Vec<_>>>()?;
                }
                e.write_accumulator(slots, &self.of_term, &sum)?;
            }
        }
        Ok(())
    }

    /// Finds the value of this lane's row of a half, as all lanes found it where it is one of the first `end` ones. The slot of the quick way says
    /// afterwards whether it was right for rows that the tile has.
    fn take(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn Substitution<'ctx>,
        (tile, way): (&Tile<'ctx>, Way<'ctx>),
        (half, end): (usize, i64),
    ) -> Emit<()> {
        let row = self.rows[half];
        let total = one(&e.read_accumulator(&self.totals[half], &self.of_term)?)?;
        let ready = self.solver.kept(e, parts, (tile, row), &self.like)?;
        let value = match way.is_right {
            None => parts.value(&ready, total)?,
            Some(slot) => {
                let (value, is_right) = parts.quick_value(&ready, total)?;
                let is_known = e.icmp_with(IntPredicate::SLT, self.solver.lane, end)?;
                let exists = e.and(is_known, e.icmp(IntPredicate::SLT, row, tile.rows)?)?;
                let is_right = e.or(is_right, e.not(exists)?)?;
                e.write(slot, e.and(e.read_int(slot, is_right)?, is_right)?)?;
                value
            }
        };
        e.write_accumulator(&self.own[half], &self.of_value, &[value])
    }

    /// The sums of a group's rows, for all lanes.
    fn broadcast(&self, e: &Emitter<'ctx, '_>, group: Group<'ctx>, rows: i64) -> Emit<Vec<Accumulator<'ctx>>> {
        let total = e.read_accumulator(&self.totals[group.half], &self.of_term)?;
        let mut totals = Vec::new();
        for n in 0..rows {
            let lane = e.add(group.lane, e.int_like(group.lane, n))?;
            let all = total.iter().map(|total| exchange(e, *total, Shuffle::From(lane)));
            totals.push(all.collect::<Emit<Vec<_>>>()?);
        }
        Ok(totals)
    }

    /// The factors for the values of a group's rows.
    fn factors(
        &self,
        e: &Emitter<'ctx, '_>,
        tile: &Tile<'ctx>,
        (first, rows): (IntValue<'ctx>, i64),
        group: &Group<'ctx>,
    ) -> Emit<Vec<Factors<'ctx>>> {
        let load = |at: PointerValue<'ctx>| one(&e.load_accumulator(&self.of_factor, at)?);
        let mut factors = Vec::new();
        for n in 0..rows {
            let value = e.add(first, e.i64(n))?;
            let of_row = |row: IntValue<'ctx>| load(self.solver.factor_in(e, tile, (row, value), group.half)?);
            let of_group = (n + 1..rows).map(|row| of_row(e.add(first, e.i64(row))?));
            let of_group = of_group.collect::<Emit<Vec<_>>>()?;
            // Nothing is asked of rows that are done.
            let of_lanes = self.rows.iter().skip(group.half).map(|row| of_row(*row)).collect::<Emit<Vec<_>>>()?;
            let mut beside = Vec::new();
            if group.is_last {
                let value = e.sub(value, e.i64(ROWS - LAST))?;
                for row in self.rows {
                    beside.push(load(self.solver.beside_at(e, row, value)?)?);
                }
            }
            factors.push(Factors { of_group, of_lanes, beside });
        }
        Ok(factors)
    }

    /// Leaves values in shared memory.
    fn leave(&self, e: &Emitter<'ctx, '_>, tile: &Tile<'ctx>, half: usize) -> Emit<()> {
        let value = e.read_accumulator(&self.own[half], &self.of_value)?;
        e.store_accumulator(&self.of_value, self.solver.value_at(e, tile.half, self.rows[half])?, &value)
    }

    /// Stores values where they belong.
    fn store(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn Substitution<'ctx>,
        tile: &Tile<'ctx>,
        half: usize,
    ) -> Emit<()> {
        let value = one(&e.read_accumulator(&self.own[half], &self.of_value)?)?;
        let exists = e.icmp(IntPredicate::SLT, self.rows[half], tile.rows)?;
        e.when(exists, || parts.store(e.add(tile.begin, self.rows[half])?, value))
    }
}

/// The factors for a value: of the group's later rows, of the lane's rows, and of its rows of the next tile.
struct Factors<'ctx> {
    of_group: Vec<Scalar<'ctx>>,
    of_lanes: Vec<Scalar<'ctx>>,
    beside: Vec<Scalar<'ctx>>,
}
