//! Branches and loops of a program, and what they carry.
//!
//! In: a step with blocks. Out: the same in LLVM; carried values and results lie in stack slots, which LLVM turns into registers. Nothing says of a loop that
//! it ends: a user's `while` is the user's. Loops are counted, so that no index overflows whatever the bounds.

use inkwell::IntPredicate;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValueEnum, IntValue, MetadataValue, PointerValue};
use numptx_ir::DType;
use numptx_ir::dtype::Kind;
use numptx_ir::scalar::{Stmt, Val};

use super::WorkItem;
use super::ahead::{AHEAD, Ahead};
use super::sums::{self, anew};
use super::watch::Asks;
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::value::Scalar;

/// Where a value lies while control flow decides what it is; of a complex number each part.
pub(super) struct Slot<'ctx> {
    dtype: DType,
    parts: Vec<PointerValue<'ctx>>,
}

impl<'ctx> Slot<'ctx> {
    pub(super) fn new(e: &Emitter<'ctx, '_>, dtype: DType) -> Emit<Self> {
        let n = if dtype.is_complex() { 2 } else { 1 };
        let parts = (0..n).map(|_| e.slot(Slot::part(e, dtype), "carried")).collect::<Emit<Vec<_>>>()?;
        Ok(Slot { dtype, parts })
    }

    fn part(e: &Emitter<'ctx, '_>, dtype: DType) -> BasicTypeEnum<'ctx> {
        match dtype.kind() {
            Kind::Bool | Kind::Signed | Kind::Unsigned => e.int_type(dtype).into(),
            Kind::Float | Kind::Complex => e.float_type(dtype).into(),
        }
    }

    pub(super) fn write(&self, e: &Emitter<'ctx, '_>, value: Scalar<'ctx>) -> Emit<()> {
        let parts: Vec<BasicValueEnum<'ctx>> = match value {
            Scalar::Int(value) => vec![value.into()],
            Scalar::Float(value) => vec![value.into()],
            Scalar::Complex(re, im) => vec![re.into(), im.into()],
        };
        self.parts.iter().zip(parts).try_for_each(|(slot, part)| e.write(*slot, part))
    }

    pub(super) fn read(&self, e: &Emitter<'ctx, '_>) -> Emit<Scalar<'ctx>> {
        let load = |slot: &PointerValue<'ctx>| e.builder.build_load(Slot::part(e, self.dtype), *slot, "");
        match self.parts.as_slice() {
            [re, im] => Ok(Scalar::Complex(load(re)?.into_float_value(), load(im)?.into_float_value())),
            [slot] => match load(slot)? {
                BasicValueEnum::IntValue(value) => Ok(Scalar::Int(value)),
                BasicValueEnum::FloatValue(value) => Ok(Scalar::Float(value)),
                _ => Err(bug("a slot holds neither an integer nor a float")),
            },
            _ => Err(bug("a slot has one or two parts")),
        }
    }
}

impl<'ctx> WorkItem<'_, 'ctx, '_> {
    /// One slot a value.
    pub(super) fn slots(&self, vals: &[Val]) -> Emit<Vec<Slot<'ctx>>> {
        vals.iter().map(|v| Slot::new(self.e, self.code.dtype(*v))).collect()
    }

    pub(super) fn write(&self, slots: &[Slot<'ctx>], values: &[Scalar<'ctx>]) -> Emit<()> {
        slots.iter().zip(values).try_for_each(|(slot, value)| slot.write(self.e, *value))
    }

    pub(super) fn read(&self, slots: &[Slot<'ctx>]) -> Emit<Vec<Scalar<'ctx>>> {
        slots.iter().map(|slot| slot.read(self.e)).collect()
    }

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

    /// `for k in (first..end).step_by(by)` over unsigned numbers of 64 bits. `loop_id`: what LLVM is told of it.
    pub(super) fn iterations(
        &mut self,
        (first, end): (IntValue<'ctx>, IntValue<'ctx>),
        by: i64,
        loop_id: Option<MetadataValue<'ctx>>,
        body: impl FnOnce(&mut Self, IntValue<'ctx>) -> Emit<()>,
    ) -> Emit<()> {
        let e = self.e;
        let before = e.here()?;
        let (head, inside, after) = (e.block("for")?, e.block("body")?, e.block("endfor")?);
        e.enter(head)?;
        let phi = e.builder.build_phi(end.get_type(), "k")?;
        let k = phi.as_basic_value().into_int_value();
        let goes_on = e.icmp(IntPredicate::ULT, k, end)?;
        e.builder.build_conditional_branch(goes_on, inside, after)?;
        e.builder.position_at_end(inside);
        body(self, k)?;
        let next = e.builder.build_int_nuw_add(k, e.i64(by), "")?;
        phi.add_incoming(&[(&first, before), (&next, e.here()?)]);
        let latch = e.builder.build_unconditional_branch(head)?;
        if let Some(loop_id) = loop_id {
            let kind = e.context.get_kind_id("llvm.loop");
            latch.set_metadata(loop_id, kind).map_err(|e| bug(e.to_string()))?;
        }
        e.builder.position_at_end(after);
        Ok(())
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

/// Number of iterations of `range(lower, upper, step)`, in 64 unsigned bits. `known`: the step, if it is a constant.
pub(super) fn trip_count<'ctx>(
    e: &Emitter<'ctx, '_>,
    (lower, upper): (IntValue<'ctx>, IntValue<'ctx>),
    (step, known): (IntValue<'ctx>, Option<i64>),
) -> Emit<IntValue<'ctx>> {
    let (zero, one) = (e.i64(0), e.i64(1));
    let towards = |up: bool| -> Emit<IntValue<'ctx>> {
        let (from, to, step) = if up { (lower, upper, step) } else { (upper, lower, e.sub(zero, step)?) };
        let some = e.icmp(IntPredicate::SLT, from, to)?;
        let distance = e.sub(to, from)?;
        let count = match known {
            Some(1 | -1) => distance,
            _ => e.add(e.udiv(e.sub(distance, one)?, step)?, one)?,
        };
        e.select(some, count, zero)
    };
    match known.map(i64::signum) {
        Some(1) => towards(true),
        Some(-1) => towards(false),
        _ => {
            let up = e.icmp(IntPredicate::SGT, step, zero)?;
            // A step of 0 is ruled out before; 1 stands in for it, because a division by 0 would be undefined.
            let is_zero = e.icmp(IntPredicate::EQ, step, zero)?;
            let size = e.select(up, step, e.sub(zero, step)?)?;
            let size = e.select(is_zero, one, size)?;
            let (from, to) = (e.select(up, lower, upper)?, e.select(up, upper, lower)?);
            let some = e.icmp(IntPredicate::SLT, from, to)?;
            let full = e.udiv(e.sub(e.sub(to, from)?, one)?, size)?;
            e.select(some, e.add(full, one)?, zero)
        }
    }
}
