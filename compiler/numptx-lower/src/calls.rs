//! Calls: of table functions and methods, of dtypes as casts, of builtins, and of the file's own functions, which are inlined.

use std::collections::BTreeMap;

use numptx_ir::DType;
use numptx_ir::functions::{Arguments, Family, Typed};
use numptx_ir::scalar::ScalarOp;
use numptx_source::{Report, Span, code};
use numptx_syntax::ast::{Expr, Function, Keyword};

use crate::flow::{Exits, assigned_names};
use crate::iteration::Iterable;
use crate::liveness::Liveness;
use crate::lowerer::Lowerer;
use crate::scope::{Binding, Frame, State};
use crate::value::Value;

/// A call with its arguments evaluated.
pub(crate) struct Call {
    /// Positional arguments.
    pub positional: Vec<Value>,
    /// Keyword arguments in order.
    pub keywords: Vec<(String, Value, Span)>,
    /// Where the positional ones stand.
    pub places: Vec<Span>,
    /// The whole call.
    pub span: Span,
}

impl Call {
    fn is_poison(&self) -> bool {
        self.positional.iter().chain(self.keywords.iter().map(|(_, v, _)| v)).any(Value::is_poison)
    }
}

impl Lowerer<'_> {
    /// `function(arguments, keywords)`
    pub fn call_expression(&mut self, function: &Expr, arguments: &[Expr], keywords: &[Keyword], span: Span) -> Value {
        let callee = self.expression(function);
        let positional = arguments.iter().map(|a| self.expression(a)).collect();
        let keywords = keywords.iter().map(|k| (k.name.clone(), self.expression(&k.value), k.span)).collect();
        let call = Call { positional, keywords, places: arguments.iter().map(|a| a.span).collect(), span };
        if call.is_poison() {
            return Value::Poison;
        }
        self.builder.set_span(span);
        match &callee {
            Value::Poison => Value::Poison,
            Value::TableFunction(name) => self.table_call(name, None, call),
            Value::Method(owner, name) => self.method_call(owner, name, call),
            Value::DType(dtype) => self.cast_call(*dtype, call),
            Value::Builtin(name) => self.builtin(name, call),
            Value::UserFunction(position) => self.inline(*position, call),
            other => {
                let message = format!("{} cannot be called", other.describe(&self.builder));
                self.refuse(code::NOT_CALLABLE, function.span, message, "call a function: `np.sqrt(x)`")
            }
        }
    }

    fn method_call(&mut self, owner: &Value, name: &str, call: Call) -> Value {
        if let (true, Value::Typed(number)) = (self.is_python(owner), owner) {
            return self.python_conjugate(*number, &call);
        }
        self.table_call(&format!("ndarray.{name}"), Some(owner), call)
    }

    /// `z.conjugate()`, the only method of Python's numbers.
    fn python_conjugate(&mut self, number: Typed, call: &Call) -> Value {
        if !(call.positional.is_empty() && call.keywords.is_empty()) {
            let message = "`conjugate` of a number takes no arguments";
            return self.refuse(code::BAD_ARGUMENT, call.span, message, "write `z.conjugate()`");
        }
        let dtype = self.builder.dtype(number.value);
        if dtype == DType::Bool {
            return Value::python(self.convert(number.value, DType::I64));
        }
        if !dtype.is_complex() {
            return Value::Typed(number);
        }
        let re = self.builder.scalar(ScalarOp::Real, &[number.value]);
        let im = self.builder.scalar(ScalarOp::Imag, &[number.value]);
        let im = self.builder.scalar(ScalarOp::Neg, &[im]);
        Value::python(self.builder.scalar(ScalarOp::Complex, &[re, im]))
    }

    /// A call of a table function; a method's owner is its first argument.
    fn table_call(&mut self, name: &str, owner: Option<&Value>, call: Call) -> Value {
        if name == "numpy.unstack"
            && let Some(rows) = self.unstacked(&call)
        {
            return rows;
        }
        let mut arguments = Arguments::default();
        let mut places = call.places.clone();
        if owner.is_some() {
            places.insert(0, call.span);
        }
        for (n, value) in owner.into_iter().chain(&call.positional).enumerate() {
            match value.to_table() {
                Some(value) => arguments.positional.push(value),
                None => return self.refuse_argument(value, places[n]),
            }
        }
        for (keyword, value, span) in &call.keywords {
            match value.to_table() {
                Some(value) => arguments.keywords.push((keyword.clone(), value)),
                None => return self.refuse_argument(value, *span),
            }
        }
        self.call_table(name, &arguments, call.span, &places)
    }

    /// `np.unstack` of so many arrays as are known when running: they can be iterated, and taken apart. `None` where a tuple will do.
    fn unstacked(&mut self, call: &Call) -> Option<Value> {
        let [array] = call.positional.as_slice() else { return None };
        let axis = match call.keywords.as_slice() {
            [] => 0,
            [(name, axis, _)] if name == "axis" => self.int_of(axis)?,
            _ => return None,
        };
        let rank = self.builder.rank(array.typed()?.value) as i64;
        let position = if axis < 0 { axis + rank } else { axis };
        if !(0..rank).contains(&position) {
            return None;
        }
        let extent = self.extents(array.typed()?.value)[position as usize];
        if self.builder.as_i64(extent).is_some() {
            return None;
        }
        let (source, first) = (self.int(position), self.int(0));
        let moved = self.call_on("numpy.moveaxis", &[array.clone(), source, first], call.span, &[call.span; 3]);
        Some(Value::Iterable(Box::new(Iterable::Rows(moved.typed()?.value))))
    }

    fn refuse_argument(&mut self, value: &Value, span: Span) -> Value {
        let message = format!("{} cannot be an argument of a NumPy function", value.describe(&self.builder));
        let help = match value {
            Value::Iterable(_) => "write `np.arange(n)` instead of `range(n)`",
            _ => "pass arrays, numbers, tuples and dtypes",
        };
        self.refuse(code::BAD_ARGUMENT, span, message, help)
    }

    /// Inlines a call of a function of the file.
    fn inline(&mut self, position: usize, call: Call) -> Value {
        let module = self.module;
        let function = &module.functions[position];
        if self.frames.iter().any(|f| f.function == position) {
            let message =
                format!("`{}` calls itself; calls are inlined, so recursion cannot be compiled", function.name);
            return self.refuse(code::RECURSION, call.span, message, "write a loop");
        }
        let Some(arguments) = self.bind_arguments(function, &call) else { return Value::Poison };
        if !self.enter(call.span) {
            self.leave();
            return Value::Poison;
        }
        let n_reports = self.reports.len();
        let value = self.call_function(position, arguments);
        self.leave();
        for report in self.reports.iter_mut().skip(n_reports) {
            report.related.push(numptx_source::Label { span: call.span, text: "called here".into() });
        }
        self.builder.set_span(call.span);
        value
    }

    /// Lowers a function's body with these values of its parameters, and gives what it returns.
    pub fn call_function(&mut self, position: usize, arguments: BTreeMap<String, Binding>) -> Value {
        let module = self.module;
        let function = &module.functions[position];
        if !function.refused.is_empty() {
            function.refused.iter().for_each(|r| self.report(r.clone()));
            return Value::Poison;
        }
        let mut locals = assigned_names(&function.body);
        locals.extend(function.parameters.iter().map(|p| p.name.clone()));
        let state = State { names: arguments, ..State::default() };
        let liveness = Liveness::of(function);
        self.frames.push(Frame { function: position, locals, liveness, state, loops: Vec::new() });
        let exits = self.block_to(&function.body, &Default::default());
        let value = self.returned(function, exits);
        self.frames.pop();
        value
    }

    /// What a function gives whose body ended in these ways: past its end means `None`.
    fn returned(&mut self, function: &Function, exits: Exits) -> Value {
        let returned = self.frame().state.returned.clone();
        match (exits.has(Exits::RETURN), returned) {
            (true, Some(Binding::Bound(value, span))) => {
                if exits.has(Exits::FALL) && value != Value::None && !value.is_poison() {
                    let message = format!(
                        "`{}` returns {} on some paths and nothing on others",
                        function.name,
                        value.describe(&self.builder)
                    );
                    let report = Report::error(code::RETURN_TYPES_DIFFER, span, message)
                        .related(function.name_span, "its end can be reached without a `return`")
                        .help("end the function with a `return` of the same type");
                    self.report(report);
                    return Value::Poison;
                }
                value
            }
            _ => Value::None,
        }
    }

    /// Parameters bound to the arguments of a call; `None` after a report.
    fn bind_arguments(&mut self, function: &Function, call: &Call) -> Option<BTreeMap<String, Binding>> {
        let mut bound: BTreeMap<String, Binding> = BTreeMap::new();
        if call.positional.len() > function.parameters.len() {
            let (found, most) = (call.positional.len(), function.parameters.len());
            let message = format!("`{}` takes {most} arguments, {found} were given", function.name);
            self.refuse(code::TOO_MANY_ARGUMENTS, call.span, message, signature_of(function));
            return None;
        }
        for ((parameter, value), span) in function.parameters.iter().zip(&call.positional).zip(&call.places) {
            bound.insert(parameter.name.clone(), Binding::Bound(value.clone(), *span));
        }
        for (name, value, span) in &call.keywords {
            let known = function.parameters.iter().any(|p| p.name == *name);
            if !known || bound.contains_key(name) {
                let what = if known { "is given twice" } else { "is not a parameter" };
                let message = format!("`{name}` {what} of `{}`", function.name);
                self.refuse(code::UNKNOWN_KEYWORD, *span, message, signature_of(function));
                return None;
            }
            bound.insert(name.clone(), Binding::Bound(value.clone(), *span));
        }
        for parameter in &function.parameters {
            if bound.contains_key(&parameter.name) {
                continue;
            }
            let Some(default) = &parameter.default else {
                let message = format!("the argument `{}` of `{}` is missing", parameter.name, function.name);
                self.refuse(code::MISSING_ARGUMENT, call.span, message, signature_of(function));
                return None;
            };
            let value = self.default_value(default);
            bound.insert(parameter.name.clone(), Binding::Bound(value, default.span));
        }
        Some(bound)
    }

    /// A parameter's default, evaluated outside of any function.
    pub fn default_value(&mut self, default: &Expr) -> Value {
        let frames = std::mem::take(&mut self.frames);
        let value = self.expression(default);
        self.frames = frames;
        if let Some(typed) = value.typed()
            && typed.family == Family::Array
        {
            let help = "write `None`, and make the array in the function: `if x is None: x = np.zeros(n)`";
            return self.refuse(code::UNSUPPORTED_PARAMETER_KIND, default.span, "an array cannot be a default", help);
        }
        value
    }
}

fn signature_of(function: &Function) -> String {
    let parameters: Vec<&str> = function.parameters.iter().map(|p| p.name.as_str()).collect();
    format!("it is defined as `{}({})`", function.name, parameters.join(", "))
}
