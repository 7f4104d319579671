//! What a name stands for in one of several files.
//!
//! In: the files, and a name at a place of one. Out: the function, constant or import that it is, in whichever file; a module, whose members
//! are asked for next; or nothing, where it is a builtin or no name at all.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use numptx_source::{Imports, Report, Source, Span, code};

use crate::ast;
use crate::subset::import::is_known;

/// A file as it was read.
pub(super) struct File {
    pub module: ast::Module,
    /// Why nothing can be taken from it.
    pub problem: Option<Report>,
}

/// A name at module level of a file; the file that is compiled is 0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Symbol {
    pub file: usize,
    pub name: String,
}

/// What a name stands for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Target {
    Symbol(Symbol),
    /// A module, by the path under which a file imports it.
    Module {
        file: usize,
        path: String,
        span: Span,
    },
}

/// All files.
pub(super) struct Files<'a> {
    source: &'a Source,
    files: Vec<File>,
    labels: Vec<String>,
    used: RefCell<BTreeSet<usize>>,
    /// Which file's import at module level leads to which file, and where it stands.
    edges: RefCell<BTreeMap<(usize, usize), Span>>,
    /// Names that a file does not have, and what is said of them.
    missing: RefCell<BTreeMap<Symbol, Report>>,
}

impl<'a> Files<'a> {
    pub fn new(source: &'a Source, files: Vec<File>) -> Self {
        let paths = std::iter::once(source.name.as_str()).chain(source.helpers.iter().map(|h| h.path.as_str()));
        let mut labels: Vec<String> = Vec::new();
        for path in paths {
            let label = label_of(path);
            let n_alike = labels.iter().filter(|l| **l == label || l.starts_with(&format!("{label}#"))).count();
            labels.push(if n_alike > 0 { format!("{label}#{}", n_alike + 1) } else { label });
        }
        let (used, edges, missing) = Default::default();
        Files { source, files, labels, used, edges, missing }
    }

    pub fn len(&self) -> usize {
        self.files.len()
    }

    pub fn module(&self, file: usize) -> &ast::Module {
        &self.files[file].module
    }

    /// A file as Python imports it.
    pub fn label(&self, file: usize) -> &str {
        &self.labels[file]
    }

    /// The name of a symbol in the module that is made of all files.
    pub fn qualified(&self, symbol: &Symbol) -> String {
        match symbol.file {
            0 => symbol.name.clone(),
            file => format!("{}.{}", self.labels[file], symbol.name),
        }
    }

    /// The helpers that something was taken from.
    pub fn used(&self) -> BTreeSet<usize> {
        self.used.borrow().iter().filter_map(|file| file.checked_sub(1)).collect()
    }

    pub fn missing(&self, symbol: &Symbol) -> Option<Report> {
        self.missing.borrow().get(symbol).cloned()
    }

    /// What a name at module level of a file stands for; `None` if the file does not bind it.
    pub fn global(&self, file: usize, name: &str) -> Option<Target> {
        self.global_of(file, name, &mut BTreeSet::new())
    }

    fn global_of(&self, file: usize, name: &str, seen: &mut BTreeSet<Symbol>) -> Option<Target> {
        let symbol = Symbol { file, name: name.to_owned() };
        if !seen.insert(symbol.clone()) {
            return None;
        }
        let module = self.module(file);
        if module.functions.iter().any(|f| f.name == name)
            || module.constants.iter().any(|c| c.name == name)
            || module.left.iter().any(|l| l.name == name)
        {
            return Some(Target::Symbol(symbol));
        }
        if let Some(import) = module.files.iter().rev().find(|i| i.alias == name) {
            return Some(self.file_import(file, &import.path, &import.module, import.span, true, seen));
        }
        if self.imported(&symbol).is_some() {
            return Some(Target::Symbol(symbol));
        }
        let stars = module.files.iter().rev().filter(|i| i.alias == "*" && !name.starts_with('_'));
        for star in stars {
            let Some(other) = self.file(file, &star.module) else { continue };
            if let Some(target) = self.global_of(other, name, seen) {
                self.follow(file, other, Some(star.span));
                return Some(target);
            }
        }
        None
    }

    /// What an import statement in a function binds, by its path.
    pub fn local(&self, file: usize, path: &str, span: Span) -> Target {
        let module = match path.rsplit_once('.') {
            Some((dots, _)) if dots.chars().all(|c| c == '.') => format!("{dots}."),
            Some((module, _)) => module.to_owned(),
            None => path.to_owned(),
        };
        self.file_import(file, path, &module, span, false, &mut BTreeSet::new())
    }

    fn file_import(
        &self,
        file: usize,
        path: &str,
        module: &str,
        span: Span,
        is_at_module_level: bool,
        seen: &mut BTreeSet<Symbol>,
    ) -> Target {
        let is_module = self.file(file, path).is_some() || path == module || module.starts_with(&format!("{path}."));
        let edge = is_at_module_level.then_some(span);
        match self.file(file, module) {
            // `from package import name` prefers what the package binds.
            Some(other) if path != module && path.starts_with(module) => {
                let name = path[module.len()..].trim_start_matches('.');
                let own = self.binds(other, name);
                if own || !is_module {
                    self.follow(file, other, edge);
                    return self.member(other, name, span, seen);
                }
            }
            _ => {}
        }
        if let Some(other) = self.file(file, path).filter(|_| is_at_module_level) {
            self.note_edge(file, other, span);
        }
        Target::Module { file, path: path.to_owned(), span }
    }

    /// A member of a module that a file imports under a path.
    pub fn step(&self, file: usize, path: &str, name: &str, span: Span) -> Target {
        let longer = if path.ends_with('.') { format!("{path}{name}") } else { format!("{path}.{name}") };
        let is_deeper = self.imports(file).keys().any(|key| *key == longer || key.starts_with(&format!("{longer}.")));
        match self.file(file, path) {
            Some(other) if !is_deeper || self.binds(other, name) => {
                self.follow(file, other, None);
                self.member(other, name, span, &mut BTreeSet::new())
            }
            _ if is_deeper => Target::Module { file, path: longer, span },
            _ => self.nothing(file, &longer, span, format!("there is no file of `{longer}` that is imported")),
        }
    }

    /// A name that is asked of a file.
    fn member(&self, file: usize, name: &str, span: Span, seen: &mut BTreeSet<Symbol>) -> Target {
        if let Some(problem) = &self.files[file].problem {
            let symbol = Symbol { file, name: name.to_owned() };
            self.missing.borrow_mut().insert(symbol.clone(), problem.clone());
            return Target::Symbol(symbol);
        }
        self.global_of(file, name, seen)
            .unwrap_or_else(|| self.nothing(file, name, span, format!("`{}` has no `{name}`", self.labels[file])))
    }

    fn nothing(&self, file: usize, name: &str, span: Span, message: String) -> Target {
        // A name with a bracket is none that a program could bind.
        let symbol = Symbol { file, name: format!("({name})") };
        let names = self.module(file).functions.iter().map(|f| f.name.as_str());
        let names: Vec<&str> =
            names.chain(self.module(file).constants.iter().map(|c| c.name.as_str())).take(6).collect();
        let help = match names.as_slice() {
            [] => "define it in that file, at module level".to_owned(),
            names => format!("define it in that file, at module level, beside `{}`", names.join("`, `")),
        };
        let report = Report::error(code::UNKNOWN_NAME, span, message).label("imported here").help(help);
        self.missing.borrow_mut().insert(symbol.clone(), report);
        Target::Symbol(symbol)
    }

    /// A module that is used as a value.
    pub fn module_as_value(&self, file: usize, path: &str, span: Span) -> Symbol {
        let symbol = Symbol { file, name: format!("({path})") };
        let message = format!("`{path}` is a file, and used as a value");
        let help = format!("use what it defines: `{path}.clamp(x)`");
        let report = Report::error(code::UNSUPPORTED_IMPORT, span, message).label("imported here").help(help);
        self.missing.borrow_mut().insert(symbol.clone(), report);
        symbol
    }

    /// The path of NumPy's, or of another module that compiled code may use, as which a file imports a name.
    pub fn imported(&self, symbol: &Symbol) -> Option<(String, Span)> {
        let imports = &self.module(symbol.file).imports;
        if let Some(import) = imports.iter().rev().find(|i| i.alias == symbol.name) {
            return Some((import.path.clone(), import.span));
        }
        if symbol.file == 0 {
            return None;
        }
        let star = imports.iter().rev().find(|i| i.alias == "*" && !symbol.name.starts_with('_'));
        if let Some(star) = star.filter(|_| !BUILTINS.contains(&symbol.name.as_str())) {
            return Some((format!("{}.{}", star.path, symbol.name), star.span));
        }
        // The first file's name of a builtin is not this one's.
        let is_hidden = is_builtin(&symbol.name) && self.hides(&symbol.name);
        is_hidden.then(|| (format!("builtins.{}", symbol.name), Span::default()))
    }

    /// Whether the first file may bind a builtin's name.
    fn hides(&self, name: &str) -> bool {
        let main = self.module(0);
        self.binds(0, name) || main.imports.iter().any(|i| i.alias == name || i.alias == "*")
    }

    /// Whether a file binds a name by a definition of its own.
    fn binds(&self, file: usize, name: &str) -> bool {
        let module = self.module(file);
        module.functions.iter().any(|f| f.name == name)
            || module.constants.iter().any(|c| c.name == name)
            || module.left.iter().any(|l| l.name == name)
            || module.files.iter().any(|f| f.alias == name && f.path != format!(".{name}"))
    }

    fn imports(&self, file: usize) -> &Imports {
        file.checked_sub(1).map_or(&self.source.imports, |n| &self.source.helpers[n].imports)
    }

    /// Whether a file has an import of another one, anywhere.
    pub fn imports_file(&self, file: usize, other: usize) -> bool {
        self.imports(file).values().any(|helper| helper.map_or(0, |n| n + 1) == other)
    }

    /// The file that a file imports under a path.
    fn file(&self, file: usize, path: &str) -> Option<usize> {
        let helper = self.imports(file).get(path).filter(|_| !is_known(path))?;
        Some(helper.map_or(0, |n| n + 1))
    }

    fn follow(&self, from: usize, to: usize, span: Option<Span>) {
        self.used.borrow_mut().insert(to);
        if let Some(span) = span {
            self.note_edge(from, to, span);
        }
    }

    fn note_edge(&self, from: usize, to: usize, span: Span) {
        self.edges.borrow_mut().entry((from, to)).or_insert(span);
    }

    /// Whether a file leads to another one.
    fn leads(&self, from: usize, to: usize) -> bool {
        let (mut seen, mut queue) = (BTreeSet::new(), vec![from]);
        while let Some(file) = queue.pop() {
            let edges = self.edges.borrow();
            for (_, next) in edges.keys().filter(|(own, _)| *own == file) {
                if *next == to {
                    return true;
                }
                queue.extend(seen.insert(*next).then_some(*next));
            }
        }
        false
    }

    /// An import that closes a circle: from which file to which, and where.
    pub fn cycle(&self) -> Option<(usize, usize, Span)> {
        let edges: Vec<((usize, usize), Span)> =
            self.edges.borrow().iter().map(|(edge, span)| (*edge, *span)).collect();
        edges
            .into_iter()
            .rev()
            .find(|((from, to), _)| from == to || self.leads(*to, *from))
            .map(|((from, to), span)| (from, to, span))
    }

    /// The helpers, each behind those that it imports.
    pub fn imported_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = Vec::new();
        let mut left: Vec<usize> = (1..self.len()).collect();
        while !left.is_empty() {
            let is_ready = |file: usize| !left.iter().any(|other| *other != file && self.leads(file, *other));
            // In a circle none is; it is refused.
            let at = left.iter().position(|file| is_ready(*file)).unwrap_or(0);
            order.push(left.remove(at));
        }
        order
    }
}

/// `pkg/sub.py` as Python names it: `pkg.sub`.
fn label_of(path: &str) -> String {
    let stem = path.strip_suffix(".py").unwrap_or(path);
    let parts: Vec<&str> = stem.split('/').filter(|part| !matches!(*part, "" | "." | "..")).collect();
    match parts.as_slice() {
        [package @ .., "__init__"] if !package.is_empty() => package.join("."),
        parts => parts.join("."),
    }
}

/// Whether a name is one that Python has without an import.
pub(super) fn is_builtin(name: &str) -> bool {
    BUILTINS.contains(&name) || ALSO_OF_NUMPY.contains(&name)
}

/// Builtins of Python that NumPy, too, has a function for: `from numpy import *` binds them.
const ALSO_OF_NUMPY: &[&str] = &["abs", "all", "any", "bool", "divmod", "max", "min", "pow", "round", "sum"];

/// The other builtins of Python.
const BUILTINS: &[&str] = &[
    "callable",
    "chr",
    "complex",
    "dict",
    "enumerate",
    "filter",
    "float",
    "frozenset",
    "getattr",
    "hasattr",
    "hash",
    "id",
    "input",
    "int",
    "isinstance",
    "iter",
    "len",
    "list",
    "map",
    "next",
    "object",
    "open",
    "ord",
    "print",
    "range",
    "repr",
    "reversed",
    "set",
    "slice",
    "sorted",
    "str",
    "super",
    "tuple",
    "type",
    "zip",
];
