//! What both targets share of a phase: loading its inputs, computing its outputs, storing them.

use inkwell::values::IntValue;
use numptx_ir::kernel::{Access, Input, Kernel, Node, Operand, Phase};

use crate::elements::Elements;
use crate::emitter::Emitter;
use crate::error::{Emit, bug};
use crate::value::Scalar;

/// The only phase of a kernel, which the emitters may index without looking.
pub(crate) fn only_phase(kernel: &Kernel) -> Emit<&Phase> {
    let [Node::Phase(phase)] = kernel.body.as_slice() else {
        return Err(bug(format!("kernel `{}` has {} phases, one was expected", kernel.name, kernel.body.len())));
    };
    match broken(kernel, phase) {
        Some(what) => Err(bug(format!("kernel `{}` is not verified: {what}", kernel.name))),
        None => Ok(phase),
    }
}

/// What the kernel verifier should have refused and the emitters rely on.
fn broken(kernel: &Kernel, phase: &Phase) -> Option<&'static str> {
    let exists = |input: &Input| match input {
        Input::Load(n) => *n < kernel.operands.len(),
        Input::Scalar(n) => *n < kernel.scalars.len(),
        // Of kernels of rows, which have several phases.
        Input::Row(_) | Input::Held(_) => false,
    };
    let reduces = !phase.reducers.is_empty();
    let rules = [
        (kernel.operands.iter().all(|o| o.fixed.len() == kernel.rank), "an operand has not one entry an axis"),
        (phase.inputs.iter().all(exists), "an input names no operand"),
        (phase.stores.iter().all(|s| s.operand < kernel.operands.len()), "a store names no operand"),
        (reduces == (kernel.n_reduced > 0), "reducers and reduced axes do not go together"),
        (kernel.n_reduced <= kernel.rank, "more axes are reduced than there are"),
        (kernel.tables.iter().all(|t| t.operand < kernel.operands.len()), "a table names no operand"),
        (phase.body.n_tables() <= kernel.tables.len(), "a body reads an element of no table"),
        (phase.scatters.iter().all(|s| s.table < kernel.tables.len()), "a scatter names no table"),
        (phase.tiles.is_none_or(|tiles| tiles.table() < kernel.tables.len()), "tiles have no table of counts"),
        (phase.tiles.is_none() || kernel.rank > 0, "tiles of no axis"),
        (
            !reduces || phase.reducers.len() + usize::from(phase.has_factor()) == phase.body.outputs.len(),
            "a reducer has no output of the body",
        ),
    ];
    rules.into_iter().find(|rule| !rule.0).map(|rule| rule.1)
}

/// The operands that a phase loads, ascending.
pub(crate) fn loaded_operands(phase: &Phase) -> Vec<usize> {
    let loads = phase.inputs.iter().filter_map(|i| if let Input::Load(n) = i { Some(*n) } else { None });
    let mut loads: Vec<usize> = loads.collect();
    loads.sort_unstable();
    loads.dedup();
    loads
}

/// An operand by its number.
pub(crate) fn operand(kernel: &Kernel, n: usize) -> Emit<&Operand> {
    kernel.operands.get(n).ok_or_else(|| bug(format!("kernel `{}` has no operand {n}", kernel.name)))
}

/// Whether an operand stands still along an axis at every launch. Launches permute, merge and drop axes, so what the program broadcast along
/// one axis may move along it, unless it moves along none, or the axis is a reduced one and the operand written.
pub(crate) fn stands_still(operand: &Operand, axis: usize) -> bool {
    operand.is_scalar() || operand.access != Access::Read && operand.fixed.get(axis) == Some(&true)
}

/// Whether the operand is read and nothing that this kernel writes shares its memory.
pub(crate) fn is_invariant(operand: &Operand) -> bool {
    operand.access == Access::Read && operand.noalias
}

impl<'ctx> Emitter<'ctx, '_> {
    /// The outputs of a phase's body at one work item. `load` gives the element of an operand, and is called once an operand.
    pub fn phase_outputs(
        &self,
        phase: &Phase,
        elements: &Elements<'_, 'ctx>,
        indices: &[IntValue<'ctx>],
        mut load: impl FnMut(usize) -> Emit<Scalar<'ctx>>,
    ) -> Emit<Vec<Scalar<'ctx>>> {
        let mut loaded = Vec::new();
        for n in loaded_operands(phase) {
            loaded.push((n, load(n)?));
        }
        let mut inputs = Vec::with_capacity(phase.inputs.len());
        for input in &phase.inputs {
            let value = match input {
                Input::Load(n) => loaded.iter().find(|l| l.0 == *n).map(|l| l.1),
                Input::Scalar(n) => elements.scalars.get(*n).copied(),
                Input::Row(_) | Input::Held(_) => None,
            };
            inputs.push(value.ok_or_else(|| bug(format!("{input:?} is not there")))?);
        }
        self.body(&phase.body, &inputs, indices, Some(elements))
    }

    /// Stores outputs. `store` writes an element of an operand.
    pub fn phase_stores(
        &self,
        phase: &Phase,
        outputs: &[Scalar<'ctx>],
        mut store: impl FnMut(usize, Scalar<'ctx>) -> Emit<()>,
    ) -> Emit<()> {
        for to in &phase.stores {
            let value = outputs.get(to.output).ok_or_else(|| bug(format!("a phase has no output {}", to.output)))?;
            store(to.operand, *value)?;
        }
        Ok(())
    }

    /// What a reduction stores at a kept work item: the epilogue of the reducers' results, or they themselves.
    pub fn epilogue(
        &self,
        phase: &Phase,
        results: Vec<Scalar<'ctx>>,
        indices: &[IntValue<'ctx>],
    ) -> Emit<Vec<Scalar<'ctx>>> {
        match &phase.epilogue {
            Some(epilogue) => self.body(epilogue, &results, indices, None),
            None => Ok(results),
        }
    }
}
