//! What the first warp needs for the rows of a tile beside their sums, brought to shared memory while it finds the tile before.
//!
//! In: the next tile. Out: its rows' factors for each other, and what each of them computes without its sum: elements that it loads and
//! reciprocals of divisors. Where that is more than there is room for, rows compute it when they are found.

use inkwell::IntPredicate;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};

use super::{LANES, ROWS, Solver, Tile};
use crate::code::{Known, Ready, TriangularSolve};
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::value::Scalar;

/// Rows whose factors a warp loads together.
const FETCHED: i64 = 13;
/// The same where a thread has fewer registers.
const FETCHED_IN_LARGE: i64 = 4;
/// Helpers that add up the sums of rows, where there are [`SPLIT_FROM`] of them; then so many make ready what rows need, and the others load factors.
pub(super) const SUMMING: i64 = 8;
const MAKING: i64 = 1;
const SPLIT_FROM: i64 = 12;

/// Those of the helpers that share something: this one's number, below 0 if it is none of them, and how many they are.
struct Share<'ctx> {
    number: IntValue<'ctx>,
    count: IntValue<'ctx>,
}

impl<'ctx> Solver<'_, 'ctx> {
    /// Brings what a tile needs: the work of the helpers. Gives what a row has ready, as it is here.
    pub(super) fn fetch(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn TriangularSolve<'ctx>,
        tile: &Tile<'ctx>,
    ) -> Emit<Ready<'ctx>> {
        let is_split = self.is_split(e)?;
        let share = |first: i64, count: IntValue<'ctx>| -> Emit<Share<'ctx>> {
            let number = e.sub(self.helper, e.i64(first))?;
            let is_one = e.icmp(IntPredicate::SLT, number, count)?;
            let number = e.select(is_one, number, e.i64(-1))?;
            let (number, count) = (e.select(is_split, number, self.helper)?, e.select(is_split, count, self.helpers)?);
            Ok(Share { number, count })
        };
        let making = share(SUMMING, e.i64(MAKING))?;
        let loading = share(SUMMING + MAKING, e.sub(self.helpers, e.i64(SUMMING + MAKING))?)?;
        let mut like = Vec::new();
        let makes = e.icmp_with(IntPredicate::SGE, making.number, 0)?;
        e.when(makes, || {
            let first = e.add(e.mul(making.number, e.i64(LANES))?, self.lane)?;
            e.count((first, e.i64(ROWS)), e.mul(making.count, e.i64(LANES))?, None, |row| {
                like = self.trimmed(parts.ready(self.row(e, tile, row)?)?);
                if self.fits(&like) { self.keep(e, tile, row, &like) } else { Ok(()) }
            })
        })?;
        let loads = e.icmp_with(IntPredicate::SGE, loading.number, 0)?;
        e.when(loads, || self.load_factors(e, parts, tile, &loading))?;
        Ok(like)
    }

    /// Whether some of the helpers add up sums, and others bring what a tile needs.
    pub(super) fn is_split(&self, e: &Emitter<'ctx, '_>) -> Emit<IntValue<'ctx>> {
        e.icmp_with(IntPredicate::SGE, self.helpers, SPLIT_FROM)
    }

    fn load_factors(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn TriangularSolve<'ctx>,
        tile: &Tile<'ctx>,
        share: &Share<'ctx>,
    ) -> Emit<()> {
        let layout = parts.of_factor().clone();
        let fetched = if self.is_roomy() { FETCHED } else { FETCHED_IN_LARGE };
        // The factors of one row alone are none.
        e.when(e.icmp_with(IntPredicate::SGT, tile.last, 0)?, || {
            let (int, long) = (e.context.i32_type(), e.context.i64_type());
            let small = |number: IntValue<'ctx>| e.resize_unsigned(number, int);
            let (lane, last, count) = (small(self.lane)?, small(tile.last)?, small(share.count)?);
            let first = small(e.add(share.number, e.i64(1))?)?;
            e.count((first, small(tile.rows)?), e.mul(count, e.int_like(count, fetched))?, None, |row| {
                let mut loaded = Vec::new();
                for n in 0..fetched {
                    // Places that are no factors are read as one that is: all threads take the same way.
                    let row = e.smin(e.add(row, e.mul(count, e.int_like(count, n))?)?, last)?;
                    let before = e.sub(row, e.int_like(row, 1))?;
                    let at = e.add(tile.begin, e.resize_unsigned(row, long)?)?;
                    for other in [lane, e.add(lane, e.int_like(lane, LANES))?] {
                        let other = e.smin(other, before)?;
                        let factor = parts.factor(at, e.add(tile.begin, e.resize_unsigned(other, long)?)?)?;
                        loaded.push((self.factor_at(e, tile, (row, other))?, factor));
                    }
                }
                loaded.into_iter().try_for_each(|(at, factor)| e.store_accumulator(&layout, at, &[factor]))
            })
        })
    }

    /// Leaves in shared memory what a row has ready.
    fn keep(&self, e: &Emitter<'ctx, '_>, tile: &Tile<'ctx>, row: IntValue<'ctx>, ready: &Ready<'ctx>) -> Emit<()> {
        let values = ready.iter().flat_map(|(_, value)| numbers(*value)).filter(|value| !is_constant(*value));
        for (n, value) in values.enumerate() {
            let at = self.ready_at(e, tile, row, n)?;
            e.builder.build_store(at, value)?;
        }
        Ok(())
    }

    /// What a row has ready: as it was kept, or made here. `like`: what another row had.
    pub(super) fn kept(
        &self,
        e: &Emitter<'ctx, '_>,
        parts: &mut dyn TriangularSolve<'ctx>,
        (tile, row): (&Tile<'ctx>, IntValue<'ctx>),
        like: &Ready<'ctx>,
    ) -> Emit<Ready<'ctx>> {
        if !self.fits(like) {
            return parts.ready(self.row(e, tile, row)?);
        }
        let mut n = 0;
        let mut load = |like: BasicValueEnum<'ctx>| -> Emit<BasicValueEnum<'ctx>> {
            if is_constant(like) {
                return Ok(like);
            }
            let at = self.ready_at(e, tile, row, n)?;
            n += 1;
            let ty: BasicTypeEnum<'ctx> = like.get_type();
            Ok(e.builder.build_load(ty, at, "")?)
        };
        let mut ready = Vec::new();
        for (known, value) in like {
            ready.push((
                *known,
                match *value {
                    Scalar::Int(value) => Scalar::Int(load(value.into())?.into_int_value()),
                    Scalar::Float(value) => Scalar::Float(load(value.into())?.into_float_value()),
                    Scalar::Complex(re, im) => {
                        let re = load(re.into())?.into_float_value();
                        Scalar::Complex(re, load(im.into())?.into_float_value())
                    }
                },
            ));
        }
        Ok(ready)
    }

    /// Where a number lies that a row has ready.
    fn ready_at(
        &self,
        e: &Emitter<'ctx, '_>,
        tile: &Tile<'ctx>,
        row: IntValue<'ctx>,
        number: usize,
    ) -> Emit<PointerValue<'ctx>> {
        let number = i64::try_from(number).map_err(|_| bug("many numbers are ready"))?;
        // Those of a row side by side: one instruction loads two.
        let row = e.add(e.mul(tile.half, e.i64(ROWS))?, row)?;
        let number = e.add(e.mul(row, e.i64(self.places.n_ready))?, e.i64(number))?;
        self.at(e, self.places.ready.as_pointer_value(), number)
    }

    /// What rows have ready, without what may be left out where there is no room for it.
    fn trimmed<'c>(&self, mut ready: Ready<'c>) -> Ready<'c> {
        if !self.fits(&ready) {
            ready.retain(|(known, _)| !matches!(known, Known::Scaled(..)));
        }
        ready
    }

    /// Whether there is room for what rows have ready.
    pub(super) fn fits(&self, ready: &Ready<'_>) -> bool {
        let numbers = ready.iter().flat_map(|(_, value)| numbers(*value));
        numbers.filter(|value| !is_constant(*value)).count() as i64 <= self.places.n_ready
    }
}

/// The numbers of a value.
fn numbers(value: Scalar<'_>) -> Vec<BasicValueEnum<'_>> {
    match value {
        Scalar::Int(value) => vec![value.into()],
        Scalar::Float(value) => vec![value.into()],
        Scalar::Complex(re, im) => vec![re.into(), im.into()],
    }
}

pub(super) fn is_constant(value: BasicValueEnum<'_>) -> bool {
    match value {
        BasicValueEnum::IntValue(value) => value.is_const(),
        BasicValueEnum::FloatValue(value) => value.is_const(),
        _ => false,
    }
}
