//! A loop that the lanes of a warp share, one iteration a lane: what iterations do by themselves at once, then each update by all lanes, those that meet in
//! one element in the order of their iterations.
//!
//! Four iterations a lane begin together, so that memory is waited for once. Where a check fails in one of them, they are begun anew, one by one: lanes
//! behind the first iteration that fails do nothing then, and the work item ends.

use inkwell::IntPredicate;
use inkwell::types::BasicType;
use inkwell::values::{IntValue, PointerValue};
use numptx_ir::scalar::{Block, Stmt, StmtKind};

use super::loops::{Slot, trip_count};
use super::updates::{Update, Updates};
use super::work_item::{Statements, WorkItem};
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::memory::Access;
use crate::value::Scalar;

/// Lanes of a warp.
const LANES: i64 = 32;

/// The lanes of a warp, all of which come to each of these.
pub(crate) trait Warp<'ctx> {
    /// This one's number, `i64`.
    fn lane(&self, e: &Emitter<'ctx, '_>) -> Emit<IntValue<'ctx>>;
    /// A bit for each lane before this one, 32 in all.
    fn before(&self, e: &Emitter<'ctx, '_>) -> Emit<IntValue<'ctx>>;
    /// Waits for all: what they stored is seen afterwards.
    fn meet(&self, e: &Emitter<'ctx, '_>) -> Emit<()>;
    /// A bit for each lane in which a condition holds.
    fn holding(&self, e: &Emitter<'ctx, '_>, condition: IntValue<'ctx>) -> Emit<IntValue<'ctx>>;
    /// A bit for each lane that has the same number, `i64`.
    fn alike(&self, e: &Emitter<'ctx, '_>, number: IntValue<'ctx>) -> Emit<IntValue<'ctx>>;
    /// The first lane's number.
    fn of_first(&self, e: &Emitter<'ctx, '_>, number: IntValue<'ctx>) -> Emit<IntValue<'ctx>>;
}

/// The lanes that run a work item, and what they share of it.
#[derive(Clone, Copy)]
pub(crate) struct Turns<'p, 'ctx> {
    pub updates: &'p Updates,
    pub warp: &'p dyn Warp<'ctx>,
}

/// What an iteration updates, as far as it came.
#[derive(Clone)]
pub(super) struct Note<'ctx> {
    /// Whether it does.
    is_due: PointerValue<'ctx>,
    /// Where the element's address lies.
    address: PointerValue<'ctx>,
    inputs: Vec<std::rc::Rc<Slot<'ctx>>>,
}

/// Iterations under way.
pub(super) struct Notes<'p, 'ctx> {
    updates: &'p [Update],
    /// One an update.
    notes: Vec<Note<'ctx>>,
    /// Holds the number of a check that failed.
    failed: PointerValue<'ctx>,
}

impl<'ctx> Notes<'_, 'ctx> {
    /// Iterations that update nothing.
    pub(super) fn only_checks(failed: PointerValue<'ctx>) -> Self {
        Notes { updates: &[], notes: Vec::new(), failed }
    }
}

impl<'p, 'ctx> WorkItem<'p, 'ctx, '_> {
    /// Notes what an update needs; whether the statement is a part of one.
    pub(super) fn noted(&self, stmt: &Stmt) -> Emit<bool> {
        let Some(notes) = &self.notes else { return Ok(false) };
        let Some(at) = notes.updates.iter().position(|update| update.has(stmt)) else { return Ok(false) };
        if let (StmtKind::Store(table), [_, indices @ ..]) = (stmt.kind, &stmt.operands[..]) {
            let (e, note) = (self.e, &notes.notes[at]);
            let (address, _) = self.elements.address(e, table as usize, &self.all(indices)?)?;
            e.write(note.address, address)?;
            for (slot, val) in note.inputs.iter().zip(&notes.updates[at].inputs) {
                slot.write(e, self.value(*val)?)?;
            }
            e.write(note.is_due, e.context.bool_type().const_int(1, false))?;
        }
        Ok(true)
    }

    /// Where the number of a check that fails goes, if not to the fault.
    pub(super) fn failed(&self) -> Option<PointerValue<'ctx>> {
        self.notes.as_ref().map(|notes| notes.failed)
    }

    /// Emits a loop that lanes share.
    pub(super) fn in_turns(&mut self, turns: Turns<'p, 'ctx>, stmt: &Stmt, updates: &'p [Update]) -> Emit<()> {
        let ([lower, upper, by], [body]) = (&stmt.operands[..], &stmt.blocks[..]) else {
            return Err(bug("a shared `for` has three bounds and one block"));
        };
        let e = self.e;
        let known = self.constants[by.0 as usize];
        let bound = |v| self.value(v)?.int();
        let (lower, upper, by) = (bound(*lower)?, bound(*upper)?, bound(*by)?);
        let count = trip_count(e, (lower, upper), (by, known))?;
        let first = e.slot_with(e.i64(0), "first")?;
        let mut shared = Shared { turns, body, updates, lower, by, count, first };
        let at_once = Updates::at_once(body);
        if at_once > 1 {
            self.rounds(&mut shared, at_once)?;
        }
        self.rounds(&mut shared, 1)
    }

    /// `while` there are iterations for all lanes, `n` for each; of one each, for some.
    fn rounds(&mut self, shared: &mut Shared<'p, '_, 'ctx>, n: i64) -> Emit<()> {
        let (e, warp) = (self.e, shared.turns.warp);
        let (head, inside, after) = (e.block("shared")?, e.block("body")?, e.block("endshared")?);
        e.enter(head)?;
        let first = e.read_int(shared.first, shared.count)?;
        let goes_on = match n {
            1 => e.icmp(IntPredicate::ULT, first, shared.count)?,
            _ => e.icmp(IntPredicate::UGE, e.sub(shared.count, first)?, e.i64(n * LANES))?,
        };
        e.builder.build_conditional_branch(goes_on, inside, after)?;
        e.builder.position_at_end(inside);
        let failed = e.slot_with(e.i64(0), "failed")?;
        let notes = self.begun(shared, (first, n), failed)?;
        warp.meet(e)?;
        let number = e.read_int(failed, first)?;
        let fails = match self.end {
            Some(_) => Some(warp.holding(e, e.icmp_with(IntPredicate::NE, number, 0)?)?),
            None => None,
        };
        let is_any = fails.map(|fails| e.icmp_with(IntPredicate::NE, fails, 0)).transpose()?;
        let mut is_before = e.context.bool_type().const_int(1, false);
        if let (Some(is_any), Some(fails)) = (is_any, fails) {
            if n > 1 {
                let whole = e.block("whole")?;
                e.builder.build_conditional_branch(is_any, after, whole)?;
                e.builder.position_at_end(whole);
            } else {
                is_before = e.icmp_with(IntPredicate::EQ, e.and(fails, warp.before(e)?)?, 0)?;
            }
        }
        for notes in &notes {
            for (update, note) in shared.updates.iter().zip(notes) {
                self.turn(warp, update, note, is_before)?;
            }
        }
        e.write(shared.first, e.add(first, e.i64(n * LANES))?)?;
        match (is_any, self.end, self.code.fault()) {
            (Some(is_any), Some(end), Some(fault)) if n == 1 => {
                let fail = e.block("fail")?;
                e.builder.build_conditional_branch(is_any, fail, head)?;
                e.builder.position_at_end(fail);
                let is_own = e.and(e.icmp_with(IntPredicate::NE, number, 0)?, is_before)?;
                e.when(is_own, || self.elements.store(e, fault, &[], Scalar::Int(number)))?;
                e.builder.build_unconditional_branch(end)?;
            }
            _ => {
                e.builder.build_unconditional_branch(head)?;
            }
        }
        e.builder.position_at_end(after);
        Ok(())
    }

    /// Emits what `n` iterations of a lane do by themselves, each statement for all of them before the next; what they update.
    fn begun(
        &mut self,
        shared: &Shared<'p, '_, 'ctx>,
        (first, n): (IntValue<'ctx>, i64),
        failed: PointerValue<'ctx>,
    ) -> Emit<Vec<Vec<Note<'ctx>>>> {
        let (e, body) = (self.e, shared.body);
        let own = e.add(first, shared.turns.warp.lane(e)?)?;
        let mut all = Vec::new();
        for _ in 0..n {
            all.push(shared.updates.iter().map(|update| self.note(update)).collect::<Emit<Vec<_>>>()?);
        }
        let (begin, noted) = (e.block("begin")?, e.block("noted")?);
        match n {
            1 => {
                let exists = e.icmp(IntPredicate::ULT, own, shared.count)?;
                e.builder.build_conditional_branch(exists, begin, noted)?;
            }
            _ => {
                e.builder.build_unconditional_branch(begin)?;
            }
        }
        e.builder.position_at_end(begin);
        let mut kept = Vec::new();
        for k in 0..n {
            let at = e.add(own, e.i64(k * LANES))?;
            let index = e.add(shared.lower, e.mul(at, shared.by)?)?;
            let mut values = self.values.clone();
            values[body.parameters[0].0 as usize] = Some(Scalar::Int(index));
            kept.push(values);
        }
        let end = self.end;
        if end.is_some() {
            self.end = Some(noted);
        }
        for stmt in &body.stmts {
            for (values, notes) in kept.iter_mut().zip(&all) {
                std::mem::swap(&mut self.values, values);
                self.notes = Some(Notes { updates: shared.updates, notes: notes.clone(), failed });
                let results = self.step(stmt)?;
                self.bind(&stmt.results, results);
                std::mem::swap(&mut self.values, values);
            }
        }
        (self.notes, self.end) = (None, end);
        e.enter(noted)?;
        Ok(all)
    }

    /// A note that says nothing yet.
    fn note(&self, update: &Update) -> Emit<Note<'ctx>> {
        let e = self.e;
        let is_due = e.slot_with(e.context.bool_type().const_zero(), "due")?;
        let pointer = self.elements.base(update.table)?.get_type();
        let address = e.slot_with(pointer.const_null(), "address")?;
        let slot = |val: &numptx_ir::scalar::Val| Ok(std::rc::Rc::new(Slot::new(e, self.code.dtype(*val))?));
        let inputs = update.inputs.iter().map(slot).collect::<Emit<Vec<_>>>()?;
        Ok(Note { is_due, address, inputs })
    }

    /// Emits an update by all lanes in which it is due, in the order of the lanes where they meet.
    fn turn(
        &mut self,
        warp: &dyn Warp<'ctx>,
        update: &Update,
        note: &Note<'ctx>,
        is_before: IntValue<'ctx>,
    ) -> Emit<()> {
        let e = self.e;
        let is_due = e.and(e.read_int(note.is_due, is_before)?, is_before)?;
        let pointer = self.elements.base(update.table)?.get_type().as_basic_type_enum();
        let address = e.builder.build_load(pointer, note.address, "")?.into_pointer_value();
        let number = e.builder.build_ptr_to_int(address, e.context.i64_type(), "")?;
        let same = warp.alike(e, e.select(is_due, number, e.i64(0))?)?;
        let earlier = e.and(same, warp.before(e)?)?;
        let own = e.intrinsic("llvm.ctpop", &[earlier.get_type().into()], &[earlier.into()])?.into_int_value();
        let turn = e.slot_with(own.get_type().const_zero(), "turn")?;
        let (head, inside, after) = (e.block("turns")?, e.block("turn")?, e.block("endturns")?);
        e.enter(head)?;
        let now = e.read_int(turn, own)?;
        let waits = e.and(is_due, e.icmp(IntPredicate::UGE, own, now)?)?;
        let goes_on = e.icmp_with(IntPredicate::NE, warp.holding(e, waits)?, 0)?;
        e.builder.build_conditional_branch(goes_on, inside, after)?;
        e.builder.position_at_end(inside);
        let is_own = e.and(is_due, e.icmp(IntPredicate::EQ, own, now)?)?;
        let work_item = std::cell::RefCell::new(self);
        e.when(is_own, || work_item.borrow_mut().updated(update, note, address))?;
        warp.meet(e)?;
        e.write(turn, e.add(now, e.int_like(now, 1))?)?;
        e.builder.build_unconditional_branch(head)?;
        e.builder.position_at_end(after);
        Ok(())
    }

    fn updated(&mut self, update: &Update, note: &Note<'ctx>, address: PointerValue<'ctx>) -> Emit<()> {
        let (e, values) = (self.e, self.values.clone());
        let dtype = self.code.dtype(update.old);
        let old = e.load(address, dtype, Access::default())?;
        self.bind(&[update.old], vec![old]);
        for (val, slot) in update.inputs.iter().zip(&note.inputs) {
            let value = slot.read(e)?;
            self.bind(&[*val], vec![value]);
        }
        for stmt in &update.stmts {
            let results = self.step(stmt)?;
            self.bind(&stmt.results, results);
        }
        e.store(address, self.value(update.new)?, dtype, Access::default())?;
        self.values = values;
        Ok(())
    }
}

/// A loop that lanes share.
struct Shared<'p, 'b, 'ctx> {
    turns: Turns<'p, 'ctx>,
    body: &'b Block,
    updates: &'p [Update],
    lower: IntValue<'ctx>,
    by: IntValue<'ctx>,
    count: IntValue<'ctx>,
    /// Holds the number of the first iteration that is left.
    first: PointerValue<'ctx>,
}
