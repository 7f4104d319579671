//! `numptx functions`: the table of supported functions, as text or as JSON.

use numptx_driver::ir::functions::supported;

use crate::arguments::FunctionsArguments;
use crate::output;
use crate::status::Status;

/// Lines of signatures up to this width stand in two columns.
const WIDTH: usize = 60;

/// Prints the table.
pub fn print(arguments: &FunctionsArguments) -> Status {
    output::printed(&if arguments.json { supported::json() } else { text(arguments.word.as_deref().unwrap_or("")) })
}

/// A line for each name that contains a word, chapter by chapter.
fn text(word: &str) -> String {
    let word = word.to_lowercase();
    let mut out = String::new();
    for (title, rows) in supported::chapters() {
        let rows: Vec<(String, &str)> = rows
            .iter()
            .filter(|(name, _)| name.to_lowercase().contains(&word))
            .map(|(_, row)| (row.signature.clone(), row.doc))
            .collect();
        if rows.is_empty() {
            continue;
        }
        let width = rows.iter().map(|(signature, _)| signature.len()).filter(|n| *n <= WIDTH).max().unwrap_or(0);
        out += if out.is_empty() { "" } else { "\n" };
        out += &format!("{title}\n");
        for (signature, doc) in rows {
            out += format!("  {signature:width$}  {doc}").trim_end();
            out += "\n";
        }
    }
    out
}
