//! The driver: source text in, artifacts out. `pipeline.rs` is the compiler, readable from top to bottom.
//!
//! Artifacts are handed back in memory; writing them is the caller's, and so is reading the source. Nothing is printed.

mod archive;
mod artifact;
mod forced;
mod header;
mod imported_files;

mod link;
mod lists;
mod options;
mod pipeline;
mod report;
mod slow_loops;
mod slowness;
mod stage;
mod stub;
mod toolchain;
mod unexported;

pub use artifact::{Artifact, Export};
pub use forced::{Forced, optional_passes, strategies};
pub use imported_files::read_helpers;
pub use lists::ARRAY_PASSES;
pub use options::{Form, Halves, Options};
pub use pipeline::{Checked, Observer, Outcome, Unobserved, check, compile};
pub use report::Report as CompilationReport;
pub use stage::Stage;
pub use toolchain::{Assembler, DeviceMath, Toolchain, python_packages};

pub use numptx_codegen::{
    CodegenOptions, Contraction, DeviceTarget, HostLevels, HostTarget, MathKind, Symbols, llvm_version,
};
pub use numptx_ir as ir;
pub use numptx_passes::{Limit, Observer as PassObserver};

/// The compiler's version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
