//! A loop that a group of lanes shares, which combines what its iterations give.
//!
//! In: the loop, and how it combines what it carries. Out: each lane's iterations, of which neighbours do neighbouring ones, several of a lane together, so
//! that memory is waited for once; then the total of all, the same for all lanes, in an order that the size of the group decides.
//!
//! Where a check fails in an iteration, the work item ends for all lanes when each has done its own.

use std::collections::HashSet;

use inkwell::IntPredicate;
use inkwell::values::{IntValue, PointerValue};
use numptx_ir::DType;
use numptx_ir::dtype::Kind;
use numptx_ir::scalar::{Block, Code, Reducer, Stmt, Val};

use super::group::ThreadGroup;
use super::loops::{Slot, trip_count};
use super::turns::Notes;
use super::updates::Updates;
use super::work_item::{Statements, WorkItem};
use crate::accumulator::{Layout, Order};
use crate::elements::Elements;
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::value::Scalar;

impl<'ctx> Emitter<'ctx, '_> {
    /// Emits a program at a work item that a group of lanes runs.
    pub fn grouped_code(
        &self,
        code: &Code,
        elements: &Elements<'_, 'ctx>,
        indices: &[IntValue<'ctx>],
        group: &dyn ThreadGroup<'ctx>,
    ) -> Emit<()> {
        let end = self.block("end")?;
        let alone = WorkItem::alone(self, code, elements, indices);
        WorkItem { group: Some(group), order: Order::Fixed, end: Some(end), ..alone }.block(&code.block)?;
        self.enter(end)
    }
}

impl<'p, 'ctx> WorkItem<'p, 'ctx, '_> {
    /// Emits the loop; what it carries at last.
    pub(super) fn shared_sums(
        &mut self,
        group: &dyn ThreadGroup<'ctx>,
        stmt: &Stmt,
        combined: &[(Reducer, DType)],
    ) -> Emit<Vec<Scalar<'ctx>>> {
        let ([lower, upper, by, initial @ ..], [body]) = (&stmt.operands[..], &stmt.blocks[..]) else {
            return Err(bug("a `for` has three bounds and one block"));
        };
        let (e, end) = (self.e, self.end.ok_or_else(|| bug("a shared loop has no end of its work item"))?);
        let known = self.constants[by.0 as usize];
        let bound = |v: &Val| self.value(*v)?.int();
        let (lower, upper, by) = (bound(lower)?, bound(upper)?, bound(by)?);
        let count = trip_count(e, (lower, upper), (by, known))?;
        let before = self.all(initial)?;
        if let Some(is_left) = group.leaves(e, count)? {
            self.end_where(is_left, end)?;
        }
        let slots = self.slots(initial)?;
        let nothing = combined.iter().map(|(reducer, dtype)| nothing(e, *reducer, *dtype));
        self.write(&slots, &nothing.collect::<Emit<Vec<_>>>()?)?;
        let failed = e.slot_with(e.i64(0), "failed")?;
        let shared = Shared { body, bounds: (lower, by, count), slots, failed };
        self.own_iterations(group, &shared)?;
        let number = e.read_int(failed, count)?;
        let layout = Layout::of_reducers([combined, &[(Reducer::Or, DType::Bool)]].concat());
        let own = [self.read(&shared.slots)?, vec![Scalar::Int(e.icmp_with(IntPredicate::NE, number, 0)?)]].concat();
        let mut all = group.total(e, &layout, &own)?;
        let is_any = all.pop().ok_or_else(|| bug("a short accumulator"))?.int()?;
        if let Some(fault) = self.code.fault() {
            let is_own = e.icmp_with(IntPredicate::NE, number, 0)?;
            e.when(is_own, || self.elements.store(e, fault, &[], Scalar::Int(number)))?;
            self.end_where(is_any, end)?;
        }
        e.combine(&Layout::of_reducers(combined.to_vec()), &before, &all, Order::Fixed)
    }

    /// Ends the work item where a condition holds, which it does for all lanes or none.
    fn end_where(&self, condition: IntValue<'ctx>, end: inkwell::basic_block::BasicBlock<'ctx>) -> Emit<()> {
        let goes_on = self.e.block("goeson")?;
        self.e.builder.build_conditional_branch(condition, end, goes_on)?;
        self.e.builder.position_at_end(goes_on);
        Ok(())
    }

    /// Emits what a lane does of a loop: iterations as far apart as there are lanes. Those that do not exist load what the first one of them loads.
    fn own_iterations(&mut self, group: &dyn ThreadGroup<'ctx>, shared: &Shared<'_, 'ctx>) -> Emit<()> {
        let (e, (lower, by, count)) = (self.e, shared.bounds);
        let n_at_once = Updates::at_once(shared.body);
        let (lane, n) = group.place(e, count)?;
        let next = e.slot_with(lane, "next")?;
        let work_item = std::cell::RefCell::new(self);
        e.repeat(
            || e.icmp(IntPredicate::ULT, e.read_int(next, lane)?, count),
            || {
                let first = e.read_int(next, lane)?;
                let mut iterations = Vec::new();
                for k in 0..n_at_once {
                    let at = e.add(first, e.mul(n, e.i64(k))?)?;
                    let exists = if k == 0 { None } else { Some(e.icmp(IntPredicate::ULT, at, count)?) };
                    let at = exists.map_or(Ok(at), |exists| e.select(exists, at, first))?;
                    iterations.push((e.add(lower, e.mul(at, by)?)?, exists));
                }
                e.write(next, e.add(first, e.mul(n, e.i64(n_at_once))?)?)?;
                work_item.borrow_mut().some_iterations(shared, &iterations)
            },
        )
    }

    /// Emits some iterations: of each statement that needs nothing carried all of them, then the rest one after the other.
    fn some_iterations(
        &mut self,
        shared: &Shared<'_, 'ctx>,
        iterations: &[(IntValue<'ctx>, Option<IntValue<'ctx>>)],
    ) -> Emit<()> {
        let (e, body) = (self.e, shared.body);
        let done = e.block("done")?;
        let end = self.end.replace(done);
        self.notes = Some(Notes::only_checks(shared.failed));
        let (index, carried) = body.parameters.split_first().ok_or_else(|| bug("a `for` has an index"))?;
        let mut late: HashSet<Val> = carried.iter().copied().collect();
        let mut kept: Vec<_> = iterations.iter().map(|_| self.values.clone()).collect();
        for (values, (at, _)) in kept.iter_mut().zip(iterations) {
            values[index.0 as usize] = Some(Scalar::Int(*at));
        }
        let (rest, early): (Vec<&Stmt>, Vec<&Stmt>) = body.stmts.iter().partition(|stmt| {
            let is_late = stmt.used().iter().any(|val| late.contains(val));
            late.extend(stmt.results.iter().filter(|_| is_late));
            is_late
        });
        for stmt in early {
            for values in &mut kept {
                std::mem::swap(&mut self.values, values);
                let results = self.step(stmt)?;
                self.bind(&stmt.results, results);
                std::mem::swap(&mut self.values, values);
            }
        }
        for (mut values, (_, exists)) in kept.into_iter().zip(iterations) {
            std::mem::swap(&mut self.values, &mut values);
            let so_far = self.read(&shared.slots)?;
            self.bind(carried, so_far.clone());
            for stmt in &rest {
                let results = self.step(stmt)?;
                self.bind(&stmt.results, results);
            }
            let mut yields = self.all(&body.yields)?;
            if let Some(exists) = exists {
                let both = yields.into_iter().zip(so_far);
                yields = both.map(|(next, so_far)| e.choose(*exists, next, so_far)).collect::<Emit<Vec<_>>>()?;
            }
            self.write(&shared.slots, &yields)?;
            std::mem::swap(&mut self.values, &mut values);
        }
        (self.notes, self.end) = (None, end);
        e.enter(done)
    }
}

/// A loop that lanes share.
struct Shared<'b, 'ctx> {
    body: &'b Block,
    /// The first index, the step, and how many iterations there are.
    bounds: (IntValue<'ctx>, IntValue<'ctx>, IntValue<'ctx>),
    /// What a lane carries.
    slots: Vec<Slot<'ctx>>,
    /// Holds the number of a check that failed.
    failed: PointerValue<'ctx>,
}

/// What leaves any value as it is, -0.0 too.
fn nothing<'ctx>(e: &Emitter<'ctx, '_>, reducer: Reducer, dtype: DType) -> Emit<Scalar<'ctx>> {
    match (reducer, dtype.kind()) {
        (Reducer::Add, Kind::Float) => Ok(Scalar::Float(e.float_type(dtype).const_float(-0.0))),
        (Reducer::Add, Kind::Complex) => {
            let zero = e.float_type(dtype).const_float(-0.0);
            Ok(Scalar::Complex(zero, zero))
        }
        _ => e.constant(reducer.identity(dtype), dtype),
    }
}
