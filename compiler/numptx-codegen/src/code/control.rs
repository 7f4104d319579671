//! Branches and loops of a program, and what they carry.
//!
//! In: a step with blocks. Out: the same in LLVM; carried values and results lie in stack slots, which LLVM turns into registers. Nothing says of a loop that
//! it ends: a user's `while` is the user's. Loops are counted, so that no index overflows whatever the bounds.

use inkwell::values::IntValue;
use numptx_ir::scalar::{Stmt, Val};

use super::ahead::{AHEAD, Ahead};
use super::loops::trip_count;
use super::sums::{self, anew};
use super::watch::Asks;
use super::work_item::{Statements, WorkItem};
use crate::error::{Emit, bug};
use crate::value::Scalar;

impl<'ctx> WorkItem<'_, 'ctx, '_> {
    pub(super) fn branches(&mut self, stmt: &Stmt) -> Emit<Vec<Scalar<'ctx>>> {
        let ([condition], [then, otherwise]) = (&stmt.operands[..], &stmt.blocks[..]) else {
            return Err(bug("an `if` has a condition and two blocks"));
        };
        let (e, condition) = (self.e, self.value(*condition)?.int()?);
        let slots = self.slots(&stmt.results)?;
        let (yes, no, join) = (e.block("then")?, e.block("else")?, e.block("join")?);
        e.builder.build_conditional_branch(condition, yes, no)?;
        for (start, block) in [(yes, then), (no, otherwise)] {
            e.builder.position_at_end(start);
            let yields = self.block(block)?;
            self.write(&slots, &yields)?;
            e.builder.build_unconditional_branch(join)?;
        }
        e.builder.position_at_end(join);
        self.read(&slots)
    }

    pub(super) fn counted(&mut self, stmt: &Stmt) -> Emit<Vec<Scalar<'ctx>>> {
        let ([lower, upper, by, initial @ ..], [body]) = (&stmt.operands[..], &stmt.blocks[..]) else {
            return Err(bug("a `for` has three bounds and one block"));
        };
        if let Some(turns) = self.turns
            && let Some(updates) = turns.updates.of_loop(body)
        {
            self.in_turns(turns, stmt, updates)?;
            return Ok(Vec::new());
        }
        if let Some(group) = self.group
            && let Some(combined) = group.combined(body.parameters[0])
        {
            return self.shared_sums(group, stmt, combined);
        }
        let e = self.e;
        let known = self.constants[by.0 as usize];
        let bound = |v: &Val| self.value(*v)?.int();
        let (lower, upper, by) = (bound(lower)?, bound(upper)?, bound(by)?);
        let slots = self.slots(initial)?;
        self.write(&slots, &self.all(initial)?)?;
        let count = trip_count(e, (lower, upper), (by, known))?;
        let starts_anew = self.group.is_some() && sums::has_sums(body) && self.code.sums_in_work_items();
        let index = |k: IntValue<'ctx>| {
            let index = e.add(lower, e.mul(k, by)?)?;
            if starts_anew { anew(e, index) } else { Ok(index) }
        };
        let asks = self.asks(body);
        self.in_pieces(asks, count, |work_item, (mut first, end)| {
            let mut copies = None;
            if let Some(ahead) = Ahead::of(work_item.code, body, e.side) {
                let whole = e.and(end, e.i64(-AHEAD))?;
                copies = Some(e.short()?);
                work_item.iterations((first, whole), AHEAD, copies, |work_item, k| {
                    let indices = (0..AHEAD).map(|n| index(e.add(k, e.i64(n))?)).collect::<Emit<Vec<_>>>()?;
                    work_item.several(&ahead, body, &indices, &slots)
                })?;
                first = whole;
            }
            work_item.iterations((first, end), 1, copies, |work_item, k| {
                work_item.ask_in(asks)?;
                let carried = work_item.read(&slots)?;
                work_item.bind(&body.parameters, [vec![Scalar::Int(index(k)?)], carried].concat());
                let yields = work_item.inside(body)?;
                work_item.write(&slots, &yields)
            })
        })?;
        self.read(&slots)
    }

    pub(super) fn repeated(&mut self, stmt: &Stmt) -> Emit<Vec<Scalar<'ctx>>> {
        let [condition, body] = &stmt.blocks[..] else { return Err(bug("a `while` has two blocks")) };
        let e = self.e;
        let slots = self.slots(&stmt.operands)?;
        self.write(&slots, &self.all(&stmt.operands)?)?;
        let (head, inside, after) = (e.block("while")?, e.block("body")?, e.block("endwhile")?);
        e.enter(head)?;
        let carried = self.read(&slots)?;
        self.bind(&condition.parameters, carried);
        let goes_on = *self.block(condition)?.first().ok_or_else(|| bug("a `while` yields no condition"))?;
        e.builder.build_conditional_branch(goes_on.int()?, inside, after)?;
        e.builder.position_at_end(inside);
        self.ask_in(match self.asks(body) {
            Asks::Pieces | Asks::Counts => Asks::Iterations(1),
            asks => asks,
        })?;
        let carried = self.read(&slots)?;
        self.bind(&body.parameters, carried);
        let yields = self.inside(body)?;
        self.write(&slots, &yields)?;
        e.builder.build_unconditional_branch(head)?;
        e.builder.position_at_end(after);
        self.read(&slots)
    }
}
