//! Accumulators that a block tells others while they run.
//!
//! In: memory of zeros. Out: an accumulator in words of 64 bits, each of which holds up to 32 bits of it and the flag that they are there. A word is
//! written and read as one, so that no fences are needed: they would cost more than the words.

use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};
use inkwell::{InlineAsmDialect, IntPredicate};
use numptx_ir::DType;

use crate::accumulator::{Accumulator, Layout};
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::value::Scalar;

/// The flag of a word.
const THERE: u64 = 1 << 32;
/// Bytes of a word.
const WORD: i64 = 8;

/// How many components a dtype has, and words of each.
fn words_of(dtype: DType) -> (u32, u32) {
    (if dtype.is_complex() { 2 } else { 1 }, if dtype.real().itemsize() > 4 { 2 } else { 1 })
}

/// Words of an accumulator.
pub(super) fn n_words(layout: &Layout) -> u32 {
    layout.fields.iter().map(|field| words_of(field.dtype)).map(|(components, words)| components * words).sum()
}

/// Where accumulator `n` of some is published.
pub(super) fn place<'ctx>(
    e: &Emitter<'ctx, '_>,
    layout: &Layout,
    first: PointerValue<'ctx>,
    n: IntValue<'ctx>,
) -> Emit<PointerValue<'ctx>> {
    e.at_bytes(first, e.mul(n, e.i64(i64::from(n_words(layout)) * WORD))?)
}

/// Publishes an accumulator.
pub(super) fn publish<'ctx>(
    e: &Emitter<'ctx, '_>,
    layout: &Layout,
    at: PointerValue<'ctx>,
    values: &[Scalar<'ctx>],
) -> Emit<()> {
    let long = e.context.i64_type();
    let flag = long.const_int(THERE, false);
    let mut words = Vec::new();
    for (field, value) in layout.fields.iter().zip(values) {
        for component in e.components(*value, field.dtype)? {
            let bits = match component {
                BasicValueEnum::IntValue(bits) => bits,
                BasicValueEnum::FloatValue(value) => e.float_bits(value)?,
                _ => return Err(bug("a component is a number")),
            };
            let bits = e.resize_unsigned(bits, long)?;
            if words_of(field.dtype).1 == 1 {
                words.push(e.or(bits, flag)?);
                continue;
            }
            let low = e.and(bits, long.const_int(THERE - 1, false))?;
            let high = e.builder.build_right_shift(bits, e.i64(32), false, "")?;
            words.extend([e.or(low, flag)?, e.or(high, flag)?]);
        }
    }
    let width = accessed(words.len());
    for (n, words) in words.chunks(width).enumerate() {
        let at = e.at_bytes(at, e.i64((n * width) as i64 * WORD))?;
        let at = e.builder.build_ptr_to_int(at, long, "")?;
        let (text, operands) = match words {
            [_, _] => ("st.relaxed.gpu.global.v2.b64 [$0], {$1, $2};", "l,l,l,~{memory}"),
            _ => ("st.relaxed.gpu.global.b64 [$0], $1;", "l,l,~{memory}"),
        };
        let ty = e.context.void_type().fn_type(&vec![long.into(); words.len() + 1], false);
        let (text, dialect) = (text.to_string(), Some(InlineAsmDialect::ATT));
        let assembly = e.context.create_inline_asm(ty, text, operands.to_string(), true, false, dialect, false);
        let arguments: Vec<_> = [at].iter().chain(words).map(|word| (*word).into()).collect();
        e.builder.build_indirect_call(ty, assembly, &arguments, "")?;
    }
    Ok(())
}

/// Words that are accessed together.
fn accessed(words: usize) -> usize {
    if words.is_multiple_of(2) { 2 } else { 1 }
}

/// Waits until an accumulator is published.
pub(super) fn wait<'ctx>(e: &Emitter<'ctx, '_>, layout: &Layout, at: PointerValue<'ctx>) -> Emit<Accumulator<'ctx>> {
    let long = e.context.i64_type();
    let n = n_words(layout) as usize;
    let slots = (0..n).map(|_| e.slot(long, "word")).collect::<Emit<Vec<_>>>()?;
    let is_missing = || {
        let mut flags = long.const_all_ones();
        let width = accessed(n);
        for (k, slots) in slots.chunks(width).enumerate() {
            let from = e.at_bytes(at, e.i64((k * width) as i64 * WORD))?;
            for (slot, word) in slots.iter().zip(read(e, from, width)?) {
                flags = e.and(flags, word)?;
                e.write(*slot, word)?;
            }
        }
        e.icmp(IntPredicate::EQ, e.and(flags, long.const_int(THERE, false))?, long.const_zero())
    };
    e.repeat(is_missing, || Ok(()))?;
    let mut words = slots.iter();
    let mut next = || -> Emit<IntValue<'ctx>> {
        let slot = words.next().ok_or_else(|| bug("an accumulator of too few words"))?;
        e.and(e.read_int(*slot, long.const_zero())?, long.const_int(THERE - 1, false))
    };
    let mut values = Vec::with_capacity(layout.fields.len());
    for field in &layout.fields {
        let (components, words) = words_of(field.dtype);
        let mut parts = Vec::with_capacity(2);
        for _ in 0..components {
            let mut bits = next()?;
            if words == 2 {
                bits = e.or(bits, e.builder.build_left_shift(next()?, e.i64(32), "")?)?;
            }
            parts.push(component(e, bits, field.dtype)?);
        }
        values.push(match parts[..] {
            [re, im] => Scalar::Complex(re.into_float_value(), im.into_float_value()),
            _ => e.unpack(parts[0], field.dtype)?,
        });
    }
    Ok(values)
}

/// A component as it lies in memory, of its bits.
fn component<'ctx>(e: &Emitter<'ctx, '_>, bits: IntValue<'ctx>, dtype: DType) -> Emit<BasicValueEnum<'ctx>> {
    Ok(match e.memory_type(dtype) {
        BasicTypeEnum::IntType(ty) => e.resize_unsigned(bits, ty)?.into(),
        BasicTypeEnum::FloatType(ty) if ty == e.context.f32_type() => {
            e.bits_float(e.resize_unsigned(bits, e.context.i32_type())?)?.into()
        }
        _ => e.bits_float(bits)?.into(),
    })
}

/// One or two words.
fn read<'ctx>(e: &Emitter<'ctx, '_>, at: PointerValue<'ctx>, n: usize) -> Emit<Vec<IntValue<'ctx>>> {
    let long = e.context.i64_type();
    let at = e.builder.build_ptr_to_int(at, long, "")?;
    let call = |ty, text: &str, operands: &str| -> Emit<BasicValueEnum<'ctx>> {
        let (text, dialect) = (text.to_string(), Some(InlineAsmDialect::ATT));
        let assembly = e.context.create_inline_asm(ty, text, operands.to_string(), true, false, dialect, false);
        let call = e.builder.build_indirect_call(ty, assembly, &[at.into()], "")?;
        call.try_as_basic_value().basic().ok_or_else(|| bug("a load gives nothing"))
    };
    if n == 1 {
        let ty = long.fn_type(&[long.into()], false);
        return Ok(vec![call(ty, "ld.relaxed.gpu.global.b64 $0, [$1];", "=l,l,~{memory}")?.into_int_value()]);
    }
    let ty = e.context.struct_type(&[long.into(), long.into()], false).fn_type(&[long.into()], false);
    let pair = call(ty, "ld.relaxed.gpu.global.v2.b64 {$0, $1}, [$2];", "=l,=l,l,~{memory}")?.into_struct_value();
    let part = |n| -> Emit<IntValue<'ctx>> { Ok(e.builder.build_extract_value(pair, n, "")?.into_int_value()) };
    Ok(vec![part(0)?, part(1)?])
}
