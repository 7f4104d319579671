//! Triangular solves by the threads of a launch: rows of a triangular system, a tile of them at a time.
//!
//! In: a `solve` step. Out: its iterations, here *rows*, in tiles. Nothing but the rows of a tile themselves takes time one after the other:
//!
//! | while rows of tile `t` are found | by | see |
//! | --- | --- | --- |
//! | the rows, one after the other, which all lanes find alike | the first warp of the first block | `chain` |
//! | what tile `t + 1` needs beside terms: factors of its rows for each other, what its rows have ready | warps of the first block | `ahead` |
//! | sums of its rows: of the terms of tile `t - 1`, and of what the other blocks found | other warps of the first block | `sums` |
//! | sums of the terms that rows of tile `t + 2` have of tiles up to `t - 1` | the warps of the other blocks | `work` |
//!
//! The terms that tile `t + 1` has of tile `t` come last. All but those of the last rows are added up while these are found, and the first
//! warp adds those. A block that is alone sums up all terms before tile `t` while that is found.
//! The blocks of a grid do not wait for each other: the first one counts its tiles, and another one goes on when it sees the tile that it needs; these
//! count their sums, and the first block waits for all those of a tile (`meetings`). In a cluster all blocks meet after a tile.
//!
//! The order of terms follows from the number of threads, and not from who comes first.

mod ahead;
mod chain;
mod meetings;
mod operands;
mod sums;
mod work;

use inkwell::IntPredicate;
use inkwell::values::{GlobalValue, IntValue, PointerValue};

use super::blocks::{Block, Others, PARTIALS, SLOT, shared};
use super::reduce::wide;
use super::warp::{self, WARP};
use crate::code::{ThreadGroup, TriangularSolve, anew};
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::value::Scalar;

/// Rows of a tile: two a lane of a warp. More would need more shared memory for their factors than every device has; fewer would make barriers count.
const ROWS: i64 = 64;
/// Values of a tile that the first warp itself adds to the sums of the next one: what the others need to add the rest is hidden behind their rows.
const LAST: i64 = 8;
/// Threads of a warp.
const LANES: i64 = WARP as i64;
/// Bytes of a factor, a total or a value: the verifier sees to it that they have no more.
const BYTES: i64 = 8;
/// Places for the factors of a tile below its diagonal: the columns of two values that are as far from the first one and from the last one have
/// those of one column, so that steps from column to column are all the same.
const FACTORS: i64 = COLUMN * ROWS / 2;
/// From column to column of factors in shared memory: not a multiple of its banks, as lanes store a row's factors together.
const COLUMN: i64 = ROWS + 1;
/// Places before them that are read and not used.
const BEFORE: i64 = ROWS / 2;
/// Numbers that a row may have ready in shared memory.
const READY: i64 = 4;
const READY_IN_CLUSTER: i64 = 3;
/// Warps of a cluster's other blocks at most.
const CLUSTER_WARPS: i64 = 256;
/// Schedulers of a processor, which its warps share in turn: those that share the first warp's do nothing, as whatever they do makes it wait.
const SCHEDULERS: i64 = 4;
/// Shifts of a grid's warps.
const SHIFTS: i64 = 2;
/// Threads of a block up to which each has twice the registers.
const ROOMY: u32 = 512;

/// What a thread knows of its group, all `i64`.
#[derive(Clone, Copy)]
struct Solver<'s, 'ctx> {
    group: &'s Block<'ctx>,
    lane: IntValue<'ctx>,
    warp: IntValue<'ctx>,
    /// Whether this is a thread of the first block, of its first warp, and whether that is alone.
    leads: IntValue<'ctx>,
    is_first_warp: IntValue<'ctx>,
    is_alone: IntValue<'ctx>,
    /// How many other blocks there are, and this warp's number among those of them, if it is one, and how many these are.
    others: IntValue<'ctx>,
    worker: IntValue<'ctx>,
    workers: IntValue<'ctx>,
    /// Which tiles those are that this warp sums up: one of so many; their warps share them. And how many warps of a block have the same ones.
    shift: IntValue<'ctx>,
    shifts: IntValue<'ctx>,
    warps: IntValue<'ctx>,
    /// This warp's number among those of the first block that help the first warp, or -1, and how many there are; a warp that is alone is one of them.
    helper: IntValue<'ctx>,
    helpers: IntValue<'ctx>,
    places: Places<'ctx>,
}

/// Shared memory.
#[derive(Clone, Copy)]
struct Places<'ctx> {
    /// Factors of a tile, twice: one half is used while the other is filled.
    factors: GlobalValue<'ctx>,
    /// The factors of the next tile's rows for the [`LAST`] values.
    beside: GlobalValue<'ctx>,
    /// What the rows of a tile have ready, twice, and how many numbers of each.
    ready: GlobalValue<'ctx>,
    n_ready: i64,
    /// The values of a tile, twice.
    values: GlobalValue<'ctx>,
    /// The sum of each row of the tile.
    totals: GlobalValue<'ctx>,
    /// Where a cluster's other blocks leave their sums, twice; a grid has them in its scratch memory.
    sums: Option<GlobalValue<'ctx>>,
}

/// What is found of a tile: its rows but for the last ones, and these.
#[derive(Clone, Copy)]
enum Half {
    First,
    Last,
}

/// A tile.
#[derive(Clone, Copy)]
struct Tile<'ctx> {
    /// Its first row.
    begin: IntValue<'ctx>,
    /// How many rows it has, and the last one's number: from 0 on where it has any.
    rows: IntValue<'ctx>,
    last: IntValue<'ctx>,
    /// Which half of what is there twice is its own: 0 or 1.
    half: IntValue<'ctx>,
}

impl<'ctx> Block<'ctx> {
    /// Emits a triangular solve for one of the threads.
    pub(super) fn triangular_solve(&self, e: &Emitter<'ctx, '_>, parts: &mut dyn TriangularSolve<'ctx>) -> Emit<()> {
        let n = parts.n();
        e.when(e.icmp_with(IntPredicate::SGT, n, 0)?, || {
            let solver = Solver::new(e, self)?;
            e.when(solver.leads, || solver.lead(e, parts))?;
            if !matches!(self.others, Others::Nobody) {
                let follows = e.not(solver.leads)?;
                e.when(follows, || solver.work(e, parts))?;
            }
            solver.count_all(e, n)?;
            self.barrier(e)
        })
    }
}

impl<'s, 'ctx> Solver<'s, 'ctx> {
    fn new(e: &Emitter<'ctx, '_>, group: &'s Block<'ctx>) -> Emit<Self> {
        let (thread, size) = (wide(e, group.thread)?, e.i64(LANES));
        let (warp, warps) = (e.udiv(thread, size)?, e.udiv(wide(e, group.threads)?, size)?);
        let lane = e.sub(thread, e.mul(warp, size)?)?;
        let (block, blocks) = match &group.others {
            Others::Nobody => (e.i64(0), e.i64(1)),
            Others::Cluster(cluster) => (wide(e, cluster.block)?, wide(e, cluster.blocks)?),
            Others::Grid(grid) => (grid.block, grid.blocks),
        };
        let is_alone = e.icmp_with(IntPredicate::SLE, warps, 1)?;
        let others = e.sub(blocks, e.i64(1))?;
        let shifts = match &group.others {
            Others::Grid(_) => {
                let are_even = e.icmp_with(IntPredicate::EQ, e.and(warps, e.i64(SHIFTS - 1))?, 0)?;
                e.select(are_even, e.i64(SHIFTS), e.i64(1))?
            }
            _ => e.i64(1),
        };
        let of_shift = e.udiv(warps, shifts)?;
        let round = e.udiv(warp, e.i64(SCHEDULERS))?;
        let is_beside = e.icmp(IntPredicate::EQ, warp, e.mul(round, e.i64(SCHEDULERS))?)?;
        let helper = e.select(is_beside, e.i64(-1), e.sub(e.sub(warp, round)?, e.i64(1))?)?;
        let rounds = e.udiv(e.add(warps, e.i64(SCHEDULERS - 1))?, e.i64(SCHEDULERS))?;
        let helpers = e.sub(warps, rounds)?;
        let shift = e.udiv(warp, of_shift)?;
        Ok(Solver {
            group,
            lane,
            warp,
            leads: e.icmp_with(IntPredicate::EQ, block, 0)?,
            is_first_warp: e.icmp_with(IntPredicate::EQ, warp, 0)?,
            is_alone,
            others,
            // Warps of a block have neighbouring numbers: they need the same values.
            worker: e.add(e.mul(e.sub(block, e.i64(1))?, of_shift)?, e.sub(warp, e.mul(shift, of_shift)?)?)?,
            workers: e.mul(others, of_shift)?,
            shift,
            shifts,
            warps: of_shift,
            helper: e.select(is_alone, e.i64(0), helper)?,
            helpers: e.select(is_alone, e.i64(1), helpers)?,
            places: Places::new(e, matches!(group.others, Others::Cluster(_)))?,
        })
    }

    /// The same thread, for one of its tasks: addresses that only this one needs fill no registers in the others.
    fn anew(&self, e: &Emitter<'ctx, '_>) -> Emit<Self> {
        let (lane, worker, helper) = (anew(e, self.lane)?, anew(e, self.worker)?, anew(e, self.helper)?);
        Ok(Solver { lane, worker, helper, ..*self })
    }

    /// Whether threads have many registers.
    fn is_roomy(&self) -> bool {
        self.group.most <= ROOMY
    }

    /// The tile that begins with a row.
    fn tile(&self, e: &Emitter<'ctx, '_>, n: IntValue<'ctx>, begin: IntValue<'ctx>) -> Emit<Tile<'ctx>> {
        let rows = e.smin(e.sub(n, begin)?, e.i64(ROWS))?;
        let half = e.and(e.udiv(begin, e.i64(ROWS))?, e.i64(1))?;
        Ok(Tile { begin, rows, last: e.sub(rows, e.i64(1))?, half })
    }

    /// A row of a tile, or its last one where it has less.
    fn row(&self, e: &Emitter<'ctx, '_>, tile: &Tile<'ctx>, row: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        let int = e.context.i32_type();
        let row = e.smin(e.resize_unsigned(row, int)?, e.resize_unsigned(tile.last, int)?)?;
        e.add(tile.begin, e.resize_unsigned(row, e.context.i64_type())?)
    }

    /// Finds all values: the work of the first block. Its warps go separate ways, so that what some hold fills no registers in the others, and meet at
    /// the same barriers.
    fn lead(&self, e: &Emitter<'ctx, '_>, parts: &mut dyn TriangularSolve<'ctx>) -> Emit<()> {
        let like = self.begin(e, parts)?;
        let chain = chain::Chain::new(e, self, parts, like)?;
        let sums = sums::Sums::new(e, self, parts)?;
        let follows = e.and(e.not(self.is_alone)?, e.not(self.is_first_warp)?)?;
        let finds = e.and(e.not(self.is_alone)?, self.is_first_warp)?;
        let find = |parts: &mut dyn TriangularSolve<'ctx>, tile: &Tile<'ctx>, half: Half| match half {
            Half::First => chain.first_rows(e, parts, tile),
            Half::Last => chain.last_rows(e, parts, tile),
        };
        chain.forget(e)?;
        self.tiles(e, parts, finds, true, |parts, tile, next, half| match next {
            None => find(parts, tile, half),
            Some(_) => Ok(()),
        })?;
        let is_split = self.is_split(e)?;
        let sums_up = e.icmp_with(IntPredicate::ULT, self.helper, ahead::SUMMING)?;
        let of_split = e.and(follows, is_split)?;
        self.tiles(e, parts, e.and(of_split, sums_up)?, true, |parts, _, next, half| match (next, half) {
            (None, Half::First) => sums.forget(e),
            (None, Half::Last) => Ok(()),
            (Some(next), Half::First) => sums.anew(e)?.before(e, parts, next),
            (Some(next), Half::Last) => sums.anew(e)?.finish(e, parts, next),
        })?;
        self.tiles(e, parts, e.and(of_split, e.not(sums_up)?)?, false, |parts, _, next, half| match (next, half) {
            (Some(next), Half::First) => self.anew(e)?.fetch(e, parts, next).map(drop),
            _ => Ok(()),
        })?;
        let helps = e.icmp_with(IntPredicate::SGE, self.helper, 0)?;
        let is_mixed = e.and(follows, e.not(is_split)?)?;
        let help = |parts: &mut dyn TriangularSolve<'ctx>, next: Option<&Tile<'ctx>>, half: Half| match (next, half) {
            (None, Half::First) => sums.forget(e),
            (None, Half::Last) => Ok(()),
            (Some(next), Half::First) => e.when(helps, || {
                self.anew(e)?.fetch(e, parts, next)?;
                let sums = sums.anew(e)?;
                sums.before(e, parts, next)?;
                sums.before_others(e, parts, next)
            }),
            (Some(next), Half::Last) => e.when(helps, || {
                let sums = sums.anew(e)?;
                sums.finish(e, parts, next)?;
                sums.finish_others(e, parts, next)
            }),
        };
        self.tiles(e, parts, is_mixed, true, |parts, _, next, half| help(parts, next, half))?;
        chain.forget(e)?;
        self.tiles(e, parts, self.is_alone, true, |parts, tile, next, half| {
            if next.is_none() {
                find(parts, tile, half)?;
            }
            help(parts, next, half)
        })
    }

    /// Goes through all tiles, if it is so: what is done in the first half of one and in its last half, once in any case and then, if there is a next
    /// tile, with that. `meets`: whether these warps are among those that meet within a tile.
    fn tiles(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn TriangularSolve<'ctx>,
        goes: IntValue<'ctx>,
        meets: bool,
        mut work: impl FnMut(&mut dyn TriangularSolve<'ctx>, &Tile<'ctx>, Option<&Tile<'ctx>>, Half) -> Emit<()>,
    ) -> Emit<()> {
        let n = parts.n();
        e.when(goes, || {
            e.count((e.i64(0), n), e.i64(ROWS), None, |begin| {
                let (tile, next) = (self.tile(e, n, begin)?, self.tile(e, n, e.add(begin, e.i64(ROWS))?)?);
                let are_more = e.icmp(IntPredicate::SLT, next.begin, n)?;
                for half in [Half::First, Half::Last] {
                    work(parts, &tile, None, half)?;
                    e.when(are_more, || work(parts, &tile, Some(&next), half))?;
                    match half {
                        Half::First if meets => self.meet_half(e)?,
                        Half::First => {}
                        Half::Last => self.solved(e)?,
                    }
                }
                Ok(())
            })
        })
    }

    /// What the first tile needs: factors, what its rows have ready, and sums of nothing. Gives what the first of these rows has ready.
    fn begin(&self, e: &Emitter<'ctx, '_>, parts: &mut dyn TriangularSolve<'ctx>) -> Emit<crate::code::Ready<'ctx>> {
        let (first, layout) = (self.tile(e, parts.n(), e.i64(0))?, parts.layout().clone());
        let mut like = None;
        let helps = e.icmp_with(IntPredicate::SGE, self.helper, 0)?;
        e.when(helps, || {
            like = Some(self.fetch(e, parts, &first)?);
            Ok(())
        })?;
        let nothing = e.identity(&layout)?;
        e.when(self.is_first_warp, || {
            for row in [self.lane, e.add(self.lane, e.i64(LANES))?] {
                e.store_accumulator(&layout, self.total_at(e, row)?, &nothing)?;
            }
            Ok(())
        })?;
        warp::barrier(e)?;
        like.ok_or_else(|| bug("nothing was made ready"))
    }

    /// Whether other blocks sum up terms of a tile.
    fn has_sums(&self, e: &Emitter<'ctx, '_>, tile: &Tile<'ctx>) -> Emit<IntValue<'ctx>> {
        let is_late = e.icmp_with(IntPredicate::SGE, tile.begin, 3 * ROWS)?;
        e.and(is_late, e.icmp_with(IntPredicate::SGT, self.others, 0)?)
    }

    /// Where so many values of [`BYTES`] are after another one.
    fn at(&self, e: &Emitter<'ctx, '_>, first: PointerValue<'ctx>, number: IntValue<'ctx>) -> Emit<PointerValue<'ctx>> {
        e.at_bytes(first, e.mul(number, e.int_like(number, BYTES))?)
    }

    /// Where the factor of a row and a value of a tile's first half, or else of its second one, lies.
    fn factor_in(
        &self,
        e: &Emitter<'ctx, '_>,
        tile: &Tile<'ctx>,
        (row, value): (IntValue<'ctx>, IntValue<'ctx>),
        half: usize,
    ) -> Emit<PointerValue<'ctx>> {
        let like = |number: i64| e.int_like(row, number);
        let number = if half == 0 {
            e.add(e.mul(value, like(COLUMN))?, row)?
        } else {
            e.add(e.sub(row, e.mul(value, like(COLUMN + 1))?)?, like(COLUMN * (ROWS - 1) - 1))?
        };
        let of_tile = e.mul(e.resize_unsigned(tile.half, row.get_type())?, like(FACTORS))?;
        let before = e.add(of_tile, like(BEFORE))?;
        self.at(e, self.places.factors.as_pointer_value(), e.add(number, before)?)
    }

    /// The same for any value.
    fn factor_at(
        &self,
        e: &Emitter<'ctx, '_>,
        tile: &Tile<'ctx>,
        of: (IntValue<'ctx>, IntValue<'ctx>),
    ) -> Emit<PointerValue<'ctx>> {
        let is_first = e.icmp_with(IntPredicate::SLT, of.1, ROWS / 2)?;
        e.select(is_first, self.factor_in(e, tile, of, 0)?, self.factor_in(e, tile, of, 1)?)
    }

    /// Where the factor of a row of the next tile and one of the [`LAST`] values lies.
    fn beside_at(&self, e: &Emitter<'ctx, '_>, row: IntValue<'ctx>, value: IntValue<'ctx>) -> Emit<PointerValue<'ctx>> {
        let number = e.add(e.mul(value, e.i64(COLUMN))?, row)?;
        self.at(e, self.places.beside.as_pointer_value(), number)
    }

    /// Where a value of a tile lies.
    fn value_at(&self, e: &Emitter<'ctx, '_>, half: IntValue<'ctx>, row: IntValue<'ctx>) -> Emit<PointerValue<'ctx>> {
        self.at(e, self.places.values.as_pointer_value(), e.add(e.mul(half, e.i64(ROWS))?, row)?)
    }

    /// Where the sum of a row lies.
    fn total_at(&self, e: &Emitter<'ctx, '_>, row: IntValue<'ctx>) -> Emit<PointerValue<'ctx>> {
        self.at(e, self.places.totals.as_pointer_value(), row)
    }

    /// How many sums of other blocks there are: one a worker, or one a row where there are fewer workers.
    fn n_sums(&self, e: &Emitter<'ctx, '_>) -> Emit<IntValue<'ctx>> {
        let are_more = e.icmp_with(IntPredicate::SGT, self.workers, ROWS)?;
        e.select(are_more, self.workers, e.i64(ROWS))
    }

    /// How many sums a row has at most.
    fn most_sums(&self, e: &Emitter<'ctx, '_>) -> Emit<IntValue<'ctx>> {
        e.udiv(e.add(self.n_sums(e)?, e.i64(ROWS - 1))?, e.i64(ROWS))
    }

    /// Where a sum of another block lies: those of a row side by side. `from_afar`: for a warp of any block.
    fn sum_at(
        &self,
        e: &Emitter<'ctx, '_>,
        tile: &Tile<'ctx>,
        (row, part): (IntValue<'ctx>, IntValue<'ctx>),
        from_afar: bool,
    ) -> Emit<PointerValue<'ctx>> {
        let small = |number: IntValue<'ctx>| e.resize_unsigned(number, e.context.i32_type());
        let (most, half) = (small(self.most_sums(e)?)?, small(tile.half)?);
        let row = e.add(e.mul(half, e.int_like(half, ROWS))?, small(row)?)?;
        let number = e.resize_unsigned(e.add(e.mul(row, most)?, small(part)?)?, e.context.i64_type())?;
        match (&self.group.others, &self.places.sums) {
            (Others::Cluster(cluster), Some(sums)) => {
                let own = self.at(e, sums.as_pointer_value(), number)?;
                if from_afar { cluster.in_block(e, own, e.int_like(cluster.block, 0)) } else { Ok(own) }
            }
            (Others::Grid(grid), _) => {
                let before = e.add(e.i64(PARTIALS), e.mul(grid.blocks, e.i64(2 * SLOT))?)?;
                self.at(e, e.at_bytes(grid.scratch, before)?, number)
            }
            _ => Err(bug("a block that is alone has sums of others")),
        }
    }
}

impl<'ctx> Places<'ctx> {
    fn new(e: &Emitter<'ctx, '_>, has_sums: bool) -> Emit<Self> {
        let ready = if has_sums { READY_IN_CLUSTER } else { READY };
        let function = e.function()?.get_name().to_string_lossy().into_owned();
        let place = |name: &str, count: i64| {
            let name = format!("{function}__{name}");
            let slots = (count * BYTES + SLOT - 1) / SLOT;
            e.module.get_global(&name).unwrap_or_else(|| shared(e, &name, slots))
        };
        Ok(Places {
            factors: place("factors", BEFORE + 2 * FACTORS),
            beside: place("beside", LAST * COLUMN),
            ready: place("ready", 2 * ready * ROWS),
            n_ready: ready,
            values: place("values", 2 * ROWS),
            totals: place("totals", ROWS),
            sums: has_sums.then(|| place("sums", 2 * CLUSTER_WARPS)),
        })
    }
}

fn one<'ctx>(values: &[Scalar<'ctx>]) -> Emit<Scalar<'ctx>> {
    values.first().copied().ok_or_else(|| bug("a short accumulator"))
}
