//! What CPython needs of a library: `PyInit_<name>` and one trampoline per exported function.
//!
//! Nothing here knows a CPython layout. The Python symbols are weak, so that C and Rust programs load the same file.

use inkwell::AddressSpace;
use inkwell::attributes::AttributeLoc;
use inkwell::module::{Linkage, Module};
use inkwell::values::{FunctionValue, GlobalValue, PointerValue};
use numptx_abi::{PYTHON_CAPSULE, PythonTable};

use super::emitter::ProgramEmitter;
use crate::error::{Emit, bug};

/// The slot that `PyInit_<name>` fills with the package's table.
pub fn table_slot<'ctx>(module: &Module<'ctx>) -> GlobalValue<'ctx> {
    let ptr = module.get_context().ptr_type(AddressSpace::default());
    let slot = module.add_global(ptr, None, "numptx_python_table");
    slot.set_linkage(Linkage::Internal);
    slot.set_initializer(&ptr.const_null());
    slot
}

/// `PyObject *trampoline(self, args, nargs, kwnames)`: hands its function's descriptor to the package.
pub fn trampoline<'ctx>(
    module: &Module<'ctx>,
    name: &str,
    table: GlobalValue<'ctx>,
    descriptor: PointerValue<'ctx>,
) -> Emit<FunctionValue<'ctx>> {
    let context = module.get_context();
    let (ptr, i64) = (context.ptr_type(AddressSpace::default()), context.i64_type());
    let ty = ptr.fn_type(&[ptr.into(), ptr.into(), i64.into(), ptr.into()], false);
    let function = module.add_function(&format!("trampoline.{name}"), ty, Some(Linkage::Internal));
    let e = ProgramEmitter::new(module, function);
    let package = e.load_ptr(table.as_pointer_value(), 0)?;
    let callee = e.load_ptr(package, core::mem::offset_of!(PythonTable, call))?;
    let mut arguments = vec![descriptor.into()];
    arguments.extend(function.get_params().into_iter().map(inkwell::values::BasicMetadataValueEnum::from));
    let call_type = ptr.fn_type(&[ptr.into(), ptr.into(), ptr.into(), i64.into(), ptr.into()], false);
    let result = e.call(call_type, callee, &arguments)?.ok_or_else(|| bug("the package's call returns nothing"))?;
    e.builder.build_return(Some(&result))?;
    e.finish()?;
    Ok(function)
}

/// `PyObject *PyInit_<name>(void)`.
pub fn init<'ctx>(
    module: &Module<'ctx>,
    table: GlobalValue<'ctx>,
    descriptor: PointerValue<'ctx>,
    name: &str,
) -> Emit<()> {
    let context = module.get_context();
    let (ptr, i32) = (context.ptr_type(AddressSpace::default()), context.i32_type());
    let weak = |name: &str, ty| module.add_function(name, ty, Some(Linkage::ExternalWeak));
    let import = weak("PyImport_ImportModule", ptr.fn_type(&[ptr.into()], false));
    let capsule = weak("PyCapsule_Import", ptr.fn_type(&[ptr.into(), i32.into()], false));
    let release = weak("Py_DecRef", context.void_type().fn_type(&[ptr.into()], false));

    let function = module.add_function(&format!("PyInit_{name}"), ptr.fn_type(&[], false), None);
    // It runs before anyone has asked what the processor has.
    for (key, value) in [("target-cpu", "x86-64"), ("target-features", "")] {
        function.add_attribute(AttributeLoc::Function, context.create_string_attribute(key, value));
    }
    let e = ProgramEmitter::new(module, function);
    let fail = e.block("fail");
    let go_on_if_set = |pointer: PointerValue<'ctx>| -> Emit<()> {
        let next = e.block("next");
        let null = e.builder.build_is_null(pointer, "")?;
        e.branch(null, fail, next)?;
        e.builder.position_at_end(next);
        Ok(())
    };
    go_on_if_set(import.as_global_value().as_pointer_value())?;
    let package = global_text(&e, PYTHON_CAPSULE.rsplit_once('.').map_or(PYTHON_CAPSULE, |(package, _)| package))?;
    let ty = import.get_type();
    let imported = e.call(ty, import.as_global_value().as_pointer_value(), &[package.into()])?;
    let imported = imported.ok_or_else(|| bug("an import returns nothing"))?.into_pointer_value();
    go_on_if_set(imported)?;
    e.call(release.get_type(), release.as_global_value().as_pointer_value(), &[imported.into()])?;
    let path = global_text(&e, PYTHON_CAPSULE)?;
    let arguments = [path.into(), e.i32(0).into()];
    let package = e.call(capsule.get_type(), capsule.as_global_value().as_pointer_value(), &arguments)?;
    let package = package.ok_or_else(|| bug("a capsule import returns nothing"))?.into_pointer_value();
    go_on_if_set(package)?;
    e.store(table.as_pointer_value(), 0, package)?;
    let module_init = e.load_ptr(package, core::mem::offset_of!(PythonTable, module_init))?;
    let result = e.call(ptr.fn_type(&[ptr.into()], false), module_init, &[descriptor.into()])?;
    let result = result.ok_or_else(|| bug("module_init returns nothing"))?;
    e.builder.build_return(Some(&result))?;
    e.builder.position_at_end(fail);
    e.builder.build_return(Some(&ptr.const_null()))?;
    e.finish()
}

fn global_text<'ctx>(e: &ProgramEmitter<'_, 'ctx>, text: &str) -> Emit<PointerValue<'ctx>> {
    Ok(e.builder.build_global_string_ptr(text, "text")?.as_pointer_value())
}
