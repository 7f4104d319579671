//! The text of a check's message, and how the values that it shows are written.
//!
//! `{}` stands for the next payload as Python's `str` writes it, `{.3}` for a float with so many decimals, `{:10.3e}` for one in a
//! format ([`Format`]); `{{` and `}}` are braces.

use numptx_abi::message::{self, float_text};
pub use numptx_abi::message::{Format, Piece};

use crate::DType;
use crate::scalar::Constant;

/// Dtypes of values that a message can show.
pub const SHOWN: [DType; 5] = [DType::Bool, DType::I64, DType::U64, DType::F32, DType::F64];

/// The pieces of a message, in order; a number may have a format.
pub fn pieces(text: &str) -> Vec<Piece<Option<Format>>> {
    message::pieces(text, |inner| if inner.is_empty() { Some(None) } else { Format::of_placeholder(inner).map(Some) })
}

/// A payload as text.
pub fn shown(value: Constant, dtype: DType, format: Option<Format>) -> String {
    match (value, format) {
        (Constant::Bool(true), _) => "True".into(),
        (Constant::Bool(false), _) => "False".into(),
        (Constant::Int(n), Some(format)) => format.int(n),
        (Constant::Int(n), _) if dtype == DType::U64 => n.cast_unsigned().to_string(),
        (Constant::Int(n), _) => n.to_string(),
        (Constant::Float(x), Some(format)) => format.float(x),
        (Constant::Float(x), _) if dtype == DType::F32 => float_text(x as f32),
        (Constant::Float(x), _) => float_text(x),
        (Constant::Complex(re, im), _) => format!("({re}, {im})"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Format, Piece, pieces};

    #[test]
    fn placeholders_are_told_from_braces() {
        let text = |t: &str| Piece::Text(t.to_string());
        assert_eq!(
            pieces("a {} {.3}b"),
            [text("a "), Piece::Payload(None), text(" "), Piece::Payload(Format::parse(".3f")), text("b")]
        );
        assert_eq!(pieces("{{}} {x} {"), [text("{} {x} {")]);
        assert_eq!(pieces(""), []);
    }
}
