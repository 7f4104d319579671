//! How much one overload may become.

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
pub(crate) const MAX_DEPTH: usize = 120;

/// What is left of what one overload may become.
pub(crate) struct Budget {
    /// A call of a function inside itself is being inlined, and may not end.
    pub attempt: Option<Attempt>,
    /// There was too much of something, and that was reported.
    pub is_exhausted: bool,
    /// Statements that it may still become.
    pub statements_left: usize,
    /// How deeply what is lowered is nested.
    pub depth: usize,
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
