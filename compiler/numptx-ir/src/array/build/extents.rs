//! Extents as values: what each array was made with, and the broadcast of shapes with NumPy's checks.

use super::Builder;
use super::sharing::ScalarKey;
use crate::array::{ErrorKind, OpKind, ValueId};
use crate::scalar::ScalarOp;

impl Builder {
    /// The extent of an array along an axis; the value that it was made with where that is known.
    pub fn dim(&mut self, array: ValueId, axis: usize) -> ValueId {
        self.shape(array)[axis]
    }

    /// All extents of an array; empty for scalars. `dim` ops stand right after an array's definition, so that they are visible wherever it is.
    pub fn shape(&mut self, array: ValueId) -> Vec<ValueId> {
        let rank = self.rank(array);
        if self.extents[array.0 as usize].len() != rank {
            let extents = (0..rank).map(|axis| self.emit_one(OpKind::Dim(axis), vec![array])).collect();
            self.extents[array.0 as usize] = extents;
        }
        self.extents[array.0 as usize].clone()
    }

    /// Declares extents that are known better than by `dim`, such as fixed ones.
    pub fn set_shape(&mut self, array: ValueId, extents: Vec<ValueId>) {
        self.extents[array.0 as usize] = extents;
    }

    /// The broadcast of several shapes (right-aligned), with the checks that NumPy makes.
    pub fn broadcast_shapes(&mut self, shapes: &[Vec<ValueId>]) -> Vec<ValueId> {
        let rank = shapes.iter().map(Vec::len).max().unwrap_or(0);
        let mut result: Vec<ValueId> = Vec::with_capacity(rank);
        for axis in 0..rank {
            let mut extent: Option<ValueId> = None;
            for shape in shapes.iter().filter(|s| s.len() + axis >= rank) {
                let other = shape[axis + shape.len() - rank];
                extent = Some(match extent {
                    Some(extent) => self.broadcast_extent(extent, other),
                    None => other,
                });
            }
            result.push(extent.expect("the longest shape has every axis"));
        }
        result
    }

    fn broadcast_extent(&mut self, a: ValueId, b: ValueId) -> ValueId {
        match (self.as_i64(a), self.as_i64(b)) {
            _ if a == b => return a,
            (Some(x), Some(y)) if x == y => return a,
            (Some(1), _) => return b,
            (_, Some(1)) => return a,
            _ => {}
        }
        let one = self.i64(1);
        let equal = self.scalar(ScalarOp::Eq, &[a, b]);
        let a_one = self.scalar(ScalarOp::Eq, &[a, one]);
        let b_one = self.scalar(ScalarOp::Eq, &[b, one]);
        let either = self.scalar(ScalarOp::BitOr, &[a_one, b_one]);
        let fits = self.scalar(ScalarOp::BitOr, &[equal, either]);
        let message = "operands could not be broadcast together: extents {} and {}";
        self.check(fits, ErrorKind::Value, message, &[a, b]);
        let key = ScalarKey::BroadcastExtent(a, b);
        self.shared(key, |builder| builder.emit(OpKind::BroadcastExtent, vec![a, b]))[0]
    }

    /// A value with its extents noted.
    pub(super) fn with_extents(&mut self, value: ValueId, extents: Vec<ValueId>) -> ValueId {
        self.extents[value.0 as usize] = extents;
        value
    }
}
