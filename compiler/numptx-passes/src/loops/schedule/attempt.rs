//! What a form of a loop is made with, and what it gives.
//!
//! In: what forms a loop. Out: what it gave, with its schedule and what it found out. It has a state of its own, which is taken only with the form.

use std::collections::HashSet;

use numptx_ir::array::{Accumulation, ValueId};
use numptx_source::Span;

use crate::loops::assumptions::assumed::Assumed;
use crate::loops::assumptions::kinds::Kind;
use crate::loops::idioms::updates::Updates;
use crate::loops::nest::rows::originals::Reductions;
use crate::loops::schedule::tree::Schedule;
use crate::loops::storage::expanded_arrays::ExpandedArrays;

/// What a loop is formed with.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Attempt {
    /// Whether slices are taken to have the bounds that are written, and rows the extents that they are broadcast to, so that rows whose length changes
    /// from iteration to iteration are parts of larger arrays.
    pub has_parts: bool,
    /// Whether the loop is to be reductions with an axis more, or nothing.
    pub at_once: bool,
    /// Whether arrays that iterations make without elements stay where they are made.
    pub leaves_empty: bool,
    /// Whether no work item may check anything.
    pub refuses_checks: bool,
    /// Whether another form runs where this one is not right: it need not care for what is in the loop as it is written.
    pub has_fallback: bool,
    /// Whether it stands in a loop on the host: an iteration starts its kernels, of which several with more work items each are better.
    pub is_repeated: bool,
}

/// When work items have arrays of their own.
#[derive(Clone, Default)]
pub struct PrivatisedArrays {
    /// How many elements the largest phase of an iteration computes and reads, where work items may have such arrays.
    pub work: Option<ValueId>,
    /// The conditions on which it is worth it that they have, the last one after all that they are of.
    pub worth: Vec<(Kind, ValueId)>,
}

impl PrivatisedArrays {
    /// Adds the conditions of what is taken beside it.
    pub fn add(&mut self, other: PrivatisedArrays) {
        other
            .worth
            .into_iter()
            .for_each(|condition| self.worth.extend((!self.worth.contains(&condition)).then_some(condition)));
    }
}

/// The indices of loops that look at copies.
pub type ReadsOfCopies = HashSet<ValueId>;

/// The loop that is taken apart, as its copies are named.
#[derive(Clone)]
pub(crate) struct Draft {
    /// The assumptions about data that it may make; once it is a program, those that it makes.
    pub assumed: Option<Assumed>,
    /// The array that its work items set where a check fails.
    pub fault: ValueId,
    /// The conditions of these checks.
    pub at_work_items: HashSet<ValueId>,
    /// The conditions that digits of indices have to fulfil: the host is to know them before the loop.
    pub of_digits: HashSet<ValueId>,
    /// Its results that nobody uses: they are 0.
    pub unused: HashSet<ValueId>,
    /// See [`Surroundings::broadcasts`].
    pub broadcasts: HashSet<ValueId>,
    /// Arrays of which each iteration has its own.
    pub temporaries: ExpandedArrays,
    /// Which of its stores update.
    pub updates: Updates,
    /// Which of its loops combine what may be combined in any order.
    pub reductions: Reductions,
    /// Loops that are parallel because reads look at copies.
    pub ahead: ReadsOfCopies,
    /// Loops of a launch whose iterations are independent.
    pub shared_spans: HashSet<Span>,
    /// Arrays that its work items have of their own.
    pub own: PrivatisedArrays,
}

impl Draft {
    pub fn new() -> Self {
        Draft {
            assumed: None,
            fault: ValueId(0),
            at_work_items: HashSet::new(),
            of_digits: HashSet::new(),
            unused: HashSet::new(),
            broadcasts: HashSet::new(),
            temporaries: ExpandedArrays::new(),
            updates: Updates::default(),
            reductions: Reductions::new(),
            ahead: ReadsOfCopies::new(),
            shared_spans: HashSet::new(),
            own: PrivatisedArrays::default(),
        }
    }
}

/// What trying a loop found out beside its nests.
#[derive(Default)]
pub(crate) struct Found {
    /// Whether a nest was made of one axis only, though threads could share loops in its work items.
    pub is_narrow: bool,
    /// Whether a launch was made in which loops run in work items that could be phases, but for scalars of these.
    pub is_stuck: bool,
    /// Whether a loop would have been work items, had these had arrays of their own.
    pub lacks_own: bool,
    /// What a loop accumulates that is no scan only because it is rounded as written.
    pub rounded: Option<Accumulation>,
}

impl Found {
    pub fn add(&mut self, other: Found) {
        self.is_narrow |= other.is_narrow;
        self.is_stuck |= other.is_stuck;
        self.lacks_own |= other.lacks_own;
        self.rounded = self.rounded.or(other.rounded);
    }
}

/// What trying something gave.
pub(crate) struct Tried<T> {
    pub value: T,
    /// How its loops run.
    pub schedule: Schedule,
    pub found: Found,
    /// The loop as it was taken apart.
    pub draft: Draft,
    /// Whether there are kernels in it.
    pub is_changed: bool,
}
