//! Where the threads of a team program wait for each other.
//!
//! In: a team program without barriers. Out: the same with a `barrier` before each step that loads what was stored since the last one, or stores what
//! was loaded or stored since. Tables are taken whole. A `reduce` is a barrier: nobody has its result before all have come to it.

use std::collections::BTreeSet;

use super::{Block, Code, Step, StepKind};

/// What may have been done since the last barrier, by table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Done {
    loaded: BTreeSet<u32>,
    stored: BTreeSet<u32>,
}

impl Done {
    fn join(&mut self, other: Done) {
        self.loaded.extend(other.loaded);
        self.stored.extend(other.stored);
    }

    /// What a step and all in it does.
    fn of(step: &Step) -> Done {
        let mut done = Done::default();
        done.note(step);
        step.blocks.iter().for_each(|block| block.for_each_step(&mut |nested| done.note(nested)));
        done
    }

    fn note(&mut self, step: &Step) {
        match step.kind {
            StepKind::Load(table) => drop(self.loaded.insert(table)),
            StepKind::Store(table) => drop(self.stored.insert(table)),
            _ => {}
        }
    }

    /// Whether what is done next has to wait for this.
    fn must_precede(&self, next: &Done) -> bool {
        !self.stored.is_disjoint(&next.loaded)
            || !self.stored.is_disjoint(&next.stored)
            || !self.loaded.is_disjoint(&next.stored)
    }
}

impl Code {
    /// The program with barriers where its threads have to wait for each other; itself if it is no team program.
    pub fn with_barriers(&self) -> Code {
        let mut code = self.clone();
        if code.is_team() {
            place(&mut code.block, Done::default());
        }
        code
    }
}

/// Places the barriers of a block that begins after `done`; what is done at its end.
fn place(block: &mut Block, mut done: Done) -> Done {
    let mut steps = Vec::with_capacity(block.steps.len());
    for mut step in std::mem::take(&mut block.steps) {
        match step.kind {
            StepKind::If => {
                let mut after = Done::default();
                for nested in &mut step.blocks {
                    after.join(place(nested, done.clone()));
                }
                done = after;
            }
            StepKind::For | StepKind::While => done = repeat(&mut step, done),
            StepKind::Barrier => done = Done::default(),
            _ => {
                let next = Done::of(&step);
                if done.must_precede(&next) {
                    steps.push(Step {
                        kind: StepKind::Barrier,
                        operands: Vec::new(),
                        results: Vec::new(),
                        blocks: Vec::new(),
                    });
                    done = Done::default();
                }
                match step.kind {
                    StepKind::Reduce(_) => done = Done::default(),
                    _ => done.join(next),
                }
            }
        }
        steps.push(step);
    }
    block.steps = steps;
    done
}

/// Places the barriers of a loop, whose iterations follow each other.
fn repeat(step: &mut Step, before: Done) -> Done {
    let mut begin = before;
    loop {
        let mut blocks = step.blocks.clone();
        let (mut end, mut after) = (begin.clone(), begin.clone());
        for (n, block) in blocks.iter_mut().enumerate() {
            end = place(block, end);
            // A `while` ends after its condition.
            if n == 0 && step.kind == StepKind::While {
                after = end.clone();
            }
        }
        if step.kind == StepKind::For {
            after.join(end.clone());
        }
        let mut next = begin.clone();
        next.join(end);
        if next == begin {
            step.blocks = blocks;
            return after;
        }
        begin = next;
    }
}
