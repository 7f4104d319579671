//! Functions of `warnings`, which compiled code passes over: it warns of nothing.
//!
//! In: a call that is not evaluated yet. Out: `None`, and a note of each warning that is left out. Arguments are not evaluated; those that do more than
//! make a text are refused.

use numptx_source::{Report, Span, code};
use numptx_syntax::ast::{Expr, ExprKind, Keyword};

use crate::lowerer::Lowerer;
use crate::values::container_types::Sort;
use crate::values::scope::Binding;
use crate::values::value::Value;

/// The functions.
const NAMES: &[&str] = &["warnings.warn", "warnings.simplefilter", "warnings.filterwarnings"];
/// Functions and methods that make texts, whatever they are given.
const TEXTS: &[&str] =
    &["format", "join", "lower", "replace", "repr", "round", "str", "strip", "title", "type", "upper"];
/// Functions and methods that only read their one argument, or what they are called of.
const READING: &[&str] = &[
    "abs",
    "all",
    "any",
    "bool",
    "count",
    "count_nonzero",
    "float",
    "int",
    "isfinite",
    "isinf",
    "isnan",
    "item",
    "items",
    "keys",
    "len",
    "max",
    "mean",
    "median",
    "min",
    "nanmax",
    "nanmean",
    "nanmin",
    "ndim",
    "shape",
    "size",
    "sorted",
    "sqrt",
    "std",
    "sum",
    "tolist",
    "unique",
    "values",
    "var",
];

/// A function that is passed over, by its path.
pub(crate) fn passed_over(path: &str) -> Option<&'static str> {
    NAMES.iter().find(|own| **own == path).copied()
}

impl Lowerer<'_> {
    /// A call of one of these functions; `None` of other values.
    pub fn warning_call(
        &mut self,
        callee: &Value,
        arguments: &[Expr],
        keywords: &[Keyword],
        span: Span,
    ) -> Option<Value> {
        let Value::Builtin(name) = callee else { return None };
        let name = passed_over(name)?;
        let all = || arguments.iter().chain(keywords.iter().map(|keyword| &keyword.value));
        if let Some(doing) = all().find_map(|argument| self.doing(argument)) {
            let message = format!("`{name}` is passed over, and this may do more than make its text");
            let help = "call it in a statement of its own, before the warning";
            return Some(self.refuse(code::UNSUPPORTED_EXPRESSION, doing, message, help));
        }
        if name == "warnings.warn" {
            let message = "compiled code warns of nothing: `warnings.warn` is passed over";
            let help = "return what is to be warned of, and warn in Python; or raise an exception";
            self.report(Report::note(code::LEFT_TO_PYTHON, span, message).label("passed over").help(help));
            return Some(Value::None);
        }
        let action = keywords.iter().find(|k| k.name == "action").map(|k| &k.value).or(arguments.first());
        let is_ignored = action.is_some_and(|action| matches!(&action.kind, ExprKind::Str(word) if word == "ignore"));
        if !is_ignored {
            let message = format!(
                "`{name}` with another action than `\"ignore\"` is not compiled: compiled code warns of nothing"
            );
            let help =
                "set the filter in Python, around the call; or raise an exception: `raise ValueError(\"negative\")`";
            return Some(self.refuse(code::UNSUPPORTED_EXPRESSION, span, message, help));
        }
        Some(Value::None)
    }

    /// A part of an expression that may change something: a call of what does not only read, an element of a `defaultdict`, or `:=`.
    fn doing(&self, expr: &Expr) -> Option<Span> {
        let does = match &expr.kind {
            ExprKind::Binding { .. } => true,
            ExprKind::Call { function, arguments, keywords } => match &function.kind {
                ExprKind::Name(name) => self.is_of_program(name) || !only_reads(name, arguments, keywords),
                ExprKind::Attribute { name, .. } => !only_reads(name, arguments, keywords),
                _ => true,
            },
            ExprKind::Subscript { value, .. } => {
                matches!(&value.kind, ExprKind::Name(name) if self.is_default_dictionary(name))
            }
            _ => false,
        };
        if does { Some(expr.span) } else { expr.children().into_iter().find_map(|part| self.doing(part)) }
    }

    /// Reading an element of one makes it.
    fn is_default_dictionary(&self, name: &str) -> bool {
        match self.calls.find(name) {
            Some(Some(Binding::Bound(Value::Container(container), _))) => container.sort == Sort::Default,
            _ => false,
        }
    }

    fn is_of_program(&self, name: &str) -> bool {
        match self.calls.find(name) {
            Some(Some(Binding::Bound(value, _))) => matches!(value, Value::UserFunction(_) | Value::Closure(_)),
            Some(_) => true,
            None => self.module.functions.iter().any(|function| function.name == name),
        }
    }
}

/// Whether a function or method of this name only reads; a category is a class that ends so.
fn only_reads(name: &str, arguments: &[Expr], keywords: &[Keyword]) -> bool {
    let takes_output = keywords.iter().any(|keyword| keyword.name == "out");
    let reads = READING.contains(&name) && arguments.len() <= 1;
    !takes_output && (reads || TEXTS.contains(&name) || name.ends_with("Warning"))
}
