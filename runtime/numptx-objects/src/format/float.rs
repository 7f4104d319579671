//! Floats and complex numbers: decimals, exponents, percents, and the fewest digits.

use numptx_abi::message::{float_text, general, scientific};

use crate::failure::{Failure, Outcome};
use crate::format::number::{Pieces, assembled, sign};
use crate::format::specification::Specification;
use crate::format::text::aligned;
use crate::output::Output;

/// More decimals than any float has; those beyond are zeros.
const ALL_DIGITS: usize = 1100;

/// The largest precision that CPython takes.
const MAX_PRECISION: usize = i32::MAX as usize;

/// How the digits of a float are made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// `e`, `f`, `g` or `%`, in either case; `None`: the fewest digits, or, with a precision, as `g` with one digit behind the point.
    pub(super) kind: Option<char>,
    pub(super) precision: Option<usize>,
    /// The point stays, and with `g` trailing zeros.
    pub(super) is_alternate: bool,
    /// Whether whole numbers get a digit behind the point where no type is given.
    pub(super) has_decimals: bool,
}

/// A float by a style, without its sign.
pub(super) fn magnitude(x: f64, style: Style) -> Outcome<String> {
    let x = if style.kind == Some('%') { x.abs() * 100.0 } else { x.abs() };
    let is_upper = style.kind.is_some_and(|kind| kind.is_ascii_uppercase());
    if style.precision.is_some_and(|precision| precision > MAX_PRECISION) {
        return Err(Failure::value("precision too big"));
    }
    let mut text = if x.is_finite() { finite(x, style)? } else { float_text(x) };
    if style.is_alternate && x.is_finite() {
        let mantissa = text.find(['e', '%']).unwrap_or(text.len());
        if !text[..mantissa].contains('.') {
            text.insert(mantissa, '.');
        }
    }
    if style.kind == Some('%') {
        text.push('%');
    }
    Ok(if is_upper { text.to_ascii_uppercase() } else { text })
}

fn finite(x: f64, style: Style) -> Outcome<String> {
    let precision = style.precision.unwrap_or(6);
    let digits = precision.min(ALL_DIGITS);
    let beyond = precision - digits;
    Ok(match (style.kind.map(|kind| kind.to_ascii_lowercase()), style.precision) {
        (Some('f' | '%'), _) => {
            let mut output = Output::new();
            output.push(&format!("{x:.digits$}"))?;
            output.repeat('0', beyond)?;
            output.done()
        }
        (Some('e'), _) => {
            let text = scientific(x, digits);
            let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, ""));
            let mut output = Output::new();
            output.push(mantissa)?;
            output.repeat('0', beyond)?;
            output.push("e")?;
            output.push(exponent)?;
            output.done()
        }
        (Some(_), _) => with_zeros(general(x, digits.max(1), 0, style.is_alternate), beyond, style)?,
        (None, None) if style.has_decimals => float_text(x),
        (None, None) => float_text(x).trim_end_matches(".0").to_string(),
        (None, Some(_)) => {
            let reserved = usize::from(style.has_decimals);
            let text = general(x, digits.max(1), reserved, style.is_alternate);
            let lacks = style.has_decimals && !text.contains(['.', 'e']);
            with_zeros(if lacks { text + ".0" } else { text }, beyond, style)?
        }
    })
}

/// Digits that a float has not are zeros, where these are kept.
fn with_zeros(text: String, beyond: usize, style: Style) -> Outcome<String> {
    if beyond == 0 || !style.is_alternate {
        return Ok(text);
    }
    let (mantissa, exponent) = text.split_at(text.find('e').unwrap_or(text.len()));
    let mut output = Output::new();
    output.push(mantissa)?;
    output.repeat('0', beyond)?;
    output.push(exponent)?;
    Ok(output.done())
}

/// Whether a sign is written: not of nan, and of what is rounded to zero only where that may be negative.
fn is_negative(x: f64, text: &str, has_no_negative_zero: bool) -> bool {
    let mantissa = text.split(['e', 'E']).next().unwrap_or("");
    let is_zero = x.is_finite() && !mantissa.contains(|c: char| matches!(c, '1'..='9'));
    x.is_sign_negative() && !x.is_nan() && !(has_no_negative_zero && is_zero)
}

/// The digits before the point, and the rest.
fn split(text: &str) -> (&str, &str) {
    text.split_at(text.bytes().take_while(u8::is_ascii_digit).count())
}

/// A float by a specification.
pub(super) fn format(x: f64, specification: &Specification, name: &str) -> Outcome<String> {
    let kind = match specification.kind {
        Some('n') => Some('g'),
        None | Some('e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%') => specification.kind,
        _ => return Err(specification.unknown(name)),
    };
    let (precision, is_alternate) = (specification.precision, specification.is_alternate);
    let text = magnitude(x, Style { kind, precision, is_alternate, has_decimals: true })?;
    let is_negative = is_negative(x, &text, specification.has_no_negative_zero);
    let (digits, rest) = split(&text);
    assembled(&Pieces { is_negative, prefix: "", digits, rest }, specification)
}

/// A complex number by a specification.
pub(super) fn format_complex(real: f64, imaginary: f64, specification: &Specification) -> Outcome<String> {
    let kind = match specification.kind {
        Some('n') => Some('g'),
        None | Some('e' | 'E' | 'f' | 'F' | 'g' | 'G') => specification.kind,
        _ => return Err(specification.unknown("complex")),
    };
    if specification.fill == '0' {
        return Err(Failure::value("Zero padding is not allowed in complex format specifier"));
    }
    if specification.align == '=' {
        return Err(Failure::value("'=' alignment flag is not allowed in complex format specifier"));
    }
    let (precision, is_alternate) = (specification.precision, specification.is_alternate);
    let part = |x: f64, wanted: Option<char>| {
        let text = magnitude(x, Style { kind, precision, is_alternate, has_decimals: false })?;
        let (digits, rest) = split(&text);
        let is_negative = is_negative(x, &text, specification.has_no_negative_zero);
        let part = Specification { width: 0, align: '<', sign: wanted, ..specification.clone() };
        assembled(&Pieces { is_negative, prefix: "", digits, rest }, &part)
    };
    let is_bare = kind.is_none() && real.to_bits() == 0;
    let mut output = Output::new();
    if is_bare {
        output.push(&part(imaginary, specification.sign)?)?;
        output.push("j")?;
    } else {
        let has_brackets = kind.is_none();
        output.push(if has_brackets { "(" } else { "" })?;
        output.push(&part(real, specification.sign)?)?;
        output.push(&part(imaginary, Some('+'))?)?;
        output.push(if has_brackets { "j)" } else { "j" })?;
    }
    aligned(&output.done(), specification)
}

/// A float by a conversion of `%`, with its sign.
pub(super) fn converted(x: f64, style: Style, wanted: Option<char>) -> Outcome<(&'static str, String)> {
    let text = magnitude(x, style)?;
    Ok((sign(is_negative(x, &text, false), wanted), text))
}
