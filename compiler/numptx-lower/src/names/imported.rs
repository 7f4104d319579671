//! Names that imports and decorators bring: those of `from numpy import *`, of Numba, and those that only Python knows.
//!
//! In: a name, or a call of a decorated function. Out: what it stands for, or a refusal at the place where it is used.

use numptx_ir::functions::{lookup, refused};
use numptx_source::{Report, Span, code};
use numptx_syntax::ast::Left;

use crate::containers::combined::combining;
use crate::library::function_of_module;
use crate::lowerer::Lowerer;
use crate::names::lookup::{constant_of_module, dtype_of_numpy, making};
use crate::types::tests::{CLASSES, TYPE_FUNCTIONS};
use crate::values::value::Value;

impl Lowerer<'_> {
    /// What a name of the file was imported as; the last import wins.
    pub fn imported(&mut self, name: &str, span: Span) -> Option<Value> {
        let module = self.module;
        if let Some(left) = module.left.iter().find(|left| left.name == name) {
            return Some(self.refuse_left(left, span));
        }
        let is_of = |path: &str| path_of_member(path, name).is_some();
        let import = module.imports.iter().rev().find(|i| i.alias == name || (i.alias == "*" && is_of(&i.path)))?;
        if let Some(builtin) = import.path.strip_prefix("builtins.") {
            return self.builtin_named(builtin, span);
        }
        Some(match import.alias.as_str() {
            "*" => self.member_of_module(&import.path, name, span),
            _ => self.path(&import.path, span),
        })
    }

    /// Reports the first use of a name that only Python knows.
    fn refuse_left(&mut self, left: &Left, span: Span) -> Value {
        let bound = left.report.clone();
        if self.reports.iter().any(|r| r.code == bound.code && r.message == bound.message) {
            return Value::Poison;
        }
        let mut report = Report { span, label: "used in compiled code".into(), ..bound.clone() };
        report.related.insert(0, numptx_source::Label { span: bound.span, text: "bound here".into() });
        self.report(report);
        Value::Poison
    }

    /// A member of Numba that compiled code may use: dtypes are NumPy's. `None` for members of other modules.
    pub fn member_of_numba(&mut self, module: &str, name: &str, span: Span) -> Option<Value> {
        if module != "numba" {
            return None;
        }
        if name == "prange" {
            return Some(Value::Builtin("numptx.prange"));
        }
        if let Some(dtype) = dtype_of_numpy(name) {
            return Some(Value::DType(dtype));
        }
        let message = format!("`numba.{name}` is outside what numptx compiles");
        let help = "of Numba compiled code has `prange`, the names of dtypes, and decorators, which change nothing";
        Some(self.refuse(code::UNKNOWN_FUNCTION, span, message, help))
    }

    /// Refuses the `yield` of a function that is exported.
    pub fn refuse_yield(&mut self, span: Span) {
        let help = "return a list or an array, or let another function go through it: `return list(f(x))`";
        self.refuse(code::UNSUPPORTED_EXPRESSION, span, "an exported function cannot `yield`", help);
    }
}

/// The path of a name of a module that `from module import *` brings, if it is one.
fn path_of_member(module: &str, name: &str) -> Option<String> {
    if name.starts_with('_') {
        return None;
    }
    let path = format!("{module}.{name}");
    let is_special = module == "numpy"
        && (CLASSES.contains(&name)
            || TYPE_FUNCTIONS.contains(&name)
            || dtype_of_numpy(name).is_some()
            || matches!(
                name,
                "newaxis"
                    | "mgrid"
                    | "ogrid"
                    | "r_"
                    | "c_"
                    | "s_"
                    | "ndindex"
                    | "ndenumerate"
                    | "vectorize"
                    | "broadcast"
                    | "nditer"
                    | "linalg"
                    | "fft"
                    | "random"
                    | "divmod"
                    | "bool"
            ));
    let is_made_here = function_of_module(&path).or_else(|| combining(&path)).or_else(|| making(&path)).is_some()
        || matches!(path.as_str(), "cmath.infj" | "cmath.nanj");
    let is_function = lookup(&path).is_some() || refused::lookup(&path).is_some();
    let is_member = is_special || is_made_here || is_function || constant_of_module(module, name).is_some();
    (is_member || path == "numptx.prange").then_some(path)
}
