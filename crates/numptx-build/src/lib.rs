//! Compiles NumPy kernels in a `build.rs`, and gives typed Rust functions for them.
//!
//! ```no_run
//! // build.rs
//! numptx_build::Build::new("src/kernels.py").compile("kernels");
//! ```
//!
//! ```text
//! // src/lib.rs; `numptx-runtime` and `ndarray` are dependencies
//! mod kernels {
//!     include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
//! }
//! ```
//!
//! Host functions take `ndarray` views, `ArrayViewMut` where the kernel writes, and give `Returned` arrays: memory of their own, or views
//! of an argument that share its memory and borrow it. Functions that end in `_on_device` take and give the runtime's `DeviceArray`s and
//! run where these live. Complex numbers are `[f32; 2]` and `[f64; 2]`: real part, imaginary part.
//!
//! The compiler's diagnostics are cargo errors and warnings; the source file is watched.

mod bindings;
mod names;
mod rendering;

use std::path::{Path, PathBuf};

use numptx_driver::{Artifact, DeviceTarget, Form, HostTarget, Options, Outcome, Symbols, Unobserved, compile};
use numptx_source::{Severity, Source, decode};

/// What the toolchain that is found depends on, besides what is installed.
const VARIABLES: &[&str] = &["NUMPTX_LIBDEVICE", "NUMPTX_PTXAS", "CUDA_HOME", "CUDA_PATH", "VIRTUAL_ENV"];

/// A compilation to be made by a `build.rs`.
#[derive(Clone, Debug)]
pub struct Build {
    file: PathBuf,
    architectures: Vec<String>,
    cpu: String,
}

impl Build {
    /// Compiles a file, named relative to the package's root.
    pub fn new(file: impl AsRef<Path>) -> Build {
        Build { file: file.as_ref().to_path_buf(), architectures: Vec::new(), cpu: "x86-64".to_string() }
    }

    /// Adds device code for an architecture, such as `sm_90`, besides the portable image.
    pub fn arch(mut self, architecture: &str) -> Build {
        self.architectures.push(architecture.to_string());
        self
    }

    /// The processor that host code is for: `x86-64` (the default: runs everywhere), `x86-64-v3`, `x86-64-v4`, or `native`, the
    /// processor that compiles.
    pub fn cpu(mut self, cpu: &str) -> Build {
        self.cpu = cpu.to_string();
        self
    }

    /// Compiles, writes `NAME.rs` and a static library to `OUT_DIR`, and tells cargo to link it.
    ///
    /// Ends the build script with cargo errors if the program is refused, if it cannot be read, or if the build is asked for what there
    /// is not.
    pub fn compile(&self, name: &str) {
        println!("cargo::rerun-if-changed={}", self.file.display());
        for variable in VARIABLES {
            println!("cargo::rerun-if-env-changed={variable}");
        }
        match self.made(name) {
            Ok(lines) => lines.iter().for_each(|line| println!("cargo::{line}")),
            Err(problems) => {
                problems.iter().for_each(|line| println!("cargo::error={line}"));
                std::process::exit(1);
            }
        }
    }

    /// What to tell cargo once everything is written; or the lines of the errors.
    fn made(&self, name: &str) -> Result<Vec<String>, Vec<String>> {
        let problem = |text: String| text.lines().map(str::to_string).collect::<Vec<_>>();
        let directory = std::env::var_os("OUT_DIR").map(PathBuf::from);
        let directory = directory.ok_or_else(|| problem("OUT_DIR is not set: call this in a build.rs".to_string()))?;
        let options = self.options(name).map_err(problem)?;
        let file = self.file.display();
        let bytes = std::fs::read(&self.file).map_err(|e| problem(format!("{file}: {e}")))?;
        let text = decode(&bytes).map_err(|e| problem(format!("{file}:{}: {}", e.line, e.message)))?;
        let source = Source::new(file.to_string(), text);
        let outcome = compile(&source, &options, &mut Unobserved).map_err(|e| problem(e.to_string()))?;
        let (artifacts, exports, symbols, reports) = match outcome {
            Outcome::Rejected(reports) => return Err(rendering::rendered(&source, &reports, Severity::Error)),
            Outcome::Compiled { artifacts, exports, symbols, reports, .. } => (artifacts, exports, symbols, reports),
        };
        let library = library_name(name, &symbols);
        let bindings = bindings::bindings(&symbols.descriptor(), &self.file, &exports);
        write(&directory, (name, &library), &artifacts, &bindings).map_err(problem)?;
        let warnings = rendering::rendered(&source, &reports, Severity::Warning);
        let mut lines: Vec<String> = warnings.iter().map(|line| format!("warning={line}")).collect();
        lines.push(format!("rustc-link-search=native={}", directory.display()));
        // Host kernels call the vector functions of glibc's math library.
        lines.extend(
            [format!("static={library}"), "dylib=mvec".into(), "dylib=m".into()].map(|l| format!("rustc-link-lib={l}")),
        );
        Ok(lines)
    }

    fn options(&self, name: &str) -> Result<Options, String> {
        let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_word || name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(format!("`{name}` cannot name a module: use letters, digits and `_`, such as `kernels`"));
        }
        let mut options = Options { form: Form::StaticLibrary, package: package(), ..Options::new(name) };
        options.host = HostTarget::new(&self.cpu).ok_or_else(|| {
            format!("unknown processor `{}`; use `x86-64`, `x86-64-v3`, `x86-64-v4` or `native`", self.cpu)
        })?;
        for architecture in &self.architectures {
            let sm = architecture.strip_prefix("sm_").and_then(|sm| sm.parse().ok()).and_then(DeviceTarget::new);
            options
                .architectures
                .push(sm.ok_or_else(|| format!("unknown architecture `{architecture}`; use one such as `sm_90`"))?);
        }
        Ok(options)
    }
}

/// The package whose build script this is, with its version: two of them may call their modules alike and be parts of one program.
fn package() -> String {
    let told = |name: &str| std::env::var(name).unwrap_or_default();
    format!("{} {}", told("CARGO_PKG_NAME"), told("CARGO_PKG_VERSION"))
}

/// Not the module's own name, which may be that of a library of the system (`m`, `fft`) or of another package's module: a crate is linked with the folders of
/// those that it depends on.
fn library_name(module: &str, symbols: &Symbols) -> String {
    format!("{}{}", library_prefix(module), symbols.hash())
}

fn library_prefix(module: &str) -> String {
    format!("numptx_module_{module}_")
}

/// Writes the library and `NAME.rs`.
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
