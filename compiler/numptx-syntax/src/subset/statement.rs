//! Statements inside functions.
//!
//! In: Python's statements. Out: the subset's; a refused statement is left out of the block.

use numptx_source::{Report, Span, code};

use super::{Converter, independence, scoped};
use crate::ast::{self, ExprKind, StmtKind};
use crate::parse::{python, span_of};

/// What no file may hold anywhere: its name, and what to write instead.
pub(super) fn outside_everywhere(statement: &python::Stmt) -> Option<(&'static str, &'static str)> {
    Some(match statement {
        python::Stmt::ClassDef(_) => (
            "a class",
            "write a class of records at module level, `class P(NamedTuple): x: float`, or keep the values in arrays and pass them to module-level functions",
        ),
        python::Stmt::AsyncFunctionDef(_) => ("`async def`", "write `def`: calls are synchronous"),
        python::Stmt::TryStar(_) => ("`except*`", "write `except`: compiled code raises one exception at a time"),
        python::Stmt::With(_) => ("`with`", "write the statements without it; `with` belongs to the Python caller"),
        python::Stmt::AsyncFor(_) => ("`async for`", "write `for`: calls are synchronous"),
        python::Stmt::AsyncWith(_) => ("`async with`", "write the statements without it: calls are synchronous"),
        python::Stmt::Global(_) => {
            ("`global` in a function inside a function", "return the new value, or pass an array and write into it")
        }
        python::Stmt::Nonlocal(_) => ("`nonlocal`", "return the new value, or pass an array and write into it"),
        python::Stmt::Match(_) => ("`match`", "write `if`, `elif` and `else`"),
        python::Stmt::TypeAlias(_) => ("a type alias", "write the type in the export line"),
        _ => return None,
    })
}

impl Converter<'_> {
    pub(super) fn block(&mut self, statements: &[python::Stmt]) -> Vec<ast::Stmt> {
        let Some(first) = statements.first() else { return Vec::new() };
        if self.is_too_deep(self.first_line(first)) {
            return Vec::new();
        }
        self.depth += 1;
        let mut block = Vec::with_capacity(statements.len());
        for statement in statements {
            match self.quiet_block(statement) {
                Some(inner) => block.extend(inner),
                None if self.outer_names(statement) => {}
                None => match statement {
                    python::Stmt::Import(_) | python::Stmt::ImportFrom(_) => block.extend(self.local_import(statement)),
                    python::Stmt::Match(s) => block.extend(self.match_statement(s)),
                    _ => block.extend(self.statement(statement)),
                },
            }
        }
        self.depth -= 1;
        block
    }

    /// `yield from values` is a loop over them.
    fn yield_from(&mut self, values: &python::Expr, span: Span) -> StmtKind {
        // No program has such a name.
        let member = ast::Expr { kind: ExprKind::Name("member of `yield from`".into()), span };
        StmtKind::For {
            target: member.clone(),
            iterable: self.expression(values),
            body: vec![ast::Stmt { kind: StmtKind::Yield(member), span }],
            orelse: Vec::new(),
        }
    }

    fn statement(&mut self, statement: &python::Stmt) -> Option<ast::Stmt> {
        let span = span_of(python::Ranged::range(statement));
        let kind = match statement {
            python::Stmt::Assign(s) => self.assign(s),
            python::Stmt::AnnAssign(s) => return self.annotated_assign(s),
            python::Stmt::AugAssign(s) => self.augmented_assign(s),
            python::Stmt::If(s) => return Some(self.branch(s)),
            python::Stmt::For(s) => return Some(self.for_loop(s)),
            python::Stmt::While(s) => return Some(self.while_loop(s)),
            python::Stmt::Return(s) => StmtKind::Return(s.value.as_deref().map(|e| self.expression(e))),
            python::Stmt::Assert(s) => self.assert(s),
            python::Stmt::Raise(s) => self.raise(s)?,
            python::Stmt::Try(s) => return self.try_statement(s),
            python::Stmt::Expr(s) => match &*s.value {
                python::Expr::Yield(e) => StmtKind::Yield(match &e.value {
                    Some(value) => self.expression(value),
                    None => ast::Expr { kind: ExprKind::None, span },
                }),
                python::Expr::YieldFrom(e) => self.yield_from(&e.value, span),
                value => StmtKind::Expr(self.expression(value)),
            },
            python::Stmt::FunctionDef(s) => StmtKind::Function(self.local_function(s)),
            python::Stmt::Delete(s) => StmtKind::Delete(s.targets.iter().map(|t| self.expression(t)).collect()),
            python::Stmt::Pass(_) => StmtKind::Pass,
            python::Stmt::Break(_) => self.loop_statement(StmtKind::Break, "break", span)?,
            python::Stmt::Continue(_) => self.loop_statement(StmtKind::Continue, "continue", span)?,
            other => {
                self.refuse_statement(other);
                return None;
            }
        };
        Some(ast::Stmt { kind, span })
    }

    /// `break` or `continue`, which the grammar has everywhere.
    fn loop_statement(&mut self, kind: StmtKind, word: &str, span: Span) -> Option<StmtKind> {
        if self.n_loops > 0 {
            return Some(kind);
        }
        let report = Report::error(code::SYNTAX, span, format!("`{word}` outside of a loop"));
        self.reports.push(report.help("write `return`, or indent it into the loop"));
        None
    }

    /// The block that a loop runs.
    fn loop_body(&mut self, statements: &[python::Stmt]) -> Vec<ast::Stmt> {
        self.n_loops += 1;
        let body = self.block(statements);
        self.n_loops -= 1;
        body
    }

    fn refuse_statement(&mut self, statement: &python::Stmt) {
        let span = self.first_line(statement);
        if let Some((what, help)) = outside_everywhere(statement) {
            self.refuse(code::UNSUPPORTED_STATEMENT, span, what, help);
        }
    }

    fn assign(&mut self, assign: &python::StmtAssign) -> StmtKind {
        let targets = assign.targets.iter().map(|t| self.target(t)).collect();
        StmtKind::Assign { targets, value: self.expression(&assign.value) }
    }

    /// Python evaluates the annotation of a local name never: `x: float = 1` is `x = 1`.
    fn annotated_assign(&mut self, assign: &python::StmtAnnAssign) -> Option<ast::Stmt> {
        let value = self.expression(assign.value.as_deref()?);
        let kind = StmtKind::Assign { targets: vec![self.target(&assign.target)], value };
        Some(ast::Stmt { kind, span: span_of(assign.range) })
    }

    fn augmented_assign(&mut self, assign: &python::StmtAugAssign) -> StmtKind {
        let target = self.expression(&assign.target);
        StmtKind::AugAssign {
            target,
            op: super::expression::binary_op(assign.op),
            value: self.expression(&assign.value),
        }
    }

    pub(super) fn target(&mut self, target: &python::Expr) -> ast::Expr {
        match target {
            python::Expr::List(list) if self.depth < super::MAX_DEPTH => {
                self.depth += 1;
                let names = list.elts.iter().map(|e| self.target(e)).collect();
                self.depth -= 1;
                ast::Expr { kind: ast::ExprKind::Tuple(names), span: span_of(list.range) }
            }
            other => self.expression(other),
        }
    }

    fn branch(&mut self, branch: &python::StmtIf) -> ast::Stmt {
        let test = self.expression(&branch.test);
        let span = test.span;
        let body = self.block(&branch.body);
        let orelse = self.block(&branch.orelse);
        ast::Stmt { kind: StmtKind::If { test, body, orelse }, span }
    }

    fn for_loop(&mut self, stmt: &python::StmtFor) -> ast::Stmt {
        let target = self.target(&stmt.target);
        let iterable = self.expression(&stmt.iter);
        let span = target.span.join(iterable.span);
        let start = span_of(stmt.range).start;
        if let Some(comment) = independence::statement_of(self.source, &self.parsed.comments, start) {
            self.heard.push(comment);
            independence::note(&mut self.independent, span);
        }
        let body = self.loop_body(&stmt.body);
        let orelse = self.block(&stmt.orelse);
        ast::Stmt { kind: StmtKind::For { target, iterable, body, orelse }, span }
    }

    fn while_loop(&mut self, stmt: &python::StmtWhile) -> ast::Stmt {
        let test = self.expression(&stmt.test);
        let span = test.span;
        let body = self.loop_body(&stmt.body);
        let orelse = self.block(&stmt.orelse);
        if scoped::binds(&test) {
            return self.binding_loop(test, body, orelse);
        }
        ast::Stmt { kind: StmtKind::While { test, body, orelse }, span }
    }

    /// `while (name := value):` as `while True:` that begins with `if not (name := value): break`.
    fn binding_loop(&mut self, test: ast::Expr, body: Vec<ast::Stmt>, orelse: Vec<ast::Stmt>) -> ast::Stmt {
        let span = test.span;
        if !orelse.is_empty() {
            let help = "write `while True:` with `if not (name := value): break`";
            self.refuse(code::UNSUPPORTED_STATEMENT, span, "`else` of a `while` whose condition assigns", help);
        }
        let ends = ExprKind::Unary { op: ast::UnaryOp::Not, operand: Box::new(test) };
        let ends = ast::Expr { kind: ends, span };
        let leave = vec![ast::Stmt { kind: StmtKind::Break, span }];
        let first = ast::Stmt { kind: StmtKind::If { test: ends, body: leave, orelse: Vec::new() }, span };
        let always = ast::Expr { kind: ExprKind::Bool(true), span };
        let body = std::iter::once(first).chain(body).collect();
        ast::Stmt { kind: StmtKind::While { test: always, body, orelse: Vec::new() }, span }
    }

    fn assert(&mut self, assert: &python::StmtAssert) -> StmtKind {
        let test = self.expression(&assert.test);
        let message = assert.msg.as_deref().map(|m| self.expression(m));
        StmtKind::Assert { test, message }
    }

    fn raise(&mut self, raise: &python::StmtRaise) -> Option<StmtKind> {
        let span = span_of(raise.range);
        // What it is raised from is for Python's tracebacks alone.
        let is_caught = |e: &python::Expr| match (e, self.handlers.last()) {
            (python::Expr::Name(name), Some(Some(caught))) => name.id.as_str() == caught,
            _ => false,
        };
        if raise.exc.as_deref().is_none_or(is_caught) {
            if self.handlers.is_empty() {
                let help = "write the exception: `raise ValueError(\"message\")`";
                self.refuse(code::UNSUPPORTED_STATEMENT, span, "`raise` alone, outside of `except`", help);
                return None;
            }
            return Some(StmtKind::Reraise);
        }
        let parts = raise.exc.as_deref().and_then(exception_parts);
        let Some((exception, arguments)) = parts else {
            self.refuse_raise(span);
            return None;
        };
        let message = match arguments {
            [] => None,
            [message] => Some(self.expression(message)),
            _ => {
                self.refuse_raise(span);
                return None;
            }
        };
        Some(StmtKind::Raise { exception, message })
    }

    fn refuse_raise(&mut self, span: Span) {
        let help = "write `raise ValueError(\"message\")`";
        self.refuse(code::UNSUPPORTED_STATEMENT, span, "a `raise` without an exception's name and one message", help);
    }
}

/// The name and the arguments of `ValueError("message")` or `ValueError`.
fn exception_parts(exception: &python::Expr) -> Option<(String, &[python::Expr])> {
    match exception {
        python::Expr::Name(name) => Some((name.id.to_string(), &[])),
        python::Expr::Call(call) if call.keywords.is_empty() => match &*call.func {
            python::Expr::Name(name) => Some((name.id.to_string(), &call.args)),
            _ => None,
        },
        _ => None,
    }
}
