//! `with` blocks that say what NumPy and Python warn of: `with np.errstate(…):` and `with warnings.catch_warnings():`.
//!
//! In: the `with` statement. Out: its block, where nothing is to be done, for compiled code warns of nothing; else a refusal.

use numptx_source::{Report, code};

use super::{Converter, string_value};
use crate::ast;
use crate::parse::{python, span_of};

impl Converter<'_> {
    /// The block of such a statement; `None` for any other.
    pub(super) fn quiet_block(&mut self, statement: &python::Stmt) -> Option<Vec<ast::Stmt>> {
        let python::Stmt::With(with) = statement else { return None };
        let is_quiet = |item: &python::WithItem| match &item.context_expr {
            python::Expr::Call(call) if self.is_errstate(&call.func) => {
                item.optional_vars.is_none() && call.args.is_empty()
            }
            python::Expr::Call(call) => self.is_catching(&call.func) && call.args.is_empty(),
            _ => false,
        };
        if !with.items.iter().all(is_quiet) {
            return None;
        }
        for item in &with.items {
            let python::Expr::Call(call) = &item.context_expr else { continue };
            match self.is_errstate(&call.func) {
                true => self.check_errstate(call),
                false => self.check_catching(item, call),
            }
        }
        Some(self.block(&with.body))
    }

    fn check_errstate(&mut self, call: &python::ExprCall) {
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
    }

    /// `warnings.catch_warnings()`, without a list of what was warned of.
    fn check_catching(&mut self, item: &python::WithItem, call: &python::ExprCall) {
        let word = |name: &str| {
            let keyword = call.keywords.iter().find(|k| k.arg.as_ref().is_some_and(|arg| arg.as_str() == name))?;
            Some((string_value(&keyword.value), span_of(keyword.range)))
        };
        let is_false = |value: &python::Expr| matches!(value, python::Expr::Constant(c) if c.value == python::Constant::Bool(false));
        let record = call.keywords.iter().find(|k| k.arg.as_ref().is_some_and(|arg| arg.as_str() == "record"));
        let recorded = record.filter(|keyword| !is_false(&keyword.value)).map(|keyword| span_of(keyword.range));
        let named = item.optional_vars.as_deref().map(|target| span_of(python::Ranged::range(target)));
        let action = word("action").filter(|(action, _)| action.as_deref() != Some("ignore")).map(|(_, span)| span);
        if let Some(span) = recorded.or(named) {
            let message = "a list of the warnings of a block is not compiled: compiled code warns of nothing";
            let report = Report::error(code::UNSUPPORTED_STATEMENT, span, message).label("not compiled");
            self.reports.push(report.help("look at what would be warned of: `if not np.isfinite(y).all(): …`"));
        }
        if let Some(span) = action {
            let message = "`warnings.catch_warnings` with another action than `\"ignore\"` is not compiled: compiled code warns of nothing";
            let report = Report::error(code::UNSUPPORTED_STATEMENT, span, message).label("not compiled");
            self.reports.push(report.help("raise an exception instead: `raise ValueError(\"negative\")`"));
        }
    }

    fn is_errstate(&self, function: &python::Expr) -> bool {
        let python::Expr::Attribute(attribute) = function else { return false };
        let is_numpy =
            |owner: &python::Expr| matches!(owner, python::Expr::Name(name) if self.numpy.contains(name.id.as_str()));
        attribute.attr.as_str() == "errstate" && is_numpy(&attribute.value)
    }

    fn is_catching(&self, function: &python::Expr) -> bool {
        self.path_of(function).is_some_and(|path| path == "warnings.catch_warnings")
    }
}
