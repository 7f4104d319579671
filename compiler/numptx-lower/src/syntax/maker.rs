//! Syntax that is made, all of it at one place of the program.

use numptx_source::Span;
use numptx_syntax::ast::{BinaryOp, Expr, ExprKind, Stmt, StmtKind};

/// Makes syntax at one place.
#[derive(Clone, Copy)]
pub(crate) struct Maker {
    pub span: Span,
}

impl Maker {
    pub fn expr(self, kind: ExprKind) -> Expr {
        Expr { kind, span: self.span }
    }

    pub fn name(self, name: &str) -> Expr {
        self.expr(ExprKind::Name(name.to_string()))
    }

    pub fn bool(self, b: bool) -> Expr {
        self.expr(ExprKind::Bool(b))
    }

    pub fn stmt(self, kind: StmtKind) -> Stmt {
        Stmt { kind, span: self.span }
    }

    pub fn assign(self, target: Expr, value: Expr) -> Stmt {
        self.stmt(StmtKind::Assign { targets: vec![target], value })
    }

    pub fn add(self, name: &str, value: Expr) -> Stmt {
        let (left, right) = (Box::new(self.name(name)), Box::new(value));
        self.assign(self.name(name), self.expr(ExprKind::Binary { op: BinaryOp::Add, left, right }))
    }

    pub fn when(self, test: Expr, body: Vec<Stmt>) -> Stmt {
        self.stmt(StmtKind::If { test, body, orelse: Vec::new() })
    }

    pub fn give(self, value: Expr) -> Stmt {
        self.stmt(StmtKind::Return(Some(value)))
    }

    pub fn loop_over(self, target: Expr, iterable: Expr, body: Vec<Stmt>) -> Stmt {
        self.stmt(StmtKind::For { target, iterable, body, orelse: Vec::new() })
    }
}
