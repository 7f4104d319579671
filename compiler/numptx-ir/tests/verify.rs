//! The verifiers: every file below `tests/verify` violates the one invariant that its first line names, and every invariant has a file.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use numptx_ir::array;
use numptx_ir::array::verify::VerifyError;
use numptx_ir::kernel;

fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|e| e == extension)).collect();
    files.sort();
    assert!(!files.is_empty(), "no files in {}", folder.display());
    files
}

fn verify(path: &Path, text: &str) -> Vec<VerifyError> {
    let parsed = if path.extension().is_some_and(|e| e == "kernel") {
        kernel::parse::parse(text).map(|kernel| kernel::verify::verify(&kernel))
    } else {
        array::parse::parse(text).map(|module| array::verify::verify(&module))
    };
    let result = parsed.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    result.err().unwrap_or_default()
}

/// Checks every file of a folder; gives the ids that were found.
fn check(folder: &str, extension: &str) -> BTreeSet<String> {
    let mut failures = Vec::new();
    let mut seen = BTreeSet::new();
    for path in files(folder, extension) {
        let text = std::fs::read_to_string(&path).unwrap();
        let first = text.lines().next().unwrap_or("");
        let id = first.strip_prefix("#! error: ").unwrap_or_else(|| panic!("{}: no header", path.display()));
        let errors = verify(&path, &text);
        let found: BTreeSet<&str> = errors.iter().map(|error| error.invariant).collect();
        if found != BTreeSet::from([id]) {
            let errors: Vec<String> = errors.iter().map(VerifyError::to_string).collect();
            failures.push(format!("{}: expected {id}, found {errors:?}", path.display()));
        }
        seen.insert(id.to_string());
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    seen
}

/// The ids of a verifier's header.
fn documented(source: &str) -> BTreeSet<String> {
    let lines = source.lines().take_while(|line| line.starts_with("//!"));
    lines
        .filter_map(|line| line.strip_prefix("//! - `"))
        .map(|rest| rest[..3].to_string())
        .filter(|id| is_id(id))
        .collect()
}

fn is_id(text: &str) -> bool {
    text[1..].chars().all(|c| c.is_ascii_digit())
}

#[test]
fn array_invariants_are_checked_and_documented() {
    let seen = check("../../tests/verify/array", "array");
    assert_eq!(seen, documented(include_str!("../src/array/verify.rs")));
}

#[test]
fn kernel_invariants_are_checked_and_documented() {
    let seen = check("../../tests/verify/kernel", "kernel");
    assert_eq!(seen, documented(include_str!("../src/kernel/verify.rs")));
}

#[test]
fn sound_modules_are_accepted() {
    for path in files("tests/modules", "array") {
        let text = std::fs::read_to_string(&path).unwrap();
        let errors: Vec<String> = verify(&path, &text).iter().map(VerifyError::to_string).collect();
        assert!(errors.is_empty(), "{}: {errors:#?}", path.display());
    }
}
