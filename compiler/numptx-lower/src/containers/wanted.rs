//! Which displays, comprehensions and calls make lists of run time: those that the program changes under some name, or that it could not have
//! otherwise. Lists that nobody changes have a static length, or are arrays.
//!
//! A change is met where it stands, `ys.append(v)`. From there the way leads back to what `ys` is bound to: assignments of the function, and where
//! it is a parameter, the argument. What is found is wanted, and the next attempt at the overload makes lists of run time there.

use std::collections::BTreeSet;
use std::sync::Arc;

use numptx_source::Span;
use numptx_syntax::ast::{BinaryOp, Expr, ExprKind, Function, Stmt, StmtKind};

use crate::library::function_at;
use crate::lowerer::Lowerer;
use crate::syntax::flow::target_names;
use crate::syntax::generators::expanded;
use crate::syntax::liveness::read_statement;
use crate::values::closure::Enclosing;
use crate::values::scope::{Binding, Callee};

/// A function, as the call with this path runs it, and the number of its frame where it still runs.
#[derive(Clone)]
struct Place {
    path: Vec<Span>,
    function: Arc<Function>,
    frame: Option<usize>,
}

/// What was followed.
#[derive(Default)]
struct Trail {
    names: BTreeSet<(Vec<Span>, String)>,
    n_found: usize,
}

impl Lowerer<'_> {
    /// Wants lists of run time for all that an expression of the present call may be. False where there is nothing that could be one and is none yet.
    pub fn want_list(&mut self, expr: &Expr) -> bool {
        let Some(place) = self.place_of(self.calls.frames.len().wrapping_sub(1)) else { return false };
        let mut trail = Trail::default();
        self.follow(&place, expr, &mut trail);
        trail.n_found > 0
    }

    /// The same of the expression of a span.
    pub fn want_list_at(&mut self, span: Span) -> bool {
        let Some(place) = self.place_of(self.calls.frames.len().wrapping_sub(1)) else { return false };
        let mut found = None;
        place.function.body.iter().for_each(|stmt| find_in(stmt, span, &mut found));
        found.is_some_and(|expr| self.want_list(&expr))
    }

    /// The same of a name.
    pub fn want_list_named(&mut self, name: &str) -> bool {
        self.want_list(&Expr { kind: ExprKind::Name(name.into()), span: Span::default() })
    }

    /// The same of what the present call returns.
    pub fn want_list_returned(&mut self) -> bool {
        let Some(place) = self.place_of(self.calls.frames.len().wrapping_sub(1)) else { return false };
        let mut trail = Trail::default();
        self.follow_returns(&place, &mut trail);
        trail.n_found > 0
    }

    /// The call of a frame; for a comprehension's, of the function that it stands in.
    fn place_of(&self, number: usize) -> Option<Place> {
        let frame = self.calls.frames.get(number)?;
        let path = self.calls.path[..frame.path_length.min(self.calls.path.len())].to_vec();
        let function = match &frame.callee {
            Callee::Module(position) => Arc::new(function_at(self.module, *position).clone()),
            Callee::Local(function) => function.clone(),
            Callee::Comprehension => return self.place_of(number.checked_sub(1)?),
        };
        let function = expanded(self.module, &function).map_or(function, Arc::new);
        Some(Place { path, function, frame: Some(number) })
    }

    fn follow(&mut self, place: &Place, expr: &Expr, trail: &mut Trail) {
        match &expr.kind {
            ExprKind::List(items) => {
                self.found(place, expr.span, trail);
                items.iter().for_each(|item| self.follow_inside(place, item, trail));
            }
            ExprKind::Comprehension(comprehension) if !comprehension.is_generator => {
                self.found(place, expr.span, trail);
                self.follow_inside(place, &comprehension.element, trail);
            }
            ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Mul, left, right } => {
                self.follow(place, left, trail);
                self.follow(place, right, trail);
            }
            ExprKind::Conditional { body, orelse, .. } => {
                self.follow(place, body, trail);
                self.follow(place, orelse, trail);
            }
            ExprKind::Starred(value) | ExprKind::Subscript { value, .. } | ExprKind::Binding { value, .. } => {
                self.follow(place, value, trail)
            }
            ExprKind::Tuple(items) => items.iter().for_each(|item| self.follow_inside(place, item, trail)),
            ExprKind::Name(name) => self.follow_name(place, name, trail),
            ExprKind::Call { function, .. } => self.follow_call(place, function, expr.span, trail),
            _ => {}
        }
    }

    /// A member: lists in it are followed, numbers are not.
    fn follow_inside(&mut self, place: &Place, expr: &Expr, trail: &mut Trail) {
        if !matches!(expr.kind, ExprKind::Subscript { .. } | ExprKind::Binary { .. }) {
            self.follow(place, expr, trail);
        }
    }

    fn found(&mut self, place: &Place, span: Span, trail: &mut Trail) {
        if self.containers.want((place.path.clone(), span)) {
            trail.n_found += 1;
        }
    }

    fn follow_name(&mut self, place: &Place, name: &str, trail: &mut Trail) {
        if !trail.names.insert((place.path.clone(), name.to_owned())) {
            return;
        }
        let mut sources = Vec::new();
        bound_to(&place.function.body, name, &mut sources);
        sources.iter().for_each(|source| self.follow(place, source, trail));
        let is_parameter = place.function.parameters.iter().any(|p| p.name == name);
        if is_parameter {
            return self.follow_argument(place, name, trail);
        }
        let Some(frame) = place.frame.and_then(|n| self.calls.frames.get(n)) else { return };
        if sources.is_empty()
            && let Enclosing::Call(number) = frame.enclosing
            && let Some(around) = self.calls.frames.iter().position(|f| f.number == number)
            && let Some(place) = self.place_of(around)
        {
            self.follow_name(&place, name, trail);
        }
    }

    /// What was passed for a parameter.
    fn follow_argument(&mut self, place: &Place, name: &str, trail: &mut Trail) {
        let Some(number) = place.frame else { return };
        let Some(Binding::Bound(_, span)) = self.calls.frames[number].arguments.get(name).cloned() else { return };
        let Some(caller) = number.checked_sub(1).and_then(|n| self.place_of(n)) else { return };
        let mut found = None;
        caller.function.body.iter().for_each(|stmt| find_in(stmt, span, &mut found));
        if let Some(argument) = found {
            self.follow(&caller, &argument, trail);
        }
    }

    fn follow_call(&mut self, place: &Place, callee: &Expr, span: Span, trail: &mut Trail) {
        let ExprKind::Name(name) = &callee.kind else { return };
        if matches!(name.as_str(), "list" | "sorted") {
            return self.found(place, span, trail);
        }
        let function = self.module.functions.iter().find(|f| f.name == *name).cloned().map(Arc::new);
        let local = || nested_function(&place.function.body, name);
        let Some(function) = local().or(function) else { return };
        let mut path = place.path.clone();
        path.push(span);
        let function = expanded(self.module, &function).map_or(function, Arc::new);
        let called = Place { path, function, frame: None };
        if trail.names.insert((called.path.clone(), String::new())) && called.path.len() < 32 {
            self.follow_returns(&called, trail);
        }
    }

    fn follow_returns(&mut self, place: &Place, trail: &mut Trail) {
        let mut values = Vec::new();
        returned(&place.function.body, &mut values);
        values.iter().for_each(|value| self.follow(place, value, trail));
    }
}

/// The expressions that a name is bound to by assignments in a block.
fn bound_to(body: &[Stmt], name: &str, sources: &mut Vec<Expr>) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::Assign { targets, value } => targets.iter().for_each(|t| pair(t, value, name, sources)),
            StmtKind::AugAssign { target: Expr { kind: ExprKind::Name(own), .. }, value, .. } if own == name => {
                sources.push(value.clone());
            }
            StmtKind::For { target, iterable, .. } => {
                let mut names = BTreeSet::new();
                target_names(target, &mut names);
                if names.contains(name) {
                    sources.push(iterable.clone());
                }
            }
            _ => {}
        }
        for block in stmt.kind.blocks() {
            bound_to(block, name, sources);
        }
    }
}

/// What an assignment of a value to a target binds a name to.
fn pair(target: &Expr, value: &Expr, name: &str, sources: &mut Vec<Expr>) {
    match (&target.kind, &value.kind) {
        (ExprKind::Name(own), _) if own == name => sources.push(value.clone()),
        (ExprKind::Tuple(targets), ExprKind::Tuple(values)) if targets.len() == values.len() => {
            targets.iter().zip(values).for_each(|(t, v)| pair(t, v, name, sources));
        }
        (ExprKind::Tuple(targets) | ExprKind::List(targets), _) => {
            let mut names = BTreeSet::new();
            targets.iter().for_each(|t| target_names(t, &mut names));
            if names.contains(name) {
                sources.push(value.clone());
            }
        }
        _ => {}
    }
}

fn returned(body: &[Stmt], values: &mut Vec<Expr>) {
    for stmt in body {
        if let StmtKind::Return(Some(value)) = &stmt.kind {
            values.push(value.clone());
        }
        stmt.kind.blocks().into_iter().for_each(|block| returned(block, values));
    }
}

fn nested_function(body: &[Stmt], name: &str) -> Option<Arc<Function>> {
    body.iter().find_map(|stmt| match &stmt.kind {
        StmtKind::Function(function) if function.name == name => Some(function.clone()),
        _ => stmt.kind.blocks().into_iter().find_map(|block| nested_function(block, name)),
    })
}

/// The expression of a span in a statement.
fn find_in(stmt: &Stmt, span: Span, found: &mut Option<Expr>) {
    read_statement(stmt, &mut |expr| find_expr(expr, span, found));
}

fn find_expr(expr: &Expr, span: Span, found: &mut Option<Expr>) {
    if found.is_none() && expr.span == span {
        *found = Some(expr.clone());
    }
    expr.children().into_iter().for_each(|child| find_expr(child, span, found));
}
