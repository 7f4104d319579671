//! The table of claims: which work item writes an element, among those that meet there.
//!
//! In: the runtime's memory, and a scatter whose work items may meet. Out: work items entered by their keys, found again, and chained in C order. How the table
//! and the chains lie is told in `claims`.

use inkwell::values::{InstructionValue, IntValue, PointerValue};
use inkwell::{AtomicOrdering, AtomicRMWBinOp, IntPredicate};
use numptx_ir::kernel::{Kernel, Phase};
use numptx_ir::scalar::Body;

use super::{outputs, run};
use crate::claims::{Claiming, only, values_of};
use crate::device::launch::Launch;
use crate::emitter::Emitter;
use crate::error::{Emit, bug};

/// What ends a chain; every work item's number is smaller.
const END: i64 = i32::MAX as i64;
/// The first word of a chain that is left to `sequential64` has this bit.
const LEFT: i64 = i32::MIN as i64;
/// The longest chain that its first work item runs through, as often as it has work items.
const LONGEST: i64 = 32;
/// An odd number whose multiples spread evenly: 2⁶⁴ over the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The table of claims.
pub(in crate::device) struct Claims<'ctx, 'k> {
    kernel: &'k Kernel,
    phase: &'k Phase,
    launch: &'k Launch<'ctx>,
    claiming: &'k Claiming,
    /// Computes the indices that the key is made of.
    places: Body,
    /// The positions of their strides among the launch's scalars.
    strides: Vec<usize>,
    /// Computes whether a work item writes; `None`: all do, or work items go on from each other and find out in their turn.
    writes: Option<Body>,
    memory: PointerValue<'ctx>,
    capacity: IntValue<'ctx>,
}

impl<'ctx, 'k> Claims<'ctx, 'k> {
    /// Of a launch with [`EXTRA`] parameters.
    pub fn new(kernel: &'k Kernel, phase: &'k Phase, launch: &'k Launch<'ctx>, claiming: &'k Claiming) -> Emit<Self> {
        let [scatter, ..] = phase.scatters.as_slice() else { return Err(bug("a kernel scatters to no table")) };
        let [memory, capacity] = launch.extra.as_slice() else { return Err(bug("claims without memory")) };
        let at: Vec<usize> = claiming.key.iter().map(|k| scatter.at[*k]).collect();
        let strides = claiming.key.iter().map(|k| kernel.tables[scatter.table].strides[*k]).collect();
        let places = only(&phase.body, &values_of(&phase.body, &at));
        let when = scatter.when.filter(|_| !claiming.chains);
        let writes = when.map(|n| only(&phase.body, &values_of(&phase.body, &[n])));
        let (memory, capacity) = (memory.into_pointer_value(), capacity.into_int_value());
        Ok(Claims { kernel, phase, launch, claiming, places, strides, writes, memory, capacity })
    }

    /// How many work items may meet.
    pub(super) fn work_items(&self, e: &Emitter<'ctx, '_>) -> Emit<IntValue<'ctx>> {
        self.claiming.axes.iter().try_fold(e.i64(1), |product, axis| e.mul(product, self.launch.extents[*axis]))
    }

    /// A work item's number among those that it may meet, in C order.
    pub(super) fn number(&self, e: &Emitter<'ctx, '_>, indices: &[IntValue<'ctx>]) -> Emit<IntValue<'ctx>> {
        let mut axes = self.claiming.axes.iter();
        axes.try_fold(e.i64(0), |number, axis| e.add(e.mul(number, self.launch.extents[*axis])?, indices[*axis]))
    }

    /// The work item of this number whose indices along the other axes are as given.
    fn work_item(
        &self,
        e: &Emitter<'ctx, '_>,
        number: IntValue<'ctx>,
        other: &[IntValue<'ctx>],
    ) -> Emit<Vec<IntValue<'ctx>>> {
        let mut indices = other.to_vec();
        let mut rest = e.resize_unsigned(number, e.context.i64_type())?;
        for (position, axis) in self.claiming.axes.iter().enumerate().rev() {
            if position == 0 {
                indices[*axis] = rest;
                break;
            }
            let extent = self.launch.extents[*axis];
            let quotient = e.udiv(rest, extent)?;
            indices[*axis] = e.sub(rest, e.mul(quotient, extent)?)?;
            rest = quotient;
        }
        Ok(indices)
    }

    /// Equal for work items that write the same element, if they agree along the other axes; of others it differs.
    fn key(&self, e: &Emitter<'ctx, '_>, indices: &[IntValue<'ctx>]) -> Emit<IntValue<'ctx>> {
        let places = Phase { body: self.places.clone(), scatters: Vec::new(), ..self.phase.clone() };
        let at = outputs(e, self.kernel, &places, self.launch, indices)?;
        let mut key = e.i64(0);
        for (index, stride) in at.iter().zip(&self.strides) {
            key = e.add(key, e.mul(index.int()?, self.launch.scalars[*stride].int()?)?)?;
        }
        Ok(key)
    }

    fn word(&self, e: &Emitter<'ctx, '_>, n: IntValue<'ctx>) -> Emit<PointerValue<'ctx>> {
        let n = e.resize_unsigned(n, e.context.i64_type())?;
        e.at_bytes(self.memory, e.mul(n, e.i64(4))?)
    }

    /// Where the number of the next work item of a chain lies.
    fn next(&self, e: &Emitter<'ctx, '_>, number: IntValue<'ctx>) -> Emit<PointerValue<'ctx>> {
        let number = e.resize_unsigned(number, e.context.i64_type())?;
        self.word(e, e.add(e.add(self.capacity, e.i64(1))?, number)?)
    }

    /// A word that other threads write at the same time.
    fn read(&self, e: &Emitter<'ctx, '_>, address: PointerValue<'ctx>) -> Emit<IntValue<'ctx>> {
        let value = e.builder.build_load(e.context.i32_type(), address, "")?.into_int_value();
        relaxed(value.as_instruction())?;
        Ok(value)
    }

    fn write(&self, e: &Emitter<'ctx, '_>, address: PointerValue<'ctx>, value: IntValue<'ctx>) -> Emit<()> {
        relaxed(Some(e.builder.build_store(address, value)?))
    }

    /// Goes through the places where a key may stand. `look` gives the number there, negative where the search ends; `found` is
    /// called where there is a work item of the key, or `own`.
    fn search(
        &self,
        e: &Emitter<'ctx, '_>,
        key: IntValue<'ctx>,
        own: Option<IntValue<'ctx>>,
        look: impl FnOnce(PointerValue<'ctx>) -> Emit<IntValue<'ctx>>,
        found: impl FnOnce(PointerValue<'ctx>, IntValue<'ctx>) -> Emit<()>,
    ) -> Emit<()> {
        let spread = e.mul(key, e.context.i64_type().const_int(SPREAD, false))?;
        let high = e.builder.build_right_shift(spread, e.i64(32), false, "")?;
        let first = e.builder.build_right_shift(e.mul(high, self.capacity)?, e.i64(32), false, "")?;
        let bit = e.context.bool_type();
        let place = e.slot_with(first, "place")?;
        let searches = e.slot_with(bit.const_int(1, false), "searches")?;
        e.repeat(
            || e.read_int(searches, bit.const_zero()),
            || {
                let here = e.read_int(place, first)?;
                let address = self.word(e, e.add(here, e.i64(1))?)?;
                let number = look(address)?;
                let ends = e.slot_with(e.icmp_with(IntPredicate::SLT, number, 0)?, "ends")?;
                let is_open = e.not(e.read_int(ends, bit.const_zero())?)?;
                e.when(is_open, || {
                    let same = e.slot_with(bit.const_int(1, false), "same")?;
                    let is_other = match own {
                        Some(own) => e.icmp(IntPredicate::NE, number, own)?,
                        None => bit.const_int(1, false),
                    };
                    e.when(is_other, || {
                        let there = self.work_item(e, number, &vec![e.i64(0); self.kernel.rank])?;
                        e.write(same, e.icmp(IntPredicate::EQ, self.key(e, &there)?, key)?)
                    })?;
                    let same = e.read_int(same, bit.const_zero())?;
                    e.write(ends, same)?;
                    e.when(same, || found(address, number))
                })?;
                let next = e.add(here, e.i64(1))?;
                let is_past = e.icmp(IntPredicate::EQ, next, self.capacity)?;
                e.write(place, e.select(is_past, e.i64(0), next)?)?;
                e.write(searches, e.not(e.read_int(ends, bit.const_zero())?)?)
            },
        )
    }

    /// Does something at a work item if it writes: one that does not takes no element from those that do.
    pub(super) fn where_it_writes(
        &self,
        e: &Emitter<'ctx, '_>,
        indices: &[IntValue<'ctx>],
        then: impl FnOnce() -> Emit<()>,
    ) -> Emit<()> {
        let Some(writes) = &self.writes else { return then() };
        let writes = Phase { body: writes.clone(), scatters: Vec::new(), ..self.phase.clone() };
        let outputs = outputs(e, self.kernel, &writes, self.launch, indices)?;
        let [writes] = outputs.as_slice() else { return Err(bug("a condition is one value")) };
        e.when(writes.int()?, then)
    }

    /// Enters a work item, if it writes.
    pub(super) fn enter(&self, e: &Emitter<'ctx, '_>, number: IntValue<'ctx>) -> Emit<()> {
        let indices = self.work_item(e, number, &vec![e.i64(0); self.kernel.rank])?;
        self.where_it_writes(e, &indices, || self.enter_work_item(e, number, &indices))
    }

    pub(super) fn enter_work_item(
        &self,
        e: &Emitter<'ctx, '_>,
        number: IntValue<'ctx>,
        indices: &[IntValue<'ctx>],
    ) -> Emit<()> {
        let word = e.context.i32_type();
        let own = e.resize_signed(number, word)?;
        let key = self.key(e, indices)?;
        let relaxed = AtomicOrdering::Monotonic;
        let before = e.slot_with(word.const_int(END as u64, false), "before")?;
        let look = |address| {
            let there = e.slot_with(self.read(e, address)?, "there")?;
            let is_free = e.icmp_with(IntPredicate::SLT, e.read_int(there, own)?, 0)?;
            e.when(is_free, || {
                let free = word.const_all_ones();
                let found = e.builder.build_cmpxchg(address, free, own, relaxed, relaxed)?;
                e.write(there, e.builder.build_extract_value(found, 0, "")?.into_int_value())
            })?;
            e.read_int(there, own)
        };
        self.search(e, key, None, look, |address, there| {
            if self.claiming.chains {
                let there = e.builder.build_atomicrmw(AtomicRMWBinOp::Xchg, address, own, relaxed)?;
                return e.write(before, there);
            }
            let is_later = e.icmp(IntPredicate::SLT, there, own)?;
            e.when(is_later, || {
                e.builder.build_atomicrmw(AtomicRMWBinOp::Max, address, own, relaxed)?;
                Ok(())
            })
        })?;
        match self.claiming.chains {
            true => self.write(e, self.next(e, own)?, e.read_int(before, own)?),
            false => Ok(()),
        }
    }

    /// The work item that stands for a work item's key in the table.
    pub(super) fn holder(
        &self,
        e: &Emitter<'ctx, '_>,
        indices: &[IntValue<'ctx>],
        own: Option<IntValue<'ctx>>,
    ) -> Emit<IntValue<'ctx>> {
        let none = e.context.i32_type().const_all_ones();
        let holder = e.slot_with(none, "holder")?;
        let key = self.key(e, indices)?;
        let look = |address| Ok(e.builder.build_load(none.get_type(), address, "")?.into_int_value());
        self.search(e, key, own, look, |_, number| e.write(holder, number))?;
        e.read_int(holder, none)
    }

    /// Runs the work items of the chain that starts with `first` in C order, if there are few of them.
    pub(super) fn chain(&self, e: &Emitter<'ctx, '_>, first: IntValue<'ctx>, indices: &[IntValue<'ctx>]) -> Emit<()> {
        let word = first.get_type();
        let end = word.const_int(END as u64, false);
        let (length, at) = (e.slot_with(word.const_zero(), "length")?, e.slot_with(first, "at")?);
        let follow = |slot: PointerValue<'ctx>| {
            let next = self.read(e, self.next(e, e.read_int(slot, first)?)?)?;
            e.write(slot, e.and(next, end)?)
        };
        let is_within = |slot: PointerValue<'ctx>| e.icmp(IntPredicate::NE, e.read_int(slot, first)?, end);
        let is_short = || e.icmp_with(IntPredicate::SLE, e.read_int(length, first)?, LONGEST);
        e.repeat(
            || e.and(is_within(at)?, is_short()?),
            || {
                e.write(length, e.add(e.read_int(length, first)?, e.int_like(first, 1))?)?;
                follow(at)
            },
        )?;
        let runs = || {
            let last = e.slot_with(word.const_all_ones(), "last")?;
            e.count((word.const_zero(), e.read_int(length, first)?), e.int_like(first, 1), None, |_| {
                let after = e.read_int(last, first)?;
                let (best, at) = (e.slot_with(end, "best")?, e.slot_with(first, "at")?);
                e.repeat(
                    || is_within(at),
                    || {
                        let (number, so_far) = (e.read_int(at, first)?, e.read_int(best, first)?);
                        let is_later = e.icmp(IntPredicate::SGT, number, after)?;
                        let is_sooner = e.icmp(IntPredicate::SLT, number, so_far)?;
                        e.write(best, e.select(e.and(is_later, is_sooner)?, number, so_far)?)?;
                        follow(at)
                    },
                )?;
                let best = e.read_int(best, first)?;
                e.write(last, best)?;
                run(e, self.kernel, self.phase, self.launch, &self.work_item(e, best, indices)?)
            })
        };
        e.either(is_short()?, runs, || {
            let next = self.next(e, first)?;
            self.write(e, next, e.or(self.read(e, next)?, e.int_like(first, LEFT))?)?;
            self.write(e, self.memory, word.const_zero())
        })
    }

    /// Whether `settle64` left chains, or did not run.
    pub fn is_any_left(&self, e: &Emitter<'ctx, '_>) -> Emit<IntValue<'ctx>> {
        self.unless_claimed(e, || {
            let flag = e.builder.build_load(e.context.i32_type(), self.memory, "")?.into_int_value();
            e.icmp_with(IntPredicate::EQ, flag, 0)
        })
    }

    /// Whether `settle64` left the chain of a work item, or did not run.
    pub fn is_left(&self, e: &Emitter<'ctx, '_>, indices: &[IntValue<'ctx>]) -> Emit<IntValue<'ctx>> {
        self.unless_claimed(e, || {
            let first = self.holder(e, indices, None)?;
            let word = e.builder.build_load(first.get_type(), self.next(e, first)?, "")?.into_int_value();
            e.icmp_with(IntPredicate::SLT, word, 0)
        })
    }

    fn unless_claimed(
        &self,
        e: &Emitter<'ctx, '_>,
        claimed: impl FnOnce() -> Emit<IntValue<'ctx>>,
    ) -> Emit<IntValue<'ctx>> {
        let yes = e.context.bool_type().const_int(1, false);
        let slot = e.slot_with(yes, "left")?;
        let is_claimed = e.builder.build_is_not_null(self.memory, "")?;
        e.when(is_claimed, || e.write(slot, claimed()?))?;
        e.read_int(slot, yes)
    }
}

/// Puts an order on an access that no other access is ordered by.
pub(super) fn relaxed(access: Option<InstructionValue<'_>>) -> Emit<()> {
    let access = access.ok_or_else(|| bug("an access is no instruction"))?;
    access.set_atomic_ordering(AtomicOrdering::Monotonic).map_err(|e| bug(e.to_string()))
}
