//! Loops over flattened arrays as loops over arrays with more axes.
//!
//! In: a loop that one thread would run, or that would be no kernel. Out: it with its indices taken apart, where that is better, beside what it is without.

use numptx_ir::array::{Op, OpKind};
use numptx_ir::scalar::ScalarOp;

use super::FormNests;
use crate::loops::{Refused, constants_among, has_thread, is_slow, sums_among};
use crate::traverse::for_each_op;

impl FormNests<'_> {
    /// The loop in its best form; with its indices taken apart where one thread would run it otherwise.
    pub fn best_flattened(&mut self, op: &Op) -> Result<Vec<Op>, Refused> {
        let n_decisions = self.function.decisions.len();
        let usual = self.best_assuming(op);
        let is_late = |ops: &Vec<Op>| has_thread(ops) || is_slow(ops);
        if usual.as_ref().is_ok_and(|ops| !is_late(ops)) || !multiplies(op) {
            return usual;
        }
        let usual_decisions = self.function.decisions.split_off(n_decisions);
        if let Some(found) = self.flattened(op, &usual).filter(|ops| !is_late(ops)) {
            return Ok(found);
        }
        self.function.decisions.truncate(n_decisions);
        self.function.decisions.extend(usual_decisions);
        usual
    }

    fn flattened(&mut self, op: &Op, usual: &Result<Vec<Op>, Refused>) -> Option<Vec<Op>> {
        let (mut flat, mut ops) = (op.clone(), Vec::new());
        self.rename(std::slice::from_mut(&mut flat));
        flat.results.clone_from(&op.results);
        self.hoist(&mut flat, &mut ops);
        self.of_digits.clear();
        self.take_indices_apart(&mut flat, &mut ops)?;
        self.follow_views(&ops, &flat);
        ops.iter().for_each(|op| self.shapes.add(self.function, op));
        self.constants.extend(constants_among(&ops));
        flat.regions.iter().for_each(|region| for_each_op(region, &mut |op| self.constants.extend(constants_among(std::slice::from_ref(op)))));
        self.sums.extend(sums_among(&ops));
        let (n_decisions, of_digits) = (self.function.decisions.len(), std::mem::take(&mut self.of_digits));
        let otherwise = usual.as_ref().ok().cloned().unwrap_or_else(|| {
            let mut slow = op.clone();
            slow.regions.iter_mut().for_each(|nested| self.region(nested));
            vec![slow]
        });
        self.function.decisions.truncate(n_decisions);
        (self.unflattened, self.of_digits) = (Some(otherwise), of_digits);
        let found = self.best_assuming(&flat);
        self.unflattened = None;
        self.of_digits.clear();
        ops.extend(found.ok()?);
        Some(ops)
    }
}

/// Whether a loop multiplies ints that it does not know when compiling.
fn multiplies(op: &Op) -> bool {
    let mut multiplies = false;
    let mut visit = |op: &Op| multiplies |= op.kind == OpKind::Scalar(ScalarOp::Mul);
    op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
    op.kind == OpKind::For && multiplies
}
