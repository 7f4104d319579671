//! Programs of pages. In `docs/errors` a page's first program gives its code, and its last one gives nothing at all; in `docs/differences.md` each gives
//! the reports that stand in it. What `docs/loops.md` and `docs/architecture.md` show of a program the compiler says of it.

use std::path::Path;

use numptx_driver::{Halves, Observer, Options, PassObserver, Stage, Unobserved, check, compile};
use numptx_source::{Reports, Severity, Source};
use numptx_tests::{check_all, files, plain, read, root, stem};

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
    let page = read(&root().join("docs/language.md"));
    for program in programs(&page) {
        let (source, found) = reports("language", program).expect("the compiler makes no mistake of its own");
        let refused = found.iter().any(|r| r.severity == Severity::Error);
        assert!(!refused, "{}\n{program}", plain(&source, &found));
    }
}

#[test]
fn every_program_of_the_page_of_differences_is_reported_as_it_says() {
    let page = read(&root().join("docs/differences.md"));
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

/// Whether `text` has the parts of `excerpt` between its `…` in their order.
fn has(text: &str, excerpt: &str) -> bool {
    let mut rest = text;
    excerpt.split('…').all(|part| match rest.split_once(part.trim()) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    })
}

/// The lines of the blocks of text that follow a program, up to the next one.
fn shown(after: &str) -> Vec<&str> {
    let until = after.split("```python\n").next().unwrap_or("");
    let blocks = until.split("```text\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.flat_map(str::lines).filter(|line| !line.is_empty()).collect()
}

/// Each program of a page with what follows it.
fn with_what_follows(page: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = page;
    while let Some((_, from)) = rest.split_once("```python\n") {
        let Some((program, after)) = from.split_once("```") else { break };
        found.push((program, after));
        rest = after;
    }
    found
}

#[test]
fn the_page_of_loops_shows_what_the_report_says() {
    let page = read(&root().join("docs/loops.md"));
    let options = Options { report: true, ..Options::new("loops") };
    for (program, after) in with_what_follows(&page) {
        let checked = check(&Source::new("loops.py", program), &options, &mut Unobserved);
        let report = checked.expect("the compiler makes no mistake of its own").report;
        let said = report.unwrap_or_else(|| panic!("it is refused:\n{program}")).explain_loops();
        for line in shown(after).join("\n").replace("\n    ", " ").lines() {
            assert!(
                said.iter().any(|l| has(l, line)),
                "{program}\nis not said to be\n{line}\nbut\n{}",
                said.join("\n")
            );
        }
    }
}

/// All that the stages print.
#[derive(Default)]
struct Printed(String);

impl PassObserver for Printed {
    fn reached_pass(&mut self, _name: &str, _module: &numptx_driver::ir::array::Module, _seconds: f64) {}
}

impl Observer for Printed {
    fn reached_stage(&mut self, _stage: Stage, text: &dyn Fn() -> String) {
        self.0 += &text();
    }
    fn timed(&mut self, _stage: &str, _seconds: f64) {}
}

#[test]
fn the_page_about_passes_shows_the_pass_as_it_is() {
    let page = read(&root().join("docs/adding-a-pass.md"));
    let files = ["compiler/numptx-passes/src/source/unwrap_loops.rs", "compiler/numptx-driver/src/lists.rs"];
    let code: String = files.iter().map(|file| read(&root().join(file))).collect();
    for block in page.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next()) {
        assert!(code.contains(block), "no file has\n{block}");
    }
    let test = read(&root().join("tests/stages/array/unwrap_loops.array"));
    let block = page.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap_or("");
    assert!(has(&test, block.trim()), "no test begins with\n{block}");
}

#[test]
fn the_architecture_shows_what_the_stages_print() {
    let page = read(&root().join("docs/architecture.md"));
    let options = Options { halves: Halves::DeviceOnly, ..Options::new("scaled") };
    for (program, after) in with_what_follows(&page) {
        let mut printed = Printed::default();
        let outcome = compile(&Source::new("scaled.py", program), &options, &mut printed);
        outcome.expect("the compiler makes no mistake of its own");
        for line in shown(after) {
            let is_printed = printed.0.lines().any(|l| l.trim() == line.trim() || line.contains('…') && has(l, line));
            assert!(is_printed, "no stage prints\n{line}");
        }
    }
}
