//! Reports as lines of a build script's output. Cargo takes one line a message.

use numptx_source::{Report, Reports, Severity, Source};

/// The lines of all reports of a severity:
///
/// ```text
/// src/kernels.py:6:12: NPX0301: shapes cannot be broadcast together: extents 3 and 4
///     return x + y
///            ^^^^^
/// help: aligned from the last axis, extents must be equal or 1
/// ```
pub fn rendered(source: &Source, reports: &Reports, severity: Severity) -> Vec<String> {
    reports.iter().filter(|r| r.severity == severity).flat_map(|report| lines(source, report)).collect()
}

fn lines(source: &Source, report: &Report) -> Vec<String> {
    let (line, column) = source.line_column(report.span.start);
    let mut lines =
        vec![format!("{}:{line}:{column}: {}: {}", source.name_at(report.span.start), report.code, report.message)];
    // Reports on the machine that compiles have no place in the program.
    if report.span.start < report.span.end {
        let text =
            source.slice(source.file_at(report.span.start)).lines().nth(line - 1).unwrap_or("").replace('\t', " ");
        let marked = source.slice(report.span).lines().next().unwrap_or("").chars().count().max(1);
        let label = if report.label.is_empty() { String::new() } else { format!(" {}", report.label) };
        lines.push(text);
        lines.push(format!("{}{}{label}", " ".repeat(column - 1), "^".repeat(marked)));
    }
    if let Some(help) = &report.help {
        lines.extend(format!("help: {help}").lines().map(str::to_string));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use numptx_source::{Span, code};

    #[test]
    fn a_report_shows_its_line_its_place_and_its_help() {
        let source = Source::new("k.py", "def f(é, y):\n    return é + y\n");
        let start = source.text.rfind('é').unwrap_or_default() as u32;
        let span = Span::new(start, source.text.len() as u32 - 1);
        let mut reports = Reports::new();
        reports.push(Report::error(code::BROADCAST_MISMATCH, span, "they differ").label("here").help("do\nthis"));
        let expected =
            ["k.py:2:12: NPX0301: they differ", "    return é + y", "           ^^^^^ here", "help: do", "this"];
        assert_eq!(rendered(&source, &reports, Severity::Error), expected);
        assert!(rendered(&source, &reports, Severity::Warning).is_empty());
    }

    #[test]
    fn a_report_on_the_machine_shows_no_line() {
        let source = Source::new("k.py", "");
        let mut reports = Reports::new();
        reports.push(Report::warning(code::DEVICE_MATH_MISSING, Span::default(), "none"));
        assert_eq!(rendered(&source, &reports, Severity::Warning), ["k.py:1:1: NPX0701: none"]);
    }
}
