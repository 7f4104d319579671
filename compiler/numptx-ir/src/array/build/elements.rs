//! Computations that say themselves which elements they read or write.

use super::Builder;
use crate::array::{Map, Meeting, Nest, OpKind, Order, Scatter, ValueId};
use crate::scalar::{Body, Code};

impl Builder {
    /// As [`Builder::map_ordered`], for a body that reads elements of `tables`. Indices are in range (checked before).
    pub fn map_tables(
        &mut self,
        extents: &[ValueId],
        inputs: &[ValueId],
        tables: &[ValueId],
        body: Body,
        order: Order,
    ) -> Vec<ValueId> {
        let mut operands = extents.to_vec();
        operands.extend(self.broadcast_inputs(extents, inputs));
        operands.extend(tables);
        let order = if extents.len() <= 1 { Order::C } else { order };
        let results = self.emit(OpKind::Map(Box::new(Map { rank: extents.len(), body, order })), operands);
        for result in &results {
            self.extents[result.0 as usize] = extents.to_vec();
        }
        results
    }

    /// Writes elements of `destination`: the body's first output to the element at the others, which are in range (checked before), point by
    /// point in C order; where the body has one output more, a bool, only points where it is true write. `meeting`: what becomes of points that
    /// write one element; accumulating ones read the destination, their only table. Inputs of other shapes are broadcast.
    pub fn scatter(
        &mut self,
        extents: &[ValueId],
        destination: ValueId,
        inputs: &[ValueId],
        tables: &[ValueId],
        (body, meeting): (Body, Meeting),
    ) {
        let mut operands = extents.to_vec();
        let written = self.written(destination);
        operands.push(written);
        operands.extend(self.broadcast_inputs(extents, inputs));
        match meeting {
            Meeting::Accumulating => operands.push(written),
            _ => operands.extend(tables),
        }
        let scatter = Scatter { rank: extents.len(), body, meeting, n_destinations: 1 };
        self.emit(OpKind::Scatter(Box::new(scatter)), operands);
    }

    /// Runs a program at every index of `extents`; without extents, once. `tables`: those that it stores to, then those that it only loads from.
    /// The caller has shown that points are independent, see [`Nest`], and that indices are in range.
    pub fn nest(&mut self, extents: &[ValueId], tables: &[ValueId], scalars: &[ValueId], code: Code) {
        let mut tables = tables.to_vec();
        for table in tables.iter_mut().take(code.n_written()) {
            *table = self.written(*table);
        }
        let nest = Nest { rank: extents.len(), code };
        self.emit(OpKind::Nest(Box::new(nest)), [extents, &tables, scalars].concat());
    }

    /// Emits what `then` builds where a condition holds.
    pub fn when(&mut self, condition: ValueId, then: impl FnOnce(&mut Self)) {
        let mut regions = Vec::with_capacity(2);
        self.open_region(&[]);
        then(self);
        self.emit(OpKind::Yield, Vec::new());
        regions.push(self.close_region());
        self.open_region(&[]);
        self.emit(OpKind::Yield, Vec::new());
        regions.push(self.close_region());
        self.emit_typed(OpKind::If, vec![condition], Vec::new(), regions);
    }
}
