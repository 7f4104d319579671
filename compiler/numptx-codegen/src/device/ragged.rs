//! The variant of a kernel whose work items combine what as many iterations give as data say: groups of lanes take work items.
//!
//! In: the kernel, and the loops that lanes share. Out: `<name>__ragged64`. The launch says how many lanes a group has, by how many iterations there are to
//! a work item. A block takes as many work items as it has groups. A group leaves a work item whose loop is far longer to the block's whole warps, and these
//! leave the longest ones to the whole block. How long a loop is decides who does it, so that the order of a sum is the same in every run.

use inkwell::values::{GlobalValue, IntValue, PointerValue};
use inkwell::{AddressSpace, AtomicOrdering, AtomicRMWBinOp, IntPredicate};
use numptx_ir::DType;
use numptx_ir::kernel::Kernel;
use numptx_ir::scalar::{Code, Reducer, Val};

use super::lanes::is_commutative;
use super::launch::{Extra, Launch, Variant, Width, register};
use super::warp::{Exchange, Shuffle, WARP, exchange};
use crate::accumulator::{Accumulator, Layout, Order};
use crate::code::{Ragged, ThreadGroup, TriangularSolve, Warps};
use crate::elements::Elements;
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::value::Scalar;

/// Shared memory.
const SHARED: u16 = 3;
/// Iterations of a lane from which on a group that is no warp leaves a work item.
const LONG: i64 = 16;
/// The same of a warp: where all work items are so long, many blocks are busier than one after the other.
const LONG_OF_WARP: i64 = 64;
/// The binary logarithm of a warp's lanes.
const WARP_SHIFT: i64 = 5;
/// What stands for that of a block's.
const BLOCK_SHIFT: i64 = numptx_abi::Kernel::BLOCK_SHIFT as i64;

/// Emits the variant.
pub(super) fn emit<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    code: &Code,
    ragged: &Ragged,
) -> Emit<inkwell::values::FunctionValue<'ctx>> {
    let variant =
        Variant { name: "ragged64".to_owned(), width: Some(Width::Bits64), extra: &[Extra::I32], alignment: 1 };
    let launch = Launch::start(e, kernel, &variant)?;
    let elements = Elements { kernel, bases: &launch.bases, scalars: &launch.scalars, group: None };
    let [extent] = launch.extents[..] else { return Err(bug("work items of groups have one axis")) };
    let shift = launch.extra.first().ok_or_else(|| bug("no size of groups"))?.into_int_value();
    let block = Block::new(e, kernel, ragged)?;
    let zero = e.int_like(shift, 0);
    let is_counter = e.icmp_with(IntPredicate::ULT, block.thread, PASSES - 1)?;
    e.when(is_counter, || e.write(block.counter(e, block.thread)?, zero))?;
    block.meet(e)?;
    let groups = block.groups(e, shift)?;
    let number = {
        let before = e.builder.build_int_nuw_mul(register(e, "ctaid.z")?, register(e, "nctaid.x")?, "")?;
        e.builder.build_int_nuw_add(before, register(e, "ctaid.x")?, "")?
    };
    let wide = |value: IntValue<'ctx>| e.resize_unsigned(value, e.context.i64_type());
    let first = e.mul(wide(number)?, wide(groups)?)?;
    let own = e.smin(e.sub(extent, first)?, wide(groups)?)?;
    let own = e.select(e.icmp(IntPredicate::SLT, first, extent)?, own, e.i64(0))?;
    let left = e.slot_with(e.builder.build_int_truncate(own, e.context.i32_type(), "")?, "left")?;
    let (pass, shifts) = (e.slot_with(zero, "pass")?, e.slot_with(shift, "shift")?);
    e.repeat(
        || e.icmp_with(IntPredicate::SGT, e.read_int(left, zero)?, 0),
        || {
            let (now, shift) = (e.read_int(pass, zero)?, e.read_int(shifts, zero)?);
            let group = e.builder.build_right_shift(block.thread, shift, false, "")?;
            e.count((group, e.read_int(left, zero)?), block.groups(e, shift)?, None, |n| {
                let at = e.slot_with(n, "at")?;
                let is_later = e.icmp_with(IntPredicate::NE, now, 0)?;
                e.when(is_later, || {
                    let listed = block.listed(e, e.sub(now, e.int_like(now, 1))?, n)?;
                    e.write(at, e.read_int(listed, zero)?)
                })?;
                let at = e.read_int(at, zero)?;
                let group = Group::new(e, &block, shift, (now, at))?;
                e.grouped_code(code, &elements, &[e.add(first, wide(at)?)?], &group)
            })?;
            block.meet(e)?;
            let is_last = e.icmp_with(IntPredicate::UGE, now, PASSES - 1)?;
            let counter = e.select(is_last, zero, now)?;
            let listed = e.read_int(block.counter(e, counter)?, zero)?;
            e.write(left, e.select(is_last, zero, listed)?)?;
            e.write(pass, e.add(now, e.int_like(now, 1))?)?;
            let is_less = e.icmp_with(IntPredicate::ULT, shift, WARP_SHIFT)?;
            e.write(shifts, e.select(is_less, e.int_like(zero, WARP_SHIFT), e.int_like(zero, BLOCK_SHIFT))?)
        },
    )?;
    launch.finish(e)
}

/// Groups, warps, the block.
const PASSES: i64 = 3;

/// What the threads of a block have in common.
struct Block<'k, 'ctx> {
    kernel: &'k Kernel,
    ragged: &'k Ragged,
    /// This thread's number, 32 bits as all here.
    thread: IntValue<'ctx>,
    /// Work items that are left to the next pass: for each pass as many as a block has threads.
    lists: GlobalValue<'ctx>,
    /// How many each list has.
    counters: GlobalValue<'ctx>,
}

impl<'k, 'ctx> Block<'k, 'ctx> {
    fn new(e: &Emitter<'ctx, '_>, kernel: &'k Kernel, ragged: &'k Ragged) -> Emit<Self> {
        let array = |n: u32, name: &str| {
            let ty = e.context.i32_type().array_type(n);
            let global = e.module.add_global(ty, Some(AddressSpace::from(SHARED)), &format!("{}__{name}", kernel.name));
            global.set_linkage(inkwell::module::Linkage::Internal);
            global.set_initializer(&ty.get_undef());
            global.set_alignment(16);
            global
        };
        let n_lists = (PASSES - 1) as u32;
        let (lists, counters) = (array(n_lists * kernel.schedule.block, "left"), array(n_lists, "n_left"));
        Ok(Block { kernel, ragged, thread: register(e, "tid.x")?, lists, counters })
    }

    fn threads(&self) -> i64 {
        i64::from(self.kernel.schedule.block)
    }

    fn meet(&self, e: &Emitter<'ctx, '_>) -> Emit<()> {
        let declaration = e.intrinsic_declaration("llvm.nvvm.barrier.cta.sync.all", &[])?;
        e.builder.build_call(declaration, &[e.context.i32_type().const_zero().into()], "")?;
        Ok(())
    }

    /// How many groups of a size there are: one of the block's size.
    fn groups(&self, e: &Emitter<'ctx, '_>, shift: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        let all = e.builder.build_right_shift(e.int_like(shift, self.threads()), shift, false, "")?;
        let is_none = e.icmp_with(IntPredicate::EQ, all, 0)?;
        e.select(is_none, e.int_like(all, 1), all)
    }

    fn counter(&self, e: &Emitter<'ctx, '_>, n: IntValue<'ctx>) -> Emit<PointerValue<'ctx>> {
        e.at_element(self.counters.as_pointer_value(), n, DType::I32)
    }

    /// Where the list of a pass has its work item `n`.
    fn listed(&self, e: &Emitter<'ctx, '_>, pass: IntValue<'ctx>, n: IntValue<'ctx>) -> Emit<PointerValue<'ctx>> {
        let at = e.add(e.mul(pass, e.int_like(pass, self.threads()))?, n)?;
        e.at_element(self.lists.as_pointer_value(), at, DType::I32)
    }
}

/// Lanes that take a work item together: some of a warp, a warp, or a block.
struct Group<'b, 'ctx> {
    block: &'b Block<'b, 'ctx>,
    shift: IntValue<'ctx>,
    /// This thread's number among them, and how many they are.
    lane: IntValue<'ctx>,
    n: IntValue<'ctx>,
    /// Those of this thread's warp as bits, and the first of them.
    lanes: IntValue<'ctx>,
    first: IntValue<'ctx>,
    pass: IntValue<'ctx>,
    /// The work item among the block's.
    at: IntValue<'ctx>,
}

impl<'b, 'ctx> Group<'b, 'ctx> {
    fn new(
        e: &Emitter<'ctx, '_>,
        block: &'b Block<'b, 'ctx>,
        shift: IntValue<'ctx>,
        (pass, at): (IntValue<'ctx>, IntValue<'ctx>),
    ) -> Emit<Self> {
        let word = |n: i64| e.int_like(shift, n);
        let shl = |value, by| e.builder.build_left_shift(value, by, "");
        let size = shl(word(1), shift)?;
        let lane = e.and(block.thread, e.sub(size, word(1))?)?;
        let is_less = e.icmp_with(IntPredicate::ULT, shift, WARP_SHIFT)?;
        let is_block = e.icmp_with(IntPredicate::UGT, shift, WARP_SHIFT)?;
        let n = e.select(is_block, word(block.threads()), size)?;
        let in_warp = e.and(block.thread, word(i64::from(WARP) - 1))?;
        let first = e.select(is_less, e.sub(in_warp, lane)?, word(0))?;
        let some = shl(e.sub(shl(word(1), e.and(size, word(i64::from(WARP) - 1))?)?, word(1))?, first)?;
        let lanes = e.select(is_less, some, word(-1))?;
        Ok(Group { block, shift, lane, n, lanes, first, pass, at })
    }

    fn is_first(&self, e: &Emitter<'ctx, '_>) -> Emit<IntValue<'ctx>> {
        e.icmp_with(IntPredicate::EQ, self.lane, 0)
    }

    fn is_block(&self, e: &Emitter<'ctx, '_>) -> Emit<IntValue<'ctx>> {
        e.icmp_with(IntPredicate::UGT, self.shift, WARP_SHIFT)
    }

    fn meet(&self, e: &Emitter<'ctx, '_>) -> Emit<()> {
        let warps = || {
            let declaration = e.intrinsic_declaration("llvm.nvvm.bar.warp.sync", &[])?;
            e.builder.build_call(declaration, &[self.lanes.into()], "")?;
            Ok(())
        };
        e.either(self.is_block(e)?, || self.block.meet(e), warps)
    }

    /// The total of the lanes of a warp, for all of them.
    fn of_warp(&self, e: &Emitter<'ctx, '_>, layout: &Layout, slots: &[PointerValue<'ctx>]) -> Emit<()> {
        let mut distance = WARP / 2;
        while distance > 0 {
            let are_apart = e.icmp_with(IntPredicate::UGT, self.n, i64::from(distance))?;
            e.when(are_apart, || {
                let own = e.read_accumulator(slots, layout)?;
                let across = Shuffle::AcrossOf(distance, self.lanes);
                let other = own.iter().map(|value| exchange(e, *value, across)).collect::<Emit<Vec<_>>>()?;
                e.write_accumulator(slots, layout, &e.combine(layout, &own, &other, Order::Fixed)?)
            })?;
            distance /= 2;
        }
        if layout.reducers.iter().all(|(reducer, dtype)| is_commutative(*reducer, *dtype)) {
            return Ok(());
        }
        let from = Shuffle::FromOf(self.first, self.lanes);
        let own = e.read_accumulator(slots, layout)?;
        let all = own.into_iter().map(|value| exchange(e, value, from)).collect::<Emit<Vec<_>>>()?;
        e.write_accumulator(slots, layout, &all)
    }

    /// The total of a block's warps, for all threads.
    fn of_block(&self, e: &Emitter<'ctx, '_>, layout: &Layout, slots: &[PointerValue<'ctx>]) -> Emit<()> {
        let kernel = self.block.kernel;
        let shared = Exchange::new(e, kernel, layout, &kernel.name, false);
        let warp = e.builder.build_right_shift(self.lane, e.int_like(self.lane, WARP_SHIFT), false, "")?;
        let in_warp = e.and(self.lane, e.int_like(self.lane, i64::from(WARP) - 1))?;
        let own = e.read_accumulator(slots, layout)?;
        e.when(e.icmp_with(IntPredicate::EQ, in_warp, 0)?, || shared.write(e, layout, warp, &own))?;
        self.block.meet(e)?;
        e.write_accumulator(slots, layout, &shared.read(e, layout, e.int_like(warp, 0))?)?;
        e.count((e.int_like(warp, 1), e.int_like(warp, shared.n_warps().into())), e.int_like(warp, 1), None, |n| {
            let so_far = e.read_accumulator(slots, layout)?;
            let all = e.combine(layout, &so_far, &shared.read(e, layout, n)?, Order::Fixed)?;
            e.write_accumulator(slots, layout, &all)
        })?;
        self.block.meet(e)
    }
}

impl<'ctx> ThreadGroup<'ctx> for Group<'_, 'ctx> {
    fn place(&self, e: &Emitter<'ctx, '_>, _work_items: IntValue<'ctx>) -> Emit<(IntValue<'ctx>, IntValue<'ctx>)> {
        let wide = |value| e.resize_unsigned(value, e.context.i64_type());
        Ok((wide(self.lane)?, wide(self.n)?))
    }

    fn has_lanes(&self) -> bool {
        true
    }

    fn barrier(&self, _e: &Emitter<'ctx, '_>) -> Emit<()> {
        Err(bug("a work item waits for others"))
    }

    fn solve(&self, _e: &Emitter<'ctx, '_>, _parts: &mut dyn TriangularSolve<'ctx>) -> Emit<()> {
        Err(bug("a work item solves a system"))
    }

    fn total(&self, e: &Emitter<'ctx, '_>, layout: &Layout, own: &[Scalar<'ctx>]) -> Emit<Accumulator<'ctx>> {
        let slots = e.accumulator_slots(layout, own)?;
        self.of_warp(e, layout, &slots)?;
        if self.block.threads() > i64::from(WARP) {
            e.when(self.is_block(e)?, || self.of_block(e, layout, &slots))?;
        }
        e.read_accumulator(&slots, layout)
    }

    fn warps(&self, _e: &Emitter<'ctx, '_>) -> Emit<Option<Warps<'ctx>>> {
        Ok(None)
    }

    fn store(&self, e: &Emitter<'ctx, '_>, store: &mut dyn FnMut() -> Emit<()>) -> Emit<()> {
        if self.block.ragged.loads_stored {
            self.meet(e)?;
        }
        e.when(self.is_first(e)?, store)?;
        if self.block.ragged.loads_stored { self.meet(e) } else { Ok(()) }
    }

    fn combined(&self, index: Val) -> Option<&[(Reducer, DType)]> {
        self.block.ragged.of_loop(index).map(Vec::as_slice)
    }

    fn leaves(&self, e: &Emitter<'ctx, '_>, count: IntValue<'ctx>) -> Emit<Option<IntValue<'ctx>>> {
        if !self.block.ragged.may_leave {
            return Ok(None);
        }
        let is_warp = e.icmp_with(IntPredicate::EQ, self.shift, WARP_SHIFT)?;
        let of_lane = e.select(is_warp, e.i64(LONG_OF_WARP), e.i64(LONG))?;
        let most = e.mul(of_lane, e.resize_unsigned(self.n, e.context.i64_type())?)?;
        let is_long = e.icmp(IntPredicate::UGT, count, most)?;
        let leaves = e.and(is_long, e.not(self.is_block(e)?)?)?;
        e.when(e.and(leaves, self.is_first(e)?)?, || {
            let (counter, one) = (self.block.counter(e, self.pass)?, e.int_like(self.pass, 1));
            let n = e.builder.build_atomicrmw(AtomicRMWBinOp::Add, counter, one, AtomicOrdering::Monotonic)?;
            e.write(self.block.listed(e, self.pass, n)?, self.at)
        })?;
        Ok(Some(leaves))
    }
}
