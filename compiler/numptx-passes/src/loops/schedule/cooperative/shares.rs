//! Which loops of a cooperative program threads share.
//!
//! In: an op of the program. Out: whether it, or a loop in it, is shared. Decides nothing.

use std::collections::{HashMap, HashSet};

use numptx_ir::array::{Op, OpKind, ValueId};
use numptx_ir::scalar::Reducer;

use crate::analysis::traverse::for_each_op;

/// A loop that runs in each work item of a phase over the iterations of the loops in it.
#[derive(Clone, Debug)]
pub struct Crossing {
    /// The first iteration of any, on the host.
    pub origin: ValueId,
    /// How many there are up to the last of all.
    pub extent: ValueId,
    /// Their indices.
    pub inner: Vec<ValueId>,
}

/// Which loops are shared, by their indices.
#[derive(Clone, Debug, Default)]
pub struct Shares {
    /// Loops that run in the work items of phases over the loops in them.
    pub crossings: HashMap<ValueId, Crossing>,
    /// Loops whose iterations are independent.
    pub parallel: HashSet<ValueId>,
    /// Loops that combine what their iterations give.
    pub reductions: HashMap<ValueId, Reducer>,
    /// Loops outside of the work items of others that only combine a value which they carry.
    pub combined: HashSet<ValueId>,
}

impl Shares {
    /// Whether the loop is shared.
    pub fn has(&self, op: &Op) -> bool {
        let index = op.regions.first().and_then(|region| region.parameters.first());
        op.kind == OpKind::For
            && index.is_some_and(|v| {
                self.parallel.contains(v)
                    || self.reductions.contains_key(v)
                    || self.crossings.contains_key(v)
                    || self.combined.contains(v)
            })
    }

    /// Whether all loops in an op are shared, or in one that is. `but_searches`: but for those that only find out a value, for which a wavefront has no more
    /// threads.
    pub fn have_all(&self, op: &Op, but_searches: bool) -> bool {
        op.regions.iter().flat_map(|region| &region.ops).all(|nested| match nested.kind {
            _ if self.has(nested) => true,
            OpKind::For => but_searches && !nested.results.is_empty() && !has_stores(nested),
            OpKind::While => false,
            _ => self.have_all(nested, but_searches),
        })
    }

    /// Scalars from before that the phases use.
    pub fn scalars(&self) -> Vec<ValueId> {
        let mut scalars: Vec<ValueId> = self.crossings.values().flat_map(|c| [c.origin, c.extent]).collect();
        scalars.sort_unstable();
        scalars
    }

    /// Whether a loop in an op is shared.
    pub fn within(&self, op: &Op) -> bool {
        let mut found = false;
        op.regions.iter().for_each(|region| for_each_op(region, &mut |op| found |= self.has(op)));
        found
    }
}

pub fn has_stores(op: &Op) -> bool {
    let is_store = |op: &Op| op.kind.destinations().is_some();
    let mut found = is_store(op);
    op.regions.iter().for_each(|region| for_each_op(region, &mut |op| found |= is_store(op)));
    found
}
