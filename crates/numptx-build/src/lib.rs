//! Compiles NumPy kernels in a `build.rs`, and gives typed Rust functions for them.
//!
//! ```no_run
//! // build.rs
//! numptx_build::Build::new("src/kernels.py").compile("kernels");
//! ```
//!
//! ```ignore
//! // src/lib.rs; `numptx-runtime` and `ndarray` are dependencies
//! mod kernels {
//!     include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
//! }
//! ```
//!
//! Host functions take `ndarray` views and give [`Returned`] arrays: memory of their own, or views of an argument that share its
//! memory and borrow it. Functions that end in `_on_device` take and give the runtime's `DeviceArray`s. The compiler's diagnostics
//! are cargo errors and warnings; the source file is watched.
//!
//! [`Returned`]: https://docs.rs/ndarray

mod bindings;

use std::path::{Path, PathBuf};

use numptx_driver::{Artifact, DeviceTarget, Form, HostTarget, Options, Outcome, Unobserved, compile};
use numptx_source::{Report, Reports, Severity, Source};

/// A compilation to be made by a `build.rs`.
#[derive(Clone, Debug)]
pub struct Build {
    file: PathBuf,
    architectures: Vec<String>,
    cpu: Option<String>,
}

impl Build {
    /// Compiles a file, named relative to the package's root.
    pub fn new(file: impl AsRef<Path>) -> Build {
        Build { file: file.as_ref().to_path_buf(), architectures: Vec::new(), cpu: None }
    }

    /// Adds device code for an architecture, such as `sm_90`, besides the portable image.
    pub fn arch(mut self, architecture: &str) -> Build {
        self.architectures.push(architecture.to_string());
        self
    }

    /// The processor that host code is for: `native`, `x86-64`, `x86-64-v3`, `x86-64-v4`. Default: `x86-64-v3` features are not assumed;
    /// `x86-64`.
    pub fn cpu(mut self, cpu: &str) -> Build {
        self.cpu = Some(cpu.to_string());
        self
    }

    /// Compiles, writes `NAME.rs` and the static library to `OUT_DIR`, and tells cargo to link it.
    ///
    /// Ends the build script with cargo errors if the program is refused.
    pub fn compile(&self, name: &str) {
        println!("cargo::rerun-if-changed={}", self.file.display());
        for variable in ["NUMPTX_LIBDEVICE", "NUMPTX_PTXAS", "CUDA_HOME"] {
            println!("cargo::rerun-if-env-changed={variable}");
        }
        if let Err(problems) = self.try_compile(name) {
            for line in problems.lines() {
                println!("cargo::error={line}");
            }
            std::process::exit(1);
        }
    }

    fn try_compile(&self, name: &str) -> Result<(), String> {
        let directory = std::env::var_os("OUT_DIR").map(PathBuf::from).ok_or("OUT_DIR is not set: call this in a build.rs")?;
        let text = std::fs::read_to_string(&self.file).map_err(|e| format!("{}: {e}", self.file.display()))?;
        let source = Source::new(self.file.display().to_string(), text);
        let outcome = compile(&source, &self.options(name)?, &mut Unobserved).map_err(|e| e.to_string())?;
        let (artifacts, exports) = match outcome {
            Outcome::Rejected(reports) => return Err(rendered(&source, &reports, Severity::Error)),
            Outcome::Compiled { artifacts, exports, reports } => {
                for line in rendered(&source, &reports, Severity::Warning).lines() {
                    println!("cargo::warning={line}");
                }
                (artifacts, exports)
            }
        };
        let object = artifacts.iter().find(|a| a.file_name.ends_with(".o")).ok_or("the compiler made no object")?;
        archive(&directory, name, object)?;
        let bindings = bindings::bindings(name, &self.file, &exports);
        let path = directory.join(format!("{name}.rs"));
        std::fs::write(&path, bindings).map_err(|e| format!("{}: {e}", path.display()))?;
        println!("cargo::rustc-link-search=native={}", directory.display());
        println!("cargo::rustc-link-lib=static={name}");
        println!("cargo::rustc-link-lib=dylib=mvec");
        println!("cargo::rustc-link-lib=dylib=m");
        Ok(())
    }

    fn options(&self, name: &str) -> Result<Options, String> {
        let mut options = Options { form: Form::Object, ..Options::new(name) };
        let cpu = self.cpu.as_deref().unwrap_or("x86-64");
        options.host = HostTarget::new(cpu).ok_or_else(|| format!("unknown processor `{cpu}`"))?;
        for architecture in &self.architectures {
            let sm = architecture.strip_prefix("sm_").and_then(|sm| sm.parse().ok()).and_then(DeviceTarget::new);
            options.architectures.push(sm.ok_or_else(|| format!("unknown architecture `{architecture}`"))?);
        }
        Ok(options)
    }
}

/// Writes `libNAME.a`.
fn archive(directory: &Path, name: &str, object: &Artifact) -> Result<(), String> {
    let path = directory.join(format!("lib{name}.a"));
    let problem = |e: std::io::Error| format!("{}: {e}", path.display());
    let file = std::fs::File::create(&path).map_err(problem)?;
    let symbol = format!("numptx_module_{name}").into_bytes();
    let member = object.file_name.clone().into_bytes();
    let table = std::collections::BTreeMap::from([(member.clone(), vec![symbol])]);
    let mut builder = ar::GnuBuilder::new(file, vec![member.clone()], ar::GnuSymbolTableFormat::Size32, table).map_err(problem)?;
    let header = ar::Header::new(member, object.bytes.len() as u64);
    builder.append(&header, object.bytes.as_slice()).map_err(problem)
}

/// Reports of a severity as lines: `file:line:column: NPX0201: message; help`.
fn rendered(source: &Source, reports: &Reports, severity: Severity) -> String {
    let line = |report: &Report| {
        let (line, column) = source.line_column(report.span.start);
        let help = report.help.as_ref().map_or(String::new(), |h| format!("\nhelp: {h}"));
        format!("{}:{line}:{column}: {}: {}{help}", source.name, report.code, report.message)
    };
    reports.iter().filter(|r| r.severity == severity).map(line).collect::<Vec<_>>().join("\n")
}
