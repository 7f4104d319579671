//! Reports as text: the line underlined, what was found, and what works.
//!
//! In: reports of one file, and how they are drawn. Out: their texts. Nothing is printed, and nothing of the terminal is known.

use std::fmt;

use miette::{Diagnostic, GraphicalReportHandler, LabeledSpan, NamedSource, SourceCode};
use numptx_source::{Label, Report, Reports, Severity, Source, Span};

use crate::visible::{same_length, visible};

/// The reports of one file in the order of their places, each as its text, at most so many.
pub fn drawn(source: &Source, reports: &Reports, most: usize, handler: &GraphicalReportHandler) -> Vec<String> {
    let mut all: Vec<&Report> = reports.iter().collect();
    all.sort_by_key(|r| r.span.start);
    let shown_text = same_length(&source.text);
    let draw = |report: Report| {
        let file = source.file_at(report.span.start);
        let text = shown_text.get(file.start as usize..file.end as usize).unwrap_or_default();
        let text = NamedSource::new(source.name_at(file.start), text.to_owned());
        let report = with_other_files(report, source, file);
        let shown = Shown { report: &report, file, text: &text };
        let mut out = String::new();
        if handler.render_report(&mut out, &shown).is_err() || out.trim().is_empty() {
            out = plain(source, &report);
        }
        out.trim_start_matches('\n').to_owned()
    };
    all.into_iter().take(most).map(harmless).map(draw).collect()
}

/// A report whose words, which may quote the program, steer no terminal.
fn harmless(report: &Report) -> Report {
    let word = |text: &str| visible(text).into_owned();
    let related = report.related.iter().map(|l| Label { span: l.span, text: word(&l.text) }).collect();
    Report {
        message: word(&report.message),
        label: word(&report.label),
        related,
        help: report.help.as_deref().map(word),
        ..*report
    }
}

/// A report about one file: what it points at in others is told below it.
fn with_other_files(mut report: Report, source: &Source, file: Span) -> Report {
    let is_here = |label: &Label| (file.start..=file.end).contains(&label.span.start);
    let (here, others): (Vec<Label>, Vec<Label>) = std::mem::take(&mut report.related).into_iter().partition(is_here);
    let mut help: Vec<String> = report.help.take().into_iter().collect();
    help.extend(others.iter().map(|label| {
        let (line, column) = source.line_column(label.span.start);
        format!("{}:{line}:{column}: {}", source.name_at(label.span.start), label.text)
    }));
    Report { related: here, help: (!help.is_empty()).then(|| help.join("\n")), ..report }
}

/// One report as miette wants it.
struct Shown<'a> {
    report: &'a Report,
    /// Where the text of its file stands in the source's.
    file: Span,
    text: &'a NamedSource<String>,
}

impl Shown<'_> {
    /// miette underlines nothing under an empty span, and cannot show one past the end.
    fn span(&self, span: Span) -> (usize, usize) {
        let start = span.start.clamp(self.file.start, self.file.end);
        let end = span.end.clamp(start, self.file.end);
        ((start - self.file.start) as usize, (end - start) as usize)
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
    format!("{}:{line}:{column}: {} {}\n", source.name_at(report.span.start), report.code, report.message)
}
