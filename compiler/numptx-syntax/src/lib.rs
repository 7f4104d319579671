//! Text → the spanned tree of the accepted subset of Python.
//!
//! In: a [`Source`]. Out: an [`ast::Module`] and the reports found on the way. Every file gives a
//! module: what could not be read is left out and reported. Names are not resolved and nothing is
//! typed here.

pub mod ast;
mod link;
mod nesting;
mod parse;
mod print;
mod signature;
mod subset;
mod syntax_error;
mod walk;

pub use print::{print, print_constants, print_function};

use numptx_source::{Reports, Severity, Source};

/// Whether a module's members may be compiled: `numpy`, its submodules, `math`, `numptx`.
pub fn is_compiled_module(path: &str) -> bool {
    subset::import::is_known(path)
}

/// The type to use instead of a type of NumPy or Pythran that is not compiled: `float64` for `float128`.
pub fn instead_of_type(name: &str) -> Option<&'static str> {
    signature::names::instead_of(name)
}

/// What was read of a file and of those that it imports.
#[derive(Debug)]
pub struct Read {
    /// The file's own module.
    pub own: ast::Module,
    /// The same with what it may reach in other files.
    pub linked: ast::Module,
    /// The other files that something was taken from, by number.
    pub used: Vec<usize>,
    /// The reports about the files themselves.
    pub reports: Reports,
}

/// Reads a file and those that it imports, [`Source::helpers`].
pub fn read(source: &Source) -> Read {
    let (own, mut reports) = parse(&source.alone(None));
    if own.files.is_empty() && source.imports.is_empty() {
        return Read { linked: own.clone(), own, used: Vec::new(), reports };
    }
    let mut files = vec![(own.clone(), None)];
    let mut found = Vec::new();
    for n in 0..source.helpers.len() {
        let (module, own) = parse_helper(&source.alone(Some(n)));
        let problem = own.iter().find(|r| r.severity == Severity::Error).cloned();
        files.push((module, problem));
        found.push(own);
    }
    let linked = link::link(source, files);
    reports.extend(linked.reports);
    // What is wrong in a file is said where something of it is used.
    let warnings = |own: Reports| own.iter().filter(|r| r.severity < Severity::Error).cloned().collect::<Vec<_>>();
    let used = linked.used.iter().copied();
    used.clone().for_each(|n| warnings(std::mem::take(&mut found[n])).into_iter().for_each(|r| reports.push(r)));
    Read { own, linked: linked.module, used: used.collect(), reports }
}

/// The modules that the import statements of a file may name, as they are written: `util`, `.util`, `pkg.sub`. Those that compiled code knows
/// are left out.
pub fn imported_modules(source: &Source) -> Vec<String> {
    let parsed = parse::parse(source, &mut Reports::new());
    subset::import::modules(&parsed.statements)
}

/// Reads a file that another one imports: nothing of it is exported.
fn parse_helper(source: &Source) -> (ast::Module, Reports) {
    let mut reports = Reports::new();
    let parsed = parse::parse(source, &mut reports);
    let converted = subset::convert(source, &parsed, &mut reports);
    let mut module = converted.module;
    converted.left_out.leave_changed_constants(&parsed, &mut module);
    (module, reports)
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
        records: &converted.records,
        whole_file_was_read: !reports.has_errors(),
    };
    module.exports = signature::exports(source, &module, &written, &mut reports);
    converted.left_out.leave_changed_constants(&parsed, &mut module);
    (module, reports)
}
