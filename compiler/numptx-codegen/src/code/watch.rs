//! Long loops of a program that one thread of the host runs: now and then the caller is asked whether to go on (`numptx_abi::Watch`).
//!
//! In: the loops of a program at its only work item. Out: the same, with a question each [`FUEL`] iterations or so; where the answer is no, the function
//! returns. An innermost loop, which LLVM may make vectors of, is cut into pieces. The question stands between them, unless another loop is around it: then it
//! only counts, and is as short as its code. In other loops each iteration looks at the counter. Work items of statements that a group shares count, too. Work
//! items that are one of many ask nothing: there are questions between them.

use std::collections::HashMap;

use inkwell::attributes::AttributeLoc;
use inkwell::values::{AnyValue, IntValue, PointerValue};
use inkwell::{AddressSpace, IntPredicate};
use numptx_ir::scalar::{Block, Code, Stmt, StmtKind, Val};

use super::work_item::{Statements, WorkItem};
use crate::emitter::Emitter;
use crate::error::Emit;
use crate::value::Scalar;

/// Iterations between two questions: some milliseconds.
pub(super) const FUEL: i64 = 1 << 20;
/// What an iteration with a triangular solve counts for.
const SOLVE: i64 = 1 << 16;
/// Iterations of a loop that LLVM unrolls, so that the loop around it is the innermost.
const SHORT: i64 = 16;
/// Where a frame has the watch. Unit: bytes.
const WATCH_OFFSET: i64 = 32;
/// `memory(inaccessiblemem: readwrite)`: the answer depends on nothing that a kernel stores.
const MEMORY: u64 = 3 << 2;

/// Whom a program asks.
#[derive(Clone, Copy)]
pub(super) struct Watch<'ctx> {
    frame: PointerValue<'ctx>,
    /// Iterations that are left until the next question, in a slot.
    fuel: PointerValue<'ctx>,
}

/// How a loop asks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Asks {
    /// Not at all.
    Never,
    /// Not itself: its iterations are counted for the loop around it.
    Counts,
    /// Between pieces of its iterations.
    Pieces,
    /// In each iteration, where the fuel is used up; the fuel that one takes.
    Iterations(i64),
}

impl<'ctx> Watch<'ctx> {
    pub fn new(e: &Emitter<'ctx, '_>, frame: PointerValue<'ctx>) -> Emit<Self> {
        Ok(Watch { frame, fuel: e.slot_with(e.i64(FUEL), "fuel")? })
    }

    /// Takes fuel, and asks where there is none left.
    fn step(&self, e: &Emitter<'ctx, '_>, fuel: i64) -> Emit<()> {
        let left = self.spend(e, e.i64(fuel))?;
        e.when(e.icmp_with(IntPredicate::SLT, left, 0)?, || self.ask(e))
    }

    fn spend(&self, e: &Emitter<'ctx, '_>, fuel: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
        let left = e.sub(e.read_int(self.fuel, fuel)?, fuel)?;
        e.write(self.fuel, left)?;
        Ok(left)
    }

    /// Asks, if there is somebody; returns from the function where the answer is that it is to end.
    fn ask(&self, e: &Emitter<'ctx, '_>) -> Emit<()> {
        let pointer = e.context.ptr_type(AddressSpace::default());
        let field = |base: PointerValue<'ctx>, offset: i64| -> Emit<PointerValue<'ctx>> {
            let at = e.at_bytes(base, e.i64(offset))?;
            Ok(e.builder.build_load(pointer, at, "")?.into_pointer_value())
        };
        e.write(self.fuel, e.i64(FUEL))?;
        let watch = field(self.frame, WATCH_OFFSET)?;
        let is_there = e.builder.build_is_not_null(watch, "")?;
        e.when(is_there, || {
            let ty = e.context.i32_type().fn_type(&[pointer.into()], false);
            let answer = e.builder.build_indirect_call(ty, field(watch, 0)?, &[watch.into()], "")?;
            for (name, value) in [("cold", 0), ("nounwind", 0), ("memory", MEMORY)] {
                answer.add_attribute(AttributeLoc::Function, e.attribute(name, value)?);
            }
            let answer = answer.as_any_value_enum().into_int_value();
            let (leave, go_on) = (e.block("leave")?, e.block("go_on")?);
            e.builder.build_conditional_branch(e.icmp_with(IntPredicate::NE, answer, 0)?, leave, go_on)?;
            e.builder.position_at_end(leave);
            e.builder.build_return(None)?;
            e.builder.position_at_end(go_on);
            Ok(())
        })
    }
}

impl<'ctx> WorkItem<'_, 'ctx, '_> {
    /// How a loop with this body asks.
    pub(super) fn asks(&self, body: &Block) -> Asks {
        if self.watch.is_none() {
            return Asks::Never;
        }
        let known = constants(self.code);
        let (mut is_innermost, mut has_solve) = (true, false);
        body.for_each_stmt(&mut |stmt| {
            has_solve |= matches!(stmt.kind, StmtKind::Solve(..));
            is_innermost &= match stmt.kind {
                StmtKind::For => is_short(stmt, &known),
                StmtKind::While => false,
                kind => !kind.is_shared(),
            };
        });
        match (is_innermost, has_solve) {
            (true, _) if self.is_nested => Asks::Counts,
            (true, _) => Asks::Pieces,
            (false, true) => Asks::Iterations(SOLVE),
            (false, false) => Asks::Iterations(1),
        }
    }

    /// At the beginning of an iteration.
    pub(super) fn ask_in(&self, asks: Asks) -> Emit<()> {
        match (self.watch, asks) {
            (Some(watch), Asks::Iterations(fuel)) => watch.step(self.e, fuel),
            _ => Ok(()),
        }
    }

    /// Emits the body of a loop.
    pub(super) fn inside(&mut self, body: &Block) -> Emit<Vec<Scalar<'ctx>>> {
        let around = std::mem::replace(&mut self.is_nested, true);
        let yields = self.block(body);
        self.is_nested = around;
        yields
    }

    /// Counts the work items of a step that a group shares.
    pub(super) fn count_work_items(&self, extents: &[IntValue<'ctx>]) -> Emit<()> {
        let (Some(watch), [first, others @ ..]) = (self.watch, extents) else { return Ok(()) };
        let work_items = others.iter().try_fold(*first, |work_items, extent| self.e.mul(work_items, *extent))?;
        // An extent may be negative: there is no work item then.
        let is_some = self.e.icmp_with(IntPredicate::SGT, work_items, 0)?;
        watch.spend(self.e, self.e.select(is_some, work_items, self.e.i64(0))?).map(drop)
    }

    /// Emits iterations `0..count`, in pieces if a loop asks between such.
    pub(super) fn in_pieces(
        &mut self,
        asks: Asks,
        count: IntValue<'ctx>,
        emit: impl FnOnce(&mut Self, (IntValue<'ctx>, IntValue<'ctx>)) -> Emit<()>,
    ) -> Emit<()> {
        let e = self.e;
        let watch = match (self.watch, asks) {
            (Some(watch), Asks::Pieces) => watch,
            (Some(watch), Asks::Counts) => {
                watch.spend(e, count)?;
                return emit(self, (e.i64(0), count));
            }
            _ => return emit(self, (e.i64(0), count)),
        };
        self.iterations((e.i64(0), count), FUEL, None, |work_item, first| {
            let left = e.sub(count, first)?;
            let is_last = e.icmp(IntPredicate::ULE, left, e.i64(FUEL))?;
            let end = e.add(first, e.select(is_last, left, e.i64(FUEL))?)?;
            emit(work_item, (first, end))?;
            e.either(is_last, || watch.spend(e, left).map(drop), || watch.ask(e))
        })
    }
}

/// Integers that are known, wherever they stand.
fn constants(code: &Code) -> HashMap<Val, i64> {
    let mut known = HashMap::new();
    code.block.for_each_stmt(&mut |stmt| {
        if let (StmtKind::Constant(constant), [result]) = (&stmt.kind, &stmt.results[..]) {
            known.extend(constant.as_int().map(|value| (*result, value)));
        }
    });
    known
}

/// Whether a loop has few iterations, known ahead.
fn is_short(stmt: &Stmt, known: &HashMap<Val, i64>) -> bool {
    let [lower, upper, by, ..] = &stmt.operands[..] else { return false };
    match [lower, upper, by].map(|val| known.get(val)) {
        [Some(lower), Some(upper), Some(by)] if *by != 0 => {
            upper.checked_sub(*lower).is_some_and(|span| (span / by).abs() <= SHORT)
        }
        _ => false,
    }
}
