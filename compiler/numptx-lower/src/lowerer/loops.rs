//! What loops are told and look for, and the lists that grow in them.

use std::collections::{BTreeMap, BTreeSet};

use numptx_ir::array::ValueId;
use numptx_source::Span;

use crate::lowerer::Point;
use crate::values::iterable::{Iterable, Ordered};
use crate::values::members::Member;
use crate::values::value::Value;

/// A list that a loop appends to.
pub(crate) struct Growing {
    /// Its name, and where it was bound.
    pub name: (String, Span),
    /// The first list that grows in the same loop.
    pub first: usize,
    /// Its members so far, where they are known when compiling.
    pub items: Vec<Value>,
    /// What is appended is made there, so that it has no other name.
    pub is_fresh: bool,
    pub stage: Stage,
}

pub(crate) enum Stage {
    /// The loop is lowered once for each member of a tuple.
    Unrolled,
    /// What a member looks like is to be found; the point before the loop, until then.
    Looking(Option<Point>, Option<Member>),
    /// Members are stored in this array.
    Filling(ValueId),
}

/// Iterators of a program that are, or were, gone through.
#[derive(Debug, Default)]
pub(crate) struct Iterators {
    pub n_made: usize,
    /// Those that a loop goes through, and the indices of the present element.
    pub present: Vec<(usize, Vec<ValueId>)>,
    pub finished: Vec<usize>,
    /// Those that have a name: they may be gone through again, and then have nothing left.
    pub named: Vec<usize>,
}

/// What loops are told and look for.
#[derive(Default)]
pub(crate) struct Loops {
    /// Calls of `numptx.prange`, and headers of loops that a comment states to be independent.
    pub independent: BTreeSet<Span>,
    /// Statements so far that wrote one element of an array.
    pub n_element_writes: usize,
    /// Operations so far that may have changed how many members a list, dictionary or set has.
    pub n_changed_objects: usize,
    /// Lists that the loops around append to.
    pub growing: Vec<Growing>,
    /// Names bound to new lists and not read since, by the number of the call; where they were bound, and in how many loops.
    pub new_lists: BTreeMap<(usize, String), (Span, usize)>,
    /// What `np.nditer` gave.
    pub iterators: Iterators,
}

impl Iterators {
    /// Notes that an iterator has a name.
    pub fn note_name(&mut self, value: &Value) {
        if let Value::Iterable(iterable) = value
            && let Iterable::Ordered(ordered) = &**iterable
        {
            self.named.push(ordered.number);
        }
    }

    /// After its loop an iterator has no element.
    pub fn leave(&mut self, ordered: &Ordered) {
        self.present.retain(|(number, _)| *number != ordered.number);
    }
}
