//! What the text forms of both IRs share: tokens, quoting, constants, dtypes and scalar bodies.
//!
//! The forms are described in `docs/array-ir.md` and `docs/kernel-ir.md`. Reading never panics: any text gives a value or a [`ParseError`].

mod body;
mod code;
mod constant;
mod cursor;
mod token;

pub(crate) use body::{parse_body, write_body};
pub(crate) use code::{parse_code, write_code};
pub(crate) use constant::{parse_constant, write_constant};
pub(crate) use cursor::Cursor;
pub(crate) use token::{Token, quote, symbol};

/// Why a text is not an IR.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The line, counted from 1.
    pub line: usize,
    /// What was found and what was expected.
    pub message: String,
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ParseError {}

/// Writes items separated by commas.
pub(crate) fn commas(items: impl IntoIterator<Item = impl std::fmt::Display>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    items.join(", ")
}
