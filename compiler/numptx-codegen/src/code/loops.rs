//! What any loop of a program needs: slots for what it carries, and the number of its iterations.

use inkwell::IntPredicate;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};
use numptx_ir::DType;
use numptx_ir::dtype::Kind;

use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::value::Scalar;

/// Where a value lies while control flow decides what it is; of a complex number each part.
pub(super) struct Slot<'ctx> {
    dtype: DType,
    parts: Vec<PointerValue<'ctx>>,
}

impl<'ctx> Slot<'ctx> {
    pub(super) fn new(e: &Emitter<'ctx, '_>, dtype: DType) -> Emit<Self> {
        let n = if dtype.is_complex() { 2 } else { 1 };
        let parts = (0..n).map(|_| e.slot(Slot::part(e, dtype), "carried")).collect::<Emit<Vec<_>>>()?;
        Ok(Slot { dtype, parts })
    }

    fn part(e: &Emitter<'ctx, '_>, dtype: DType) -> BasicTypeEnum<'ctx> {
        match dtype.kind() {
            Kind::Bool | Kind::Signed | Kind::Unsigned => e.int_type(dtype).into(),
            Kind::Float | Kind::Complex => e.float_type(dtype).into(),
        }
    }

    pub(super) fn write(&self, e: &Emitter<'ctx, '_>, value: Scalar<'ctx>) -> Emit<()> {
        let parts: Vec<BasicValueEnum<'ctx>> = match value {
            Scalar::Int(value) => vec![value.into()],
            Scalar::Float(value) => vec![value.into()],
            Scalar::Complex(re, im) => vec![re.into(), im.into()],
        };
        self.parts.iter().zip(parts).try_for_each(|(slot, part)| e.write(*slot, part))
    }

    pub(super) fn read(&self, e: &Emitter<'ctx, '_>) -> Emit<Scalar<'ctx>> {
        let load = |slot: &PointerValue<'ctx>| e.builder.build_load(Slot::part(e, self.dtype), *slot, "");
        match self.parts.as_slice() {
            [re, im] => Ok(Scalar::Complex(load(re)?.into_float_value(), load(im)?.into_float_value())),
            [slot] => match load(slot)? {
                BasicValueEnum::IntValue(value) => Ok(Scalar::Int(value)),
                BasicValueEnum::FloatValue(value) => Ok(Scalar::Float(value)),
                _ => Err(bug("a slot holds neither an integer nor a float")),
            },
            _ => Err(bug("a slot has one or two parts")),
        }
    }
}

/// Number of iterations of `range(lower, upper, step)`, in 64 unsigned bits. `known`: the step, if it is a constant.
pub(super) fn trip_count<'ctx>(
    e: &Emitter<'ctx, '_>,
    (lower, upper): (IntValue<'ctx>, IntValue<'ctx>),
    (step, known): (IntValue<'ctx>, Option<i64>),
) -> Emit<IntValue<'ctx>> {
    let (zero, one) = (e.i64(0), e.i64(1));
    let towards = |up: bool| -> Emit<IntValue<'ctx>> {
        let (from, to, step) = if up { (lower, upper, step) } else { (upper, lower, e.sub(zero, step)?) };
        let some = e.icmp(IntPredicate::SLT, from, to)?;
        let distance = e.sub(to, from)?;
        let count = match known {
            Some(1 | -1) => distance,
            _ => e.add(e.udiv(e.sub(distance, one)?, step)?, one)?,
        };
        e.select(some, count, zero)
    };
    match known.map(i64::signum) {
        Some(1) => towards(true),
        Some(-1) => towards(false),
        _ => {
            let up = e.icmp(IntPredicate::SGT, step, zero)?;
            // A step of 0 is ruled out before; 1 stands in for it, because a division by 0 would be undefined.
            let is_zero = e.icmp(IntPredicate::EQ, step, zero)?;
            let size = e.select(up, step, e.sub(zero, step)?)?;
            let size = e.select(is_zero, one, size)?;
            let (from, to) = (e.select(up, lower, upper)?, e.select(up, upper, lower)?);
            let some = e.icmp(IntPredicate::SLT, from, to)?;
            let full = e.udiv(e.sub(e.sub(to, from)?, one)?, size)?;
            e.select(some, e.add(full, one)?, zero)
        }
    }
}
