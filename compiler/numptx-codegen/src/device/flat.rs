//! The flat variant of a map: a thread loads `vector` consecutive elements of every operand at once, computes them, stores them at once.
//!
//! The last thread with elements goes one by one where fewer than `vector` are left. There is no loop over the grid: a full grid was faster.

use inkwell::IntPredicate;
use inkwell::types::BasicType;
use inkwell::values::{BasicValueEnum, FunctionValue, IntValue, VectorValue};
use numptx_ir::DType;
use numptx_ir::kernel::{Access as Use, Kernel, Phase};

use super::launch::{Extra, Launch, Variant, access_of, first_flat};
use crate::elements::Elements;
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::phase::{loaded_operands, operand};
use crate::value::Scalar;

/// The widest access of a thread, in bytes; also what the runtime guarantees of the operands' alignment.
const WIDEST: u64 = 16;

/// Emits `<name>__flat32`.
pub(super) fn emit<'ctx>(e: &Emitter<'ctx, '_>, kernel: &Kernel, phase: &Phase) -> Emit<FunctionValue<'ctx>> {
    let variant = Variant { name: "flat32".to_string(), width: None, extra: &[Extra::I32], alignment: WIDEST };
    let launch = Launch::start(e, kernel, &variant)?;
    let vector = elements_a_thread(kernel);
    let first = e.resize_unsigned(first_flat(e, kernel, vector)?, e.context.i64_type())?;
    let n = e.resize_unsigned(launch.extra[0].into_int_value(), e.context.i64_type())?;
    let flat = Flat { kernel, phase, launch: &launch };
    let one_by_one = || e.count((first, n), e.i64(1), Some(e.short()?), |i| flat.element(e, i));
    if vector == 1 {
        let inside = e.icmp(IntPredicate::SLT, first, n)?;
        e.when(inside, || flat.element(e, first))?;
    } else {
        let full = e.icmp(IntPredicate::SLE, e.add(first, e.i64(vector))?, n)?;
        e.either(full, || flat.vector(e, first), one_by_one)?;
    }
    launch.finish(e)
}

/// Of a single work item there are no more.
fn elements_a_thread(kernel: &Kernel) -> i64 {
    if kernel.rank == 0 { 1 } else { i64::from(kernel.schedule.vector) }
}

struct Flat<'ctx, 'k> {
    kernel: &'k Kernel,
    phase: &'k Phase,
    launch: &'k Launch<'ctx>,
}

/// The elements of one operand in a thread's hands: one for all, or one each.
enum Held<'ctx> {
    One(Scalar<'ctx>),
    Each(VectorValue<'ctx>),
}

impl<'ctx> Flat<'ctx, '_> {
    fn elements(&self) -> Elements<'_, 'ctx> {
        Elements { kernel: self.kernel, bases: &self.launch.bases, scalars: &self.launch.scalars, group: None }
    }

    /// Element `i`.
    fn element(&self, e: &Emitter<'ctx, '_>, i: IntValue<'ctx>) -> Emit<()> {
        let address = |n: usize| -> Emit<_> {
            let operand = operand(self.kernel, n)?;
            match operand.is_scalar() {
                true => Ok(self.launch.bases[n]),
                false => e.at_element(self.launch.bases[n], i, operand.dtype),
            }
        };
        let outputs = e.phase_outputs(self.phase, &self.elements(), &[i], |n| {
            let operand = operand(self.kernel, n)?;
            e.load(address(n)?, operand.dtype, access_of(operand))
        })?;
        self.elements().scatter(e, self.phase, &outputs)?;
        e.phase_stores(self.phase, &outputs, |n, value| {
            let operand = operand(self.kernel, n)?;
            e.store(address(n)?, value, operand.dtype, Default::default())
        })
    }

    /// Elements `first..first + vector`.
    fn vector(&self, e: &Emitter<'ctx, '_>, first: IntValue<'ctx>) -> Emit<()> {
        let mut held = Vec::new();
        for n in loaded_operands(self.phase) {
            held.push((n, self.load(e, n, first)?));
        }
        let mut outputs = Vec::new();
        for lane in 0..self.kernel.schedule.vector {
            let i = e.add(first, e.i64(i64::from(lane)))?;
            let computed = e.phase_outputs(self.phase, &self.elements(), &[i], |n| {
                let held = held.iter().find(|h| h.0 == n).ok_or_else(|| bug(format!("operand {n} was not loaded")))?;
                match held.1 {
                    Held::One(value) => Ok(value),
                    Held::Each(vector) => self.extract(e, vector, lane, operand(self.kernel, n)?.dtype),
                }
            })?;
            self.elements().scatter(e, self.phase, &computed)?;
            outputs.push(computed);
        }
        for to in &self.phase.stores {
            let lanes = outputs.iter().map(|o| o.get(to.output).copied()).collect::<Option<Vec<_>>>();
            let lanes = lanes.ok_or_else(|| bug(format!("a phase has no output {}", to.output)))?;
            self.store(e, to.operand, first, &lanes)?;
        }
        Ok(())
    }

    fn load(&self, e: &Emitter<'ctx, '_>, n: usize, first: IntValue<'ctx>) -> Emit<Held<'ctx>> {
        let operand = operand(self.kernel, n)?;
        if operand.is_scalar() {
            return Ok(Held::One(e.load(self.launch.bases[n], operand.dtype, access_of(operand))?));
        }
        let address = e.at_element(self.launch.bases[n], first, operand.dtype)?;
        let (ty, alignment) = self.vector_type(e, operand.dtype)?;
        let vector = e.builder.build_load(ty, address, "")?.into_vector_value();
        let load = vector.as_instruction().ok_or_else(|| bug("a load is no instruction"))?;
        load.set_alignment(alignment).map_err(|error| bug(error.to_string()))?;
        if operand.access == Use::Read {
            e.describe(load, access_of(operand))?;
        }
        Ok(Held::Each(vector))
    }

    fn extract(&self, e: &Emitter<'ctx, '_>, vector: VectorValue<'ctx>, lane: u32, dtype: DType) -> Emit<Scalar<'ctx>> {
        let at = |n: u32| -> Emit<BasicValueEnum<'ctx>> {
            let position = e.context.i32_type().const_int(u64::from(n), false);
            Ok(e.builder.build_extract_element(vector, position, "")?)
        };
        match dtype.is_complex() {
            true => Ok(Scalar::Complex(at(2 * lane)?.into_float_value(), at(2 * lane + 1)?.into_float_value())),
            false => e.unpack(at(lane)?, dtype),
        }
    }

    fn store(&self, e: &Emitter<'ctx, '_>, n: usize, first: IntValue<'ctx>, lanes: &[Scalar<'ctx>]) -> Emit<()> {
        let operand = operand(self.kernel, n)?;
        if operand.is_scalar() {
            let last = lanes.last().ok_or_else(|| bug("a store without a value"))?;
            return e.store(self.launch.bases[n], *last, operand.dtype, Default::default());
        }
        let (ty, alignment) = self.vector_type(e, operand.dtype)?;
        let mut vector = ty.get_undef();
        let mut position = 0;
        for lane in lanes {
            for part in e.components(*lane, operand.dtype)? {
                let at = e.context.i32_type().const_int(position, false);
                vector = e.builder.build_insert_element(vector, part, at, "")?;
                position += 1;
            }
        }
        let address = e.at_element(self.launch.bases[n], first, operand.dtype)?;
        let store = e.builder.build_store(address, vector)?;
        store.set_alignment(alignment).map_err(|error| bug(error.to_string()))?;
        Ok(())
    }

    /// The vector of a thread's elements, and what it is aligned to.
    fn vector_type(&self, e: &Emitter<'ctx, '_>, dtype: DType) -> Emit<(inkwell::types::VectorType<'ctx>, u32)> {
        let lanes = self.kernel.schedule.vector * if dtype.is_complex() { 2 } else { 1 };
        let bytes = u64::from(lanes * e.memory_bytes(dtype));
        let ty = match e.memory_type(dtype) {
            inkwell::types::BasicTypeEnum::IntType(ty) => ty.vec_type(lanes),
            inkwell::types::BasicTypeEnum::FloatType(ty) => ty.vec_type(lanes),
            other => return Err(bug(format!("no vectors of {}", other.as_basic_type_enum()))),
        };
        Ok((ty, bytes.min(WIDEST) as u32))
    }
}
