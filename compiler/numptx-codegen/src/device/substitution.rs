//! Substitutions by the threads of a launch: rows of a triangular system, a tile of them at a time.
//!
//! In: a `substitute` step. Out: its iterations, here *rows*, in tiles. One warp, the first, finds the values of a tile: a lane has two rows, and adds the
//! terms of each value to them as soon as that is known; so one row follows the other within the latency of what computes a value, and nobody waits
//! at a barrier between them. Meanwhile the other warps add up the terms that the next tile's rows have of all tiles before this one. So between two
//! barriers of the launch lie a tile's rows, and what is left for the first block to do after one is to add up, for each row, what the other warps
//! found, and the terms of the last tile.
//!
//! The order of terms follows from the number of threads, and not from who comes first.

use inkwell::IntPredicate;
use inkwell::values::{BasicValueEnum, GlobalValue, IntValue, PointerValue};

use super::lanes;
use super::reduce::wide;
use super::team::{Block, Others, PARTIALS, SLOT, WARPS, shared};
use super::warp::{self, Shuffle, WARP, exchange};
use crate::accumulator::{Accumulator, Layout, Order};
use crate::code::{Known, Ready, Substitution, Team};
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::value::Scalar;

/// Rows of a tile: two a lane of a warp. More would need more shared memory for their factors than every device has; fewer would make barriers count.
const ROWS: i64 = 64;
/// Threads of a warp.
const LANES: i64 = WARP as i64;
/// Bytes of a factor, a total or a value: the verifier sees to it that they have no more.
const BYTES: i64 = 8;
/// Factors of a tile below its diagonal, and a place before them that is read and not used.
const FACTORS: i64 = ROWS * (ROWS - 1) / 2 + 2;
/// Warps of a cluster at most.
const CLUSTER_WARPS: i64 = 512;
/// Terms that a thread loads together, and in a grid, whose threads have fewer registers and are many.
const TOGETHER: i64 = 8;
const TOGETHER_IN_GRID: i64 = 4;
/// Factors that a thread brings to shared memory together.
const FETCHED: i64 = 4;
/// Sums of a row that a lane loads together.
const SUMS: i64 = 4;

/// What a thread knows of its team, all `i64`.
struct Solver<'s, 'ctx> {
    team: &'s Block<'ctx>,
    lane: IntValue<'ctx>,
    warp: IntValue<'ctx>,
    /// Warps of the block.
    warps: IntValue<'ctx>,
    /// Whether this is a thread of the first block.
    leads: IntValue<'ctx>,
    /// This warp's number among those that add up terms, below 0 for others, and how many there are.
    worker: IntValue<'ctx>,
    workers: IntValue<'ctx>,
    /// This warp's number among those of a block that are not the first one, and how many there are; a warp that is alone is one of them.
    helper: IntValue<'ctx>,
    helpers: IntValue<'ctx>,
    /// Factors of a tile, twice: one half is used while the other is filled.
    factors: GlobalValue<'ctx>,
    /// The sum of each row of the tile.
    totals: GlobalValue<'ctx>,
    /// Where warps leave their sums, twice; a grid has them in its scratch memory.
    sums: GlobalValue<'ctx>,
}

/// A tile.
#[derive(Clone, Copy)]
struct Tile<'ctx> {
    /// Its first row.
    begin: IntValue<'ctx>,
    /// How many rows it has, at least 1.
    rows: IntValue<'ctx>,
    /// Which half of what is there twice is its own: 0 or 1.
    half: IntValue<'ctx>,
}

/// Slots of the values that a row has ready.
type Held<'ctx> = Vec<(Known, Vec<PointerValue<'ctx>>, Scalar<'ctx>)>;

impl<'ctx> Block<'ctx> {
    /// Emits a substitution for one of the threads.
    pub(super) fn substitution(&self, e: &Emitter<'ctx, '_>, parts: &mut dyn Substitution<'ctx>) -> Emit<()> {
        let solver = Solver::new(e, self)?;
        let n = parts.n();
        let half = e.slot_with(e.i64(0), "half")?;
        let is_helper = e.icmp_with(IntPredicate::SGE, solver.helper, 0)?;
        let fetches = e.and(solver.leads, is_helper)?;
        let first = solver.tile(e, n, e.i64(0), e.i64(0))?;
        let is_some = e.icmp_with(IntPredicate::SGT, n, 0)?;
        e.when(e.and(fetches, is_some)?, || solver.fetch(e, parts, &first))?;
        e.count((e.i64(0), n), e.i64(ROWS), None, |begin| {
            let own = e.read_int(half, n)?;
            let tile = solver.tile(e, n, begin, own)?;
            e.when(solver.leads, || solver.solve(e, parts, &tile))?;
            let (next, other) = (e.add(begin, e.i64(ROWS))?, e.sub(e.i64(1), own)?);
            e.when(e.icmp(IntPredicate::SLT, next, n)?, || {
                let next = solver.tile(e, n, next, other)?;
                e.when(fetches, || solver.fetch(e, parts, &next))?;
                let works = e.icmp_with(IntPredicate::SGE, solver.worker, 0)?;
                e.when(works, || solver.add_up(e, parts, &next, begin))
            })?;
            self.barrier(e)?;
            e.write(half, other)
        })
    }
}

impl<'s, 'ctx> Solver<'s, 'ctx> {
    fn new(e: &Emitter<'ctx, '_>, team: &'s Block<'ctx>) -> Emit<Self> {
        let (thread, size) = (wide(e, team.thread)?, e.i64(LANES));
        let (warp, warps) = (e.udiv(thread, size)?, e.udiv(wide(e, team.threads)?, size)?);
        let lane = e.sub(thread, e.mul(warp, size)?)?;
        let (block, blocks) = match &team.others {
            Others::Nobody => (e.i64(0), e.i64(1)),
            Others::Cluster(cluster) => (wide(e, cluster.block)?, wide(e, cluster.blocks)?),
            Others::Grid(grid) => (grid.block, grid.blocks),
        };
        let is_alone = e.icmp_with(IntPredicate::SLE, warps, 1)?;
        let helper = e.select(is_alone, e.i64(0), e.sub(warp, e.i64(1))?)?;
        let helpers = e.select(is_alone, e.i64(1), e.sub(warps, e.i64(1))?)?;
        let are_more = e.icmp_with(IntPredicate::SGT, blocks, 1)?;
        let others = e.sub(blocks, e.i64(1))?;
        let elsewhere = e.add(e.sub(block, e.i64(1))?, e.mul(warp, others)?)?;
        let is_first = e.icmp_with(IntPredicate::EQ, block, 0)?;
        let elsewhere = e.select(is_first, e.i64(-1), elsewhere)?;
        let function = e.function()?.get_name().to_string_lossy().into_owned();
        let place = |name: &str, count: i64| {
            let name = format!("{function}__{name}");
            let slots = (count * BYTES + SLOT - 1) / SLOT;
            e.module.get_global(&name).unwrap_or_else(|| shared(e, &name, slots))
        };
        let n_sums = if matches!(team.others, Others::Cluster(_)) { 2 * CLUSTER_WARPS } else { 2 * ROWS };
        Ok(Solver {
            team,
            lane,
            warp,
            warps,
            leads: is_first,
            worker: e.select(are_more, elsewhere, helper)?,
            workers: e.select(are_more, e.mul(others, warps)?, helpers)?,
            helper,
            helpers,
            factors: place("factors", 2 * FACTORS),
            totals: place("totals", ROWS),
            sums: place("sums", n_sums),
        })
    }

    fn tile(
        &self,
        e: &Emitter<'ctx, '_>,
        n: IntValue<'ctx>,
        begin: IntValue<'ctx>,
        half: IntValue<'ctx>,
    ) -> Emit<Tile<'ctx>> {
        Ok(Tile { begin, rows: e.smin(e.sub(n, begin)?, e.i64(ROWS))?, half })
    }

    /// Where so many values of [`BYTES`] are after another one.
    fn at(&self, e: &Emitter<'ctx, '_>, first: PointerValue<'ctx>, number: IntValue<'ctx>) -> Emit<PointerValue<'ctx>> {
        e.at_bytes(first, e.mul(number, e.i64(BYTES))?)
    }

    /// Where the factor of a row and the value of another one of a tile lies: those of one value side by side, without those that are no factors.
    fn factor_at(
        &self,
        e: &Emitter<'ctx, '_>,
        tile: &Tile<'ctx>,
        row: IntValue<'ctx>,
        other: IntValue<'ctx>,
    ) -> Emit<PointerValue<'ctx>> {
        // `other` columns of ROWS - 1, ROWS - 2, … factors come before.
        let longest = e.mul(other, e.sub(e.i64(2 * ROWS - 3), other)?)?;
        let before = e.builder.build_right_shift(longest, e.i64(1), false, "")?;
        let number = e.add(e.add(before, row)?, e.mul(tile.half, e.i64(FACTORS))?)?;
        self.at(e, self.factors.as_pointer_value(), number)
    }

    /// Where a sum of the other warps lies; `from_afar`: for a warp of any block.
    fn sum_at(
        &self,
        e: &Emitter<'ctx, '_>,
        tile: &Tile<'ctx>,
        number: IntValue<'ctx>,
        from_afar: bool,
    ) -> Emit<PointerValue<'ctx>> {
        let sums = self.sums.as_pointer_value();
        let of = |half: IntValue<'ctx>| e.add(e.mul(tile.half, half)?, number);
        match &self.team.others {
            Others::Nobody => self.at(e, sums, of(e.i64(ROWS))?),
            Others::Cluster(cluster) => {
                let own = self.at(e, sums, of(e.i64(CLUSTER_WARPS))?)?;
                if from_afar { cluster.in_block(e, own, e.int_like(cluster.block, 0)) } else { Ok(own) }
            }
            Others::Grid(grid) => {
                let before = e.add(e.i64(PARTIALS), e.mul(grid.blocks, e.i64(2 * SLOT))?)?;
                let first = e.at_bytes(grid.scratch, before)?;
                self.at(e, first, of(e.mul(grid.blocks, e.i64(WARPS))?)?)
            }
        }
    }

    /// How many sums there are: one a worker, or one a row where there are fewer workers.
    fn n_sums(&self, e: &Emitter<'ctx, '_>) -> Emit<IntValue<'ctx>> {
        let are_more = e.icmp_with(IntPredicate::SGT, self.workers, ROWS)?;
        e.select(are_more, self.workers, e.i64(ROWS))
    }

    /// Brings the factors of a tile to shared memory: the work of the helpers.
    fn fetch(&self, e: &Emitter<'ctx, '_>, parts: &mut dyn Substitution<'ctx>, tile: &Tile<'ctx>) -> Emit<()> {
        let thread = e.add(e.mul(self.helper, e.i64(LANES))?, self.lane)?;
        let threads = e.mul(self.helpers, e.i64(LANES))?;
        let layout = parts.of_factor().clone();
        let last = e.sub(tile.rows, e.i64(1))?;
        // The factors of one row alone are none.
        e.when(e.icmp_with(IntPredicate::SGT, last, 0)?, || {
            e.count((thread, e.i64(ROWS * ROWS)), e.mul(threads, e.i64(FETCHED))?, None, |number| {
                let mut fetched = Vec::new();
                for n in 0..FETCHED {
                    // Places that are no factors are read as one that is: all threads take the same way.
                    let number = e.smin(e.add(number, e.mul(threads, e.i64(n))?)?, e.i64(ROWS * ROWS - 1))?;
                    let row = e.udiv(number, e.i64(ROWS))?;
                    let other = e.sub(number, e.mul(row, e.i64(ROWS))?)?;
                    let is_first = e.icmp_with(IntPredicate::EQ, row, 0)?;
                    let row = e.smin(e.select(is_first, e.i64(1), row)?, last)?;
                    let other = e.smin(other, e.sub(row, e.i64(1))?)?;
                    let factor = parts.factor(e.add(tile.begin, row)?, e.add(tile.begin, other)?)?;
                    fetched.push((self.factor_at(e, tile, row, other)?, factor));
                }
                fetched.into_iter().try_for_each(|(at, factor)| e.store_accumulator(&layout, at, &[factor]))
            })
        })
    }

    /// Adds up the terms that the rows of a tile have of the first `end` values: the work of the workers, each of which has a part of a row.
    fn add_up(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn Substitution<'ctx>,
        tile: &Tile<'ctx>,
        end: IntValue<'ctx>,
    ) -> Emit<()> {
        let (layout, n_sums) = (parts.layout().clone(), self.n_sums(e)?);
        let together = if matches!(self.team.others, Others::Grid(_)) { TOGETHER_IN_GRID } else { TOGETHER };
        e.count((self.worker, n_sums), self.workers, None, |number| {
            let part = e.udiv(number, e.i64(ROWS))?;
            let row = e.sub(number, e.mul(part, e.i64(ROWS))?)?;
            let n_parts = e.udiv(e.add(e.sub(n_sums, row)?, e.i64(ROWS - 1))?, e.i64(ROWS))?;
            e.when(e.icmp(IntPredicate::SLT, row, tile.rows)?, || {
                let slots = e.accumulator_slots(&layout, &e.identity(&layout)?)?;
                e.write_accumulator(&slots, &layout, &e.identity(&layout)?)?;
                let first = e.add(e.mul(part, e.i64(LANES))?, self.lane)?;
                let (row, step) = (e.add(tile.begin, row)?, e.mul(n_parts, e.i64(LANES))?);
                e.count((first, end), e.mul(step, e.i64(together))?, None, |other| {
                    let others = (0..together).map(|n| e.add(other, e.mul(step, e.i64(n))?));
                    let terms = self.terms(e, parts, row, &others.collect::<Emit<Vec<_>>>()?, end)?;
                    let mut total = e.read_accumulator(&slots, &layout)?;
                    for term in terms {
                        total = e.combine(&layout, &total, &term, Order::Fixed)?;
                    }
                    e.write_accumulator(&slots, &layout, &total)
                })?;
                let total = lanes::total(e, &layout, &e.read_accumulator(&slots, &layout)?)?;
                let is_first = e.icmp_with(IntPredicate::EQ, self.lane, 0)?;
                e.when(is_first, || e.store_accumulator(&layout, self.sum_at(e, tile, number, true)?, &total))
            })
        })
    }

    /// The terms that a row has of some values, all loaded before the first one is needed; those of values from `end` on, which is not 0, are nothing.
    fn terms(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn Substitution<'ctx>,
        row: IntValue<'ctx>,
        others: &[IntValue<'ctx>],
        end: IntValue<'ctx>,
    ) -> Emit<Vec<Accumulator<'ctx>>> {
        let (identity, last) = (e.identity(parts.layout())?, e.sub(end, e.i64(1))?);
        let mut loaded = Vec::new();
        for other in others {
            let exists = e.icmp(IntPredicate::SLT, *other, end)?;
            let other = e.select(exists, *other, last)?;
            loaded.push((exists, parts.factor(row, other)?, parts.given(other)?));
        }
        let mut terms = Vec::new();
        for (exists, factor, value) in loaded {
            let term = [parts.term(factor, value)?];
            let both = term.into_iter().zip(&identity);
            terms.push(both.map(|(term, nothing)| e.choose(exists, term, *nothing)).collect::<Emit<Vec<_>>>()?);
        }
        Ok(terms)
    }

    /// Finds the values of a tile: the work of the first block.
    fn solve(&self, e: &Emitter<'ctx, '_>, parts: &mut dyn Substitution<'ctx>, tile: &Tile<'ctx>) -> Emit<()> {
        let is_first = e.icmp_with(IntPredicate::EQ, self.warp, 0)?;
        let last = e.sub(tile.rows, e.i64(1))?;
        let rows = [self.lane, e.add(self.lane, e.i64(LANES))?];
        let mut ready: Vec<Held<'ctx>> = Vec::new();
        // What rows load themselves is on its way while their sums are made.
        e.when(is_first, || {
            for row in rows {
                let found = parts.ready(e.add(tile.begin, e.smin(row, last)?)?)?;
                ready.push(hold(e, found)?);
            }
            Ok(())
        })?;
        self.total(e, parts, tile)?;
        warp::barrier(e)?;
        e.when(is_first, || {
            let ready = ready.iter().map(|held| release(e, held)).collect::<Emit<Vec<_>>>()?;
            self.rows(e, parts, tile, (rows, &ready))
        })
    }

    /// The sum of each row of the terms of all tiles before, in shared memory.
    fn total(&self, e: &Emitter<'ctx, '_>, parts: &mut dyn Substitution<'ctx>, tile: &Tile<'ctx>) -> Emit<()> {
        // Rows that a warp has at once: as many as the warps of a large block leave each other.
        let at_once = if matches!(self.team.others, Others::Cluster(_)) { 4 } else { 2 };
        let layout = parts.layout().clone();
        let last = e.sub(tile.rows, e.i64(1))?;
        let is_first = e.icmp_with(IntPredicate::EQ, self.lane, 0)?;
        e.count((self.warp, tile.rows), e.mul(self.warps, e.i64(at_once))?, None, |row| {
            let rows = (0..at_once).map(|n| e.smin(e.add(row, e.mul(self.warps, e.i64(n))?)?, last));
            let rows = rows.collect::<Emit<Vec<_>>>()?;
            let identity = e.identity(&layout)?;
            let slots = rows.iter().map(|_| e.accumulator_slots(&layout, &identity)).collect::<Emit<Vec<_>>>()?;
            slots.iter().try_for_each(|slots| e.write_accumulator(slots, &layout, &identity))?;
            e.when(e.icmp_with(IntPredicate::SGT, tile.begin, 0)?, || self.so_far(e, parts, tile, (&rows, &slots)))?;
            for (row, slots) in rows.iter().zip(&slots) {
                let total = lanes::total(e, &layout, &e.read_accumulator(slots, &layout)?)?;
                let at = self.at(e, self.totals.as_pointer_value(), *row)?;
                e.when(is_first, || e.store_accumulator(&layout, at, &total))?;
            }
            Ok(())
        })
    }

    /// A lane's part of the sums of some rows: what warps found, and the terms of the tile before.
    fn so_far(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn Substitution<'ctx>,
        tile: &Tile<'ctx>,
        (rows, slots): (&[IntValue<'ctx>], &[Vec<PointerValue<'ctx>>]),
    ) -> Emit<()> {
        let (layout, n_sums) = (parts.layout().clone(), self.n_sums(e)?);
        let before = e.add(e.sub(tile.begin, e.i64(ROWS))?, self.lane)?;
        let others = [before, e.add(before, e.i64(LANES))?];
        let mut terms = Vec::new();
        for row in rows {
            terms.push(self.terms(e, parts, e.add(tile.begin, *row)?, &others, tile.begin)?);
        }
        for ((row, slots), terms) in rows.iter().zip(slots).zip(terms) {
            let mut total = e.read_accumulator(slots, &layout)?;
            for term in terms {
                total = e.combine(&layout, &total, &term, Order::Fixed)?;
            }
            e.write_accumulator(slots, &layout, &total)?;
            let first = e.add(*row, e.mul(self.lane, e.i64(ROWS))?)?;
            e.count((first, n_sums), e.i64(ROWS * LANES * SUMS), None, |number| {
                let mut total = e.read_accumulator(slots, &layout)?;
                for found in self.found(e, &layout, tile, (number, n_sums, *row))? {
                    total = e.combine(&layout, &total, &found, Order::Fixed)?;
                }
                e.write_accumulator(slots, &layout, &total)
            })?;
        }
        Ok(())
    }

    /// Some sums that warps found of a row.
    fn found(
        &self,
        e: &Emitter<'ctx, '_>,
        layout: &Layout,
        tile: &Tile<'ctx>,
        (first, end, row): (IntValue<'ctx>, IntValue<'ctx>, IntValue<'ctx>),
    ) -> Emit<Vec<Accumulator<'ctx>>> {
        let (mut found, identity) = (Vec::new(), e.identity(layout)?);
        for n in 0..SUMS {
            let number = e.add(first, e.i64(n * ROWS * LANES))?;
            let exists = e.icmp(IntPredicate::SLT, number, end)?;
            let number = e.select(exists, number, row)?;
            found.push((exists, e.load_accumulator(layout, self.sum_at(e, tile, number, false)?)?));
        }
        let choose = |(exists, sum): (IntValue<'ctx>, Accumulator<'ctx>)| {
            let both = sum.into_iter().zip(&identity);
            both.map(|(value, nothing)| e.choose(exists, value, *nothing)).collect::<Emit<Vec<_>>>()
        };
        found.into_iter().map(choose).collect()
    }

    /// The rows of a tile one after the other: the work of one warp.
    fn rows(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn Substitution<'ctx>,
        tile: &Tile<'ctx>,
        (rows, ready): ([IntValue<'ctx>; 2], &[Ready<'ctx>]),
    ) -> Emit<()> {
        let (layout, of_value, of_factor) =
            (parts.layout().clone(), parts.of_value().clone(), parts.of_factor().clone());
        let mut totals = Vec::new();
        for row in rows {
            let total = e.load_accumulator(&layout, self.at(e, self.totals.as_pointer_value(), row)?)?;
            let slots = e.accumulator_slots(&layout, &total)?;
            e.write_accumulator(&slots, &layout, &total)?;
            totals.push(slots);
        }
        let nothing = e.identity(&of_value)?;
        for (half, begin) in [0, LANES].into_iter().enumerate() {
            let ready = ready.get(half).ok_or_else(|| bug("a lane has two rows"))?;
            let own = e.accumulator_slots(&of_value, &nothing)?;
            let end = e.smin(tile.rows, e.i64(begin + LANES))?;
            e.count((e.i64(begin), end), e.i64(1), None, |row| {
                // Nothing is asked of rows that are done.
                let later = rows.iter().zip(&totals).skip(half);
                let mut factors = Vec::new();
                for (other, slots) in later {
                    let factor = e.load_accumulator(&of_factor, self.factor_at(e, tile, *other, row)?)?;
                    factors.push((factor, slots));
                }
                let total = e.read_accumulator(&totals[half], &layout)?;
                let value = parts.value(ready, one(&total)?)?;
                let lane = e.sub(row, e.i64(begin))?;
                let is_own = e.icmp(IntPredicate::EQ, lane, self.lane)?;
                let so_far = one(&e.read_accumulator(&own, &of_value)?)?;
                e.write_accumulator(&own, &of_value, &[e.choose(is_own, value, so_far)?])?;
                let from = e.resize_unsigned(lane, e.context.i32_type())?;
                let value = exchange(e, value, Shuffle::From(from))?;
                for (factor, slots) in factors {
                    let term = parts.term(one(&factor)?, value)?;
                    let total = e.read_accumulator(slots, &layout)?;
                    e.write_accumulator(slots, &layout, &e.combine(&layout, &total, &[term], Order::Fixed)?)?;
                }
                Ok(())
            })?;
            let value = one(&e.read_accumulator(&own, &of_value)?)?;
            let exists = e.icmp(IntPredicate::SLT, rows[half], tile.rows)?;
            e.when(exists, || parts.store(e.add(tile.begin, rows[half])?, value))?;
        }
        Ok(())
    }
}

fn one<'ctx>(values: &[Scalar<'ctx>]) -> Emit<Scalar<'ctx>> {
    values.first().copied().ok_or_else(|| bug("a short accumulator"))
}

/// Puts values in slots, for code that other code need not lead to.
fn hold<'ctx>(e: &Emitter<'ctx, '_>, ready: Ready<'ctx>) -> Emit<Held<'ctx>> {
    let mut held = Vec::new();
    for (val, value) in ready {
        let parts: Vec<BasicValueEnum<'ctx>> = match value {
            Scalar::Int(value) => vec![value.into()],
            Scalar::Float(value) => vec![value.into()],
            Scalar::Complex(re, im) => vec![re.into(), im.into()],
        };
        let slots = parts.into_iter().map(|part| e.slot_with(part, "ready")).collect::<Emit<Vec<_>>>()?;
        held.push((val, slots, value));
    }
    Ok(held)
}

/// What is in slots.
fn release<'ctx>(e: &Emitter<'ctx, '_>, held: &Held<'ctx>) -> Emit<Ready<'ctx>> {
    let mut ready = Vec::new();
    for (val, slots, like) in held {
        let float = |slot: PointerValue<'ctx>, like: inkwell::values::FloatValue<'ctx>| -> Emit<_> {
            Ok(e.builder.build_load(like.get_type(), slot, "")?.into_float_value())
        };
        let value = match (*like, &slots[..]) {
            (Scalar::Int(like), [slot]) => Scalar::Int(e.read_int(*slot, like)?),
            (Scalar::Float(like), [slot]) => Scalar::Float(float(*slot, like)?),
            (Scalar::Complex(re, im), [first, second]) => Scalar::Complex(float(*first, re)?, float(*second, im)?),
            _ => return Err(bug("a value has one part, a complex one two")),
        };
        ready.push((*val, value));
    }
    Ok(ready)
}
