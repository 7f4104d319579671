//! What was asked before, and what the answer was: a loop is translated again for each form that is tried, of itself and of the loops around it, and
//! inner loops of several nests make the same systems.
//!
//! In: questions. Out: answers, from before where the question is the same in all that the answer depends on: a whole nest, or all rows of a system.
//! So it does not matter whether a question was asked before. Who asks keeps the answers: nests have them from where they are made.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use crate::loops::dependence::affine::LoopId;
use crate::loops::dependence::found::{Class, Dependence, Interchange, Solutions, Wavefront};
use crate::loops::dependence::nest::Nest;

/// Answers to questions about nests; clones share them.
#[derive(Clone, Debug, Default)]
pub struct Answers(Rc<RefCell<Known>>);

#[derive(Debug, Default)]
struct Known {
    systems: HashMap<Box<[u8]>, Solved>,
    nests: HashMap<Nest, OfNest>,
}

/// What is known of a nest.
#[derive(Debug, Default)]
struct OfNest {
    classes: HashMap<LoopId, Class>,
    dependences: HashMap<LoopId, Vec<Dependence>>,
    /// By the outer loop and the inner ones.
    interchanges: HashMap<(LoopId, Vec<LoopId>), Interchange>,
    /// By the loops around.
    wavefronts: HashMap<Vec<LoopId>, Option<Wavefront>>,
}

/// The answer of a system.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solved {
    pub(crate) solutions: Solutions,
    /// The work that it took.
    pub(crate) rows: u64,
    /// The work that it might take.
    pub(crate) limit: u64,
    /// Whether it is the answer with more work, too.
    pub(crate) is_settled: bool,
}

/// Nests that differ in what was asked of them before are equal.
impl PartialEq for Answers {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Answers {}

impl Hash for Answers {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Answers {
    /// The class of a loop, which `find` finds.
    pub(crate) fn class(&self, nest: &Nest, of: LoopId, find: impl FnOnce() -> Class) -> Class {
        self.of_nest(nest, |known| &mut known.classes, of, find)
    }

    /// The dependences of a loop.
    pub(crate) fn dependences(
        &self,
        nest: &Nest,
        of: LoopId,
        find: impl FnOnce() -> Vec<Dependence>,
    ) -> Vec<Dependence> {
        self.of_nest(nest, |known| &mut known.dependences, of, find)
    }

    /// Whether a loop may go inside others.
    pub(crate) fn interchange(
        &self,
        nest: &Nest,
        (outer, inner): (LoopId, &[LoopId]),
        find: impl FnOnce() -> Interchange,
    ) -> Interchange {
        self.of_nest(nest, |known| &mut known.interchanges, (outer, inner.to_vec()), find)
    }

    /// The schedule of loops.
    pub(crate) fn wavefront(
        &self,
        nest: &Nest,
        around: &[LoopId],
        find: impl FnOnce() -> Option<Wavefront>,
    ) -> Option<Wavefront> {
        self.of_nest(nest, |known| &mut known.wavefronts, around.to_vec(), find)
    }

    fn of_nest<Q: Eq + Hash, A: Clone>(
        &self,
        nest: &Nest,
        answers: impl Fn(&mut OfNest) -> &mut HashMap<Q, A>,
        question: Q,
        find: impl FnOnce() -> A,
    ) -> A {
        let before = self.0.borrow_mut().nests.get_mut(nest).and_then(|known| answers(known).get(&question).cloned());
        if let Some(answer) = before {
            return answer;
        }
        let answer = find();
        let mut known = self.0.borrow_mut();
        let of_nest = known.nests.entry(nest.without_answers()).or_default();
        answers(of_nest).insert(question, answer.clone());
        answer
    }

    /// The answer of a system, by all that it depends on, with at most this work.
    pub(crate) fn solved(&self, key: Box<[u8]>, limit: u64, solve: impl FnOnce() -> Solved) -> Solved {
        let before = self.0.borrow().systems.get(&key).copied();
        if let Some(before) = before.filter(|before| before.holds_within(limit)) {
            return before;
        }
        let solved = solve();
        self.0.borrow_mut().systems.insert(key, solved);
        solved
    }
}

impl Solved {
    fn holds_within(&self, limit: u64) -> bool {
        self.limit == limit || (self.is_settled && self.rows <= limit)
    }
}
