//! Scans with a factor: the accumulators of chunks, and of all chunks before one, in the order of the elements.
//!
//! `fold` does for these what it does for reductions, whose order is another one. Indices beyond the end count as an identity, after all others.

use inkwell::IntPredicate;
use inkwell::values::{FunctionValue, PointerValue};
use numptx_ir::kernel::{Kernel, Phase};

use super::super::launch::{Width, register};
use super::super::reduce::{ThreadGroup, wide};
use super::Scan;
use super::rows::Row;
use crate::emitter::Emitter;
use crate::error::{Emit, bug};

/// Emits `<name>__fold32` or `64` of a scan with a factor: the accumulators of chunks.
pub(in crate::device) fn emit_totals<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    phase: &Phase,
    width: Width,
) -> Emit<FunctionValue<'ctx>> {
    Scan::start(e, kernel, phase, width, "fold")?.emit(e, Scan::totals_by_threads, Scan::totals_by_blocks)
}

impl<'ctx> Scan<'ctx, '_> {
    /// The accumulator of the chunk, a thread a row.
    fn totals_by_threads(&self, e: &Emitter<'ctx, '_>) -> Emit<()> {
        let (thread, threads) = (register(e, "tid.x")?, register(e, "ntid.x")?);
        let one = e.int_like(thread, 1);
        let group = ThreadGroup { member: e.int_like(thread, 0), size: one, number: thread, count: threads };
        let layout = &self.rows.r.layout;
        let so_far = e.accumulator_slots(layout, &e.identity(layout)?)?;
        self.rows.r.each_output(e, &group, |number, exists| {
            e.when(exists, || {
                let row = self.rows.row(e, number)?;
                e.count((self.begin, self.end), e.i64(1), None, |i| {
                    let element = self.rows.element(e, &row, i)?;
                    let begun = e.icmp(IntPredicate::SGT, i, self.begin)?;
                    let next = e.combine_if(layout, begun, &e.read_accumulator(&so_far, layout)?, &element)?;
                    e.write_accumulator(&so_far, layout, &next)
                })?;
                let total = e.read_accumulator(&so_far, layout)?;
                e.store_accumulator(layout, self.place(e, &row, self.part)?, &total)
            })
        })
    }

    /// The accumulator of the chunk, a block a row.
    fn totals_by_blocks(&self, e: &Emitter<'ctx, '_>) -> Emit<()> {
        let (group, n) = self.block(e)?;
        let layout = &self.rows.r.layout;
        let so_far = e.accumulator_slots(layout, &e.identity(layout)?)?;
        let tile = e.i64(i64::from(self.rows.r.kernel.schedule.block) * n as i64);
        self.rows.r.each_output(e, &group, |number, _| {
            let row = self.rows.row(e, number)?;
            e.count((self.begin, self.end), tile, None, |first| {
                let (running, _) = self.own_elements(e, &row, first, n)?;
                let own = running.last().ok_or_else(|| bug("a tile of nothing"))?;
                let (_, _, block_total) = self.rows.before(e, group.member, own)?;
                let begun = e.icmp(IntPredicate::SGT, first, self.begin)?;
                let next = e.combine_if(layout, begun, &e.read_accumulator(&so_far, layout)?, &block_total)?;
                e.write_accumulator(&so_far, layout, &next)
            })?;
            e.when(e.icmp_with(IntPredicate::EQ, group.member, 0)?, || {
                let total = e.read_accumulator(&so_far, layout)?;
                e.store_accumulator(layout, self.place(e, &row, self.part)?, &total)
            })
        })
    }

    /// The same, of neighbouring chunks first: each thread has some of them. The slots hold an identity.
    pub(super) fn carry_in_order(
        &self,
        e: &Emitter<'ctx, '_>,
        row: &Row<'ctx>,
        group: &ThreadGroup<'ctx>,
        slots: &[PointerValue<'ctx>],
    ) -> Emit<()> {
        let layout = &self.rows.r.layout;
        let (member, size) = (wide(e, group.member)?, wide(e, group.size)?);
        let share = e.udiv(e.sub(e.add(self.part, size)?, e.i64(1))?, size)?;
        let first = e.smin(e.mul(member, share)?, self.part)?;
        let end = e.smin(e.add(first, share)?, self.part)?;
        e.count((first, end), e.i64(1), None, |n| {
            let begun = e.icmp(IntPredicate::SGT, n, first)?;
            let so_far = e.read_accumulator(slots, layout)?;
            let both = e.combine_if(layout, begun, &so_far, &self.partial(e, row, n)?)?;
            e.write_accumulator(slots, layout, &both)
        })?;
        let (_, _, total) = self.rows.before(e, group.member, &e.read_accumulator(slots, layout)?)?;
        e.write_accumulator(slots, layout, &total)
    }
}
