//! **Does**: counts by tiles what a mask chooses, and moves it so, instead of a running count for each element. Cheap masks and moved values are computed in
//! the kernels that read them.
//! **Requires**: phase Placed. Works best after `join-moves`, and before `join-waits`.
//! **Ensures**: no running count of a mask is made of which only the last element and moves of chosen elements are read.
//! **Keeps**: every value, every check and their order. A condition is computed twice only if it is the same bits each time.
//! **Example**: `%r = scan add %n, %m; %c = item of %r's last; %y = alloc %c; if 0 < %c { scatter apart %n, %y, %m, %r, %x }` becomes `%t = alloc of
//! tiles; compact<1, 0> %n, %t, %m; store_scan add of %t, %t; %c = item of %t's last; %y = alloc %c; compact<1, 1> %n, %y, %t, %m, %x`.

use std::collections::{BTreeMap, HashMap};

use numptx_ir::DType;
use numptx_ir::array::{
    Compact, Function, Map, Module, Op, OpKind, Order, Region, Scan, TILE, Type, ValueId, typing::result_types,
};
use numptx_ir::scalar::{Body, BodyBuilder, Constant, Instr, InstrKind, Reducer, ScalarOp, Val};
use numptx_source::{InternalError, Span};

use crate::Pass;
use crate::analysis::compactions::{Counting, Definitions, Move, countings};
use crate::analysis::traverse::for_each_op;
use crate::rewrite::emit::Emitter;
use crate::rewrite::function::{Place, Rewrite, rebuild};
use crate::source::computations::{Computation, is_read};
use crate::source::fuse_maps::FuseMaps;
use crate::source::remove_dead::remove_dead_ops;

/// See the file's header.
pub const COMPACT_BY_TILES: Pass =
    Pass::optional("compact-by-tiles", "count and move chosen elements tile by tile", compact_by_tiles);

fn compact_by_tiles(module: &mut Module) -> Result<(), InternalError> {
    for function in &mut module.functions {
        let plans = Plans::of(function);
        if plans.all.is_empty() {
            continue;
        }
        let mut body = std::mem::take(&mut function.body);
        Replacing { function, plans }.region(&mut body);
        function.body = body;
        remove_dead_ops(function);
        let mut pass = Fusing { maps: FuseMaps::of(function) };
        rebuild(function, &mut pass);
        remove_dead_ops(function);
    }
    Ok(())
}

/// What is done of a running count.
struct Plan {
    counting: Counting,
    /// The mask, with all of its axes.
    mask: ValueId,
    /// Its extents, if they are known before it is counted.
    extents: Option<Vec<ValueId>>,
    /// The ops that become moves by tiles.
    moves: Vec<NewMove>,
}

/// A move by tiles, but for the counts.
struct NewMove {
    /// By the first array that is filled.
    chosen: ValueId,
    extents: Vec<ValueId>,
    destinations: Vec<ValueId>,
    inputs: Vec<ValueId>,
    body: Body,
}

/// Plans by the value that is the running count.
struct Plans {
    all: BTreeMap<ValueId, Plan>,
}

impl Plans {
    fn of(function: &Function) -> Plans {
        let definitions = Definitions::of(function);
        let readers = readers_of(function);
        let mut regions = vec![&function.body];
        for_each_op(&function.body, &mut |op| regions.extend(&op.regions));
        let mut all = BTreeMap::new();
        for region in regions {
            for counting in countings(region, &definitions) {
                if let Some(plan) = plan_of(region, counting, &definitions, &readers) {
                    all.insert(plan.counting.running, plan);
                }
            }
        }
        Plans { all }
    }
}

/// The ops that read each value.
fn readers_of(function: &Function) -> HashMap<ValueId, Vec<&Op>> {
    let mut readers: HashMap<ValueId, Vec<&Op>> = HashMap::new();
    for_each_op(&function.body, &mut |op| {
        op.operands.iter().for_each(|v| readers.entry(*v).or_default().push(op));
    });
    readers
}

/// `None` where running counts are read by others, or nothing is moved.
fn plan_of(
    region: &Region,
    counting: Counting,
    definitions: &Definitions,
    readers: &HashMap<ValueId, Vec<&Op>>,
) -> Option<Plan> {
    let after = &region.ops[counting.at + 1..];
    let found: Vec<Move> = after.iter().filter_map(|op| counting.moved(op, definitions)).collect();
    let mask = found.first()?.mask;
    let is_move = |op: &Op| {
        found.iter().any(|moved| matches!(&op.kind, OpKind::Scatter(s) if std::ptr::eq(s.as_ref(), moved.scatter)))
    };
    let mut n_last = 0;
    for reader in readers.get(&counting.running)? {
        match &reader.kind {
            OpKind::Index { .. } => n_last += readers.get(&reader.results[0]).map_or(0, Vec::len),
            OpKind::Reshape(_) => {
                let of_view = readers.get(&reader.results[0]).map_or(&[][..], Vec::as_slice);
                if !of_view.iter().all(|op| is_move(op)) {
                    return None;
                }
            }
            _ if is_move(reader) => {}
            _ => return None,
        }
    }
    let moves: Option<Vec<NewMove>> = found.iter().map(|moved| new_move(moved, definitions)).collect();
    let moves = moves.filter(|_| n_last == 1)?;
    let extents = match definitions.get(mask).map(|op| (&op.kind, &op.operands)) {
        Some((OpKind::Map(map), operands)) => operands[..map.rank].to_vec(),
        _ => moves[0].extents.clone(),
    };
    let mut is_known = true;
    for op in &region.ops[counting.scan..] {
        let mut see = |op: &Op| is_known &= op.results.iter().all(|v| !extents.contains(v));
        see(op);
        op.regions.iter().for_each(|nested| for_each_op(nested, &mut see));
    }
    let extents = is_known.then_some(extents);
    Some(Plan { counting, mask, extents, moves })
}

/// `None` where the place of an element is one of the moved values, too.
fn new_move(moved: &Move, definitions: &Definitions) -> Option<NewMove> {
    let scatter = moved.scatter;
    let n = scatter.n_destinations;
    let mut builder = BodyBuilder::new();
    // Inputs that are read keep their number: views that the branch makes are made before the move.
    let dtype = |input: usize| {
        let of = |i: &Instr| matches!(i.kind, InstrKind::Input(m) if m as usize == input);
        scatter.body.instrs.iter().find(|i| of(i)).map_or(DType::I64, |i| i.dtype)
    };
    let vals: Vec<Val> = (0..moved.inputs.len()).map(|input| builder.input(input as u32, dtype(input))).collect();
    let outputs = builder.inline(&scatter.body, &vals, None);
    let body = builder.finish([&outputs[..n], &outputs[n + 1..]].concat());
    let is_places = |input: usize| {
        let value = moved.inputs[input];
        let of_flat = definitions.get(value).filter(|op| matches!(op.kind, OpKind::Reshape(_)));
        input == 1 || value == moved.inputs[1] || of_flat.is_some_and(|op| op.operands[0] == moved.inputs[1])
    };
    if (0..moved.inputs.len()).any(|input| is_places(input) && is_read(&body, input)) {
        return None;
    }
    let (body, inputs, _) = crate::source::computations::compress(body, moved.inputs.to_vec(), Order::C);
    Some(NewMove {
        chosen: moved.chosen,
        extents: moved.extents.to_vec(),
        destinations: moved.destinations.to_vec(),
        inputs,
        body,
    })
}

struct Replacing<'f> {
    /// The function, without its body.
    function: &'f mut Function,
    plans: Plans,
}

impl Replacing<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut ops = Vec::with_capacity(region.ops.len());
        // By the array that is filled first: the move, and the tiles' running counts.
        let mut moves: HashMap<ValueId, (NewMove, ValueId)> = HashMap::new();
        let mut counts: HashMap<ValueId, [ValueId; 2]> = HashMap::new();
        for mut op in std::mem::take(&mut region.ops) {
            op.regions.iter_mut().for_each(|nested| self.region(nested));
            if let (OpKind::Scan(_), Some(running)) = (&op.kind, op.results.first().copied())
                && let Some(plan) = self.plans.all.remove(&running)
            {
                let mut emitted = Emitted { function: self.function, ops: &mut ops, span: op.span };
                let (running, n_tiles) = emitted.count(&plan);
                counts.insert(plan.counting.count, [running, n_tiles]);
                moves.extend(plan.moves.into_iter().map(|new| (new.chosen, (new, running))));
                continue;
            }
            if let Some([running, n_tiles]) = op.results.first().and_then(|v| counts.remove(v)) {
                Emitted { function: self.function, ops: &mut ops, span: op.span }.read_last(op, running, n_tiles);
                continue;
            }
            let chosen = moved_to(&op).and_then(|chosen| moves.remove(&chosen));
            let Some((new, running)) = chosen else {
                ops.push(op);
                continue;
            };
            let span = op.span;
            let then = op.regions.swap_remove(0);
            ops.extend(then.ops.into_iter().filter(|op| op.kind.is_pure_scalar_or_view()));
            let rank = new.extents.len();
            let compact = Compact { rank, n_destinations: new.destinations.len(), body: new.body };
            let operands = [new.extents, new.destinations, vec![running], new.inputs].concat();
            let kind = OpKind::Compact(Box::new(compact));
            ops.push(Op { kind, operands, results: Vec::new(), regions: Vec::new(), span });
        }
        region.ops = ops;
    }
}

/// The first array that a branch scatters to.
fn moved_to(op: &Op) -> Option<ValueId> {
    let OpKind::If = op.kind else { return None };
    op.regions.first()?.ops.iter().find_map(|op| match &op.kind {
        OpKind::Scatter(scatter) => op.operands.get(scatter.rank).copied(),
        _ => None,
    })
}

/// Ops on their way to a region.
struct Emitted<'o> {
    function: &'o mut Function,
    ops: &'o mut Vec<Op>,
    span: Span,
}

impl Emitted<'_> {
    fn push(&mut self, kind: OpKind, operands: Vec<ValueId>) -> Option<ValueId> {
        let types: Vec<Type> = operands.iter().map(|v| self.function.ty(*v)).collect();
        let types = result_types(&kind, &types).ok().flatten().unwrap_or_default();
        let results: Vec<ValueId> = types.into_iter().map(|ty| self.function.add_value(ty)).collect();
        let result = results.first().copied();
        self.ops.push(Op { kind, operands, results, regions: Vec::new(), span: self.span });
        result
    }

    fn number(&mut self, kind: OpKind, operands: Vec<ValueId>) -> ValueId {
        let result = self.function.add_value(Type::Scalar(DType::I64));
        self.ops.push(Op { kind, operands, results: vec![result], regions: Vec::new(), span: self.span });
        result
    }

    fn constant(&mut self, value: i64) -> ValueId {
        self.number(OpKind::Constant(Constant::Int(value)), Vec::new())
    }

    /// The tiles' counts, summed up in their place, and the number of tiles.
    fn count(&mut self, plan: &Plan) -> (ValueId, ValueId) {
        let rank = self.function.array(plan.mask).map_or(1, |array| array.rank);
        let (most, by) = (self.constant(TILE - 1), self.constant(TILE.trailing_zeros().into()));
        let rounded = self.number(OpKind::Scalar(ScalarOp::Add), vec![plan.counting.extent, most]);
        let n_tiles = self.number(OpKind::Scalar(ScalarOp::ShiftRight), vec![rounded, by]);
        let counts = self.push(OpKind::Alloc { dtype: DType::I64, order: Order::C }, vec![n_tiles]);
        let counts = counts.unwrap_or(plan.mask);
        let extents = plan
            .extents
            .clone()
            .unwrap_or_else(|| (0..rank).map(|axis| self.number(OpKind::Dim(axis), vec![plan.mask])).collect());
        let mut body = BodyBuilder::new();
        let element = body.input(0, self.function.ty(plan.mask).dtype());
        let condition = body.cast(element, DType::Bool);
        let body = body.finish(vec![condition]);
        let compact = Compact { rank, body, n_destinations: 0 };
        self.push(OpKind::Compact(Box::new(compact)), [extents, vec![counts, plan.mask]].concat());
        let body = Body::identity(DType::I64);
        let scan = Scan { rank: 1, axis: 0, body, reducer: Reducer::Add, epilogue: None, order: Order::C };
        self.push(OpKind::StoreScan(Box::new(scan)), vec![n_tiles, counts, counts]);
        (counts, n_tiles)
    }

    /// The op that read the last element of other running counts, with these.
    fn read_last(&mut self, mut op: Op, running: ValueId, n_tiles: ValueId) {
        let span = op.span;
        let mut inner = Vec::new();
        let is_branch = op.kind == OpKind::If;
        let ops = if is_branch { &mut inner } else { &mut *self.ops };
        let mut emitted = Emitted { function: self.function, ops, span };
        let one = emitted.constant(1);
        let last = emitted.number(OpKind::Scalar(ScalarOp::Sub), vec![n_tiles, one]);
        let element = emitted.push(OpKind::Index { axis: 0 }, vec![running, last]).unwrap_or(running);
        if !is_branch {
            op.operands = vec![element];
            return self.ops.push(op);
        }
        let count = emitted.number(OpKind::Item, vec![element]);
        inner.push(Op { kind: OpKind::Yield, operands: vec![count], results: Vec::new(), regions: Vec::new(), span });
        op.regions[0].ops = inner;
        self.ops.push(op);
    }
}

/// Computes what compactions read in them.
struct Fusing {
    maps: FuseMaps,
}

impl Rewrite for Fusing {
    fn emit(&mut self, emitter: &mut Emitter, mut op: Op, place: Place) {
        let OpKind::Compact(compact) = &op.kind else { return emitter.emit(op) };
        let compact = compact.as_ref().clone();
        op.operands.iter_mut().for_each(|v| *v = emitter.resolve(*v));
        let (extents, rest) = op.operands.split_at(compact.rank);
        let (fixed, inputs) = rest.split_at(compact.n_fixed());
        let Some((inputs, tables)) = compact.body.split_tables(inputs) else { return emitter.push(op) };
        let computation = Computation {
            extents: extents.to_vec(),
            inputs: inputs.to_vec(),
            tables: tables.to_vec(),
            body: compact.body.clone(),
            order: Order::C,
            result_rank: 0,
        };
        let needed = needed_by_condition(&compact.body);
        let is_kept = |(n, v): &(usize, &ValueId)| {
            let map = map_of(emitter, **v);
            map.is_some_and(|map| calls(&map.body) || needed.contains(&(*n as u32)) && !is_exact(&map.body))
        };
        let kept: Vec<ValueId> = inputs.iter().enumerate().filter(is_kept).map(|(_, v)| *v).collect();
        let kept: Vec<ValueId> = kept.into_iter().map(|v| emitter.same_elements(v)).collect();
        let fused = self.maps.fuse(emitter, computation, place, &|v| kept.contains(&v));
        let operands = [&fused.extents, fixed, &fused.inputs, &fused.tables].concat();
        let compact = Compact { body: fused.body, ..compact };
        emitter.push(Op { kind: OpKind::Compact(Box::new(compact)), operands, ..op });
    }
}

/// The inputs that the last output depends on.
fn needed_by_condition(body: &Body) -> Vec<u32> {
    let condition = body.outputs.last().copied().into_iter().collect();
    let builder = Body { outputs: condition, ..body.clone() };
    let mut needed = vec![false; builder.instrs.len()];
    builder.outputs.iter().for_each(|v| needed[v.0 as usize] = true);
    for position in (0..builder.instrs.len()).rev() {
        if needed[position] {
            builder.instrs[position].kind.operands().iter().for_each(|v| needed[v.0 as usize] = true);
        }
    }
    let input = |(instr, needed): (&Instr, &bool)| match instr.kind {
        InstrKind::Input(n) if *needed => Some(n),
        _ => None,
    };
    builder.instrs.iter().zip(&needed).filter_map(input).collect()
}

/// The map that an array is a view of the result of.
fn map_of(emitter: &Emitter, array: ValueId) -> Option<Map> {
    match &emitter.definition(emitter.root(array))?.kind {
        OpKind::Map(map) => Some(map.as_ref().clone()),
        _ => None,
    }
}

/// Whether a body calls functions, which a map computes several elements of at once.
fn calls(body: &Body) -> bool {
    let is_call =
        |instr: &Instr| matches!(instr.kind, InstrKind::Op(ScalarOp::Math(_) | ScalarOp::Pow | ScalarOp::Gcd, _));
    body.instrs.iter().any(is_call)
}

/// Whether a body gives the same bits however its kernel is compiled: it rounds nothing.
fn is_exact(body: &Body) -> bool {
    use ScalarOp::{Cast, Eq, Ge, Gt, IsInf, IsNan, Le, Lt, Ne, Select};
    let is_whole = |dtype: DType| dtype.is_integer() || dtype == DType::Bool;
    let is_exact = |instr: &Instr| {
        let InstrKind::Op(op, operands) = &instr.kind else { return true };
        let of_whole = operands.iter().all(|v| is_whole(body.dtype(*v)));
        let compares = matches!(op, Eq | Ne | Lt | Le | Gt | Ge | IsNan | IsInf);
        let keeps = *op == Select || *op == Cast && (instr.dtype == DType::Bool || !instr.dtype.is_integer());
        is_whole(instr.dtype) && of_whole || compares || keeps
    };
    body.instrs.iter().all(is_exact)
}
