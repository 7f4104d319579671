//! What each file under `cases` is read as: its reports with the text they point at, and its tree.
//!
//! `NUMPTX_BLESS=1 cargo test -p numptx-syntax` writes the expected texts; read the difference.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use numptx_source::{Report, Source};
use numptx_syntax::{ast, parse, print};

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let entries = std::fs::read_dir(folder).expect("the folder of cases is part of the crate");
    let mut paths: Vec<PathBuf> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "py"));
    paths.sort();
    paths
}

fn describe(source: &Source, report: &Report, out: &mut String) {
    let (line, column) = source.line_column(report.span.start);
    let under = source.slice(report.span).escape_debug();
    writeln!(out, "{line}:{column} {:?} {} {}", report.severity, report.code, report.message)
        .expect("a string takes all text");
    writeln!(out, "    at   {under}  {}", report.label).expect("a string takes all text");
    for label in &report.related {
        let (line, column) = source.line_column(label.span.start);
        let under = source.slice(label.span).escape_debug();
        writeln!(out, "    and  {line}:{column} {under}  {}", label.text).expect("a string takes all text");
    }
    if let Some(help) = &report.help {
        writeln!(out, "    help {help}").expect("a string takes all text");
    }
}

fn read(source: &Source) -> (ast::Module, String) {
    let (module, reports) = parse(source);
    let mut out = String::new();
    for report in reports.iter() {
        describe(source, report, &mut out);
    }
    for function in &module.functions {
        if !function.refused.is_empty() {
            writeln!(out, "in {}:", function.name).expect("a string takes all text");
        }
        for report in function.refused.iter() {
            describe(source, report, &mut out);
        }
    }
    out += "----\n";
    out += &print(&module);
    (module, out)
}

#[test]
fn files_are_read_as_expected() {
    let bless = std::env::var_os("NUMPTX_BLESS").is_some();
    let mut wrong = Vec::new();
    for path in cases() {
        let text = std::fs::read_to_string(&path).expect("cases are UTF-8");
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let (_, found) = read(&Source::new(name.clone(), text));
        let expected = path.with_extension("expected");
        if bless {
            std::fs::write(&expected, &found).expect("the folder of cases can be written");
        }
        if std::fs::read_to_string(&expected).unwrap_or_default() != found {
            wrong.push(format!("{name}:\n{found}"));
        }
    }
    assert!(wrong.is_empty(), "read otherwise than expected:\n{}", wrong.join("\n"));
}

#[test]
fn every_report_has_a_place_in_the_text_and_help() {
    for path in cases() {
        let source = Source::new("case.py", std::fs::read_to_string(&path).expect("cases are UTF-8"));
        let (module, reports) = parse(&source);
        let all = reports.iter().chain(module.functions.iter().flat_map(|f| f.refused.iter()));
        for report in all {
            let range = report.span.start as usize..report.span.end as usize;
            assert!(source.text.get(range).is_some(), "{}: {report:?}", path.display());
            assert!(report.help.is_some() && !report.message.is_empty(), "{}: {report:?}", path.display());
            assert!(report.span.start < report.span.end || source.text.is_empty(), "{}: {report:?}", path.display());
        }
    }
}

#[test]
fn the_dump_reads_back_as_itself() {
    for path in cases() {
        let source = Source::new("case.py", std::fs::read_to_string(&path).expect("cases are UTF-8"));
        let (module, reports) = parse(&source);
        if reports.has_errors() || module.functions.iter().any(|f| !f.refused.is_empty()) {
            continue;
        }
        let first = print(&module);
        let (module, reports) = parse(&Source::new("dump.py", first.clone()));
        assert!(reports.is_empty(), "{}: {reports:?}", path.display());
        assert_eq!(print(&module), first, "{}", path.display());
    }
}
