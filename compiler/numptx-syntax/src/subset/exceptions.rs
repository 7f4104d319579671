//! `try`, with the exceptions that its handlers name.
//!
//! In: Python's statement. Out: the subset's. What an exception is called in a handler stands for its text: it may be printed, formatted and raised.

use numptx_source::{Span, code};

use super::Converter;
use crate::ast::{self, StmtKind};
use crate::parse::{python, span_of};

impl Converter<'_> {
    pub(super) fn try_statement(&mut self, stmt: &python::StmtTry) -> Option<ast::Stmt> {
        let start = span_of(stmt.range).start;
        let body = self.block(&stmt.body);
        let handlers = stmt.handlers.iter().map(|handler| self.handler(handler)).collect();
        let orelse = self.block(&stmt.orelse);
        let finally = self.block(&stmt.finalbody);
        let span = Span::new(start, start + 3);
        Some(ast::Stmt { kind: StmtKind::Try { body, handlers, orelse, finally }, span })
    }

    fn handler(&mut self, handler: &python::ExceptHandler) -> ast::Handler {
        let python::ExceptHandler::ExceptHandler(handler) = handler;
        let start = span_of(handler.range).start;
        let span = handler.type_.as_deref().map_or(Span::new(start, start + 6), |e| span_of(python::Ranged::range(e)));
        let mut exceptions = Vec::new();
        match handler.type_.as_deref() {
            None => {}
            Some(python::Expr::Tuple(all)) => all.elts.iter().for_each(|one| self.exception(one, &mut exceptions)),
            Some(one) => self.exception(one, &mut exceptions),
        }
        let name = handler.name.as_ref().map(|name| name.to_string());
        self.handlers.push(name.clone());
        let body = self.block(&handler.body);
        self.handlers.pop();
        ast::Handler { exceptions, name, body, span }
    }

    /// The name of an exception: `ValueError`, `np.linalg.LinAlgError`.
    fn exception(&mut self, exception: &python::Expr, exceptions: &mut Vec<String>) {
        match exception {
            python::Expr::Name(name) => exceptions.push(name.id.to_string()),
            python::Expr::Attribute(attribute) => exceptions.push(attribute.attr.to_string()),
            other => {
                let span = span_of(python::Ranged::range(other));
                let help = "write the exceptions' names: `except (ValueError, KeyError):`";
                self.refuse(code::UNSUPPORTED_STATEMENT, span, "`except` with an expression", help);
            }
        }
    }
}
