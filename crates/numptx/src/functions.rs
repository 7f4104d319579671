//! `numptx functions`: the table of supported functions, as text or as JSON.

use numptx_driver::ir::functions::{all, supported};

use crate::arguments::FunctionsArguments;
use crate::output;
use crate::status::Status;

/// Prints the table.
pub fn print(arguments: &FunctionsArguments) -> Status {
    output::print(&if arguments.json { supported::json() } else { text() });
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
