//! Statements as text, four spaces a level.

use super::expression::print;
use crate::ast::{Expr, ExprKind, Handler, Stmt, StmtKind};

/// Writes a block; an empty one is `pass`.
pub(super) fn block(statements: &[Stmt], level: usize, out: &mut String) {
    if statements.is_empty() {
        line(level, "pass", out);
    }
    for statement in statements {
        one(statement, level, out);
    }
}

fn line(level: usize, text: &str, out: &mut String) {
    *out += &"    ".repeat(level);
    *out += text;
    *out += "\n";
}

fn one(statement: &Stmt, level: usize, out: &mut String) {
    match &statement.kind {
        StmtKind::If { test, body, orelse } => compound(&format!("if {}:", print(test)), body, orelse, level, out),
        StmtKind::For { target, iterable, body, orelse } => {
            let header = format!("for {} in {}:", print(target), print(iterable));
            compound(&header, body, orelse, level, out);
        }
        StmtKind::While { test, body, orelse } => {
            compound(&format!("while {}:", print(test)), body, orelse, level, out)
        }
        StmtKind::Try { body, handlers, orelse, finally } => {
            line(level, "try:", out);
            block(body, level + 1, out);
            for handler in handlers {
                line(level, &header_of(handler), out);
                block(&handler.body, level + 1, out);
            }
            for (word, statements) in [("else:", orelse), ("finally:", finally)] {
                if !statements.is_empty() {
                    line(level, word, out);
                    block(statements, level + 1, out);
                }
            }
        }
        StmtKind::Function(function) => super::function_at(function, level, out),
        simple => line(level, &simple_statement(simple), out),
    }
}

fn compound(header: &str, body: &[Stmt], orelse: &[Stmt], level: usize, out: &mut String) {
    line(level, header, out);
    block(body, level + 1, out);
    if !orelse.is_empty() {
        line(level, "else:", out);
        block(orelse, level + 1, out);
    }
}

fn header_of(handler: &Handler) -> String {
    let exceptions = match handler.exceptions.as_slice() {
        [] => String::new(),
        [one] => format!(" {one}"),
        several => format!(" ({})", several.join(", ")),
    };
    let name = handler.name.as_ref().map_or(String::new(), |name| format!(" as {name}"));
    format!("except{exceptions}{name}:")
}

fn simple_statement(statement: &StmtKind) -> String {
    match statement {
        StmtKind::Assign { targets, value } => assign(targets, value),
        StmtKind::AugAssign { target, op, value } => {
            format!("{} {}= {}", print(target), op.symbol(), print(value))
        }
        StmtKind::Return(Some(value)) => format!("return {}", print(value)),
        StmtKind::Return(None) => "return".to_owned(),
        StmtKind::Assert { test, message: Some(message) } => format!("assert {}, {}", print(test), print(message)),
        StmtKind::Assert { test, message: None } => format!("assert {}", print(test)),
        StmtKind::Raise { exception, message } => {
            format!("raise {exception}({})", message.as_ref().map_or(String::new(), print))
        }
        StmtKind::Delete(names) => format!("del {}", names.iter().map(print).collect::<Vec<_>>().join(", ")),
        StmtKind::Yield(value) => format!("yield {}", print(value)),
        StmtKind::Expr(expr) => print(expr),
        StmtKind::Break => "break".to_owned(),
        StmtKind::Continue => "continue".to_owned(),
        StmtKind::Reraise => "raise".to_owned(),
        StmtKind::If { .. }
        | StmtKind::For { .. }
        | StmtKind::While { .. }
        | StmtKind::Try { .. }
        | StmtKind::Function(_)
        | StmtKind::Pass => "pass".to_owned(),
    }
}

fn assign(targets: &[Expr], value: &Expr) -> String {
    if let (ExprKind::Imported(path), [target]) = (&value.kind, targets) {
        return super::import_of(path, &print(target));
    }
    let targets: Vec<String> = targets.iter().map(print).collect();
    format!("{} = {}", targets.join(" = "), print(value))
}
