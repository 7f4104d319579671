//! A number put together: its sign, a prefix, digits in groups, what follows them, and what fills the width.

use crate::failure::Outcome;
use crate::format::specification::Specification;
use crate::output::Output;

/// A number in pieces.
pub(super) struct Pieces<'a> {
    pub(super) is_negative: bool,
    /// `0x` and the like.
    pub(super) prefix: &'a str,
    /// Those before the point, which may be grouped.
    pub(super) digits: &'a str,
    /// The point and all that follows.
    pub(super) rest: &'a str,
}

/// How many digits a group has.
fn group_size(specification: &Specification) -> usize {
    match (specification.separator, specification.kind) {
        (None, _) => usize::MAX,
        (_, Some('b' | 'o' | 'x' | 'X')) => 4,
        _ => 3,
    }
}

/// The sign that is written.
pub(super) fn sign(is_negative: bool, wanted: Option<char>) -> &'static str {
    match wanted {
        _ if is_negative => "-",
        Some('+') => "+",
        Some(' ') => " ",
        _ => "",
    }
}

/// Digits with separators between groups, and zeros before them to reach a width.
fn grouped(digits: &str, least: usize, specification: &Specification, output: &mut Output) -> Outcome<()> {
    if digits.is_empty() {
        return Ok(());
    }
    let size = group_size(specification);
    let separator = specification.separator.unwrap_or(',');
    // Groups from the right: how many zeros and digits each has.
    let (mut groups, mut digits_left, mut width_left) = (Vec::new(), digits.len(), least);
    loop {
        let length = size.min(digits_left.max(width_left).max(1));
        let from_digits = digits_left.min(length);
        groups.try_reserve(1)?;
        groups.push((length - from_digits, from_digits));
        digits_left -= from_digits;
        width_left = width_left.saturating_sub(length);
        if digits_left == 0 && width_left == 0 {
            break;
        }
        width_left = width_left.saturating_sub(1);
    }
    let mut at = 0;
    for (i, (zeros, count)) in groups.iter().rev().enumerate() {
        if i > 0 {
            output.character(separator)?;
        }
        output.repeat('0', *zeros)?;
        output.push(digits.get(at..at + count).unwrap_or(""))?;
        at += count;
    }
    Ok(())
}

/// The number in the width that is asked for.
pub(super) fn assembled(pieces: &Pieces<'_>, specification: &Specification) -> Outcome<String> {
    let sign = sign(pieces.is_negative, specification.sign);
    let around = sign.len() + pieces.prefix.len() + pieces.rest.chars().count();
    let fills = specification.fill == '0' && specification.align == '=';
    let least = if fills { specification.width.saturating_sub(around) } else { 0 };
    let mut digits = Output::new();
    grouped(pieces.digits, least, specification, &mut digits)?;
    let digits = digits.done();
    let missing = specification.width.saturating_sub(around + digits.len());
    let (left, inner, right) = match specification.align {
        '<' => (0, 0, missing),
        '^' => (missing / 2, 0, missing - missing / 2),
        '=' => (0, missing, 0),
        _ => (missing, 0, 0),
    };
    let mut output = Output::new();
    output.repeat(specification.fill, left)?;
    output.push(sign)?;
    output.push(pieces.prefix)?;
    output.repeat(specification.fill, inner)?;
    output.push(&digits)?;
    output.push(pieces.rest)?;
    output.repeat(specification.fill, right)?;
    Ok(output.done())
}
