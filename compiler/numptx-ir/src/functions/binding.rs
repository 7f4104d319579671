//! Binding: a row's parameters as NumPy writes them, and a call's arguments, in; arguments by name out.
//!
//! The parameter text is Python's: `a, axis=None, /, *, keepdims=False`; `*shape` takes all remaining positional arguments.

use numptx_source::code;

use super::error::{bad_argument, listed, plural};
use super::value::{Arguments, Family, FunctionError, PyValue, Typed};
use super::{Function, convert};
use crate::DType;
use crate::array::{Builder, ValueId};
use crate::promotion::Casting;
use crate::scalar::Constant;

/// Keywords of NumPy that no row takes, and what to write instead.
const REFUSED: &[(&str, &str)] = &[
    ("where", "choose the elements with `np.where(mask, a, b)`"),
    ("casting", "cast the operands with `.astype(dtype)`"),
    ("order", "take the order that the function gives; `np.copy` and `np.ascontiguousarray` change it"),
    ("subok", "leave it out: numptx has no subclasses of arrays"),
    ("like", "leave it out: numptx makes its own arrays"),
    ("signature", "choose the loop with `dtype=`"),
    ("device", "leave it out: numptx chooses where arrays live"),
    ("initial", "combine the result with the initial value after the reduction"),
    ("correction", "write `ddof=`"),
    ("mean", "leave it out"),
    ("out", "assign the result: `out[...] = f(x)`"),
];

/// A call whose arguments are bound to a row's parameters.
pub struct Call<'a> {
    /// Where ops go.
    pub builder: &'a mut Builder,
    /// The row.
    pub function: &'static Function,
    bound: Vec<Bound>,
}

struct Bound {
    name: &'static str,
    value: PyValue,
    position: Option<usize>,
}

/// One parameter of a row's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// How it is passed.
    pub kind: ParameterKind,
    /// Whether it may be left out.
    pub optional: bool,
}

/// How a parameter is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// By position only.
    Positional,
    /// By position or by keyword.
    Either,
    /// By keyword only.
    Keyword,
    /// All remaining positional arguments.
    Variadic,
}

/// The parameters of a row's text.
pub fn parameters(text: &'static str) -> Vec<Parameter> {
    let mut list: Vec<Parameter> = Vec::new();
    let mut kind = ParameterKind::Either;
    for part in text.split(", ").filter(|p| !p.is_empty()) {
        match part {
            "/" => list.iter_mut().for_each(|p| p.kind = ParameterKind::Positional),
            "*" => kind = ParameterKind::Keyword,
            _ if part.starts_with('*') => {
                list.push(Parameter { name: &part[1..], kind: ParameterKind::Variadic, optional: true });
                kind = ParameterKind::Keyword;
            }
            _ => {
                let (name, optional) = part.split_once('=').map_or((part, false), |(name, _)| (name, true));
                list.push(Parameter { name, kind, optional });
            }
        }
    }
    list
}

/// Binds arguments to a row's parameters.
pub(super) fn bind<'a>(
    builder: &'a mut Builder,
    function: &'static Function,
    arguments: &Arguments,
) -> Result<Call<'a>, FunctionError> {
    let parameters = parameters(function.parameters);
    let mut bound: Vec<Bound> = Vec::new();
    let mut positional = arguments.positional.iter().enumerate();
    for parameter in parameters.iter().filter(|p| p.kind != ParameterKind::Keyword) {
        if parameter.kind == ParameterKind::Variadic {
            let rest: Vec<PyValue> = positional.by_ref().map(|(_, value)| value.clone()).collect();
            bound.push(Bound { name: parameter.name, value: PyValue::Tuple(rest), position: None });
        } else if let Some((position, value)) = positional.next() {
            bound.push(Bound { name: parameter.name, value: value.clone(), position: Some(position) });
        }
    }
    if let Some((position, _)) = positional.next() {
        return Err(too_many(function, &parameters, arguments.positional.len()).at(Some(position)));
    }
    for (name, value) in &arguments.keywords {
        let Some(parameter) = parameters.iter().find(|p| p.name == name && p.by_keyword()) else {
            return Err(unknown_keyword(function, name, &parameters));
        };
        if bound.iter().any(|b| b.name == parameter.name) {
            let message = format!("`{}` got `{name}` twice: by position and by name", function.name);
            return Err(bad_argument(message));
        }
        bound.push(Bound { name: parameter.name, value: value.clone(), position: None });
    }
    let missing = parameters.iter().find(|p| !p.optional && bound.iter().all(|b| b.name != p.name));
    if let Some(parameter) = missing {
        return Err(missing_argument(function, parameter.name));
    }
    Ok(Call { builder, function, bound })
}

impl Parameter {
    fn by_keyword(&self) -> bool {
        matches!(self.kind, ParameterKind::Either | ParameterKind::Keyword)
    }
}

fn too_many(function: &Function, parameters: &[Parameter], given: usize) -> FunctionError {
    let most = parameters.iter().filter(|p| p.kind != ParameterKind::Keyword).count();
    let message = format!(
        "`{}` takes at most {most} positional {}, {given} were given",
        function.name,
        plural(most, "argument", "arguments")
    );
    FunctionError::new(code::TOO_MANY_ARGUMENTS, message).help(format!("its signature is `{}`", function.signature()))
}

fn missing_argument(function: &Function, name: &str) -> FunctionError {
    FunctionError::new(code::MISSING_ARGUMENT, format!("`{}` needs the argument `{name}`", function.name))
        .help(format!("its signature is `{}`", function.signature()))
}

fn unknown_keyword(function: &Function, name: &str, parameters: &[Parameter]) -> FunctionError {
    let known: Vec<&str> = parameters.iter().filter(|p| p.by_keyword()).map(|p| p.name).collect();
    match REFUSED.iter().find(|(refused, _)| *refused == name) {
        Some((_, instead)) => FunctionError::new(
            code::UNKNOWN_KEYWORD,
            format!("numptx does not support `{name}=` of `{}`", function.name),
        )
        .help(*instead),
        None => FunctionError::new(code::UNKNOWN_KEYWORD, format!("`{}` has no argument `{name}`", function.name))
            .help(format!("by name it takes {}", listed(&known))),
    }
}

impl Call<'_> {
    /// An argument, unless it was left out.
    pub fn get(&self, name: &str) -> Option<PyValue> {
        self.bound.iter().find(|b| b.name == name).map(|b| b.value.clone())
    }

    /// An argument, unless it was left out or is `None`.
    pub fn given(&self, name: &str) -> Option<PyValue> {
        self.get(name).filter(|v| *v != PyValue::None)
    }

    /// The position to underline for an argument.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.bound.iter().find(|b| b.name == name).and_then(|b| b.position)
    }

    /// An error about an argument.
    pub fn refuse(&self, name: &str, expected: &str) -> FunctionError {
        let found = self.get(name).map_or("nothing".to_string(), |v| self.describe(&v));
        let message = format!("`{name}` of `{}` must be {expected}, found {found}", self.function.name);
        bad_argument(message).at(self.position(name))
    }

    /// A value in the user's words.
    pub fn describe(&self, value: &PyValue) -> String {
        describe(self.builder, value)
    }

    /// An array or scalar argument; list displays become arrays.
    pub fn operand(&mut self, name: &str) -> Result<Typed, FunctionError> {
        match self.get(name) {
            Some(PyValue::Typed(typed)) => Ok(typed),
            Some(value @ (PyValue::List(_) | PyValue::Tuple(_))) => {
                convert::array_of_display(self.builder, &value, None).map_err(|e| e.at(self.position(name)))
            }
            _ => Err(self.refuse(name, "an array or a number")),
        }
    }

    /// An array argument; scalars become arrays of rank 0.
    pub fn array(&mut self, name: &str) -> Result<Typed, FunctionError> {
        let typed = self.operand(name)?;
        Ok(convert::to_array(self.builder, typed))
    }

    /// A constant flag, or its default.
    pub fn flag(&self, name: &str, default: bool) -> Result<bool, FunctionError> {
        match self.get(name) {
            None => Ok(default),
            Some(PyValue::Typed(typed)) => match self.builder.as_constant(typed.value) {
                Some(Constant::Bool(flag)) => Ok(flag),
                Some(Constant::Int(n)) => Ok(n != 0),
                _ => Err(self.refuse(name, "`True` or `False`")),
            },
            Some(_) => Err(self.refuse(name, "`True` or `False`")),
        }
    }

    /// A dtype, unless it was left out or is `None`.
    pub fn dtype(&self, name: &str) -> Result<Option<DType>, FunctionError> {
        match self.given(name) {
            None => Ok(None),
            Some(PyValue::DType(dtype)) => Ok(Some(dtype)),
            Some(PyValue::Str(text)) => DType::from_text(&text).map(Some).ok_or_else(|| {
                self.refuse(name, "a dtype that numptx compiles").help("`dtype=np.float32`, for example")
            }),
            Some(_) => Err(self.refuse(name, "a dtype such as `np.float32`")),
        }
    }

    /// What a cast may lose: `casting`, or what NumPy's ufuncs do where it is left out.
    pub fn casting(&self) -> Result<Casting, FunctionError> {
        let text = match self.get("casting") {
            None => return Ok(Casting::SameKind),
            Some(PyValue::Str(text)) => text,
            Some(_) => String::new(),
        };
        match text.as_str() {
            "no" | "equiv" => Ok(Casting::Equivalent),
            "safe" => Ok(Casting::Safe),
            "same_kind" => Ok(Casting::SameKind),
            "unsafe" => Ok(Casting::Unsafe),
            _ => Err(self.refuse("casting", "`\"no\"`, `\"equiv\"`, `\"safe\"`, `\"same_kind\"` or `\"unsafe\"`")),
        }
    }

    /// A constant integer, unless it was left out or is `None`.
    pub fn constant_integer(&self, name: &str) -> Result<Option<i64>, FunctionError> {
        match self.given(name) {
            None => Ok(None),
            Some(value) => match constant_integer(self.builder, &value) {
                Some(n) => Ok(Some(n)),
                None => Err(self.refuse(name, "an integer that is known when compiling").help(CHOOSE_BETWEEN_CALLS)),
            },
        }
    }

    /// A list of constant integers, or one, unless it was left out or is `None`.
    pub fn constant_integers(&self, name: &str) -> Result<Option<Vec<i64>>, FunctionError> {
        match self.given(name) {
            None => Ok(None),
            Some(value) => {
                let items = match &value {
                    PyValue::Tuple(items) | PyValue::List(items) => items.clone(),
                    single => vec![single.clone()],
                };
                let integers: Option<Vec<i64>> = items.iter().map(|v| constant_integer(self.builder, v)).collect();
                let refused = || self.refuse(name, "integers that are known when compiling").help(CHOOSE_BETWEEN_CALLS);
                integers.map(Some).ok_or_else(refused)
            }
        }
    }

    /// A host integer as `int64`.
    pub fn integer(&mut self, name: &str) -> Result<ValueId, FunctionError> {
        let value = self.get(name).unwrap_or(PyValue::None);
        self.integer_of(&value).ok_or_else(|| self.refuse(name, "an integer"))
    }

    /// A value as a host `int64`, if it is an integer.
    pub fn integer_of(&mut self, value: &PyValue) -> Option<ValueId> {
        let PyValue::Typed(typed) = value else { return None };
        if !self.builder.dtype(typed.value).is_integer() || self.builder.rank(typed.value) != 0 {
            return None;
        }
        let scalar = convert::to_host(self.builder, *typed);
        Some(convert::cast_host(self.builder, scalar, DType::I64))
    }
}

/// A constant integer.
pub(super) fn constant_integer(builder: &Builder, value: &PyValue) -> Option<i64> {
    match value {
        PyValue::Typed(typed) => match builder.as_constant(typed.value) {
            Some(Constant::Int(n)) => Some(n),
            Some(Constant::Bool(b)) => Some(i64::from(b)),
            _ => None,
        },
        _ => None,
    }
}

/// What to do about a number that decides the number of axes.
const CHOOSE_BETWEEN_CALLS: &str =
    "write it as a constant, and choose between calls: `x.sum(axis=0) if axis == 0 else x.sum(axis=1)`";

/// A display of so many members in the user's words: «a list of 2 members», «an empty tuple».
pub fn describe_display(kind: &str, n: usize) -> String {
    match n {
        0 => format!("an empty {kind}"),
        n => format!("a {kind} of {n} {}", plural(n, "member", "members")),
    }
}

/// A value in the user's words.
pub(super) fn describe(builder: &Builder, value: &PyValue) -> String {
    match value {
        PyValue::Typed(typed) if !builder.is_scalar(typed.value) && typed.family == Family::Array => {
            let rank = builder.rank(typed.value);
            format!("a `{}` array of {rank} {}", builder.dtype(typed.value), plural(rank, "axis", "axes"))
        }
        PyValue::Typed(typed) => match (typed.family, builder.as_constant(typed.value)) {
            (_, Some(Constant::Int(n))) => format!("`{n}`"),
            (_, Some(Constant::Bool(b))) => format!("`{}`", if b { "True" } else { "False" }),
            (_, Some(Constant::Float(x))) => format!("`{x:?}`"),
            (Family::Python, _) => format!("a Python {}", python_name(builder.dtype(typed.value))),
            _ => format!("a `{}` scalar", builder.dtype(typed.value)),
        },
        PyValue::Tuple(items) => describe_display("tuple", items.len()),
        PyValue::List(items) => describe_display("list", items.len()),
        PyValue::None => "`None`".to_string(),
        PyValue::Ellipsis => "`...`".to_string(),
        PyValue::Str(text) => format!("the string {text:?}"),
        PyValue::DType(dtype) => format!("the dtype `{dtype}`"),
    }
}

fn python_name(dtype: DType) -> &'static str {
    match dtype.kind() {
        crate::dtype::Kind::Bool => "bool",
        crate::dtype::Kind::Signed | crate::dtype::Kind::Unsigned => "int",
        crate::dtype::Kind::Float => "float",
        crate::dtype::Kind::Complex => "complex",
    }
}
