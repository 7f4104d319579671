//! Loops over all indices of a shape as nested loops, one for each axis, where their target tells how many axes there are.
//!
//! In: `for i, j in np.ndindex(n, m):` or `for (i, j), v in np.ndenumerate(x):`, without `break` and `else`. Out: `for i in range(n):` and in it
//! `for j in range(m):`. Other loops over indices stay one loop, which takes positions apart. Names with blanks in them are names that no program has.

use numptx_syntax::ast::{Expr, ExprKind, Function, Index, Module, Stmt, StmtKind};

use crate::syntax::flow::{Exits, assigned_names, early_exits};

/// A function whose loops over indices are nested loops; `None` where it has none.
pub(crate) fn nested(module: &Module, function: &Function) -> Option<Function> {
    if !function.body.iter().any(has_one) {
        return None;
    }
    let mut nesting = Nesting { module, function, n_found: 0 };
    let body = nesting.block(&function.body);
    (nesting.n_found > 0).then(|| Function { body, ..function.clone() })
}

/// Whether a statement is such a loop, or has one in it, by its name alone.
fn has_one(stmt: &Stmt) -> bool {
    let is_named = |name: &str| matches!(name, "ndindex" | "ndenumerate");
    if let StmtKind::For { iterable: Expr { kind: ExprKind::Call { function, .. }, .. }, .. } = &stmt.kind {
        match &function.kind {
            ExprKind::Name(name) | ExprKind::Attribute { name, .. } if is_named(name) => return true,
            _ => {}
        }
    }
    stmt.kind.blocks().into_iter().flatten().any(has_one)
}

struct Nesting<'m> {
    module: &'m Module,
    function: &'m Function,
    n_found: usize,
}

/// What a loop over indices binds.
struct Targets<'a> {
    /// One for each axis.
    indices: &'a [Expr],
    /// The element there.
    element: Option<&'a Expr>,
}

impl Nesting<'_> {
    fn block(&mut self, body: &[Stmt]) -> Vec<Stmt> {
        let mut out = Vec::with_capacity(body.len());
        for stmt in body {
            let mut stmt = stmt.clone();
            for block in stmt.kind.blocks_mut() {
                *block = self.block(block);
            }
            match self.axes(&stmt) {
                Some(statements) => out.extend(statements),
                None => out.push(stmt),
            }
        }
        out
    }

    /// A loop over indices as what is done before it, and nested loops.
    fn axes(&mut self, stmt: &Stmt) -> Option<[Stmt; 2]> {
        let StmtKind::For { target, iterable, body, orelse } = &stmt.kind else { return None };
        let ExprKind::Call { function, arguments, keywords } = &iterable.kind else { return None };
        if !orelse.is_empty() || !keywords.is_empty() || early_exits(body).has(Exits::BREAK) {
            return None;
        }
        let is_enumerated = self.is_of_numpy(function, "ndenumerate");
        if !is_enumerated && !self.is_of_numpy(function, "ndindex") {
            return None;
        }
        let targets = targets_of(target, is_enumerated)?;
        self.n_found += 1;
        let (number, span) = (self.n_found, iterable.span);
        let name = |what: &str| Expr { kind: ExprKind::Name(format!("{what} of {number}")), span };
        let axes = |what: &str| (0..targets.indices.len()).map(|k| name(&format!("{what} {k}"))).collect::<Vec<_>>();
        let of_numpy = |member: &str| Expr { kind: ExprKind::Imported(format!("numpy.{member}")), span };
        let call = |function: Expr, arguments: Vec<Expr>| {
            let kind = ExprKind::Call { function: Box::new(function), arguments, keywords: Vec::new() };
            Expr { kind, span }
        };
        let assign = |targets: Vec<Expr>, value: Expr| Stmt { kind: StmtKind::Assign { targets, value }, span };
        let tuple = |members: Vec<Expr>| Expr { kind: ExprKind::Tuple(members), span };
        let (array, extents, indices) = (name("array"), axes("extent"), axes("index"));
        let mut both = vec![tuple(extents.clone())];
        if is_enumerated {
            both.push(array.clone());
        }
        let maker = if is_enumerated { "elements of" } else { "extents of" };
        let before = assign(vec![tuple(both)], call(of_numpy(maker), arguments.clone()));
        let mut inner = vec![assign(vec![tuple(targets.indices.to_vec())], tuple(indices.clone()))];
        if let Some(element) = targets.element {
            let places = indices.iter().cloned().map(Index::Expr).collect();
            let value = Expr { kind: ExprKind::Subscript { value: Box::new(array), indices: places }, span };
            inner.push(assign(vec![element.clone()], value));
        }
        inner.extend(body.iter().cloned());
        for (k, (index, extent)) in indices.into_iter().zip(extents).enumerate().rev() {
            let iterable = call(of_numpy("range of"), vec![extent]);
            let kind = StmtKind::For { target: index, iterable, body: inner, orelse: Vec::new() };
            let span = if k == 0 { stmt.span } else { span };
            inner = vec![Stmt { kind, span }];
        }
        Some([before, inner.pop()?])
    }

    /// Whether an expression is a function of NumPy.
    fn is_of_numpy(&self, function: &Expr, name: &str) -> bool {
        let is_import = |alias: &str, path: &str| {
            let is_own = assigned_names(&self.function.body).contains(alias)
                || self.function.parameters.iter().any(|p| p.name == alias);
            !is_own && self.module.imports.iter().rev().find(|i| i.alias == alias).is_some_and(|i| i.path == path)
        };
        match &function.kind {
            ExprKind::Name(alias) => is_import(alias, &format!("numpy.{name}")),
            ExprKind::Attribute { value, name: member, .. } if member == name => {
                matches!(&value.kind, ExprKind::Name(alias) if is_import(alias, "numpy"))
            }
            _ => false,
        }
    }
}

fn targets_of(target: &Expr, is_enumerated: bool) -> Option<Targets<'_>> {
    let (indices, element) = match &target.kind {
        ExprKind::Tuple(members) if is_enumerated => match members.as_slice() {
            [indices, element] => (indices, Some(element)),
            _ => return None,
        },
        _ if is_enumerated => return None,
        _ => (target, None),
    };
    match &indices.kind {
        ExprKind::Tuple(members) if members.iter().all(|m| matches!(m.kind, ExprKind::Name(_))) => {
            Some(Targets { indices: members, element })
        }
        _ => None,
    }
}
