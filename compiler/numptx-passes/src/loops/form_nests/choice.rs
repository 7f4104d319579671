//! Which of its forms a loop takes: reductions with an axis more, nests, one launch of steps, or nests of rows whose length changes.
//!
//! In: a loop. Out: its best form beside the loop as it was, or why there is none.

use numptx_ir::DType;
use numptx_ir::array::{Decision, DecisionKind, LoopWay, Op, OpKind, Region};
use numptx_ir::scalar::ScalarOp;

use crate::analysis::traverse::for_each_op;
use crate::loops::assumptions::bounds_as_written::has_bounds;
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::form_nests::FormNests;
use crate::loops::idioms::batched::reduces_only;
use crate::loops::nest::translate::{Refusal, Refused};
use crate::loops::schedule::one_launch::Otherwise;
use crate::loops::schedule::place::yielding;
use crate::loops::schedule::slow::{has_wavefront, is_one_thread, is_slow};

impl FormNests<'_> {
    /// The loop as nests, under the condition that no check fails; of many points, if not otherwise, then where slices and rows are as long as they say.
    pub fn best(&mut self, op: &Op) -> Result<Vec<Op>, Refused> {
        if let Some(reduced) = self.reduced_at_once(op) {
            return Ok(reduced);
        }
        let n_decisions = self.function.decisions.len();
        self.found.lacks_own = false;
        let usual = self.launched_or_formed(op);
        let usual = self.best_of_split(op, usual, n_decisions);
        let is_spread =
            usual.as_ref().is_ok_and(|ops| ops.last().is_some_and(|choice| !is_slow(&choice.regions[0].ops)));
        let is_team = usual.as_deref().is_ok_and(has_wavefront);
        // Of bounds that are computed little is known, so that nests may ask for more than ever holds.
        let is_settled =
            is_spread && !is_team && !self.found.lacks_own && !has_bounds(self.function, &self.known.constants, op);
        if op.kind != OpKind::For || is_settled || !computes_rows(op) {
            return usual;
        }
        let usual_decisions = self.function.decisions.split_off(n_decisions);
        let (at_points, assumed) = (self.draft.at_points.clone(), self.attempt.assumed.clone());
        self.attempt.otherwise = usual.as_ref().ok().cloned();
        (self.attempt.has_parts, self.found.is_narrow) = (true, false);
        let formed = self.formed(op);
        (self.attempt.has_parts, self.draft.own.work, self.attempt.otherwise) = (false, None, None);
        // Few points are better steps that threads share, and points that check nothing are better.
        let is_narrow = std::mem::take(&mut self.found.is_narrow) && is_team;
        let checks = is_spread && !is_team && !self.draft.at_points.is_empty();
        if let Ok(mut formed) = formed
            && !is_narrow
            && !checks
        {
            // What it is without what is assumed was formed before.
            if usual.is_err() && self.attempt.unassumed.is_none() && self.attempt.unflattened.is_none() {
                self.form_otherwise(&mut formed);
            }
            return Ok(formed);
        }
        (self.draft.at_points, self.attempt.assumed) = (at_points, assumed);
        self.function.decisions.truncate(n_decisions);
        self.function.decisions.extend(usual_decisions);
        usual
    }

    /// The loop with loops in it split at its index, if these go in order without and are parallel then; else its form without.
    fn best_of_split(&mut self, op: &Op, usual: Result<Vec<Op>, Refused>, begin: usize) -> Result<Vec<Op>, Refused> {
        if op.kind != OpKind::For || !self.has_order_inside(op, begin) {
            return usual;
        }
        let Some((split, places)) = self.split_at_index(op) else { return usual };
        let decisions = self.function.decisions.split_off(begin);
        let (at_points, assumed, is_narrow) =
            (self.draft.at_points.clone(), self.attempt.assumed.clone(), self.found.is_narrow);
        // Where it cannot be taken apart it runs as it was written, in whole loops.
        self.attempt.otherwise =
            (self.attempt.unassumed.is_none() && self.attempt.unflattened.is_none()).then(|| vec![op.clone()]);
        let formed = self.launched_or_formed(&split);
        self.attempt.otherwise = None;
        let is_at_once = |decision: &Decision| match decision.kind {
            DecisionKind::Loop { way, .. } => {
                matches!(way, LoopWay::Parallel | LoopWay::Reduction) || !places.contains(&decision.span)
            }
            _ => true,
        };
        let are_at_once = self.function.decisions[begin..].iter().all(is_at_once);
        if formed.is_ok() && are_at_once && self.draft.at_points.is_empty() && !self.has_order_inside(op, begin) {
            return formed;
        }
        self.function.decisions.truncate(begin);
        self.function.decisions.extend(decisions);
        (self.draft.at_points, self.attempt.assumed, self.found.is_narrow) = (at_points, assumed, is_narrow);
        usual
    }

    /// Whether loops in a loop go in order, outside of points, as decisions from `begin` on tell.
    fn has_order_inside(&self, op: &Op, begin: usize) -> bool {
        use LoopWay::{AroundKernels, ElementByElement, Host, OneThread, Phases, TiledPhases, Wavefront};
        self.function.decisions[begin..].iter().any(|decision| match decision.kind {
            DecisionKind::Loop { way, .. } => {
                let is_ordered = matches!(
                    way,
                    AroundKernels | ElementByElement | Host | OneThread | Phases | TiledPhases | Wavefront
                );
                is_ordered && decision.span != op.span
            }
            _ => false,
        })
    }

    /// Forms what is in a loop where it runs as it was.
    fn form_otherwise(&mut self, formed: &mut [Op]) {
        let (n_decisions, at_points) = (self.function.decisions.len(), self.draft.at_points.clone());
        let otherwise = formed.last_mut().and_then(|choice| choice.regions.get_mut(1));
        for op in otherwise.map_or(&mut [][..], |otherwise| &mut otherwise.ops) {
            self.regions_of(op);
        }
        self.function.decisions.truncate(n_decisions);
        self.draft.at_points = at_points;
    }

    /// The loop as nests: as one launch where others would leave it to the host or to one thread.
    fn launched_or_formed(&mut self, op: &Op) -> Result<Vec<Op>, Refused> {
        let n_decisions = self.function.decisions.len();
        let hands_on = op.results.iter().any(|v| self.function.array(*v).is_some_and(|array| array.rank > 0));
        self.found.is_narrow = false;
        let usual = match op.kind {
            _ if hands_on => Err(Refusal("it hands arrays from iteration to iteration").into()),
            OpKind::For => self.formed(op),
            _ => self.once(op),
        };
        let choice = usual.as_ref().ok().and_then(|ops| ops.last());
        let is_wavefront = choice.is_some_and(|choice| has_wavefront(&choice.regions[0].ops));
        let is_slow = choice.is_none_or(|choice| is_slow(&choice.regions[0].ops));
        let is_narrow = std::mem::take(&mut self.found.is_narrow) && !is_slow;
        if !is_wavefront && !is_narrow && !is_slow {
            return usual;
        }
        let usual_decisions = self.function.decisions.split_off(n_decisions);
        // A point of a front is one thread's work: steps that all threads share are better, where there is nothing else. So are they than few points with
        // loops in them that threads could share.
        let is_one_thread = choice.is_some_and(|choice| is_one_thread(&choice.regions[0].ops));
        let Some(launch) = self.one_launch(op, Otherwise { is_wavefront, is_narrow, is_one_thread }) else {
            self.function.decisions.truncate(n_decisions);
            self.function.decisions.extend(usual_decisions);
            return usual;
        };
        let decisions = self.function.decisions.split_off(n_decisions);
        let mut otherwise = match usual {
            Ok(ops) => ops,
            Err(_) if self.attempt.unassumed.is_some() => self.attempt.unassumed.clone().unwrap_or_default(),
            Err(_) if self.attempt.unflattened.is_some() => self.attempt.unflattened.clone().unwrap_or_default(),
            Err(_) => {
                let mut slow = op.clone();
                self.regions_of(&mut slow);
                vec![slow]
            }
        };
        let apart = launch.apart.filter(|_| self.has_steps_inside(op, &otherwise, n_decisions));
        self.function.decisions.truncate(n_decisions);
        self.function.decisions.extend(decisions);
        let names = self.rename(&mut otherwise);
        otherwise.push(yielding(op.results.iter().map(|v| names.resolve(*v)).collect(), op.span));
        let mut then = launch.then;
        then.push(yielding(launch.results, op.span));
        let regions = [then, otherwise].map(|ops| Region { parameters: Vec::new(), ops });
        let mut ops = launch.before;
        let guard = apart.map_or(launch.guard, |apart| {
            let mut host = HostProgram::new(self.function, op.span);
            let together = host.scalar(OpKind::Scalar(ScalarOp::BitNot), vec![apart], DType::Bool);
            let guard = host.scalar(OpKind::Scalar(ScalarOp::BitAnd), vec![launch.guard, together], DType::Bool);
            ops.append(&mut host.ops);
            guard
        });
        let (operands, results) = (vec![guard], op.results.clone());
        ops.push(Op { kind: OpKind::If, operands, results, regions: regions.into(), span: op.span });
        Ok(ops)
    }

    /// Whether a loop stays a loop on the host around nests and launches of steps, as decisions from `begin` on tell.
    fn has_steps_inside(&self, op: &Op, formed: &[Op], begin: usize) -> bool {
        let is_loop = |op: &Op| matches!(op.kind, OpKind::For | OpKind::While);
        let mut decisions = self.function.decisions[begin..].iter();
        let has_steps = decisions.any(|decision| match decision.kind {
            DecisionKind::Loop { way, guard, .. } => way == LoopWay::Phases && guard == Some(decision.span),
            _ => false,
        });
        has_steps
            && formed.iter().filter(|other| is_loop(other)).all(|other| {
                let ops = &other.regions[0].ops;
                other.span == op.span && !ops.iter().any(is_loop) && !is_slow(ops)
            })
    }

    /// The loop as reductions with an axis more, if it is nothing but reductions.
    fn reduced_at_once(&mut self, op: &Op) -> Option<Vec<Op>> {
        if op.kind != OpKind::For || !reduces_only(op) {
            return None;
        }
        let n_decisions = self.function.decisions.len();
        self.attempt.at_once = true;
        let formed = self.formed(op);
        self.attempt.at_once = false;
        if formed.is_err() {
            self.function.decisions.truncate(n_decisions);
        }
        formed.ok()
    }
}

/// Whether a loop takes slices, or computes or makes rows, itself or in loops in it.
fn computes_rows(op: &Op) -> bool {
    let mut computes = false;
    let mut visit = |op: &Op| {
        computes |= match &op.kind {
            OpKind::Map(map) => map.rank > 0,
            OpKind::Store(store) => store.rank > 0,
            OpKind::SliceBounds { .. } | OpKind::BroadcastExtent => true,
            OpKind::Alloc { .. } => !op.operands.is_empty(),
            kind => matches!(kind, OpKind::Reduce(_) | OpKind::StoreReduce(_)),
        }
    };
    op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
    computes
}
