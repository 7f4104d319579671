//! Functions that call themselves and need a stack: each becomes a *routine* for the types of its arguments, which the host calls.
//! One inside a function takes what it reads of the functions around it as further arguments.
//!
//! What a routine returns follows from what it returns where it does not call itself: it is lowered with that assumption, and again
//! with what came out, until nothing changes. Arrays that it returns may be views of its arguments. The first parameter of every routine is its depth: beyond
//! Python's own limit it raises `RecursionError`.

use std::collections::BTreeMap;
use std::sync::Arc;

use numptx_ir::DType;
use numptx_ir::array::{self, ErrorKind, OpKind, Type, ValueId};
use numptx_ir::scalar::ScalarOp;
use numptx_ir::signature::{ObjectType, Parameter, ParameterType, ResultType, Signature};
use numptx_source::{Report, Severity, Span, code};
use numptx_syntax::ast::Function;

use crate::calls::closures::without_names;
use crate::library::function_at;
use crate::lowerer::Lowerer;
use crate::lowerer::routines::{Known, Returns, Subject};
use crate::names::constants::lower_constants;
use crate::records::fields::classes_of;
use crate::syntax::liveness::{Names, names_of};
use crate::syntax::reach::{constants_of, constants_of_local};
use crate::values::closure::{Closure, Enclosing};
use crate::values::forms::Form;
use crate::values::scope::{Binding, Callee};
use crate::values::value::Value;

/// Frames that Python allows inside one another, `sys.getrecursionlimit()` as it is set at the start.
const MAX_DEPTH: i64 = 1000;
/// How often the result's type may change until it is one.
const MAX_ROUNDS: usize = 6;
/// Routines of one module.
const MAX_ROUTINES: usize = 200;

impl Lowerer<'_> {
    /// Calls a function of the file as a routine. `around`: what it reads of the functions around it.
    pub fn call_routine(
        &mut self,
        subject: &Subject,
        arguments: &BTreeMap<String, Binding>,
        around: Vec<(String, Value)>,
        span: Span,
    ) -> Value {
        let function = self.function_of(subject);
        let (mut given, mut places) = (Vec::new(), Vec::new());
        for parameter in &function.parameters {
            let Some(Binding::Bound(value, place)) = arguments.get(&parameter.name) else { return Value::Poison };
            given.push((parameter.name.clone(), value.clone()));
            places.push(*place);
        }
        let n_own = given.len();
        given.extend(around);
        let (mut forms, mut leaves) = (Vec::new(), Vec::new());
        for (n, (name, value)) in given.into_iter().enumerate() {
            if value.is_poison() {
                return Value::Poison;
            }
            let value = self.kept_of_any(value);
            let is_filled = matches!(value, Value::Filled(_));
            if is_filled && places.get(n).is_some_and(|place| self.want_list_at(*place)) {
                return Value::Poison;
            }
            if !may_cross(&value) {
                let what = value.describe(&self.builder);
                let (role, help) = match n < n_own {
                    true => (
                        "its argument",
                        "pass numbers, arrays, tuples of these, and functions at module level to a function that calls itself",
                    ),
                    false => (
                        "of the function around it",
                        "define both at module level, and pass what they read of the function around them",
                    ),
                };
                let message = format!("`{}` calls itself, and {role} `{name}` is {what}", function.name);
                return self.refuse(code::RECURSION, span, message, help);
            }
            let form = self.form(&value).widened();
            leaves.extend(self.flatten(&value, &form));
            forms.push((name, form));
        }
        let find = |k: &Known| k.subject == *subject && self.are_alike(&k.arguments, &forms);
        let number = match self.calls.routines.known.iter().position(find) {
            Some(number) => {
                let known = self.calls.routines.known[number].arguments.clone();
                known.iter().zip(&forms).for_each(|((_, a), (_, b))| self.unite_forms(a, b));
                number
            }
            None if self.wants_lists(subject, &forms, &places) => return Value::Poison,
            None => match self.make_routine(subject.clone(), forms, span) {
                Some(number) => number,
                None => return Value::Poison,
            },
        };
        self.builder.set_span(span);
        self.emit_call(number, leaves)
    }

    /// Wants lists of run time for arguments that are lists of another length than in an earlier call: the calls decide how long they become.
    fn wants_lists(&mut self, subject: &Subject, forms: &[(String, Form)], places: &[Span]) -> bool {
        let mut wanted = Vec::new();
        for known in self.calls.routines.known.iter().filter(|known| known.subject == *subject) {
            let pairs = known.arguments.iter().zip(forms).zip(places);
            wanted.extend(pairs.filter_map(|(((_, earlier), (_, form)), place)| match (earlier, form) {
                (Form::List(a), Form::List(b)) if a.len() != b.len() => Some(*place),
                _ => None,
            }));
        }
        // All of them are wanted at once.
        let n_found = wanted.into_iter().filter(|place| self.want_list_at(*place)).count();
        n_found > 0
    }

    /// Whether arguments have the same forms, containers in them of what may be one type.
    fn are_alike(&self, known: &[(String, Form)], given: &[(String, Form)]) -> bool {
        let alike = |(a, b): (&(String, Form), &(String, Form))| a.0 == b.0 && self.is_alike(&a.1, &b.1);
        known.len() == given.len() && known.iter().zip(given).all(alike)
    }

    fn is_alike(&self, a: &Form, b: &Form) -> bool {
        match (a, b) {
            (Form::Container(_, a), Form::Container(_, b)) => self.containers.alike(*a, *b),
            (Form::Tuple(a), Form::Tuple(b)) | (Form::List(a), Form::List(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.is_alike(a, b))
            }
            (a, b) => a == b,
        }
    }

    /// Calls a function inside a function as a routine.
    pub fn call_local_routine(
        &mut self,
        closure: &Closure,
        arguments: &BTreeMap<String, Binding>,
        span: Span,
    ) -> Value {
        let function = &closure.function;
        let is_itself = |value: &Value| matches!(value, Value::Closure(c) if Arc::ptr_eq(&c.function, function));
        let (mut own_names, mut around) = (Vec::new(), Vec::new());
        for name in names_of(function) {
            match self.found_around(closure, &name) {
                Some(Binding::Bound(value, _)) if is_itself(&value) => own_names.push(name),
                Some(Binding::Bound(value, _)) => around.push((name, value)),
                Some(unusable) => return self.refuse_binding(&name, &unusable, span),
                None => {}
            }
        }
        let defaults = closure.defaults.iter().enumerate();
        around.extend(defaults.filter_map(|(n, value)| Some((default_name(n), value.clone()?))));
        self.call_routine(&Subject::Local(function.clone(), own_names), arguments, around, span)
    }

    /// What a name is in the functions around a function, or which it kept of them.
    fn found_around(&self, closure: &Closure, name: &str) -> Option<Binding> {
        match &closure.enclosing {
            Enclosing::Module => None,
            Enclosing::Kept(names) => names.get(name).map(|value| Binding::Bound(value.clone(), Span::default())),
            Enclosing::Call(number) => {
                self.calls.find_from(self.calls.frames.iter().find(|f| f.number == *number)?, name)?
            }
        }
    }

    fn function_of(&self, subject: &Subject) -> Arc<Function> {
        match subject {
            Subject::Module(position) => Arc::new(function_at(self.module, *position).clone()),
            Subject::Local(function, _) => function.clone(),
        }
    }

    fn emit_call(&mut self, number: usize, leaves: Vec<ValueId>) -> Value {
        let Known { name, returns, .. } = &self.calls.routines.known[number];
        let (routine, returns) = (name.clone(), returns.clone());
        let types = match &returns {
            Returns::Refused => return Value::Poison,
            Returns::Unknown => {
                self.paths.diverged = true;
                return Value::Poison;
            }
            Returns::Never => Vec::new(),
            Returns::Value(form) => form.types(),
        };
        let around = self.builder.i64(self.calls.frames.len() as i64);
        let depth = match self.calls.depth {
            Some(depth) => self.builder.scalar(ScalarOp::Add, &[depth, around]),
            None => self.builder.i64(self.calls.frames.len() as i64 + 1),
        };
        let operands: Vec<ValueId> = std::iter::once(depth).chain(leaves).collect();
        let is_written = |n: &usize| matches!(self.builder.ty(operands[*n]), Type::Array(array) if array.writable);
        let written = (0..operands.len()).filter(is_written).collect();
        let gives_arrays = types.iter().any(|ty| matches!(ty, Type::Array(_)));
        let is_viewed = |n: &usize| gives_arrays && matches!(self.builder.ty(operands[*n]), Type::Array(_));
        let viewed = (0..operands.len()).filter(is_viewed).collect();
        self.loops.n_changed_objects +=
            operands.iter().filter(|v| matches!(self.builder.ty(**v), Type::Object)).count();
        let results = self.builder.emit_typed(OpKind::Call { routine, written, viewed }, operands, types, Vec::new());
        results.iter().for_each(|v| drop(self.extents(*v)));
        match returns {
            Returns::Value(form) => form.rebuild(&mut results.into_iter()),
            _ => {
                self.paths.diverged = true;
                Value::Poison
            }
        }
    }

    /// Makes a routine of a function for arguments of these forms; `None` after a report.
    fn make_routine(&mut self, subject: Subject, arguments: Vec<(String, Form)>, span: Span) -> Option<usize> {
        let function = self.function_of(&subject);
        let (number, n_functions) = (self.calls.routines.known.len(), self.calls.routines.functions.len());
        if number >= MAX_ROUTINES {
            let message = format!("`{}` calls itself with ever other types", function.name);
            let help = "call it with arguments of the types that its parameters have: `float(n)`, not `n`";
            self.refuse(code::RECURSION, span, message, help);
            return None;
        }
        let name = format!("{}.routine.{number}", function.name.trim_matches(['<', '>']));
        self.calls.routines.known.push(Known { subject, arguments, name, returns: Returns::Unknown });
        for _ in 0..MAX_ROUNDS {
            let assumed = self.calls.routines.known[number].returns.clone();
            let (found, reports) = self.lowered_routine(number);
            let failed = reports.iter().any(|r| r.severity == Severity::Error);
            match found {
                Some((function, returns)) if !failed && returns == assumed => {
                    self.calls.routines.functions.push(function);
                    reports.into_iter().for_each(|report| self.report(report));
                    return Some(number);
                }
                Some((_, returns)) if assumed == Returns::Unknown || !failed => {
                    self.calls.routines.known.truncate(number + 1);
                    self.calls.routines.functions.truncate(n_functions);
                    self.calls.routines.known[number].returns = returns;
                }
                _ if failed => {
                    reports.into_iter().for_each(|report| self.report(report));
                    self.calls.routines.known[number].returns = Returns::Refused;
                    return None;
                }
                _ => break,
            }
        }
        self.calls.routines.known[number].returns = Returns::Refused;
        let message = format!("`{}` calls itself, and what it returns has no one type", function.name);
        let help = "return one type from every path: `1.0` and not `1` where others return a float, arrays of one dtype and number of axes";
        self.refuse(code::RECURSION, span, message, help);
        None
    }

    /// The routine as it is under the present assumption, what it returns, and what is reported.
    fn lowered_routine(&mut self, number: usize) -> (Option<(array::Function, Returns)>, Vec<Report>) {
        let known = &self.calls.routines.known[number];
        let (subject, arguments, name) = (known.subject.clone(), known.arguments.clone(), known.name.clone());
        let so_far = self.calls.routines.known_so_far();
        let mark = self.containers.mark();
        let mut remembered = Names::new();
        let (mut inner, found) = loop {
            let mut inner = Lowerer::new(self.module, name.clone());
            inner.calls.routines = std::mem::take(&mut self.calls.routines);
            inner.containers = std::mem::take(&mut self.containers);
            // Containers that it makes are its own.
            inner.calls.path = vec![Span::new(number as u32, u32::MAX - 1)];
            inner.paths.remembered = remembered;
            // What the library does is done where it was called.
            inner.builder.continue_at(&self.builder);
            let found = inner.routine(&subject, &arguments);
            self.calls.routines = std::mem::take(&mut inner.calls.routines);
            self.containers = std::mem::take(&mut inner.containers);
            match inner.paths.further_names() {
                None => break (inner, found),
                Some(names) => remembered = names,
            }
            self.calls.routines.forget(so_far);
            self.containers.back_to(mark);
        };
        self.containers.keep_since(mark);
        inner.report_held_back();
        let Lowerer { builder, reports, .. } = inner;
        let found = found.map(|(signature, returns)| {
            let mut function = builder.finish(signature);
            function.is_routine = true;
            (function, returns)
        });
        (found, reports)
    }

    fn routine(&mut self, subject: &Subject, arguments: &[(String, Form)]) -> Option<(Signature, Returns)> {
        let function = self.function_of(subject);
        let depth = self.builder.parameter(Type::Scalar(DType::I64), "depth");
        self.calls.depth = Some(depth);
        let mut parameters =
            vec![Parameter { name: "depth".into(), ty: leaf_type(Type::Scalar(DType::I64)), by_name: false }];
        let mut values = Vec::new();
        for (name, form) in arguments {
            let types = form.types();
            let leaves: Vec<ValueId> = types.iter().map(|ty| self.builder.parameter(*ty, name)).collect();
            leaves.iter().for_each(|v| drop(self.extents(*v)));
            let leaf = |ty: &Type| Parameter { name: name.clone(), ty: leaf_type(*ty), by_name: false };
            parameters.extend(types.iter().map(leaf));
            values.push((name.clone(), form.rebuild(&mut leaves.into_iter())));
        }
        let around = values.split_off(function.parameters.len().min(values.len()));
        let bound = |(p, (name, value)): (&numptx_syntax::ast::Parameter, _)| (name, Binding::Bound(value, p.span));
        let names: BTreeMap<String, Binding> = function.parameters.iter().zip(values).map(bound).collect();
        let mut classes = Names::new();
        let given = names
            .values()
            .filter_map(|binding| if let Binding::Bound(value, _) = binding { Some(value) } else { None });
        given.for_each(|value| classes_of(value, self.module, &mut classes));
        around.iter().for_each(|(_, value)| classes_of(value, self.module, &mut classes));
        self.builder.set_span(function.name_span);
        let limit = self.builder.i64(MAX_DEPTH);
        let may_go_on = self.builder.scalar(ScalarOp::Le, &[depth, limit]);
        self.check(may_go_on, ErrorKind::Recursion, "maximum recursion depth exceeded", &[]);
        let value = match subject {
            Subject::Module(position) => {
                lower_constants(self, &constants_of(self.module, *position, classes));
                self.call_function(*position, names)
            }
            Subject::Local(_, own_names) => {
                lower_constants(self, &constants_of_local(self.module, &function, classes));
                let enclosing = Enclosing::Kept(kept_around(&function, own_names, around));
                self.call_body(&function, Callee::Local(function.clone()), enclosing, names)
            }
        };
        let (returns, leaves) = match self.paths.diverged {
            true => (Returns::Never, Vec::new()),
            false => self.returned_by_routine(&value, function.name_span, &function.name)?,
        };
        self.builder.set_span(function.name_span);
        let types: Vec<ResultType> = leaves.iter().map(|v| result_type(self.builder.ty(*v))).collect();
        self.builder.emit(OpKind::Return, leaves);
        let text = format!("{} called by itself, {}", function.name, self.builder.function_name());
        let result = ResultType::Tuple(types);
        let (same, numbered, defaults) = (Vec::new(), Vec::new(), Vec::new());
        let name = function.name.clone();
        Some((
            Signature { function: name, text, parameters, result, same, numbered, defaults, docstring: None },
            returns,
        ))
    }

    fn returned_by_routine(&mut self, value: &Value, span: Span, name: &str) -> Option<(Returns, Vec<ValueId>)> {
        if value.is_poison() {
            return None;
        }
        let form = self.form(value).widened();
        if may_be_returned(&form) {
            let leaves = self.flatten(value, &form);
            return Some((Returns::Value(form), leaves));
        }
        let message = format!("`{name}` calls itself and returns {}", value.describe(&self.builder));
        let help = "return numbers, arrays, and tuples of them, and let the caller make functions and iterators of these; `np.array([…])` of a list";
        self.refuse(code::RECURSION, span, message, help);
        None
    }
}

/// A default as one of the names that a function reads of what is around it; no program can write it.
fn default_name(n: usize) -> String {
    format!(".default{n}")
}

/// The names that a function inside a function has in its routine: those around it, and its own.
fn kept_around(
    function: &Arc<Function>,
    own_names: &[String],
    around: Vec<(String, Value)>,
) -> BTreeMap<String, Value> {
    let mut names: BTreeMap<String, Value> = around.into_iter().collect();
    let defaults = (0..function.parameters.len()).map(|n| names.remove(&default_name(n))).collect();
    let itself = without_names(&Closure { function: function.clone(), defaults, enclosing: Enclosing::Module });
    names.extend(own_names.iter().map(|name| (name.clone(), itself.clone())));
    names
}

/// Whether a value is made of numbers, arrays, and what is known when compiling.
fn may_cross(value: &Value) -> bool {
    match value {
        Value::Tuple(items) | Value::List(items) | Value::Record(_, items) => items.iter().all(may_cross),
        Value::OneOf(one) => one.members.iter().all(may_cross),
        Value::Closure(closure) => match &closure.enclosing {
            Enclosing::Module => true,
            Enclosing::Call(_) => false,
            Enclosing::Kept(names) => names.values().all(may_cross),
        },
        Value::Filled(_) | Value::Iterable(_) | Value::Method(..) => false,
        _ => true,
    }
}

/// Whether a result is made of numbers, arrays, and what is known when compiling.
fn may_be_returned(form: &Form) -> bool {
    match form {
        Form::Tuple(items) | Form::List(items) | Form::OneOf(items) | Form::Made(Value::Record(..), items) => {
            items.iter().all(may_be_returned)
        }
        Form::Leaf(_) | Form::Container(..) | Form::Text | Form::Static(_) => true,
        Form::Made(..) => false,
    }
}

fn result_type(ty: Type) -> ResultType {
    match ty {
        Type::Scalar(dtype) => ResultType::NumpyScalar(dtype),
        Type::Array(array) => ResultType::Array { dtype: array.dtype, rank: array.rank },
        // Which object it is, nobody but the functions of the module knows.
        Type::Object => ResultType::Object(ObjectType::Text),
    }
}

fn leaf_type(ty: Type) -> ParameterType {
    match ty {
        Type::Scalar(dtype) => ParameterType::Scalar { dtype, python: false },
        Type::Array(array) => ParameterType::Array { dtype: array.dtype, extents: vec![None; array.rank], order: None },
        Type::Object => ParameterType::Object(ObjectType::Text),
    }
}
