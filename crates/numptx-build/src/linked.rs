//! A compilation by the compiler that is linked in: files in a folder, and lines for cargo.

use std::path::Path;

use numptx_driver::{
    Artifact, DeviceTarget, Form, HostLevels, Options, Outcome, Symbols, Unobserved, compile as compile_source,
    read_helpers,
};
use numptx_source::{Severity, Source, decode};

use crate::{Build, Lines, bindings, check_name, rendering};

/// What the toolchain that is found depends on, besides what is installed.
const VARIABLES: &[&str] = &["NUMPTX_LIBDEVICE", "NUMPTX_PTXAS", "CUDA_HOME", "CUDA_PATH", "VIRTUAL_ENV"];

/// Writes `NAME.rs` and a static library to a folder.
pub fn compile(build: &Build, name: &str, directory: &Path) -> Lines {
    let mut lines: Lines = VARIABLES.iter().map(|variable| format!("rerun-if-env-changed={variable}")).collect();
    match read(build).and_then(|source| {
        // The file itself is watched by the build script, which names it.
        lines.extend(source.helpers.iter().map(|helper| format!("rerun-if-changed={}", helper.name)));
        made(build, &source, name, directory)
    }) {
        Ok(more) => lines.extend(more),
        Err(problems) => lines.extend(problems.iter().map(|line| format!("error={line}"))),
    }
    lines
}

fn problem(text: String) -> Lines {
    text.lines().map(str::to_string).collect()
}

/// The source, and those of the user's own files that it imports.
fn read(build: &Build) -> Result<Source, Lines> {
    let file = build.file.display();
    let bytes = std::fs::read(&build.file).map_err(|e| problem(format!("{file}: {e}")))?;
    let text = decode(&bytes).map_err(|e| problem(format!("{file}:{}: {}", e.line, e.message)))?;
    let mut source = Source::new(file.to_string(), text);
    read_helpers(&mut source, &build.file, |path| path.display().to_string());
    Ok(source)
}

/// What to tell cargo once everything is written; or the lines of the errors.
fn made(build: &Build, source: &Source, name: &str, directory: &Path) -> Result<Lines, Lines> {
    let options = options(build, name).map_err(problem)?;
    let outcome = compile_source(source, &options, &mut Unobserved).map_err(|e| problem(e.to_string()))?;
    let (artifacts, exports, symbols, reports) = match outcome {
        Outcome::Rejected(reports) => return Err(rendering::rendered(source, &reports, Severity::Error)),
        Outcome::Compiled { artifacts, exports, symbols, reports, .. } => (artifacts, exports, symbols, reports),
    };
    let library = library_name(name, &symbols);
    let bindings = bindings::bindings(&symbols.descriptor(), &build.file, &exports);
    write(directory, (name, &library), &artifacts, &bindings).map_err(problem)?;
    let warnings = rendering::rendered(source, &reports, Severity::Warning);
    let mut lines: Vec<String> = warnings.iter().map(|line| format!("warning={line}")).collect();
    lines.push(format!("rustc-link-search=native={}", directory.display()));
    lines.push(format!("rustc-link-lib=static={library}"));
    Ok(lines)
}

fn options(build: &Build, name: &str) -> Result<Options, String> {
    check_name(name)?;
    let mut options = Options { form: Form::StaticLibrary, package: package(), ..Options::new(name) };
    options.host = HostLevels::new(&build.cpu)
        .ok_or_else(|| format!("unknown processor `{}`; use one of {}", build.cpu, HostLevels::NAMES.join(", ")))?;
    for architecture in &build.architectures {
        let sm = architecture.strip_prefix("sm_").and_then(|sm| sm.parse().ok()).and_then(DeviceTarget::new);
        options
            .architectures
            .push(sm.ok_or_else(|| format!("unknown architecture `{architecture}`; use one such as `sm_90`"))?);
    }
    Ok(options)
}

/// The package whose build script this is, with its version: two of them may call their modules alike and be parts of one program. An installed
/// compiler has the variables from the build script that runs it.
fn package() -> String {
    let told = |name: &str| std::env::var(name).unwrap_or_default();
    format!("{} {}", told("CARGO_PKG_NAME"), told("CARGO_PKG_VERSION"))
}

/// Not the module's own name, which may be that of a library of the system (`m`, `fft`) or of another package's module: a crate is linked with
/// the folders of those that it depends on.
fn library_name(module: &str, symbols: &Symbols) -> String {
    format!("{}{}", library_prefix(module), symbols.hash())
}

fn library_prefix(module: &str) -> String {
    format!("numptx_module_{module}_")
}

/// Writes the static library and `NAME.rs`.
fn write(
    directory: &Path,
    (name, library): (&str, &str),
    artifacts: &[Artifact],
    bindings: &str,
) -> Result<(), String> {
    let archive = artifacts.iter().find(|a| a.file_name.ends_with(".a")).ok_or("there is no static library")?;
    remove_older(directory, name);
    let path = directory.join(format!("lib{library}.a"));
    std::fs::write(&path, &archive.bytes).map_err(|e| format!("{}: {e}", path.display()))?;
    let path = directory.join(format!("{name}.rs"));
    std::fs::write(&path, bindings).map_err(|e| format!("{}: {e}", path.display()))
}

/// The libraries that earlier runs of the build script left: names change with what is compiled.
fn remove_older(directory: &Path, name: &str) {
    let prefix = format!("lib{}", library_prefix(name));
    let is_older = |file: &str| {
        let hash = file.strip_prefix(&prefix).and_then(|rest| rest.strip_suffix(".a"));
        hash.is_some_and(|hash| hash.len() == 16 && hash.chars().all(|c| c.is_ascii_hexdigit()))
    };
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(is_older) {
            // One that stays takes room and is not linked.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}
