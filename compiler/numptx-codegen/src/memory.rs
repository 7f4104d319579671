//! Elements in memory: addresses by strides, loads and stores of every dtype.

use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValueEnum, InstructionValue, IntValue, MetadataValue, PointerValue};
use numptx_ir::DType;
use numptx_ir::dtype::Kind;

use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::value::Scalar;

/// What LLVM may assume of accesses.
#[derive(Clone, Copy, Default)]
pub(crate) struct Access<'ctx> {
    /// The access group of a parallel loop.
    pub group: Option<MetadataValue<'ctx>>,
    /// Whether nobody writes the memory while the function runs.
    pub invariant: bool,
}

impl<'ctx> Emitter<'ctx, '_> {
    /// `base + bytes`
    pub fn at_bytes(&self, base: PointerValue<'ctx>, bytes: IntValue<'ctx>) -> Emit<PointerValue<'ctx>> {
        // SAFETY: addresses are computed within or one past the operand's memory, as the launch's extents and strides say.
        Ok(unsafe { self.builder.build_gep(self.context.i8_type(), base, &[bytes], "")? })
    }

    /// `base + index * itemsize`
    pub fn at_element(
        &self,
        base: PointerValue<'ctx>,
        index: IntValue<'ctx>,
        dtype: DType,
    ) -> Emit<PointerValue<'ctx>> {
        let ty = match dtype.kind() {
            Kind::Complex => self.float_type(dtype).array_type(2).into(),
            _ => self.memory_type(dtype),
        };
        // SAFETY: as for `at_bytes`.
        Ok(unsafe { self.builder.build_gep(ty, base, &[index], "")? })
    }

    /// Loads an element, which is aligned to its components.
    pub fn load(&self, address: PointerValue<'ctx>, dtype: DType, access: Access<'ctx>) -> Emit<Scalar<'ctx>> {
        let ty = self.memory_type(dtype);
        let first = self.load_component(address, ty, access)?;
        if !dtype.is_complex() {
            return self.unpack(first, dtype);
        }
        let second = self.at_element(address, self.i64(1), dtype.real())?;
        let second = self.load_component(second, ty, access)?;
        Ok(Scalar::Complex(first.into_float_value(), second.into_float_value()))
    }

    /// Stores an element, which is aligned to its components.
    pub fn store(
        &self,
        address: PointerValue<'ctx>,
        value: Scalar<'ctx>,
        dtype: DType,
        access: Access<'ctx>,
    ) -> Emit<()> {
        let parts = self.components(value, dtype)?;
        for (n, part) in parts.into_iter().enumerate() {
            let address = if n == 0 { address } else { self.at_element(address, self.i64(1), dtype.real())? };
            let store = self.builder.build_store(address, part)?;
            self.describe(store, access)?;
        }
        Ok(())
    }

    /// The components of a value as they lie in memory.
    pub fn components(&self, value: Scalar<'ctx>, dtype: DType) -> Emit<Vec<BasicValueEnum<'ctx>>> {
        Ok(match value {
            Scalar::Int(bit) if dtype == DType::Bool => {
                vec![self.builder.build_int_z_extend(bit, self.context.i8_type(), "")?.into()]
            }
            Scalar::Int(value) => vec![value.into()],
            Scalar::Float(value) => vec![value.into()],
            Scalar::Complex(re, im) => vec![re.into(), im.into()],
        })
    }

    /// The value of a dtype with one component, as it lies in memory.
    pub fn unpack(&self, value: BasicValueEnum<'ctx>, dtype: DType) -> Emit<Scalar<'ctx>> {
        Ok(match (value, dtype) {
            (BasicValueEnum::IntValue(byte), DType::Bool) => {
                Scalar::Int(self.icmp_with(inkwell::IntPredicate::NE, byte, 0)?)
            }
            (BasicValueEnum::IntValue(value), _) => Scalar::Int(value),
            (BasicValueEnum::FloatValue(value), _) => Scalar::Float(value),
            _ => return Err(bug("memory holds neither an integer nor a float")),
        })
    }

    fn load_component(
        &self,
        address: PointerValue<'ctx>,
        ty: BasicTypeEnum<'ctx>,
        access: Access<'ctx>,
    ) -> Emit<BasicValueEnum<'ctx>> {
        let value = self.builder.build_load(ty, address, "")?;
        let load = match value {
            BasicValueEnum::IntValue(value) => value.as_instruction(),
            BasicValueEnum::FloatValue(value) => value.as_instruction(),
            _ => None,
        };
        self.describe(load.ok_or_else(|| bug("a load is no instruction"))?, access)?;
        Ok(value)
    }

    /// Puts on a load or store what LLVM may assume.
    pub fn describe(&self, instruction: InstructionValue<'ctx>, access: Access<'ctx>) -> Emit<()> {
        let set = |name: &str, node: MetadataValue<'ctx>| {
            instruction.set_metadata(node, self.context.get_kind_id(name)).map_err(|e| bug(e.to_string()))
        };
        if let Some(group) = access.group {
            set("llvm.access.group", group)?;
        }
        if access.invariant {
            set("invariant.load", self.context.metadata_node(&[]))?;
        }
        Ok(())
    }
}
