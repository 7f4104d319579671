//! What a stage tells the user besides its value, and what it tells us when we are wrong.

use crate::{Code, Span};

/// How grave a report is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// A fact worth knowing; compilation goes on.
    Note,
    /// Something that is likely not what the user wants; compilation goes on.
    Warning,
    /// The program is refused.
    Error,
}

/// A second place that a report points at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is there, in a few words.
    pub text: String,
}

/// One message to the user: a code, a place, what was found and expected, and a way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Entry in [`crate::CODES`].
    pub code: Code,
    /// Note, warning or error.
    pub severity: Severity,
    /// Lower case, no full stop, names and types in backticks.
    pub message: String,
    /// The primary place.
    pub span: Span,
    /// A few words under the primary place.
    pub label: String,
    /// Further places.
    pub related: Vec<Label>,
    /// A program, or a change, that works.
    pub help: Option<String>,
}

impl Report {
    /// An error at a place. Add a label and help with [`Report::label`] and [`Report::help`].
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        Report {
            code,
            severity: Severity::Error,
            message: message.into(),
            span,
            label: String::new(),
            related: Vec::new(),
            help: None,
        }
    }

    /// A warning at a place.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Self {
        Report { severity: Severity::Warning, ..Report::error(code, span, message) }
    }

    /// A note at a place.
    pub fn note(code: Code, span: Span, message: impl Into<String>) -> Self {
        Report { severity: Severity::Note, ..Report::error(code, span, message) }
    }

    /// Sets the words under the primary place.
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.label = text.into();
        self
    }

    /// Sets the help text: a program that works.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Adds a second place.
    pub fn related(mut self, span: Span, text: impl Into<String>) -> Self {
        self.related.push(Label { span, text: text.into() });
        self
    }
}

/// The reports of one stage, in the order in which they were found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reports {
    list: Vec<Report>,
}

impl Reports {
    /// No reports.
    pub fn new() -> Self {
        Reports::default()
    }

    /// Adds one, unless the same message already stands at the same place.
    pub fn push(&mut self, report: Report) {
        if !self.list.contains(&report) {
            self.list.push(report);
        }
    }

    /// Adds all of another stage's reports.
    pub fn extend(&mut self, other: Reports) {
        for report in other.list {
            self.push(report);
        }
    }

    /// Drops those of which `is_kept` does not hold.
    pub fn retain(&mut self, is_kept: impl FnMut(&Report) -> bool) {
        self.list.retain(is_kept);
    }

    /// Whether the program is refused.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|r| r.severity == Severity::Error)
    }

    /// All reports.
    pub fn iter(&self) -> std::slice::Iter<'_, Report> {
        self.list.iter()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// A mistake of the compiler, never of the user's program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InternalError {
    /// The stage or pass that found it.
    pub stage: String,
    /// What was wrong.
    pub message: String,
    /// The IR as text at that point, to be saved beside the command that reproduces it; may be empty.
    pub dump: String,
}

impl InternalError {
    /// An error of a stage, without a dump.
    pub fn new(stage: impl Into<String>, message: impl Into<String>) -> Self {
        InternalError { stage: stage.into(), message: message.into(), dump: String::new() }
    }
}

impl std::fmt::Display for InternalError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "internal error in {}: {}", self.stage, self.message)
    }
}

impl std::error::Error for InternalError {}

#[cfg(test)]
mod tests {
    use super::{Report, Reports};
    use crate::{Span, code};

    #[test]
    fn the_same_report_is_kept_once() {
        let mut reports = Reports::new();
        let report = Report::warning(code::SLOW_LOOP, Span::new(1, 2), "slow");
        reports.push(report.clone());
        reports.push(report.clone());
        assert_eq!(reports.iter().count(), 1);
        assert!(!reports.has_errors());
        let mut others = Reports::new();
        others.push(Report::error(code::SYNTAX, Span::new(1, 2), "wrong"));
        others.push(report);
        reports.extend(others);
        assert_eq!(reports.iter().count(), 2);
        assert!(reports.has_errors());
    }
}
