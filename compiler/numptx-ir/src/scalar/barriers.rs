//! Where the threads of a cooperative program wait for each other.
//!
//! In: a cooperative program without barriers. Out: the same with a `barrier` before each step that loads what was stored since the last one, or stores what
//! was loaded or stored since; one before a loop takes the place of one in each of its iterations where that is enough. A `reduce` is a barrier: nobody
//! has its result before all have come to it. A `parallel` step that does not need the result of a `reduce` before it moves there where that saves a
//! barrier: what it stores is there for all once they have the result.

use super::footprints::{Accesses, Footprints, defined_in, forget};
use super::merged::{merged_in, told};
use super::{Block, Code, Step, StepKind};

/// Programs with more steps than this keep their order.
const STEPS: usize = 2000;

impl Code {
    /// The program with barriers where its threads have to wait for each other; itself if it is no cooperative program.
    pub fn with_barriers(&self) -> Code {
        if !self.is_cooperative() {
            return self.clone();
        }
        let mut ordered = self.without_known_loads();
        let mut best = ordered.placed();
        while let Some((merged, placed)) = ordered.fewer_steps(&best) {
            (ordered, best) = (merged, placed);
        }
        while let Some((order, placed)) = ordered.fewer_barriers(&best) {
            (ordered, best) = (order, placed);
        }
        best
    }

    /// The program with barriers, its steps in the order that they have.
    fn placed(&self) -> Code {
        let mut code = self.clone();
        Placing { footprints: &Footprints::of(self) }.block(&mut code.block, Accesses::new());
        code
    }

    /// The program without loads of what all threads know.
    fn without_known_loads(&self) -> Code {
        let told = told(self, &self.block, &Footprints::of(self));
        Code { block: told.unwrap_or_else(|| self.block.clone()), ..self.clone() }
    }

    /// The program with two steps as one, one of which needs something of the other, or so that it has fewer barriers, and the same with them.
    fn fewer_steps(&self, best: &Code) -> Option<(Code, Code)> {
        let (mut steps, most) = (0, n_barriers([&best.block].into_iter()));
        self.block.for_each_step(&mut |_| steps += 1);
        if steps > STEPS || most == 0 {
            return None;
        }
        let merged = merged_in(self, &self.block, &Footprints::of(self)).into_iter();
        merged.map(|(block, is_needed)| (Code { block, ..self.clone() }, is_needed)).find_map(|(order, is_needed)| {
            let placed = order.placed();
            let n = n_barriers([&placed.block].into_iter());
            (n < most || (n == most && is_needed)).then_some((order, placed))
        })
    }

    /// The program with one step moved so that it has fewer barriers, and the same with them.
    fn fewer_barriers(&self, best: &Code) -> Option<(Code, Code)> {
        let (mut steps, most) = (0, n_barriers([&best.block].into_iter()));
        self.block.for_each_step(&mut |_| steps += 1);
        if steps > STEPS {
            return None;
        }
        let footprints = Footprints::of(self);
        let moved = moved_in(&self.block, &footprints).into_iter();
        moved.map(|block| Code { block, ..self.clone() }).find_map(|order| {
            let placed = order.placed();
            (n_barriers([&placed.block].into_iter()) < most).then_some((order, placed))
        })
    }
}

fn barrier() -> Step {
    Step { kind: StepKind::Barrier, operands: Vec::new(), results: Vec::new(), blocks: Vec::new() }
}

fn n_barriers<'b>(blocks: impl Iterator<Item = &'b Block>) -> usize {
    let mut n = 0;
    blocks.for_each(|block| block.for_each_step(&mut |step| n += usize::from(step.kind == StepKind::Barrier)));
    n
}

fn conflict(some: &Accesses, others: &Accesses) -> bool {
    some.iter().any(|access| others.iter().any(|other| access.conflicts(other)))
}

/// The block, and the blocks in it, in every order where one `parallel` step has moved before the `reduce` that it follows.
fn moved_in(block: &Block, footprints: &Footprints<'_>) -> Vec<Block> {
    let mut found = Vec::new();
    for (n, step) in block.steps.iter().enumerate() {
        if step.kind == StepKind::Parallel {
            let before = block.steps[..n].iter().rposition(|step| matches!(step.kind, StepKind::Reduce(_)));
            found.extend(before.and_then(|to| moved(block, (to, n), footprints)));
        }
        if matches!(step.kind, StepKind::For | StepKind::While | StepKind::If) {
            for (k, nested) in step.blocks.iter().enumerate() {
                for nested in moved_in(nested, footprints) {
                    let mut block = block.clone();
                    block.steps[n].blocks[k] = nested;
                    found.push(block);
                }
            }
        }
    }
    found
}

/// The block with step `from`, and the scalars that it uses, before step `to`, if that changes nothing.
pub(super) fn moved(block: &Block, (to, from): (usize, usize), footprints: &Footprints<'_>) -> Option<Block> {
    let own = footprints.of_step(&block.steps[from]);
    let between = &block.steps[to..from];
    let is_apart = |step: &Step| !matches!(step.kind, StepKind::Barrier) && !conflict(&own, &footprints.of_step(step));
    if !between.iter().all(is_apart) {
        return None;
    }
    let (mut wanted, mut moving) = (block.steps[from].used(), vec![from]);
    for n in (to..from).rev() {
        let step = &block.steps[n];
        if step.results.iter().any(|val| wanted.contains(val)) {
            if !matches!(step.kind, StepKind::Op(_) | StepKind::Constant(_)) {
                return None;
            }
            wanted.extend(&step.operands);
            moving.push(n);
        }
    }
    moving.reverse();
    let stays = |n: &usize| !moving.contains(n);
    let order = (0..to).chain(moving.iter().copied()).chain((to..block.steps.len()).filter(stays));
    Some(Block { steps: order.map(|n| block.steps[n].clone()).collect(), ..block.clone() })
}

/// Places barriers.
struct Placing<'f, 'c> {
    footprints: &'f Footprints<'c>,
}

impl Placing<'_, '_> {
    /// Those of a block that begins after `done`; what may have been done since the last one at its end.
    fn block(&self, block: &mut Block, mut done: Accesses) -> Accesses {
        let mut steps = Vec::with_capacity(block.steps.len());
        for mut step in std::mem::take(&mut block.steps) {
            match step.kind {
                StepKind::If => {
                    let mut after = Accesses::new();
                    for nested in &mut step.blocks {
                        after.extend(self.block(nested, done.clone()));
                    }
                    done = after;
                }
                StepKind::For | StepKind::While => {
                    if self.saves_some(&step, &done) {
                        steps.push(barrier());
                        done.clear();
                    }
                    done = self.repeat(&mut step, done);
                }
                StepKind::Barrier => done.clear(),
                _ => {
                    let next = self.footprints.of_step(&step);
                    if conflict(&done, &next) {
                        steps.push(barrier());
                        done.clear();
                    }
                    match step.kind {
                        StepKind::Reduce(_) => done.clear(),
                        _ => done.extend(next),
                    }
                }
            }
            steps.push(step);
        }
        block.steps = steps;
        done
    }

    /// Whether a barrier before a loop saves one in each of its iterations.
    fn saves_some(&self, step: &Step, done: &Accesses) -> bool {
        let inside = forget(self.footprints.of_step(step), &defined_in(step));
        if !conflict(done, &inside) {
            return false;
        }
        let [as_it_is, after_one] = [done.clone(), Accesses::new()].map(|before| {
            let mut placed = step.clone();
            self.repeat(&mut placed, before);
            n_barriers(placed.blocks.iter())
        });
        after_one < as_it_is
    }

    /// Those of a loop, whose iterations follow each other, with other values.
    fn repeat(&self, step: &mut Step, before: Accesses) -> Accesses {
        let own = defined_in(step);
        let mut begin = before;
        loop {
            let mut blocks = step.blocks.clone();
            let (mut end, mut after) = (begin.clone(), begin.clone());
            for (n, block) in blocks.iter_mut().enumerate() {
                end = self.block(block, end);
                // A `while` ends after its condition.
                if n == 0 && step.kind == StepKind::While {
                    after = forget(end.clone(), &own);
                }
            }
            let end = forget(end, &own);
            if step.kind == StepKind::For {
                after.extend(end.clone());
            }
            let mut next = begin.clone();
            next.extend(end);
            if next == begin {
                step.blocks = blocks;
                return after;
            }
            begin = next;
        }
    }
}
