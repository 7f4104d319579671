//! Scatters whose work items run at the same time, and what they need to end as if they had run in C order. See `crate::claims` for which do.
//!
//! What `bins.rs`, `places.rs` and `sums.rs` emit knows each element by its place in memory. For others the runtime gives memory, filled with ones: a
//! flag, a table of twice as many words as work items that may meet, and, where work items go on from each other, a word for each of them. `claim64` enters
//! every point into the table, open addressing by a key that tells elements apart. A word of the table holds a work item's number; its key is computed
//! again, so it need not lie there. If only the last work item counts, the word ends as the largest number of its key; else it ends as some work item,
//! from which the others are chained. `settle64` has the work item in the table write its element: itself, or its chain in C order. Chains that are long
//! stay: the flag is set, and `sequential64` does them.
//!
//! Whatever order the threads run in, the same values are written.

mod atomics;
pub(super) mod bins;
pub(super) mod places;
pub(super) mod sums;
pub(super) mod table;

use inkwell::IntPredicate;
use inkwell::values::{FunctionValue, IntValue};
use numptx_ir::kernel::{Kernel, Phase};

use self::table::Claims;
use super::launch::{Extra, Launch, Variant, Width, access_of, place};
use crate::claims::Claiming;
use crate::elements::Elements;
use crate::emitter::Emitter;
use crate::error::Emit;
use crate::phase::operand;

/// The memory, and how many words the table has.
pub(super) const EXTRA: &[Extra] = &[Extra::Pointer, Extra::I64];

/// Emits `<name>__claim64`: a thread a work item of the axes along which work items may meet.
pub(super) fn emit_claim<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    phase: &Phase,
    claiming: &Claiming,
) -> Emit<FunctionValue<'ctx>> {
    let launch = start(e, kernel, "claim64", EXTRA)?;
    let claims = Claims::new(kernel, phase, &launch, claiming)?;
    let (thread, threads) = place(e, 'x')?;
    let work_items = claims.work_items(e)?;
    e.count((thread, work_items), threads, None, |number| claims.enter(e, number))?;
    launch.finish(e)
}

/// Emits `<name>__settle64`: a thread a work item.
pub(super) fn emit_settle<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    phase: &Phase,
    claiming: &Claiming,
) -> Emit<FunctionValue<'ctx>> {
    let launch = start(e, kernel, "settle64", EXTRA)?;
    let claims = Claims::new(kernel, phase, &launch, claiming)?;
    each_work_item(e, &launch, 0..kernel.rank, |work_item| {
        let indices = launch.decompose(e, 0..kernel.rank, work_item)?;
        claims.where_it_writes(e, &indices, || {
            let own = e.resize_signed(claims.number(e, &indices)?, e.context.i32_type())?;
            let found = claims.holder(e, &indices, Some(own))?;
            let is_own = e.icmp(IntPredicate::EQ, found, own)?;
            e.when(is_own, || match claiming.chains {
                true => claims.chain(e, own, &indices),
                false => run(e, kernel, phase, &launch, &indices),
            })
        })
    })?;
    launch.finish(e)
}

fn start<'ctx>(e: &Emitter<'ctx, '_>, kernel: &Kernel, name: &str, extra: &[Extra]) -> Emit<Launch<'ctx>> {
    Launch::start(e, kernel, &Variant { name: name.to_string(), width: Some(Width::Bits64), extra, alignment: 1 })
}

fn each_work_item<'ctx>(
    e: &Emitter<'ctx, '_>,
    launch: &Launch<'ctx>,
    axes: std::ops::Range<usize>,
    body: impl FnOnce(IntValue<'ctx>) -> Emit<()>,
) -> Emit<()> {
    let (thread, threads) = place(e, 'x')?;
    let work_items = launch.work_items(e, axes, e.i64(1))?;
    e.count((thread, work_items), threads, None, body)
}

fn elements<'a, 'ctx>(kernel: &'a Kernel, launch: &'a Launch<'ctx>) -> Elements<'a, 'ctx> {
    Elements { kernel, bases: &launch.bases, scalars: &launch.scalars, group: None }
}

/// What a phase's body gives at a work item.
pub(super) fn outputs<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    phase: &Phase,
    launch: &Launch<'ctx>,
    indices: &[IntValue<'ctx>],
) -> Emit<Vec<crate::value::Scalar<'ctx>>> {
    e.phase_outputs(phase, &elements(kernel, launch), indices, |n| {
        let operand = operand(kernel, n)?;
        let address = launch.address(e, kernel, (n, launch.bases[n]), 0, indices)?;
        e.load(address, operand.dtype, access_of(operand))
    })
}

/// All that a work item does.
pub(super) fn run<'ctx>(
    e: &Emitter<'ctx, '_>,
    kernel: &Kernel,
    phase: &Phase,
    launch: &Launch<'ctx>,
    indices: &[IntValue<'ctx>],
) -> Emit<()> {
    let outputs = outputs(e, kernel, phase, launch, indices)?;
    elements(kernel, launch).scatter(e, phase, &outputs)
}
