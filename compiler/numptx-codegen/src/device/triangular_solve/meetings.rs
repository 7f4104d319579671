//! Who waits for whom in a triangular solve.
//!
//! In: a thread that is done with something, or needs what others do. Out: barriers of a block, of the first warp and those that add up sums, and of a
//! shift; counters in a grid's memory: of tiles that are solved, and of sums that blocks have found; barriers of a cluster.
//!
//! While the first block waits for the sums of a tile, other blocks may have found those of the next one already, but not of the one after that, whose
//! values it has not solved. So sums of even and of odd tiles are counted apart: what one counter shows is of one tile.

use inkwell::IntPredicate;
use inkwell::values::IntValue;

use super::{BYTES, LANES, Others, ROWS, Solver, Tile, ahead};
use crate::code::ThreadGroup;
use crate::device::blocks::{FOUND, SOLVED};
use crate::device::reduce::wide;
use crate::device::warp;
use crate::emitter::Emitter;
use crate::error::Emit;

impl<'ctx> Solver<'_, 'ctx> {
    /// The barrier within a tile, of the first warp and those that add up sums.
    pub(super) fn meet_half(&self, e: &Emitter<'ctx, '_>) -> Emit<()> {
        let few = e.int_like(self.group.threads, (ahead::SUMMING + 1) * LANES);
        warp::barrier_of(e, e.int_like(few, 1), e.select(self.is_split(e)?, few, self.group.threads)?)
    }

    /// The end of a tile: its values are there for the whole group, and the next one's sums for the first warp.
    pub(super) fn solved(&self, e: &Emitter<'ctx, '_>) -> Emit<()> {
        if let Others::Cluster(_) = self.group.others {
            return self.group.barrier(e);
        }
        warp::barrier(e)?;
        let Others::Grid(grid) = &self.group.others else { return Ok(()) };
        // Not a thread of the first warp, which goes on at once.
        let last = e.sub(self.group.threads, e.int_like(self.group.threads, 1))?;
        e.when(e.icmp(IntPredicate::EQ, self.group.thread, last)?, || grid.count_on(e, e.i64(SOLVED)))
    }

    /// Waits, with the shift, until the tiles before a row are solved.
    pub(super) fn wait_for_tiles(&self, e: &Emitter<'ctx, '_>, end: IntValue<'ctx>) -> Emit<()> {
        let Others::Grid(grid) = &self.group.others else { return Ok(()) };
        e.when(self.is_first_of_shift(e)?, || {
            let tiles = e.udiv(end, e.i64(ROWS))?;
            grid.reaches(e, e.i64(SOLVED), e.add(e.read_int(grid.solved, tiles)?, tiles)?)
        })?;
        self.meet_shift(e)
    }

    /// Says that this shift's sums for a tile are there: all that its block has of them.
    pub(super) fn found(&self, e: &Emitter<'ctx, '_>, tile: &Tile<'ctx>) -> Emit<()> {
        let Others::Grid(grid) = &self.group.others else { return Ok(()) };
        self.meet_shift(e)?;
        e.when(self.is_first_of_shift(e)?, || grid.count_on(e, self.sums_counter(e, tile)?))
    }

    fn is_first_of_shift(&self, e: &Emitter<'ctx, '_>) -> Emit<IntValue<'ctx>> {
        let first = e.mul(e.mul(self.shift, self.warps)?, e.i64(LANES))?;
        e.icmp(IntPredicate::EQ, wide(e, self.group.thread)?, first)
    }

    /// The barrier of a shift.
    fn meet_shift(&self, e: &Emitter<'ctx, '_>) -> Emit<()> {
        let int = e.context.i32_type();
        let number = e.resize_unsigned(e.add(self.shift, e.i64(1))?, int)?;
        warp::barrier_of(e, number, e.resize_unsigned(e.mul(self.warps, e.i64(LANES))?, int)?)
    }

    /// Waits until the other blocks' sums for a tile, which is not one of the first three, are there.
    pub(super) fn wait_for_sums(&self, e: &Emitter<'ctx, '_>, tile: &Tile<'ctx>) -> Emit<()> {
        let Others::Grid(grid) = &self.group.others else { return Ok(()) };
        let tiles = e.sub(e.udiv(tile.begin, e.i64(ROWS))?, e.i64(2))?;
        // Of those with sums as many as have its counter: the first one of all is odd.
        let tiles = e.udiv(e.add(tiles, e.i64(1))?, e.i64(2))?;
        let [even, odd] = [e.read_int(grid.found[0], tiles)?, e.read_int(grid.found[1], tiles)?];
        let before = e.select(e.icmp_with(IntPredicate::EQ, tile.half, 0)?, even, odd)?;
        grid.reaches(e, self.sums_counter(e, tile)?, e.add(before, e.mul(tiles, self.others)?)?)
    }

    /// The counter of a tile's sums, as bytes from the scratch memory.
    fn sums_counter(&self, e: &Emitter<'ctx, '_>, tile: &Tile<'ctx>) -> Emit<IntValue<'ctx>> {
        e.add(e.i64(FOUND), e.mul(tile.half, e.i64(BYTES))?)
    }

    /// Notes what the counters are after all tiles.
    pub(super) fn count_all(&self, e: &Emitter<'ctx, '_>, n: IntValue<'ctx>) -> Emit<()> {
        let Others::Grid(grid) = &self.group.others else { return Ok(()) };
        let tiles = e.udiv(e.add(n, e.i64(ROWS - 1))?, e.i64(ROWS))?;
        e.write(grid.solved, e.add(e.read_int(grid.solved, n)?, tiles)?)?;
        let late = e.sub(tiles, e.i64(3))?;
        let are_late = e.icmp_with(IntPredicate::SGT, late, 0)?;
        let late = e.select(are_late, late, e.i64(0))?;
        for (slot, more) in grid.found.into_iter().zip(0..) {
            let found = e.mul(e.udiv(e.add(late, e.i64(more))?, e.i64(2))?, self.others)?;
            e.write(slot, e.add(e.read_int(slot, n)?, found)?)?;
        }
        Ok(())
    }
}
