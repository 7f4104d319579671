//! Expressions as text, with a pair of brackets around every operation.

use crate::ast::{
    Collects, CompareOp, Comprehension, Expr, ExprKind, FormattedPart, Function, Index, LogicalOp, StmtKind,
};

/// The text of an expression.
pub(super) fn print(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Name(name) => super::written(name),
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Refused => "None".to_string(),
        ExprKind::Float(value) => float(*value),
        ExprKind::Imaginary(value) => format!("{}j", float(*value)),
        ExprKind::Bool(true) => "True".to_owned(),
        ExprKind::Bool(false) => "False".to_owned(),
        ExprKind::None => "None".to_owned(),
        ExprKind::Str(text) => string(text),
        ExprKind::Ellipsis => "...".to_owned(),
        ExprKind::Imported(path) => path.clone(),
        ExprKind::Binary { op, left, right } => format!("({} {} {})", print(left), op.symbol(), print(right)),
        ExprKind::Unary { op, operand } => format!("({}{})", op.symbol(), print(operand)),
        ExprKind::Logical { op, operands } => {
            let word = if *op == LogicalOp::And { " and " } else { " or " };
            format!("({})", list(operands).join(word))
        }
        ExprKind::Compare { operands, ops } => compare(operands, ops),
        ExprKind::Conditional { test, body, orelse } => {
            format!("({} if {} else {})", print(body), print(test), print(orelse))
        }
        ExprKind::Call { function, arguments, keywords } => {
            let mut all = list(arguments);
            all.extend(keywords.iter().map(|k| format!("{}={}", k.name, print(&k.value))));
            format!("{}({})", owner(function), all.join(", "))
        }
        ExprKind::Attribute { value, name, .. } => format!("{}.{name}", owner(value)),
        ExprKind::Subscript { value, indices } => {
            let indices: Vec<String> = indices.iter().map(index).collect();
            format!("{}[{}]", owner(value), indices.join(", "))
        }
        ExprKind::Tuple(items) if items.len() == 1 => format!("({},)", print(&items[0])),
        ExprKind::Tuple(items) => format!("({})", list(items).join(", ")),
        ExprKind::List(items) => format!("[{}]", list(items).join(", ")),
        ExprKind::Set(items) => format!("{{{}}}", list(items).join(", ")),
        ExprKind::Dictionary(pairs) => {
            let pairs: Vec<String> = pairs.iter().map(|(k, v)| format!("{}: {}", print(k), print(v))).collect();
            format!("{{{}}}", pairs.join(", "))
        }
        ExprKind::Starred(value) => format!("*{}", print(value)),
        ExprKind::Binding { name, value, .. } => format!("({name} := {})", print(value)),
        ExprKind::Lambda(function) => lambda(function),
        ExprKind::Comprehension(comprehension) => print_comprehension(comprehension),
        ExprKind::Formatted(parts) => formatted(parts),
        ExprKind::Record(record) => super::record::print(record),
    }
}

fn lambda(function: &Function) -> String {
    let value = match function.body.first().map(|s| &s.kind) {
        Some(StmtKind::Return(Some(value))) => print(value),
        _ => "None".to_owned(),
    };
    let parameters = super::parameters(function);
    let space = if parameters.is_empty() { "" } else { " " };
    format!("(lambda{space}{parameters}: {value})")
}

fn print_comprehension(comprehension: &Comprehension) -> String {
    let mut out = match (&comprehension.element.kind, comprehension.collects) {
        (ExprKind::Tuple(pair), Collects::Dictionary) if pair.len() == 2 => {
            format!("{}: {}", print(&pair[0]), print(&pair[1]))
        }
        _ => print(&comprehension.element),
    };
    for clause in &comprehension.clauses {
        out += &format!(" for {} in {}", print(&clause.target), print(&clause.iterable));
        clause.conditions.iter().for_each(|c| out += &format!(" if {}", print(c)));
    }
    match comprehension.collects {
        _ if comprehension.is_generator => format!("({out})"),
        Collects::List => format!("[{out}]"),
        Collects::Set | Collects::Dictionary => format!("{{{out}}}"),
    }
}

fn formatted(parts: &[FormattedPart]) -> String {
    format!("f{}", string(&formatted_body(parts)))
}

fn formatted_body(parts: &[FormattedPart]) -> String {
    let mut body = String::new();
    for part in parts {
        match part {
            FormattedPart::Text(text) => body += &text.replace('{', "{{").replace('}', "}}"),
            FormattedPart::Value { value, repr, specification, nested } => {
                let repr = if *repr { "!r" } else { "" };
                let specification = if nested.is_empty() { specification } else { &formatted_body(nested) };
                let colon = if specification.is_empty() { "" } else { ":" };
                body += &format!("{{{}{repr}{colon}{specification}}}", print(value).replace('"', "'"));
            }
        }
    }
    body
}

/// A string literal.
pub(super) fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out += "\\\"",
            '\\' => out += "\\\\",
            '\n' => out += "\\n",
            '\t' => out += "\\t",
            '\r' => out += "\\r",
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                out += &format!("\\U{:08x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out + "\""
}

fn compare(operands: &[Expr], ops: &[CompareOp]) -> String {
    let mut out = String::from("(");
    for (i, operand) in operands.iter().enumerate() {
        if let Some(op) = i.checked_sub(1).and_then(|i| ops.get(i)) {
            out += &format!(" {} ", op.symbol());
        }
        out += &print(operand);
    }
    out + ")"
}

/// What stands before `.`, `[` or `(`: a number would swallow the dot.
fn owner(expr: &Expr) -> String {
    match expr.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Imaginary(_) => format!("({})", print(expr)),
        _ => print(expr),
    }
}

fn index(index: &Index) -> String {
    let bound = |e: &Option<Expr>| e.as_ref().map_or(String::new(), print);
    match index {
        Index::Expr(expr) => print(expr),
        Index::Slice { lower, upper, step: None, .. } => format!("{}:{}", bound(lower), bound(upper)),
        Index::Slice { lower, upper, step, .. } => format!("{}:{}:{}", bound(lower), bound(upper), bound(step)),
        Index::NewAxis(_) => "None".to_owned(),
        Index::Ellipsis(_) => "...".to_owned(),
    }
}

fn list(exprs: &[Expr]) -> Vec<String> {
    exprs.iter().map(print).collect()
}

/// The shortest text that reads back as the same number.
fn float(value: f64) -> String {
    if value.is_infinite() { "1e999".to_owned() } else { format!("{value:?}") }
}
