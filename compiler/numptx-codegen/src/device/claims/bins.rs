//! Scatters that combine integers, in any order: by atomic operations on the elements (`combine64`), or on bins that each block has in its shared memory and
//! combines with the elements in the end (`bins64`), where there are few elements and so many threads wait for each one.
//!
//! In: a kernel whose work items combine. Out: its elements are what they would be in C order, but for how floats are rounded, where their order may show.
//! A thread loads what several work items need before any of them combines, so that more loads are under way. Bins of fewer bits than 32 have 32. Those of
//! sums of 64 bits are two words, because shared memory adds no longer ones at once: what is carried out of the low word goes to the high one.

use inkwell::values::{BasicValueEnum, FunctionValue, IntValue, PointerValue};
use inkwell::{AddressSpace, AtomicOrdering, AtomicRMWBinOp, IntPredicate};
use numptx_abi::Kernel as Descriptor;
use numptx_ir::DType;
use numptx_ir::dtype::Kind;
use numptx_ir::kernel::{Kernel, Phase};
use numptx_ir::scalar::ScalarOp;

use super::places::{EXTRA, Places};
use super::{atomics, elements, outputs, start};
use crate::claims::Combining;
use crate::device::launch::{Launch, place, wide_register};
use crate::device::warp::barrier;
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::phase::operand;

/// Work items whose loads a thread has under way at once.
const AT_ONCE: usize = 4;
/// Shared memory.
const SHARED: u16 = 3;

/// A work item's element and what it is combined with.
struct Update<'ctx> {
    /// Bytes after the destination's first element.
    offset: IntValue<'ctx>,
    value: BasicValueEnum<'ctx>,
    /// Whether there is such a work item.
    is_there: IntValue<'ctx>,
}

/// Emits `<name>__combine64`.
pub(in crate::device) fn emit_combine<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    phase: &Phase,
    combining: &Combining,
) -> Emit<FunctionValue<'ctx>> {
    let launch = start(e, kernel, "combine64", &[])?;
    let (dtype, base) = destination(kernel, phase, &launch)?;
    each_update(e, kernel, phase, combining, &launch, |update| {
        let element = e.at_bytes(base, update.offset)?;
        match update.value {
            BasicValueEnum::FloatValue(value) if combining.op == ScalarOp::Sub => {
                atomics::add(e, element, e.fneg(value)?)
            }
            BasicValueEnum::FloatValue(value) => atomics::add(e, element, value),
            value => combine(e, combining.op, dtype, element, value.into_int_value()).map(drop),
        }
    })?;
    launch.finish(e)
}

/// Emits `<name>__bins64`.
pub(in crate::device) fn emit_bins<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    phase: &Phase,
    combining: &Combining,
) -> Emit<FunctionValue<'ctx>> {
    let [scatter] = phase.scatters.as_slice() else { return Err(bug("a kernel scatters to several tables")) };
    let launch = start(e, kernel, "bins64", EXTRA)?;
    let places = Places::new(kernel, &launch, scatter)?;
    let (dtype, _) = destination(kernel, phase, &launch)?;
    let bins = Bins::new(e, kernel, combining.op, dtype);
    let (thread, threads) = (wide_register(e, "tid.x")?, wide_register(e, "ntid.x")?);
    let each_bin = |body: &dyn Fn(IntValue<'ctx>) -> Emit<()>| e.count((thread, places.count), threads, None, body);
    each_bin(&|bin| bins.clear(e, bin))?;
    barrier(e)?;
    each_update(e, kernel, phase, combining, &launch, |update| {
        bins.combine(e, places.place(e, update.offset)?, update.value.into_int_value())
    })?;
    barrier(e)?;
    each_bin(&|bin| {
        let value = bins.read(e, bin)?;
        let is_used = e.icmp(IntPredicate::NE, value, bins.identity(e))?;
        e.when(is_used, || {
            let value = e.resize_signed(value, memory_int(e, dtype))?;
            combine(e, bins.op, dtype, places.element(e, bin)?, value).map(drop)
        })
    })?;
    launch.finish(e)
}

/// The dtype and the first element of what is scattered to.
fn destination<'ctx>(kernel: &Kernel, phase: &Phase, launch: &Launch<'ctx>) -> Emit<(DType, PointerValue<'ctx>)> {
    let [scatter] = phase.scatters.as_slice() else { return Err(bug("a kernel scatters to several tables")) };
    let n = kernel.tables[scatter.table].operand;
    Ok((operand(kernel, n)?.dtype, launch.bases[n]))
}

/// The integer that an element is in memory.
fn memory_int<'ctx>(e: &Emitter<'ctx, '_>, dtype: DType) -> inkwell::types::IntType<'ctx> {
    if dtype == DType::Bool { e.context.i8_type() } else { e.int_type(dtype) }
}

/// Goes through a thread's work items.
fn each_update<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    phase: &Phase,
    combining: &Combining,
    launch: &Launch<'ctx>,
    then: impl Fn(&Update<'ctx>) -> Emit<()>,
) -> Emit<()> {
    let (dtype, _) = destination(kernel, phase, launch)?;
    let table = phase.scatters[0].table;
    let combined = Phase { body: combining.body.clone(), scatters: Vec::new(), ..phase.clone() };
    let (thread, threads) = place(e, 'x')?;
    let work_items = launch.work_items(e, 0..kernel.rank, e.i64(1))?;
    let step = e.mul(threads, e.i64(AT_ONCE as i64))?;
    let last = e.sub(work_items, e.i64(1))?;
    e.count((thread, work_items), step, None, |first| {
        let mut updates = Vec::with_capacity(AT_ONCE);
        let mut work_item = first;
        for n in 0..AT_ONCE {
            let is_there = e.icmp(IntPredicate::SLE, work_item, last)?;
            // Where there is none its loads are another one's, so that none waits for a branch.
            let known = if n == 0 { work_item } else { e.smin(work_item, last)? };
            let indices = launch.decompose(e, 0..kernel.rank, known)?;
            let outputs = outputs(e, kernel, &combined, launch, &indices)?;
            let [value, at @ ..] = outputs.as_slice() else { return Err(bug("a scatter of nothing")) };
            let offset = elements(kernel, launch).offset(e, table, at)?;
            let value = e.components(*value, dtype)?[0];
            updates.push(Update { offset, value, is_there });
            work_item = e.add(work_item, threads)?;
        }
        for (n, update) in updates.iter().enumerate() {
            match n {
                0 => then(update)?,
                _ => e.when(update.is_there, || then(update))?,
            }
        }
        Ok(())
    })
}

/// One atomic operation; what was there before.
fn combine<'ctx>(
    e: &Emitter<'ctx, '_>,
    op: ScalarOp,
    dtype: DType,
    address: PointerValue<'ctx>,
    value: IntValue<'ctx>,
) -> Emit<IntValue<'ctx>> {
    let is_signed = dtype.kind() == Kind::Signed;
    let op = match op {
        ScalarOp::Add => AtomicRMWBinOp::Add,
        ScalarOp::Sub => AtomicRMWBinOp::Sub,
        ScalarOp::Min if is_signed => AtomicRMWBinOp::Min,
        ScalarOp::Min => AtomicRMWBinOp::UMin,
        ScalarOp::Max if is_signed => AtomicRMWBinOp::Max,
        ScalarOp::Max => AtomicRMWBinOp::UMax,
        ScalarOp::BitAnd => AtomicRMWBinOp::And,
        ScalarOp::BitOr => AtomicRMWBinOp::Or,
        ScalarOp::BitXor => AtomicRMWBinOp::Xor,
        op => return Err(bug(format!("`{}` is no atomic operation", op.name()))),
    };
    Ok(e.builder.build_atomicrmw(op, address, value, AtomicOrdering::Monotonic)?)
}

/// A block's bins.
struct Bins<'ctx> {
    /// What combines bins with elements.
    op: ScalarOp,
    dtype: DType,
    words: PointerValue<'ctx>,
    /// Of sums of 64 bits: the high words.
    high: Option<PointerValue<'ctx>>,
}

impl<'ctx> Bins<'ctx> {
    fn new(e: &Emitter<'ctx, '_>, kernel: &Kernel, op: ScalarOp, dtype: DType) -> Self {
        // A difference of sums is the sum of what is taken away, taken away.
        let is_sum = matches!(op, ScalarOp::Add | ScalarOp::Sub);
        let is_long = dtype.itemsize() == 8;
        let bits = if is_long && !is_sum { 64 } else { 32 };
        let shared = |name: &str| {
            let word = if bits == 64 { e.context.i64_type() } else { e.context.i32_type() };
            let ty = word.array_type(Descriptor::BINS as u32);
            let name = format!("{}__{name}", kernel.name);
            let global = e.module.add_global(ty, Some(AddressSpace::from(SHARED)), &name);
            global.set_linkage(inkwell::module::Linkage::Internal);
            global.set_initializer(&ty.get_undef());
            global.set_alignment(bits / 8);
            global.as_pointer_value()
        };
        let words = shared("bins");
        let high = (is_long && is_sum).then(|| shared("bins_high"));
        Bins { op, dtype, words, high }
    }

    /// What bins are counted in.
    fn int(&self, e: &Emitter<'ctx, '_>) -> inkwell::types::IntType<'ctx> {
        if self.dtype.itemsize() == 8 { e.context.i64_type() } else { e.context.i32_type() }
    }

    fn identity(&self, e: &Emitter<'ctx, '_>) -> IntValue<'ctx> {
        let int = self.int(e);
        let ones = int.const_all_ones();
        let least = int.const_int(1 << (int.get_bit_width() - 1), false);
        let is_signed = self.dtype.kind() == Kind::Signed;
        match self.op {
            ScalarOp::BitAnd => ones,
            ScalarOp::Min if is_signed => least.const_not(),
            ScalarOp::Min => ones,
            ScalarOp::Max if is_signed => least,
            _ => int.const_zero(),
        }
    }

    fn word(&self, e: &Emitter<'ctx, '_>, words: PointerValue<'ctx>, bin: IntValue<'ctx>) -> Emit<PointerValue<'ctx>> {
        let bytes = if self.high.is_none() && self.dtype.itemsize() == 8 { 8 } else { 4 };
        e.at_bytes(words, e.mul(bin, e.i64(bytes))?)
    }

    fn clear(&self, e: &Emitter<'ctx, '_>, bin: IntValue<'ctx>) -> Emit<()> {
        let word = e.context.i32_type();
        if let Some(high) = self.high {
            e.write(self.word(e, high, bin)?, word.const_zero())?;
            return e.write(self.word(e, self.words, bin)?, word.const_zero());
        }
        e.write(self.word(e, self.words, bin)?, self.identity(e))
    }

    fn combine(&self, e: &Emitter<'ctx, '_>, bin: IntValue<'ctx>, value: IntValue<'ctx>) -> Emit<()> {
        let address = self.word(e, self.words, bin)?;
        let op = if self.op == ScalarOp::Sub { ScalarOp::Add } else { self.op };
        let Some(high) = self.high else {
            let is_signed = self.dtype.kind() == Kind::Signed;
            let resize = if is_signed { Emitter::resize_signed } else { Emitter::resize_unsigned };
            return combine(e, op, self.dtype, address, resize(e, value, self.int(e))?).map(drop);
        };
        let word = e.context.i32_type();
        let low = e.resize_unsigned(value, word)?;
        let before = combine(e, op, self.dtype, address, low)?;
        let is_carried = e.icmp(IntPredicate::ULT, e.add(before, low)?, low)?;
        let upper = e.builder.build_right_shift(value, e.i64(32), false, "")?;
        let upper = e.resize_unsigned(upper, word)?;
        let upper = e.add(upper, e.resize_unsigned(is_carried, word)?)?;
        let is_more = e.icmp_with(IntPredicate::NE, upper, 0)?;
        e.when(is_more, || combine(e, op, self.dtype, self.word(e, high, bin)?, upper).map(drop))
    }

    fn read(&self, e: &Emitter<'ctx, '_>, bin: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        let address = self.word(e, self.words, bin)?;
        let Some(high) = self.high else {
            return Ok(e.builder.build_load(self.int(e), address, "")?.into_int_value());
        };
        let load = |address: PointerValue<'ctx>| -> Emit<IntValue<'ctx>> {
            Ok(e.builder.build_load(e.context.i32_type(), address, "")?.into_int_value())
        };
        let (low, high) = (load(address)?, load(self.word(e, high, bin)?)?);
        let long = e.context.i64_type();
        let high = e.builder.build_left_shift(e.resize_unsigned(high, long)?, e.i64(32), "")?;
        e.or(high, e.resize_unsigned(low, long)?)
    }
}
