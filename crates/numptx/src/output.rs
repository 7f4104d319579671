//! Writes files whole or not at all, and lines to standard output and standard error.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use numptx_driver::Artifact;

/// Writes all artifacts into a folder, or none of them.
///
/// Each goes to a temporary file beside its place first, so that a reader never sees half a file and a library that is in use
/// is replaced, not overwritten.
pub fn write_all(folder: &Path, artifacts: &[Artifact]) -> Result<(), String> {
    if let Some(taken) = artifacts.iter().map(|a| folder.join(&a.file_name)).find(|target| target.is_dir()) {
        return Err(format!("{}: cannot be written: a folder of this name is there", taken.display()));
    }
    let mut pending = Pending { files: Vec::new() };
    for artifact in artifacts {
        let target = folder.join(&artifact.file_name);
        let temporary = folder.join(format!(".{}.{}.part", artifact.file_name, std::process::id()));
        let written = write_new(&temporary, &artifact.bytes);
        pending.files.push(temporary);
        written.map_err(|e| format!("{}: cannot be written: {e}", target.display()))?;
    }
    for (artifact, temporary) in artifacts.iter().zip(&pending.files) {
        let target = folder.join(&artifact.file_name);
        fs::rename(temporary, &target).map_err(|e| format!("{}: cannot be written: {e}", target.display()))?;
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
            Err(format!("{}: cannot be removed: {error}", path.display()))
        }
        _ => Ok(()),
    }
}

/// Makes a folder and those above it.
pub fn make_folder(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|e| format!("{}: the folder cannot be made: {e}", folder.display()))
}

/// Text to standard output; a reader that has gone away is no error.
pub fn print(text: &str) {
    let _ = io::stdout().lock().write_all(text.as_bytes());
}

/// A line to standard error.
pub fn note(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// An error that is about no place in a program.
pub fn error(text: &str) {
    note(&format!("numptx: {text}"));
}
