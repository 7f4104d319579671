//! `try`: its body is the region of an op, and what is done with an exception is a branch on whether it ended.
//!
//! Where an exception leaves a name depends on how far the body came. Names that are read once something was raised have the values from before the body,
//! so a body that assigns one of them is tried in several parts, one a statement.

use std::collections::BTreeSet;

use numptx_ir::DType;
use numptx_ir::array::{Type, ValueId};
use numptx_ir::error_kind;
use numptx_ir::object;
use numptx_ir::scalar::ScalarOp;
use numptx_source::{Span, code};
use numptx_syntax::ast::{Expr, ExprKind, FormattedPart, Handler, Stmt, StmtKind};

use crate::flow::{Exits, always_leaves, assigned_names, early_exits};
use crate::liveness::{Names, names_read, read_statement};
use crate::lowerer::Lowerer;
use crate::scope::Binding;
use crate::statements::{Chain, Try};
use crate::value::Value;

/// Names that no program has: whether nothing was raised so far, and what was.
const GOES_ON: &str = "try goes on";
const KIND: &str = "try kind";
const TEXT: &str = "try text";

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
        self.leave();
        exits
    }

    fn after(&mut self, stmt: &Stmt, live: &Names) -> Names {
        let after = self.frame().liveness.after(stmt);
        after.union(live).cloned().collect()
    }

    fn with_handlers(&mut self, parts: &Try<'_>, rest: Chain<'_>, live: &Names) -> Option<Exits> {
        let &Try { stmt, body, handlers, orelse, .. } = parts;
        self.check_handlers(handlers);
        let raised = self.frame().liveness.raised(stmt);
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
        let before = self.state();
        let follows = |block, is_followed: bool| Chain { block, then: is_followed.then_some(&rest) };
        let ended = follows(orelse, handlers_leave && !body_leaves);
        let handled = |block| follows(block, body_leaves);
        let exits = match self.pieces(body, &raised) {
            None => return Some(Exits::NEVER),
            Some(false) => {
                let (ok, exits) = self.tried(&names, |s| s.block_to(body, &names));
                let state = self.state();
                self.set_state(before);
                self.branch(
                    ok,
                    &after,
                    |s| {
                        s.set_state(state);
                        s.rest_of_any(exits, ended, &after, span)
                    },
                    |s| {
                        let caught = s.caught();
                        s.handle(handlers, caught, &after, &handled)
                    },
                )
            }
            Some(true) => {
                names.extend([GOES_ON, KIND, TEXT].map(str::to_string));
                body.iter().for_each(|stmt| names.extend(names_read(stmt)));
                let exits = self.in_pieces(body, &names);
                let Some((goes_on, caught)) = self.outcome() else { return Some(Exits::NEVER) };
                let exit = self.frame().state.exit;
                self.branch(
                    goes_on,
                    &after,
                    |s| {
                        s.frame().state.exit = exit;
                        s.rest_of_any(exits, ended, &after, span)
                    },
                    |s| s.handle(handlers, caught, &after, &handled),
                )
            }
        };
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

    /// The body alone, then the last block on every way out; an exception goes on from there.
    fn with_finally(&mut self, parts: &Try<'_>, after: &Names) -> Exits {
        let &Try { stmt, body, handlers, orelse, finally } = parts;
        let mut read = Names::new();
        finally.iter().for_each(|stmt| read.extend(names_read(stmt)));
        if early_exits(finally) != Exits::NEVER || always_leaves(finally) {
            let help = "end the `finally` block without `return`, `break` or `raise`";
            self.refuse(code::UNSUPPORTED_STATEMENT, stmt.span, "a `finally` block that leaves early", help);
            return Exits::NEVER;
        }
        let blocks = [body, orelse].into_iter().chain(handlers.iter().map(|handler| handler.body.as_slice()));
        if blocks.flatten().any(|s| returns_from_loop(s, &read)) {
            let help = "note in a name that the loop is over, `break`, and return after the `try`";
            self.refuse(
                code::UNSUPPORTED_STATEMENT,
                stmt.span,
                "a `return` in a loop that assigns what the `finally` block reads",
                help,
            );
            return Exits::NEVER;
        }
        self.frame().finally.push(read.clone());
        let names: Names = after.union(&read).cloned().collect();
        let inner = Try { finally: &[], ..*parts };
        let before = self.state();
        let assigned = match handlers.is_empty() {
            true => body,
            false => std::slice::from_ref(stmt),
        };
        let (ok, exits) = match self.pieces(assigned, &read) {
            None => {
                self.frame().finally.pop();
                return Exits::NEVER;
            }
            Some(is_split) if is_split && handlers.is_empty() => {
                let mut names = names.clone();
                names.extend([GOES_ON, KIND, TEXT].map(str::to_string));
                body.iter().for_each(|stmt| names.extend(names_read(stmt)));
                let exits = self.in_pieces(body, &names);
                self.frame().finally.pop();
                let Some((goes_on, caught)) = self.outcome() else { return Exits::NEVER };
                return self.finish(goes_on, exits, Some(caught), finally, after);
            }
            Some(_) => self.tried(&names, |s| match handlers.is_empty() {
                true => s.block_to(body, &names),
                false => s.with_handlers(&inner, Chain::of(&[]), &names).unwrap_or(Exits::FALL),
            }),
        };
        self.frame().finally.pop();
        let state = self.state();
        self.set_state(before);
        self.frame().finally.push(read);
        let exits = self.branch(
            ok,
            &names,
            |s| {
                s.set_state(state);
                exits
            },
            |s| {
                let caught = s.caught();
                s.block_to(finally, &Names::new());
                s.raise_again(caught);
                Exits::NEVER
            },
        );
        self.frame().finally.pop();
        self.ended_by(exits, finally, after)
    }

    /// What `finally` does after a body in several parts.
    fn finish(
        &mut self,
        goes_on: ValueId,
        exits: Exits,
        caught: Option<(ValueId, ValueId)>,
        finally: &[Stmt],
        after: &Names,
    ) -> Exits {
        let exits = self.ended_by(exits, finally, after);
        if let Some((kind, text)) = caught {
            self.raise_kind_unless(goes_on, kind, text);
        }
        exits
    }

    /// Lowers the last block on ways out that are taken afterwards.
    fn ended_by(&mut self, exits: Exits, finally: &[Stmt], after: &Names) -> Exits {
        if exits == Exits::NEVER {
            return exits;
        }
        let (exit, returned) = (self.frame().state.exit.take(), self.frame().state.returned.clone());
        let (around, returning) = self.read_elsewhere();
        let live: Names = after.iter().chain(&around).chain(&returning).cloned().collect();
        let ends = self.block_to(finally, &live);
        let state = &mut self.frame().state;
        (state.exit, state.returned) = (exit, returned);
        if ends == Exits::NEVER { Exits::NEVER } else { exits }
    }

    /// Whether a body has to be lowered in pieces; `None` after a report.
    fn pieces(&mut self, body: &[Stmt], raised: &Names) -> Option<bool> {
        // A list that is changed in place has to be memory.
        for name in self.changed_values(body).intersection(raised) {
            self.want_list_named(name);
        }
        let conflicts = |s: &mut Self, block: &[Stmt]| -> Names {
            let mut changed = assigned_names(block);
            changed.extend(s.changed_values(block));
            changed.intersection(raised).cloned().collect()
        };
        if body.len() == 1 && is_simple(&body[0]) || conflicts(self, body).is_empty() {
            return Some(false);
        }
        for stmt in body {
            let is_loop = matches!(stmt.kind, StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::Try { .. });
            let names = conflicts(self, std::slice::from_ref(stmt));
            if let (true, Some(name)) = (is_loop, names.first()) {
                let what = format!("`{name}`, which is assigned in this part of a `try` and read after an exception");
                let help =
                    format!("assign `{name}` before the `try` and in its handlers, or put the `try` into the loop");
                self.refuse(code::UNSUPPORTED_STATEMENT, stmt.span, what, help);
                return None;
            }
            if let StmtKind::If { .. } = &stmt.kind {
                for block in stmt.kind.blocks() {
                    self.pieces(block, raised)?;
                }
            }
        }
        Some(true)
    }

    /// Names of lists and tuples of static length that a block changes in place: they are values, not memory.
    fn changed_values(&mut self, block: &[Stmt]) -> Names {
        let mut named = Names::new();
        for stmt in block {
            read_statement(stmt, &mut |expr| mutated(expr, &mut named));
            targets(stmt, &mut named);
        }
        let state = &self.frame().state;
        let is_value = |name: &String| {
            matches!(
                state.names.get(name),
                Some(Binding::Bound(Value::List(_) | Value::Filled(_) | Value::Tuple(_), _))
            )
        };
        named.into_iter().filter(is_value).collect()
    }

    /// Lowers statements each in a `try` of its own. The state has whether they all ended, and what was raised.
    fn in_pieces(&mut self, body: &[Stmt], names: &Names) -> Exits {
        self.nothing_raised();
        self.piece(body, names)
    }

    fn piece(&mut self, body: &[Stmt], names: &Names) -> Exits {
        let Some((stmt, rest)) = body.split_first() else { return Exits::FALL };
        let before = self.state();
        let (ok, exits) = self.tried(names, |s| s.block_to(std::slice::from_ref(stmt), names));
        let state = self.state();
        self.set_state(before);
        self.branch(
            ok,
            names,
            |s| {
                s.set_state(state);
                match exits {
                    Exits::FALL => s.piece(rest, names),
                    exits if exits.has(Exits::FALL) => {
                        let Some(exit) = s.frame().state.exit else { return exits };
                        let goes_on = s.left_by(exit, Exits::FALL);
                        let others = exits.without(Exits::FALL);
                        s.branch(
                            goes_on,
                            names,
                            |s| s.piece(rest, names),
                            |s| {
                                s.frame().state.exit = others.is_mixed().then_some(exit);
                                others
                            },
                        )
                    }
                    exits => exits,
                }
            },
            |s| {
                let (kind, text) = s.caught();
                let no = s.bool_id(false);
                s.note_outcome(no, kind, text);
                Exits::FALL
            },
        )
    }

    fn nothing_raised(&mut self) {
        let (yes, kind, text) = (self.bool_id(true), self.builder.i64(0), self.text_constant(""));
        self.note_outcome(yes, kind, text);
    }

    fn note_outcome(&mut self, goes_on: ValueId, kind: ValueId, text: ValueId) {
        let values = [(GOES_ON, Value::python(goes_on)), (KIND, Value::python(kind)), (TEXT, Value::Text(text))];
        for (name, value) in values {
            self.frame().state.names.insert(name.to_string(), Binding::Bound(value, Span::default()));
        }
    }

    /// Whether the body goes on, and what was raised if not.
    fn outcome(&mut self) -> Option<(ValueId, (ValueId, ValueId))> {
        let value = |s: &mut Self, name: &str| match s.frame().state.names.remove(name) {
            Some(Binding::Bound(Value::Text(text), _)) => Some(text),
            Some(Binding::Bound(value, _)) => value.typed().map(|t| t.value),
            _ => None,
        };
        let (goes_on, kind, text) = (value(self, GOES_ON)?, value(self, KIND)?, value(self, TEXT)?);
        Some((goes_on, (kind, text)))
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
            s.frame().caught.push((kind, text));
            if let Some(name) = &handler.name {
                s.bind(name, Value::Text(text), handler.span);
            }
            let exits = s.chain(chain(&handler.body), live);
            s.frame().caught.pop();
            if let Some(name) = &handler.name {
                s.frame().state.names.remove(name);
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
        match self.frame().caught.last().copied() {
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

fn is_simple(stmt: &Stmt) -> bool {
    stmt.kind.blocks().is_empty()
}

/// Whether a loop in a statement can be left by `return`, and assigns one of these names.
fn returns_from_loop(stmt: &Stmt, names: &Names) -> bool {
    let is_loop = matches!(stmt.kind, StmtKind::For { .. } | StmtKind::While { .. });
    let this = std::slice::from_ref(stmt);
    is_loop && early_exits(this).has(Exits::RETURN) && assigned_names(this).iter().any(|name| names.contains(name))
        || stmt.kind.blocks().into_iter().flatten().any(|s| returns_from_loop(s, names))
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
