//! Elements in memory: addresses by strides, loads and stores of every dtype.

use inkwell::InlineAsmDialect;
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

    /// Stores an element of a device's global memory where a condition holds: without a branch, so that what is loaded for later stores is on its way
    /// before this one.
    pub fn store_where(
        &self,
        condition: IntValue<'ctx>,
        address: PointerValue<'ctx>,
        value: Scalar<'ctx>,
        dtype: DType,
    ) -> Emit<()> {
        let (short, long) = (self.context.i16_type(), self.context.i64_type());
        let bits = match self.components(value, dtype)?[..] {
            [BasicValueEnum::IntValue(bits)] => bits,
            [BasicValueEnum::FloatValue(value)] => self.float_bits(value)?,
            _ => return self.when(condition, || self.store(address, value, dtype, Access::default())),
        };
        let (width, bits) = match bits.get_type().get_bit_width() {
            8 => (8, self.builder.build_int_z_extend(bits, short, "")?),
            width => (width, bits),
        };
        let letter = match width {
            8 | 16 => 'h',
            32 => 'r',
            _ => 'l',
        };
        let address = self.builder.build_ptr_to_int(address, long, "")?;
        let condition = self.builder.build_int_z_extend(condition, self.context.i32_type(), "")?;
        let text = format!("{{ .reg .pred %where; setp.ne.b32 %where, $0, 0; @%where st.global.b{width} [$1], $2; }}");
        let parameters = [condition.get_type().into(), long.into(), bits.get_type().into()];
        let ty = self.context.void_type().fn_type(&parameters, false);
        let (operands, dialect) = (format!("r,l,{letter},~{{memory}}"), Some(InlineAsmDialect::ATT));
        let assembly = self.context.create_inline_asm(ty, text, operands, true, false, dialect, false);
        let operands = [condition.into(), address.into(), bits.into()];
        self.builder.build_indirect_call(ty, assembly, &operands, "")?;
        Ok(())
    }

    /// The components of a value as they lie in memory.
    pub fn components(&self, value: Scalar<'ctx>, dtype: DType) -> Emit<Vec<BasicValueEnum<'ctx>>> {
        Ok(match value {
            Scalar::Int(bit) if dtype == DType::Bool => {
                vec![self.builder.build_int_z_extend(bit, self.context.i8_type(), "")?.into()]
            }
            Scalar::Int(value) => vec![value.into()],
            Scalar::Float(value) if dtype == DType::F16 => vec![self.pack_half(value)?.into()],
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
            (BasicValueEnum::IntValue(bits), DType::F16) => Scalar::Float(self.unpack_half(bits)?),
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
