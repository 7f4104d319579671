//! A function inside a function, as a value.

use std::collections::BTreeMap;
use std::sync::Arc;

use numptx_syntax::ast::Function;

use crate::values::value::Value;

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
