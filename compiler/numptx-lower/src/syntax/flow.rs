//! What control flow does, read off the syntax alone: which names a block assigns, and how it can be left.

use std::collections::BTreeSet;

use numptx_syntax::ast::{Expr, ExprKind, Stmt, StmtKind};

/// The ways in which a run of statements can end; a set. The empty set: it never ends, as after `raise`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exits(u8);

impl Exits {
    /// No way out.
    pub const NEVER: Exits = Exits(0);
    /// Past the last statement.
    pub const FALL: Exits = Exits(1);
    /// By `continue`.
    pub const CONTINUE: Exits = Exits(2);
    /// By `break`.
    pub const BREAK: Exits = Exits(4);
    /// By `return`.
    pub const RETURN: Exits = Exits(8);
    /// Ways after which the enclosing function's names are still read.
    pub const LOCAL: Exits = Exits(1 | 2 | 4);

    /// Either of both.
    pub fn or(self, other: Exits) -> Exits {
        Exits(self.0 | other.0)
    }

    /// What both have.
    pub fn and(self, other: Exits) -> Exits {
        Exits(self.0 & other.0)
    }

    /// This without the other.
    pub fn without(self, other: Exits) -> Exits {
        Exits(self.0 & !other.0)
    }

    /// Whether any of the other's ways is in this.
    pub fn has(self, other: Exits) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether there is more than one way, so that the program has to remember which one it took.
    pub fn is_mixed(self) -> bool {
        self.0.count_ones() > 1
    }

    /// The number by which a running program remembers one way.
    pub fn code(self) -> i64 {
        i64::from(self.0)
    }
}

/// Whether a block always ends before its end is reached.
pub(crate) fn always_leaves(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| match &stmt.kind {
        StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Raise { .. } => true,
        StmtKind::Reraise => true,
        StmtKind::If { body, orelse, .. } => always_leaves(body) && always_leaves(orelse),
        StmtKind::Try { body, handlers, orelse, finally } => {
            always_leaves(finally)
                || (always_leaves(body) || always_leaves(orelse)) && handlers.iter().all(|h| always_leaves(&h.body))
        }
        _ => false,
    })
}

/// How a loop's body can leave the loop early: by `break` of this loop, or by `return`.
pub(crate) fn early_exits(body: &[Stmt]) -> Exits {
    body.iter().map(|stmt| stmt_early_exits(stmt, true)).fold(Exits::NEVER, Exits::or)
}

fn stmt_early_exits(stmt: &Stmt, own_loop: bool) -> Exits {
    let block = |body: &[Stmt], own: bool| body.iter().map(|s| stmt_early_exits(s, own)).fold(Exits::NEVER, Exits::or);
    match &stmt.kind {
        StmtKind::Return(_) => Exits::RETURN,
        StmtKind::Break if own_loop => Exits::BREAK,
        StmtKind::If { body, orelse, .. } => block(body, own_loop).or(block(orelse, own_loop)),
        StmtKind::For { body, orelse, .. } | StmtKind::While { body, orelse, .. } => {
            block(body, false).or(block(orelse, own_loop))
        }
        StmtKind::Try { .. } => {
            stmt.kind.blocks().into_iter().map(|b| block(b, own_loop)).fold(Exits::NEVER, Exits::or)
        }
        _ => Exits::NEVER,
    }
}

/// Names that a block binds, its nested blocks included.
pub(crate) fn assigned_names(body: &[Stmt]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    body.iter().for_each(|stmt| stmt.assigned_names(&mut names));
    names
}

/// Names of arrays whose shape a block assigns, its nested blocks included.
pub(crate) fn reshaped_names(body: &[Stmt]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    body.iter().for_each(|stmt| collect_reshaped(stmt, &mut names));
    names
}

fn collect_reshaped(stmt: &Stmt, names: &mut BTreeSet<String>) {
    match &stmt.kind {
        StmtKind::Assign { targets, .. } => targets.iter().for_each(|target| reshaped_target(target, names)),
        kind => kind.blocks().into_iter().flatten().for_each(|s| collect_reshaped(s, names)),
    }
}

fn reshaped_target(target: &Expr, names: &mut BTreeSet<String>) {
    match &target.kind {
        ExprKind::Attribute { value, name, .. } if name == "shape" => target_names(value, names),
        ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().for_each(|t| reshaped_target(t, names)),
        ExprKind::Starred(target) => reshaped_target(target, names),
        _ => {}
    }
}

/// Names that an assignment target binds.
pub(crate) fn target_names(target: &Expr, names: &mut BTreeSet<String>) {
    target.target_names(names);
}
