//! Scans on the device: running values along the last axis, of which a block of the grid's y runs through one chunk.
//!
//! Where there are rows enough to fill the device, or they are short, a thread runs along a row. Else a block does where the row is not for `tiles`, a
//! tile of a few elements a thread after the other: threads run through their own elements, warps through their threads' totals by shuffles, and every
//! thread through the warps' totals in shared memory. Nothing is combined with an identity, so that signed zeros, infinities and nans are those of the
//! elements. All orders are fixed: results do not change from run to run. A chunk goes on from the accumulators of those before it, which `fold` has
//! made: that of a reduction, or, where there is a factor, one that combines elements and chunks in their order only.
//!
//! Elements are loaded before the first barrier of a tile and stored after it, so that a scan may be written over what it reads.

mod published;
mod rows;
mod staged;
mod tiles;
mod totals;

use inkwell::IntPredicate;
use inkwell::values::{FunctionValue, IntValue, PointerValue};
use numptx_ir::kernel::{Kernel, Phase};

use self::rows::{Row, Rows};
pub(super) use self::tiles::emit as emit_tiles;
pub(crate) use self::tiles::thread_elements;
pub(super) use self::totals::emit_totals;
use super::launch::{Width, register, wide_register};
use super::reduce::{Chunks, Reduction, ThreadGroup, wide};
use super::warp::{Exchange, barrier};
use crate::accumulator::{Accumulator, Order};
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::scalar::uses_library;

/// Elements of a tile that one thread runs through. One where elements take a library function: its copies would cost more than they hide.
const THREAD_ELEMENTS: usize = 4;

/// A scan function under way.
struct Scan<'ctx, 'k> {
    rows: Rows<'ctx, 'k>,
    chunks: Chunks<'ctx>,
    /// The elements of the chunk, `i64`.
    begin: IntValue<'ctx>,
    end: IntValue<'ctx>,
    /// The chunk, `i64`.
    part: IntValue<'ctx>,
    /// Whether there are chunks before it.
    goes_on: IntValue<'ctx>,
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
        Ok(Scan { rows: Rows { r, exchange }, chunks, begin, end, part, goes_on })
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
        self.rows.r.launch.finish(e)
    }

    /// Where accumulator `n` of a row lies.
    fn place(&self, e: &Emitter<'ctx, '_>, row: &Row<'ctx>, n: IntValue<'ctx>) -> Emit<PointerValue<'ctx>> {
        let first = e.mul(row.number, wide(e, self.chunks.n_chunks)?)?;
        self.rows.r.partial(e, self.chunks.partials, e.add(first, n)?)
    }

    /// Accumulator `n` of a row.
    fn partial(&self, e: &Emitter<'ctx, '_>, row: &Row<'ctx>, n: IntValue<'ctx>) -> Emit<Accumulator<'ctx>> {
        e.load_accumulator(&self.rows.r.layout, self.place(e, row, n)?)
    }

    /// A thread a row.
    fn by_threads(&self, e: &Emitter<'ctx, '_>) -> Emit<()> {
        let (thread, threads) = (register(e, "tid.x")?, register(e, "ntid.x")?);
        let one = e.int_like(thread, 1);
        let group = ThreadGroup { member: e.int_like(thread, 0), size: one, number: thread, count: threads };
        let layout = &self.rows.r.layout;
        let so_far = e.accumulator_slots(layout, &e.identity(layout)?)?;
        self.rows.r.each_output(e, &group, |number, exists| {
            e.when(exists, || {
                let row = self.rows.row(e, number)?;
                e.when(self.goes_on, || {
                    e.write_accumulator(&so_far, layout, &self.partial(e, &row, e.i64(0))?)?;
                    e.count((e.i64(1), self.part), e.i64(1), None, |n| {
                        let before = e.read_accumulator(&so_far, layout)?;
                        let both = e.combine(layout, &before, &self.partial(e, &row, n)?, Order::Fixed)?;
                        e.write_accumulator(&so_far, layout, &both)
                    })
                })?;
                e.count((self.begin, self.end), e.i64(1), None, |i| {
                    let element = self.rows.element(e, &row, i)?;
                    let begun = e.icmp_with(IntPredicate::SGT, i, 0)?;
                    let next = e.combine_if(layout, begun, &e.read_accumulator(&so_far, layout)?, &element)?;
                    e.write_accumulator(&so_far, layout, &next)?;
                    self.rows.store(e, &row, i, &next)
                })
            })
        })
    }

    /// The threads of a block as those of a row, and how many elements of a tile each has.
    fn block(&self, e: &Emitter<'ctx, '_>) -> Emit<(ThreadGroup<'ctx>, usize)> {
        let thread = register(e, "tid.x")?;
        let (zero, one) = (e.int_like(thread, 0), e.int_like(thread, 1));
        let group = ThreadGroup { member: thread, size: register(e, "ntid.x")?, number: zero, count: one };
        Ok((group, if uses_library(&self.rows.r.phase.body) { 1 } else { THREAD_ELEMENTS }))
    }

    /// A block a row.
    fn by_blocks(&self, e: &Emitter<'ctx, '_>) -> Emit<()> {
        let (group, n) = self.block(e)?;
        let layout = &self.rows.r.layout;
        let carry = e.accumulator_slots(layout, &e.identity(layout)?)?;
        let tile = e.i64(i64::from(self.rows.r.kernel.schedule.block) * n as i64);
        self.rows.r.each_output(e, &group, |number, _| {
            let row = self.rows.row(e, number)?;
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
        let layout = &self.rows.r.layout;
        e.write_accumulator(slots, layout, &e.identity(layout)?)?;
        if layout.has_factor {
            return self.carry_in_order(e, row, group, slots);
        }
        e.count((wide(e, group.member)?, self.part), wide(e, group.size)?, None, |n| {
            let so_far = e.read_accumulator(slots, layout)?;
            let both = e.combine(layout, &so_far, &self.partial(e, row, n)?, Order::Fixed)?;
            e.write_accumulator(slots, layout, &both)
        })?;
        self.rows.exchange.row_total(e, layout, slots, group.size)?;
        let place = e.int_like(group.member, 0);
        let is_first = e.icmp_with(IntPredicate::EQ, group.member, 0)?;
        e.when(is_first, || self.rows.exchange.write(e, layout, place, &e.read_accumulator(slots, layout)?))?;
        barrier(e)?;
        e.write_accumulator(slots, layout, &self.rows.exchange.read(e, layout, place)?)?;
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
        let layout = &self.rows.r.layout;
        let own = e.add(first, e.mul(wide(e, register(e, "tid.x")?)?, e.i64(n as i64))?)?;
        let last = e.sub(self.end, e.i64(1))?;
        let identity = e.identity(layout)?;
        let mut running: Vec<Accumulator<'ctx>> = Vec::with_capacity(n);
        let mut elements = Vec::with_capacity(n);
        for k in 0..n {
            let at = e.add(own, e.i64(k as i64))?;
            let element = self.rows.element(e, row, e.smin(at, last)?)?;
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
        let layout = &self.rows.r.layout;
        let (running, own) = self.own_elements(e, row, first, n)?;
        let own_total = running.last().ok_or_else(|| bug("a tile of nothing"))?.clone();
        let (before, has_before, block_total) = self.rows.before(e, register(e, "tid.x")?, &own_total)?;
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
            e.when(inside, || self.rows.store(e, row, i, &value))?;
        }
        e.write_accumulator(carry, layout, &e.combine_if(layout, begun, &so_far, &block_total)?)
    }
}
