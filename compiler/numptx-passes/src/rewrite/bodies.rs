//! Bodies of computations, rewritten.

use numptx_ir::array::ValueId;
use numptx_ir::scalar::{Body, InstrKind};

/// A body without inputs and tables that it does not use, and the operands after the first `n` of those that it uses.
pub(crate) fn without_unused(
    mut body: Body,
    operands: Vec<ValueId>,
    n: usize,
    n_inputs: usize,
) -> (Body, Vec<ValueId>) {
    let (extents, rest) = operands.split_at(n);
    let (inputs, tables) = rest.split_at(n_inputs);
    let (mut kept_inputs, mut kept_tables) = (Vec::new(), Vec::new());
    let keep = |kept: &mut Vec<u32>, number: u32| -> u32 {
        let known = kept.iter().position(|other| *other == number);
        known.unwrap_or_else(|| {
            kept.push(number);
            kept.len() - 1
        }) as u32
    };
    for instr in &mut body.instrs {
        match &mut instr.kind {
            InstrKind::Input(number) => *number = keep(&mut kept_inputs, *number),
            InstrKind::Element(number, _) => *number = keep(&mut kept_tables, *number),
            _ => {}
        }
    }
    let inputs = kept_inputs.iter().map(|number| inputs[*number as usize]);
    let tables = kept_tables.iter().map(|number| tables[*number as usize]);
    let operands = extents.iter().copied().chain(inputs).chain(tables).collect();
    (body, operands)
}
