//! What a host function reads of its frame (`numptx_abi::Frame`), and the walk over work items in linear order.

use std::ops::Range;

use inkwell::AddressSpace;
use inkwell::IntPredicate;
use inkwell::values::{FunctionValue, IntValue, PointerValue};
use numptx_ir::DType;
use numptx_ir::dtype::Kind;
use numptx_ir::kernel::Kernel;

use crate::emitter::Emitter;
use crate::error::Emit;
use crate::phase::stands_still;
use crate::value::Scalar;

/// A frame's contents in registers.
pub(super) struct Frame<'ctx> {
    /// Address of element `[0, …, 0]`, one an operand.
    pub bases: Vec<PointerValue<'ctx>>,
    /// One a scalar.
    pub scalars: Vec<Scalar<'ctx>>,
    /// One an axis.
    pub extents: Vec<IntValue<'ctx>>,
    /// Bytes, by operand and axis; the constant 0 where the operand always stands still.
    pub strides: Vec<Vec<IntValue<'ctx>>>,
}

impl<'ctx> Frame<'ctx> {
    /// Of a function whose first parameter is the frame's address.
    pub fn of(e: &Emitter<'ctx, '_>, kernel: &Kernel, function: FunctionValue<'ctx>) -> Emit<Self> {
        Frame::read(e, kernel, e.pointer_parameter(function, 0)?)
    }

    /// Reads the frame at an address.
    fn read(e: &Emitter<'ctx, '_>, kernel: &Kernel, frame: PointerValue<'ctx>) -> Emit<Self> {
        let pointer = e.context.ptr_type(AddressSpace::default());
        let field = |n: i64| -> Emit<PointerValue<'ctx>> {
            let at = e.at_bytes(frame, e.i64(8 * n))?;
            Ok(e.builder.build_load(pointer, at, "")?.into_pointer_value())
        };
        let (bases, scalars, extents, strides) = (field(0)?, field(1)?, field(2)?, field(3)?);
        let word = |base: PointerValue<'ctx>, n: usize| -> Emit<IntValue<'ctx>> {
            let at = e.at_bytes(base, e.i64(8 * n as i64))?;
            Ok(e.builder.build_load(e.context.i64_type(), at, "")?.into_int_value())
        };
        let mut read = Frame { bases: Vec::new(), scalars: Vec::new(), extents: Vec::new(), strides: Vec::new() };
        for axis in 0..kernel.rank {
            read.extents.push(word(extents, axis)?);
        }
        for (n, operand) in kernel.operands.iter().enumerate() {
            let at = e.at_bytes(bases, e.i64(8 * n as i64))?;
            read.bases.push(e.builder.build_load(pointer, at, "")?.into_pointer_value());
            let stride = |axis: usize| match stands_still(operand, axis) {
                true => Ok(e.i64(0)),
                false => word(strides, n * kernel.rank + axis),
            };
            read.strides.push((0..kernel.rank).map(stride).collect::<Emit<Vec<_>>>()?);
        }
        for (n, dtype) in kernel.scalars.iter().enumerate() {
            read.scalars.push(read_scalar(e, e.at_bytes(scalars, e.i64(16 * n as i64))?, *dtype)?);
        }
        Ok(read)
    }
}

/// A scalar from its two words.
fn read_scalar<'ctx>(e: &Emitter<'ctx, '_>, words: PointerValue<'ctx>, dtype: DType) -> Emit<Scalar<'ctx>> {
    match dtype.kind() {
        Kind::Complex => {
            let part =
                |offset: i64| e.load(e.at_bytes(words, e.i64(offset))?, dtype.real(), Default::default())?.float();
            Ok(Scalar::Complex(part(0)?, part(8)?))
        }
        _ => e.load(words, dtype, Default::default()),
    }
}

/// A walk over the work items of some axes in linear order, the last fastest: an index an axis and an address an operand, in slots.
pub(super) struct Walk<'ctx, 'f> {
    frame: &'f Frame<'ctx>,
    axes: Range<usize>,
    indices: Vec<PointerValue<'ctx>>,
    addresses: Vec<PointerValue<'ctx>>,
}

impl<'ctx, 'f> Walk<'ctx, 'f> {
    /// Makes the slots. [`Walk::start`] puts the walk at a work item.
    pub fn new(e: &Emitter<'ctx, '_>, frame: &'f Frame<'ctx>, axes: Range<usize>) -> Emit<Self> {
        let index = |_| e.slot(e.context.i64_type(), "index");
        let indices = axes.clone().map(index).collect::<Emit<Vec<_>>>()?;
        let address = |_| e.slot(e.context.ptr_type(AddressSpace::default()), "address");
        let addresses = frame.bases.iter().map(address).collect::<Emit<Vec<_>>>()?;
        Ok(Walk { frame, axes, indices, addresses })
    }

    /// Goes to the work item of a linear index; `bases` are the addresses at index 0. No extent of the axes is 0.
    pub fn start(&self, e: &Emitter<'ctx, '_>, linear: IntValue<'ctx>, bases: &[PointerValue<'ctx>]) -> Emit<()> {
        let mut addresses = bases.to_vec();
        let mut rest = linear;
        for axis in self.axes.clone().rev() {
            let extent = self.frame.extents[axis];
            let index = if axis == self.axes.start {
                rest
            } else {
                let quotient = e.udiv(rest, extent)?;
                let index = e.sub(rest, e.mul(quotient, extent)?)?;
                rest = quotient;
                index
            };
            e.write(self.indices[axis - self.axes.start], index)?;
            for (address, strides) in addresses.iter_mut().zip(&self.frame.strides) {
                *address = e.at_bytes(*address, e.mul(index, strides[axis])?)?;
            }
        }
        for (slot, address) in self.addresses.iter().zip(addresses) {
            e.write(*slot, address)?;
        }
        Ok(())
    }

    /// The index of each axis.
    pub fn indices(&self, e: &Emitter<'ctx, '_>) -> Emit<Vec<IntValue<'ctx>>> {
        self.indices.iter().map(|slot| e.read_int(*slot, e.i64(0))).collect()
    }

    /// The address of each operand.
    pub fn addresses(&self, e: &Emitter<'ctx, '_>) -> Emit<Vec<PointerValue<'ctx>>> {
        let pointer = e.context.ptr_type(AddressSpace::default());
        let read = |slot: &PointerValue<'ctx>| Ok(e.builder.build_load(pointer, *slot, "")?.into_pointer_value());
        self.addresses.iter().map(read).collect()
    }

    /// Goes to the next work item.
    pub fn advance(&self, e: &Emitter<'ctx, '_>) -> Emit<()> {
        if self.axes.is_empty() { Ok(()) } else { self.advance_axis(e, self.axes.end - 1) }
    }

    fn advance_axis(&self, e: &Emitter<'ctx, '_>, axis: usize) -> Emit<()> {
        let slot = self.indices[axis - self.axes.start];
        let next = e.add(e.read_int(slot, e.i64(0))?, e.i64(1))?;
        e.write(slot, next)?;
        self.move_along(e, axis, e.i64(1))?;
        if axis == self.axes.start {
            return Ok(());
        }
        let extent = self.frame.extents[axis];
        let wraps = e.icmp(IntPredicate::EQ, next, extent)?;
        e.when(wraps, || {
            e.write(slot, e.i64(0))?;
            self.move_along(e, axis, e.sub(e.i64(0), extent)?)?;
            self.advance_axis(e, axis - 1)
        })
    }

    fn move_along(&self, e: &Emitter<'ctx, '_>, axis: usize, steps: IntValue<'ctx>) -> Emit<()> {
        let addresses = self.addresses(e)?;
        for ((slot, address), strides) in self.addresses.iter().zip(addresses).zip(&self.frame.strides) {
            e.write(*slot, e.at_bytes(address, e.mul(steps, strides[axis])?)?)?;
        }
        Ok(())
    }
}
