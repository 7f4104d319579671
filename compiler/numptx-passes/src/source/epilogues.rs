//! Moves a map over nothing but the results of one reduction into the reduction's epilogue. A part of `fuse_reductions`.

use std::collections::BTreeMap;

use numptx_ir::array::{Function, Op, OpKind, Order, Reduce, Region, ValueId};
use numptx_ir::scalar::{Body, BodyBuilder, Val};

use crate::analysis::memory::Writes;
use crate::analysis::readers::Readers;
use crate::kernels::products::Products;
use crate::rewrite::emit::Emitter;
use crate::rewrite::function::{Place, Rewrite, rebuild};

/// Fuses all such maps of a function.
pub fn fuse_epilogues(function: &mut Function) {
    let mut pass = FuseEpilogues {
        maps: BTreeMap::new(),
        fused: Vec::new(),
        readers: Readers::of(function),
        products: Products::of(function),
    };
    let writes = Writes::of(function);
    let mut n_regions = 0;
    pass.collect(&function.body, &writes, &mut n_regions);
    if !pass.maps.is_empty() {
        rebuild(function, &mut pass);
    }
}

struct FuseEpilogues {
    /// By the place of the reduction: the map.
    maps: BTreeMap<Place, Op>,
    fused: Vec<Place>,
    readers: Readers,
    products: Products,
}

impl FuseEpilogues {
    fn collect(&mut self, region: &Region, writes: &Writes, n_regions: &mut usize) {
        let number = *n_regions;
        *n_regions += 1;
        for (index, op) in region.ops.iter().enumerate() {
            let place = Place { region: number, index };
            if let Some(reduction) = self.reduction_of(region, writes, op, place)
                && !self.maps.contains_key(&reduction)
            {
                self.maps.insert(reduction, op.clone());
                self.fused.push(place);
            }
            op.regions.iter().for_each(|nested| self.collect(nested, writes, n_regions));
        }
    }

    /// The reduction whose results are all that a map reads and that nothing else reads.
    fn reduction_of(&self, region: &Region, writes: &Writes, op: &Op, place: Place) -> Option<Place> {
        let OpKind::Map(map) = &op.kind else { return None };
        let inputs = &op.operands[map.rank..];
        let reduction = writes.place(*inputs.first()?)?;
        let producer = region.ops.get(reduction.index).filter(|_| reduction.region == place.region)?;
        let OpKind::Reduce(reduce) = &producer.kind else { return None };
        if self.products.contains(reduction) {
            return None;
        }
        let n_kept = reduce.rank - reduce.n_reduced;
        let is_alone = |v: &ValueId| matches!(self.readers.of_root(*v), [reader] if reader.place == place);
        let is_result = inputs.iter().all(|v| producer.results.contains(v)) && producer.results.iter().all(is_alone);
        let is_same_space = producer.operands[..n_kept] == op.operands[..map.rank] && n_kept == map.rank;
        let is_c = map.order == Order::C && reduce.order == Order::C;
        let is_plain = is_result && is_same_space && is_c && !map.body.uses_index() && map.body.n_tables() == 0;
        // A write between the two would be a reader, too.
        is_plain.then_some(reduction)
    }
}

impl Rewrite for FuseEpilogues {
    fn emit(&mut self, emitter: &mut Emitter, op: Op, place: Place) {
        if self.fused.contains(&place) {
            return;
        }
        let (Some(map), OpKind::Reduce(reduce)) = (self.maps.get(&place), &op.kind) else { return emitter.emit(op) };
        let OpKind::Map(epilogue) = &map.kind else { return emitter.emit(op) };
        let positions = map.operands[epilogue.rank..].iter().map(|v| op.results.iter().position(|r| r == v));
        let Some(positions) = positions.collect::<Option<Vec<usize>>>() else { return emitter.emit(op) };
        let Some(body) = composed(reduce, &positions, &epilogue.body) else { return emitter.emit(op) };
        emitter.decide_fused(map.span);
        let kind = OpKind::Reduce(Box::new(Reduce { epilogue: Some(body), ..(**reduce).clone() }));
        emitter.emit(Op { kind, results: map.results.clone(), ..op });
    }
}

/// The reduction's epilogue followed by a body whose input `n` is result `positions[n]`.
fn composed(reduce: &Reduce, positions: &[usize], body: &Body) -> Option<Body> {
    let mut builder = BodyBuilder::new();
    let mut results: Vec<Val> = Vec::with_capacity(reduce.reducers.len());
    for (position, (reducer, val)) in reduce.reducers.iter().zip(&reduce.body.outputs).enumerate() {
        results.push(builder.input(position as u32, reducer.result(reduce.body.dtype(*val))?));
    }
    if let Some(epilogue) = &reduce.epilogue {
        results = builder.inline(epilogue, &results, None);
    }
    let inputs: Vec<Val> = positions.iter().map(|n| results[*n]).collect();
    let outputs = builder.inline(body, &inputs, None);
    Some(builder.finish(outputs))
}
