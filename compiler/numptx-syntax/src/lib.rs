//! Text → the spanned tree of the accepted subset of Python.
//!
//! In: a [`Source`]. Out: an [`ast::Module`] and the reports found on the way. Every file gives a
//! module: what could not be read is left out and reported. Names are not resolved and nothing is
//! typed here.

pub mod ast;
mod nesting;
mod parse;
mod print;
mod signature;
mod subset;
mod syntax_error;
mod walk;

pub use print::{print, print_constants};

use numptx_source::{Reports, Source};

/// Whether a module's members may be compiled: `numpy`, its submodules, `math`, `numptx`.
pub fn is_compiled_module(path: &str) -> bool {
    subset::import::is_known(path)
}

/// The type to use instead of a type of NumPy or Pythran that is not compiled: `float32` for `float16`.
pub fn instead_of_type(name: &str) -> Option<&'static str> {
    signature::names::instead_of(name)
}

/// Reads a module.
///
/// The reports are those about the module itself: its syntax, its exports, its module-level
/// statements. What a function's body holds outside the subset stands in [`ast::Function::refused`],
/// so that a function that is neither exported nor called does not fail its file.
///
/// Errors: NPX01xx, NPX0210 and NPX04xx.
pub fn parse(source: &Source) -> (ast::Module, Reports) {
    let mut reports = Reports::new();
    let parsed = parse::parse(source, &mut reports);
    let converted = subset::convert(source, &parsed, &mut reports);
    let mut module = converted.module;
    let written = signature::Written {
        comments: &parsed.comments,
        annotations: &converted.annotations,
        unreadable: &parsed.unreadable,
        whole_file_was_read: !reports.has_errors(),
    };
    module.exports = signature::exports(source, &module, &written, &mut reports);
    converted.left_out.leave_changed_constants(&parsed, &mut module);
    (module, reports)
}
