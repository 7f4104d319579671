//! Loops over flattened arrays as loops over arrays with more axes.
//!
//! In: a loop that one thread would run, or that would be no kernel. Out: it with its indices taken apart, where that is better, beside what it is without.

use numptx_ir::array::{Op, OpKind};
use numptx_ir::scalar::ScalarOp;

use crate::analysis::constants::constants_among;
use crate::analysis::traverse::for_each_op;
use crate::loops::function::FormNests;
use crate::loops::nest::program::{Refusal, Refused};
use crate::loops::schedule::choose::cheaper;

impl FormNests<'_> {
    /// The loop in its best form; with its indices taken apart where it is in a better form then.
    pub fn best_delinearised(&mut self, op: &Op) -> Result<Vec<Op>, Refused> {
        let usual = self.tried(|pass| pass.best_assuming(op));
        if !multiplies(op) || !usual.may_be_better(op) {
            return self.keep(usual);
        }
        let refusal = Refusal("its indices do not come apart");
        let flat = self.tried(|pass| {
            let flat = pass.flattened(op, &usual.value, &mut |pass, flat| pass.best_assuming(flat).ok());
            flat.ok_or(refusal.into())
        });
        self.keep(cheaper(op.span, [("indices as written", usual), ("delinearised", flat)]))
    }

    /// A loop over flattened arrays that only carries values as a reduction.
    pub fn reduced_delinearised(&mut self, op: &Op) -> Option<Vec<Op>> {
        if op.results.is_empty() || !multiplies(op) {
            return None;
        }
        let usual = self.tried(|pass| pass.formed(op)).value;
        self.flattened(op, &usual, &mut |pass, flat| pass.reduced(flat))
    }

    /// The loop with its indices taken apart, as `form` gives it, and where they are not, as it is otherwise.
    fn flattened(
        &mut self,
        op: &Op,
        usual: &Result<Vec<Op>, Refused>,
        form: &mut dyn FnMut(&mut Self, &Op) -> Option<Vec<Op>>,
    ) -> Option<Vec<Op>> {
        let (mut flat, mut ops) = (op.clone(), Vec::new());
        self.rename(std::slice::from_mut(&mut flat));
        flat.results.clone_from(&op.results);
        self.hoist(&mut flat, &mut ops);
        self.draft.of_digits.clear();
        self.take_indices_apart(&mut flat, &mut ops)?;
        self.follow_views(&ops, &flat);
        ops.iter().for_each(|op| self.known.shapes.add(self.function, op));
        let mut learn = |op: &Op| self.known.constants.extend(constants_among(std::slice::from_ref(op)));
        ops.iter().for_each(&mut learn);
        flat.regions.iter().for_each(|region| for_each_op(region, &mut learn));
        self.known.learn(self.function, &ops);
        let of_digits = std::mem::take(&mut self.draft.of_digits);
        let otherwise = usual.as_ref().ok().cloned().unwrap_or_else(|| {
            let mut slow = op.clone();
            self.tried(|pass| slow.regions.iter_mut().for_each(|nested| pass.region(nested)));
            vec![slow]
        });
        (self.attempt.not_delinearised, self.draft.of_digits) = (Some(otherwise), of_digits);
        let found = form(self, &flat);
        self.attempt.not_delinearised = None;
        self.draft.of_digits.clear();
        ops.extend(found?);
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
