//! A call as it is lowered: the values that it gives, and where they stand.

use numptx_source::Span;

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
