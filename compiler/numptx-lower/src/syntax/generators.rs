//! Generators: functions that `yield`.
//!
//! In: a function's body. Out: the same, in which a loop over a call of a generator is the generator's body, with the loop's at each `yield`: what
//! runs when is as in Python, and nothing is left of the generator. Its names become the function's, under others where it has such names already.
//! A call that is an argument, as in `sum(f(x))` and `list(f(x))`, is gone through before the statement, and its values are a list. Names with blanks
//! in them are names that no program has.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use numptx_source::Span;
use numptx_syntax::ast::{Expr, ExprKind, Function, Keyword, Module, ParameterKind, Stmt, StmtKind};

use crate::syntax::flow::assigned_names;
use crate::syntax::liveness::names_of;

/// Generators in generators, to so many levels.
const MAX_DEPTH: usize = 16;

/// Statements that the generators of one function may become.
const MAX_STATEMENTS: usize = 20_000;

/// Functions that take all values of an argument before they do anything else.
const TAKES_ALL: &[&str] =
    &["all", "any", "dict", "enumerate", "frozenset", "list", "max", "min", "set", "sorted", "sum", "tuple", "zip"];

/// A function whose loops over generators are loops of its own; `None` where it has none.
pub(crate) fn expanded(module: &Module, function: &Function) -> Option<Function> {
    let has_one = |f: &Function| f.is_generator() || f.body.iter().any(defines_one);
    if !module.functions.iter().any(has_one) {
        return None;
    }
    let mut own = assigned_names(&function.body);
    own.extend(function.parameters.iter().map(|p| p.name.clone()));
    let mut taken = own.clone();
    taken.extend(names_of(function));
    let mut expansion =
        Expansion { module, own, taken, local: BTreeMap::new(), n_found: 0, depth: 0, left: MAX_STATEMENTS };
    local_generators(&function.body, &mut expansion.local);
    let body = expansion.block(&function.body);
    (expansion.n_found > 0 && expansion.left > 0).then(|| Function { body, ..function.clone() })
}

/// Whether a generator is defined in a function.
fn defines_one(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Function(function) => function.is_generator() || function.body.iter().any(defines_one),
        kind => kind.blocks().into_iter().flatten().any(defines_one),
    }
}

fn local_generators(body: &[Stmt], found: &mut BTreeMap<String, Arc<Function>>) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::Function(function) if function.is_generator() => {
                found.insert(function.name.clone(), function.clone());
            }
            kind => kind.blocks().into_iter().for_each(|block| local_generators(block, found)),
        }
    }
}

struct Expansion<'m> {
    module: &'m Module,
    /// Names that the function binds.
    own: BTreeSet<String>,
    /// Names that mean something in it.
    taken: BTreeSet<String>,
    /// Generators that are defined in it.
    local: BTreeMap<String, Arc<Function>>,
    n_found: usize,
    depth: usize,
    /// Statements that there may still be; 0: there would be too many, and nothing is made of them.
    left: usize,
}

/// A generator, and what it is called with.
struct Called {
    function: Function,
    /// Whether its other names are those of the function around.
    is_local: bool,
    /// A value for each parameter.
    arguments: Vec<Expr>,
    span: Span,
}

/// A loop's part that is run for each value.
struct Consumer<'a> {
    target: &'a Expr,
    body: &'a [Stmt],
    orelse: &'a [Stmt],
}

/// Names of what a loop over a generator remembers.
struct Flags {
    /// Whether the generator is left.
    left: Option<String>,
    /// Whether the loop was left by `break`.
    broken: Option<String>,
    round: String,
}

impl Expansion<'_> {
    fn block(&mut self, body: &[Stmt]) -> Vec<Stmt> {
        let mut out = Vec::new();
        for stmt in body {
            if let StmtKind::For { target, iterable, body, orelse } = &stmt.kind
                && let Some(called) = self.called(iterable)
            {
                let (body, orelse) = (self.block(body), self.block(orelse));
                let consumer = Consumer { target, body: &body, orelse: &orelse };
                self.woven(called, &consumer, stmt.span, &mut out);
                continue;
            }
            let mut stmt = stmt.clone();
            if !matches!(stmt.kind, StmtKind::While { .. } | StmtKind::Function(_) | StmtKind::Assert { .. }) {
                let expressions = stmt.expressions_mut();
                // What the target of an assignment is made of is evaluated after its value.
                expressions.into_iter().take(1).for_each(|e| self.listed(e, &mut out));
            }
            for block in stmt.kind.blocks_mut() {
                *block = self.block(block);
            }
            out.push(stmt);
        }
        out
    }

    /// The call of a generator that an expression is, if its arguments are as the generator takes them.
    fn called(&self, expr: &Expr) -> Option<Called> {
        let ExprKind::Call { function, arguments, keywords } = &expr.kind else { return None };
        let ExprKind::Name(name) = &function.kind else { return None };
        let (function, is_local) = match self.local.get(name) {
            Some(function) => ((**function).clone(), true),
            None if self.own.contains(name) => return None,
            None => (self.module.functions.iter().find(|f| f.name == *name && f.is_generator())?.clone(), false),
        };
        // A name of the module that means something else here would not be found.
        let mut free = names_of(&function);
        let bound_there = assigned_names(&function.body);
        free.retain(|name| !bound_there.contains(name) && !function.parameters.iter().any(|p| p.name == *name));
        let hides = !is_local && free.iter().any(|name| self.own.contains(name));
        if hides
            || self.depth >= MAX_DEPTH
            || self.left == 0
            || !function.refused.is_empty()
            || has_yield_in_try(&function.body)
        {
            return None;
        }
        let arguments = bound(&function, arguments, keywords)?;
        Some(Called { function, is_local, arguments, span: expr.span })
    }

    /// Adds a loop over a generator.
    fn woven(&mut self, called: Called, consumer: &Consumer<'_>, span: Span, out: &mut Vec<Stmt>) {
        self.n_found += 1;
        self.spend(&called.function.body);
        let number = self.n_found;
        let Called { mut function, is_local, arguments, span: at } = called;
        let others = self.renamed(&mut function, number);
        for (parameter, value) in function.parameters.iter().zip(arguments) {
            out.push(assign(&parameter.name, value, at));
        }
        // What the generator itself goes through.
        self.depth += 1;
        let around = (!is_local).then(|| std::mem::take(&mut self.local));
        local_generators(&function.body, &mut self.local);
        let body = self.block(&function.body);
        if let Some(around) = around {
            self.local = around;
        }
        self.depth -= 1;
        self.taken.extend(others);
        let leaves = leaves(consumer.body, false) || returns(&body);
        let is_told = !consumer.orelse.is_empty() && leaves_by_break(consumer.body);
        let flags = Flags {
            left: leaves.then(|| format!("left {number}")),
            broken: is_told.then(|| format!("broken {number}")),
            round: format!("round {number}"),
        };
        for flag in flags.left.iter().chain(&flags.broken) {
            out.push(assign(flag, boolean(false, at), at));
        }
        let body = self.with_consumer(body, consumer, &flags, at);
        match leaves {
            true => out.push(once(&flags.round, body, span)),
            false => out.extend(body),
        }
        match &flags.broken {
            Some(broken) => {
                let test = Expr { kind: ExprKind::Name(broken.clone()), span };
                let (body, orelse) = (vec![Stmt { kind: StmtKind::Pass, span }], consumer.orelse.to_vec());
                out.push(Stmt { kind: StmtKind::If { test, body, orelse }, span });
            }
            None => out.extend(consumer.orelse.iter().cloned()),
        }
    }

    /// Gives the names of a generator others where they mean something here.
    fn renamed(&mut self, function: &mut Function, number: usize) -> BTreeSet<String> {
        let mut own = assigned_names(&function.body);
        own.extend(function.parameters.iter().map(|p| p.name.clone()));
        let name = function.name.clone();
        let other = |own: &String| match self.taken.contains(own) {
            true => format!("{own} of {name} {number}"),
            false => own.clone(),
        };
        let others: BTreeMap<String, String> = own.iter().map(|own| (own.clone(), other(own))).collect();
        for parameter in &mut function.parameters {
            if let Some(name) = others.get(&parameter.name) {
                parameter.name.clone_from(name);
            }
        }
        function.body.iter_mut().for_each(|s| rename_statement(s, &others));
        others.into_values().collect()
    }

    /// The generator's statements, with the consumer's at each `yield`.
    fn with_consumer(&mut self, body: Vec<Stmt>, consumer: &Consumer<'_>, flags: &Flags, at: Span) -> Vec<Stmt> {
        let mut out = Vec::new();
        for mut stmt in body {
            match stmt.kind {
                StmtKind::Yield(value) => self.at_yield(value, stmt.span, consumer, flags, &mut out),
                StmtKind::Return(_) => {
                    out.extend(flags.left.iter().map(|left| assign(left, boolean(true, at), at)));
                    out.push(Stmt { kind: StmtKind::Break, span: stmt.span });
                }
                _ => {
                    let is_loop = matches!(stmt.kind, StmtKind::For { .. } | StmtKind::While { .. });
                    for block in stmt.kind.blocks_mut() {
                        *block = self.with_consumer(std::mem::take(block), consumer, flags, at);
                    }
                    out.push(stmt);
                    if is_loop && let Some(left) = &flags.left {
                        out.push(leave_if(left, at));
                    }
                }
            }
        }
        out
    }

    fn at_yield(&mut self, value: Expr, at: Span, consumer: &Consumer<'_>, flags: &Flags, out: &mut Vec<Stmt>) {
        self.spend(consumer.body);
        if self.left == 0 {
            return;
        }
        out.push(Stmt { kind: StmtKind::Assign { targets: vec![consumer.target.clone()], value }, span: at });
        if !leaves(consumer.body, true) {
            return out.extend(consumer.body.iter().cloned());
        }
        let said: Vec<Stmt> =
            flags.left.iter().chain(&flags.broken).map(|flag| assign(flag, boolean(true, at), at)).collect();
        let body = before_breaks(consumer.body.to_vec(), &said);
        out.push(once(&format!("{} taken", flags.round), body, at));
        if leaves_by_break(consumer.body)
            && let Some(left) = &flags.left
        {
            out.push(leave_if(left, at));
        }
    }

    fn spend(&mut self, body: &[Stmt]) {
        self.left = self.left.saturating_sub(1 + n_statements(body));
    }

    /// Calls of generators that are gone through at once become lists, which statements before make.
    fn listed(&mut self, expr: &mut Expr, before: &mut Vec<Stmt>) {
        match &mut expr.kind {
            // What may not be evaluated stays.
            ExprKind::Logical { operands, .. } => {
                if let Some(first) = operands.first_mut() {
                    self.listed(first, before);
                }
                return;
            }
            ExprKind::Conditional { test, .. } => return self.listed(test, before),
            ExprKind::Comprehension(comprehension) => {
                if let Some(first) = comprehension.clauses.first_mut() {
                    self.argument(&mut first.iterable, before);
                }
                return;
            }
            ExprKind::Lambda(_) => return,
            ExprKind::Call { function, arguments, .. } => {
                let takes_all = match &function.kind {
                    ExprKind::Name(name) => TAKES_ALL.contains(&name.as_str()) && !self.own.contains(name),
                    ExprKind::Attribute { name, .. } => matches!(name.as_str(), "extend" | "join" | "update"),
                    _ => false,
                };
                if takes_all {
                    arguments.iter_mut().for_each(|argument| self.argument(argument, before));
                }
            }
            ExprKind::Starred(inner) => self.argument(inner, before),
            _ => {}
        }
        expr.children_mut().into_iter().for_each(|child| self.listed(child, before));
    }

    fn argument(&mut self, expr: &mut Expr, before: &mut Vec<Stmt>) {
        let Some(called) = self.called(expr).filter(|called| !is_endless(&called.function.body)) else {
            return self.listed(expr, before);
        };
        let (list, value) = (format!("values {}", self.n_found), format!("value {}", self.n_found));
        let span = called.span;
        let name = |name: &str| Expr { kind: ExprKind::Name(name.to_owned()), span };
        before.push(assign(&list, Expr { kind: ExprKind::List(Vec::new()), span }, span));
        let append = ExprKind::Attribute { value: Box::new(name(&list)), name: "append".into(), name_span: span };
        let call = ExprKind::Call {
            function: Box::new(Expr { kind: append, span }),
            arguments: vec![name(&value)],
            keywords: Vec::new(),
        };
        let body = [Stmt { kind: StmtKind::Expr(Expr { kind: call, span }), span }];
        *expr = name(&list);
        self.woven(called, &Consumer { target: &name(&value), body: &body, orelse: &[] }, span, before);
    }
}

/// A value for each parameter; `None` where a call does not fit, which its own lowering reports.
fn bound(function: &Function, arguments: &[Expr], keywords: &[Keyword]) -> Option<Vec<Expr>> {
    let takes = |kind: ParameterKind| matches!(kind, ParameterKind::Any | ParameterKind::Positional);
    let n_positional = function.parameters.iter().filter(|p| takes(p.kind)).count();
    let is_plain = |e: &Expr| !matches!(e.kind, ExprKind::Starred(_));
    let has_rest = function.parameters.iter().any(|p| p.kind == ParameterKind::Rest);
    if arguments.len() > n_positional || has_rest || !arguments.iter().all(is_plain) {
        return None;
    }
    let known = |k: &Keyword| function.parameters.iter().skip(arguments.len()).any(|p| p.name == k.name);
    if !keywords.iter().all(known) {
        return None;
    }
    let value = |(n, parameter): (usize, &numptx_syntax::ast::Parameter)| {
        let named = || keywords.iter().find(|k| k.name == parameter.name).map(|k| &k.value);
        arguments.get(n).or_else(named).or(parameter.default.as_ref()).cloned()
    };
    function.parameters.iter().enumerate().map(value).collect()
}

/// Statements that are left by `break`, and run once.
fn once(name: &str, body: Vec<Stmt>, span: Span) -> Stmt {
    let target = Expr { kind: ExprKind::Name(name.to_owned()), span };
    let iterable = Expr { kind: ExprKind::Tuple(vec![Expr { kind: ExprKind::Int(0), span }]), span };
    Stmt { kind: StmtKind::For { target, iterable, body, orelse: Vec::new() }, span }
}

fn assign(name: &str, value: Expr, span: Span) -> Stmt {
    let target = Expr { kind: ExprKind::Name(name.to_owned()), span };
    Stmt { kind: StmtKind::Assign { targets: vec![target], value }, span }
}

fn boolean(value: bool, span: Span) -> Expr {
    Expr { kind: ExprKind::Bool(value), span }
}

fn leave_if(flag: &str, span: Span) -> Stmt {
    let test = Expr { kind: ExprKind::Name(flag.to_owned()), span };
    let body = vec![Stmt { kind: StmtKind::Break, span }];
    Stmt { kind: StmtKind::If { test, body, orelse: Vec::new() }, span }
}

/// Statements with others before each `break` of the loop that they are in.
fn before_breaks(body: Vec<Stmt>, said: &[Stmt]) -> Vec<Stmt> {
    let mut out = Vec::new();
    for mut stmt in body {
        match &mut stmt.kind {
            StmtKind::Break => out.extend(said.iter().cloned()),
            StmtKind::For { orelse, .. } | StmtKind::While { orelse, .. } => {
                *orelse = before_breaks(std::mem::take(orelse), said);
            }
            kind => {
                for block in kind.blocks_mut() {
                    *block = before_breaks(std::mem::take(block), said);
                }
            }
        }
        out.push(stmt);
    }
    out
}

/// Whether statements leave or go on with the loop that they are in: by `break`, or also by `continue`.
fn leaves(body: &[Stmt], with_continue: bool) -> bool {
    body.iter().any(|stmt| match &stmt.kind {
        StmtKind::Break => true,
        StmtKind::Continue => with_continue,
        StmtKind::For { orelse, .. } | StmtKind::While { orelse, .. } => leaves(orelse, with_continue),
        kind => kind.blocks().into_iter().any(|block| leaves(block, with_continue)),
    })
}

fn leaves_by_break(body: &[Stmt]) -> bool {
    leaves(body, false)
}

fn n_statements(body: &[Stmt]) -> usize {
    body.iter().map(|stmt| 1 + stmt.kind.blocks().into_iter().map(n_statements).sum::<usize>()).sum()
}

/// Whether a generator ends by `return`.
fn returns(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| matches!(stmt.kind, StmtKind::Return(_)) || stmt.kind.blocks().into_iter().any(returns))
}

/// Whether a generator goes on for ever.
fn is_endless(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| match &stmt.kind {
        StmtKind::While { test: Expr { kind: ExprKind::Bool(true) | ExprKind::Int(1), .. }, body, .. } => {
            !leaves(body, false) && !returns(body)
        }
        kind => kind.blocks().into_iter().any(is_endless),
    })
}

fn has_yield_in_try(body: &[Stmt]) -> bool {
    fn yields(stmt: &Stmt) -> bool {
        matches!(stmt.kind, StmtKind::Yield(_)) || stmt.kind.blocks().into_iter().flatten().any(yields)
    }
    body.iter().any(|stmt| {
        matches!(stmt.kind, StmtKind::Try { .. }) && yields(stmt)
            || stmt.kind.blocks().into_iter().any(has_yield_in_try)
    })
}

fn rename_statement(stmt: &mut Stmt, others: &BTreeMap<String, String>) {
    match &mut stmt.kind {
        StmtKind::Function(function) => {
            rename_function(Arc::make_mut(function), others);
            let function = Arc::make_mut(function);
            if let Some(other) = others.get(&function.name) {
                function.name.clone_from(other);
            }
        }
        StmtKind::Try { handlers, .. } => {
            for handler in handlers {
                if let Some(other) = handler.name.as_ref().and_then(|name| others.get(name)) {
                    handler.name = Some(other.clone());
                }
            }
        }
        _ => {}
    }
    stmt.expressions_mut().into_iter().for_each(|e| rename_expr(e, others));
    stmt.kind.blocks_mut().into_iter().flatten().for_each(|s| rename_statement(s, others));
}

/// Names of a function around, in a function: those that it does not bind itself.
fn rename_function(function: &mut Function, others: &BTreeMap<String, String>) {
    let mut own = assigned_names(&function.body);
    own.extend(function.parameters.iter().map(|p| p.name.clone()));
    let others = others.iter().filter(|(name, _)| !own.contains(*name)).map(|(a, b)| (a.clone(), b.clone())).collect();
    function.body.iter_mut().for_each(|s| rename_statement(s, &others));
}

fn rename_expr(expr: &mut Expr, others: &BTreeMap<String, String>) {
    match &mut expr.kind {
        ExprKind::Name(name) | ExprKind::Binding { name, .. } => {
            if let Some(other) = others.get(name) {
                name.clone_from(other);
            }
        }
        ExprKind::Lambda(function) => rename_function(Arc::make_mut(function), others),
        _ => {}
    }
    expr.children_mut().into_iter().for_each(|e| rename_expr(e, others));
}
