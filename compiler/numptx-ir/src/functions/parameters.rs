//! What the parameter text of a row says: names, positions, defaults, and which of them the function does not support.
//!
//! The text is NumPy's own signature: `a, axis=None, /, *, keepdims=False`; `*shape` takes all remaining positional arguments, `**kwargs` keywords that
//! NumPy's signature does not name. A parameter that is not supported has its place nevertheless, so that none after it is bound to its argument.

use numptx_source::code;

use super::value::{Form, FunctionError, PyValue};
use super::{Function, binding};
use crate::DType;
use crate::array::Builder;
use crate::scalar::Constant;

/// What to write instead of a parameter that is not supported: of all functions, or of one, `unique.axis`.
const INSTEAD: &[(&str, &str)] = &[
    ("matmul.axis", "move the axes to the end first: `np.moveaxis(x, axis, -1)`"),
    ("matmul.keepdims", "insert the axis: `result[..., None]`"),
    ("sort.order", NO_FIELDS),
    ("argsort.order", NO_FIELDS),
    ("pinv.rtol", "write `rcond=`"),
    ("multi_dot.out", "assign the result: `out[...] = np.linalg.multi_dot(arrays)`"),
    ("comb.exact", "leave it out, or call `math.comb(n, k)`"),
    ("perm.exact", "leave it out: the result is a float"),
    ("factorial.exact", "leave it out, or call `math.factorial(n)`"),
    ("factorial.extend", "leave it out: negative numbers have the factorial 0"),
    ("plan", "leave it out: plans are kept by themselves"),
    ("array.order", "`np.ascontiguousarray` and `np.asfortranarray` change the order"),
    ("array.copy", "`np.array(x)` copies"),
    ("asarray.order", "`np.ascontiguousarray` and `np.asfortranarray` change the order"),
    ("asarray.copy", "`np.array(x)` copies, `np.asarray(x)` does so where it must"),
    ("reshape.copy", "leave it out, or copy the result: `x.reshape(shape).copy()`"),
    ("view.type", "leave it out: numptx has no subclasses of arrays"),
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
    ("buffer", "take a part of an array instead: `x[start:stop].reshape(shape)`"),
    ("offset", "take a part of an array instead: `x[start:stop].reshape(shape)`"),
    ("strides", "take a part of an array instead: `x[::2]`, `x.T`"),
    ("ndmax", "leave it out: lists of numbers become axes as deep as they are"),
    ("axes", "move the axes to the end first: `np.moveaxis(x, axis, -1)`"),
    ("overwrite_input", "leave it out: the input stays as it is"),
    ("weights", "leave nans out first: `np.quantile(x[keep], q, weights=w[keep], method='inverted_cdf')`"),
    ("full", "compute what is left: `y - np.polynomial.polynomial.polyval(x, c)`"),
    ("polyder.axis", "take the derivative of each column in a loop"),
    ("equal_nan", "leave it out: nans are one element"),
    ("sorted", "leave it out: the elements are sorted"),
];

const NO_FIELDS: &str = "leave it out: numptx has no dtypes with fields";

/// What `**kwargs` stands for in NumPy's signatures.
pub(super) const KEYWORDS_OF_UFUNCS: &[&str] = &["where", "casting", "order", "subok", "signature"];

/// Attributes of arrays: they are read, never called.
pub(super) const ATTRIBUTES: &[&str] = &["ndarray.T", "ndarray.mT", "ndarray.real", "ndarray.imag"];

/// One parameter of a row's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// How it is passed.
    pub kind: ParameterKind,
    /// Its default as the text has it, empty if there is none.
    pub default: &'static str,
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

impl Parameter {
    /// Whether it may be given by its name.
    pub fn by_keyword(&self) -> bool {
        matches!(self.kind, ParameterKind::Either | ParameterKind::Keyword)
    }
}

/// The parameters of a row's text, those that it does not support included.
pub fn parameters(text: &'static str) -> Vec<Parameter> {
    let mut list: Vec<Parameter> = Vec::new();
    let mut kind = ParameterKind::Either;
    for part in parts(text) {
        match part {
            "/" => list.iter_mut().for_each(|p| p.kind = ParameterKind::Positional),
            "*" => kind = ParameterKind::Keyword,
            _ if part.starts_with("**") => {}
            _ if part.starts_with('*') => {
                let kind_of_rest = ParameterKind::Variadic;
                list.push(Parameter { name: &part[1..], kind: kind_of_rest, default: "", optional: true });
                kind = ParameterKind::Keyword;
            }
            _ => {
                let (name, default) = part.split_once('=').unwrap_or((part, ""));
                list.push(Parameter { name, kind, default, optional: !default.is_empty() });
            }
        }
    }
    list
}

/// The text between commas that stand in no parentheses.
pub(super) fn parts(text: &'static str) -> Vec<&'static str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// A parameter of a call, and the name that the row's code has for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bindable {
    pub(super) parameter: Parameter,
    pub(super) own_name: &'static str,
}

impl Function {
    /// The parameters of a call, as a function or as a method of an array. The array is a method's first parameter, `self`; others may have other names
    /// than the function's, and are the row's by their positions.
    pub(super) fn parameters_of_call(&self, form: Form) -> Vec<Bindable> {
        let is_method = form == Form::Method;
        let own = parameters(self.parameters);
        let mut list = if is_method && let Some(text) = self.method { parameters(text) } else { own.clone() };
        if let Some(first) = list.first_mut().filter(|_| is_method) {
            *first = Parameter { name: "self", kind: ParameterKind::Positional, default: "", optional: false };
        }
        let pairs = list.into_iter().zip(own);
        pairs.map(|(parameter, own)| Bindable { parameter, own_name: own.name }).collect()
    }

    /// Whether NumPy hands keywords on to a ufunc.
    pub(super) fn takes_keywords_of_ufuncs(&self) -> bool {
        self.parameters.ends_with("**kwargs")
    }

    /// The parameters that a call by one of its names takes, as Python writes them; empty for attributes.
    pub fn parameters_of(&self, name: &str) -> String {
        if ATTRIBUTES.contains(&name) {
            return String::new();
        }
        match (name.starts_with("ndarray."), self.method) {
            (false, _) => self.parameters.to_string(),
            (true, Some(text)) => text.to_string(),
            (true, None) => of_method(self.parameters),
        }
    }

    /// One of its names with the parameters that it takes.
    pub fn signature_of(&self, name: &str) -> String {
        if ATTRIBUTES.contains(&name) { name.to_string() } else { format!("{name}({})", self.parameters_of(name)) }
    }
}

/// A row's text as that of a method.
fn of_method(text: &'static str) -> String {
    let parts = parts(text);
    let rest = parts.get(1..).unwrap_or_default();
    let bare = if rest.contains(&"/") { vec!["self"] } else { vec!["self", "/"] };
    [&bare[..], rest].concat().join(", ")
}

/// Refuses an argument of a parameter that is not supported, unless it is what NumPy takes where it is left out.
pub(super) fn check_supported(
    builder: &Builder,
    function: &Function,
    parameter: &Parameter,
    value: &PyValue,
) -> Result<(), FunctionError> {
    if is_default(builder, parameter, value) {
        return Ok(());
    }
    let message = format!("`{}` of `{}` is not supported", parameter.name, function.name);
    Err(FunctionError::new(code::UNKNOWN_KEYWORD, message)
        .help(instead(function, parameter.name).unwrap_or("leave it out")))
}

/// What to write instead of a parameter that NumPy has.
pub(super) fn instead(function: &Function, parameter: &str) -> Option<&'static str> {
    let short = function.name.rsplit('.').next().unwrap_or_default();
    let own = format!("{short}.{parameter}");
    let find = |key: &str| INSTEAD.iter().find(|(name, _)| *name == key).map(|(_, instead)| *instead);
    find(&own).or_else(|| find(parameter))
}

fn is_default(builder: &Builder, parameter: &Parameter, value: &PyValue) -> bool {
    let default = parameter.default;
    match value {
        PyValue::None => default == "None",
        PyValue::Tuple(items) => parameter.kind == ParameterKind::Variadic && items.is_empty(),
        PyValue::Str(text) => default == format!("'{text}'"),
        PyValue::DType(DType::F64) => default == "float",
        PyValue::DType(DType::I64) => default == "int",
        PyValue::Typed(typed) => match builder.as_constant(typed.value) {
            Some(Constant::Bool(flag)) => default == if flag { "True" } else { "False" },
            Some(Constant::Float(number)) => default.parse::<f64>().is_ok_and(|d| d == number),
            Some(Constant::Int(_)) => {
                let number = binding::constant_integer(builder, value);
                number.is_some() && default.parse::<i64>().ok() == number
            }
            _ => false,
        },
        PyValue::List(_) | PyValue::Ellipsis | PyValue::DType(_) | PyValue::Function(_) => false,
    }
}
