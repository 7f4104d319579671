//! `numptx functions`: the table of supported functions, as text or as JSON.

use std::fmt::Write as _;

use numptx_driver::ir::functions::{Function, all};

use crate::arguments::FunctionsArguments;
use crate::output;
use crate::status::Status;

/// Prints the table.
pub fn print(arguments: &FunctionsArguments) -> Status {
    output::print(&if arguments.json { json() } else { text() });
    Status::Done
}

fn text() -> String {
    let width = all().map(|f| f.signature().len()).filter(|n| *n <= 60).max().unwrap_or(0);
    let mut out = String::new();
    for function in all() {
        let line = format!("{:width$}  {}", function.signature(), function.doc);
        out += line.trim_end();
        out += "\n";
    }
    out
}

fn json() -> String {
    let rows: Vec<String> = all().map(row).collect();
    format!("[\n{}\n]\n", rows.join(",\n"))
}

fn row(function: &Function) -> String {
    let aliases: Vec<String> = function.aliases.iter().map(|a| string(a)).collect();
    format!(
        "  {{\"name\": {}, \"aliases\": [{}], \"parameters\": {}, \"class\": {}, \"ulp\": {}, \"doc\": {}, \"example\": {}}}",
        string(function.name),
        aliases.join(", "),
        string(function.parameters),
        string(function.class.name()),
        function.ulp,
        string(function.doc),
        string(function.example),
    )
}

/// A JSON string (RFC 8259, section 7).
fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out += "\\\"",
            '\\' => out += "\\\\",
            c if c.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use super::string;

    #[test]
    fn strings_are_escaped() {
        assert_eq!(string("a\"b\\c\nd"), "\"a\\\"b\\\\c\\u000ad\"");
    }
}
