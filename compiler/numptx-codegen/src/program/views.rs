//! Views: arithmetic on descriptors.

use inkwell::IntPredicate;
use inkwell::values::IntValue;
use numptx_ir::array::{Op, OpKind};

use super::values::{ArrayValue, Emitted, FunctionEmitter};
use crate::error::{Emit, bug};

impl<'ctx> FunctionEmitter<'_, '_, 'ctx> {
    /// A view op: a new descriptor over the operand's buffer.
    pub fn view(&mut self, op: &Op) -> Emit<()> {
        let mut array = self.array(op.operands[0])?;
        array.parameter = self.e.i32(-1);
        if matches!(op.kind, OpKind::Broadcast | OpKind::Windows { .. } | OpKind::ReadOnly) {
            array.read_only = self.e.context.bool_type().const_all_ones();
        }
        match &op.kind {
            OpKind::Slice { axis } => {
                let (start, length, step) =
                    (self.int(op.operands[1])?, self.int(op.operands[2])?, self.int(op.operands[3])?);
                array.offset = self.e.add(array.offset, self.e.mul(start, array.strides[*axis])?)?;
                array.strides[*axis] = self.e.mul(array.strides[*axis], step)?;
                array.shape[*axis] = length;
            }
            OpKind::Index { axis } => {
                let distance = self.e.mul(self.int(op.operands[1])?, array.strides[*axis])?;
                array.offset = self.e.add(array.offset, distance)?;
                array.shape.remove(*axis);
                array.strides.remove(*axis);
            }
            OpKind::NewAxis { axis } => {
                array.shape.insert(*axis, self.e.i64(1));
                array.strides.insert(*axis, self.e.i64(0));
            }
            OpKind::DropAxis { axis } => {
                array.shape.remove(*axis);
                array.strides.remove(*axis);
            }
            OpKind::Permute { permutation } => {
                array.shape = permutation.iter().map(|p| array.shape[*p]).collect();
                array.strides = permutation.iter().map(|p| array.strides[*p]).collect();
            }
            OpKind::Broadcast => self.broadcast(&mut array, op)?,
            OpKind::Part { imaginary } => {
                let part = self.dtype(op.results[0]).itemsize() as i64;
                array.offset = self.e.add(array.offset, self.e.i64(if *imaginary { part } else { 0 }))?;
            }
            OpKind::Diagonal { axes: [first, second] } => {
                let stride = self.e.add(array.strides[*first], array.strides[*second])?;
                let extent = array.shape[*first];
                for axis in [*first.max(second), *first.min(second)] {
                    array.shape.remove(axis);
                    array.strides.remove(axis);
                }
                array.shape.push(extent);
                array.strides.push(stride);
            }
            OpKind::Windows { axis } => {
                array.shape[*axis] = self.int(op.operands[1])?;
                array.shape.push(self.int(op.operands[2])?);
                array.strides.push(array.strides[*axis]);
            }
            OpKind::Split { axis } => {
                let (count, length) = (self.int(op.operands[1])?, self.int(op.operands[2])?);
                let stride = array.strides[*axis];
                array.shape[*axis] = count;
                array.strides[*axis] = self.e.mul(stride, length)?;
                array.shape.insert(*axis + 1, length);
                array.strides.insert(*axis + 1, stride);
            }
            OpKind::ReadOnly | OpKind::Writable => {}
            other => return Err(bug(format!("{other:?} is not a view"))),
        }
        self.set_view(op.results[0], op.operands[0], array);
        Ok(())
    }

    /// `is_writable`: what the value that travels with the array says.
    pub fn is_writable(&mut self, op: &Op) -> Emit<()> {
        let read_only = self.array(op.operands[0])?.read_only;
        let writable = self.e.builder.build_not(read_only, "")?;
        self.set(op.results[0], Emitted::Scalar(writable.into()));
        Ok(())
    }

    /// `same_buffer`: whether two arrays show one buffer.
    pub fn same_buffer(&mut self, op: &Op) -> Emit<()> {
        let [a, b] = [self.array(op.operands[0])?.buffer, self.array(op.operands[1])?.buffer];
        let is_one = self.e.builder.build_int_compare(IntPredicate::EQ, a, b, "")?;
        self.set(op.results[0], Emitted::Scalar(is_one.into()));
        Ok(())
    }

    /// Stride 0 for new axes and wherever the operand's extent is 1.
    fn broadcast(&mut self, array: &mut ArrayValue<'ctx>, op: &Op) -> Emit<()> {
        let extents = op.operands[1..].iter().map(|v| self.int(*v)).collect::<Emit<Vec<_>>>()?;
        let added = extents.len() - array.shape.len();
        let mut strides = vec![self.e.i64(0); added];
        for (axis, (own, stride)) in array.shape.iter().zip(&array.strides).enumerate() {
            if *own == extents[added + axis] {
                strides.push(*stride);
                continue;
            }
            let one = self.e.compare(IntPredicate::EQ, *own, self.e.i64(1))?;
            strides.push(self.e.select(one, self.e.i64(0), *stride)?);
        }
        array.shape = extents;
        array.strides = strides;
        Ok(())
    }

    /// The extent of a broadcast: the other one where either is 1.
    pub fn broadcast_extent(&mut self, op: &Op) -> Emit<()> {
        let (a, b) = (self.int(op.operands[0])?, self.int(op.operands[1])?);
        let one = self.e.compare(IntPredicate::EQ, a, self.e.i64(1))?;
        let extent = self.e.select(one, b, a)?;
        self.set(op.results[0], Emitted::Scalar(extent.into()));
        Ok(())
    }

    /// Python's slice normalisation (`PySlice_AdjustIndices`).
    pub fn slice_bounds(&mut self, lower: bool, upper: bool, op: &Op) -> Emit<()> {
        let ints = op.operands.iter().map(|v| self.int(*v)).collect::<Emit<Vec<_>>>()?;
        let (step, extent) = (ints[ints.len() - 2], ints[ints.len() - 1]);
        let e = &self.e;
        let (zero, one, minus) = (e.i64(0), e.i64(1), e.i64(-1));
        let up = e.compare(IntPredicate::SGT, step, zero)?;
        let least = e.select(up, zero, minus)?;
        let most = e.select(up, extent, e.sub(extent, one)?)?;
        let start = match lower {
            true => self.clamp(ints[0], extent, least, most)?,
            false => self.e.select(up, least, most)?,
        };
        let stop = match upper {
            true => self.clamp(ints[lower as usize], extent, least, most)?,
            false => self.e.select(up, most, least)?,
        };
        let length = self.slice_length(start, stop, step, up)?;
        self.set(op.results[0], Emitted::Scalar(start.into()));
        self.set(op.results[1], Emitted::Scalar(length.into()));
        Ok(())
    }

    fn clamp(
        &self,
        bound: IntValue<'ctx>,
        extent: IntValue<'ctx>,
        least: IntValue<'ctx>,
        most: IntValue<'ctx>,
    ) -> Emit<IntValue<'ctx>> {
        let e = &self.e;
        let negative = e.compare(IntPredicate::SLT, bound, e.i64(0))?;
        let wrapped = e.select(negative, e.add(bound, extent)?, bound)?;
        let low = e.compare(IntPredicate::SLT, wrapped, least)?;
        let raised = e.select(low, least, wrapped)?;
        let high = e.compare(IntPredicate::SGT, raised, most)?;
        e.select(high, most, raised)
    }

    fn slice_length(
        &self,
        start: IntValue<'ctx>,
        stop: IntValue<'ctx>,
        step: IntValue<'ctx>,
        up: IntValue<'ctx>,
    ) -> Emit<IntValue<'ctx>> {
        let e = &self.e;
        let (zero, one) = (e.i64(0), e.i64(1));
        let distance = e.select(up, e.sub(stop, start)?, e.sub(start, stop)?)?;
        let stride = e.select(up, step, e.sub(zero, step)?)?;
        let none = e.compare(IntPredicate::EQ, stride, zero)?;
        let stride = e.select(none, one, stride)?;
        let steps = e.builder.build_int_unsigned_div(e.sub(distance, one)?, stride, "")?;
        let some = e.compare(IntPredicate::SGT, distance, zero)?;
        e.select(some, e.add(steps, one)?, zero)
    }
}
