//! Elements of arrays by their positions.

use numptx_ir::array::ValueId;
use numptx_ir::scalar::{Body, ScalarOp};

use crate::lowerer::Lowerer;
use crate::values::facts::Fact;
use crate::values::value::Value;

impl Lowerer<'_> {
    /// How many elements an array of these extents has.
    pub fn size_of_all(&mut self, extents: &[ValueId]) -> ValueId {
        let one = self.builder.i64(1);
        let count = extents.iter().fold(one, |a, b| self.builder.scalar(ScalarOp::Mul, &[a, *b]));
        if self.builder.as_i64(count).is_none() && self.fact(count) == Fact::ANY {
            self.numbers.facts.set(count, Fact::EXTENT);
        }
        count
    }

    /// The indices of the element at a position in C order.
    pub fn indices_at(&mut self, extents: &[ValueId], position: ValueId) -> Vec<ValueId> {
        let zero = self.builder.i64(0);
        let mut rest = position;
        let mut indices = vec![zero; extents.len()];
        for (axis, extent) in extents.iter().enumerate().rev() {
            if axis == 0 {
                indices[0] = rest;
                break;
            }
            indices[axis] = self.builder.scalar(ScalarOp::Mod, &[rest, *extent]);
            rest = self.builder.scalar(ScalarOp::FloorDiv, &[rest, *extent]);
        }
        for (index, extent) in indices.iter().zip(extents) {
            if self.builder.as_i64(*index).is_none() {
                let fact = self.numbers.facts.counter(&self.builder, zero, *extent);
                self.numbers.facts.set(*index, fact);
            }
        }
        indices
    }

    /// The element at a position in C order, as a view of rank 0.
    pub fn element_at(&mut self, array: ValueId, position: ValueId) -> ValueId {
        let extents = self.extents(array);
        let indices = self.indices_at(&extents, position);
        indices.into_iter().fold(array, |view, index| self.builder.index(view, 0, index))
    }

    /// A copy of a rank-0 view's element, as NumPy's `a[i]` gives it: a scalar that later writes do not change.
    pub fn load(&mut self, view: ValueId) -> Value {
        let body = Body::identity(self.builder.dtype(view));
        Value::numpy(self.builder.map(&[], &[view], body)[0])
    }
}
