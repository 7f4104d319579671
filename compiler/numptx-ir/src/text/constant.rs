//! Constants: `true`, `-3`, `0.5`, `inf`, `nan`, `(re, im)`. A nan other than the usual one shows its bits: `nan_7ff0000000000001`.

use super::{Cursor, ParseError, Token};
use crate::scalar::Constant;

const NAN: u64 = 0x7ff8_0000_0000_0000;

/// Writes a constant such that it reads back bit for bit.
pub(crate) fn write_constant(constant: Constant) -> String {
    match constant {
        Constant::Bool(value) => value.to_string(),
        Constant::Int(value) => value.to_string(),
        Constant::Float(value) => write_float(value),
        Constant::Complex(re, im) => format!("({}, {})", write_float(re), write_float(im)),
    }
}

fn write_float(value: f64) -> String {
    match value.to_bits() {
        NAN => "nan".to_string(),
        bits if value.is_nan() => format!("nan_{bits:016x}"),
        _ => format!("{value:?}"),
    }
}

/// Reads a constant.
pub(crate) fn parse_constant(cursor: &mut Cursor) -> Result<Constant, ParseError> {
    if cursor.take_word("true") {
        return Ok(Constant::Bool(true));
    }
    if cursor.take_word("false") {
        return Ok(Constant::Bool(false));
    }
    if cursor.take('(') {
        let re = parse_float(cursor)?;
        cursor.expect(',')?;
        let im = parse_float(cursor)?;
        cursor.expect(')')?;
        return Ok(Constant::Complex(re, im));
    }
    match cursor.peek() {
        Token::Number(text) if !text.contains(['.', 'e']) => Ok(Constant::Int(cursor.number()?)),
        _ => Ok(Constant::Float(parse_float(cursor)?)),
    }
}

fn parse_float(cursor: &mut Cursor) -> Result<f64, ParseError> {
    let Token::Word(word) = cursor.peek().clone() else { return cursor.number() };
    let value = match word.as_str() {
        "inf" => Some(f64::INFINITY),
        "-inf" => Some(f64::NEG_INFINITY),
        "nan" => Some(f64::from_bits(NAN)),
        word => {
            let bits = word.strip_prefix("nan_").and_then(|bits| u64::from_str_radix(bits, 16).ok());
            bits.map(f64::from_bits).filter(|value| value.is_nan())
        }
    };
    match value {
        Some(value) => {
            cursor.next();
            Ok(value)
        }
        None => cursor.error(format!("`{word}` is not a constant")),
    }
}
