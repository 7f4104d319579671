//! **Does**: turns every `assign` into a `store`. A map that only the assignment uses is computed straight into the destination. Each operand
//! that could read an element after it was overwritten is copied first: that operand's footprint alone.
//! Where elements of what is written are read at computed indices, the result is made apart; what a scatter reads of its destination is copied.
//! **Requires**: phase Source, aliasing decided.
//! **Ensures**: phase Placed: at each point a store reads the written memory only at the point's own element.
//! **Keeps**: values: the right side acts as if it had been evaluated before anything was written.
//! **Example**: `assign %a[1:], %a[:-1]` becomes `%c = map (copy of %a[:-1]); store %a[1:], %c`; `assign %a, map (%a, %b)` stores in place.

use numptx_ir::array::{Function, Map, Module, Op, OpKind, Order, OrderTerm, Phase, Region, Scatter, Store, ValueId};
use numptx_ir::scalar::Body;
use numptx_source::InternalError;

use crate::Pass;
use crate::computations::Computation;
use crate::emit::Emitter;
use crate::function::{Place, Rewrite, rebuild};
use crate::memory::Writes;
use crate::remove_dead::remove_dead_ops;
use crate::traverse::count_uses;

/// See the file's header.
pub const PLACE_STORES: Pass = Pass {
    name: "place-stores",
    sentence: "write results where they belong, copying first what would be overwritten too early",
    required: true,
    run: place_stores,
};

/// The same, worse on purpose, so that tests see that the better way changes no value.
/// `snapshots`: every array that a store reads is copied first. `apart`: every value is made in memory of its own and then copied.
pub const fn placing(snapshots: bool, apart: bool) -> Pass {
    let run = match (snapshots, apart) {
        (false, false) => place_stores,
        (true, false) => |module: &mut Module| place(module, Care { snapshots: true, apart: false }),
        (false, true) => |module: &mut Module| place(module, Care { snapshots: false, apart: true }),
        (true, true) => |module: &mut Module| place(module, Care { snapshots: true, apart: true }),
    };
    Pass { run, ..PLACE_STORES }
}

/// Caution that is not needed.
#[derive(Clone, Copy)]
struct Care {
    snapshots: bool,
    apart: bool,
}

fn place_stores(module: &mut Module) -> Result<(), InternalError> {
    place(module, Care { snapshots: false, apart: false })
}

fn place(module: &mut Module, care: Care) -> Result<(), InternalError> {
    module.functions.iter_mut().for_each(|function| place_function(function, care));
    Ok(())
}

fn place_function(function: &mut Function, care: Care) {
    let (writes, uses) = (Writes::of(function), count_uses(function));
    let mut pass = PlaceStores { care, writes, uses, snapshots: Vec::new() };
    rebuild(function, &mut pass);
    function.phase = Phase::Placed;
    remove_dead_ops(function);
}

struct PlaceStores {
    care: Care,
    writes: Writes,
    uses: Vec<usize>,
    /// Copies made for the current store.
    snapshots: Vec<(ValueId, ValueId)>,
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
        let destination = emitter.same_elements(destination);
        let source = emitter.resolve(op.operands[1]);
        let source = emitter.same_elements(source);
        if source == destination {
            return;
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
        if !matches!(definition.kind, OpKind::Map(_)) || !is_only_use || self.care.apart {
            return copy(emitter);
        }
        if !self.writes.is_unchanged(emitter, source, &definition.operands, place) {
            return copy(emitter);
        }
        match Computation::of(&definition.kind, &definition.operands) {
            Some(map) => Computation { order: Order::C, result_rank: 0, ..map },
            None => copy(emitter),
        }
    }

    fn store(&mut self, emitter: &mut Emitter, destination: ValueId, computation: Computation, op: Op) {
        let mut computation = emitter.normal(computation);
        let endangered = |v: &&ValueId| self.is_endangered(emitter, destination, **v);
        let n_copies = computation.inputs.iter().filter(endangered).filter(|v| !emitter.is_repeating(**v)).count();
        let reads_elements = computation.tables.iter().any(|v| *v == destination || endangered(&v));
        if n_copies > 1 || reads_elements {
            // One copy of the result is less than a copy of each operand.
            computation = self.computed_apart(emitter, destination, computation);
        }
        self.snapshots.clear();
        let Computation { extents, inputs, tables, body, .. } = computation;
        let inputs: Vec<ValueId> = inputs.iter().map(|v| self.operand(emitter, destination, *v)).collect();
        let store = Store { rank: extents.len(), body };
        let operands = [extents, vec![destination], inputs, tables].concat();
        let kind = OpKind::Store(Box::new(store));
        emitter.push(Op { kind, operands, results: Vec::new(), regions: Vec::<Region>::new(), span: op.span });
    }

    /// A scatter whose inputs, and tables but for the destination itself, share no memory with the destination.
    fn scatter(&mut self, emitter: &mut Emitter, scatter: &Scatter, op: &Op) {
        self.snapshots.clear();
        let mut operands: Vec<ValueId> = op.operands.iter().map(|v| emitter.resolve(*v)).collect();
        let (_, rest) = operands.split_at_mut(scatter.rank);
        if let [destination, inputs @ ..] = rest {
            let n_inputs = inputs.len() - scatter.body.n_tables().min(inputs.len());
            for (n, input) in inputs.iter_mut().enumerate() {
                let is_same = *input == *destination && n < n_inputs;
                let is_endangered = is_same || self.is_endangered(emitter, *destination, *input);
                if is_endangered {
                    *input = self.snapshot(emitter, *input);
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

    /// Whether an operand could be read after it was overwritten.
    fn is_endangered(&self, emitter: &Emitter, destination: ValueId, operand: ValueId) -> bool {
        let is_endangered = operand != destination
            && self.writes.may_share(emitter, operand, destination)
            && !emitter.are_disjoint(operand, destination);
        !emitter.is_scalar(operand) && (is_endangered || self.care.snapshots)
    }

    /// The operand itself where reading it while the destination is written is harmless, else its copy.
    fn operand(&mut self, emitter: &mut Emitter, destination: ValueId, operand: ValueId) -> ValueId {
        if self.is_endangered(emitter, destination, operand) { self.snapshot(emitter, operand) } else { operand }
    }

    /// Copies what a view covers, without repeating elements that it repeats.
    fn snapshot(&mut self, emitter: &mut Emitter, operand: ValueId) -> ValueId {
        if let Some((_, copy)) = self.snapshots.iter().find(|(original, _)| *original == operand) {
            return *copy;
        }
        let copy = match emitter.definition(operand) {
            Some(view) if matches!(view.kind, OpKind::Broadcast | OpKind::NewAxis { .. } | OpKind::Windows { .. }) => {
                let base = self.snapshot(emitter, view.operands[0]);
                let operands = [&[base], &view.operands[1..]].concat();
                emitter.view(view.kind.clone(), operands, None)
            }
            _ => copied(emitter, operand),
        };
        self.snapshots.push((operand, copy));
        copy
    }
}

fn copied(emitter: &mut Emitter, array: ValueId) -> ValueId {
    let extents = emitter.shape(array);
    let rank = extents.len();
    let is_c = rank <= 1 || emitter.is_c_ordered(array);
    let order = if is_c { Order::C } else { Order::K(vec![OrderTerm::Input(0)]) };
    let map = Map { rank, body: Body::identity(emitter.ty(array).dtype()), order };
    emitter.push_new(OpKind::Map(Box::new(map)), [extents, vec![array]].concat())[0]
}

impl Emitter {
    /// Whether a view repeats what it covers, so that a copy of that is smaller than the view.
    fn is_repeating(&self, view: ValueId) -> bool {
        let rank = self.array(view).map_or(0, |a| a.rank);
        (0..rank).any(|axis| self.is_fixed(view, axis))
    }
}
