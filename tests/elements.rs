//! Random programs with loops over elements through the interpreters: the passes keep what a program does.
//!
//! The programs are those that `random-programs` writes for `tests/fuzz.py`, which compares them with Python; here thousands take minutes, for nothing
//! is compiled. `NUMPTX_PROGRAMS=5000` takes that many, `NUMPTX_FIRST` says which one comes first, `NUMPTX_KIND=patterns` takes the patterns of loops
//! alone.

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

const HEAD: &str = "import numptx\nimport numpy as np\n\n";

/// The text of programs with loops over elements, of so many numbers from one on; `patterns`: of such loops alone.
fn programs(first: u64, count: u64, patterns: bool) -> Vec<String> {
    let numbers = if patterns { [first, count] } else { [4 * first, 4 * count] };
    let mut command = Command::new(env!("CARGO_BIN_EXE_random-programs"));
    command.args(numbers.map(|n| n.to_string())).args(patterns.then_some("patterns"));
    let text = String::from_utf8(command.output().expect("it is built").stdout).expect("it writes text");
    let parts = text.split("# program ").filter_map(|part| part.split_once('\n'));
    let has_elements = |number: &str| patterns || number.parse::<u64>().is_ok_and(|number| number % 4 == 3);
    parts.filter(|(number, _)| has_elements(number)).map(|(_, text)| format!("{HEAD}{text}")).collect()
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
    // What is stated holds for arrays that lie apart.
    let is_stated = text.contains("numptx.prange") || text.contains(" parallel");
    let runs = (0..RUNS).flat_map(|seed| [(seed, false), (seed, true)]);
    for (seed, is_overlapping) in runs.filter(|(_, is_overlapping)| !(is_stated && *is_overlapping)) {
        let function = &original.functions[0];
        let arguments = || Arguments::new(function, seed, is_overlapping);
        let Ok(expected) = outcome(&original, &function.name, &arguments(), seed, FUEL) else { continue };
        let may_alias = format!("{}.mayalias", function.name);
        let has = |name: &str| module.functions.iter().any(|f| f.name == name);
        let name = if is_overlapping && has(&may_alias) { &may_alias } else { &function.name };
        let version = module.functions.iter().find(|f| f.name == *name).unwrap_or(function);
        match outcome(&module, name, &arguments(), seed, FUEL * 100) {
            Ok(found) if expected.agrees(&found, version) => n_runs += 1,
            found => panic!("seed {seed}, {name}: expected {expected:?}\nfound {found:?}\n{text}\n{module}"),
        }
    }
    n_runs
}

/// A check fails at the last work item, before an element beyond the array would be read.
#[test]
fn nothing_is_read_behind_a_check_that_fails() {
    let n_runs: u64 = programs(593, 1, false).iter().map(|text| check(text)).sum();
    assert!(n_runs > 0, "the program runs");
}

#[test]
fn passes_keep_what_loops_over_elements_do() {
    let variable = |name: &str| std::env::var(name).ok().and_then(|n| n.parse().ok());
    let n = variable("NUMPTX_PROGRAMS").unwrap_or(PROGRAMS);
    let first = variable("NUMPTX_FIRST").unwrap_or(0);
    let patterns = std::env::var("NUMPTX_KIND").is_ok_and(|kind| kind == "patterns");
    let n_runs: u64 = programs(first, n, patterns).iter().map(|text| check(text)).sum();
    assert!(n_runs > n * RUNS, "only {n_runs} runs of {n} programs");
}
