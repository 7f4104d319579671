//! Work items that sum up: where a statement has few of them, the lanes of a warp take a work item together.
//!
//! In: a `parallel` whose work items have `reduce` statements in them. Out: two versions of the statement. In one a thread runs a work item, sums included. In
//! the other a warp does: its lanes share the work items of each sum, all have the total, and do all else alike. One of them stores. That pays where there are
//! fewer work items than threads, and sums that are long enough to be shared. Which version runs depends on extents and on the number of threads alone.

use std::cell::RefCell;
use std::collections::HashSet;

use inkwell::values::IntValue;
use inkwell::{InlineAsmDialect, IntPredicate};
use numptx_ir::scalar::{Block, Code, Constant, Stmt, StmtKind, Val, defined_in};

use super::group::{ThreadGroup, Warps};
use super::work_item::WorkItem;
use crate::emitter::Emitter;
use crate::error::{Emit, bug};

/// Threads of a work item where work items are said to be few.
const FEW: i64 = 2;
/// Threads of a warp.
const WARP: i64 = 32;

impl<'ctx> WorkItem<'_, 'ctx, '_> {
    /// A statement whose work items sum up.
    pub(super) fn summing(&mut self, group: &dyn ThreadGroup<'ctx>, stmt: &Stmt, body: &Block) -> Emit<()> {
        let e = self.e;
        let extents = stmt.operands.iter().map(|v| self.value(*v)?.int()).collect::<Emit<Vec<_>>>()?;
        let warps = if self.only_sums(body) { group.warps(e)? } else { None };
        let Some(warps) = warps else { return self.by_threads(group, &extents, body) };
        let mut count = e.i64(1);
        for extent in &extents {
            let is_some = e.icmp_with(IntPredicate::SGT, *extent, 0)?;
            count = e.mul(count, e.select(is_some, *extent, e.i64(0))?)?;
        }
        let mut pays = e.icmp(IntPredicate::SLE, count, e.mul(warps.n, e.i64(WARP / FEW))?)?;
        if let Some(are_long) = self.are_long(stmt, body)? {
            pays = e.and(pays, are_long)?;
        }
        let work_item = RefCell::new(self);
        e.either(
            pays,
            || work_item.borrow_mut().by_warps(&warps, (count, &extents), body),
            || work_item.borrow_mut().by_threads(group, &extents, body),
        )
    }

    fn by_threads(&mut self, group: &dyn ThreadGroup<'ctx>, extents: &[IntValue<'ctx>], body: &Block) -> Emit<()> {
        self.run_by(None).dealt(group, extents, body, &mut |_, _, _| Ok(()))
    }

    fn by_warps(
        &mut self,
        warps: &Warps<'ctx>,
        (count, extents): (IntValue<'ctx>, &[IntValue<'ctx>]),
        body: &Block,
    ) -> Emit<()> {
        let mut work_item = self.run_by(Some(&*warps.lanes));
        let Some((_, inner)) = extents.split_first() else {
            let is_first = self.e.icmp_with(IntPredicate::EQ, warps.number, 0)?;
            return self.e.when(is_first, || work_item.at(Vec::new(), body, &mut |_, _, _| Ok(())));
        };
        let divisors = inner.iter().map(|extent| at_least_one(self.e, *extent)).collect::<Emit<Vec<_>>>()?;
        work_item.one_by_one((warps.number, warps.n), (count, &divisors), body, &mut |_, _, _| Ok(()))
    }

    /// Whether sums are what takes time in a work item: no other loop runs more than once.
    fn only_sums(&self, body: &Block) -> bool {
        let mut known = self.constants.clone();
        body.for_each_stmt(&mut |stmt| {
            if let (StmtKind::Constant(Constant::Int(n)), [result]) = (stmt.kind, &stmt.results[..]) {
                known[result.0 as usize] = Some(n);
            }
        });
        self.has_only_sums(body, &known)
    }

    fn has_only_sums(&self, block: &Block, known: &[Option<i64>]) -> bool {
        block.stmts.iter().all(|stmt| match stmt.kind {
            StmtKind::Reduce(_) => true,
            StmtKind::While => false,
            StmtKind::For => {
                let bound = |n: usize| known[stmt.operands[n].0 as usize];
                let runs_once = matches!((bound(0), bound(1)), (Some(lower), Some(upper)) if upper == lower + 1);
                (runs_once || has_sums(&stmt.blocks[0])) && self.has_only_sums(&stmt.blocks[0], known)
            }
            _ => stmt.blocks.iter().all(|nested| self.has_only_sums(nested, known)),
        })
    }

    /// Whether a sum is long; `None` where that is not known before the work items.
    fn are_long(&self, stmt: &Stmt, body: &Block) -> Emit<Option<IntValue<'ctx>>> {
        let (e, own) = (self.e, defined_in(stmt));
        let Some(sums) = sums_with_extents(body, &own) else { return Ok(None) };
        let mut all = e.icmp_with(IntPredicate::EQ, e.i64(0), 1)?;
        for extents in sums {
            let mut length = e.i64(1);
            for extent in extents {
                length = e.mul(length, e.smin(self.value(extent)?.int()?, e.i64(Code::LONG_SUM))?)?;
            }
            all = e.or(all, e.icmp_with(IntPredicate::SGE, length, Code::LONG_SUM)?)?;
        }
        Ok(Some(all))
    }
}

fn at_least_one<'ctx>(e: &Emitter<'ctx, '_>, extent: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
    let is_more = e.icmp_with(IntPredicate::SGT, extent, 1)?;
    e.select(is_more, extent, e.i64(1))
}

/// The same number, of which a device's LLVM does not know that it is: what is computed of it stays where it is used. Addresses for each lane that were
/// computed before all steps, and went on from step to step, would fill the registers of all.
pub(crate) fn anew<'ctx>(e: &Emitter<'ctx, '_>, number: IntValue<'ctx>) -> Emit<IntValue<'ctx>> {
    let ty = number.get_type();
    let (text, operands) = match ty.get_bit_width() {
        64 => ("mov.u64 $0, $1;", "=l,l"),
        _ => ("mov.u32 $0, $1;", "=r,r"),
    };
    let dialect = Some(InlineAsmDialect::ATT);
    let ty = ty.fn_type(&[ty.into()], false);
    let assembly = e.context.create_inline_asm(ty, text.to_string(), operands.to_string(), true, false, dialect, false);
    let call = e.builder.build_indirect_call(ty, assembly, &[number.into()], "")?;
    let value = call.try_as_basic_value().basic();
    Ok(value.ok_or_else(|| bug("assembly without a result"))?.into_int_value())
}

/// Whether there are sums in a block.
pub(super) fn has_sums(block: &Block) -> bool {
    let mut found = false;
    block.for_each_stmt(&mut |stmt| found |= matches!(stmt.kind, StmtKind::Reduce(_)));
    found
}

/// The extents of each sum in a work item; `None` where one of them is the work item's own.
fn sums_with_extents(body: &Block, own: &HashSet<Val>) -> Option<Vec<Vec<Val>>> {
    let (mut sums, mut are_known) = (Vec::new(), true);
    body.for_each_stmt(&mut |stmt| {
        if let StmtKind::Reduce(_) = stmt.kind {
            are_known &= !stmt.operands.iter().any(|val| own.contains(val));
            sums.push(stmt.operands.clone());
        }
    });
    are_known.then_some(sums)
}
