//! `numptx functions`: the functions of NumPy, compiled or refused, as text or as JSON.

use numptx_driver::ir::functions::supported::{self, Line};

use crate::arguments::FunctionsArguments;
use crate::output;
use crate::status::Status;

/// Lines of signatures up to this width stand in two columns.
const WIDTH: usize = 60;

/// Prints the list.
pub fn print(arguments: &FunctionsArguments) -> Status {
    if arguments.json {
        return output::printed(&supported::json());
    }
    let word = arguments.word.as_deref().unwrap_or("");
    let text = text(word);
    if text.is_empty() {
        output::error(&format!("no name has `{word}` in it; `numptx functions` lists them all"));
        return Status::Usage;
    }
    output::printed(&text)
}

/// A line for each name that contains a word, chapter by chapter.
fn text(word: &str) -> String {
    let word = word.to_lowercase();
    let mut out = String::new();
    for (title, mut lines) in supported::list() {
        lines.retain(|line| line.name.to_lowercase().contains(&word));
        if lines.is_empty() {
            continue;
        }
        let width = lines.iter().map(|line| line.signature.len()).filter(|n| *n <= WIDTH).max().unwrap_or(0);
        out += if out.is_empty() { "" } else { "\n" };
        out += &format!("{title}\n");
        for Line { signature, says, .. } in lines {
            out += format!("  {signature:width$}  {says}").trim_end();
            out += "\n";
        }
    }
    out
}
