//! What a compilation may be told.

use numptx_codegen::{CodegenOptions, DeviceTarget, HostLevels};
use numptx_ir::array::Phase;
use numptx_passes::{FORM_NESTS, Limit, Pass, Rounding, forming_nests};
use numptx_source::Progress;

use crate::{Forced, Stage, Toolchain, VERSION};

/// Which halves of a library are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halves {
    /// PTX and machine code.
    Both,
    /// PTX only: no shared library.
    DeviceOnly,
    /// Machine code only: the library runs on the CPU.
    HostOnly,
}

/// What the host half ends as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `NAME.so`: imports into Python, links into C and Rust.
    SharedLibrary,
    /// `NAME.a`: a part of the C or Rust program that it is linked into. Python does not import it, and no linker runs.
    StaticLibrary,
}

/// Options of one compilation.
#[derive(Clone, Debug)]
pub struct Options {
    /// The module's name, as Python imports it.
    pub module_name: String,
    /// The package that the library is part of, with its version. Libraries of two packages share no symbol.
    pub package: String,
    /// Architectures besides the portable one; a cubin is embedded for each where there is an assembler.
    pub architectures: Vec<DeviceTarget>,
    /// The processors that host code is for.
    pub host: HostLevels,
    /// The last stage that is wanted. Up to [`Stage::Kernel`] no code is made, and only for [`Stage::Library`] is anything linked.
    pub last: Stage,
    /// Which halves are made.
    pub halves: Halves,
    /// What the host half ends as.
    pub form: Form,
    /// How many optional passes run.
    pub limit: Limit,
    /// What is left out or done worse, for tests.
    pub forced: Forced,
    /// How code is made; with `fast_math` passes may round in another order, too.
    pub codegen: CodegenOptions,
    /// Whether the cubins are artifacts of their own, too: `NAME.sm_90.cubin`.
    pub save_cubins: bool,
    /// The linker, ptxas and device math library to use.
    pub toolchain: Toolchain,
    /// Whether the observer is to be shown LLVM IR, whose text is large.
    pub show_llvm: bool,
    /// Whether a report of what was done is made.
    pub report: bool,
    /// Told of each stage and function as work on it begins.
    pub progress: Progress,
}

impl Options {
    /// Whether host code is made: for the library, or to be shown.
    pub(crate) fn has_host_code(&self) -> bool {
        self.halves != Halves::DeviceOnly && (self.last == Stage::Library || self.show_llvm)
    }

    /// What tells a library from others of the same program, which has to give the same names on every machine.
    pub(crate) fn origin(&self) -> String {
        let Options { package, architectures, host, halves, codegen, toolchain, .. } = self;
        let math = toolchain.device_math.as_ref().map(|math| math.kind);
        let assembles = toolchain.ptxas.is_some() || toolchain.assembler.is_some();
        format!("{package}\0{VERSION}\0{host:?} {architectures:?} {halves:?} {codegen:?} {math:?} {assembles}")
    }

    /// The passes that start from `phase` or later, in order: the lists, with the versions of passes that these options ask for.
    pub fn passes(&self, phase: Phase) -> Vec<Pass> {
        let rounding = if self.codegen.fast_math { Rounding::Free } else { Rounding::AsWritten };
        let is_usual = |pass: &Pass| pass.name == FORM_NESTS.name && self.forced.choose.is_none();
        let chosen = |pass: Pass| if is_usual(&pass) { forming_nests(rounding) } else { pass };
        self.forced.passes(phase).into_iter().map(chosen).collect()
    }

    /// For all processors, the portable device image, and the tools that are found.
    pub fn new(module_name: impl Into<String>) -> Options {
        Options {
            module_name: module_name.into(),
            package: String::new(),
            architectures: Vec::new(),
            host: HostLevels::default(),
            last: Stage::Library,
            halves: Halves::Both,
            form: Form::SharedLibrary,
            limit: Limit::None,
            forced: Forced::default(),
            codegen: CodegenOptions::default(),
            save_cubins: false,
            toolchain: Toolchain::find(),
            show_llvm: false,
            report: false,
            progress: Progress::default(),
        }
    }
}
