//! Loops around points that data or ints of the program move, and always to different places: `g[k, (i + c[k]) % n] = f[k, i]`, in which each point is
//! one `k`, and `y[b, n] = x[b, n - lag]` for `n` in `range(lag, m)`, in which each is one `b`.
//!
//! In: a loop whose points run loops in them in order, because elements of arrays decide what these write, or indices may count from the end. Out: it
//! with these loops as points, too, where elements are not so large that sums with them wrap, and indices are not negative; elsewhere it is what it was.
//! Decides nothing about places: see `dependence`.

use std::collections::{HashMap, HashSet};

use numptx_ir::array::{Decision, DecisionKind, DependenceKind, LoopWay, Op, OpKind, Reason, ValueId};
use numptx_ir::scalar::{InstrKind, ScalarOp};

use crate::analysis::traverse::for_each_op;
use crate::loops::assumptions::assumed::has_thread;
use crate::loops::form_nests::FormNests;
use crate::loops::schedule::slow::is_slow;

impl FormNests<'_> {
    /// The loop as nests with more points than its usual ones have, if elements that are added to indices leave these apart; else as it is usually.
    /// Decisions about the usual ones begin at a place.
    pub(crate) fn best_with_offsets(&mut self, op: &Op, usual: Vec<Op>, begin: usize) -> Vec<Op> {
        let n_ordered = self.n_ordered_by_writes(begin);
        if op.kind != OpKind::For || n_ordered == 0 {
            return usual;
        }
        let mut assumed = self.assumed(op);
        assumed.keep_offsets(&arrays_of_offsets(op));
        let decisions = self.function.decisions.split_off(begin);
        let at_points = std::mem::take(&mut self.draft.at_points);
        (self.attempt.assumed, self.attempt.unassumed) = (Some(assumed), Some(usual.clone()));
        let found = self.best(op).ok();
        let assumed = self.attempt.assumed.take().unwrap_or_default();
        self.attempt.unassumed = None;
        let is_as_good = |ops: &[Op]| (!has_thread(ops) || has_thread(&usual)) && (!is_slow(ops) || is_slow(&usual));
        if let Some(found) = found.filter(|ops| is_as_good(ops))
            && self.n_ordered_by_writes(begin) < n_ordered
            && let Some(mut ops) = self.extremes(&assumed, op)
        {
            ops.extend(found);
            return ops;
        }
        self.draft.at_points = at_points;
        self.function.decisions.truncate(begin);
        self.function.decisions.extend(decisions);
        usual
    }

    /// How many loops run in order only because iterations may write the same, as decisions from a place on tell.
    fn n_ordered_by_writes(&self, begin: usize) -> usize {
        use LoopWay::{AroundKernels, InPoint, Interchanged, OneThread};
        let is_ordered = |decision: &&Decision| {
            let DecisionKind::Loop { way, reason: Some(Reason::Dependence(of)), .. } = &decision.kind else {
                return false;
            };
            matches!(way, AroundKernels | InPoint | Interchanged | OneThread)
                && of.kind == DependenceKind::Output
                && of.distance.is_none()
        };
        self.function.decisions[begin..].iter().filter(is_ordered).count()
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
