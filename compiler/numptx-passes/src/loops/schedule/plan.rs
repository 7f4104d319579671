//! A loop that is placed: its program, the classes of its loops, and what these say of an op.
//!
//! In: an op of the loop. Out: whether it is parallel, a loop alone, or what it was before rows became loops. Decides nothing.

use std::collections::HashMap;

use numptx_ir::array::{Nest, Op, OpKind, Region, ValueId};
use numptx_source::Span;

use crate::analysis::traverse::for_each_op;
use crate::loops::dependence::{Class, LoopId, Variable};
use crate::loops::nest::program::Translation;
use crate::loops::nest::rows::originals::Originals;

/// A loop's analysis, while it is taken apart.
pub struct Plan {
    /// The whole loop.
    pub whole: Translation,
    /// The class of each loop.
    pub classes: HashMap<LoopId, Class>,
    /// Values on the host of symbols and of the indices of loops that stay there.
    pub values: HashMap<Variable, ValueId>,
    /// What stores over rows were before they became loops.
    pub originals: Originals,
    /// Scalars and views of the loops on the host around what is placed.
    pub around: Vec<Op>,
    /// The loop as it is written, in whose place the kernels come under a condition.
    pub guard: Span,
    /// Whether a loop on the host has nests around which it stands also of loops in it that are not parallel.
    pub is_around_all: bool,
}

/// A nest that runs a program.
pub fn nest(program: Translation, extents: Vec<ValueId>, span: Span) -> Op {
    let kind = OpKind::Nest(Box::new(Nest { rank: extents.len(), code: program.code }));
    let operands = [extents, program.tables, program.scalars].concat();
    Op { kind, operands, results: Vec::new(), regions: Vec::new(), span }
}

/// Whether no iteration of a loop depends on another, and nothing is carried.
pub fn is_parallel(op: &Op, plan: &Plan) -> bool {
    let id = plan.whole.loops.get(&op.regions[0].parameters[0]);
    op.results.is_empty() && id.is_some_and(|id| matches!(plan.classes.get(id), Some(Class::Parallel)))
}

/// Whether an op is a check that work items make.
pub(crate) fn is_at_work_item(op: &Op, plan: &Plan) -> bool {
    matches!(op.kind, OpKind::Check { .. }) && plan.whole.at_work_items.contains(&op.operands[0])
}

/// Whether a loop in a loop could be shared by threads.
pub(crate) fn has_parallel_loop(op: &Op, plan: &Plan) -> bool {
    let mut found = false;
    op.regions.iter().for_each(|region| {
        for_each_op(region, &mut |nested| found |= nested.kind == OpKind::For && is_parallel(nested, plan));
    });
    found
}

/// The store over rows that a loop was made of.
pub(crate) fn original_of<'p>(op: &Op, plan: &'p Plan) -> Option<&'p [Op]> {
    let index = op.regions.first()?.parameters.first()?;
    plan.originals.get(index).map(Vec::as_slice)
}

/// Whether there is a nest among ops or in their regions.
pub fn has_nest(ops: &[Op]) -> bool {
    ops.iter().any(|op| matches!(op.kind, OpKind::Nest(_)) || op.regions.iter().any(|region| has_nest(&region.ops)))
}

/// The loops that are all a region does.
pub(crate) fn loops_only<'r>(plan: &Plan, region: &'r Region) -> Option<Vec<&'r Op>> {
    loops_beside(region, |op| matches!(op.kind, OpKind::Check { .. }) && !is_at_work_item(op, plan))
}

/// The loops that are all a region does beside ops that do not count.
pub fn loops_beside(region: &Region, is_free: impl Fn(&Op) -> bool) -> Option<Vec<&Op>> {
    let counts = |op: &&Op| !op.kind.is_pure_scalar_or_view() && !op.kind.is_terminator() && !is_free(op);
    let effects: Vec<&Op> = region.ops.iter().filter(counts).collect();
    (!effects.is_empty() && effects.iter().all(|op| matches!(op.kind, OpKind::For))).then_some(effects)
}

/// The loop that is all a region does.
pub(crate) fn only_loop<'r>(plan: &Plan, region: &'r Region) -> Option<&'r Op> {
    match loops_only(plan, region)?.as_slice() {
        [op] => Some(op),
        _ => None,
    }
}

/// The loop, if it carries no values.
pub(crate) fn is_free(op: &Op, plan: &Plan) -> Option<LoopId> {
    if !op.results.is_empty() {
        return None;
    }
    plan.whole.loops.get(&op.regions[0].parameters[0]).copied()
}
