//! Classes of records, as values.

use std::sync::Arc;

use numptx_syntax::ast::{Constant, ExprKind, Method, Record, RecordKind};

/// A class of records.
#[derive(Clone, Debug)]
pub(crate) struct Class(pub Arc<Record>);

impl PartialEq for Class {
    fn eq(&self, other: &Class) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Class {
    /// Whether instances are tuples.
    pub fn is_tuple(&self) -> bool {
        self.0.kind == RecordKind::NamedTuple
    }

    /// The position of a field.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.0.fields.iter().position(|field| field.name == name)
    }

    pub fn method(&self, name: &str) -> Option<&Method> {
        self.0.methods.iter().find(|method| method.function.name == name)
    }

    /// `x`, `y` and `z`, as a message names them.
    pub fn named_fields(&self) -> String {
        let names: Vec<String> = self.0.fields.iter().map(|field| format!("`{}`", field.name)).collect();
        names.join(", ")
    }

    /// A call that makes an instance with another field, as a help shows it.
    pub fn made(&self, field: &str) -> String {
        if self.is_tuple() { format!("p._replace({field}=1.0)") } else { format!("replace(p, {field}=1.0)") }
    }
}

pub(crate) fn class_of(constant: &Constant) -> Option<Class> {
    match &constant.value.kind {
        ExprKind::Record(record) => Some(Class(record.clone())),
        _ => None,
    }
}
