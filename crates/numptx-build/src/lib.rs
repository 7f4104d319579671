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

mod archive;
mod bindings;
mod names;
mod rendering;

use std::path::{Path, PathBuf};

use numptx_driver::{Artifact, DeviceTarget, Form, HostTarget, Options, Outcome, Unobserved, compile};
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
        let (artifacts, exports, reports) = match outcome {
            Outcome::Rejected(reports) => return Err(rendering::rendered(&source, &reports, Severity::Error)),
            Outcome::Compiled { artifacts, exports, reports, .. } => (artifacts, exports, reports),
        };
        let bindings = bindings::bindings(name, &self.file, &exports);
        write(&directory, name, &artifacts, &bindings).map_err(problem)?;
        let warnings = rendering::rendered(&source, &reports, Severity::Warning);
        let mut lines: Vec<String> = warnings.iter().map(|line| format!("warning={line}")).collect();
        lines.push(format!("rustc-link-search=native={}", directory.display()));
        // Host kernels call the vector functions of glibc's math library.
        lines.extend(
            [format!("static={}", library_name(name)), "dylib=mvec".into(), "dylib=m".into()]
                .map(|l| format!("rustc-link-lib={l}")),
        );
        Ok(lines)
    }

    fn options(&self, name: &str) -> Result<Options, String> {
        let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_word || name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(format!("`{name}` cannot name a module: use letters, digits and `_`, such as `kernels`"));
        }
        let mut options = Options { form: Form::Objects, ..Options::new(name) };
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

/// Not the module's own name, which may be that of a library of the system: `m`, `fft`.
fn library_name(module: &str) -> String {
    format!("numptx_module_{module}")
}

/// Writes `libnumptx_module_NAME.a` and `NAME.rs`.
fn write(directory: &Path, name: &str, artifacts: &[Artifact], bindings: &str) -> Result<(), String> {
    let objects: Vec<&Artifact> = artifacts.iter().filter(|a| a.file_name.ends_with(".o")).collect();
    let archive = archive::archive(&objects).ok_or("the objects are too large for a static library")?;
    let path = directory.join(format!("lib{}.a", library_name(name)));
    std::fs::write(&path, archive).map_err(|e| format!("{}: {e}", path.display()))?;
    let path = directory.join(format!("{name}.rs"));
    std::fs::write(&path, bindings).map_err(|e| format!("{}: {e}", path.display()))
}
