//! Lists that grow: `ys.append(v)` once in each iteration of a counted loop fills an array of that many members.
//!
//! The list is made by a display in the same function, and nothing reads it between that and the end of the loop: it has no other
//! name. The loop is lowered twice, first to find what a member looks like. All other lists that grow are of run time.

use numptx_ir::array::{Order, ValueId};
use numptx_ir::functions::Family;
use numptx_source::{Severity, Span, code};
use numptx_syntax::ast::{Expr, ExprKind, Stmt, StmtKind};

use crate::indexing::places::Place;
use crate::loops::for_and_while::{Header, Loop};
use crate::lowerer::loops::{Growing, Stage};
use crate::lowerer::{Lowerer, Point};
use crate::syntax::flow::{Exits, assigned_names, early_exits};
use crate::syntax::liveness::{Names, names_of, read_statement};
use crate::values::call::Call;
use crate::values::iterable::{Filled, Iterable};
use crate::values::members::{Extent, Member};
use crate::values::scope::Binding;
use crate::values::value::Value;

const HELP: &str = "make the array before the loop, and store in it: `ys = np.empty(n)` and `ys[i] = v`";

impl Lowerer<'_> {
    /// Notes the lists that an assignment makes.
    pub fn note_new_lists(&mut self, targets: &[Expr], value: &Expr) {
        let [target] = targets else { return };
        let pairs = match (&target.kind, &value.kind) {
            (ExprKind::Tuple(names), ExprKind::Tuple(values)) if names.len() == values.len() => {
                names.iter().zip(values).collect()
            }
            _ => vec![(target, value)],
        };
        for (target, value) in pairs {
            let (ExprKind::Name(name), true) = (&target.kind, is_new_list(value)) else { continue };
            let number = self.calls.frame().number;
            if let Some(Binding::Bound(Value::List(_), span)) = self.calls.frame().state.names.get(name) {
                let span = *span;
                let depth = self.calls.frame().around.loop_depths.len();
                self.loops.new_lists.insert((number, name.clone()), (span, depth));
            }
        }
    }

    /// Lowers a `for` that appends to lists in every iteration; `None` if it appends to none, or in another way.
    pub fn growing_loop(
        &mut self,
        stmt: &Stmt,
        (target, iterated): (&Expr, &Value),
        (body, orelse): (&[Stmt], &[Stmt]),
        live: &Names,
        unrolled: impl FnOnce(&mut Self) -> Exits,
    ) -> Option<Exits> {
        let first = self.loops.growing.len();
        for (name, is_fresh) in appended(target, body, orelse) {
            let number = self.calls.frame().number;
            let Some(Binding::Bound(Value::List(items), span)) = self.calls.frame().state.names.get(&name).cloned()
            else {
                continue;
            };
            // One from before a loop around this one is the same list in each of its iterations.
            let depth = self.calls.frame().around.loop_depths.len();
            if self.loops.new_lists.get(&(number, name.clone())) == Some(&(span, depth)) {
                self.loops.growing.push(Growing { name: (name, span), first, items, is_fresh, stage: Stage::Unrolled });
            }
        }
        if self.loops.growing.len() == first {
            return None;
        }
        let exits = match (iterated, self.iterable(iterated)) {
            (Value::Tuple(_) | Value::List(_), _) => {
                self.bind_growing(first);
                let exits = unrolled(self);
                for list in self.loops.growing.split_off(first) {
                    self.bind(&list.name.0, Value::List(list.items), list.name.1);
                }
                exits
            }
            (_, Some(iterable)) => {
                let iterable = self.settled_iterable(iterable, stmt.span);
                self.filling_loop(stmt, (target, iterable), (body, orelse), live, first)
            }
            _ => {
                self.loops.growing.truncate(first);
                return None;
            }
        };
        Some(exits)
    }

    fn bind_growing(&mut self, first: usize) {
        for n in first..self.loops.growing.len() {
            let (name, span) = self.loops.growing[n].name.clone();
            self.bind(&name, Value::Growing(n), span);
        }
    }

    fn filling_loop(
        &mut self,
        stmt: &Stmt,
        (target, iterable): (&Expr, Iterable),
        (body, orelse): (&[Stmt], &[Stmt]),
        live: &Names,
        first: usize,
    ) -> Exits {
        let (n_lists, zero) = (self.loops.growing.len(), self.builder.i64(0));
        let length = self.length(&iterable);
        let make = |kind| Expr { kind, span: target.span };
        let position = make(ExprKind::Name(position_name(first)));
        let both = make(ExprKind::Tuple(vec![position, target.clone()]));
        let (may_change, n_changed) = (iterable.may_change(), self.loops.n_changed_objects);
        let numbered = Iterable::Enumerate(Box::new(iterable), zero);
        let l = Loop { stmt, header: Header::For(&both, numbered), body, orelse };
        for n in first..n_lists {
            self.loops.growing[n].stage = Stage::Looking(Some(self.point()), None);
        }
        let (point, n_reports, n_element_writes) = (self.point(), self.reports.len(), self.loops.n_element_writes);
        self.bind_growing(first);
        let exits = self.nested_loop(&l, live);
        self.loops.growing.truncate(n_lists);
        if self.loops.growing[first..].iter().any(|list| matches!(list.stage, Stage::Looking(_, None))) {
            // Where nothing is wrong, no iteration gets as far as that: the list stays what it was.
            let is_refused =
                self.reports[n_reports.min(self.reports.len())..].iter().any(|r| r.severity == Severity::Error);
            for list in self.loops.growing.split_off(first) {
                let left = if is_refused { Value::Poison } else { Value::List(list.items) };
                self.bind(&list.name.0, left, list.name.1);
            }
            return exits;
        }
        self.rollback(point);
        self.reports.truncate(n_reports);
        self.loops.n_element_writes = n_element_writes;
        self.paths.diverged = false;
        let filled: Vec<Value> = (first..n_lists).map(|n| self.make_room(n, length, stmt.span)).collect();
        self.bind_growing(first);
        let exits = self.nested_loop(&l, live);
        self.loops.growing.truncate(n_lists);
        // How many iterations there are is known before the loop, or the list is one of run time.
        let is_counted = !may_change || self.loops.n_changed_objects == n_changed;
        for (list, value) in self.loops.growing.split_off(first).into_iter().zip(filled) {
            let value = if is_counted { value } else { self.at_run_time(&list.name) };
            self.bind(&list.name.0, value, list.name.1);
        }
        exits
    }

    /// A list that grows by as many members as is known after the loop alone.
    fn at_run_time(&mut self, (name, span): &(String, Span)) -> Value {
        if self.want_list_named(name) {
            return Value::Poison;
        }
        let message = "this list grows in a loop over what the loop itself changes";
        let help = "iterate over a copy: `for x in xs.copy():`";
        self.refuse(code::UNSUPPORTED_EXPRESSION, *span, message, help)
    }

    /// The array of a list that is as long as it will be, the members in it that it has. Gives the list.
    fn make_room(&mut self, n: usize, length: ValueId, span: Span) -> Value {
        let items = self.loops.growing[n].items.clone();
        let stage = std::mem::replace(&mut self.loops.growing[n].stage, Stage::Unrolled);
        let Stage::Looking(_, Some(Member { dtype, family, depth, extents: Some(extents), .. })) = stage else {
            let (name, _) = self.loops.growing[n].name.clone();
            if self.want_list_named(&name) {
                return Value::Poison;
            }
            let message = "members of this list may have different lengths, as far as is known before the loop";
            let help = "make the array before the loop, and store in it: `ys = np.empty((n, m))` and `ys[i] = v`";
            return self.refuse(code::UNSUPPORTED_EXPRESSION, self.loops.growing[n].name.1, message, help);
        };
        let offset = self.builder.i64(items.len() as i64);
        let mut lengths = vec![self.add_ints(length, offset)];
        for extent in &extents {
            lengths.push(match extent {
                Extent::Constant(n) => self.builder.i64(*n),
                Extent::Value(value) => *value,
            });
        }
        let array = self.builder.alloc(dtype, &lengths, Order::C);
        for (k, item) in items.into_iter().enumerate() {
            let own = item.typed().map(|t| self.builder.dtype(t.value));
            if own != Some(dtype) || family == Family::Array || !self.is_scalar(&item) {
                let what = item.describe(&self.builder);
                let (name, _) = self.loops.growing[n].name.clone();
                if self.want_list_named(&name) {
                    return Value::Poison;
                }
                let message = format!("this list begins with {what}, and members of another type are appended to it");
                return self.refuse(code::UNSUPPORTED_EXPRESSION, self.loops.growing[n].name.1, message, HELP);
            }
            let place = self.builder.i64(k as i64);
            self.put(array, place, item, span);
        }
        self.loops.growing[n].stage = Stage::Filling(array);
        let family = if family == Family::Array { Family::Numpy } else { family };
        Value::Filled(Filled { array, family, depth: 1 + depth })
    }

    fn put(&mut self, array: ValueId, position: ValueId, value: Value, span: Span) {
        let view = self.builder.index(array, 0, position);
        let value = if let Value::Filled(list) = value { Value::array(list.array) } else { value };
        let place = if self.builder.rank(view) == 0 { Place::Element(view) } else { Place::View(view) };
        self.set_item(place, value, span);
    }

    /// `ys.append(value)`
    pub fn append(&mut self, n: usize, call: &Call) -> Value {
        let [value] = call.positional.as_slice() else {
            return self.refuse(code::BAD_ARGUMENT, call.span, "`append` takes one argument", "write `ys.append(v)`");
        };
        match &mut self.loops.growing[n].stage {
            Stage::Unrolled => self.loops.growing[n].items.push(value.clone()),
            Stage::Looking(point, found) => {
                let before = point.take();
                *found = None;
                let Some(before) = before else { return Value::None };
                let member = self.appendable(n, value, &before, call.places[0]);
                self.loops.growing[n].stage = Stage::Looking(Some(before), member);
            }
            Stage::Filling(array) => {
                let array = *array;
                let name = position_name(self.loops.growing[n].first);
                let position = self.calls.frame().state.names.get(&name).cloned();
                let Some(Binding::Bound(Value::Typed(position), _)) = position else { return Value::Poison };
                let offset = self.builder.i64(self.loops.growing[n].items.len() as i64);
                let position = self.add_ints(position.value, offset);
                self.put(array, position, value.clone(), call.span);
            }
        }
        Value::None
    }

    fn appendable(&mut self, n: usize, value: &Value, before: &Point, span: Span) -> Option<Member> {
        let is_array = self.has_axes(value);
        let is_number = matches!(value, Value::Typed(_) | Value::Poison);
        if !is_number || is_array && !self.loops.growing[n].is_fresh {
            let (name, _) = self.loops.growing[n].name.clone();
            if self.want_list_named(&name) {
                return None;
            }
            let message = format!("{} is appended to a list of run-time length", value.describe(&self.builder));
            let help = match is_array {
                true => {
                    "store it in an array that is made before the loop: `ys = np.empty((n, len(x)))` and `ys[i] = x`"
                }
                false => "append numbers to a list of their own each: `xs.append(a)` and `ys.append(b)`",
            };
            self.refuse(code::UNSUPPORTED_EXPRESSION, span, message, help);
            return None;
        }
        let member = self.looks_like(value, before, span)?;
        if !member.is_in_c_order {
            let (name, _) = self.loops.growing[n].name.clone();
            if self.want_list_named(&name) {
                return None;
            }
        }
        Some(member)
    }
}

/// The position of the loop that the list with this number, and maybe some after it, grow in; no program can write it.
fn position_name(first: usize) -> String {
    format!(".position{first}")
}

fn is_new_list(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::List(_) => true,
        ExprKind::Call { function, arguments, keywords } => {
            matches!(&function.kind, ExprKind::Name(name) if name == "list")
                && arguments.is_empty()
                && keywords.is_empty()
        }
        _ => false,
    }
}

/// The names that a loop's body appends to once in every iteration, and does not mention otherwise; whether what is appended is made there.
fn appended(target: &Expr, body: &[Stmt], orelse: &[Stmt]) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    if early_exits(body) != Exits::NEVER {
        return found;
    }
    let assigned = assigned_names(body);
    for stmt in body {
        if continues(stmt) {
            break;
        }
        let Some((name, member)) = append_in(stmt) else { continue };
        let mut n_mentions = mentions(target, name);
        body.iter().chain(orelse).for_each(|s| read_statement(s, &mut |e| n_mentions += mentions(e, name)));
        if n_mentions == 1 && !assigned.contains(name) {
            found.push((name.to_owned(), is_made(member)));
        }
    }
    found
}

/// `name.append(member)` as a statement.
fn append_in(stmt: &Stmt) -> Option<(&str, &Expr)> {
    let StmtKind::Expr(Expr { kind: ExprKind::Call { function, arguments, keywords }, .. }) = &stmt.kind else {
        return None;
    };
    let ExprKind::Attribute { value, name: method, .. } = &function.kind else { return None };
    match (&value.kind, arguments.as_slice(), keywords.is_empty()) {
        (ExprKind::Name(name), [member], true) if method == "append" => Some((name, member)),
        _ => None,
    }
}

/// Whether an array that an expression gives is a new one.
fn is_made(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Binary { .. } | ExprKind::Unary { .. } => true,
        ExprKind::Call { function, .. } => {
            matches!(&function.kind, ExprKind::Attribute { name, .. } if name == "copy" || name == "array")
        }
        _ => false,
    }
}

/// Whether a statement may go on with the next iteration of the loop that it stands in.
fn continues(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Continue => true,
        StmtKind::If { body, orelse, .. } => body.iter().chain(orelse).any(continues),
        StmtKind::Try { .. } => stmt.kind.blocks().into_iter().flatten().any(continues),
        StmtKind::For { orelse, .. } | StmtKind::While { orelse, .. } => orelse.iter().any(continues),
        _ => false,
    }
}

/// How often an expression mentions a name; more than once where a function in it does.
fn mentions(expr: &Expr, name: &str) -> usize {
    let own = match &expr.kind {
        ExprKind::Name(other) => usize::from(other == name),
        ExprKind::Lambda(function) if names_of(function).contains(name) => 2,
        _ => 0,
    };
    own + expr.children().into_iter().map(|e| mentions(e, name)).sum::<usize>()
}
