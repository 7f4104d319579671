//! A module of host code: verified, given vector versions of library functions, optimised, and made an object file.

use inkwell::OptimizationLevel;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::module::{Linkage, Module};
use inkwell::targets::{FileType, TargetMachine};
use inkwell::types::VectorType;
use inkwell::values::{BasicValueEnum, CallSiteValue, FunctionValue};

use numptx_source::InternalError;

use super::width::keep_wide;
use crate::HostTarget;
use crate::error::{Emit, bug};
use crate::optimization::{Effort, optimize, optimize_inlined, optimize_plain, optimize_vectors, vectorize};
use crate::scalar::{define_half_conversions, host_variants};

/// Basic blocks of a function of the host program that is optimised, at most.
const MAX_BLOCKS: u32 = 600;
/// The processor for which code of a level is tuned. Without one LLVM takes Haswell for them, whose loops are unrolled half as far: the kernels of NPBench
/// take 4 % more time then, a convolution 40 % (Zen 4).
const LEVELS_MODEL: &str = "znver4";

/// Verifies a module of kernels and optimises it for a host.
pub fn optimize_host(module: &Module<'_>, target: &HostTarget) -> Result<(), InternalError> {
    prepare(module, target, Effort::Loops)?;
    specialize(module, target, Tuning::Fast)?;
    Ok(())
}

/// The object file of a module of kernels: verified, optimised, position-independent. Its link needs `-lmvec -lm`.
pub fn host_object(module: &Module<'_>, target: &HostTarget) -> Result<Vec<u8>, InternalError> {
    optimize_host(module, target)?;
    Ok(object_of(module, target, Effort::Loops.level())?)
}

/// The object file of an optimised module.
pub(crate) fn object_of(module: &Module<'_>, target: &HostTarget, level: OptimizationLevel) -> Emit<Vec<u8>> {
    let buffer = target.machine(level)?.write_to_memory_buffer(module, FileType::Object);
    let buffer = buffer.map_err(|e| bug(format!("no object file: {}", e.to_string_lossy())))?;
    Ok(buffer.as_slice().to_vec())
}

/// Tells a module what it is for.
pub(crate) fn set_target(module: &Module<'_>, machine: &TargetMachine) {
    module.set_triple(&machine.get_triple());
    module.set_data_layout(&machine.get_target_data().get_data_layout());
}

/// Verifies a module and optimises it; loops as far as that is the same for all processors.
pub(crate) fn prepare(module: &Module<'_>, target: &HostTarget, effort: Effort) -> Emit<()> {
    let machine = target.machine(effort.level())?;
    set_target(module, &machine);
    verify(module)?;
    if effort == Effort::Calls {
        define_half_conversions(module, target)?;
    }
    leave_long_programs(module);
    optimize(module, &machine, effort, &[])?;
    verify(module)
}

/// What code for a processor is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tuning {
    /// Made soon: it computes element by element.
    Plain,
    /// As fast as can be.
    Fast,
    /// As fast as can be, of functions with vectors that lesser processors do not have; others are not wanted.
    Wide,
}

/// Optimises a module that was prepared for one processor. Whether any function of it is wanted.
pub(crate) fn specialize(module: &Module<'_>, target: &HostTarget, tuning: Tuning) -> Emit<bool> {
    let machine = target.machine(Effort::Loops.level())?;
    if define_half_conversions(module, target)? {
        optimize_inlined(module, &machine)?;
    }
    if tuning == Tuning::Plain {
        optimize_plain(module, &machine)?;
        verify(module)?;
        return Ok(true);
    }
    offer_vector_versions(module, target)?;
    tune(module, target);
    vectorize(module, &machine)?;
    if tuning == Tuning::Wide && !keep_wide(module, 8 * target.vector_bytes()) {
        return Ok(false);
    }
    optimize_vectors(module, &machine)?;
    verify(module)?;
    Ok(true)
}

/// LLVM's verifier; the module's text goes with the error.
pub(crate) fn verify(module: &Module<'_>) -> Emit<()> {
    module.verify().map_err(|error| {
        let mut error = bug(format!("LLVM refuses the module: {}", error.to_string_lossy()));
        error.0.dump = module.print_to_string().to_string_lossy().into_owned();
        error
    })
}

/// Leaves functions of the host program as they are that have very many blocks: what stands in them is mostly a loop as it is written, which runs where
/// its kernels do not, a kernel for each step and branch. Register allocation would take time that grows with the square of the blocks.
fn leave_long_programs(module: &Module<'_>) {
    let is_program = |function: &FunctionValue<'_>| function.get_name().to_string_lossy().contains(".entry.");
    for function in module.get_functions().filter(is_program).filter(|f| f.count_basic_blocks() > MAX_BLOCKS) {
        for name in ["optnone", "noinline"] {
            let attribute = module.get_context().create_enum_attribute(Attribute::get_named_enum_kind_id(name), 0);
            function.add_attribute(AttributeLoc::Function, attribute);
        }
    }
}

/// What is chosen by the processor and not by what it can run: LLVM computes with half the width by default where vectors have 512 bits, and unrolls loops
/// for the buffer of an old processor where a level is all that is known.
fn tune(module: &Module<'_>, target: &HostTarget) {
    let context = module.get_context();
    let width = (target.vector_bytes() == 64).then(|| context.create_string_attribute("prefer-vector-width", "512"));
    let model = target.is_level().then(|| context.create_string_attribute("tune-cpu", LEVELS_MODEL));
    for function in module.get_functions().filter(|f| f.count_basic_blocks() > 0) {
        for attribute in [width, model].into_iter().flatten() {
            function.add_attribute(AttributeLoc::Function, attribute);
        }
    }
}

/// Tells LLVM's vectoriser, call by call, which vector versions of a library function this processor can run.
fn offer_vector_versions<'ctx>(module: &Module<'ctx>, target: &HostTarget) -> Emit<()> {
    let functions: Vec<FunctionValue<'ctx>> = module.get_functions().filter(|f| f.count_basic_blocks() == 0).collect();
    let mut versions = Vec::new();
    for function in functions {
        let name = function.get_name().to_string_lossy().into_owned();
        let variants = host_variants(&name, target.vector_bytes());
        if variants.is_empty() {
            continue;
        }
        let mut text = Vec::new();
        for variant in &variants {
            text.push(format!("{0}({0})", variant.name));
            versions.push(declare_version(module, function, &variant.name, variant.lanes)?);
        }
        let attribute = module.get_context().create_string_attribute("vector-function-abi-variant", &text.join(","));
        for call in calls_of(module, &name) {
            call.add_attribute(AttributeLoc::Function, attribute);
        }
    }
    keep(module, &versions);
    Ok(())
}

fn declare_version<'ctx>(
    module: &Module<'ctx>,
    scalar: FunctionValue<'ctx>,
    name: &str,
    lanes: u32,
) -> Emit<FunctionValue<'ctx>> {
    if let Some(function) = module.get_function(name) {
        return Ok(function);
    }
    let Some(BasicValueEnum::FloatValue(first)) = scalar.get_nth_param(0) else {
        return Err(bug(format!("`{name}` takes no float")));
    };
    let vector: VectorType<'ctx> = first.get_type().vec_type(lanes);
    let parameters = vec![vector.into(); scalar.count_params() as usize];
    Ok(module.add_function(name, vector.fn_type(&parameters, false), None))
}

/// The calls of a function of the module, by its name.
fn calls_of<'ctx>(module: &Module<'ctx>, name: &str) -> Vec<CallSiteValue<'ctx>> {
    let blocks = module.get_functions().flat_map(|f| f.get_basic_blocks());
    let instructions = blocks.flat_map(|b| b.get_instructions());
    let calls = instructions.filter_map(|i| CallSiteValue::try_from(i).ok());
    calls.filter(|c| c.get_called_fn_value().is_some_and(|f| f.get_name().to_bytes() == name.as_bytes())).collect()
}

/// Keeps declarations that nothing calls yet from being dropped before the vectoriser sees them.
fn keep<'ctx>(module: &Module<'ctx>, functions: &[FunctionValue<'ctx>]) {
    const LIST: &str = "llvm.compiler.used";
    // A module that was optimised before has its list, and its loops their vectors.
    if functions.is_empty() || module.get_global(LIST).is_some() {
        return;
    }
    let pointer = module.get_context().ptr_type(inkwell::AddressSpace::default());
    let pointers: Vec<_> = functions.iter().map(|f| f.as_global_value().as_pointer_value()).collect();
    let list = pointer.const_array(&pointers);
    let used = module.add_global(list.get_type(), None, LIST);
    used.set_linkage(Linkage::Appending);
    used.set_section(Some("llvm.metadata"));
    used.set_initializer(&list);
}
