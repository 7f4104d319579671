//! Forms: what a value looks like when it crosses the border of a region, and what two values have in common.
//!
//! Only scalars and arrays cross; everything else (strings, dtypes, functions) must be the same on both sides.

use numptx_ir::DType;
use numptx_ir::array::{ArrayType, Layout, OpKind, Order, Region, Type, ValueId};
use numptx_ir::dtype::Kind;
use numptx_ir::functions::binding::describe_display;
use numptx_ir::functions::{Family, Typed};
use numptx_ir::promotion::{convert_constant, integer_fits};
use numptx_ir::scalar::Constant;
use numptx_source::Severity;

use crate::containers::{Container, Sort, TypeId};
use crate::lowerer::Lowerer;
use crate::narrower::may_begin_as;
use crate::one_of::{self, OneOf};
use crate::value::{Value, python_name};

/// What a value looks like.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Form {
    /// A scalar or an array.
    Leaf(Leaf),
    /// A tuple.
    Tuple(Vec<Form>),
    /// A list.
    List(Vec<Form>),
    /// A closure, a method, an iterator: what is known of it when compiling, and its parts.
    Made(Value, Vec<Form>),
    /// A list, a dictionary or a set of run time.
    Container(Sort, TypeId),
    /// A string of run time.
    Text,
    /// One of several.
    OneOf(Vec<Form>),
    /// Known when compiling.
    Static(Value),
}

/// A scalar's or array's form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Leaf {
    family: Family,
    ty: Type,
    /// Its value where it is known, to see whether a Python int fits a NumPy type.
    constant: Option<Constant>,
    /// The type that the number may still have in Python: see `narrower.rs`.
    narrower: Option<DType>,
}

impl Leaf {
    /// Whether it is an array.
    pub fn is_array(&self) -> bool {
        self.family == Family::Array
    }

    /// Whether it is complex.
    pub fn is_complex(&self) -> bool {
        self.ty.dtype().is_complex()
    }
}

impl Form {
    /// Types of the values that cross.
    pub fn types(&self) -> Vec<Type> {
        match self {
            Form::Leaf(leaf) => vec![leaf.ty],
            Form::Tuple(items) | Form::List(items) | Form::Made(_, items) => {
                items.iter().flat_map(Form::types).collect()
            }
            Form::Container(..) | Form::Text => vec![Type::Object],
            Form::OneOf(members) => one_of::types(members),
            Form::Static(_) => Vec::new(),
        }
    }

    /// The same without constants and with any strides, and scalars on the host: what a parameter looks like.
    pub fn widened(&self) -> Form {
        let all = |items: &[Form]| items.iter().map(Form::widened).collect();
        match self {
            Form::Leaf(leaf) => {
                let ty = match leaf.ty {
                    Type::Array(array) if leaf.family == Family::Numpy => Type::Scalar(array.dtype),
                    Type::Array(array) if array.rank > 0 => Type::Array(ArrayType { layout: Layout::Any, ..array }),
                    ty => ty,
                };
                Form::Leaf(Leaf { ty, constant: None, narrower: None, ..*leaf })
            }
            Form::Tuple(items) => Form::Tuple(all(items)),
            Form::List(items) => Form::List(all(items)),
            Form::OneOf(members) => Form::OneOf(all(members)),
            Form::Made(value, parts) => Form::Made(value.clone(), all(parts)),
            // A string that is passed may be any.
            other => other.clone(),
        }
    }

    /// The same with other types of its scalars and arrays; `change` is told which are arrays.
    pub fn with_types(&self, change: &dyn Fn(Type, bool) -> Type) -> Form {
        let all = |items: &[Form]| items.iter().map(|form| form.with_types(change)).collect();
        match self {
            Form::Leaf(leaf) => Form::Leaf(Leaf { ty: change(leaf.ty, leaf.is_array()), ..*leaf }),
            Form::Tuple(items) => Form::Tuple(all(items)),
            Form::List(items) => Form::List(all(items)),
            Form::OneOf(members) => Form::OneOf(all(members)),
            Form::Made(value, parts) => Form::Made(value.clone(), all(parts)),
            other => other.clone(),
        }
    }

    /// The same of a value that may not be there.
    pub fn if_assigned(self) -> Form {
        if let Form::Made(Value::IfRan(..), _) = self {
            return self;
        }
        let ty = Type::Scalar(DType::Bool);
        let flag = Leaf { family: Family::Python, ty, constant: None, narrower: None };
        let skeleton = Value::IfRan(Box::new(Value::python(ValueId(0))), ValueId(0));
        Form::Made(skeleton, vec![self, Form::Leaf(flag)])
    }

    /// Whether this is a NumPy scalar that may be an int of Python there.
    pub fn may_be_int(&self) -> bool {
        matches!(self, Form::Leaf(Leaf { family: Family::Numpy, narrower: Some(_), .. }))
    }

    /// The same of a NumPy scalar that is one in Python, too.
    pub fn settled(&self) -> Form {
        match self {
            Form::Leaf(leaf) if self.may_be_int() => Form::Leaf(Leaf { narrower: None, ..*leaf }),
            other => other.clone(),
        }
    }

    /// What a loop hands on that begins with this: of zeros nothing shows whether they are Python's.
    pub fn join_in_loop(&self, other: &Form) -> Option<Form> {
        let joined = self.join(other)?;
        let is_zero = matches!(self, Form::Leaf(Leaf { constant: Some(Constant::Int(0)), .. }));
        Some(if is_zero && !other.may_be_int() { joined.settled() } else { joined })
    }

    /// As a reader of the source would call it.
    pub fn describe(&self, lowerer: &Lowerer<'_>) -> String {
        match self {
            Form::Leaf(leaf) => {
                let name = leaf.ty.dtype();
                match leaf.family {
                    Family::Python => format!("a Python `{}`", python_name(name)),
                    Family::Numpy => format!("a NumPy `{name}` scalar"),
                    Family::Array => match leaf.ty {
                        Type::Array(array) => format!("a `{name}` array of {} axes", array.rank),
                        Type::Scalar(_) | Type::Object => format!("a `{name}` array"),
                    },
                }
            }
            Form::Tuple(items) => describe_display("tuple", items.len()),
            Form::List(items) => describe_display("list", items.len()),
            Form::Made(Value::IfRan(..), parts) if !parts.is_empty() => parts[0].describe(lowerer),
            Form::Container(sort, _) => format!("a `{}`", sort.name()),
            Form::Text => "a string".into(),
            Form::OneOf(members) => OneOf::describe(members.iter().map(|member| member.describe(lowerer))),
            Form::Static(value) | Form::Made(value, _) => value.describe(&lowerer.builder),
        }
    }

    /// The value made of what crossed.
    pub fn rebuild(&self, values: &mut impl Iterator<Item = ValueId>) -> Value {
        match self {
            Form::Leaf(leaf) => match values.next() {
                Some(value) => Value::Typed(Typed { value, family: leaf.family }),
                None => Value::Poison,
            },
            Form::Tuple(items) => Value::Tuple(items.iter().map(|f| f.rebuild(values)).collect()),
            Form::List(items) => Value::List(items.iter().map(|f| f.rebuild(values)).collect()),
            Form::Made(skeleton, parts) => skeleton.with_parts(parts.iter().map(|f| f.rebuild(values)).collect()),
            Form::Container(sort, ty) => match values.next() {
                Some(value) => Value::Container(Container { value, sort: *sort, ty: *ty }),
                None => Value::Poison,
            },
            Form::Text => values.next().map_or(Value::Poison, Value::Text),
            Form::OneOf(members) => match values.next() {
                Some(tag) => {
                    let members = members.iter().map(|f| f.rebuild(values)).collect();
                    Value::OneOf(Box::new(OneOf { members, tag }))
                }
                None => Value::Poison,
            },
            Form::Static(value) => value.clone(),
        }
    }

    /// What both have in common, or `None` if no value of the program could be either.
    pub fn join(&self, other: &Form) -> Option<Form> {
        let all = |a: &[Form], b: &[Form]| {
            (a.len() == b.len()).then(|| a.iter().zip(b).map(|(a, b)| a.join(b)).collect::<Option<Vec<_>>>()).flatten()
        };
        match (self, other) {
            (Form::Static(Value::Poison), _) | (_, Form::Static(Value::Poison)) => Some(Form::Static(Value::Poison)),
            (Form::Leaf(a), Form::Leaf(b)) => join_leaves(*a, *b).map(Form::Leaf),
            (Form::Tuple(a), Form::Tuple(b)) => all(a, b).map(Form::Tuple),
            (Form::List(a), Form::List(b)) => all(a, b).map(Form::List),
            (Form::Made(a, x), Form::Made(b, y)) if a == b => all(x, y).map(|parts| Form::Made(a.clone(), parts)),
            (Form::Made(skeleton @ Value::IfRan(..), parts), bound)
            | (bound, Form::Made(skeleton @ Value::IfRan(..), parts)) => {
                let [value, ran] = parts.as_slice() else { return None };
                let known = Leaf {
                    family: Family::Python,
                    ty: Type::Scalar(DType::Bool),
                    constant: Some(Constant::Bool(true)),
                    narrower: None,
                };
                let parts = vec![value.join(bound)?, ran.join(&Form::Leaf(known))?];
                Some(Form::Made(skeleton.clone(), parts))
            }
            (Form::Static(a), Form::Static(b)) if a == b => Some(self.clone()),
            // Whoever joins them states that they are of one type.
            (Form::Container(a, _), Form::Container(b, _)) if a == b => Some(self.clone()),
            (Form::OneOf(a), Form::OneOf(b)) if a.len() == b.len() => all(a, b).map(Form::OneOf),
            (Form::Text | Form::Static(Value::Str(_)), Form::Text | Form::Static(Value::Str(_))) => Some(Form::Text),
            _ => None,
        }
    }
}

fn join_leaves(a: Leaf, b: Leaf) -> Option<Leaf> {
    let constant = a.constant.filter(|c| b.constant == Some(*c));
    let (x, y) = (a.ty.dtype(), b.ty.dtype());
    let leaf = |family, ty| Some(Leaf { family, ty, constant, narrower: None });
    let python = |ty, narrower| Some(Leaf { family: Family::Python, ty, constant, narrower });
    let own = |leaf: Leaf| leaf.narrower.unwrap_or(leaf.ty.dtype());
    match (a.family, b.family) {
        (Family::Python, Family::Python) if x == y => python(a.ty, a.narrower.into_iter().chain(b.narrower).min()),
        (Family::Python, Family::Python) if may_begin_as(a.constant, y) => python(b.ty, Some(own(a).min(own(b)))),
        (Family::Python, Family::Python) if may_begin_as(b.constant, x) => python(a.ty, Some(own(a).min(own(b)))),
        (Family::Numpy, Family::Numpy) if x == y => {
            let ty = join_places(a.ty, b.ty);
            Some(Leaf { family: Family::Numpy, ty, constant, narrower: a.narrower.or(b.narrower) })
        }
        (Family::Array, Family::Array) => match (a.ty, b.ty) {
            (Type::Array(a), Type::Array(b)) => leaf(Family::Array, Type::Array(join_arrays(a, b)?)),
            _ => None,
        },
        (Family::Python, Family::Numpy) if absorbs(a, y) => Some(absorbed(a, y)),
        (Family::Numpy, Family::Python) if absorbs(b, x) => Some(absorbed(b, x)),
        _ => None,
    }
}

/// A Python scalar as one of `dtype`.
fn absorbed(python: Leaf, dtype: DType) -> Leaf {
    let narrower = computes_otherwise(python, dtype).then_some(DType::I64);
    Leaf { family: Family::Numpy, ty: Type::Scalar(dtype), constant: None, narrower }
}

/// Whether a Python int computes otherwise than one of `dtype`, which wraps.
fn computes_otherwise(python: Leaf, dtype: DType) -> bool {
    let is_small = matches!(dtype.kind(), Kind::Signed | Kind::Unsigned) && dtype != DType::I64;
    is_small && (python.constant != Some(Constant::Int(0)) || dtype.kind() == Kind::Unsigned)
}

/// Whether NumPy turns a Python scalar into one of `dtype` where it meets one, without changing what it means.
fn absorbs(python: Leaf, dtype: DType) -> bool {
    let weak = python.ty.dtype().kind();
    match (weak, dtype.kind()) {
        (Kind::Bool, strong) => strong == Kind::Bool,
        (Kind::Signed, Kind::Signed | Kind::Unsigned) => match python.constant {
            Some(Constant::Int(n)) => integer_fits(n, dtype),
            _ => dtype == DType::I64,
        },
        (weak, strong) if weak > strong => false,
        // In single precision the number may change: it may not be there yet where Python still has it in double.
        (Kind::Signed | Kind::Float, _) if matches!(dtype, DType::F32 | DType::C64) => match python.constant {
            Some(Constant::Float(x)) => f64::from(x as f32) == x || x.is_nan(),
            Some(Constant::Int(n)) => (-(1 << 24)..=1 << 24).contains(&n),
            _ => false,
        },
        (Kind::Signed | Kind::Float, _) if dtype == DType::F16 => match python.constant {
            Some(Constant::Float(x)) => {
                convert_constant(Constant::Float(x), DType::F64, dtype) == python.constant || x.is_nan()
            }
            Some(Constant::Int(n)) => (-(1 << 11)..=1 << 11).contains(&n),
            _ => false,
        },
        _ => true,
    }
}

/// A NumPy scalar stays on the device only if it is there on both sides.
fn join_places(a: Type, b: Type) -> Type {
    match (a, b) {
        (Type::Array(x), Type::Array(y)) => join_arrays(x, y).map_or(Type::Scalar(x.dtype), Type::Array),
        (other, _) => Type::Scalar(other.dtype()),
    }
}

fn join_arrays(a: ArrayType, b: ArrayType) -> Option<ArrayType> {
    let layout = if a.layout == b.layout { a.layout } else { Layout::Any };
    let same = a.dtype == b.dtype && a.rank == b.rank;
    same.then_some(ArrayType { layout, writable: a.writable && b.writable, ..a })
}

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
                constant: self.builder.as_constant(typed.value).or(self.assumed.get(&typed.value).copied()),
                narrower: self.narrower_of(value),
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
                    self.assumed.insert(typed.value, *constant);
                }
                narrower.map(|narrower| self.narrower.insert(typed.value, narrower));
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
}
