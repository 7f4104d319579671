//! Strings as parameters: each string literal that the function could compare one with selects an overload of its own; any other
//! string selects the last one.

use std::collections::BTreeSet;

use numptx_syntax::ast::{ExportParameter, Expr, ExprKind, Module, Stmt, StmtKind, TypeSpec};

use crate::library::function_at;
use crate::syntax::liveness::Names;
use crate::syntax::reach::{constants_of, functions_of};

/// Overloads into which the strings of one export may expand.
pub(crate) const MAX_CHOICES: usize = 64;

/// A string parameter's value in an overload; `None`: none of the literals. One entry a string parameter.
pub(crate) type Choice = Vec<Option<String>>;

/// Every combination of values of the string parameters of an export; one empty combination if it has none, `None` if there are too many.
pub(crate) fn choices(module: &Module, function: usize, parameters: &[ExportParameter]) -> Option<Vec<Choice>> {
    let n = parameters.iter().filter(|p| p.ty == TypeSpec::Str).count();
    if n == 0 {
        return Some(vec![Vec::new()]);
    }
    let mut literals = BTreeSet::new();
    for position in functions_of(module, function) {
        function_at(module, position).body.iter().for_each(|s| in_statement(s, &mut literals));
    }
    constants_of(module, function, Names::new()).iter().for_each(|c| in_expression(&c.value, &mut literals));
    let values: Vec<Option<String>> = literals.into_iter().map(Some).chain([None]).collect();
    let mut all: Vec<Choice> = vec![Vec::new()];
    for _ in 0..n {
        if all.len() * values.len() > MAX_CHOICES {
            return None;
        }
        all =
            all.iter().flat_map(|c| values.iter().map(|v| [c.as_slice(), std::slice::from_ref(v)].concat())).collect();
    }
    Some(all)
}

fn in_statement(stmt: &Stmt, literals: &mut BTreeSet<String>) {
    let mut all = |expressions: &[&Expr], blocks: [&[Stmt]; 2]| {
        expressions.iter().for_each(|e| in_expression(e, literals));
        blocks.into_iter().flatten().for_each(|s| in_statement(s, literals));
    };
    match &stmt.kind {
        StmtKind::Assign { value, .. } | StmtKind::AugAssign { value, .. } => all(&[value], [&[], &[]]),
        StmtKind::If { test, body, orelse } | StmtKind::While { test, body, orelse } => all(&[test], [body, orelse]),
        StmtKind::For { iterable, body, orelse, .. } => all(&[iterable], [body, orelse]),
        // A string that is a whole statement is a comment.
        StmtKind::Expr(Expr { kind: ExprKind::Str(_), .. }) => {}
        StmtKind::Return(Some(value)) | StmtKind::Yield(value) | StmtKind::Expr(value) => all(&[value], [&[], &[]]),
        StmtKind::Function(function) => all(&[], [&function.body, &[]]),
        // Messages are for people.
        StmtKind::Assert { test, .. } => all(&[test], [&[], &[]]),
        StmtKind::Try { .. } => stmt.kind.blocks().into_iter().flatten().for_each(|s| in_statement(s, literals)),
        StmtKind::Return(None)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Raise { .. }
        | StmtKind::Reraise
        | StmtKind::Pass => {}
        StmtKind::Delete(_) => {}
    }
}

fn in_expression(expr: &Expr, literals: &mut BTreeSet<String>) {
    match &expr.kind {
        ExprKind::Str(text) => drop(literals.insert(text.clone())),
        ExprKind::Lambda(function) => function.body.iter().for_each(|s| in_statement(s, literals)),
        _ => {}
    }
    expr.children().into_iter().for_each(|e| in_expression(e, literals));
}
