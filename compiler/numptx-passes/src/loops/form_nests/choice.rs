//! Which of its forms a loop takes: reductions with an axis more, nests, one launch of phases, or nests of rows whose length changes.
//!
//! In: a loop. Out: its best form beside the loop as it was, or why there is none.

use numptx_ir::DType;
use numptx_ir::array::{Op, OpKind};
use numptx_ir::scalar::ScalarOp;

use crate::analysis::traverse::for_each_op;
use crate::loops::assumptions::bounds_as_written::has_bounds;
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::assumptions::kinds::{Assumption, Kind};
use crate::loops::assumptions::versions::{Version, Versions};
use crate::loops::function::FormNests;
use crate::loops::idioms::batched::reduces_only;
use crate::loops::nest::program::Refusal;
use crate::loops::schedule::attempt::{Attempt, Tried};
use crate::loops::schedule::choose::{Formed, Taken, chosen};
use crate::loops::schedule::cooperative::one_launch::{OneLaunch, Otherwise};
use crate::rewrite::emit::yielding;

impl FormNests<'_> {
    /// The loop as nests, under the condition that no check fails; of many work items, if not otherwise, then where slices and rows are as long as they say.
    pub fn best(&mut self, op: &Op) -> Formed {
        if let Some(reduced) = self.reduced_at_once(op) {
            return Ok(reduced);
        }
        let usual = self.tried(|pass| pass.launched_or_formed(op));
        let usual = self.best_of_split(op, usual);
        let is_spread = usual.value.is_ok() && !usual.schedule.has_slow_launches();
        let is_cooperative = usual.value.is_ok() && usual.schedule.has_cooperative_kernel();
        // Of bounds that are computed little is known, so that nests may ask for more than ever holds.
        let is_settled = is_spread
            && !is_cooperative
            && !usual.found.lacks_own
            && !has_bounds(self.function, &self.known.constants, op);
        if op.kind != OpKind::For || is_settled || !computes_rows(op) {
            return self.keep(usual);
        }
        let mut parts = self.tried_after(&usual, Attempt { has_parts: true, ..self.attempt }, |pass| pass.formed(op));
        // Few work items are better phases that threads share, and work items that check nothing are better.
        let is_narrow = parts.found.is_narrow && is_cooperative;
        let checks = is_spread && !is_cooperative && !parts.draft.at_work_items.is_empty();
        // The host finds out whether work items are worth it: the guard of parts asks for that.
        let forms = |usual, parts| [("rows as they are", usual), ("rows as parts of arrays", parts)];
        if is_narrow || checks || parts.value.is_err() {
            return self.keep(chosen(op.span, forms(usual, parts), Taken::First));
        }
        if let Ok(formed) = &mut parts.value
            && usual.value.is_err()
            && !self.attempt.has_fallback
        {
            formed.as_written = Some(self.as_written(op).value);
        }
        self.keep(chosen(op.span, forms(usual, parts), Taken::SecondElseFirst))
    }

    /// The loop with loops in it split at its index, if these go in order without and are parallel then; else its form without.
    fn best_of_split(&mut self, op: &Op, usual: Tried<Formed>) -> Tried<Formed> {
        if op.kind != OpKind::For || !usual.schedule.has_order_inside(op) {
            return usual;
        }
        let Some((split, places)) = self.split_at_index(op) else { return usual };
        let formed = self.tried_after(&usual, self.attempt, |pass| pass.launched_or_formed(&split));
        let is_better = formed.cost() < usual.cost() && formed.schedule.are_at_once(&places);
        let taken = if is_better { Taken::Second } else { Taken::First };
        chosen(op.span, [("whole index set", usual), ("index-set splitting", formed)], taken)
    }

    /// The loop as it is written, with what is in it formed.
    pub fn as_written(&mut self, op: &Op) -> Tried<Op> {
        self.tried(|pass| {
            let mut as_written = op.clone();
            pass.regions_of(&mut as_written);
            as_written
        })
    }

    /// The loop as nests: as one launch where others would leave it to the host or to one thread.
    fn launched_or_formed(&mut self, op: &Op) -> Formed {
        let carries = op.results.iter().any(|v| self.function.array(*v).is_some_and(|array| array.rank > 0));
        let mut usual = self.tried(|pass| match op.kind {
            _ if carries => Err(Refusal("it carries arrays from iteration to iteration").into()),
            OpKind::For => pass.formed(op),
            _ => pass.once(op),
        });
        let is_wavefront = usual.value.is_ok() && usual.schedule.has_cooperative_kernel();
        let is_slow = usual.value.is_err() || usual.schedule.has_slow_launches();
        let is_narrow = std::mem::take(&mut usual.found.is_narrow) && !is_slow;
        if !is_wavefront && !is_narrow && !is_slow {
            return self.keep(usual);
        }
        // A work item of a wavefront is one thread's work: phases that all threads share are better, where there is nothing else. So are they than few work
        // items with loops in them that threads could share.
        let is_one_thread = usual.value.is_ok() && usual.schedule.is_one_thread();
        let otherwise = Otherwise { is_wavefront, is_narrow, is_one_thread };
        let refusal = Refusal("its threads would share no loop in it");
        let launch =
            self.tried_after(&usual, self.attempt, |pass| pass.one_launch(op, otherwise).ok_or(refusal.into()));
        let is_one = launch.value.is_ok();
        let remarks = [
            usual.remark(op.span, "a kernel for each parallel loop", !is_one),
            launch.remark(op.span, "one cooperative kernel", is_one),
        ];
        let taken = if is_one {
            let one = self.keep(launch)?;
            self.launch_or_usual(op, one, usual)
        } else {
            self.keep(usual)
        };
        remarks.into_iter().for_each(|remark| self.schedule.note(remark));
        taken
    }

    /// One launch where its guard holds, and what the loop is otherwise.
    fn launch_or_usual(&mut self, op: &Op, launch: OneLaunch, usual: Tried<Formed>) -> Formed {
        self.found.add(usual.found);
        let is_usual = usual.value.is_ok();
        let as_written = (!is_usual && !self.attempt.has_fallback).then(|| self.as_written(op));
        let schedule = as_written.as_ref().map_or(&usual.schedule, |as_written| &as_written.schedule);
        let is_around_kernels = as_written.is_none() || !schedule.has_host_loop() && !schedule.has_slow_launches();
        let apart = launch.apart.filter(|_| schedule.has_phases() && is_around_kernels);
        let guard = match apart {
            Some(apart) => {
                let mut host = HostProgram::new(self.function, op.span);
                let together = host.scalar(OpKind::Scalar(ScalarOp::BitNot), vec![apart], DType::Bool);
                let more = vec![Assumption::holds(Kind::EnoughWork, together)];
                let ops = std::mem::take(&mut host.ops);
                self.asking_for(launch.guard, (op.span, &launch.whole), ops, more)
            }
            None => Some(launch.guard),
        };
        let Some(guard) = guard else { return usual.value };
        let mut then = launch.then;
        then.push(yielding(launch.results, op.span));
        let one = Versions::from(Version { before: guard.before, guard: guard.holds, then });
        Ok(Versions { as_written: as_written.map(|tried| tried.value), ..one }.or_any(usual.value))
    }

    /// The loop as reductions with an axis more, if it is nothing but reductions.
    fn reduced_at_once(&mut self, op: &Op) -> Option<Versions> {
        if op.kind != OpKind::For || !reduces_only(op) {
            return None;
        }
        let formed = self.tried_with(Attempt { at_once: true, ..self.attempt }, |pass| pass.formed(op));
        if formed.value.is_ok() { self.keep(formed).ok() } else { None }
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
