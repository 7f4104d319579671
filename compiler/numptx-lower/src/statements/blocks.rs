//! Statements. A run of statements is lowered to ops of the open region, and ends in one or several ways ([`Exits`]).
//!
//! Where one side of an `if` always leaves, what follows the `if` belongs to the other side and is lowered there.

use numptx_source::Span;
use numptx_syntax::ast::{Expr, ExprKind, Handler, Stmt, StmtKind};

use crate::arrays::nditer::ordered_of;
use crate::expressions::messages::Message;
use crate::loops::for_and_while::{Header, Loop};
use crate::lowerer::Lowerer;
use crate::syntax::flow::{Exits, always_leaves, assigned_names};
use crate::syntax::liveness::Names;
use crate::values::scope::Binding;
use crate::values::value::Value;

/// The parts of a `try`.
pub(crate) struct Try<'t> {
    /// The statement.
    pub stmt: &'t Stmt,
    /// See [`StmtKind::Try`], here and below.
    pub body: &'t [Stmt],
    pub handlers: &'t [Handler],
    pub orelse: &'t [Stmt],
    pub finally: &'t [Stmt],
}

/// Statements to lower one after the other: a block, and what follows the statement that it stands in.
#[derive(Clone, Copy)]
pub(crate) struct Chain<'c> {
    /// The block.
    pub block: &'c [Stmt],
    /// What follows it.
    pub then: Option<&'c Chain<'c>>,
}

impl<'c> Chain<'c> {
    /// A block that nothing follows.
    pub fn of(block: &'c [Stmt]) -> Self {
        Chain { block, then: None }
    }

    /// The first statement, and what follows it.
    pub fn split(self) -> Option<(&'c Stmt, Chain<'c>)> {
        let mut chain = self;
        loop {
            match chain.block.split_first() {
                Some((stmt, block)) => return Some((stmt, Chain { block, then: chain.then })),
                None => chain = *chain.then?,
            }
        }
    }
}

impl Lowerer<'_> {
    /// Lowers a loop's body.
    pub fn block(&mut self, body: &[Stmt]) -> Exits {
        let live = self.calls.frame().around.loops.last().cloned().unwrap_or_default();
        self.block_to(body, &live)
    }

    /// Lowers a block after which these names are read.
    pub fn block_to(&mut self, body: &[Stmt], live: &Names) -> Exits {
        self.chain(Chain::of(body), live)
    }

    /// Lowers statements one after the other.
    pub fn chain(&mut self, mut chain: Chain<'_>, live: &Names) -> Exits {
        while let Some((stmt, rest)) = chain.split() {
            if !self.spend(stmt.span) {
                return Exits::NEVER;
            }
            self.builder.set_span(stmt.span);
            if let StmtKind::If { test, body, orelse } = &stmt.kind {
                match self.if_statement((stmt, test), body, orelse, rest, live) {
                    Some(exits) => return exits,
                    None => {
                        chain = rest;
                        continue;
                    }
                }
            }
            if let StmtKind::Try { body, handlers, orelse, finally } = &stmt.kind {
                let parts = Try { stmt, body, handlers, orelse, finally };
                match self.try_statement(&parts, rest, live) {
                    Some(exits) => return exits,
                    None => {
                        chain = rest;
                        continue;
                    }
                }
            }
            let exits = self.statement(stmt, live);
            if std::mem::take(&mut self.paths.diverged) {
                return Exits::NEVER;
            }
            if exits != Exits::FALL {
                return self.rest_of(exits, rest, live, stmt.span);
            }
            chain = rest;
        }
        Exits::FALL
    }

    /// Lowers what follows a statement that ends in several ways.
    pub fn rest_of(&mut self, exits: Exits, rest: Chain<'_>, live: &Names, span: Span) -> Exits {
        let others = exits.without(Exits::FALL);
        let exit = self.calls.frame().state.exit;
        let (true, Some(exit), true) = (exits.has(Exits::FALL), exit, rest.split().is_some()) else {
            return exits;
        };
        let goes_on = self.left_by(exit, Exits::FALL);
        if !self.enter(span) {
            return Exits::NEVER;
        }
        let exits = self.branch(
            goes_on,
            live,
            |s| s.chain(rest, live),
            |s| {
                s.calls.frame().state.exit = others.is_mixed().then_some(exit);
                others
            },
        );
        self.budget.leave();
        exits
    }

    /// Lowers an `if`. `None`: it went past its end, and what follows is still to be lowered.
    fn if_statement(
        &mut self,
        (stmt, test): (&Stmt, &Expr),
        body: &[Stmt],
        orelse: &[Stmt],
        rest: Chain<'_>,
        live: &Names,
    ) -> Option<Exits> {
        let condition = self.condition(test);
        if std::mem::take(&mut self.paths.diverged) {
            return Some(Exits::NEVER);
        }
        if let Some(known) = self.known_bool(condition) {
            let taken = if known { body } else { orelse };
            return Some(self.chain(Chain { block: taken, then: Some(&rest) }, live));
        }
        if let [Stmt { kind: StmtKind::Raise { exception, message }, span }] = body
            && let Some(message) = self.pure_message(message.as_ref())
        {
            let holds = self.not(condition);
            self.raise_unless(holds, exception, &message, *span);
            self.known_by(test, false);
            return Some(self.chain(Chain { block: orelse, then: Some(&rest) }, live));
        }
        if !self.enter(stmt.span) {
            return Some(Exits::NEVER);
        }
        let (leaves, else_leaves) = (always_leaves(body), always_leaves(orelse));
        let exits = if leaves || else_leaves {
            let side = |block, leaves: bool| Chain { block, then: (!leaves).then_some(&rest) };
            let then = side(body, leaves);
            let otherwise = side(orelse, else_leaves);
            let exits = self.branch(
                condition,
                live,
                |s| {
                    s.known_by(test, true);
                    s.chain(then, live)
                },
                |s| {
                    s.known_by(test, false);
                    s.chain(otherwise, live)
                },
            );
            self.budget.leave();
            return Some(exits);
        } else {
            let after = self.calls.frame().liveness.after(stmt);
            let after = after.union(live).cloned().collect();
            self.branch(
                condition,
                &after,
                |s| s.knowing(test, true, |s| s.block_to(body, &after)),
                |s| s.knowing(test, false, |s| s.block_to(orelse, &after)),
            )
        };
        self.budget.leave();
        if exits == Exits::FALL { None } else { Some(self.rest_of(exits, rest, live, stmt.span)) }
    }

    fn statement(&mut self, stmt: &Stmt, live: &Names) -> Exits {
        match &stmt.kind {
            StmtKind::Assign { targets, value } if matches!(targets.as_slice(), [target] if self.stored_under_mask(target, value)) =>
                {}
            StmtKind::Assign { targets, value: source } => {
                let is_tuple = |t: &Expr| match &t.kind {
                    ExprKind::Tuple(members) => members.iter().all(|m| !matches!(m.kind, ExprKind::Starred(_))),
                    _ => false,
                };
                self.calls.taken_apart = targets.iter().all(is_tuple).then_some(source.span);
                let value =
                    match targets.iter().all(|t| matches!(t.kind, ExprKind::Name(_) | ExprKind::Subscript { .. })) {
                        true => self.constant_expression(source),
                        false => self.expression(source),
                    };
                let are_names = targets.iter().all(|t| matches!(t.kind, ExprKind::Name(_)));
                let value = match value {
                    one @ Value::OneOf(_) if !are_names => self.settled(one, source.span),
                    value => value,
                };
                self.assign_targets(targets.iter(), vec![value; targets.len()]);
                self.note_new_lists(targets, source);
            }
            StmtKind::AugAssign { target, op, value } => self.augmented(target, *op, value, stmt.span),
            StmtKind::For { target, iterable, body, orelse } => {
                return self.for_statement(stmt, (target, iterable), body, orelse, live);
            }
            StmtKind::While { test, body, orelse } => {
                let l = Loop { stmt, header: Header::While(test), body, orelse };
                return self.nested_loop(&l, live);
            }
            StmtKind::Break => return Exits::BREAK,
            StmtKind::Continue => return Exits::CONTINUE,
            StmtKind::Return(value) => {
                let value = value.as_ref().map_or(Value::None, |v| self.any_of(v));
                let value = self.kept(value);
                self.calls.frame().state.returned = Some(Binding::Bound(value, stmt.span));
                return Exits::RETURN;
            }
            StmtKind::Assert { test, message } => {
                return self.assert_statement(test, message.as_ref(), stmt.span, live);
            }
            StmtKind::Raise { exception, message } => {
                let message = self.message(message.as_ref());
                let never = self.bool_id(false);
                self.raise_unless(never, exception, &message, stmt.span);
                return Exits::NEVER;
            }
            StmtKind::Reraise => {
                self.reraise();
                return Exits::NEVER;
            }
            StmtKind::Yield(_) => self.refuse_yield(stmt.span),
            StmtKind::Expr(value) => drop(self.expression(value)),
            StmtKind::Function(function) => {
                let value = self.closure(function);
                self.bind(&function.name, value, function.name_span);
            }
            StmtKind::Delete(names) => self.delete(names),
            StmtKind::Pass => {}
            StmtKind::If { test, body, orelse } => {
                let rest = Chain::of(&[]);
                return self.if_statement((stmt, test), body, orelse, rest, live).unwrap_or(Exits::FALL);
            }
            StmtKind::Try { body, handlers, orelse, finally } => {
                let parts = Try { stmt, body, handlers, orelse, finally };
                return self.try_statement(&parts, Chain::of(&[]), live).unwrap_or(Exits::FALL);
            }
        }
        Exits::FALL
    }

    /// A message whose evaluation costs next to nothing and cannot raise, so that it is evaluated whether it is needed or not.
    fn pure_message(&mut self, message: Option<&Expr>) -> Option<Message> {
        let point = self.point();
        self.builder.open_region(&[]);
        let message = self.message(message);
        let region = self.builder.close_region();
        if !region.ops.iter().all(|op| op.kind.is_pure_scalar_or_view()) {
            self.rollback(point);
            return None;
        }
        self.builder.splice(region);
        Some(message)
    }

    fn assert_statement(&mut self, test: &Expr, message: Option<&Expr>, span: Span, live: &Names) -> Exits {
        let condition = self.condition(test);
        if let Some(message) = self.pure_message(message) {
            self.raise_unless(condition, "AssertionError", &message, span);
            self.known_by(test, true);
            return Exits::FALL;
        }
        let raise = |s: &mut Self| {
            let (message, never) = (s.message(message), s.bool_id(false));
            s.raise_unless(never, "AssertionError", &message, span);
            Exits::NEVER
        };
        let holds = |s: &mut Self| {
            s.known_by(test, true);
            Exits::FALL
        };
        self.branch(condition, live, holds, raise)
    }

    /// Lowers a loop one level deeper.
    pub fn nested_loop(&mut self, l: &Loop<'_>, live: &Names) -> Exits {
        let exits = if self.enter(l.stmt.span) { self.loop_statement(l, live) } else { Exits::NEVER };
        self.budget.leave();
        exits
    }

    fn for_statement(
        &mut self,
        stmt: &Stmt,
        (target, iterated): (&Expr, &Expr),
        body: &[Stmt],
        orelse: &[Stmt],
        live: &Names,
    ) -> Exits {
        let value = self.iterated_value(iterated);
        let Some(ordered) = ordered_of(&value) else {
            return self.for_over(value, stmt, (target, iterated), (body, orelse), live);
        };
        let may_enter = self.enter_nditer(&ordered, iterated.span);
        let value = if may_enter { value } else { Value::Poison };
        let exits = self.for_over(value, stmt, (target, iterated), (body, orelse), live);
        self.loops.iterators.leave(&ordered);
        exits
    }

    fn for_over(
        &mut self,
        value: Value,
        stmt: &Stmt,
        (target, iterated): (&Expr, &Expr),
        (body, orelse): (&[Stmt], &[Stmt]),
        live: &Names,
    ) -> Exits {
        let over_members = |s: &mut Self, items: &[Value]| {
            let mut live = s.calls.frame().liveness.head(stmt);
            live.extend(s.calls.frame().liveness.after(stmt));
            s.calls.frame().around.loops.push(live);
            let exits = s.unrolled(target, items, body, stmt.span);
            let inner = s.calls.frame().around.loops.pop().unwrap_or_default();
            s.after_unrolled(exits, orelse, &inner)
        };
        let items = if let Value::Tuple(items) | Value::List(items) = &value { Some(items.as_slice()) } else { None };
        let unrolled = |s: &mut Self| over_members(s, items.unwrap_or_default());
        if let Some(exits) = self.growing_loop(stmt, (target, &value), (body, orelse), live, unrolled) {
            return exits;
        }
        if let Some(items) = items {
            return over_members(self, items);
        }
        match self.iterable(&value) {
            Some(iterable) => {
                let iterable = self.settled_iterable(iterable, iterated.span);
                let l = Loop { stmt, header: Header::For(target, iterable), body, orelse };
                self.nested_loop(&l, live)
            }
            None => {
                self.refuse_iteration(&value, iterated.span);
                let mut names = assigned_names(body);
                crate::syntax::flow::target_names(target, &mut names);
                for name in names {
                    self.calls.frame().state.names.insert(name, Binding::Bound(Value::Poison, stmt.span));
                }
                Exits::FALL
            }
        }
    }

    /// A loop over a tuple: its body once for each member. Ends by `break`, `return`, or past its end.
    fn unrolled(&mut self, target: &Expr, items: &[Value], body: &[Stmt], span: Span) -> Exits {
        let Some((item, rest)) = items.split_first() else { return Exits::FALL };
        if !self.spend(span) {
            return Exits::NEVER;
        }
        let n_waiting = self.calls.frame().waiting.len();
        self.calls.frame().waiting.extend_from_slice(rest);
        self.assign_target(target, item.clone());
        let exits = self.block(body);
        self.calls.frame().waiting.truncate(n_waiting);
        if rest.is_empty() {
            return exits;
        }
        let goes_on = Exits::FALL.or(Exits::CONTINUE);
        let others = exits.without(goes_on);
        match (exits.and(goes_on), others) {
            (Exits::NEVER, _) => others,
            (_, Exits::NEVER) => self.unrolled(target, rest, body, span),
            _ => {
                let live = self.calls.frame().around.loops.last().cloned().unwrap_or_default();
                let state = self.calls.state();
                let exit = self.exit_code(exits, &state);
                let (fell, continued) = (self.left_by(exit, Exits::FALL), self.left_by(exit, Exits::CONTINUE));
                let next = self.both(numptx_ir::scalar::ScalarOp::BitOr, fell, continued);
                if !self.enter(span) {
                    return Exits::NEVER;
                }
                let exits = self.branch(
                    next,
                    &live,
                    |s| s.unrolled(target, rest, body, span),
                    |s| {
                        s.calls.frame().state.exit = others.is_mixed().then_some(exit);
                        others
                    },
                );
                self.budget.leave();
                exits
            }
        }
    }

    fn after_unrolled(&mut self, exits: Exits, orelse: &[Stmt], live: &Names) -> Exits {
        let finished = exits.and(Exits::FALL.or(Exits::CONTINUE));
        let left = exits.without(finished);
        let state = self.calls.state();
        match (finished, left) {
            (Exits::NEVER, _) => {
                let exit = self.exit_code(exits, &state);
                self.leave_loop(exit, left)
            }
            (_, Exits::NEVER) => {
                self.calls.frame().state.exit = None;
                self.block_to(orelse, live)
            }
            _ => {
                let exit = self.exit_code(exits, &state);
                let (fell, continued) = (self.left_by(exit, Exits::FALL), self.left_by(exit, Exits::CONTINUE));
                let normal = self.both(numptx_ir::scalar::ScalarOp::BitOr, fell, continued);
                self.branch(normal, live, |s| s.block_to(orelse, live), |s| s.leave_loop(exit, left))
            }
        }
    }
}
