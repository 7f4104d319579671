//! Scans on the host: running values along the last axis, in the order of the elements.
//!
//! A row is run through one element after the other. Where neighbouring rows lie side by side, as in `cumsum(axis=0)` of a C-ordered array, tiles of
//! rows are run through together, the rows of the tile in the inner loop, so that memory is read in its order and the loop vectorises. The
//! order of operations is the same in both.

use inkwell::IntPredicate;
use inkwell::values::{FunctionValue, IntValue, PointerValue};
use numptx_abi::Kernel as Abi;
use numptx_ir::kernel::{Kernel, Phase};

use super::frame::{Frame, Walk};
use super::pace::{Pace, Step};
use super::tile::{Row, TILE};
use crate::accumulator::{Accumulator, Layout, Order};
use crate::elements::Elements;
use crate::emitter::Emitter;
use crate::error::Emit;
use crate::memory::Access;
use crate::phase::operand;
use crate::value::Scalar;

/// Rows side by side fewer than these are not worth a tile.
const FEWEST: i64 = 8;

/// Where the elements of operands at an index lie.
type Address<'a, 'ctx> = dyn Fn(usize) -> Emit<PointerValue<'ctx>> + 'a;

/// What a scan function works on.
struct Scan<'ctx, 'k> {
    kernel: &'k Kernel,
    phase: &'k Phase,
    layout: &'k Layout,
    frame: &'k Frame<'ctx>,
    rows: (IntValue<'ctx>, IntValue<'ctx>),
    /// Elements of the last axis.
    elements: (IntValue<'ctx>, IntValue<'ctx>),
    carries: PointerValue<'ctx>,
    /// Accumulators of a row to go on from, and which one is written.
    index: IntValue<'ctx>,
    /// Accumulators of a row.
    n_chunks: IntValue<'ctx>,
    /// Whether there is something to go on from.
    goes_on: IntValue<'ctx>,
    stores: IntValue<'ctx>,
    totals: IntValue<'ctx>,
}

/// Fills a function of type `numptx_abi::HostScan`.
pub(super) fn emit<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    phase: &Phase,
    function: FunctionValue<'ctx>,
) -> Emit<()> {
    let frame = Frame::of(e, kernel, function)?;
    let int = |n: usize| e.int_parameter(function, n);
    let (index, mode) = (int(6)?, int(8)?);
    let has = |bit: i64| e.icmp_with(IntPredicate::NE, e.and(mode, e.i64(bit))?, 0);
    let scan = Scan {
        kernel,
        phase,
        layout: &Layout::of(phase),
        frame: &frame,
        rows: (int(1)?, int(2)?),
        elements: (int(3)?, int(4)?),
        carries: e.pointer_parameter(function, 5)?,
        index,
        n_chunks: int(7)?,
        goes_on: e.icmp_with(IntPredicate::SGT, index, 0)?,
        stores: has(Abi::STORES)?,
        totals: has(Abi::TOTALS)?,
    };
    let some_rows = e.icmp(IntPredicate::SLT, scan.rows.0, scan.rows.1)?;
    let some_elements = e.icmp(IntPredicate::SLT, scan.elements.0, scan.elements.1)?;
    e.when(e.and(some_rows, some_elements)?, || match scan.is_side_by_side(e)? {
        Some((pace, holds)) => e.either(holds, || scan.by_tiles(e, &pace), || scan.by_rows(e)),
        None => scan.by_rows(e),
    })?;
    e.builder.build_return(None)?;
    Ok(())
}

impl<'ctx> Scan<'ctx, '_> {
    /// The axis that is run along.
    fn axis(&self) -> usize {
        self.kernel.rank - 1
    }

    /// Whether rows are better run through together: how operands move from row to row then, and the test of that.
    fn is_side_by_side(&self, e: &Emitter<'ctx, '_>) -> Emit<Option<(Pace, IntValue<'ctx>)>> {
        let Some(axis) = self.axis().checked_sub(1) else { return Ok(None) };
        let all: Vec<usize> = (0..self.kernel.operands.len()).collect();
        let pace = Pace::along(self.kernel, axis);
        let holds = pace.holds(e, self.kernel, (self.frame, axis), &all)?;
        let many = e.icmp_with(IntPredicate::SGE, self.frame.extents[axis], FEWEST)?;
        Ok(Some((pace, e.and(holds, many)?)))
    }

    /// Where accumulator `n` of a row lies.
    fn accumulator(&self, e: &Emitter<'ctx, '_>, row: IntValue<'ctx>, n: IntValue<'ctx>) -> Emit<PointerValue<'ctx>> {
        let first = e.mul(e.sub(row, self.rows.0)?, self.n_chunks)?;
        let offset = e.mul(e.add(first, n)?, e.i64(i64::from(self.layout.bytes)))?;
        e.at_bytes(self.carries, offset)
    }

    /// What a row goes on from, in slots; called where there is something.
    fn carry(&self, e: &Emitter<'ctx, '_>, row: IntValue<'ctx>, slots: &[PointerValue<'ctx>]) -> Emit<()> {
        let load = |n| e.load_accumulator(self.layout, self.accumulator(e, row, n)?);
        e.write_accumulator(slots, self.layout, &load(e.i64(0))?)?;
        e.count((e.i64(1), self.index), e.i64(1), None, |n| {
            let so_far = e.read_accumulator(slots, self.layout)?;
            let both = e.combine(self.layout, &so_far, &load(n)?, Order::Fixed)?;
            e.write_accumulator(slots, self.layout, &both)
        })
    }

    /// The body's outputs at an index, whose elements lie at `address`.
    fn element(
        &self,
        e: &Emitter<'ctx, '_>,
        indices: &[IntValue<'ctx>],
        address: &Address<'_, 'ctx>,
        access: Access<'ctx>,
    ) -> Emit<Accumulator<'ctx>> {
        let frame = self.frame;
        let elements =
            Elements { kernel: self.kernel, bases: &frame.bases, scalars: &frame.scalars, group: access.group };
        let outputs = e.phase_outputs(self.phase, &elements, indices, |n| {
            e.load(address(n)?, operand(self.kernel, n)?.dtype, access)
        })?;
        e.singleton(self.layout, &outputs, e.i64(0))
    }

    /// Stores running values at an index.
    fn store(
        &self,
        e: &Emitter<'ctx, '_>,
        values: &[Scalar<'ctx>],
        indices: &[IntValue<'ctx>],
        address: &Address<'_, 'ctx>,
        access: Access<'ctx>,
    ) -> Emit<()> {
        let outputs = e.epilogue(self.phase, e.results(self.layout, values)?, indices)?;
        e.phase_stores(self.phase, &outputs, |n, value| {
            e.store(address(n)?, value, operand(self.kernel, n)?.dtype, access)
        })
    }

    /// Row by row.
    fn by_rows(&self, e: &Emitter<'ctx, '_>) -> Emit<()> {
        let walk = Walk::new(e, self.frame, 0..self.axis())?;
        walk.start(e, self.rows.0, &self.frame.bases)?;
        let identity = e.identity(self.layout)?;
        let (local, carry) =
            (e.accumulator_slots(self.layout, &identity)?, e.accumulator_slots(self.layout, &identity)?);
        let plain = e.and(self.stores, e.not(e.or(self.goes_on, self.totals)?)?)?;
        e.count(self.rows, e.i64(1), None, |row| {
            let (outer, bases) = (walk.indices(e)?, walk.addresses(e)?);
            e.either(
                plain,
                || self.plain_row(e, &outer, &bases, &local),
                || self.carried_row(e, row, &outer, &bases, (&local, &carry)),
            )?;
            walk.advance(e)
        })
    }

    /// From the row's begin, nothing but results wanted.
    fn plain_row(
        &self,
        e: &Emitter<'ctx, '_>,
        outer: &[IntValue<'ctx>],
        bases: &[PointerValue<'ctx>],
        local: &[PointerValue<'ctx>],
    ) -> Emit<()> {
        let (first, last) = self.elements;
        self.at(e, outer, bases, first, |indices, address| {
            let element = self.element(e, indices, address, Access::default())?;
            e.write_accumulator(local, self.layout, &element)?;
            self.store(e, &element, indices, address, Access::default())
        })?;
        e.count((e.add(first, e.i64(1))?, last), e.i64(1), None, |i| {
            self.at(e, outer, bases, i, |indices, address| {
                let element = self.element(e, indices, address, Access::default())?;
                let so_far = e.read_accumulator(local, self.layout)?;
                let next = e.combine(self.layout, &so_far, &element, Order::Fixed)?;
                e.write_accumulator(local, self.layout, &next)?;
                self.store(e, &next, indices, address, Access::default())
            })
        })
    }

    fn carried_row(
        &self,
        e: &Emitter<'ctx, '_>,
        row: IntValue<'ctx>,
        outer: &[IntValue<'ctx>],
        bases: &[PointerValue<'ctx>],
        (local, carry): (&[PointerValue<'ctx>], &[PointerValue<'ctx>]),
    ) -> Emit<()> {
        let (first, last) = self.elements;
        e.when(self.goes_on, || self.carry(e, row, carry))?;
        let store = |values: &[Scalar<'ctx>], indices: &[IntValue<'ctx>], address: &Address<'_, 'ctx>| {
            let before = e.read_accumulator(carry, self.layout)?;
            let value = e.combine_if(self.layout, self.goes_on, &before, values)?;
            self.store(e, &value, indices, address, Access::default())
        };
        self.at(e, outer, bases, first, |indices, address| {
            let element = self.element(e, indices, address, Access::default())?;
            e.write_accumulator(local, self.layout, &element)?;
            e.when(self.stores, || store(&element, indices, address))
        })?;
        // What is asked of all elements is asked before them: a total waits for the one before, and for nothing else.
        let others = |stores: bool| {
            e.count((e.add(first, e.i64(1))?, last), e.i64(1), None, |i| {
                self.at(e, outer, bases, i, |indices, address| {
                    let element = self.element(e, indices, address, Access::default())?;
                    let so_far = e.read_accumulator(local, self.layout)?;
                    let next = e.combine(self.layout, &so_far, &element, Order::Fixed)?;
                    e.write_accumulator(local, self.layout, &next)?;
                    if stores { store(&next, indices, address) } else { Ok(()) }
                })
            })
        };
        e.either(self.stores, || others(true), || others(false))?;
        e.when(self.totals, || {
            let total = e.read_accumulator(local, self.layout)?;
            e.store_accumulator(self.layout, self.accumulator(e, row, self.index)?, &total)
        })
    }

    /// Calls `code` with the indices and the addresses of an element of a row.
    fn at(
        &self,
        e: &Emitter<'ctx, '_>,
        outer: &[IntValue<'ctx>],
        bases: &[PointerValue<'ctx>],
        i: IntValue<'ctx>,
        code: impl FnOnce(&[IntValue<'ctx>], &Address<'_, 'ctx>) -> Emit<()>,
    ) -> Emit<()> {
        let indices = [outer, &[i]].concat();
        let axis = self.axis();
        code(&indices, &|n| e.at_bytes(bases[n], e.mul(i, self.frame.strides[n][axis])?))
    }

    /// Rows that lie side by side, up to [`TILE`] at a time.
    fn by_tiles(&self, e: &Emitter<'ctx, '_>, pace: &Pace) -> Emit<()> {
        let inner = self.axis() - 1;
        let extent = self.frame.extents[inner];
        let (begin, end) = self.rows;
        let lines = Walk::new(e, self.frame, 0..inner)?;
        let line = e.udiv(begin, extent)?;
        lines.start(e, line, &self.frame.bases)?;
        let tile = Tile {
            scan: self,
            steps: pace.steps(),
            local: Row::new(e, self.layout)?,
            carry: Row::new(e, self.layout)?,
        };
        let done = e.slot_with(begin, "done")?;
        let column = e.slot_with(e.sub(begin, e.mul(line, extent)?)?, "column")?;
        e.repeat(
            || e.icmp(IntPredicate::SLT, e.read_int(done, begin)?, end),
            || {
                let (row, from) = (e.read_int(done, begin)?, e.read_int(column, begin)?);
                let room = e.smin(e.sub(extent, from)?, e.sub(end, row)?)?;
                let length = e.smin(room, e.i64(TILE))?;
                tile.emit(e, row, (&lines.indices(e)?, from), &lines.addresses(e)?, length)?;
                e.write(done, e.add(row, length)?)?;
                let next = e.add(from, length)?;
                e.write(column, next)?;
                e.when(e.icmp(IntPredicate::EQ, next, extent)?, || {
                    e.write(column, e.i64(0))?;
                    lines.advance(e)
                })
            },
        )
    }
}

/// Rows that are run through together.
struct Tile<'ctx, 'k> {
    scan: &'k Scan<'ctx, 'k>,
    /// From row to row, one an operand.
    steps: Vec<Step<'ctx>>,
    /// Running values of the rows.
    local: Row<'ctx>,
    /// What the rows go on from.
    carry: Row<'ctx>,
}

impl<'ctx> Tile<'ctx, '_> {
    fn emit(
        &self,
        e: &Emitter<'ctx, '_>,
        row: IntValue<'ctx>,
        (outer, from): (&[IntValue<'ctx>], IntValue<'ctx>),
        bases: &[PointerValue<'ctx>],
        length: IntValue<'ctx>,
    ) -> Emit<()> {
        let (scan, layout) = (self.scan, self.scan.layout);
        let slots = e.accumulator_slots(layout, &e.identity(layout)?)?;
        e.count((e.i64(0), length), e.i64(1), None, |c| {
            self.local.write(e, layout, c, &e.identity(layout)?, Access::default())?;
            e.write_accumulator(&slots, layout, &e.identity(layout)?)?;
            e.when(scan.goes_on, || scan.carry(e, e.add(row, c)?, &slots))?;
            self.carry.write(e, layout, c, &e.read_accumulator(&slots, layout)?, Access::default())
        })?;
        e.count(scan.elements, e.i64(1), None, |i| {
            let mut at = Vec::with_capacity(bases.len());
            for (n, base) in bases.iter().enumerate() {
                let along = e.mul(i, scan.frame.strides[n][scan.axis()])?;
                at.push(self.steps[n].address(e, e.at_bytes(*base, along)?, from, operand(scan.kernel, n)?.dtype)?);
            }
            let line = Line { outer, from, i, bases: &at };
            let fast = |stores: bool| -> Emit<()> { self.line(e, &line, length, stores) };
            e.either(scan.stores, || fast(true), || fast(false))
        })?;
        e.when(scan.totals, || {
            e.count((e.i64(0), length), e.i64(1), None, |c| {
                let total = self.local.read(e, layout, c, Access::default())?;
                let to = scan.accumulator(e, e.add(row, c)?, scan.index)?;
                e.store_accumulator(layout, to, &total)
            })
        })
    }

    /// One index of the last axis, in all rows of the tile.
    fn line(&self, e: &Emitter<'ctx, '_>, line: &Line<'ctx, '_>, length: IntValue<'ctx>, stores: bool) -> Emit<()> {
        let (scan, layout) = (self.scan, self.scan.layout);
        let begun = e.icmp(IntPredicate::SGT, line.i, scan.elements.0)?;
        let parallel = e.parallel()?;
        let access = Access { group: Some(parallel.group), invariant: false };
        e.count((e.i64(0), length), e.i64(1), Some(parallel.loop_id), |c| {
            let mut indices = line.outer.to_vec();
            indices.extend([e.add(line.from, c)?, line.i]);
            let address = |n: usize| self.steps[n].address(e, line.bases[n], c, operand(scan.kernel, n)?.dtype);
            let element = scan.element(e, &indices, &address, access)?;
            let so_far = self.local.read(e, layout, c, access)?;
            let next = e.combine_if(layout, begun, &so_far, &element)?;
            self.local.write(e, layout, c, &next, access)?;
            if !stores {
                return Ok(());
            }
            let value = e.combine_if(layout, scan.goes_on, &self.carry.read(e, layout, c, access)?, &next)?;
            scan.store(e, &value, &indices, &address, access)
        })
    }
}

/// The elements of a tile at one index of the last axis.
struct Line<'ctx, 'l> {
    /// Indices of the axes before the rows' own.
    outer: &'l [IntValue<'ctx>],
    /// The first row's index along the last kept axis.
    from: IntValue<'ctx>,
    /// The index along the last axis.
    i: IntValue<'ctx>,
    /// Addresses of the first row's elements.
    bases: &'l [PointerValue<'ctx>],
}
