//! Ints and truths: in any base, as a character, or as floats.

use crate::failure::{Failure, Outcome};
use crate::format::float;
use crate::format::number::{Pieces, assembled};
use crate::format::specification::Specification;

/// The digits of an int without its sign, and the prefix of their base.
pub(super) fn digits(n: i128, kind: char) -> (&'static str, String) {
    let n = n.unsigned_abs();
    match kind {
        'b' => ("0b", format!("{n:b}")),
        'o' => ("0o", format!("{n:o}")),
        'x' => ("0x", format!("{n:x}")),
        'X' => ("0X", format!("{n:X}")),
        _ => ("", n.to_string()),
    }
}

/// An int by a specification.
pub(super) fn format(n: i128, specification: &Specification, name: &str) -> Outcome<String> {
    let kind = specification.kind.unwrap_or('d');
    match kind {
        'b' | 'c' | 'd' | 'o' | 'x' | 'X' | 'n' => {}
        'e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%' => return float::format(n as f64, specification, "float"),
        _ => return Err(specification.unknown(name)),
    }
    if specification.precision.is_some() {
        return Err(Failure::value("Precision not allowed in integer format specifier"));
    }
    if specification.has_no_negative_zero {
        return Err(Failure::value("Negative zero coercion (z) not allowed in integer format specifier"));
    }
    if kind == 'c' {
        return character(n, specification);
    }
    let (prefix, digits) = digits(n, kind);
    let prefix = if specification.is_alternate { prefix } else { "" };
    assembled(&Pieces { is_negative: n < 0, prefix, digits: &digits, rest: "" }, specification)
}

fn character(n: i128, specification: &Specification) -> Outcome<String> {
    if specification.sign.is_some() {
        return Err(Failure::value("Sign not allowed with integer format specifier 'c'"));
    }
    if specification.is_alternate {
        return Err(Failure::value("Alternate form (#) not allowed with integer format specifier 'c'"));
    }
    let c = character_of(n)?.to_string();
    assembled(&Pieces { is_negative: false, prefix: "", digits: "", rest: &c }, specification)
}

/// The character of a code point.
pub(super) fn character_of(n: i128) -> Outcome<char> {
    if !(0..0x11_0000).contains(&n) {
        return Err(Failure::overflow("%c arg not in range(0x110000)"));
    }
    let c = u32::try_from(n).ok().and_then(char::from_u32);
    c.ok_or_else(|| Failure::value("a surrogate, which numptx has no string of"))
}
