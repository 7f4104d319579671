//! Broken programs, and programs to warn of: each gives exactly the reports that its `#! NPXnnnn` comments name, each with help, and never a panic.
//! What a comment says after the code stands in the help.

use std::collections::BTreeSet;
use std::path::Path;

use numptx_driver::{self as driver, Halves, Options, Outcome, Unobserved, compile};
use numptx_source::{Report, Reports, Source};
use numptx_tests::{check_all, files, options, plain, read, stem};

fn reports(source: &Source) -> Result<Reports, String> {
    let options = Options { halves: Halves::DeviceOnly, ..Options::new("broken") };
    match compile(source, &options, &mut Unobserved) {
        Ok(Outcome::Rejected(reports)) => Ok(reports),
        Ok(Outcome::Compiled { .. }) => Err("it compiles".to_string()),
        Err(error) => Err(error.to_string()),
    }
}

/// `(line, code)` of every `#! NPXnnnn` comment.
fn expected(text: &str) -> BTreeSet<(usize, String)> {
    let comments = text.lines().enumerate().filter_map(|(n, line)| Some((n + 1, line.split_once("#! NPX")?.1)));
    comments.map(|(line, code)| (line, format!("NPX{}", code.split_whitespace().next().unwrap_or("")))).collect()
}

fn warnings(source: &Source) -> Result<Reports, String> {
    let checked = driver::check(source, &options(&source.text), &mut Unobserved).map_err(|error| error.to_string())?;
    if checked.reports.has_errors() { Err(plain(source, &checked.reports)) } else { Ok(checked.reports) }
}

fn check(path: &Path, reports: impl Fn(&Source) -> Result<Reports, String>) -> Result<(), String> {
    let text = read(path);
    let source =
        Source::new(path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned()), text.as_str());
    let reports = reports(&source)?;
    let found: BTreeSet<(usize, String)> =
        reports.iter().map(|r| (source.line_column(r.span.start).0, r.code.to_string())).collect();
    let wanted = expected(&text);
    if found != wanted {
        return Err(format!("expected {wanted:?}, found {found:?}\n{}", plain(&source, &reports)));
    }
    for (n, line) in text.lines().enumerate() {
        let Some((code, words)) = line.split_once("#! NPX").and_then(|(_, rest)| rest.split_once(' ')) else {
            continue;
        };
        let is_meant = |r: &&Report| source.line_column(r.span.start).0 == n + 1 && r.code.to_string().ends_with(code);
        let help = reports.iter().find(is_meant).and_then(|report| report.help.clone()).unwrap_or_default();
        if !help.contains(words.trim()) {
            return Err(format!("line {}: the help does not say `{words}`: {help}", n + 1));
        }
    }
    match reports.iter().find(|r| r.help.is_none() || r.message.is_empty() || r.span.start == r.span.end) {
        Some(report) => Err(format!("{} lacks help, a message or a span", report.code)),
        None => Ok(()),
    }
}

#[test]
fn every_broken_program_is_refused_where_it_is_broken() {
    check_all(&files("tests/errors", "py"), |path| check(path, reports));
}

#[test]
fn every_warning_stands_where_it_is_due() {
    check_all(&files("tests/warnings", "py"), |path| check(path, warnings));
}

#[test]
fn there_are_at_least_forty_broken_programs() {
    assert!(files("tests/errors", "py").len() >= 40);
}

#[test]
fn the_reports_read_well() {
    let mut text = String::new();
    for path in files("tests/errors", "py") {
        let source = Source::new(stem(&path), read(&path));
        let reports = reports(&source).unwrap_or_default();
        text.push_str(&format!("# {}\n{}\n", stem(&path), plain(&source, &reports)));
    }
    insta::assert_snapshot!("reports", text);
}
