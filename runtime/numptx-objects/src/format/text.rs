//! Texts: cut off at a precision, in a width.

use crate::failure::{Failure, Outcome};
use crate::format::specification::Specification;
use crate::output::Output;

/// A text by a specification.
pub(super) fn format(text: &str, specification: &Specification) -> Outcome<String> {
    if !matches!(specification.kind, None | Some('s')) {
        return Err(specification.unknown("str"));
    }
    let refused = |what: &str| Err(Failure::value(format!("{what} not allowed in string format specifier")));
    match specification.sign {
        Some(' ') => return refused("Space"),
        Some(_) => return refused("Sign"),
        None => {}
    }
    if specification.has_no_negative_zero {
        return refused("Negative zero coercion (z)");
    }
    if specification.is_alternate {
        return refused("Alternate form (#)");
    }
    if specification.align == '=' {
        return refused("'=' alignment");
    }
    aligned(cut(text, specification.precision), specification)
}

/// At most so many characters.
pub(super) fn cut(text: &str, most: Option<usize>) -> &str {
    let end = most.and_then(|most| text.char_indices().nth(most)).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or(text)
}

/// A text in a width.
pub(super) fn aligned(text: &str, specification: &Specification) -> Outcome<String> {
    let missing = specification.width.saturating_sub(text.chars().count());
    let left = match specification.align {
        '>' => missing,
        '^' => missing / 2,
        _ => 0,
    };
    let mut output = Output::new();
    output.repeat(specification.fill, left)?;
    output.push(text)?;
    output.repeat(specification.fill, missing - left)?;
    Ok(output.done())
}
