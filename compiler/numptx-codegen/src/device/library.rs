//! Links the device math library: what is called is copied in, marked for inlining, and everything else left out.

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::TargetMachine;
use inkwell::values::{BasicValue, FunctionValue};

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
