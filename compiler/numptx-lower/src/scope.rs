//! Scopes: the names of one call of a function, and what control flow makes of them.

use std::collections::{BTreeMap, BTreeSet};

use numptx_ir::array::ValueId;
use numptx_source::Span;

use crate::liveness::{Liveness, Names};
use crate::value::Value;

/// What a name stands for at some point.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Binding {
    /// A value, and where it was bound.
    Bound(Value, Span),
    /// It is assigned on some paths only; where it is.
    MaybeUndefined(Span),
    /// Paths join on which its values are too different; where they were bound, and what they were.
    Different(Box<Difference>),
}

/// Two values that cannot be one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Difference {
    /// Where the first was bound, and what it is.
    pub first: (Span, String),
    /// Where the second was bound, and what it is.
    pub second: (Span, String),
}

/// What differs between the branches of a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct State {
    /// Names; those absent have no value yet.
    pub names: BTreeMap<String, Binding>,
    /// Which way out was taken, as `Exits::code`, where that is known at run time only.
    pub exit: Option<ValueId>,
    /// The value of the `return` that was met.
    pub returned: Option<Binding>,
}

/// One call of a function: the exported one at the bottom, inlined ones above.
#[derive(Debug)]
pub(crate) struct Frame {
    /// Position of the function in the module.
    pub function: usize,
    /// Names that the function assigns, its parameters included.
    pub locals: BTreeSet<String>,
    /// What is read after each statement.
    pub liveness: Liveness,
    /// What differs between branches.
    pub state: State,
    /// Names that are read after leaving, or going on with, the enclosing loops; innermost last.
    pub loops: Vec<Names>,
}
