//! Kernels for the device: LLVM modules of their variants, linked with a math library, and their PTX text.

mod blocks;
mod claims;
mod cooperative;
mod flat;
mod lanes;
mod launch;
mod library;
mod ragged;
mod reduce;
mod rows;
mod scan;
mod selectable;
mod sequential;
mod strided;
mod tiles;
mod triangular_solve;
mod vectors;
mod warp;

pub(crate) use scan::thread_elements;

use std::ops::Range;

use inkwell::context::Context;
use inkwell::module::{Linkage, Module};
use inkwell::targets::{FileType, TargetMachine};
use inkwell::values::{FunctionValue, GlobalValue};
use numptx_ir::kernel::{Kernel, Operand, Phase};
use numptx_ir::scalar::Code;
use numptx_source::{InternalError, Progress};

use crate::claims::Together;
use crate::code::{Ragged, only_code, with_groups};
use crate::emitter::{Emitter, Side};
use crate::error::{Emit, bug};
use crate::host::verify;
use crate::optimization::{Effort, optimize};
use crate::phase::only_phase;
use crate::scalar::{code_uses_library, uses_library};
use crate::work::{Job, do_all, shares};
use crate::{CodegenOptions, DeviceTarget, MathLibrary};

/// Characters of kernels, as they are printed, that are one job's.
const KERNELS_TEXT: usize = 6000;
/// A cooperative program is as much work as so many kernels of its text: all its steps meet at barriers, and it is emitted for all its threads' places.
const TEAM_WEIGHT: usize = 4;

/// The jobs that make the PTX text of all device variants of the kernels, in parts that [`joined_ptx`] joins.
pub fn device_jobs<'a>(
    kernels: &'a [Kernel],
    target: DeviceTarget,
    math: Option<MathLibrary<'a>>,
    options: &'a CodegenOptions,
) -> Vec<Job<'a, String>> {
    let units: Vec<Unit<'a>> = kernels.iter().flat_map(|kernel| Unit::all_of(kernel, target)).collect();
    let weights: Vec<usize> = units.iter().map(Unit::weight).collect();
    let shares = shares(&weights, KERNELS_TEXT);
    let is_alone = shares.len() == 1;
    let job = |(n, share): (usize, Range<usize>)| {
        let weight = weights[share.clone()].iter().sum();
        let units = units[share].to_vec();
        let suffix = (!is_alone).then(|| format!("_part{n}"));
        let what = &units[0].kernel.name;
        Job::new("device", what, weight, move || Ok(part_ptx(&units, target, math.as_ref(), options, suffix)?))
    };
    shares.into_iter().enumerate().map(job).collect()
}

/// What a device gets of a kernel at once.
#[derive(Clone, Copy)]
struct Unit<'a> {
    kernel: &'a Kernel,
    /// Of a cooperative program one of its sizes.
    size: Option<cooperative::Size>,
    /// Whether there are clusters.
    has_clusters: bool,
}

impl<'a> Unit<'a> {
    fn all_of(kernel: &'a Kernel, target: DeviceTarget) -> Vec<Unit<'a>> {
        let has_clusters = target.has_clusters();
        if kernel.code().is_some_and(Code::is_cooperative) {
            let unit = |size: &cooperative::Size| Unit { kernel, size: Some(*size), has_clusters };
            return cooperative::sizes(target).iter().map(unit).collect();
        }
        vec![Unit { kernel, size: None, has_clusters }]
    }

    fn weight(&self) -> usize {
        self.kernel.to_string().len() * if self.size.is_some() || self.kernel.is_rows() { TEAM_WEIGHT } else { 1 }
    }
}

fn part_ptx(
    units: &[Unit<'_>],
    target: DeviceTarget,
    math: Option<&MathLibrary>,
    options: &CodegenOptions,
    suffix: Option<String>,
) -> Emit<String> {
    compile(units, target, math, options, |module, machine| {
        if let Some(suffix) = suffix {
            rename_internal(module, &suffix);
        }
        let text = machine.write_to_memory_buffer(module, FileType::Assembly);
        let text = text.map_err(|e| bug(format!("no PTX: {}", e.to_string_lossy())))?;
        // LLVM ends the buffer with a null.
        let bytes = text.as_slice();
        Ok(String::from_utf8_lossy(bytes.strip_suffix(b"\0").unwrap_or(bytes)).into_owned())
    })
}

/// Gives what only this part uses names that no other part has.
fn rename_internal(module: &Module<'_>, suffix: &str) {
    let is_ours = |linkage: Linkage| matches!(linkage, Linkage::Internal | Linkage::Private);
    let functions = module.get_functions().map(|f| f.as_global_value());
    let all: Vec<GlobalValue<'_>> =
        functions.chain(module.get_globals()).filter(|g| is_ours(g.get_linkage())).collect();
    for (n, global) in all.into_iter().enumerate() {
        let name = global.get_name().to_string_lossy().into_owned();
        // LLVM's own names begin so, and what has none gets one.
        let name = if name.is_empty() { format!("unnamed{n}") } else { name };
        if !name.starts_with("llvm.") {
            global.set_name(&format!("{name}{suffix}"));
        }
    }
}

/// One text of the parts of a module.
///
/// # Errors
/// Our bug: parts are for one target.
pub fn joined_ptx(parts: Vec<String>) -> Result<String, InternalError> {
    const END: &str = ".address_size 64\n";
    let mut parts = parts.into_iter();
    let mut text = parts.next().unwrap_or_default();
    for part in parts {
        let (head, body) = part.split_once(END).ok_or_else(|| bug("a part of the PTX has no head"))?;
        if !text.starts_with(head) {
            return Err(bug(format!("parts of the PTX are for several targets:\n{head}")).into());
        }
        text.push_str(body);
    }
    Ok(text)
}

/// PTX text of all device variants of the kernels.
pub fn device_ptx(
    kernels: &[Kernel],
    target: DeviceTarget,
    math: Option<&MathLibrary>,
    options: &CodegenOptions,
) -> Result<String, InternalError> {
    let made = do_all(device_jobs(kernels, target, math.copied(), options), &Progress::default())?;
    joined_ptx(made.into_iter().filter_map(|made| made.value).collect())
}

/// The text of the same module after optimisation, before code generation.
pub fn device_llvm(
    kernels: &[Kernel],
    target: DeviceTarget,
    math: Option<&MathLibrary>,
    options: &CodegenOptions,
) -> Result<String, InternalError> {
    let units: Vec<Unit<'_>> = kernels.iter().flat_map(|kernel| Unit::all_of(kernel, target)).collect();
    Ok(compile(&units, target, math, options, |module, _| Ok(module.print_to_string().to_string_lossy().into_owned()))?)
}

/// Whether device code of these kernels calls a library function, so that a math library has to be given.
pub fn needs_device_math(kernels: &[Kernel]) -> bool {
    let phase_needs = |phase: &Phase| uses_library(&phase.body) || phase.epilogue.as_ref().is_some_and(uses_library);
    kernels.iter().any(|k| k.phases().any(phase_needs) || k.code().is_some_and(code_uses_library))
}

fn compile(
    units: &[Unit<'_>],
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
    for unit in units {
        names.extend(emit(&e, unit)?);
    }
    verify(&module)?;
    library::link(&module, &machine, math)?;
    optimize(&module, &machine, Effort::Device, &names)?;
    verify(&module)?;
    selectable::check(&module)?;
    finish(&module, &machine)
}

/// Emits all variants of a unit; their names.
fn emit<'ctx>(e: &Emitter<'ctx, '_>, unit: &Unit<'_>) -> Emit<Vec<String>> {
    let kernel = unit.kernel;
    let Kernel { schedule, name, .. } = kernel;
    if !(32..=1024).contains(&schedule.block) || schedule.block % 32 != 0 {
        return Err(bug(format!("kernel `{name}` asks for blocks of {} threads", schedule.block)));
    }
    if !schedule.vector.is_power_of_two() || schedule.vector > if kernel.is_rows() { 32 } else { 16 } {
        return Err(bug(format!("kernel `{name}` asks for {} elements a thread", schedule.vector)));
    }
    if kernel.is_rows() {
        return Ok(names_of(&rows::emit(e, kernel, unit.has_clusters)?));
    }
    let code = only_code(kernel)?;
    let mut functions = Vec::new();
    if let Some(code) = code {
        if let Some(size) = unit.size {
            functions.push(cooperative::emit(e, kernel, code, size)?);
            return Ok(names_of(&functions));
        }
        functions.push(match (with_groups(kernel), Ragged::of(kernel)) {
            (Some(kernel), Some(ragged)) => ragged::emit(e, &kernel, code, &ragged)?,
            _ => strided::emit_code(e, kernel, code)?,
        });
        return Ok(names_of(&functions));
    }
    let phase = only_phase(kernel)?;
    if let Some(tiles) = phase.tiles {
        for width in launch::WIDTHS {
            functions.push(tiles::emit(e, kernel, (phase, tiles), width)?);
        }
    } else if phase.reducers.is_empty() {
        if kernel.is_sequential() {
            functions.extend(scatters(e, kernel, phase)?);
        } else {
            let flat = if e.may_be_flat(kernel) { Some(flat::emit(e, kernel, phase)?) } else { None };
            // One work item is flat wherever it lies, if no array beside it has to be aligned.
            let is_always_flat = flat.is_some() && kernel.rank == 0 && kernel.operands.iter().all(Operand::is_scalar);
            functions.extend(flat);
            let widths = launch::WIDTHS.iter().filter(|width| launch::has_strided(kernel, **width) && !is_always_flat);
            for width in widths {
                functions.push(strided::emit(e, kernel, phase, *width)?);
            }
        }
    } else {
        for width in launch::WIDTHS {
            functions.push(match phase.has_factor() {
                true => scan::emit_totals(e, kernel, phase, width)?,
                false => reduce::emit_fold(e, kernel, phase, width)?,
            });
            if phase.is_scan {
                functions.push(scan::emit(e, kernel, phase, width)?);
                functions.extend(scan::emit_tiles(e, kernel, phase, width)?);
            }
        }
        if !phase.is_scan {
            functions.push(reduce::emit_finish(e, kernel, phase)?);
        }
    }
    Ok(names_of(&functions))
}

/// Emits the variants of a kernel whose work items may write the same elements.
fn scatters<'ctx>(e: &Emitter<'ctx, '_>, kernel: &Kernel, phase: &Phase) -> Emit<Vec<FunctionValue<'ctx>>> {
    let together = Together::of(kernel, phase, &e.options);
    let has_places = together.destination(kernel, phase).is_some();
    let mut functions = vec![sequential::emit(e, kernel, phase, &together)?];
    match &together {
        Together::Combining(combining) => {
            functions.push(claims::bins::emit_combine(e, kernel, phase, combining)?);
            if has_places {
                functions.push(claims::bins::emit_bins(e, kernel, phase, combining)?);
            }
        }
        Together::Claiming(claiming) => {
            functions.push(claims::emit_claim(e, kernel, phase, claiming)?);
            functions.push(claims::emit_settle(e, kernel, phase, claiming)?);
            if let Some(adding) = claiming.adding.as_ref().filter(|_| has_places) {
                functions.push(claims::sums::emit_exponent(e, kernel, phase, adding)?);
                functions.push(claims::sums::emit_sum(e, kernel, phase, adding)?);
                functions.push(claims::sums::emit_round(e, kernel, phase)?);
            } else if has_places {
                functions.push(claims::places::emit_own(e, kernel, phase)?);
                functions.push(claims::places::emit_gather(e, kernel, phase)?);
            }
        }
        Together::Nothing => {}
    }
    Ok(functions)
}

fn names_of(functions: &[FunctionValue<'_>]) -> Vec<String> {
    functions.iter().map(|f| f.get_name().to_string_lossy().into_owned()).collect()
}
