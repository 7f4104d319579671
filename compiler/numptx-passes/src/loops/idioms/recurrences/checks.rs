//! Checks at the work items of a loop whose order does not matter.
//!
//! In: checks, and the branches around them. Out: whether one fails at a work item, as a value of its body, and reads that stay within their arrays where one
//! does: all work items compute all that there is in branches. What is computed where a check fails nobody looks at.

use numptx_ir::DType;
use numptx_ir::scalar::{Constant, InstrKind, ScalarOp, Val};

use crate::loops::idioms::recurrences::flow::Flow;

impl Flow<'_> {
    /// A check where it stands. Whether one is made in a branch that a carried value decides is not known at a work item.
    pub(crate) fn check(&mut self, condition: Val) -> Option<()> {
        let number = self.n_checks;
        self.n_checks += 1;
        let Some(holds) = self.plain(condition) else {
            self.carried_checks.push(number);
            return Some(());
        };
        if self.path.iter().any(|(condition, _)| condition.is_none()) {
            return None;
        }
        let mut fails = self.body.op(ScalarOp::BitNot, &[holds]);
        if let Some(path) = self.on_path() {
            fails = self.body.op(ScalarOp::BitAnd, &[path, fails]);
        }
        self.fails = Some(self.fails.map_or(fails, |before| self.body.op(ScalarOp::BitOr, &[before, fails])));
        Some(())
    }

    /// Where a table is read: at its first element where a check fails, or stands in a branch that is not taken.
    pub(crate) fn within_checked(&mut self, table: u32, at: Vec<Val>) -> Vec<Val> {
        let Some(fails) = self.fails else { return at };
        let mut is_within = self.body.op(ScalarOp::BitNot, &[fails]);
        if let Some(path) = self.on_path() {
            is_within = self.body.op(ScalarOp::BitAnd, &[path, is_within]);
        }
        if !self.checked_tables.contains(&table) {
            self.checked_tables.push(table);
        }
        let zero = self.body.push(InstrKind::Constant(Constant::Int(0)), DType::I64);
        at.into_iter().map(|index| self.body.op(ScalarOp::Select, &[is_within, index, zero])).collect()
    }

    /// Whether all branches around are taken that the body knows; `None` if there are none.
    fn on_path(&mut self) -> Option<Val> {
        let mut all = None;
        for (condition, holds) in self.path.clone() {
            let Some(condition) = condition else { continue };
            let taken = if holds { condition } else { self.body.op(ScalarOp::BitNot, &[condition]) };
            all = Some(all.map_or(taken, |all| self.body.op(ScalarOp::BitAnd, &[all, taken])));
        }
        all
    }
}
