//! Reductions on the device: elements folded by blocks, and the combination of the blocks' accumulators.
//!
//! The launch shapes the blocks. Where the elements of an output lie side by side, its threads run along x: a part of a warp for short rows, a
//! whole block for long ones. Where those of neighbouring outputs do, outputs run along x, and threads along y share each. Every thread keeps four
//! accumulators, and several loads are under way at a time. All orders are fixed: results do not change from run to run.

use inkwell::IntPredicate;
use inkwell::values::{FunctionValue, IntValue, PointerValue};
use numptx_ir::kernel::{Kernel, Phase};

use super::launch::{Extra, Launch, Variant, Width, access_of, register, wide_register};
use super::warp::Exchange;
use crate::accumulator::{Accumulator, Layout, Order};
use crate::elements::Elements;
use crate::emitter::Emitter;
use crate::error::Emit;
use crate::phase::operand;
use crate::scalar::uses_library;
use crate::value::Scalar;

/// Independent accumulators of a thread. One where elements take a library function: its copies would cost more than they hide.
const LANES: usize = 4;
/// Of bodies of few instructions sixteen elements are under way at a time.
const ROUNDS: [usize; 2] = [4, 1];
const SMALL_BODY: usize = 8;
/// Threads that run on a multiprocessor at a time then, at least: for more the assembler would leave no registers for what is under way.
const THREADS: u32 = 768;
/// `partials`, `chunk`, `n_chunks`, `across`.
const CHUNKS: [Extra; 4] = [Extra::Pointer, Extra::I64, Extra::I32, Extra::I32];

/// A reduction function under way.
pub(super) struct Reduction<'ctx, 'k> {
    pub kernel: &'k Kernel,
    pub phase: &'k Phase,
    pub layout: Layout,
    pub width: Width,
    pub launch: Launch<'ctx>,
}

/// The accumulators of a thread, in slots.
type Lanes<'ctx> = Vec<Vec<PointerValue<'ctx>>>;

/// Emits `<name>__fold32` or `64`.
pub(super) fn emit_fold<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    phase: &Phase,
    width: Width,
) -> Emit<FunctionValue<'ctx>> {
    let r = Reduction::start(e, kernel, phase, width, "fold")?;
    let exchange = Exchange::new(e, kernel, &r.layout, &r.launch.function.get_name().to_string_lossy(), true);
    let chunks = r.chunks();
    let across = e.icmp_with(IntPredicate::NE, chunks.across, 0)?;
    let group = ThreadGroup::shaped(e, across)?;
    let part = wide_register(e, "ctaid.y")?;
    let begin = e.mul(chunks.chunk, part)?;
    let end = e.smin(e.add(begin, chunks.chunk)?, r.elements(e)?)?;
    let first = e.add(begin, wide(e, group.member)?)?;
    r.each_output(e, &group, |output, exists| {
        let (kept, bases) = r.kept_work_item(e, e.resize_unsigned(output, width.int(e))?)?;
        let lanes = r.lanes(e)?;
        let end = e.select(exists, end, begin)?;
        r.fold_shared(e, &lanes, &kept, &bases, (first, end), wide(e, group.size)?)?;
        let slots = e.accumulator_slots(&r.layout, &r.total(e, &lanes)?)?;
        e.either(
            across,
            || exchange.column_total(e, &r.layout, &slots),
            || exchange.row_total(e, &r.layout, &slots, group.size),
        )?;
        e.when(e.and(exists, e.icmp_with(IntPredicate::EQ, group.member, 0)?)?, || {
            let total = e.read_accumulator(&slots, &r.layout)?;
            let keep = || {
                let slot = e.add(e.mul(output, wide(e, chunks.n_chunks)?)?, part)?;
                e.store_accumulator(&r.layout, r.partial(e, chunks.partials, slot)?, &total)
            };
            if phase.is_scan {
                return keep();
            }
            let whole = e.icmp_with(IntPredicate::EQ, chunks.n_chunks, 1)?;
            e.either(whole, || r.store_results(e, &total, &kept, &bases), keep)
        })
    })?;
    r.launch.finish(e)
}

/// Emits `<name>__finish64`.
pub(super) fn emit_finish<'ctx>(e: &Emitter<'ctx, '_>, kernel: &Kernel, phase: &Phase) -> Emit<FunctionValue<'ctx>> {
    let r = Reduction::start(e, kernel, phase, Width::Bits64, "finish")?;
    let exchange = Exchange::new(e, kernel, &r.layout, &r.launch.function.get_name().to_string_lossy(), false);
    let chunks = r.chunks();
    let n_chunks = wide(e, chunks.n_chunks)?;
    let group = ThreadGroup::along_x(e)?;
    r.each_output(e, &group, |output, exists| {
        let row = e.mul(output, n_chunks)?;
        let slots = e.accumulator_slots(&r.layout, &e.identity(&r.layout)?)?;
        let range = (wide(e, group.member)?, e.select(exists, n_chunks, e.i64(0))?);
        e.count(range, wide(e, group.size)?, None, |n| {
            let partial = e.load_accumulator(&r.layout, r.partial(e, chunks.partials, e.add(row, n)?)?)?;
            let so_far = e.read_accumulator(&slots, &r.layout)?;
            e.write_accumulator(&slots, &r.layout, &e.combine(&r.layout, &so_far, &partial, Order::Fixed)?)
        })?;
        exchange.row_total(e, &r.layout, &slots, group.size)?;
        e.when(e.and(exists, e.icmp_with(IntPredicate::EQ, group.member, 0)?)?, || {
            let (kept, bases) = r.kept_work_item(e, output)?;
            let total = e.read_accumulator(&slots, &r.layout)?;
            r.store_results(e, &total, &kept, &bases)
        })
    })?;
    r.launch.finish(e)
}

pub(super) fn wide<'ctx>(e: &Emitter<'ctx, '_>, value: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
    e.resize_unsigned(value, e.context.i64_type())
}

/// The threads of a block that share an output, 32 bits each.
pub(super) struct ThreadGroup<'ctx> {
    /// The thread's number in it.
    pub member: IntValue<'ctx>,
    /// Threads of a group.
    pub size: IntValue<'ctx>,
    /// The group's number in the block.
    pub number: IntValue<'ctx>,
    /// Groups of a block.
    pub count: IntValue<'ctx>,
}

impl<'ctx> ThreadGroup<'ctx> {
    fn along_x(e: &Emitter<'ctx, '_>) -> Emit<Self> {
        Ok(ThreadGroup {
            member: register(e, "tid.x")?,
            size: register(e, "ntid.x")?,
            number: register(e, "tid.y")?,
            count: register(e, "ntid.y")?,
        })
    }

    /// Along y where it runs across the outputs, else along x.
    fn shaped(e: &Emitter<'ctx, '_>, across: IntValue<'ctx>) -> Emit<Self> {
        let along = ThreadGroup::along_x(e)?;
        Ok(ThreadGroup {
            member: e.select(across, along.number, along.member)?,
            size: e.select(across, along.count, along.size)?,
            number: e.select(across, along.member, along.number)?,
            count: e.select(across, along.size, along.count)?,
        })
    }
}

/// The parameters of every reduction after its space.
pub(super) struct Chunks<'ctx> {
    pub partials: PointerValue<'ctx>,
    /// `i64`
    pub chunk: IntValue<'ctx>,
    /// `i32`
    pub n_chunks: IntValue<'ctx>,
    /// `i32`
    pub across: IntValue<'ctx>,
}

impl<'ctx, 'k> Reduction<'ctx, 'k> {
    pub(super) fn start(
        e: &Emitter<'ctx, '_>,
        kernel: &'k Kernel,
        phase: &'k Phase,
        width: Width,
        variant: &str,
    ) -> Emit<Self> {
        let name = format!("{variant}{}", width.suffix());
        let launch = Launch::start(e, kernel, &Variant { name, width: Some(width), extra: &CHUNKS, alignment: 1 })?;
        let reduction = Reduction { kernel, phase, layout: Layout::of(phase), width, launch };
        if reduction.rounds().len() > 1 {
            reduction.launch.ask_for_threads(e, kernel, THREADS);
        }
        Ok(reduction)
    }

    /// The first reduced axis.
    fn kept(&self) -> usize {
        self.kernel.rank - self.kernel.n_reduced
    }

    fn one(&self, e: &Emitter<'ctx, '_>) -> IntValue<'ctx> {
        self.width.int(e).const_int(1, false)
    }

    /// Number of outputs.
    pub(super) fn outputs(&self, e: &Emitter<'ctx, '_>) -> Emit<IntValue<'ctx>> {
        self.launch.work_items(e, 0..self.kept(), self.one(e))
    }

    /// Number of elements of an output, `i64`.
    pub(super) fn elements(&self, e: &Emitter<'ctx, '_>) -> Emit<IntValue<'ctx>> {
        let work_items = self.launch.work_items(e, self.kept()..self.kernel.rank, self.one(e))?;
        e.resize_unsigned(work_items, e.context.i64_type())
    }

    pub(super) fn chunks(&self) -> Chunks<'ctx> {
        let extra = &self.launch.extra;
        Chunks {
            partials: extra[0].into_pointer_value(),
            chunk: extra[1].into_int_value(),
            n_chunks: extra[2].into_int_value(),
            across: extra[3].into_int_value(),
        }
    }

    /// Runs over the outputs (`i64`) of the thread's group, with whether there is one: all threads of a block go round as often.
    pub(super) fn each_output(
        &self,
        e: &Emitter<'ctx, '_>,
        group: &ThreadGroup<'ctx>,
        body: impl FnOnce(IntValue<'ctx>, IntValue<'ctx>) -> Emit<()>,
    ) -> Emit<()> {
        let outputs = wide(e, self.outputs(e)?)?;
        let (count, number) = (wide(e, group.count)?, wide(e, group.number)?);
        let first = e.mul(wide_register(e, "ctaid.x")?, count)?;
        let step = e.mul(wide_register(e, "nctaid.x")?, count)?;
        e.count((first, outputs), step, Some(e.short()?), |base| {
            let output = e.add(base, number)?;
            body(output, e.icmp(IntPredicate::SLT, output, outputs)?)
        })
    }

    /// Where accumulator `n` lies.
    pub(super) fn partial(
        &self,
        e: &Emitter<'ctx, '_>,
        partials: PointerValue<'ctx>,
        n: IntValue<'ctx>,
    ) -> Emit<PointerValue<'ctx>> {
        e.at_bytes(partials, e.mul(n, e.i64(i64::from(self.layout.bytes)))?)
    }

    /// The indices of an output, and its operands' addresses at the first reduced element.
    pub(super) fn kept_work_item(
        &self,
        e: &Emitter<'ctx, '_>,
        output: IntValue<'ctx>,
    ) -> Emit<(Vec<IntValue<'ctx>>, Vec<PointerValue<'ctx>>)> {
        let kept = self.launch.decompose(e, 0..self.kept(), output)?;
        let mut bases = Vec::with_capacity(self.launch.bases.len());
        for (n, base) in self.launch.bases.iter().enumerate() {
            bases.push(self.launch.address(e, self.kernel, (n, *base), 0, &kept)?);
        }
        Ok((kept, bases))
    }

    /// How often elements for all lanes are under way at a time, first as often as that goes.
    fn rounds(&self) -> &'static [usize] {
        match self.phase.body.instrs.len() {
            _ if uses_library(&self.phase.body) => &[],
            n if n <= SMALL_BODY => &ROUNDS,
            _ => &ROUNDS[1..],
        }
    }

    fn lanes(&self, e: &Emitter<'ctx, '_>) -> Emit<Lanes<'ctx>> {
        let identity = e.identity(&self.layout)?;
        let n = if uses_library(&self.phase.body) { 1 } else { LANES };
        (0..n).map(|_| e.accumulator_slots(&self.layout, &identity)).collect()
    }

    /// The accumulators of a thread as one: neighbours first.
    fn total(&self, e: &Emitter<'ctx, '_>, lanes: &Lanes<'ctx>) -> Emit<Accumulator<'ctx>> {
        let mut values = lanes.iter().map(|l| e.read_accumulator(l, &self.layout)).collect::<Emit<Vec<_>>>()?;
        while values.len() > 1 {
            let pairs = values.chunks(2).map(|pair| match pair {
                [a, b] => e.combine(&self.layout, a, b, Order::Fixed),
                rest => Ok(rest.concat()),
            });
            values = pairs.collect::<Emit<Vec<_>>>()?;
        }
        Ok(values.concat())
    }

    /// The element at a work item as an accumulator. `reduced`: indices of the reduced axes; `linear`: their linear index, `i64`.
    fn element(
        &self,
        e: &Emitter<'ctx, '_>,
        (kept, bases): (&[IntValue<'ctx>], &[PointerValue<'ctx>]),
        reduced: &[IntValue<'ctx>],
        linear: IntValue<'ctx>,
    ) -> Emit<Accumulator<'ctx>> {
        let both = kept.iter().chain(reduced);
        let indices = both.map(|i| e.resize_unsigned(*i, e.context.i64_type())).collect::<Emit<Vec<_>>>()?;
        let elements = Elements { kernel: self.kernel, bases, scalars: &self.launch.scalars, group: None };
        let outputs = e.phase_outputs(self.phase, &elements, &indices, |n| {
            let operand = operand(self.kernel, n)?;
            let address = self.launch.address(e, self.kernel, (n, bases[n]), self.kept(), reduced)?;
            e.load(address, operand.dtype, access_of(operand))
        })?;
        e.singleton(&self.layout, &outputs, linear)
    }

    /// Folds an element into a lane.
    fn fold(&self, e: &Emitter<'ctx, '_>, lane: &[PointerValue<'ctx>], element: &[Scalar<'ctx>]) -> Emit<()> {
        let so_far = e.read_accumulator(lane, &self.layout)?;
        e.write_accumulator(lane, &self.layout, &e.combine(&self.layout, &so_far, element, Order::Fixed)?)
    }

    /// Runs over `begin, begin + step, … < end` (`i64`), as many at a time as there are lanes and then one by one. The elements of all lanes come first: where
    /// folding one stands between loads of others, these are not under way together.
    fn by_lanes(
        &self,
        e: &Emitter<'ctx, '_>,
        (lanes, rounds): (&Lanes<'ctx>, &[usize]),
        (begin, end): (IntValue<'ctx>, IntValue<'ctx>),
        step: IntValue<'ctx>,
        element: impl Fn(IntValue<'ctx>) -> Emit<Accumulator<'ctx>>,
    ) -> Emit<()> {
        let next = e.slot_with(begin, "next")?;
        for rounds in rounds {
            let n = rounds * lanes.len();
            let all = e.sub(end, e.mul(step, e.i64(n as i64 - 1))?)?;
            e.repeat(
                || e.icmp(IntPredicate::SLT, e.read_int(next, end)?, all),
                || {
                    let mut i = e.read_int(next, end)?;
                    let mut elements = Vec::with_capacity(n);
                    for _ in 0..n {
                        elements.push(element(i)?);
                        i = e.add(i, step)?;
                    }
                    for (lane, element) in lanes.iter().cycle().zip(&elements) {
                        self.fold(e, lane, element)?;
                    }
                    e.write(next, i)
                },
            )?;
        }
        let first = e.read_int(next, end)?;
        match rounds.len() {
            0 | 1 => e.count((first, end), step, Some(e.short()?), |i| self.fold(e, &lanes[0], &element(i)?)),
            _ => {
                e.when(e.icmp(IntPredicate::SLT, first, end)?, || self.fold_rest(e, lanes, (first, end), step, element))
            }
        }
    }

    /// Folds less than an element a lane, all at a time: in the place of one that is not there the first one is loaded, and not counted.
    fn fold_rest(
        &self,
        e: &Emitter<'ctx, '_>,
        lanes: &Lanes<'ctx>,
        (first, end): (IntValue<'ctx>, IntValue<'ctx>),
        step: IntValue<'ctx>,
        element: impl Fn(IntValue<'ctx>) -> Emit<Accumulator<'ctx>>,
    ) -> Emit<()> {
        let (mut i, mut elements) = (first, Vec::with_capacity(lanes.len()));
        for _ in 1..lanes.len() {
            let is_there = e.icmp(IntPredicate::SLT, i, end)?;
            elements.push((is_there, element(e.select(is_there, i, first)?)?));
            i = e.add(i, step)?;
        }
        for (lane, (is_there, element)) in lanes.iter().zip(&elements) {
            let so_far = e.read_accumulator(lane, &self.layout)?;
            let folded = e.combine(&self.layout, &so_far, element, Order::Fixed)?;
            let chosen =
                folded.into_iter().zip(so_far).map(|(folded, so_far)| e.select_scalar(*is_there, folded, so_far));
            e.write_accumulator(lane, &self.layout, &chosen.collect::<Emit<Accumulator<'ctx>>>()?)?;
        }
        Ok(())
    }

    /// Folds a thread's share of an output's elements: every `step`-th. Where only the last reduced axis is longer than 1, its index is the
    /// linear one; otherwise the linear index is divided up.
    fn fold_shared(
        &self,
        e: &Emitter<'ctx, '_>,
        lanes: &Lanes<'ctx>,
        kept: &[IntValue<'ctx>],
        bases: &[PointerValue<'ctx>],
        range: (IntValue<'ctx>, IntValue<'ctx>),
        step: IntValue<'ctx>,
    ) -> Emit<()> {
        let axes = self.kept()..self.kernel.rank;
        let int = self.width.int(e);
        let along_last = |lanes: &Lanes<'ctx>| {
            self.by_lanes(e, (lanes, self.rounds()), range, step, |i| {
                let mut indices = vec![int.const_zero(); self.kernel.n_reduced - 1];
                indices.push(e.resize_unsigned(i, int)?);
                self.element(e, (kept, bases), &indices, i)
            })
        };
        if self.kernel.n_reduced == 1 {
            return along_last(lanes);
        }
        let outer = self.launch.work_items(e, axes.start..axes.end - 1, self.one(e))?;
        e.either(
            e.icmp_with(IntPredicate::EQ, outer, 1)?,
            || along_last(lanes),
            || {
                let rounds = self.rounds();
                self.by_lanes(e, (lanes, &rounds[rounds.len().saturating_sub(1)..]), range, step, |i| {
                    let indices = self.launch.decompose(e, axes.clone(), e.resize_unsigned(i, int)?)?;
                    self.element(e, (kept, bases), &indices, i)
                })
            },
        )
    }

    /// Stores what an accumulator gives at a kept work item.
    fn store_results(
        &self,
        e: &Emitter<'ctx, '_>,
        total: &[Scalar<'ctx>],
        kept: &[IntValue<'ctx>],
        addresses: &[PointerValue<'ctx>],
    ) -> Emit<()> {
        let mut indices = Vec::with_capacity(self.kernel.rank);
        for index in kept {
            indices.push(e.resize_unsigned(*index, e.context.i64_type())?);
        }
        indices.resize(self.kernel.rank, e.i64(0));
        let outputs = e.epilogue(self.phase, e.results(&self.layout, total)?, &indices)?;
        e.phase_stores(self.phase, &outputs, |n, value| {
            e.store(addresses[n], value, operand(self.kernel, n)?.dtype, Default::default())
        })
    }
}
