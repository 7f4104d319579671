//! What NumPy demands of arguments, and how it says that they are not so.
//!
//! A demand is checked for all elements of an argument before the next one is. Scalars and arrays are told of in different words.

use crate::draws::Style;
use crate::methods::{Method, Number};

/// The largest mean of Poisson draws: ten deviations below the largest int.
const LARGEST_MEAN: f64 = 9_223_372_006_484_770_816.0;
/// From so many good or bad ones on `Generator.hypergeometric` is not exact.
const HYPERGEOMETRIC: i64 = 1_000_000_000;

/// What is demanded of one parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constraint {
    /// Nothing.
    Nothing,
    /// Not negative, and no -0.0; nan passes.
    NonNegative,
    /// Above zero; nan passes.
    Positive,
    /// Above zero, and no nan.
    PositiveNumber,
    /// From 0 to 1.
    Unit,
    /// From 0 to 1, without 0.
    UnitAboveZero,
    /// From 0 to 1, without 1.
    UnitBelowOne,
    /// Above 1.
    AboveOne,
    /// 1 and more.
    FromOne,
    /// A mean of Poisson draws.
    Poisson,
}

/// Whose message it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// All arguments are scalars.
    Scalar,
    /// One of them is an array.
    Array,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Whether it is an `OverflowError`; else it is a `ValueError`.
    pub is_overflow: bool,
    /// The message.
    pub text: String,
}

impl Wrong {
    pub(crate) fn value(text: impl Into<String>) -> Wrong {
        Wrong { is_overflow: false, text: text.into() }
    }
}

/// How many checks [`check`] knows of: they are made one after the other, each of all elements.
pub const STAGES: usize = 7;

/// The argument of which a check says what it has to be by itself; `None`: it is about several.
pub fn demanded(method: &Method, stage: usize) -> Option<usize> {
    match (method.name, stage) {
        // The probability comes first.
        ("binomial", 3 | 4) => Some(4 - stage),
        (_, 3..6) => Some(stage - 3),
        _ => None,
    }
}

/// A check of a method's arguments.
pub fn check(method: &Method, style: Style, of: Of, stage: usize, words: [u64; 3]) -> Result<(), Wrong> {
    let floats = words.map(f64::from_bits);
    let ints = words.map(|word| word as i64);
    if let Some(at) = demanded(method, stage) {
        return constraint(method, style, of, at, words);
    }
    match (method.name, stage) {
        (_, 0..3) => relation(method.name, style, of, stage, floats, ints),
        ("negative_binomial", _) if style == Style::Generator => {
            let (n, p) = (floats[0], floats[1]);
            if (1.0 - p) / p * (n + 10.0 * n.sqrt()) > LARGEST_MEAN {
                return Err(Wrong::value("n too large or p too small, see Generator.negative_binomial Notes"));
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn relation(name: &str, style: Style, of: Of, stage: usize, floats: [f64; 3], ints: [i64; 3]) -> Result<(), Wrong> {
    let failed = |is_wrong: bool, text: &str| if is_wrong { Err(Wrong::value(text)) } else { Ok(()) };
    let [left, mode, right] = floats;
    let [good, bad, sample] = ints;
    match (name, stage) {
        ("uniform", 0) if !floats[1].is_finite() => {
            let text = match (of, style) {
                (Of::Scalar, Style::Generator) => "high - low range exceeds valid bounds",
                _ => "Range exceeds valid bounds",
            };
            Err(Wrong { is_overflow: true, text: text.into() })
        }
        ("triangular", 0) => failed(left > mode, "left > mode"),
        ("triangular", 1) => failed(mode > right, "mode > right"),
        ("triangular", 2) => failed(left == right, "left == right"),
        ("hypergeometric", 0) if style == Style::Generator => {
            failed(good >= HYPERGEOMETRIC || bad >= HYPERGEOMETRIC, "both ngood and nbad must be less than 1000000000")
        }
        ("hypergeometric", 1) => failed(good.wrapping_add(bad) < sample, "ngood + nbad < nsample"),
        _ => Ok(()),
    }
}

fn constraint(method: &Method, style: Style, of: Of, at: usize, words: [u64; 3]) -> Result<(), Wrong> {
    let Some(parameter) = method.parameters.get(at) else { return Ok(()) };
    let value = match parameter.number {
        Number::Double => f64::from_bits(words[at]),
        Number::Single => f64::from(f32::from_bits(words[at] as u32)),
        Number::Int => words[at] as i64 as f64,
    };
    let constraint = match style {
        Style::Generator => parameter.demands,
        Style::Legacy => parameter.legacy_demands,
    };
    match message(parameter.name, value, constraint, of) {
        None => Ok(()),
        Some(text) => Err(Wrong::value(text)),
    }
}

fn message(name: &str, x: f64, constraint: Constraint, of: Of) -> Option<String> {
    let nan = if of == Of::Array { "contains NaNs" } else { "is NaN" };
    let unit = (0.0..=1.0).contains(&x);
    match constraint {
        Constraint::Nothing => None,
        Constraint::NonNegative => (!x.is_nan() && x.is_sign_negative()).then(|| format!("{name} < 0")),
        Constraint::PositiveNumber if x.is_nan() => Some(format!("{name} must not be NaN")),
        Constraint::Positive | Constraint::PositiveNumber => (x <= 0.0).then(|| format!("{name} <= 0")),
        Constraint::Unit => (!unit).then(|| format!("{name} < 0, {name} > 1 or {name} {nan}")),
        Constraint::UnitAboveZero => {
            (!unit || x == 0.0).then(|| format!("{name} <= 0, {name} > 1 or {name} contains NaNs"))
        }
        Constraint::UnitBelowOne => (!unit || x == 1.0).then(|| format!("{name} < 0, {name} >= 1 or {name} {nan}")),
        Constraint::AboveOne => (x.is_nan() || x <= 1.0).then(|| format!("{name} <= 1 or {name} {nan}")),
        Constraint::FromOne => (x.is_nan() || x < 1.0).then(|| format!("{name} < 1 or {name} {nan}")),
        Constraint::Poisson => poisson(name, x, of, nan),
    }
}

fn poisson(name: &str, x: f64, of: Of, nan: &str) -> Option<String> {
    let is_large = x > LARGEST_MEAN || x.is_nan() && of == Of::Array;
    if is_large {
        return Some(format!("{name} value too large"));
    }
    (x.is_nan() || x < 0.0).then(|| format!("{name} < 0 or {name} {nan}"))
}
