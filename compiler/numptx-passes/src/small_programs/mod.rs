//! The ownership passes on every program of a few statements, on every path, with every op that can fail failing in turn; and the same
//! with each rule of the passes broken, which has to be noticed.

mod build;
mod mutants;
mod programs;
mod run;

use numptx_ir::array::Module;

use crate::{
    ELIDE_OWNERSHIP, HOIST_ALLOCATIONS, INSERT_OWNERSHIP, Limit, Pass, REUSE_BUFFERS, ROTATE_BUFFERS, Unobserved,
};

/// The passes from the host phase on, in their order.
const PASSES: &[Pass] = &[REUSE_BUFFERS, HOIST_ALLOCATIONS, ROTATE_BUFFERS, INSERT_OWNERSHIP, ELIDE_OWNERSHIP];
/// The required one alone.
const LEAST: &[Pass] = &[INSERT_OWNERSHIP];

/// Runs passes on a program and compares each path with the program itself; the number of failures that were tried.
fn check(original: &Module, passes: &'static [Pass], with_failures: bool) -> Result<u64, String> {
    let mut module = original.clone();
    crate::run(&mut module, passes, Limit::None, &mut Unobserved).map_err(|e| e.to_string())?;
    let mut n_failures = 0;
    for path in run::paths(&original.functions[0]) {
        let expected = run::run(original, &path, None).map_err(|e| format!("the program itself: {e}"))?;
        let found = run::run(&module, &path, None).map_err(|e| format!("{path:?}: {e}\n{module}"))?;
        if !run::is_same(&expected, &found) {
            return Err(format!("{path:?}: expected {expected:?}\nfound {found:?}\n{module}"));
        }
        if with_failures {
            n_failures += run::fail_each(&module, &path, &found).map_err(|e| format!("{path:?}: {e}\n{module}"))?;
        }
    }
    Ok(n_failures)
}

/// Every `stride`-th of all programs of a size that returns what the statements made last, or more.
fn for_each_program(size: usize, stride: usize, mut visit: impl FnMut(usize, &Module, &str)) {
    let mut number = 0;
    for (statements, n_visible) in programs::sequences(size, 1, 3) {
        let last = n_visible - 1;
        let mut returned = vec![vec![last], vec![last, last], vec![0, last]];
        returned.extend((0..n_visible).map(|v| vec![v]));
        returned.sort();
        returned.dedup();
        for returned in returned {
            number += 1;
            if number % stride == 0 {
                let text = format!("{statements:?}, returned {returned:?}");
                visit(number, &build::module(&statements, &returned), &text);
            }
        }
    }
}

/// `NUMPTX_STRIDE=1` runs all programs.
fn stride(standard: usize) -> usize {
    std::env::var("NUMPTX_STRIDE").ok().and_then(|n| n.parse().ok()).unwrap_or(standard)
}

fn check_all(size: usize, stride: usize) -> (usize, u64) {
    let (mut n_programs, mut n_failures) = (0, 0);
    for_each_program(size, stride, |number, module, text| {
        n_programs += 1;
        for passes in [PASSES, LEAST] {
            match check(module, passes, number % (7 * stride) == 0 || size < 2) {
                Ok(n) => n_failures += n,
                Err(error) => panic!("program {number}: {text}: {error}\n{module}"),
            }
        }
    });
    (n_programs, n_failures)
}

/// The most bytes alive on each path after insertion alone.
fn peaks(original: &Module) -> Result<Vec<u64>, String> {
    let mut module = original.clone();
    crate::run(&mut module, LEAST, Limit::None, &mut Unobserved).map_err(|e| e.to_string())?;
    let paths = run::paths(&original.functions[0]);
    paths.iter().map(|path| run::run(&module, path, None).map(|outcome| outcome.measures.peak_bytes)).collect()
}

#[test]
fn programs_of_up_to_two_statements_are_balanced() {
    for size in 0..3 {
        let (n_programs, n_failures) = check_all(size, 1);
        assert!(n_programs > 0 && (size == 0 || n_failures > 0));
    }
}

#[test]
fn programs_of_three_statements_are_balanced() {
    let (n_programs, n_failures) = check_all(3, stride(197));
    assert!(n_programs > 100 && n_failures > 100, "{n_programs} programs, {n_failures} failures");
}
