//! Reductions and running totals that are computed straight into the destination of an assignment. A part of `place_stores`.
//!
//! In: an assignment with resolved operands. Out: the `store_reduce` or `store_scan` that does it without an array in between, or nothing where
//! one is needed: the result is used elsewhere, what it reads has changed since, or the destination shares memory with what is read in
//! another way than index by index.

use numptx_ir::array::{OpKind, ValueId};

use crate::emit::Emitter;
use crate::function::Place;
use crate::hazards::{Hazard, Hazards};

/// A store of a computation that is no map.
pub struct Direct {
    /// `store_reduce` or `store_scan`.
    pub kind: OpKind,
    /// Extents, the destination, inputs.
    pub operands: Vec<ValueId>,
}

impl Direct {
    /// See the file's header. `uses`: how often each value of the function is used.
    pub fn of(
        emitter: &mut Emitter,
        hazards: &Hazards,
        uses: &[usize],
        (destination, source): (ValueId, ValueId),
        place: Place,
    ) -> Option<Direct> {
        let is_only_use = |v: ValueId| uses.get(v.0 as usize) == Some(&1);
        let (mut destination, mut source) = (destination, source);
        let mut dropped = Vec::new();
        while let Some(view) = emitter.definition(source)
            && let OpKind::NewAxis { axis } = view.kind
            && is_only_use(source)
        {
            dropped.push(axis);
            source = view.operands[0];
        }
        let definition = emitter.definition(source)?;
        if !is_only_use(source) || !hazards.writes.is_unchanged(emitter, source, &definition.operands, place) {
            return None;
        }
        let (rank, kind) = match &definition.kind {
            OpKind::Reduce(reduce) if definition.results.len() == 1 => {
                (reduce.rank, OpKind::StoreReduce(reduce.clone()))
            }
            OpKind::Scan(scan) => (scan.rank, OpKind::StoreScan(scan.clone())),
            _ => return None,
        };
        for axis in dropped {
            destination = emitter.view(OpKind::DropAxis { axis }, vec![destination], None);
        }
        let (extents, inputs) = definition.operands.split_at(rank);
        // What is read index by index may be written index by index.
        let in_place = match &kind {
            OpKind::StoreScan(scan) => inputs.len() - scan.body.n_tables(),
            _ => 0,
        };
        let is_apart = |(n, input): (usize, &ValueId)| {
            (n < in_place || *input != destination) && hazards.of(emitter, destination, *input) == Hazard::None
        };
        if !inputs.iter().enumerate().all(is_apart) {
            return None;
        }
        emitter.decide_fused(definition.span);
        Some(Direct { kind, operands: [extents, &[destination], inputs].concat() })
    }
}
