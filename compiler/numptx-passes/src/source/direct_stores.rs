//! Reductions and running totals that are computed straight into the destination of an assignment. A part of `place_stores`.
//!
//! In: an assignment with resolved operands. Out: the `store_reduce` or `store_scan` that does it without an array in between, or nothing where
//! one is needed: the result is used elsewhere, what it reads has changed since, or the destination shares memory with what is read in
//! another way than index by index. Where that is known when running only, and where the result may have to be broadcast to the destination,
//! the function asks: `%c = if %o { alloc } else { %a }; store_reduce %c; if %o { store %a, %c }`.

use numptx_ir::DType;
use numptx_ir::array::{Op, OpKind, ValueId};
use numptx_ir::scalar::ScalarOp;

use crate::analysis::choices::Broadcasts;
use crate::rewrite::emit::Emitter;
use crate::rewrite::function::Place;
use crate::source::hazards::{Hazard, Hazards};

/// A store of a computation that is no map.
pub struct Direct {
    /// `store_reduce` or `store_scan`.
    kind: OpKind,
    /// Its extents.
    extents: Vec<ValueId>,
    /// Its inputs.
    inputs: Vec<ValueId>,
    /// What makes the destination as the computation's result is, first to last.
    views: Vec<OpKind>,
    /// The result's extents where they may be 1 and the destination's not.
    stretched: Option<Vec<ValueId>>,
    /// Inputs of which a point may read what another one writes, and those that may share any element with the destination.
    late: [Vec<ValueId>; 2],
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
        let rank = |emitter: &Emitter, v: ValueId| emitter.array(v).map(|a| a.rank);
        let (mut source, mut stretched, mut views) = (source, None, Vec::new());
        if let Some(view) = emitter.definition(source)
            && matches!(view.kind, OpKind::Broadcast)
            && is_only_use(source)
            && rank(emitter, view.operands[0]) == rank(emitter, source)
        {
            source = view.operands[0];
            stretched = Some(source);
        }
        while let Some(view) = emitter.definition(source)
            && let Some(inverse) = inverse_of(&view.kind)
            && is_only_use(source)
        {
            views.push(inverse);
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
        let (extents, inputs) = definition.operands.split_at(rank);
        // What is read index by index may be written index by index.
        let in_place = match &kind {
            OpKind::StoreScan(scan) => inputs.len() - scan.body.n_tables(),
            _ => 0,
        };
        let (extents, inputs) = (extents.to_vec(), inputs.to_vec());
        let stretched = stretched.map(|source| emitter.shape(source));
        let written = viewed(emitter, destination, &views);
        let mut late = [Vec::new(), Vec::new()];
        for (n, input) in inputs.iter().enumerate() {
            match hazards.of(emitter, written, *input) {
                _ if *input == written && n >= in_place => return None,
                Hazard::None => {}
                Hazard::Late if n < in_place => late[0].push(*input),
                Hazard::Late if !emitter.has_all_axes(*input) => late[1].push(*input),
                Hazard::Late | Hazard::Certain => return None,
            }
        }
        // Where it is asked, an axis that is dropped may have another extent than 1.
        let drops = views.iter().any(|view| matches!(view, OpKind::DropAxis { .. }));
        if drops && stretched.is_some() && late.iter().any(|inputs| !inputs.is_empty()) {
            return None;
        }
        emitter.decide_fused(definition.span);
        Some(Direct { kind, extents, inputs, views, stretched, late })
    }

    /// Emits it.
    pub fn store(self, emitter: &mut Emitter, destination: ValueId, op: Op) {
        let condition = self.condition(emitter, destination);
        let (mut written, mut broadcasts) = (destination, Broadcasts::Never);
        if let Some(condition) = condition {
            emitter.decide_copied(destination, true);
            written = match &self.stretched {
                Some(extents) => emitter.fresh_of_if(condition, destination, extents.clone()),
                None => emitter.fresh_if(condition, destination),
            };
        }
        if self.stretched.is_some() {
            broadcasts = Broadcasts::Perhaps;
        }
        let target = viewed(emitter, written, &self.views);
        emitter.push(Op { kind: self.kind, operands: [self.extents, vec![target], self.inputs].concat(), ..op });
        if let Some(condition) = condition {
            emitter.store_copy_if(condition, destination, written, broadcasts);
        }
    }

    /// Whether the result has to be made in memory of its own; `None`: it has not.
    fn condition(&self, emitter: &mut Emitter, destination: ValueId) -> Option<ValueId> {
        let mut conditions = Vec::new();
        if let Some(extents) = &self.stretched {
            let own = emitter.shape(destination);
            for (extent, wanted) in extents.iter().zip(&own).filter(|(a, b)| a != b) {
                conditions.push(emitter.scalar(ScalarOp::Ne, &[*extent, *wanted], DType::Bool));
            }
        }
        let [inputs, tables] = &self.late;
        if !inputs.is_empty() || !tables.is_empty() {
            let written = viewed(emitter, destination, &self.views);
            conditions.push(emitter.overlap(written, inputs, tables));
        }
        conditions.into_iter().reduce(|a, b| emitter.scalar(ScalarOp::BitOr, &[a, b], DType::Bool))
    }
}

/// The view that undoes a view of all elements.
fn inverse_of(view: &OpKind) -> Option<OpKind> {
    match view {
        OpKind::NewAxis { axis } => Some(OpKind::DropAxis { axis: *axis }),
        OpKind::Permute { permutation } => {
            let mut inverse = vec![0; permutation.len()];
            permutation.iter().enumerate().for_each(|(to, from)| inverse[*from] = to);
            Some(OpKind::Permute { permutation: inverse })
        }
        _ => None,
    }
}

fn viewed(emitter: &mut Emitter, array: ValueId, views: &[OpKind]) -> ValueId {
    views.iter().fold(array, |array, view| emitter.view(view.clone(), vec![array], None))
}
