//! Which functions of a module compute with wide vectors: only these are worth code of their own for a processor that has them.

use std::collections::HashSet;

use inkwell::module::{Linkage, Module};
use inkwell::types::{AnyTypeEnum, BasicTypeEnum, VectorType};
use inkwell::values::{CallSiteValue, FunctionValue, InstructionOpcode, InstructionValue};

/// Takes their linkage from functions that others find and that compute, with what they call, with no vector of so many bits. Whether any is left.
pub(super) fn keep_wide(module: &Module<'_>, bits: u32) -> bool {
    let defined: Vec<FunctionValue<'_>> = module.get_functions().filter(|f| f.count_basic_blocks() > 0).collect();
    let mut wide: HashSet<String> = HashSet::new();
    loop {
        let so_far = wide.len();
        for function in &defined {
            let name = name_of(*function);
            if !wide.contains(&name) && instructions(*function).any(|i| is_wide(i, bits) || calls_one_of(i, &wide)) {
                wide.insert(name);
            }
        }
        if wide.len() == so_far {
            break;
        }
    }
    let found = defined.iter().filter(|f| f.get_linkage() == Linkage::External);
    let (kept, others): (Vec<&FunctionValue<'_>>, Vec<_>) = found.partition(|f| wide.contains(&name_of(**f)));
    others.into_iter().for_each(|f| f.set_linkage(Linkage::Internal));
    !kept.is_empty()
}

fn name_of(function: FunctionValue<'_>) -> String {
    function.get_name().to_string_lossy().into_owned()
}

fn instructions<'ctx>(function: FunctionValue<'ctx>) -> impl Iterator<Item = InstructionValue<'ctx>> {
    function.get_basic_blocks().into_iter().flat_map(|block| block.get_instructions())
}

fn calls_one_of(instruction: InstructionValue<'_>, names: &HashSet<String>) -> bool {
    let call = CallSiteValue::try_from(instruction).ok();
    call.and_then(|call| call.get_called_fn_value()).is_some_and(|callee| names.contains(&name_of(callee)))
}

/// Whether an instruction makes or stores a vector of so many bits.
fn is_wide(instruction: InstructionValue<'_>, bits: u32) -> bool {
    if let AnyTypeEnum::VectorType(ty) = instruction.get_type() {
        return bits_of(ty) >= bits;
    }
    if instruction.get_opcode() != InstructionOpcode::Store {
        return false;
    }
    match instruction.get_operand(0).and_then(|operand| operand.value()).map(|value| value.get_type()) {
        Some(BasicTypeEnum::VectorType(ty)) => bits_of(ty) >= bits,
        _ => false,
    }
}

fn bits_of(ty: VectorType<'_>) -> u32 {
    let element = match ty.get_element_type() {
        BasicTypeEnum::IntType(int) => int.get_bit_width(),
        BasicTypeEnum::FloatType(float) => float.get_bit_width(),
        _ => 64,
    };
    element * ty.get_size()
}

#[cfg(test)]
mod tests {
    use inkwell::context::Context;
    use inkwell::memory_buffer::MemoryBuffer;

    use super::*;

    #[test]
    fn functions_with_wide_vectors_are_kept_and_those_that_call_them() {
        let text = "define void @stores(ptr %p) { store <8 x double> zeroinitializer, ptr %p\n ret void }\n\
            define void @narrow(ptr %p) { store <4 x double> zeroinitializer, ptr %p\n ret void }\n\
            define internal float @inner(ptr %p) { %v = load <16 x float>, ptr %p\n %x = extractelement <16 x float> %v, i32 0\n ret float %x }\n\
            define float @calls(ptr %p) { %x = call float @inner(ptr %p)\n ret float %x }\n";
        let context = Context::create();
        let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "text");
        let module = context.create_module_from_ir(buffer).expect("the text is LLVM IR");
        assert!(keep_wide(&module, 512));
        let is_found = |name: &str| module.get_function(name).map(|f| f.get_linkage() == Linkage::External);
        let found = ["stores", "narrow", "inner", "calls"].map(is_found);
        assert_eq!(found, [Some(true), Some(false), Some(false), Some(true)]);
        assert!(!keep_wide(&module, 1024));
    }
}
