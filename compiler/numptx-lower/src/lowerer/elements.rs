//! Elements of arrays by their positions.

use numptx_ir::array::{ErrorKind, ValueId};
use numptx_ir::scalar::{Body, ScalarOp};
use numptx_source::{Span, code};

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

    /// An index in range: negative ones wrapped, with the check that NumPy makes.
    pub fn normalized(
        &mut self,
        view: ValueId,
        axis: usize,
        original: usize,
        index: ValueId,
        span: Span,
    ) -> Option<ValueId> {
        let extent = self.extents(view)[axis];
        if let (Some(i), Some(n)) = (self.builder.as_i64(index), self.builder.as_i64(extent)) {
            if i < -n || i >= n {
                let message = format!("index {i} is out of bounds for axis {original} with size {n}");
                self.refuse(code::INDEX_OUT_OF_RANGE, span, message, format!("indices go from {} to {}", -n, n - 1));
                return None;
            }
            return Some(self.builder.i64(if i < 0 { i + n } else { i }));
        }
        let message = format!("index {{}} is out of bounds for axis {original} with size {{}}");
        Some(self.wrapped(index, extent, &message, &[index, extent]))
    }

    /// An index below an extent, negative ones wrapped, with the checks that are needed.
    pub fn wrapped(&mut self, index: ValueId, extent: ValueId, message: &str, payload: &[ValueId]) -> ValueId {
        let fact = self.fact(index);
        let zero = self.builder.i64(0);
        let wrapped = if fact.low >= 0 {
            index
        } else if fact.high < 0 {
            self.counted_back(extent, index)
        } else {
            let negative = self.builder.scalar(ScalarOp::Lt, &[index, zero]);
            let from_end = self.counted_back(extent, index);
            self.builder.scalar(ScalarOp::Select, &[negative, from_end, index])
        };
        if fact.low < 0 {
            let not_below = self.builder.scalar(ScalarOp::Le, &[zero, wrapped]);
            self.check(not_below, ErrorKind::Index, message, payload);
        }
        if fact.high >= 0 && !self.numbers.facts.never_exceeds(&self.builder, index, 1, extent) {
            let below = self.builder.scalar(ScalarOp::Lt, &[wrapped, extent]);
            self.check(below, ErrorKind::Index, message, payload);
        }
        wrapped
    }

    /// `extent + index`, for a negative index.
    pub fn counted_back(&mut self, extent: ValueId, index: ValueId) -> ValueId {
        match self.builder.as_i64(index) {
            Some(n) => self.shift(extent, n),
            None => self.builder.scalar(ScalarOp::Add, &[extent, index]),
        }
    }
}
