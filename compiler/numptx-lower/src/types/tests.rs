//! Types, and tests of them, which are decided when compiling: `np.dtype`, `isinstance`, `type`, `callable`, `np.issubdtype`, `np.isscalar`.

use numptx_ir::DType;
use numptx_ir::dtype::Kind;
use numptx_ir::functions::Family;
use numptx_source::{Span, code};
use numptx_syntax::ast::CompareOp;

use crate::lowerer::Lowerer;
use crate::names::standard_modules::class_named;
use crate::values::call::Call;
use crate::values::container_types::{Sort, python_name};
use crate::values::value::Value;

/// Types of NumPy that are no dtypes: `np.ndarray`, and the abstract ones of scalars.
pub(crate) const CLASSES: &[&str] = &[
    "ndarray",
    "generic",
    "number",
    "integer",
    "signedinteger",
    "unsignedinteger",
    "inexact",
    "floating",
    "complexfloating",
];

/// Whether a dtype's scalars are of a class of NumPy.
fn is_of_class(dtype: DType, class: &str) -> bool {
    let kind = dtype.kind();
    match class {
        "generic" => true,
        "number" => kind != Kind::Bool,
        "integer" => dtype.is_integer(),
        "signedinteger" => kind == Kind::Signed,
        "unsignedinteger" => kind == Kind::Unsigned,
        "inexact" => matches!(kind, Kind::Float | Kind::Complex),
        "floating" => kind == Kind::Float,
        "complexfloating" => kind == Kind::Complex,
        _ => false,
    }
}

impl Lowerer<'_> {
    /// `isinstance(value, type)`, or of a tuple of types.
    pub fn isinstance_call(&mut self, call: &Call) -> Value {
        let [value, types] = call.positional.as_slice() else {
            let message = "`isinstance` takes a value and a type";
            return self.refuse(code::BAD_ARGUMENT, call.span, message, "write `isinstance(x, np.ndarray)`");
        };
        if self.numbers.narrower_of(value).is_some() {
            return self.refuse_narrower(value, "this test", call.places[0]);
        }
        if let Value::OneOf(one) = value {
            return self.with_each(one, call.span, &mut |s, member| {
                let positional = vec![member.clone(), types.clone()];
                s.isinstance_call(&Call {
                    positional,
                    keywords: Vec::new(),
                    places: call.places.clone(),
                    span: call.span,
                })
            });
        }
        match self.is_instance(value, types) {
            Some(known) => self.bool(known),
            None => {
                let what = types.describe(&self.builder);
                let message = format!("whether {} is one of {what} is not known", value.describe(&self.builder));
                let help =
                    "test for `np.ndarray`, `int`, `float`, `np.float32`, `np.floating`, `tuple`, or a tuple of these";
                self.refuse(code::BAD_ARGUMENT, call.places[1], message, help)
            }
        }
    }

    /// `type(value)`
    pub fn type_call(&mut self, call: &Call) -> Value {
        let [value] = call.positional.as_slice() else {
            let help = "write `type(x) is float`";
            return self.refuse(code::BAD_ARGUMENT, call.span, "`type` takes one value", help);
        };
        if self.numbers.narrower_of(value).is_some() {
            return self.refuse_narrower(value, "this test", call.places[0]);
        }
        let ty = match value {
            Value::Typed(typed) => {
                let dtype = self.builder.dtype(typed.value);
                match typed.family {
                    Family::Array => Value::Class("ndarray"),
                    Family::Python => Value::Builtin(python_name(dtype)),
                    Family::Numpy => Value::DType(dtype),
                }
            }
            Value::Tuple(_) => Value::Builtin("tuple"),
            Value::Record(class, _) if !class.is_structure() => Value::RecordClass(class.clone()),
            Value::List(_) | Value::Filled(_) => Value::Builtin("list"),
            Value::Container(container) => Value::Builtin(container.sort.name()),
            Value::Str(_) | Value::OtherStr | Value::Text(_) => Value::Builtin("str"),
            Value::None => Value::None,
            _ => {
                let message = format!("the type of {} is not known", value.describe(&self.builder));
                let help = "ask for the type of a number, an array or a tuple: `type(x) is float`";
                return self.refuse(code::BAD_ARGUMENT, call.places[0], message, help);
            }
        };
        Value::TypeOf(Box::new(ty))
    }

    /// `type(x) is T`, and with `is not`, `==` and `!=`; `None` where neither is the type of something. `is_dtype`: which of them are written as
    /// dtypes of arrays, `x.dtype`, which are equal to types and are none.
    pub fn compare_types(
        &mut self,
        op: CompareOp,
        [left, right]: [&Value; 2],
        is_dtype: [bool; 2],
        span: Span,
    ) -> Option<Value> {
        let is_any = [left, right].iter().any(|v| matches!(v, Value::TypeOf(_)));
        if !is_any || matches!(op, CompareOp::In | CompareOp::NotIn) {
            return None;
        }
        let own = |value: &Value| match value {
            Value::TypeOf(ty) => (**ty).clone(),
            other => other.clone(),
        };
        let (a, b) = (own(left), own(right));
        let is_type = |given: &Value, own: &Value| match own {
            Value::DType(_) | Value::Class(_) | Value::RecordClass(_) => true,
            Value::Builtin(name) => is_type(name) || *name == "object",
            Value::None => matches!(given, Value::TypeOf(_)),
            _ => false,
        };
        let same = match op {
            CompareOp::Is | CompareOp::IsNot | CompareOp::Equal | CompareOp::NotEqual => {
                if !is_type(left, &a) || !is_type(right, &b) {
                    false
                } else if is_dtype != [false, false] {
                    !matches!(op, CompareOp::Is | CompareOp::IsNot)
                        && a.as_dtype().is_some()
                        && a.as_dtype() == b.as_dtype()
                } else {
                    a == b
                }
            }
            _ => return Some(self.bad_operands(op.symbol(), left, right, span)),
        };
        Some(self.bool(same == matches!(op, CompareOp::Is | CompareOp::Equal)))
    }

    fn is_instance(&self, value: &Value, ty: &Value) -> Option<bool> {
        match ty {
            Value::TypeOf(ty) if **ty == Value::None => return Some(*value == Value::None),
            Value::TypeOf(ty) => return self.is_instance(value, ty),
            Value::Tuple(types) => {
                let all = types.iter().map(|t| self.is_instance(value, t)).collect::<Option<Vec<_>>>()?;
                return Some(all.contains(&true));
            }
            Value::Builtin("object") => return Some(true),
            Value::DType(_) | Value::Class(_) | Value::RecordClass(_) => {}
            Value::Builtin(name) if is_type(name) || class_named(name).is_some() => {}
            _ => return None,
        }
        match value {
            Value::Typed(typed) => {
                let dtype = self.builder.dtype(typed.value);
                Some(match typed.family {
                    Family::Array => *ty == Value::Class("ndarray"),
                    Family::Python => python_is(dtype, ty),
                    Family::Numpy => numpy_is(dtype, ty),
                })
            }
            Value::Tuple(_) => Some(*ty == Value::Builtin("tuple")),
            Value::Record(class, fields) if class.is_structure() => {
                Some(*ty == Value::Class("ndarray") && fields.first().is_some_and(|v| self.has_axes(v)))
            }
            Value::Record(class, _) => {
                let is_tuple = class.is_tuple() && *ty == Value::Builtin("tuple");
                Some(is_tuple || *ty == Value::RecordClass(class.clone()))
            }
            Value::List(_) | Value::Filled(_) => Some(*ty == Value::Builtin("list")),
            Value::Container(container) => {
                let names = match container.sort {
                    Sort::Counter | Sort::Default => [container.sort.name(), "dict"],
                    sort => [sort.name(); 2],
                };
                Some(matches!(ty, Value::Builtin(name) if names.contains(name)))
            }
            Value::Str(_) | Value::OtherStr | Value::Text(_) => Some(*ty == Value::Builtin("str")),
            Value::LargeInt(_) => Some(*ty == Value::Builtin("int")),
            Value::None | Value::UserFunction(_) | Value::Closure(_) => Some(false),
            // A dtype's name is a class, and no value of these.
            Value::DType(_) => match ty {
                Value::Class("ndarray") => Some(false),
                Value::Builtin("bool" | "int" | "float" | "complex" | "str" | "tuple" | "list") => Some(false),
                _ => None,
            },
            _ => None,
        }
    }

    /// `callable(value)`
    pub fn callable_call(&mut self, call: &Call) -> Value {
        let callable = |v: &Value| {
            matches!(
                v,
                Value::UserFunction(_)
                    | Value::Closure(_)
                    | Value::TableFunction(_)
                    | Value::Builtin(_)
                    | Value::Method(..)
                    | Value::DType(_)
                    | Value::Class(_)
                    | Value::RecordClass(_)
                    | Value::TypeOf(_)
            )
        };
        match call.positional.as_slice() {
            [value] => self.bool(callable(value)),
            _ => self.refuse(code::BAD_ARGUMENT, call.span, "`callable` takes one value", "write `callable(f)`"),
        }
    }

    /// `np.dtype(type)`, `np.issubdtype(dtype, type)`, `np.isscalar(value)`, `np.iscomplexobj(value)`, `np.isrealobj(value)`, `np.finfo(dtype)`,
    /// `np.iinfo(dtype)`, and functions of dtypes.
    pub fn type_function(&mut self, name: &str, call: &Call) -> Value {
        if let Some((keyword, _, span)) = call.keywords.first()
            && !(name == "can_cast" && keyword == "casting")
        {
            let message = format!("`np.{name}` takes no keyword `{keyword}` here");
            return self.refuse(code::UNKNOWN_KEYWORD, *span, message, "pass arguments by position");
        }
        if let Some(value) = self.dtype_function(name, call) {
            return value;
        }
        let (places, span) = (&call.places, call.span);
        match (name, call.positional.as_slice()) {
            ("issubdtype", [dtype, ty]) => {
                let answer = match (dtype.as_dtype(), ty) {
                    (Some(dtype), Value::Class(class)) => Some(is_of_class(dtype, class)),
                    (Some(dtype), other) => other.as_dtype().map(|t| t == dtype),
                    _ => None,
                };
                match answer {
                    Some(known) => self.bool(known),
                    None => {
                        let message = format!("{} is no dtype", dtype.describe(&self.builder));
                        let help = "write `np.issubdtype(x.dtype, np.floating)`";
                        self.refuse(code::BAD_ARGUMENT, places[0], message, help)
                    }
                }
            }
            ("dtype", [value]) => match value.as_dtype() {
                Some(dtype) => Value::DType(dtype),
                None => {
                    let message = format!("{} is no dtype", value.describe(&self.builder));
                    self.refuse(
                        code::BAD_ARGUMENT,
                        span,
                        message,
                        "write `np.dtype(np.float32)` or `np.dtype(\"float32\")`",
                    )
                }
            },
            ("finfo" | "iinfo", [value]) => self.limits(name, value, span),
            ("isscalar", [value]) => {
                let scalar = matches!(value, Value::Str(_) | Value::OtherStr)
                    || value.typed().is_some_and(|t| t.family != Family::Array);
                self.bool(scalar)
            }
            ("iscomplexobj" | "isrealobj", [Value::Typed(typed)]) => {
                let complex = self.builder.dtype(typed.value).is_complex();
                self.bool(complex == (name == "iscomplexobj"))
            }
            _ => {
                let message = format!("`np.{name}` does not take these arguments");
                self.refuse(
                    code::BAD_ARGUMENT,
                    span,
                    message,
                    "write `np.issubdtype(x.dtype, np.floating)`, `np.isscalar(x)`, `np.iscomplexobj(x)`",
                )
            }
        }
    }
}

/// Functions of NumPy that test types.
pub(crate) const TYPE_FUNCTIONS: &[&str] = &[
    "can_cast",
    "common_type",
    "dtype",
    "finfo",
    "iinfo",
    "iscomplexobj",
    "isdtype",
    "isrealobj",
    "isscalar",
    "issubdtype",
    "iterable",
    "promote_types",
    "result_type",
];

fn is_type(builtin: &str) -> bool {
    matches!(builtin, "int" | "float" | "bool" | "complex" | "tuple" | "list" | "str" | "dict" | "set")
}

fn python_is(dtype: DType, ty: &Value) -> bool {
    match ty {
        Value::Builtin("bool") => dtype == DType::Bool,
        Value::Builtin("int") => matches!(dtype, DType::Bool | DType::I64),
        Value::Builtin("float") => dtype == DType::F64,
        Value::Builtin("complex") => dtype == DType::C128,
        _ => false,
    }
}

/// `np.float64` and `np.complex128` are subclasses of Python's types.
fn numpy_is(dtype: DType, ty: &Value) -> bool {
    match ty {
        Value::Builtin("float") => dtype == DType::F64,
        Value::Builtin("complex") => dtype == DType::C128,
        Value::DType(other) => *other == dtype,
        Value::Class(class) => is_of_class(dtype, class),
        _ => false,
    }
}
