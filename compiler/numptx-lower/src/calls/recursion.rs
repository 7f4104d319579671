//! Functions that call themselves, as far as they need no stack.
//!
//! A function that gives what it gives itself is a loop ([`crate::syntax::tail_calls`]).
//! Other calls inside themselves are inlined as long as an argument that is known when compiling changes, so that the program decides
//! where it ends. What is left is called ([`crate::calls::routines`]). A loop has no limit of depth, where Python raises `RecursionError`.

use crate::lowerer::Lowerer;
use crate::lowerer::budget::Attempt;
use crate::values::scope::{Binding, Frame};
use crate::values::value::Value;

/// Calls of functions inside themselves that may be inlined for one call, and statements that they may become.
const MAX_INLINED: usize = 300;
const MAX_STATEMENTS: usize = 5000;

impl Lowerer<'_> {
    /// Whether a call with these arguments may be inlined inside calls of the same function. The arguments may still not decide
    /// where it ends: see [`Lowerer::inlined_to_its_end`].
    pub fn may_recur(
        &self,
        arguments: &std::collections::BTreeMap<String, Binding>,
        calls_itself: impl Fn(&Frame) -> bool,
    ) -> bool {
        let Some(last) = self.calls.frames.iter().rev().find(|f| calls_itself(f)) else { return true };
        let known = |binding: Option<&Binding>| match binding {
            Some(Binding::Bound(value, _)) => self.known_part(value),
            _ => None,
        };
        let changes = |name: &String| {
            let (old, new) = (known(last.arguments.get(name)), known(arguments.get(name)));
            old.is_some() && new.is_some() && old != new
        };
        arguments.keys().any(changes)
    }

    /// Inlines a call of a function inside itself, and the calls in it, as long as what is known when compiling decides where they end. `None` if
    /// it does not: nothing is left of the attempt.
    pub fn inlined_to_its_end(&mut self, inline: impl FnOnce(&mut Self) -> Value) -> Option<Value> {
        if let Some(attempt) = &mut self.budget.attempt {
            attempt.n_calls += 1;
            attempt.is_given_up |= attempt.n_calls > MAX_INLINED;
            return Some(if attempt.is_given_up { Value::Poison } else { inline(self) });
        }
        let (point, n_reports, n_element_writes) = (self.point(), self.reports.len(), self.loops.n_element_writes);
        self.budget.attempt = Some(Attempt { n_calls: 1, n_statements: MAX_STATEMENTS, is_given_up: false });
        let value = inline(self);
        let attempt = self.budget.attempt.take();
        let is_given_up = attempt.as_ref().is_some_and(|attempt| attempt.is_given_up);
        self.budget.count_statements(attempt.map_or(0, |attempt| MAX_STATEMENTS - attempt.n_statements));
        if is_given_up {
            self.rollback(point);
            self.reports.truncate(n_reports);
            self.loops.n_element_writes = n_element_writes;
            self.paths.diverged = false;
        }
        (!is_given_up).then_some(value)
    }

    /// What of an argument is known when compiling, as text: a constant, or the length of a tuple.
    fn known_part(&self, value: &Value) -> Option<String> {
        match value {
            Value::Tuple(items) | Value::List(items) | Value::Record(_, items) => {
                Some(format!("{} members", items.len()))
            }
            Value::Typed(_) => self.constant_of(value).map(|c| format!("{c:?}")),
            Value::None => Some("None".into()),
            Value::Str(text) => Some(format!("{text:?}")),
            _ => None,
        }
    }
}
