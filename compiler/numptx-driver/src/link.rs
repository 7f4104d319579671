//! Runs the linker and `ptxas`. A failure names the exact command and keeps its input, so that it can be repeated.

use std::path::Path;
use std::process::Command;

use numptx_codegen::{DeviceTarget, HostObject};
use numptx_source::InternalError;
use tempfile::TempDir;

/// Why a tool gave nothing.
pub enum Failure {
    /// It cannot be run, or there is no place for its files: nothing is wrong with the program or with us.
    Environment(String),
    /// It did not take what we made.
    Ours(InternalError),
}

impl Failure {
    /// For tools that only we run, on what only we make.
    pub fn into_ours(self, stage: &str) -> InternalError {
        match self {
            Failure::Environment(message) => InternalError::new(stage, message),
            Failure::Ours(error) => error,
        }
    }
}

/// Links object files to a shared library; returns its bytes. Only `PyInit_*` and `numptx_module_*` are exported: Python looks for the first in this
/// library alone, the second holds the library's hash, and inside the library nothing refers to either.
pub fn link(linker: &Path, objects: &[HostObject], module_name: &str) -> Result<Vec<u8>, Failure> {
    let directory = temporary()?;
    let script = directory.path().join("exports");
    let output = directory.path().join("module.so");
    let inputs: Vec<_> = (0..objects.len()).map(|n| directory.path().join(format!("module.{n}.o"))).collect();
    for (input, object) in inputs.iter().zip(objects) {
        write(input, &object.bytes)?;
    }
    write(&script, b"{ global: PyInit_*; numptx_module_*; local: *; };\n")?;

    let name = linker.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let plain = name.starts_with("ld") || name.contains("lld");
    let flags = [
        "--gc-sections".to_string(),
        format!("--version-script={}", script.display()),
        format!("--soname={module_name}.so"),
        // The C library is named whether or not a symbol of it is used: tools look there for what a library runs on.
        "--no-as-needed".to_string(),
    ];
    let paths = library_paths();
    let command = |way: Way| {
        let mut command = Command::new(linker);
        if name.contains("rust-lld") {
            command.args(["-flavor", "gnu"]);
        }
        command.arg("-shared").arg("-o").arg(&output).args(&inputs);
        if way == Way::Plain {
            command.args(&flags).args(["-z", "now", "-z", "relro"]).args(&paths);
            return command;
        }
        command.args(flags.iter().map(|f| format!("-Wl,{f}"))).args(["-Wl,-z,now", "-Wl,-z,relro"]);
        match way {
            Way::Driver => command.args(["-nostdlib", "-lc"]),
            _ => command.arg("-nostdlib").args(&paths),
        };
        command
    };
    if plain {
        return run("link", command(Way::Plain), directory, &output);
    }
    // A C compiler is often installed without the C library's development files: the libraries themselves are there.
    if command(Way::Driver).output().is_ok_and(|done| done.status.success()) {
        return read(linker, &output);
    }
    // A shared library links without those it needs, and does not load then.
    if paths.len() == LIBRARIES.len() && command(Way::DriverByPath).output().is_ok_and(|done| done.status.success()) {
        return read(linker, &output);
    }
    run("link", command(Way::Driver), directory, &output)
}

/// How a linker is told what to link with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// The linker itself: libraries by path.
    Plain,
    /// A C compiler, which knows where libraries are.
    Driver,
    /// A C compiler, which is told.
    DriverByPath,
}

/// What modules need. Math functions are looked up when a module is bound.
const LIBRARIES: [&str; 1] = ["libc.so.6"];

/// Those of [`LIBRARIES`] that are found, by path.
fn library_paths() -> Vec<String> {
    let directories = ["/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/usr/lib"];
    let find = |library: &str| {
        let mut paths = directories.iter().map(|d| format!("{d}/{library}"));
        paths.find(|p| Path::new(p).is_file())
    };
    LIBRARIES.into_iter().filter_map(find).collect()
}

/// Assembles PTX for one architecture; returns the cubin.
pub fn assemble(ptxas: &Path, ptx: &str, target: DeviceTarget) -> Result<Vec<u8>, Failure> {
    let directory = temporary()?;
    let input = directory.path().join("module.ptx");
    let output = directory.path().join("module.cubin");
    write(&input, ptx.as_bytes())?;
    let mut command = Command::new(ptxas);
    command.arg(format!("-arch=sm_{}", target.sm)).arg("-O3").arg("-o").arg(&output).arg(&input);
    run("ptxas", command, directory, &output)
}

fn temporary() -> Result<TempDir, Failure> {
    let directory = tempfile::Builder::new().prefix("numptx-").tempdir();
    directory.map_err(|e| Failure::Environment(format!("a temporary directory cannot be made: {e}")))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    std::fs::write(path, bytes).map_err(|e| Failure::Environment(format!("{} cannot be written: {e}", path.display())))
}

fn read(program: &Path, output: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(output).map_err(|e| Failure::Environment(format!("`{}` left no output: {e}", program.display())))
}

/// Runs a command and reads its output file. On failure the directory is kept.
fn run(stage: &str, mut command: Command, directory: TempDir, output: &Path) -> Result<Vec<u8>, Failure> {
    let shown = format!("{command:?}");
    let program = command.get_program().to_string_lossy().into_owned();
    let result = command.output().map_err(|e| Failure::Environment(format!("`{program}` cannot be run: {e}")))?;
    if result.status.success() {
        return read(Path::new(&program), output);
    }
    let said = format!("{}{}", String::from_utf8_lossy(&result.stdout), String::from_utf8_lossy(&result.stderr));
    let kept = directory.keep();
    let message = format!("{} for {shown}\nits input is kept in {}\n{said}", result.status, kept.display());
    Err(Failure::Ours(InternalError::new(stage, message)))
}
