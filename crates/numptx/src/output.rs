//! Writes files whole or not at all, and lines to standard output and standard error.

use std::borrow::Cow;
use std::fs::{self, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use numptx_driver::Artifact;

use crate::status::Status;
use crate::visible::{steers, visible};

/// Writes all artifacts into a folder, or none of them.
///
/// Each goes to a temporary file beside its place first, so that a reader never sees half a file and a library that is in use
/// is replaced, not overwritten.
pub fn write_all(folder: &Path, artifacts: &[Artifact]) -> Result<(), String> {
    if let Some(taken) = artifacts.iter().map(|a| folder.join(&a.file_name)).find(|target| target.is_dir()) {
        return Err(format!("{}: cannot be written: a folder of this name is there", name(&taken)));
    }
    let mut pending = Pending { files: Vec::new() };
    for artifact in artifacts {
        let target = folder.join(&artifact.file_name);
        let temporary = folder.join(format!(".{}.{}.part", artifact.file_name, std::process::id()));
        let written = write_new(&temporary, &artifact.bytes);
        pending.files.push(temporary);
        written.map_err(|e| format!("{}: cannot be written: {e}", name(&target)))?;
    }
    for (artifact, temporary) in artifacts.iter().zip(&pending.files) {
        let target = folder.join(&artifact.file_name);
        fs::rename(temporary, &target).map_err(|e| format!("{}: cannot be written: {e}", name(&target)))?;
    }
    Ok(())
}

/// Temporary files; those that are still there are removed in the end.
struct Pending {
    files: Vec<PathBuf>,
}

impl Drop for Pending {
    fn drop(&mut self) {
        for file in &self.files {
            // Gone already where it was renamed; nothing else can be done about one that stays.
            let _ = fs::remove_file(file);
        }
    }
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).open(path)?;
    file.write_all(bytes)?;
    file.flush()
}

/// Removes a file, if it is there.
pub fn remove(path: &Path) -> Result<(), String> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(format!("{}: cannot be removed: {error}", name(path)))
        }
        _ => Ok(()),
    }
}

/// Makes a folder and those above it.
pub fn make_folder(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|e| format!("{}: the folder cannot be made: {e}", name(folder)))
}

/// Text to standard output; a reader that has gone away is no error.
///
/// What a program says is written as it is, except to a terminal, which it could steer.
pub fn print(text: &str) -> Result<(), String> {
    let mut out = io::stdout().lock();
    let shown = if out.is_terminal() { visible(text) } else { Cow::Borrowed(text) };
    out.write_all(shown.as_bytes()).and_then(|()| out.flush()).or_else(unprinted)
}

/// [`print()`], as the whole of a command.
pub fn printed(text: &str) -> Status {
    ended(print(text))
}

/// The end of a command that has written to standard output.
pub fn ended(written: Result<(), String>) -> Status {
    match written {
        Ok(()) => Status::Done,
        Err(message) => {
            error(&message);
            Status::Usage
        }
    }
}

/// What a failed write to standard output means.
pub fn unprinted(error: io::Error) -> Result<(), String> {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Ok(()),
        _ => Err(format!("standard output: cannot be written: {error}")),
    }
}

/// Lines to standard error.
pub fn note(text: &str) {
    drawn(&visible(text));
}

/// Lines to standard error that hold colours, and nothing else that steers a terminal.
pub fn drawn(text: &str) {
    // There is nobody else to tell.
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// An error that is about no place in a program.
pub fn error(text: &str) {
    note(&format!("numptx: {text}"));
}

/// A file's name in one line, whatever it is made of.
pub fn name(path: &Path) -> String {
    path.to_string_lossy().chars().map(|c| if steers(c) { c.escape_default().to_string() } else { c.into() }).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::name;

    #[test]
    fn a_file_s_name_is_one_line() {
        assert_eq!(name(Path::new("a\nb\t\u{7}.py")), "a\\nb\\t\\u{7}.py");
    }
}
