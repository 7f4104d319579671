//! `--report` and `--explain-loops`: what the compiler says that it did.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use numptx_driver::{Artifact, CompilationReport};

use crate::arguments::CompileArguments;
use crate::output;

/// What a report is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Json,
    Html,
}

/// Whether a report is asked for.
pub fn is_wanted(arguments: &CompileArguments) -> bool {
    arguments.explain_loops || !arguments.report.is_empty()
}

/// What must hold before the first file is read.
pub fn prepare(arguments: &CompileArguments) -> Result<(), String> {
    if arguments.files.len() > 1 && !arguments.report.is_empty() {
        return Err("--report is of one file: name one source".to_owned());
    }
    for path in &arguments.report {
        format_of(path)?;
        let is_source = |source: &&PathBuf| *source == path || is_same_file(source, path);
        if let Some(source) = arguments.files.iter().find(is_source) {
            return Err(format!("{}: the report would be written over the source", output::name(source)));
        }
    }
    Ok(())
}

/// Whether two names, links followed, are of one file.
fn is_same_file(a: &Path, b: &Path) -> bool {
    fs::canonicalize(a).is_ok_and(|a| fs::canonicalize(b).is_ok_and(|b| a == b))
}

/// `-`, standard output, is JSON; else the extension says.
fn format_of(path: &Path) -> Result<Format, String> {
    match path.extension().and_then(OsStr::to_str) {
        _ if path == Path::new("-") => Ok(Format::Json),
        Some("json") => Ok(Format::Json),
        Some("html") => Ok(Format::Html),
        _ => Err(format!("{}: a report is a file named *.html or *.json, or `-` for JSON here", output::name(path))),
    }
}

/// Shows the lines of `--explain-loops`.
pub fn explain(report: &CompilationReport) {
    report.explain_loops().iter().for_each(|line| output::note(line));
}

/// Shows and writes what was asked for; the names of the files.
pub fn show(report: &CompilationReport, arguments: &CompileArguments) -> Result<Vec<String>, String> {
    if arguments.explain_loops {
        explain(report);
    }
    let mut written = Vec::new();
    for path in &arguments.report {
        let text = match format_of(path)? {
            Format::Json => report.json().map_err(|e| e.to_string())?,
            Format::Html => report.html(),
        };
        if path == Path::new("-") {
            output::print(&text)?;
            continue;
        }
        write(path, &text)?;
        written.push(output::name(path));
    }
    Ok(written)
}

fn write(path: &PathBuf, text: &str) -> Result<(), String> {
    if fs::metadata(path).is_ok_and(|file| !file.is_file()) {
        // A pipe or a device has no place beside it.
        return fs::write(path, text).map_err(|e| format!("{}: cannot be written: {e}", output::name(path)));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Some(name) = path.file_name() else { return Err(format!("{}: is no file's name", output::name(path))) };
    output::make_folder(folder)?;
    let file = Artifact::text(name.to_string_lossy().into_owned(), text.to_owned());
    output::write_all(folder, &[file])
}
