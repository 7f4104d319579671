//! Scatters that add floats to elements, so that the order in which they come does not show: every place has sums that are exact.
//!
//! In: memory of zeros for the places of the destination's buffer, and a kernel that adds values to elements or takes them away. Out: `exponent64` leaves
//! the largest exponent of each place's values in its word. `sum64` cuts each value in parts that are multiples of that place's grids, so that their sums
//! are exact, and adds them. `round64` has a thread a place, which adds the sums to the element. A launch takes up to
//! [`Kernel::SUMMANDS`](numptx_abi::Kernel::SUMMANDS) work items of the whole number.
//!
//! Let all values of a place be below 2ᵉ⁺¹. The high part is a multiple of 2ᵉ⁻²⁶, so that 2²⁵ of them sum up to less than 2⁵³ multiples; the low one is what is
//! left, on the grid 2ᵉ⁻⁵⁴, by the same count. What is lost is below 2ᵉ⁻⁵⁵. Values of 32 bits have one part. Values near the largest float are scaled, so
//! that sums of parts do not overflow. Of places with infinities or nans only these are added.

use inkwell::values::{FloatValue, FunctionValue, IntValue, PointerValue};
use inkwell::{AtomicOrdering, AtomicRMWBinOp, FloatPredicate, IntPredicate};
use numptx_ir::DType;
use numptx_ir::kernel::{Kernel, Phase};
use numptx_ir::scalar::ScalarOp;

use super::places::Places;
use super::table::relaxed;
use super::{atomics, elements, outputs, start};
use crate::claims::Combining;
use crate::device::launch::{Extra, Launch, place};
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::memory::Access;
use crate::phase::operand;
use crate::value::Scalar;

/// As [`super::places::EXTRA`], then the first work item and the one after the last.
const EXTRA: &[Extra] = &[Extra::Pointer, Extra::I64, Extra::I64, Extra::I64, Extra::I64];
/// A place's word: 0 where it has no values, 1 where all are -0, else 2 more than the largest exponent.
const ONLY_MINUS_ZERO: i64 = 1;
const FIRST: i64 = 2;
/// The exponent of infinities and nans.
const SPECIAL: i64 = 2047;
/// From this exponent on values are scaled by 2⁻⁶⁴.
const LARGE: i64 = 1984;
const SCALING: i64 = 64;
/// 1.5 · 2²⁶ and 1.5 · 2⁻²: what such multiples of 2ᵉ are added to is rounded to a place's grids.
const HIGH: f64 = 1.5 * 67_108_864.0;
const LOW: f64 = 0.375;
/// Bits of a float64 before its exponent.
const FRACTION: i64 = 52;

/// A scatter's sums under way.
struct Sums<'ctx> {
    places: Places<'ctx>,
    dtype: DType,
    /// A value has a high and a low part.
    has_low: bool,
}

impl<'ctx> Sums<'ctx> {
    fn new(kernel: &Kernel, phase: &Phase, launch: &Launch<'ctx>) -> Emit<Self> {
        let [scatter] = phase.scatters.as_slice() else { return Err(bug("a kernel scatters to several tables")) };
        let dtype = operand(kernel, kernel.tables[scatter.table].operand)?.dtype;
        Ok(Sums { places: Places::new(kernel, launch, scatter)?, dtype, has_low: dtype == DType::F64 })
    }

    /// Where a place's word lies: behind all sums.
    fn word(&self, e: &Emitter<'ctx, '_>, place: IntValue<'ctx>) -> Emit<PointerValue<'ctx>> {
        let sums = e.mul(self.places.count, e.i64(if self.has_low { 16 } else { 8 }))?;
        e.at_bytes(self.places.word(e, place, 4)?, sums)
    }

    /// Where a place's sum of high parts lies, or that of low ones.
    fn sum(&self, e: &Emitter<'ctx, '_>, place: IntValue<'ctx>, is_low: bool) -> Emit<PointerValue<'ctx>> {
        let address = self.places.word(e, place, 8)?;
        if is_low { e.at_bytes(address, e.mul(self.places.count, e.i64(8))?) } else { Ok(address) }
    }

    fn load(&self, e: &Emitter<'ctx, '_>, address: PointerValue<'ctx>) -> Emit<FloatValue<'ctx>> {
        Ok(e.builder.build_load(e.context.f64_type(), address, "")?.into_float_value())
    }

    fn exponent(&self, e: &Emitter<'ctx, '_>, word: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        e.sub(e.resize_unsigned(word, e.context.i64_type())?, e.i64(FIRST))
    }

    /// Whether values of this largest exponent are scaled.
    fn is_large(&self, e: &Emitter<'ctx, '_>, exponent: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        e.icmp_with(IntPredicate::SGE, exponent, LARGE)
    }

    /// Adds a value's parts to its place's sums. The additions have no flags: they have to round as they are written.
    fn add(
        &self,
        e: &Emitter<'ctx, '_>,
        place: IntValue<'ctx>,
        exponent: IntValue<'ctx>,
        value: FloatValue<'ctx>,
    ) -> Emit<()> {
        let is_large = self.is_large(e, exponent)?;
        let scale = e.select(is_large, e.float_like(value, power(-SCALING)), e.float_like(value, 1.0))?;
        let value = e.builder.build_float_mul(value, scale, "")?;
        let exponent = e.select(is_large, e.sub(exponent, e.i64(SCALING))?, exponent)?;
        // That of values below the least normal number is 0, but their grid is that number's.
        let is_tiny = e.icmp_with(IntPredicate::SLT, exponent, 1)?;
        let exponent = e.select(is_tiny, e.i64(1), exponent)?;
        let unit = e.bits_float(e.builder.build_left_shift(exponent, e.i64(FRACTION), "")?)?;
        let (high, rest) = self.cut(e, value, unit, HIGH)?;
        self.add_part(e, self.sum(e, place, false)?, high)?;
        if self.has_low {
            let (low, _) = self.cut(e, rest, unit, LOW)?;
            self.add_part(e, self.sum(e, place, true)?, low)?;
        }
        Ok(())
    }

    /// A value's multiple of a grid, and what is left.
    fn cut(
        &self,
        e: &Emitter<'ctx, '_>,
        value: FloatValue<'ctx>,
        unit: FloatValue<'ctx>,
        anchor: f64,
    ) -> Emit<(FloatValue<'ctx>, FloatValue<'ctx>)> {
        let anchor = e.builder.build_float_mul(unit, e.float_like(unit, anchor), "")?;
        let moved = e.builder.build_float_add(value, anchor, "")?;
        let part = e.builder.build_float_sub(moved, anchor, "")?;
        Ok((part, e.builder.build_float_sub(value, part, "")?))
    }

    fn add_part(&self, e: &Emitter<'ctx, '_>, address: PointerValue<'ctx>, part: FloatValue<'ctx>) -> Emit<()> {
        // Most low parts of values with few digits are nothing.
        let is_any = e.fcmp_with(FloatPredicate::UNE, part, 0.0)?;
        e.when(is_any, || atomics::add(e, address, part))
    }
}

fn power(exponent: i64) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << FRACTION)
}

/// Goes through a launch's work items: where each adds what, as a float64 with the sign that it is added with.
fn each_value<'ctx>(
    e: &Emitter<'ctx, '_>,
    (kernel, phase, adding): (&Kernel, &Phase, &Combining),
    launch: &Launch<'ctx>,
    sums: &Sums<'ctx>,
    then: impl Fn(IntValue<'ctx>, FloatValue<'ctx>) -> Emit<()>,
) -> Emit<()> {
    let scatter = &phase.scatters[0];
    let added = Phase { body: adding.body.clone(), scatters: Vec::new(), ..phase.clone() };
    let [_, _, _, begin, end] = launch.extra.as_slice() else { return Err(bug("sums without a range")) };
    let (begin, end) = (begin.into_int_value(), end.into_int_value());
    let (thread, threads) = place(e, 'x')?;
    e.count((e.add(begin, thread)?, end), threads, None, |work_item| {
        let indices = launch.decompose(e, 0..kernel.rank, work_item)?;
        let outputs = outputs(e, kernel, &added, launch, &indices)?;
        let [value, rest @ ..] = outputs.as_slice() else { return Err(bug("a scatter of nothing")) };
        let (at, when) = rest.split_at(scatter.at.len());
        let does = || {
            let place = sums.places.place(e, elements(kernel, launch).offset(e, scatter.table, at)?)?;
            let value = e.builder.build_float_cast(value.float()?, e.context.f64_type(), "")?;
            then(place, if adding.op == ScalarOp::Sub { e.fneg(value)? } else { value })
        };
        match when {
            [when] => e.when(when.int()?, does),
            _ => does(),
        }
    })
}

/// Emits `<name>__exponent64`.
pub(in crate::device) fn emit_exponent<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    phase: &Phase,
    adding: &Combining,
) -> Emit<FunctionValue<'ctx>> {
    let launch = start(e, kernel, "exponent64", EXTRA)?;
    let sums = Sums::new(kernel, phase, &launch)?;
    each_value(e, (kernel, phase, adding), &launch, &sums, |place, value| {
        let bits = e.float_bits(value)?;
        let exponent = e.and(e.builder.build_right_shift(bits, e.i64(FRACTION), false, "")?, e.i64(SPECIAL))?;
        let is_minus_zero = e.icmp_with(IntPredicate::EQ, bits, i64::MIN)?;
        let word = e.select(is_minus_zero, e.i64(ONLY_MINUS_ZERO), e.add(exponent, e.i64(FIRST))?)?;
        let word = e.resize_unsigned(word, e.context.i32_type())?;
        let address = sums.word(e, place)?;
        // Most values have no larger exponent than those before them.
        let there = e.builder.build_load(word.get_type(), address, "")?.into_int_value();
        relaxed(there.as_instruction())?;
        let is_larger = e.icmp(IntPredicate::ULT, there, word)?;
        e.when(is_larger, || {
            e.builder.build_atomicrmw(AtomicRMWBinOp::UMax, address, word, AtomicOrdering::Monotonic)?;
            Ok(())
        })
    })?;
    launch.finish(e)
}

/// Emits `<name>__sum64`.
pub(in crate::device) fn emit_sum<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    phase: &Phase,
    adding: &Combining,
) -> Emit<FunctionValue<'ctx>> {
    let launch = start(e, kernel, "sum64", EXTRA)?;
    let sums = Sums::new(kernel, phase, &launch)?;
    each_value(e, (kernel, phase, adding), &launch, &sums, |place, value| {
        let word = e.builder.build_load(e.context.i32_type(), sums.word(e, place)?, "")?.into_int_value();
        let exponent = sums.exponent(e, word)?;
        let is_special = e.icmp_with(IntPredicate::EQ, exponent, SPECIAL)?;
        e.either(
            is_special,
            || {
                // Finite values might overflow among themselves, in an order that shows.
                let own = e.builder.build_right_shift(e.float_bits(value)?, e.i64(FRACTION), false, "")?;
                let is_own = e.icmp_with(IntPredicate::EQ, e.and(own, e.i64(SPECIAL))?, SPECIAL)?;
                e.when(is_own, || atomics::add(e, sums.sum(e, place, false)?, value))
            },
            || sums.add(e, place, exponent, value),
        )
    })?;
    launch.finish(e)
}

/// Emits `<name>__round64`.
pub(in crate::device) fn emit_round<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    phase: &Phase,
) -> Emit<FunctionValue<'ctx>> {
    let launch = start(e, kernel, "round64", EXTRA)?;
    let sums = Sums::new(kernel, phase, &launch)?;
    let (thread, threads) = place(e, 'x')?;
    e.count((thread, sums.places.count), threads, None, |place| {
        let word = e.builder.build_load(e.context.i32_type(), sums.word(e, place)?, "")?.into_int_value();
        // An element that only -0 is added to stays what it is.
        let changes = e.icmp_with(IntPredicate::UGT, word, ONLY_MINUS_ZERO)?;
        e.when(changes, || {
            let address = sums.places.element(e, place)?;
            let element = e.load(address, sums.dtype, Access::default())?.float()?;
            let result = total(e, &sums, place, (word, element))?;
            let result = e.builder.build_float_cast(result, element.get_type(), "")?;
            e.store(address, Scalar::Float(result), sums.dtype, Access::default())
        })
    })?;
    launch.finish(e)
}

/// An element with its place's sums: rounded where their high sum is added, of which what was lost is added with the low one.
fn total<'ctx>(
    e: &Emitter<'ctx, '_>,
    sums: &Sums<'ctx>,
    place: IntValue<'ctx>,
    (word, element): (IntValue<'ctx>, FloatValue<'ctx>),
) -> Emit<FloatValue<'ctx>> {
    let element = e.builder.build_float_cast(element, e.context.f64_type(), "")?;
    let exponent = sums.exponent(e, word)?;
    let high = sums.load(e, sums.sum(e, place, false)?)?;
    let is_special = e.icmp_with(IntPredicate::EQ, exponent, SPECIAL)?;
    let is_finite = e.fcmp_with(FloatPredicate::OLT, e.float_intrinsic("llvm.fabs", &[element])?, f64::INFINITY)?;
    let is_plain = e.and(e.not(is_special)?, is_finite)?;
    let plain = e.builder.build_float_add(element, high, "")?;
    let is_nan = e.is_nan(plain)?;
    let plain = e.select(is_nan, e.float_like(plain, f64::NAN), plain)?;
    let result = e.slot_with(plain, "result")?;
    e.when(is_plain, || {
        let is_large = sums.is_large(e, exponent)?;
        let one = e.float_like(element, 1.0);
        let scale = e.select(is_large, e.float_like(element, power(-SCALING)), one)?;
        let back = e.select(is_large, e.float_like(element, power(SCALING)), one)?;
        let element = e.builder.build_float_mul(element, scale, "")?;
        let first = e.builder.build_float_add(element, high, "")?;
        let mut rest = {
            let added = e.builder.build_float_sub(first, element, "")?;
            let kept = e.builder.build_float_sub(first, added, "")?;
            let lost = e.builder.build_float_sub(high, added, "")?;
            e.builder.build_float_add(e.builder.build_float_sub(element, kept, "")?, lost, "")?
        };
        if sums.has_low {
            rest = e.builder.build_float_add(rest, sums.load(e, sums.sum(e, place, true)?)?, "")?;
        }
        // Of what overflowed nothing is left.
        let is_finite = e.fcmp_with(FloatPredicate::OLT, e.float_intrinsic("llvm.fabs", &[first])?, f64::INFINITY)?;
        let sum = e.select(is_finite, e.builder.build_float_add(first, rest, "")?, first)?;
        e.write(result, e.builder.build_float_mul(sum, back, "")?)
    })?;
    Ok(e.builder.build_load(e.context.f64_type(), result, "")?.into_float_value())
}
