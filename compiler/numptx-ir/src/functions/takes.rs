//! What the parameters of a function that is written in Python take: checked, and made arrays, before its text is lowered.
//!
//! In: a call of a row of class `Library`. Out: the arguments by the names of the row's parameters. What is refused here is refused in the words of
//! NumPy's parameters; the text need not look at what it was given.

use super::Function;
use super::binding::{Bound, Call, bound, constant_integer};
use super::error::{MAX_RANK, bad_argument, plural};
use super::parameters::{ParameterKind, parameters};
use super::reduction::normalise_axis;
use super::value::{Arguments, Family, FunctionError, PyValue, Typed};
use super::{convert, halves};
use crate::array::{Builder, READ_ONLY_DESTINATION};
use crate::dtype::Kind;

/// What an argument has to be. `None` is taken where it is the default.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    /// Anything: the function looks at it.
    Anything,
    /// An array, or a number or a list, which become one.
    Array(ArrayOf),
    /// Real numbers: an array, or one number, which stays one.
    Elements,
    /// An array to write to.
    Destination,
    /// A real number.
    Number,
    /// A number, complex or not.
    Scalar,
    /// An integer; of a variadic parameter integers.
    Integer,
    /// An integer that is known when compiling.
    Constant,
    /// A bool.
    Flag,
    /// Axes of the array that another parameter takes; `None`.
    Axes(&'static str),
    /// One axis of the array that another parameter takes; `None`.
    Axis(&'static str),
    /// One axis of the array that another parameter takes.
    Place(&'static str),
    /// Two numbers.
    Pair,
    /// One of these strings.
    Word(&'static [&'static str]),
    /// A function, which is called.
    Function,
}

/// Which arrays are taken.
#[derive(Clone, Copy, Debug)]
pub struct ArrayOf {
    /// The fewest axes.
    pub least: usize,
    /// The most axes.
    pub most: usize,
    /// What the elements are.
    pub holds: Holds,
}

/// Arrays that are not complex.
const REAL: ArrayOf = ArrayOf { least: 0, most: MAX_RANK, holds: Holds::Real };

/// What elements are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Anything.
    Anything,
    /// Anything but complex numbers.
    Real,
    /// Integers and floats.
    RealNumbers,
    /// Integers.
    Integers,
}

/// Checks the arguments of a call, and gives them by the names of the row's parameters.
pub fn checked(
    builder: &mut Builder,
    function: &'static Function,
    arguments: &Arguments,
) -> Result<Vec<Bound>, FunctionError> {
    let bound = bound(builder, function, arguments)?;
    let mut call = Call { builder, function, form: arguments.form, bound };
    halves::check(&call)?;
    for n in 0..call.bound.len() {
        let name = call.bound[n].name;
        let takes = function.takes.iter().find(|(own, _)| *own == name).map_or(Takes::Anything, |(_, takes)| *takes);
        let value = taken(&mut call, name, takes)?;
        call.bound[n].value = value;
    }
    Ok(call.bound)
}

fn taken(call: &mut Call, name: &'static str, takes: Takes) -> Result<PyValue, FunctionError> {
    let value = call.get(name).unwrap_or(PyValue::None);
    let parameter = parameters(call.function.parameters).into_iter().find(|p| p.name == name);
    if value == PyValue::None && parameter.is_some_and(|p| p.default == "None") {
        return Ok(value);
    }
    let is_variadic = parameter.is_some_and(|p| p.kind == ParameterKind::Variadic);
    let is_single = |call: &Call, typed: &Typed| call.builder.rank(typed.value) == 0;
    let fits = match (takes, &value) {
        (Takes::Anything, _) => true,
        (Takes::Array(of), _) => return array(call, name, &value, of),
        (Takes::Elements, PyValue::Typed(typed)) if is_single(call, typed) => {
            !call.builder.dtype(typed.value).is_complex()
        }
        (Takes::Elements, _) => return array(call, name, &value, REAL),
        (Takes::Destination, PyValue::Typed(typed)) if typed.family == Family::Array => {
            call.check_writable(typed.value, name, READ_ONLY_DESTINATION)?;
            true
        }
        (Takes::Number, PyValue::Typed(_)) => is_real(call, &value),
        (Takes::Scalar, PyValue::Typed(typed)) => is_single(call, typed),
        (Takes::Number, PyValue::Tuple(items)) if is_variadic => {
            if let Some(other) = items.iter().find(|item| !is_real(call, item)) {
                let found = call.describe(other);
                let message = format!("`{name}` of `{}` must be real numbers, found {found}", call.function.name);
                return Err(bad_argument(message).help(takes.help()));
            }
            true
        }
        (Takes::Integer, PyValue::Tuple(items)) if is_variadic => {
            if let Some(other) = items.iter().find(|item| !is_integer(call, item)) {
                let found = call.describe(other);
                let message = format!("`{name}` of `{}` must be integers, found {found}", call.function.name);
                return Err(bad_argument(message).help(takes.help()));
            }
            true
        }
        (Takes::Integer | Takes::Flag, value) => is_integer(call, value),
        (Takes::Constant, value) => constant_integer(call.builder, value).is_some(),
        (Takes::Axes(of) | Takes::Axis(of) | Takes::Place(of), value) => return axes(call, name, value, of, takes),
        (Takes::Pair, PyValue::Tuple(items) | PyValue::List(items)) => {
            let is_number = |item: &PyValue| matches!(item, PyValue::Typed(typed) if is_single(call, typed));
            items.len() == 2 && items.iter().all(is_number)
        }
        (Takes::Function, PyValue::Function(_)) => true,
        (Takes::Word(words), PyValue::Str(text)) => words.contains(&text.as_str()),
        _ => false,
    };
    if fits { Ok(value) } else { Err(call.refuse(name, &takes.words()).help(takes.help())) }
}

impl Takes {
    /// What the words of a row mean.
    pub(super) fn read(text: &'static str) -> Option<Takes> {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        Some(match word {
            "anything" => Takes::Anything,
            "array" => Takes::Array(ArrayOf::read(rest)?),
            "elements" => Takes::Elements,
            "destination" => Takes::Destination,
            "number" => Takes::Number,
            "scalar" => Takes::Scalar,
            "integer" => Takes::Integer,
            "constant" => Takes::Constant,
            "flag" => Takes::Flag,
            "axes" => Takes::Axes(rest.strip_prefix("of ")?),
            "axis" => Takes::Axis(rest.strip_prefix("of ")?),
            "place" => Takes::Place(rest.strip_prefix("of ")?),
            "pair" => Takes::Pair,
            "function" => Takes::Function,
            _ if word.starts_with('\'') => {
                let words = text.split(" | ").map(|word| word.strip_prefix('\'')?.strip_suffix('\''));
                Takes::Word(words.collect::<Option<Vec<_>>>()?.leak())
            }
            _ => return None,
        })
    }

    /// What to write instead of what does not fit.
    fn help(self) -> &'static str {
        match self {
            Takes::Anything | Takes::Array(_) => "pass an array",
            Takes::Destination => "write to an array: `y = np.array(values)`",
            Takes::Elements => "take a part of each number: `z.real`",
            Takes::Number => "take one number: `float(x[0])`; of complex numbers a part: `z.real`",
            Takes::Scalar => "take one number: `z[0]`; NumPy's functions take arrays: `np.sqrt(z)`",
            Takes::Integer => "convert it first: `int(x)`; arrays take a loop over their elements",
            Takes::Flag | Takes::Constant => "write it as a constant",
            Takes::Axes(_) | Takes::Axis(_) | Takes::Place(_) => {
                "write it as a constant; several axes become one by `x.reshape(n, -1)`"
            }
            Takes::Pair => "write a tuple of two numbers: `range=(0.0, 1.0)`",
            Takes::Word(_) => "write one of these strings",
            Takes::Function => "pass a function of the file or of NumPy, or a `lambda`",
        }
    }

    /// «an array of 2 axes», «an integer».
    fn words(self) -> String {
        match self {
            Takes::Anything => "anything".to_string(),
            Takes::Array(of) => of.words(),
            Takes::Elements => REAL.words(),
            Takes::Destination => "an array to write to".to_string(),
            Takes::Number => "a real number".to_string(),
            Takes::Scalar => "a number".to_string(),
            Takes::Integer => "an integer".to_string(),
            Takes::Constant => "an integer that is known when compiling".to_string(),
            Takes::Flag => "`True` or `False`".to_string(),
            Takes::Axes(_) => "axes that are known when compiling".to_string(),
            Takes::Axis(_) => "one axis that is known when compiling, or `None`".to_string(),
            Takes::Place(_) => "one axis that is known when compiling".to_string(),
            Takes::Pair => "two numbers".to_string(),
            Takes::Function => "a function".to_string(),
            Takes::Word(words) => {
                let quoted: Vec<String> = words.iter().map(|word| format!("`'{word}'`")).collect();
                match quoted.split_last() {
                    Some((last, [])) => last.clone(),
                    Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
                    None => "nothing".to_string(),
                }
            }
        }
    }
}

impl ArrayOf {
    /// How many axes there are, and what the elements are: `1..2 of reals`; nothing where any are taken.
    fn read(text: &str) -> Option<ArrayOf> {
        let (axes, holds) = text.split_once("of ").unwrap_or((text, ""));
        let holds = match holds {
            "" => Holds::Anything,
            "reals" => Holds::Real,
            "numbers" => Holds::RealNumbers,
            "integers" => Holds::Integers,
            _ => return None,
        };
        let (least, most) = match axes.trim() {
            "" => ("0", ""),
            axes => axes.split_once("..").unwrap_or((axes, axes)),
        };
        let most = if most.is_empty() { MAX_RANK } else { most.parse().ok()? };
        Some(ArrayOf { least: least.parse().ok()?, most, holds })
    }

    fn words(self) -> String {
        let axes = match (self.least, self.most) {
            (0, super::error::MAX_RANK) => String::new(),
            (least, super::error::MAX_RANK) => format!(" of at least {least} {}", plural(least, "axis", "axes")),
            (least, most) if least == most => format!(" of {least} {}", plural(least, "axis", "axes")),
            (0, most) => format!(" of at most {most} {}", plural(most, "axis", "axes")),
            (least, most) => format!(" of {least} to {most} axes"),
        };
        let elements = match self.holds {
            Holds::Anything => "",
            Holds::Real => " that is not complex",
            Holds::RealNumbers => " of integers or floats",
            Holds::Integers => " of integers",
        };
        format!("an array{axes}{elements}")
    }
}

impl Holds {
    fn has(self, kind: Kind) -> bool {
        match self {
            Holds::Anything => true,
            Holds::Real => kind != Kind::Complex,
            Holds::RealNumbers => !matches!(kind, Kind::Complex | Kind::Bool),
            Holds::Integers => matches!(kind, Kind::Signed | Kind::Unsigned),
        }
    }
}

fn array(call: &mut Call, name: &str, value: &PyValue, of: ArrayOf) -> Result<PyValue, FunctionError> {
    let typed = match value {
        PyValue::Typed(typed) => *typed,
        PyValue::List(_) | PyValue::Tuple(_) => {
            convert::array_of_display(call.builder, value, None).map_err(|e| e.at(call.position(name)))?
        }
        _ => return Err(call.refuse(name, &of.words())),
    };
    let array = convert::to_array(call.builder, typed);
    let (rank, kind) = (call.builder.rank(array.value), call.builder.dtype(array.value).kind());
    let refused = |help: &str| Err(call.refuse(name, &of.words()).help(help));
    if rank < of.least {
        return refused("give it axes: `x[None]`, `x.reshape(n, m)`");
    }
    if rank > of.most {
        return refused("take a part that has fewer axes: `x[0]`, or all elements: `x.ravel()`");
    }
    if !of.holds.has(kind) {
        return refused(match kind {
            Kind::Complex => "take a part of each number: `z.real`",
            Kind::Bool => "count them as integers: `x.astype(np.int64)`",
            _ => "convert them: `x.astype(np.int64)`",
        });
    }
    Ok(PyValue::array(array.value))
}

fn is_real(call: &Call, value: &PyValue) -> bool {
    let PyValue::Typed(typed) = value else { return false };
    call.builder.rank(typed.value) == 0 && !call.builder.dtype(typed.value).is_complex()
}

fn is_integer(call: &Call, value: &PyValue) -> bool {
    let PyValue::Typed(typed) = value else { return false };
    let kind = call.builder.dtype(typed.value).kind();
    call.builder.rank(typed.value) == 0 && matches!(kind, Kind::Signed | Kind::Unsigned | Kind::Bool)
}

fn axes(
    call: &mut Call,
    name: &'static str,
    value: &PyValue,
    of: &str,
    takes: Takes,
) -> Result<PyValue, FunctionError> {
    let rank = match call.get(of) {
        Some(PyValue::Typed(typed)) => call.builder.rank(typed.value),
        _ => 0,
    };
    match (takes, value) {
        (Takes::Axes(_) | Takes::Axis(_), PyValue::None) => {}
        (Takes::Axes(_), PyValue::Tuple(_) | PyValue::List(_)) => drop(call.axes(name, rank)?),
        _ => match constant_integer(call.builder, value) {
            Some(axis) => drop(normalise_axis(axis, rank).map_err(|e| e.at(call.position(name)))?),
            None => return Err(call.refuse(name, &takes.words()).help(takes.help())),
        },
    }
    Ok(value.clone())
}
