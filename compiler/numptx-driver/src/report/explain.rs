//! One line a loop, for a terminal: what it became and why it is not parallel.

use super::model::{LoopOutcome, LoopReport, Place, ReasonReport, Report};
use super::words::{self, one_line};

impl Report {
    /// The lines, in the order of the source: `kernels.py:3:9: note: for i in range(n): parallel`.
    pub fn explain_loops(&self) -> Vec<String> {
        self.loops.iter().flat_map(|l| self.lines(l)).collect()
    }

    fn lines(&self, l: &LoopReport) -> Vec<String> {
        let Place { line, column, text, .. } = &l.at;
        let file = l.at.file.as_ref().unwrap_or(&self.file);
        let head = format!("{file}:{line}:{column}: note: {} {}:", l.keyword, one_line(text));
        if l.outcomes.is_empty() {
            return vec![format!("{head} nothing is left of it when compiled")];
        }
        let n_versions = self.versions.len();
        let line = |outcome: &LoopOutcome| {
            let versions = match outcome.versions.len() == n_versions || l.outcomes.len() == 1 {
                true => String::new(),
                false => format!(" [{}]", outcome.versions.join(", ")),
            };
            format!("{head} {}{versions}", described(outcome))
        };
        l.outcomes.iter().map(line).collect()
    }
}

/// What a loop became, its condition, and why.
pub fn described(outcome: &LoopOutcome) -> String {
    let elsewhere = match (outcome.is_in_order_elsewhere, &outcome.reason_elsewhere) {
        (true, Some(reason)) => format!("one thread, in order{}", because(reason)),
        (true, None) => "one thread, in order".to_owned(),
        (false, _) => "the host, as written".to_owned(),
    };
    let condition = outcome.condition.as_ref().map(|c| format!(", where {c}; elsewhere by {elsewhere}"));
    let reason = outcome.reason.as_ref().map(because);
    let replayed = if outcome.is_replayed { words::REPLAYED } else { "" };
    format!("{}{replayed}{}{}", outcome.summary, reason.unwrap_or_default(), condition.unwrap_or_default())
}

/// Why a loop does not run by a better strategy.
fn because(reason: &ReasonReport) -> String {
    match reason {
        ReasonReport::Dependence { text, .. } => format!("; not parallel: {text}"),
        ReasonReport::Stated { text, at: Some(at) } => {
            format!("; {text}: `{}` ({})", one_line(&at.text), words::line_column(at))
        }
        ReasonReport::Stated { text, at: None } => format!("; {text}"),
    }
}
