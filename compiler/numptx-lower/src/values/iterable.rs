//! What a `for` can run over, as a value.

use numptx_ir::array::ValueId;
use numptx_ir::functions::Family;

use crate::values::container_types::Container;
use crate::values::value::Value;

/// Something to iterate whose length is known at run time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Iterable {
    /// `range(lower, upper, step)`; step is not 0 (checked before).
    Range {
        /// First element.
        lower: ValueId,
        /// Bound.
        upper: ValueId,
        /// Step.
        step: ValueId,
    },
    /// The rows of an array of one axis or more.
    Rows(ValueId),
    /// All elements of an array, in C order.
    Elements(ValueId),
    /// The indices of all elements of an array of these extents, in C order: tuples.
    Indices(Vec<ValueId>),
    /// What `np.nditer` goes through.
    Ordered(Box<Ordered>),
    /// The members of a list of run-time length.
    Members(Filled),
    /// `enumerate(inner, start)`
    Enumerate(Box<Iterable>, ValueId),
    /// `zip(…)`
    Zip(Vec<Iterable>),
    /// `reversed(inner)`
    Reversed(Box<Iterable>),
    /// `reversed(list)` of a list of run time that had so many members: it ends where its place is past the list's end.
    Backwards(Container, ValueId),
    /// The members of a list of run time, or the keys of a dictionary or set before it is iterated.
    Container(Container),
    /// The keys, values or pairs of a dictionary before it is iterated.
    Entries(Container, Gives),
    /// A dictionary or a set that is iterated.
    Walk(Box<Walk>),
    /// The characters of a string of run time.
    Text(ValueId),
}

impl Iterable {
    /// Whether it goes through a dictionary or a set.
    pub fn has_walks(&self) -> bool {
        match self {
            Iterable::Walk(_) => true,
            Iterable::Enumerate(inner, _) => inner.has_walks(),
            _ => false,
        }
    }

    /// Whether it iterates over an object.
    pub fn has_objects(&self) -> bool {
        match self {
            Iterable::Container(_)
            | Iterable::Backwards(..)
            | Iterable::Entries(..)
            | Iterable::Walk(_)
            | Iterable::Text(_) => true,
            Iterable::Enumerate(inner, _) | Iterable::Reversed(inner) => inner.has_objects(),
            Iterable::Zip(all) => all.iter().any(Iterable::has_objects),
            Iterable::Range { .. }
            | Iterable::Rows(_)
            | Iterable::Elements(_)
            | Iterable::Indices(_)
            | Iterable::Ordered(_)
            | Iterable::Members(_) => false,
        }
    }
}

/// A list whose length is known at run time, held as an array.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Filled {
    /// The array.
    pub array: ValueId,
    /// The family of the scalars in it.
    pub family: Family,
    /// How many lists are inside one another: so many leading axes are lists, the others those of arrays in them.
    pub depth: usize,
}

/// What an iteration of a dictionary gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gives {
    /// Keys.
    Keys,
    /// Values.
    Values,
    /// Pairs.
    Items,
}

/// A dictionary or a set that is iterated: its keys as they were when that began. Or a deque, whose members are the keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Walk {
    /// The dictionary or set.
    pub of: Container,
    /// The list of its keys.
    pub keys: Container,
    /// How many there were.
    pub size: ValueId,
    /// What an iteration gives.
    pub gives: Gives,
}

impl Iterable {
    /// Whether its length may change while it is iterated.
    pub fn may_change(&self) -> bool {
        match self {
            Iterable::Container(_) | Iterable::Backwards(..) => true,
            Iterable::Enumerate(inner, _) | Iterable::Reversed(inner) => inner.may_change(),
            Iterable::Zip(all) => all.iter().any(Iterable::may_change),
            _ => false,
        }
    }
}

/// What `np.nditer` iterates.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ordered {
    /// The operands, each of these extents, not to be written.
    pub arrays: Vec<ValueId>,
    /// The extents.
    pub extents: Vec<ValueId>,
    /// How many elements come before the next one along each axis.
    pub strides: Vec<ValueId>,
    /// Along which axes it goes backwards: bools. None where that is known to be none.
    pub backwards: Vec<ValueId>,
    /// Whether an operand was given, and no list of them.
    pub is_single: bool,
    /// Which place is asked for: `multi_index`, `c_index`, `f_index`; empty for none.
    pub tracked: &'static str,
    /// Tells iterators apart.
    pub number: usize,
    /// The regions that were open where it was made.
    pub depth: usize,
}

/// Whether a value is a `range`.
pub(crate) fn is_range(value: &Value) -> bool {
    matches!(value, Value::Iterable(iterable) if matches!(**iterable, Iterable::Range { .. }))
}
