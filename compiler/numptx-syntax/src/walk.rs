//! Walks over the tree: the expressions directly inside one another, and the names that are bound.

use std::collections::BTreeSet;
use std::sync::Arc;

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
            ExprKind::Formatted(parts) => parts.iter().flat_map(FormattedPart::values).collect(),
            ExprKind::Record(record) => {
                let parameters = record.methods.iter().flat_map(|method| &method.function.parameters);
                let defaults = record.fields.iter().filter_map(|field| field.default.as_ref());
                defaults.chain(parameters.filter_map(Parameter::default)).collect()
            }
        }
    }

    /// The same, to be changed.
    pub fn children_mut(&mut self) -> Vec<&mut Expr> {
        match &mut self.kind {
            ExprKind::Name(_)
            | ExprKind::Refused
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Imaginary(_)
            | ExprKind::Bool(_)
            | ExprKind::None
            | ExprKind::Str(_)
            | ExprKind::Imported(_)
            | ExprKind::Record(_)
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
            | ExprKind::List(all) => all.iter_mut().collect(),
            ExprKind::Dictionary(pairs) => pairs.iter_mut().flat_map(|(key, value)| [key, value]).collect(),
            ExprKind::Conditional { test, body, orelse } => vec![test, body, orelse],
            ExprKind::Call { function, arguments, keywords } => {
                let rest = arguments.iter_mut().chain(keywords.iter_mut().map(|k| &mut k.value));
                std::iter::once(&mut **function).chain(rest).collect()
            }
            ExprKind::Subscript { value, indices } => {
                std::iter::once(&mut **value).chain(indices.iter_mut().flat_map(Index::children_mut)).collect()
            }
            ExprKind::Lambda(function) => {
                Arc::make_mut(function).parameters.iter_mut().filter_map(|p| p.default.as_mut()).collect()
            }
            ExprKind::Comprehension(comprehension) => {
                let comprehension = &mut **comprehension;
                let clauses = comprehension.clauses.iter_mut();
                let clauses =
                    clauses.flat_map(|c| [&mut c.target, &mut c.iterable].into_iter().chain(&mut c.conditions));
                clauses.chain([&mut comprehension.element]).collect()
            }
            ExprKind::Formatted(parts) => parts.iter_mut().flat_map(FormattedPart::values_mut).collect(),
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
    /// The expressions of this statement alone, to be changed; of a function in it those of its defaults.
    pub fn expressions_mut(&mut self) -> Vec<&mut Expr> {
        match &mut self.kind {
            StmtKind::Assign { targets, value } => std::iter::once(value).chain(targets).collect(),
            StmtKind::AugAssign { target, value, .. } => vec![target, value],
            StmtKind::If { test, .. } | StmtKind::While { test, .. } => vec![test],
            StmtKind::For { target, iterable, .. } => vec![iterable, target],
            StmtKind::Return(value) => value.iter_mut().collect(),
            StmtKind::Yield(value) | StmtKind::Expr(value) => vec![value],
            StmtKind::Assert { test, message } => std::iter::once(test).chain(message).collect(),
            StmtKind::Raise { message, .. } => message.iter_mut().collect(),
            StmtKind::Function(function) => {
                Arc::make_mut(function).parameters.iter_mut().filter_map(|p| p.default.as_mut()).collect()
            }
            StmtKind::Delete(names) => names.iter_mut().collect(),
            StmtKind::Break | StmtKind::Continue | StmtKind::Reraise | StmtKind::Try { .. } | StmtKind::Pass => {
                Vec::new()
            }
        }
    }

    /// The expressions of this statement alone; of a function in it those of its defaults.
    pub fn expressions(&self) -> Vec<&Expr> {
        match &self.kind {
            StmtKind::Assign { targets, value } => std::iter::once(value).chain(targets).collect(),
            StmtKind::AugAssign { target, value, .. } => vec![target, value],
            StmtKind::If { test, .. } | StmtKind::While { test, .. } => vec![test],
            StmtKind::For { target, iterable, .. } => vec![target, iterable],
            StmtKind::Return(value) => value.iter().collect(),
            StmtKind::Yield(value) | StmtKind::Expr(value) => vec![value],
            StmtKind::Assert { test, message } => std::iter::once(test).chain(message).collect(),
            StmtKind::Raise { message, .. } => message.iter().collect(),
            StmtKind::Function(function) => function.parameters.iter().filter_map(Parameter::default).collect(),
            StmtKind::Delete(names) => names.iter().collect(),
            StmtKind::Break | StmtKind::Continue | StmtKind::Reraise | StmtKind::Try { .. } | StmtKind::Pass => {
                Vec::new()
            }
        }
    }

    /// Adds the names that this binds, its nested blocks included.
    pub fn assigned_names(&self, names: &mut BTreeSet<String>) {
        match &self.kind {
            StmtKind::Assign { targets, .. } | StmtKind::Delete(targets) => {
                targets.iter().for_each(|t| t.target_names(names));
            }
            StmtKind::AugAssign { target, .. } | StmtKind::For { target, .. } => target.target_names(names),
            StmtKind::Function(function) => drop(names.insert(function.name.clone())),
            StmtKind::Try { handlers, .. } => names.extend(handlers.iter().filter_map(|h| h.name.clone())),
            _ => {}
        }
        self.expressions().into_iter().for_each(|e| e.bound_names(names));
        self.kind.blocks().into_iter().flatten().for_each(|s| s.assigned_names(names));
    }
}

impl Index {
    fn children_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Index::Expr(expr) => vec![expr],
            Index::Slice { lower, upper, step, .. } => [lower, upper, step].into_iter().flatten().collect(),
            Index::NewAxis(_) | Index::Ellipsis(_) => Vec::new(),
        }
    }

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

    /// What is formatted, and what stands in its specification.
    pub fn values(&self) -> Vec<&Expr> {
        match self {
            FormattedPart::Text(_) => Vec::new(),
            FormattedPart::Value { value, nested, .. } => {
                std::iter::once(value).chain(nested.iter().flat_map(FormattedPart::values)).collect()
            }
        }
    }

    /// The same, to be changed.
    fn values_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            FormattedPart::Text(_) => Vec::new(),
            FormattedPart::Value { value, nested, .. } => {
                std::iter::once(value).chain(nested.iter_mut().flat_map(FormattedPart::values_mut)).collect()
            }
        }
    }
}
