//! The refusals that several functions share. Each states what was found, what was expected, and a program that works.

use numptx_source::{Code, code};

use super::value::FunctionError;
use crate::DType;

impl FunctionError {
    /// A refusal of the whole call.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        FunctionError { code, message: message.into(), help: None, argument: None }
    }

    /// Adds what works instead.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Points at a positional argument.
    pub fn at(mut self, argument: Option<usize>) -> Self {
        self.argument = argument;
        self
    }
}

/// `axis` names no axis of an array of `rank` axes.
pub(super) fn bad_axis(axis: i64, rank: usize) -> FunctionError {
    let message = format!("axis {axis} is out of bounds for an array of {rank} {}", plural(rank, "axis", "axes"));
    let error = FunctionError::new(code::BAD_AXIS, message);
    match rank {
        0 => error.help("leave `axis` out: a single value has no axes"),
        _ => error.help(format!("axes go from {} to {}", -(rank as i64), rank - 1)),
    }
}

/// The array would have more axes than numptx allows.
pub(super) fn too_many_axes(rank: usize) -> FunctionError {
    FunctionError::new(
        code::TOO_MANY_AXES,
        format!("the result would have {rank} axes; at most {MAX_RANK} are possible"),
    )
}

/// The largest rank of an array.
pub(super) const MAX_RANK: usize = 16;

/// A Python int that a dtype cannot hold.
pub(super) fn out_of_range(value: i64, dtype: DType) -> FunctionError {
    let message = format!("Python integer {value} is out of bounds for `{dtype}`");
    FunctionError::new(code::CONSTANT_OUT_OF_RANGE, message)
        .help(format!("write `np.int64({value})` to compute in a wider type, or a constant within `{dtype}`"))
}

/// An argument of the wrong sort.
pub(super) fn bad_argument(message: impl Into<String>) -> FunctionError {
    FunctionError::new(code::BAD_ARGUMENT, message)
}

/// A value of `from` cannot be written to `to` within its kind.
pub(super) fn cast_refused(function: &str, from: DType, to: DType) -> FunctionError {
    let message =
        format!("the result of `{function}` is `{from}`, which cannot be stored in `{to}` without losing its kind");
    FunctionError::new(code::CAST_REFUSED, message)
        .help(format!("store it in an array of `{from}`, or write `.astype(np.{to})`"))
}

/// `one` or `many`, by number.
pub(super) fn plural(n: usize, one: &'static str, many: &'static str) -> &'static str {
    if n == 1 { one } else { many }
}

/// `a`, `b` and `c`.
pub(super) fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
    match quoted.split_last() {
        None => "nothing".to_string(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}
