//! A function that gives what it gives itself, `return f(…)`, as a loop: arguments become parameters, and the body starts anew.

use std::collections::BTreeSet;

use numptx_syntax::ast::{Expr, ExprKind, Function, ParameterKind, Stmt, StmtKind};

use crate::syntax::flow::{always_leaves, assigned_names};
use crate::syntax::liveness::{names_of, read, read_statement};

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
