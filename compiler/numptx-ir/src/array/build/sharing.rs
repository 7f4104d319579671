//! What is known at a point of a function under construction: equal host scalars are one value, a condition is checked once, and a point can
//! be returned to.
//!
//! In: keys and values of pure host scalar ops. Out: a visible equal value. Computations and views are not shared here: passes do that.

use std::collections::{BTreeSet, HashMap};

use super::Builder;
use crate::DType;
use crate::array::ValueId;
use crate::scalar::{Constant, ScalarOp};

/// A pure host scalar op by what it computes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum ScalarKey {
    Constant(Constant, DType),
    Scalar(ScalarOp, DType, Vec<ValueId>),
    SliceBounds(bool, bool, Vec<ValueId>),
    BroadcastExtent(ValueId, ValueId),
    IsWritable(ValueId),
}

/// Scalars computed in one open region and conditions checked in it. Only looked up, never iterated in hash order.
#[derive(Default)]
pub(super) struct Scope {
    pub scalars: HashMap<ScalarKey, Vec<ValueId>>,
    pub checked: BTreeSet<ValueId>,
}

/// A point in a function under construction; see [`Builder::snapshot`].
#[derive(Clone, Copy, Debug)]
pub struct Snapshot {
    values: usize,
    regions: usize,
    ops: usize,
}

impl Builder {
    /// The present point, to be returned to with [`Builder::rollback`] while the present region is open.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { values: self.function.values.len(), regions: self.regions.len(), ops: self.n_ops() }
    }

    /// Whether a value was defined before a point.
    pub fn is_before(&self, value: ValueId, snapshot: Snapshot) -> bool {
        (value.0 as usize) < snapshot.values
    }

    /// Drops everything that was built since a point: ops, regions, values.
    pub fn rollback(&mut self, snapshot: Snapshot) {
        let old = |v: &ValueId| (v.0 as usize) < snapshot.values;
        self.regions.truncate(snapshot.regions);
        self.scopes.truncate(snapshot.regions);
        if let Some(region) = self.regions.last_mut() {
            region.ops.truncate(snapshot.ops);
        }
        self.function.values.truncate(snapshot.values);
        self.constants.truncate(snapshot.values);
        self.read_only.truncate(snapshot.values);
        self.extents.truncate(snapshot.values);
        for extents in self.extents.iter_mut().filter(|e| !e.iter().all(old)) {
            extents.clear();
        }
        for scope in &mut self.scopes {
            scope.scalars.values_mut().for_each(|list| list.retain(old));
            scope.checked.retain(old);
        }
    }

    /// The value of a pure host scalar op: a visible equal one, or a new one.
    pub(super) fn shared(&mut self, key: ScalarKey, build: impl FnOnce(&mut Self) -> Vec<ValueId>) -> Vec<ValueId> {
        if let Some(list) = self.scopes.iter().find_map(|s| s.scalars.get(&key).filter(|list| !list.is_empty())) {
            return list.clone();
        }
        let values = build(self);
        self.scopes.last_mut().expect("a region is open").scalars.insert(key, values.clone());
        values
    }
}
