//! Reading numbers: `int(text, base)` and `float(text)`.
//!
//! Digits may be those of any script, white space may stand around, and single underscores between digits.

use crate::display::text_repr;
use crate::failure::{Failure, Outcome};
use crate::text::Text;
use crate::text::classes::is_space;
use crate::text::unicode::decimal_value;

impl Text {
    /// The text without white space around it, with ASCII digits. Separators of ASCII are white space only where there are other characters, too.
    fn numeral(&self) -> String {
        if self.is_ascii() {
            return self.as_str().trim_matches(|c| matches!(c, ' ' | '\t'..='\r')).to_string();
        }
        let digit = |c: char| decimal_value(c).map_or(c, |value| char::from(b'0' + value));
        self.as_str().trim_matches(is_space).chars().map(digit).collect()
    }

    /// The int that the text is.
    pub(crate) fn to_int(&self, base: i64) -> Outcome<i64> {
        if base != 0 && !(2..=36).contains(&base) {
            return Err(Failure::value("int() base must be >= 2 and <= 36, or 0"));
        }
        let invalid =
            || Failure::value(format!("invalid literal for int() with base {base}: {}", text_repr(self.as_str())));
        let numeral = self.numeral();
        let (is_negative, digits) = match numeral.strip_prefix(['+', '-']) {
            Some(digits) => (numeral.starts_with('-'), digits),
            None => (false, numeral.as_str()),
        };
        let (base, digits, has_prefix) = without_prefix(base as u32, digits);
        if base == 0 {
            // Without a prefix a number that begins with zero is zero.
            let is_zero = digits.bytes().all(|b| b == b'0' || b == b'_');
            if digits.starts_with('0') && !is_zero {
                return Err(invalid());
            }
        }
        let base = if base == 0 { 10 } else { base };
        let value = value(digits, base, has_prefix).ok_or_else(invalid)?;
        let value = value.and_then(|value| if is_negative { value.checked_neg() } else { Some(value) });
        let value = value.and_then(|value| i64::try_from(value).ok());
        value.ok_or_else(|| Failure::overflow("Python int too large to convert to C long"))
    }

    /// The float that the text is.
    pub(crate) fn to_float(&self) -> Outcome<f64> {
        let invalid = || Failure::value(format!("could not convert string to float: {}", text_repr(self.as_str())));
        let mut numeral = self.numeral();
        if numeral.contains('_') {
            let bytes = numeral.as_bytes();
            let is_digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
            for (at, _) in numeral.match_indices('_') {
                if !is_digit(at.checked_sub(1)) || !is_digit(Some(at + 1)) {
                    return Err(invalid());
                }
            }
            numeral = numeral.replace('_', "");
        }
        numeral.parse().map_err(|_| invalid())
    }
}

/// The base and the digits behind a prefix that says it; a base of 0 stays where there is none.
fn without_prefix(base: u32, digits: &str) -> (u32, &str, bool) {
    for (letters, of) in [(["0x", "0X"], 16), (["0o", "0O"], 8), (["0b", "0B"], 2)] {
        if base == 0 || base == of {
            for prefix in letters {
                if let Some(digits) = digits.strip_prefix(prefix) {
                    return (of, digits, true);
                }
            }
        }
    }
    (base, digits, false)
}

/// The value of digits: `None` where they are none, `Some(None)` where it is too large for the type.
fn value(digits: &str, base: u32, has_prefix: bool) -> Option<Option<i128>> {
    let (mut value, mut was_digit) = (Some(0_i128), has_prefix);
    for c in digits.chars() {
        if c == '_' && was_digit {
            was_digit = false;
            continue;
        }
        let digit = c.to_digit(base)?;
        value = value.and_then(|v| v.checked_mul(i128::from(base))?.checked_add(i128::from(digit)));
        was_digit = true;
    }
    (was_digit && !digits.is_empty()).then_some(value)
}
