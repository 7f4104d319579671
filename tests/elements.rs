//! Random programs with loops over elements through the interpreters: the passes keep what a program does.
//!
//! The programs are those that `random-programs` writes for `tests/fuzz.py`, which compares them with Python; here thousands take minutes, for nothing
//! is compiled. `NUMPTX_PROGRAMS=5000` takes that many, `NUMPTX_FIRST` says which one comes first.

use std::process::Command;

use numptx_driver::ARRAY_PASSES;
use numptx_driver::ir::array::Module;
use numptx_passes::{Limit, Unobserved, run};
use numptx_source::Source;
use numptx_tests::arguments::Arguments;
use numptx_tests::outcome::outcome;

const PROGRAMS: u64 = 60;

/// What a run as lowered may take, in ops and elements.
const FUEL: u64 = 400_000;

/// Runs of each program with arrays apart, and as many with overlapping ones.
const RUNS: u64 = 6;

/// The text of programs with loops over elements, of so many numbers from one on.
fn programs(first: u64, count: u64) -> Vec<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_random-programs"));
    let written = command.args([(4 * first).to_string(), (4 * count).to_string()]).output().expect("it is built");
    let text = String::from_utf8(written.stdout).expect("it writes text");
    let parts = text.split("# program ").filter_map(|part| part.split_once('\n'));
    let has_elements = |number: &str| number.parse::<u64>().is_ok_and(|number| number % 4 == 3);
    parts.filter(|(number, _)| has_elements(number)).map(|(_, text)| format!("import numpy as np\n\n{text}")).collect()
}

fn lowered(text: &str) -> Option<Module> {
    let source = Source::new("elements.py".to_string(), text.to_string());
    let (syntax, mut reports) = numptx_syntax::parse(&source);
    let (module, found) = numptx_lower::lower(&syntax, "elements");
    reports.extend(found);
    (!reports.has_errors()).then_some(module)
}

/// How many runs agreed.
fn check(text: &str) -> u64 {
    let Some(original) = lowered(text) else { return 0 };
    let mut module = original.clone();
    let passes = ARRAY_PASSES.iter().flat_map(|(_, passes)| *passes);
    run(&mut module, passes, Limit::None, &mut Unobserved).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut n_runs = 0;
    for (seed, is_overlapping) in (0..RUNS).flat_map(|seed| [(seed, false), (seed, true)]) {
        let function = &original.functions[0];
        let arguments = || Arguments::new(function, seed, is_overlapping);
        let Ok(expected) = outcome(&original, &function.name, &arguments(), seed, FUEL) else { continue };
        let may_alias = format!("{}.mayalias", function.name);
        let has = |name: &str| module.functions.iter().any(|f| f.name == name);
        let name = if is_overlapping && has(&may_alias) { &may_alias } else { &function.name };
        match outcome(&module, name, &arguments(), seed, FUEL * 100) {
            Ok(found) if found == expected => n_runs += 1,
            found => panic!("seed {seed}, {name}: expected {expected:?}\nfound {found:?}\n{text}\n{module}"),
        }
    }
    n_runs
}

#[test]
fn passes_keep_what_loops_over_elements_do() {
    let variable = |name: &str| std::env::var(name).ok().and_then(|n| n.parse().ok());
    let n = variable("NUMPTX_PROGRAMS").unwrap_or(PROGRAMS);
    let first = variable("NUMPTX_FIRST").unwrap_or(0);
    let n_runs: u64 = programs(first, n).iter().map(|text| check(text)).sum();
    assert!(n_runs > n * RUNS, "only {n_runs} runs of {n} programs");
}
