//! Loops in order whose iterations make checks around parallel loops: one thread runs them where these are short, else the host, which starts a
//! kernel for each and makes the checks.
//!
//! In: such a loop as a nest of one work item. Out: that, and the loop on the host, and which of both runs.

use numptx_ir::DType;
use numptx_ir::array::{Op, OpKind, Reason, Region};
use numptx_ir::scalar::ScalarOp;

use crate::analysis::traverse::for_each_op;
use crate::loops::assumptions::guards::HostProgram;
use crate::loops::function::FormNests;
use crate::loops::schedule::cooperative::widths::width;
use crate::loops::schedule::cost::CHECKED_ITERATIONS;
use crate::loops::schedule::plan::Plan;
use crate::loops::schedule::tree::Schedule;
use crate::rewrite::emit::yielding;

/// Why iterations go in order that might share their phases otherwise.
pub const MAKES_CHECKS: &str = "each iteration makes a check that depends on data";

impl FormNests<'_> {
    /// What one thread does for a loop that is narrow, and the loop as it is written, which [`FormNests::around_kernels`] makes better. `fast`: the loop as it
    /// was taken apart.
    pub fn where_narrow(&mut self, op: &Op, fast: &Op, plan: &Plan, one_thread: Vec<Op>) -> Vec<Op> {
        let shares = self.long_parallel_loops(fast, plan);
        if shares.parallel.is_empty() {
            return one_thread;
        }
        self.name_check(fast);
        if op.kind != OpKind::For || !op.results.is_empty() {
            return one_thread;
        }
        let (bounds, mut ops) = self.bounds_of_loops(fast, &shares);
        let mut host = HostProgram::new(self.function, op.span);
        let Some(width) = width(&mut host, plan, &shares, &bounds, None) else { return one_thread };
        let wide = host.number(CHECKED_ITERATIONS);
        let narrow = host.scalar(OpKind::Scalar(ScalarOp::Lt), vec![width, wide], DType::Bool);
        ops.append(&mut host.ops);
        self.known.narrow.insert(narrow);
        let mut as_written = vec![op.clone()];
        self.rename(&mut as_written);
        let regions = [one_thread, as_written].map(|mut ops| {
            ops.push(yielding(Vec::new(), op.span));
            Region { parameters: Vec::new(), ops }
        });
        let operands = vec![narrow];
        ops.push(Op { kind: OpKind::If, operands, results: Vec::new(), regions: regions.into(), span: op.span });
        ops
    }

    /// Tells of a check in the place of why iterations go in order: they might share their phases otherwise.
    fn name_check(&mut self, fast: &Op) {
        let mut checks = Vec::new();
        fast.regions.iter().for_each(|region| {
            for_each_op(region, &mut |op| {
                if matches!(op.kind, OpKind::Check { .. }) && self.draft.at_work_items.contains(&op.operands[0]) {
                    checks.push(op.span);
                }
            });
        });
        let named = Reason::Stated { text: MAKES_CHECKS.to_owned(), at: checks.first().copied() };
        self.schedule.give_reason(fast.span, &named);
    }

    /// Makes kernels of the loops in loops that are written beside what one thread does; where these are none, one thread does it. `schedule`: how the
    /// loops run there, `None` if that is told of another version.
    pub fn around_kernels(&mut self, ops: &mut Vec<Op>, mut schedule: Option<&mut Schedule>) {
        for mut op in std::mem::take(ops) {
            if op.kind != OpKind::If {
                ops.push(op);
                continue;
            }
            if !self.known.narrow.remove(&op.operands[0]) {
                for (n, nested) in op.regions.iter_mut().enumerate() {
                    self.around_kernels(&mut nested.ops, schedule.as_deref_mut().filter(|_| n == 0));
                }
                ops.push(op);
                continue;
            }
            if self.is_around_kernels(&mut op, schedule.as_deref_mut()) {
                ops.push(op);
            } else {
                let one_thread = op.regions.swap_remove(0).ops;
                ops.extend(one_thread.into_iter().filter(|op| !op.kind.is_terminator()));
            }
        }
    }

    /// Whether kernels are made of all that the loop which is written does in loops.
    fn is_around_kernels(&mut self, choice: &mut Op, schedule: Option<&mut Schedule>) -> bool {
        let inner = self.tried(|pass| choice.regions[1].ops.iter_mut().for_each(|op| pass.regions_on_host(op)));
        if inner.schedule.is_slow() {
            return false;
        }
        if let Some(schedule) = schedule {
            schedule.put_around(choice.span, inner.schedule);
        }
        true
    }
}
