//! A table of what the optimiser made of programs, for comparing two versions of the compiler.
//!
//! In: files, and folders of them. A file may hold many programs, each under a line `# program N`. Out, on standard output: a line for each
//! version of an exported function, with tabs between its columns. [`COLUMNS`] names them. Lines are in the order of the files.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use numptx_driver::ir::array::{Function, Module, Op, OpKind, RemarkKind, ValueId};
use numptx_driver::ir::scalar::ScalarOp;
use numptx_driver::{CompilationReport, Observer, Options, Outcome, PassObserver, Stage, compile};
use numptx_source::Source;
use numptx_tests::{each, files_in, options, read};

/// `loops`: line and strategy of each loop; `?`: an `if` chooses between it and another. `guard`: comparisons that these choices make.
/// `code`: a hash of the host program and its kernels.
const COLUMNS: &str = "program\tversion\tloops\tlaunches\tbuffers\tcopies\twaits\tguard\tcode\n";

/// What numbered programs take as imported.
const IMPORTS: &str = "import math\nimport numpy as np\nimport numptx\n";

fn main() -> ExitCode {
    let given: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if given.is_empty() {
        let _ = std::io::stderr().write_all(b"usage: schedules FILE|FOLDER...\n");
        return ExitCode::from(2);
    }
    let programs: Vec<(String, String)> = given.iter().flat_map(|path| programs_at(path)).collect();
    let rows = each(&programs, |(name, text)| Some(rows(name, text)));
    match std::io::stdout().write_all((COLUMNS.to_owned() + &rows.concat()).as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Names and texts of the programs of a file or a folder. Names are relative to what was given.
fn programs_at(given: &Path) -> Vec<(String, String)> {
    let paths = if given.is_dir() { files_in(given, "py") } else { vec![given.to_owned()] };
    let mut programs = Vec::new();
    for path in paths {
        let name = path.strip_prefix(given).ok().filter(|name| !name.as_os_str().is_empty());
        let name = name.or(path.file_name().map(Path::new)).unwrap_or(&path).with_extension("");
        let name = name.to_string_lossy().into_owned();
        let text = read(&path);
        let Some(numbered) = text.strip_prefix("# program ") else {
            programs.push((name, text));
            continue;
        };
        programs.extend(numbered.split("\n# program ").map(|part| {
            let (number, text) = part.split_once('\n').unwrap_or((part, ""));
            (format!("{name}/{number}"), IMPORTS.to_owned() + text)
        }));
    }
    programs
}

/// The table's lines of one program.
fn rows(name: &str, text: &str) -> String {
    let options = Options { report: true, last: Stage::Kernel, ..options(text) };
    let mut seen = Seen::default();
    match compile(&Source::new("program.py", text), &options, &mut seen) {
        Ok(Outcome::Compiled { report: Some(report), .. }) => compiled(name, &report, &seen),
        Ok(Outcome::Rejected(reports)) => {
            let code = reports.iter().map(|report| report.code.to_string()).next().unwrap_or_default();
            format!("{name}\trefused: {code}\n")
        }
        Ok(Outcome::Compiled { report: None, .. }) => format!("{name}\tno report\n"),
        Err(error) => format!("{name}\tinternal error: {}\n", error.message.replace(['\n', '\t'], " ")),
    }
}

fn compiled(name: &str, report: &CompilationReport, seen: &Seen) -> String {
    let mut text = String::new();
    for version in &report.versions {
        let mut loops = String::new();
        for of in &report.loops {
            for outcome in of.outcomes.iter().filter(|outcome| outcome.versions.contains(&version.name)) {
                let chosen = if outcome.condition.is_some() { "?" } else { "" };
                let space = if loops.is_empty() { "" } else { " " };
                let _ = write!(loops, "{space}{}:{:?}{chosen}", of.at.listed_line, outcome.strategy);
            }
        }
        let amounts = [&version.launches, &version.allocations, &version.copies, &version.synchronisations];
        let [launches, buffers, copies, waits] = amounts.map(|amount| short(&amount.text));
        let guard = seen.guards.get(&version.name).copied().unwrap_or_default();
        let code = seen.codes.get(&version.name).copied().unwrap_or_default();
        let _ = writeln!(
            text,
            "{name}\t{}\t{loops}\t{launches}\t{buffers}\t{copies}\t{waits}\t{guard}\t{:08x}",
            version.name, code as u32
        );
    }
    text
}

/// A text, or its beginning and a hash where it is long.
fn short(text: &str) -> String {
    const LONGEST: usize = 32;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("{}…{:08x}", text.chars().take(LONGEST - 9).collect::<String>(), hasher.finish() as u32)
}

/// What is counted of each function, by its name.
#[derive(Default)]
struct Seen {
    guards: BTreeMap<String, usize>,
    codes: BTreeMap<String, u64>,
}

impl PassObserver for Seen {
    fn reached_pass(&mut self, name: &str, module: &Module, _seconds: f64) {
        for function in &module.functions {
            if name == numptx_passes::FORM_NESTS.name {
                self.guards.insert(function.name.clone(), comparisons_of_guards(function));
            } else if name == numptx_passes::ELIDE_OWNERSHIP.name {
                self.codes.insert(function.name.clone(), hash_of_code(module, function));
            }
        }
    }
}

impl Observer for Seen {
    fn reached_stage(&mut self, _stage: Stage, _text: &dyn Fn() -> String) {}
    fn timed(&mut self, _stage: &str, _seconds: f64) {}
}

fn ops_of(function: &Function) -> Vec<&Op> {
    let mut ops = Vec::new();
    numptx_passes::for_each_op(&function.body, &mut |op| ops.push(op));
    ops
}

/// Comparisons on which the conditions stand that choose between versions of a loop.
fn comparisons_of_guards(function: &Function) -> usize {
    let ops = ops_of(function);
    let made: BTreeMap<ValueId, &Op> = ops.iter().flat_map(|op| op.results.iter().map(|v| (*v, *op))).collect();
    let guarded: BTreeSet<_> = function
        .remarks
        .iter()
        .filter_map(|remark| match remark.kind {
            RemarkKind::Loop { guard, .. } => guard,
            _ => None,
        })
        .collect();
    let is_guard = |op: &&&Op| matches!(op.kind, OpKind::If) && guarded.contains(&op.span);
    let mut pending: Vec<ValueId> = ops.iter().filter(is_guard).map(|op| op.operands[0]).collect();
    let mut seen = BTreeSet::new();
    let mut comparisons = 0;
    while let Some(value) = pending.pop() {
        let Some(op) = made.get(&value).filter(|op| matches!(op.kind, OpKind::Scalar(_)) && seen.insert(value)) else {
            continue;
        };
        let is_comparison = |op: ScalarOp| {
            matches!(op, ScalarOp::Eq | ScalarOp::Ne | ScalarOp::Lt | ScalarOp::Le | ScalarOp::Gt | ScalarOp::Ge)
        };
        comparisons += usize::from(matches!(op.kind, OpKind::Scalar(op) if is_comparison(op)));
        pending.extend(&op.operands);
    }
    comparisons
}

/// Of a function and the kernels that it launches, whatever their numbers are in the module.
fn hash_of_code(module: &Module, function: &Function) -> u64 {
    let mut hasher = DefaultHasher::new();
    without_numbers(&function.to_string()).hash(&mut hasher);
    for op in ops_of(function) {
        if let OpKind::Launch(kernel) = op.kind {
            let dump = module.kernels[kernel.0 as usize].to_string();
            dump.split_once(" rank ").map_or("", |(_name, rest)| rest).hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// A dump without the numbers of the kernels that are launched.
fn without_numbers(dump: &str) -> String {
    let mut parts = dump.split("launch<");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + "launch<" + part.trim_start_matches(|c: char| c.is_ascii_digit()))
}
