//! Loops that only carry values, as reductions.
//!
//! In: a loop whose work items may be taken in any order ([`recurrences`]). Out: one `reduce` over its iterations, and what its results are of that and of what
//! was carried first, under the condition that checks hold, and that there is an iteration. Sums and products of floats are rounded in another order than the
//! loop's. Elements that lie one after the other are inputs ([`streams`](super::streams)), others are read from tables.

use crate::loops::nest::iterations::room;
use numptx_ir::DType;
use numptx_ir::array::{Map, Op, OpKind, Order, Reduce, Region, Type, ValueId};
use numptx_ir::scalar::{Body, InstrKind, Reducer, ScalarOp, Val};
use numptx_source::Span;

use crate::analysis::constants::constants_among;
use crate::analysis::traverse::for_each_op;
use crate::loops::assumptions::checked_reductions::{carried_checks_are_of_sizes, may_be_many};
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::assumptions::kinds::{Assumption, Kind};
use crate::loops::assumptions::versions::{Version, Versions};
use crate::loops::dependence::{AccessId, Affine, LoopId};
use crate::loops::emit::hoist::after_checks;
use crate::loops::form_nests::touches_elements;
use crate::loops::function::FormNests;
use crate::loops::idioms::backwards::backwards;
use crate::loops::idioms::recurrences::flow::Reads;
use crate::loops::idioms::recurrences::flow::Recurrences;
use crate::loops::idioms::recurrences::flow::Source;
use crate::loops::idioms::recurrences::recurrences;
use crate::loops::idioms::streams::{Placed, first_like};
use crate::loops::idioms::totals::{HALF, Reduction, reduction};
use crate::loops::nest::iterations::trip_count;
use crate::loops::nest::program::{Checks, Program, Translation};
use crate::loops::nest::translate::translate;
use crate::rewrite::bodies::without_unused;
use crate::rewrite::emit::yielding;

/// Limit: loops of one reduction.
const MAX_LOOPS: usize = 3;
/// Limit: no array has so many elements: addresses have fewer bits.
const MOST_WORK_ITEMS: i64 = 1 << 57;

/// What is assumed of how a loop begins.
#[derive(Default)]
pub struct Beginning {
    /// The ops that compute it.
    pub before: Vec<Op>,
    /// What has to hold.
    pub assumptions: Vec<Assumption>,
}

impl FormNests<'_> {
    /// A loop as a reduction where its checks hold; else as nests.
    pub fn reduced(&mut self, op: &Op) -> Option<Versions> {
        let reduction = Versions::from(self.reduction(op)?);
        Some(if touches_elements(op) { reduction.or_any(self.formed(op)) } else { reduction })
    }

    /// A loop as a reduction.
    pub fn reduction(&mut self, op: &Op) -> Option<Version> {
        let reducible = if op.kind == OpKind::For { self.reducible(op)? } else { return None };
        self.reduction_where(op, reducible, Beginning::default())
    }

    /// A counted loop that checks nothing as a reduction where it begins as is assumed.
    pub fn reduction_beginning(&mut self, op: &Op, beginning: Beginning) -> Option<Version> {
        let reducible = self.reducible(op).filter(|reducible| reducible.reads && reducible.found.fails.is_none())?;
        self.reduction_where(op, reducible, beginning)
    }

    /// A reduction where it may stand for the loop.
    fn reduction_where(&mut self, op: &Op, reducible: Reducible, beginning: Beginning) -> Option<Version> {
        let Reducible { mut before, then, whole, ids, conditions, accesses, found, reduction, initial, reads } =
            reducible;
        let mut assumptions = self.assumptions_of(op, &whole, &ids, (reduction.growth, &initial), &mut before)?;
        before.extend(beginning.before);
        assumptions.extend(beginning.assumptions);
        assumptions.extend(conditions.into_iter().map(|condition| Assumption::holds(Kind::EnoughWork, condition)));
        assumptions.extend(self.begin_in_order(op.span, &found.falling_and_rising()?, &initial, &mut before)?);
        let mut host = HostProgram::new(self.function, op.span);
        assumptions.extend(host.checkable(&found, &whole, &self.known.extents)?);
        if !reads {
            assumptions.push(Assumption::holds(Kind::EnoughWork, host.are_many(&whole, &ids)?));
        }
        before.append(&mut host.ops);
        let guard = self.guard(op.span, &whole, &assumptions, &mut before)?;
        let is_checked = found.fails.is_some();
        let placed = Placed { whole: &whole, ids: &ids, accesses: &accesses };
        let then = self.emit(op, then, placed, found, reduction, &initial)?;
        if is_checked {
            let version = self.where_checks_hold(op, guard, then)?;
            before.extend(version.before);
            return Some(Version { before, ..version });
        }
        Some(Version { before, guard, then })
    }

    /// A loop that makes no checks but of the sizes of ints as a reduction, where it has iterations. `None` where a carried int may become too large: each of
    /// its work items is an element of an array, so that it has less than [`MOST_WORK_ITEMS`]. `is_all_stored`: whether there are elements for what squares
    /// have beside triangles, too, so that it costs little to look at all of them wherever ranges end.
    pub fn reduced_always(&mut self, op: &Op, is_all_stored: bool) -> Option<Vec<Op>> {
        let Reducible { mut before, then, whole, ids, conditions, accesses, found, reduction, initial, reads } =
            self.reducible(op)?;
        let is_free = whole.assumptions.is_empty()
            && (conditions.is_empty() || is_all_stored)
            && reads
            && found.fails.is_none()
            && found.exclusive.is_empty();
        let is_small = |v: &ValueId| {
            let is_checked = reduction.growth.is_some() && self.function.ty(*v).dtype() == DType::I64;
            !is_checked || self.known.constant(*v).is_some_and(|n| n.unsigned_abs() < HALF.unsigned_abs())
        };
        let grows_slowly = reduction.growth.is_none_or(|growth| growth <= HALF / MOST_WORK_ITEMS);
        if !is_free || !grows_slowly || !initial.iter().all(is_small) {
            return None;
        }
        let mut host = HostProgram::new(self.function, op.span);
        let mut guard = None;
        for id in &ids {
            let (n, zero) = (trip_count(&mut host, &whole, *id)?, host.number(0));
            let is_any = host.scalar(OpKind::Scalar(ScalarOp::Gt), vec![n, zero], DType::Bool);
            guard = Some(match guard {
                Some(guard) => host.scalar(OpKind::Scalar(ScalarOp::BitAnd), vec![guard, is_any], DType::Bool),
                None => is_any,
            });
        }
        before.append(&mut host.ops);
        let placed = Placed { whole: &whole, ids: &ids, accesses: &accesses };
        let then = self.emit(op, then, placed, found, reduction, &initial)?;
        let otherwise = vec![yielding(initial, op.span)];
        let regions = [then, otherwise].map(|ops| Region { parameters: Vec::new(), ops });
        let results = op.results.clone();
        before.push(Op {
            kind: OpKind::If,
            operands: vec![guard?],
            results,
            regions: regions.into(),
            span: Span::default(),
        });
        Some(before)
    }

    /// Whether a loop that carries scalars alone is a reduction.
    pub(crate) fn is_reducible(&mut self, op: &Op) -> bool {
        self.tried(|pass| pass.reducible(op).is_some()).value
    }

    /// What a counted loop is as a reduction, if it carries scalars alone, and is one.
    fn reducible(&mut self, op: &Op) -> Option<Reducible> {
        let is_single = |v: &ValueId| self.function.array(*v).is_none_or(|array| array.rank == 0);
        if op.results.is_empty() || !op.results.iter().all(is_single) || !carries_only(op) {
            return None;
        }
        let mut fast = op.clone();
        self.rename(std::slice::from_mut(&mut fast));
        self.follow_views(&[], &fast);
        let mut before = Vec::new();
        self.hoist(&mut fast, &mut before);
        self.choose_extents(&mut before);
        let then = after_checks(&mut before, std::collections::HashSet::new());
        self.known.constants.extend(constants_among(&before));
        self.draft.fault = self.new_fault();
        let checks = Checks { fault: self.draft.fault, at_work_items: None, payload: None };
        let program = Program { is_as_written: true, ..Program::of(std::slice::from_ref(&fast)) };
        let mut whole = translate(&self.surroundings(checks), &program).ok()?;
        let (mut square, mut bounds) = (fast.clone(), Vec::new());
        let conditions = self.squared(&mut square, &whole, &mut bounds);
        if conditions.is_some() {
            fast = square;
            self.known.constants.extend(constants_among(&bounds));
            before.append(&mut bounds);
            let program = Program { is_as_written: true, ..Program::of(std::slice::from_ref(&fast)) };
            whole = translate(&self.surroundings(checks), &program).ok()?;
        }
        let ids: Vec<LoopId> = whole.nest.loop_ids().collect();
        let accesses: Vec<AccessId> = whole.nest.access_ids().collect();
        let streams = |n: usize| first_like(&whole, &accesses, &ids, n);
        let mut found = recurrences(&whole.code, &Reads { streams: &streams, is_previous: &|_| false })?;
        let reads = !found.tables.is_empty() || found.inputs.iter().any(|input| matches!(input, Source::Element(_)));
        let may_be_worth_it = reads || may_be_many(&whole, &ids);
        if !may_be_worth_it || found.n_loops != ids.len() || found.n_loops > MAX_LOOPS {
            return None;
        }
        if !carried_checks_are_of_sizes(&found, &whole) {
            return None;
        }
        let initial = fast.operands[3..].to_vec();
        let dtypes: Vec<DType> = initial.iter().map(|v| self.function.ty(*v).dtype()).collect();
        let reduction = reduction(&mut found, &dtypes)?;
        let conditions = conditions.into_iter().flatten().collect();
        Some(Reducible { before, then, whole, ids, conditions, accesses, found, reduction, initial, reads })
    }

    /// What has to hold for the reduction to stand for the loop. `growth`: what carried ints that are checked grow by at most at a work item, and what is
    /// carried first.
    pub(crate) fn assumptions_of(
        &mut self,
        op: &Op,
        whole: &Translation,
        ids: &[LoopId],
        (growth, initial): (Option<i64>, &[ValueId]),
        ops: &mut Vec<Op>,
    ) -> Option<Vec<Assumption>> {
        let mut assumptions: Vec<_> = whole.assumptions.iter().map(|r| r.unconditional()).collect();
        if !assumptions.iter().all(|r| r.is_decidable(&whole.nest, &whole.symbols)) {
            return None;
        }
        let initial: Vec<ValueId> = match growth {
            None => Vec::new(),
            Some(_) => {
                let is_int = |v: &ValueId| self.function.ty(*v).dtype() == DType::I64;
                let ints: Vec<ValueId> = initial.iter().copied().filter(is_int).collect();
                if ints.iter().any(|v| matches!(self.function.ty(*v), Type::Array(_))) {
                    return None;
                }
                ints
            }
        };
        let mut host = HostProgram::new(self.function, op.span);
        let mut assume = |host: &mut HostProgram, op: ScalarOp, value: ValueId, bound: i64| {
            let bound = host.number(bound);
            let holds = host.scalar(OpKind::Scalar(op), vec![value, bound], DType::Bool);
            assumptions.push(Assumption::holds(Kind::NoOverflow, holds));
        };
        let most = growth.map(|growth| {
            let all = (HALF / growth.max(1)) as f64;
            all.powf(1.0 / ids.len() as f64).floor() as i64
        });
        for id in ids {
            let n = trip_count(&mut host, whole, *id)?;
            if let Some(most) = most {
                assume(&mut host, ScalarOp::Lt, n, most);
            }
        }
        for value in initial {
            let [low, high] = self.known.ranges.get(value);
            if low <= -HALF {
                assume(&mut host, ScalarOp::Gt, value, -HALF);
            }
            if high >= HALF {
                assume(&mut host, ScalarOp::Lt, value, HALF);
            }
        }
        ops.append(&mut host.ops);
        let rooms = ids.iter().map(|id| room(&whole.nest, *id)).collect::<Option<Vec<Affine>>>()?;
        assumptions.extend(rooms.into_iter().map(|room| Assumption::at_least_zero(Kind::EnoughWork, room)));
        Some(assumptions)
    }

    fn emit(
        &mut self,
        op: &Op,
        then: Vec<Op>,
        placed: Placed,
        found: Recurrences,
        reduction: Reduction,
        initial: &[ValueId],
    ) -> Option<Vec<Op>> {
        let whole = placed.whole;
        let mut host = HostProgram::new(self.function, op.span);
        host.ops = then;
        let extents = placed.ids.iter().map(|id| trip_count(&mut host, whole, *id)).collect::<Option<Vec<_>>>()?;
        let mut operands = extents.clone();
        for source in &found.inputs {
            operands.push(match source {
                Source::Scalar(n) => whole.scalars[*n as usize],
                Source::Element(n) => {
                    let view = host.streamed(&placed, *n, &extents)?;
                    if reduction.is_backwards { host.turned(view, &extents)? } else { view }
                }
            });
        }
        let mut n_inputs = found.inputs.len();
        if reduction.is_backwards {
            operands.extend(&extents);
            n_inputs += extents.len();
        }
        operands.extend(found.tables.iter().map(|table| whole.tables[*table as usize]));
        let is_checked = found.fails.is_some();
        let (outputs, reducers): (Vec<Val>, Vec<Reducer>) = reduction.outputs.into_iter().unzip();
        let n = extents.len();
        let mut body = found.body.finish(outputs);
        if reduction.is_backwards {
            body = backwards(&body, found.inputs.len());
        }
        let (body, operands) = without_unused(body, operands, n, n_inputs);
        let reduce = Reduce { rank: n, n_reduced: n, body, reducers, epilogue: None, order: Order::C };
        let cells = host.derived(OpKind::Reduce(Box::new(reduce)), operands)?;
        let scalars = reduction.scalars.iter().map(|n| whole.scalars[*n as usize]);
        let others = initial.iter().copied().chain(scalars).chain(extents.iter().copied());
        let is_on_host = op.results.iter().all(|v| matches!(host.ty(*v), Type::Scalar(_)));
        let results = if is_on_host {
            let cells = cells.iter().map(|cell| host.item(*cell)).collect::<Vec<_>>();
            let inputs: Vec<ValueId> = cells.into_iter().chain(others).collect();
            host.run_body(&reduction.results, &inputs)
        } else {
            let inputs: Vec<ValueId> = cells.into_iter().chain(others).collect();
            let n_inputs = inputs.len();
            let (body, inputs) = without_unused(reduction.results, inputs, 0, n_inputs);
            let map = Map { rank: 0, body, order: Order::C };
            let cells = host.derived(OpKind::Map(Box::new(map)), inputs)?;
            let is_scalar = |v: &ValueId| matches!(host.ty(*v), Type::Scalar(_));
            // Behind them the host looks whether a check failed.
            let kinds: Vec<bool> = op.results.iter().map(is_scalar).chain(is_checked.then_some(true)).collect();
            cells.iter().zip(kinds).map(|(cell, is_scalar)| if is_scalar { host.item(*cell) } else { *cell }).collect()
        };
        let mut ops = std::mem::take(&mut host.ops);
        ops.push(yielding(results, op.span));
        Some(ops)
    }
}

/// What a loop is as a reduction.
struct Reducible {
    before: Vec<Op>,
    /// What stands behind the checks.
    then: Vec<Op>,
    whole: Translation,
    ids: Vec<LoopId>,
    /// What has to hold beside the assumptions.
    conditions: Vec<ValueId>,
    accesses: Vec<AccessId>,
    found: Recurrences,
    reduction: Reduction,
    /// What is carried first.
    initial: Vec<ValueId>,
    /// Whether it reads elements.
    reads: bool,
}

/// Whether a loop has nothing but reads and checks in it that a reduction may leave to the host.
pub(crate) fn carries_only(op: &Op) -> bool {
    let mut only = true;
    let mut visit = |op: &Op| {
        only &= match &op.kind {
            OpKind::Map(map) => map.rank == 0,
            OpKind::While | OpKind::Call { .. } => false,
            kind => kind.destinations().is_none(),
        };
    };
    op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
    only
}

impl HostProgram<'_> {
    /// A body of scalars.
    pub(crate) fn run_body(&mut self, body: &Body, inputs: &[ValueId]) -> Vec<ValueId> {
        let mut values: Vec<ValueId> = Vec::with_capacity(body.instrs.len());
        for instr in &body.instrs {
            let used = instr.kind.operands().iter().map(|v| values[v.0 as usize]).collect();
            values.push(match &instr.kind {
                InstrKind::Input(n) => inputs[*n as usize],
                InstrKind::Constant(constant) => self.scalar(OpKind::Constant(*constant), used, instr.dtype),
                InstrKind::Op(op, _) => self.scalar(OpKind::Scalar(*op), used, instr.dtype),
                InstrKind::Index(_) | InstrKind::Element(..) => self.number(0),
            });
        }
        body.outputs.iter().map(|v| values[v.0 as usize]).collect()
    }
}
