//! The rows of a tile, one after the other: the work of the first warp, and the one thing in a triangular solve that nothing else can hide.
//!
//! In: sums of rows, factors, and what rows have ready, in shared memory. Out: values, there and where they belong. A lane adds the terms of two rows, as
//! values are found. All lanes find all values alike. A row's sum comes from its lane before the value of the row before it is known, and all lanes
//! add that one's term: no lane waits for another one's value, and a row takes as long as its own steps and its term in the next sum. What a
//! row needs of shared memory is loaded while the one before it is found. Values are found the quick way first; whether that gave what it should is
//! asked before others see them. If it did not, rows are found again.

use inkwell::IntPredicate;
use inkwell::values::{IntValue, PointerValue};

use super::operands::Operands;
use super::{LANES, LAST, ROWS, Solver, Tile, one};
use crate::accumulator::{Accumulator, Layout, Order};
use crate::code::{Ready, TriangularSolve, anew};
use crate::device::lanes;
use crate::device::warp::{Shuffle, exchange};
use crate::emitter::Emitter;
use crate::error::Emit;
use crate::value::Scalar;

/// Rows that a turn of the loop finds: a divisor of the last ones, so that no turn finds rows of both parts of a half.
const TURN: i64 = LAST;
/// Steps of a value from which on that is one row: code counts then.
const LONG: usize = 8;

pub(super) struct Chain<'s, 'ctx> {
    solver: Solver<'s, 'ctx>,
    /// What a row had ready.
    like: Ready<'ctx>,
    of_term: Layout,
    of_value: Layout,
    of_factor: Layout,
    /// This lane's rows of a tile.
    rows: [IntValue<'ctx>; 2],
    /// Slots of their sums, which go on when the rows are found; of the whole sums, as they were then; and of their values.
    totals: [Vec<PointerValue<'ctx>>; 2],
    whole: [Vec<PointerValue<'ctx>>; 2],
    own: [Vec<PointerValue<'ctx>>; 2],
    /// Slots of the sums of the last values' terms, of this lane's rows of the next tile.
    next: [Vec<PointerValue<'ctx>>; 2],
}

/// How values are found.
#[derive(Clone, Copy)]
struct Way<'ctx> {
    /// Rows of a turn.
    rows: i64,
    /// A slot that says whether all values were right, for the quick way.
    is_right: Option<PointerValue<'ctx>>,
}

/// Rows one after the other.
#[derive(Clone, Copy)]
struct Rows<'ctx> {
    /// Which of a lane's rows is one of them.
    half: usize,
    /// The lanes that have them, 32 bits.
    begin: IntValue<'ctx>,
    end: IntValue<'ctx>,
    /// Whether the next tile's rows get terms, too.
    are_last: bool,
}

impl<'s, 'ctx> Chain<'s, 'ctx> {
    pub fn new(
        e: &Emitter<'ctx, '_>,
        solver: &Solver<'s, 'ctx>,
        parts: &mut dyn TriangularSolve<'ctx>,
        like: Ready<'ctx>,
    ) -> Emit<Self> {
        let (of_term, of_value) = (parts.layout().clone(), parts.of_value().clone());
        let two = |layout: &Layout| -> Emit<[Vec<PointerValue<'ctx>>; 2]> {
            let nothing = e.identity(layout)?;
            Ok([e.accumulator_slots(layout, &nothing)?, e.accumulator_slots(layout, &nothing)?])
        };
        // By way of a shuffle: the assembler would ask for the thread's number in every turn.
        let own = e.resize_unsigned(solver.lane, e.context.i32_type())?;
        let lane = exchange(e, Scalar::Int(own), Shuffle::From(own))?.int()?;
        let solver = Solver { lane: e.resize_unsigned(lane, e.context.i64_type())?, ..*solver };
        Ok(Chain {
            rows: [solver.lane, e.add(solver.lane, e.i64(LANES))?],
            totals: two(&of_term)?,
            whole: two(&of_term)?,
            own: two(&of_value)?,
            next: two(&of_term)?,
            of_factor: parts.of_factor().clone(),
            solver,
            like,
            of_term,
            of_value,
        })
    }

    /// Says that nothing of a tile before is needed any more.
    pub fn forget(&self, e: &Emitter<'ctx, '_>) -> Emit<()> {
        let nothing = e.identity(&self.of_term)?;
        self.next.iter().try_for_each(|slots| e.write_accumulator(slots, &self.of_term, &nothing))
    }

    /// The rows of a tile but the last ones.
    pub fn first_rows(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn TriangularSolve<'ctx>,
        tile: &Tile<'ctx>,
    ) -> Emit<()> {
        self.found(e, parts, &mut |e, parts, way| {
            for half in [0, 1] {
                let row = self.own_row(e, half)?;
                let total = e.load_accumulator(&self.of_term, self.solver.total_at(e, row)?)?;
                let next = e.read_accumulator(&self.next[half], &self.of_term)?;
                let total = e.combine(&self.of_term, &total, &next, Order::Fixed)?;
                e.write_accumulator(&self.totals[half], &self.of_term, &total)?;
            }
            for (half, end) in [LANES, LANES - LAST].into_iter().enumerate() {
                let last = e.smin(e.sub(tile.rows, e.i64(half as i64 * LANES))?, e.i64(end))?;
                self.rows(e, parts, (tile, way), self.some(e, (half, false), (e.i64(0), last))?)?;
            }
            self.take(e, parts, (tile, way), (0, LANES))?;
            self.take(e, parts, (tile, way), (1, LANES - LAST))
        })?;
        self.forget(e)?;
        self.leave(e, tile, 0)?;
        self.leave(e, tile, 1)?;
        self.store(e, parts, tile, 0)
    }

    /// The last rows of a tile, whose terms go to the next tile's rows, too.
    pub fn last_rows(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn TriangularSolve<'ctx>,
        tile: &Tile<'ctx>,
    ) -> Emit<()> {
        e.when(e.icmp_with(IntPredicate::SGT, tile.rows, ROWS - LAST)?, || {
            let total = e.read_accumulator(&self.totals[1], &self.of_term)?;
            let nothing = e.identity(&self.of_term)?;
            self.found(e, parts, &mut |e, parts, way| {
                e.write_accumulator(&self.totals[1], &self.of_term, &total)?;
                self.next.iter().try_for_each(|slots| e.write_accumulator(slots, &self.of_term, &nothing))?;
                let rows = self.some(e, (1, true), (e.i64(LANES - LAST), e.i64(LANES)))?;
                self.rows(e, parts, (tile, way), rows)?;
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
        parts: &mut dyn TriangularSolve<'ctx>,
        find: &mut dyn FnMut(&Emitter<'ctx, 'a>, &mut dyn TriangularSolve<'ctx>, Way<'ctx>) -> Emit<()>,
    ) -> Emit<()> {
        let turn = if parts.n_late() < LONG { TURN } else { 1 };
        if !parts.is_quick() {
            return find(e, parts, Way { rows: turn, is_right: None });
        }
        let yes = e.context.bool_type().const_all_ones();
        let is_right = e.slot_with(yes, "is_right")?;
        find(e, parts, Way { rows: turn, is_right: Some(is_right) })?;
        let own = e.read_int(is_right, yes)?;
        let all = e.context.i32_type().const_all_ones();
        let are_right = e.intrinsic("llvm.nvvm.vote.all.sync", &[], &[all.into(), own.into()])?.into_int_value();
        let are_wrong = e.not(are_right)?;
        e.when(are_wrong, || find(e, parts, Way { rows: 1, is_right: None }))
    }

    fn some(
        &self,
        e: &Emitter<'ctx, '_>,
        (half, are_last): (usize, bool),
        (begin, end): (IntValue<'ctx>, IntValue<'ctx>),
    ) -> Emit<Rows<'ctx>> {
        let int = e.context.i32_type();
        Ok(Rows { half, are_last, begin: e.resize_unsigned(begin, int)?, end: e.resize_unsigned(end, int)? })
    }

    /// Finds the values of rows.
    fn rows(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn TriangularSolve<'ctx>,
        (tile, way): (&Tile<'ctx>, Way<'ctx>),
        rows: Rows<'ctx>,
    ) -> Emit<()> {
        let first = self.operands(e, parts, tile, (&rows, rows.begin))?;
        let ahead = first.slots(e)?;
        let total = self.broadcast(e, &e.read_accumulator(&self.totals[rows.half], &self.of_term)?, rows.begin)?;
        let slots = e.accumulator_slots(&self.of_term, &total)?;
        let step = e.int_like(rows.begin, way.rows);
        e.count((rows.begin, rows.end), step, Some(e.short()?), |lane| {
            let mut operands = first.read(e, &ahead)?;
            let mut total = e.read_accumulator(&slots, &self.of_term)?;
            let mut sum = e.read_accumulator(&self.totals[rows.half], &self.of_term)?;
            for n in 1..=way.rows {
                let (row, mut next) = (e.add(lane, e.int_like(lane, n - 1))?, e.add(lane, e.int_like(lane, n))?);
                let mut later = self.broadcast(e, &sum, next)?;
                if n == way.rows {
                    // There is none after the last one of all.
                    next = e.smin(next, e.int_like(next, LANES - 1))?;
                }
                let after = self.operands(e, parts, tile, (&rows, next))?;
                if n == way.rows {
                    // These are loaded here, and not at the next turn's begin.
                    lanes::meet(e)?;
                }
                let value = self.value(e, parts, (tile, way), (&rows, row), (&operands, one(&total)?))?;
                self.add(e, parts, (&mut later, operands.of_next), value)?;
                sum = self.spread(e, parts, &rows, (&operands, value))?;
                self.note_whole(e, &rows, row, &total)?;
                (operands, total) = (after, later);
            }
            operands.write(e, &ahead)?;
            e.write_accumulator(&slots, &self.of_term, &total)
        })
    }

    /// The value of the row of a lane, which all lanes find.
    fn value(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn TriangularSolve<'ctx>,
        (tile, way): (&Tile<'ctx>, Way<'ctx>),
        (rows, lane): (&Rows<'ctx>, IntValue<'ctx>),
        (operands, total): (&Operands<'ctx>, Scalar<'ctx>),
    ) -> Emit<Scalar<'ctx>> {
        let made;
        let ready = match &operands.ready {
            Some(ready) => ready,
            None => {
                made = self.solver.kept(e, parts, (tile, self.row_of(e, rows, lane)?), &self.like)?;
                &made
            }
        };
        match way.is_right {
            None => parts.value(ready, total),
            Some(_) => parts.quick_value(ready, total),
        }
    }

    /// Adds a value's terms to the sums of this lane's rows, those that are found, too. Gives the sum of the one among those that are being found.
    fn spread(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn TriangularSolve<'ctx>,
        rows: &Rows<'ctx>,
        (operands, value): (&Operands<'ctx>, Scalar<'ctx>),
    ) -> Emit<Accumulator<'ctx>> {
        let slots = self.totals.iter().skip(rows.half).zip(&operands.of_lanes);
        for (slots, factor) in slots.chain(self.next.iter().zip(&operands.beside)) {
            let mut sum = e.read_accumulator(slots, &self.of_term)?;
            self.add(e, parts, (&mut sum, *factor), value)?;
            e.write_accumulator(slots, &self.of_term, &sum)?;
        }
        e.read_accumulator(&self.totals[rows.half], &self.of_term)
    }

    /// Notes the sum of a row, which all lanes know, in its lane: that finds the value again.
    fn note_whole(
        &self,
        e: &Emitter<'ctx, '_>,
        rows: &Rows<'ctx>,
        lane: IntValue<'ctx>,
        total: &[Scalar<'ctx>],
    ) -> Emit<()> {
        let own_lane = e.resize_unsigned(self.solver.lane, lane.get_type())?;
        let is_own = e.icmp(IntPredicate::EQ, lane, own_lane)?;
        let slots = &self.whole[rows.half];
        let both = total.iter().zip(e.read_accumulator(slots, &self.of_term)?);
        let sum = both.map(|(total, before)| e.choose(is_own, *total, before)).collect::<Emit<Vec<_>>>()?;
        e.write_accumulator(slots, &self.of_term, &sum)
    }

    fn add(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn TriangularSolve<'ctx>,
        (total, factor): (&mut Accumulator<'ctx>, Scalar<'ctx>),
        value: Scalar<'ctx>,
    ) -> Emit<()> {
        let term = [parts.term(factor, value)?];
        *total = e.combine(&self.of_term, total, &term, Order::Fixed)?;
        Ok(())
    }

    /// Finds the value of this lane's row of a half, as all lanes found it where it is one of the first `end` ones. The slot of the quick way says
    /// afterwards whether it was right for rows that the tile has.
    fn take(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn TriangularSolve<'ctx>,
        (tile, way): (&Tile<'ctx>, Way<'ctx>),
        (half, end): (usize, i64),
    ) -> Emit<()> {
        let row = self.own_row(e, half)?;
        let total = one(&e.read_accumulator(&self.whole[half], &self.of_term)?)?;
        let ready = self.solver.kept(e, parts, (tile, row), &self.like)?;
        let value = match way.is_right {
            None => parts.value(&ready, total)?,
            Some(slot) => {
                let (value, is_right) = parts.checked_value(&ready, total)?;
                let is_known = e.icmp_with(IntPredicate::SLT, self.solver.lane, end)?;
                let exists = e.and(is_known, e.icmp(IntPredicate::SLT, row, tile.rows)?)?;
                let is_right = e.or(is_right, e.not(exists)?)?;
                e.write(slot, e.and(e.read_int(slot, is_right)?, is_right)?)?;
                value
            }
        };
        e.write_accumulator(&self.own[half], &self.of_value, &[value])
    }

    /// A lane's sum, for all lanes.
    fn broadcast(
        &self,
        e: &Emitter<'ctx, '_>,
        sum: &Accumulator<'ctx>,
        lane: IntValue<'ctx>,
    ) -> Emit<Accumulator<'ctx>> {
        sum.iter().map(|sum| exchange(e, *sum, Shuffle::From(lane))).collect()
    }

    /// This lane's row of a half, anew: it fills no register while rows are found.
    fn own_row(&self, e: &Emitter<'ctx, '_>, half: usize) -> Emit<IntValue<'ctx>> {
        let lane = anew(e, e.resize_unsigned(self.solver.lane, e.context.i32_type())?)?;
        e.add(e.resize_unsigned(lane, e.context.i64_type())?, e.i64(half as i64 * LANES))
    }

    /// The row of a lane, as its number in the tile.
    fn row_of(&self, e: &Emitter<'ctx, '_>, rows: &Rows<'ctx>, lane: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        e.add(e.resize_unsigned(lane, e.context.i64_type())?, e.i64(rows.half as i64 * LANES))
    }

    /// What the value of a lane's row, and what is done with it, takes from shared memory.
    fn operands(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn TriangularSolve<'ctx>,
        tile: &Tile<'ctx>,
        (rows, lane): (&Rows<'ctx>, IntValue<'ctx>),
    ) -> Emit<Operands<'ctx>> {
        let row = self.row_of(e, rows, lane)?;
        let load = |at: PointerValue<'ctx>| one(&e.load_accumulator(&self.of_factor, at)?);
        let factor = |of: IntValue<'ctx>| load(self.solver.factor_in(e, tile, (of, row), rows.half)?);
        // Nothing is asked of rows that are done.
        let of_lanes = self.rows.iter().skip(rows.half).map(|row| factor(*row)).collect::<Emit<Vec<_>>>()?;
        let mut beside = Vec::new();
        if rows.are_last {
            let value = e.sub(row, e.i64(ROWS - LAST))?;
            for row in self.rows {
                beside.push(load(self.solver.beside_at(e, row, value)?)?);
            }
        }
        let ready = match self.solver.fits(&self.like) {
            true => Some(self.solver.kept(e, parts, (tile, row), &self.like)?),
            false => None,
        };
        Ok(Operands { ready, of_next: factor(e.add(row, e.i64(1))?)?, of_lanes, beside })
    }

    /// Leaves values in shared memory.
    fn leave(&self, e: &Emitter<'ctx, '_>, tile: &Tile<'ctx>, half: usize) -> Emit<()> {
        let value = e.read_accumulator(&self.own[half], &self.of_value)?;
        e.store_accumulator(&self.of_value, self.solver.value_at(e, tile.half, self.own_row(e, half)?)?, &value)
    }

    /// Stores values where they belong.
    fn store(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn TriangularSolve<'ctx>,
        tile: &Tile<'ctx>,
        half: usize,
    ) -> Emit<()> {
        let value = one(&e.read_accumulator(&self.own[half], &self.of_value)?)?;
        let row = self.own_row(e, half)?;
        let exists = e.icmp(IntPredicate::SLT, row, tile.rows)?;
        e.when(exists, || parts.store(e.add(tile.begin, row)?, value))
    }
}
