//! How much one overload may become.

use numptx_source::{Report, Span, code};

use crate::lowerer::Lowerer;

/// An attempt to inline a call of a function inside itself.
pub(crate) struct Attempt {
    pub n_calls: usize,
    /// Statements that it may still become.
    pub n_statements: usize,
    /// It takes too many calls, statements or levels.
    pub is_given_up: bool,
}

/// Statements that one overload may become after inlining and unrolling.
const MAX_STATEMENTS: usize = 100_000;
/// Regions, calls and early exits that may be nested.
const MAX_DEPTH: usize = 120;

/// What is left of what one overload may become.
pub(crate) struct Budget {
    /// A call of a function inside itself is being inlined, and may not end.
    pub attempt: Option<Attempt>,
    /// There was too much of something, and that was reported.
    pub is_exhausted: bool,
    statements_left: usize,
    depth: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { attempt: None, is_exhausted: false, statements_left: MAX_STATEMENTS, depth: 0 }
    }
}

impl Budget {
    /// Whether what is lowered came to its end, so that nothing found of it is true.
    pub fn is_over(&self) -> bool {
        self.is_exhausted || self.attempt.as_ref().is_some_and(|attempt| attempt.is_given_up)
    }

    /// Counts statements that were lowered already.
    pub fn count_statements(&mut self, n: usize) {
        self.statements_left = self.statements_left.saturating_sub(n);
    }

    /// Leaves a nested construct.
    pub fn leave(&mut self) {
        self.depth -= 1;
    }
}

impl Lowerer<'_> {
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

    /// Enters a nested construct; false, and reported once, when they are nested too deeply. Paired with [`Budget::leave`].
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
}
