//! What the `if`s decide that the compiler made around the kernels of a loop.
//!
//! In: an `if` that stands at the header of a loop; no `if` of the source does. Out: what it tells of calls.

use numptx_ir::array::{Function, Op, OpKind, Region, ValueId};
use numptx_ir::kernel::Kernel;
use numptx_ir::scalar::ScalarOp;
use numptx_passes::chunk_of;
use numptx_source::Span;

use super::formula::Formulas;

/// What an `if` decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Whether the kernels run, or the loop as it is written.
    Kernels,
    /// Whether a check of work items failed: only the first branch runs where none did.
    Done,
    /// The same: only the second branch runs where none did.
    Failed,
    /// Whether many threads share the iterations, or one runs them all.
    Shared,
    /// What a device runs, or what the host does.
    Device,
}

/// What an `if` at the header of a loop decides; `None` if that is whether the loop runs at all, as an `if` of the source around it or an early `return`.
pub fn choice_of(op: &Op, formulas: &Formulas<'_>, kernels: &[Kernel]) -> Option<Choice> {
    let condition = op.operands.first().and_then(|v| formulas.definition(*v));
    match condition.map(|condition| (&condition.kind, &condition.operands)) {
        Some((OpKind::If, _)) => return Some(Choice::Done),
        Some((OpKind::Scalar(ScalarOp::Eq), operands)) if is_fault(operands, formulas) => return Some(Choice::Done),
        Some((OpKind::Scalar(ScalarOp::Ne), operands)) if is_fault(operands, formulas) => return Some(Choice::Failed),
        _ => {}
    }
    let otherwise = &op.regions[1];
    // What one thread runs on the host is named; other kernels are as good.
    let has_kernels = !has_thread(otherwise, op.span, kernels);
    if has_kernels && op.operands.first().is_some_and(|v| asks_for_device(*v, formulas)) {
        return Some(Choice::Device);
    }
    if !has_loop(otherwise, op.span) && runs_code(otherwise, kernels) {
        return Some(Choice::Shared);
    }
    let [then, otherwise] = [&op.regions[0], otherwise];
    let is_around = has_loop(then, op.span) && !has_loop(otherwise, op.span);
    (!is_around && launches(then, op.span.start)).then_some(Choice::Kernels)
}

/// Whether kernels are started for what begins there or after.
fn launches(region: &Region, start: u32) -> bool {
    region.ops.iter().any(|op| {
        (matches!(op.kind, OpKind::Launch(_)) && op.span.start >= start)
            || op.regions.iter().any(|nested| launches(nested, start))
    })
}

/// Whether a program of work items is started in a region, on a device or on the host.
fn runs_code(region: &Region, kernels: &[Kernel]) -> bool {
    region.ops.iter().any(|op| match op.kind {
        OpKind::Launch(kernel) => kernels[kernel.0 as usize].code().is_some(),
        OpKind::If => op.regions.iter().any(|nested| runs_code(nested, kernels)),
        _ => false,
    })
}

/// Whether a condition asks for a device.
fn asks_for_device(condition: ValueId, formulas: &Formulas<'_>) -> bool {
    formulas.definition(condition).is_some_and(|op| match op.kind {
        OpKind::OneLaunch => formulas.is_zero(op.operands[2]),
        OpKind::Scalar(ScalarOp::BitAnd) => op.operands.iter().any(|v| asks_for_device(*v, formulas)),
        _ => false,
    })
}

/// Whether one of two values is read from memory, as only the number of a check that failed is.
fn is_fault(operands: &[ValueId], formulas: &Formulas<'_>) -> bool {
    operands.iter().any(|v| formulas.definition(*v).is_some_and(|op| op.kind == OpKind::Item))
}

/// Whether an `if` at a loop's header, or one in that, lets one thread run the loop.
fn has_thread(region: &Region, span: Span, kernels: &[Kernel]) -> bool {
    region.ops.iter().any(|op| match op.kind {
        OpKind::Launch(kernel) => {
            let kernel = &kernels[kernel.0 as usize];
            kernel.code().is_some() && kernel.rank == 0 && op.span == span
        }
        OpKind::If if op.span == span => op.regions.iter().any(|region| has_thread(region, span, kernels)),
        _ => false,
    })
}

/// Whether a loop of the program is in a region, as it is written or around its kernels.
fn has_loop(region: &Region, span: Span) -> bool {
    region.ops.iter().any(|op| {
        (matches!(op.kind, OpKind::For | OpKind::While) && op.span == span && chunk_of(op).is_none())
            || op.regions.iter().any(|nested| has_loop(nested, span))
    })
}

/// The conditions of the `if`s that choose between a loop's kernels and the loop as written, in order; and whether one thread runs it where they do
/// not hold, in its order, under conditions of its own.
pub fn conditions_of(
    span: Span,
    function: &Function,
    formulas: &Formulas<'_>,
    kernels: &[Kernel],
) -> Vec<(ValueId, bool)> {
    let mut found = Vec::new();
    let mut pending: Vec<&Op> = function.body.ops.iter().rev().collect();
    while let Some(op) = pending.pop() {
        let choice = if op.kind == OpKind::If && op.span == span { choice_of(op, formulas, kernels) } else { None };
        if let Some(choice) = choice {
            let is_choice = choice == Choice::Kernels;
            let is_in_order = op.regions.last().is_some_and(|region| has_thread(region, span, kernels));
            // Where the kernels do not run, that is what runs, too.
            if let Some((_, is_elsewhere)) = found.last_mut().filter(|_| choice == Choice::Done) {
                *is_elsewhere |= is_in_order;
            }
            found.extend(op.operands.first().filter(|_| is_choice).map(|condition| (*condition, is_in_order)));
        } else {
            pending.extend(op.regions.iter().rev().flat_map(|region| region.ops.iter().rev()));
        }
    }
    found
}
