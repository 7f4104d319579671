//! A file and those of the user's that it imports → one module.
//!
//! In: the tree of each file. Out: the first file's, with the functions and constants of others that it may reach, under names that no
//! program can write (`util.clamp`), and the files that they come from. Python's rules for names hold in each file. What is not reached is
//! not in it, so that a mistake there stops nothing.

mod names;
mod rewrite;

use std::collections::{BTreeMap, BTreeSet};

use numptx_source::{Report, Reports, Source, Span, code};

use crate::ast;
use crate::subset::left::{changed_constant, is_fixed};
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
    for parameter in main.exports.iter_mut().flat_map(|export| export.parameters.iter_mut().flatten()) {
        linker.rewriter(0).ty(&mut parameter.ty);
    }
    main.files.clear();
    while let Some(symbol) = linker.wanted.pop() {
        if !linker.known.insert(symbol.clone()) {
            continue;
        }
        match symbol.file {
            0 => main.left.extend(files.missing(&symbol).map(|report| ast::Left { name: symbol.name, report })),
            _ => linker.take(&symbol),
        }
    }
    let mut parts = linker.parts;
    parts[0] = main;
    leave_touched(source, &files, &mut parts);
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

/// Constants of helpers that a statement may change which is left to Python, in a file that imports them, are left to it, too.
fn leave_touched(source: &Source, files: &Files, parts: &mut [ast::Module]) {
    let mut touched = vec![BTreeMap::new(); files.len()];
    touched[0] = with_imported(files.module(0), files.module(0).touched.clone());
    for n in files.imported_first().into_iter().rev() {
        let mut own: BTreeMap<String, Span> = files.module(n).touched.clone();
        for importer in (0..files.len()).filter(|m| files.imports_file(*m, n)) {
            own.extend(touched[importer].iter().map(|(name, span)| (name.clone(), *span)));
        }
        // What is compiled changes nothing: it is refused where it would.
        let is_compiled = |f: &ast::Function| parts[n].functions.iter().any(|taken| taken.span == f.span);
        let mut others: Vec<&ast::Function> = files.module(n).functions.iter().filter(|f| !is_compiled(f)).collect();
        while let Some(at) = others.iter().position(|f| own.contains_key(&f.name)) {
            let function = others.remove(at);
            let statement = own[&function.name];
            let words = source.slice(function.span).split(|c: char| !c.is_alphanumeric() && c != '_');
            words.for_each(|word| {
                own.entry(word.to_owned()).or_insert(statement);
            });
        }
        for constant in &files.module(n).constants {
            let qualified = files.qualified(&Symbol { file: n, name: constant.name.clone() });
            let is_taken = parts[n].constants.iter().any(|c| c.name == qualified);
            let Some(statement) =
                own.get(&constant.name).filter(|_| is_taken && !is_fixed(&constant.value, files.module(n)))
            else {
                continue;
            };
            parts[n].constants.retain(|c| c.name != qualified);
            parts[n].left.push(changed_constant(&constant.name, qualified, *statement));
        }
        touched[n] = with_imported(files.module(n), own);
    }
}

/// Names with those that a file imports under them.
fn with_imported(module: &ast::Module, mut names: BTreeMap<String, Span>) -> BTreeMap<String, Span> {
    for import in &module.files {
        if let Some(statement) = names.get(&import.alias).copied() {
            let own = import.path.rsplit('.').next().unwrap_or(&import.path);
            names.entry(own.to_owned()).or_insert(statement);
        }
    }
    names
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
    let seeding = (0..files.len()).find_map(|n| files.module(n).touched.get(ast::SEEDS_RANDOM));
    module.touched.extend(seeding.map(|statement| (ast::SEEDS_RANDOM.to_owned(), *statement)));
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
