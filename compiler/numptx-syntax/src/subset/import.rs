//! Imports: `numpy`, its submodules, `math`, two modules of `scipy`, and names from them.
//!
//! In: import statements at module level. Out: one [`ast::Import`] a name, of a
//! refused import too, so that its uses are not reported again. Whether `numpy.x` exists is not decided here.

use numptx_source::{Span, code};

use super::Converter;
use crate::ast;
use crate::parse::{python, span_of};

impl Converter<'_> {
    /// Records what an import binds; other statements are left alone.
    pub(super) fn import_statement(&mut self, statement: &python::Stmt, module: &mut ast::Module) {
        match statement {
            python::Stmt::Import(import) => {
                for name in &import.names {
                    self.import_module(name, span_of(import.range), module);
                }
            }
            python::Stmt::ImportFrom(import) => self.import_from(import, module),
            _ => {}
        }
    }

    fn import_module(&mut self, name: &python::Alias, span: Span, module: &mut ast::Module) {
        let path = name.name.as_str();
        if is_for_annotations(path) {
            return;
        }
        if !is_known(path) {
            self.refuse_import(path, span);
        }
        let root = path.split('.').next().unwrap_or(path);
        let (alias, path) = match &name.asname {
            Some(alias) => (alias.as_str(), path),
            None => (root, root),
        };
        bind(module, alias, path.to_owned(), span);
    }

    fn import_from(&mut self, import: &python::StmtImportFrom, module: &mut ast::Module) {
        let span = span_of(import.range);
        let from = import.module.as_ref().map_or("", |m| m.as_str());
        if import.level.is_some_and(|level| level.to_u32() > 0) {
            let help = "copy the function into this file: a file is compiled by itself";
            return self.refuse(code::UNSUPPORTED_IMPORT, span, "a relative import", help);
        }
        if is_for_annotations(from) {
            return;
        }
        if !is_known(from) {
            self.refuse_import(from, span);
        }
        for name in &import.names {
            if name.name.as_str() == "*" {
                let help = format!("name what is used: `from {from} import sqrt, exp`, or `import {from}`");
                self.refuse(code::UNSUPPORTED_IMPORT, span, &format!("`from {from} import *`"), &help);
                continue;
            }
            let alias = name.asname.as_ref().unwrap_or(&name.name);
            bind(module, alias.as_str(), format!("{from}.{}", name.name), span);
        }
    }

    fn refuse_import(&mut self, path: &str, span: Span) {
        let help = match path {
            "cmath" => "NumPy's functions take complex numbers: `np.sqrt`, `np.exp`",
            _ => {
                "compiled code can use `numpy`, `scipy.fft`, `scipy.linalg`, `math` and `numptx.prange`; keep what only the Python side needs under \
                 `if __name__ == \"__main__\":` or in another file"
            }
        };
        self.refuse(code::UNSUPPORTED_IMPORT, span, &format!("the import of `{path}`"), help);
    }
}

fn bind(module: &mut ast::Module, alias: &str, path: String, span: Span) {
    let import = ast::Import { alias: alias.to_owned(), path, span };
    if !module.imports.iter().any(|i| i.alias == import.alias && i.path == import.path) {
        module.imports.push(import);
    }
}

/// Modules that are imported for annotations alone, which are not evaluated: their names stay unbound.
fn is_for_annotations(path: &str) -> bool {
    matches!(path, "__future__" | "typing" | "collections.abc")
}

/// Whether the members of a module may be compiled.
pub(crate) fn is_known(path: &str) -> bool {
    matches!(path, "math" | "numptx" | "numpy" | "scipy" | "scipy.fft" | "scipy.linalg") || path.starts_with("numpy.")
}
