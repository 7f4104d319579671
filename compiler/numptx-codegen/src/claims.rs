//! How the work items of a scatter can run at the same time on a device.
//!
//! In: a kernel that scatters. Out: whether work items combine integers, so that atomic operations do it in any order; else which work items have to find
//! out who writes the same element. Nothing is emitted here; both the device's variants and the kernel's descriptor follow it.

use numptx_ir::DType;
use numptx_ir::dtype::Kind;
use numptx_ir::kernel::{Input, Kernel, Phase, ScatterTo};
use numptx_ir::scalar::{Body, BodyBuilder, InstrKind, ScalarOp, Val};

use crate::CodegenOptions;

/// What a scatter's work items do so that they need not run in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Together {
    /// Each combines its element with a value by one operation on integers, which gives the same in every order, or on floats, if that may show.
    Combining(Combining),
    /// Each finds out which work items write its element.
    Claiming(Claiming),
    /// Nothing is known of them: they look at each other.
    Nothing,
}

/// An operation on the element, and a body whose first output is the other operand, and whose others are the element's indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Combining {
    pub op: ScalarOp,
    pub body: Body,
}

/// Work items that differ in their index along another axis than `axes` write different elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Claiming {
    /// The axes of the iteration space along which work items may meet, ascending.
    pub axes: Vec<usize>,
    /// The axes of the table whose indices tell elements apart that work items of these axes write.
    pub key: Vec<usize>,
    /// Whether each work item reads what the one before it wrote to its element; else the last one is all that counts.
    pub chains: bool,
    /// Where that is to add a float to it, or to take it away; the last output of the body is whether it does, where the scatter has a condition.
    pub adding: Option<Combining>,
}

impl Together {
    /// Of a kernel with one phase. Several scatters are as one if their work items write the same places, and read none of them.
    pub fn of(kernel: &Kernel, phase: &Phase, options: &CodegenOptions) -> Together {
        let [scatter, others @ ..] = phase.scatters.as_slice() else { return Together::Nothing };
        if !others.is_empty() {
            let is_alike = |other: &ScatterTo| other.at == scatter.at && other.when == scatter.when;
            let reads = |scatter: &ScatterTo| reads_table(&phase.body, scatter.table);
            if !others.iter().all(is_alike) || phase.scatters.iter().any(reads) {
                return Together::Nothing;
            }
        } else if let Some(combining) = combining(kernel, phase, scatter) {
            return Together::Combining(combining);
        } else if options.fp_atomics
            && scatter.when.is_none()
            && let Some(adding) = adding(kernel, phase, scatter)
        {
            return Together::Combining(adding);
        }
        claiming(kernel, phase, scatter).map_or(Together::Nothing, Together::Claiming)
    }

    /// The flags of a kernel's descriptor that say it.
    pub fn flags(&self) -> u16 {
        match self {
            Together::Combining(_) => numptx_abi::Kernel::COMBINES,
            Together::Claiming(claiming) if claiming.chains => numptx_abi::Kernel::CLAIMS | numptx_abi::Kernel::CHAINS,
            Together::Claiming(_) => numptx_abi::Kernel::CLAIMS,
            Together::Nothing => 0,
        }
    }

    /// The operand that variants by places write to; `None`: there are none.
    pub fn destination(&self, kernel: &Kernel, phase: &Phase) -> Option<usize> {
        let [scatter] = phase.scatters.as_slice() else { return None };
        let operand = kernel.tables.get(scatter.table)?.operand;
        let has_places = match self {
            Together::Combining(_) => kernel.operands.get(operand)?.dtype.kind() != Kind::Float,
            Together::Claiming(claiming) if claiming.chains => claiming.adding.is_some(),
            Together::Claiming(claiming) => claiming.axes.len() == kernel.rank,
            Together::Nothing => false,
        };
        (has_places && operand < usize::from(u16::MAX)).then_some(operand)
    }

    /// The axes of [`Claiming`] as bits.
    pub fn claim_axes(&self) -> u16 {
        match self {
            Together::Claiming(claiming) => claiming.axes.iter().fold(0, |bits, axis| bits | 1 << axis),
            _ => 0,
        }
    }
}

/// The axes whose index is an index of the element that a work item writes.
pub(crate) fn free_axes(body: &Body, at: &[usize]) -> Vec<usize> {
    let mut axes: Vec<usize> = at.iter().filter_map(|n| axis_of(body, *n)).collect();
    axes.sort_unstable();
    axes.dedup();
    axes
}

/// The axis whose index an output is.
fn axis_of(body: &Body, output: usize) -> Option<usize> {
    match body.instrs.get(body.outputs.get(output)?.0 as usize)?.kind {
        InstrKind::Index(axis) => Some(axis as usize),
        _ => None,
    }
}

/// A body with some of another's values as its outputs.
pub(crate) fn only(body: &Body, outputs: &[Val]) -> Body {
    let mut builder = BodyBuilder::new();
    let inputs: Vec<Val> = inputs_of(body, &mut builder);
    let body = Body { outputs: outputs.to_vec(), ..body.clone() };
    let outputs = builder.inline(&body, &inputs, None);
    builder.finish(outputs)
}

/// The values of some outputs.
pub(crate) fn values_of(body: &Body, outputs: &[usize]) -> Vec<Val> {
    outputs.iter().filter_map(|n| body.outputs.get(*n).copied()).collect()
}

fn inputs_of(body: &Body, builder: &mut BodyBuilder) -> Vec<Val> {
    let mut inputs: Vec<Val> = Vec::new();
    for instr in &body.instrs {
        if let InstrKind::Input(n) = instr.kind {
            let val = builder.input(n, instr.dtype);
            inputs.resize(inputs.len().max(n as usize + 1), val);
            inputs[n as usize] = val;
        }
    }
    inputs
}

fn reads_table(body: &Body, table: usize) -> bool {
    body.instrs.iter().any(|i| matches!(i.kind, InstrKind::Element(n, _) if n as usize == table))
}

/// Integers, by an operation that is associative and commutative; a difference of sums is a sum.
fn combining(kernel: &Kernel, phase: &Phase, scatter: &ScatterTo) -> Option<Combining> {
    let dtype = kernel.operands.get(kernel.tables.get(scatter.table)?.operand)?.dtype;
    let combining = updating(phase, scatter)?;
    let fits = match dtype.kind() {
        Kind::Signed | Kind::Unsigned => matches!(
            combining.op,
            ScalarOp::Add
                | ScalarOp::Sub
                | ScalarOp::Min
                | ScalarOp::Max
                | ScalarOp::BitAnd
                | ScalarOp::BitOr
                | ScalarOp::BitXor
        ),
        Kind::Bool => matches!(combining.op, ScalarOp::BitAnd | ScalarOp::BitOr | ScalarOp::BitXor),
        Kind::Float | Kind::Complex => false,
    };
    (fits && scatter.when.is_none()).then_some(combining)
}

/// Floats that are added to elements.
fn adding(kernel: &Kernel, phase: &Phase, scatter: &ScatterTo) -> Option<Combining> {
    let dtype = kernel.operands.get(kernel.tables.get(scatter.table)?.operand)?.dtype;
    let adding = updating(phase, scatter)?;
    let fits = matches!(dtype, DType::F32 | DType::F64) && matches!(adding.op, ScalarOp::Add | ScalarOp::Sub);
    fits.then_some(adding)
}

/// A scatter whose work items do no more than to put together their element and a value; what says whether they do stands behind the indices.
fn updating(phase: &Phase, scatter: &ScatterTo) -> Option<Combining> {
    let body = &phase.body;
    let at = values_of(body, &scatter.at);
    let result = *body.outputs.get(scatter.output)?;
    let InstrKind::Op(op, operands) = &body.instrs.get(result.0 as usize)?.kind else { return None };
    let [left, right] = operands.as_slice() else { return None };
    let is_element = |val: &Val| match &body.instrs[val.0 as usize].kind {
        InstrKind::Element(table, indices) => *table as usize == scatter.table && *indices == at,
        _ => false,
    };
    let value = match (is_element(left), is_element(right)) {
        (true, false) => *right,
        (false, true) if *op != ScalarOp::Sub => *left,
        _ => return None,
    };
    let when = values_of(body, scatter.when.as_slice());
    let body = only(body, &[&[value], &at[..], &when[..]].concat());
    (!reads_table(&body, scatter.table)).then_some(Combining { op: *op, body })
}

fn claiming(kernel: &Kernel, phase: &Phase, scatter: &ScatterTo) -> Option<Claiming> {
    let body = &phase.body;
    let at = values_of(body, &scatter.at);
    let chains = reads_table(body, scatter.table);
    let is_own = body.instrs.iter().all(|i| match &i.kind {
        InstrKind::Element(table, indices) if *table as usize == scatter.table => *indices == at,
        _ => true,
    });
    let places = only(body, &at);
    if !is_own || reads_table(&places, scatter.table) {
        return None;
    }
    let mut free = free_axes(body, &scatter.at);
    // An axis along which other indices change, too, does not keep work items apart by itself: it is a part of the key.
    while let Some(position) = free.iter().position(|axis| {
        let rest = key_of(body, &scatter.at, &free);
        let rest: Vec<usize> = rest.iter().map(|k| scatter.at[*k]).collect();
        // Nor does one along which some work items write and others do not.
        let rest = [rest, scatter.when.into_iter().collect()].concat();
        moves_along(kernel, phase, &only(body, &values_of(body, &rest)), *axis)
    }) {
        free.remove(position);
    }
    let axes = (0..kernel.rank).filter(|axis| !free.contains(axis)).collect();
    let adding = adding(kernel, phase, scatter).filter(|_| chains && phase.scatters.len() == 1);
    Some(Claiming { axes, key: key_of(body, &scatter.at, &free), chains, adding })
}

/// The axes of a table whose index is none of `free`.
fn key_of(body: &Body, at: &[usize], free: &[usize]) -> Vec<usize> {
    (0..at.len()).filter(|k| axis_of(body, at[*k]).is_none_or(|axis| !free.contains(&axis))).collect()
}

fn moves_along(kernel: &Kernel, phase: &Phase, body: &Body, axis: usize) -> bool {
    body.instrs.iter().any(|instr| match instr.kind {
        InstrKind::Index(n) => n as usize == axis,
        InstrKind::Input(n) => match phase.inputs.get(n as usize) {
            Some(Input::Load(operand)) => kernel.operands[*operand].fixed.get(axis) != Some(&true),
            _ => false,
        },
        _ => false,
    })
}
