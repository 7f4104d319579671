//! Counting and moving tiles of points on the device: a warp takes a tile, its lanes neighbouring points, one round after the other.
//!
//! A ballot of a round's condition tells each lane how many lanes before it the condition holds at. So chosen elements are written where the tile's own
//! begin, plus those of the rounds before, plus those of the lanes before. Nothing is shared between warps, and no order of theirs shows.
//! Several rounds are loaded before the first ballot, for loads hide each other.

use inkwell::IntPredicate;
use inkwell::values::{FunctionValue, IntValue};
use numptx_ir::array::TILE;
use numptx_ir::kernel::{Kernel, Phase, Tiles};

use super::launch::{Launch, Variant, Width, access_of, place, register};
use super::reduce::wide;
use super::warp::WARP;
use crate::elements::Elements;
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::phase::operand;
use crate::scalar::uses_library;
use crate::value::Scalar;

/// Rounds that are loaded at once. One where elements take a library function: its copies would cost more than they hide.
const ROUNDS: i64 = 8;

/// A function of tiles under way.
struct Tile<'ctx, 'k> {
    kernel: &'k Kernel,
    phase: &'k Phase,
    tiles: Tiles,
    width: Width,
    launch: &'k Launch<'ctx>,
    /// Whether only the last axis has several points.
    is_row: bool,
    /// All points, `i64`.
    n: IntValue<'ctx>,
    /// This thread's in its warp, `i64`.
    lane: IntValue<'ctx>,
}

/// Emits `<name>__tiles32` or `64`.
pub(super) fn emit<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    (phase, tiles): (&Phase, Tiles),
    width: Width,
) -> Emit<FunctionValue<'ctx>> {
    let variant = Variant { name: format!("tiles{}", width.suffix()), width: Some(width), extra: &[], alignment: 1 };
    let launch = Launch::start(e, kernel, &variant)?;
    let extents = launch.extents.iter().map(|extent| wide(e, *extent)).collect::<Emit<Vec<_>>>()?;
    let Some((last, outer)) = extents.split_last() else { return Err(bug("tiles of no axis")) };
    let rows = outer.iter().try_fold(e.i64(1), |rows, extent| e.mul(rows, *extent))?;
    let n = e.mul(rows, *last)?;
    let thread = wide(e, register(e, "tid.x")?)?;
    let lane = e.and(thread, e.i64(i64::from(WARP) - 1))?;
    let tile = |is_row| Tile { kernel, phase, tiles, width, launch: &launch, is_row, n, lane };
    // Launches merge axes where bodies do not look at them.
    if kernel.rank == 1 || kernel.is_indexed() {
        tile(kernel.rank == 1).all(e)?;
    } else {
        let is_row = e.icmp_with(IntPredicate::EQ, rows, 1)?;
        e.either(is_row, || tile(true).all(e), || tile(false).all(e))?;
    }
    launch.finish(e)
}

impl<'ctx> Tile<'ctx, '_> {
    /// All tiles of this warp.
    fn all(&self, e: &Emitter<'ctx, '_>) -> Emit<()> {
        let by = e.i64(TILE.trailing_zeros().into());
        let n_tiles = e.builder.build_right_shift(e.add(self.n, e.i64(TILE - 1))?, by, false, "")?;
        let (thread, threads) = place(e, 'x')?;
        let warp = |thread| e.builder.build_right_shift(thread, e.i64(i64::from(WARP.trailing_zeros())), false, "");
        e.count((warp(thread)?, n_tiles), warp(threads)?, Some(e.short()?), |tile| match self.tiles {
            Tiles::Count(counts) => self.count(e, tile, counts),
            Tiles::Move(counts) => self.moves(e, tile, counts),
        })
    }

    fn elements(&self) -> Elements<'_, 'ctx> {
        Elements { kernel: self.kernel, bases: &self.launch.bases, scalars: &self.launch.scalars, group: None }
    }

    /// The rounds of a tile, several at once: `of_round` gets each one's outputs, and which of the warp's lanes it holds at.
    fn rounds(
        &self,
        e: &Emitter<'ctx, '_>,
        tile: IntValue<'ctx>,
        mut of_round: impl FnMut(&[Scalar<'ctx>], IntValue<'ctx>, IntValue<'ctx>) -> Emit<()>,
    ) -> Emit<()> {
        let n_rounds = if uses_library(&self.phase.body) { 1 } else { ROUNDS };
        let first = e.mul(tile, e.i64(TILE))?;
        let end = e.smin(e.add(first, e.i64(TILE))?, self.n)?;
        let last = e.sub(end, e.i64(1))?;
        let own = e.add(first, self.lane)?;
        let step = e.i64(n_rounds * i64::from(WARP));
        // All lanes go through as many rounds.
        e.count((first, end), step, Some(e.short()?), |begin| {
            let own = e.add(own, e.sub(begin, first)?)?;
            let mut loaded = Vec::new();
            for round in 0..n_rounds {
                let at = e.add(own, e.i64(round * i64::from(WARP)))?;
                let outputs = self.outputs(e, e.smin(at, last)?)?;
                let holds = outputs.last().ok_or_else(|| bug("tiles without a condition"))?.int()?;
                let holds = e.and(holds, e.icmp(IntPredicate::SLE, at, last)?)?;
                loaded.push((outputs, holds));
            }
            loaded.into_iter().try_for_each(|(outputs, holds)| {
                let all = e.context.i32_type().const_all_ones();
                let lanes = e.intrinsic("llvm.nvvm.vote.ballot.sync", &[], &[all.into(), holds.into()])?;
                of_round(&outputs, holds, lanes.into_int_value())
            })
        })
    }

    /// The body's outputs at a point.
    fn outputs(&self, e: &Emitter<'ctx, '_>, at: IntValue<'ctx>) -> Emit<Vec<Scalar<'ctx>>> {
        let (launch, rank) = (self.launch, self.kernel.rank);
        let at = e.resize_unsigned(at, self.width.int(e))?;
        let indices = match self.is_row {
            true => [vec![e.int_like(at, 0); rank - 1], vec![at]].concat(),
            false => launch.decompose(e, 0..rank, at)?,
        };
        let address = |n: usize| match self.is_row {
            true => launch.address(e, self.kernel, (n, launch.bases[n]), rank - 1, &[at]),
            false => launch.address(e, self.kernel, (n, launch.bases[n]), 0, &indices),
        };
        let wide = indices.iter().map(|i| e.resize_unsigned(*i, e.context.i64_type())).collect::<Emit<Vec<_>>>()?;
        e.phase_outputs(self.phase, &self.elements(), &wide, |n| {
            let operand = operand(self.kernel, n)?;
            e.load(address(n)?, operand.dtype, access_of(operand))
        })
    }

    fn count(&self, e: &Emitter<'ctx, '_>, tile: IntValue<'ctx>, counts: usize) -> Emit<()> {
        let total = e.slot_with(e.i64(0), "total")?;
        self.rounds(e, tile, |_, _, lanes| {
            let so_far = e.read_int(total, e.i64(0))?;
            e.write(total, e.add(so_far, set_bits(e, lanes)?)?)
        })?;
        let is_first = e.icmp_with(IntPredicate::EQ, self.lane, 0)?;
        e.when(is_first, || {
            let total = e.read_int(total, e.i64(0))?;
            self.elements().store(e, counts, &[Scalar::Int(tile)], Scalar::Int(total))
        })
    }

    fn moves(&self, e: &Emitter<'ctx, '_>, tile: IntValue<'ctx>, counts: usize) -> Emit<()> {
        let elements = self.elements();
        let up_to = |tile: IntValue<'ctx>| elements.load(e, counts, &[Scalar::Int(tile)])?.int();
        let end = up_to(tile)?;
        let has_before = e.icmp_with(IntPredicate::SGT, tile, 0)?;
        let before = e.select(has_before, e.sub(tile, e.i64(1))?, e.i64(0))?;
        let begin = e.select(has_before, up_to(before)?, e.i64(0))?;
        let next = e.slot_with(begin, "next")?;
        let lanes_before = register(e, "lanemask.lt")?;
        self.rounds(e, tile, |outputs, holds, lanes| {
            let first = e.read_int(next, end)?;
            let at = e.add(first, set_bits(e, e.and(lanes, lanes_before)?)?)?;
            // Whatever another thread of the caller writes to what is read: nothing is written beyond what was counted.
            let writes = e.and(holds, e.icmp(IntPredicate::SLT, at, end)?)?;
            self.phase.scatters.iter().try_for_each(|to| {
                let value = outputs.get(to.output).copied().ok_or_else(|| bug("a phase has no such output"))?;
                elements.store_where(e, writes, to.table, &[Scalar::Int(at)], value)
            })?;
            e.write(next, e.add(first, set_bits(e, lanes)?)?)
        })
    }
}

/// How many bits of a word are set, `i64`.
fn set_bits<'ctx>(e: &Emitter<'ctx, '_>, word: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
    wide(e, e.intrinsic("llvm.ctpop", &[word.get_type().into()], &[word.into()])?.into_int_value())
}
