//! Which loops go apart into one that stores and one that accumulates, before nests are made of them.
//!
//! In: a function's body. Out: the same with two loops, the second of them as a reduction, in the place of each loop that stores and accumulates, where
//! the first one is then no single thread's work; and without what loops hand on of their last iterations alone. A loop that stores nothing, but whose
//! iterations end by themselves or have sums of their own, is two as well, if it is no reduction as it stands: its first one stores what is accumulated.
//! One that reads no elements either is two where it has many points, and one with ranges that change from iteration to iteration where what is stored fits.
//! Loops in an outermost loop whose iterations are independent as they are written stay whole: each of its points runs them, and needs no array between
//! two. In a loop that goes on in order, what is in it has only its own iterations to share.

use numptx_ir::array::{LoopWay, Op, OpKind, Region};

use crate::analysis::traverse::{for_each_op, uses_objects};
use crate::loops::canonical::distribute::accumulators::{Divided, has_loops, stores};
use crate::loops::form_nests::worth_dividing::Worth;
use crate::loops::form_nests::{FormNests, touches_elements};
use crate::loops::schedule::slow::is_slow;

/// What is around ops.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    Function,
    Loop,
}

impl FormNests<'_> {
    /// Takes apart the loops of a region; whether there were any.
    pub fn take_apart(&mut self, region: &mut Region) -> bool {
        let (mut ops, mut is_changed) = (Vec::with_capacity(region.ops.len()), false);
        for mut op in std::mem::take(&mut region.ops) {
            let mut after = Vec::new();
            if !uses_objects(self.function, &op) {
                is_changed |= self.settle_final_values(&mut op, &mut after);
            }
            ops.push(op);
            ops.append(&mut after);
        }
        region.ops = ops;
        self.divide_in(region, Around::Function) || is_changed
    }

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
            let whole = is_outermost.then(|| (op.clone(), self.choices.accumulating.clone()));
            let inside = if is_outermost { Around::Loop } else { around };
            let mut is_divided = false;
            for nested in &mut op.regions {
                is_divided |= self.divide_in(nested, inside);
            }
            if let Some((whole, accumulating)) = whole.filter(|_| is_divided)
                && self.has_independent_iterations(&whole)
            {
                (op, is_divided, self.choices.accumulating) = (whole, false, accumulating);
            }
            is_changed |= is_divided;
            ops.push(op);
        }
        region.ops = ops;
        is_changed
    }

    /// Whether a loop as it stands is points, of which there may be many.
    fn has_independent_iterations(&mut self, op: &Op) -> bool {
        if op.kind != OpKind::For || !op.results.is_empty() || self.has_few_iterations(op) {
            return false;
        }
        let best = self.tried(|pass| pass.best_flattened(op));
        let is_points = |way| matches!(way, LoopWay::Parallel | LoopWay::ParallelWithSnapshot);
        best.value.is_ok_and(|ops| !is_slow(&ops)) && best.schedule.strategies(op.span).any(is_points)
    }

    /// Whether a loop is known to have so few iterations that its points would leave most threads without work.
    fn has_few_iterations(&self, op: &Op) -> bool {
        const FEW: i64 = 32;
        let [first, last, step] = [0, 1, 2].map(|n| self.known.constant(op.operands[n]).map(i128::from));
        let count =
            first.zip(last).zip(step.filter(|step| *step != 0)).map(|((first, last), step)| (last - first) / step);
        count.is_some_and(|count| count < i128::from(FEW))
    }

    /// A loop that stores and accumulates as two, if that makes it more than one thread's work; with partial results of its iterations, if not otherwise.
    fn two_of(&mut self, op: &Op) -> Option<Vec<Op>> {
        let has_elements = stores(op) || touches_elements(op);
        if !has_elements && !has_loops(op) || !stores(op) && self.is_reduction(op) {
            return None;
        }
        let worth = if has_elements { Worth::Fitting } else { Worth::Many };
        if let Some(two) = self.two_of_points(op, op, worth) {
            return Some(two);
        }
        let partial = if has_loops(op) { self.with_partial_sums(op)? } else { return None };
        // Where threads share each of few rows, that is better than one for each.
        let worth = if has_elements && self.is_spread(op) { Worth::Rows } else { worth };
        self.two_of_points(&partial, op, worth)
    }

    /// The same, with an element of the arrays between both for each point. `as_written`: the loop where that is not worth it.
    fn two_of_points(&mut self, op: &Op, as_written: &Op, worth: Worth) -> Option<Vec<Op>> {
        let Divided { before, storing, mut accumulating, needs } = self.divided(op)?;
        if needs.has_triangles {
            self.known.learn(self.function, &before);
        }
        let (mut after, mut behind) = (Vec::new(), Vec::new());
        self.settle_final_values(&mut accumulating, &mut after);
        if !accumulating.results.is_empty() {
            behind = self.reduced_always(&accumulating, needs.has_triangles)?;
        }
        if !self.is_spread(&storing) {
            return None;
        }
        let mut note = |op: &Op| {
            if op.kind == OpKind::For && !op.results.is_empty() {
                self.choices.accumulating.insert(op.span);
            }
        };
        note(op);
        for_each_op(&op.regions[0], &mut note);
        if worth == Worth::Fitting && !needs.has_triangles {
            return Some([before, vec![storing], behind, after].concat());
        }
        let (arrays, before) = before.into_iter().partition(|op| matches!(op.kind, OpKind::Alloc { .. }));
        let two = [arrays, vec![storing], behind, after].concat();
        self.where_worth_it(as_written, (before, two), &needs, worth)
    }

    /// Whether a loop as it stands is a reduction.
    fn is_reduction(&mut self, op: &Op) -> bool {
        self.tried(|pass| {
            pass.searched(op).is_some() || pass.reduced(op).is_some() || pass.reduced_flattened(op).is_some()
        })
        .value
    }

    /// Whether a loop runs on more than one thread.
    fn is_spread(&mut self, op: &Op) -> bool {
        self.tried(|pass| pass.best_flattened(op)).value.is_ok_and(|ops| !is_slow(&ops))
    }
}
