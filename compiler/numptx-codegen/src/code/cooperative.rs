//! Steps whose work items all threads of a launch share: `parallel`, `reduce` and `barrier`.
//!
//! In: a step of a cooperative program, and the group of threads that this one is of. Out: this thread's part of the work items. Work items are dealt out one
//! by one, the last index fastest, so that neighbouring threads meet neighbouring elements. Work items that sum up: see `sums`. On the host a group is one
//! thread, which loops over all work items.

use inkwell::IntPredicate;
use inkwell::values::{IntValue, PointerValue};
use numptx_ir::scalar::{Block, Reducer, Stmt, StmtKind};

use super::group::ThreadGroup;
use super::lanes::{Lane, is_straight};
use super::sums::has_sums;
use super::work_item::{Statements, WorkItem};
use crate::accumulator::{Layout, Order};
use crate::elements::Elements;
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::value::Scalar;

/// What is done with the values that a work item yields; the condition: whether there is one.
pub(super) type Take<'t, 'ctx> =
    &'t mut dyn FnMut(&Emitter<'ctx, '_>, &[Scalar<'ctx>], Option<IntValue<'ctx>>) -> Emit<()>;

impl<'ctx> Emitter<'ctx, '_> {
    /// Emits a cooperative program for one of its threads.
    pub fn cooperative_code(
        &self,
        code: &numptx_ir::scalar::Code,
        elements: &Elements<'_, 'ctx>,
        group: &dyn ThreadGroup<'ctx>,
    ) -> Emit<()> {
        let alone = WorkItem::alone(self, code, elements, &[]);
        WorkItem { group: Some(group), order: Order::Fixed, ..alone }.block(&code.block).map(drop)
    }
}

impl<'ctx> WorkItem<'_, 'ctx, '_> {
    pub(super) fn barrier(&self) -> Emit<()> {
        self.group.map_or(Ok(()), |group| group.barrier(self.e))
    }

    pub(super) fn parallel(&mut self, stmt: &Stmt) -> Emit<()> {
        let [body] = &stmt.blocks[..] else { return Err(bug("a `parallel` has one block")) };
        // A work item's sum is in the order of its elements where one thread makes it.
        let around = std::mem::replace(&mut self.order, Order::Fixed);
        match self.group.filter(|_| has_sums(body)) {
            Some(group) => self.summing(group, stmt, body)?,
            None => self.work_items(stmt, body, &mut |_, _, _| Ok(()))?,
        }
        self.order = around;
        Ok(())
    }

    pub(super) fn reduction(&mut self, stmt: &Stmt, reducer: Reducer) -> Emit<Scalar<'ctx>> {
        let ([body], [result]) = (&stmt.blocks[..], &stmt.results[..]) else {
            return Err(bug("a `reduce` has one block and one result"));
        };
        let e = self.e;
        let layout = Layout::of_reducers(vec![(reducer, self.code.dtype(*result))]);
        let slots = e.accumulator_slots(&layout, &e.identity(&layout)?)?;
        let order = self.order;
        self.work_items(stmt, body, &mut |e, yields, exists| {
            let so_far = e.read_accumulator(&slots, &layout)?;
            let mut next = e.combine(&layout, &so_far, yields, order)?;
            if let Some(exists) = exists {
                let both = next.into_iter().zip(so_far);
                next = both.map(|(next, so_far)| e.choose(exists, next, so_far)).collect::<Emit<Vec<_>>>()?;
            }
            e.write_accumulator(&slots, &layout, &next)
        })?;
        let own = e.read_accumulator(&slots, &layout)?;
        let all = match self.group {
            Some(group) => group.total(e, &layout, &own)?,
            None => own,
        };
        all.first().copied().ok_or_else(|| bug("a short accumulator"))
    }

    /// Runs a block at this thread's work items; `take` gets what it yields.
    fn work_items(&mut self, stmt: &Stmt, body: &Block, take: Take<'_, 'ctx>) -> Emit<()> {
        let extents = stmt.operands.iter().map(|v| self.value(*v)?.int()).collect::<Emit<Vec<_>>>()?;
        self.count_work_items(&extents)?;
        match self.group {
            Some(group) => self.dealt(group, &extents, body, take),
            None => self.one_after_another(&extents, &mut Vec::new(), body, take),
        }
    }

    fn one_after_another(
        &mut self,
        extents: &[IntValue<'ctx>],
        indices: &mut Vec<Scalar<'ctx>>,
        body: &Block,
        take: Take<'_, 'ctx>,
    ) -> Emit<()> {
        let e = self.e;
        let Some((extent, rest)) = extents.split_first() else { return self.at(indices.clone(), body, take) };
        if !rest.is_empty() || has_loops_in(body) {
            return e.count((e.i64(0), *extent), e.i64(1), None, |i| {
                indices.push(Scalar::Int(i));
                self.one_after_another(rest, indices, body, take)?;
                indices.pop();
                Ok(())
            });
        }
        let parallel = e.parallel_work_items()?;
        let elements = Elements { group: Some(parallel.group), ..*self.elements };
        let mut work_item = WorkItem { elements: &elements, ..self.run_by(None) };
        e.count((e.i64(0), *extent), e.i64(1), Some(parallel.loop_id), |i| {
            work_item.at([indices.clone(), vec![Scalar::Int(i)]].concat(), body, take)
        })
    }

    pub(super) fn at(&mut self, indices: Vec<Scalar<'ctx>>, body: &Block, take: Take<'_, 'ctx>) -> Emit<()> {
        self.bind(&body.parameters, indices);
        let yields = self.block(body)?;
        take(self.e, &yields, None)
    }

    /// Work items `thread`, `thread + n`, … in linear order, or alike. Indices go on by addition with carries: there is no division in the loop.
    pub(super) fn dealt(
        &mut self,
        group: &dyn ThreadGroup<'ctx>,
        extents: &[IntValue<'ctx>],
        body: &Block,
        take: Take<'_, 'ctx>,
    ) -> Emit<()> {
        let e = self.e;
        let Some((_, inner)) = extents.split_first() else {
            let (thread, _) = group.place(e, e.i64(1))?;
            return e.when(e.icmp_with(IntPredicate::EQ, thread, 0)?, || self.at(Vec::new(), body, take));
        };
        let some = |extent: &IntValue<'ctx>, least: i64| -> Emit<IntValue<'ctx>> {
            let is_more = e.icmp_with(IntPredicate::SGT, *extent, least)?;
            e.select(is_more, *extent, e.i64(least))
        };
        let mut count = e.i64(1);
        for extent in extents {
            count = e.mul(count, some(extent, 0)?)?;
        }
        let (thread, n) = group.place(e, count)?;
        if inner.is_empty() && is_straight(body) {
            return self.dealt_along((thread, n), count, body, take);
        }
        // Extents of 0 divide nothing: there is no work item then.
        let divisors = inner.iter().map(|extent| some(extent, 1)).collect::<Emit<Vec<_>>>()?;
        match inner.is_empty() || !is_straight(body) {
            true => self.one_by_one((thread, n), (count, &divisors), body, take),
            false => self.dealt_over((thread, n), (count, &divisors), body, take),
        }
    }

    /// Work items one by one; `divisors`: the extents without the first.
    pub(super) fn one_by_one(
        &mut self,
        (thread, n): (IntValue<'ctx>, IntValue<'ctx>),
        (count, divisors): (IntValue<'ctx>, &[IntValue<'ctx>]),
        body: &Block,
        take: Take<'_, 'ctx>,
    ) -> Emit<()> {
        let e = self.e;
        let (first, step) = (digits(e, thread, divisors)?, digits(e, n, divisors)?);
        let slots = first.iter().map(|digit| e.slot_with(*digit, "digit")).collect::<Emit<Vec<_>>>()?;
        e.count((thread, count), n, None, |_| {
            let here = slots.iter().map(|slot| e.read_int(*slot, thread)).collect::<Emit<Vec<_>>>()?;
            if is_straight(body) {
                self.together(&[Lane::at(here.clone())], body, take)?;
            } else {
                self.at(here.iter().map(|i| Scalar::Int(*i)).collect(), body, take)?;
            }
            advance(e, &slots, &here, &step, divisors)
        })
    }
}

/// A linear number as an index along each axis; `inner` are the extents without the first.
pub(super) fn digits<'ctx>(
    e: &Emitter<'ctx, '_>,
    number: IntValue<'ctx>,
    inner: &[IntValue<'ctx>],
) -> Emit<Vec<IntValue<'ctx>>> {
    let (mut rest, mut digits) = (number, Vec::new());
    for extent in inner.iter().rev() {
        let quotient = e.udiv(rest, *extent)?;
        digits.push(e.sub(rest, e.mul(quotient, *extent)?)?);
        rest = quotient;
    }
    digits.push(rest);
    digits.reverse();
    Ok(digits)
}

/// Writes the indices so many work items on: no digit of `step` is as large as its extent, so that a carry is 1.
pub(super) fn advance<'ctx>(
    e: &Emitter<'ctx, '_>,
    slots: &[PointerValue<'ctx>],
    here: &[IntValue<'ctx>],
    step: &[IntValue<'ctx>],
    inner: &[IntValue<'ctx>],
) -> Emit<()> {
    let mut carry = e.i64(0);
    for axis in (0..slots.len()).rev() {
        let mut next = e.add(e.add(here[axis], step[axis])?, carry)?;
        if let Some(extent) = axis.checked_sub(1).map(|n| inner[n]) {
            let is_over = e.icmp(IntPredicate::SGE, next, extent)?;
            next = e.select(is_over, e.sub(next, extent)?, next)?;
            carry = e.select(is_over, e.i64(1), e.i64(0))?;
        }
        e.write(slots[axis], next)?;
    }
    Ok(())
}

/// Whether a block has statements that run others again and again, or that threads share.
pub(super) fn has_loops_in(block: &Block) -> bool {
    let mut found = false;
    let is_loop = |stmt: &Stmt| matches!(stmt.kind, StmtKind::For | StmtKind::While) || stmt.kind.is_shared();
    block.for_each_stmt(&mut |stmt| found |= is_loop(stmt));
    found
}
