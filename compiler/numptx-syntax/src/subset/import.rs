//! Imports: `numpy`, its submodules, `math`, three modules of `scipy`, and names from them, at module level and in functions.
//!
//! In: import statements. Out: one [`ast::Import`] a name at module level, one assignment a name in a function. What else is imported at
//! module level is left to Python. Whether `numpy.x` exists is not decided here.

use numptx_source::{Imports, Report, Span, code};

use super::{Converter, left};
use crate::ast::{self, ExprKind, StmtKind};
use crate::parse::{python, span_of};

/// One name that an import statement binds; `*` for all of a module.
pub(super) struct Bound {
    pub alias: String,
    /// What it is bound to, with the dots of a relative import.
    pub path: String,
    /// The module that is imported, or from which names are.
    pub module: String,
    pub span: Span,
}

/// What an import brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// What compiled code may use.
    Known,
    /// Another file of the user's.
    File,
    /// Names for annotations, which are not evaluated.
    Annotations,
    /// What only Python knows.
    Foreign,
}

/// The names that a statement imports; none, if it is no import.
pub(super) fn bound(statement: &python::Stmt) -> Vec<Bound> {
    match statement {
        python::Stmt::Import(import) => {
            import.names.iter().map(|name| of_module(name, span_of(import.range))).collect()
        }
        python::Stmt::ImportFrom(import) => {
            let dots = import.level.map_or(0, |level| level.to_u32()) as usize;
            let module = format!("{}{}", ".".repeat(dots), import.module.as_ref().map_or("", |m| m.as_str()));
            let name = |name: &python::Alias| {
                let alias = name.asname.as_ref().unwrap_or(&name.name).to_string();
                let path = match name.name.as_str() {
                    "*" => module.clone(),
                    own if module.ends_with('.') => format!("{module}{own}"),
                    own => format!("{module}.{own}"),
                };
                Bound { alias, path, module: module.clone(), span: span_of(import.range) }
            };
            import.names.iter().map(name).collect()
        }
        _ => Vec::new(),
    }
}

/// `import a.b` binds `a`, `import a.b as c` binds `c` to `a.b`.
fn of_module(name: &python::Alias, span: Span) -> Bound {
    let module = name.name.to_string();
    match &name.asname {
        Some(alias) => Bound { alias: alias.to_string(), path: module.clone(), module, span },
        None => {
            let root = module.split('.').next().unwrap_or(&module).to_owned();
            Bound { alias: root.clone(), path: root, module, span }
        }
    }
}

impl Bound {
    /// `imports`: which of the file's imports are of files.
    pub(super) fn origin(&self, imports: &Imports) -> Origin {
        match self.module.as_str() {
            // All that compiled code has of it is the loop over `prange`, and its names of dtypes.
            "numba" if self.alias != "*" => Origin::Known,
            // What makes classes of records is read where it stands.
            "collections" if self.path == "collections.namedtuple" => Origin::Annotations,
            "dataclasses" if MAKES_RECORDS.contains(&self.path.as_str()) => Origin::Annotations,
            module if is_for_annotations(module) && self.path.starts_with(module) => Origin::Annotations,
            module if is_known(module) || module.starts_with("numpy.") => Origin::Known,
            module if imports.contains_key(module) || imports.contains_key(&self.path) => Origin::File,
            _ => Origin::Foreign,
        }
    }

    /// What is said where a name is read that only Python knows.
    pub(super) fn refusal(&self) -> Report {
        let (name, what) = (&self.alias, &self.path);
        let message = if name == what {
            format!("`{name}` is outside what numptx compiles")
        } else {
            format!("`{name}` is `{what}`, which is outside what numptx compiles")
        };
        Report::error(code::UNSUPPORTED_IMPORT, self.span, message)
            .label("left to Python")
            .help(instead_of(&self.module))
    }
}

/// What to do instead of using a module in compiled code.
fn instead_of(module: &str) -> &'static str {
    match module.split('.').next().unwrap_or(module) {
        "" => "there is no such file beside this one: copy the function into this file",
        "random" => "make the numbers in Python, and pass them as an array",
        "time" => "take the time in Python, around the call",
        "os" | "sys" | "pathlib" | "logging" => "call it in Python, and pass the result as a parameter",
        "numba" => "of Numba compiled code has `prange`, the names of dtypes, and decorators, which change nothing",
        "cupy" | "torch" | "jax" => {
            "compiled code calls NumPy's functions, on arrays of any library: `import numpy as np`"
        }
        _ => {
            "compiled code can use `numpy`, `scipy.fft`, `scipy.linalg`, `scipy.ndimage`, `scipy.signal`, `scipy.special`, `math`, `cmath`, `operator`, `collections`, `heapq`, `bisect`, `itertools`, `functools` and `numptx.prange`; call the rest in Python, and pass the result"
        }
    }
}

impl Converter<'_> {
    /// Records what an import at module level binds.
    pub(super) fn import(&mut self, bound: Bound, module: &mut ast::Module) {
        self.paths.insert(bound.alias.clone(), bound.path.clone());
        match bound.origin(&self.source.imports) {
            Origin::Annotations => {}
            Origin::File => {
                let Bound { alias, path, module: from, span } = bound;
                module.files.push(ast::FileImport { alias, path, module: from, span });
            }
            Origin::Known => {
                if bound.module.starts_with("numba") && self.paths.get(&bound.alias).is_none_or(|p| p != "numba.prange")
                {
                    self.left_out.imports.push((bound.module.clone(), bound.span));
                }
                bind(module, &bound.alias, without_numba(bound.path), bound.span);
            }
            Origin::Foreign => {
                let shown = if bound.module.starts_with('.') { &bound.path } else { &bound.module };
                self.left_out.imports.push((shown.clone(), bound.span));
                let root = bound.module.split('.').next().unwrap_or_default();
                if bound.alias == "*" {
                    return;
                }
                // `import scipy.optimize` binds `scipy`, of which `scipy.fft` may be used.
                if bound.alias == root && is_known(root) {
                    bind(module, root, root.to_owned(), bound.span);
                } else {
                    module.left.push(ast::Left { name: bound.alias.clone(), report: bound.refusal() });
                }
            }
        }
    }

    /// An import in a function: one assignment a name.
    pub(super) fn local_import(&mut self, statement: &python::Stmt) -> Vec<ast::Stmt> {
        let mut assignments = Vec::new();
        for name in bound(statement) {
            let span = name.span;
            if name.alias == "*" {
                let help = "Python has it at module level only: move it to the top of the file";
                self.refuse(
                    code::UNSUPPORTED_IMPORT,
                    span,
                    &format!("`from {} import *` in a function", name.module),
                    help,
                );
                continue;
            }
            match name.origin(&self.source.imports) {
                Origin::Annotations => continue,
                Origin::Known | Origin::File => {}
                Origin::Foreign => {
                    let report = name.refusal();
                    let what = format!("the import of `{}`", name.module);
                    self.refuse(code::UNSUPPORTED_IMPORT, span, &what, &report.help.unwrap_or_default());
                    continue;
                }
            }
            let target = ast::Expr { kind: ExprKind::Name(name.alias), span };
            let value = ast::Expr { kind: ExprKind::Imported(without_numba(name.path)), span };
            assignments.push(ast::Stmt { kind: StmtKind::Assign { targets: vec![target], value }, span });
        }
        assignments
    }
}

/// Numba's `prange` is ours.
fn without_numba(path: String) -> String {
    if path == "numba.prange" { "numptx.prange".to_owned() } else { path }
}

fn bind(module: &mut ast::Module, alias: &str, path: String, span: Span) {
    let import = ast::Import { alias: alias.to_owned(), path, span };
    if !module.imports.iter().any(|i| i.alias == import.alias && i.path == import.path) {
        module.imports.push(import);
    }
}

/// What of `dataclasses` is read in classes alone.
const MAKES_RECORDS: &[&str] = &["dataclasses.dataclass", "dataclasses.field"];

/// Modules that are imported for annotations alone: their names stay unbound.
fn is_for_annotations(path: &str) -> bool {
    matches!(
        path,
        "__future__"
            | "typing"
            | "typing_extensions"
            | "collections.abc"
            | "numpy.typing"
            | "jaxtyping"
            | "numptx.typing"
    )
}

/// The modules that statements may import, as they are written, those in functions included: `from pkg import sub` may mean `pkg.sub`.
pub(crate) fn modules(statements: &[python::Stmt]) -> Vec<String> {
    let mut modules: Vec<String> = Vec::new();
    left::imports_anywhere(statements, &mut |bound| {
        if bound.origin(&Imports::new()) != Origin::Foreign {
            return;
        }
        let mut named: Vec<&str> = bound.module.match_indices('.').map(|(at, _)| &bound.module[..at]).collect();
        named.extend([bound.module.as_str(), bound.path.as_str()]);
        let is_dots = |name: &str| name.chars().all(|c| c == '.') && name != bound.module;
        for name in named {
            if !is_known(name) && !is_dots(name) && !modules.iter().any(|m| m == name) {
                modules.push(name.to_owned());
            }
        }
    });
    modules
}

/// Whether the members of a module may be compiled.
pub(crate) fn is_known(path: &str) -> bool {
    matches!(
        path,
        "bisect"
            | "cmath"
            | "collections"
            | "dataclasses"
            | "functools"
            | "heapq"
            | "itertools"
            | "math"
            | "numba"
            | "numptx"
            | "numpy"
            | "operator"
            | "scipy"
            | "scipy.fft"
            | "scipy.linalg"
            | "scipy.ndimage"
            | "scipy.signal"
            | "scipy.special"
            | "warnings"
    ) || path.starts_with("numpy.")
}
