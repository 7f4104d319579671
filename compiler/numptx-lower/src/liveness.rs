//! Which names are read after each statement of a function: those that branches and loops have to hand on.
//!
//! A backward walk over the syntax tree. Goes in: a function's statements. Comes out: per statement the names live after it, and
//! per loop those live at its head. Names are those of the tree; nothing is typed.

use std::collections::{BTreeMap, BTreeSet};

use numptx_syntax::ast::{Expr, ExprKind, Function, Index, Stmt, StmtKind};

/// A set of names.
pub(crate) type Names = BTreeSet<String>;

/// Live names of one function, by statement.
#[derive(Clone, Debug, Default)]
pub(crate) struct Liveness {
    after: BTreeMap<usize, Names>,
    head: BTreeMap<usize, Names>,
    recording: bool,
}

/// Where control goes besides past the end of a block.
#[derive(Clone, Default)]
struct Exits {
    at_break: Names,
    at_continue: Names,
}

fn key(stmt: &Stmt) -> usize {
    std::ptr::from_ref(stmt) as usize
}

impl Liveness {
    /// Of a function's body.
    pub fn of(function: &Function) -> Liveness {
        let mut liveness = Liveness { recording: true, ..Liveness::default() };
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

    /// Names live before a block, from those live after it.
    fn block(&mut self, body: &[Stmt], mut live: Names, exits: &Exits) -> Names {
        for stmt in body.iter().rev() {
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
                live = Names::new();
                value.iter().for_each(|v| read(v, &mut live));
            }
            StmtKind::Raise { .. } => live = Names::new(),
            StmtKind::Assert { test, .. } => read(test, &mut live),
            StmtKind::Expr(value) => read(value, &mut live),
            StmtKind::Pass => {}
        }
        live
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
            let inner = Exits { at_break: after.clone(), at_continue: head.clone() };
            let mut live = self.block(body, head.clone(), &inner);
            header.0.iter().for_each(|target| kill(target, &mut live));
            header.0.iter().for_each(|target| read_target(target, &mut live));
            head.extend(live);
        }
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
        _ => {}
    }
}

fn read_target(target: &Expr, live: &mut Names) {
    match &target.kind {
        ExprKind::Name(_) => {}
        ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().for_each(|t| read_target(t, live)),
        _ => read(target, live),
    }
}

/// Adds the names that an expression reads.
pub(crate) fn read(expr: &Expr, live: &mut Names) {
    match &expr.kind {
        ExprKind::Name(name) => drop(live.insert(name.clone())),
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Imaginary(_)
        | ExprKind::Bool(_)
        | ExprKind::None
        | ExprKind::Str(_)
        | ExprKind::Ellipsis => {}
        ExprKind::Binary { left, right, .. } => {
            read(left, live);
            read(right, live);
        }
        ExprKind::Unary { operand, .. } => read(operand, live),
        ExprKind::Logical { operands, .. } | ExprKind::Compare { operands, .. } => {
            operands.iter().for_each(|e| read(e, live));
        }
        ExprKind::Conditional { test, body, orelse } => [test, body, orelse].into_iter().for_each(|e| read(e, live)),
        ExprKind::Call { function, arguments, keywords } => {
            read(function, live);
            arguments.iter().for_each(|e| read(e, live));
            keywords.iter().for_each(|k| read(&k.value, live));
        }
        ExprKind::Attribute { value, .. } => read(value, live),
        ExprKind::Subscript { value, indices } => {
            read(value, live);
            indices.iter().for_each(|index| read_index(index, live));
        }
        ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().for_each(|e| read(e, live)),
    }
}

fn read_index(index: &Index, live: &mut Names) {
    match index {
        Index::Expr(expr) => read(expr, live),
        Index::Slice { lower, upper, step, .. } => {
            [lower, upper, step].into_iter().flatten().for_each(|e| read(e, live));
        }
        Index::NewAxis(_) | Index::Ellipsis(_) => {}
    }
}
