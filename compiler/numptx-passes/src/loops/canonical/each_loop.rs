//! What strategies do to a loop, as a pass over the loops of a module, so that a test sees it alone.
//!
//! In: a module, and what rewrites a loop. Out: the module with the outermost loops rewritten that it is for, and the loops in others. No compilation
//! runs such a pass: a strategy rewrites a copy of a loop, and takes it where that is the cheaper form.

use numptx_ir::array::{Module, Op, OpKind, Region, ValueId};
use numptx_source::InternalError;

use crate::analysis::traverse::{Substitution, substitute};
use crate::loops::function::{FormNests, Rounding, Settings, over_bodies};

/// Ops that take a loop's place, and the values of its results.
pub(crate) struct Rewritten {
    /// The ops.
    pub ops: Vec<Op>,
    /// One value a result.
    pub results: Vec<ValueId>,
}

/// Rewrites the loops of all functions.
pub(crate) fn each_loop(
    module: &mut Module,
    rewrite: fn(&mut FormNests, &Op) -> Option<Rewritten>,
) -> Result<(), InternalError> {
    over_bodies(module, &Settings::new(Rounding::AsWritten), |pass, body| {
        let mut names = Substitution::default();
        pass.rewrite_loops(body, rewrite, &mut names);
        substitute(body, &names);
    });
    Ok(())
}

impl FormNests<'_> {
    fn rewrite_loops(
        &mut self,
        region: &mut Region,
        rewrite: fn(&mut FormNests, &Op) -> Option<Rewritten>,
        names: &mut Substitution,
    ) {
        for mut op in std::mem::take(&mut region.ops) {
            if matches!(op.kind, OpKind::Map(_) | OpKind::Reduce(_)) {
                self.made.extend(&op.results);
            }
            let is_loop = matches!(op.kind, OpKind::For | OpKind::While);
            let Some(rewritten) = is_loop.then(|| rewrite(self, &op)).flatten() else {
                op.regions.iter_mut().for_each(|nested| self.rewrite_loops(nested, rewrite, names));
                region.ops.push(op);
                continue;
            };
            self.is_changed = true;
            region.ops.extend(rewritten.ops);
            for (result, value) in op.results.iter().zip(rewritten.results).filter(|(result, value)| *result != value) {
                names.replace(*result, value);
            }
        }
    }
}
