//! Reductions on the device: by one thread an output, by one or more blocks an output, and the combination of the blocks' accumulators.
//!
//! Every thread keeps four accumulators, so that four loads are under way at a time. All orders are fixed: results do not change from run to run.

use inkwell::IntPredicate;
use inkwell::values::{FunctionValue, IntValue, PointerValue};
use numptx_ir::kernel::{Kernel, Phase};

use super::launch::{Extra, Launch, Variant, Width, access_of, register, thread_x};
use super::warp::Exchange;
use crate::accumulator::{Accumulator, Layout, Order};
use crate::emitter::Emitter;
use crate::error::Emit;
use crate::phase::operand;
use crate::value::Scalar;

/// Independent accumulators of a thread.
const LANES: usize = 4;
/// `partials`, `chunk`, `n_chunks`.
const CHUNKS: [Extra; 3] = [Extra::Pointer, Extra::I64, Extra::I32];

/// A reduction function under way.
struct Reduction<'ctx, 'k> {
    kernel: &'k Kernel,
    phase: &'k Phase,
    layout: Layout,
    width: Width,
    launch: Launch<'ctx>,
}

/// The accumulators of a thread, in slots.
type Lanes<'ctx> = Vec<Vec<PointerValue<'ctx>>>;

/// Emits `<name>__thread32` or `64`.
pub(super) fn emit_thread<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    phase: &Phase,
    width: Width,
) -> Emit<FunctionValue<'ctx>> {
    let r = Reduction::start(e, kernel, phase, width, "thread", &[])?;
    let output = e.resize_unsigned(thread_x(e, kernel)?, width.int(e))?;
    let inside = e.icmp(IntPredicate::ULT, output, r.outputs(e)?)?;
    e.when(inside, || {
        let (kept, bases) = r.kept_point(e, output)?;
        let lanes = r.lanes(e)?;
        r.fold_axes(e, &lanes, &kept, &bases, e.i64(0))?;
        let total = r.total(e, &lanes)?;
        r.store_results(e, &total, &kept, &bases)
    })?;
    r.launch.finish(e)
}

/// Emits `<name>__block32` or `64`.
pub(super) fn emit_block<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    phase: &Phase,
    width: Width,
) -> Emit<FunctionValue<'ctx>> {
    let r = Reduction::start(e, kernel, phase, width, "block", &CHUNKS)?;
    let exchange = Exchange::new(e, kernel, &r.layout, &r.launch.function.get_name().to_string_lossy());
    let wide = |value| e.resize_unsigned(value, e.context.i64_type());
    let (partials, chunk, n_chunks) = r.chunks();
    let part = wide(register(e, "ctaid.y")?)?;
    let begin = e.mul(chunk, part)?;
    let end = e.smin(e.add(begin, chunk)?, r.elements(e)?)?;
    let thread = register(e, "tid.x")?;
    let first = e.add(begin, wide(thread)?)?;
    let outputs = (wide(register(e, "ctaid.x")?)?, wide(r.outputs(e)?)?);
    e.count(outputs, wide(register(e, "nctaid.x")?)?, None, |output| {
        let (kept, bases) = r.kept_point(e, e.resize_unsigned(output, width.int(e))?)?;
        let lanes = r.lanes(e)?;
        r.fold_strided(e, &lanes, &kept, &bases, (first, end))?;
        let own = r.total(e, &lanes)?;
        let total = exchange.block_total(e, &r.layout, &own)?;
        e.when(e.icmp_with(IntPredicate::EQ, thread, 0)?, || {
            let whole = e.icmp_with(IntPredicate::EQ, n_chunks, 1)?;
            e.either(
                whole,
                || r.store_results(e, &total, &kept, &bases),
                || {
                    let slot = e.add(e.mul(output, wide(n_chunks)?)?, part)?;
                    e.store_accumulator(&r.layout, r.partial(e, partials, slot)?, &total)
                },
            )
        })
    })?;
    r.launch.finish(e)
}

/// Emits `<name>__finish32` or `64`.
pub(super) fn emit_finish<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    phase: &Phase,
    width: Width,
) -> Emit<FunctionValue<'ctx>> {
    let r = Reduction::start(e, kernel, phase, width, "finish", &CHUNKS)?;
    let (partials, _, n_chunks) = r.chunks();
    let output = e.resize_unsigned(thread_x(e, kernel)?, width.int(e))?;
    let inside = e.icmp(IntPredicate::ULT, output, r.outputs(e)?)?;
    e.when(inside, || {
        let (kept, bases) = r.kept_point(e, output)?;
        let n_chunks = e.resize_unsigned(n_chunks, e.context.i64_type())?;
        let first = e.mul(e.resize_unsigned(output, e.context.i64_type())?, n_chunks)?;
        let slots = e.accumulator_slots(&r.layout, &e.identity(&r.layout)?)?;
        e.count((e.i64(0), n_chunks), e.i64(1), None, |n| {
            let partial = e.load_accumulator(&r.layout, r.partial(e, partials, e.add(first, n)?)?)?;
            let so_far = e.read_accumulator(&slots, &r.layout)?;
            e.write_accumulator(&slots, &r.layout, &e.combine(&r.layout, &so_far, &partial, Order::Fixed)?)
        })?;
        let total = e.read_accumulator(&slots, &r.layout)?;
        r.store_results(e, &total, &kept, &bases)
    })?;
    r.launch.finish(e)
}

impl<'ctx, 'k> Reduction<'ctx, 'k> {
    fn start(
        e: &Emitter<'ctx, '_>,
        kernel: &'k Kernel,
        phase: &'k Phase,
        width: Width,
        variant: &str,
        extra: &[Extra],
    ) -> Emit<Self> {
        let name = format!("{variant}{}", width.suffix());
        let launch = Launch::start(e, kernel, &Variant { name, width: Some(width), extra, alignment: 1 })?;
        Ok(Reduction { kernel, phase, layout: Layout::of(phase), width, launch })
    }

    /// The first reduced axis.
    fn kept(&self) -> usize {
        self.kernel.rank - self.kernel.n_reduced
    }

    fn one(&self, e: &Emitter<'ctx, '_>) -> IntValue<'ctx> {
        self.width.int(e).const_int(1, false)
    }

    /// Number of outputs.
    fn outputs(&self, e: &Emitter<'ctx, '_>) -> Emit<IntValue<'ctx>> {
        self.launch.points(e, 0..self.kept(), self.one(e))
    }

    /// Number of elements of an output, `i64`.
    fn elements(&self, e: &Emitter<'ctx, '_>) -> Emit<IntValue<'ctx>> {
        let points = self.launch.points(e, self.kept()..self.kernel.rank, self.one(e))?;
        e.resize_unsigned(points, e.context.i64_type())
    }

    /// `partials`, `chunk`, `n_chunks`.
    fn chunks(&self) -> (PointerValue<'ctx>, IntValue<'ctx>, IntValue<'ctx>) {
        let extra = &self.launch.extra;
        (extra[0].into_pointer_value(), extra[1].into_int_value(), extra[2].into_int_value())
    }

    /// Where accumulator `n` lies.
    fn partial(
        &self,
        e: &Emitter<'ctx, '_>,
        partials: PointerValue<'ctx>,
        n: IntValue<'ctx>,
    ) -> Emit<PointerValue<'ctx>> {
        e.at_bytes(partials, e.mul(n, e.i64(i64::from(self.layout.bytes)))?)
    }

    /// The indices of an output, and its operands' addresses at the first reduced element.
    fn kept_point(
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

    fn lanes(&self, e: &Emitter<'ctx, '_>) -> Emit<Lanes<'ctx>> {
        let identity = e.identity(&self.layout)?;
        (0..LANES).map(|_| e.accumulator_slots(&self.layout, &identity)).collect()
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

    /// Folds the element at a point into a lane. `reduced`: indices of the reduced axes; `linear`: their linear index, `i64`.
    fn fold(
        &self,
        e: &Emitter<'ctx, '_>,
        lane: &[PointerValue<'ctx>],
        (kept, bases): (&[IntValue<'ctx>], &[PointerValue<'ctx>]),
        reduced: &[IntValue<'ctx>],
        linear: IntValue<'ctx>,
    ) -> Emit<()> {
        let both = kept.iter().chain(reduced);
        let indices = both.map(|i| e.resize_unsigned(*i, e.context.i64_type())).collect::<Emit<Vec<_>>>()?;
        let outputs = e.phase_outputs(self.phase, &self.launch.scalars, &indices, |n| {
            let operand = operand(self.kernel, n)?;
            let address = self.launch.address(e, self.kernel, (n, bases[n]), self.kept(), reduced)?;
            e.load(address, operand.dtype, access_of(operand))
        })?;
        let element = e.singleton(&self.layout, &outputs, linear)?;
        let so_far = e.read_accumulator(lane, &self.layout)?;
        e.write_accumulator(lane, &self.layout, &e.combine(&self.layout, &so_far, &element, Order::Fixed)?)
    }

    /// Runs over `begin, begin + step, … < end` (`i64`), by fours and then one by one.
    fn by_lanes(
        &self,
        e: &Emitter<'ctx, '_>,
        lanes: &Lanes<'ctx>,
        (begin, end): (IntValue<'ctx>, IntValue<'ctx>),
        step: i64,
        fold: impl Fn(&[PointerValue<'ctx>], IntValue<'ctx>) -> Emit<()>,
    ) -> Emit<()> {
        let next = e.slot_with(begin, "next")?;
        let all = e.sub(end, e.i64(step * (LANES as i64 - 1)))?;
        e.repeat(
            || e.icmp(IntPredicate::SLT, e.read_int(next, end)?, all),
            || {
                let i = e.read_int(next, end)?;
                for (n, lane) in lanes.iter().enumerate() {
                    fold(lane, e.add(i, e.i64(n as i64 * step))?)?;
                }
                e.write(next, e.add(i, e.i64(step * LANES as i64))?)
            },
        )?;
        e.count((e.read_int(next, end)?, end), e.i64(step), Some(e.short()?), |i| fold(&lanes[0], i))
    }

    /// Folds all elements of an output: a loop an axis. `linear` is the linear index so far.
    fn fold_axes(
        &self,
        e: &Emitter<'ctx, '_>,
        lanes: &Lanes<'ctx>,
        kept: &[IntValue<'ctx>],
        bases: &[PointerValue<'ctx>],
        zero: IntValue<'ctx>,
    ) -> Emit<()> {
        self.fold_axis(e, lanes, (kept, bases), Vec::new(), zero)
    }

    fn fold_axis(
        &self,
        e: &Emitter<'ctx, '_>,
        lanes: &Lanes<'ctx>,
        point: (&[IntValue<'ctx>], &[PointerValue<'ctx>]),
        outer: Vec<IntValue<'ctx>>,
        linear: IntValue<'ctx>,
    ) -> Emit<()> {
        let axis = self.kept() + outer.len();
        let extent = e.resize_unsigned(self.launch.extents[axis], e.context.i64_type())?;
        let first = e.mul(linear, extent)?;
        let with = |i: IntValue<'ctx>| -> Emit<Vec<IntValue<'ctx>>> {
            let mut indices = outer.clone();
            indices.push(e.resize_unsigned(i, self.width.int(e))?);
            Ok(indices)
        };
        if axis + 1 < self.kernel.rank {
            return e.count((e.i64(0), extent), e.i64(1), None, |i| {
                self.fold_axis(e, lanes, point, with(i)?, e.add(first, i)?)
            });
        }
        self.by_lanes(e, lanes, (e.i64(0), extent), 1, |lane, i| self.fold(e, lane, point, &with(i)?, e.add(first, i)?))
    }

    /// Folds a thread's share of an output's elements: every `block`-th. Where only the last reduced axis is longer than 1, its index is the
    /// linear one; otherwise the linear index is divided up.
    fn fold_strided(
        &self,
        e: &Emitter<'ctx, '_>,
        lanes: &Lanes<'ctx>,
        kept: &[IntValue<'ctx>],
        bases: &[PointerValue<'ctx>],
        range: (IntValue<'ctx>, IntValue<'ctx>),
    ) -> Emit<()> {
        let (axes, step) = (self.kept()..self.kernel.rank, i64::from(self.kernel.schedule.block));
        let int = self.width.int(e);
        let along_last = || {
            self.by_lanes(e, lanes, range, step, |lane, i| {
                let mut indices = vec![int.const_zero(); self.kernel.n_reduced - 1];
                indices.push(e.resize_unsigned(i, int)?);
                self.fold(e, lane, (kept, bases), &indices, i)
            })
        };
        if self.kernel.n_reduced == 1 {
            return along_last();
        }
        let outer = self.launch.points(e, axes.start..axes.end - 1, self.one(e))?;
        e.either(e.icmp_with(IntPredicate::EQ, outer, 1)?, along_last, || {
            self.by_lanes(e, lanes, range, step, |lane, i| {
                let indices = self.launch.decompose(e, axes.clone(), e.resize_unsigned(i, int)?)?;
                self.fold(e, lane, (kept, bases), &indices, i)
            })
        })
    }

    /// Stores what an accumulator gives at a kept point.
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
