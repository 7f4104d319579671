//! Scatters of which the last work item counts, by the places that they write: a word for each place of the destination's buffer.
//!
//! In: memory of zeros, and a kernel of which any two work items may meet. Out: `own64` leaves in each place's word the largest number of its work items,
//! counted from 1; `gather64` has a thread a place, which stores what that work item gives. Neighbouring threads write neighbouring elements so, which
//! random ones do not.

use inkwell::values::{FunctionValue, IntValue, PointerValue};
use inkwell::{AtomicOrdering, AtomicRMWBinOp, IntPredicate};
use numptx_ir::DType;
use numptx_ir::kernel::{Kernel, Phase, ScatterTo};

use super::{each_work_item, elements, outputs, start};
use crate::claims::{only, values_of};
use crate::device::launch::{Extra, Launch, place};
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::memory::Access;
use crate::phase::operand;

/// The memory, the number of places, and the bytes before the destination's first element.
pub(super) const EXTRA: &[Extra] = &[Extra::Pointer, Extra::I64, Extra::I64];

/// The places of a scatter's destination, as `numptx_abi::Kernel` tells them.
pub(super) struct Places<'ctx> {
    /// What is known of them.
    pub memory: PointerValue<'ctx>,
    /// How many there are.
    pub count: IntValue<'ctx>,
    first: IntValue<'ctx>,
    /// The bytes of one are two to this power.
    shift: u32,
    base: PointerValue<'ctx>,
}

impl<'ctx> Places<'ctx> {
    /// Of a launch with [`EXTRA`] parameters.
    pub fn new(kernel: &Kernel, launch: &Launch<'ctx>, scatter: &ScatterTo) -> Emit<Self> {
        let [memory, count, first, ..] = launch.extra.as_slice() else { return Err(bug("places without memory")) };
        let (count, first) = (count.into_int_value(), first.into_int_value());
        let n = kernel.tables[scatter.table].operand;
        let shift = component_bytes(operand(kernel, n)?.dtype).trailing_zeros();
        Ok(Places { memory: memory.into_pointer_value(), count, first, shift, base: launch.bases[n] })
    }

    /// The place of the element so many bytes after the destination's first one.
    pub fn place(&self, e: &Emitter<'ctx, '_>, offset: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        let bytes = e.add(self.first, offset)?;
        Ok(e.builder.build_right_shift(bytes, e.i64(i64::from(self.shift)), false, "")?)
    }

    /// The address of the element at a place.
    pub fn element(&self, e: &Emitter<'ctx, '_>, place: IntValue<'ctx>) -> Emit<PointerValue<'ctx>> {
        let bytes = e.builder.build_left_shift(place, e.i64(i64::from(self.shift)), "")?;
        e.at_bytes(self.base, e.sub(bytes, self.first)?)
    }

    /// The address of a place's part of the memory, of so many bytes.
    pub fn word(&self, e: &Emitter<'ctx, '_>, place: IntValue<'ctx>, bytes: i64) -> Emit<PointerValue<'ctx>> {
        e.at_bytes(self.memory, e.mul(place, e.i64(bytes))?)
    }
}

/// Bytes that elements of a dtype are aligned to.
fn component_bytes(dtype: DType) -> usize {
    if dtype.is_complex() { dtype.itemsize() / 2 } else { dtype.itemsize() }
}

/// A body's indices of the element, and whether the work item writes where a condition says so.
pub(super) fn places_only(phase: &Phase, scatter: &ScatterTo) -> Phase {
    let wanted = [&scatter.at[..], scatter.when.as_slice()].concat();
    Phase { body: only(&phase.body, &values_of(&phase.body, &wanted)), scatters: Vec::new(), ..phase.clone() }
}

/// Emits `<name>__own64`.
pub(in crate::device) fn emit_own<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    phase: &Phase,
) -> Emit<FunctionValue<'ctx>> {
    let [scatter] = phase.scatters.as_slice() else { return Err(bug("a kernel scatters to several tables")) };
    let launch = start(e, kernel, "own64", EXTRA)?;
    let places = Places::new(kernel, &launch, scatter)?;
    let where_to = places_only(phase, scatter);
    each_work_item(e, &launch, 0..kernel.rank, |work_item| {
        let indices = launch.decompose(e, 0..kernel.rank, work_item)?;
        let outputs = outputs(e, kernel, &where_to, &launch, &indices)?;
        let (at, when) = outputs.split_at(scatter.at.len());
        let own = || {
            let place = places.place(e, elements(kernel, &launch).offset(e, scatter.table, at)?)?;
            let number = e.resize_unsigned(e.add(work_item, e.i64(1))?, e.context.i32_type())?;
            let word = places.word(e, place, 4)?;
            e.builder.build_atomicrmw(AtomicRMWBinOp::UMax, word, number, AtomicOrdering::Monotonic)?;
            Ok(())
        };
        match when {
            [when] => e.when(when.int()?, own),
            _ => own(),
        }
    })?;
    launch.finish(e)
}

/// Emits `<name>__gather64`.
pub(in crate::device) fn emit_gather<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    phase: &Phase,
) -> Emit<FunctionValue<'ctx>> {
    let [scatter] = phase.scatters.as_slice() else { return Err(bug("a kernel scatters to several tables")) };
    let launch = start(e, kernel, "gather64", EXTRA)?;
    let places = Places::new(kernel, &launch, scatter)?;
    let dtype = operand(kernel, kernel.tables[scatter.table].operand)?.dtype;
    let body = only(&phase.body, &values_of(&phase.body, &[scatter.output]));
    let what = Phase { body, scatters: Vec::new(), ..phase.clone() };
    let (thread, threads) = place(e, 'x')?;
    e.count((thread, places.count), threads, None, |place| {
        let word = e.builder.build_load(e.context.i32_type(), places.word(e, place, 4)?, "")?.into_int_value();
        let is_owned = e.icmp_with(IntPredicate::NE, word, 0)?;
        e.when(is_owned, || {
            let work_item = e.sub(e.resize_unsigned(word, e.context.i64_type())?, e.i64(1))?;
            let indices = launch.decompose(e, 0..kernel.rank, work_item)?;
            let outputs = outputs(e, kernel, &what, &launch, &indices)?;
            let [value] = outputs.as_slice() else { return Err(bug("a scatter of nothing")) };
            e.store(places.element(e, place)?, *value, dtype, Access::default())
        })
    })?;
    launch.finish(e)
}
