//! Lowers `for` and `while` to loop ops with carried values.
//!
//! The names that an iteration hands to the next one, or to what follows, are carried. What they look like is found by lowering
//! the body until nothing changes: layouts widen, a Python scalar that meets a NumPy one becomes one. Earlier attempts are dropped.
//! A `for` without `break` and `return` is a `for` op; every other loop is a `while` op that remembers how it was left.

use std::collections::BTreeMap;

use numptx_ir::DType;
use numptx_ir::array::{OpKind, Region, Type, ValueId};
use numptx_ir::scalar::{Constant, ScalarOp};
use numptx_source::Span;
use numptx_syntax::ast::{Expr, Stmt};

use crate::control::{Slot, Target};
use crate::facts::Fact;
use crate::flow::{Exits, assigned_names, early_exits, target_names};
use crate::iteration::Iterable;
use crate::liveness::Names;
use crate::lowerer::Lowerer;
use crate::scope::{Binding, State};
use crate::value::Value;

/// A loop statement.
pub(crate) struct Loop<'a> {
    /// The statement.
    pub stmt: &'a Stmt,
    /// What decides on the next iteration.
    pub header: Header<'a>,
    /// The body.
    pub body: &'a [Stmt],
    /// Run when the loop was not left by `break`.
    pub orelse: &'a [Stmt],
}

/// What decides on the next iteration.
pub(crate) enum Header<'a> {
    /// `for target in iterable`
    For(&'a Expr, Iterable),
    /// `while test`
    While(&'a Expr),
}

/// What an attempt at a loop assumes.
#[derive(Clone, PartialEq)]
struct Plan {
    /// What is carried, in order.
    carried: Vec<Carried>,
    /// Names that have no usable value at the head and afterwards.
    dropped: BTreeMap<String, Binding>,
}

/// A carried place.
#[derive(Clone, PartialEq)]
struct Carried {
    slot: Slot,
    /// It has a value before the loop; otherwise none until the body gives it one.
    defined: bool,
}

/// A lowered loop: the way it was left as a value, if it can be left early, and what its body did.
struct Lowered {
    exit: Option<ValueId>,
    exits: Exits,
    endless: bool,
    state: State,
}

impl Lowerer<'_> {
    /// Lowers a loop. `live`: names read after it.
    pub fn loop_statement(&mut self, l: &Loop<'_>, live: &Names) -> Exits {
        let mut after = self.frame().liveness.after(l.stmt);
        after.extend(live.iter().cloned());
        let mut inner = self.frame().liveness.head(l.stmt);
        inner.extend(after.iter().cloned());
        let mut names = assigned_names(l.body);
        if let Header::For(target, _) = &l.header {
            target_names(target, &mut names);
        }
        names.retain(|n| inner.contains(n));
        let before = self.state();
        let mut plan = self.first_plan(&before, &names);
        self.frame().loops.push(inner);
        let lowered = loop {
            let point = self.point();
            let (lowered, next) = self.attempt(l, &plan, &names);
            if next == plan {
                break lowered;
            }
            self.rollback(point);
            plan = next;
        };
        self.frame().loops.pop();
        let mut state = lowered.state.clone();
        self.note_undefined(&before, &mut state, &names, l);
        self.set_state(state);
        self.after_loop(l, &lowered, &after)
    }

    fn first_plan(&self, before: &State, names: &Names) -> Plan {
        let carried = names.iter().filter_map(|name| match before.names.get(name) {
            Some(Binding::Bound(value, span)) => {
                let slot = Slot { target: Target::Name(name.clone()), form: self.form(value), span: *span };
                Some(Carried { slot, defined: true })
            }
            _ => None,
        });
        Plan { carried: carried.collect(), dropped: BTreeMap::new() }
    }

    /// Names that got their first value in a loop that may run no iteration.
    fn note_undefined(&mut self, before: &State, state: &mut State, names: &Names, l: &Loop<'_>) {
        for name in names {
            if !before.names.contains_key(name) && !state.names.contains_key(name) {
                state.names.insert(name.clone(), Binding::MaybeUndefined(l.stmt.span));
            }
        }
    }

    fn attempt(&mut self, l: &Loop<'_>, plan: &Plan, names: &Names) -> (Lowered, Plan) {
        match &l.header {
            Header::For(target, iterable) if early_exits(l.body) == Exits::NEVER => {
                self.attempt_for(l, target, iterable, plan, names)
            }
            _ => self.attempt_while(l, plan, names),
        }
    }

    /// Values with which the loop starts.
    fn initial(&mut self, plan: &Plan) -> Vec<ValueId> {
        let before = self.state();
        let mut values = Vec::new();
        for carried in &plan.carried {
            let exits = if carried.defined { Exits::FALL } else { Exits::NEVER };
            values.extend(self.slot_values(&carried.slot, exits, &before));
        }
        values
    }

    /// The state at the head of an iteration, or after the loop if `finished`.
    fn bind_carried(&mut self, plan: &Plan, values: &[ValueId], finished: bool) {
        let mut state = State { exit: None, ..self.state() };
        state.names.extend(plan.dropped.clone());
        let mut values = values.iter().copied();
        for carried in &plan.carried {
            if carried.defined || finished {
                self.fill(&mut state, &carried.slot, &mut values);
            } else {
                carried.slot.form.types().iter().for_each(|_| {
                    values.next();
                });
            }
        }
        self.set_state(state);
    }

    fn attempt_for(
        &mut self,
        l: &Loop<'_>,
        target: &Expr,
        iterable: &Iterable,
        plan: &Plan,
        names: &Names,
    ) -> (Lowered, Plan) {
        let before = self.state();
        let (lower, upper, step, element) = self.counted(iterable);
        let mut operands = vec![lower, upper, step];
        operands.extend(self.initial(plan));
        let types: Vec<Type> = plan.carried.iter().flat_map(|c| c.slot.form.types()).collect();
        let parameters = self.builder.open_region(&[vec![Type::Scalar(DType::I64)], types.clone()].concat());
        self.bind_carried(plan, &parameters[1..], false);
        self.note_counter(parameters[0], lower, upper, step);
        let value = match element {
            Some(iterable) => self.element(iterable, parameters[0], target.span),
            None => Value::python(parameters[0]),
        };
        self.assign_target(target, value);
        let exits = self.block(l.body);
        let runs = self.facts.never_exceeds(&self.builder, lower, 1, upper) && self.builder.as_i64(step) == Some(1);
        let (next, region) = self.end_body(plan, names, exits, runs, &[]);
        self.set_state(before);
        let results = self.builder.emit_typed(OpKind::For, operands, types, vec![region]);
        self.bind_carried(plan, &results, true);
        (Lowered { exit: None, exits: Exits::FALL, endless: false, state: self.state() }, next)
    }

    /// Bounds of the loop op's counter, and what to iterate if the counter is not the element itself.
    fn counted<'i>(&mut self, iterable: &'i Iterable) -> (ValueId, ValueId, ValueId, Option<&'i Iterable>) {
        match iterable {
            Iterable::Range { lower, upper, step } => (*lower, *upper, *step, None),
            other => {
                let (zero, one) = (self.builder.i64(0), self.builder.i64(1));
                (zero, self.length(other), one, Some(other))
            }
        }
    }

    fn note_counter(&mut self, counter: ValueId, lower: ValueId, upper: ValueId, step: ValueId) {
        let fact = match self.builder.as_i64(step) {
            Some(n) if n > 0 => self.facts.counter(&self.builder, lower, upper),
            Some(_) => self.facts.countdown(&self.builder, lower, upper),
            None => Fact::ANY,
        };
        self.facts.set(counter, fact);
    }

    fn attempt_while(&mut self, l: &Loop<'_>, plan: &Plan, names: &Names) -> (Lowered, Plan) {
        let before = self.state();
        let length = match &l.header {
            Header::For(_, iterable) => Some(self.length(iterable)),
            Header::While(_) => None,
        };
        // Carried first: how the loop was left, if it can be left early, and the position of a `for`.
        let early = early_exits(l.body) != Exits::NEVER;
        let n_own = usize::from(early) + usize::from(length.is_some());
        let mut operands = Vec::new();
        if early {
            operands.push(self.builder.i64(Exits::FALL.code()));
        }
        if length.is_some() {
            operands.push(self.builder.i64(0));
        }
        operands.extend(self.initial(plan));
        let mut types = vec![Type::Scalar(DType::I64); n_own];
        types.extend(plan.carried.iter().flat_map(|c| c.slot.form.types()));
        let (test, endless) = self.test_region(l, plan, &types, early, length);
        self.set_state(before.clone());
        let parameters = self.builder.open_region(&types);
        self.bind_carried(plan, &parameters[n_own..], false);
        if let (Header::For(target, iterable), Some(length)) = (&l.header, length) {
            let (zero, one) = (self.builder.i64(0), self.builder.i64(1));
            self.note_counter(parameters[n_own - 1], zero, length, one);
            let value = self.element(iterable, parameters[n_own - 1], target.span);
            self.assign_target(target, value);
        }
        let exits = self.block(l.body);
        let runs = endless || length.is_some_and(|n| self.fact(n).low > 0);
        let own = self.own_carried(early, length.is_some(), exits, &parameters);
        let (next, body) = self.end_body(plan, names, exits, runs, &own);
        self.set_state(before);
        let results = self.builder.emit_typed(OpKind::While, operands, types, vec![test, body]);
        self.bind_carried(plan, &results[n_own..], true);
        let exit = early.then(|| results[0]);
        (Lowered { exit, exits, endless, state: self.state() }, next)
    }

    /// The region that decides on the next iteration, and whether nothing but leaving early ends the loop.
    fn test_region(
        &mut self,
        l: &Loop<'_>,
        plan: &Plan,
        types: &[Type],
        early: bool,
        length: Option<ValueId>,
    ) -> (Region, bool) {
        let parameters = self.builder.open_region(types);
        let n_own = usize::from(early) + usize::from(length.is_some());
        self.bind_carried(plan, &parameters[n_own..], false);
        let goes_on = early.then(|| self.left_by(parameters[0], Exits::FALL));
        let (condition, endless) = match (&l.header, length) {
            (Header::For(..), Some(length)) => {
                let more = self.builder.scalar(ScalarOp::Lt, &[parameters[n_own - 1], length]);
                (goes_on.map_or(more, |g| self.both(ScalarOp::BitAnd, g, more)), false)
            }
            (Header::While(test), _) => self.while_condition(test, goes_on),
            (Header::For(..), None) => (self.bool_id(false), false),
        };
        (self.close_with(vec![condition]), endless)
    }

    /// `goes_on and test`; the test is evaluated only if the loop goes on.
    fn while_condition(&mut self, test: &Expr, goes_on: Option<ValueId>) -> (ValueId, bool) {
        let form = Type::Scalar(DType::Bool);
        self.builder.open_region(&[]);
        let value = self.condition(test);
        let region = self.builder.close_region();
        let pure = region.ops.iter().all(|op| op.kind.is_pure_scalar_or_view());
        let endless = self.builder.as_constant(value) == Some(Constant::Bool(true));
        match goes_on {
            None => {
                self.builder.splice(region);
                (value, endless)
            }
            Some(goes_on) if pure => {
                self.builder.splice(region);
                (self.both(ScalarOp::BitAnd, goes_on, value), endless)
            }
            Some(goes_on) => {
                self.builder.reopen_region(region);
                let then = self.close_with(vec![value]);
                self.builder.open_region(&[]);
                let no = self.bool_id(false);
                let otherwise = self.close_with(vec![no]);
                (self.builder.emit_typed(OpKind::If, vec![goes_on], vec![form], vec![then, otherwise])[0], endless)
            }
        }
    }

    /// What the loop itself carries to the next iteration.
    fn own_carried(&mut self, early: bool, counts: bool, exits: Exits, parameters: &[ValueId]) -> Vec<ValueId> {
        let mut own = Vec::new();
        if early {
            let state = self.state();
            let goes_on = self.builder.i64(Exits::FALL.code());
            own.push(match exits.without(Exits::FALL.or(Exits::CONTINUE)) {
                Exits::NEVER => goes_on,
                _ if exits.has(Exits::CONTINUE) => {
                    let exit = self.exit_code(exits, &state);
                    let continued = self.left_by(exit, Exits::CONTINUE);
                    self.builder.scalar(ScalarOp::Select, &[continued, goes_on, exit])
                }
                _ => self.exit_code(exits, &state),
            });
        }
        if counts {
            let one = self.builder.i64(1);
            own.push(self.builder.scalar(ScalarOp::Add, &[parameters[own.len()], one]));
        }
        own
    }

    /// Ends the body's region, and says what the next attempt has to assume: the same plan if this one was right.
    fn end_body(&mut self, plan: &Plan, names: &Names, exits: Exits, runs: bool, own: &[ValueId]) -> (Plan, Region) {
        let state = self.state();
        let next = self.next_plan(plan, names, exits, runs, &state);
        let mut values = own.to_vec();
        if next == *plan {
            for carried in &plan.carried {
                values.extend(self.slot_values(&carried.slot, exits, &state));
            }
        }
        (next, self.close_with(values))
    }

    fn next_plan(&mut self, plan: &Plan, names: &Names, exits: Exits, runs: bool, state: &State) -> Plan {
        let mut next = Plan { carried: Vec::new(), dropped: plan.dropped.clone() };
        let local = exits.has(Exits::LOCAL);
        for carried in &plan.carried {
            let binding = match &carried.slot.target {
                Target::Name(name) if local => state.names.get(name),
                Target::Return if exits.has(Exits::RETURN) => state.returned.as_ref(),
                _ => None,
            };
            match binding {
                Some(Binding::Bound(value, span)) => self.widen(carried, value, *span, &mut next),
                Some(other) => {
                    if let Target::Name(name) = &carried.slot.target {
                        next.dropped.insert(name.clone(), other.clone());
                    }
                }
                None => next.carried.push(carried.clone()),
            }
        }
        let known = |target: &Target| plan.carried.iter().any(|c| c.slot.target == *target);
        let mut add = |target: Target, binding: Option<&Binding>| {
            if let (false, Some(Binding::Bound(value, span))) = (known(&target), binding) {
                let slot = Slot { target, form: self.form(value), span: *span };
                next.carried.push(Carried { slot, defined: false });
            }
        };
        if exits.has(Exits::RETURN) {
            add(Target::Return, state.returned.as_ref());
        }
        for name in names.iter().filter(|n| runs && local && !plan.dropped.contains_key(*n)) {
            add(Target::Name(name.clone()), state.names.get(name));
        }
        next
    }

    /// Carries what a place looked like and what it looks like now, or drops it.
    fn widen(&mut self, carried: &Carried, value: &Value, span: Span, next: &mut Plan) {
        let old = &carried.slot;
        if let Some(form) = old.form.join(&self.form(value)) {
            next.carried.push(Carried { slot: Slot { form, ..old.clone() }, defined: carried.defined });
            return;
        }
        let found = old.form.describe(self);
        let Binding::Different(mut difference) = self.difference((value, old.span), (value, span)) else { return };
        difference.first.1 = found;
        let binding = Binding::Different(difference);
        match &old.target {
            Target::Name(name) => drop(next.dropped.insert(name.clone(), binding)),
            _ => {
                if let Some(Binding::Bound(value, _)) = self.returned_binding(Some(binding)) {
                    let form = self.form(&value);
                    next.carried.push(Carried { slot: Slot { form, ..old.clone() }, defined: false });
                }
            }
        }
    }

    /// Runs `else`, and says how the whole statement ends.
    fn after_loop(&mut self, l: &Loop<'_>, lowered: &Lowered, live: &Names) -> Exits {
        let early = lowered.exits.and(Exits::BREAK.or(Exits::RETURN));
        let Some(exit) = lowered.exit else {
            return if lowered.endless { Exits::NEVER } else { self.block_to(l.orelse, live) };
        };
        let normal = if lowered.endless { Exits::NEVER } else { Exits::FALL };
        match (normal, early) {
            (Exits::NEVER, _) => self.leave_loop(exit, early),
            (_, Exits::NEVER) => self.block_to(l.orelse, live),
            _ if l.orelse.is_empty() => self.leave_loop(exit, early.or(normal)),
            _ => {
                let finished = self.left_by(exit, Exits::FALL);
                self.branch(finished, live, |s| s.block_to(l.orelse, live), |s| s.leave_loop(exit, early))
            }
        }
    }

    /// After a loop that was left in one of these ways, `break` is going on.
    pub fn leave_loop(&mut self, exit: ValueId, ways: Exits) -> Exits {
        let goes_on = ways.has(Exits::FALL.or(Exits::BREAK));
        let exits = if goes_on { ways.without(Exits::BREAK).or(Exits::FALL) } else { ways };
        if exits.is_mixed() {
            let mut state = self.state();
            state.exit = Some(if ways.has(Exits::BREAK) {
                let returned = self.left_by(exit, Exits::RETURN);
                let (yes, no) = (self.builder.i64(Exits::RETURN.code()), self.builder.i64(Exits::FALL.code()));
                self.builder.scalar(ScalarOp::Select, &[returned, yes, no])
            } else {
                exit
            });
            self.set_state(state);
        }
        exits
    }
}
