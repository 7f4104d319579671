//! The names that the body of a `try` keeps in memory.

use std::collections::BTreeMap;

use numptx_ir::array::{ArrayType, Layout, Type, ValueId};
use numptx_source::Span;

use crate::values::forms::Form;
use crate::values::scope::Binding;

/// What a name may be where an exception arrives.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Content {
    /// No value: nothing binds it before.
    Nothing,
    /// A value of this form, bound there first. If it `may_be_unset`, a flag tells whether there is one.
    Held { form: Form, span: Span, may_be_unset: bool },
    /// Nothing that has one form.
    Unusable(Binding),
}

impl Content {
    /// What is in the cell, the flag included.
    pub fn form(&self) -> Option<Form> {
        match self {
            Content::Held { form, may_be_unset: true, .. } => Some(form.clone().if_assigned()),
            Content::Held { form, .. } => Some(form.clone()),
            Content::Nothing | Content::Unusable(_) => None,
        }
    }
}

/// A kept name.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// What this attempt assumes.
    pub content: Content,
    /// The list; `None` where nothing has to be held.
    pub memory: Option<ValueId>,
    /// What the next attempt has to assume: the same if this one was right.
    pub next: Content,
}

/// The names that the body of a `try` keeps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept(pub BTreeMap<String, Cell>);

impl Form {
    /// The same as memory holds it: arrays with any strides, NumPy's scalars on the host.
    pub fn held(&self) -> Form {
        self.with_types(&|ty, is_array| match ty {
            Type::Array(array) if is_array => {
                let layout = if array.rank > 0 { Layout::Any } else { array.layout };
                Type::Array(ArrayType { layout, ..array })
            }
            ty => Type::Scalar(ty.dtype()),
        })
    }
}
