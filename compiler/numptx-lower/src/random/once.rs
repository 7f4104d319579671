//! What Python computes once in a process, and compiled code in each call: constants of the module, and defaults.
//!
//! A generator there goes on from call to call in Python, and would begin anew here. In: such a value, lowered. Out: whether it holds a generator; then
//! reading it is refused. What a constant draws of a generator of its own, with a seed, is the same each time, and compiled.

use numptx_source::{Report, Span, code};
use numptx_syntax::ast::SEEDS_RANDOM;

use crate::lowerer::Lowerer;
use crate::values::container_types::{Member, Sort};
use crate::values::value::Value;

impl Lowerer<'_> {
    /// Lowers what Python computes once. Gives whether the value holds a generator, too.
    pub fn once(&mut self, lower: impl FnOnce(&mut Self) -> Value) -> (Value, bool) {
        let (outer, n_before) = (std::mem::replace(&mut self.constants.is_once, true), self.random.n_made);
        let value = lower(self);
        self.constants.is_once = outer;
        let holds = self.random.n_made > n_before && self.may_hold(&value);
        (value, holds)
    }

    /// Refuses a constant of the module that holds a generator, the first time that it is read.
    pub fn refuse_kept_generator(&mut self, name: &str, span: Span) -> Value {
        let message = format!("`{name}` holds a generator of the module, which goes on from call to call in Python");
        if self.reports.iter().any(|report| report.message == message) {
            return Value::Poison;
        }
        let mut report = Report::error(code::UNSUPPORTED_EXPRESSION, span, message);
        if let Some(constant) = self.module.constants.iter().find(|constant| constant.name == name) {
            report = report.related(constant.value.span, "made here");
        }
        let help = match self.constants.is_once {
            true => "draw constants of a generator of their own: `np.random.default_rng(0).random(5)`",
            false => {
                "take it as a parameter, `Generator` in the export line, and pass it; or make it in the function: `rng = np.random.default_rng(0)`"
            }
        };
        self.report(report.help(help));
        Value::Poison
    }

    /// Refuses a default that holds a generator.
    pub fn refuse_default_generator(&mut self, span: Span) -> Value {
        let help = "write `None`, and make it in the function: `if rng is None: rng = np.random.default_rng(0)`";
        self.refuse(code::UNSUPPORTED_PARAMETER_KIND, span, "a generator cannot be a default", help)
    }

    /// Refuses entropy of the operating system.
    pub fn refuse_entropy_once(&mut self) -> Value {
        let message = "without a seed a constant has other numbers in each process";
        self.refuse_draw(message, "name a seed, `np.random.default_rng(0)`, or draw in the function")
    }

    /// Refuses what a method does with the state that NumPy keeps, where it would be another one than Python's.
    pub fn refuse_state(&mut self, name: &str, span: Span) -> Option<Value> {
        if self.constants.is_once {
            let message = format!("a constant that `np.random.{name}` draws of NumPy's state");
            let help = "draw in the function, or of a generator with a seed: `np.random.default_rng(0).random(5)`";
            return Some(self.refuse(code::UNSUPPORTED_EXPRESSION, span, message, help));
        }
        // Where the function has seeded the state on each path, Python's is the same.
        let state = self.random.state?;
        if name == "seed" {
            self.builder.settle(state);
        }
        let seeded = self.module.touched.get(SEEDS_RANDOM).filter(|_| !self.builder.is_settled(state))?;
        let message = format!("`np.random.{name}` draws of a state that the module seeds, and compiled code does not");
        let help = "seed it in the function, `np.random.seed(0)`, or take a `Generator` as a parameter";
        let report = Report::error(code::UNSUPPORTED_EXPRESSION, span, message);
        self.report(report.related(*seeded, "left to Python").help(help));
        Some(Value::Poison)
    }

    /// Whether a value may hold a generator: numbers, arrays and texts hold none, nor do lists of these.
    fn may_hold(&self, value: &Value) -> bool {
        match value {
            Value::Tuple(items) | Value::List(items) => items.iter().any(|item| self.may_hold(item)),
            Value::Container(list) if list.sort == Sort::List => !matches!(
                self.containers.member(list.ty),
                Member::Scalar { .. } | Member::Text | Member::None | Member::Array { .. }
            ),
            Value::Typed(_)
            | Value::None
            | Value::Ellipsis
            | Value::LargeInt(_)
            | Value::Str(_)
            | Value::Text(_)
            | Value::DType(_)
            | Value::Filled(_)
            | Value::Poison => false,
            _ => true,
        }
    }
}
