//! Syntax that is made, all of it at one place of the program.

use numptx_source::Span;
use numptx_syntax::ast::{BinaryOp, Clause, Collects, Comprehension, Expr, ExprKind, Index, Stmt, StmtKind};

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

    pub fn call(self, function: Expr, arguments: Vec<Expr>) -> Expr {
        self.expr(ExprKind::Call { function: Box::new(function), arguments, keywords: Vec::new() })
    }

    pub fn attribute(self, value: Expr, name: &str) -> Expr {
        self.expr(ExprKind::Attribute { value: Box::new(value), name: name.into(), name_span: self.span })
    }

    pub fn subscript(self, value: Expr, indices: Vec<Expr>) -> Expr {
        let indices = indices.into_iter().map(Index::Expr).collect();
        self.expr(ExprKind::Subscript { value: Box::new(value), indices })
    }

    pub fn clause(self, target: Expr, iterable: Expr) -> Clause {
        Clause { target, iterable, conditions: Vec::new() }
    }

    /// `[element for …]`
    pub fn list_of(self, element: Expr, clauses: Vec<Clause>) -> Comprehension {
        Comprehension { element, clauses, is_generator: false, collects: Collects::List }
    }

    /// `{key: value for …}`, of a pair.
    pub fn dictionary_of(self, pair: Expr, clause: Clause) -> Comprehension {
        Comprehension { collects: Collects::Dictionary, ..self.list_of(pair, vec![clause]) }
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
