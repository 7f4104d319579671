//! Walks over the tree: the expressions directly inside one another, and the names that are bound.

use std::collections::BTreeSet;

use crate::ast::{Expr, ExprKind, FormattedPart, Index, Parameter, Stmt, StmtKind};

impl Expr {
    /// The expressions directly inside this one. Of a `lambda` these are its defaults, for its body is evaluated when it is called.
    pub fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Name(_)
            | ExprKind::Refused
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Imaginary(_)
            | ExprKind::Bool(_)
            | ExprKind::None
            | ExprKind::Str(_)
            | ExprKind::Imported(_)
            | ExprKind::Ellipsis => Vec::new(),
            ExprKind::Binary { left, right, .. } => vec![left, right],
            ExprKind::Unary { operand: inner, .. }
            | ExprKind::Attribute { value: inner, .. }
            | ExprKind::Starred(inner)
            | ExprKind::Binding { value: inner, .. } => vec![inner],
            ExprKind::Logical { operands: all, .. }
            | ExprKind::Compare { operands: all, .. }
            | ExprKind::Tuple(all)
            | ExprKind::Set(all)
            | ExprKind::List(all) => all.iter().collect(),
            ExprKind::Dictionary(pairs) => pairs.iter().flat_map(|(key, value)| [key, value]).collect(),
            ExprKind::Conditional { test, body, orelse } => vec![test, body, orelse],
            ExprKind::Call { function, arguments, keywords } => {
                let rest = arguments.iter().chain(keywords.iter().map(|k| &k.value));
                std::iter::once(&**function).chain(rest).collect()
            }
            ExprKind::Subscript { value, indices } => {
                std::iter::once(&**value).chain(indices.iter().flat_map(Index::children)).collect()
            }
            ExprKind::Lambda(function) => function.parameters.iter().filter_map(Parameter::default).collect(),
            ExprKind::Comprehension(comprehension) => {
                let clauses = comprehension.clauses.iter();
                let clauses = clauses.flat_map(|c| [&c.target, &c.iterable].into_iter().chain(&c.conditions));
                clauses.chain([&comprehension.element]).collect()
            }
            ExprKind::Formatted(parts) => parts.iter().filter_map(FormattedPart::value).collect(),
            ExprKind::Record(record) => {
                let parameters = record.methods.iter().flat_map(|method| &method.function.parameters);
                let defaults = record.fields.iter().filter_map(|field| field.default.as_ref());
                defaults.chain(parameters.filter_map(Parameter::default)).collect()
            }
        }
    }

    /// Adds the names that evaluating this expression binds with `:=`.
    pub fn bound_names(&self, names: &mut BTreeSet<String>) {
        if let ExprKind::Binding { name, .. } = &self.kind {
            names.insert(name.clone());
        }
        self.children().into_iter().for_each(|e| e.bound_names(names));
    }

    /// Adds the names that this binds as the target of an assignment.
    pub fn target_names(&self, names: &mut BTreeSet<String>) {
        match &self.kind {
            ExprKind::Name(name) => drop(names.insert(name.clone())),
            ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().for_each(|t| t.target_names(names)),
            ExprKind::Starred(target) => target.target_names(names),
            _ => {}
        }
    }
}

impl Stmt {
    /// Adds the names that this binds, its nested blocks included.
    pub fn assigned_names(&self, names: &mut BTreeSet<String>) {
        match &self.kind {
            StmtKind::Assign { targets, value } => {
                targets.iter().for_each(|t| t.target_names(names));
                targets.iter().chain([value]).for_each(|e| e.bound_names(names));
            }
            StmtKind::AugAssign { target, value, .. } => {
                target.target_names(names);
                [target, value].into_iter().for_each(|e| e.bound_names(names));
            }
            StmtKind::If { test, body, orelse } | StmtKind::While { test, body, orelse } => {
                test.bound_names(names);
                body.iter().chain(orelse).for_each(|s| s.assigned_names(names));
            }
            StmtKind::For { target, iterable, body, orelse } => {
                target.target_names(names);
                iterable.bound_names(names);
                body.iter().chain(orelse).for_each(|s| s.assigned_names(names));
            }
            StmtKind::Function(function) => {
                names.insert(function.name.clone());
                function.parameters.iter().filter_map(Parameter::default).for_each(|d| d.bound_names(names));
            }
            StmtKind::Return(Some(value)) | StmtKind::Expr(value) => value.bound_names(names),
            StmtKind::Assert { test, message } => {
                [Some(test), message.as_ref()].into_iter().flatten().for_each(|e| e.bound_names(names));
            }
            StmtKind::Raise { message, .. } => message.iter().for_each(|m| m.bound_names(names)),
            StmtKind::Delete(deleted) => deleted.iter().for_each(|name| name.target_names(names)),
            StmtKind::Try { handlers, .. } => {
                names.extend(handlers.iter().filter_map(|handler| handler.name.clone()));
                self.kind.blocks().into_iter().flatten().for_each(|s| s.assigned_names(names));
            }
            StmtKind::Return(None) | StmtKind::Break | StmtKind::Continue | StmtKind::Reraise | StmtKind::Pass => {}
        }
    }
}

impl Index {
    /// The expressions of this index.
    pub fn children(&self) -> Vec<&Expr> {
        match self {
            Index::Expr(expr) => vec![expr],
            Index::Slice { lower, upper, step, .. } => [lower, upper, step].into_iter().flatten().collect(),
            Index::NewAxis(_) | Index::Ellipsis(_) => Vec::new(),
        }
    }
}

impl Parameter {
    /// Its default.
    pub fn default(&self) -> Option<&Expr> {
        self.default.as_ref()
    }
}

impl FormattedPart {
    /// What is formatted, unless this is text.
    pub fn value(&self) -> Option<&Expr> {
        match self {
            FormattedPart::Text(_) => None,
            FormattedPart::Value { value, .. } => Some(value),
        }
    }
}
