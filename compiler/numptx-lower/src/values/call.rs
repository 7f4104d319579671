//! A call as it is lowered: the values that it gives, and where they stand; a function inside a function, which is called.

use std::collections::BTreeMap;
use std::sync::Arc;

use numptx_source::Span;
use numptx_syntax::ast::Function;

use crate::values::value::Value;

/// A call with its arguments evaluated.
#[derive(Clone)]
pub(crate) struct Call {
    /// Positional arguments.
    pub positional: Vec<Value>,
    /// Keyword arguments in order.
    pub keywords: Vec<(String, Value, Span)>,
    /// Where the positional ones stand.
    pub places: Vec<Span>,
    /// The whole call.
    pub span: Span,
}

impl Call {
    /// Whether a tuple among the arguments has a member that is known.
    pub fn is_partly_known(&self) -> bool {
        let is_known = |v: &Value| matches!(v, Value::Tuple(items) if items.iter().any(|item| !item.is_poison()));
        self.positional.iter().any(is_known)
    }

    pub fn is_poison(&self) -> bool {
        self.positional.iter().chain(self.keywords.iter().map(|(_, v, _)| v)).any(Value::is_poison)
    }
}

/// A call with one argument.
pub(crate) fn single(value: Value, span: Span) -> Call {
    Call { positional: vec![value], keywords: Vec::new(), places: vec![span], span }
}

/// Where a function inside a function finds the names that it does not assign itself.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Enclosing {
    /// At module level.
    Module,
    /// In the call with this number, as they are when they are read.
    Call(usize),
    /// In a call that is over: its names as they were then.
    Kept(BTreeMap<String, Value>),
}

/// A function inside a function, as a value.
#[derive(Clone, Debug)]
pub(crate) struct Closure {
    /// Its definition.
    pub function: Arc<Function>,
    /// Its parameters' defaults, evaluated where it was defined.
    pub defaults: Vec<Option<Value>>,
    /// Its other names.
    pub enclosing: Enclosing,
}

impl PartialEq for Closure {
    fn eq(&self, other: &Closure) -> bool {
        Arc::ptr_eq(&self.function, &other.function)
            && self.defaults == other.defaults
            && self.enclosing == other.enclosing
    }
}
