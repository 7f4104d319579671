//! Loops over flattened arrays as loops over arrays with more axes.
//!
//! In: a loop that one thread would run, or that would be no kernel. Out: it with its indices taken apart, where that is better, beside what it is without.

use numptx_ir::array::{Op, OpKind};
use numptx_ir::scalar::ScalarOp;

use crate::analysis::constants::constants_among;
use crate::analysis::traverse::for_each_op;
use crate::loops::assumptions::versions::Versions;
use crate::loops::function::FormNests;
use crate::loops::nest::program::Refusal;
use crate::loops::schedule::attempt::Attempt;
use crate::loops::schedule::choose::{Formed, cheaper};

impl FormNests<'_> {
    /// The loop in its best form; with its indices taken apart where it is in a better form then.
    pub fn best_delinearised(&mut self, op: &Op) -> Formed {
        let usual = self.tried(|pass| pass.best_assuming(op));
        if !multiplies(op) || !usual.may_be_better(op) {
            return self.keep(usual);
        }
        let refusal = Refusal("its indices do not come apart");
        let mut flat = self.tried_with(Attempt { has_fallback: true, ..self.attempt }, |pass| {
            let flat = pass.flattened(op, |pass, flat| pass.best_assuming(flat).ok());
            flat.ok_or(refusal.into())
        });
        if let Ok(flat) = &mut flat.value
            && usual.value.is_err()
        {
            flat.as_written = Some(self.as_written(op).value);
        }
        self.keep(cheaper(op.span, [("indices as written", usual), ("delinearised", flat)]))
    }

    /// A loop over flattened arrays that only carries values as a reduction.
    pub fn reduced_delinearised(&mut self, op: &Op) -> Option<Versions> {
        if op.results.is_empty() || !multiplies(op) {
            return None;
        }
        let reduction = self.flattened(op, |pass, flat| pass.reduction(flat).map(Versions::from))?;
        Some(match self.tried(|pass| pass.formed(op)).value {
            Ok(usual) => reduction.or(usual),
            Err(_) => Versions { as_written: Some(self.as_written(op).value), ..reduction },
        })
    }

    /// The loop with its indices taken apart, as `form` gives it.
    fn flattened(&mut self, op: &Op, form: impl FnOnce(&mut Self, &Op) -> Option<Versions>) -> Option<Versions> {
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
        let found = form(self, &flat);
        self.draft.of_digits.clear();
        Some(found?.after(ops))
    }
}

/// Whether a loop multiplies ints that it does not know when compiling.
fn multiplies(op: &Op) -> bool {
    let mut multiplies = false;
    let mut visit = |op: &Op| multiplies |= op.kind == OpKind::Scalar(ScalarOp::Mul);
    op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
    op.kind == OpKind::For && multiplies
}
