//! float16: a `float` in registers, which holds one of its numbers, and 16 bits in memory. Each operation is one of `float`, rounded once more.
//!
//! Of sums, differences, products, quotients and roots that is the number of 16 bits nearest to the exact result, as of a format of 24 bits for one of 11.
//! A device has instructions for the conversions. Host code calls two functions, `numptx.half.pack` and `numptx.half.unpack`, which get their bodies
//! once the processor is known: instructions where it has `f16c`, else integers and selects, which LLVM makes vectors of. No library is called.

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::module::{Linkage, Module};
use inkwell::values::{
    AnyValue, BasicValueEnum, CallSiteValue, FloatValue, FunctionValue, InstructionOpcode, IntValue,
};
use inkwell::{FloatPredicate, IntPredicate};
use numptx_ir::scalar::ScalarOp;

use crate::CodegenOptions;
use crate::HostTarget;
use crate::emitter::{Emitter, Side};
use crate::error::{Emit, bug};

const PACK: &str = "numptx.half.pack";
const UNPACK: &str = "numptx.half.unpack";

/// The bits of 0.5, 65520 and infinity in 32 bits, and of the smallest normal float16.
const HALF: i64 = 0x3f00_0000;
const OVERFLOW: i64 = 0x477f_f000;
const INFINITY: i64 = 0x7f80_0000;
const SMALLEST_NORMAL: i64 = 0x3880_0000;

/// Whether the result is a float16 without rounding where the operands are.
pub(super) fn is_exact(op: ScalarOp) -> bool {
    use ScalarOp::*;
    matches!(
        op,
        Neg | Abs
            | Sign
            | Floor
            | Ceil
            | Trunc
            | Rint
            | Min
            | Max
            | FMin
            | FMax
            | Fmod
            | CopySign
            | NextAfter
            | FrexpMantissa
            | Select
            | Cast
    )
}

/// Gives the conversions that a module of host code calls their bodies. Whether there are any.
pub(crate) fn define(module: &Module<'_>, target: &HostTarget) -> Emit<bool> {
    let has_instructions = numptx_abi::features::names(target.needs()).any(|name| name == "f16c");
    let mut any = false;
    for name in [PACK, UNPACK] {
        let Some(function) = module.get_function(name).filter(|f| f.count_basic_blocks() == 0) else { continue };
        any = true;
        let context = module.get_context();
        let builder = context.create_builder();
        // With instructions as a device has them.
        let side = if has_instructions { Side::Device(None) } else { Side::Host };
        let e = Emitter::new(module, &builder, side, CodegenOptions::default());
        builder.position_at_end(context.append_basic_block(function, "start"));
        function.set_linkage(Linkage::Internal);
        let attribute = context.create_enum_attribute(Attribute::get_named_enum_kind_id("alwaysinline"), 0);
        function.add_attribute(AttributeLoc::Function, attribute);
        let parameter = function.get_first_param().ok_or_else(|| bug("a conversion without a parameter"))?;
        match parameter {
            BasicValueEnum::FloatValue(value) => {
                let bits = if has_instructions { e.pack_half(value)? } else { e.pack_by_integers(value)? };
                builder.build_return(Some(&bits))?;
            }
            value => {
                let bits = value.into_int_value();
                let value = if has_instructions { e.unpack_half(bits)? } else { e.unpack_by_integers(bits)? };
                builder.build_return(Some(&value))?;
            }
        }
    }
    Ok(any)
}

impl<'ctx> Emitter<'ctx, '_> {
    /// The bits of the float16 nearest to a `float`.
    pub fn pack_half(&self, value: FloatValue<'ctx>) -> Emit<IntValue<'ctx>> {
        if let Some(bits) = unpacked(value) {
            return Ok(bits);
        }
        if self.side == Side::Host {
            let call = self.builder.build_call(self.conversion(PACK)?, &[value.into()], "")?;
            let bits = call.try_as_basic_value().basic().ok_or_else(|| bug("a conversion gives nothing"))?;
            return Ok(bits.into_int_value());
        }
        let half = self.builder.build_float_trunc(value, self.context.f16_type(), "")?;
        Ok(self.builder.build_bit_cast(half, self.context.i16_type(), "")?.into_int_value())
    }

    /// The `float` that a float16 is.
    pub fn unpack_half(&self, bits: IntValue<'ctx>) -> Emit<FloatValue<'ctx>> {
        if self.side == Side::Host {
            let call = self.builder.build_call(self.conversion(UNPACK)?, &[bits.into()], "")?;
            let value = call.try_as_basic_value().basic().ok_or_else(|| bug("a conversion gives nothing"))?;
            return Ok(value.into_float_value());
        }
        let half = self.builder.build_bit_cast(bits, self.context.f16_type(), "")?.into_float_value();
        Ok(self.builder.build_float_ext(half, self.context.f32_type(), "")?)
    }

    /// The nearest float16, of a `float` or a `double`.
    pub fn round_to_half(&self, value: FloatValue<'ctx>) -> Emit<FloatValue<'ctx>> {
        let value = if value.get_type() == self.context.f64_type() { self.to_odd(value)? } else { value };
        self.unpack_half(self.pack_half(value)?)
    }

    /// A `double` as a `float` that is rounded to a float16 as the `double` would be: where bits are lost, the last one that is left says so. Doubles that
    /// are smaller than any normal `float` are 0 as float16, whatever `float` they become.
    fn to_odd(&self, value: FloatValue<'ctx>) -> Emit<FloatValue<'ctx>> {
        const LOST: i64 = (1 << 29) - 1;
        let bits = self.float_bits(value)?;
        let lost = self.and(bits, self.int_like(bits, LOST))?;
        let is_lossy = self.icmp_with(IntPredicate::NE, lost, 0)?;
        let kept = self.and(bits, self.int_like(bits, !LOST))?;
        let odd = self.or(kept, self.int_like(bits, LOST + 1))?;
        let value = self.bits_float(self.select(is_lossy, odd, kept)?)?;
        Ok(self.builder.build_float_trunc(value, self.context.f32_type(), "")?)
    }

    /// The next float16 after `a` towards `b`, both of which are such numbers; `a` where they are equal, also where their signs differ.
    pub(super) fn next_half(&self, a: FloatValue<'ctx>, b: FloatValue<'ctx>) -> Emit<FloatValue<'ctx>> {
        let bits = self.pack_half(a)?;
        let upward = self.fcmp(FloatPredicate::OGT, b, a)?;
        let positive = self.fcmp_with(FloatPredicate::OGT, a, 0.0)?;
        let grows = self.icmp(IntPredicate::EQ, upward, positive)?;
        let one = self.int_like(bits, 1);
        let moved = self.unpack_half(self.select(grows, self.add(bits, one)?, self.sub(bits, one)?)?)?;
        let smallest = self.float_intrinsic("llvm.copysign", &[self.float_like(a, 2f64.powi(-24)), b])?;
        let zero = self.fcmp_with(FloatPredicate::OEQ, a, 0.0)?;
        let moved = self.select(zero, smallest, moved)?;
        let equal = self.fcmp(FloatPredicate::OEQ, a, b)?;
        let moved = self.select(equal, a, moved)?;
        let nan = self.fcmp(FloatPredicate::UNO, a, b)?;
        self.select(nan, self.builder.build_float_add(a, b, "")?, moved)
    }

    /// By the exponent's size: above the normal numbers infinity, among them a carry into the kept bits, below them a sum that puts the last bit where 0.5
    /// has its own.
    fn pack_by_integers(&self, value: FloatValue<'ctx>) -> Emit<IntValue<'ctx>> {
        let bits = self.float_bits(value)?;
        let constant = |n: i64| self.int_like(bits, n);
        let right =
            |a: IntValue<'ctx>, n: i64| -> Emit<_> { Ok(self.builder.build_right_shift(a, constant(n), false, "")?) };
        let magnitude = self.and(bits, constant(0x7fff_ffff))?;
        let last = self.and(right(magnitude, 13)?, constant(1))?;
        let rounded = self.add(self.add(magnitude, constant(0xfff))?, last)?;
        let normal = self.sub(right(rounded, 13)?, constant(112 << 10))?;
        let sum = self.builder.build_float_add(self.bits_float(magnitude)?, self.float_like(value, 0.5), "")?;
        let small = self.sub(self.float_bits(sum)?, constant(HALF))?;
        let payload = self.or(self.and(right(magnitude, 13)?, constant(0x1ff))?, constant(0x7e00))?;
        let is_small = self.icmp_with(IntPredicate::SLT, magnitude, SMALLEST_NORMAL)?;
        let is_large = self.icmp_with(IntPredicate::SGE, magnitude, OVERFLOW)?;
        let is_nan = self.icmp_with(IntPredicate::SGT, magnitude, INFINITY)?;
        let found = self.select(is_small, small, normal)?;
        let found = self.select(is_large, constant(0x7c00), found)?;
        let found = self.select(is_nan, payload, found)?;
        let sign = self.and(right(bits, 16)?, constant(0x8000))?;
        self.resize_unsigned(self.or(found, sign)?, self.context.i16_type())
    }

    /// By the exponent's size: an infinity's is the largest one, a normal number's moves, and what is below them is what is left of a sum.
    fn unpack_by_integers(&self, bits: IntValue<'ctx>) -> Emit<FloatValue<'ctx>> {
        let wide = self.resize_unsigned(bits, self.context.i32_type())?;
        let constant = |n: i64| self.int_like(wide, n);
        let left = |a: IntValue<'ctx>, n: i64| -> Emit<_> { Ok(self.builder.build_left_shift(a, constant(n), "")?) };
        let magnitude = self.and(wide, constant(0x7fff))?;
        let moved = left(magnitude, 13)?;
        let normal = self.add(moved, constant(112 << 23))?;
        let special = self.add(moved, constant(224 << 23))?;
        let sum = self.bits_float(self.or(magnitude, constant(HALF))?)?;
        let half = sum.get_type().const_float(0.5);
        let small = self.float_bits(self.builder.build_float_sub(sum, half, "")?)?;
        let is_small = self.icmp_with(IntPredicate::SLT, magnitude, 0x400)?;
        let is_special = self.icmp_with(IntPredicate::SGE, magnitude, 0x7c00)?;
        let found = self.select(is_special, special, normal)?;
        let found = self.select(is_small, small, found)?;
        let sign = left(self.and(wide, constant(0x8000))?, 16)?;
        self.bits_float(self.or(found, sign)?)
    }

    /// A conversion of host code, declared where it is not there yet.
    fn conversion(&self, name: &str) -> Emit<FunctionValue<'ctx>> {
        if let Some(function) = self.module.get_function(name) {
            return Ok(function);
        }
        let (float, short) = (self.context.f32_type(), self.context.i16_type());
        let ty = match name {
            PACK => short.fn_type(&[float.into()], false),
            _ => float.fn_type(&[short.into()], false),
        };
        let function = self.module.add_function(name, ty, None);
        self.mark_pure(function)?;
        function.add_attribute(AttributeLoc::Function, self.attribute("speculatable", 0)?);
        Ok(function)
    }
}

/// The bits that a value was unpacked of, if it was: packing them again would change nothing.
fn unpacked(value: FloatValue<'_>) -> Option<IntValue<'_>> {
    let instruction = value.as_instruction()?;
    match instruction.get_opcode() {
        InstructionOpcode::Call => {
            let call = CallSiteValue::try_from(instruction).ok()?;
            let is_ours = call.get_called_fn_value()?.get_name().to_bytes() == UNPACK.as_bytes();
            is_ours.then(|| instruction.get_operand(0)?.value()).flatten().map(BasicValueEnum::into_int_value)
        }
        InstructionOpcode::FPExt => {
            let half = instruction.get_operand(0)?.value()?.into_float_value().as_instruction()?;
            let of = half.get_operand(0)?.value()?;
            let is_bits = half.get_opcode() == InstructionOpcode::BitCast && of.as_any_value_enum().is_int_value();
            is_bits.then(|| of.into_int_value())
        }
        _ => None,
    }
}
