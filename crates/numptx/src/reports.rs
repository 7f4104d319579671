//! `--report` and `--explain-loops`: what the compiler says that it did.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use numptx_driver::CompilationReport;

use crate::arguments::CompileArguments;
use crate::output;

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
        if path != Path::new("-") && path.extension().and_then(OsStr::to_str) != Some("json") {
            return Err(format!("{}: a report is a file named *.json, or `-` for standard output", path.display()));
        }
        if let Some(source) = arguments.files.iter().find(|source| *source == path) {
            return Err(format!("{}: the report would be written over the source", source.display()));
        }
    }
    Ok(())
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
        let text = report.json().map_err(|e| e.to_string())?;
        if path == Path::new("-") {
            output::print(&text);
            continue;
        }
        write(path, &text)?;
        written.push(path.display().to_string());
    }
    Ok(written)
}

fn write(path: &PathBuf, text: &str) -> Result<(), String> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        output::make_folder(folder)?;
    }
    fs::write(path, text).map_err(|e| format!("{}: cannot be written: {e}", path.display()))
}
