//! The only variant of kernels with scatters: as if the points ran in C order, without a word between threads.
//!
//! Every thread goes through all points in order and does those whose element is its own: elements are dealt out by their address. So each
//! element's writes come in order, whatever the duplicates, and results never change from run to run.

use inkwell::IntPredicate;
use inkwell::values::{FunctionValue, IntValue};
use numptx_ir::kernel::{Kernel, Phase};
use numptx_ir::scalar::{Body, BodyBuilder, Val};

use super::launch::{Launch, Variant, Width, access_of, place};
use crate::elements::Elements;
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::phase::operand;
use crate::value::Scalar;

/// Emits `<name>__sequential64`. The number of threads is a power of two.
pub(super) fn emit<'ctx>(e: &Emitter<'ctx, '_>, kernel: &Kernel, phase: &Phase) -> Emit<FunctionValue<'ctx>> {
    let width = Width::Bits64;
    let variant = Variant { name: "sequential64".to_string(), width: Some(width), extra: &[], alignment: 1 };
    let launch = Launch::start(e, kernel, &variant)?;
    let (thread, threads) = place(e, 'x')?;
    let wide = e.context.i64_type();
    let (thread, threads) = (e.resize_unsigned(thread, wide)?, e.resize_unsigned(threads, wide)?);
    let [scatter] = phase.scatters.as_slice() else { return Err(bug("a kernel scatters to several tables")) };
    let at = only(&phase.body, &scatter.at);
    let itemsize = operand(kernel, kernel.tables[scatter.table].operand)?.dtype.itemsize();
    let deal = Deal {
        kernel,
        phase,
        launch: &launch,
        at,
        table: scatter.table,
        itemsize,
        thread,
        last: e.sub(threads, e.i64(1))?,
    };
    deal.axes(e, &mut Vec::new())?;
    launch.finish(e)
}

/// The body with some of its outputs only.
fn only(body: &Body, outputs: &[usize]) -> Body {
    let mut builder = BodyBuilder::new();
    let inputs: Vec<Val> = inputs_of(body, &mut builder);
    let all = builder.inline(body, &inputs, None);
    builder.finish(outputs.iter().filter_map(|n| all.get(*n).copied()).collect())
}

fn inputs_of(body: &Body, builder: &mut BodyBuilder) -> Vec<Val> {
    let mut inputs: Vec<Val> = Vec::new();
    for instr in &body.instrs {
        if let numptx_ir::scalar::InstrKind::Input(n) = instr.kind {
            let val = builder.input(n, instr.dtype);
            inputs.resize(inputs.len().max(n as usize + 1), val);
            inputs[n as usize] = val;
        }
    }
    inputs
}

struct Deal<'ctx, 'k> {
    kernel: &'k Kernel,
    phase: &'k Phase,
    launch: &'k Launch<'ctx>,
    /// Computes the indices alone.
    at: Body,
    table: usize,
    itemsize: usize,
    thread: IntValue<'ctx>,
    /// The number of threads less one.
    last: IntValue<'ctx>,
}

impl<'ctx> Deal<'ctx, '_> {
    /// The loops over the axes that are left, the last one innermost.
    fn axes(&self, e: &Emitter<'ctx, '_>, indices: &mut Vec<IntValue<'ctx>>) -> Emit<()> {
        let Some(extent) = self.launch.extents.get(indices.len()).copied() else { return self.point(e, indices) };
        e.count((e.i64(0), extent), e.i64(1), None, |i| {
            indices.push(i);
            self.axes(e, indices)?;
            indices.pop();
            Ok(())
        })
    }

    fn point(&self, e: &Emitter<'ctx, '_>, indices: &[IntValue<'ctx>]) -> Emit<()> {
        let (kernel, phase, launch) = (self.kernel, self.phase, self.launch);
        let elements = Elements { kernel, bases: &launch.bases, scalars: &launch.scalars, group: None };
        let load = |n: usize| -> Emit<Scalar<'ctx>> {
            let operand = operand(kernel, n)?;
            let address = launch.address(e, kernel, (n, launch.bases[n]), 0, indices)?;
            e.load(address, operand.dtype, access_of(operand))
        };
        let where_to = Phase { body: self.at.clone(), scatters: Vec::new(), ..phase.clone() };
        let at = e.phase_outputs(&where_to, &elements, indices, load)?;
        let offset = elements.offset(e, self.table, &at)?;
        let element =
            e.builder.build_right_shift(offset, e.i64(i64::from(self.itemsize.trailing_zeros())), true, "")?;
        let is_own = e.icmp(IntPredicate::EQ, e.and(element, self.last)?, self.thread)?;
        e.when(is_own, || {
            let outputs = e.phase_outputs(phase, &elements, indices, load)?;
            elements.scatter(e, phase, &outputs)
        })
    }
}
