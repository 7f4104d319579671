//! Several work items of a statement at once, in one thread.
//!
//! In: the work items of a statement that are a thread's, and a body without nested blocks. Out: each statement of the body for some work items before the next
//! statement, so that their loads are under way together: what a barrier costs beside it is waiting for memory. Work items keep their order, so that sums do
//! not change. A work item stores nothing where minima and maxima, or bits, leave the element as it is.

use std::collections::HashMap;

use inkwell::IntPredicate;
use inkwell::values::IntValue;
use numptx_ir::scalar::{Block, ScalarOp, Stmt, StmtKind, Val};

use super::cooperative::{Take, advance, digits};
use super::group::ThreadGroup;
use super::work_item::{Statements, WorkItem};
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::value::Scalar;

/// Threads of a warp.
const WARP: i64 = 32;
/// Bytes that a thread has loaded, or made of that, and still needs at most: its registers hold them.
const BYTES: usize = 96;
/// Work items of a thread at once at most.
const MOST: usize = 8;
/// Steps of a body in all its copies.
const STEPS: usize = 160;
/// Operations on operations that are looked through.
const DEPTH: usize = 16;

/// A work item: its indices, and whether there is one, if that is not known; indices are those of some work item even if not.
pub(super) struct Lane<'ctx> {
    indices: Vec<IntValue<'ctx>>,
    exists: Option<IntValue<'ctx>>,
}

impl<'ctx> Lane<'ctx> {
    pub(super) fn at(indices: Vec<IntValue<'ctx>>) -> Self {
        Lane { indices, exists: None }
    }
}

/// Whether the statements of a body may be done for several work items one by one.
pub(super) fn is_straight(body: &Block) -> bool {
    body.stmts.iter().all(|stmt| stmt.blocks.is_empty() && !matches!(stmt.kind, StmtKind::Check(_) | StmtKind::Barrier))
}

impl<'ctx> WorkItem<'_, 'ctx, '_> {
    /// How many work items of a body run at once: a power of two.
    fn n_lanes(&self, body: &Block) -> usize {
        let bytes = live_bytes(body, &|val| self.code.dtype(val).itemsize());
        if bytes == 0 || !is_straight(body) || !self.group.is_some_and(ThreadGroup::has_lanes) {
            return 1;
        }
        let fitting = (BYTES / bytes).min(STEPS / body.stmts.len().max(1)).clamp(1, MOST);
        1 << fitting.ilog2()
    }

    /// Work items `thread`, `thread + n`, … along one axis.
    pub(super) fn dealt_along(
        &mut self,
        (thread, n): (IntValue<'ctx>, IntValue<'ctx>),
        count: IntValue<'ctx>,
        body: &Block,
        take: Take<'_, 'ctx>,
    ) -> Emit<()> {
        let (e, lanes) = (self.e, self.n_lanes(body) as i64);
        if lanes == 1 {
            return self.one_by_one((thread, n), (count, &[]), body, take);
        }
        // Steps of few work items are over soon, and what comes before their loads counts.
        let are_few = e.icmp(IntPredicate::SLE, count, n)?;
        let take = std::cell::RefCell::new((self, take));
        e.either(
            are_few,
            || {
                e.when(e.icmp(IntPredicate::SLT, thread, count)?, || {
                    let (work_item, take) = &mut *take.borrow_mut();
                    work_item.together(&[Lane::at(vec![thread])], body, take)
                })
            },
            || {
                let (work_item, take) = &mut *take.borrow_mut();
                work_item.several_along((thread, n), count, lanes, body, take)
            },
        )
    }

    /// The same, so many at once.
    fn several_along(
        &mut self,
        (thread, n): (IntValue<'ctx>, IntValue<'ctx>),
        count: IntValue<'ctx>,
        lanes: i64,
        body: &Block,
        take: Take<'_, 'ctx>,
    ) -> Emit<()> {
        let e = self.e;
        let next = e.slot_with(thread, "point")?;
        let read = || e.read_int(next, thread);
        let on = |here: IntValue<'ctx>, by: i64| e.add(here, e.mul(n, e.i64(by))?);
        e.repeat(
            || e.icmp(IntPredicate::SLT, on(read()?, lanes - 1)?, count),
            || {
                let here = read()?;
                let all = (0..lanes).map(|k| Ok(Lane::at(vec![on(here, k)?]))).collect::<Emit<Vec<_>>>()?;
                self.together(&all, body, take)?;
                e.write(next, on(here, lanes)?)
            },
        )?;
        let here = read()?;
        let (mut rest, mut last) = (Vec::new(), here);
        for k in 0..lanes {
            let index = on(here, k)?;
            let exists = e.icmp(IntPredicate::SLT, index, count)?;
            last = e.select(exists, index, last)?;
            rest.push(Lane { indices: vec![last], exists: Some(exists) });
        }
        e.when(e.icmp(IntPredicate::SLT, here, count)?, || self.together(&rest, body, take))
    }

    /// The work items of several axes: where a thread has many of them, and the last axis is long, a warp takes pieces of it, whose work items share all
    /// other indices.
    pub(super) fn dealt_over(
        &mut self,
        (thread, n): (IntValue<'ctx>, IntValue<'ctx>),
        (count, divisors): (IntValue<'ctx>, &[IntValue<'ctx>]),
        body: &Block,
        take: Take<'_, 'ctx>,
    ) -> Emit<()> {
        let (e, lanes) = (self.e, self.n_lanes(body) as i64);
        let last = *divisors.last().ok_or_else(|| bug("a step of several axes has one"))?;
        if lanes == 1 {
            return self.one_by_one((thread, n), (count, divisors), body, take);
        }
        let span = e.i64(WARP * lanes);
        let is_long = e.icmp(IntPredicate::SGE, last, span)?;
        let are_many = e.icmp(IntPredicate::SGE, count, e.mul(n, e.i64(lanes))?)?;
        let by_pieces = e.and(is_long, are_many)?;
        let take = std::cell::RefCell::new((self, take));
        e.either(
            by_pieces,
            || {
                let (work_item, take) = &mut *take.borrow_mut();
                work_item.pieces((thread, n), (count, divisors), lanes, body, take)
            },
            || {
                let (work_item, take) = &mut *take.borrow_mut();
                work_item.one_by_one((thread, n), (count, divisors), body, take)
            },
        )
    }

    /// A warp's pieces of the last axis, each of `lanes` work items a thread.
    fn pieces(
        &mut self,
        (thread, n): (IntValue<'ctx>, IntValue<'ctx>),
        (count, divisors): (IntValue<'ctx>, &[IntValue<'ctx>]),
        lanes: i64,
        body: &Block,
        take: Take<'_, 'ctx>,
    ) -> Emit<()> {
        let (e, warp) = (self.e, self.e.i64(WARP));
        let (outer, last) = divisors.split_at(divisors.len() - 1);
        let (last, span) = (last[0], e.i64(WARP * lanes));
        let n_pieces = e.udiv(e.add(last, e.sub(span, e.i64(1))?)?, span)?;
        let divisors = [outer, &[n_pieces]].concat();
        let (first, step) = (e.udiv(thread, warp)?, e.udiv(n, warp)?);
        let own = e.sub(thread, e.mul(first, warp)?)?;
        let end = e.mul(e.udiv(count, last)?, n_pieces)?;
        let (digits_of_first, digits_of_step) = (digits(e, first, &divisors)?, digits(e, step, &divisors)?);
        let slots = digits_of_first.iter().map(|digit| e.slot_with(*digit, "digit")).collect::<Emit<Vec<_>>>()?;
        let take = std::cell::RefCell::new((self, take));
        e.count((first, end), step, None, |_| {
            let here = slots.iter().map(|slot| e.read_int(*slot, thread)).collect::<Emit<Vec<_>>>()?;
            let (piece, around) = here.split_last().ok_or_else(|| bug("a step of several axes has none"))?;
            let begin = e.mul(*piece, span)?;
            let place = |k: i64| e.add(e.add(begin, own)?, e.i64(k * WARP));
            let is_whole = e.icmp(IntPredicate::SLE, e.add(begin, span)?, last)?;
            let lane = |k: i64, is_whole: bool| -> Emit<Lane<'ctx>> {
                let index = place(k)?;
                let exists = e.icmp(IntPredicate::SLT, index, last)?;
                let index = if is_whole { index } else { e.smin(index, e.sub(last, e.i64(1))?)? };
                Ok(Lane { indices: [around, &[index]].concat(), exists: (!is_whole).then_some(exists) })
            };
            let some = |is_whole: bool| {
                let all = (0..lanes).map(|k| lane(k, is_whole)).collect::<Emit<Vec<_>>>()?;
                let (work_item, take) = &mut *take.borrow_mut();
                work_item.together(&all, body, take)
            };
            e.either(is_whole, || some(true), || some(false))?;
            advance(e, &slots, &here, &digits_of_step, &divisors)
        })
    }

    /// Emits a straight body at some work items, each statement for all of them before the next; `take` gets what they yield, in order.
    pub(super) fn together(&mut self, lanes: &[Lane<'ctx>], body: &Block, take: Take<'_, 'ctx>) -> Emit<()> {
        let mut kept = Vec::with_capacity(lanes.len());
        for lane in lanes {
            let mut values = self.values.clone();
            for (val, index) in body.parameters.iter().zip(&lane.indices) {
                values[val.0 as usize] = Some(Scalar::Int(*index));
            }
            kept.push(values);
        }
        let unchanged = unchanged(body);
        for (n, stmt) in body.stmts.iter().enumerate() {
            for (lane, values) in lanes.iter().zip(&mut kept) {
                std::mem::swap(&mut self.values, values);
                self.lane_step(stmt, lane.exists, unchanged.get(&n).copied())?;
                std::mem::swap(&mut self.values, values);
            }
        }
        for (lane, values) in lanes.iter().zip(&mut kept) {
            std::mem::swap(&mut self.values, values);
            let yields = self.all(&body.yields);
            std::mem::swap(&mut self.values, values);
            take(self.e, &yields?, lane.exists)?;
        }
        Ok(())
    }

    /// A statement at a work item, which stores where there is a work item and the element is not `old` already.
    fn lane_step(&mut self, stmt: &Stmt, exists: Option<IntValue<'ctx>>, old: Option<Val>) -> Emit<()> {
        let e = self.e;
        let (StmtKind::Store(table), [value, at @ ..]) = (stmt.kind, &stmt.operands[..]) else {
            let results = self.step(stmt)?;
            self.bind(&stmt.results, results);
            return Ok(());
        };
        let (value, at) = (self.value(*value)?, self.all(at)?);
        let is_new = old.map(|old| differs(e, self.value(old)?, value)).transpose()?;
        let condition = match (exists, is_new) {
            (Some(exists), Some(is_new)) => Some(e.and(exists, is_new)?),
            (exists, is_new) => exists.or(is_new),
        };
        match condition {
            Some(condition) => self.elements.store_where(e, condition, table as usize, &at, value),
            None => self.elements.store(e, table as usize, &at, value),
        }
    }
}

/// Whether two values of a dtype have other bits.
fn differs<'ctx>(e: &Emitter<'ctx, '_>, a: Scalar<'ctx>, b: Scalar<'ctx>) -> Emit<IntValue<'ctx>> {
    match (a, b) {
        (Scalar::Int(a), Scalar::Int(b)) => e.icmp(IntPredicate::NE, a, b),
        (Scalar::Float(a), Scalar::Float(b)) => e.icmp(IntPredicate::NE, e.float_bits(a)?, e.float_bits(b)?),
        _ => Err(bug("a minimum is neither an integer nor a float")),
    }
}

/// The most bytes of loaded values, and of values made of them, that are needed at once.
fn live_bytes(body: &Block, size: &dyn Fn(Val) -> usize) -> usize {
    let mut last: HashMap<Val, usize> = HashMap::new();
    for (n, stmt) in body.stmts.iter().enumerate() {
        last.extend(stmt.operands.iter().map(|val| (*val, n)));
    }
    last.extend(body.yields.iter().map(|val| (*val, body.stmts.len())));
    let (mut live, mut most): (HashMap<Val, usize>, usize) = (HashMap::new(), 0);
    for (n, stmt) in body.stmts.iter().enumerate() {
        let is_data = matches!(stmt.kind, StmtKind::Load(_)) || stmt.operands.iter().any(|val| live.contains_key(val));
        live.retain(|val, _| last.get(val).is_some_and(|last| *last > n));
        if is_data {
            live.extend(stmt.results.iter().map(|val| (*val, size(*val))));
        }
        most = most.max(live.values().sum());
    }
    most
}

/// By the number of a store: the value that was in its element, if it stores that or what operations take in its place, which often is the same.
fn unchanged(body: &Block) -> HashMap<usize, Val> {
    let mut made: HashMap<Val, &Stmt> = HashMap::new();
    body.stmts.iter().for_each(|stmt| made.extend(stmt.results.iter().map(|v| (*v, stmt))));
    let mut found = HashMap::new();
    for (n, stmt) in body.stmts.iter().enumerate() {
        let (StmtKind::Store(table), [value, at @ ..]) = (stmt.kind, &stmt.operands[..]) else { continue };
        if body.stmts.iter().filter(|other| other.kind == StmtKind::Store(table)).count() != 1 {
            continue;
        }
        let is_old = |stmt: &Stmt| {
            let mut pairs = stmt.operands.iter().zip(at);
            stmt.kind == StmtKind::Load(table) && pairs.all(|(a, b)| is_same(&made, *a, *b))
        };
        found.extend(kept(&made, *value, &is_old, DEPTH).filter(|old| old != value).map(|old| (n, old)));
    }
    found
}

/// The old value that operations which often give back an operand may leave as it was.
fn kept(made: &HashMap<Val, &Stmt>, val: Val, is_old: &dyn Fn(&Stmt) -> bool, depth: usize) -> Option<Val> {
    let stmt = made.get(&val).filter(|_| depth > 0)?;
    match stmt.kind {
        StmtKind::Load(_) => is_old(stmt).then_some(val),
        StmtKind::Op(
            ScalarOp::Min | ScalarOp::Max | ScalarOp::FMin | ScalarOp::FMax | ScalarOp::BitAnd | ScalarOp::BitOr,
        ) => stmt.operands.iter().find_map(|val| kept(made, *val, is_old, depth - 1)),
        _ => None,
    }
}

/// Whether two values are the same because they are made alike.
fn is_same(made: &HashMap<Val, &Stmt>, a: Val, b: Val) -> bool {
    a == b
        || made.get(&a).zip(made.get(&b)).is_some_and(|(one, other)| {
            matches!(one.kind, StmtKind::Op(_) | StmtKind::Constant(_))
                && one.kind == other.kind
                && one.operands.iter().zip(&other.operands).all(|(a, b)| is_same(made, *a, *b))
        })
}
