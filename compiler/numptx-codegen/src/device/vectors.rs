//! Neighbouring elements of an operand that a thread loads or stores at once.
//!
//! In: the address of the first one, which is aligned to what is accessed, up to [`WIDEST`]. Out: the elements, one by one.

use inkwell::types::{BasicType, BasicTypeEnum, VectorType};
use inkwell::values::{BasicValueEnum, PointerValue, VectorValue};
use numptx_ir::DType;
use numptx_ir::kernel::{Access as Use, Operand};

use super::launch::access_of;
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::value::Scalar;

/// The widest access of a thread, in bytes; also what the runtime guarantees of the operands' alignment where elements are accessed so.
pub(super) const WIDEST: u64 = 16;

/// The elements of one operand in a thread's hands: one for all, or one each.
#[derive(Clone, Copy)]
pub(super) enum Held<'ctx> {
    One(Scalar<'ctx>),
    Each(VectorValue<'ctx>),
}

impl<'ctx> Held<'ctx> {
    /// One of the elements.
    pub fn lane(self, e: &Emitter<'ctx, '_>, lane: u32, dtype: DType) -> Emit<Scalar<'ctx>> {
        let vector = match self {
            Held::One(value) => return Ok(value),
            Held::Each(vector) => vector,
        };
        let at = |n: u32| -> Emit<BasicValueEnum<'ctx>> {
            let position = e.context.i32_type().const_int(u64::from(n), false);
            Ok(e.builder.build_extract_element(vector, position, "")?)
        };
        match dtype.is_complex() {
            true => Ok(Scalar::Complex(at(2 * lane)?.into_float_value(), at(2 * lane + 1)?.into_float_value())),
            false => e.unpack(at(lane)?, dtype),
        }
    }
}

/// Loads so many elements; of a scalar its only one.
pub(super) fn load_vector<'ctx>(
    e: &Emitter<'ctx, '_>,
    operand: &Operand,
    lanes: u32,
    address: PointerValue<'ctx>,
) -> Emit<Held<'ctx>> {
    if operand.is_scalar() {
        return Ok(Held::One(e.load(address, operand.dtype, access_of(operand))?));
    }
    let (ty, alignment) = vector_type(e, operand.dtype, lanes)?;
    let vector = e.builder.build_load(ty, address, "")?.into_vector_value();
    let load = vector.as_instruction().ok_or_else(|| bug("a load is no instruction"))?;
    load.set_alignment(alignment).map_err(|error| bug(error.to_string()))?;
    if operand.access == Use::Read {
        e.describe(load, access_of(operand))?;
    }
    Ok(Held::Each(vector))
}

/// Stores elements; of a scalar the last of them.
pub(super) fn store_vector<'ctx>(
    e: &Emitter<'ctx, '_>,
    operand: &Operand,
    address: PointerValue<'ctx>,
    lanes: &[Scalar<'ctx>],
) -> Emit<()> {
    if operand.is_scalar() {
        let last = lanes.last().ok_or_else(|| bug("a store without a value"))?;
        return e.store(address, *last, operand.dtype, Default::default());
    }
    let (ty, alignment) = vector_type(e, operand.dtype, lanes.len() as u32)?;
    let mut vector = ty.get_undef();
    let mut position = 0;
    for lane in lanes {
        for part in e.components(*lane, operand.dtype)? {
            let at = e.context.i32_type().const_int(position, false);
            vector = e.builder.build_insert_element(vector, part, at, "")?;
            position += 1;
        }
    }
    let store = e.builder.build_store(address, vector)?;
    store.set_alignment(alignment).map_err(|error| bug(error.to_string()))?;
    Ok(())
}

/// The vector of so many elements, and what it is aligned to.
fn vector_type<'ctx>(e: &Emitter<'ctx, '_>, dtype: DType, lanes: u32) -> Emit<(VectorType<'ctx>, u32)> {
    let components = lanes * if dtype.is_complex() { 2 } else { 1 };
    let bytes = u64::from(components * e.memory_bytes(dtype));
    let ty = match e.memory_type(dtype) {
        BasicTypeEnum::IntType(ty) => ty.vec_type(components),
        BasicTypeEnum::FloatType(ty) => ty.vec_type(components),
        other => return Err(bug(format!("no vectors of {}", other.as_basic_type_enum()))),
    };
    Ok((ty, bytes.min(WIDEST) as u32))
}
