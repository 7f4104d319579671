//! **Does**: makes one computation of several over the same iteration space that read a common array (minimum and maximum, two sums), and
//! computes a map over nothing but a reduction's results in the reduction's epilogue.
//! **Requires**: phase Source. Works best after `fuse-maps`.
//! **Ensures**: no two such reductions or maps of one region remain, within limits of size. Equal reductions that give host scalars are one: indices
//! that were checked are not checked again.
//! **Keeps**: every value; results keep C order, computations with another order are left alone.
//! **Example**: `%a = reduce [min] %x; %b = reduce [max] %x` becomes `%a, %b = reduce [min, max] %x`.

use std::collections::{BTreeMap, HashMap, HashSet};

use numptx_ir::array::{Function, Map, Module, Op, OpKind, Order, Reduce, Region, ValueId};
use numptx_ir::scalar::{Body, BodyBuilder, Reducer, Val};
use numptx_source::InternalError;

use crate::Pass;
use crate::rewrite::emit::Emitter;
use crate::rewrite::function::{Place, Rewrite, rebuild};
use crate::source::computations::{Computation, Inputs};
use crate::source::epilogues::fuse_epilogues;
use crate::source::remove_dead::remove_dead_ops;
use crate::source::siblings::Siblings;
use crate::source::simplify::simplify_function;

/// See the file's header.
pub const FUSE_REDUCTIONS: Pass =
    Pass::optional("fuse-reductions", "read once what several reductions or expressions read", fuse_reductions);

fn fuse_reductions(module: &mut Module) -> Result<(), InternalError> {
    for function in &mut module.functions {
        if fuse_siblings(function) {
            simplify_function(function);
        }
        fuse_epilogues(function);
        remove_dead_ops(function);
    }
    Ok(())
}

/// Whether results were found equal.
fn fuse_siblings(function: &mut Function) -> bool {
    let siblings = Siblings::of(function);
    if siblings.followers.is_empty() {
        return false;
    }
    let (ops, pure) = (BTreeMap::new(), HashMap::new());
    let mut pass = FuseSiblings { siblings, ops, pure, arrays: HashSet::new(), found_equal: false };
    pass.collect(&function.body, &mut 0);
    rebuild(function, &mut pass);
    pass.found_equal
}

struct FuseSiblings {
    siblings: Siblings,
    /// Followers by place.
    ops: BTreeMap<Place, Op>,
    /// Scalar and view ops by result, to be made earlier where a follower needs them.
    pure: HashMap<ValueId, Op>,
    /// What anything but `item` uses, so that it matters which array it is.
    arrays: HashSet<ValueId>,
    found_equal: bool,
}

impl FuseSiblings {
    fn collect(&mut self, region: &Region, n_regions: &mut usize) {
        let number = *n_regions;
        *n_regions += 1;
        for (index, op) in region.ops.iter().enumerate() {
            let place = Place { region: number, index };
            if self.siblings.followers.values().any(|followers| followers.contains(&place)) {
                self.ops.insert(place, op.clone());
            }
            if !matches!(op.kind, OpKind::Item) {
                self.arrays.extend(&op.operands);
            }
            if op.kind.is_pure_scalar_or_view() {
                self.pure.extend(op.results.iter().map(|v| (*v, op.clone())));
            }
            op.regions.iter().for_each(|nested| self.collect(nested, n_regions));
        }
    }

    /// Makes a scalar or a view where it is needed; later it is found again. `first` is the place of the group's first member.
    fn hoist(&self, emitter: &mut Emitter, value: ValueId) {
        if emitter.definition(emitter.resolve(value)).is_some() {
            return;
        }
        if let Some(op) = self.pure.get(&value) {
            op.operands.iter().for_each(|v| self.hoist(emitter, *v));
            emitter.emit(op.clone());
        }
    }
}

impl Rewrite for FuseSiblings {
    fn emit(&mut self, emitter: &mut Emitter, op: Op, place: Place) {
        if self.ops.contains_key(&place) {
            return;
        }
        let Some(followers) = self.siblings.followers.get(&place) else { return emitter.emit(op) };
        let mut joined = Joined::of(&op.kind);
        joined.add(emitter, &op, &self.arrays);
        for follower in followers {
            let Some(follower) = self.ops.get(follower) else { continue };
            follower.operands.iter().for_each(|v| self.hoist(emitter, *v));
            joined.add(emitter, follower, &self.arrays);
            emitter.decide_fused(follower.span);
        }
        self.found_equal |= !joined.equal.is_empty();
        joined.finish(emitter, op);
    }
}

/// Several computations as one.
struct Joined {
    is_reduction: bool,
    extents: Vec<ValueId>,
    inputs: Inputs,
    tables: Inputs,
    builder: BodyBuilder,
    outputs: Vec<Val>,
    reducers: Vec<Reducer>,
    results: Vec<ValueId>,
    /// One a member that reduces, with the positions of its reducers.
    epilogues: Vec<(Vec<usize>, Option<Body>)>,
    /// Results, and those that they are equal to.
    equal: Vec<(ValueId, ValueId)>,
}

impl Joined {
    fn of(kind: &OpKind) -> Joined {
        Joined {
            is_reduction: matches!(kind, OpKind::Reduce(_)),
            extents: Vec::new(),
            inputs: Inputs::default(),
            tables: Inputs::default(),
            builder: BodyBuilder::new(),
            outputs: Vec::new(),
            reducers: Vec::new(),
            results: Vec::new(),
            epilogues: Vec::new(),
            equal: Vec::new(),
        }
    }

    /// `arrays`: what may not be the same array as another result.
    fn add(&mut self, emitter: &mut Emitter, op: &Op, arrays: &HashSet<ValueId>) {
        let operands: Vec<ValueId> = op.operands.iter().map(|v| emitter.resolve(*v)).collect();
        let Some(computation) = Computation::of(&op.kind, &operands) else { return };
        let mut vals = Vec::with_capacity(computation.inputs.len());
        for input in &computation.inputs {
            let position = self.inputs.position(*input) as u32;
            vals.push(self.builder.input(position, emitter.ty(*input).dtype()));
        }
        let tables: Vec<u32> = computation.tables.iter().map(|v| self.tables.position(*v) as u32).collect();
        let outputs = self.builder.inline_tables(&computation.body, &vals, None, &tables);
        self.extents = computation.extents;
        if let Some(equal) = self.equal_to(op, &outputs, arrays) {
            return self.equal.push((op.results[0], equal));
        }
        self.results.extend(&op.results);
        let OpKind::Reduce(reduce) = &op.kind else { return self.outputs.extend(outputs) };
        let positions = reduce.reducers.iter().zip(outputs).map(|(reducer, output)| self.reduced(*reducer, output));
        let positions = positions.collect();
        self.epilogues.push((positions, reduce.epilogue.clone()));
    }

    /// The position of a reducer of a value: several members may have it.
    fn reduced(&mut self, reducer: Reducer, output: Val) -> usize {
        let mut known = self.reducers.iter().zip(&self.outputs);
        known.position(|(r, o)| (*r, *o) == (reducer, output)).unwrap_or_else(|| {
            self.reducers.push(reducer);
            self.outputs.push(output);
            self.reducers.len() - 1
        })
    }

    /// The result of a member before that one which gives a host scalar is equal to. Neither has an epilogue.
    fn equal_to(&self, op: &Op, outputs: &[Val], arrays: &HashSet<ValueId>) -> Option<ValueId> {
        let OpKind::Reduce(reduce) = &op.kind else { return None };
        let ([result], [reducer], [output]) = (op.results.as_slice(), reduce.reducers.as_slice(), outputs) else {
            return None;
        };
        let is_plain = reduce.epilogue.is_none() && self.epilogues.iter().all(|(at, e)| at.len() == 1 && e.is_none());
        if !is_plain || arrays.contains(result) {
            return None;
        }
        let is_same = |at: &[usize]| at.iter().all(|n| self.reducers[*n] == *reducer && self.outputs[*n] == *output);
        let members = self.epilogues.iter().zip(&self.results);
        let mut equal = members.filter(|((at, _), _)| is_same(at)).map(|(_, result)| *result);
        equal.find(|result| !arrays.contains(result))
    }

    fn finish(self, emitter: &mut Emitter, first: Op) {
        for (result, equal) in self.equal {
            emitter.replace(result, equal);
        }
        let body = self.builder.finish(self.outputs);
        let rank = self.extents.len();
        let kind = match first.kind {
            OpKind::Reduce(reduce) if self.is_reduction => {
                let epilogue = joined_epilogue(&self.epilogues, &self.reducers, &body);
                OpKind::Reduce(Box::new(Reduce { body, reducers: self.reducers, epilogue, ..*reduce }))
            }
            _ => OpKind::Map(Box::new(Map { rank, body, order: Order::C })),
        };
        let operands = [self.extents, self.inputs.values, self.tables.values].concat();
        emitter.emit_computation(Op { kind, operands, results: self.results, ..first });
    }
}

/// The members' epilogues side by side; `None` if no member has one, and none has a reducer of another one.
fn joined_epilogue(epilogues: &[(Vec<usize>, Option<Body>)], reducers: &[Reducer], body: &Body) -> Option<Body> {
    let positions = epilogues.iter().flat_map(|(positions, _)| positions.iter().copied());
    if epilogues.iter().all(|(_, epilogue)| epilogue.is_none()) && positions.eq(0..reducers.len()) {
        return None;
    }
    let mut builder = BodyBuilder::new();
    let mut reduced: Vec<Val> = Vec::with_capacity(reducers.len());
    for (position, (reducer, val)) in reducers.iter().zip(&body.outputs).enumerate() {
        reduced.push(builder.input(position as u32, reducer.result(body.dtype(*val))?));
    }
    let mut outputs = Vec::new();
    for (positions, epilogue) in epilogues {
        let own: Vec<Val> = positions.iter().map(|n| reduced[*n]).collect();
        match epilogue {
            Some(epilogue) => outputs.extend(builder.inline(epilogue, &own, None)),
            None => outputs.extend(own),
        }
    }
    Some(builder.finish(outputs))
}
