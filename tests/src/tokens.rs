//! Programs as tokens, and programs with some of these deleted, doubled, swapped and exchanged.

use crate::numbers::Numbers;

/// Tokens that hardly any program has.
pub const FOREIGN: [&str; 16] = [
    "None",
    "-1",
    "0",
    "1e400",
    "9223372036854775808",
    "1j",
    "lambda",
    "[",
    "**",
    "@",
    ":=",
    "é",
    "\t",
    "\"",
    "'''",
    "\\",
];

/// Words and numbers, runs of spaces, and single other characters. Joined, they are the text.
pub fn tokens(text: &str) -> Vec<String> {
    let kind = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' || c == '.' => 1,
        ' ' => 2,
        _ => 0,
    };
    let mut tokens: Vec<String> = Vec::new();
    for c in text.chars() {
        match tokens.last_mut() {
            Some(last) if kind(c) != 0 && last.chars().all(|l| kind(l) == kind(c)) => last.push(c),
            _ => tokens.push(c.to_string()),
        }
    }
    tokens
}

/// One to three changes. Other tokens are taken from the program and from `pool`, which is not empty.
pub fn mutant(program: &[String], pool: &[String], numbers: &mut Numbers) -> String {
    let mut tokens = program.to_vec();
    for _ in 0..=numbers.below(3) {
        let (i, j) = (numbers.below(tokens.len()), numbers.below(tokens.len()));
        match numbers.below(5) {
            _ if tokens.is_empty() => tokens.push(pool[0].clone()),
            0 => drop(tokens.remove(i)),
            1 => tokens.insert(i, tokens[j].clone()),
            2 => tokens.swap(i, j),
            3 => tokens[i] = tokens[j].clone(),
            _ => tokens[i] = pool[numbers.below(pool.len())].clone(),
        }
    }
    tokens.concat()
}
