//! Corpus programs with tokens deleted, doubled, swapped and exchanged: the compiler takes or refuses each, in time and in words.
//!
//! A panic, an [`numptx_source::InternalError`] or a program that takes too long fails the test. `NUMPTX_MUTANTS=20000` tries more.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use numptx_driver::{Halves, Options, Outcome, Unobserved, check, compile};
use numptx_source::Source;
use numptx_tests::numbers::Numbers;
use numptx_tests::tokens::{FOREIGN, mutant, tokens};
use numptx_tests::{files, is_quick, read, stem};

/// Mutants that a run tries, and that one of the sample tries.
const MUTANTS: u64 = 150;
const FEW_MUTANTS: u64 = 40;

/// How long one may take, in a debug build on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// The tokens of every corpus program, which replace others; and some that no program has.
fn pool(programs: &[Vec<String>]) -> Vec<String> {
    let mut pool: Vec<String> = programs.iter().flatten().cloned().chain(FOREIGN.map(str::to_string)).collect();
    pool.sort();
    pool.dedup();
    pool
}

/// Whether the compiler takes a program; or what is wrong with its answer.
fn answer(text: &str) -> Result<bool, String> {
    let source = Source::new("mutant.py", text);
    let options = Options { halves: Halves::DeviceOnly, ..Options::new("mutant") };
    let answer = catch_unwind(AssertUnwindSafe(|| {
        let reports = check(&source, &options, &mut Unobserved)?.reports;
        let refused = reports.has_errors();
        let outcome = compile(&source, &options, &mut Unobserved)?;
        Ok::<_, numptx_source::InternalError>((refused, matches!(outcome, Outcome::Rejected(_))))
    }));
    match answer {
        Err(_) => Err("panics".to_string()),
        Ok(Err(error)) => Err(error.to_string()),
        Ok(Ok((checked, compiled))) if checked != compiled => {
            Err(format!("`check` refuses: {checked}; `compile`: {compiled}"))
        }
        Ok(Ok((refused, _))) => Ok(!refused),
    }
}

/// Where the program at work stands, for those who look for one that ends the whole process.
fn kept(seed: u64) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("mutant-{seed}.py"))
}

#[test]
fn broken_programs_never_break_the_compiler() {
    let n = std::env::var("NUMPTX_MUTANTS").ok().and_then(|n| n.parse().ok()).unwrap_or(if is_quick() {
        FEW_MUTANTS
    } else {
        MUTANTS
    });
    let paths = files("tests/corpus", "py");
    let programs: Vec<Vec<String>> = paths.iter().map(|p| tokens(&read(p))).collect();
    let pool = pool(&programs);
    let (answers, received) = channel();
    std::thread::spawn(move || {
        for seed in 0..n {
            let text = mutant(&programs[seed as usize % programs.len()], &pool, &mut Numbers(seed));
            std::fs::write(kept(seed), &text).expect("the folder for tests can be written");
            let answer = answer(&text);
            if answer.is_ok() {
                std::fs::remove_file(kept(seed)).expect("the file was just written");
            }
            if answers.send(answer).is_err() {
                return;
            }
        }
    });
    let (mut failures, mut n_taken) = (Vec::new(), 0);
    for seed in 0..n {
        let name = stem(&paths[seed as usize % paths.len()]);
        match received.recv_timeout(PATIENCE) {
            Ok(Ok(taken)) => n_taken += u64::from(taken),
            Ok(Err(problem)) => failures.push(format!("{} (of {name}): {problem}", kept(seed).display())),
            Err(RecvTimeoutError::Timeout) => {
                panic!("{} (of {name}) takes more than {PATIENCE:?}", kept(seed).display())
            }
            Err(RecvTimeoutError::Disconnected) => panic!("{} (of {name}) ended the thread", kept(seed).display()),
        }
    }
    assert!(n_taken > n / 20, "only {n_taken} of {n} programs came as far as the passes");
    assert!(failures.is_empty(), "{} of {n} failed\n\n{}", failures.len(), failures.join("\n\n"));
}

#[test]
fn tokens_are_the_whole_text() {
    for path in files("tests/corpus", "py") {
        assert_eq!(tokens(&read(&path)).concat(), read(&path));
    }
}
