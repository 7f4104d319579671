//! Lowers `for` and `while` to loop ops with carried values.
//!
//! The names that an iteration hands to the next one, or to what follows, are carried. What they look like is found by lowering
//! the body until nothing changes: layouts widen, a Python scalar that meets a NumPy one becomes one. Earlier attempts are dropped.
//! A `for` without `break` and `return` is a `for` op; every other loop is a `while` op that remembers how it was left.

use numptx_ir::DType;
use numptx_ir::array::{OpKind, Region, Type, ValueId};
use numptx_ir::scalar::{Constant, ScalarOp};
use numptx_source::{Report, Span, code};
use numptx_syntax::ast::{Expr, ExprKind, Stmt, StmtKind};

use crate::joins::branches::Target;
use crate::joins::carried::Plan;
use crate::lowerer::Lowerer;
use crate::syntax::flow::{Exits, assigned_names, early_exits, reshaped_names, target_names};
use crate::syntax::liveness::Names;
use crate::values::facts::Fact;
use crate::values::iterable::Iterable;
use crate::values::scope::{Binding, State};
use crate::values::value::Value;

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

/// A lowered loop: the way it was left as a value, if it can be left early, and what its body did.
struct Lowered {
    exit: Option<ValueId>,
    exits: Exits,
    endless: bool,
    /// An iteration is known to run.
    runs: bool,
    state: State,
}

impl Lowerer<'_> {
    /// Lowers a loop. `live`: names read after it.
    pub fn loop_statement(&mut self, l: &Loop<'_>, live: &Names) -> Exits {
        let mut after = self.calls.frame().liveness.after(l.stmt);
        after.extend(live.iter().cloned());
        let mut inner = self.calls.frame().liveness.head(l.stmt);
        inner.extend(after.iter().cloned());
        if early_exits(l.body).has(Exits::RETURN) {
            // What `finally` blocks around read then.
            let (_, returning) = self.calls.read_elsewhere();
            after.extend(returning.iter().cloned());
            inner.extend(returning);
        }
        let mut names = assigned_names(l.body);
        names.extend(reshaped_names(l.body));
        if let Header::For(target, _) = &l.header {
            target_names(target, &mut names);
        }
        names.retain(|n| inner.contains(n));
        let before = self.calls.state();
        let n_element_writes = self.loops.n_element_writes;
        // After a `break`, what the body bound has a value; `else` is run on the other way out.
        let is_told_apart = early_exits(l.body).has(Exits::BREAK) && !l.orelse.is_empty();
        let guarded = if is_told_apart { Names::new() } else { self.guarded(&before, &names, &after) };
        let mut plan = self.first_plan(&before, &names, guarded);
        self.calls.frame().around.loops.push(inner);
        let depth = self.builder.region_depth();
        self.calls.frame().around.loop_depths.push(depth);
        let lowered = loop {
            let point = self.point();
            let (lowered, next) = self.attempt(l, &plan, &names);
            if next == plan {
                break lowered;
            }
            self.rollback(point);
            plan = next;
        };
        self.calls.frame().around.loops.pop();
        self.calls.frame().around.loop_depths.pop();
        if self.loops.n_element_writes > n_element_writes {
            self.warn_of_slow_loop(l.stmt.span);
        }
        self.state_independent(l, &plan, &lowered);
        let mut state = lowered.state.clone();
        self.note_undefined(&before, &mut state, &names, l);
        self.calls.set_state(state);
        let has_flag = |n: &String| matches!(lowered.state.names.get(n), Some(Binding::Bound(Value::IfRan(..), _)));
        let is_unset = |n: &String| !lowered.runs && !before.names.contains_key(n) && !has_flag(n);
        let unset: Names = names.into_iter().filter(is_unset).collect();
        self.after_loop(l, &lowered, &after, &unset)
    }

    /// Hands on that the iterations of a loop are independent, as its comment or `numptx.prange` states, or says why they are not.
    fn state_independent(&mut self, l: &Loop<'_>, plan: &Plan, lowered: &Lowered) {
        let StmtKind::For { iterable, .. } = &l.stmt.kind else { return };
        let span = l.stmt.span;
        if !self.loops.independent.contains(&iterable.span) && !self.loops.independent.contains(&span) {
            return;
        }
        let message = match plan.carried.first() {
            _ if lowered.exit.is_some() => "this loop is stated to be parallel, and may be left early".to_owned(),
            Some(carried) => {
                let name = match &carried.slot.target {
                    Target::Name(name) => format!("`{name}`"),
                    Target::Exit | Target::Return => "a value".to_owned(),
                };
                format!("this loop is stated to be parallel, and {name} goes from iteration to iteration")
            }
            None => return self.builder.state_independent(span),
        };
        let report = Report::warning(code::NOT_INDEPENDENT, span, message).label("its iterations run in their order");
        self.report(
            report.help("write to an array, an element for each iteration, and sum it up afterwards: `np.sum(parts)`"),
        );
    }

    /// Says, once for a nest of loops, that a loop over elements does not become a kernel.
    fn warn_of_slow_loop(&mut self, span: Span) {
        if self.calls.frames.iter().all(|frame| frame.around.loops.is_empty()) {
            let message = "this loop writes single elements: it runs on the host, and each iteration starts a kernel";
            let report = Report::warning(code::SLOW_LOOP, span, message).label("runs one iteration after the other");
            self.report(report.help(
                "write whole arrays where it can be: `x[1:] = y[1:] * 2.0`; running sums of floats are `np.cumsum`",
            ));
        }
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
            Header::For(target, iterable) if early_exits(l.body) == Exits::NEVER && !iterable.may_change() => {
                self.attempt_for(l, target, iterable, plan, names)
            }
            _ => self.attempt_while(l, plan, names),
        }
    }

    fn attempt_for(
        &mut self,
        l: &Loop<'_>,
        target: &Expr,
        iterable: &Iterable,
        plan: &Plan,
        names: &Names,
    ) -> (Lowered, Plan) {
        let before = self.calls.state();
        let (lower, upper, step, element) = self.counted(iterable);
        let mut operands = vec![lower, upper, step];
        operands.extend(self.initial(plan));
        let types: Vec<Type> = plan.carried.iter().flat_map(|c| c.slot.form.types()).collect();
        let parameters = self.builder.open_region(&[vec![Type::Scalar(DType::I64)], types.clone()].concat());
        self.bind_carried(plan, &parameters[1..], false);
        self.note_counter(parameters[0], lower, upper, step);
        let value = match element {
            Some(iterable) => self.element(iterable, parameters[0]),
            None => Value::python(parameters[0]),
        };
        self.assign_target(target, value);
        let exits = self.block(l.body);
        let runs =
            self.numbers.facts.never_exceeds(&self.builder, lower, 1, upper) && self.builder.as_i64(step) == Some(1);
        let (next, region) = self.end_body(plan, names, exits, runs, &[]);
        self.calls.set_state(before);
        self.builder.set_span(l.stmt.span);
        let ran = (!runs && !plan.guarded.is_empty()).then(|| {
            let (forwards, zero) = (self.builder.scalar(ScalarOp::Lt, &[lower, upper]), self.builder.i64(0));
            let backwards = self.builder.scalar(ScalarOp::Lt, &[upper, lower]);
            let ascends = self.builder.scalar(ScalarOp::Lt, &[zero, step]);
            self.builder.scalar(ScalarOp::Select, &[ascends, forwards, backwards])
        });
        let results = self.builder.emit_typed(OpKind::For, operands, types, vec![region]);
        self.bind_carried(plan, &results, true);
        self.guard(plan, ran);
        (Lowered { exit: None, exits: Exits::FALL, endless: false, runs, state: self.calls.state() }, next)
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
            Some(n) if n > 0 => self.numbers.facts.counter(&self.builder, lower, upper),
            Some(_) => self.numbers.facts.countdown(&self.builder, lower, upper),
            None => Fact::ANY,
        };
        self.numbers.facts.set(counter, fact);
    }

    fn attempt_while(&mut self, l: &Loop<'_>, plan: &Plan, names: &Names) -> (Lowered, Plan) {
        let before = self.calls.state();
        let length = match &l.header {
            Header::For(_, iterable) => Some(self.length(iterable)),
            Header::While(_) => None,
        };
        // Carried first: how the loop was left, if it can be left early, and the position of a `for`, or iterations that are counted.
        let early = early_exits(l.body) != Exits::NEVER;
        let is_endless = matches!(&l.header, Header::While(test) if matches!(test.kind, ExprKind::Bool(true)));
        let counts = length.is_some() || !(is_endless || plan.guarded.is_empty());
        let n_own = usize::from(early) + usize::from(counts);
        let mut operands = Vec::new();
        if early {
            operands.push(self.builder.i64(Exits::FALL.code()));
        }
        if counts {
            operands.push(self.builder.i64(0));
        }
        operands.extend(self.initial(plan));
        let mut types = vec![Type::Scalar(DType::I64); n_own];
        types.extend(plan.carried.iter().flat_map(|c| c.slot.form.types()));
        let (test, endless) = self.test_region(l, plan, &types, (early, n_own), length);
        self.calls.set_state(before.clone());
        let parameters = self.builder.open_region(&types);
        self.bind_carried(plan, &parameters[n_own..], false);
        if let (Header::For(target, iterable), Some(length)) = (&l.header, length) {
            let (zero, one) = (self.builder.i64(0), self.builder.i64(1));
            self.note_counter(parameters[n_own - 1], zero, length, one);
            let value = self.element(iterable, parameters[n_own - 1]);
            self.assign_target(target, value);
        }
        let exits = match &l.header {
            Header::While(test) => self.knowing(test, true, |s| s.block(l.body)),
            Header::For(..) => self.block(l.body),
        };
        let runs = endless || length.is_some_and(|n| self.fact(n).low > 0);
        let own = self.own_carried(early, counts, exits, &parameters);
        // After a `break`, what the body bound has a value; `else` is run on the other way out.
        let told_apart = exits.has(Exits::BREAK) && !l.orelse.is_empty();
        let (next, body) = self.end_body(plan, names, exits, runs || told_apart, &own);
        self.calls.set_state(before);
        self.builder.set_span(l.stmt.span);
        let results = self.builder.emit_typed(OpKind::While, operands, types, vec![test, body]);
        self.bind_carried(plan, &results[n_own..], true);
        if counts && !runs {
            let zero = self.builder.i64(0);
            let ran = self.builder.scalar(ScalarOp::Lt, &[zero, length.unwrap_or(results[n_own - 1])]);
            self.guard(plan, Some(ran));
        }
        let exit = early.then(|| results[0]);
        (Lowered { exit, exits, endless, runs, state: self.calls.state() }, next)
    }

    /// The region that decides on the next iteration, and whether nothing but leaving early ends the loop.
    fn test_region(
        &mut self,
        l: &Loop<'_>,
        plan: &Plan,
        types: &[Type],
        (early, n_own): (bool, usize),
        length: Option<ValueId>,
    ) -> (Region, bool) {
        let parameters = self.builder.open_region(types);
        self.bind_carried(plan, &parameters[n_own..], false);
        let goes_on = early.then(|| self.left_by(parameters[0], Exits::FALL));
        let (condition, endless) = match (&l.header, length) {
            (Header::For(_, iterable), Some(length)) => {
                let more = self.has_member_at(iterable, parameters[n_own - 1], Some(length));
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
            let state = self.calls.state();
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
        let state = self.calls.state();
        let next = self.next_plan(plan, names, exits, runs, &state);
        let mut values = own.to_vec();
        if next == *plan {
            for carried in &plan.carried {
                values.extend(self.slot_values(&carried.slot, exits, &state));
            }
        }
        (next, self.close_with(values))
    }

    /// Raises where a dictionary or a set that was gone through has another size than when that began.
    fn check_walked(&mut self, header: &Header<'_>) {
        if let Header::For(_, iterable) = header {
            self.check_sizes(iterable);
        }
    }

    /// Runs `else`, and says how the whole statement ends. `unset`: names that have no value if no iteration ran.
    fn after_loop(&mut self, l: &Loop<'_>, lowered: &Lowered, live: &Names, unset: &Names) -> Exits {
        let early = lowered.exits.and(Exits::BREAK.or(Exits::RETURN));
        let Some(exit) = lowered.exit else {
            self.check_walked(&l.header);
            return if lowered.endless { Exits::NEVER } else { self.block_to(l.orelse, live) };
        };
        if let Header::For(_, iterable) = &l.header
            && iterable.has_walks()
        {
            let finished = self.left_by(exit, Exits::FALL);
            self.builder.open_region(&[]);
            self.check_walked(&l.header);
            let then = self.close_with(Vec::new());
            self.builder.open_region(&[]);
            let otherwise = self.close_with(Vec::new());
            self.builder.emit_typed(OpKind::If, vec![finished], Vec::new(), vec![then, otherwise]);
        }
        let normal = if lowered.endless { Exits::NEVER } else { Exits::FALL };
        match (normal, early) {
            (Exits::NEVER, _) => self.leave_loop(exit, early),
            (_, Exits::NEVER) => self.block_to(l.orelse, live),
            _ if l.orelse.is_empty() => self.leave_loop(exit, early.or(normal)),
            _ => {
                let finished = self.left_by(exit, Exits::FALL);
                let otherwise = |s: &mut Self| {
                    for name in unset {
                        s.calls.frame().state.names.insert(name.clone(), Binding::MaybeUndefined(l.stmt.span));
                    }
                    s.block_to(l.orelse, live)
                };
                self.branch(finished, live, otherwise, |s| s.leave_loop(exit, early))
            }
        }
    }

    /// After a loop that was left in one of these ways, `break` is going on.
    pub fn leave_loop(&mut self, exit: ValueId, ways: Exits) -> Exits {
        let goes_on = ways.has(Exits::FALL.or(Exits::BREAK));
        let exits = if goes_on { ways.without(Exits::BREAK).or(Exits::FALL) } else { ways };
        if exits.is_mixed() {
            let mut state = self.calls.state();
            state.exit = Some(if ways.has(Exits::BREAK) {
                let returned = self.left_by(exit, Exits::RETURN);
                let (yes, no) = (self.builder.i64(Exits::RETURN.code()), self.builder.i64(Exits::FALL.code()));
                self.builder.scalar(ScalarOp::Select, &[returned, yes, no])
            } else {
                exit
            });
            self.calls.set_state(state);
        }
        exits
    }
}
