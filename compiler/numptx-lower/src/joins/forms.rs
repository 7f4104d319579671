//! What two values have in common, and how a value crosses the border of a region by its form.

use numptx_ir::array::{Layout, OpKind, Order, Region, Type, ValueId};
use numptx_ir::dtype::Kind;
use numptx_ir::functions::Family;
use numptx_ir::scalar::{Constant, ScalarOp};
use numptx_source::Severity;

use crate::lowerer::Lowerer;
use crate::values::forms::{Form, Leaf};
use crate::values::value::Value;

impl Lowerer<'_> {
    /// What two values have in common. Containers in them are of one type from now on.
    pub fn joined_forms(&mut self, a: &Value, b: &Value) -> Option<Form> {
        let (a, b) = (self.form(a), self.form(b));
        let joined = match self.guessed(&a, &b) {
            Some(known) => known,
            None => a.either(&b)?,
        };
        self.unite_forms(&a, &b);
        Some(joined)
    }

    /// Whether what members are is not known yet, so that this attempt is none, and the next one takes what this one finds.
    pub fn is_guessing(&self) -> bool {
        self.containers.unknown.is_some() && self.reports.iter().all(|r| r.severity < Severity::Error)
    }

    /// The side that is known, where the other one is not yet: both are most likely alike.
    pub fn guessed(&self, a: &Form, b: &Form) -> Option<Form> {
        let unknown = Form::Static(Value::Poison);
        match (a == &unknown, b == &unknown) {
            (true, false) if self.is_guessing() => Some(b.clone()),
            (false, true) if self.is_guessing() => Some(a.clone()),
            _ => None,
        }
    }

    /// States that containers at the same places of two forms are of one type.
    pub fn unite_forms(&mut self, a: &Form, b: &Form) {
        match (a, b) {
            (Form::Container(_, a), Form::Container(_, b)) => self.containers.same(*a, *b),
            (Form::Tuple(a) | Form::List(a) | Form::Made(_, a), Form::Tuple(b) | Form::List(b) | Form::Made(_, b)) => {
                a.iter().zip(b).for_each(|(a, b)| self.unite_forms(a, b));
            }
            (Form::OneOf(_), _) | (_, Form::OneOf(_)) => {
                for form in b.alternatives() {
                    if let Some(n) = a.place_of(form) {
                        self.unite_forms(&a.alternatives()[n], form);
                    }
                }
            }
            _ => {}
        }
    }

    /// What a value looks like.
    pub fn form(&self, value: &Value) -> Form {
        match value {
            Value::Typed(typed) => Form::Leaf(Leaf {
                family: typed.family,
                ty: self.builder.ty(typed.value),
                constant: self.builder.as_constant(typed.value).or(self.numbers.assumed.get(&typed.value).copied()),
                narrower: self.numbers.narrower_of(value),
            }),
            Value::Tuple(items) => Form::Tuple(items.iter().map(|v| self.form(v)).collect()),
            Value::List(items) => Form::List(items.iter().map(|v| self.form(v)).collect()),
            Value::Container(container) => Form::Container(container.sort, container.ty),
            Value::Text(_) => Form::Text,
            Value::OneOf(one) => Form::OneOf(one.members.iter().map(|v| self.form(v)).collect()),
            other => {
                let parts = other.parts();
                if parts.is_empty() {
                    return Form::Static(other.clone());
                }
                Form::Made(other.skeleton(), parts.iter().map(|v| self.form(v)).collect())
            }
        }
    }

    /// Notes which number a value is that crossed as such a form, if all that crossed were that one, and which narrower type it may have.
    pub fn assume(&mut self, form: &Form, value: &Value) {
        match (form, value) {
            (Form::Leaf(Leaf { family, constant, narrower, .. }), Value::Typed(typed)) => {
                if let (Family::Python, Some(constant)) = (family, constant) {
                    self.numbers.assumed.insert(typed.value, *constant);
                }
                narrower.map(|narrower| self.numbers.narrower.insert(typed.value, narrower));
            }
            (Form::Tuple(forms) | Form::List(forms), Value::Tuple(values) | Value::List(values)) => {
                forms.iter().zip(values).for_each(|(form, value)| self.assume(form, value));
            }
            (Form::Made(Value::Record(..), forms), Value::Record(_, values)) => {
                forms.iter().zip(values).for_each(|(form, value)| self.assume(form, value));
            }
            (Form::Made(Value::IfRan(..), forms), Value::IfRan(value, _)) if !forms.is_empty() => {
                self.assume(&forms[0], value);
            }
            _ => {}
        }
    }

    /// The values of a form that a value joined, converted to it.
    pub fn flatten(&mut self, value: &Value, form: &Form) -> Vec<ValueId> {
        match (value, form) {
            (Value::Typed(typed), Form::Leaf(leaf)) => match leaf.ty {
                Type::Scalar(dtype) => match self.host(*typed) {
                    Some(value) => vec![self.builder.cast_scalar(value, dtype)],
                    None => self.dummies(form),
                },
                Type::Array(_) | Type::Object => vec![typed.value],
            },
            (Value::Tuple(values) | Value::List(values), Form::Tuple(forms) | Form::List(forms)) => {
                values.iter().zip(forms).flat_map(|(v, f)| self.flatten(v, f)).collect()
            }
            (value, Form::OneOf(_)) => self.flatten_one_of(value, form),
            (value, Form::Made(Value::IfRan(..), forms)) if !matches!(value, Value::IfRan(..)) => {
                let mut values = forms.first().map_or_else(Vec::new, |form| self.flatten(value, form));
                values.push(self.bool_id(true));
                values
            }
            (value, Form::Made(_, forms)) => {
                value.parts().iter().zip(forms).flat_map(|(v, f)| self.flatten(v, f)).collect()
            }
            (Value::Container(container), Form::Container(..)) => vec![container.value],
            (Value::Text(text), Form::Text) => vec![*text],
            (Value::Str(text), Form::Text) => vec![self.text_constant(text)],
            (_, Form::Static(_)) => Vec::new(),
            _ => self.dummies(form),
        }
    }

    /// Values that are never looked at, on a path that never uses them.
    pub fn dummies(&mut self, form: &Form) -> Vec<ValueId> {
        form.types().into_iter().map(|ty| self.dummy(ty)).collect()
    }

    fn dummy(&mut self, ty: Type) -> ValueId {
        match ty {
            Type::Scalar(dtype) => {
                let zero = match dtype.kind() {
                    Kind::Bool => Constant::Bool(false),
                    Kind::Signed | Kind::Unsigned => Constant::Int(0),
                    Kind::Float => Constant::Float(0.0),
                    Kind::Complex => Constant::Complex(0.0, 0.0),
                };
                self.builder.constant(zero, dtype)
            }
            Type::Array(array) => {
                let zero = self.builder.i64(0);
                let order = if array.layout == Layout::F { Order::F } else { Order::C };
                self.builder.alloc(array.dtype, &vec![zero; array.rank], order)
            }
            Type::Object => self.text_constant(""),
        }
    }

    /// Ends the open region with values.
    pub fn close_with(&mut self, values: Vec<ValueId>) -> Region {
        self.builder.emit(OpKind::Yield, values);
        self.builder.close_region()
    }

    /// The values of a form that is one of several, of a value of one of them: the tag, and those of each alternative.
    pub fn flatten_one_of(&mut self, value: &Value, form: &Form) -> Vec<ValueId> {
        let own: Vec<(Option<usize>, Value)> = match value {
            Value::OneOf(one) => one.members.iter().map(|m| (form.place_of(&self.form(m)), m.clone())).collect(),
            other => vec![(form.place_of(&self.form(other)), other.clone())],
        };
        let mut tag = None;
        for (n, (place, _)) in own.iter().enumerate() {
            let here = self.builder.i64(place.unwrap_or(0) as i64);
            tag = Some(match (tag, value) {
                (Some(before), Value::OneOf(one)) => {
                    let is_it = self.is_tagged(one.tag, n);
                    self.builder.scalar(ScalarOp::Select, &[is_it, here, before])
                }
                _ => here,
            });
        }
        let mut values = vec![tag.unwrap_or_else(|| self.builder.i64(0))];
        for (n, alternative) in form.alternatives().iter().enumerate() {
            match own.iter().find(|(place, _)| *place == Some(n)) {
                Some((_, member)) => values.extend(self.flatten(member, alternative)),
                None => values.extend(self.dummies(alternative)),
            }
        }
        values
    }

    /// Whether a tag is that of a member, as a host bool.
    pub fn is_tagged(&mut self, tag: ValueId, member: usize) -> ValueId {
        let n = self.builder.i64(member as i64);
        self.builder.scalar(ScalarOp::Eq, &[tag, n])
    }
}
