//! Kernel IR → LLVM → PTX text for the device, and → functions in an LLVM module for the host.
//!
//! In: verified kernels ([`numptx_ir::kernel::Kernel`]) and options. Out: PTX text, LLVM text, host functions with the signatures of
//! `numptx_abi` (`HostMap`, `HostReduce`, `HostReduceFinish`), and object files. This crate is the only user of inkwell. It reads no files and
//! no environment: bitcode of device math libraries is given by the driver. Whatever LLVM would abort on is refused before LLVM sees it.
//!
//! Every call has its own LLVM context or works in the caller's; there is no global state besides LLVM's registered targets.

mod accumulator;
mod apart;
mod body;
mod claims;
mod code;
mod control;
mod device;
mod elements;
mod elf;
mod emitter;
mod error;
mod estimate;
mod host;
mod memory;
mod optimization;
mod phase;
mod program;
mod scalar;
mod target;
mod value;
mod work;

pub use apart::lies_apart;
pub use device::{device_jobs, device_llvm, device_ptx, joined_ptx, needs_device_math};
pub use estimate::{accumulator_bytes, side_by_side, work_estimate};
pub use host::{HostKernel, emit_host_kernel, host_object, optimize_host};
/// The version of the interface that libraries are made for.
pub use numptx_abi::ABI_VERSION;
pub use program::{
    DeviceImage, HostObject, HostProgram, ImageContents, SourceFacts, Symbols, host_jobs, images_object, levels_object,
    viewed_parameters, written_parameters,
};
pub use target::{DeviceTarget, HostLevels, HostTarget};
pub use work::{Job, Made, do_all};

/// A library of device math functions, as LLVM bitcode. The driver finds and reads it.
#[derive(Clone, Copy, Debug)]
pub struct MathLibrary<'a> {
    /// The file's bytes.
    pub bitcode: &'a [u8],
    /// How its functions are named.
    pub kind: MathKind,
}

/// Which device math library it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MathKind {
    /// NVIDIA's libdevice: `__nv_exp`, `__nv_expf`.
    Libdevice,
    /// LLVM's libclc for `nvptx64--`: `_Z3expd`, `_Z3expf`.
    Libclc,
}

/// Where `a * b + c` may become a fused multiply-add.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Contraction {
    /// Nowhere: every operation rounds.
    Never,
    /// Where NumPy has it from BLAS: in the sums of `dot`, `matmul` and their like ([`numptx_ir::scalar::ScalarOp::Product`]).
    #[default]
    Products,
    /// Wherever the operands allow it.
    Anywhere,
}

/// How code is made; only the first two may change values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CodegenOptions {
    /// Reassociation, reciprocals and approximate functions are allowed; nan and inf stay exact, but where passes made scans of recurrences.
    pub fast_math: bool,
    /// Where a multiplication and an addition may be one operation that rounds once.
    pub contraction: Contraction,
    /// What scatters add to floats comes in any order on a device, so that results differ from run to run in how they are rounded.
    pub fp_atomics: bool,
    /// Maps have strided variants only: for tests, which then see these compute contiguous arrays too.
    pub strided_only: bool,
    /// Device indices of 32 bits have 8: for tests, which then see with few elements what is done with many. The kernels' schedules fit it.
    pub narrow: bool,
    /// A device image of the library is for devices that have clusters.
    pub clusters: bool,
}

/// The version of LLVM that makes the code.
pub fn llvm_version() -> String {
    let (major, minor, patch) = inkwell::support::get_llvm_version();
    format!("{major}.{minor}.{patch}")
}
