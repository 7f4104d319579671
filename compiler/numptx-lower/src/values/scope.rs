//! Scopes: the names of one call of a function, and what control flow makes of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use numptx_ir::array::ValueId;
use numptx_source::Span;
use numptx_syntax::ast::Function;

use crate::syntax::liveness::{Liveness, Names};
use crate::values::closure::Enclosing;
use crate::values::kept::Kept;
use crate::values::value::Value;

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
    /// Whether both are or hold lists, or one does and the other is `None`: lists of run time may be one, or one of several.
    pub are_lists: bool,
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

/// Which function a call is of.
#[derive(Clone, Debug)]
pub(crate) enum Callee {
    /// A function of the file by its position.
    Module(usize),
    /// A function inside a function, or a `lambda`.
    Local(Arc<Function>),
    /// A comprehension, which has names of its own.
    Comprehension,
}

/// One call of a function: the exported one at the bottom, inlined ones above.
#[derive(Debug)]
pub(crate) struct Frame {
    /// The function.
    pub callee: Callee,
    /// The number of the call; no other has it.
    pub number: usize,
    /// How many calls lead there.
    pub path_length: usize,
    /// Where names are found that are not its own.
    pub enclosing: Enclosing,
    /// What its parameters were bound to.
    pub arguments: BTreeMap<String, Binding>,
    /// Names that the function assigns, its parameters included.
    pub locals: BTreeSet<String>,
    /// What is read after each statement.
    pub liveness: Liveness,
    /// What differs between branches.
    pub state: State,
    /// Values of the statement being lowered that no name is bound to yet: what a tuple target, or a loop over a tuple, takes next.
    pub waiting: Vec<Value>,
    /// What stands around it.
    pub around: Around,
}

/// Loops and `try` around a statement, innermost last.
#[derive(Debug, Default)]
pub(crate) struct Around {
    /// Names that are read after leaving, or going on with, the loops.
    pub loops: Vec<Names>,
    /// How many regions were open where the loops that are ops begin.
    pub loop_depths: Vec<usize>,
    /// What the handlers caught: its kind, and its text.
    pub caught: Vec<(ValueId, ValueId)>,
    /// Names that the bodies of `try` keep.
    pub kept: Vec<Kept>,
    /// Names that are read from the `finally` blocks on.
    pub finally: Vec<Names>,
}
