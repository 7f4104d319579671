//! The flat variant of a map: a thread loads `vector` consecutive elements of every operand at once, computes them, stores them at once.
//!
//! The last thread with elements goes one by one where fewer than `vector` are left. There is no loop over the grid: a full grid was faster.

use inkwell::IntPredicate;
use inkwell::values::{FunctionValue, IntValue, PointerValue};
use numptx_ir::kernel::{Kernel, Phase};

use super::launch::{Extra, Launch, Variant, access_of, first_flat};
use super::vectors::{WIDEST, load_vector, store_vector};
use crate::elements::Elements;
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::phase::{loaded_operands, operand};

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

impl<'ctx> Flat<'ctx, '_> {
    fn elements(&self) -> Elements<'_, 'ctx> {
        Elements { kernel: self.kernel, bases: &self.launch.bases, scalars: &self.launch.scalars, group: None }
    }

    fn address(&self, e: &Emitter<'ctx, '_>, n: usize, i: IntValue<'ctx>) -> Emit<PointerValue<'ctx>> {
        let operand = operand(self.kernel, n)?;
        match operand.is_scalar() {
            true => Ok(self.launch.bases[n]),
            false => e.at_element(self.launch.bases[n], i, operand.dtype),
        }
    }

    /// Element `i`.
    fn element(&self, e: &Emitter<'ctx, '_>, i: IntValue<'ctx>) -> Emit<()> {
        let outputs = e.phase_outputs(self.phase, &self.elements(), &[i], |n| {
            let operand = operand(self.kernel, n)?;
            e.load(self.address(e, n, i)?, operand.dtype, access_of(operand))
        })?;
        self.elements().scatter(e, self.phase, &outputs)?;
        e.phase_stores(self.phase, &outputs, |n, value| {
            let operand = operand(self.kernel, n)?;
            e.store(self.address(e, n, i)?, value, operand.dtype, Default::default())
        })
    }

    /// Elements `first..first + vector`.
    fn vector(&self, e: &Emitter<'ctx, '_>, first: IntValue<'ctx>) -> Emit<()> {
        let lanes = self.kernel.schedule.vector;
        let mut held = Vec::new();
        for n in loaded_operands(self.phase) {
            held.push((n, load_vector(e, operand(self.kernel, n)?, lanes, self.address(e, n, first)?)?));
        }
        let mut outputs = Vec::new();
        for lane in 0..lanes {
            let i = e.add(first, e.i64(i64::from(lane)))?;
            let computed = e.phase_outputs(self.phase, &self.elements(), &[i], |n| {
                let held = held.iter().find(|h| h.0 == n).ok_or_else(|| bug(format!("operand {n} was not loaded")))?;
                held.1.lane(e, lane, operand(self.kernel, n)?.dtype)
            })?;
            self.elements().scatter(e, self.phase, &computed)?;
            outputs.push(computed);
        }
        for to in &self.phase.stores {
            let lanes = outputs.iter().map(|o| o.get(to.output).copied()).collect::<Option<Vec<_>>>();
            let lanes = lanes.ok_or_else(|| bug(format!("a phase has no output {}", to.output)))?;
            let address = self.address(e, to.operand, first)?;
            store_vector(e, operand(self.kernel, to.operand)?, address, &lanes)?;
        }
        Ok(())
    }
}
