//! Runs the linker and `ptxas`. A failure names the exact command and keeps its input, so that it can be repeated.

use std::path::Path;
use std::process::Command;

use numptx_codegen::DeviceTarget;
use numptx_source::InternalError;
use tempfile::TempDir;

/// Links one object file to a shared library; returns its bytes. Only `PyInit_*` and `numptx_module_*` are exported.
pub fn link(linker: &Path, object: &[u8], module_name: &str) -> Result<Vec<u8>, InternalError> {
    let directory = temporary("link")?;
    let input = directory.path().join("module.o");
    let script = directory.path().join("exports");
    let output = directory.path().join("module.so");
    write("link", &input, object)?;
    write("link", &script, b"{ global: PyInit_*; numptx_module_*; local: *; };\n")?;

    let name = linker.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let plain = name.starts_with("ld") || name.contains("lld");
    let flags = [
        "--gc-sections".to_string(),
        format!("--version-script={}", script.display()),
        format!("--soname={module_name}.so"),
        "--as-needed".to_string(),
    ];
    let mut command = Command::new(linker);
    if name.contains("rust-lld") {
        command.args(["-flavor", "gnu"]);
    }
    command.arg("-shared").arg("-o").arg(&output).arg(&input);
    match plain {
        true => command.args(flags).args(["-z", "now", "-z", "relro"]).args(library_paths()),
        false => command.args(flags.iter().map(|f| format!("-Wl,{f}"))).args([
            "-nostartfiles",
            "-Wl,-z,now",
            "-Wl,-z,relro",
            "-lmvec",
            "-lm",
        ]),
    };
    run("link", command, directory, &output)
}

/// Math and C libraries by path, for a plain linker.
fn library_paths() -> Vec<String> {
    let directories = ["/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/usr/lib"];
    let find = |library: &str| {
        let mut paths = directories.iter().map(|d| format!("{d}/{library}"));
        paths.find(|p| Path::new(p).is_file())
    };
    ["libmvec.so.1", "libm.so.6", "libc.so.6"].into_iter().filter_map(find).collect()
}

/// Assembles PTX for one architecture; returns the cubin.
pub fn assemble(ptxas: &Path, ptx: &str, target: DeviceTarget) -> Result<Vec<u8>, InternalError> {
    let directory = temporary("ptxas")?;
    let input = directory.path().join("module.ptx");
    let output = directory.path().join("module.cubin");
    write("ptxas", &input, ptx.as_bytes())?;
    let mut command = Command::new(ptxas);
    command.arg(format!("-arch=sm_{}", target.sm)).arg("-O3").arg("-o").arg(&output).arg(&input);
    run("ptxas", command, directory, &output)
}

fn temporary(stage: &str) -> Result<TempDir, InternalError> {
    let directory = tempfile::Builder::new().prefix("numptx-").tempdir();
    directory.map_err(|e| InternalError::new(stage, format!("cannot make a temporary directory: {e}")))
}

fn write(stage: &str, path: &Path, bytes: &[u8]) -> Result<(), InternalError> {
    std::fs::write(path, bytes).map_err(|e| InternalError::new(stage, format!("cannot write {}: {e}", path.display())))
}

/// Runs a command and reads its output file. On failure the directory is kept.
fn run(stage: &str, mut command: Command, directory: TempDir, output: &Path) -> Result<Vec<u8>, InternalError> {
    let shown = format!("{command:?}");
    let result = command.output().map_err(|e| InternalError::new(stage, format!("cannot run {shown}: {e}")))?;
    if result.status.success() {
        return std::fs::read(output).map_err(|e| InternalError::new(stage, format!("{shown} left no output: {e}")));
    }
    let said = format!("{}{}", String::from_utf8_lossy(&result.stdout), String::from_utf8_lossy(&result.stderr));
    let kept = directory.keep();
    let message = format!("{} for {shown}\nits input is kept in {}\n{said}", result.status, kept.display());
    Err(InternalError::new(stage, message))
}
