//! Functions that call themselves, as far as they need no stack.
//!
//! A function that gives what it gives itself, `return f(…)`, is a loop: the arguments become the parameters, and the body starts anew.
//! Other calls inside themselves are inlined as long as an argument that is known when compiling changes, so that the program decides
//! where it ends. What is left is called ([`crate::routines`]). A loop has no limit of depth, where Python raises `RecursionError`.

use std::collections::BTreeSet;

use numptx_syntax::ast::{Expr, ExprKind, Function, ParameterKind, Stmt, StmtKind};

use crate::flow::{always_leaves, assigned_names};
use crate::liveness::{names_of, read, read_statement};
use crate::lowerer::Lowerer;
use crate::scope::{Binding, Frame};
use crate::value::Value;

/// Calls of functions inside themselves that may be inlined for one call, and statements that they may become.
const MAX_INLINED: usize = 300;
const MAX_STATEMENTS: usize = 5000;

/// The function as a loop, if it calls itself, and only as the value of a `return` outside of its own loops.
pub(crate) fn as_loop(function: &Function) -> Option<Function> {
    let own = assigned_names(&function.body);
    let hidden = function.parameters.iter().any(|p| p.name == function.name) || own.contains(&function.name);
    if hidden || !names_of(function).contains(&function.name) {
        return None;
    }
    let mut body = rewritten(function, &function.body)?;
    if always_leaves(&body) && !body.iter().any(ends) {
        return None;
    }
    let span = function.name_span;
    body.push(Stmt { kind: StmtKind::Return(None), span });
    let test = Expr { kind: ExprKind::Bool(true), span };
    let body = vec![Stmt { kind: StmtKind::While { test, body, orelse: Vec::new() }, span }];
    Some(Function { body, ..function.clone() })
}

/// Statements with `return f(…)` as an assignment and `continue`; `None` if the function is used in another way.
fn rewritten(function: &Function, body: &[Stmt]) -> Option<Vec<Stmt>> {
    let mut out = Vec::new();
    for stmt in body {
        match &stmt.kind {
            StmtKind::If { test, body, orelse } if !mentions(function, test) => {
                let (body, orelse) = (rewritten(function, body)?, rewritten(function, orelse)?);
                out.push(Stmt { kind: StmtKind::If { test: test.clone(), body, orelse }, span: stmt.span });
            }
            StmtKind::Return(Some(value)) => out.extend(returned(function, value, stmt)?),
            _ => {
                let mut found = false;
                read_statement(stmt, &mut |e| found |= mentions(function, e));
                if found {
                    return None;
                }
                out.push(stmt.clone());
            }
        }
    }
    Some(out)
}

/// Whether the function can end here.
fn ends(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Return(_) | StmtKind::Raise { .. } | StmtKind::Reraise => true,
        kind => kind.blocks().into_iter().flatten().any(ends),
    }
}

fn returned(function: &Function, value: &Expr, stmt: &Stmt) -> Option<Vec<Stmt>> {
    match &value.kind {
        ExprKind::Conditional { test, body, orelse } if !mentions(function, test) => {
            let (body, orelse) = (returned(function, body, stmt)?, returned(function, orelse, stmt)?);
            Some(vec![Stmt { kind: StmtKind::If { test: (**test).clone(), body, orelse }, span: stmt.span }])
        }
        ExprKind::Call { function: callee, arguments, keywords } if matches!(&callee.kind, ExprKind::Name(name) if *name == function.name) =>
        {
            let all = arguments.iter().chain(keywords.iter().map(|k| &k.value));
            if all.clone().any(|e| mentions(function, e) || matches!(e.kind, ExprKind::Starred(_))) {
                return None;
            }
            let named = |name: &str| keywords.iter().find(|k| k.name == name).map(|k| &k.value);
            let (mut targets, mut values) = (Vec::new(), Vec::new());
            for (n, parameter) in function.parameters.iter().enumerate() {
                if parameter.kind != ParameterKind::Any {
                    return None;
                }
                let value = arguments.get(n).or_else(|| named(&parameter.name))?;
                targets.push(Expr { kind: ExprKind::Name(parameter.name.clone()), span: value.span });
                values.push(value.clone());
            }
            if values.len() != arguments.len() + keywords.len() {
                return None;
            }
            let make = |kind| Expr { kind, span: value.span };
            let assign = StmtKind::Assign {
                targets: vec![make(ExprKind::Tuple(targets))],
                value: make(ExprKind::Tuple(values)),
            };
            Some([assign, StmtKind::Continue].into_iter().map(|kind| Stmt { kind, span: stmt.span }).collect())
        }
        _ if mentions(function, value) => None,
        _ => Some(vec![stmt_of(value, stmt)]),
    }
}

fn stmt_of(value: &Expr, stmt: &Stmt) -> Stmt {
    Stmt { kind: StmtKind::Return(Some(value.clone())), span: stmt.span }
}

fn mentions(function: &Function, expr: &Expr) -> bool {
    let mut names = BTreeSet::new();
    read(expr, &mut names);
    names.contains(&function.name)
}

/// An attempt to inline a call of a function inside itself.
pub(crate) struct Attempt {
    n_calls: usize,
    /// Statements that it may still become.
    pub n_statements: usize,
    /// It takes too many calls, statements or levels.
    pub is_given_up: bool,
}

impl Lowerer<'_> {
    /// Whether a call with these arguments may be inlined inside calls of the same function. The arguments may still not decide
    /// where it ends: see [`Lowerer::inlined_to_its_end`].
    pub fn may_recur(
        &self,
        arguments: &std::collections::BTreeMap<String, Binding>,
        calls_itself: impl Fn(&Frame) -> bool,
    ) -> bool {
        let Some(last) = self.frames.iter().rev().find(|f| calls_itself(f)) else { return true };
        let known = |binding: Option<&Binding>| match binding {
            Some(Binding::Bound(value, _)) => self.known_part(value),
            _ => None,
        };
        let changes = |name: &String| {
            let (old, new) = (known(last.arguments.get(name)), known(arguments.get(name)));
            old.is_some() && new.is_some() && old != new
        };
        arguments.keys().any(changes)
    }

    /// Inlines a call of a function inside itself, and the calls in it, as long as what is known when compiling decides where they end. `None` if
    /// it does not: nothing is left of the attempt.
    pub fn inlined_to_its_end(&mut self, inline: impl FnOnce(&mut Self) -> Value) -> Option<Value> {
        if let Some(attempt) = &mut self.attempt {
            attempt.n_calls += 1;
            attempt.is_given_up |= attempt.n_calls > MAX_INLINED;
            return Some(if attempt.is_given_up { Value::Poison } else { inline(self) });
        }
        let (point, n_reports, n_element_writes) = (self.point(), self.reports.len(), self.n_element_writes);
        self.attempt = Some(Attempt { n_calls: 1, n_statements: MAX_STATEMENTS, is_given_up: false });
        let value = inline(self);
        let attempt = self.attempt.take();
        let is_given_up = attempt.as_ref().is_some_and(|attempt| attempt.is_given_up);
        self.count_statements(attempt.map_or(0, |attempt| MAX_STATEMENTS - attempt.n_statements));
        if is_given_up {
            self.rollback(point);
            self.reports.truncate(n_reports);
            self.n_element_writes = n_element_writes;
            self.diverged = false;
        }
        (!is_given_up).then_some(value)
    }

    /// What of an argument is known when compiling, as text: a constant, or the length of a tuple.
    fn known_part(&self, value: &Value) -> Option<String> {
        match value {
            Value::Tuple(items) | Value::List(items) | Value::Record(_, items) => {
                Some(format!("{} members", items.len()))
            }
            Value::Typed(_) => self.constant_of(value).map(|c| format!("{c:?}")),
            Value::None => Some("None".into()),
            Value::Str(text) => Some(format!("{text:?}")),
            _ => None,
        }
    }
}
