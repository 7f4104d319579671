//! Upper and lower case.
//!
//! Mappings are the standard library's, whose Unicode may be newer than CPython's. It has none to title case, which differs from upper case in few
//! characters: those that stand for two letters, and those that upper case makes two of.

use crate::failure::Outcome;
use crate::output::Output;
use crate::text::Text;
use crate::text::classes::{is_cased, is_title};

/// What happens to the case of a text's characters.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Case {
    Lower,
    Upper,
    Title,
    Capitalized,
    Swapped,
}

impl Text {
    /// This text in another case.
    pub(crate) fn in_case(&self, case: Case) -> Outcome<String> {
        let text = self.as_str();
        let mut output = Output::new();
        if matches!(case, Case::Upper) {
            text.chars().flat_map(char::to_uppercase).try_for_each(|c| output.character(c))?;
            return Ok(output.done());
        }
        // A sigma's lower case depends on where it stands: all of the text is mapped, and characters taken from there.
        let lower = text.to_lowercase();
        if matches!(case, Case::Lower) {
            return Ok(lower);
        }
        let mut lower = lower.chars();
        let mut is_inside = false;
        for (i, c) in text.chars().enumerate() {
            let count = c.to_lowercase().count();
            let lowered = lower.by_ref().take(count);
            let becomes_lower = match case {
                Case::Title => is_inside,
                Case::Capitalized => i > 0,
                _ => c.is_uppercase(),
            };
            if becomes_lower {
                lowered.into_iter().try_for_each(|c| output.character(c))?;
            } else {
                lowered.for_each(drop);
                match case {
                    Case::Swapped if c.is_lowercase() => {
                        c.to_uppercase().try_for_each(|c| output.character(c))?;
                    }
                    Case::Swapped => output.character(c)?,
                    _ => title_case(c, &mut output)?,
                }
            }
            is_inside = is_cased(c);
        }
        Ok(output.done())
    }
}

/// A character in title case.
fn title_case(c: char, output: &mut Output) -> Outcome<()> {
    let code = u32::from(c);
    let single = match code {
        // Croatian letters of two, each in three cases.
        0x1c4..=0x1c6 => Some(0x1c5),
        0x1c7..=0x1c9 => Some(0x1c8),
        0x1ca..=0x1cc => Some(0x1cb),
        0x1f1..=0x1f3 => Some(0x1f2),
        // Greek letters with an iota below, whose upper case has it beside.
        0x1f80..=0x1faf => Some(code | 8),
        0x1fb3 => Some(0x1fbc),
        0x1fc3 => Some(0x1fcc),
        0x1ff3 => Some(0x1ffc),
        // Georgian letters have no title case of their own.
        0x10d0..=0x10fa | 0x10fd..=0x10ff => Some(code),
        _ if is_title(c) => Some(code),
        _ => None,
    };
    if let Some(single) = single.and_then(char::from_u32) {
        return output.character(single);
    }
    let mut upper = c.to_uppercase();
    if let Some(first) = upper.next() {
        output.character(first)?;
    }
    for c in upper {
        // An apostrophe before it is no letter.
        if code == 0x149 {
            output.character(c)?;
        // The iota below stays below.
        } else if c == '\u{399}' && matches!(code, 0x1f00..=0x1fff) {
            output.character('\u{345}')?;
        } else {
            c.to_lowercase().try_for_each(|c| output.character(c))?;
        }
    }
    Ok(())
}
