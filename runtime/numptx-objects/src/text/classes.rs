//! Classes of characters, and whether all of a text is of one.
//!
//! Upper and lower case are the standard library's, the rest is looked up in tables of the Unicode that CPython has.

use crate::text::Text;
use crate::text::unicode::{DIGITS, LETTERS, NUMERIC, UNPRINTABLE, decimal_value, is_in};

/// What all characters of a text may be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Class {
    Decimal,
    Digit,
    Numeric,
    Letter,
    LetterOrNumber,
    Space,
    Upper,
    Lower,
    Title,
    Ascii,
    Printable,
}

/// Whether `repr` leaves a character as it is.
pub(crate) fn is_printable(c: char) -> bool {
    if c.is_ascii() { (' '..='~').contains(&c) } else { !is_in(&UNPRINTABLE, c) }
}

/// Whether Python takes a character for white space.
pub(crate) fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

fn is_letter(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphabetic() } else { is_in(&LETTERS, c) }
}

fn is_digit(c: char) -> bool {
    decimal_value(c).is_some() || is_in(&DIGITS, c)
}

fn is_numeric(c: char) -> bool {
    is_digit(c) || is_in(&NUMERIC, c)
}

/// Letters of two, of which one is upper and one is lower case.
pub(super) fn is_title(c: char) -> bool {
    matches!(
        u32::from(c),
        0x1c5 | 0x1c8 | 0x1cb | 0x1f2 | 0x1f88..=0x1f8f | 0x1f98..=0x1f9f | 0x1fa8..=0x1faf | 0x1fbc | 0x1fcc | 0x1ffc
    )
}

/// Whether a character has a case.
pub(super) fn is_cased(c: char) -> bool {
    c.is_uppercase() || c.is_lowercase() || is_title(c)
}

impl Text {
    /// Whether the text is not empty, and all of it is of a class. Cases ask that of characters that have one, of which there must be one.
    pub(crate) fn is_all(&self, class: Class) -> bool {
        let text = self.as_str();
        let all = |is: fn(char) -> bool| !text.is_empty() && text.chars().all(is);
        match class {
            Class::Decimal => all(|c| decimal_value(c).is_some()),
            Class::Digit => all(is_digit),
            Class::Numeric => all(is_numeric),
            Class::Letter => all(is_letter),
            Class::LetterOrNumber => all(|c| is_letter(c) || is_numeric(c)),
            Class::Space => all(is_space),
            Class::Upper => {
                text.chars().any(char::is_uppercase) && !text.chars().any(|c| c.is_lowercase() || is_title(c))
            }
            Class::Lower => {
                text.chars().any(char::is_lowercase) && !text.chars().any(|c| c.is_uppercase() || is_title(c))
            }
            Class::Title => self.is_title_case(),
            Class::Ascii => text.is_ascii(),
            Class::Printable => text.chars().all(is_printable),
        }
    }

    /// Whether upper case begins words, and only these.
    fn is_title_case(&self) -> bool {
        let (mut is_inside, mut is_any) = (false, false);
        for c in self.as_str().chars() {
            let begins = is_title(c) || c.is_uppercase();
            if (begins && is_inside) || (!begins && c.is_lowercase() && !is_inside) {
                return false;
            }
            is_inside = begins || c.is_lowercase();
            is_any |= is_inside;
        }
        is_any
    }
}
