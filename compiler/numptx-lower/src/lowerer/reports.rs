//! What the user is told.

use numptx_source::{Code, Report, Span};

use crate::lowerer::Lowerer;
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
}
