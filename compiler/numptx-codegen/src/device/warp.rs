//! Combining accumulators of the threads of a block: along x by butterflies inside warps and shared memory between them, along y through shared
//! memory. The order is fixed.

use inkwell::values::{BasicValueEnum, GlobalValue, IntValue, PointerValue};
use inkwell::{AddressSpace, IntPredicate};
use numptx_ir::kernel::Kernel;

use super::launch::register;
use crate::accumulator::{Accumulator, Layout, Order};
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::value::Scalar;

/// Threads of a warp.
pub(super) const WARP: u32 = 32;
/// Shared memory.
const SHARED: u16 = 3;

/// The shared memory of one kernel function: an array a field.
pub(super) struct Exchange<'ctx> {
    arrays: Vec<GlobalValue<'ctx>>,
    /// Warps of a block.
    n_warps: u32,
    /// Whether there is an element a thread, or else only one a warp.
    holds_all: bool,
}

impl<'ctx> Exchange<'ctx> {
    /// Warps of a block: as many accumulators are there at least.
    pub fn n_warps(&self) -> u32 {
        self.n_warps
    }

    /// Declares the arrays, named after the function. `columns`: [`Exchange::column_total`] is wanted.
    pub fn new(e: &Emitter<'ctx, '_>, kernel: &Kernel, layout: &Layout, function: &str, columns: bool) -> Self {
        let (n_warps, n_threads) = (kernel.schedule.block / WARP, kernel.schedule.block);
        let holds_all = columns && n_threads * layout.bytes <= numptx_abi::Kernel::SHARED_BYTES;
        let length = if holds_all { n_threads } else { n_warps };
        let array = |(n, field): (usize, &crate::accumulator::Field)| {
            let parts = if field.dtype.is_complex() { 2 } else { 1 };
            let ty = match e.memory_type(field.dtype) {
                inkwell::types::BasicTypeEnum::FloatType(ty) => ty.array_type(length * parts),
                other => other.into_int_type().array_type(length * parts),
            };
            let global = e.module.add_global(ty, Some(AddressSpace::from(SHARED)), &format!("{function}__shared{n}"));
            global.set_linkage(inkwell::module::Linkage::Internal);
            global.set_initializer(&ty.get_undef());
            global.set_alignment(16);
            global
        };
        Exchange { arrays: layout.fields.iter().enumerate().map(array).collect(), n_warps, holds_all }
    }

    /// Combines the accumulators in `slots` of the `width` threads of a row: a power of two up to a warp, or the whole block, as wide as `x`.
    /// The row's first thread gets the result. Every thread of the block calls it; it may be called again.
    pub fn row_total(
        &self,
        e: &Emitter<'ctx, '_>,
        layout: &Layout,
        slots: &[PointerValue<'ctx>],
        width: IntValue<'ctx>,
    ) -> Emit<()> {
        let mut distance = WARP / 2;
        while distance > 0 {
            let apart = e.icmp_with(IntPredicate::UGT, width, i64::from(distance))?;
            e.when(apart, || {
                let own = e.read_accumulator(slots, layout)?;
                e.write_accumulator(slots, layout, &with_neighbour(e, layout, &own, distance)?)
            })?;
            distance /= 2;
        }
        if self.n_warps == 1 {
            return Ok(());
        }
        let wide = e.icmp_with(IntPredicate::UGT, width, i64::from(WARP))?;
        e.when(wide, || {
            let total = self.block_total(e, layout, &e.read_accumulator(slots, layout)?)?;
            e.write_accumulator(slots, layout, &total)
        })
    }

    /// The total of a block from its warps' totals, in thread 0. Ends with a barrier.
    fn block_total(
        &self,
        e: &Emitter<'ctx, '_>,
        layout: &Layout,
        warp_total: &[Scalar<'ctx>],
    ) -> Emit<Accumulator<'ctx>> {
        let thread = register(e, "tid.x")?;
        let lane = e.and(thread, e.int_like(thread, i64::from(WARP) - 1))?;
        let warp = e.builder.build_right_shift(thread, e.int_like(thread, 5), false, "")?;
        let leads = e.icmp_with(IntPredicate::EQ, lane, 0)?;
        e.when(leads, || self.write(e, layout, warp, warp_total))?;
        barrier(e)?;
        // Lanes beyond the number of warps read an element that exists, and take the identity instead.
        let exists = e.icmp_with(IntPredicate::ULT, lane, i64::from(self.n_warps))?;
        let at = e.select(exists, lane, e.int_like(lane, 0))?;
        let read = self.read(e, layout, at)?;
        let identity = e.identity(layout)?;
        let mut total = Vec::with_capacity(read.len());
        for (value, identity) in read.into_iter().zip(identity) {
            total.push(e.choose(exists, value, identity)?);
        }
        let mut distance = WARP / 2;
        while distance > 0 {
            total = with_neighbour(e, layout, &total, distance)?;
            distance /= 2;
        }
        barrier(e)?;
        Ok(total)
    }

    /// Combines the accumulators in `slots` of the threads along y, a power of two: those with y = 0 get the results. Every thread of the block
    /// calls it; it may be called again. Nothing happens where accumulators are too large: launches have one thread along y then.
    pub fn column_total(&self, e: &Emitter<'ctx, '_>, layout: &Layout, slots: &[PointerValue<'ctx>]) -> Emit<()> {
        if !self.holds_all {
            return Ok(());
        }
        let (x, y, width) = (register(e, "tid.x")?, register(e, "tid.y")?, register(e, "ntid.x")?);
        let half = |value: IntValue<'ctx>| -> Emit<IntValue<'ctx>> {
            Ok(e.builder.build_right_shift(value, e.int_like(value, 1), false, "")?)
        };
        let own = e.add(e.mul(y, width)?, x)?;
        let rows = e.slot_with(half(register(e, "ntid.y")?)?, "rows")?;
        e.repeat(
            || e.icmp_with(IntPredicate::NE, e.read_int(rows, x)?, 0),
            || {
                let distance = e.read_int(rows, x)?;
                self.write(e, layout, own, &e.read_accumulator(slots, layout)?)?;
                barrier(e)?;
                e.when(e.icmp(IntPredicate::ULT, y, distance)?, || {
                    let other = self.read(e, layout, e.add(own, e.mul(distance, width)?)?)?;
                    let so_far = e.read_accumulator(slots, layout)?;
                    e.write_accumulator(slots, layout, &e.combine(layout, &so_far, &other, Order::Fixed)?)
                })?;
                barrier(e)?;
                e.write(rows, half(distance)?)
            },
        )
    }

    pub fn write(
        &self,
        e: &Emitter<'ctx, '_>,
        layout: &Layout,
        at: IntValue<'ctx>,
        values: &[Scalar<'ctx>],
    ) -> Emit<()> {
        for ((array, field), value) in self.arrays.iter().zip(&layout.fields).zip(values) {
            let address = e.at_element(array.as_pointer_value(), at, field.dtype)?;
            e.store(address, *value, field.dtype, Default::default())?;
        }
        Ok(())
    }

    pub fn read(&self, e: &Emitter<'ctx, '_>, layout: &Layout, at: IntValue<'ctx>) -> Emit<Accumulator<'ctx>> {
        let read = |(array, field): (&GlobalValue<'ctx>, &crate::accumulator::Field)| {
            e.load(e.at_element(array.as_pointer_value(), at, field.dtype)?, field.dtype, Default::default())
        };
        self.arrays.iter().zip(&layout.fields).map(read).collect()
    }
}

/// Waits for all threads of the block.
pub(super) fn barrier(e: &Emitter<'_, '_>) -> Emit<()> {
    let declaration = e.intrinsic_declaration("llvm.nvvm.barrier.cta.sync.aligned.all", &[])?;
    e.builder.build_call(declaration, &[e.context.i32_type().const_zero().into()], "")?;
    Ok(())
}

/// A barrier of some of a block's threads, which are whole warps: one of 1 to 15, and how many threads come to it.
pub(super) fn barrier_of<'ctx>(e: &Emitter<'ctx, '_>, number: IntValue<'ctx>, threads: IntValue<'ctx>) -> Emit<()> {
    let declaration = e.intrinsic_declaration("llvm.nvvm.barrier.cta.sync.aligned.count", &[])?;
    e.builder.build_call(declaration, &[number.into(), threads.into()], "")?;
    Ok(())
}

/// The accumulator combined with that of the thread whose number in the warp differs in one bit.
pub(super) fn with_neighbour<'ctx>(
    e: &Emitter<'ctx, '_>,
    layout: &Layout,
    own: &[Scalar<'ctx>],
    distance: u32,
) -> Emit<Accumulator<'ctx>> {
    let other = own.iter().map(|value| exchange(e, *value, Shuffle::Across(distance))).collect::<Emit<Vec<_>>>()?;
    e.combine(layout, own, &other, Order::Fixed)
}

/// From which thread of the warp a value comes.
#[derive(Clone, Copy)]
pub(super) enum Shuffle<'ctx> {
    /// From the one whose number differs in one bit.
    Across(u32),
    /// From the one so many before; a thread's own where there is none.
    Before(u32),
    /// From the one of this number; 32 bits.
    From(IntValue<'ctx>),
    /// As `Across`, of the lanes that a mask has; others do not take part.
    AcrossOf(u32, IntValue<'ctx>),
    /// As `From`, of the lanes that a mask has.
    FromOf(IntValue<'ctx>, IntValue<'ctx>),
}

/// The value of another thread of the warp.
pub(super) fn exchange<'ctx>(
    e: &Emitter<'ctx, '_>,
    value: Scalar<'ctx>,
    distance: Shuffle<'ctx>,
) -> Emit<Scalar<'ctx>> {
    Ok(match value {
        Scalar::Int(value) => Scalar::Int(exchange_bits(e, value, distance)?),
        Scalar::Float(value) => Scalar::Float(exchange_float(e, value.into(), distance)?),
        Scalar::Complex(re, im) => {
            Scalar::Complex(exchange_float(e, re.into(), distance)?, exchange_float(e, im.into(), distance)?)
        }
    })
}

fn exchange_float<'ctx>(
    e: &Emitter<'ctx, '_>,
    value: BasicValueEnum<'ctx>,
    distance: Shuffle<'ctx>,
) -> Emit<inkwell::values::FloatValue<'ctx>> {
    let BasicValueEnum::FloatValue(value) = value else {
        return Err(bug("a float was expected"));
    };
    e.bits_float(exchange_bits(e, e.float_bits(value)?, distance)?)
}

/// Any width up to 64 bits, by exchanges of 32.
fn exchange_bits<'ctx>(e: &Emitter<'ctx, '_>, value: IntValue<'ctx>, distance: Shuffle<'ctx>) -> Emit<IntValue<'ctx>> {
    let (ty, word) = (value.get_type(), e.context.i32_type());
    if ty.get_bit_width() <= 32 {
        let moved = exchange_word(e, e.resize_unsigned(value, word)?, distance)?;
        return e.resize_unsigned(moved, ty);
    }
    let shift = e.int_like(value, 32);
    let low = exchange_word(e, e.resize_unsigned(value, word)?, distance)?;
    let high = e.resize_unsigned(e.builder.build_right_shift(value, shift, false, "")?, word)?;
    let high = e.resize_unsigned(exchange_word(e, high, distance)?, ty)?;
    e.or(e.resize_unsigned(low, ty)?, e.builder.build_left_shift(high, shift, "")?)
}

fn exchange_word<'ctx>(e: &Emitter<'ctx, '_>, value: IntValue<'ctx>, distance: Shuffle<'ctx>) -> Emit<IntValue<'ctx>> {
    let word = |n: u32| e.context.i32_type().const_int(u64::from(n), false).into();
    const ACROSS: &str = "llvm.nvvm.shfl.sync.bfly.i32";
    const FROM: &str = "llvm.nvvm.shfl.sync.idx.i32";
    let all = word(u32::MAX);
    let (name, distance, bound, lanes) = match distance {
        Shuffle::Across(distance) => (ACROSS, word(distance), WARP - 1, all),
        Shuffle::Before(distance) => ("llvm.nvvm.shfl.sync.up.i32", word(distance), 0, all),
        Shuffle::From(lane) => (FROM, lane.into(), WARP - 1, all),
        Shuffle::AcrossOf(distance, lanes) => (ACROSS, word(distance), WARP - 1, lanes.into()),
        Shuffle::FromOf(lane, lanes) => (FROM, lane.into(), WARP - 1, lanes.into()),
    };
    let arguments = [lanes, value.into(), distance, word(bound)];
    Ok(e.intrinsic(name, &[], &arguments)?.into_int_value())
}
