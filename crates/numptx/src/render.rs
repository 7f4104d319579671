//! Shows reports: the line underlined, what was found, and what works.
//!
//! Colour and box-drawing only where standard error is a terminal, and colour not where `NO_COLOR` is set.

use std::fmt;
use std::io::IsTerminal;

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, SourceCode};
use numptx_source::{Label, Report, Reports, Severity, Source, Span};

use crate::output;

/// Reports of one file beyond this number are counted, not shown.
const MAX_SHOWN: usize = 40;
/// Columns where standard error is no terminal.
const PLAIN_WIDTH: usize = 100;

/// Prints the reports of one file, in the order of their places.
pub fn show(source: &Source, reports: &Reports) {
    let mut all: Vec<&Report> = reports.iter().collect();
    all.sort_by_key(|r| r.span.start);
    let (handler, count) = (handler(), all.len());
    let text = NamedSource::new(&source.name, output::same_length(&source.text));
    for report in all.into_iter().take(MAX_SHOWN).map(harmless) {
        let shown = Shown { report: &report, source, text: &text };
        let mut out = String::new();
        if handler.render_report(&mut out, &shown).is_err() || out.trim().is_empty() {
            out = plain(source, &report);
        }
        output::drawn(out.trim_start_matches('\n'));
    }
    if count > MAX_SHOWN {
        output::note(&format!("... and {} more\n", count - MAX_SHOWN));
    }
}

/// A report whose words, which may quote the program, steer no terminal.
fn harmless(report: &Report) -> Report {
    let word = |text: &str| output::visible(text).into_owned();
    let related = report.related.iter().map(|l| Label { span: l.span, text: word(&l.text) }).collect();
    Report {
        message: word(&report.message),
        label: word(&report.label),
        related,
        help: report.help.as_deref().map(word),
        ..*report
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

/// One report as miette wants it.
struct Shown<'a> {
    report: &'a Report,
    source: &'a Source,
    text: &'a NamedSource<String>,
}

impl Shown<'_> {
    /// miette underlines nothing under an empty span, and cannot show one past the end.
    fn span(&self, span: Span) -> (usize, usize) {
        let length = self.source.text.len();
        let start = (span.start as usize).min(length);
        let end = (span.end as usize).clamp(start, length);
        (start, end - start)
    }
}

impl Diagnostic for Shown<'_> {
    fn code(&self) -> Option<Box<dyn fmt::Display + '_>> {
        Some(Box::new(self.report.code))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.report.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
            Severity::Note => miette::Severity::Advice,
        })
    }

    fn help(&self) -> Option<Box<dyn fmt::Display + '_>> {
        self.report.help.as_ref().map(|h| Box::new(h) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(self.text)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let label = (!self.report.label.is_empty()).then(|| self.report.label.clone());
        let primary = LabeledSpan::new_primary_with_span(label, self.span(self.report.span));
        let related =
            self.report.related.iter().map(|l| LabeledSpan::new_with_span(Some(l.text.clone()), self.span(l.span)));
        Some(Box::new(std::iter::once(primary).chain(related)))
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.report.message)
    }
}

impl fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Shown<'_> {}

/// One line, for a place that cannot be drawn.
fn plain(source: &Source, report: &Report) -> String {
    let (line, column) = source.line_column(report.span.start);
    format!("{}:{line}:{column}: {} {}\n", source.name, report.code, report.message)
}
