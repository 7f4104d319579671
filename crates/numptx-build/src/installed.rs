//! The compiler that is installed: where it is, and what it is asked.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::{Build, Lines};

/// Names the compiler.
pub const VARIABLE: &str = "NUMPTX_COMPILER";
const COMMAND: &str = "numptx";

/// Has `numptx rust` compile: what it tells cargo.
pub fn compile(build: &Build, name: &str, directory: &Path) -> Result<Lines, String> {
    let compiler = find(std::env::var_os(VARIABLE).map(PathBuf::from), std::env::var_os("PATH"))?;
    let mut command = Command::new(&compiler);
    command.arg("rust").arg("--name").arg(name).arg("--output").arg(directory).args(["--cpu", &build.cpu]);
    for architecture in &build.architectures {
        command.args(["--arch", architecture]);
    }
    command.args(["--abi", &numptx_abi::ABI_VERSION.to_string()]).arg("--").arg(&build.file);
    let output = command.output().map_err(|e| format!("{}: cannot be run: {e}", compiler.display()))?;
    let mut lines = vec![format!("rerun-if-changed={}", compiler.display())];
    lines.extend(told(&output));
    if !output.status.success() && !lines.iter().any(|line| line.starts_with("error=")) {
        lines.extend(unanswered(&compiler, &output).lines().map(|line| format!("error={line}")));
    }
    Ok(lines)
}

/// Lines that are for cargo.
fn told(output: &Output) -> Lines {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().filter_map(|line| line.strip_prefix("cargo::")).map(str::to_string).collect()
}

/// The error where the compiler failed without one for cargo: it is another numptx's, or has a bug.
fn unanswered(compiler: &Path, output: &Output) -> String {
    let version = Command::new(compiler).arg("--version").output().ok();
    let version = version.map(|v| String::from_utf8_lossy(&v.stdout).trim().to_string()).filter(|v| !v.is_empty());
    format!(
        "{} ({}) made no Rust bindings; this is numptx-build {}, which takes a compiler of its version: `pip install numptx=={}`, or name one in {VARIABLE}\n{}",
        compiler.display(),
        version.as_deref().unwrap_or("it tells no version"),
        env!("CARGO_PKG_VERSION"),
        env!("CARGO_PKG_VERSION"),
        String::from_utf8_lossy(&output.stderr).trim(),
    )
}

/// The compiler that is named, or the first one on the path.
fn find(named: Option<PathBuf>, path: Option<std::ffi::OsString>) -> Result<PathBuf, String> {
    if let Some(named) = named {
        return if named.is_file() {
            Ok(named)
        } else {
            Err(format!("{VARIABLE}: there is no file {}", named.display()))
        };
    }
    let folders = path.iter().flat_map(std::env::split_paths);
    let found = folders.map(|folder| folder.join(COMMAND)).find(|file| file.is_file());
    found.ok_or_else(|| {
        format!(
            "no `{COMMAND}` was found, which compiles the kernels: `pip install numptx` brings it; put it on PATH, or name it in {VARIABLE}"
        )
    })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::find;

    #[test]
    fn the_compiler_is_the_one_that_is_named_or_the_first_on_the_path() {
        let folder = std::env::temp_dir().join(format!("numptx-build-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
        let compiler = folder.join("numptx");
        std::fs::write(&compiler, "").expect("the folder for temporary files can be written");
        let path = std::env::join_paths([PathBuf::from("/nowhere"), folder.clone()]).expect("no separators");
        assert_eq!(find(None, Some(path.clone())), Ok(compiler.clone()));
        assert_eq!(find(Some(compiler.clone()), None), Ok(compiler));
        let problem = find(Some(PathBuf::from("/nowhere/numptx")), Some(path)).unwrap_err();
        assert!(problem.starts_with("NUMPTX_COMPILER: there is no file /nowhere/numptx"), "{problem}");
        std::fs::remove_dir_all(folder).expect("it was made above");
        let problem = find(None, None).unwrap_err();
        assert!(problem.contains("`pip install numptx` brings it"), "{problem}");
    }
}
