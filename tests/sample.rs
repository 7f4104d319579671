//! The sample of the corpus that `make test` runs everywhere (`tests/sample.txt`) leaves out no part of the compiler: what it meets is counted.
//!
//! Rules of the verifiers, rows of the function table and codes of reports have tests of their own that are always whole; that these miss none is
//! counted where they are: `numptx-ir/tests/verify.rs`, `tests/functions/test_table.py`, and here for the codes.

use std::collections::BTreeSet;

use numptx_driver::ir::array::{Module, Phase};
use numptx_passes::{Limit, Unobserved, run};
use numptx_source::{CODES, Source};
use numptx_tests::{each, files, options, read, sample, stem};

/// Passes that change no program of the corpus, as those before them leave nothing; files of `tests/stages`, which are always run, show what they do.
const OF_NO_PROGRAM: [&str; 1] = ["remove-dead"];

/// Passes that change a program.
fn passes_that_change(text: &str) -> BTreeSet<&'static str> {
    let source = Source::new("program.py".to_string(), text.to_string());
    let (module, reports) = numptx_lower::lower(&numptx_syntax::parse(&source).0, "program");
    assert!(!reports.has_errors(), "{}", numptx_tests::plain(&source, &reports));
    let mut module: Module = module;
    let mut before = module.to_string();
    let mut changing = BTreeSet::new();
    for pass in options(text).passes(Phase::Source) {
        run(&mut module, [&pass], Limit::None, &mut Unobserved).unwrap_or_else(|error| panic!("{error}"));
        let after = module.to_string();
        if after != before {
            changing.insert(pass.name);
        }
        before = after;
    }
    changing
}

#[test]
fn every_pass_changes_a_program_of_the_sample() {
    let sample = sample();
    let mut paths = files("tests/corpus", "py");
    paths.retain(|path| sample.contains(&stem(path)));
    assert_eq!(paths.len(), sample.len(), "tests/sample.txt names programs that are not there");
    let found: BTreeSet<&str> =
        each(&paths, |path| Some(passes_that_change(&read(path)))).into_iter().flatten().collect();
    let all: BTreeSet<&str> = options("").passes(Phase::Source).iter().map(|pass| pass.name).collect();
    let missing: BTreeSet<&str> =
        all.difference(&found).copied().filter(|pass| !OF_NO_PROGRAM.contains(pass)).collect();
    if !missing.is_empty() {
        let others = each(&files("tests/corpus", "py"), |path| {
            let met: Vec<&str> = passes_that_change(&read(path)).intersection(&missing).copied().collect();
            (!met.is_empty()).then(|| format!("{}: {}", stem(path), met.join(", ")))
        });
        panic!("no program of tests/sample.txt is changed by {missing:?}; others are:\n{}", others.join("\n"));
    }
}

#[test]
fn every_code_is_met_by_a_program() {
    let folders = [
        ("tests/errors", "py"),
        ("tests/warnings", "py"),
        ("compiler/numptx-lower/tests/refused", "py"),
        ("compiler/numptx-syntax/tests/cases", "expected"),
    ];
    let paths = folders.iter().flat_map(|(folder, extension)| files(folder, extension));
    let texts: Vec<String> = paths.map(|path| read(&path)).collect();
    let is_met = |code: &str| texts.iter().any(|text| text.contains(code));
    // Codes from NPX0701 on are about tools that are missing: `numptx/tests/command.rs`.
    let missing: Vec<&str> =
        CODES.iter().map(|entry| entry.code).filter(|code| *code < "NPX0700" && !is_met(code)).collect();
    assert!(missing.is_empty(), "no program below {folders:?} gives {missing:?}");
}
