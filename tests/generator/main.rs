//! Writes random typed NumPy programs in the format of the corpus, for `tests/fuzz.py`.
//!
//! In: the number of the first program, and how many. Out: the text of one file, on standard output. The same numbers give the
//! same text. Programs are well typed, but extents and values are free at run time, and exceptions are results like others.

mod arguments;
mod dtype;
mod elements;
mod expressions;
mod functions;
mod language;
mod newer;
#[path = "../src/numbers.rs"]
mod numbers;
mod statements;
mod value;
mod views;
mod writer;

use std::io::Write;
use std::process::ExitCode;

use crate::writer::Writer;

fn main() -> ExitCode {
    let given: Vec<u64> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    let [first, count] = given[..] else {
        return usage();
    };
    let programs: Vec<String> = (first..first.saturating_add(count)).map(numbered).collect();
    let text = programs.concat();
    match std::io::stdout().write_all(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn usage() -> ExitCode {
    let words = b"usage: random-programs FIRST COUNT\n";
    let _ = std::io::stderr().write_all(words);
    ExitCode::from(2)
}

/// One program under a line with its number. Every fourth is one of loops over elements.
fn numbered(number: u64) -> String {
    let text = if number % 4 == 3 { elements::program(number) } else { Writer::new(number).program() };
    format!("# program {number}\n{text}\n\n")
}
