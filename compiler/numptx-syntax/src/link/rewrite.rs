//! The names of one file, as they are in the module that is made of all of them.
//!
//! In: a function or a constant. Out: the same, in which each name that is none of a function's own is that of what it stands for.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use numptx_source::{Report, Reports, Span, code};

use super::names::{Files, Symbol, Target, is_builtin};
use crate::ast::{Constant, Expr, ExprKind, Function, Record, Stmt, StmtKind, TypeSpec};
use crate::subset::import::is_known;

/// The names of one function, or of one comprehension.
#[derive(Default)]
struct Scope {
    names: BTreeSet<String>,
    /// Names that stand for modules of the user's.
    modules: BTreeMap<String, Target>,
}

/// Rewrites parts of one file.
pub(super) struct Rewriter<'a> {
    files: &'a Files<'a>,
    file: usize,
    wanted: &'a mut Vec<Symbol>,
    scopes: Vec<Scope>,
    reports: Reports,
}

impl<'a> Rewriter<'a> {
    pub fn new(files: &'a Files<'a>, file: usize, wanted: &'a mut Vec<Symbol>) -> Self {
        Rewriter { files, file, wanted, scopes: Vec::new(), reports: Reports::new() }
    }

    /// A function at module level.
    pub fn function(&mut self, function: &mut Function) {
        self.definition(function);
        function.refused.extend(std::mem::take(&mut self.reports));
    }

    /// A constant at module level.
    pub fn constant(&mut self, constant: &mut Constant) {
        self.expr(&mut constant.value);
    }

    /// A type: the records that it names.
    pub fn ty(&mut self, ty: &mut TypeSpec) {
        match ty {
            TypeSpec::Record(name) | TypeSpec::Records(name, _) => {
                if let Some(Target::Symbol(symbol)) = self.files.global(self.file, name) {
                    *name = self.files.qualified(&symbol);
                    self.wanted.push(symbol);
                }
            }
            TypeSpec::Tuple(members) => members.iter_mut().for_each(|member| self.ty(member)),
            TypeSpec::List(member) | TypeSpec::Set(member) => self.ty(member),
            TypeSpec::Dictionary(key, value) => [key, value].into_iter().for_each(|member| self.ty(member)),
            TypeSpec::Scalar(_)
            | TypeSpec::Array(_)
            | TypeSpec::Str
            | TypeSpec::None
            | TypeSpec::Generator
            | TypeSpec::RandomState => {}
        }
    }

    fn definition(&mut self, function: &mut Function) {
        for parameter in &mut function.parameters {
            parameter.default.iter_mut().for_each(|d| self.expr(d));
        }
        let mut scope = Scope::default();
        function.body.iter().for_each(|s| s.assigned_names(&mut scope.names));
        scope.names.extend(function.parameters.iter().map(|p| p.name.clone()));
        self.scopes.push(scope);
        self.local_modules(&function.body);
        self.block(&mut function.body);
        self.scopes.pop();
    }

    /// Finds the names that imports in a function bind to modules of the user's.
    fn local_modules(&mut self, body: &[Stmt]) {
        let mut bound: Vec<(String, Option<Target>, Span)> = Vec::new();
        bindings(body, &mut |name, value, span| {
            let target = match value.map(|v| &v.kind) {
                Some(ExprKind::Imported(path)) if !is_known_path(path) => Some(self.files.local(self.file, path, span)),
                _ => None,
            };
            bound.push((name.to_owned(), target, span));
        });
        for (name, target, span) in &bound {
            let Some(Target::Module { path, .. }) = target else { continue };
            let is_alone =
                bound.iter().all(|(other, also, _)| other != name || is_same(also.as_ref(), target.as_ref()));
            if is_alone {
                let scope = self.scopes.last_mut().expect("a function has a scope");
                scope.modules.extend(target.clone().map(|target| (name.clone(), target)));
            } else {
                let message = format!("`{name}` is the file `{path}` here, and something else in the same function");
                let report = Report::error(code::UNSUPPORTED_IMPORT, *span, message).label("imported here");
                self.reports.push(report.help(format!("give it a name of its own: `import {path} as other`")));
            }
        }
    }

    fn block(&mut self, block: &mut [Stmt]) {
        block.iter_mut().for_each(|s| self.statement(s));
    }

    fn statement(&mut self, statement: &mut Stmt) {
        match &mut statement.kind {
            StmtKind::Assign { targets, value } => {
                if let ExprKind::Imported(path) = &value.kind
                    && !is_known_path(path)
                {
                    match self.files.local(self.file, path, value.span) {
                        Target::Symbol(symbol) => value.kind = self.symbol(symbol),
                        Target::Module { .. } => statement.kind = StmtKind::Pass,
                    }
                    return;
                }
                self.expr(value);
                targets.iter_mut().for_each(|t| self.target(t));
            }
            StmtKind::AugAssign { target, value: other, .. } | StmtKind::For { target, iterable: other, .. } => {
                self.target(target);
                self.expr(other);
            }
            StmtKind::Function(function) => self.definition(Arc::make_mut(function)),
            StmtKind::Delete(_) => {}
            _ => statement.expressions_mut().into_iter().for_each(|e| self.expr(e)),
        }
        statement.kind.blocks_mut().into_iter().for_each(|block| self.block(block));
    }

    fn target(&mut self, target: &mut Expr) {
        let is_of_file = matches!(target.kind, ExprKind::Attribute { .. }) && self.chain(target).is_some();
        match &mut target.kind {
            ExprKind::Tuple(items) | ExprKind::List(items) => items.iter_mut().for_each(|t| self.target(t)),
            ExprKind::Starred(inner) => self.target(inner),
            _ if is_of_file => {
                let message = "an assignment to a name of another file is outside the Python that numptx compiles";
                let report = Report::error(code::UNSUPPORTED_STATEMENT, target.span, message).label("not compiled");
                self.reports.push(report.help("return the value, or pass an array and write into it"));
            }
            _ => self.expr(target),
        }
    }

    fn expr(&mut self, expr: &mut Expr) {
        if let Some(target) = self.chain(expr) {
            expr.kind = match target {
                Target::Symbol(symbol) => self.symbol(symbol),
                Target::Module { file, path, span } => {
                    let symbol = self.files.module_as_value(file, &path, span);
                    self.symbol(symbol)
                }
            };
            return;
        }
        match &mut expr.kind {
            ExprKind::Lambda(function) => self.definition(Arc::make_mut(function)),
            ExprKind::Comprehension(comprehension) => {
                let mut scope = Scope::default();
                comprehension.clauses.iter().for_each(|c| c.target.target_names(&mut scope.names));
                // The first range is evaluated outside.
                if let Some(first) = comprehension.clauses.first_mut() {
                    self.expr(&mut first.iterable);
                }
                self.scopes.push(scope);
                for (n, clause) in comprehension.clauses.iter_mut().enumerate() {
                    if n > 0 {
                        self.expr(&mut clause.iterable);
                    }
                    clause.conditions.iter_mut().for_each(|c| self.expr(c));
                }
                self.expr(&mut comprehension.element);
                self.scopes.pop();
            }
            ExprKind::Record(record) => self.record(Arc::make_mut(record)),
            _ => expr.children_mut().into_iter().for_each(|e| self.expr(e)),
        }
    }

    /// A class of records.
    fn record(&mut self, record: &mut Record) {
        for field in &mut record.fields {
            field.types.iter_mut().for_each(|ty| self.ty(ty));
            field.default.iter_mut().for_each(|default| self.expr(default));
        }
        record.methods.iter_mut().for_each(|method| self.definition(Arc::make_mut(&mut method.function)));
    }

    /// The name of a symbol, which is wanted.
    fn symbol(&mut self, symbol: Symbol) -> ExprKind {
        let name = self.files.qualified(&symbol);
        self.wanted.push(symbol);
        ExprKind::Name(name)
    }

    /// What a name, or an attribute of a module, stands for, where it is none of a function's own.
    fn chain(&self, expr: &Expr) -> Option<Target> {
        match &expr.kind {
            ExprKind::Name(name) => {
                for scope in self.scopes.iter().rev() {
                    if let Some(target) = scope.modules.get(name) {
                        return Some(target.clone());
                    }
                    if scope.names.contains(name) {
                        return None;
                    }
                }
                match self.files.global(self.file, name) {
                    // The first file's names stay.
                    Some(Target::Symbol(symbol)) if symbol.file == 0 && self.file == 0 => None,
                    None if self.file > 0 && !is_builtin(name) => {
                        Some(Target::Symbol(Symbol { file: self.file, name: name.clone() }))
                    }
                    target => target,
                }
            }
            ExprKind::Attribute { value, name, .. } => match self.chain(value)? {
                Target::Module { file, path, span } => Some(self.files.step(file, &path, name, span)),
                Target::Symbol(_) => None,
            },
            _ => None,
        }
    }
}

fn is_known_path(path: &str) -> bool {
    is_known(path) || path.rsplit_once('.').is_some_and(|(module, _)| is_known(module))
}

fn is_same(a: Option<&Target>, b: Option<&Target>) -> bool {
    match (a, b) {
        (Some(Target::Module { path: a, .. }), Some(Target::Module { path: b, .. })) => a == b,
        _ => false,
    }
}

/// Calls `see` with each name that statements bind, and with its value where it is an assignment of one name.
fn bindings(body: &[Stmt], see: &mut dyn FnMut(&str, Option<&Expr>, Span)) {
    for statement in body {
        if let StmtKind::Assign { targets, value } = &statement.kind
            && let [Expr { kind: ExprKind::Name(name), .. }] = targets.as_slice()
        {
            see(name, Some(value), statement.span);
            continue;
        }
        match &statement.kind {
            StmtKind::If { body, orelse, .. } | StmtKind::While { body, orelse, .. } => {
                bindings(body, see);
                bindings(orelse, see);
            }
            StmtKind::For { target, body, orelse, .. } => {
                let mut names = BTreeSet::new();
                target.target_names(&mut names);
                names.iter().for_each(|name| see(name, None, statement.span));
                bindings(body, see);
                bindings(orelse, see);
            }
            _ => {
                let mut names = BTreeSet::new();
                statement.assigned_names(&mut names);
                names.iter().for_each(|name| see(name, None, statement.span));
            }
        }
    }
}
