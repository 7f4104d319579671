//! Kernels for the device: one LLVM module of all variants, linked with a math library, and its PTX text.

use numptx_ir::kernel::Kernel;
use numptx_source::InternalError;

use crate::{CodegenOptions, DeviceTarget, MathLibrary};

/// PTX text of all device variants of the kernels.
pub fn device_ptx(
    _kernels: &[Kernel],
    _target: DeviceTarget,
    _math: Option<&MathLibrary>,
    _options: &CodegenOptions,
) -> Result<String, InternalError> {
    Err(InternalError::new("codegen", "device kernels are not emitted"))
}

/// The text of the same module after optimisation, before code generation.
pub fn device_llvm(
    _kernels: &[Kernel],
    _target: DeviceTarget,
    _math: Option<&MathLibrary>,
    _options: &CodegenOptions,
) -> Result<String, InternalError> {
    Err(InternalError::new("codegen", "device kernels are not emitted"))
}

/// Whether device code of these kernels calls a library function, so that a math library has to be given.
pub fn needs_device_math(_kernels: &[Kernel]) -> bool {
    true
}
