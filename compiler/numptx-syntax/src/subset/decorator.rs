//! Decorators: those of Numba and Transonic say how other compilers should compile a function, and change nothing here.
//!
//! In: a function's decorators. Out: how its calls apply it; others are refused, and so is the function where it is reached.

use numptx_source::{Span, code};

use super::Converter;
use crate::ast::Applied;
use crate::parse::{python, span_of};

/// Numba's compiler to modules: its objects have a decorator `export`.
const AHEAD_OF_TIME: &str = "numba.pycc.CC";

/// What a decorator says.
enum Meaning {
    /// Nothing to us.
    Compile(Applied),
    /// Something that is not compiled, and what to do.
    Refused(&'static str),
}

impl Converter<'_> {
    /// What a function's decorators make of it.
    pub(super) fn decorators(&mut self, decorators: &[python::Expr]) -> Applied {
        let mut applied = Applied::Whole;
        for decorator in decorators {
            let span = span_of(python::Ranged::range(decorator));
            let text: String = self.source.slice(span).chars().take_while(|c| *c != '(' && *c != '\n').collect();
            match self.meaning(decorator) {
                Meaning::Compile(Applied::Vectorized) => applied = Applied::Vectorized,
                Meaning::Compile(how) => {
                    self.left_out
                        .decorators
                        .push((format!("@{}", text.trim()), Span::new(span.start, span.start + text.len() as u32)));
                    if how != Applied::Whole {
                        applied = how;
                    }
                }
                Meaning::Refused(help) => {
                    let span = self.line_of(span);
                    self.refuse(code::UNSUPPORTED_STATEMENT, span, &format!("the decorator `@{}`", text.trim()), help);
                }
            }
        }
        applied
    }

    fn meaning(&self, decorator: &python::Expr) -> Meaning {
        let function = match decorator {
            python::Expr::Call(call) => &*call.func,
            other => other,
        };
        let path = self.path_of(function).unwrap_or_default();
        let (module, name) = path.rsplit_once('.').unwrap_or(("", &path));
        let of_numba = module == "numba" || (module.starts_with("numba.") && !module.starts_with("numba.cuda"));
        match name {
            "jit" | "njit" | "register_jitable" if of_numba => Meaning::Compile(Applied::Whole),
            "vectorize" if of_numba => Meaning::Compile(Applied::ByElement),
            "guvectorize" if of_numba => Meaning::Compile(Applied::ByPart),
            "export" if module == AHEAD_OF_TIME => Meaning::Compile(Applied::Whole),
            "jit" | "boost" if module == "transonic" => Meaning::Compile(Applied::Whole),
            "stencil" if of_numba => Meaning::Refused(
                "write the loop: `for i in range(1, len(x) - 1):` with `y[i] = 0.5 * (x[i - 1] + x[i + 1])`",
            ),
            "lru_cache" | "cache" if module == "functools" => Meaning::Refused(
                "remove it: compiled code computes again, or keep results in an array: `known[n] = f(n)`",
            ),
            "vectorize" if module == "numpy" && !matches!(decorator, python::Expr::Call(_)) => {
                Meaning::Compile(Applied::Vectorized)
            }
            "vectorize" if module == "numpy" => Meaning::Refused(
                "write `@np.vectorize` alone, or give the dtypes where it is called: `np.vectorize(f, otypes=[float])(x)`",
            ),
            _ => Meaning::Refused("remove it: an export line says what is compiled"),
        }
    }

    /// The path of what a name, or an attribute of one, was imported as.
    pub(super) fn path_of(&self, expr: &python::Expr) -> Option<String> {
        match expr {
            python::Expr::Name(name) => self.paths.get(name.id.as_str()).cloned(),
            python::Expr::Attribute(attribute) => {
                Some(format!("{}.{}", self.path_of(&attribute.value)?, attribute.attr))
            }
            _ => None,
        }
    }

    /// Notes what a name stands for that has decorators of Numba as attributes: `cc` after `cc = CC("module")`.
    pub(super) fn note_owner(&mut self, name: &str, value: &python::Expr) {
        if let python::Expr::Call(call) = value
            && self.path_of(&call.func).is_some_and(|path| path == AHEAD_OF_TIME)
        {
            self.paths.insert(name.to_owned(), AHEAD_OF_TIME.to_owned());
        }
    }

    /// The function of `njit(f)`, `njit(lambda x: x * x)` and `njit(parallel=True)(f)`.
    pub(super) fn undecorated<'e>(&mut self, value: &'e python::Expr) -> Option<&'e python::Expr> {
        let python::Expr::Call(call) = value else { return None };
        let [function @ (python::Expr::Name(_) | python::Expr::Lambda(_))] = call.args.as_slice() else { return None };
        let is_plain =
            call.keywords.is_empty() || matches!(*call.func, python::Expr::Name(_) | python::Expr::Attribute(_));
        if !is_plain || !matches!(self.meaning(&call.func), Meaning::Compile(Applied::Whole)) {
            return None;
        }
        let span = span_of(python::Ranged::range(&*call.func));
        let text: String = self.source.slice(span).chars().take_while(|c| *c != '(' && *c != '\n').collect();
        self.left_out.decorators.push((text.trim().to_owned(), span));
        Some(function)
    }
}
