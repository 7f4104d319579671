//! What the user is told: reports, refusals that several folders make, and that a program becomes too large.

use numptx_ir::functions::lookup;
use numptx_source::{Code, Report, Severity, Span, code};

use crate::lowerer::Lowerer;
use crate::lowerer::budget::MAX_DEPTH;
use crate::lowerer::library::shown;
use crate::values::call::Call;
use crate::values::random::is_of_random;
use crate::values::value::Value;

impl Lowerer<'_> {
    /// Reports, unless the same was said of the same place.
    pub fn report(&mut self, report: Report) {
        if let Some(report) = self.of_caller(report) {
            self.say(report);
        }
    }

    /// Reports in these words, also where a function of the library is being lowered.
    pub fn say(&mut self, report: Report) {
        // What was not lowered has no values: whatever is found of it is untrue.
        if self.library.is_refused || self.budget.is_over() {
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

    /// Refuses the use of a value that is one of several.
    pub fn refuse_one_of(&mut self, value: &Value, span: Span) -> Value {
        let may_be_none = matches!(value, Value::OneOf(one) if one.none().is_some());
        let report =
            Report::error(code::REBOUND_TO_OTHER_TYPE, span, format!("this is {}", value.describe(&self.builder)));
        let help = match may_be_none {
            true => "test it before: `if best is not None:`, or begin with a value of that type: `best = -np.inf`",
            false => "make it one type on every path: `x.astype(np.float64)`; what is one of several can be returned",
        };
        self.report(report.help(help));
        Value::Poison
    }

    /// Reports an operator that does not exist for its operands.
    pub fn bad_operands(&mut self, operator: &str, left: &Value, right: &Value, span: Span) -> Value {
        let (a, b) = (left.describe(&self.builder), right.describe(&self.builder));
        let message = match (left, right, operator) {
            (Value::List(_) | Value::Tuple(_), count, "*") | (count, Value::List(_) | Value::Tuple(_), "*")
                if self.is_python(count) && count.typed().is_some_and(|n| self.builder.dtype(n.value).is_integer()) =>
            {
                let many = self.int_of(count).map(|_| format!("more than {MAX_REPEATED} members"));
                format!("this has {}", many.unwrap_or_else(|| "a length that is not known when compiling".to_owned()))
            }
            _ => format!("`{operator}` does not exist for {a} and {b}"),
        };
        let is_none = matches!(left, Value::None) || matches!(right, Value::None);
        let help = match (left, operator) {
            (Value::Str(_), "%") => F_STRING,
            (_, "==") if is_none => "write `x is None`",
            (_, "!=") if is_none => "write `x is not None`",
            (Value::List(_) | Value::Tuple(_), "*") => {
                "a list is as long as is known when compiling; an array takes any length: `np.zeros(n)`, `np.full(n, 1.5)`"
            }
            _ => "operators take numbers and arrays: `x + 1`, `x @ y`",
        };
        self.refuse(code::BAD_OPERAND_TYPES, span, message, help)
    }

    /// Refuses what the program gave to a function of the library, in words of its own.
    pub fn refuse_draw(&mut self, message: impl Into<String>, help: impl Into<String>) -> Value {
        let Some(caller) = &self.library.caller else { return Value::Poison };
        let message = format!("`{}`: {}", shown(caller.name), message.into());
        let span = caller.span;
        self.say(Report::error(code::BAD_ARGUMENT, span, message).help(help));
        self.library.is_refused = true;
        Value::Poison
    }

    /// A report about the library, as one about the call that led there: its lines and its names are none of the program's. Warnings about it are
    /// nobody's.
    pub fn of_caller(&self, report: Report) -> Option<Report> {
        let Some(call) = &self.library.caller else { return Some(report) };
        if report.severity < Severity::Error {
            return None;
        }
        if report.code == code::TOO_DEEPLY_NESTED {
            return Some(Report { span: call.span, related: Vec::new(), ..report });
        }
        let message = format!("`{}` of these arguments is not supported: {}", shown(call.name), call.given);
        let help = match lookup(call.name) {
            Some(function) => function
                .working_call()
                .unwrap_or_else(|| format!("`numptx functions {}` tells what it takes", call.name)),
            None if is_of_random(call.name) => {
                "pass numbers or arrays of numbers, and as the size an int or a tuple of ints".to_owned()
            }
            None => "pass lists of numbers, strings, and tuples of these, of one type each".to_owned(),
        };
        Some(Report::error(code::BAD_ARGUMENT, call.span, message).help(help))
    }

    /// Counts a statement; false, and reported once, when the program has become too large.
    pub fn spend(&mut self, span: Span) -> bool {
        if let Some(attempt) = &mut self.budget.attempt {
            attempt.n_statements = attempt.n_statements.saturating_sub(1);
            attempt.is_given_up |= attempt.n_statements == 0;
            return !attempt.is_given_up;
        }
        self.budget.count_statements(1);
        !self.budget.is_exhausted && self.budget.statements_left > 0
            || self.too_large(span, "this function becomes too large once its calls are inlined")
    }

    /// Enters a nested construct; false, and reported once, when they are nested too deeply. Paired with
    /// [`Budget::leave`](crate::lowerer::budget::Budget::leave).
    pub fn enter(&mut self, span: Span) -> bool {
        self.budget.depth += 1;
        self.budget.depth <= MAX_DEPTH
            || self.too_large(span, "too many branches, loops, calls and early exits are nested here")
    }

    fn too_large(&mut self, span: Span, message: &str) -> bool {
        if let Some(attempt) = &mut self.budget.attempt {
            attempt.is_given_up = true;
            return false;
        }
        if !self.budget.is_exhausted {
            let report = Report::error(code::TOO_DEEPLY_NESTED, span, message);
            self.report(report.help("write it as a loop, or as several exported functions"));
            self.budget.is_exhausted = true;
        }
        false
    }

    /// Reports too few or too many arguments. `form` is the longest call that is taken: `divmod(a, b)`.
    pub fn refuse_count(&mut self, name: &str, form: &str, call: &Call) -> Value {
        let (given, most) = (call.positional.len(), form.matches(',').count() + 1);
        let code = if given > most { code::TOO_MANY_ARGUMENTS } else { code::MISSING_ARGUMENT };
        let message = format!("`{name}` does not take {given} positional arguments");
        self.refuse(code, call.span, message, format!("write `{form}`"))
    }

    /// Refuses the `yield` of a function that is exported.
    pub fn refuse_yield(&mut self, span: Span) {
        let help = "return a list or an array, or let another function go through it: `return list(f(x))`";
        self.refuse(code::UNSUPPORTED_EXPRESSION, span, "an exported function cannot `yield`", help);
    }
}

/// The help for other ways of making strings.
pub(crate) const F_STRING: &str = "write an f-string: `raise ValueError(f\"n is {n}\")`";

/// Lists and tuples that are repeated have no more members.
pub(crate) const MAX_REPEATED: usize = 512;
