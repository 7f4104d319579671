//! Moves a map over nothing but the results of one reduction into the reduction's epilogue. A part of `fuse_reductions`.

use std::collections::BTreeMap;

use numptx_ir::array::{ArrayType, Function, Op, OpKind, Order, Reduce, Region, Type, ValueId};
use numptx_ir::scalar::{Body, BodyBuilder, Constant, Val};

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
    maps: BTreeMap<Place, Followed>,
    fused: Vec<Place>,
    readers: Readers,
    products: Products,
}

/// A map over nothing but a reduction's results.
struct Followed {
    map: Op,
    /// Which result of the reduction each input of the map is.
    positions: Vec<usize>,
    /// Where axes of extent 1 are inserted into the results, one after the other.
    new_axes: Vec<usize>,
}

/// A result of an op of a region, and the axes that views insert into it.
struct Viewed {
    place: usize,
    result: usize,
    new_axes: Vec<usize>,
}

fn viewed(region: &Region, places: &Writes, number: usize, value: ValueId) -> Option<Viewed> {
    let place = places.place(value).filter(|place| place.region == number)?;
    let op = region.ops.get(place.index)?;
    if let OpKind::NewAxis { axis } = op.kind {
        let mut viewed = viewed(region, places, number, op.operands[0])?;
        viewed.new_axes.push(axis);
        return Some(viewed);
    }
    let result = op.results.iter().position(|v| *v == value)?;
    Some(Viewed { place: place.index, result, new_axes: Vec::new() })
}

impl FuseEpilogues {
    fn collect(&mut self, region: &Region, writes: &Writes, n_regions: &mut usize) {
        let number = *n_regions;
        *n_regions += 1;
        for (index, op) in region.ops.iter().enumerate() {
            let place = Place { region: number, index };
            if let Some((reduction, followed)) = self.reduction_of(region, writes, op, place)
                && !self.maps.contains_key(&reduction)
            {
                self.maps.insert(reduction, followed);
                self.fused.push(place);
            }
            op.regions.iter().for_each(|nested| self.collect(nested, writes, n_regions));
        }
    }

    /// The reduction whose results are all that a map reads, as they are or with axes of extent 1, and that nothing else reads.
    fn reduction_of(&self, region: &Region, writes: &Writes, op: &Op, place: Place) -> Option<(Place, Followed)> {
        let OpKind::Map(map) = &op.kind else { return None };
        let (extents, inputs) = op.operands.split_at(map.rank);
        let inputs: Vec<Viewed> =
            inputs.iter().map(|v| viewed(region, writes, place.region, *v)).collect::<Option<_>>()?;
        let first = inputs.first()?;
        let reduction = Place { region: place.region, index: first.place };
        let producer = region.ops.get(first.place)?;
        let OpKind::Reduce(reduce) = &producer.kind else { return None };
        if self.products.contains(reduction) {
            return None;
        }
        let n_kept = reduce.rank - reduce.n_reduced;
        let is_alone = |v: &ValueId| matches!(self.readers.of_root(*v), [reader] if reader.place == place);
        let is_like = |input: &Viewed| input.place == first.place && input.new_axes == first.new_axes;
        let is_one = |v: ValueId| {
            let at = writes.place(v).filter(|at| at.region == place.region)?;
            Some(region.ops.get(at.index)?.kind == OpKind::Constant(Constant::Int(1)))
        };
        let mut space = producer.operands[..n_kept].iter().map(|v| Some(*v)).collect::<Vec<_>>();
        first.new_axes.iter().for_each(|axis| space.insert(*axis, None));
        let is_extent = |(own, extent): (&ValueId, &Option<ValueId>)| match extent {
            Some(extent) => own == extent,
            None => is_one(*own) == Some(true),
        };
        let is_same_space = space.len() == map.rank && extents.iter().zip(&space).all(is_extent);
        let is_result = inputs.iter().all(is_like) && producer.results.iter().all(is_alone);
        let is_c = map.order == Order::C && reduce.order == Order::C;
        let is_plain = is_result && is_same_space && is_c && !map.body.uses_index() && map.body.n_tables() == 0;
        let positions = inputs.iter().map(|input| input.result).collect();
        let new_axes = first.new_axes.clone();
        // A write between the two would be a reader, too.
        is_plain.then(|| (reduction, Followed { map: op.clone(), positions, new_axes }))
    }
}

impl Rewrite for FuseEpilogues {
    fn emit(&mut self, emitter: &mut Emitter, op: Op, place: Place) {
        if self.fused.contains(&place) {
            return;
        }
        let (Some(followed), OpKind::Reduce(reduce)) = (self.maps.get(&place), &op.kind) else {
            return emitter.emit(op);
        };
        let Followed { map, positions, new_axes } = followed;
        let OpKind::Map(epilogue) = &map.kind else { return emitter.emit(op) };
        let Some(body) = composed(reduce, positions, &epilogue.body) else { return emitter.emit(op) };
        emitter.decide_fused(map.span);
        let kind = OpKind::Reduce(Box::new(Reduce { epilogue: Some(body), ..(**reduce).clone() }));
        if new_axes.is_empty() {
            return emitter.emit(Op { kind, results: map.results.clone(), ..op });
        }
        let rank = reduce.rank - reduce.n_reduced;
        let types = map.results.iter().map(|v| match emitter.ty(*v) {
            Type::Array(array) => Type::Array(ArrayType { rank, ..array }),
            other => other,
        });
        let types: Vec<Type> = types.collect();
        let results: Vec<ValueId> = types.into_iter().map(|ty| emitter.new_value(ty)).collect();
        emitter.emit(Op { kind, results: results.clone(), ..op });
        for (result, own) in map.results.iter().zip(results) {
            let view = |own, axis: &usize| emitter.view(OpKind::NewAxis { axis: *axis }, vec![own], None);
            let shown = new_axes.iter().fold(own, view);
            emitter.replace(*result, shown);
        }
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
