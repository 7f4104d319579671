//! `--emit schedule`: how each loop runs, and the forms of it that were compared.
//!
//! In: a report. Out: text, in the order of the source: what a loop became, as `--explain-loops` says it; then the forms, each with what the host starts
//! for it, the microseconds that it is expected to take, what it assumes, and whether the loop runs so.

use std::fmt::Write;

use super::explain::described;
use super::model::{CandidateReport, LoopReport, Report};
use super::words::{line_column, one_line};

impl Report {
    /// The text; empty without loops.
    pub fn schedule(&self) -> String {
        self.loops.iter().map(|l| self.schedule_of(l)).collect()
    }

    fn schedule_of(&self, l: &LoopReport) -> String {
        let mut text = format!("{} {} {}\n", line_column(&l.at), l.keyword, one_line(&l.at.text));
        for outcome in &l.outcomes {
            _ = writeln!(text, "    {}{}", described(outcome), self.among(&outcome.versions));
        }
        for candidate in &l.candidates {
            _ = writeln!(text, "        {}{}", compared(candidate), self.among(&candidate.versions));
        }
        text
    }

    /// Versions, where they are not all.
    fn among(&self, versions: &[String]) -> String {
        if versions.len() == self.versions.len() { String::new() } else { format!(" [{}]", versions.join(", ")) }
    }
}

fn compared(candidate: &CandidateReport) -> String {
    let taken = if candidate.is_chosen { "taken" } else { "not taken" };
    let CandidateReport { form, launches, .. } = candidate;
    let assumes = assumptions(candidate);
    match (&candidate.microseconds, &candidate.prevents) {
        (Some(microseconds), _) => format!("{taken}: {form}: {launches}; {microseconds} µs; assumes {assumes}"),
        (None, Some(prevents)) => format!("not possible: {form}: {prevents}"),
        (None, None) => format!("not possible: {form}"),
    }
}

/// What a form assumes, in words.
pub fn assumptions(candidate: &CandidateReport) -> String {
    if candidate.assumptions.is_empty() { "nothing".to_owned() } else { candidate.assumptions.join(", ") }
}
