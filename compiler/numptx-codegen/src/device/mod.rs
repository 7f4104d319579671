//! Kernels for the device: one LLVM module of all variants, linked with a math library, and its PTX text.

mod claims;
mod flat;
mod lanes;
mod launch;
mod library;
mod reduce;
mod scan;
mod selectable;
mod sequential;
mod strided;
mod substitution;
mod team;
mod warp;

use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{FileType, TargetMachine};
use inkwell::values::FunctionValue;
use numptx_ir::kernel::{Kernel, Phase};
use numptx_source::InternalError;

use crate::claims::Together;
use crate::code::only_code;
use crate::emitter::{Emitter, Side};
use crate::error::{Emit, bug};
use crate::host::verify;
use crate::phase::only_phase;
use crate::scalar::{code_uses_library, uses_library};
use crate::{CodegenOptions, DeviceTarget, MathLibrary};

/// PTX text of all device variants of the kernels.
pub fn device_ptx(
    kernels: &[Kernel],
    target: DeviceTarget,
    math: Option<&MathLibrary>,
    options: &CodegenOptions,
) -> Result<String, InternalError> {
    let text = compile(kernels, target, math, options, |module, machine| {
        let text = machine.write_to_memory_buffer(module, FileType::Assembly);
        let text = text.map_err(|e| bug(format!("no PTX: {}", e.to_string_lossy())))?;
        // LLVM ends the buffer with a null.
        let bytes = text.as_slice();
        Ok(String::from_utf8_lossy(bytes.strip_suffix(b"\0").unwrap_or(bytes)).into_owned())
    });
    Ok(text?)
}

/// The text of the same module after optimisation, before code generation.
pub fn device_llvm(
    kernels: &[Kernel],
    target: DeviceTarget,
    math: Option<&MathLibrary>,
    options: &CodegenOptions,
) -> Result<String, InternalError> {
    Ok(compile(kernels, target, math, options, |module, _| {
        Ok(module.print_to_string().to_string_lossy().into_owned())
    })?)
}

/// Whether device code of these kernels calls a library function, so that a math library has to be given.
pub fn needs_device_math(kernels: &[Kernel]) -> bool {
    let phase_needs = |phase: &Phase| uses_library(&phase.body) || phase.epilogue.as_ref().is_some_and(uses_library);
    kernels.iter().any(|k| k.phases().any(phase_needs) || k.code().is_some_and(code_uses_library))
}

fn compile(
    kernels: &[Kernel],
    target: DeviceTarget,
    math: Option<&MathLibrary>,
    options: &CodegenOptions,
    finish: impl FnOnce(&Module<'_>, &TargetMachine) -> Emit<String>,
) -> Emit<String> {
    let machine = target.machine()?;
    let context = Context::create();
    let module = context.create_module("numptx");
    module.set_triple(&machine.get_triple());
    module.set_data_layout(&machine.get_target_data().get_data_layout());
    let builder = context.create_builder();
    let e = Emitter::new(&module, &builder, Side::Device(math.map(|m| m.kind)), *options);
    let mut names = Vec::new();
    for kernel in kernels {
        names.extend(emit(&e, kernel, target.sm)?);
    }
    verify(&module)?;
    library::link(&module, &machine, math)?;
    optimize(&module, &machine, &names)?;
    verify(&module)?;
    selectable::check(&module)?;
    finish(&module, &machine)
}

/// Emits all variants of a kernel for an architecture; their names.
fn emit<'ctx>(e: &Emitter<'ctx, '_>, kernel: &Kernel, sm: u32) -> Emit<Vec<String>> {
    let Kernel { schedule, name, .. } = kernel;
    if !(32..=1024).contains(&schedule.block) || schedule.block % 32 != 0 {
        return Err(bug(format!("kernel `{name}` asks for blocks of {} threads", schedule.block)));
    }
    if !schedule.vector.is_power_of_two() || schedule.vector > 16 {
        return Err(bug(format!("kernel `{name}` asks for {} elements a thread", schedule.vector)));
    }
    let code = only_code(kernel)?;
    let mut functions = Vec::new();
    if let Some(code) = code {
        if code.is_team() {
            for size in team::sizes(sm) {
                functions.push(team::emit(e, kernel, code, *size)?);
            }
            return Ok(names_of(&functions));
        }
        for width in launch::WIDTHS {
            functions.push(strided::emit_code(e, kernel, code, width)?);
        }
        return Ok(names_of(&functions));
    }
    let phase = only_phase(kernel)?;
    if phase.reducers.is_empty() {
        if kernel.is_sequential() {
            let together = Together::of(kernel, phase);
            functions.push(sequential::emit(e, kernel, phase, &together)?);
            match &together {
                Together::Combining(combining) => functions.push(claims::emit_combine(e, kernel, phase, combining)?),
                Together::Claiming(claiming) => {
                    functions.push(claims::emit_claim(e, kernel, phase, claiming)?);
                    functions.push(claims::emit_settle(e, kernel, phase, claiming)?);
                }
                Together::Nothing => {}
            }
        } else if e.may_be_flat(kernel) {
            functions.push(flat::emit(e, kernel, phase)?);
        }
        for width in launch::WIDTHS.into_iter().filter(|_| !kernel.is_sequential()) {
            functions.push(strided::emit(e, kernel, phase, width)?);
        }
    } else {
        for width in launch::WIDTHS {
            functions.push(match phase.has_factor() {
                true => scan::emit_totals(e, kernel, phase, width)?,
                false => reduce::emit_fold(e, kernel, phase, width)?,
            });
            functions.push(match phase.is_scan {
                true => scan::emit(e, kernel, phase, width)?,
                false => reduce::emit_finish(e, kernel, phase, width)?,
            });
        }
    }
    Ok(names_of(&functions))
}

fn names_of(functions: &[FunctionValue<'_>]) -> Vec<String> {
    functions.iter().map(|f| f.get_name().to_string_lossy().into_owned()).collect()
}

fn optimize(module: &Module<'_>, machine: &TargetMachine, names: &[String]) -> Emit<()> {
    let kept: Vec<String> = names.iter().map(|name| format!("preserve-gv={name}")).collect();
    let passes = match kept.is_empty() {
        true => "default<O3>".to_string(),
        false => format!("internalize<{}>,globaldce,default<O3>", kept.join(";")),
    };
    let passes = module.run_passes(&passes, machine, PassBuilderOptions::create());
    passes.map_err(|e| bug(format!("LLVM's passes: {}", e.to_string_lossy())))
}
