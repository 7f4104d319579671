//! The blocks of a launch, what they share, and how they meet: through a cluster's hardware, or at counters in a grid's scratch memory.

use std::cell::Cell;

use inkwell::values::{GlobalValue, IntValue, PointerValue};
use inkwell::{AddressSpace, InlineAsmDialect, IntPredicate};

use super::lanes;
use super::launch::{place_at_once, register, wide_register};
use super::reduce::wide;
use super::warp::{self, WARP};
use crate::accumulator::{Layout, Order};
use crate::code::ThreadGroup;
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::value::Scalar;

/// Bytes of an accumulator of one value.
pub(super) const SLOT: i64 = 16;
/// Warps of a block at most.
const WARPS: i64 = 32;
/// Shared memory.
const SHARED: u16 = 3;
/// Where the blocks' accumulators begin in a grid's scratch memory, after the counter.
pub(super) const PARTIALS: i64 = numptx_abi::Kernel::GRID_COUNTER_BYTES;

/// Bytes from a grid's scratch memory to the counters of a triangular solve: of tiles that are solved, and of sums that blocks have found for even tiles, which
/// those for odd tiles follow.
pub(super) const SOLVED: i64 = 32;
pub(super) const FOUND: i64 = 48;

/// Shared memory for so many accumulators.
pub(super) fn shared<'ctx>(e: &Emitter<'ctx, '_>, name: &str, slots: i64) -> GlobalValue<'ctx> {
    let ty = e.context.i8_type().array_type((slots * SLOT) as u32);
    let shared = e.module.add_global(ty, Some(AddressSpace::from(SHARED)), name);
    shared.set_linkage(inkwell::module::Linkage::Internal);
    shared.set_initializer(&ty.get_undef());
    shared.set_alignment(SLOT as u32);
    shared
}

/// The other blocks.
pub(super) enum Others<'ctx> {
    Nobody,
    Cluster(Cluster<'ctx>),
    Grid(Grid<'ctx>),
}

/// The threads of a block, and the other blocks if there are any.
pub(super) struct Block<'ctx> {
    /// This thread's number in all blocks, and how many there are.
    pub(super) number: IntValue<'ctx>,
    pub(super) n: IntValue<'ctx>,
    /// How many steps were dealt out since the last barrier.
    pub(super) turn: Cell<i64>,
    /// The thread's number in its block, and how many it has; 32 bits.
    pub(super) thread: IntValue<'ctx>,
    pub(super) threads: IntValue<'ctx>,
    /// How many it has at most.
    pub(super) most: u32,
    /// An accumulator a warp, twice: one half is read while the other is written.
    shared: GlobalValue<'ctx>,
    /// Which half is next: 0 or 1.
    half: PointerValue<'ctx>,
    pub(super) others: Others<'ctx>,
}

/// How blocks meet.
pub(super) struct Grid<'ctx> {
    /// The counter of arrivals, 0 before the launch, and those of triangular solves; then an accumulator a block, twice; then sums of triangular solves.
    pub(super) scratch: PointerValue<'ctx>,
    /// How many arrivals make the next meeting complete.
    target: PointerValue<'ctx>,
    /// Which accumulators are next: 0 or 1.
    half: PointerValue<'ctx>,
    /// The counters of triangular solves before the next one.
    pub(super) solved: PointerValue<'ctx>,
    pub(super) found: [PointerValue<'ctx>; 2],
    /// This block's number and how many there are, `i64`.
    pub(super) block: IntValue<'ctx>,
    pub(super) blocks: IntValue<'ctx>,
}

impl<'ctx> Block<'ctx> {
    pub(super) fn new(e: &Emitter<'ctx, '_>, function: &str, others: Others<'ctx>, most: u32) -> Emit<Self> {
        let (number, n) = place_at_once(e)?;
        let (thread, threads) = (register(e, "tid.x")?, register(e, "ntid.x")?);
        let shared = shared(e, &format!("{function}__shared"), 2 * WARPS);
        let half = e.slot_with(e.i64(0), "half")?;
        Ok(Block { number, n, turn: Cell::new(0), thread, threads, most, shared, half, others })
    }

    /// Leaves the accumulators of a block's warps in shared memory, and waits until all are there; where the first lies, and how many there are.
    fn of_warps(
        &self,
        e: &Emitter<'ctx, '_>,
        layout: &Layout,
        own: &[Scalar<'ctx>],
    ) -> Emit<(PointerValue<'ctx>, IntValue<'ctx>)> {
        let half = e.read_int(self.half, e.i64(0))?;
        e.write(self.half, e.sub(e.i64(1), half)?)?;
        let first = e.at_bytes(self.shared.as_pointer_value(), e.mul(half, e.i64(WARPS * SLOT))?)?;
        let at = |n: IntValue<'ctx>| e.at_bytes(first, e.mul(wide(e, n)?, e.i64(SLOT))?);
        let shift = e.int_like(self.thread, 5);
        let lane = e.and(self.thread, e.int_like(self.thread, i64::from(WARP) - 1))?;
        let warp = e.builder.build_right_shift(self.thread, shift, false, "")?;
        let warps = e.builder.build_right_shift(self.threads, shift, false, "")?;
        let total = lanes::total(e, layout, own)?;
        e.when(e.icmp_with(IntPredicate::EQ, lane, 0)?, || e.store_accumulator(layout, at(warp)?, &total))?;
        warp::barrier(e)?;
        Ok((first, warps))
    }

    /// The accumulators of a block's threads combined, for all of them.
    pub(super) fn block_total(
        &self,
        e: &Emitter<'ctx, '_>,
        layout: &Layout,
        own: &[Scalar<'ctx>],
    ) -> Emit<Vec<Scalar<'ctx>>> {
        let (first, warps) = self.of_warps(e, layout, own)?;
        self.total_of_first(e, layout, first, warps)
    }

    /// The first `n` accumulators at an address combined, at most one for each thread of a warp.
    fn total_of_first(
        &self,
        e: &Emitter<'ctx, '_>,
        layout: &Layout,
        first: PointerValue<'ctx>,
        n: IntValue<'ctx>,
    ) -> Emit<Vec<Scalar<'ctx>>> {
        let lane = e.and(self.thread, e.int_like(self.thread, i64::from(WARP) - 1))?;
        // Lanes beyond them read an element that exists, and take the identity instead.
        let exists = e.icmp(IntPredicate::ULT, lane, n)?;
        let at = wide(e, e.select(exists, lane, e.int_like(lane, 0))?)?;
        let read = e.load_accumulator(layout, e.at_bytes(first, e.mul(at, e.i64(SLOT))?)?)?;
        let both = read.into_iter().zip(e.identity(layout)?);
        let read = both.map(|(value, identity)| e.choose(exists, value, identity)).collect::<Emit<Vec<_>>>()?;
        lanes::total(e, layout, &read)
    }

    /// The accumulators of a cluster's threads combined, for all of them: each block's total goes to the shared memory of every block.
    pub(super) fn cluster_total(
        &self,
        e: &Emitter<'ctx, '_>,
        cluster: &Cluster<'ctx>,
        layout: &Layout,
        own: &[Scalar<'ctx>],
    ) -> Emit<Vec<Scalar<'ctx>>> {
        let (of_warps, warps) = self.of_warps(e, layout, own)?;
        let half = e.read_int(cluster.half, e.i64(0))?;
        e.write(cluster.half, e.sub(e.i64(1), half)?)?;
        let first = e.at_bytes(cluster.shared.as_pointer_value(), e.mul(half, e.i64(WARPS * SLOT))?)?;
        let is_first_warp = e.icmp_with(IntPredicate::ULT, self.thread, i64::from(WARP))?;
        e.when(is_first_warp, || {
            let total = self.total_of_first(e, layout, of_warps, warps)?;
            e.when(e.icmp(IntPredicate::ULT, self.thread, cluster.blocks)?, || {
                let own = e.at_bytes(first, e.mul(wide(e, cluster.block)?, e.i64(SLOT))?)?;
                e.store_accumulator(layout, cluster.in_block(e, own, self.thread)?, &total)
            })
        })?;
        cluster.meet(e)?;
        self.total_of_first(e, layout, first, cluster.blocks)
    }

    /// The totals of all blocks combined, for all of them.
    pub(super) fn grid_total(
        &self,
        e: &Emitter<'ctx, '_>,
        grid: &Grid<'ctx>,
        layout: &Layout,
        total: &[Scalar<'ctx>],
    ) -> Emit<Vec<Scalar<'ctx>>> {
        let half = e.read_int(grid.half, e.i64(0))?;
        e.write(grid.half, e.sub(e.i64(1), half)?)?;
        let first = e.add(e.i64(PARTIALS), e.mul(half, e.mul(grid.blocks, e.i64(SLOT))?)?)?;
        let first = e.at_bytes(grid.scratch, first)?;
        let at = |n: IntValue<'ctx>| e.at_bytes(first, e.mul(n, e.i64(SLOT))?);
        let leads = e.icmp_with(IntPredicate::EQ, self.thread, 0)?;
        e.when(leads, || e.store_accumulator(layout, at(grid.block)?, total))?;
        self.barrier(e)?;
        let slots = e.accumulator_slots(layout, &e.identity(layout)?)?;
        let range = (wide(e, self.thread)?, grid.blocks);
        e.count(range, wide(e, self.threads)?, None, |block| {
            let (so_far, other) = (e.read_accumulator(&slots, layout)?, e.load_accumulator(layout, at(block)?)?);
            e.write_accumulator(&slots, layout, &e.combine(layout, &so_far, &other, Order::Fixed)?)
        })?;
        self.block_total(e, layout, &e.read_accumulator(&slots, layout)?)
    }
}

/// How the blocks of a cluster meet.
pub(super) struct Cluster<'ctx> {
    /// An accumulator a block, twice: one half is read while the other is written.
    shared: GlobalValue<'ctx>,
    /// Which half is next: 0 or 1.
    half: PointerValue<'ctx>,
    /// This block's number and how many there are; 32 bits.
    pub(super) block: IntValue<'ctx>,
    pub(super) blocks: IntValue<'ctx>,
}

impl<'ctx> Cluster<'ctx> {
    /// Waits for all blocks: what lies in the shared memory of one may be met once it runs.
    pub(super) fn new(e: &Emitter<'ctx, '_>, function: &str) -> Emit<Self> {
        let (block, blocks) = (register(e, "cluster.ctarank")?, register(e, "cluster.nctarank")?);
        let shared = shared(e, &format!("{function}__blocks"), 2 * WARPS);
        let cluster = Cluster { shared, half: e.slot_with(e.i64(0), "half")?, block, blocks };
        cluster.meet(e)?;
        Ok(cluster)
    }

    /// The barrier of all threads of all blocks; what they stored is seen after it.
    pub(super) fn meet(&self, e: &Emitter<'ctx, '_>) -> Emit<()> {
        for half in ["arrive", "wait"] {
            let name = format!("llvm.nvvm.barrier.cluster.{half}.aligned");
            e.builder.build_call(e.intrinsic_declaration(&name, &[])?, &[], "")?;
        }
        Ok(())
    }

    /// The address of what another block has where this one has `address` in its shared memory.
    pub(super) fn in_block(
        &self,
        e: &Emitter<'ctx, '_>,
        address: PointerValue<'ctx>,
        block: IntValue<'ctx>,
    ) -> Emit<PointerValue<'ctx>> {
        let generic = e.context.ptr_type(AddressSpace::default());
        let address = e.builder.build_address_space_cast(address, generic, "")?;
        let ty = generic.fn_type(&[generic.into(), block.get_type().into()], false);
        let (text, operands) = ("mapa.u64 $0, $1, $2;".to_string(), "=l,l,r".to_string());
        let assembly =
            e.context.create_inline_asm(ty, text, operands, false, false, Some(InlineAsmDialect::ATT), false);
        let call = e.builder.build_indirect_call(ty, assembly, &[address.into(), block.into()], "")?;
        let value = call.try_as_basic_value().basic();
        Ok(value.ok_or_else(|| bug("assembly without a result"))?.into_pointer_value())
    }
}

impl<'ctx> Grid<'ctx> {
    pub(super) fn new(e: &Emitter<'ctx, '_>, scratch: PointerValue<'ctx>) -> Emit<Self> {
        let (block, blocks) = (wide_register(e, "ctaid.x")?, wide_register(e, "nctaid.x")?);
        let zero = |name: &str| e.slot_with(e.i64(0), name);
        let (target, half, solved) = (zero("target")?, zero("half")?, zero("solved")?);
        let found = [zero("found_even")?, zero("found_odd")?];
        Ok(Grid { scratch, target, half, solved, found, block, blocks })
    }

    /// Says that this block has come, and waits for the others. One thread of each block calls it, between two barriers of the block: what its
    /// block's threads stored is seen by whoever meets it here.
    pub(super) fn meet(&self, e: &Emitter<'ctx, '_>) -> Emit<()> {
        let target = e.add(e.read_int(self.target, e.i64(0))?, self.blocks)?;
        e.write(self.target, target)?;
        self.count_on(e, e.i64(0))?;
        self.reaches(e, e.i64(0), target)
    }

    /// Makes a counter, so many bytes from the scratch memory, one more: what this thread stored, and others before a barrier of the block, is seen by
    /// whoever sees that.
    pub(super) fn count_on(&self, e: &Emitter<'ctx, '_>, counter: IntValue<'ctx>) -> Emit<()> {
        let text = "fence.acq_rel.gpu; red.relaxed.gpu.global.add.u64 [$1], 1; mov.u64 $0, 0;";
        self.assembly(e, counter, text).map(drop)
    }

    /// Waits until a counter is so large.
    pub(super) fn reaches(&self, e: &Emitter<'ctx, '_>, counter: IntValue<'ctx>, target: IntValue<'ctx>) -> Emit<()> {
        e.repeat(
            || {
                let arrived = self.assembly(e, counter, "ld.acquire.gpu.global.u64 $0, [$1];")?;
                e.icmp(IntPredicate::ULT, arrived, target)
            },
            || Ok(()),
        )
    }

    /// Instructions on a counter's address `$1` that give a number `$0`.
    fn assembly(&self, e: &Emitter<'ctx, '_>, counter: IntValue<'ctx>, text: &str) -> Emit<IntValue<'ctx>> {
        let (long, pointer) = (e.context.i64_type(), self.scratch.get_type());
        let ty = long.fn_type(&[pointer.into()], false);
        let (text, operands) = (text.to_string(), "=l,l,~{memory}".to_string());
        let dialect = Some(InlineAsmDialect::ATT);
        let assembly = e.context.create_inline_asm(ty, text, operands, true, false, dialect, false);
        let at = e.at_bytes(self.scratch, counter)?;
        let call = e.builder.build_indirect_call(ty, assembly, &[at.into()], "")?;
        let value = call.try_as_basic_value().basic();
        Ok(value.ok_or_else(|| bug("assembly without a result"))?.into_int_value())
    }
}
