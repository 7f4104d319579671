//! A file and those of the user's that it imports → one module.
//!
//! In: the tree of each file. Out: the first file's, with the functions and constants of others that it may reach, under names that no
//! program can write (`util.clamp`), and the files that they come from. Python's rules for names hold in each file. What is not reached is
//! not in it, so that a mistake there stops nothing.

mod names;
mod rewrite;

use std::collections::BTreeSet;

use numptx_source::{Report, Reports, Source, code};

use crate::ast;
use names::{File, Files, Symbol};
use rewrite::Rewriter;

/// One module made of several files.
pub(crate) struct Linked {
    /// Everything that may be reached.
    pub module: ast::Module,
    /// The helpers that something was taken from, by number.
    pub used: BTreeSet<usize>,
    /// Files that import each other.
    pub reports: Reports,
}

/// Links files; `files`: the tree of each, the first file's first, and why it cannot be read.
pub(crate) fn link(source: &Source, files: Vec<(ast::Module, Option<Report>)>) -> Linked {
    let files: Vec<File> = files.into_iter().map(|(module, problem)| File { module, problem }).collect();
    let files = Files::new(source, files);
    let mut linker = Linker {
        files: &files,
        wanted: Vec::new(),
        known: BTreeSet::new(),
        parts: vec![ast::Module::default(); files.len()],
    };
    let mut main = files.module(0).clone();
    for function in &mut main.functions {
        linker.rewriter(0).function(function);
    }
    for constant in &mut main.constants {
        linker.rewriter(0).constant(constant);
    }
    main.files.clear();
    while let Some(symbol) = linker.wanted.pop() {
        if symbol.file > 0 && linker.known.insert(symbol.clone()) {
            linker.take(&symbol);
        }
    }
    let mut parts = linker.parts;
    parts[0] = main;
    Linked { module: joined(parts, &files), used: files.used(), reports: circular(source, &files) }
}

struct Linker<'a> {
    files: &'a Files<'a>,
    /// Symbols that are still to be taken.
    wanted: Vec<Symbol>,
    known: BTreeSet<Symbol>,
    /// What was taken of each file.
    parts: Vec<ast::Module>,
}

impl Linker<'_> {
    fn rewriter(&mut self, file: usize) -> Rewriter<'_> {
        Rewriter::new(self.files, file, &mut self.wanted)
    }

    /// Takes what a name of a helper stands for.
    fn take(&mut self, symbol: &Symbol) {
        let (files, qualified) = (self.files, self.files.qualified(symbol));
        let module = files.module(symbol.file);
        if let Some(report) = files.missing(symbol) {
            self.parts[symbol.file].left.push(ast::Left { name: qualified, report });
            return;
        }
        if let Some(function) = module.functions.iter().rfind(|f| f.name == symbol.name) {
            let mut function = function.clone();
            self.rewriter(symbol.file).function(&mut function);
            function.name = qualified;
            self.parts[symbol.file].functions.push(function);
        } else if let Some(constant) = module.constants.iter().rfind(|c| c.name == symbol.name) {
            let mut constant = constant.clone();
            self.rewriter(symbol.file).constant(&mut constant);
            constant.name = qualified;
            self.parts[symbol.file].constants.push(constant);
        } else if let Some(left) = module.left.iter().find(|l| l.name == symbol.name) {
            self.parts[symbol.file].left.push(ast::Left { name: qualified, report: left.report.clone() });
        } else if let Some((path, span)) = files.imported(symbol) {
            self.parts[symbol.file].imports.push(ast::Import { alias: qualified, path, span });
        }
    }
}

/// One module of the parts: constants of a file stand behind those of files that it imports, and in the file's order.
fn joined(mut parts: Vec<ast::Module>, files: &Files) -> ast::Module {
    let mut module = std::mem::take(&mut parts[0]);
    let own = std::mem::take(&mut module.constants);
    for n in files.imported_first() {
        let mut part = std::mem::take(&mut parts[n]);
        part.constants.sort_by_key(|c| c.name_span);
        part.functions.sort_by_key(|f| f.name_span);
        module.constants.extend(part.constants);
        module.functions.extend(part.functions);
        module.imports.extend(part.imports);
        module.left.extend(part.left);
        module.independent.extend(files.module(n).independent.iter().copied());
    }
    module.constants.extend(own);
    module
}

/// Files that import each other: which of them is ready when, only Python's order of imports says.
fn circular(source: &Source, files: &Files) -> Reports {
    let mut reports = Reports::new();
    if let Some((from, to, span)) = files.cycle() {
        let (from, to) = (files.label(from), files.label(to));
        let message = match from == to {
            true => format!("`{from}` imports itself"),
            false => format!("`{from}` imports `{to}`, which imports `{from}`"),
        };
        let report =
            Report::error(code::UNSUPPORTED_IMPORT, span, message).label(format!("in {}", source.name_at(span.start)));
        reports.push(report.help("move what both need into a third file, and import that one"));
    }
    reports
}
