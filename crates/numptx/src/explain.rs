//! `numptx explain`: the page of a code, or the list of all codes.

use numptx_source::{CODES, CodeEntry};

use crate::arguments::ExplainArguments;
use crate::output;
use crate::status::Status;

/// Prints a page, or the list.
pub fn print(arguments: &ExplainArguments) -> Status {
    let Some(code) = &arguments.code else {
        let lines: String = CODES.iter().map(|e| format!("{}  {}\n", e.code, e.title)).collect();
        return output::printed(&lines);
    };
    match find(code) {
        Some(entry) => output::printed(entry.page),
        None => {
            output::error(&format!("there is no code `{code}`; `numptx explain` lists them all"));
            Status::Usage
        }
    }
}

/// `NPX0214`, `npx0214`, `0214` and `214` are the same code.
fn find(code: &str) -> Option<&'static CodeEntry> {
    let upper = code.trim().to_uppercase();
    let number: u32 = upper.strip_prefix("NPX").unwrap_or(&upper).parse().ok()?;
    CODES.iter().find(|e| e.code == format!("NPX{number:04}"))
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn codes_are_found_however_they_are_written() {
        for code in ["NPX0214", "npx0214", "0214", "214", " NPX0214 "] {
            assert!(find(code).is_some_and(|e| e.code == "NPX0214"), "{code}");
        }
        for code in ["", "NPX", "NPX9999", "-1", "NPX0214x", "99999999999999999999"] {
            assert!(find(code).is_none(), "{code}");
        }
    }
}
