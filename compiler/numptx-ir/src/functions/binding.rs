//! Binding: a row's parameters as NumPy writes them (`parameters.rs`), and a call's arguments, in; arguments by name out.

use numptx_source::code;

use super::error::{bad_argument, listed, plural};
use super::parameters::{Bindable, KEYWORDS_OF_UFUNCS, ParameterKind, check_supported, instead};
use super::value::{Arguments, Family, Form, FunctionError, PyValue, Typed};
use super::{Function, convert};
use crate::DType;
use crate::array::{Builder, ValueId};
use crate::promotion::Casting;
use crate::scalar::Constant;

/// A call whose arguments are bound to a row's parameters.
pub struct Call<'a> {
    /// Where ops go.
    pub builder: &'a mut Builder,
    /// The row.
    pub function: &'static Function,
    /// How the program writes it.
    pub form: Form,
    /// The arguments.
    pub(super) bound: Vec<Bound>,
}

/// An argument, and the parameter that it is bound to.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The row's name of the parameter.
    pub name: &'static str,
    /// The name that the call has for it.
    pub shown: &'static str,
    /// The argument.
    pub value: PyValue,
    /// Which positional argument it is.
    pub position: Option<usize>,
}

/// Binds arguments to a row's parameters. Those that the row does not support take what NumPy takes where they are left out, and nothing else.
pub(super) fn bind<'a>(
    builder: &'a mut Builder,
    function: &'static Function,
    arguments: &Arguments,
) -> Result<Call<'a>, FunctionError> {
    let bound = bound(builder, function, arguments)?;
    Ok(Call { builder, function, form: arguments.form, bound })
}

/// The arguments of a call by the row's names of their parameters.
pub(super) fn bound(
    builder: &Builder,
    function: &'static Function,
    arguments: &Arguments,
) -> Result<Vec<Bound>, FunctionError> {
    let parameters = function.parameters_of_call(arguments.form);
    let mut bound: Vec<Bound> = Vec::new();
    let mut positional = arguments.positional.iter().enumerate();
    for Bindable { parameter, own_name } in parameters.iter().filter(|b| b.parameter.kind != ParameterKind::Keyword) {
        let (name, shown) = (*own_name, parameter.name);
        if parameter.kind == ParameterKind::Variadic {
            let rest: Vec<PyValue> = positional.by_ref().map(|(_, value)| value.clone()).collect();
            bound.push(Bound { name, shown, value: PyValue::Tuple(rest), position: None });
        } else if let Some((position, value)) = positional.next() {
            bound.push(Bound { name, shown, value: value.clone(), position: Some(position) });
        }
    }
    if let Some((position, _)) = positional.next() {
        return Err(too_many(function, &parameters, arguments).at(Some(position)));
    }
    for (name, value) in &arguments.keywords {
        let found = parameters.iter().find(|b| b.parameter.name == name && b.parameter.by_keyword());
        let Some(Bindable { parameter, own_name }) = found else {
            return Err(unknown_keyword(function, name, &parameters));
        };
        if bound.iter().any(|b| b.name == *own_name) {
            let message = format!("`{}` got `{name}` twice: by position and by name", function.name);
            return Err(bad_argument(message));
        }
        bound.push(Bound { name: own_name, shown: parameter.name, value: value.clone(), position: None });
    }
    let missing = parameters.iter().find(|p| !p.parameter.optional && bound.iter().all(|b| b.name != p.own_name));
    if let Some(Bindable { parameter, .. }) = missing {
        return Err(missing_argument(function, parameter.name, arguments));
    }
    for Bindable { parameter, own_name } in parameters.iter().filter(|b| function.without.contains(&b.own_name)) {
        if let Some(at) = bound.iter().position(|b| b.name == *own_name) {
            let Bound { value, position, .. } = bound.remove(at);
            check_supported(builder, function, parameter, &value).map_err(|e| e.at(position))?;
        }
    }
    Ok(bound)
}

fn too_many(function: &Function, parameters: &[Bindable], arguments: &Arguments) -> FunctionError {
    let most = parameters.iter().filter(|b| b.parameter.kind != ParameterKind::Keyword).count();
    // The array of a method is none that the program gives.
    let own = usize::from(arguments.form == Form::Method);
    let message = format!(
        "`{}` takes at most {} positional {}, {} were given",
        function.name,
        most - own,
        plural(most - own, "argument", "arguments"),
        arguments.positional.len() - own
    );
    FunctionError::new(code::TOO_MANY_ARGUMENTS, message).help(signature_help(function, arguments))
}

fn missing_argument(function: &Function, name: &str, arguments: &Arguments) -> FunctionError {
    FunctionError::new(code::MISSING_ARGUMENT, format!("`{}` needs the argument `{name}`", function.name))
        .help(signature_help(function, arguments))
}

fn signature_help(function: &Function, arguments: &Arguments) -> String {
    let is_called = |name: &&&str| name.starts_with("ndarray.") == (arguments.form == Form::Method);
    let names = std::iter::once(&function.name).chain(function.aliases);
    let name = names.clone().find(is_called).unwrap_or(&function.name);
    format!("its signature is `{}`", function.signature_of(name))
}

fn unknown_keyword(function: &Function, name: &str, parameters: &[Bindable]) -> FunctionError {
    let is_known = |b: &&Bindable| b.parameter.by_keyword() && !function.without.contains(&b.own_name);
    let known: Vec<&str> = parameters.iter().filter(is_known).map(|b| b.parameter.name).collect();
    match instead(function, name).filter(|_| function.takes_keywords_of_ufuncs() && KEYWORDS_OF_UFUNCS.contains(&name))
    {
        Some(instead) => {
            FunctionError::new(code::UNKNOWN_KEYWORD, format!("`{name}` of `{}` is not supported", function.name))
                .help(instead)
        }
        None => FunctionError::new(code::UNKNOWN_KEYWORD, format!("`{}` has no argument `{name}`", function.name))
            .help(format!("by name it takes {}", listed(&known))),
    }
}

/// Help for what is no dtype.
const ANY_DTYPE: &str = "`dtype=np.float32`, for example";
const NAMED_FIELDS: &str = "name a dtype with fields at the top of the file: `Point = np.dtype([(\"x\", np.float64)])`, and write `dtype=Point`";

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
        let shown = self.bound.iter().find(|b| b.name == name).map_or(name, |b| b.shown);
        let message = format!("`{shown}` of `{}` must be {expected}, found {found}", self.function.name);
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
            Some(PyValue::Str(text)) => DType::from_text(&text)
                .map(Some)
                .ok_or_else(|| self.refuse(name, "a dtype that numptx compiles").help(ANY_DTYPE)),
            Some(PyValue::List(_) | PyValue::Tuple(_)) => {
                Err(self.refuse(name, "a dtype such as `np.float32`").help(NAMED_FIELDS))
            }
            Some(_) => Err(self.refuse(name, "a dtype such as `np.float32`").help(ANY_DTYPE)),
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
        PyValue::Function(_) => "a function".to_string(),
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
