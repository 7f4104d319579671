//! `global` and `nonlocal` of names that a function only reads, which changes nothing.
//!
//! In: such statements, and the function's statements as they were converted. Out: a refusal of each name that the function binds.

use std::collections::BTreeSet;

use numptx_source::{Span, code};

use super::Converter;
use crate::ast::Stmt;
use crate::parse::{python, span_of};

/// A name that a function says to be none of its own, and how it says so.
pub(super) struct OuterName {
    name: String,
    word: &'static str,
    span: Span,
}

impl Converter<'_> {
    /// Notes the names of a `global` or `nonlocal`; false for other statements, and for `global` in a function inside a function, where a name
    /// may be one of the function around it.
    pub(super) fn outer_names(&mut self, statement: &python::Stmt) -> bool {
        let (names, word) = match statement {
            python::Stmt::Global(s) if self.n_functions == 1 => (&s.names, "global"),
            python::Stmt::Nonlocal(s) if self.n_functions > 1 => (&s.names, "nonlocal"),
            _ => return false,
        };
        let span = span_of(python::Ranged::range(statement));
        self.outer_names.extend(names.iter().map(|name| OuterName { name: name.to_string(), word, span }));
        true
    }

    /// The block of a function. Names that it binds are its own, or refused.
    pub(super) fn function_block(&mut self, statements: &[python::Stmt]) -> Vec<Stmt> {
        let around = std::mem::take(&mut self.outer_names);
        self.n_functions += 1;
        let block = self.block(statements);
        self.n_functions -= 1;
        let mut bound = BTreeSet::new();
        block.iter().for_each(|s| s.assigned_names(&mut bound));
        for OuterName { name, word, span } in std::mem::replace(&mut self.outer_names, around) {
            if bound.contains(&name) {
                let help = "return the new value, or pass an array and write into it";
                self.refuse(
                    code::UNSUPPORTED_STATEMENT,
                    span,
                    &format!("`{word}` of `{name}`, which the function binds,"),
                    help,
                );
            }
        }
        block
    }
}
