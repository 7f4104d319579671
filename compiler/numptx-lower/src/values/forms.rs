//! Forms: what a value looks like when it crosses the border of a region, and what two values have in common.
//!
//! Only scalars and arrays cross; everything else (strings, dtypes, functions) must be the same on both sides.

use numptx_ir::DType;
use numptx_ir::array::{ArrayType, Builder, Layout, Type, ValueId};
use numptx_ir::dtype::Kind;
use numptx_ir::functions::binding::describe_display;
use numptx_ir::functions::{Family, Typed};
use numptx_ir::promotion::{convert_constant, integer_fits};
use numptx_ir::scalar::Constant;

use crate::values::container_types::{Container, Sort, TypeId, python_name};
use crate::values::one_of::{OneOf, types};
use crate::values::value::Value;

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
    pub family: Family,
    pub ty: Type,
    /// Its value where it is known, to see whether a Python int fits a NumPy type.
    pub constant: Option<Constant>,
    /// The type that the number may still have in Python: see `numbers/narrower.rs`.
    pub narrower: Option<DType>,
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
            Form::OneOf(members) => types(members),
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

    /// What a loop carries that begins with this: of zeros nothing shows whether they are Python's.
    pub fn join_in_loop(&self, other: &Form) -> Option<Form> {
        let joined = self.join(other)?;
        let is_zero = matches!(self, Form::Leaf(Leaf { constant: Some(Constant::Int(0)), .. }));
        Some(if is_zero && !other.may_be_int() { joined.settled() } else { joined })
    }

    /// As a reader of the source would call it.
    pub fn describe(&self, builder: &Builder) -> String {
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
            Form::Made(Value::IfRan(..), parts) if !parts.is_empty() => parts[0].describe(builder),
            Form::Container(sort, _) => format!("a `{}`", sort.name()),
            Form::Text => "a string".into(),
            Form::OneOf(members) => OneOf::describe(members.iter().map(|member| member.describe(builder))),
            Form::Static(value) | Form::Made(value, _) => value.describe(builder),
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

/// The largest int up to which every int is a float, too.
const EXACT: i64 = 1 << 53;

/// Whether a Python constant is the same number as one of a wider type of Python, so that it may begin as that.
fn may_begin_as(constant: Option<Constant>, wide: DType) -> bool {
    match (constant, wide) {
        (Some(Constant::Int(n)), DType::F64 | DType::C128) => (-EXACT..=EXACT).contains(&n),
        (Some(Constant::Float(_)), DType::C128) => true,
        _ => false,
    }
}
