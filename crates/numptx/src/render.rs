//! Shows reports: the line underlined, what was found, and what works.
//!
//! Colour and box-drawing only where standard error is a terminal, and colour not where `NO_COLOR` is set.

use std::io::IsTerminal;

use miette::{GraphicalReportHandler, GraphicalTheme};
use numptx_source::{Reports, Severity, Source};

use crate::drawing::drawn;
use crate::output;

/// Reports of one file beyond this number are counted, not shown.
const MAX_SHOWN: usize = 40;
/// Columns where standard error is no terminal.
const PLAIN_WIDTH: usize = 100;

/// Prints the reports of one file, in the order of their places.
pub fn show(source: &Source, reports: &Reports) {
    for text in drawn(source, reports, MAX_SHOWN, &handler()) {
        output::drawn(&text);
    }
    let count = reports.iter().len();
    if count > MAX_SHOWN {
        output::note(&format!("... and {} more\n", count - MAX_SHOWN));
    }
}

/// `2 errors, 1 warning`; empty when there are none.
pub fn count(reports: &Reports) -> String {
    let number = |severity, word: &str| {
        let n = reports.iter().filter(|r| r.severity == severity).count();
        (n > 0).then(|| format!("{n} {word}{}", if n == 1 { "" } else { "s" }))
    };
    let parts =
        [number(Severity::Error, "error"), number(Severity::Warning, "warning"), number(Severity::Note, "note")];
    parts.into_iter().flatten().collect::<Vec<String>>().join(", ")
}

fn handler() -> GraphicalReportHandler {
    let terminal = std::io::stderr().is_terminal();
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
    let theme = match (terminal, no_color) {
        (true, false) => GraphicalTheme::unicode(),
        (true, true) => GraphicalTheme::unicode_nocolor(),
        (false, _) => GraphicalTheme::none(),
    };
    let handler = GraphicalReportHandler::new_themed(theme).with_links(false).with_context_lines(1);
    if terminal { handler } else { handler.with_width(PLAIN_WIDTH) }
}
