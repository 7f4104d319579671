//! Scans of long rows in one launch: a block runs through a tile of a row, in one read and one write of its elements.
//!
//! In: rows, and memory of zeros. Out: running values. A block takes the number of its next tile when it comes to it, so that it waits for none that has
//! not begun. It publishes the accumulator of its tile, and waits for those of the tiles before it since the last *anchor*: the accumulator of all elements
//! of the row up to the end of a group of tiles. The last tile of a group publishes the next anchor. What is combined, and in which order, follows from
//! places in the row alone: results do not change from run to run. Nothing is combined with an identity, as in `scan`.
//!
//! While a tile waits, its accumulators lie in shared memory, so that a thread needs few registers and many blocks run. Elements come and go in the order of
//! their addresses, and 16 bytes at a time where the launch says that they lie so; a thread runs through neighbours. All elements are loaded before any is
//! stored, so that a scan may be written over what it reads.
//!
//! Source: Merrill, Garland, «Single-pass parallel prefix scan with decoupled look-back» (2016).

use inkwell::module::Linkage;
use inkwell::values::{FunctionValue, GlobalValue, IntValue, PointerValue};
use inkwell::{AddressSpace, AtomicOrdering, AtomicRMWBinOp, IntPredicate};
use numptx_ir::kernel::{Kernel, Phase};

use super::super::launch::{Extra, Launch, Variant, Width, register, wide_register};
use super::super::reduce::{Reduction, wide};
use super::super::warp::{Exchange, Shuffle, WARP, barrier, exchange};
use super::published::{n_words, place, publish, wait};
use super::rows::{Row, Rows};
use super::staged::Staged;
use crate::accumulator::{Accumulator, Layout, Order};
use crate::emitter::Emitter;
use crate::error::Emit;
use crate::scalar::uses_library;
use crate::value::Scalar;

/// Tiles from an anchor to the next: two for each lane of the warp that waits.
const GROUP: i64 = numptx_abi::Kernel::ANCHOR_TILES;
const _: () = assert!(GROUP == 2 * WARP as i64);
/// Threads that run on a multiprocessor at a time, at least.
const THREADS: u32 = 1024;
/// Bytes of a thread's accumulators, and how many there are at most.
const THREAD_BYTES: u32 = 128;
const MOST_ELEMENTS: u32 = 32;
/// Shared memory of a tile at most: every device gives a block so much, and more for the totals of warps.
const SHARED_BYTES: u32 = 40 << 10;
/// `memory`, `tiles`, `flat`.
const EXTRA: [Extra; 3] = [Extra::Pointer, Extra::I64, Extra::I32];
/// Shared memory.
const SHARED: u16 = 3;

/// Elements of a tile that one thread has; 0 for kernels whose rows are not run through in tiles.
pub(crate) fn thread_elements(kernel: &Kernel) -> u32 {
    let Some(phase) = kernel.phases().next().filter(|phase| phase.is_scan) else { return 0 };
    let layout = Layout::of(phase);
    let bytes: u32 = layout.fields.iter().map(|field| field.dtype.itemsize() as u32).sum();
    // The runtime knows the size of accumulators in memory, and gives twice as much.
    if bytes == 0 || n_words(&layout) > layout.bytes / 4 {
        return 0;
    }
    let mut n = (THREAD_BYTES / bytes).clamp(1, MOST_ELEMENTS);
    n = 1 << n.ilog2();
    while n > 1 && Staged::bytes(&layout, n, kernel.schedule.block) > SHARED_BYTES {
        n /= 2;
    }
    if n > 1 { n } else { 0 }
}

/// The function under way.
struct Tiles<'ctx, 'k> {
    rows: Rows<'ctx, 'k>,
    staged: Staged<'ctx>,
    /// The number of the block's tile, in shared memory.
    ticket: GlobalValue<'ctx>,
    memory: PointerValue<'ctx>,
    /// Tiles of a row, `i64`; and of all rows.
    tiles: IntValue<'ctx>,
    all: IntValue<'ctx>,
    /// Whether elements lie so that several are accessed at once.
    flat: IntValue<'ctx>,
    /// 32 bits.
    thread: IntValue<'ctx>,
}

/// Emits `<name>__running32` or `64`, if the kernel has them.
pub(in crate::device) fn emit<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    phase: &Phase,
    width: Width,
) -> Emit<Option<FunctionValue<'ctx>>> {
    let n = thread_elements(kernel);
    if n == 0 {
        return Ok(None);
    }
    let name = format!("running{}", width.suffix());
    let launch = Launch::start(e, kernel, &Variant { name, width: Some(width), extra: &EXTRA, alignment: 1 })?;
    if !uses_library(&phase.body) {
        launch.ask_for_threads(e, kernel, THREADS);
    }
    let layout = Layout::of(phase);
    let name = launch.function.get_name().to_string_lossy().into_owned();
    let exchange = Exchange::new(e, kernel, &layout, &name, false);
    let ticket = e.context.i32_type();
    let global = e.module.add_global(ticket, Some(AddressSpace::from(SHARED)), &format!("{name}__ticket"));
    global.set_linkage(Linkage::Internal);
    global.set_initializer(&ticket.get_undef());
    let staged = Staged::new(e, &layout, (n, kernel.schedule.block), &name);
    let memory = launch.extra[0].into_pointer_value();
    let tiles = launch.extra[1].into_int_value();
    let flat = e.icmp_with(IntPredicate::NE, launch.extra[2].into_int_value(), 0)?;
    let r = Reduction { kernel, phase, layout, width, launch };
    let all = e.mul(wide(e, r.outputs(e)?)?, tiles)?;
    let thread = register(e, "tid.x")?;
    let rows = Rows { r, exchange };
    let tiles = Tiles { rows, staged, ticket: global, memory, tiles, all, flat, thread };
    // One each, or more where the grid has fewer blocks.
    e.count((wide_register(e, "ctaid.x")?, all), wide_register(e, "nctaid.x")?, Some(e.short()?), |_| tiles.tile(e))?;
    Ok(Some(tiles.rows.r.launch.finish(e)?))
}

impl<'ctx> Tiles<'ctx, '_> {
    fn layout(&self) -> &Layout {
        &self.rows.r.layout
    }

    /// Takes the next tile, and runs through it.
    fn tile(&self, e: &Emitter<'ctx, '_>) -> Emit<()> {
        let number = self.take(e)?;
        let row = e.udiv(number, self.tiles)?;
        let tile = e.sub(number, e.mul(row, self.tiles)?)?;
        let row = self.rows.row(e, row)?;
        let elements = self.rows.r.elements(e)?;
        let size = e.i64(self.staged.elements());
        let begin = e.mul(tile, size)?;
        let past = e.add(begin, size)?;
        let span = (begin, e.smin(past, elements)?);
        let is_flat = e.and(self.flat, e.icmp(IntPredicate::SLE, past, elements)?)?;
        self.staged.load(e, (&self.rows, &row), span, is_flat)?;
        barrier(e)?;
        let own = self.staged.total(e, self.layout(), self.thread)?;
        let (before, has_before, total) = self.rows.before(e, self.thread, &own)?;
        let goes_on = e.icmp_with(IntPredicate::SGT, tile, 0)?;
        let carry = self.carry(e, (&row, number, tile), &total)?;
        let both = e.combine_if(self.layout(), goes_on, &carry, &before)?;
        let before = both.into_iter().zip(&carry).map(|(both, carry)| e.choose(has_before, both, *carry));
        let before = before.collect::<Emit<Accumulator<'ctx>>>()?;
        self.staged.run(e, self.layout(), self.thread, (&before, e.or(has_before, goes_on)?))?;
        barrier(e)?;
        self.staged.store(e, (&self.rows, &row), span, is_flat)
    }

    /// The number of the block's next tile, `i64`.
    fn take(&self, e: &Emitter<'ctx, '_>) -> Emit<IntValue<'ctx>> {
        let shared = self.ticket.as_pointer_value();
        e.when(e.icmp_with(IntPredicate::EQ, self.thread, 0)?, || {
            let one = e.int_like(self.thread, 1);
            let relaxed = AtomicOrdering::Monotonic;
            e.write(shared, e.builder.build_atomicrmw(AtomicRMWBinOp::Add, self.memory, one, relaxed)?)
        })?;
        barrier(e)?;
        wide(e, e.read_int(shared, self.thread)?)
    }

    /// Publishes the tile's accumulator. Gives that of all elements of the row before it; of the first tile something.
    fn carry(
        &self,
        e: &Emitter<'ctx, '_>,
        (row, number, tile): (&Row<'ctx>, IntValue<'ctx>, IntValue<'ctx>),
        total: &[Scalar<'ctx>],
    ) -> Emit<Accumulator<'ctx>> {
        let layout = self.layout();
        let totals = e.at_bytes(self.memory, e.i64(numptx_abi::Kernel::TICKET_BYTES))?;
        let leads = e.icmp_with(IntPredicate::EQ, self.thread, 0)?;
        e.when(leads, || publish(e, layout, place(e, layout, totals, number)?, total))?;
        let slots = e.accumulator_slots(layout, &e.unset(layout)?)?;
        let first = e.int_like(self.thread, 0);
        e.when(e.icmp_with(IntPredicate::SGT, tile, 0)?, || {
            e.when(e.icmp_with(IntPredicate::ULT, self.thread, i64::from(WARP))?, || {
                let anchors = place(e, layout, totals, self.all)?;
                let before = self.before_tile(e, (row, number, tile), totals, anchors)?;
                e.when(leads, || {
                    self.rows.exchange.write(e, layout, first, &before)?;
                    let is_last = e.icmp_with(IntPredicate::EQ, e.and(tile, e.i64(GROUP - 1))?, GROUP - 1)?;
                    e.when(is_last, || {
                        let next = e.combine(layout, &before, total, Order::Fixed)?;
                        publish(e, layout, place(e, layout, anchors, self.anchor(e, row, tile)?)?, &next)
                    })
                })
            })?;
            barrier(e)?;
            e.write_accumulator(&slots, layout, &self.rows.exchange.read(e, layout, first)?)
        })?;
        e.read_accumulator(&slots, layout)
    }

    /// The number of the anchor behind a tile's group.
    fn anchor(&self, e: &Emitter<'ctx, '_>, row: &Row<'ctx>, tile: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        let group = |n| -> Emit<IntValue<'ctx>> {
            Ok(e.builder.build_right_shift(n, e.i64(i64::from(GROUP.ilog2())), false, "")?)
        };
        let groups = group(e.add(self.tiles, e.i64(GROUP - 1))?)?;
        e.add(e.mul(row.number, groups)?, group(tile)?)
    }

    /// The accumulator of all elements of the row before a tile that is not its first, for the lanes of a warp.
    fn before_tile(
        &self,
        e: &Emitter<'ctx, '_>,
        (row, number, tile): (&Row<'ctx>, IntValue<'ctx>, IntValue<'ctx>),
        totals: PointerValue<'ctx>,
        anchors: PointerValue<'ctx>,
    ) -> Emit<Accumulator<'ctx>> {
        let layout = self.layout();
        let slots = e.accumulator_slots(layout, &e.unset(layout)?)?;
        let behind = e.and(tile, e.i64(GROUP - 1))?;
        let has_tiles = e.icmp_with(IntPredicate::SGT, behind, 0)?;
        e.when(has_tiles, || {
            let since = self.since_anchor(e, totals, e.sub(number, behind)?, behind)?;
            e.write_accumulator(&slots, layout, &since)
        })?;
        e.when(e.icmp_with(IntPredicate::SGE, tile, GROUP)?, || {
            let n = e.sub(self.anchor(e, row, tile)?, e.i64(1))?;
            let anchor = wait(e, layout, place(e, layout, anchors, n)?)?;
            let since = e.read_accumulator(&slots, layout)?;
            let both = e.combine(layout, &anchor, &since, Order::Fixed)?;
            let chosen = both.into_iter().zip(&anchor).map(|(both, anchor)| e.choose(has_tiles, both, *anchor));
            e.write_accumulator(&slots, layout, &chosen.collect::<Emit<Accumulator<'ctx>>>()?)
        })?;
        e.read_accumulator(&slots, layout)
    }

    /// The accumulator of `n` tiles from `first` on, fewer than a group: every lane waits for two of them, and looks at the last where there are no more.
    fn since_anchor(
        &self,
        e: &Emitter<'ctx, '_>,
        totals: PointerValue<'ctx>,
        first: IntValue<'ctx>,
        n: IntValue<'ctx>,
    ) -> Emit<Accumulator<'ctx>> {
        let layout = self.layout();
        let last = e.sub(n, e.i64(1))?;
        let left = e.mul(wide(e, self.thread)?, e.i64(2))?;
        let right = e.add(left, e.i64(1))?;
        let total = |n| wait(e, layout, place(e, layout, totals, e.add(first, e.smin(n, last)?)?)?);
        let (a, b) = (total(left)?, total(right)?);
        let is_pair = e.icmp(IntPredicate::SLE, right, last)?;
        let both = e.combine(layout, &a, &b, Order::Fixed)?;
        let pair = both.into_iter().zip(&a).map(|(both, a)| e.choose(is_pair, both, *a));
        let mut so_far = pair.collect::<Emit<Accumulator<'ctx>>>()?;
        let mut distance = 1;
        while distance < WARP {
            let up = so_far.iter().map(|value| exchange(e, *value, Shuffle::Before(distance)));
            let up = up.collect::<Emit<Accumulator<'ctx>>>()?;
            let reaches = e.icmp_with(IntPredicate::UGE, self.thread, i64::from(distance))?;
            so_far = e.combine_if(layout, reaches, &up, &so_far)?;
            distance *= 2;
        }
        let lane = e.builder.build_right_shift(last, e.i64(1), false, "")?;
        let lane = e.resize_unsigned(lane, e.context.i32_type())?;
        so_far.iter().map(|value| exchange(e, *value, Shuffle::From(lane))).collect()
    }
}
