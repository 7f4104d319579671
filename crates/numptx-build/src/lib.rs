//! Compiles NumPy kernels in a `build.rs`, and gives typed Rust functions for them.
//!
//! ```no_run
//! // build.rs
//! numptx_build::Build::new("src/kernels.py").compile("kernels");
//! ```
//!
//! ```text
//! // src/lib.rs; `numptx-runtime` and `ndarray` (0.16 or later) are dependencies
//! mod kernels {
//!     include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
//! }
//! ```
//!
//! # The compiler
//!
//! An installed `numptx` compiles: the one that `NUMPTX_COMPILER` names, else the one on `PATH` (`pip install numptx` brings it). It has
//! LLVM inside. With the feature `static-llvm` or `dynamic-llvm` the compiler is part of the build script instead, and building it needs LLVM 22.
//! `NUMPTX_COMPILER` counts there, too.
//!
//! Code is made for Linux on x86-64 with glibc; a `TARGET` that is another one is an error of the build.
//!
//! # The functions
//!
//! Host functions take `ndarray` views, `ArrayViewMut` where the kernel writes. A result with memory of its own is an `ndarray::Array` that borrows
//! nothing, and is the call's memory, not a copy. A result that may be a view of an argument is a `CowArray`, which borrows these arguments alone.
//!
//! Functions that end in `_on_device` run where their arrays live. They read `&DeviceArrayRef`, which a `DeviceArray` and a `SharedDeviceArray`
//! are by themselves, and write `&mut DeviceArray`. They give a `DeviceArray`, or a `DeviceCow` that may be a view.
//!
//! A function carries its Python name: its first overload. Every overload has a name of its types besides, which no other export line changes:
//! `blur_f32_2d`, `blur_f64_2d_int`. Complex numbers are `num_complex::Complex`, which is `numptx_runtime::Complex`.
//!
//! The text holds no `unsafe`, so that crates with `#![forbid(unsafe_code)]` include it.
//!
//! The compiler's diagnostics are cargo errors and warnings; the source file is watched.

#[cfg(feature = "compiler")]
mod bindings;
#[cfg(feature = "compiler")]
mod linked;
#[cfg(feature = "compiler")]
mod names;
#[cfg(feature = "compiler")]
mod rendering;

mod installed;
mod target;

use std::path::{Path, PathBuf};

/// All processors from x86-64-v2 on: the compiler's default too.
const DEFAULT_CPU: &str = "portable";

/// A compilation to be made by a `build.rs`.
#[derive(Clone, Debug)]
pub struct Build {
    file: PathBuf,
    architectures: Vec<String>,
    cpu: String,
}

/// What a compilation tells cargo, each line without its `cargo::`; an `error=` stands for all that was not made.
pub type Lines = Vec<String>;

impl Build {
    /// Compiles a file, named relative to the package's root.
    pub fn new(file: impl AsRef<Path>) -> Build {
        Build { file: file.as_ref().to_path_buf(), architectures: Vec::new(), cpu: DEFAULT_CPU.to_string() }
    }

    /// Adds device code for an architecture, such as `sm_90`, besides the portable image.
    pub fn arch(mut self, architecture: &str) -> Build {
        self.architectures.push(architecture.to_string());
        self
    }

    /// The processors that host code is for: `portable` (the default: all from x86-64-v2 on, each with code of its own), one level, such as
    /// `x86-64-v3`, or `native`, the processor that compiles.
    pub fn cpu(mut self, cpu: &str) -> Build {
        self.cpu = cpu.to_string();
        self
    }

    /// Compiles, writes `NAME.rs` and a static library to `OUT_DIR`, and tells cargo to link it.
    ///
    /// Ends the build script with cargo errors if the program is refused, if it cannot be read, if there is no compiler, or if the build is asked
    /// for what there is not.
    pub fn compile(&self, name: &str) {
        println!("cargo::rerun-if-changed={}", self.file.display());
        println!("cargo::rerun-if-env-changed={}", installed::VARIABLE);
        let lines = self.lines(name).unwrap_or_else(|problem| problem.lines().map(|l| format!("error={l}")).collect());
        lines.iter().for_each(|line| println!("cargo::{line}"));
        if lines.iter().any(|line| line.starts_with("error=")) {
            std::process::exit(1);
        }
    }

    /// What is to be told, or why nothing could be done.
    fn lines(&self, name: &str) -> Result<Lines, String> {
        let directory = std::env::var_os("OUT_DIR").map(PathBuf::from);
        let directory = directory.ok_or("OUT_DIR is not set: call this in a build.rs")?;
        check_name(name)?;
        let variable = |name| std::env::var(name).ok();
        target::check(variable("TARGET").as_deref(), variable("HOST").as_deref(), &self.cpu)?;
        #[cfg(feature = "compiler")]
        {
            if std::env::var_os(installed::VARIABLE).is_none() {
                return Ok(self.compile_here(name, &directory));
            }
        }
        installed::compile(self, name, &directory)
    }

    /// Compiles with the compiler that is linked in: what [`Build::compile`] would tell cargo. `numptx rust` is this.
    #[cfg(feature = "compiler")]
    pub fn compile_here(&self, name: &str, directory: &Path) -> Lines {
        linked::compile(self, name, directory)
    }
}

/// A module's name is part of names of files and of a symbol.
fn check_name(name: &str) -> Result<(), String> {
    let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    match is_word && !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()) {
        true => Ok(()),
        false => Err(format!("`{name}` cannot name a module: use letters, digits and `_`, such as `kernels`")),
    }
}
