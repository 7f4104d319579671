//! What the emission of a program at one work item knows: its values, who runs it, and what its loops carry.

use inkwell::IntPredicate;
use inkwell::basic_block::BasicBlock;
use inkwell::values::{IntValue, MetadataValue};
use numptx_ir::scalar::{Block, Code, Stmt, Val};

use super::group::ThreadGroup;
use super::loops::Slot;
use super::turns::{Notes, Turns};
use super::watch::Watch;
use crate::accumulator::Order;
use crate::elements::Elements;
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::value::Scalar;

/// A program at one work item, while it is emitted.
pub(super) struct WorkItem<'p, 'ctx, 'a> {
    pub(super) e: &'p Emitter<'ctx, 'a>,
    pub(super) code: &'p Code,
    pub(super) elements: &'p Elements<'p, 'ctx>,
    pub(super) indices: &'p [IntValue<'ctx>],
    pub(super) values: Vec<Option<Scalar<'ctx>>>,
    /// Integers that are known.
    pub(super) constants: Vec<Option<i64>>,
    /// Of a cooperative program: the threads that run it; `None`: this one alone.
    pub(super) group: Option<&'p dyn ThreadGroup<'ctx>>,
    /// How sums may be ordered.
    pub(super) order: Order,
    /// Where a work item goes that a check ends.
    pub(super) end: Option<BasicBlock<'ctx>>,
    /// Whom its long loops ask.
    pub(super) watch: Option<Watch<'ctx>>,
    /// Whether the steps that are emitted are in a loop.
    pub(super) is_nested: bool,
    /// The lanes that run it, and what they share; `None`: one thread does.
    pub(super) turns: Option<Turns<'p, 'ctx>>,
    /// Where what iterations update is noted: they are begun.
    pub(super) notes: Option<Notes<'p, 'ctx>>,
}

impl<'p, 'ctx, 'a> WorkItem<'p, 'ctx, 'a> {
    /// A work item that one thread runs, before its first step.
    pub(super) fn alone(
        e: &'p Emitter<'ctx, 'a>,
        code: &'p Code,
        elements: &'p Elements<'p, 'ctx>,
        indices: &'p [IntValue<'ctx>],
    ) -> Self {
        let (values, constants) = (vec![None; code.dtypes.len()], vec![None; code.dtypes.len()]);
        WorkItem {
            e,
            code,
            elements,
            indices,
            values,
            constants,
            group: None,
            order: Order::Free,
            end: None,
            watch: None,
            is_nested: false,
            turns: None,
            notes: None,
        }
    }
}

/// Statements and blocks of them, whatever their kinds: what is inside of a statement is emitted by these again.
pub(super) trait Statements<'ctx> {
    /// Emits a block whose parameters are bound; gives what it yields.
    fn block(&mut self, block: &Block) -> Emit<Vec<Scalar<'ctx>>>;
    /// Emits a statement; gives its results.
    fn step(&mut self, stmt: &Stmt) -> Emit<Vec<Scalar<'ctx>>>;
}

impl<'ctx> WorkItem<'_, 'ctx, '_> {
    pub(super) fn value(&self, val: Val) -> Emit<Scalar<'ctx>> {
        let value = self.values.get(val.0 as usize).copied().flatten();
        value.ok_or_else(|| bug(format!("code uses ${}, which is not there", val.0)))
    }

    pub(super) fn all(&self, vals: &[Val]) -> Emit<Vec<Scalar<'ctx>>> {
        vals.iter().map(|v| self.value(*v)).collect()
    }

    pub(super) fn bind(&mut self, vals: &[Val], values: Vec<Scalar<'ctx>>) {
        for (val, value) in vals.iter().zip(values) {
            self.values[val.0 as usize] = Some(value);
        }
    }

    /// The same program, run by others.
    pub(super) fn run_by<'q>(&'q self, group: Option<&'q dyn ThreadGroup<'ctx>>) -> WorkItem<'q, 'ctx, 'q> {
        WorkItem {
            e: self.e,
            code: self.code,
            elements: self.elements,
            indices: self.indices,
            values: self.values.clone(),
            constants: self.constants.clone(),
            group,
            order: self.order,
            end: None,
            watch: None,
            is_nested: self.is_nested,
            turns: None,
            notes: None,
        }
    }

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
}
