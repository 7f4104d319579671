//! Statements: runs of them, assignment, `try`.

pub mod assign;
pub mod blocks;
pub mod exceptions;
