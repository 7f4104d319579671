//! Kernels for the host: functions in a module that the caller owns, and the object file of such a module.

mod frame;
mod map;
mod nest;
mod object;
mod pace;
mod reduce;
mod scan;
mod search;
mod tile;

use inkwell::AddressSpace;
use inkwell::module::{Linkage, Module};
use inkwell::types::BasicMetadataTypeEnum;
use inkwell::values::FunctionValue;
use numptx_ir::kernel::Kernel;
use numptx_source::InternalError;

use crate::CodegenOptions;
use crate::code::only_code;
use crate::emitter::{Emitter, Side};
use crate::error::Emit;
use crate::phase::only_phase;

pub(crate) use object::verify;
pub use object::{host_object, optimize_host};

/// The functions of one kernel, with internal linkage. Maps have `strided` and often `flat`; reductions have `reduce` and `finish`,
/// scans `scan`.
#[derive(Clone, Copy, Debug, Default)]
pub struct HostKernel<'ctx> {
    /// `numptx_abi::HostMap` over contiguous operands; absent where the body reads an index of one of several axes.
    pub flat: Option<FunctionValue<'ctx>>,
    /// `numptx_abi::HostMap` over any strides; of a kernel with code over points, not rows.
    pub strided: Option<FunctionValue<'ctx>>,
    /// `numptx_abi::HostReduce`.
    pub reduce: Option<FunctionValue<'ctx>>,
    /// `numptx_abi::HostReduceFinish`.
    pub finish: Option<FunctionValue<'ctx>>,
    /// `numptx_abi::HostScan`.
    pub scan: Option<FunctionValue<'ctx>>,
}

/// Adds the host functions of a verified kernel to a module: `<name>__host_flat`, `__host_strided`, `__host_reduce`, `__host_finish`,
/// `__host_scan`.
pub fn emit_host_kernel<'ctx>(
    module: &Module<'ctx>,
    kernel: &Kernel,
    options: &CodegenOptions,
) -> Result<HostKernel<'ctx>, InternalError> {
    let builder = module.get_context().create_builder();
    let e = Emitter::new(module, &builder, Side::Host, *options);
    Ok(emit(&e, kernel)?)
}

fn emit<'ctx>(e: &Emitter<'ctx, '_>, kernel: &Kernel) -> Emit<HostKernel<'ctx>> {
    let mut functions = HostKernel::default();
    if let Some(code) = only_code(kernel)? {
        let rows = nest::Rows::emit(e, kernel, code)?;
        let function = start(e, kernel, "strided", "pii")?;
        rows.run(e, kernel, function)?;
        functions.strided = Some(function);
        return Ok(functions);
    }
    let phase = only_phase(kernel)?;
    if phase.reducers.is_empty() {
        if !kernel.is_sequential() && e.may_be_flat(kernel) {
            let function = start(e, kernel, "flat", "pii")?;
            map::emit_flat(e, kernel, phase, function)?;
            functions.flat = Some(function);
        }
        let function = start(e, kernel, "strided", "pii")?;
        map::emit_strided(e, kernel, phase, function)?;
        functions.strided = Some(function);
    } else if phase.is_scan {
        let function = start(e, kernel, "scan", "piiiipiii")?;
        scan::emit(e, kernel, phase, function)?;
        functions.scan = Some(function);
    } else {
        let function = start(e, kernel, "reduce", "piiiipi")?;
        reduce::emit_reduce(e, kernel, phase, function)?;
        functions.reduce = Some(function);
        let function = start(e, kernel, "finish", "piiip")?;
        reduce::emit_finish(e, kernel, phase, function)?;
        functions.finish = Some(function);
    }
    Ok(functions)
}

/// A function without a result; `parameters`: `p` a pointer, `i` an `i64`.
fn start<'ctx>(e: &Emitter<'ctx, '_>, kernel: &Kernel, variant: &str, parameters: &str) -> Emit<FunctionValue<'ctx>> {
    let parameter = |p: char| -> BasicMetadataTypeEnum<'ctx> {
        match p {
            'p' => e.context.ptr_type(AddressSpace::default()).into(),
            _ => e.context.i64_type().into(),
        }
    };
    let parameters: Vec<_> = parameters.chars().map(parameter).collect();
    let ty = e.context.void_type().fn_type(&parameters, false);
    let function = e.start_function(&format!("{}__host_{variant}", kernel.name), ty)?;
    function.set_linkage(Linkage::Internal);
    Ok(function)
}
