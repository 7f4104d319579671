//! Names that some paths bind and others do not, and that are read where these have joined.
//!
//! At first none are expected: such a read is reported, and the name noted as wanted. Then the function is lowered once more, and what is wanted
//! is remembered: where a side of a branch binds the name and the other does not, and from iteration to iteration of a loop, a flag goes
//! along with the value ([`Value::IfRan`]), and every read checks it, as Python does (`UnboundLocalError`). A name that no path to its read
//! binds stays an error when compiling; in a first attempt at a loop it is one that is held back until the loop is known to bind it for
//! no later iteration.

use numptx_ir::array::ErrorKind;
use numptx_source::{Report, Span};

use crate::lowerer::Lowerer;
use crate::values::value::Value;

impl Lowerer<'_> {
    /// Takes a name's value from it.
    pub fn unbind(&mut self, name: &str) {
        self.keep(name, None);
        self.calls.frame().state.names.remove(name);
    }

    /// Reads a name that has no value on this path. If it is remembered, that raises, and nothing follows.
    pub fn read_unassigned(&mut self, name: &str, report: Report, span: Span) -> Value {
        let is_own = self.calls.frame().locals.contains(name);
        if is_own {
            self.paths.wanted.insert(name.to_owned());
        }
        if !is_own || !self.paths.remembered.contains(name) {
            self.report(report);
            return Value::Poison;
        }
        self.builder.set_span(span);
        let never = self.bool_id(false);
        self.check(never, ErrorKind::UnboundLocal, &unbound(name), &[]);
        self.paths.diverged = true;
        self.paths.held_back.push(report);
        Value::Poison
    }

    /// Reports what was held back and did not turn out otherwise.
    pub fn report_held_back(&mut self) {
        for report in std::mem::take(&mut self.paths.held_back) {
            self.report(report);
        }
    }
}

/// What Python says of a name without a value.
pub(crate) fn unbound(name: &str) -> String {
    format!("cannot access local variable '{name}' where it is not associated with a value")
}
