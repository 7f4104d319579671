//! **Does**: turns every `assign` into a `store`. A computation that only the assignment uses is computed straight into the destination. Each operand
//! that could read an element after it was overwritten is copied first: that operand's footprint alone. Where it cannot be told, the function asks
//! when it runs and copies where it has to.
//! Where elements of what is written are read at computed indices, the result is made apart; what a scatter reads of its destination is copied, but for
//! what it accumulates.
//! A store of an array into itself stays where the array may be the caller's, who has to see that it is written.
//! **Requires**: phase Source, aliasing decided.
//! **Ensures**: phase Placed: at each point a store reads the written memory only at the point's own element.
//! **Keeps**: values: the right side acts as if it had been evaluated before anything was written.
//! **Example**: `assign %a[1:], %a[:-1]` becomes `%c = map (copy of %a[:-1]); store %a[1:], %c`; `assign %a, map (%a, %b)` stores in place;
//! `assign %a, %b` of two parameters becomes `%o = overlap %a, %b; %c = if %o { copy of %b } else { %b }; store %a, %c`.

use numptx_ir::array::{Function, Map, Meeting, Module, Op, OpKind, Order, Phase, Region, Scatter, Store, ValueId};
use numptx_ir::scalar::Body;
use numptx_source::InternalError;

use crate::Pass;
use crate::analysis::choices::Broadcasts;
use crate::analysis::memory::Writes;
use crate::analysis::traverse::count_uses;
use crate::rewrite::emit::Emitter;
use crate::rewrite::function::{Place, Rewrite, rebuild};
use crate::source::computations::Computation;
use crate::source::direct_stores::Direct;
use crate::source::hazards::{Care, Hazard, Hazards};
use crate::source::remove_dead::remove_dead_ops;

/// See the file's header.
pub const PLACE_STORES: Pass = Pass::required(
    "place-stores",
    "write results where they belong, copying first what would be overwritten too early",
    place_stores,
);

/// The same, worse on purpose, so that tests see that the better way changes no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placing {
    /// The better way.
    Usual,
    /// Every array that a store reads is copied first.
    Snapshots,
    /// What is decided when compiling is asked when running.
    Late,
    /// Every value is made in memory of its own and then copied.
    Apart,
    /// As the last two.
    LateApart,
    /// As `Snapshots` and `Apart`.
    SnapshotsApart,
    /// Nothing is copied, nothing is asked: wrong. Shows that a test would notice.
    Careless,
}

/// The pass in one of these ways.
pub const fn placing(way: Placing) -> Pass {
    let run: fn(&mut Module) -> Result<(), InternalError> = match way {
        Placing::Usual => place_stores,
        Placing::Snapshots => |module| place(module, Care::Snapshots, false),
        Placing::Late => |module| place(module, Care::Late, false),
        Placing::Apart => |module| place(module, Care::Usual, true),
        Placing::LateApart => |module| place(module, Care::Late, true),
        Placing::SnapshotsApart => |module| place(module, Care::Snapshots, true),
        Placing::Careless => |module| place(module, Care::None, false),
    };
    Pass { run, ..PLACE_STORES }
}

fn place_stores(module: &mut Module) -> Result<(), InternalError> {
    place(module, Care::Usual, false)
}

fn place(module: &mut Module, care: Care, apart: bool) -> Result<(), InternalError> {
    module.functions.iter_mut().for_each(|function| place_function(function, care, apart));
    Ok(())
}

fn place_function(function: &mut Function, care: Care, apart: bool) {
    let (writes, uses) = (Writes::of(function), count_uses(function));
    let mut pass = PlaceStores { hazards: Hazards { writes, care }, apart, uses, stand_ins: Vec::new() };
    rebuild(function, &mut pass);
    function.phase = Phase::Placed;
    remove_dead_ops(function);
}

struct PlaceStores {
    hazards: Hazards,
    /// Whether values are made in memory of their own.
    apart: bool,
    uses: Vec<usize>,
    /// What the current store reads in the place of its operands.
    stand_ins: Vec<(ValueId, ValueId)>,
}

impl Rewrite for PlaceStores {
    fn emit(&mut self, emitter: &mut Emitter, op: Op, place: Place) {
        if let OpKind::Scatter(scatter) = &op.kind {
            return self.scatter(emitter, scatter, &op);
        }
        if !matches!(op.kind, OpKind::Assign) {
            return emitter.emit(op);
        }
        let destination = emitter.resolve(op.operands[0]);
        let destination = emitter.unwritten(destination);
        let source = emitter.resolve(op.operands[1]);
        let source = emitter.same_elements(source);
        if source == destination && !self.hazards.writes.may_be_parameters(emitter, destination) {
            return;
        }
        let destination = emitter.view(OpKind::Writable, vec![destination], None);
        if !self.apart
            && let Some(direct) = Direct::of(emitter, &self.hazards, &self.uses, (destination, source), place)
        {
            return direct.store(emitter, destination, op);
        }
        let computation = self.computation(emitter, destination, source, place);
        self.store(emitter, destination, computation, op);
    }
}

impl PlaceStores {
    /// What is stored: the map that made the source, if it may be computed here and now, else a copy.
    fn computation(&self, emitter: &mut Emitter, destination: ValueId, source: ValueId, place: Place) -> Computation {
        let copy = |emitter: &mut Emitter| {
            let dtype = emitter.ty(source).dtype();
            let extents = emitter.shape(destination);
            let (inputs, tables, body) = (vec![source], Vec::new(), Body::identity(dtype));
            Computation { extents, inputs, tables, body, order: Order::C, result_rank: 0 }
        };
        let Some(definition) = emitter.definition(source) else { return copy(emitter) };
        let is_only_use = self.uses.get(source.0 as usize) == Some(&1) && definition.results.len() == 1;
        if !matches!(definition.kind, OpKind::Map(_)) || !is_only_use || self.apart {
            return copy(emitter);
        }
        if !self.hazards.writes.is_unchanged(emitter, source, &definition.operands, place) {
            return copy(emitter);
        }
        match Computation::of(&definition.kind, &definition.operands) {
            Some(map) => {
                emitter.decide_fused(definition.span);
                Computation { order: Order::C, result_rank: 0, ..map }
            }
            None => copy(emitter),
        }
    }

    fn store(&mut self, emitter: &mut Emitter, destination: ValueId, computation: Computation, op: Op) {
        let mut computation = emitter.normal(computation);
        computation.inputs.iter_mut().for_each(|v| *v = emitter.as_written(destination, *v));
        let reads = self.reads(emitter, destination, &computation);
        let mut target = Target::Itself;
        if computation.extents.is_empty() && computation.tables.is_empty() && self.hazards.care == Care::Usual {
            target = Target::Point;
        } else if reads.must_be_apart() {
            // One copy of the result is less than a copy of each operand.
            emitter.decide_copied(destination, false);
            computation = self.computed_apart(emitter, destination, computation);
        } else if reads.late.len() > 1 || !reads.late_tables.is_empty() {
            let condition = emitter.overlap(destination, &reads.late, &reads.late_tables);
            emitter.decide_copied(destination, true);
            let chosen = emitter.fresh_if(condition, destination);
            target = Target::Fresh { condition, chosen, safe_for: reads.late };
        }
        self.stand_ins.clear();
        let Computation { extents, inputs, tables, body, .. } = computation;
        let inputs: Vec<ValueId> = inputs.iter().map(|v| self.operand(emitter, destination, &target, *v)).collect();
        let written = target.written(destination);
        let store = Store { rank: extents.len(), body };
        let operands = [extents, vec![written], inputs, tables].concat();
        let kind = OpKind::Store(Box::new(store));
        emitter.push(Op { kind, operands, results: Vec::new(), regions: Vec::<Region>::new(), span: op.span });
        if let Target::Fresh { condition, chosen, .. } = target {
            emitter.store_copy_if(condition, destination, chosen, Broadcasts::Never);
        }
    }

    fn reads(&self, emitter: &Emitter, destination: ValueId, computation: &Computation) -> Reads {
        let hazard = |v: ValueId| self.hazards.of(emitter, destination, v);
        let large = |v: &&ValueId| !emitter.is_scalar(**v) && !emitter.is_repeating(**v);
        let inputs: Vec<ValueId> = computation.inputs.iter().filter(large).copied().collect();
        let tables = &computation.tables;
        let of = |list: &[ValueId], wanted: Hazard| list.iter().copied().filter(|v| hazard(*v) == wanted).collect();
        let is_certain = |v: &ValueId| match hazard(*v) {
            _ if *v == destination => true,
            Hazard::Late => emitter.has_all_axes(*v),
            hazard => hazard == Hazard::Certain,
        };
        Reads {
            certain: of(&inputs, Hazard::Certain),
            late: of(&inputs, Hazard::Late),
            is_table_certain: tables.iter().any(is_certain),
            late_tables: of(tables, Hazard::Late),
        }
    }

    /// A scatter of which all that it reads, but for what it accumulates, shares no memory with the destination.
    fn scatter(&mut self, emitter: &mut Emitter, scatter: &Scatter, op: &Op) {
        self.stand_ins.clear();
        let mut operands: Vec<ValueId> = op.operands.iter().map(|v| emitter.resolve(*v)).collect();
        let (_, rest) = operands.split_at_mut(scatter.rank);
        if let [destination, inputs @ ..] = rest {
            let first_table = inputs.len() - scatter.body.n_tables().min(inputs.len());
            let accumulated = (scatter.meeting == Meeting::Accumulating).then_some(first_table);
            for (_, input) in inputs.iter_mut().enumerate().filter(|(n, _)| Some(*n) != accumulated) {
                *input = emitter.as_written(*destination, *input);
                let hazard = match self.hazards.of(emitter, *destination, *input) {
                    _ if *input == *destination => Hazard::Certain,
                    Hazard::Late if emitter.has_all_axes(*input) => Hazard::Certain,
                    hazard => hazard,
                };
                if hazard != Hazard::None {
                    *input = self.stand_in(emitter, *destination, *input, hazard, Question::AnyElement);
                }
            }
        }
        emitter.push(Op { operands, ..op.clone() });
    }

    /// The computation made into an array of its own, and the copy of that.
    fn computed_apart(&self, emitter: &mut Emitter, destination: ValueId, computation: Computation) -> Computation {
        let Computation { extents, inputs, tables, body, .. } = computation;
        let map = Map { rank: extents.len(), body, order: Order::C };
        let operands = [&extents[..], &inputs, &tables].concat();
        let result = emitter.push_new(OpKind::Map(Box::new(map)), operands)[0];
        let body = Body::identity(emitter.ty(destination).dtype());
        Computation { extents, inputs: vec![result], tables: Vec::new(), body, order: Order::C, result_rank: 0 }
    }

    /// The operand itself where reading it while the destination is written is harmless, else what stands in for it.
    fn operand(&mut self, emitter: &mut Emitter, destination: ValueId, target: &Target, operand: ValueId) -> ValueId {
        match self.hazards.of(emitter, destination, operand) {
            Hazard::None => operand,
            _ if target.is_safe_for(operand) => operand,
            hazard => self.stand_in(emitter, destination, operand, hazard, Question::OtherElements),
        }
    }

    /// A copy of what a view covers, without repeating elements that it repeats; where that is decided when running, the view itself or such a copy.
    fn stand_in(
        &mut self,
        emitter: &mut Emitter,
        destination: ValueId,
        operand: ValueId,
        hazard: Hazard,
        question: Question,
    ) -> ValueId {
        if let Some((_, found)) = self.stand_ins.iter().find(|(original, _)| *original == operand) {
            return *found;
        }
        let stand_in = match emitter.definition(operand) {
            Some(view) if matches!(view.kind, OpKind::Broadcast | OpKind::NewAxis { .. } | OpKind::Windows { .. }) => {
                let base = self.stand_in(emitter, destination, view.operands[0], hazard, question);
                let operands = [&[base], &view.operands[1..]].concat();
                emitter.view(view.kind.clone(), operands, None)
            }
            _ if hazard == Hazard::Certain => {
                emitter.decide_copied(operand, false);
                emitter.copy(operand)
            }
            _ => {
                emitter.decide_copied(operand, true);
                let condition = match question {
                    Question::OtherElements => emitter.overlap(destination, &[operand], &[]),
                    Question::AnyElement => emitter.overlap(destination, &[], &[operand]),
                };
                emitter.copy_if(condition, operand)
            }
        };
        self.stand_ins.push((operand, stand_in));
        stand_in
    }
}

/// What is asked of an operand when running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    /// Whether a point could read what another one writes.
    OtherElements,
    /// Whether it has any element of the destination.
    AnyElement,
}

/// What a store reads that may share memory with its destination. Inputs that are repeated are not among them: their copies are small.
struct Reads {
    certain: Vec<ValueId>,
    late: Vec<ValueId>,
    /// Whether an array that is read at computed indices shares memory with the destination.
    is_table_certain: bool,
    late_tables: Vec<ValueId>,
}

impl Reads {
    /// Whether the result is best made in memory of its own, whatever the arguments.
    fn must_be_apart(&self) -> bool {
        let n = self.certain.len() + self.late.len() + self.late_tables.len();
        self.is_table_certain || (!self.certain.is_empty() && n > 1)
    }
}

/// Where a store writes.
enum Target {
    /// To its destination.
    Itself,
    /// To the one element of its destination, after everything was read.
    Point,
    /// To fresh memory where the condition holds, which is copied to the destination afterwards, else to the destination.
    Fresh {
        condition: ValueId,
        chosen: ValueId,
        /// Operands that this makes harmless.
        safe_for: Vec<ValueId>,
    },
}

impl Target {
    fn written(&self, destination: ValueId) -> ValueId {
        if let Target::Fresh { chosen, .. } = self { *chosen } else { destination }
    }

    fn is_safe_for(&self, operand: ValueId) -> bool {
        match self {
            Target::Itself => false,
            Target::Point => true,
            Target::Fresh { safe_for, .. } => safe_for.contains(&operand),
        }
    }
}

impl Emitter {
    /// Whether a view repeats what it covers, so that a copy of that is smaller than the view.
    fn is_repeating(&self, view: ValueId) -> bool {
        let rank = self.array(view).map_or(0, |a| a.rank);
        (0..rank).any(|axis| self.is_fixed(view, axis))
    }
}
