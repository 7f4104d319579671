//! Loops that store running totals, as scans.
//!
//! In: a loop that carries one value, combines it with something of its iteration's own in a way that order does not matter for, to the last bit, or
//! multiplies it by such a thing and adds another one, and stores it before or after that, one element after the other. The element that the iteration
//! before stored may be the carried value. Out: one `store_scan` over its iterations, or a `scan` and a `store` that moves it on by one, under the
//! condition that checks hold, and that there is an iteration. What is rounded stays a loop, but where the order of rounding is free.

use numptx_ir::DType;
use numptx_ir::array::{Accumulation, Map, Op, OpKind, Order, Reason, Scan, Store, Type, ValueId};
use numptx_ir::scalar::{BodyBuilder, Constant, InstrKind, Reducer, ScalarOp, StmtKind, Val};

use crate::analysis::constants::constants_among;
use crate::analysis::traverse::for_each_op;
use crate::loops::assumptions::checked_reductions::carried_checks_are_of_sizes;
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::assumptions::versions::{Version, Versions};
use crate::loops::dependence::{AccessId, LoopId, Subscript};
use crate::loops::emit::hoist::after_checks;
use crate::loops::function::{FormNests, Rounding};
use crate::loops::idioms::recurrences::flow::Contest;
use crate::loops::idioms::recurrences::flow::Known;
use crate::loops::idioms::recurrences::flow::Reads;
use crate::loops::idioms::recurrences::flow::Recurrences;
use crate::loops::idioms::recurrences::flow::Source;
use crate::loops::idioms::recurrences::recurrences;
use crate::loops::idioms::streams::Placed;
use crate::loops::idioms::streams::{first_like, stream, table_of};
use crate::loops::idioms::totals::size;
use crate::loops::nest::iterations::trip_count;
use crate::loops::nest::program::Checks;
use crate::loops::nest::program::{Program, Translation};
use crate::loops::nest::translate::translate;
use crate::rewrite::bodies::without_unused;
use crate::rewrite::emit::yielding;

/// What is scanned.
struct Running {
    /// What each iteration combines with the total.
    value: Val,
    /// What the total is multiplied by before that.
    factor: Option<Val>,
    reducer: Reducer,
    /// Whether the order of iterations does not matter for any bit of it.
    is_exact: bool,
    /// Whether what is stored is the total before that.
    is_exclusive: bool,
    /// What a total that is checked grows by at most.
    growth: Option<i64>,
}

/// The elements that are stored, and read as the iteration before stored them.
struct Elements {
    /// The access that stores, by its number.
    stored: usize,
    /// The first one that reads the element stored before.
    previous: Option<usize>,
}

impl FormNests<'_> {
    /// A loop as a scan where its checks hold; else as nests, or as it was. And what it is a scan of.
    pub fn scanned(&mut self, op: &Op) -> Option<(Versions, Reason)> {
        let is_single = |v: &ValueId| self.function.array(*v).is_none_or(|array| array.rank == 0);
        if !matches!(op.kind, OpKind::For) || op.results.len() > 1 || !op.results.iter().all(is_single) {
            return None;
        }
        if !stores_one_element(op) {
            return None;
        }
        let mut fast = op.clone();
        self.rename(std::slice::from_mut(&mut fast));
        self.follow_views(&[], &fast);
        let mut ops = Vec::new();
        self.hoist(&mut fast, &mut ops);
        self.choose_extents(&mut ops);
        let then = after_checks(&mut ops, std::collections::HashSet::new());
        self.known.constants.extend(constants_among(&ops));
        self.draft.fault = self.new_fault();
        let checks = Checks { fault: self.draft.fault, at_work_items: None, payload: None };
        let program = Program { is_as_written: true, ..Program::of(std::slice::from_ref(&fast)) };
        let whole = translate(&self.surroundings(checks), &program).ok()?;
        let ids: Vec<LoopId> = whole.nest.loop_ids().collect();
        let accesses: Vec<AccessId> = whole.nest.access_ids().collect();
        if ids.len() != 1 || !self.is_apart(&whole) {
            return None;
        }
        let initial = &fast.operands[3..];
        let elements = elements(&whole, &ids, &accesses, initial.is_empty())?;
        let streams = |n: usize| first_like(&whole, &accesses, &ids, n);
        let is_previous =
            |n: usize| elements.previous.is_some() && reads_previous(&whole, &ids, &accesses, &elements, n);
        let mut found = recurrences(&whole.code, &Reads { streams: &streams, is_previous: &is_previous })?;
        let table = table_of(&whole, elements.stored)?;
        let dtype = self.function.ty(whole.tables[table as usize]).dtype();
        let is_own = initial.iter().all(|v| self.function.ty(*v).dtype() == dtype);
        let is_unchecked =
            found.fails.is_none() && found.exclusive.is_empty() && carried_checks_are_of_sizes(&found, &whole);
        if found.n_loops != 1 || found.tables.contains(&table) || !is_own || !is_unchecked {
            return None;
        }
        let running = running(&mut found, dtype)?;
        if !running.is_exact && self.settings.rounding == Rounding::AsWritten {
            self.found.rounded = Some(running.accumulation());
            return None;
        }
        let why = running.why();
        let assumptions = self.assumptions_of(op, &whole, &ids, (running.growth, initial), &mut ops)?;
        let guard = self.guard(op.span, &whole, &assumptions, &mut ops)?;
        let placed = Placed { whole: &whole, ids: &ids, accesses: &accesses };
        let first = initial.first().copied();
        let then = self.emit_scan(op, then, &placed, (found, running), (&elements, first))?;
        let version = Version { before: ops, guard, then };
        Some((Versions::from(version).or_any(self.formed(op)), why))
    }

    fn emit_scan(
        &mut self,
        op: &Op,
        then: Vec<Op>,
        placed: &Placed,
        (mut found, running): (Recurrences, Running),
        (elements, first): (&Elements, Option<ValueId>),
    ) -> Option<Vec<Op>> {
        // Of a result that nobody looks at it does not matter what it is.
        let is_used = op.results.iter().any(|v| self.facts.is_used(*v));
        let mut host = HostProgram::new(self.function, op.span);
        host.ops = then;
        let n = trip_count(&mut host, placed.whole, placed.ids[0])?;
        let destination = host.streamed(placed, elements.stored, &[n])?;
        let first = match (first, elements.previous) {
            (Some(first), _) => first,
            (None, Some(previous)) => host.first_of(placed, previous, n)?,
            (None, None) => return None,
        };
        let over_all = host.over(first, n)?;
        // The first iteration's total is of what is carried first.
        let n_inputs = found.inputs.len() as u32;
        let value = with_first(&mut found.body, &running, n_inputs)?;
        let mut operands = vec![n];
        for source in &found.inputs {
            operands.push(match source {
                Source::Scalar(n) => placed.whole.scalars[*n as usize],
                Source::Element(number) => host.streamed(placed, *number, &[n])?,
            });
        }
        operands.push(over_all);
        operands.extend(found.tables.iter().map(|table| placed.whole.tables[*table as usize]));
        let body = found.body.finish([value].into_iter().chain(running.factor).collect());
        let (body, operands) = without_unused(body, operands, 1, n_inputs as usize + 1);
        let reducer = running.reducer;
        let scan = Box::new(Scan { rank: 1, axis: 0, body, reducer, epilogue: None, order: Order::C });
        let totals = if running.is_exclusive {
            let totals = *host.derived(OpKind::Scan(scan), operands)?.first()?;
            host.store_moved(destination, over_all, totals, n);
            totals
        } else {
            let operands = [&operands[..1], &[destination], &operands[1..]].concat();
            host.push(OpKind::StoreScan(scan), operands, Vec::new());
            destination
        };
        let mut results = Vec::new();
        if let Some(result) = op.results.first() {
            results.push(if is_used { host.last_of(totals, n, *result)? } else { first });
        }
        let mut ops = std::mem::take(&mut host.ops);
        ops.push(yielding(results, op.span));
        Some(ops)
    }
}

impl HostProgram<'_> {
    /// The element that an access reads first, of rank 0.
    fn first_of(&mut self, placed: &Placed, number: usize, n: ValueId) -> Option<ValueId> {
        let view = self.streamed(placed, number, &[n])?;
        let zero = self.number(0);
        self.derived(OpKind::Index { axis: 0 }, vec![view, zero])?.first().copied()
    }

    /// A value as an input of a computation over `n` work items.
    fn over(&mut self, value: ValueId, n: ValueId) -> Option<ValueId> {
        if matches!(self.ty(value), Type::Scalar(_)) {
            return Some(value);
        }
        let view = *self.derived(OpKind::NewAxis { axis: 0 }, vec![value])?.first()?;
        self.derived(OpKind::Broadcast, vec![view, n])?.first().copied()
    }

    /// Stores what is carried first, and then every total but the last one.
    fn store_moved(&mut self, destination: ValueId, first: ValueId, totals: ValueId, n: ValueId) {
        let dtype = self.ty(totals).dtype();
        let mut body = BodyBuilder::new();
        let first_value = body.input(0, dtype);
        let index = body.index(0);
        let [zero, one] = [0, 1].map(|n| body.push(InstrKind::Constant(Constant::Int(n)), DType::I64));
        let before = body.op(ScalarOp::Sub, &[index, one]);
        let before = body.op(ScalarOp::Max, &[before, zero]);
        let total = body.element(0, &[before], dtype);
        let is_first = body.op(ScalarOp::Eq, &[index, zero]);
        let value = body.op(ScalarOp::Select, &[is_first, first_value, total]);
        let store = Store { rank: 1, body: body.finish(vec![value]) };
        self.push(OpKind::Store(Box::new(store)), vec![n, destination, first, totals], Vec::new());
    }

    /// The last total, as a result is: on the host, or an array of rank 0.
    fn last_of(&mut self, totals: ValueId, n: ValueId, result: ValueId) -> Option<ValueId> {
        let one = self.number(1);
        let last = self.scalar(OpKind::Scalar(ScalarOp::Sub), vec![n, one], DType::I64);
        let last = *self.derived(OpKind::Index { axis: 0 }, vec![totals, last])?.first()?;
        if matches!(self.ty(result), Type::Scalar(_)) {
            return Some(self.item(last));
        }
        let body = numptx_ir::scalar::Body::identity(self.ty(last).dtype());
        let map = Map { rank: 0, body, order: Order::C };
        self.derived(OpKind::Map(Box::new(map)), vec![last])?.first().copied()
    }
}

/// Whether all that a loop writes is one element an iteration.
fn stores_one_element(op: &Op) -> bool {
    let (mut only, mut n_stores) = (true, 0);
    let mut visit = |op: &Op| {
        only &= match &op.kind {
            OpKind::Map(map) => map.rank == 0,
            OpKind::Store(store) => {
                n_stores += 1;
                store.rank == 0 && store.body.outputs.len() == 1
            }
            OpKind::For | OpKind::While | OpKind::Call { .. } => false,
            kind => kind.destinations().is_none(),
        };
    };
    op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
    only && n_stores == 1
}

/// The access that stores, if it goes from element to element, and nothing else reads what it wrote; but, of a loop that carries nothing, what the
/// iteration before wrote.
fn elements(whole: &Translation, ids: &[LoopId], accesses: &[AccessId], carries_nothing: bool) -> Option<Elements> {
    let mut all = Vec::new();
    whole.code.block.for_each_stmt(&mut |stmt| match stmt.kind {
        StmtKind::Load(table) => all.push((table, false)),
        StmtKind::Store(table) => all.push((table, true)),
        _ => {}
    });
    let stores: Vec<usize> = (0..all.len()).filter(|n| all[*n].1).collect();
    let [stored] = stores.as_slice() else { return None };
    let stored = *stored;
    let along = stream(whole, *accesses.get(stored)?, ids)?;
    if all.len() != accesses.len() || !along.iter().any(|along| along.moves.is_some_and(|(_, by)| by != 0)) {
        return None;
    }
    let mut elements = Elements { stored, previous: None };
    for n in (0..all.len()).filter(|n| *n != stored && all[*n].0 == all[stored].0) {
        let subscripts = |n: usize| &whole.nest.access(accesses[n]).subscripts;
        let is_same = subscripts(n) == subscripts(stored);
        if is_same && n < stored {
            continue;
        }
        if !carries_nothing || n > stored || !reads_previous(whole, ids, accesses, &elements, n) {
            return None;
        }
        elements.previous.get_or_insert(n);
    }
    (carries_nothing == elements.previous.is_some()).then_some(elements)
}

/// Whether an access reads the element that was stored one iteration before.
fn reads_previous(whole: &Translation, ids: &[LoopId], accesses: &[AccessId], of: &Elements, n: usize) -> bool {
    if table_of(whole, n) != table_of(whole, of.stored) || n == of.stored {
        return false;
    }
    let (Some(read), Some(stored)) = (accesses.get(n), accesses.get(of.stored)) else { return false };
    let Some(along) = stream(whole, *stored, ids) else { return false };
    let pairs = whole.nest.access(*read).subscripts.iter().zip(&whole.nest.access(*stored).subscripts);
    pairs.zip(along).all(|((read, stored), along)| {
        let (Subscript::Index(read), Subscript::Index(stored)) = (read, stored) else { return false };
        let distance = stored.minus(read).and_then(|distance| distance.as_constant());
        distance == Some(along.moves.map_or(0, |(_, by)| by))
    })
}

impl Running {
    /// What the loop does.
    fn accumulation(&self) -> Accumulation {
        match (self.factor, self.reducer) {
            (Some(_), _) => Accumulation::Affine,
            (None, Reducer::Add) => Accumulation::Sum,
            (None, Reducer::Mul) => Accumulation::Product,
            (None, Reducer::Min | Reducer::Max) => Accumulation::Extreme,
            (None, _) => Accumulation::Bits,
        }
    }

    /// The same in words.
    fn why(&self) -> Reason {
        let what = match self.accumulation() {
            Accumulation::Affine => "an affine recurrence",
            Accumulation::Sum => "a running sum",
            Accumulation::Product => "a running product",
            Accumulation::Extreme => "a running extreme",
            Accumulation::Bits => "running bits or flags",
        };
        Reason::stated(if self.is_exact { what.to_owned() } else { format!("{what}, rounded in another order") })
    }
}

/// What the totals are of.
fn running(found: &mut Recurrences, dtype: DType) -> Option<Running> {
    let [(_, stored)] = found.stored.as_slice() else { return None };
    let stored = *stored;
    let becomes = found.becomes.first().copied().unwrap_or(stored);
    let is_exclusive = stored == Known::Carried(0);
    if !is_exclusive && stored != becomes {
        return None;
    }
    let (value, factor, reducer) = match affine(&mut found.body, becomes) {
        Some((value, factor)) => (value, factor, Reducer::Add),
        None => {
            let (value, reducer) = combined(&mut found.body, becomes)?;
            (value, None, reducer)
        }
    };
    let is_exact = match reducer {
        Reducer::Add | Reducer::Mul => dtype.is_integer(),
        Reducer::Min | Reducer::Max => dtype.is_integer() || dtype == DType::Bool,
        Reducer::And | Reducer::Or | Reducer::Xor => true,
        Reducer::ArgMin | Reducer::ArgMax => return None,
    };
    let is_own = [Some(value), factor].into_iter().flatten().all(|v| found.body.dtype(v) == dtype);
    if !is_own || reducer.result(dtype) != Some(dtype) {
        return None;
    }
    let growth = match found.is_checked() {
        // Of a product nobody knows how large it becomes.
        true if reducer == Reducer::Add && factor.is_none() => Some(size(&found.body, value)?),
        true => return None,
        false => None,
    };
    Some(Running { value, factor, reducer, is_exact, is_exclusive, growth })
}

/// A change of the carried value that adds to a multiple of it, or sets it in some iterations; a factor of 1 is none.
fn affine(body: &mut BodyBuilder, becomes: Known) -> Option<(Val, Option<Val>)> {
    let (factor, term) = match becomes {
        Known::Affine(0, factor, term) => (factor, term),
        Known::Set(0, when, value) if body.dtype(value) != DType::Bool => {
            let dtype = body.dtype(value);
            let number = |reducer: Reducer| InstrKind::Constant(reducer.identity(dtype));
            let [zero, one] = [Reducer::Add, Reducer::Mul].map(|reducer| body.push(number(reducer), dtype));
            (body.op(ScalarOp::Select, &[when, zero, one]), body.op(ScalarOp::Select, &[when, value, zero]))
        }
        _ => return None,
    };
    let one = InstrKind::Constant(Reducer::Mul.identity(body.dtype(factor)));
    Some((term, Some(factor).filter(|factor| *body.kind(*factor) != one)))
}

/// A change of the carried value as its combination with a value.
fn combined(body: &mut BodyBuilder, becomes: Known) -> Option<(Val, Reducer)> {
    match becomes {
        Known::Combined(0, reducer, value) => Some((value, reducer)),
        Known::Best(Contest { carried: 0, op, value, when }) => {
            let is_least = matches!(op, ScalarOp::Lt | ScalarOp::Le);
            let reducer = if is_least { Reducer::Min } else { Reducer::Max };
            let dtype = body.dtype(value);
            let when = if dtype.is_float() { Some(is_number_and(body, value, when)) } else { when };
            let Some(when) = when else { return Some((value, reducer)) };
            let worst = body.push(InstrKind::Constant(reducer.identity(dtype)), dtype);
            Some((body.op(ScalarOp::Select, &[when, value, worst]), reducer))
        }
        Known::Set(0, when, value) => match body.kind(value) {
            InstrKind::Constant(Constant::Bool(true)) => Some((when, Reducer::Or)),
            InstrKind::Constant(Constant::Bool(false)) => Some((body.op(ScalarOp::BitNot, &[when]), Reducer::And)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a condition holds, and a value is no nan, which wins no comparison.
fn is_number_and(body: &mut BodyBuilder, value: Val, when: Option<Val>) -> Val {
    let is_nan = body.op(ScalarOp::IsNan, &[value]);
    let is_number = body.op(ScalarOp::BitNot, &[is_nan]);
    when.map_or(is_number, |when| body.op(ScalarOp::BitAnd, &[when, is_number]))
}

/// The value, at the first work item combined with an input.
fn with_first(body: &mut BodyBuilder, running: &Running, input: u32) -> Option<Val> {
    let Running { value, reducer, .. } = *running;
    let first = body.input(input, body.dtype(value));
    let first = running.factor.map_or(first, |factor| body.op(ScalarOp::Mul, &[factor, first]));
    let index = body.index(0);
    let zero = body.push(InstrKind::Constant(Constant::Int(0)), DType::I64);
    let is_first = body.op(ScalarOp::Eq, &[index, zero]);
    let combined = body.op(reducer.operation()?, &[first, value]);
    Some(body.op(ScalarOp::Select, &[is_first, combined, value]))
}
