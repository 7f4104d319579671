//! **Does**: computes a map inside the maps, reductions and assignments that read it, through any views in between, so that its array is
//! never made. A map with several readers is repeated in each where that is cheaper than memory.
//! **Requires**: phase Source. Works best after `simplify`.
//! **Ensures**: no map whose only reader is a map, reduction or assignment of its region remains, within limits of size, where what it
//! reads is unchanged there and the memory order of the result can still be told.
//! **Keeps**: every value, and the memory order of every array that is still made.
//! **Example**: `%t = map (%n; %a, %x) mul; %y = map (%n; %t, %b) add` becomes `%y = map (%n; %a, %x, %b) { mul; add }`.

use std::rc::Rc;

use numptx_ir::array::{Function, Map, Module, Op, OpKind, Order, Region, ValueId};
use numptx_ir::scalar::{Body, BodyBuilder, Val};
use numptx_source::InternalError;

use crate::Pass;
use crate::analysis::memory::Writes;
use crate::analysis::readers::Readers;
use crate::analysis::work::work_of;
use crate::loops::schedule::cost::{BODY_OPERATIONS, LITTLE_WORK, REPEATED_WORK, STRETCHED_WORK, WORK_OF_ARRAY};
use crate::rewrite::emit::{Definition, Emitter};
use crate::rewrite::function::{Place, Rewrite, rebuild};
use crate::rewrite::order::{Vote, copies, is_like, splice_order};
use crate::source::computations::{Computation, Inputs, is_read, max_arrays};
use crate::source::inline::{Inlined, Inlining};
use crate::source::remove_dead::remove_dead_ops;

/// See the file's header.
pub const FUSE_MAPS: Pass = Pass::optional(
    "fuse-maps",
    "compute elementwise expressions where they are used, through views and into reductions",
    fuse_maps,
);

/// Limit: times that a function is gone through; each but the last made fewer maps of it.
const MAX_ROUNDS: usize = 4;

fn fuse_maps(module: &mut Module) -> Result<(), InternalError> {
    module.functions.iter_mut().for_each(fuse_function);
    Ok(())
}

/// A map with several readers is single again once they have become one computation.
fn fuse_function(function: &mut Function) {
    for _ in 0..MAX_ROUNDS {
        let n_maps = count_maps(&function.body);
        let mut pass = FuseMaps::of(function);
        rebuild(function, &mut pass);
        remove_dead_ops(function);
        let n_left = count_maps(&function.body);
        if n_left == n_maps || n_left < 2 {
            break;
        }
    }
}

fn count_maps(region: &Region) -> usize {
    let nested = |op: &Op| op.regions.iter().map(count_maps).sum::<usize>();
    region.ops.iter().map(|op| usize::from(matches!(op.kind, OpKind::Map(_))) + nested(op)).sum()
}

/// What is known of a function before its maps are computed in others.
pub struct FuseMaps {
    writes: Writes,
    readers: Readers,
}

impl Rewrite for FuseMaps {
    fn emit(&mut self, emitter: &mut Emitter, mut op: Op, place: Place) {
        op.operands.iter_mut().for_each(|v| *v = emitter.resolve(*v));
        if let Some(computation) = Computation::of(&op.kind, &op.operands) {
            let fused = self.fuse(emitter, computation, place, &|_| false);
            (op.kind, op.operands) = fused.rebuild(&op.kind);
            return emitter.push(op);
        }
        if matches!(op.kind, OpKind::Assign) {
            op.operands[1] = self.fuse_source(emitter, op.operands[0], op.operands[1], place);
        }
        emitter.emit(op);
    }
}

/// A computation that takes in its producers.
#[derive(Clone)]
struct Fusion {
    builder: BodyBuilder,
    inputs: Inputs,
    tables: Inputs,
    /// By input of the old body: its value.
    vals: Vec<Val>,
    /// By input of the old body: its part in the memory order.
    votes: Vec<Vote>,
}

impl FuseMaps {
    /// Of a function that is rebuilt next.
    pub fn of(function: &Function) -> FuseMaps {
        FuseMaps { writes: Writes::of(function), readers: Readers::of(function) }
    }

    /// The source of an assignment, as a map of its own if it is a view of one that may be computed here.
    fn fuse_source(&self, emitter: &mut Emitter, destination: ValueId, source: ValueId, place: Place) -> ValueId {
        if emitter.root(source) == source || self.producer(emitter, source, place).is_none() {
            return source;
        }
        let extents = emitter.shape(destination);
        let body = Body::identity(emitter.ty(source).dtype());
        let rank = extents.len();
        let tables = Vec::new();
        let copy = Computation { extents, inputs: vec![source], tables, body, order: Order::C, result_rank: rank };
        let fused = self.fuse(emitter, copy, place, &|_| false);
        if fused.inputs.contains(&source) {
            return source;
        }
        let operands = [fused.extents, fused.inputs, fused.tables].concat();
        let map = Map { rank, body: fused.body, order: Order::C };
        emitter.push_new(OpKind::Map(Box::new(map)), operands)[0]
    }

    /// The same computation with the producers of its inputs inside, but those that are kept.
    pub fn fuse(
        &self,
        emitter: &mut Emitter,
        computation: Computation,
        place: Place,
        is_kept: &dyn Fn(ValueId) -> bool,
    ) -> Computation {
        let Computation { extents, inputs, tables, body, order, result_rank } = emitter.normal(computation);
        let mut fusion = Fusion {
            builder: BodyBuilder::new(),
            inputs: Inputs::default(),
            tables: Inputs { values: tables },
            vals: Vec::with_capacity(inputs.len()),
            votes: Vec::with_capacity(inputs.len()),
        };
        let n_ordered = if matches!(order, Order::K(_)) { result_rank } else { 0 };
        for (position, input) in inputs.iter().enumerate() {
            let is_copied = copies(&order, position);
            let is_like = is_like(&order, position);
            let limits = Limits { n_instrs: body.instrs.len(), rank: extents.len(), n_ordered, is_copied, is_like };
            let inlined = match is_kept(*input) {
                true => None,
                false => self.inlined(emitter, &fusion, *input, place, &limits),
            };
            match inlined {
                Some(next) => {
                    fusion = next;
                    if let Some(producer) = emitter.definition(emitter.root(*input)) {
                        emitter.decide_fused(producer.span);
                    }
                }
                None => fusion.keep(emitter, *input),
            }
        }
        let outputs = fusion.builder.inline(&body, &fusion.vals, None);
        let order = splice_order(&order, &fusion.votes);
        let body = fusion.builder.finish(outputs);
        let (inputs, tables) = (fusion.inputs.values, fusion.tables.values);
        emitter.normal(Computation { extents, inputs, tables, body, order, result_rank })
    }

    fn inlined(
        &self,
        emitter: &mut Emitter,
        fusion: &Fusion,
        input: ValueId,
        place: Place,
        limits: &Limits,
    ) -> Option<Fusion> {
        let (root, definition) = self.producer(emitter, input, place)?;
        let output = definition.results.iter().position(|v| *v == root)?;
        let producer = Computation::of(&definition.kind, &definition.operands)?;
        let mut next = fusion.clone();
        let inlining = Inlining::new(emitter, input, limits.rank, limits.n_ordered);
        let is_heavy = producer.result_rank > 0 && work_of(&producer.body) > STRETCHED_WORK;
        if is_heavy && inlining.repeats(emitter) {
            return None;
        }
        // Along which axes an array was repeated, its own inputs do not tell.
        if limits.is_copied && inlining.is_stretched() {
            return None;
        }
        let mut vote = inlining.vote(emitter, &producer, &mut next.inputs)?;
        if limits.is_like {
            vote = vote.with_extents_of(inlining.like(emitter, &producer, &mut next.inputs)?);
        }
        let tables: Vec<u32> = producer.tables.iter().map(|v| next.tables.position(*v) as u32).collect();
        let producer = Inlined { computation: &producer, tables: &tables, output };
        let val = inlining.inline(emitter, &producer, &mut next.builder, &mut next.inputs);
        next.vals.push(val);
        next.votes.push(vote);
        let body = next.builder.clone().finish(next.vals.clone());
        // What only the order names is no parameter of the kernel.
        let is_array = |(n, v): &(usize, &ValueId)| !emitter.is_scalar(**v) && is_read(&body, *n);
        let n_arrays = next.inputs.values.iter().enumerate().filter(is_array).count() + next.tables.values.len();
        let n_instrs = body.instrs.len() + limits.n_instrs;
        (n_instrs <= BODY_OPERATIONS && n_arrays <= max_arrays(limits.rank)).then_some(next)
    }

    /// The map that an array is a view of, if it may and should be computed at `place` instead.
    fn producer(&self, emitter: &Emitter, array: ValueId, place: Place) -> Option<(ValueId, Rc<Definition>)> {
        let root = emitter.root(array);
        let definition = emitter.definition(root)?;
        if !matches!(definition.kind, OpKind::Map(_))
            || !self.writes.is_unchanged(emitter, root, &definition.operands, place)
        {
            return None;
        }
        self.is_worthwhile(emitter, root, &definition).then_some((root, definition))
    }

    /// Whether all readers can take the map in and repeating it is cheap; or it is next to nothing.
    fn is_worthwhile(&self, emitter: &Emitter, root: ValueId, definition: &Definition) -> bool {
        let OpKind::Map(map) = &definition.kind else { return false };
        let n_arrays = definition.operands.iter().filter(|v| !emitter.is_scalar(**v)).count();
        let work = work_of(&map.body) + WORK_OF_ARRAY * n_arrays;
        if n_arrays == 0 && work <= LITTLE_WORK {
            return true;
        }
        let readers = self.readers.of_root(root);
        let can_take = |place: Place| self.writes.is_unchanged(emitter, root, &definition.operands, place);
        if readers.iter().any(|reader| !reader.takes_maps || !can_take(reader.place)) {
            return false;
        }
        readers.len().saturating_sub(1) * work <= REPEATED_WORK
    }
}

/// What a consumer brings itself.
struct Limits {
    n_instrs: usize,
    rank: usize,
    /// Axes of its results whose memory order follows its inputs.
    n_ordered: usize,
    /// Whether they lie as a copy of this input.
    is_copied: bool,
    /// Whether their order looks at this input's extents.
    is_like: bool,
}

impl Fusion {
    fn keep(&mut self, emitter: &Emitter, input: ValueId) {
        let position = self.inputs.position(input);
        self.vals.push(self.builder.input(position as u32, emitter.ty(input).dtype()));
        self.votes.push(Vote::of_kept(position));
    }
}
