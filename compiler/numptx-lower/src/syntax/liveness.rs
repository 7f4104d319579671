//! Which names are read after each statement of a function: those that branches and loops have to carry.
//!
//! A backward walk over the syntax tree. Goes in: a function's statements. Comes out: per statement the names live after it, and
//! per loop those live at its head. Names are those of the tree; nothing is typed.

use std::collections::{BTreeMap, BTreeSet};

use numptx_syntax::ast::{Expr, ExprKind, Function, Handler, Stmt, StmtKind};

/// A set of names.
pub(crate) type Names = BTreeSet<String>;

/// Live names of one function, by statement.
#[derive(Clone, Debug, Default)]
pub(crate) struct Liveness {
    after: BTreeMap<usize, Names>,
    head: BTreeMap<usize, Names>,
    raised: BTreeMap<usize, Names>,
    /// Names that functions inside the function read: always live.
    captured: Names,
    recording: bool,
}

/// Where control goes besides past the end of a block.
#[derive(Clone, Default)]
struct Exits {
    at_break: Names,
    at_continue: Names,
    /// Where a statement raises: what handlers read.
    at_raise: Names,
    /// What is run before a `return` ends the function.
    at_return: Names,
}

fn key(stmt: &Stmt) -> usize {
    std::ptr::from_ref(stmt) as usize
}

impl Liveness {
    /// Of a function's body.
    pub fn of(function: &Function) -> Liveness {
        let captured = captured_names(function);
        let mut liveness = Liveness { recording: true, captured, ..Liveness::default() };
        liveness.block(&function.body, Names::new(), &Exits::default());
        liveness
    }

    /// Names read after a statement.
    pub fn after(&self, stmt: &Stmt) -> Names {
        self.after.get(&key(stmt)).cloned().unwrap_or_default()
    }

    /// Names that an iteration of a loop reads from the one before, or from before the loop.
    pub fn head(&self, stmt: &Stmt) -> Names {
        self.head.get(&key(stmt)).cloned().unwrap_or_default()
    }

    /// Names that are read once something in the body of a `try` has raised.
    pub fn raised(&self, stmt: &Stmt) -> Names {
        self.raised.get(&key(stmt)).cloned().unwrap_or_default()
    }

    /// Names live before a block, from those live after it.
    fn block(&mut self, body: &[Stmt], mut live: Names, exits: &Exits) -> Names {
        for stmt in body.iter().rev() {
            live.extend(self.captured.iter().chain(&exits.at_raise).cloned());
            if self.recording {
                self.after.insert(key(stmt), live.clone());
            }
            live = self.statement(stmt, live, exits);
        }
        live
    }

    fn statement(&mut self, stmt: &Stmt, mut live: Names, exits: &Exits) -> Names {
        match &stmt.kind {
            StmtKind::Assign { targets, value } => {
                targets.iter().for_each(|t| kill(t, &mut live));
                targets.iter().for_each(|t| read_target(t, &mut live));
                read(value, &mut live);
            }
            StmtKind::AugAssign { target, value, .. } => {
                read(target, &mut live);
                read(value, &mut live);
            }
            StmtKind::If { test, body, orelse } => {
                let mut before = self.block(body, live.clone(), exits);
                before.extend(self.block(orelse, live, exits));
                live = before;
                read(test, &mut live);
            }
            StmtKind::For { target, iterable, body, orelse } => {
                live = self.loop_statement(stmt, (Some(target), None), body, orelse, live, exits);
                read(iterable, &mut live);
            }
            StmtKind::While { test, body, orelse } => {
                live = self.loop_statement(stmt, (None, Some(test)), body, orelse, live, exits);
            }
            StmtKind::Break => live = exits.at_break.clone(),
            StmtKind::Continue => live = exits.at_continue.clone(),
            StmtKind::Return(value) => {
                live = exits.at_return.union(&exits.at_raise).cloned().collect();
                value.iter().for_each(|v| read(v, &mut live));
            }
            StmtKind::Raise { message, .. } => {
                live = exits.at_raise.clone();
                message.iter().for_each(|m| read(m, &mut live));
            }
            StmtKind::Assert { test, message } => {
                [Some(test), message.as_ref()].into_iter().flatten().for_each(|e| read(e, &mut live));
            }
            StmtKind::Yield(value) | StmtKind::Expr(value) => read(value, &mut live),
            StmtKind::Function(function) => {
                live.remove(&function.name);
                function.parameters.iter().filter_map(|p| p.default.as_ref()).for_each(|d| read(d, &mut live));
            }
            StmtKind::Delete(names) => names.iter().for_each(|name| read(name, &mut live)),
            StmtKind::Reraise => live = exits.at_raise.clone(),
            StmtKind::Try { body, handlers, orelse, finally } => {
                live = self.attempt(stmt, (body, orelse), handlers, finally, live, exits);
            }
            StmtKind::Pass => {}
        }
        live
    }

    fn attempt(
        &mut self,
        stmt: &Stmt,
        (body, orelse): (&[Stmt], &[Stmt]),
        handlers: &[Handler],
        finally: &[Stmt],
        live: Names,
        exits: &Exits,
    ) -> Names {
        let last = self.block(finally, live, exits);
        let and =
            |names: &Names| if finally.is_empty() { names.clone() } else { names.union(&last).cloned().collect() };
        let outer = Exits {
            at_break: and(&exits.at_break),
            at_continue: and(&exits.at_continue),
            at_raise: and(&exits.at_raise),
            at_return: and(&exits.at_return),
        };
        let mut raised = outer.at_raise.clone();
        for handler in handlers {
            let mut before = self.block(&handler.body, last.clone(), &outer);
            handler.name.iter().for_each(|name| {
                before.remove(name);
            });
            raised.extend(before);
        }
        if self.recording {
            self.raised.insert(key(stmt), raised.clone());
        }
        let ended = self.block(orelse, last, &outer);
        let inner = Exits { at_raise: raised.clone(), ..outer };
        let mut before = self.block(body, ended, &inner);
        before.extend(raised);
        before
    }

    /// `header`: the target of a `for`, or the condition of a `while`.
    fn loop_statement(
        &mut self,
        stmt: &Stmt,
        header: (Option<&Expr>, Option<&Expr>),
        body: &[Stmt],
        orelse: &[Stmt],
        after: Names,
        exits: &Exits,
    ) -> Names {
        let finished = self.block(orelse, after.clone(), exits);
        let mut head = finished;
        header.1.iter().for_each(|test| read(test, &mut head));
        // The first round finds what the body reads from an earlier iteration; that is already all. The second notes what is
        // live inside. Rounds of inner loops are not doubled by the first, so that deep nests stay cheap.
        let recording = std::mem::take(&mut self.recording);
        for round in [false, true] {
            self.recording = recording && round;
            if round && !recording {
                break;
            }
            let inner = Exits { at_break: after.clone(), at_continue: head.clone(), ..exits.clone() };
            let mut live = self.block(body, head.clone(), &inner);
            header.0.iter().for_each(|target| kill(target, &mut live));
            header.0.iter().for_each(|target| read_target(target, &mut live));
            head.extend(live);
        }
        head.extend(self.captured.iter().cloned());
        if recording {
            self.head.insert(key(stmt), head.clone());
        }
        head
    }
}

fn kill(target: &Expr, live: &mut Names) {
    match &target.kind {
        ExprKind::Name(name) => drop(live.remove(name)),
        ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().for_each(|t| kill(t, live)),
        ExprKind::Starred(target) => kill(target, live),
        _ => {}
    }
}

fn read_target(target: &Expr, live: &mut Names) {
    match &target.kind {
        ExprKind::Name(_) => {}
        ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().for_each(|t| read_target(t, live)),
        ExprKind::Starred(target) => read_target(target, live),
        _ => read(target, live),
    }
}

/// Adds the names that an expression reads, and those that a function in it reads when it is called.
pub(crate) fn read(expr: &Expr, live: &mut Names) {
    match &expr.kind {
        ExprKind::Name(name) => drop(live.insert(name.clone())),
        ExprKind::Lambda(function) => live.extend(names_of(function)),
        ExprKind::Record(record) => {
            record.methods.iter().for_each(|method| live.extend(names_of(&method.function)));
        }
        _ => {}
    }
    expr.children().into_iter().for_each(|e| read(e, live));
}

/// Every name that a function reads, its defaults' and those of the functions in it included.
pub(crate) fn names_of(function: &Function) -> Names {
    let mut names = Names::new();
    function.parameters.iter().filter_map(|p| p.default.as_ref()).for_each(|d| read(d, &mut names));
    function.body.iter().for_each(|stmt| read_statement(stmt, &mut |e| read(e, &mut names)));
    names
}

/// The names that a statement reads, those in it included.
pub(crate) fn names_read(stmt: &Stmt) -> Names {
    let mut names = Names::new();
    read_statement(stmt, &mut |e| read(e, &mut names));
    names
}

/// Calls `see` with every expression of a statement, nested ones and those of functions in it included.
pub(crate) fn read_statement(stmt: &Stmt, see: &mut impl FnMut(&Expr)) {
    stmt.expressions().into_iter().for_each(&mut *see);
    if let StmtKind::Function(function) = &stmt.kind {
        function.body.iter().for_each(|s| read_statement(s, see));
    }
    stmt.kind.blocks().into_iter().flatten().for_each(|s| read_statement(s, see));
}

/// Names that functions inside a function read when they are called, which may be at any later time.
fn captured_names(function: &Function) -> Names {
    let mut names = Names::new();
    function.body.iter().for_each(|stmt| captured_by(stmt, &mut names));
    names
}

fn captured_by(stmt: &Stmt, names: &mut Names) {
    read_statement(stmt, &mut |e| captured_in(e, names));
    local_functions(stmt, names);
}

fn local_functions(stmt: &Stmt, names: &mut Names) {
    match &stmt.kind {
        StmtKind::Function(function) => names.extend(names_of(function)),
        kind => kind.blocks().into_iter().flatten().for_each(|s| local_functions(s, names)),
    }
}

fn captured_in(expr: &Expr, names: &mut Names) {
    if let ExprKind::Lambda(function) = &expr.kind {
        names.extend(names_of(function));
    }
    expr.children().into_iter().for_each(|e| captured_in(e, names));
}
