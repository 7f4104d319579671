//! Programs of pages. In `docs/errors` a page's first program gives its code, and its last one gives nothing at all; in `docs/differences.md` each gives
//! the reports that stand in it.

use std::path::Path;

use numptx_driver::{Options, Unobserved, check};
use numptx_source::{Reports, Severity, Source};
use numptx_tests::{check_all, files, plain, read, stem};

/// Codes that no program causes, only the machine that the compiler runs on.
const OF_THE_MACHINE: &[&str] = &["NPX0701", "NPX0702"];

/// The Python programs of a page, in order.
fn programs(page: &str) -> Vec<&str> {
    page.split("```python\n").skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

fn reports(code: &str, program: &str) -> Result<(Source, Reports), String> {
    let source = Source::new(format!("{code}.py"), program);
    let checked = check(&source, &Options::new("page"), &mut Unobserved).map_err(|e| e.to_string())?;
    Ok((source, checked.reports))
}

fn page_is_true(path: &Path) -> Result<(), String> {
    let (code, text) = (stem(path), read(path));
    if OF_THE_MACHINE.contains(&code.as_str()) {
        return Ok(());
    }
    let programs = programs(&text);
    let [broken, .., working] = programs.as_slice() else {
        return Err(format!("{} programs where one that shows it and one that works were expected", programs.len()));
    };
    let (source, found) = reports(&code, broken)?;
    if found.is_empty() || found.iter().any(|r| r.code != code) {
        return Err(format!("its first program gives other reports:\n{}\n{broken}", plain(&source, &found)));
    }
    let (source, found) = reports(&code, working)?;
    match found.is_empty() {
        true => Ok(()),
        false => Err(format!("its working program is reported:\n{}\n{working}", plain(&source, &found))),
    }
}

#[test]
fn every_page_shows_its_report_and_a_program_that_works() {
    check_all(&files("docs/errors", "md"), page_is_true);
}

#[test]
fn every_program_of_the_language_page_is_compiled() {
    let page = read(&numptx_tests::root().join("docs/language.md"));
    for program in programs(&page) {
        let (source, found) = reports("language", program).expect("the compiler makes no mistake of its own");
        let refused = found.iter().any(|r| r.severity == Severity::Error);
        assert!(!refused, "{}\n{program}", plain(&source, &found));
    }
}

#[test]
fn every_program_of_the_page_of_differences_is_reported_as_it_says() {
    let page = read(&numptx_tests::root().join("docs/differences.md"));
    for program in programs(&page) {
        let (source, found) = reports("differences", program).expect("the compiler makes no mistake of its own");
        let wanted =
            program.lines().enumerate().filter_map(|(n, line)| Some((n + 1, line.split_once("#! ")?.1.trim())));
        let wanted: Vec<(usize, &str)> = wanted.collect();
        let errors = found.iter().filter(|r| r.severity == Severity::Error);
        let found_at: Vec<(usize, &str)> = errors.map(|r| (source.line_column(r.span.start).0, r.code)).collect();
        assert_eq!(found_at, wanted, "{}\n{program}", plain(&source, &found));
    }
}

#[test]
fn only_what_is_a_warning_lets_the_program_pass() {
    for path in files("docs/errors", "md").iter().filter(|p| !OF_THE_MACHINE.contains(&stem(p).as_str())) {
        let text = read(path);
        let (_, found) = reports(&stem(path), programs(&text)[0]).expect("the compiler makes no mistake of its own");
        let refused = found.iter().any(|r| r.severity == Severity::Error);
        assert_eq!(refused, text.contains("\nRefused:\n"), "{}", path.display());
    }
}
