//! Which parameters a function may write or change, and which its results may show, through any of their views and members.

use numptx_ir::array::{Function, Op, OpKind, Region, Type};
use numptx_ir::kernel::{Access, Kernel};

/// Bit `k` is set if leaf `k` of the parameters may be written, or changed if it is an object. Views, members, branches and loop-carried values are
/// followed.
pub fn written_parameters(function: &Function, kernels: &[Kernel]) -> u64 {
    let sources = sources(function);
    let mut written = 0;
    collect(function, &function.body, kernels, &sources, &mut written);
    written
}

/// For each operand of the function's `return`, bit `k` if it may be a view of leaf `k` of the parameters: what is not is memory of its own.
pub fn viewed_parameters(function: &Function) -> Vec<u64> {
    let sources = sources(function);
    let mut viewed = Vec::new();
    collect_returned(&function.body, &sources, &mut viewed);
    viewed
}

fn collect_returned(region: &Region, sources: &[u64], viewed: &mut Vec<u64>) {
    for op in &region.ops {
        op.regions.iter().for_each(|nested| collect_returned(nested, sources, viewed));
        if matches!(op.kind, OpKind::Return) {
            viewed.resize(viewed.len().max(op.operands.len()), 0);
            viewed.iter_mut().zip(&op.operands).for_each(|(bits, value)| *bits |= sources[value.0 as usize]);
        }
    }
}

/// By value, the leaves of the parameters that it may be a view of.
fn sources(function: &Function) -> Vec<u64> {
    let mut sources = vec![0u64; function.values.len()];
    for (leaf, value) in function.parameters.iter().enumerate().take(64) {
        sources[value.0 as usize] = 1 << leaf;
    }
    while propagate(function, &function.body, &mut sources) {}
    sources
}

/// One round of data flow; whether anything changed.
fn propagate(function: &Function, region: &Region, sources: &mut [u64]) -> bool {
    let mut changed = false;
    for op in &region.ops {
        for nested in &op.regions {
            changed |= propagate(function, nested, sources);
        }
        changed |= match &op.kind {
            kind if kind.is_view() || kind.is_view_or_copy() => join(sources, &op.results[..1], &op.operands[..1]),
            OpKind::Object(_) => join_objects(op, function, sources),
            OpKind::Call { viewed, .. } => {
                let mut merged = join_objects(op, function, sources);
                for (result, operand) in
                    op.results.iter().flat_map(|r| viewed.iter().map(move |n| (*r, op.operands[*n])))
                {
                    merged |= join(sources, &[result], &[operand]);
                }
                merged
            }
            OpKind::If => {
                let mut merged = false;
                for branch in &op.regions {
                    merged |= join(sources, &op.results, yielded(branch));
                }
                merged
            }
            OpKind::Try => join(sources, &op.results[1..], yielded(&op.regions[0])),
            OpKind::For => carried(op, &op.regions[0].parameters[1..], &op.operands[3..], sources),
            OpKind::While => {
                let parameters = &op.regions[1].parameters;
                let before = join(sources, &op.regions[0].parameters, parameters);
                carried(op, parameters, &op.operands, sources) || before
            }
            _ => false,
        };
    }
    changed
}

/// Objects hold what is put into them: all that an op with an object takes and gives may be one.
fn join_objects(op: &Op, function: &Function, sources: &mut [u64]) -> bool {
    let all = || op.operands.iter().chain(&op.results).filter(|v| function.is_reference(**v));
    if !all().any(|v| function.ty(*v) == Type::Object) {
        return false;
    }
    let met = all().fold(0, |met, v| met | sources[v.0 as usize]);
    let mut changed = false;
    for value in all() {
        changed |= sources[value.0 as usize] != met;
        sources[value.0 as usize] = met;
    }
    changed
}

type Values = [numptx_ir::array::ValueId];

fn carried(op: &Op, parameters: &Values, initial: &Values, sources: &mut [u64]) -> bool {
    let body = op.regions.last().map_or(&[][..], yielded);
    let start = join(sources, parameters, initial);
    let step = join(sources, parameters, body);
    join(sources, &op.results, parameters) || start || step
}

fn yielded(region: &Region) -> &Values {
    region.ops.last().map_or(&[], |op| &op.operands)
}

fn join(sources: &mut [u64], to: &Values, from: &Values) -> bool {
    let mut changed = false;
    for (to, from) in to.iter().zip(from) {
        let joined = sources[to.0 as usize] | sources[from.0 as usize];
        changed |= joined != sources[to.0 as usize];
        sources[to.0 as usize] = joined;
    }
    changed
}

fn collect(function: &Function, region: &Region, kernels: &[Kernel], sources: &[u64], written: &mut u64) {
    for op in &region.ops {
        for nested in &op.regions {
            collect(function, nested, kernels, sources, written);
        }
        match &op.kind {
            OpKind::Call { written: operands, .. } => {
                operands.iter().for_each(|n| *written |= sources[op.operands[*n].0 as usize]);
                // A routine may change every object that it gets.
                let objects = op.operands.iter().filter(|v| function.ty(**v) == Type::Object);
                objects.for_each(|v| *written |= sources[v.0 as usize]);
            }
            OpKind::Object(object) if object.changes() => *written |= sources[op.operands[0].0 as usize],
            OpKind::Sort(_) => op.operands.iter().for_each(|v| *written |= sources[v.0 as usize]),
            OpKind::External(external) => {
                op.operands.iter().take(external.n_written()).for_each(|v| *written |= sources[v.0 as usize]);
            }
            _ => {}
        }
        let OpKind::Launch(id) = op.kind else { continue };
        let Some(kernel) = kernels.get(id.0 as usize) else { continue };
        let arrays = op.operands.iter().skip(kernel.rank);
        for (operand, value) in kernel.operands.iter().zip(arrays) {
            if operand.access != Access::Read {
                *written |= sources[value.0 as usize];
            }
        }
    }
}
