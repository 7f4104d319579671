//! Loops around work items that data or ints of the program move, and always to different places: `g[k, (i + c[k]) % n] = f[k, i]`, in which each work item is
//! one `k`, and `y[b, n] = x[b, n - lag]` for `n` in `range(lag, m)`, in which each is one `b`.
//!
//! In: a loop whose work items run loops in them in order, because elements of arrays decide what these write, or indices may count from the end. Out: it
//! with these loops as work items, too, where elements are not so large that sums with them wrap, and indices are not negative; elsewhere it is what it was.
//! Decides nothing about places: see `dependence`.

use std::collections::{HashMap, HashSet};

use numptx_ir::array::{Op, OpKind, ValueId};
use numptx_ir::scalar::{InstrKind, ScalarOp};

use crate::analysis::traverse::for_each_op;
use crate::loops::function::FormNests;
use crate::loops::schedule::attempt::{Attempt, Tried};
use crate::loops::schedule::choose::{Formed, Taken, chosen};

impl FormNests<'_> {
    /// The loop as nests with more work items than its usual ones have, if elements that are added to indices leave these apart; else as it is usually.
    pub(crate) fn best_with_offsets(&mut self, op: &Op, usual: Tried<Formed>) -> Formed {
        let n_ordered = usual.schedule.n_ordered_by_writes();
        if op.kind != OpKind::For || n_ordered == 0 {
            return self.keep(usual);
        }
        let found = self.best_where(op, Attempt { has_fallback: true, ..self.attempt }, |mut assumed| {
            assumed.keep_offsets(&arrays_of_offsets(op));
            assumed
        });
        let is_better =
            found.value.is_ok() && found.schedule.n_ordered_by_writes() < n_ordered && found.cost() <= usual.cost();
        let extremes =
            if is_better { self.extremes(&found.draft.assumed.clone().unwrap_or_default(), op) } else { None };
        let names = ["no offsets", "offsets as assumed"];
        match extremes {
            Some(extremes) => self.keep_assuming(op, names, [usual, found], extremes),
            None => self.keep(chosen(op.span, [(names[0], usual), (names[1], found)], Taken::First)),
        }
    }
}

/// The arrays whose elements are in sums and remainders.
fn arrays_of_offsets(op: &Op) -> HashSet<ValueId> {
    let mut offsets = Offsets::default();
    op.regions.iter().for_each(|region| for_each_op(region, &mut |op| offsets.op(op)));
    offsets.found
}

/// Where ints come from, as far as ops were looked at.
#[derive(Default)]
struct Offsets {
    /// What views are of, elements too.
    views: HashMap<ValueId, ValueId>,
    /// The arrays whose elements are in a number.
    of: HashMap<ValueId, HashSet<ValueId>>,
    found: HashSet<ValueId>,
}

impl Offsets {
    fn op(&mut self, op: &Op) {
        let adds = |op: &ScalarOp| matches!(op, ScalarOp::Add | ScalarOp::Sub | ScalarOp::Mod);
        let is_sum = match &op.kind {
            kind if kind.is_view() => {
                let of = self.views.get(&op.operands[0]).copied().unwrap_or(op.operands[0]);
                self.views.extend(op.results.iter().map(|view| (*view, of)));
                return;
            }
            OpKind::Scalar(op) => adds(op),
            OpKind::Map(map) if map.rank == 0 => {
                map.body.instrs.iter().any(|instr| matches!(&instr.kind, InstrKind::Op(op, _) if adds(op)))
            }
            OpKind::Item => false,
            _ => return,
        };
        let mut all = HashSet::new();
        for operand in &op.operands {
            all.extend(self.of.get(operand).into_iter().flatten());
            all.extend(self.views.get(operand));
        }
        if is_sum {
            self.found.extend(&all);
        }
        self.of.extend(op.results.iter().map(|result| (*result, all.clone())));
    }
}
