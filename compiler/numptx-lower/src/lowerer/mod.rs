//! What lowering of one exported overload carries along, and how it reports.

use std::collections::{BTreeMap, BTreeSet};

use numptx_ir::DType;
use numptx_ir::array::{Builder, ErrorKind, Snapshot, Type, ValueId};
use numptx_ir::functions::{Arguments, Class, Family, Form, Function, FunctionError, PyValue, Typed, call, lookup};
use numptx_ir::scalar::{Constant, ScalarOp};
use numptx_source::{Code, Report, Span, code};
use numptx_syntax::ast;

use crate::arrays::nditer::Iterators;
use crate::calls::of_library::LibraryCall;
use crate::calls::recursion::Attempt;
use crate::calls::routines::Routines;
use crate::loops::growing::Growing;
use crate::syntax::liveness::Names;
use crate::values::container_types::{Containers, Mark, TypeId};
use crate::values::facts::{Fact, Facts};
use crate::values::scope::{Frame, State};
use crate::values::value::Value;

/// Statements that one overload may become after inlining and unrolling.
const MAX_STATEMENTS: usize = 100_000;
/// Regions, calls and early exits that may be nested.
const MAX_DEPTH: usize = 120;

/// An overload under construction.
pub(crate) struct Lowerer<'a> {
    /// The whole file.
    pub module: &'a ast::Module,
    /// The function that is built.
    pub builder: Builder,
    /// What is known of its integers.
    pub facts: Facts,
    /// Values of Python's numbers that branches and loops hand on, where an attempt at a loop assumes them.
    pub assumed: BTreeMap<ValueId, Constant>,
    /// Numbers that may still be of this type in Python: see `numbers/narrower.rs`.
    pub narrower: BTreeMap<ValueId, DType>,
    /// Calls, the exported function's first.
    pub frames: Vec<Frame>,
    /// Module-level constants that were evaluated.
    pub constants: BTreeMap<String, Value>,
    /// Objects that lists, dictionaries and sets of the module hold, with these constants' names.
    pub held_by_constants: BTreeMap<ValueId, String>,
    /// Numbers read from containers that hold constants alone so far; put back there, they say no more of its members.
    pub read_from: BTreeMap<ValueId, (TypeId, usize)>,
    /// What the user is told.
    pub reports: Vec<Report>,
    /// The outermost call of a function of the library that is being lowered.
    pub caller: Option<LibraryCall>,
    /// The library refused that call: what else is found of it is untrue.
    pub is_refused_by_library: bool,
    /// The words of the state that `np.random` has, where it is a parameter.
    pub state_of_random: Option<ValueId>,
    /// Defaults that are lowered are those of a function of the library.
    pub is_default_of_library: bool,
    /// What is lowered is a constant of the module, or a default.
    pub is_once: bool,
    /// How often a value of `np.random` was made so far.
    pub n_generators: usize,
    /// Constants of the module that hold a generator.
    pub kept_generators: Names,
    /// Names of the members of tuples of these values: what is a named tuple in NumPy.
    pub members: BTreeMap<Vec<ValueId>, Vec<String>>,
    /// Statements so far that wrote one element of an array.
    pub n_element_writes: usize,
    /// Functions that calls of the table were given, by their numbers.
    pub functions: Vec<Value>,
    /// Operations so far that may have changed how many members a list, dictionary or set has.
    pub n_changed_objects: usize,
    /// A call that never returns was lowered, and what follows it in its region is not reached.
    pub diverged: bool,
    /// Calls of `numptx.prange`, and headers of loops that a comment states to be independent.
    pub independent: BTreeSet<Span>,
    /// Functions that call themselves, as the host calls them.
    pub routines: Routines,
    /// How deep the routine is that is being lowered, at run time.
    pub call_depth: Option<ValueId>,
    /// A call of a function inside itself is being inlined, and may not end.
    pub attempt: Option<Attempt>,
    /// Lists that the loops around append to.
    pub growing: Vec<Growing>,
    /// Names that were bound to new lists and not read since, by the number of the call; where they were bound, and in how many loops.
    pub new_lists: BTreeMap<(usize, String), (Span, usize)>,
    /// Lists, dictionaries and sets of run time.
    pub containers: Containers,
    /// The expression whose members the present assignment gives names, one each.
    pub taken_apart: Option<Span>,
    /// The calls that lead to the present one.
    pub call_path: Vec<Span>,
    /// Names of which the program remembers whether they have a value.
    pub remembered: Names,
    /// Names that were read where some paths bind them and others do not.
    pub wanted: Names,
    /// Reports of names that have no value in the first iteration of a loop.
    pub held_back: Vec<Report>,
    /// Records around the field whose type is read.
    pub depth_of_types: usize,
    /// What `np.nditer` gave.
    pub iterators: Iterators,
    n_calls: usize,
    statements_left: usize,
    depth: usize,
    exhausted: bool,
}

/// A point to which lowering can return.
pub(crate) struct Point {
    builder: Snapshot,
    state: Option<State>,
    n_held_back: usize,
    containers: Mark,
}

impl<'a> Lowerer<'a> {
    /// Nothing lowered yet.
    pub fn new(module: &'a ast::Module, name: String) -> Self {
        Lowerer {
            module,
            builder: Builder::new(name),
            facts: Facts::default(),
            assumed: BTreeMap::new(),
            narrower: BTreeMap::new(),
            frames: Vec::new(),
            constants: BTreeMap::new(),
            held_by_constants: BTreeMap::new(),
            read_from: BTreeMap::new(),
            reports: Vec::new(),
            caller: None,
            state_of_random: None,
            is_default_of_library: false,
            is_once: false,
            n_generators: 0,
            kept_generators: Names::new(),
            members: BTreeMap::new(),
            n_element_writes: 0,
            functions: Vec::new(),
            n_changed_objects: 0,
            independent: module.independent.iter().copied().collect(),
            diverged: false,
            routines: Routines::default(),
            call_depth: None,
            attempt: None,
            growing: Vec::new(),
            new_lists: BTreeMap::new(),
            containers: Containers::default(),
            taken_apart: None,
            call_path: Vec::new(),
            remembered: Names::new(),
            wanted: Names::new(),
            held_back: Vec::new(),
            depth_of_types: 0,
            iterators: Iterators::default(),
            n_calls: 0,
            statements_left: MAX_STATEMENTS,
            depth: 0,
            exhausted: false,
            is_refused_by_library: false,
        }
    }

    /// Reports, unless the same was said of the same place.
    pub fn report(&mut self, report: Report) {
        if let Some(report) = self.of_caller(report) {
            self.say(report);
        }
    }

    /// Reports in these words, also where a function of the library is being lowered.
    pub fn say(&mut self, report: Report) {
        // What was not lowered has no values: whatever is found of it is untrue.
        if self.exhausted || self.is_refused_by_library || self.attempt.as_ref().is_some_and(|a| a.is_given_up) {
            return;
        }
        let said = |r: &Report| r.code == report.code && r.span == report.span && r.message == report.message;
        if !self.reports.iter().any(said) {
            self.reports.push(report);
        }
    }

    /// Reports an error with help, and gives the value to go on with.
    pub fn refuse(&mut self, code: Code, span: Span, message: impl Into<String>, help: impl Into<String>) -> Value {
        self.report(Report::error(code, span, message).help(help));
        Value::Poison
    }

    /// The number of a call that begins.
    pub fn next_call(&mut self) -> usize {
        self.n_calls += 1;
        self.n_calls
    }

    /// The innermost call.
    pub fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("statements are lowered inside a call")
    }

    /// The names of the innermost call as they are now; empty outside of calls.
    pub fn state(&self) -> State {
        self.frames.last().map(|f| f.state.clone()).unwrap_or_default()
    }

    /// Replaces the names of the innermost call.
    pub fn set_state(&mut self, state: State) {
        if let Some(frame) = self.frames.last_mut() {
            frame.state = state;
        }
    }

    /// The present point.
    pub fn point(&self) -> Point {
        let state = self.frames.last().map(|f| f.state.clone());
        Point {
            builder: self.builder.snapshot(),
            state,
            n_held_back: self.held_back.len(),
            containers: self.containers.mark(),
        }
    }

    /// Whether a value was defined before a point.
    pub fn was_before(&self, value: ValueId, point: &Point) -> bool {
        self.builder.is_before(value, point.builder)
    }

    /// Drops what was lowered since a point of the same call. What was reported stays: an attempt at a loop assumes what holds in its
    /// first iterations.
    pub fn rollback(&mut self, point: Point) {
        self.builder.rollback(point.builder);
        self.held_back.truncate(point.n_held_back);
        self.containers.back_to(point.containers);
        self.facts.truncate(|v| self.builder.is_before(v, point.builder));
        self.assumed.retain(|v, _| self.builder.is_before(*v, point.builder));
        self.read_from.retain(|v, _| self.builder.is_before(*v, point.builder));
        self.narrower.retain(|v, _| self.builder.is_before(*v, point.builder));
        if let (Some(frame), Some(state)) = (self.frames.last_mut(), point.state) {
            frame.state = state;
        }
    }

    /// Counts a statement; false, and reported once, when the program has become too large.
    pub fn spend(&mut self, span: Span) -> bool {
        if let Some(attempt) = &mut self.attempt {
            attempt.n_statements = attempt.n_statements.saturating_sub(1);
            attempt.is_given_up |= attempt.n_statements == 0;
            return !attempt.is_given_up;
        }
        self.statements_left = self.statements_left.saturating_sub(1);
        !self.exhausted && self.statements_left > 0
            || self.too_large(span, "this function becomes too large once its calls are inlined")
    }

    /// Counts statements that were lowered already.
    pub fn count_statements(&mut self, n: usize) {
        self.statements_left = self.statements_left.saturating_sub(n);
    }

    /// Enters a nested construct; false, and reported once, when they are nested too deeply. Paired with [`Lowerer::leave`].
    pub fn enter(&mut self, span: Span) -> bool {
        self.depth += 1;
        self.depth <= MAX_DEPTH
            || self.too_large(span, "too many branches, loops, calls and early exits are nested here")
    }

    /// Leaves a nested construct.
    pub fn leave(&mut self) {
        self.depth -= 1;
    }

    fn too_large(&mut self, span: Span, message: &str) -> bool {
        if let Some(attempt) = &mut self.attempt {
            attempt.is_given_up = true;
            return false;
        }
        if !self.exhausted {
            let report = Report::error(code::TOO_DEEPLY_NESTED, span, message);
            self.report(report.help("write it as a loop, or as several exported functions"));
            self.exhausted = true;
        }
        false
    }

    /// Calls a function of the table. `span` is the call, `arguments` where each positional one stands.
    pub fn call_table(&mut self, name: &str, arguments: &Arguments, span: Span, places: &[Span]) -> Value {
        let Some(function) = lookup(name) else {
            let message = format!("`{name}` is not a function that numptx compiles");
            return self.refuse(code::UNKNOWN_FUNCTION, span, message, "`numptx functions` lists those that it does");
        };
        if let ("math.gcd" | "math.lcm", [first, second, rest @ ..]) = (name, arguments.positional.as_slice())
            && !rest.is_empty()
        {
            let pair = Arguments { positional: vec![first.clone(), second.clone()], ..Arguments::default() };
            let Some(one) = self.call_table(name, &pair, span, places).to_table() else { return Value::Poison };
            let fewer = Arguments { positional: [&[one], rest].concat(), ..arguments.clone() };
            return self.call_table(name, &fewer, span, places);
        }
        if let Class::Library = function.class {
            return self.call_library(function, arguments, span, places);
        }
        if self.refuse_narrower_call(function, arguments, span) {
            return Value::Poison;
        }
        match call(&mut self.builder, function, arguments) {
            Ok(PyValue::Typed(typed)) if self.is_half_of_library(typed) => {
                let message = format!("NumPy computes in `float16` in `{name}`, which is not supported here");
                self.refuse(code::FLOAT16_RESULT, span, message, "cast first: `x.astype(np.float32)`")
            }
            Ok(value) => Value::from_table(value),
            Err(error) => self.refuse_call_of(function, arguments.form, error, span, places),
        }
    }

    /// Refuses a call of a row; where nothing else is known to work, by a call of it that does.
    pub fn refuse_call_of(
        &mut self,
        function: &Function,
        form: Form,
        error: FunctionError,
        span: Span,
        places: &[Span],
    ) -> Value {
        let is_argument = error.code == code::BAD_ARGUMENT && form != Form::Operator;
        let help = error.help.clone().or_else(|| function.working_call().filter(|_| is_argument));
        self.refuse_call(FunctionError { help, ..error }, span, places)
    }

    pub fn refuse_call(&mut self, error: FunctionError, span: Span, places: &[Span]) -> Value {
        let place = error.argument.and_then(|n| places.get(n)).copied().unwrap_or(span);
        let help = error.help.unwrap_or_else(|| format!("`numptx explain {}` shows a program that works", error.code));
        self.refuse(error.code, place, error.message, help)
    }

    /// Applies an operator by the table function that it stands for.
    pub fn call_operator(
        &mut self,
        operator: &str,
        name: &str,
        values: &[Value],
        span: Span,
        places: &[Span],
    ) -> Value {
        let n_reports = self.reports.len();
        let value = self.call_as(Form::Operator, name, values, span, places);
        for report in self.reports.iter_mut().skip(n_reports) {
            if report.code == code::UNSUPPORTED_DTYPE_FOR_FUNCTION {
                report.code = code::BAD_OPERAND_TYPES;
            }
            report.message = report.message.replace(&format!("`{name}`"), &format!("`{operator}`"));
        }
        value
    }

    /// Calls a function of the table on values.
    pub fn call_on(&mut self, name: &str, values: &[Value], span: Span, places: &[Span]) -> Value {
        self.call_as(Form::Function, name, values, span, places)
    }

    fn call_as(&mut self, form: Form, name: &str, values: &[Value], span: Span, places: &[Span]) -> Value {
        if values.iter().any(Value::is_poison) {
            return Value::Poison;
        }
        let mut positional = Vec::new();
        for (n, value) in values.iter().enumerate() {
            match value.to_table() {
                Some(value) => positional.push(value),
                None => {
                    let message = format!("{} cannot be an operand or argument here", value.describe(&self.builder));
                    let place = places.get(n).copied().unwrap_or(span);
                    return self.refuse(code::BAD_OPERAND_TYPES, place, message, "use arrays and numbers");
                }
            }
        }
        self.call_table(name, &Arguments { positional, form, ..Arguments::default() }, span, places)
    }

    // Scalars.

    /// A Python int.
    pub fn int(&mut self, n: i64) -> Value {
        Value::python(self.builder.i64(n))
    }

    /// A Python bool.
    pub fn bool(&mut self, b: bool) -> Value {
        Value::python(self.bool_id(b))
    }

    /// A host bool.
    pub fn bool_id(&mut self, b: bool) -> ValueId {
        self.builder.constant(Constant::Bool(b), DType::Bool)
    }

    /// `not`, of a host bool.
    pub fn not(&mut self, condition: ValueId) -> ValueId {
        match self.builder.as_constant(condition) {
            Some(Constant::Bool(b)) => self.bool_id(!b),
            _ => self.builder.scalar(ScalarOp::BitNot, &[condition]),
        }
    }

    /// `and` or `or` of two host bools, both evaluated.
    pub fn both(&mut self, op: ScalarOp, a: ValueId, b: ValueId) -> ValueId {
        let absorbing = op == ScalarOp::BitOr;
        match (self.builder.as_constant(a), self.builder.as_constant(b)) {
            (Some(Constant::Bool(x)), _) => {
                if x == absorbing {
                    a
                } else {
                    b
                }
            }
            (_, Some(Constant::Bool(y))) => {
                if y == absorbing {
                    b
                } else {
                    a
                }
            }
            _ => self.builder.scalar(op, &[a, b]),
        }
    }

    /// Raises unless the condition holds.
    pub fn check(&mut self, condition: ValueId, kind: ErrorKind, message: &str, payload: &[ValueId]) {
        self.builder.check(condition, kind, message, payload);
    }

    /// A scalar's value on the host: read from the device if it is there. `None`, unreported, for arrays of one axis and more.
    pub fn host(&mut self, typed: Typed) -> Option<ValueId> {
        match self.builder.ty(typed.value) {
            Type::Scalar(_) => Some(typed.value),
            Type::Object => None,
            Type::Array(array) if array.rank == 0 => Some(self.builder.item(typed.value)),
            Type::Array(_) => None,
        }
    }

    /// Whether a value is an array with axes.
    pub fn has_axes(&self, value: &Value) -> bool {
        value.typed().is_some_and(|t| self.builder.rank(t.value) > 0)
    }

    /// Whether a value is an array, also of rank 0.
    pub fn is_array(&self, value: &Value) -> bool {
        value.typed().is_some_and(|t| t.family == Family::Array)
    }

    /// Whether a value is a scalar: Python's, NumPy's, or an array of rank 0.
    pub fn is_scalar(&self, value: &Value) -> bool {
        value.typed().is_some_and(|t| self.builder.rank(t.value) == 0)
    }

    /// Whether a value is a Python scalar.
    pub fn is_python(&self, value: &Value) -> bool {
        value.typed().is_some_and(|t| t.family == Family::Python)
    }

    /// A value's constant, if it is a scalar known when compiling.
    pub fn constant_of(&self, value: &Value) -> Option<Constant> {
        value.typed().and_then(|t| self.builder.as_constant(t.value))
    }

    /// A value's Python int, if it is one known when compiling. Bools count, as in Python.
    pub fn int_of(&self, value: &Value) -> Option<i64> {
        match self.constant_of(value)? {
            Constant::Int(n) => Some(n),
            Constant::Bool(b) => Some(i64::from(b)),
            _ => None,
        }
    }

    /// What is known of a host integer.
    pub fn fact(&self, value: ValueId) -> Fact {
        self.facts.get(&self.builder, value)
    }

    /// The extents of an array, as integers of which it is known that they are not negative.
    pub fn extents(&mut self, array: ValueId) -> Vec<ValueId> {
        let extents = self.builder.shape(array);
        for extent in &extents {
            if self.builder.as_i64(*extent).is_none() && self.fact(*extent) == Fact::ANY {
                self.facts.set(*extent, Fact::EXTENT);
            }
        }
        extents
    }
}
