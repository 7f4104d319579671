//! Values of the program while it is lowered: what a name can be bound to and an expression can give.
//!
//! Wider than the function table's [`PyValue`]: modules, functions, methods and iterables exist only here.

use numptx_ir::DType;
use numptx_ir::array::{Builder, Type, ValueId};
use numptx_ir::functions::binding::describe_display;
use numptx_ir::functions::{Family, PyValue, Typed};
use numptx_syntax::ast::ScalarName;

use crate::values::class::Class;
use crate::values::closure::Closure;
use crate::values::container_types::{Container, python_name};
use crate::values::iterable::{Filled, Iterable};
use crate::values::one_of::OneOf;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// A scalar or an array.
    Typed(Typed),
    /// A tuple of static length.
    Tuple(Vec<Value>),
    /// A list display of static length.
    List(Vec<Value>),
    /// A record: its class, and its fields.
    Record(Class, Vec<Value>),
    /// A class of records.
    RecordClass(Class),
    /// `None`
    None,
    /// `...`
    Ellipsis,
    /// A Python int that 64 signed bits do not hold.
    LargeInt(i128),
    /// A constant string.
    Str(String),
    /// A string of the caller that is none of the function's literals.
    OtherStr,
    /// A dtype.
    DType(DType),
    /// What `np.finfo` or `np.iinfo` tells of a dtype.
    Limits(DType),
    /// A type of NumPy that is no dtype: `np.ndarray`, `np.floating`.
    Class(&'static str),
    /// What `type(x)` gives: a builtin, a dtype, a class, or `None` for the type of that.
    TypeOf(Box<Value>),
    /// A function of NumPy that tests types.
    TypeFunction(&'static str),
    /// An imported module by its absolute path: `numpy`, `numpy.linalg`, `math`.
    Module(String),
    /// A function of the table by its dotted name.
    TableFunction(String),
    /// A function of the file by its position.
    UserFunction(usize),
    /// A function inside a function, or a `lambda`.
    Closure(Box<Closure>),
    /// A list whose length is known at run time.
    Filled(Filled),
    /// A list, a dictionary or a set of run time.
    Container(Container),
    /// A string of run time.
    Text(ValueId),
    /// A list that the loops around append to, by its number.
    Growing(usize),
    /// A builtin function by its name.
    Builtin(&'static str),
    /// `owner.name` where the owner is an array or a scalar.
    Method(Box<Value>, String),
    /// What `np.vectorize` makes of a function: called with each element. The dtypes of what it gives, if they were said.
    Elementwise(Box<Value>, Vec<Value>),
    /// `lower:upper:step`, each an int or `None`.
    Slice(Box<[Value; 3]>),
    /// `x.flags` of an array, or of a scalar of NumPy.
    Flags(Box<Value>),
    /// `np.broadcast(x, y)`: the shape, a tuple.
    Broadcast(Box<Value>),
    /// `range(…)`, `zip(…)`, …
    Iterable(Box<Iterable>),
    /// A value that a name has if a loop ran an iteration, as the Python bool tells.
    IfRan(Box<Value>, ValueId),
    /// One of several, as a tag tells.
    OneOf(Box<OneOf>),
    /// What an erroneous expression gives; reported already.
    Poison,
}

impl Value {
    /// A named tuple as the tuple that it is; anything else as it is.
    pub fn plain(self) -> Value {
        match self {
            Value::Record(class, fields) if class.is_tuple() => Value::Tuple(fields),
            other => other,
        }
    }

    /// The dtype of an array or an element of a structured dtype.
    pub fn as_structure(&self) -> Option<&Class> {
        match self {
            Value::Record(class, _) if class.is_structure() => Some(class),
            _ => None,
        }
    }

    /// The same of a value that is kept.
    pub fn as_plain(&self) -> Value {
        self.clone().plain()
    }

    /// A Python scalar.
    pub fn python(value: ValueId) -> Value {
        Value::Typed(Typed { value, family: Family::Python })
    }

    /// A NumPy scalar.
    pub fn numpy(value: ValueId) -> Value {
        Value::Typed(Typed { value, family: Family::Numpy })
    }

    /// An array.
    pub fn array(value: ValueId) -> Value {
        Value::Typed(Typed { value, family: Family::Array })
    }

    /// The typed value, if it is one.
    pub fn typed(&self) -> Option<Typed> {
        if let Value::Typed(typed) = self { Some(*typed) } else { None }
    }

    /// Whether this, or a member, stands for an error reported already.
    pub fn is_poison(&self) -> bool {
        match self {
            Value::Poison => true,
            Value::IfRan(value, _) => value.is_poison(),
            Value::OneOf(one) => one.members.iter().any(Value::is_poison),
            Value::Tuple(items) | Value::List(items) | Value::Record(_, items) => items.iter().any(Value::is_poison),
            _ => false,
        }
    }

    /// What a table function gave.
    pub fn from_table(value: PyValue) -> Value {
        match value {
            PyValue::Typed(typed) => Value::Typed(typed),
            PyValue::Tuple(items) => Value::Tuple(items.into_iter().map(Value::from_table).collect()),
            PyValue::List(items) => Value::List(items.into_iter().map(Value::from_table).collect()),
            PyValue::None => Value::None,
            PyValue::Ellipsis => Value::Ellipsis,
            PyValue::Str(text) => Value::Str(text),
            PyValue::DType(dtype) => Value::DType(dtype),
            // Rows that take functions are of the library, which gets them itself.
            PyValue::Function(_) => Value::Poison,
        }
    }

    /// As an argument of a table function; `None` if functions of the table cannot take it.
    pub fn to_table(&self) -> Option<PyValue> {
        let all = |items: &[Value]| items.iter().map(Value::to_table).collect::<Option<Vec<_>>>();
        Some(match self {
            Value::Typed(typed) => PyValue::Typed(*typed),
            Value::Tuple(items) => PyValue::Tuple(all(items)?),
            Value::Record(class, fields) if class.is_tuple() => PyValue::Tuple(all(fields)?),
            Value::List(items) => PyValue::List(all(items)?),
            Value::None => PyValue::None,
            Value::Ellipsis => PyValue::Ellipsis,
            Value::Str(text) => PyValue::Str(text.clone()),
            Value::DType(dtype) => PyValue::DType(*dtype),
            Value::Builtin("float") => PyValue::DType(DType::F64),
            Value::Builtin("int") => PyValue::DType(DType::I64),
            Value::Builtin("bool") => PyValue::DType(DType::Bool),
            Value::Builtin("complex") => PyValue::DType(DType::C128),
            Value::TypeOf(ty) => return ty.to_table(),
            _ => return None,
        })
    }

    /// The dtype that this names: `np.float32`, `float`, `"f4"`.
    pub fn as_dtype(&self) -> Option<DType> {
        match self {
            Value::Str(text) => DType::from_text(text),
            other => match other.to_table() {
                Some(PyValue::DType(dtype)) => Some(dtype),
                _ => None,
            },
        }
    }

    /// As a reader of the source would call it: «`float64` array of 2 axes», «Python `int`», «a tuple».
    pub fn describe(&self, builder: &Builder) -> String {
        match self {
            Value::Typed(typed) => describe_typed(*typed, builder),
            Value::Tuple(items) => describe_display("tuple", items.len()),
            Value::List(items) => describe_display("list", items.len()),
            Value::Record(class, _) if class.is_structure() => format!("an array of `{}`", class.0.name),
            Value::Record(class, _) => format!("a `{}`", class.0.name),
            Value::RecordClass(class) => format!("the class `{}`", class.0.name),
            Value::None => "`None`".into(),
            Value::Ellipsis => "`...`".into(),
            Value::Str(text) => format!("the string `{text:?}`"),
            Value::LargeInt(n) => format!("the integer {n}, which does not fit in 64 bits"),
            Value::OtherStr => "a string of the caller".into(),
            Value::DType(dtype) => format!("the dtype `{dtype}`"),
            Value::Limits(dtype) => format!("the limits of `{dtype}`"),
            Value::Class(name) => format!("the type `np.{name}`"),
            Value::TypeOf(ty) => match &**ty {
                Value::Builtin(name) => format!("the type `{name}`"),
                Value::None => "the type of `None`".into(),
                ty => ty.describe(builder),
            },
            Value::TypeFunction(name) => format!("the function `np.{name}`"),
            Value::Module(path) => format!("the module `{path}`"),
            Value::TableFunction(name) => format!("the function `{name}`"),
            Value::UserFunction(_) | Value::Closure(_) => "a function".into(),
            Value::Filled(_) => "a list whose length is not known when compiling".into(),
            Value::Growing(_) => "a list that grows".into(),
            Value::Container(container) => format!("a `{}`", container.sort.name()),
            Value::Text(_) => "a string".into(),
            Value::Builtin(name) => format!("the builtin `{name}`"),
            Value::Method(_, name) => format!("the method `{name}`"),
            Value::Elementwise(..) => "a function of `numpy.vectorize`".into(),
            Value::Slice(_) => "a slice".into(),
            Value::Flags(_) => "the flags of an array".into(),
            Value::Broadcast(_) => "a `numpy.broadcast`".into(),
            Value::Iterable(_) => "an iterator".into(),
            Value::IfRan(value, _) => value.describe(builder),
            Value::OneOf(one) => OneOf::describe(one.members.iter().map(|member| member.describe(builder))),
            Value::Poison => "an erroneous value".into(),
        }
    }
}

fn describe_typed(typed: Typed, builder: &Builder) -> String {
    let dtype = builder.dtype(typed.value);
    match (typed.family, builder.ty(typed.value)) {
        (Family::Python, _) => format!("a Python `{}`", python_name(dtype)),
        (Family::Numpy, _) => format!("a NumPy `{dtype}` scalar"),
        (Family::Array, Type::Array(array)) => match array.rank {
            1 => format!("a `{dtype}` array of 1 axis"),
            rank => format!("a `{dtype}` array of {rank} axes"),
        },
        (Family::Array, Type::Scalar(_) | Type::Object) => format!("a `{dtype}` array"),
    }
}

/// A scalar's dtype, and whether it is Python's.
pub(crate) fn scalar_type(name: ScalarName) -> (DType, bool) {
    match name {
        ScalarName::PyBool => (DType::Bool, true),
        ScalarName::PyInt => (DType::I64, true),
        ScalarName::PyFloat => (DType::F64, true),
        ScalarName::PyComplex => (DType::C128, true),
        ScalarName::Bool => (DType::Bool, false),
        ScalarName::Int8 => (DType::I8, false),
        ScalarName::Int16 => (DType::I16, false),
        ScalarName::Int32 => (DType::I32, false),
        ScalarName::Int64 => (DType::I64, false),
        ScalarName::UInt8 => (DType::U8, false),
        ScalarName::UInt16 => (DType::U16, false),
        ScalarName::UInt32 => (DType::U32, false),
        ScalarName::UInt64 => (DType::U64, false),
        ScalarName::Float16 => (DType::F16, false),
        ScalarName::Float32 => (DType::F32, false),
        ScalarName::Float64 => (DType::F64, false),
        ScalarName::Complex64 => (DType::C64, false),
        ScalarName::Complex128 => (DType::C128, false),
    }
}
