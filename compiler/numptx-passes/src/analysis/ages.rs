//! Which arrays were there before others.
//!
//! In: a function. Out: whether a value was defined before a fresh array was made. Where both are visible it was, in this iteration of every loop around,
//! so that it is no view of that array, though another iteration may hand such a view on under the same name. Complements [`crate::analysis::points_to`],
//! which knows no iterations.

use std::collections::HashMap;

use numptx_ir::array::{Function, OpKind, Region, ValueId};

/// Values by the order of their definitions.
pub struct Ages {
    positions: HashMap<ValueId, usize>,
    /// By view: what it is a view of.
    bases: HashMap<ValueId, ValueId>,
    /// Arrays that are allocated.
    fresh: HashMap<ValueId, usize>,
}

impl Ages {
    /// Those of a function's values.
    pub fn of(function: &Function) -> Ages {
        let mut ages = Ages { positions: HashMap::new(), bases: HashMap::new(), fresh: HashMap::new() };
        ages.define(&function.parameters);
        ages.collect(&function.body);
        ages
    }

    fn define(&mut self, values: &[ValueId]) {
        for value in values {
            self.positions.insert(*value, self.positions.len());
        }
    }

    fn collect(&mut self, region: &Region) {
        self.define(&region.parameters);
        for op in &region.ops {
            op.regions.iter().for_each(|nested| self.collect(nested));
            self.define(&op.results);
            if op.kind.is_view() {
                self.bases.insert(op.results[0], op.operands[0]);
            }
            if matches!(op.kind, OpKind::Alloc { .. }) {
                self.fresh.extend(op.results.iter().map(|v| (*v, self.positions[v])));
            }
        }
    }

    /// The array that a view is of.
    pub fn root(&self, value: ValueId) -> ValueId {
        let mut value = value;
        while let Some(base) = self.bases.get(&value) {
            value = *base;
        }
        value
    }

    /// Whether an array, or what it is a view of, was there before the one that another array is a view of was allocated.
    pub fn is_older(&self, value: ValueId, than: ValueId) -> bool {
        match (self.positions.get(&self.root(value)), self.fresh.get(&self.root(than))) {
            (Some(position), Some(made)) => position < made,
            _ => false,
        }
    }
}
