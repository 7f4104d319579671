//! Reductions on the host.
//!
//! Where the reduced axes are the ones to run along, each output is reduced on its own: rows of the last reduced axis are folded by vectors into
//! blocks of 1024 elements, and blocks by pairs, so that sums lose hardly more than by pairwise summation. Where the last kept axis is the
//! contiguous one, tiles of outputs are reduced together ([`super::tile`]). Either order depends on strides and extents only, never on threads.

use inkwell::IntPredicate;
use inkwell::values::{FunctionValue, IntValue, PointerValue};
use numptx_ir::DType;
use numptx_ir::kernel::{Kernel, Phase};
use numptx_ir::scalar::Reducer;

use super::frame::{Frame, Walk};
use super::pace::{self, Step};
use super::{search, tile};
use crate::accumulator::{Accumulator, Layout, Order};
use crate::elements::Elements;
use crate::emitter::Emitter;
use crate::error::Emit;
use crate::memory::Access;
use crate::phase::{loaded_operands, operand};
use crate::scalar::uses_library;
use crate::value::Scalar;

/// Elements that are folded before blocks are combined by pairs.
const BLOCK: i64 = 1024;
/// Blocks are counted in 64 bits.
const LEVELS: u32 = 64;

/// What a reduction function works on.
pub(super) struct Reduction<'ctx, 'k> {
    pub kernel: &'k Kernel,
    pub phase: &'k Phase,
    pub layout: &'k Layout,
    pub frame: &'k Frame<'ctx>,
    /// Outputs.
    pub outputs: (IntValue<'ctx>, IntValue<'ctx>),
    /// Elements of the reduced axes.
    pub elements: (IntValue<'ctx>, IntValue<'ctx>),
    /// Where accumulators go, and bytes from one to the next; null: results are finished.
    pub partials: (PointerValue<'ctx>, IntValue<'ctx>),
}

/// Fills a function of type `numptx_abi::HostReduce`.
pub(super) fn emit_reduce<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    phase: &Phase,
    function: FunctionValue<'ctx>,
) -> Emit<()> {
    let frame = Frame::of(e, kernel, function)?;
    let int = |n: usize| e.int_parameter(function, n);
    let reduction = Reduction {
        kernel,
        phase,
        layout: &Layout::of(phase),
        frame: &frame,
        outputs: (int(1)?, int(2)?),
        elements: (int(3)?, int(4)?),
        partials: (e.pointer_parameter(function, 5)?, int(6)?),
    };
    let some = e.icmp(IntPredicate::SLT, reduction.outputs.0, reduction.outputs.1)?;
    e.when(some, || match tile::is_better(e, &reduction)? {
        Some(better) => e.either(better, || tile::emit(e, &reduction), || reduction.each_output(e)),
        None => reduction.each_output(e),
    })?;
    e.builder.build_return(None)?;
    Ok(())
}

/// Fills a function of type `numptx_abi::HostReduceFinish`.
pub(super) fn emit_finish<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    phase: &Phase,
    function: FunctionValue<'ctx>,
) -> Emit<()> {
    let frame = Frame::of(e, kernel, function)?;
    let int = |n: usize| e.int_parameter(function, n);
    let (begin, end, n_chunks) = (int(1)?, int(2)?, int(3)?);
    let partials = e.pointer_parameter(function, 4)?;
    let layout = Layout::of(phase);
    let walk = Walk::new(e, &frame, 0..kernel.rank - kernel.n_reduced)?;
    let some = e.icmp(IntPredicate::SLT, begin, end)?;
    e.when(some, || {
        walk.start(e, begin, &frame.bases)?;
        e.count((begin, end), e.i64(1), None, |output| {
            let row = e.mul(e.sub(output, begin)?, n_chunks)?;
            let slots = e.accumulator_slots(&layout, &e.identity(&layout)?)?;
            e.count((e.i64(0), n_chunks), e.i64(1), Some(e.plain()?), |chunk| {
                let offset = e.mul(e.add(row, chunk)?, e.i64(i64::from(layout.bytes)))?;
                let partial = e.load_accumulator(&layout, e.at_bytes(partials, offset)?)?;
                let folded = e.combine(&layout, &e.read_accumulator(&slots, &layout)?, &partial, Order::Fixed)?;
                e.write_accumulator(&slots, &layout, &folded)
            })?;
            let total = e.read_accumulator(&slots, &layout)?;
            store_results(e, kernel, phase, &layout, &total, &walk.indices(e)?, &walk.addresses(e)?)?;
            walk.advance(e)
        })
    })?;
    e.builder.build_return(None)?;
    Ok(())
}

/// Stores what an accumulator gives at a kept work item: `kept` are its indices, `addresses` its operands' elements.
fn store_results<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    phase: &Phase,
    layout: &Layout,
    total: &[Scalar<'ctx>],
    kept: &[IntValue<'ctx>],
    addresses: &[PointerValue<'ctx>],
) -> Emit<()> {
    let mut indices = kept.to_vec();
    indices.resize(kernel.rank, e.i64(0));
    let outputs = e.epilogue(phase, e.results(layout, total)?, &indices)?;
    e.phase_stores(phase, &outputs, |n, value| {
        e.store(addresses[n], value, operand(kernel, n)?.dtype, Access::default())
    })
}

impl<'ctx> Reduction<'ctx, '_> {
    /// The first reduced axis.
    pub fn kept(&self) -> usize {
        self.kernel.rank - self.kernel.n_reduced
    }

    /// Whether rounding errors add up, so that the order of summation matters.
    pub fn rounds(&self) -> bool {
        let rounds =
            |(reducer, dtype): &(Reducer, DType)| *reducer == Reducer::Add && (dtype.is_float() || dtype.is_complex());
        self.layout.reducers.iter().any(rounds)
    }

    /// Whether it is nothing but a search for a position, of values that are the same whether they are computed by vectors or one by one.
    fn is_search(&self) -> bool {
        let is_position = matches!(self.layout.reducers.as_slice(), [(reducer, _)] if reducer.is_positional());
        is_position && !uses_library(&self.phase.body)
    }

    /// Stores an output's accumulator, or what it gives.
    pub fn deliver(
        &self,
        e: &Emitter<'ctx, '_>,
        output: IntValue<'ctx>,
        total: &Accumulator<'ctx>,
        kept: &[IntValue<'ctx>],
        addresses: &[PointerValue<'ctx>],
    ) -> Emit<()> {
        let (partials, stride) = self.partials;
        let finished = e.builder.build_is_null(partials, "")?;
        e.either(
            finished,
            || store_results(e, self.kernel, self.phase, self.layout, total, kept, addresses),
            || {
                let offset = e.mul(e.sub(output, self.outputs.0)?, stride)?;
                e.store_accumulator(self.layout, e.at_bytes(partials, offset)?, total)
            },
        )
    }

    /// The body's outputs at a work item: `i` steps along the last axis from `bases`.
    pub fn outputs_at(
        &self,
        e: &Emitter<'ctx, '_>,
        indices: &[IntValue<'ctx>],
        bases: &[PointerValue<'ctx>],
        steps: &[Step<'ctx>],
        i: IntValue<'ctx>,
    ) -> Emit<Vec<Scalar<'ctx>>> {
        let elements = Elements { kernel: self.kernel, bases, scalars: &self.frame.scalars, group: None };
        e.phase_outputs(self.phase, &elements, indices, |n| {
            let dtype = operand(self.kernel, n)?.dtype;
            e.load(steps[n].address(e, bases[n], i, dtype)?, dtype, Access::default())
        })
    }

    /// Output by output.
    fn each_output(&self, e: &Emitter<'ctx, '_>) -> Emit<()> {
        let kept = Walk::new(e, self.frame, 0..self.kept())?;
        kept.start(e, self.outputs.0, &self.frame.bases)?;
        let tree = Tree::new(e, self)?;
        e.count(self.outputs, e.i64(1), None, |output| {
            let (indices, addresses) = (kept.indices(e)?, kept.addresses(e)?);
            tree.clear(e)?;
            self.fold_elements(e, &tree, &indices, &addresses)?;
            let total = tree.total(e)?;
            self.deliver(e, output, &total, &indices, &addresses)?;
            kept.advance(e)
        })
    }

    /// Folds `elements` of one output into the tree, row by row of the last reduced axis.
    fn fold_elements(
        &self,
        e: &Emitter<'ctx, '_>,
        tree: &Tree<'ctx, '_>,
        kept: &[IntValue<'ctx>],
        bases: &[PointerValue<'ctx>],
    ) -> Emit<()> {
        let (first, last) = self.elements;
        let axis = self.kernel.rank - 1;
        let extent = self.frame.extents[axis];
        let some = e.icmp(IntPredicate::SLT, first, last)?;
        e.when(some, || {
            let rows = Walk::new(e, self.frame, self.kept()..axis)?;
            let row = e.udiv(first, extent)?;
            rows.start(e, row, bases)?;
            let done = e.slot_with(first, "done")?;
            let column = e.slot_with(e.sub(first, e.mul(row, extent)?)?, "column")?;
            e.repeat(
                || e.icmp(IntPredicate::SLT, e.read_int(done, first)?, last),
                || {
                    let (begin, from) = (e.read_int(column, first)?, e.read_int(done, first)?);
                    let room = e.smin(e.sub(extent, begin)?, e.sub(last, from)?)?;
                    let length = e.smin(room, if self.is_search() { e.i64(BLOCK) } else { tree.room(e)? })?;
                    let mut outer = kept.to_vec();
                    outer.extend(rows.indices(e)?);
                    self.fold_row(e, tree, &outer, &rows.addresses(e)?, (begin, e.add(begin, length)?), from)?;
                    tree.added(e, length)?;
                    e.write(done, e.add(from, length)?)?;
                    let next = e.add(begin, length)?;
                    e.write(column, next)?;
                    e.when(e.icmp(IntPredicate::EQ, next, extent)?, || {
                        e.write(column, e.i64(0))?;
                        rows.advance(e)
                    })
                },
            )
        })
    }

    /// Folds a range of the last axis into the tree's open block; `from` is the linear index of its first element.
    fn fold_row(
        &self,
        e: &Emitter<'ctx, '_>,
        tree: &Tree<'ctx, '_>,
        outer: &[IntValue<'ctx>],
        bases: &[PointerValue<'ctx>],
        (begin, end): (IntValue<'ctx>, IntValue<'ctx>),
        from: IntValue<'ctx>,
    ) -> Emit<()> {
        let axis = self.kernel.rank - 1;
        let loads = loaded_operands(self.phase);
        let paces = pace::tested(e, self.kernel, self.frame, self.kept()..axis + 1, &loads)?;
        pace::by_pace(e, &paces, (self.frame, axis), &mut |steps, fast| {
            if self.is_search() {
                let row = search::Row { reduction: self, outer, bases, steps: &steps, range: (begin, end), from };
                return search::fold(e, &row, &tree.open);
            }
            let loop_id = if fast || uses_library(&self.phase.body) { e.short()? } else { e.plain()? };
            e.count((begin, end), e.i64(1), Some(loop_id), |i| {
                let mut indices = outer.to_vec();
                indices.push(i);
                let outputs = self.outputs_at(e, &indices, bases, &steps, i)?;
                let element = e.singleton(self.layout, &outputs, e.add(from, e.sub(i, begin)?)?)?;
                let open = e.read_accumulator(&tree.open, self.layout)?;
                e.write_accumulator(&tree.open, self.layout, &e.combine(self.layout, &open, &element, Order::Free)?)
            })
        })
    }
}

/// Pairwise combination of blocks: level `k` holds a full accumulator of `2^k` blocks where bit `k` of the count is set.
struct Tree<'ctx, 'k> {
    layout: &'k Layout,
    /// The block under way.
    open: Vec<PointerValue<'ctx>>,
    /// Elements in it; `None` where blocks are not closed, because nothing rounds.
    filled: Option<PointerValue<'ctx>>,
    /// Closed blocks.
    count: PointerValue<'ctx>,
    /// One accumulator a level.
    levels: PointerValue<'ctx>,
}

impl<'ctx, 'k> Tree<'ctx, 'k> {
    fn new(e: &Emitter<'ctx, '_>, reduction: &Reduction<'ctx, 'k>) -> Emit<Self> {
        let layout = reduction.layout;
        let bytes = e.context.i64_type().array_type(LEVELS * layout.bytes / 8);
        Ok(Tree {
            layout,
            open: e.accumulator_slots(layout, &e.identity(layout)?)?,
            filled: if reduction.rounds() { Some(e.slot_with(e.i64(0), "filled")?) } else { None },
            count: e.slot_with(e.i64(0), "blocks")?,
            levels: e.slot(bytes, "levels")?,
        })
    }

    fn clear(&self, e: &Emitter<'ctx, '_>) -> Emit<()> {
        e.write_accumulator(&self.open, self.layout, &e.identity(self.layout)?)?;
        e.write(self.count, e.i64(0))?;
        if let Some(filled) = self.filled {
            e.write(filled, e.i64(0))?;
        }
        Ok(())
    }

    /// How many elements the open block still takes.
    fn room(&self, e: &Emitter<'ctx, '_>) -> Emit<IntValue<'ctx>> {
        match self.filled {
            Some(filled) => e.sub(e.i64(BLOCK), e.read_int(filled, e.i64(0))?),
            None => Ok(e.i64(i64::MAX)),
        }
    }

    /// Counts elements folded into the open block, and closes it when it is full.
    fn added(&self, e: &Emitter<'ctx, '_>, n: IntValue<'ctx>) -> Emit<()> {
        let Some(filled) = self.filled else {
            return Ok(());
        };
        let now = e.add(e.read_int(filled, n)?, n)?;
        e.write(filled, now)?;
        e.when(e.icmp_with(IntPredicate::SGE, now, BLOCK)?, || {
            e.write(filled, e.i64(0))?;
            self.close(e)
        })
    }

    /// Adds one to the count in binary: each carry combines two accumulators of one size.
    fn close(&self, e: &Emitter<'ctx, '_>) -> Emit<()> {
        let count = e.read_int(self.count, e.i64(0))?;
        e.write(self.count, e.add(count, e.i64(1))?)?;
        let level = e.slot_with(e.i64(0), "level")?;
        let bit = |at: IntValue<'ctx>| {
            let shifted = e.builder.build_right_shift(count, at, false, "")?;
            e.icmp_with(IntPredicate::NE, e.and(shifted, e.i64(1))?, 0)
        };
        e.repeat(
            || bit(e.read_int(level, count)?),
            || {
                let at = e.read_int(level, count)?;
                self.combine_level(e, at)?;
                e.write(level, e.add(at, e.i64(1))?)
            },
        )?;
        let closed = e.read_accumulator(&self.open, self.layout)?;
        e.store_accumulator(self.layout, self.level(e, e.read_int(level, count)?)?, &closed)?;
        e.write_accumulator(&self.open, self.layout, &e.identity(self.layout)?)
    }

    /// The open block and all levels, from the smallest.
    fn total(&self, e: &Emitter<'ctx, '_>) -> Emit<Accumulator<'ctx>> {
        if self.filled.is_some() {
            let rest = e.slot_with(e.read_int(self.count, e.i64(0))?, "rest")?;
            let level = e.slot_with(e.i64(0), "level")?;
            e.repeat(
                || e.icmp_with(IntPredicate::NE, e.read_int(rest, e.i64(0))?, 0),
                || {
                    let (bits, at) = (e.read_int(rest, e.i64(0))?, e.read_int(level, e.i64(0))?);
                    let set = e.icmp_with(IntPredicate::NE, e.and(bits, e.i64(1))?, 0)?;
                    e.when(set, || self.combine_level(e, at))?;
                    e.write(rest, e.builder.build_right_shift(bits, e.i64(1), false, "")?)?;
                    e.write(level, e.add(at, e.i64(1))?)
                },
            )?;
        }
        e.read_accumulator(&self.open, self.layout)
    }

    fn combine_level(&self, e: &Emitter<'ctx, '_>, level: IntValue<'ctx>) -> Emit<()> {
        let older = e.load_accumulator(self.layout, self.level(e, level)?)?;
        let open = e.read_accumulator(&self.open, self.layout)?;
        e.write_accumulator(&self.open, self.layout, &e.combine(self.layout, &older, &open, Order::Fixed)?)
    }

    fn level(&self, e: &Emitter<'ctx, '_>, level: IntValue<'ctx>) -> Emit<PointerValue<'ctx>> {
        e.at_bytes(self.levels, e.mul(level, e.i64(i64::from(self.layout.bytes)))?)
    }
}
