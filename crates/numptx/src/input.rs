//! Reads the files that were named.
//!
//! In: a path. Out: a source, with the user's own files that it imports, and the module's name; or a message that says what to do.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use numptx_driver::read_helpers;
use numptx_source::{Source, decode};

use crate::output;
use crate::status::Status;

/// A file that can be compiled.
#[derive(Debug)]
pub struct Input {
    /// Named as the user wrote it, in one line.
    pub source: Source,
    /// As Python imports it.
    pub module_name: String,
    /// The folder that holds the file.
    pub folder: PathBuf,
}

/// Why a file cannot be compiled.
#[derive(Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Lower case, no full stop.
    pub message: String,
    /// Refused or wrongly named.
    pub status: Status,
}

/// Names that Python reserves; a module of such a name could not be imported.
const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// Reads a file.
pub fn read(path: &Path) -> Result<Input, Unreadable> {
    let usage = |message: String| Unreadable { message, status: Status::Usage };
    let name = output::name(path);
    let bytes = std::fs::read(path).map_err(|error| {
        usage(match error.kind() {
            ErrorKind::NotFound => format!("{name}: no such file"),
            ErrorKind::PermissionDenied => format!("{name}: reading it is not permitted"),
            _ if path.is_dir() => format!("{name}: this is a folder; name the files in it"),
            _ => format!("{name}: cannot be read: {error}"),
        })
    })?;
    let text = decode(&bytes).map_err(|error| Unreadable {
        message: format!("{name}:{}: {}", error.line, error.message),
        status: Status::Refused,
    })?;
    let module_name = module_name(path).map_err(|message| usage(format!("{name}: {message}")))?;
    let mut source = Source::of_file(name, text, bytes);
    if path.extension().is_none_or(|e| e != "array" && e != "kernel") {
        read_helpers(&mut source, path, output::name);
    }
    Ok(Input { source, module_name, folder: folder(path).to_path_buf() })
}

/// The folder that holds a file.
pub fn folder(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The name under which Python will import the library of a file.
pub fn module_name(path: &Path) -> Result<String, String> {
    let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let starts_well = stem.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !starts_well || !stem.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') || KEYWORDS.contains(&stem.as_str())
    {
        let shown = output::name(Path::new(&stem));
        return Err(format!("`{shown}` cannot be imported; rename the file to letters, digits and `_`"));
    }
    Ok(stem)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::module_name;

    #[test]
    fn module_names_can_be_imported() {
        assert_eq!(module_name(Path::new("a/kernels.py")), Ok("kernels".to_owned()));
        assert_eq!(module_name(Path::new("_k2.array")), Ok("_k2".to_owned()));
        for bad in ["my-kernels.py", "2d.py", "for.py", "größe.py", "a b.py", "", "a.b.py"] {
            assert!(module_name(Path::new(bad)).is_err(), "{bad}");
        }
    }
}
