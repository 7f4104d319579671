//! `with np.errstate(…):`, which says what NumPy does where a floating-point operation overflows, divides by zero, or has no result.
//!
//! In: the `with` statement. Out: its block, where nothing is to be done, as compiled code has it everywhere; else a refusal.

use numptx_source::{Report, code};

use super::{Converter, string_value};
use crate::ast;
use crate::parse::{python, span_of};

impl Converter<'_> {
    /// The block of `with np.errstate(…):`; `None` for any other statement.
    pub(super) fn errstate(&mut self, statement: &python::Stmt) -> Option<Vec<ast::Stmt>> {
        let python::Stmt::With(with) = statement else { return None };
        let [item] = with.items.as_slice() else { return None };
        let python::Expr::Call(call) = &item.context_expr else { return None };
        if !self.is_errstate(&call.func) || item.optional_vars.is_some() || !call.args.is_empty() {
            return None;
        }
        for keyword in &call.keywords {
            let is_ignored = string_value(&keyword.value).is_some_and(|word| word == "ignore");
            if !is_ignored {
                let message = "`np.errstate` with another word than `\"ignore\"` is not compiled: floating-point operations neither warn nor raise";
                let report = Report::error(code::UNSUPPORTED_STATEMENT, span_of(keyword.range), message);
                self.reports.push(report.label("not compiled").help(
                    "look at the results: `if not np.isfinite(y).all(): raise FloatingPointError(\"overflow\")`",
                ));
            }
        }
        Some(self.block(&with.body))
    }

    fn is_errstate(&self, function: &python::Expr) -> bool {
        let python::Expr::Attribute(attribute) = function else { return false };
        let is_numpy =
            |owner: &python::Expr| matches!(owner, python::Expr::Name(name) if self.numpy.contains(name.id.as_str()));
        attribute.attr.as_str() == "errstate" && is_numpy(&attribute.value)
    }
}
