//! A tile's accumulators in shared memory: put there in the order of addresses, run through by threads that have neighbours, and stored in that order.
//!
//! In: the elements of a tile. Out: running values at the same places. A thread's elements are a *line*, after each of which some bytes are left free, so
//! that threads which go through their lines side by side meet different banks.

use inkwell::module::Linkage;
use inkwell::values::{GlobalValue, IntValue, PointerValue};
use inkwell::{AddressSpace, IntPredicate};
use numptx_ir::kernel::{Input, Phase};

use super::super::reduce::wide;
use super::super::vectors::{Held, WIDEST, load_vector, store_vector};
use super::rows::{Row, Rows};
use crate::accumulator::{Accumulator, Field, Layout, Order};
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::phase::{loaded_operands, operand};
use crate::scalar::uses_library;
use crate::value::Scalar;

/// Bytes left free after a line, and what lines are a multiple of.
const FREE: u32 = 16;
/// Instructions of bodies that are small: as many loads are under way as there are registers for.
const SMALL_BODY: usize = 8;
/// Instructions of bodies of which there are several copies.
const LARGE_BODY: usize = 64;
/// 16-byte loads of a thread that are under way at a time; of single elements.
const WIDE_LOADS: usize = 8;
const LOADS: usize = 8;
/// Shared memory.
const SHARED: u16 = 3;

/// See the file's header.
pub(super) struct Staged<'ctx> {
    /// One a field.
    arrays: Vec<GlobalValue<'ctx>>,
    fields: Vec<Field>,
    /// Elements of a line.
    n: u32,
    /// Threads of a block.
    block: u32,
}

/// Bytes from a line of a field to the next.
fn pitch(field: &Field, n: u32) -> u32 {
    (n * field.dtype.itemsize() as u32).next_multiple_of(FREE) + FREE
}

impl<'ctx> Staged<'ctx> {
    /// Shared memory of a tile.
    pub fn bytes(layout: &Layout, n: u32, block: u32) -> u32 {
        layout.fields.iter().map(|field| pitch(field, n) * block).sum()
    }

    /// Declares the arrays, named after the function, for lines of `n` elements.
    pub fn new(e: &Emitter<'ctx, '_>, layout: &Layout, (n, block): (u32, u32), function: &str) -> Self {
        let array = |(position, field): (usize, &Field)| {
            let ty = e.context.i8_type().array_type(pitch(field, n) * block);
            let name = format!("{function}__staged{position}");
            let global = e.module.add_global(ty, Some(AddressSpace::from(SHARED)), &name);
            global.set_linkage(Linkage::Internal);
            global.set_initializer(&ty.get_undef());
            global.set_alignment(FREE);
            global
        };
        let arrays = layout.fields.iter().enumerate().map(array).collect();
        Staged { arrays, fields: layout.fields.clone(), n, block }
    }

    /// Elements of a tile.
    pub fn elements(&self) -> i64 {
        i64::from(self.n) * i64::from(self.block)
    }

    /// Where element `at + by` of the tile lies: `by` is a constant multiple of a line's elements.
    fn place(
        &self,
        e: &Emitter<'ctx, '_>,
        field: usize,
        at: IntValue<'ctx>,
        (by, more): (IntValue<'ctx>, u32),
    ) -> Emit<PointerValue<'ctx>> {
        let (size, pitch) = (self.fields[field].dtype.itemsize() as i64, i64::from(pitch(&self.fields[field], self.n)));
        let line = |at| -> Emit<IntValue<'ctx>> {
            Ok(e.builder.build_right_shift(at, e.i64(i64::from(self.n.ilog2())), false, "")?)
        };
        let free = pitch - size * i64::from(self.n);
        let offset = |at| e.add(e.mul(at, e.i64(size))?, e.mul(line(at)?, e.i64(free))?);
        let offset = e.add(e.add(offset(at)?, offset(by)?)?, e.i64(i64::from(more) * size))?;
        e.at_bytes(self.arrays[field].as_pointer_value(), offset)
    }

    fn read(&self, e: &Emitter<'ctx, '_>, at: IntValue<'ctx>, by: (IntValue<'ctx>, u32)) -> Emit<Accumulator<'ctx>> {
        let read = |(n, field): (usize, &Field)| e.load(self.place(e, n, at, by)?, field.dtype, Default::default());
        self.fields.iter().enumerate().map(read).collect()
    }

    fn write(
        &self,
        e: &Emitter<'ctx, '_>,
        at: IntValue<'ctx>,
        by: (IntValue<'ctx>, u32),
        values: &[Scalar<'ctx>],
    ) -> Emit<()> {
        for (n, (field, value)) in self.fields.iter().zip(values).enumerate() {
            e.store(self.place(e, n, at, by)?, *value, field.dtype, Default::default())?;
        }
        Ok(())
    }

    /// The accumulator of a thread's line.
    pub fn total(&self, e: &Emitter<'ctx, '_>, layout: &Layout, thread: IntValue<'ctx>) -> Emit<Accumulator<'ctx>> {
        let line = e.mul(wide(e, thread)?, e.i64(i64::from(self.n)))?;
        let mut total = self.read(e, line, (e.i64(0), 0))?;
        for k in 1..self.n {
            total = e.combine(layout, &total, &self.read(e, line, (e.i64(0), k))?, Order::Fixed)?;
        }
        Ok(total)
    }

    /// Makes the elements of a thread's line running values, after what comes before it, if anything does.
    pub fn run(
        &self,
        e: &Emitter<'ctx, '_>,
        layout: &Layout,
        thread: IntValue<'ctx>,
        (before, has_before): (&[Scalar<'ctx>], IntValue<'ctx>),
    ) -> Emit<()> {
        let line = e.mul(wide(e, thread)?, e.i64(i64::from(self.n)))?;
        let mut so_far: Option<Accumulator<'ctx>> = None;
        for k in 0..self.n {
            let by = (e.i64(0), k);
            let element = self.read(e, line, by)?;
            let running = match so_far {
                Some(so_far) => e.combine(layout, &so_far, &element, Order::Fixed)?,
                None => element,
            };
            let value = e.combine_if(layout, has_before, before, &running)?;
            // Nobody looks at the factor again.
            self.write(e, line, by, &value[..layout.reducers.len()])?;
            so_far = Some(running);
        }
        Ok(())
    }

    /// Puts the elements `span` of a row into place. `is_flat`: the tile is full, and its elements lie so that several are loaded at once.
    pub fn load(
        &self,
        e: &Emitter<'ctx, '_>,
        (rows, row): (&Rows<'ctx, '_>, &Row<'ctx>),
        span: (IntValue<'ctx>, IntValue<'ctx>),
        is_flat: IntValue<'ctx>,
    ) -> Emit<()> {
        let single = || self.load_elements(e, (rows, row), span);
        match self.vector(rows.r.kernel, rows.r.phase) {
            Some(vector) => e.either(is_flat, || self.load_vectors(e, (rows, row), span.0, vector), single),
            None => single(),
        }
    }

    /// Stores what is in the elements' places; as [`Staged::load`].
    pub fn store(
        &self,
        e: &Emitter<'ctx, '_>,
        (rows, row): (&Rows<'ctx, '_>, &Row<'ctx>),
        span: (IntValue<'ctx>, IntValue<'ctx>),
        is_flat: IntValue<'ctx>,
    ) -> Emit<()> {
        let single = || self.store_elements(e, (rows, row), span);
        match self.vector(rows.r.kernel, rows.r.phase) {
            Some(vector) => e.either(is_flat, || self.store_vectors(e, (rows, row), span.0, vector), single),
            None => single(),
        }
    }

    /// Elements that a thread accesses at once: as many of the largest ones as the widest access takes. `None`: one, as copies of the body would
    /// cost more than they save.
    fn vector(&self, kernel: &numptx_ir::kernel::Kernel, phase: &Phase) -> Option<u32> {
        let bodies = [Some(&phase.body), phase.epilogue.as_ref()];
        if bodies.iter().flatten().any(|body| uses_library(body) || body.instrs.len() > LARGE_BODY) {
            return None;
        }
        let loaded = phase.inputs.iter().filter_map(|input| if let Input::Load(n) = input { Some(*n) } else { None });
        let operands = loaded.chain(phase.stores.iter().map(|store| store.operand));
        let operands = operands.filter_map(|n| kernel.operands.get(n)).filter(|operand| !operand.is_scalar());
        let sizes = operands.map(|operand| operand.dtype).chain(self.fields.iter().map(|field| field.dtype));
        let largest = sizes.map(|dtype| dtype.itemsize() as u32).max()?;
        Some((WIDEST as u32 / largest).clamp(1, self.n))
    }

    /// Whether the loads of many elements fit into registers.
    fn is_small(phase: &Phase) -> bool {
        phase.body.instrs.len() <= SMALL_BODY && phase.epilogue.as_ref().is_none_or(|b| b.instrs.len() <= SMALL_BODY)
    }

    /// Runs over the rounds in which the threads of a block access `vector` elements each of a tile: the number of a round's first element in the tile,
    /// and, with it in a call, those of some more. Few rounds at a time are one call.
    fn rounds(
        &self,
        e: &Emitter<'ctx, '_>,
        vector: u32,
        together: usize,
        body: impl Fn(&[IntValue<'ctx>]) -> Emit<()>,
    ) -> Emit<()> {
        let rounds = self.n / vector;
        let together = (1 << together.max(1).ilog2()).min(rounds);
        let step = i64::from(vector) * i64::from(self.block);
        let first = |round: IntValue<'ctx>, k: u32| e.mul(e.add(round, e.i64(i64::from(k)))?, e.i64(step));
        let some = |round| {
            let firsts = (0..together).map(|k| first(round, k)).collect::<Emit<Vec<_>>>()?;
            body(&firsts)
        };
        if together == rounds {
            return some(e.i64(0));
        }
        let range = (e.i64(0), e.i64(i64::from(rounds)));
        e.count(range, e.i64(i64::from(together)), Some(e.short()?), some)
    }

    fn load_vectors(
        &self,
        e: &Emitter<'ctx, '_>,
        (rows, row): (&Rows<'ctx, '_>, &Row<'ctx>),
        begin: IntValue<'ctx>,
        vector: u32,
    ) -> Emit<()> {
        let (r, phase) = (&rows.r, rows.r.phase);
        let loaded = loaded_operands(phase);
        let own = self.own(e, vector)?;
        let together = if Self::is_small(phase) { WIDE_LOADS / loaded.len().max(1) } else { 1 };
        self.rounds(e, vector, together, |firsts| {
            let mut held = Vec::new();
            for first in firsts {
                let i = e.add(begin, e.add(own, *first)?)?;
                let load = |n: &usize| -> Emit<(usize, Held<'ctx>)> {
                    let operand = operand(r.kernel, *n)?;
                    Ok((*n, load_vector(e, operand, vector, rows.address(e, row, *n, i)?)?))
                };
                held.push((i, loaded.iter().map(load).collect::<Emit<Vec<_>>>()?));
            }
            for (first, (i, held)) in firsts.iter().zip(&held) {
                for lane in 0..vector {
                    let element = rows.element_of(e, row, e.add(*i, e.i64(i64::from(lane)))?, |n| {
                        let held = held.iter().find(|h| h.0 == n).ok_or_else(|| bug("an operand was not loaded"))?;
                        held.1.lane(e, lane, operand(r.kernel, n)?.dtype)
                    })?;
                    self.write(e, own, (*first, lane), &element)?;
                }
            }
            Ok(())
        })
    }

    fn store_vectors(
        &self,
        e: &Emitter<'ctx, '_>,
        (rows, row): (&Rows<'ctx, '_>, &Row<'ctx>),
        begin: IntValue<'ctx>,
        vector: u32,
    ) -> Emit<()> {
        let (r, phase) = (&rows.r, rows.r.phase);
        let own = self.own(e, vector)?;
        let together = if Self::is_small(phase) { WIDE_LOADS } else { 1 };
        self.rounds(e, vector, together, |firsts| {
            for first in firsts {
                let i = e.add(begin, e.add(own, *first)?)?;
                let mut outputs = Vec::new();
                for lane in 0..vector {
                    let values = self.read(e, own, (*first, lane))?;
                    outputs.push(rows.outputs(e, row, e.add(i, e.i64(i64::from(lane)))?, &values)?);
                }
                for to in &phase.stores {
                    let lanes = outputs.iter().map(|o| o.get(to.output).copied()).collect::<Option<Vec<_>>>();
                    let lanes = lanes.ok_or_else(|| bug(format!("a phase has no output {}", to.output)))?;
                    let address = rows.address(e, row, to.operand, i)?;
                    store_vector(e, operand(r.kernel, to.operand)?, address, &lanes)?;
                }
            }
            Ok(())
        })
    }

    fn load_elements(
        &self,
        e: &Emitter<'ctx, '_>,
        (rows, row): (&Rows<'ctx, '_>, &Row<'ctx>),
        (begin, end): (IntValue<'ctx>, IntValue<'ctx>),
    ) -> Emit<()> {
        let own = self.own(e, 1)?;
        let last = e.sub(end, e.i64(1))?;
        let together = if Self::is_small(rows.r.phase) { LOADS } else { 1 };
        self.rounds(e, 1, together, |firsts| {
            // Beyond the end the last element is loaded, and what is made of it comes after all that is stored.
            let element = |first: &IntValue<'ctx>| {
                let i = e.add(begin, e.add(own, *first)?)?;
                rows.element(e, row, e.smin(i, last)?)
            };
            let elements = firsts.iter().map(element).collect::<Emit<Vec<_>>>()?;
            firsts.iter().zip(&elements).try_for_each(|(first, element)| self.write(e, own, (*first, 0), element))
        })
    }

    fn store_elements(
        &self,
        e: &Emitter<'ctx, '_>,
        (rows, row): (&Rows<'ctx, '_>, &Row<'ctx>),
        (begin, end): (IntValue<'ctx>, IntValue<'ctx>),
    ) -> Emit<()> {
        let own = self.own(e, 1)?;
        self.rounds(e, 1, 1, |firsts| {
            firsts.iter().try_for_each(|first| {
                let i = e.add(begin, e.add(own, *first)?)?;
                let inside = e.icmp(IntPredicate::SLT, i, end)?;
                e.when(inside, || rows.store(e, row, i, &self.read(e, own, (*first, 0))?))
            })
        })
    }

    /// A thread's first element of a round's.
    fn own(&self, e: &Emitter<'ctx, '_>, vector: u32) -> Emit<IntValue<'ctx>> {
        let thread = super::super::launch::wide_register(e, "tid.x")?;
        e.mul(thread, e.i64(i64::from(vector)))
    }
}
