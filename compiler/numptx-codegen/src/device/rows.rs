//! Kernels of rows on the device: a team of threads takes a row, reads it once, and goes through all phases of the kernel with what it holds.
//!
//! | variant | a team is | and holds |
//! | --- | --- | --- |
//! | `few32` | some lanes of a warp, a power of two | its row in registers, four elements a thread |
//! | `warp32` | a warp | its row in registers |
//! | `team32` | a block of as many threads as the schedule says | its row in registers |
//! | `clustered32` | a cluster of blocks | its row in registers |
//! | `streamed64` | a block, which goes on with further rows | nothing: each phase reads the row again, from a cache where that is possible |
//!
//! A thread has every `size`-th element, four at a time: where a row has no more, the rest of its code is passed over. What lies behind the end is neither
//! read, nor counted, nor stored. Every thread gets the totals of its row, in an order that depends on the size of the team alone. Sums of integers that are
//! the same for all elements are products. Where one axis is reduced, elements of a row lie side by side.

mod team;

use std::collections::BTreeMap;

use inkwell::IntPredicate;
use inkwell::types::IntType;
use inkwell::values::{FunctionValue, IntValue, PointerValue};
use numptx_ir::DType;
use numptx_ir::kernel::{Input, Kernel, Phase};
use numptx_ir::scalar::{Constant, InstrKind, Reducer};

use self::team::{Team, Threads};
use super::launch::{Launch, Width, access_of};
use crate::accumulator::{Layout, Order};
use crate::elements::Elements;
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::phase::{loaded_operands, operand};
use crate::value::Scalar;

/// Elements of a thread that are read together.
const TOGETHER: usize = 4;

/// Emits all variants of a verified kernel of rows.
pub(super) fn emit<'ctx>(e: &Emitter<'ctx, '_>, kernel: &Kernel, has_clusters: bool) -> Emit<Vec<FunctionValue<'ctx>>> {
    let mut all = vec![Threads::Few, Threads::Warp, Threads::Block, Threads::Streaming];
    all.extend(has_clusters.then_some(Threads::Cluster));
    all.into_iter().map(|threads| emit_variant(e, kernel, threads)).collect()
}

fn emit_variant<'ctx>(e: &Emitter<'ctx, '_>, kernel: &Kernel, threads: Threads) -> Emit<FunctionValue<'ctx>> {
    let mut launch = threads.start(e, kernel)?;
    if kernel.n_reduced == 1 {
        // The launch promises it.
        let neighbour = launch.extents[kernel.rank - 1].get_type().const_int(1, false);
        for (operand, strides) in kernel.operands.iter().zip(&mut launch.strides) {
            if !operand.fixed[kernel.rank - 1] {
                strides[kernel.rank - 1] = neighbour;
            }
        }
    }
    let width = if threads == Threads::Streaming { Width::Bits64 } else { Width::Bits32 };
    let int = if threads == Threads::Streaming { e.context.i64_type() } else { e.context.i32_type() };
    let n_kept = kernel.rank - kernel.n_reduced;
    let one = width.int(e).const_int(1, false);
    let extent = |axes| e.resize_unsigned(launch.work_items(e, axes, one)?, int);
    let (n_rows, length) = (extent(0..n_kept)?, extent(n_kept..kernel.rank)?);
    let team = Team::new(e, threads, (&launch, kernel.schedule.block), int)?;
    let held = match threads {
        Threads::Streaming => None,
        Threads::Few => Some(TOGETHER.min(kernel.schedule.vector as usize)),
        _ => Some(kernel.schedule.vector as usize),
    };
    let rows = Rows { kernel, launch: &launch, width, int, length, held, team };
    rows.team.each_row(e, n_rows, |row, exists| rows.row(e, row, exists))?;
    launch.finish(e)
}

/// A function under way.
struct Rows<'a, 'ctx> {
    kernel: &'a Kernel,
    launch: &'a Launch<'ctx>,
    /// Of extents and strides.
    width: Width,
    /// What elements are counted with.
    int: IntType<'ctx>,
    /// Elements of a row.
    length: IntValue<'ctx>,
    /// Elements that a thread holds, if it does.
    held: Option<usize>,
    team: Team<'ctx>,
}

/// A row at hand.
struct Row<'ctx> {
    exists: IntValue<'ctx>,
    kept: Vec<IntValue<'ctx>>,
    bases: Vec<PointerValue<'ctx>>,
    /// Where one axis is reduced, the thread's first element of each operand.
    first: Vec<PointerValue<'ctx>>,
    /// What phases gave so far.
    values: Vec<Scalar<'ctx>>,
    /// Elements that threads hold: by operand, and what bodies gave.
    loaded: BTreeMap<usize, Cells<'ctx>>,
    given: Vec<Cells<'ctx>>,
}

/// A value for each element that a thread holds, in slots.
struct Cells<'ctx> {
    layout: Layout,
    slots: Vec<Vec<PointerValue<'ctx>>>,
}

impl<'ctx> Cells<'ctx> {
    fn new(e: &Emitter<'ctx, '_>, dtype: DType, n: usize) -> Emit<Self> {
        let layout = Layout::of_reducers(vec![(Reducer::Add, dtype)]);
        let unset = e.unset(&layout)?;
        let slots = (0..n).map(|_| e.accumulator_slots(&layout, &unset)).collect::<Emit<_>>()?;
        Ok(Cells { layout, slots })
    }

    fn read(&self, e: &Emitter<'ctx, '_>, n: usize) -> Emit<Scalar<'ctx>> {
        Ok(e.read_accumulator(&self.slots[n], &self.layout)?[0])
    }

    fn write(&self, e: &Emitter<'ctx, '_>, n: usize, value: Scalar<'ctx>) -> Emit<()> {
        e.write_accumulator(&self.slots[n], &self.layout, &[value])
    }
}

/// An element of a thread.
struct Element<'ctx> {
    /// Its number among those that the thread holds.
    cell: Option<usize>,
    /// Whether the row has it.
    inside: IntValue<'ctx>,
    /// Its linear index in the row, and how far it is from the thread's first one; `i64`.
    linear: IntValue<'ctx>,
    distance: IntValue<'ctx>,
}

/// Accumulators of one reducer: those of a thread, and what they are made of.
struct Folding<'ctx> {
    layout: Layout,
    output: usize,
    lanes: Vec<Vec<PointerValue<'ctx>>>,
}

/// Where a reducer's result comes from.
enum Source {
    /// So many times the length of the row.
    Times(i64),
    Folding(usize),
}

impl<'ctx> Rows<'_, 'ctx> {
    fn n_kept(&self) -> usize {
        self.kernel.rank - self.kernel.n_reduced
    }

    fn row(&self, e: &Emitter<'ctx, '_>, row: IntValue<'ctx>, exists: IntValue<'ctx>) -> Emit<()> {
        let kept = self.launch.decompose(e, 0..self.n_kept(), e.resize_unsigned(row, self.width.int(e))?)?;
        let mut bases = Vec::with_capacity(self.launch.bases.len());
        for (n, base) in self.launch.bases.iter().enumerate() {
            bases.push(self.launch.address(e, self.kernel, (n, *base), 0, &kept)?);
        }
        let member = e.resize_unsigned(self.team.member, e.context.i64_type())?;
        let mut first = Vec::with_capacity(bases.len());
        for (n, base) in bases.iter().enumerate() {
            first.push(match self.lies_apart(n)? {
                true => e.at_element(*base, member, operand(self.kernel, n)?.dtype)?,
                false => *base,
            });
        }
        let (loaded, given) = (BTreeMap::new(), Vec::new());
        let mut row = Row { exists, kept, bases, first, values: Vec::new(), loaded, given };
        let phases: Vec<&Phase> = self.kernel.phases().collect();
        if let (Some(first), Some(held)) = (phases.first(), self.held) {
            self.read_ahead(e, first, &mut row, held)?;
        }
        for phase in phases {
            if let Some(held) = self.held {
                for dtype in phase.body.output_dtypes() {
                    row.given.push(Cells::new(e, dtype, held)?);
                }
            }
            match phase.reducers.is_empty() {
                true => self.each_element(e, |elements| self.map(e, phase, &row, elements))?,
                false => {
                    let values = self.reduce(e, phase, &row)?;
                    row.values.extend(values);
                }
            }
        }
        Ok(())
    }

    /// Whether an operand has another element for each of a row, which lie side by side.
    fn lies_apart(&self, n: usize) -> Emit<bool> {
        let operand = operand(self.kernel, n)?;
        Ok(self.kernel.n_reduced == 1 && !operand.is_scalar() && !operand.fixed[self.kernel.rank - 1])
    }

    /// Loads what the first phase needs of all elements that a thread holds, so that these loads are under way together.
    fn read_ahead(&self, e: &Emitter<'ctx, '_>, phase: &Phase, row: &mut Row<'ctx>, held: usize) -> Emit<()> {
        for n in loaded_operands(phase) {
            row.loaded.insert(n, Cells::new(e, operand(self.kernel, n)?.dtype, held)?);
        }
        self.each_element(e, |elements| {
            for (n, cells) in &row.loaded {
                for element in elements {
                    e.when(element.inside, || {
                        cells.write(e, element.cell.unwrap_or(0), self.load(e, row, *n, element)?)
                    })?;
                }
            }
            Ok(())
        })
    }

    /// Runs over a thread's elements, some at a time.
    fn each_element(&self, e: &Emitter<'ctx, '_>, body: impl Fn(&[Element<'ctx>]) -> Emit<()>) -> Emit<()> {
        let together = TOGETHER.min(self.kernel.schedule.vector as usize);
        let size = e.resize_unsigned(self.team.size, self.int)?;
        let member = e.resize_unsigned(self.team.member, self.int)?;
        let some = |before: IntValue<'ctx>, cell: Option<usize>| -> Emit<Vec<Element<'ctx>>> {
            let mut elements = Vec::with_capacity(together);
            for n in 0..together {
                let before = e.add(before, e.mul(size, e.int_like(size, n as i64))?)?;
                let i = e.add(before, member)?;
                let inside = e.icmp(IntPredicate::SLT, i, self.length)?;
                let wide = |value| e.resize_unsigned(value, e.context.i64_type());
                let (linear, distance) = (wide(i)?, wide(before)?);
                elements.push(Element { cell: cell.map(|cell| cell + n), inside, linear, distance });
            }
            Ok(elements)
        };
        let Some(held) = self.held else {
            let step = e.mul(size, e.int_like(size, together as i64))?;
            let zero = e.int_like(size, 0);
            return e.count((zero, self.length), step, Some(e.short()?), |before| body(&some(before, None)?));
        };
        for cell in (0..held).step_by(together) {
            let before = e.mul(size, e.int_like(size, cell as i64))?;
            let run = || body(&some(before, Some(cell))?);
            match cell {
                0 => run()?,
                _ => e.when(e.icmp(IntPredicate::SLT, before, self.length)?, run)?,
            }
        }
        Ok(())
    }

    /// An element's indices along the reduced axes; of one behind the end those of the last one.
    fn reduced_indices(&self, e: &Emitter<'ctx, '_>, element: &Element<'ctx>) -> Emit<Vec<IntValue<'ctx>>> {
        let length = e.resize_unsigned(self.length, element.linear.get_type())?;
        let at = e.smin(element.linear, e.sub(length, e.int_like(length, 1))?)?;
        let index = e.resize_unsigned(at, self.width.int(e))?;
        self.launch.decompose(e, self.n_kept()..self.kernel.rank, index)
    }

    fn load(&self, e: &Emitter<'ctx, '_>, row: &Row<'ctx>, n: usize, element: &Element<'ctx>) -> Emit<Scalar<'ctx>> {
        let operand = operand(self.kernel, n)?;
        e.load(self.address(e, row, n, element)?, operand.dtype, access_of(operand))
    }

    fn address(
        &self,
        e: &Emitter<'ctx, '_>,
        row: &Row<'ctx>,
        n: usize,
        element: &Element<'ctx>,
    ) -> Emit<PointerValue<'ctx>> {
        if self.kernel.n_reduced == 1 {
            return match self.lies_apart(n)? {
                true => e.at_element(row.first[n], element.distance, operand(self.kernel, n)?.dtype),
                false => Ok(row.first[n]),
            };
        }
        let indices = self.reduced_indices(e, element)?;
        self.launch.address(e, self.kernel, (n, row.bases[n]), self.n_kept(), &indices)
    }

    /// All indices of an element, `i64`.
    fn indices(&self, e: &Emitter<'ctx, '_>, row: &Row<'ctx>, element: &Element<'ctx>) -> Emit<Vec<IntValue<'ctx>>> {
        let reduced = self.reduced_indices(e, element)?;
        let both = row.kept.iter().chain(&reduced);
        both.map(|index| e.resize_unsigned(*index, e.context.i64_type())).collect()
    }

    /// What a phase's body gives at an element. Rows' and held values are scalars behind the kernel's own.
    fn outputs(
        &self,
        e: &Emitter<'ctx, '_>,
        phase: &Phase,
        row: &Row<'ctx>,
        element: &Element<'ctx>,
    ) -> Emit<Vec<Scalar<'ctx>>> {
        let mut scalars = self.launch.scalars.clone();
        let mut phase = phase.clone();
        for input in &mut phase.inputs {
            let value = match input {
                Input::Row(n) => row.values.get(*n).copied().ok_or_else(|| bug("a value of a row is not there"))?,
                Input::Held(n) => self.held_value(e, *n, row, element)?,
                Input::Load(_) | Input::Scalar(_) => continue,
            };
            scalars.push(value);
            *input = Input::Scalar(scalars.len() - 1);
        }
        let indices = if phase.body.uses_index() { self.indices(e, row, element)? } else { Vec::new() };
        let elements = Elements { kernel: self.kernel, bases: &row.bases, scalars: &scalars, group: None };
        e.phase_outputs(&phase, &elements, &indices, |n| {
            if let (Some(cells), Some(cell)) = (row.loaded.get(&n), element.cell) {
                return cells.read(e, cell);
            }
            let cells = Cells::new(e, operand(self.kernel, n)?.dtype, 1)?;
            e.when(element.inside, || cells.write(e, 0, self.load(e, row, n, element)?))?;
            cells.read(e, 0)
        })
    }

    /// What an earlier body gave at an element: where it is not held, it is computed again.
    fn held_value(
        &self,
        e: &Emitter<'ctx, '_>,
        n: usize,
        row: &Row<'ctx>,
        element: &Element<'ctx>,
    ) -> Emit<Scalar<'ctx>> {
        if let Some(cell) = element.cell {
            return row.given.get(n).ok_or_else(|| bug("a held value is not there"))?.read(e, cell);
        }
        let mut before = n;
        for phase in self.kernel.phases() {
            let n_outputs = phase.body.outputs.len();
            if before < n_outputs {
                return Ok(self.outputs(e, phase, row, element)?[before]);
            }
            before -= n_outputs;
        }
        Err(bug("no phase gives a held value"))
    }

    fn map(&self, e: &Emitter<'ctx, '_>, phase: &Phase, row: &Row<'ctx>, elements: &[Element<'ctx>]) -> Emit<()> {
        let outputs = elements.iter().map(|element| self.outputs(e, phase, row, element)).collect::<Emit<Vec<_>>>()?;
        for (element, outputs) in elements.iter().zip(outputs) {
            e.when(e.and(element.inside, row.exists)?, || {
                e.phase_stores(phase, &outputs, |n, value| {
                    let dtype = operand(self.kernel, n)?.dtype;
                    e.store(self.address(e, row, n, element)?, value, dtype, Default::default())
                })
            })?;
        }
        Ok(())
    }

    /// What a phase gives for a row: its team's first thread stores what is asked for.
    fn reduce(&self, e: &Emitter<'ctx, '_>, phase: &Phase, row: &Row<'ctx>) -> Emit<Vec<Scalar<'ctx>>> {
        let (foldings, sources) = self.foldings(e, phase)?;
        let first_given = row.given.len().saturating_sub(phase.body.outputs.len());
        self.each_element(e, |elements| {
            let all = elements.iter().map(|element| self.outputs(e, phase, row, element));
            let all = all.collect::<Emit<Vec<_>>>()?;
            for (n, (element, outputs)) in elements.iter().zip(all).enumerate() {
                if let Some(cell) = element.cell {
                    for (cells, value) in row.given[first_given..].iter().zip(&outputs) {
                        cells.write(e, cell, *value)?;
                    }
                }
                for folding in &foldings {
                    let lane = &folding.lanes[n % folding.lanes.len()];
                    let own =
                        e.singleton(&folding.layout, &outputs[folding.output..=folding.output], element.linear)?;
                    let so_far = e.read_accumulator(lane, &folding.layout)?;
                    let both = e.combine(&folding.layout, &so_far, &own, Order::Fixed)?;
                    let next = both.into_iter().zip(so_far).map(|(both, old)| e.choose(element.inside, both, old));
                    e.write_accumulator(lane, &folding.layout, &next.collect::<Emit<Vec<_>>>()?)?;
                }
            }
            Ok(())
        })?;
        let mut totals = Vec::with_capacity(foldings.len());
        for folding in &foldings {
            let mut total = e.read_accumulator(&folding.lanes[0], &folding.layout)?;
            for lane in &folding.lanes[1..] {
                let other = e.read_accumulator(lane, &folding.layout)?;
                total = e.combine(&folding.layout, &total, &other, Order::Fixed)?;
            }
            let total = self.team.total(e, &folding.layout, &total)?;
            totals.push(e.results(&folding.layout, &total)?[0]);
        }
        let mut results = Vec::with_capacity(sources.len());
        for (source, output) in sources.iter().zip(&phase.body.outputs) {
            results.push(match source {
                Source::Folding(n) => totals[*n],
                Source::Times(factor) => {
                    let length = e.resize_unsigned(self.length, e.int_type(phase.body.dtype(*output)))?;
                    Scalar::Int(e.mul(length, e.int_like(length, *factor))?)
                }
            });
        }
        let kept = row.kept.iter().map(|index| e.resize_unsigned(*index, e.context.i64_type()));
        let values = e.epilogue(phase, results, &kept.collect::<Emit<Vec<_>>>()?)?;
        let leads = e.icmp_with(IntPredicate::EQ, self.team.member, 0)?;
        e.when(e.and(leads, row.exists)?, || {
            e.phase_stores(phase, &values, |n, value| {
                e.store(row.bases[n], value, operand(self.kernel, n)?.dtype, Default::default())
            })
        })?;
        Ok(values)
    }

    /// Accumulators for the reducers of a phase, equal ones once.
    fn foldings(&self, e: &Emitter<'ctx, '_>, phase: &Phase) -> Emit<(Vec<Folding<'ctx>>, Vec<Source>)> {
        let (mut foldings, mut sources): (Vec<Folding<'ctx>>, _) = (Vec::new(), Vec::new());
        for (output, (reducer, val)) in phase.reducers.iter().zip(&phase.body.outputs).enumerate() {
            let dtype = phase.body.dtype(*val);
            let kind = &phase.body.instrs[val.0 as usize].kind;
            if let (Reducer::Add, true, InstrKind::Constant(Constant::Int(factor))) =
                (reducer, dtype.is_integer(), kind)
            {
                sources.push(Source::Times(*factor));
                continue;
            }
            let is_equal = |folding: &Folding<'_>| {
                folding.layout.reducers == [(*reducer, dtype)] && phase.body.outputs[folding.output] == *val
            };
            if let Some(n) = foldings.iter().position(is_equal) {
                sources.push(Source::Folding(n));
                continue;
            }
            let layout = Layout::of_reducers(vec![(*reducer, dtype)]);
            let identity = e.identity(&layout)?;
            let lanes = (0..TOGETHER).map(|_| e.accumulator_slots(&layout, &identity)).collect::<Emit<_>>()?;
            sources.push(Source::Folding(foldings.len()));
            foldings.push(Folding { layout, output, lanes });
        }
        Ok((foldings, sources))
    }
}
