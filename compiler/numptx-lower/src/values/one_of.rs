//! Values that are one of several by path, and forms of them. A tag goes along, which tells at run time which one it is.

use numptx_ir::DType;
use numptx_ir::array::{Type, ValueId};

use crate::values::forms::Form;
use crate::values::value::Value;

/// A value that is one of several.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OneOf {
    /// What it may be; no two are of one form.
    pub members: Vec<Value>,
    /// The position of the member that it is, an `int64`.
    pub tag: ValueId,
}

/// The most values that one may be.
const MAX_MEMBERS: usize = 8;

impl OneOf {
    /// Where `None` stands, if it may be that.
    pub fn none(&self) -> Option<usize> {
        self.members.iter().position(|member| *member == Value::None)
    }

    /// The only other member beside `None`.
    pub fn other(&self) -> Option<&Value> {
        match self.members.as_slice() {
            [Value::None, other] | [other, Value::None] => Some(other),
            _ => None,
        }
    }

    /// As a reader of the source would call it, of what each member is called.
    pub fn describe(names: impl Iterator<Item = String>) -> String {
        let names: Vec<String> = names.collect();
        match names.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
            None => "nothing".to_owned(),
        }
    }
}

impl Form {
    /// What both have in common, or one of both. `None` where they are not told apart at run time: numbers of two types, lists of two lengths.
    pub fn either(&self, other: &Form) -> Option<Form> {
        if let Some(joined) = self.join(other) {
            return Some(joined);
        }
        if let (Form::Tuple(a), Form::Tuple(b)) = (self, other)
            && a.len() == b.len()
        {
            return a.iter().zip(b).map(|(a, b)| a.either(b)).collect::<Option<_>>().map(Form::Tuple);
        }
        let mut members = self.alternatives().to_vec();
        let n_own = members.len();
        let mut met = Vec::new();
        for form in other.alternatives() {
            match members[..n_own].iter().position(|member| member.join(form).is_some()) {
                Some(n) if met.contains(&n) => return None,
                Some(n) => {
                    met.push(n);
                    members[n] = members[n].join(form)?;
                }
                None if members.iter().all(|member| member.stands_beside(form)) => members.push(form.clone()),
                None => return None,
            }
        }
        (members.len() <= MAX_MEMBERS).then_some(Form::OneOf(members))
    }

    /// What it may be.
    pub fn alternatives(&self) -> &[Form] {
        match self {
            Form::OneOf(members) => members,
            form => std::slice::from_ref(form),
        }
    }

    /// The place of the alternative that a value of another form becomes here.
    pub fn place_of(&self, form: &Form) -> Option<usize> {
        self.alternatives().iter().position(|own| own.join(form).is_some())
    }

    /// Whether a value may be of either form, and a tag tells of which. Numbers of two types are not: what they compute with would have two, too.
    fn stands_beside(&self, other: &Form) -> bool {
        match (self, other) {
            (Form::Leaf(a), Form::Leaf(b)) => a.is_array() || b.is_array() || a.is_complex() != b.is_complex(),
            (a, b) => a.has_tag() && b.has_tag(),
        }
    }

    /// Whether a value of this form may be one of several.
    fn has_tag(&self) -> bool {
        match self {
            Form::Leaf(_) | Form::Container(..) | Form::Text | Form::Static(Value::None | Value::Str(_)) => true,
            Form::Tuple(members) | Form::Made(Value::Record(..), members) => {
                members.iter().all(|m| m.has_tag() || matches!(m, Form::OneOf(_)))
            }
            _ => false,
        }
    }
}

/// The types of a value that is one of several: the tag's, and those of each.
pub(crate) fn types(members: &[Form]) -> Vec<Type> {
    std::iter::once(Type::Scalar(DType::I64)).chain(members.iter().flat_map(Form::types)).collect()
}
