//! The stages of the compiler. A stage's name is its `--emit` value and its dump file's extension.

use numptx_ir::array::{Module, Phase};

/// A work item of the pipeline at which everything stands in one textual form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// The accepted subset of Python, spanned; names unresolved.
    Syntax,
    /// Array IR as lowered: typed, every check explicit, no stores placed. `array@PASS`: after a pass.
    Array,
    /// How each loop runs, and the forms of it that were compared with their costs. It is not read back.
    Schedule,
    /// The host program and its kernels, after all passes: no computation outside a kernel, ownership explicit.
    Kernel,
    /// LLVM IR of the host library after optimisation.
    Llvm,
    /// PTX text of the portable device image.
    Ptx,
    /// The shared library. Not text.
    Library,
}

impl Stage {
    /// All of them, in order.
    pub const ALL: [Stage; 7] =
        [Stage::Syntax, Stage::Array, Stage::Schedule, Stage::Kernel, Stage::Llvm, Stage::Ptx, Stage::Library];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Syntax => "syntax",
            Stage::Array => "array",
            Stage::Schedule => "schedule",
            Stage::Kernel => "kernel",
            Stage::Llvm => "llvm",
            Stage::Ptx => "ptx",
            Stage::Library => "library",
        }
    }

    /// The inverse of [`Stage::name`].
    pub fn from_name(name: &str) -> Option<Stage> {
        Stage::ALL.into_iter().find(|s| s.name() == name)
    }
}

/// The least lowered function's phase: where a module that was fed back in goes on.
pub fn phase_of(module: &Module) -> Phase {
    module.functions.iter().map(|f| f.phase).min().unwrap_or(Phase::Source)
}
