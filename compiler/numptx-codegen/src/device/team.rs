//! Team programs: one launch that runs the whole program, in one block or in a grid whose blocks are all resident at once.
//!
//! In: a kernel with a team program. Out: `team64`, for one block, and `grid64`, for a cooperative launch, whose blocks meet at a counter in global
//! memory. Results of reductions depend on the number of threads, which follows from the launch's extent, and not on who comes first.

use inkwell::values::{FunctionValue, GlobalValue, IntValue, PointerValue};
use inkwell::{AddressSpace, InlineAsmDialect, IntPredicate};
use numptx_ir::kernel::Kernel;
use numptx_ir::scalar::Code;

use super::launch::{Extra, Launch, Variant, Width, place, register};
use super::reduce::wide;
use super::warp::{self, WARP, with_neighbour};
use crate::accumulator::{Layout, Order};
use crate::code::Team;
use crate::elements::Elements;
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::value::Scalar;

/// Bytes of an accumulator of one value.
const SLOT: i64 = 16;
/// Warps of a block at most.
const WARPS: i64 = 32;
/// Shared memory.
const SHARED: u16 = 3;
/// Where the blocks' accumulators begin in a grid's scratch memory, after the counter.
const PARTIALS: i64 = numptx_abi::Kernel::GRID_COUNTER_BYTES;

/// Emits `<name>__team64`, or `<name>__grid64` where `is_grid`.
pub(super) fn emit<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    code: &Code,
    is_grid: bool,
) -> Emit<FunctionValue<'ctx>> {
    let name = if is_grid { "grid64" } else { "team64" }.to_string();
    let extra: &[Extra] = if is_grid { &[Extra::Pointer] } else { &[] };
    let launch = Launch::start(e, kernel, &Variant { name, width: Some(Width::Bits64), extra, alignment: 1 })?;
    let elements = Elements { kernel, bases: &launch.bases, scalars: &launch.scalars, group: None };
    let grid = launch.extra.first().map(|scratch| Grid::new(e, scratch.into_pointer_value())).transpose()?;
    e.team_code(code, &elements, &Block::new(e, &launch.function.get_name().to_string_lossy(), grid)?)?;
    launch.finish(e)
}

/// The threads of a block, and the other blocks if there are any.
struct Block<'ctx> {
    /// This thread's number in all blocks, and how many there are.
    place: (IntValue<'ctx>, IntValue<'ctx>),
    /// The thread's number in its block, and how many it has; 32 bits.
    thread: IntValue<'ctx>,
    threads: IntValue<'ctx>,
    /// An accumulator a warp, twice: one half is read while the other is written.
    shared: GlobalValue<'ctx>,
    /// Which half is next: 0 or 1.
    half: PointerValue<'ctx>,
    grid: Option<Grid<'ctx>>,
}

/// How blocks meet.
struct Grid<'ctx> {
    /// The counter of arrivals, 0 before the launch; then an accumulator a block, twice.
    scratch: PointerValue<'ctx>,
    /// How many arrivals make the next meeting complete.
    target: PointerValue<'ctx>,
    /// Which accumulators are next: 0 or 1.
    half: PointerValue<'ctx>,
    /// This block's number and how many there are, `i64`.
    block: IntValue<'ctx>,
    blocks: IntValue<'ctx>,
}

impl<'ctx> Block<'ctx> {
    fn new(e: &Emitter<'ctx, '_>, function: &str, grid: Option<Grid<'ctx>>) -> Emit<Self> {
        let (number, n) = place(e, 'x')?;
        let (thread, threads) = (register(e, "tid.x")?, register(e, "ntid.x")?);
        let ty = e.context.i8_type().array_type((2 * WARPS * SLOT) as u32);
        let shared = e.module.add_global(ty, Some(AddressSpace::from(SHARED)), &format!("{function}__shared"));
        shared.set_linkage(inkwell::module::Linkage::Internal);
        shared.set_initializer(&ty.get_undef());
        shared.set_alignment(SLOT as u32);
        let half = e.slot_with(e.i64(0), "half")?;
        Ok(Block { place: (wide(e, number)?, wide(e, n)?), thread, threads, shared, half, grid })
    }

    /// The accumulators of a warp's threads combined, for all of them.
    fn warp_total(&self, e: &Emitter<'ctx, '_>, layout: &Layout, own: &[Scalar<'ctx>]) -> Emit<Vec<Scalar<'ctx>>> {
        let (mut total, mut distance) = (own.to_vec(), WARP / 2);
        while distance > 0 {
            total = with_neighbour(e, layout, &total, distance)?;
            distance /= 2;
        }
        Ok(total)
    }

    /// The accumulators of a block's threads combined, for all of them.
    fn block_total(&self, e: &Emitter<'ctx, '_>, layout: &Layout, own: &[Scalar<'ctx>]) -> Emit<Vec<Scalar<'ctx>>> {
        let half = e.read_int(self.half, e.i64(0))?;
        e.write(self.half, e.sub(e.i64(1), half)?)?;
        let first = e.at_bytes(self.shared.as_pointer_value(), e.mul(half, e.i64(WARPS * SLOT))?)?;
        let at = |n: IntValue<'ctx>| e.at_bytes(first, e.mul(wide(e, n)?, e.i64(SLOT))?);
        let shift = e.int_like(self.thread, 5);
        let lane = e.and(self.thread, e.int_like(self.thread, i64::from(WARP) - 1))?;
        let warp = e.builder.build_right_shift(self.thread, shift, false, "")?;
        let warps = e.builder.build_right_shift(self.threads, shift, false, "")?;
        let total = self.warp_total(e, layout, own)?;
        e.when(e.icmp_with(IntPredicate::EQ, lane, 0)?, || e.store_accumulator(layout, at(warp)?, &total))?;
        warp::barrier(e)?;
        // Lanes beyond the number of warps read an element that exists, and take the identity instead.
        let exists = e.icmp(IntPredicate::ULT, lane, warps)?;
        let read = e.load_accumulator(layout, at(e.select(exists, lane, e.int_like(lane, 0))?)?)?;
        let identity = e.identity(layout)?;
        let both = read.into_iter().zip(identity);
        let read = both.map(|(value, identity)| e.choose(exists, value, identity)).collect::<Emit<Vec<_>>>()?;
        self.warp_total(e, layout, &read)
    }

    /// The totals of all blocks combined, for all of them.
    fn grid_total(
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

impl<'ctx> Team<'ctx> for Block<'ctx> {
    fn place(&self) -> (IntValue<'ctx>, IntValue<'ctx>) {
        self.place
    }

    fn barrier(&self, e: &Emitter<'ctx, '_>) -> Emit<()> {
        warp::barrier(e)?;
        let Some(grid) = &self.grid else { return Ok(()) };
        e.when(e.icmp_with(IntPredicate::EQ, self.thread, 0)?, || grid.meet(e))?;
        warp::barrier(e)
    }

    fn total(&self, e: &Emitter<'ctx, '_>, layout: &Layout, own: &[Scalar<'ctx>]) -> Emit<Vec<Scalar<'ctx>>> {
        if i64::from(layout.bytes) > SLOT {
            return Err(bug("an accumulator of one value is too large"));
        }
        let total = self.block_total(e, layout, own)?;
        match &self.grid {
            Some(grid) => self.grid_total(e, grid, layout, &total),
            None => Ok(total),
        }
    }
}

impl<'ctx> Grid<'ctx> {
    fn new(e: &Emitter<'ctx, '_>, scratch: PointerValue<'ctx>) -> Emit<Self> {
        let (block, blocks) = (wide(e, register(e, "ctaid.x")?)?, wide(e, register(e, "nctaid.x")?)?);
        let zero = |name: &str| e.slot_with(e.i64(0), name);
        Ok(Grid { scratch, target: zero("target")?, half: zero("half")?, block, blocks })
    }

    /// Says that this block has come, and waits for the others. One thread of each block calls it, between two barriers of the block: what its
    /// block's threads stored is seen by whoever meets it here.
    fn meet(&self, e: &Emitter<'ctx, '_>) -> Emit<()> {
        let target = e.add(e.read_int(self.target, e.i64(0))?, self.blocks)?;
        e.write(self.target, target)?;
        self.assembly(e, "fence.acq_rel.gpu; red.relaxed.gpu.global.add.u64 [$1], 1; mov.u64 $0, 0;")?;
        e.repeat(
            || {
                let arrived = self.assembly(e, "ld.relaxed.gpu.global.u64 $0, [$1];")?;
                e.icmp(IntPredicate::ULT, arrived, target)
            },
            || Ok(()),
        )?;
        self.assembly(e, "fence.acq_rel.gpu; mov.u64 $0, 0; // $1").map(drop)
    }

    /// Instructions on the counter's address `$1` that give a number `$0`.
    fn assembly(&self, e: &Emitter<'ctx, '_>, text: &str) -> Emit<IntValue<'ctx>> {
        let (long, pointer) = (e.context.i64_type(), self.scratch.get_type());
        let ty = long.fn_type(&[pointer.into()], false);
        let (text, operands) = (text.to_string(), "=l,l,~{memory}".to_string());
        let dialect = Some(InlineAsmDialect::ATT);
        let assembly = e.context.create_inline_asm(ty, text, operands, true, false, dialect, false);
        let call = e.builder.build_indirect_call(ty, assembly, &[self.scratch.into()], "")?;
        let value = call.try_as_basic_value().basic();
        Ok(value.ok_or_else(|| bug("assembly without a result"))?.into_int_value())
    }
}
