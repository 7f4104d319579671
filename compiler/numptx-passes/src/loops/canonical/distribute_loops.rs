//! **Does**: distributes a loop that stores and accumulates over two: one that stores, and a reduction of what it leaves in arrays. A loop whose
//! iterations have loops or sums of their own is two as well, if it is no reduction as it stands.
//! **Requires**: phase Placed.
//! **Ensures**: a loop that accumulates what it stores is no single thread's work if without its sums it would not be. Loops stay whole in an outermost one
//! whose iterations are independent as they are written: each runs them, and needs no array between two.
//! **Keeps**: values, but floats are rounded as by reductions. Where arrays may not fit, or few iterations make two loops slower, the loop runs as written.
//! **Example**: `for %i { store f(%x[%i]) to %y[%i]; %s += g(%x[%i]) }` becomes `for %i { store f(%x[%i]) to %y[%i]; store g(%x[%i]) to %t[%i] }` and
//! `reduce add (%t)`.

use numptx_ir::array::{LoopStrategy, Module, Op, OpKind, Region};
use numptx_source::InternalError;

use crate::Pass;
use crate::analysis::traverse::uses_objects;
use crate::loops::canonical::distribute::accumulators::{Divided, has_loops, stores};
use crate::loops::canonical::distribute::worth::Worth;
use crate::loops::canonical::last_values::LastValues;
use crate::loops::form_nests::touches_elements;
use crate::loops::function::{FormNests, Rounding, Settings, over_bodies};
use crate::loops::schedule::cost::FEW_ITERATIONS;

/// See the file's header.
pub const DISTRIBUTE_LOOPS: Pass =
    Pass::optional("distribute-loops", "make two loops of one that stores and accumulates", distribute_loops);

fn distribute_loops(module: &mut Module) -> Result<(), InternalError> {
    over_bodies(module, &Settings::new(Rounding::AsWritten), |pass, body| {
        pass.is_changed = pass.divide_in(body, Around::Function);
    });
    Ok(())
}

/// What is around ops.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    Function,
    Loop,
}

impl FormNests<'_> {
    fn divide_in(&mut self, region: &mut Region, around: Around) -> bool {
        let (mut ops, mut is_changed) = (Vec::with_capacity(region.ops.len()), false);
        for mut op in std::mem::take(&mut region.ops) {
            if !uses_objects(self.function, &op)
                && let Some(mut two) = self.two_of(&op)
            {
                is_changed = true;
                ops.append(&mut two);
                continue;
            }
            let is_outermost = around == Around::Function && matches!(op.kind, OpKind::For | OpKind::While);
            let whole = is_outermost.then(|| op.clone());
            let inside = if is_outermost { Around::Loop } else { around };
            let mut is_divided = false;
            for nested in &mut op.regions {
                is_divided |= self.divide_in(nested, inside);
            }
            if let Some(whole) = whole.filter(|_| is_divided)
                && self.has_independent_iterations(&whole)
            {
                (op, is_divided) = (whole, false);
            }
            is_changed |= is_divided;
            ops.push(op);
        }
        region.ops = ops;
        is_changed
    }

    /// Whether a loop as it stands is work items, of which there may be many.
    fn has_independent_iterations(&mut self, op: &Op) -> bool {
        if op.kind != OpKind::For || !op.results.is_empty() || self.has_few_iterations(op) {
            return false;
        }
        let best = self.tried(|pass| pass.best_delinearised(op));
        let is_work_items = |way| matches!(way, LoopStrategy::Parallel | LoopStrategy::ParallelWithSnapshot);
        best.value.is_ok() && !best.schedule.has_slow_launches() && best.schedule.strategies(op.span).any(is_work_items)
    }

    /// Whether a loop is known to have so few iterations that its work items would leave most threads without work.
    fn has_few_iterations(&self, op: &Op) -> bool {
        let [first, last, step] = [0, 1, 2].map(|n| self.known.constant(op.operands[n]).map(i128::from));
        let count =
            first.zip(last).zip(step.filter(|step| *step != 0)).map(|((first, last), step)| (last - first) / step);
        count.is_some_and(|count| count < i128::from(FEW_ITERATIONS))
    }

    /// A loop that stores and accumulates as two, if that makes it more than one thread's work; with partial results of its iterations, if not otherwise.
    fn two_of(&mut self, op: &Op) -> Option<Vec<Op>> {
        let has_elements = stores(op) || touches_elements(op);
        if !has_elements && !has_loops(op) || !stores(op) && self.is_reduction(op) {
            return None;
        }
        let worth = if has_elements { Worth::Fitting } else { Worth::Many };
        if let Some(two) = self.two_of_work_items(op, op, worth) {
            return Some(two);
        }
        let partial = if has_loops(op) { self.in_two_levels(op)? } else { return None };
        // Where threads share each of few rows, that is better than one for each.
        let worth = if has_elements && self.is_spread(op) { Worth::Rows } else { worth };
        self.two_of_work_items(&partial, op, worth)
    }

    /// The same, with an element of the arrays between both for each work item. `as_written`: the loop where that is not worth it.
    fn two_of_work_items(&mut self, op: &Op, as_written: &Op, worth: Worth) -> Option<Vec<Op>> {
        let Divided { before, storing, mut accumulating, needs } = self.divided(op)?;
        if needs.has_bounding_boxes {
            self.known.learn(self.function, &before);
        }
        let (mut after, mut behind) = (Vec::new(), Vec::new());
        LastValues { function: self.function, constants: &mut self.known.constants }
            .compute_after(&mut accumulating, &mut after);
        if !accumulating.results.is_empty() {
            behind = self.reduced_always(&accumulating, needs.has_bounding_boxes)?;
        }
        if !self.is_spread(&storing) {
            return None;
        }
        if worth == Worth::Fitting && !needs.has_bounding_boxes {
            return Some([before, vec![storing], behind, after].concat());
        }
        let (arrays, before) = before.into_iter().partition(|op| matches!(op.kind, OpKind::Alloc { .. }));
        let two = [arrays, vec![storing], behind, after].concat();
        self.where_worth_it(as_written, (before, two), &needs, worth)
    }

    /// Whether a loop as it stands is a reduction.
    fn is_reduction(&mut self, op: &Op) -> bool {
        self.tried(|pass| {
            pass.searched(op).is_some() || pass.reduced(op).is_some() || pass.reduced_delinearised(op).is_some()
        })
        .value
    }

    /// Whether a loop runs on more than one thread.
    fn is_spread(&mut self, op: &Op) -> bool {
        let best = self.tried(|pass| pass.best_delinearised(op));
        best.value.is_ok() && !best.schedule.has_slow_launches()
    }
}
