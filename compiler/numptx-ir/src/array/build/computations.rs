//! Computations, fresh arrays and writes. Extents fit: the caller has checked them.

use super::Builder;
use crate::DType;
use crate::array::{Map, OpKind, Order, OrderTerm, Reduce, Scan, ValueId};
use crate::scalar::{Body, Reducer};

impl Builder {
    /// An elementwise computation over `extents`. Array inputs of other shapes are broadcast to them (checked before);
    /// scalars stay scalars. Fresh results, one an output of the body, in K order of the array inputs.
    pub fn map(&mut self, extents: &[ValueId], inputs: &[ValueId], body: Body) -> Vec<ValueId> {
        let order = self.k_order(inputs);
        self.map_ordered(extents, inputs, body, order)
    }

    /// As [`Builder::map`], in a given order.
    pub fn map_ordered(&mut self, extents: &[ValueId], inputs: &[ValueId], body: Body, order: Order) -> Vec<ValueId> {
        let mut operands = extents.to_vec();
        operands.extend(self.broadcast_inputs(extents, inputs));
        let order = if extents.len() <= 1 { Order::C } else { order };
        let results = self.emit(OpKind::Map(Box::new(Map { rank: extents.len(), body, order })), operands);
        for result in &results {
            self.extents[result.0 as usize] = extents.to_vec();
        }
        results
    }

    pub(super) fn broadcast_inputs(&mut self, extents: &[ValueId], inputs: &[ValueId]) -> Vec<ValueId> {
        let broadcast = |b: &mut Self, v: ValueId| if b.is_scalar(v) { v } else { b.broadcast_to(v, extents) };
        inputs.iter().map(|v| broadcast(self, *v)).collect()
    }

    /// K order of the array inputs.
    pub fn k_order(&self, inputs: &[ValueId]) -> Order {
        let arrays = (0..inputs.len()).filter(|n| !self.is_scalar(inputs[*n]));
        Order::K(arrays.map(OrderTerm::Input).collect())
    }

    /// Reduces the trailing `n_reduced` axes of `extents`. Inputs as in [`Builder::map`]; output `k` of the body feeds reducer `k`.
    pub fn reduce(
        &mut self,
        extents: &[ValueId],
        n_reduced: usize,
        inputs: &[ValueId],
        body: Body,
        reducers: &[Reducer],
        epilogue: Option<Body>,
    ) -> Vec<ValueId> {
        let rank = extents.len();
        let kept = &extents[..rank - n_reduced];
        // NumPy makes arrays of positions in C order, whatever it searches.
        let is_c = kept.len() <= 1 || reducers.iter().any(|reducer| reducer.is_positional());
        let order = if is_c { Order::C } else { self.k_order(inputs) };
        let mut operands = extents.to_vec();
        operands.extend(self.broadcast_inputs(extents, inputs));
        let reduce = Reduce { rank, n_reduced, body, reducers: reducers.to_vec(), epilogue, order };
        let results = self.emit(OpKind::Reduce(Box::new(reduce)), operands);
        for result in &results {
            self.extents[result.0 as usize] = kept.to_vec();
        }
        results
    }

    /// Running totals along an axis of `extents`. Inputs as in [`Builder::map`]; body and epilogue have one output.
    pub fn scan(
        &mut self,
        extents: &[ValueId],
        axis: usize,
        inputs: &[ValueId],
        (body, reducer, epilogue): (Body, Reducer, Option<Body>),
    ) -> ValueId {
        let rank = extents.len();
        let order = if rank <= 1 { Order::C } else { self.k_order(inputs) };
        let mut operands = extents.to_vec();
        operands.extend(self.broadcast_inputs(extents, inputs));
        let scan = Scan { rank, axis, body, reducer, epilogue, order };
        let result = self.emit_one(OpKind::Scan(Box::new(scan)), operands);
        self.with_extents(result, extents.to_vec())
    }

    /// An array of undefined contents.
    pub fn alloc(&mut self, dtype: DType, extents: &[ValueId], order: Order) -> ValueId {
        let result = self.emit_one(OpKind::Alloc { dtype, order }, extents.to_vec());
        self.with_extents(result, extents.to_vec())
    }

    /// A host scalar as a rank-0 array.
    pub fn rank0(&mut self, scalar: ValueId) -> ValueId {
        let body = Body::identity(self.dtype(scalar));
        self.map(&[], &[scalar], body)[0]
    }

    /// The element of a rank-0 array on the host.
    pub fn item(&mut self, v: ValueId) -> ValueId {
        self.emit_one(OpKind::Item, vec![v])
    }

    /// Copies elements; same extents and dtype.
    pub fn assign(&mut self, destination: ValueId, source: ValueId) {
        let destination = self.written(destination);
        self.emit(OpKind::Assign, vec![destination, source]);
    }
}
