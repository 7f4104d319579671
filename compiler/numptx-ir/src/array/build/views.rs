//! View ops, and `reshape`, with the extents that they give. Indices and extents are in range: the caller has checked them.

use super::Builder;
use crate::DType;
use crate::array::{Layout, Op, OpKind, Reading, Type, ValueId};
use crate::scalar::{Constant, ScalarOp};

impl Builder {
    /// `v[start : start + length * step : step]` along an axis; in range.
    pub fn slice(&mut self, v: ValueId, axis: usize, start: ValueId, length: ValueId, step: ValueId) -> ValueId {
        let mut extents = self.shape(v);
        if self.as_i64(start) == Some(0) && self.as_i64(step) == Some(1) && extents[axis] == length {
            return v;
        }
        extents[axis] = length;
        let result = self.emit_one(OpKind::Slice { axis }, vec![v, start, length, step]);
        self.with_extents(result, extents)
    }

    /// Drops an axis at an index in range.
    pub fn index(&mut self, v: ValueId, axis: usize, i: ValueId) -> ValueId {
        let mut extents = self.shape(v);
        extents.remove(axis);
        let result = self.emit_one(OpKind::Index { axis }, vec![v, i]);
        self.with_extents(result, extents)
    }

    /// Inserts an axis of extent 1 before `axis`.
    pub fn new_axis(&mut self, v: ValueId, axis: usize) -> ValueId {
        let mut extents = self.shape(v);
        let one = self.i64(1);
        extents.insert(axis, one);
        let result = self.emit_one(OpKind::NewAxis { axis }, vec![v]);
        self.with_extents(result, extents)
    }

    /// Removes an axis; the caller has checked that its extent is 1.
    pub fn drop_axis(&mut self, v: ValueId, axis: usize) -> ValueId {
        let mut extents = self.shape(v);
        extents.remove(axis);
        let result = self.emit_one(OpKind::DropAxis { axis }, vec![v]);
        self.with_extents(result, extents)
    }

    /// Result axis `k` is axis `permutation[k]`.
    pub fn permute(&mut self, v: ValueId, permutation: &[usize]) -> ValueId {
        if permutation.iter().enumerate().all(|(i, p)| i == *p) {
            return v;
        }
        let extents = self.shape(v);
        let extents = permutation.iter().map(|p| extents[*p]).collect();
        let result = self.emit_one(OpKind::Permute { permutation: permutation.to_vec() }, vec![v]);
        self.with_extents(result, extents)
    }

    /// All of an array as a view: not the same object.
    pub fn whole(&mut self, v: ValueId) -> ValueId {
        let (permutation, extents) = ((0..self.rank(v)).collect(), self.shape(v));
        let result = self.emit_one(OpKind::Permute { permutation }, vec![v]);
        self.with_extents(result, extents)
    }

    /// Broadcasts to extents that were checked before; itself if nothing changes.
    pub fn broadcast_to(&mut self, v: ValueId, extents: &[ValueId]) -> ValueId {
        if self.shape(v) == extents {
            return v;
        }
        let mut operands = vec![v];
        operands.extend_from_slice(extents);
        let result = self.emit_one(OpKind::Broadcast, operands);
        self.with_extents(result, extents.to_vec())
    }

    /// The real or imaginary parts as a view.
    pub fn part(&mut self, v: ValueId, imaginary: bool) -> ValueId {
        let extents = self.shape(v);
        let result = self.emit_one(OpKind::Part { imaginary }, vec![v]);
        self.with_extents(result, extents)
    }

    /// The diagonal of two axes of equal extents (checked before), as the last axis.
    pub fn diagonal(&mut self, v: ValueId, axes: [usize; 2]) -> ValueId {
        let own = self.shape(v);
        let kept = own.iter().enumerate().filter(|(axis, _)| !axes.contains(axis)).map(|(_, extent)| *extent);
        let extents = kept.chain([own[axes[0]]]).collect();
        let result = self.emit_one(OpKind::Diagonal { axes }, vec![v]);
        self.with_extents(result, extents)
    }

    /// `count` windows of `length` elements along an axis; they run along a new last axis. In range.
    pub fn windows(&mut self, v: ValueId, axis: usize, count: ValueId, length: ValueId) -> ValueId {
        let mut extents = self.shape(v);
        extents[axis] = count;
        extents.push(length);
        let result = self.emit_one(OpKind::Windows { axis }, vec![v, count, length]);
        self.with_extents(result, extents)
    }

    /// The same elements as a view through which nothing is written.
    pub fn read_only(&mut self, v: ValueId) -> ValueId {
        let extents = self.shape(v);
        let result = self.emit_one(OpKind::ReadOnly, vec![v]);
        self.with_extents(result, extents)
    }

    /// Elements of a dtype from the first byte on, so many bytes apart along each axis: a view. They lie in bytes of the array's elements (checked before).
    pub fn strided(&mut self, v: ValueId, dtype: DType, extents: &[ValueId], strides: &[ValueId]) -> ValueId {
        let operands = [&[v], extents, strides].concat();
        let result = self.emit_one(OpKind::Strided { dtype }, operands);
        self.with_extents(result, extents.to_vec())
    }

    /// Bytes from an element to the next along an axis.
    pub fn stride(&mut self, v: ValueId, axis: usize) -> ValueId {
        self.emit_one(OpKind::Stride(axis), vec![v])
    }

    /// The elements in an order along one axis; a view where they lie so.
    pub fn ravel(&mut self, v: ValueId, reading: Reading, size: ValueId) -> ValueId {
        let result = self.emit_one(OpKind::Ravel(reading), vec![v, size]);
        self.with_extents(result, vec![size])
    }

    /// Itself where it lies in an order without gaps, else a copy that does.
    pub fn contiguous(&mut self, v: ValueId, reading: Reading) -> ValueId {
        let extents = self.shape(v);
        let result = self.emit_one(OpKind::Contiguous(reading), vec![v]);
        self.with_extents(result, extents)
    }

    /// Whether both show one buffer.
    pub fn same_buffer(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.emit_one(OpKind::SameBuffer, vec![a, b])
    }

    /// Whether elements that two arrays share stand at other indices in the one than in the other.
    pub fn overlap(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.emit_one(OpKind::Overlap, vec![a, b])
    }

    /// Whether an array lies in C order without gaps, as NumPy's flag says: axes of extent 1 may have any stride, and arrays of no elements too.
    pub fn is_c_contiguous(&mut self, v: ValueId) -> ValueId {
        let (mut fine, mut empty) = (self.constant(Constant::Bool(true), DType::Bool), Vec::new());
        if matches!(self.ty(v), Type::Array(array) if array.layout == Layout::C) {
            return fine;
        }
        let mut expected = self.i64(self.dtype(v).itemsize() as i64);
        let (zero, one) = (self.i64(0), self.i64(1));
        for (axis, extent) in self.shape(v).into_iter().enumerate().rev() {
            let stride = self.emit_one(OpKind::Stride(axis), vec![v]);
            let is_next = self.scalar(ScalarOp::Eq, &[stride, expected]);
            let is_single = self.scalar(ScalarOp::Eq, &[extent, one]);
            let is_fine = self.scalar(ScalarOp::BitOr, &[is_next, is_single]);
            fine = self.scalar(ScalarOp::BitAnd, &[fine, is_fine]);
            empty.push(self.scalar(ScalarOp::Eq, &[extent, zero]));
            expected = self.scalar(ScalarOp::Mul, &[expected, extent]);
        }
        empty.into_iter().fold(fine, |fine, is_empty| self.scalar(ScalarOp::BitOr, &[fine, is_empty]))
    }

    /// Whether a value is a parameter of the function.
    pub fn is_parameter(&self, v: ValueId) -> bool {
        self.function.parameters.contains(&v)
    }

    /// Whether an array may show memory of an argument. What regions and calls give counts as such.
    pub fn may_show_parameter(&self, v: ValueId) -> bool {
        let made = self.regions.iter().flat_map(|region| &region.ops).find(|op| op.results.contains(&v));
        match made {
            Some(op) if op.kind.is_view() || op.kind.is_view_or_copy() => self.may_show_parameter(op.operands[0]),
            Some(op) => !matches!(op.kind, OpKind::Alloc { .. } | OpKind::Map(_) | OpKind::Reduce(_) | OpKind::Scan(_)),
            None => true,
        }
    }

    /// Whether a value is an array object that an op made, and no other value is, or may be, the same object.
    pub fn is_own_object(&self, v: ValueId) -> bool {
        let ops = || self.regions.iter().flat_map(|region| &region.ops);
        let makes = |op: &Op| op.results.contains(&v) && op.regions.is_empty() && !is_perhaps_its_operand(&op.kind);
        ops().any(makes) && !ops().any(|op| hands_on(op, v))
    }

    /// How many regions are open.
    pub fn region_depth(&self) -> usize {
        self.regions.len()
    }

    /// Whether an op in the open regions past so many of the outermost has a value as its result.
    pub fn is_made_inside(&self, v: ValueId, depth: usize) -> bool {
        self.regions.iter().skip(depth).flat_map(|region| &region.ops).any(|op| op.results.contains(&v))
    }

    /// C-order reshape to extents of the same size (checked before).
    pub fn reshape(&mut self, v: ValueId, extents: &[ValueId]) -> ValueId {
        let mut operands = vec![v];
        operands.extend_from_slice(extents);
        let result = self.emit_one(OpKind::Reshape(Reading::C), operands);
        self.with_extents(result, extents.to_vec())
    }
}

/// Whether an op may give its operand as it is.
fn is_perhaps_its_operand(kind: &OpKind) -> bool {
    matches!(kind, OpKind::Contiguous(_) | OpKind::Call { .. })
}

/// Whether a result of an op, or a parameter of a region in it, may be the object that a value is.
fn hands_on(op: &Op, v: ValueId) -> bool {
    let is_handed_on =
        matches!(op.kind, OpKind::Yield | OpKind::For | OpKind::While) || is_perhaps_its_operand(&op.kind);
    is_handed_on && op.operands.contains(&v)
        || op.regions.iter().any(|region| region.ops.iter().any(|nested| hands_on(nested, v)))
}
