//! Text → the spanned tree of the accepted subset of Python.

pub mod ast;
