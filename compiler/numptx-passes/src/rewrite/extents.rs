//! The extents of arrays as values: what they were made with, followed through views.
//!
//! In: an array and an axis. Out: an `i64` value; a new `dim` only for parameters and results of regions.

use numptx_ir::DType;
use numptx_ir::array::{OpKind, ValueId};

use crate::rewrite::emit::Emitter;

impl Emitter {
    /// The extent of an array along an axis.
    pub fn dim(&mut self, array: ValueId, axis: usize) -> ValueId {
        self.dim_as(array, axis, None)
    }

    /// As [`Emitter::dim`]; a new op defines `reuse`.
    pub fn dim_as(&mut self, array: ValueId, axis: usize, reuse: Option<Vec<ValueId>>) -> ValueId {
        let mut array = array;
        let mut axis = axis;
        while let Some(definition) = self.definition(array) {
            match extent_of(&definition.kind, &definition.operands, axis, self.rank(array)) {
                Extent::Value(value) => return value,
                Extent::One => return self.i64(1),
                Extent::OfBase(base_axis) => (array, axis) = (definition.operands[0], base_axis),
                Extent::Unknown => break,
            }
        }
        self.number(OpKind::Dim(axis), vec![array], DType::I64, reuse)[0]
    }

    /// All extents of an array.
    pub fn shape(&mut self, array: ValueId) -> Vec<ValueId> {
        (0..self.rank(array)).map(|axis| self.dim(array, axis)).collect()
    }

    /// Whether an array's extent along an axis is 1 whatever the arguments.
    pub fn is_one(&self, array: ValueId, axis: usize) -> bool {
        let Some(definition) = self.definition(array) else { return false };
        match extent_of(&definition.kind, &definition.operands, axis, self.rank(array)) {
            Extent::Value(value) => self.i64_of(value) == Some(1),
            Extent::One => true,
            Extent::OfBase(base_axis) => self.is_one(definition.operands[0], base_axis),
            Extent::Unknown => false,
        }
    }

    fn rank(&self, array: ValueId) -> usize {
        self.array(array).map_or(0, |a| a.rank)
    }
}

/// The base's axis that an axis of a diagonal runs along, the last one excepted.
pub fn diagonal_axis(axes: [usize; 2], axis: usize) -> usize {
    let [low, high] = [axes[0].min(axes[1]), axes[0].max(axes[1])];
    let axis = if axis >= low { axis + 1 } else { axis };
    if axis >= high { axis + 1 } else { axis }
}

/// Where an extent comes from.
#[derive(Clone, Copy, Debug)]
pub enum Extent {
    /// A value.
    Value(ValueId),
    /// It is 1.
    One,
    /// The first operand's extent along an axis.
    OfBase(usize),
    /// A parameter, or what a region gives.
    Unknown,
}

/// The extent of an op's result, of this rank, along an axis.
pub fn extent_of(kind: &OpKind, operands: &[ValueId], axis: usize, rank: usize) -> Extent {
    let operand = |n: usize| operands.get(n).map_or(Extent::Unknown, |v| Extent::Value(*v));
    match kind {
        OpKind::Slice { axis: sliced } if *sliced == axis => operand(2),
        OpKind::Slice { .. } | OpKind::Part { .. } | OpKind::ReadOnly | OpKind::Writable => Extent::OfBase(axis),
        OpKind::Index { axis: dropped } | OpKind::DropAxis { axis: dropped } => {
            Extent::OfBase(if axis >= *dropped { axis + 1 } else { axis })
        }
        OpKind::NewAxis { axis: new } if *new == axis => Extent::One,
        OpKind::NewAxis { axis: new } => Extent::OfBase(if axis > *new { axis - 1 } else { axis }),
        OpKind::Permute { permutation } => Extent::OfBase(permutation[axis]),
        OpKind::Diagonal { axes } if axis + 1 == rank => Extent::OfBase(axes[0]),
        OpKind::Diagonal { axes } => Extent::OfBase(diagonal_axis(*axes, axis)),
        OpKind::Windows { .. } if axis + 1 == rank => operand(2),
        OpKind::Windows { axis: sliding } if *sliding == axis => operand(1),
        OpKind::Windows { .. } => Extent::OfBase(axis),
        OpKind::Split { axis: split } if axis == *split => operand(1),
        OpKind::Split { axis: split } if axis == *split + 1 => operand(2),
        OpKind::Split { axis: split } => Extent::OfBase(if axis > *split { axis - 1 } else { axis }),
        OpKind::Contiguous(_) => Extent::OfBase(axis),
        OpKind::Broadcast | OpKind::Reshape(_) | OpKind::Ravel(_) | OpKind::Strided { .. } | OpKind::Reuse { .. } => {
            operand(1 + axis)
        }
        OpKind::Alloc { .. } | OpKind::Map(_) | OpKind::Reduce(_) | OpKind::Scan(_) => operand(axis),
        _ => Extent::Unknown,
    }
}
