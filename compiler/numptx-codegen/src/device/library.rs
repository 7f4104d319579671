//! Links the device math library: what is called is copied in and marked for inlining. Everything else is left out, unread: the library has
//! hundreds of functions, and a program calls few.

use std::ptr::null_mut;

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::context::AsContextRef;
use inkwell::llvm_sys::bit_reader;
use inkwell::llvm_sys::core::LLVMDisposeMessage;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::{Linkage, Module};
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
    let library = open(module, machine, math)?;
    let missing = called.iter().find(|name| !library.get_function(name).is_some_and(is_defined));
    if let Some(name) = missing {
        return Err(bug(format!("the device math library {:?} has no `{name}`", math.kind)));
    }
    // LLVM links internal functions where something refers to them only.
    for function in library.get_functions().filter(|f| is_defined(*f)) {
        if !called.iter().any(|name| function.get_name().to_bytes() == name.as_bytes()) {
            function.set_linkage(Linkage::Internal);
        }
    }
    let own: Vec<FunctionValue<'_>> = module.get_functions().filter(|f| f.count_basic_blocks() > 0).collect();
    module.link_in_module(library).map_err(|e| bug(format!("the device math library: {}", e.to_string_lossy())))?;
    let linked = module.get_functions().filter(|f| f.count_basic_blocks() > 0 && !own.contains(f));
    let linked: Vec<FunctionValue<'_>> = linked.collect();
    ask_for_exact_roots(module, &linked)?;
    inline_all(module, &linked);
    Ok(())
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

/// Whether a function of a library has a body, read or not.
fn is_defined(function: FunctionValue<'_>) -> bool {
    !function.as_global_value().is_declaration()
}

/// The library with its functions' bodies unread.
fn open<'ctx>(module: &Module<'ctx>, machine: &TargetMachine, math: &MathLibrary) -> Emit<Module<'ctx>> {
    let buffer = MemoryBuffer::create_from_memory_range_copy(math.bitcode, "math");
    let (mut library, mut message) = (null_mut(), null_mut());
    // SAFETY: the context outlives the module that is made in it. LLVM takes the buffer over if it returns 0, and leaves it and a message of its own
    // allocation otherwise.
    let library = unsafe {
        let context = module.get_context().as_ctx_ref();
        #[expect(deprecated, reason = "its successor ends the process where there is no bitcode")]
        let failed =
            bit_reader::LLVMGetBitcodeModuleInContext(context, buffer.as_mut_ptr(), &mut library, &mut message);
        if failed != 0 {
            let text = std::ffi::CStr::from_ptr(message).to_string_lossy().into_owned();
            LLVMDisposeMessage(message);
            return Err(bug(format!("the device math library is no bitcode: {text}")));
        }
        std::mem::forget(buffer);
        Module::new(library)
    };
    library.set_triple(&machine.get_triple());
    library.set_data_layout(&machine.get_target_data().get_data_layout());
    Ok(library)
}

/// libdevice's float32 functions ask `__nvvm_reflect("__CUDA_PREC_SQRT")` whether square roots are to be exact. LLVM would answer no.
fn ask_for_exact_roots(module: &Module<'_>, linked: &[FunctionValue<'_>]) -> Emit<()> {
    const QUESTION: &[u8] = b"__CUDA_PREC_SQRT\0";
    let yes = module.get_context().i32_type().const_int(1, false);
    let instructions = linked.iter().flat_map(|f| f.get_basic_blocks()).flat_map(|b| b.get_instructions());
    let calls = instructions.filter_map(|i| CallSiteValue::try_from(i).ok());
    let asks =
        |c: &CallSiteValue| c.get_called_fn_value().is_some_and(|f| f.get_name().to_bytes() == b"__nvvm_reflect");
    for call in calls.filter(asks).collect::<Vec<_>>() {
        let (Some(answer), true) =
            (call.try_as_basic_value().basic(), question(module, call) == Some(QUESTION.to_vec()))
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

/// A function called for each of a thread's elements is not inlined by LLVM's own judgement, and calls cost a stack. What the library
/// marks as not to be inlined, its rare slow paths, stays outside.
fn inline_all(module: &Module<'_>, linked: &[FunctionValue<'_>]) {
    let kind = |name: &str| Attribute::get_named_enum_kind_id(name);
    let (noinline, optnone) = (kind("noinline"), kind("optnone"));
    let always = module.get_context().create_enum_attribute(kind("alwaysinline"), 0);
    for function in linked {
        let has = |kind: u32| function.get_enum_attribute(AttributeLoc::Function, kind).is_some();
        if !has(noinline) && !has(optnone) {
            function.add_attribute(AttributeLoc::Function, always);
        }
    }
}
