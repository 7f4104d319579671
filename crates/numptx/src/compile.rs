//! `numptx compile` and `numptx check`: each file by itself, the next one also after a refused one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use numptx_driver::{
    Artifact, Checked, CodegenOptions, Contraction, Forced, Form, Halves, HostLevels, Limit, Options, Outcome, Stage,
    Unobserved,
};
use numptx_source::Reports;

use crate::arguments::{CheckArguments, CompileArguments, Force, FpContract};
use crate::input::{self, Input};
use crate::observe::{Dump, Watch};
use crate::status::Status;
use crate::{bug, link, output, progress, render, reports};

/// Compiles all files; the worst outcome is the command's.
pub fn compile(arguments: &CompileArguments) -> Status {
    if let Err(message) = prepare(arguments) {
        output::error(&message);
        return Status::Usage;
    }
    each_file(
        &arguments.files,
        |input, place| compile_file(input, place, arguments),
        |path| old_library(path, arguments),
    )
}

/// Checks all files; the worst outcome is the command's.
pub fn check(arguments: &CheckArguments) -> Status {
    each_file(&arguments.files, |input, _| check_file(input, arguments), |_| None)
}

/// What one file came to.
struct Done {
    status: Status,
    /// For the line about the file: what was written, or why nothing was.
    summary: String,
}

/// `work` is told of the file's place among all, as lines about it begin: `[2/5] `, or nothing where it is the only one.
/// `left` tells what a file that failed leaves behind.
fn each_file(files: &[PathBuf], work: impl Fn(&Input, &str) -> Done, left: impl Fn(&Path) -> Option<String>) -> Status {
    let mut worst = Status::Done;
    let mut failed = 0;
    for (i, path) in files.iter().enumerate() {
        let place = if files.len() > 1 { format!("[{}/{}] ", i + 1, files.len()) } else { String::new() };
        let start = Instant::now();
        let status = match input::read(path) {
            Ok(input) => {
                let done = work(&input, &place);
                let seconds = start.elapsed().as_secs_f64();
                output::note(&format!("{place}{}: {} ({seconds:.2} s)", output::name(path), done.summary));
                done.status
            }
            Err(unreadable) => {
                output::error(&format!("{place}{}", unreadable.message));
                unreadable.status
            }
        };
        if let Some(left) = left(path).filter(|_| status != Status::Done) {
            output::note(&format!("{place}{left}"));
        }
        failed += usize::from(status != Status::Done);
        worst = worst.max(status);
    }
    if failed > 0 && files.len() > 1 {
        output::note(&format!("{failed} of {} files failed", files.len()));
    }
    worst
}

/// What must hold before the first file is read.
fn prepare(arguments: &CompileArguments) -> Result<(), String> {
    let mut targets: BTreeMap<PathBuf, &Path> = BTreeMap::new();
    for path in &arguments.files {
        let folder = arguments.output.as_deref().or(path.parent()).unwrap_or(Path::new(""));
        let target = folder.join(path.file_stem().unwrap_or_default());
        if let Some(other) = targets.insert(target, path) {
            let (a, b) = (output::name(other), output::name(path));
            return Err(format!("{a} and {b} would be written to the same files; compile them into different folders"));
        }
    }
    if arguments.cubin && numptx_driver::Toolchain::find().ptxas.is_none() {
        link::assembler().ok_or(
            "--cubin takes an assembler, and none was found: `pip install nvidia-cuda-nvcc-cu12` brings ptxas, or name one in NUMPTX_PTXAS",
        )?;
    }
    reports::prepare(arguments)?;
    arguments.output.as_deref().map_or(Ok(()), output::make_folder)
}

fn options(input: &Input, arguments: &CompileArguments) -> Options {
    let mut options = Options::new(input.module_name.clone());
    options.architectures = arguments.arch.clone();
    options.save_cubins = arguments.cubin;
    if !arguments.arch.is_empty() && options.toolchain.ptxas.is_none() {
        options.toolchain.assembler = link::assembler();
    }
    if let Some(host) = HostLevels::new(&arguments.cpu) {
        options.host = host;
    }
    options.halves = match (arguments.device_only, arguments.host_only) {
        (true, _) => Halves::DeviceOnly,
        (_, true) => Halves::HostOnly,
        _ => Halves::Both,
    };
    options.form = if arguments.is_static { Form::StaticLibrary } else { Form::SharedLibrary };
    options.limit = arguments.pass_limit.map_or(Limit::None, Limit::Optional);
    let is_forced = |version| arguments.force.contains(&version);
    options.forced = Forced {
        mayalias: is_forced(Force::Mayalias),
        snapshots: is_forced(Force::Snapshots),
        late: is_forced(Force::Late),
        unfused: is_forced(Force::Unfused),
        without: arguments.without.clone(),
        choose: arguments.choose.clone(),
    };
    options.codegen = CodegenOptions {
        fast_math: arguments.fast_math,
        contraction: match (arguments.fp_contract, arguments.fast_math) {
            (Some(FpContract::Fast), _) | (None, true) => Contraction::Anywhere,
            (Some(FpContract::Products), _) | (None, false) => Contraction::Products,
            (Some(FpContract::Off), _) => Contraction::Never,
        },
        fp_atomics: arguments.fp_atomics,
        strided_only: is_forced(Force::Strided),
        narrow: is_forced(Force::Narrow),
        ..CodegenOptions::default()
    };
    options.report = reports::is_wanted(arguments);
    options.last = last_stage(arguments);
    options.show_llvm = arguments.emit.iter().any(|e| e.stage == Stage::Llvm);
    options
}

/// The last stage that is asked for. A report tells of PTX.
fn last_stage(arguments: &CompileArguments) -> Stage {
    let shown = arguments.emit.iter().map(|emit| emit.stage).max().unwrap_or(Stage::Library);
    if reports::is_wanted(arguments) { shown.max(Stage::Ptx) } else { shown }
}

fn compile_file(input: &Input, place: &str, arguments: &CompileArguments) -> Done {
    let mut watch = Watch::new(&arguments.emit);
    // Everything is written after this: the line that shows progress is gone then.
    let outcome = progress::during(&format!("{place}{}", input.source.name), |progress| {
        let options = Options { progress: progress.clone(), ..options(input, arguments) };
        watch.tells(progress);
        bug::guard(|| numptx_driver::compile(&input.source, &options, &mut watch))
    });
    if arguments.time_passes {
        output::note(&format!("{}:\n{}", input.source.name, watch.time_table()));
    }
    let dumps = watch.dumps();
    match outcome {
        Err(error) => {
            // What was reached before the bug is what one wants to see of it.
            let _ = write_dumps(input, dumps, arguments);
            let summary = bug::report(&error, input, arguments.output.as_deref(), &arguments.files);
            Done { status: Status::Bug, summary }
        }
        Ok(Outcome::Rejected(reports)) => {
            let _ = write_dumps(input, dumps, arguments);
            refused(input, &reports)
        }
        Ok(Outcome::Compiled { artifacts, reports, report, .. }) => {
            render::show(&input.source, &reports);
            let shown = report.map_or(Ok(Vec::new()), |report| reports::show(&report, arguments));
            match shown.and_then(|shown| write(input, artifacts, dumps, shown, arguments)) {
                Ok(summary) => Done { status: Status::Done, summary },
                Err(message) => {
                    output::error(&message);
                    Done { status: Status::Usage, summary: "compiled, but not written".to_owned() }
                }
            }
        }
    }
}

fn check_file(input: &Input, arguments: &CheckArguments) -> Done {
    let mut options = Options { report: arguments.explain_loops, ..Options::new(input.module_name.clone()) };
    options.codegen.fast_math = arguments.fast_math;
    match bug::guard(|| numptx_driver::check(&input.source, &options, &mut Unobserved)) {
        Err(error) => Done { status: Status::Bug, summary: bug::report(&error, input, None, &[]) },
        Ok(Checked { reports, .. }) if reports.has_errors() => refused(input, &reports),
        Ok(Checked { reports, report }) => {
            render::show(&input.source, &reports);
            report.iter().for_each(|report| reports::explain(report));
            let count = render::count(&reports);
            Done {
                status: Status::Done,
                summary: if count.is_empty() { "accepted".to_owned() } else { format!("accepted, {count}") },
            }
        }
    }
}

fn refused(input: &Input, reports: &Reports) -> Done {
    render::show(&input.source, reports);
    Done { status: Status::Refused, summary: format!("refused, {}", render::count(reports)) }
}

/// The line about a library that is not replaced, because its source could not be compiled: Python imports it as before.
fn old_library(source: &Path, arguments: &CompileArguments) -> Option<String> {
    if arguments.device_only || !wants_library(arguments) {
        return None;
    }
    let name = input::module_name(source).ok()?;
    let path = arguments.output.as_deref().unwrap_or(input::folder(source)).join(format!("{name}.so"));
    let written = path.metadata().and_then(|file| file.modified()).ok()?;
    let age = age(SystemTime::now().duration_since(written).unwrap_or_default());
    let shown = output::name(&path);
    Some(format!("{shown}: the library of {age} ago is still there; `import {name}` loads this old code"))
}

/// `1 second`, `12 minutes`, `3 days`.
fn age(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let (n, unit) = match seconds {
        ..60 => (seconds, "second"),
        60..3600 => (seconds / 60, "minute"),
        3600..86400 => (seconds / 3600, "hour"),
        _ => (seconds / 86400, "day"),
    };
    format!("{n} {unit}{}", if n == 1 { "" } else { "s" })
}

fn wants_library(arguments: &CompileArguments) -> bool {
    arguments.emit.is_empty() || arguments.emit.iter().any(|e| e.stage == Stage::Library)
}

/// Writes what was asked for; the line about the file. `reports`: what was written before.
fn write(
    input: &Input,
    artifacts: Vec<Artifact>,
    dumps: Vec<Dump>,
    reports: Vec<String>,
    arguments: &CompileArguments,
) -> Result<String, String> {
    let mut summary = write_dumps(input, dumps, arguments)?;
    if wants_library(arguments) {
        output::write_all(folder(input, arguments), &artifacts)?;
        summary.extend(artifacts.into_iter().map(|a| a.file_name));
        remove_stale(input, &summary, arguments)?;
    }
    summary.extend(reports);
    Ok(match summary.is_empty() {
        true => "done".to_owned(),
        false => format!("wrote {}", summary.join(" ")),
    })
}

/// A library without kernels comes without PTX; an older file of the name is another library's.
fn remove_stale(input: &Input, written: &[String], arguments: &CompileArguments) -> Result<(), String> {
    let [library, ptx] = ["so", "ptx"].map(|extension| format!("{}.{extension}", input.module_name));
    if written.contains(&library) && !written.contains(&ptx) {
        output::remove(&folder(input, arguments).join(ptx))?;
    }
    Ok(())
}

/// Shows the dumps, or writes them where a folder was named; the names of the files.
fn write_dumps(input: &Input, dumps: Vec<Dump>, arguments: &CompileArguments) -> Result<Vec<String>, String> {
    let mut files = Vec::new();
    for dump in dumps.into_iter().filter(|d| d.extension != Stage::Library.name()) {
        let Some(text) = dump.text else {
            output::note(&format!("{}: the stage `{}` was not reached", input.source.name, dump.name));
            continue;
        };
        match &arguments.output {
            None => output::print(&text)?,
            Some(folder) => {
                let artifact = Artifact::text(format!("{}.{}", input.module_name, dump.extension), text);
                output::write_all(folder, std::slice::from_ref(&artifact))?;
                files.push(artifact.file_name);
            }
        }
    }
    Ok(files)
}

fn folder<'a>(input: &'a Input, arguments: &'a CompileArguments) -> &'a Path {
    arguments.output.as_deref().unwrap_or(&input.folder)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::age;

    #[test]
    fn ages_are_told_in_their_largest_unit() {
        let ages = [0, 1, 59, 60, 119, 3600, 86_399, 86_400, 864_000].map(|seconds| age(Duration::from_secs(seconds)));
        let expected =
            ["0 seconds", "1 second", "59 seconds", "1 minute", "1 minute", "1 hour", "23 hours", "1 day", "10 days"];
        assert_eq!(ages, expected);
    }
}
