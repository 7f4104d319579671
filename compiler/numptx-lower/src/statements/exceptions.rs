//! `try`: its body is the region of an op, and what is done with an exception is a branch on whether it ended.
//!
//! Where an exception leaves a name depends on how far the body came. Names that are read once something was raised have the values from before the body,
//! but those that the body binds, which are kept in memory: see `joins/kept.rs`.

use std::collections::BTreeSet;

use numptx_ir::array::{Type, ValueId};
use numptx_ir::scalar::ScalarOp;
use numptx_ir::{DType, error_kind, object};
use numptx_source::{Span, code};
use numptx_syntax::ast::{Expr, ExprKind, FormattedPart, Handler, Stmt, StmtKind};

use crate::lowerer::Lowerer;
use crate::statements::blocks::{Chain, Try};
use crate::syntax::flow::{Exits, always_leaves, assigned_names, reshaped_names};
use crate::syntax::liveness::{Names, names_read, read_statement};
use crate::values::scope::Binding;
use crate::values::value::Value;

/// The kinds of errors that an exception's handler takes; `None` of what is no exception of Python's or NumPy's. Those that compiled code never raises have no
/// kind.
fn kinds_of(exception: &str) -> Option<Vec<i32>> {
    use error_kind::*;
    let all = VALUE..=KEY_REPR;
    Some(match exception {
        "BaseException" => all.collect(),
        "Exception" => all.filter(|kind| *kind != INTERRUPTED).collect(),
        "ValueError" => vec![VALUE, LIN_ALG],
        "LinAlgError" => vec![LIN_ALG],
        "LookupError" => vec![INDEX, KEY, KEY_REPR],
        "IndexError" => vec![INDEX],
        "KeyError" => vec![KEY, KEY_REPR],
        "ArithmeticError" => vec![ARITHMETIC, ZERO_DIVISION, OVERFLOW, FLOATING_POINT],
        "ZeroDivisionError" => vec![ZERO_DIVISION],
        "OverflowError" => vec![OVERFLOW],
        "FloatingPointError" => vec![FLOATING_POINT],
        "TypeError" => vec![TYPE],
        "MemoryError" => vec![MEMORY],
        "RuntimeError" => vec![RUNTIME, NOT_IMPLEMENTED, RECURSION, CUDA],
        "NotImplementedError" => vec![NOT_IMPLEMENTED],
        "RecursionError" => vec![RECURSION],
        "AssertionError" => vec![ASSERTION],
        "AttributeError" => vec![ATTRIBUTE],
        "NameError" | "UnboundLocalError" => vec![UNBOUND_LOCAL],
        "KeyboardInterrupt" => vec![INTERRUPTED],
        "StopIteration"
        | "StopAsyncIteration"
        | "OSError"
        | "IOError"
        | "EnvironmentError"
        | "FileNotFoundError"
        | "PermissionError"
        | "TimeoutError"
        | "EOFError"
        | "ImportError"
        | "ModuleNotFoundError"
        | "UnicodeError"
        | "UnicodeDecodeError"
        | "UnicodeEncodeError"
        | "SystemExit"
        | "GeneratorExit"
        | "SystemError"
        | "BufferError"
        | "ReferenceError"
        | "SyntaxError"
        | "Warning"
        | "RuntimeWarning"
        | "UserWarning"
        | "DeprecationWarning"
        | "AxisError"
        | "ComplexWarning" => Vec::new(),
        _ => return None,
    })
}

impl Lowerer<'_> {
    /// Lowers a `try`. `None`: it went past its end, and what follows is still to be lowered.
    pub fn try_statement(&mut self, parts: &Try<'_>, rest: Chain<'_>, live: &Names) -> Option<Exits> {
        if !self.enter(parts.stmt.span) {
            return Some(Exits::NEVER);
        }
        let exits = match parts.finally.is_empty() {
            true => self.with_handlers(parts, rest, live),
            false => {
                let after = self.after(parts.stmt, live);
                Some(self.with_finally(parts, &after))
                    .filter(|exits| *exits != Exits::FALL)
                    .map(|exits| self.rest_of(exits, rest, live, parts.stmt.span))
            }
        };
        self.budget.leave();
        exits
    }

    fn after(&mut self, stmt: &Stmt, live: &Names) -> Names {
        let after = self.calls.frame().liveness.after(stmt);
        after.union(live).cloned().collect()
    }

    fn with_handlers(&mut self, parts: &Try<'_>, rest: Chain<'_>, live: &Names) -> Option<Exits> {
        let &Try { stmt, body, handlers, orelse, .. } = parts;
        self.check_handlers(handlers);
        let raised = self.calls.frame().liveness.raised(stmt);
        // Where no handler goes on, what follows belongs to the body's end; where the body never ends, to the handlers.
        let handlers_leave = handlers.iter().all(|handler| always_leaves(&handler.body));
        let body_leaves = always_leaves(body) || always_leaves(orelse);
        let takes_rest = handlers_leave || body_leaves;
        let after = if takes_rest { live.clone() } else { self.after(stmt, live) };
        let mut names: Names = raised.union(&after).cloned().collect();
        for stmt in orelse.iter().chain(rest_statements(rest).filter(|_| takes_rest)) {
            names.extend(names_read(stmt));
        }
        let span = stmt.span;
        let before = self.calls.state();
        let follows = |block, is_followed: bool| Chain { block, then: is_followed.then_some(&rest) };
        let ended = follows(orelse, handlers_leave && !body_leaves);
        let handled = |block| follows(block, body_leaves);
        let kept = self.names_to_keep(body, &raised);
        let (ok, exits, kept) = self.tried_keeping(&kept, &names, |s| s.block_to(body, &names));
        let state = self.calls.state();
        self.calls.set_state(before);
        let exits = self.branch(
            ok,
            &after,
            |s| {
                s.calls.set_state(state);
                s.rest_of_any(exits, ended, &after, span)
            },
            |s| {
                let caught = s.caught();
                s.recall(&kept);
                s.handle(handlers, caught, &after, &handled)
            },
        );
        if takes_rest {
            return Some(exits);
        }
        if exits == Exits::FALL { None } else { Some(self.rest_of(exits, rest, live, span)) }
    }

    /// Lowers what follows a block that ended in these ways.
    fn rest_of_any(&mut self, exits: Exits, rest: Chain<'_>, live: &Names, span: Span) -> Exits {
        match exits {
            Exits::FALL => self.chain(rest, live),
            exits => self.rest_of(exits, rest, live, span),
        }
    }

    /// The body alone, then the last block on every way out, after an exception, too. Where the last block does not leave early, what was
    /// under way goes on.
    fn with_finally(&mut self, parts: &Try<'_>, after: &Names) -> Exits {
        let &Try { stmt, body, handlers, finally, .. } = parts;
        let mut read = Names::new();
        finally.iter().for_each(|stmt| read.extend(names_read(stmt)));
        if finally.iter().any(may_leave) {
            let (around, returning) = self.calls.read_elsewhere();
            read.extend(after.iter().cloned().chain(around).chain(returning));
        }
        let names: Names = after.union(&read).cloned().collect();
        let inner = Try { finally: &[], ..*parts };
        let before = self.calls.state();
        let tried = if handlers.is_empty() { body } else { std::slice::from_ref(stmt) };
        let kept = self.names_to_keep(tried, &read);
        self.calls.frame().around.finally.push(read);
        let (ok, exits, kept) = self.tried_keeping(&kept, &names, |s| match handlers.is_empty() {
            true => s.block_to(body, &names),
            false => s.with_handlers(&inner, Chain::of(&[]), &names).unwrap_or(Exits::FALL),
        });
        self.calls.frame().around.finally.pop();
        let state = self.calls.state();
        self.calls.set_state(before);
        self.branch(
            ok,
            after,
            |s| {
                s.calls.set_state(state);
                s.ended_by(exits, finally, after)
            },
            |s| {
                let caught = s.caught();
                s.recall(&kept);
                let ends = s.block_to(finally, after);
                s.goes_on_after(ends, after, |s| {
                    s.raise_again(caught);
                    Exits::NEVER
                })
            },
        )
    }

    /// Lowers the last block on ways out that are taken afterwards.
    fn ended_by(&mut self, exits: Exits, finally: &[Stmt], after: &Names) -> Exits {
        if exits == Exits::NEVER {
            return exits;
        }
        let (exit, returned) = (self.calls.frame().state.exit.take(), self.calls.frame().state.returned.take());
        let (around, returning) = self.calls.read_elsewhere();
        let live: Names = after.iter().chain(&around).chain(&returning).cloned().collect();
        let ends = self.block_to(finally, &live);
        self.goes_on_after(ends, &live, |s| {
            let state = &mut s.calls.frame().state;
            (state.exit, state.returned) = (exit, returned);
            exits
        })
    }

    /// Goes on where the last block went past its end; where it left early, that counts.
    fn goes_on_after(&mut self, ends: Exits, live: &Names, goes_on: impl FnOnce(&mut Self) -> Exits) -> Exits {
        let others = ends.without(Exits::FALL);
        match (ends.has(Exits::FALL), others, self.calls.frame().state.exit) {
            (false, ..) => ends,
            (true, others, Some(exit)) if others != Exits::NEVER => {
                let fell = self.left_by(exit, Exits::FALL);
                self.branch(fell, live, goes_on, |s| {
                    s.calls.frame().state.exit = others.is_mixed().then_some(exit);
                    others
                })
            }
            _ => goes_on(self),
        }
    }

    /// The names that a body binds before something in it may raise, of those that are read then.
    fn names_to_keep(&mut self, body: &[Stmt], raised: &Names) -> Names {
        let mut kept = self.changed_values(body);
        // A list that is changed in place has to be memory.
        for name in kept.intersection(raised) {
            self.want_list_named(name);
        }
        let until = match body.split_last() {
            Some((last, before)) if binds_last(last) => before,
            _ => body,
        };
        kept.extend(assigned_names(until));
        kept.extend(reshaped_names(until));
        kept.intersection(raised).cloned().collect()
    }

    /// Names of lists and tuples of static length that a block changes in place: they are values, not memory.
    fn changed_values(&mut self, block: &[Stmt]) -> Names {
        let mut named = Names::new();
        for stmt in block {
            read_statement(stmt, &mut |expr| mutated(expr, &mut named));
            targets(stmt, &mut named);
        }
        let state = &self.calls.frame().state;
        let is_value = |name: &String| {
            matches!(
                state.names.get(name),
                Some(Binding::Bound(Value::List(_) | Value::Filled(_) | Value::Tuple(_), _))
            )
        };
        named.into_iter().filter(is_value).collect()
    }

    /// The exception that the `try` right before raised.
    fn caught(&mut self) -> (ValueId, ValueId) {
        let results = self.object(object::CAUGHT, Vec::new(), Vec::new(), vec![Type::Scalar(DType::I64), Type::Object]);
        (results[0], results[1])
    }

    /// Lowers the handlers of an exception, in order; where none fits, it goes on.
    fn handle<'c>(
        &mut self,
        handlers: &'c [Handler],
        (kind, text): (ValueId, ValueId),
        live: &Names,
        chain: &dyn Fn(&'c [Stmt]) -> Chain<'c>,
    ) -> Exits {
        let Some((handler, others)) = handlers.split_first() else {
            self.raise_again((kind, text));
            return Exits::NEVER;
        };
        let body = |s: &mut Self| {
            s.calls.frame().around.caught.push((kind, text));
            if let Some(name) = &handler.name {
                s.bind(name, Value::Text(text), handler.span);
            }
            let exits = s.chain(chain(&handler.body), live);
            s.calls.frame().around.caught.pop();
            if let Some(name) = &handler.name {
                s.unbind(name);
            }
            exits
        };
        if handler.exceptions.is_empty() {
            return body(self);
        }
        let kinds: BTreeSet<i32> = handler.exceptions.iter().filter_map(|name| kinds_of(name)).flatten().collect();
        let mut fits: Option<ValueId> = None;
        for one in kinds {
            let one = self.builder.i64(i64::from(one));
            let equal = self.builder.scalar(ScalarOp::Eq, &[kind, one]);
            fits = Some(match fits {
                Some(so_far) => self.builder.scalar(ScalarOp::BitOr, &[so_far, equal]),
                None => equal,
            });
        }
        match fits {
            Some(fits) => self.branch(fits, live, body, |s| s.handle(others, (kind, text), live, chain)),
            None => self.handle(others, (kind, text), live, chain),
        }
    }

    /// Reports what handlers may not do.
    fn check_handlers(&mut self, handlers: &[Handler]) {
        for handler in handlers {
            for name in handler.exceptions.iter().filter(|name| kinds_of(name).is_none()) {
                let what = format!("`except {name}`, which is no exception of Python's or NumPy's");
                let help = "name the exceptions that compiled code raises: `except (ValueError, KeyError):`";
                self.refuse(code::UNSUPPORTED_STATEMENT, handler.span, what, help);
            }
            let Some(name) = &handler.name else { continue };
            let mut other = None;
            handler.body.iter().for_each(|s| read_statement(s, &mut |e| other = other.or(other_use(e, name))));
            if let Some(span) = other {
                let what = format!("this use of the exception `{name}`");
                let help = format!("write `str({name})`, which is its message");
                self.refuse(code::UNSUPPORTED_EXPRESSION, span, what, help);
            }
        }
    }

    /// `raise` alone.
    pub fn reraise(&mut self) {
        match self.calls.frame().around.caught.last().copied() {
            Some(caught) => self.raise_again(caught),
            None => {
                let span = self.builder.span();
                let help = "write the exception: `raise ValueError(\"message\")`";
                self.refuse(code::UNSUPPORTED_STATEMENT, span, "`raise` alone, outside of `except`", help);
            }
        }
    }

    fn raise_again(&mut self, (kind, text): (ValueId, ValueId)) {
        self.object_effect(object::RAISE, vec![kind, text]);
    }
}

/// The statements of a chain.
fn rest_statements<'c>(chain: Chain<'c>) -> impl Iterator<Item = &'c Stmt> {
    let mut next = Some(chain);
    std::iter::from_fn(move || {
        let (stmt, rest) = next?.split()?;
        next = Some(rest);
        Some(stmt)
    })
}

/// Whether nothing can raise once a statement has bound a name.
fn binds_last(stmt: &Stmt) -> bool {
    let is_name = |target: &Expr| matches!(target.kind, ExprKind::Name(_));
    match &stmt.kind {
        StmtKind::Assign { targets, value } => {
            let are_names = |target: &Expr| match &target.kind {
                ExprKind::Tuple(items) => items.iter().all(is_name),
                _ => is_name(target),
            };
            targets.iter().all(are_names) && !binds(value)
        }
        StmtKind::AugAssign { target, value, .. } => is_name(target) && !binds(value),
        _ => false,
    }
}

/// Whether an expression binds a name: `(n := 2)`.
fn binds(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Binding { .. }) || expr.children().into_iter().any(binds)
}

/// Whether a statement of a `finally` block may leave it early; ways out of loops in it count, too.
fn may_leave(stmt: &Stmt) -> bool {
    let leaves = matches!(stmt.kind, StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue);
    leaves || stmt.kind.blocks().into_iter().flatten().any(may_leave)
}

/// Adds the names on which methods are called.
fn mutated(expr: &Expr, names: &mut Names) {
    if let ExprKind::Call { function, .. } = &expr.kind
        && let ExprKind::Attribute { value, .. } = &function.kind
        && let ExprKind::Name(name) = &value.kind
    {
        names.insert(name.clone());
    }
    expr.children().into_iter().for_each(|e| mutated(e, names));
}

/// Adds the names whose elements a statement assigns.
fn targets(stmt: &Stmt, names: &mut Names) {
    let mut base = |target: &Expr| {
        if let ExprKind::Subscript { value, .. } = &target.kind
            && let ExprKind::Name(name) = &value.kind
        {
            names.insert(name.clone());
        }
    };
    match &stmt.kind {
        StmtKind::Assign { targets, .. } | StmtKind::Delete(targets) => targets.iter().for_each(base),
        StmtKind::AugAssign { target, .. } => base(target),
        kind => kind.blocks().into_iter().flatten().for_each(|s| targets(s, names)),
    }
}

/// Where an expression uses an exception's name other than as text.
fn other_use(expr: &Expr, name: &str) -> Option<Span> {
    let is_name = |e: &Expr| matches!(&e.kind, ExprKind::Name(other) if other == name);
    match &expr.kind {
        ExprKind::Name(_) => is_name(expr).then_some(expr.span),
        ExprKind::Call { function, arguments, keywords } if matches!(&function.kind, ExprKind::Name(called) if called == "str" || called == "print") =>
        {
            let arguments = arguments.iter().filter(|e| !is_name(e)).chain(keywords.iter().map(|k| &k.value));
            arguments.into_iter().find_map(|e| other_use(e, name))
        }
        ExprKind::Formatted(parts) => parts.iter().find_map(|part| match part {
            FormattedPart::Value { value, repr: false, nested, .. } if is_name(value) && nested.is_empty() => None,
            part => part.values().into_iter().find_map(|value| other_use(value, name)),
        }),
        _ => expr.children().into_iter().find_map(|e| other_use(e, name)),
    }
}
