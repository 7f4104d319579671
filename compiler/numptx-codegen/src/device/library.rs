//! Links the device math library: what is called is copied in, marked for inlining, and everything else left out.

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::TargetMachine;
use inkwell::values::{BasicValue, BasicValueEnum, CallSiteValue, FunctionValue, Operand};

use crate::MathLibrary;
use crate::error::{Emit, bug};

/// Defines the functions that a module declares and does not define.
pub(super) fn link(module: &Module<'_>, machine: &TargetMachine, math: Option<&MathLibrary>) -> Emit<()> {
    let called = undefined_functions(module);
    if called.is_empty() {
        return Ok(());
    }
    let Some(math) = math else {
        return Err(bug(format!("`{}` needs a device math library, and none was given", called.join("`, `"))));
    };
    let library = parse(module, machine, math)?;
    let missing: Vec<&String> = called.iter().filter(|name| !defines(&library, name)).collect();
    if let Some(name) = missing.first() {
        return Err(bug(format!("the device math library {:?} has no `{name}`", math.kind)));
    }
    ask_for_exact_roots(&library)?;
    keep_only(&library, machine, &called)?;
    inline_all(&library)?;
    module.link_in_module(library).map_err(|e| bug(format!("the device math library: {}", e.to_string_lossy())))
}

/// Used declarations that are no intrinsics, in the module's order.
pub(super) fn undefined_functions(module: &Module<'_>) -> Vec<String> {
    let declared = module.get_functions().filter(|f| f.count_basic_blocks() == 0 && f.get_intrinsic_id() == 0);
    declared.filter(|f| is_used(*f)).map(|f| f.get_name().to_string_lossy().into_owned()).collect()
}

/// Whether anything refers to a function.
pub(super) fn is_used(function: FunctionValue<'_>) -> bool {
    function.as_global_value().as_pointer_value().get_first_use().is_some()
}

fn defines(library: &Module<'_>, name: &str) -> bool {
    library.get_function(name).is_some_and(|f| f.count_basic_blocks() > 0)
}

fn parse<'ctx>(module: &Module<'ctx>, machine: &TargetMachine, math: &MathLibrary) -> Emit<Module<'ctx>> {
    let buffer = MemoryBuffer::create_from_memory_range_copy(math.bitcode, "math");
    let library = Module::parse_bitcode_from_buffer(&buffer, module.get_context());
    let library =
        library.map_err(|e| bug(format!("the device math library is no bitcode: {}", e.to_string_lossy())))?;
    library.set_triple(&machine.get_triple());
    library.set_data_layout(&machine.get_target_data().get_data_layout());
    Ok(library)
}

/// libdevice's float32 functions ask `__nvvm_reflect("__CUDA_PREC_SQRT")` whether square roots are to be exact. LLVM would answer no.
fn ask_for_exact_roots(library: &Module<'_>) -> Emit<()> {
    const QUESTION: &[u8] = b"__CUDA_PREC_SQRT\0";
    let yes = library.get_context().i32_type().const_int(1, false);
    let blocks = library.get_functions().flat_map(|f| f.get_basic_blocks());
    let calls = blocks.flat_map(|b| b.get_instructions()).filter_map(|i| CallSiteValue::try_from(i).ok());
    let asks =
        |c: &CallSiteValue| c.get_called_fn_value().is_some_and(|f| f.get_name().to_bytes() == b"__nvvm_reflect");
    for call in calls.filter(asks).collect::<Vec<_>>() {
        let (Some(answer), true) =
            (call.try_as_basic_value().basic(), question(library, call) == Some(QUESTION.to_vec()))
        else {
            continue;
        };
        answer.into_int_value().replace_all_uses_with(yes);
    }
    Ok(())
}

/// The text that a call of `__nvvm_reflect` passes, its null included.
fn question(library: &Module<'_>, call: CallSiteValue<'_>) -> Option<Vec<u8>> {
    let instruction = call.try_as_basic_value().basic()?.as_instruction_value()?;
    let Operand::Value(BasicValueEnum::PointerValue(text)) = instruction.get_operand(0)? else {
        return None;
    };
    match library.get_global(text.get_name().to_str().ok()?)?.get_initializer()? {
        BasicValueEnum::ArrayValue(text) => text.as_const_string().map(<[u8]>::to_vec),
        _ => None,
    }
}

/// Drops what the called functions do not need.
fn keep_only(library: &Module<'_>, machine: &TargetMachine, called: &[String]) -> Emit<()> {
    let kept: Vec<String> = called.iter().map(|name| format!("preserve-gv={name}")).collect();
    let passes = format!("internalize<{}>,globaldce", kept.join(";"));
    let passes = library.run_passes(&passes, machine, PassBuilderOptions::create());
    passes.map_err(|e| bug(format!("the device math library: {}", e.to_string_lossy())))
}

/// A function called for each of a thread's elements is not inlined by LLVM's own judgement, and calls cost a stack. What the library
/// marks as not to be inlined, its rare slow paths, stays outside.
fn inline_all(library: &Module<'_>) -> Emit<()> {
    let kind = |name: &str| Attribute::get_named_enum_kind_id(name);
    let (noinline, optnone) = (kind("noinline"), kind("optnone"));
    let always = library.get_context().create_enum_attribute(kind("alwaysinline"), 0);
    for function in library.get_functions().filter(|f| f.count_basic_blocks() > 0) {
        let has = |kind: u32| function.get_enum_attribute(AttributeLoc::Function, kind).is_some();
        if !has(noinline) && !has(optnone) {
            function.add_attribute(AttributeLoc::Function, always);
        }
    }
    Ok(())
}
