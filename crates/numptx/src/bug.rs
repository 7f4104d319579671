//! Bugs of ours: what failed, the state saved to a file, and the command that shows it again.

use std::ffi::OsStr;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use numptx_driver::Artifact;
use numptx_source::InternalError;

use crate::input::Input;
use crate::output;

/// Where and why the last panic happened.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// Runs a part of the compiler. A panic in it is a bug like any other.
pub fn guard<T>(work: impl FnOnce() -> Result<T, InternalError>) -> Result<T, InternalError> {
    panic::set_hook(Box::new(|panic| {
        *PANIC.lock().unwrap_or_else(PoisonError::into_inner) = panic.to_string();
    }));
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    // The default hook again, for what is not the compiler's.
    drop(panic::take_hook());
    result.unwrap_or_else(|_| {
        let message = std::mem::take(&mut *PANIC.lock().unwrap_or_else(PoisonError::into_inner));
        Err(InternalError::new("the compiler", message))
    })
}

/// Tells about a bug; the line about the file.
pub fn report(error: &InternalError, input: &Input, folder: Option<&Path>, files: &[PathBuf]) -> String {
    output::error(&format!("{}: {error}", input.source.name));
    output::note("  This is a bug in numptx, not in your program.");
    if let Some(path) = save_dump(error, input, folder) {
        output::note(&format!("  The compiler's state is saved in {}", output::name(&path)));
    }
    output::note(&format!("  To see it again: {}", command(input, files)));
    "not compiled because of a bug in numptx".to_owned()
}

fn save_dump(error: &InternalError, input: &Input, folder: Option<&Path>) -> Option<PathBuf> {
    if error.dump.is_empty() {
        return None;
    }
    let dump = Artifact::text(format!("{}_bug.array", input.module_name), error.dump.clone());
    let temporary = std::env::temp_dir();
    let folders = [folder.unwrap_or(Path::new(".")), &temporary];
    let folder = folders.into_iter().find(|f| output::write_all(f, std::slice::from_ref(&dump)).is_ok())?;
    Some(folder.join(&dump.file_name))
}

/// This command with the one file that fails.
fn command(input: &Input, files: &[PathBuf]) -> String {
    let is_another_file = |word: &OsStr| {
        let named = files.iter().any(|f| f.as_os_str() == word);
        named && output::name(Path::new(word)) != input.source.name
    };
    let words = std::env::args_os().skip(1).filter(|word| !is_another_file(word));
    let words: Vec<String> = words.map(|word| quoted(&word.to_string_lossy())).collect();
    format!("numptx {}", words.join(" "))
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./=,:@+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use numptx_source::InternalError;

    use super::{guard, quoted};

    #[test]
    fn a_panic_is_an_internal_error() {
        let result: Result<(), InternalError> = guard(|| panic!("the invariant"));
        assert!(result.is_err_and(|e| e.message.contains("the invariant") && e.message.contains("bug.rs")));
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("a/b-c.py"), "a/b-c.py");
        assert_eq!(quoted("it's a.py"), "'it'\\''s a.py'");
        assert_eq!(quoted(""), "''");
    }
}
