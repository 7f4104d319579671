//! Scans on the device: running values along the last axis, of which a block of the grid's y runs through one chunk.
//!
//! Where there are rows enough to fill the device, or they are short, a thread runs along a row. Else a block does, a tile of a few elements a
//! thread after the other: threads run through their own elements, warps through their threads' totals by shuffles, and every thread through the
//! warps' totals in shared memory. Nothing is combined with an identity, so that signed zeros, infinities and nans are those of the elements. All
//! orders are fixed: results do not change from run to run. A chunk goes on from the accumulators of those before it, which `fold` has made: that of
//! a reduction, or, where there is a factor, one that combines elements and chunks in their order only.
//!
//! Elements are loaded before the first barrier of a tile and stored after it, so that a scan may be written over what it reads.

mod totals;

use inkwell::IntPredicate;
use inkwell::values::{FunctionValue, IntValue, PointerValue};
use numptx_ir::kernel::{Kernel, Phase};

pub(super) use self::totals::emit_totals;
use super::launch::{Width, access_of, register, wide_register};
use super::reduce::{Chunks, Reduction, ThreadGroup, wide};
use super::warp::{Exchange, Shuffle, WARP, barrier, exchange};
use crate::accumulator::{Accumulator, Order};
use crate::elements::Elements;
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::phase::operand;
use crate::scalar::uses_library;
use crate::value::Scalar;

/// Elements of a tile that one thread runs through. One where elements take a library function: its copies would cost more than they hide.
const THREAD_ELEMENTS: usize = 4;

/// A scan function under way.
struct Scan<'ctx, 'k> {
    r: Reduction<'ctx, 'k>,
    chunks: Chunks<'ctx>,
    exchange: Exchange<'ctx>,
    /// The elements of the chunk, `i64`.
    begin: IntValue<'ctx>,
    end: IntValue<'ctx>,
    /// The chunk, `i64`.
    part: IntValue<'ctx>,
    /// Whether there are chunks before it.
    goes_on: IntValue<'ctx>,
}

/// A row at hand.
struct Row<'ctx> {
    /// `i64`
    number: IntValue<'ctx>,
    /// Its indices along the kept axes.
    kept: Vec<IntValue<'ctx>>,
    /// Its operands' addresses at the first element.
    bases: Vec<PointerValue<'ctx>>,
}

/// Emits `<name>__scan32` or `64`.
pub(super) fn emit<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    phase: &Phase,
    width: Width,
) -> Emit<FunctionValue<'ctx>> {
    Scan::start(e, kernel, phase, width, "scan")?.emit(e, Scan::by_threads, Scan::by_blocks)
}

impl<'ctx, 'k> Scan<'ctx, 'k> {
    fn start(
        e: &Emitter<'ctx, '_>,
        kernel: &'k Kernel,
        phase: &'k Phase,
        width: Width,
        variant: &str,
    ) -> Emit<Scan<'ctx, 'k>> {
        let r = Reduction::start(e, kernel, phase, width, variant)?;
        let exchange = Exchange::new(e, kernel, &r.layout, &r.launch.function.get_name().to_string_lossy(), false);
        let chunks = r.chunks();
        let part = wide_register(e, "ctaid.y")?;
        let begin = e.mul(chunks.chunk, part)?;
        let end = e.smin(e.add(begin, chunks.chunk)?, r.elements(e)?)?;
        let goes_on = e.icmp_with(IntPredicate::SGT, part, 0)?;
        Ok(Scan { r, chunks, exchange, begin, end, part, goes_on })
    }
}

impl<'ctx> Scan<'ctx, '_> {
    /// One way where a thread has a row, the other one where a block has.
    fn emit(
        self,
        e: &Emitter<'ctx, '_>,
        by_threads: fn(&Self, &Emitter<'ctx, '_>) -> Emit<()>,
        by_blocks: fn(&Self, &Emitter<'ctx, '_>) -> Emit<()>,
    ) -> Emit<FunctionValue<'ctx>> {
        let across = e.icmp_with(IntPredicate::NE, self.chunks.across, 0)?;
        e.either(across, || by_threads(&self, e), || by_blocks(&self, e))?;
        self.r.launch.finish(e)
    }

    fn row(&self, e: &Emitter<'ctx, '_>, number: IntValue<'ctx>) -> Emit<Row<'ctx>> {
        let (kept, bases) = self.r.kept_work_item(e, e.resize_unsigned(number, self.r.width.int(e))?)?;
        Ok(Row { number, kept, bases })
    }

    /// The address of an operand's element of a row.
    fn address(&self, e: &Emitter<'ctx, '_>, row: &Row<'ctx>, n: usize, i: IntValue<'ctx>) -> Emit<PointerValue<'ctx>> {
        let index = e.resize_unsigned(i, self.r.width.int(e))?;
        self.r.launch.address(e, self.r.kernel, (n, row.bases[n]), self.r.kernel.rank - 1, &[index])
    }

    /// All indices of an element of a row, `i64`.
    fn indices(&self, e: &Emitter<'ctx, '_>, row: &Row<'ctx>, i: IntValue<'ctx>) -> Emit<Vec<IntValue<'ctx>>> {
        let mut indices = row.kept.iter().map(|index| wide(e, *index)).collect::<Emit<Vec<_>>>()?;
        indices.push(i);
        Ok(indices)
    }

    fn element(&self, e: &Emitter<'ctx, '_>, row: &Row<'ctx>, i: IntValue<'ctx>) -> Emit<Accumulator<'ctx>> {
        let indices = self.indices(e, row, i)?;
        let launch = &self.r.launch;
        let elements = Elements { kernel: self.r.kernel, bases: &launch.bases, scalars: &launch.scalars, group: None };
        let outputs = e.phase_outputs(self.r.phase, &elements, &indices, |n| {
            let operand = operand(self.r.kernel, n)?;
            e.load(self.address(e, row, n, i)?, operand.dtype, access_of(operand))
        })?;
        e.singleton(&self.r.layout, &outputs, e.i64(0))
    }

    fn store(&self, e: &Emitter<'ctx, '_>, row: &Row<'ctx>, i: IntValue<'ctx>, values: &[Scalar<'ctx>]) -> Emit<()> {
        let indices = self.indices(e, row, i)?;
        let outputs = e.epilogue(self.r.phase, e.results(&self.r.layout, values)?, &indices)?;
        e.phase_stores(self.r.phase, &outputs, |n, value| {
            e.store(self.address(e, row, n, i)?, value, operand(self.r.kernel, n)?.dtype, Default::default())
        })
    }

    /// Where accumulator `n` of a row lies.
    fn place(&self, e: &Emitter<'ctx, '_>, row: &Row<'ctx>, n: IntValue<'ctx>) -> Emit<PointerValue<'ctx>> {
        let first = e.mul(row.number, wide(e, self.chunks.n_chunks)?)?;
        self.r.partial(e, self.chunks.partials, e.add(first, n)?)
    }

    /// Accumulator `n` of a row.
    fn partial(&self, e: &Emitter<'ctx, '_>, row: &Row<'ctx>, n: IntValue<'ctx>) -> Emit<Accumulator<'ctx>> {
        e.load_accumulator(&self.r.layout, self.place(e, row, n)?)
    }

    /// A thread a row.
    fn by_threads(&self, e: &Emitter<'ctx, '_>) -> Emit<()> {
        let (thread, threads) = (register(e, "tid.x")?, register(e, "ntid.x")?);
        let one = e.int_like(thread, 1);
        let group = ThreadGroup { member: e.int_like(thread, 0), size: one, number: thread, count: threads };
        let layout = &self.r.layout;
        let so_far = e.accumulator_slots(layout, &e.identity(layout)?)?;
        self.r.each_output(e, &group, |number, exists| {
            e.when(exists, || {
                let row = self.row(e, number)?;
                e.when(self.goes_on, || {
                    e.write_accumulator(&so_far, layout, &self.partial(e, &row, e.i64(0))?)?;
                    e.count((e.i64(1), self.part), e.i64(1), None, |n| {
                        let before = e.read_accumulator(&so_far, layout)?;
                        let both = e.combine(layout, &before, &self.partial(e, &row, n)?, Order::Fixed)?;
                        e.write_accumulator(&so_far, layout, &both)
                    })
                })?;
                e.count((self.begin, self.end), e.i64(1), None, |i| {
                    let element = self.element(e, &row, i)?;
                    let begun = e.icmp_with(IntPredicate::SGT, i, 0)?;
                    let next = e.combine_if(layout, begun, &e.read_accumulator(&so_far, layout)?, &element)?;
                    e.write_accumulator(&so_far, layout, &next)?;
                    self.store(e, &row, i, &next)
                })
            })
        })
    }

    /// The threads of a block as those of a row, and how many elements of a tile each has.
    fn block(&self, e: &Emitter<'ctx, '_>) -> Emit<(ThreadGroup<'ctx>, usize)> {
        let thread = register(e, "tid.x")?;
        let (zero, one) = (e.int_like(thread, 0), e.int_like(thread, 1));
        let group = ThreadGroup { member: thread, size: register(e, "ntid.x")?, number: zero, count: one };
        Ok((group, if uses_library(&self.r.phase.body) { 1 } else { THREAD_ELEMENTS }))
    }

    /// A block a row.
    fn by_blocks(&self, e: &Emitter<'ctx, '_>) -> Emit<()> {
        let (group, n) = self.block(e)?;
        let layout = &self.r.layout;
        let carry = e.accumulator_slots(layout, &e.identity(layout)?)?;
        let tile = e.i64(i64::from(self.r.kernel.schedule.block) * n as i64);
        self.r.each_output(e, &group, |number, _| {
            let row = self.row(e, number)?;
            e.when(self.goes_on, || self.carry(e, &row, &group, &carry))?;
            e.count((self.begin, self.end), tile, None, |first| {
                let begun = e.icmp_with(IntPredicate::SGT, first, 0)?;
                self.tile(e, &row, first, n, (begun, &carry))
            })
        })
    }

    /// What the chunks before come to, in the slots of every thread of the block.
    fn carry(
        &self,
        e: &Emitter<'ctx, '_>,
        row: &Row<'ctx>,
        group: &ThreadGroup<'ctx>,
        slots: &[PointerValue<'ctx>],
    ) -> Emit<()> {
        let layout = &self.r.layout;
        e.write_accumulator(slots, layout, &e.identity(layout)?)?;
        if layout.has_factor {
            return self.carry_in_order(e, row, group, slots);
        }
        e.count((wide(e, group.member)?, self.part), wide(e, group.size)?, None, |n| {
            let so_far = e.read_accumulator(slots, layout)?;
            let both = e.combine(layout, &so_far, &self.partial(e, row, n)?, Order::Fixed)?;
            e.write_accumulator(slots, layout, &both)
        })?;
        self.exchange.row_total(e, layout, slots, group.size)?;
        let place = e.int_like(group.member, 0);
        let is_first = e.icmp_with(IntPredicate::EQ, group.member, 0)?;
        e.when(is_first, || self.exchange.write(e, layout, place, &e.read_accumulator(slots, layout)?))?;
        barrier(e)?;
        e.write_accumulator(slots, layout, &self.exchange.read(e, layout, place)?)?;
        barrier(e)
    }

    /// A thread's `n` neighbouring elements of the tile from `first` on, each combined with those before it, and the index of the first one.
    fn own_elements(
        &self,
        e: &Emitter<'ctx, '_>,
        row: &Row<'ctx>,
        first: IntValue<'ctx>,
        n: usize,
    ) -> Emit<(Vec<Accumulator<'ctx>>, IntValue<'ctx>)> {
        let layout = &self.r.layout;
        let own = e.add(first, e.mul(wide(e, register(e, "tid.x")?)?, e.i64(n as i64))?)?;
        let last = e.sub(self.end, e.i64(1))?;
        let identity = e.identity(layout)?;
        let mut running: Vec<Accumulator<'ctx>> = Vec::with_capacity(n);
        let mut elements = Vec::with_capacity(n);
        for k in 0..n {
            let at = e.add(own, e.i64(k as i64))?;
            let element = self.element(e, row, e.smin(at, last)?)?;
            if !layout.has_factor {
                // Threads beyond the end read the last element, and what they make of it comes after all that is stored.
                elements.push(element);
                continue;
            }
            let inside = e.icmp(IntPredicate::SLE, at, last)?;
            let chosen = element.into_iter().zip(&identity).map(|(value, none)| e.choose(inside, value, *none));
            elements.push(chosen.collect::<Emit<_>>()?);
        }
        for element in elements {
            running.push(match running.last() {
                Some(before) => e.combine(layout, before, &element, Order::Fixed)?,
                None => element,
            });
        }
        Ok((running, own))
    }

    /// One tile: `n` elements a thread from `first` on. `begun`: whether `carry` holds what goes before; it is moved on.
    fn tile(
        &self,
        e: &Emitter<'ctx, '_>,
        row: &Row<'ctx>,
        first: IntValue<'ctx>,
        n: usize,
        (begun, carry): (IntValue<'ctx>, &[PointerValue<'ctx>]),
    ) -> Emit<()> {
        let layout = &self.r.layout;
        let (running, own) = self.own_elements(e, row, first, n)?;
        let own_total = running.last().ok_or_else(|| bug("a tile of nothing"))?.clone();
        let (before, has_before, block_total) = self.before(e, register(e, "tid.x")?, &own_total)?;
        let so_far = e.read_accumulator(carry, layout)?;
        let before_all = e.combine_if(layout, begun, &so_far, &before)?;
        let before: Accumulator<'ctx> = before_all
            .into_iter()
            .zip(&so_far)
            .map(|(both, carried)| e.choose(has_before, both, *carried))
            .collect::<Emit<_>>()?;
        let has_before = e.or(has_before, begun)?;
        for (k, values) in running.iter().enumerate() {
            let i = e.add(own, e.i64(k as i64))?;
            let inside = e.icmp(IntPredicate::SLT, i, self.end)?;
            let value = e.combine_if(layout, has_before, &before, values)?;
            e.when(inside, || self.store(e, row, i, &value))?;
        }
        e.write_accumulator(carry, layout, &e.combine_if(layout, begun, &so_far, &block_total)?)
    }

    /// The totals of all threads of the block before this one, whether there are any, and the total of the block. Holds two barriers.
    fn before(
        &self,
        e: &Emitter<'ctx, '_>,
        thread: IntValue<'ctx>,
        own: &[Scalar<'ctx>],
    ) -> Emit<(Accumulator<'ctx>, IntValue<'ctx>, Accumulator<'ctx>)> {
        let layout = &self.r.layout;
        let lane = e.and(thread, e.int_like(thread, i64::from(WARP) - 1))?;
        let warp = e.builder.build_right_shift(thread, e.int_like(thread, 5), false, "")?;
        let up = |values: &[Scalar<'ctx>], distance: u32| -> Emit<Accumulator<'ctx>> {
            values.iter().map(|value| exchange(e, *value, Shuffle::Before(distance))).collect()
        };
        let mut total = own.to_vec();
        let mut distance = 1;
        while distance < WARP {
            let reaches = e.icmp_with(IntPredicate::UGE, lane, i64::from(distance))?;
            total = e.combine_if(layout, reaches, &up(&total, distance)?, &total)?;
            distance *= 2;
        }
        let in_warp = up(&total, 1)?;
        let is_last = e.icmp_with(IntPredicate::EQ, lane, i64::from(WARP) - 1)?;
        e.when(is_last, || self.exchange.write(e, layout, warp, &total))?;
        barrier(e)?;
        let mut sum: Option<Accumulator<'ctx>> = None;
        let mut warps_before = in_warp.clone();
        for w in 0..self.exchange.n_warps() {
            if let Some(sum) = &sum {
                let is_own = e.icmp_with(IntPredicate::EQ, warp, i64::from(w))?;
                let chosen = sum.iter().zip(&warps_before).map(|(sum, other)| e.choose(is_own, *sum, *other));
                warps_before = chosen.collect::<Emit<_>>()?;
            }
            let of_warp = self.exchange.read(e, layout, e.int_like(warp, i64::from(w)))?;
            sum = Some(match sum {
                Some(sum) => e.combine(layout, &sum, &of_warp, Order::Fixed)?,
                None => of_warp,
            });
        }
        barrier(e)?;
        let (first_lane, later_warp) =
            (e.icmp_with(IntPredicate::EQ, lane, 0)?, e.icmp_with(IntPredicate::UGT, warp, 0)?);
        let both = e.combine_if(layout, later_warp, &warps_before, &in_warp)?;
        let before = both.into_iter().zip(&warps_before).map(|(both, warps)| e.choose(first_lane, *warps, both));
        let before = before.collect::<Emit<_>>()?;
        let has_before = e.icmp_with(IntPredicate::UGT, thread, 0)?;
        Ok((before, has_before, sum.ok_or_else(|| bug("a block without warps"))?))
    }
}
