//! Loops whose loads run ahead: a device's thread asks for what several iterations load before it does the rest of the first one.
//!
//! A thread that walks along an axis uses a part of each cache line that it gets, and far more threads than the caches have lines for do so at
//! once; what is not asked for together is fetched once an iteration. And memory that is waited for once in several iterations is waited for
//! less often.
//!
//! In: an innermost loop of a program of one work item, without checks. What needs neither what the loop carries nor a table that the program stores
//! to is done for [`AHEAD`] iterations before the rest, statement by statement; then the rest, iteration by iteration. Tables that are stored to share
//! memory with no others, so that no load misses a store. Iterations that are left over are run one by one.

use std::collections::HashSet;

use inkwell::values::IntValue;
use numptx_ir::scalar::{Block, Code, Stmt, StmtKind, Val};

use super::loops::Slot;
use super::work_item::{Statements, WorkItem};
use crate::emitter::Side;
use crate::error::Emit;
use crate::value::Scalar;

/// Iterations whose loads are done together.
pub(super) const AHEAD: i64 = 8;
/// More loads of an iteration than these would need too many registers.
const LOADS: usize = 16;
/// A loop's body of more statements than this is long enough as it is.
const STEPS: usize = 96;

/// The steps of a loop's body in two parts, each in order.
pub(super) struct Ahead<'c> {
    early: Vec<&'c Stmt>,
    rest: Vec<&'c Stmt>,
}

impl<'c> Ahead<'c> {
    /// `None` where nothing is gained by it, or it may not be.
    pub fn of(code: &Code, body: &'c Block, side: Side) -> Option<Self> {
        let is_innermost = body.stmts.iter().all(|stmt| stmt.blocks.is_empty());
        let may_be = matches!(side, Side::Device(_)) && !code.is_cooperative() && code.fault().is_none();
        if !may_be || !is_innermost || body.stmts.len() > STEPS {
            return None;
        }
        let mut late: HashSet<Val> = body.parameters.iter().skip(1).copied().collect();
        let (mut early, mut rest) = (Vec::new(), Vec::new());
        for stmt in &body.stmts {
            let is_fixed = match stmt.kind {
                StmtKind::Load(table) => !code.stores(table as usize),
                StmtKind::Constant(_) | StmtKind::Op(_) | StmtKind::Index(_) | StmtKind::Input(_) => true,
                _ => false,
            };
            if is_fixed && stmt.operands.iter().all(|v| !late.contains(v)) {
                early.push(stmt);
            } else {
                late.extend(&stmt.results);
                rest.push(stmt);
            }
        }
        let loads = early.iter().filter(|stmt| matches!(stmt.kind, StmtKind::Load(_))).count();
        (loads > 0 && loads <= LOADS).then(|| Ahead::with_late_operations(early, rest))
    }

    /// Leaves to the rest what no load needs, so that loads are near each other.
    fn with_late_operations(early: Vec<&'c Stmt>, mut rest: Vec<&'c Stmt>) -> Self {
        let mut needed: HashSet<Val> = HashSet::new();
        let mut kept = Vec::new();
        let mut left = Vec::new();
        for stmt in early.into_iter().rev() {
            if matches!(stmt.kind, StmtKind::Load(_)) || stmt.results.iter().any(|v| needed.contains(v)) {
                needed.extend(&stmt.operands);
                kept.push(stmt);
            } else {
                left.push(stmt);
            }
        }
        kept.reverse();
        left.reverse();
        left.append(&mut rest);
        Ahead { early: kept, rest: left }
    }
}

impl<'ctx> WorkItem<'_, 'ctx, '_> {
    /// Emits the iterations with these indices, the first ones of a loop's rest.
    pub(super) fn several(
        &mut self,
        ahead: &Ahead<'_>,
        body: &Block,
        indices: &[IntValue<'ctx>],
        carried: &[Slot<'ctx>],
    ) -> Emit<()> {
        let mut done: Vec<Vec<(Val, Scalar<'ctx>)>> =
            indices.iter().map(|index| vec![(body.parameters[0], Scalar::Int(*index))]).collect();
        for stmt in &ahead.early {
            for done in &mut done {
                for (val, value) in done.iter() {
                    self.values[val.0 as usize] = Some(*value);
                }
                let results = self.step(stmt)?;
                done.extend(stmt.results.iter().copied().zip(results));
            }
        }
        for done in done {
            for (val, value) in done {
                self.values[val.0 as usize] = Some(value);
            }
            let values = self.read(carried)?;
            self.bind(&body.parameters[1..], values);
            for stmt in &ahead.rest {
                let results = self.step(stmt)?;
                self.bind(&stmt.results, results);
            }
            let yields = self.all(&body.yields)?;
            self.write(carried, &yields)?;
        }
        Ok(())
    }
}
