//! The text of a check's message: what stands in it, and how the values that it shows are written.
//!
//! `{}` stands for the next payload as Python's `str` writes it, `{.3}` for a float with so many decimals; `{{` and `}}` are braces.

use crate::DType;
use crate::scalar::Constant;

/// Dtypes of values that a message can show.
pub const SHOWN: [DType; 5] = [DType::Bool, DType::I64, DType::U64, DType::F32, DType::F64];

/// A piece of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text as it is shown.
    Text(String),
    /// The next payload; a float may have a number of decimals.
    Payload(Option<u8>),
}

/// The pieces of a message, in order. Braces that belong to no placeholder are text.
pub fn pieces(message: &str) -> Vec<Piece> {
    let (mut pieces, mut text, mut rest) = (Vec::new(), String::new(), message);
    while let Some(c) = rest.chars().next() {
        if rest.starts_with("{{") || rest.starts_with("}}") {
            text.push(c);
            rest = &rest[2..];
        } else if let Some((decimals, length)) = placeholder(rest) {
            pieces.extend((!text.is_empty()).then(|| Piece::Text(std::mem::take(&mut text))));
            pieces.push(Piece::Payload(decimals));
            rest = &rest[length..];
        } else {
            text.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    pieces.extend((!text.is_empty()).then_some(Piece::Text(text)));
    pieces
}

/// The decimals of a placeholder at the start of a text, and its length in bytes.
fn placeholder(text: &str) -> Option<(Option<u8>, usize)> {
    let inner = text.strip_prefix('{')?;
    let (inner, _) = inner.split_once('}')?;
    let decimals = match inner {
        "" => None,
        _ => Some(inner.strip_prefix('.')?.parse().ok()?),
    };
    Some((decimals, inner.len() + 2))
}

/// A payload as text.
pub fn shown(value: Constant, dtype: DType, decimals: Option<u8>) -> String {
    match (value, decimals) {
        (Constant::Bool(true), _) => "True".into(),
        (Constant::Bool(false), _) => "False".into(),
        (Constant::Int(n), _) if dtype == DType::U64 => n.cast_unsigned().to_string(),
        (Constant::Int(n), _) => n.to_string(),
        (Constant::Float(x), Some(decimals)) if x.is_finite() => format!("{x:.0$}", usize::from(decimals)),
        (Constant::Float(x), _) if dtype == DType::F32 => float_text(&format!("{:e}", x as f32)),
        (Constant::Float(x), _) => float_text(&format!("{x:e}")),
        (Constant::Complex(re, im), _) => format!("({re}, {im})"),
    }
}

/// A float as Python's `str` writes it, from the digits and the exponent of `{:e}`.
pub fn float_text(scientific: &str) -> String {
    let (sign, digits) = scientific.strip_prefix('-').map_or(("", scientific), |rest| ("-", rest));
    let Some((mantissa, exponent)) = digits.split_once('e') else {
        return if digits == "NaN" { "nan".into() } else { format!("{sign}{digits}") };
    };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits = mantissa.replace('.', "");
    let count = digits.len() as i32;
    if !(-4..16).contains(&exponent) {
        let point = if count > 1 { "." } else { "" };
        let direction = if exponent < 0 { '-' } else { '+' };
        return format!("{sign}{}{point}{}e{direction}{:02}", &digits[..1], &digits[1..], exponent.abs());
    }
    let text = if exponent < 0 {
        format!("0.{}{digits}", "0".repeat((-exponent - 1) as usize))
    } else if exponent + 1 >= count {
        format!("{digits}{}.0", "0".repeat((exponent + 1 - count) as usize))
    } else {
        let (whole, rest) = digits.split_at((exponent + 1) as usize);
        format!("{whole}.{rest}")
    };
    format!("{sign}{text}")
}

#[cfg(test)]
mod tests {
    use super::{Piece, float_text, pieces};

    #[test]
    fn placeholders_are_told_from_braces() {
        let text = |t: &str| Piece::Text(t.to_string());
        assert_eq!(
            pieces("a {} {.3}b"),
            [text("a "), Piece::Payload(None), text(" "), Piece::Payload(Some(3)), text("b")]
        );
        assert_eq!(pieces("{{}} {x} {"), [text("{} {x} {")]);
        assert_eq!(pieces(""), []);
    }

    #[test]
    fn floats_are_written_as_python_does() {
        let cases = [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (0.1, "0.1"),
            (1e16, "1e+16"),
            (123456789012345680.0, "1.2345678901234568e+17"),
            (1e15, "1000000000000000.0"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (-1.5e-7, "-1.5e-07"),
            (1e300, "1e+300"),
            (1234.5, "1234.5"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "nan"),
            (5e-324, "5e-324"),
        ];
        for (value, expected) in cases {
            assert_eq!(float_text(&format!("{value:e}")), expected);
        }
        assert_eq!(float_text(&format!("{:e}", 0.1f32)), "0.1");
    }
}
