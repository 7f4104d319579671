//! Kernels for the host: functions in a module that the caller owns, and the object file of such a module.

use inkwell::module::Module;
use inkwell::values::FunctionValue;
use numptx_ir::kernel::Kernel;
use numptx_source::InternalError;

use crate::{CodegenOptions, HostTarget};

/// The functions of one kernel, with internal linkage. Maps have `strided` and often `flat`; reductions have `reduce` and `finish`.
#[derive(Clone, Copy, Debug, Default)]
pub struct HostKernel<'ctx> {
    /// `numptx_abi::HostMap` over contiguous operands; absent where the body reads an index of one of several axes.
    pub flat: Option<FunctionValue<'ctx>>,
    /// `numptx_abi::HostMap` over any strides.
    pub strided: Option<FunctionValue<'ctx>>,
    /// `numptx_abi::HostReduce`.
    pub reduce: Option<FunctionValue<'ctx>>,
    /// `numptx_abi::HostReduceFinish`.
    pub finish: Option<FunctionValue<'ctx>>,
}

/// Adds the host functions of a verified kernel to a module: `<name>__host_flat`, `__host_strided`, `__host_reduce`, `__host_finish`.
pub fn emit_host_kernel<'ctx>(
    _module: &Module<'ctx>,
    _kernel: &Kernel,
    _options: &CodegenOptions,
) -> Result<HostKernel<'ctx>, InternalError> {
    Err(InternalError::new("codegen", "host kernels are not emitted"))
}

/// Verifies a module and optimises it for a host: what `--emit llvm` shows.
pub fn optimize_host(_module: &Module<'_>, _target: &HostTarget) -> Result<(), InternalError> {
    Err(InternalError::new("codegen", "host modules are not optimised"))
}

/// The object file of a module: verified, optimised, position-independent. It needs `-lmvec -lm` at the link.
pub fn host_object(_module: &Module<'_>, _target: &HostTarget) -> Result<Vec<u8>, InternalError> {
    Err(InternalError::new("codegen", "objects are not made"))
}
