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
mod tiles;
mod width;

use inkwell::AddressSpace;
use inkwell::module::{Linkage, Module};
use inkwell::types::{BasicMetadataTypeEnum, FunctionType};
use inkwell::values::FunctionValue;
use numptx_ir::kernel::Kernel;
use numptx_source::InternalError;

use crate::CodegenOptions;
use crate::code::only_code;
use crate::emitter::{Emitter, Side};
use crate::error::Emit;
use crate::phase::only_phase;

pub(crate) use object::{Tuning, object_of, prepare, set_target, specialize, verify};
pub use object::{host_object, optimize_host};

/// The functions of one kernel, with internal linkage. Maps have `strided`, `flat` or often both; reductions have `reduce` and `finish`,
/// scans `scan`.
#[derive(Clone, Copy, Debug, Default)]
pub struct HostKernel<'ctx> {
    /// `numptx_abi::HostMap` over contiguous operands; absent where the body reads an index of one of several axes.
    pub flat: Option<FunctionValue<'ctx>>,
    /// `numptx_abi::HostMap` over any strides; of a kernel with code over work items, of tiles over these, not rows.
    /// Absent where the rank is 0 and there is a flat one.
    pub strided: Option<FunctionValue<'ctx>>,
    /// `numptx_abi::HostReduce`.
    pub reduce: Option<FunctionValue<'ctx>>,
    /// `numptx_abi::HostReduceFinish`.
    pub finish: Option<FunctionValue<'ctx>>,
    /// `numptx_abi::HostScan`.
    pub scan: Option<FunctionValue<'ctx>>,
}

impl<'ctx> HostKernel<'ctx> {
    /// Those that are there.
    pub fn iter(&self) -> impl Iterator<Item = FunctionValue<'ctx>> {
        [self.flat, self.strided, self.reduce, self.finish, self.scan].into_iter().flatten()
    }
}

/// The functions that a kernel may have, by the place of their addresses in its descriptor ([`numptx_abi::Kernel`]).
pub(crate) fn variant_names(kernel: &Kernel) -> [(usize, String); 5] {
    use core::mem::offset_of;
    use numptx_abi::Kernel as Descriptor;
    let places = [
        (offset_of!(Descriptor, host_flat), FLAT),
        (offset_of!(Descriptor, host_strided), STRIDED),
        (offset_of!(Descriptor, host_reduce), REDUCE),
        (offset_of!(Descriptor, host_finish), FINISH),
        (offset_of!(Descriptor, host_scan), SCAN),
    ];
    places.map(|(offset, variant)| (offset, variant.name_of(kernel)))
}

/// A variant's name and parameters: `p` a pointer, `i` an `i64`.
#[derive(Clone, Copy)]
struct Variant(&'static str, &'static str);

const FLAT: Variant = Variant("flat", "pii");
const STRIDED: Variant = Variant("strided", "pii");
const REDUCE: Variant = Variant("reduce", "piiiipi");
const FINISH: Variant = Variant("finish", "piiip");
const SCAN: Variant = Variant("scan", "piiiipiii");

impl Variant {
    fn name_of(self, kernel: &Kernel) -> String {
        format!("{}__host_{}", kernel.name, self.0)
    }

    /// Functions have no result.
    fn ty<'ctx>(self, e: &Emitter<'ctx, '_>) -> FunctionType<'ctx> {
        let parameter = |p: char| -> BasicMetadataTypeEnum<'ctx> {
            match p {
                'p' => e.context.ptr_type(AddressSpace::default()).into(),
                _ => e.context.i64_type().into(),
            }
        };
        let parameters: Vec<_> = self.1.chars().map(parameter).collect();
        e.context.void_type().fn_type(&parameters, false)
    }
}

/// Whether a map has a function for contiguous operands.
fn has_flat(e: &Emitter<'_, '_>, kernel: &Kernel) -> bool {
    !kernel.is_sequential() && e.may_be_flat(kernel)
}

/// Whether a map has a function for operands of any strides: a single work item has no strides.
fn has_strided(e: &Emitter<'_, '_>, kernel: &Kernel) -> bool {
    kernel.rank > 0 || !has_flat(e, kernel)
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
    if kernel.is_rows() {
        return Ok(functions);
    }
    if let Some(code) = only_code(kernel)? {
        let rows = nest::Rows::emit(e, kernel, code)?;
        let function = start(e, kernel, STRIDED)?;
        rows.run(e, kernel, function)?;
        functions.strided = Some(function);
        return Ok(functions);
    }
    let phase = only_phase(kernel)?;
    if let Some(tiles) = phase.tiles {
        let function = start(e, kernel, STRIDED)?;
        tiles::emit(e, kernel, (phase, tiles), function)?;
        functions.strided = Some(function);
    } else if phase.reducers.is_empty() {
        if has_flat(e, kernel) {
            let function = start(e, kernel, FLAT)?;
            map::emit_flat(e, kernel, phase, function)?;
            functions.flat = Some(function);
        }
        if has_strided(e, kernel) {
            let function = start(e, kernel, STRIDED)?;
            map::emit_strided(e, kernel, phase, function)?;
            functions.strided = Some(function);
        }
    } else if phase.is_scan {
        let function = start(e, kernel, SCAN)?;
        scan::emit(e, kernel, phase, function)?;
        functions.scan = Some(function);
    } else {
        let function = start(e, kernel, REDUCE)?;
        reduce::emit_reduce(e, kernel, phase, function)?;
        functions.reduce = Some(function);
        let function = start(e, kernel, FINISH)?;
        reduce::emit_finish(e, kernel, phase, function)?;
        functions.finish = Some(function);
    }
    Ok(functions)
}

/// Begins a variant's function.
fn start<'ctx>(e: &Emitter<'ctx, '_>, kernel: &Kernel, variant: Variant) -> Emit<FunctionValue<'ctx>> {
    let function = e.start_function(&variant.name_of(kernel), variant.ty(e))?;
    function.set_linkage(Linkage::Internal);
    Ok(function)
}
