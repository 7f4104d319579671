//! Calls of the function table.

use numptx_ir::DType;
use numptx_ir::functions::halves::takes_halves;
use numptx_ir::functions::{Arguments, Class, Form, Function, FunctionError, PyValue, Typed, call, lookup};
use numptx_source::{Span, code};

use crate::lowerer::Lowerer;
use crate::lowerer::library::LibraryCall;
use crate::values::closure::Enclosing;
use crate::values::scope::Callee;
use crate::values::value::Value;

impl Lowerer<'_> {
    /// Calls a function of the table. `span` is the call, `arguments` where each positional one stands.
    pub fn call_table(&mut self, name: &str, arguments: &Arguments, span: Span, places: &[Span]) -> Value {
        let Some(function) = lookup(name) else {
            let message = format!("`{name}` is not a function that numptx compiles");
            return self.refuse(code::UNKNOWN_FUNCTION, span, message, "`numptx functions` lists those that it does");
        };
        if let (true, [first, second, rest @ ..]) = (function.lowering.is_of_pairs, arguments.positional.as_slice())
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

    /// Whether what is lowered stands in the library.
    pub fn is_in_library(&self) -> bool {
        let mut frame = self.calls.frames.last();
        if frame.is_none() {
            return self.library.is_default;
        }
        while let Some(inner) = frame {
            frame = match (&inner.callee, &inner.enclosing) {
                (Callee::Module(position), _) => return *position >= self.module.functions.len(),
                // A comprehension stands in the function that has it.
                (_, Enclosing::Call(number)) => self.calls.frames.iter().find(|f| f.number == *number),
                _ => None,
            };
        }
        false
    }

    /// Whether a function of the library made a `float16` that was not shown to take steps in it as NumPy's: of an argument of 8 bits, or of bools. What has
    /// no row moves what it is given: shuffles, members of lists, operators by name.
    pub fn is_half_of_library(&self, made: Typed) -> bool {
        let takes = |caller: &LibraryCall| lookup(caller.name).is_none_or(takes_halves);
        let is_half = self.builder.dtype(made.value) == DType::F16;
        is_half && self.is_in_library() && !self.library.caller.as_ref().is_some_and(takes)
    }
}
