//! Bodies of inlined functions: their names are bound, and what leaves them is what the call gives.

use std::collections::BTreeMap;

use numptx_source::{Label, Report, Span, code};
use numptx_syntax::ast::Function;

use crate::library::function_at;
use crate::lowerer::Lowerer;
use crate::syntax::flow::{Exits, assigned_names};
use crate::syntax::liveness::Liveness;
use crate::syntax::tail_calls::as_loop;
use crate::syntax::{generators, index_loops};
use crate::values::closure::Enclosing;
use crate::values::scope::{Binding, Callee};
use crate::values::value::Value;

impl Lowerer<'_> {
    /// Lowers a function's body with these values of its parameters, and gives what it returns.
    pub fn call_body(
        &mut self,
        function: &Function,
        callee: Callee,
        enclosing: Enclosing,
        arguments: BTreeMap<String, Binding>,
    ) -> Value {
        let expanded = generators::expanded(self.module, function);
        let function = expanded.as_ref().unwrap_or(function);
        let nested = index_loops::nested(self.module, function);
        let function = nested.as_ref().unwrap_or(function);
        let looped = as_loop(function);
        let function = looped.as_ref().unwrap_or(function);
        let mut locals = assigned_names(&function.body);
        locals.extend(function.parameters.iter().map(|p| p.name.clone()));
        self.calls.begin(callee, enclosing, arguments, locals, Liveness::of(function));
        // A function of the program that the library calls speaks for itself.
        let is_of_program = self.library.caller.is_some() && !self.is_in_library();
        let caller = if is_of_program { self.library.caller.take() } else { None };
        let was_pinned = is_of_program.then(|| self.builder.pin_span(false));
        let exits = self.block_to(&function.body, &Default::default());
        let value = self.returned(function, exits);
        self.paths.diverged = exits == Exits::NEVER;
        if let Some(was_pinned) = was_pinned {
            self.library.caller = caller;
            self.builder.pin_span(was_pinned);
        }
        self.calls.frames.pop();
        value
    }

    /// What a function gives whose body ended in these ways: past its end means `None`.
    fn returned(&mut self, function: &Function, exits: Exits) -> Value {
        let returned = self.calls.frame().state.returned.clone();
        match (exits.has(Exits::RETURN), returned) {
            (true, Some(Binding::Bound(value, span))) => {
                if exits.has(Exits::FALL) && value != Value::None && !value.is_poison() {
                    if let Some(value) = self.returned_or_none(value.clone(), span) {
                        return value;
                    }
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

    /// Lowers a function of the file with these values of its parameters, and gives what it returns.
    pub fn call_function(&mut self, position: usize, arguments: BTreeMap<String, Binding>) -> Value {
        let module = self.module;
        let function = function_at(module, position);
        if !function.refused.is_empty() {
            function.refused.iter().for_each(|r| self.report(r.clone()));
            return Value::Poison;
        }
        self.call_body(function, Callee::Module(position), Enclosing::Module, arguments)
    }

    /// Runs an inlined call; what is reported inside of it is related to the call.
    pub fn inlined(&mut self, span: Span, call: impl FnOnce(&mut Self) -> Value) -> Value {
        if !self.enter(span) {
            self.budget.leave();
            return Value::Poison;
        }
        let n_reports = self.reports.len();
        self.calls.path.push(span);
        let value = call(self);
        self.calls.path.pop();
        self.budget.leave();
        // What is said of the library stands at its call already.
        let is_of_library = self.library.caller.is_some();
        for report in self.reports.iter_mut().skip(n_reports).filter(|_| !is_of_library) {
            note_call(report, span);
        }
        self.builder.set_span(span);
        value
    }
}

/// Relates a report to a call that it stands in; to a call that calls itself once.
fn note_call(report: &mut Report, span: Span) {
    let deep = |n: usize| if n == 1 { "called here".to_owned() } else { format!("called here, {n} deep") };
    match report.related.iter().position(|label| label.span == span) {
        Some(at) => {
            let label = &mut report.related[at];
            let n = label.text.split(' ').find_map(|word| word.parse().ok()).unwrap_or(1);
            label.text = deep(n + 1);
        }
        None => report.related.push(Label { span, text: deep(1) }),
    }
}
