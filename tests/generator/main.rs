//! Writes random typed NumPy programs in the format of the corpus, for `tests/fuzz.py`.
//!
//! In: the number of the first program, how many, and perhaps a kind: `patterns`, for programs of such loops alone, or `library`, for programs of which many
//! statements call linear algebra, transforms and contractions. Out: the text of one file, on standard output. The same numbers give the same text. Programs
//! are well typed, but extents and values are free at run time, and exceptions are results like others.

mod arguments;
mod dtype;
mod elements;
mod expressions;
mod functions;
mod language;
mod library;
mod newer;
#[path = "../src/numbers.rs"]
mod numbers;
mod patterns;
mod statements;
mod value;
mod views;
mod writer;
mod writes;

use std::io::Write;
use std::process::ExitCode;

use crate::writer::Writer;

fn main() -> ExitCode {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let (numbers, kind) = given.split_at(given.len().min(2));
    let numbers: Vec<u64> = numbers.iter().filter_map(|a| a.parse().ok()).collect();
    let program = match kind {
        [] => any,
        [kind] if kind == "patterns" => patterns::program,
        [kind] if kind == "library" => library::program,
        _ => return usage(),
    };
    let [first, count] = numbers[..] else {
        return usage();
    };
    let numbered = |number| format!("# program {number}\n{}\n\n", program(number));
    let programs: Vec<String> = (first..first.saturating_add(count)).map(numbered).collect();
    let text = programs.concat();
    match std::io::stdout().write_all(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn usage() -> ExitCode {
    let words = b"usage: random-programs FIRST COUNT [patterns|library]\n";
    let _ = std::io::stderr().write_all(words);
    ExitCode::from(2)
}

/// A program of any kind. Every fourth is one of loops over elements, and every fourth of these one of the patterns that they come in.
/// One in sixteen calls linear algebra, transforms and contractions.
fn any(number: u64) -> String {
    match number % 16 {
        15 => patterns::program(number),
        13 => library::program(number),
        3 | 7 | 11 => elements::program(number),
        _ => Writer::new(number).program(),
    }
}
