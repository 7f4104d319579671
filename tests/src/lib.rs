//! What the data-driven tests share: finding files, and reporting every failure of a folder at once.

pub mod arguments;
pub mod file_graph;
pub mod numbers;
pub mod outcome;
pub mod tokens;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use numptx_driver::Options;
use numptx_source::{Report, Reports, Source};

/// The repository's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// The files of a folder and of those in it with an extension, sorted by path.
///
/// # Panics
/// If a folder cannot be read or none holds any: a test over nothing proves nothing.
pub fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = root().join(folder);
    let files = files_in(&folder, extension);
    assert!(!files.is_empty(), "{} holds no .{extension} file", folder.display());
    files
}

/// The files of any folder and of those in it with an extension, sorted by path.
///
/// # Panics
/// If a folder cannot be read.
pub fn files_in(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    add_files(folder, extension, &mut files);
    files.sort();
    files
}

fn add_files(folder: &Path, extension: &str, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() && !path.ends_with("__pycache__") {
            add_files(&path, extension, files);
        } else if path.extension().is_some_and(|e| e == extension) {
            files.push(path);
        }
    }
}

/// A file's text.
///
/// # Panics
/// If it cannot be read.
pub fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The options that a program's line `# flags:` asks for.
#[must_use]
pub fn options(program: &str) -> Options {
    let mut options = Options::new("program");
    let flags = program.lines().find_map(|line| line.strip_prefix("# flags:")).unwrap_or_default();
    options.codegen.fast_math = flags.split_whitespace().any(|flag| flag == "--fast-math");
    options
}

/// A file's name without its extension.
pub fn stem(path: &Path) -> String {
    path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Runs a check over files, on all cores; fails with every message together.
///
/// # Panics
/// If any check fails.
pub fn check_all(files: &[PathBuf], check: impl Fn(&Path) -> Result<(), String> + Sync) {
    let failures: Vec<String> = each(files, |f| check(f).err().map(|e| format!("{}: {e}", f.display())));
    assert!(failures.is_empty(), "{} of {} failed\n\n{}", failures.len(), files.len(), failures.join("\n\n"));
}

/// What a function gives for each of some things, in their order, found by all cores.
///
/// # Panics
/// If it does.
pub fn each<T: Sync, R: Send>(things: &[T], find: impl Fn(&T) -> Option<R> + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let work = || {
        let numbers = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)).filter(|n| *n < things.len()));
        numbers.filter_map(|n| Some((n, find(&things[n])?))).collect::<Vec<_>>()
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    // Programs are nested deeply in places, and a debug build takes much stack for each level.
    let builder = || std::thread::Builder::new().stack_size(256 << 20);
    let mut found: Vec<(usize, R)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| builder().spawn_scoped(scope, work).expect("threads start")).collect();
        workers.into_iter().flat_map(|w| w.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    found.sort_by_key(|(n, _)| *n);
    found.into_iter().map(|(_, found)| found).collect()
}

/// The programs of the corpus: with `NUMPTX_QUICK=1` in the environment those of the sample (`tests/sample.txt`).
pub fn programs() -> Vec<PathBuf> {
    let mut paths = files("tests/corpus", "py");
    if is_quick() {
        let sample = sample();
        paths.retain(|path| sample.contains(&stem(path)));
    }
    paths
}

/// Whether a fixed sample is wanted where the whole takes long.
pub fn is_quick() -> bool {
    std::env::var("NUMPTX_QUICK").is_ok_and(|quick| quick == "1")
}

/// The names of the sample's programs.
pub fn sample() -> BTreeSet<String> {
    let list = read(&root().join("tests/sample.txt"));
    list.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

/// Reports as plain text: code, place, message, label, help.
pub fn plain(source: &Source, reports: &Reports) -> String {
    reports.iter().map(|report| plain_report(source, report)).collect::<Vec<_>>().join("\n")
}

fn plain_report(source: &Source, report: &Report) -> String {
    let (line, column) = source.line_column(report.span.start);
    let file = source.helper_at(report.span.start).map(|n| format!("{} ", source.helpers[n].path)).unwrap_or_default();
    let place = format!("{file}{line}:{column}");
    let mut text = format!("{} {place} `{}`\n  {}\n", report.code, source.slice(report.span), report.message);
    if !report.label.is_empty() {
        text.push_str(&format!("  here: {}\n", report.label));
    }
    if let Some(help) = &report.help {
        text.push_str(&format!("  help: {}\n", help.replace('\n', "\n        ")));
    }
    text
}
