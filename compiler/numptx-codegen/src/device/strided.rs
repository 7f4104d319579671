//! The strided variants of a map, and those of a kernel with code: one thread a work item. x (and z, where x ends) runs along the last axis, y over the linear
//! index of the others. The launch shapes the blocks: where the last axis is short, a block takes several rows of it.

use inkwell::IntPredicate;
use inkwell::values::{FunctionValue, IntValue};
use numptx_ir::kernel::{Kernel, Phase};
use numptx_ir::scalar::Code;

use super::lanes::Lanes;
use super::launch::{Launch, Variant, Width, access_of, place, point_x, register};
use super::warp::WARP;
use crate::code::{Turns, Updates};
use crate::elements::Elements;
use crate::emitter::Emitter;
use crate::error::Emit;
use crate::phase::operand;

/// Emits `<name>__strided32` or `64`.
pub(super) fn emit<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    phase: &Phase,
    width: Width,
) -> Emit<FunctionValue<'ctx>> {
    emit_work_items(e, kernel, width, |launch, indices| work_item(e, kernel, phase, launch, indices))
}

/// Emits `<name>__strided64` of a kernel with code, which finds elements by strides of 64 bits. Where lanes take turns in a work item, few work items are a
/// warp's each.
pub(super) fn emit_code<'ctx>(e: &Emitter<'ctx, '_>, kernel: &Kernel, code: &Code) -> Emit<FunctionValue<'ctx>> {
    let width = Width::Bits64;
    let Some(updates) = Updates::of(kernel) else {
        return emit_work_items(e, kernel, width, |launch, indices| {
            let elements = Elements { kernel, bases: &launch.bases, scalars: &launch.scalars, group: None };
            e.code(code, &elements, indices)
        });
    };
    let launch = start(e, kernel, width)?;
    let elements = Elements { kernel, bases: &launch.bases, scalars: &launch.scalars, group: None };
    let thread = point_x(e)?;
    let shared = |indices: &[IntValue<'ctx>]| {
        let thread = register(e, "tid.x")?;
        let lanes = Lanes { lane: e.and(thread, e.int_like(thread, i64::from(WARP) - 1))? };
        e.shared_code(code, &elements, indices, Turns { updates: &updates, warp: &lanes })
    };
    let warp = e.udiv(thread, e.i64(i64::from(WARP)))?;
    match launch.extents.first() {
        None => e.when(e.icmp_with(IntPredicate::EQ, warp, 0)?, || shared(&[]))?,
        Some(extent) => {
            let are_few = e.icmp_with(IntPredicate::SLE, *extent, numptx_abi::Kernel::TURNS_POINTS)?;
            let inside = |x: IntValue<'ctx>| e.icmp(IntPredicate::SLT, x, *extent);
            e.either(
                are_few,
                || e.when(inside(warp)?, || shared(&[warp])),
                || e.when(inside(thread)?, || e.code(code, &elements, &[thread])),
            )?;
        }
    }
    launch.finish(e)
}

fn start<'ctx>(e: &Emitter<'ctx, '_>, kernel: &Kernel, width: Width) -> Emit<Launch<'ctx>> {
    let variant = Variant { name: format!("strided{}", width.suffix()), width: Some(width), extra: &[], alignment: 1 };
    Launch::start(e, kernel, &variant)
}

fn emit_work_items<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    width: Width,
    work_item: impl FnOnce(&Launch<'ctx>, &[IntValue<'ctx>]) -> Emit<()>,
) -> Emit<FunctionValue<'ctx>> {
    let launch = start(e, kernel, width)?;
    let one = width.int(e).const_int(1, false);
    let x = match width {
        Width::Bits32 => e.resize_unsigned(place(e, 'x')?.0, width.int(e))?,
        Width::Bits64 => point_x(e)?,
    };
    let last = kernel.rank.checked_sub(1);
    let inside = e.icmp(IntPredicate::ULT, x, last.map_or(one, |last| launch.extents[last]))?;
    e.when(inside, || match last {
        None => work_item(&launch, &[]),
        Some(0) => work_item(&launch, &[x]),
        Some(last) => {
            let (first, step) = place(e, 'y')?;
            let rows = e.resize_unsigned(launch.work_items(e, 0..last, one)?, e.context.i64_type())?;
            e.count((first, rows), step, Some(e.short()?), |row| {
                let row = e.resize_unsigned(row, width.int(e))?;
                let mut indices = launch.decompose(e, 0..last, row)?;
                indices.push(x);
                work_item(&launch, &indices)
            })
        }
    })?;
    launch.finish(e)
}

fn work_item<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    phase: &Phase,
    launch: &Launch<'ctx>,
    indices: &[IntValue<'ctx>],
) -> Emit<()> {
    let address = |n: usize| launch.address(e, kernel, (n, launch.bases[n]), 0, indices);
    let wide = indices.iter().map(|i| e.resize_unsigned(*i, e.context.i64_type())).collect::<Emit<Vec<_>>>()?;
    let elements = Elements { kernel, bases: &launch.bases, scalars: &launch.scalars, group: None };
    let outputs = e.phase_outputs(phase, &elements, &wide, |n| {
        let operand = operand(kernel, n)?;
        e.load(address(n)?, operand.dtype, access_of(operand))
    })?;
    elements.scatter(e, phase, &outputs)?;
    e.phase_stores(phase, &outputs, |n, value| {
        e.store(address(n)?, value, operand(kernel, n)?.dtype, Default::default())
    })
}
