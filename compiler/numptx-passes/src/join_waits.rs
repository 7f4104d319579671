//! **Does**: makes one `item` of several: the host waits for the device once where it needs several elements.
//! **Requires**: phase Placed.
//! **Ensures**: between two `item`s of one region stands something that needs the first, that the second needs and that may not come before the first, or a
//! branch or a loop.
//! **Keeps**: values, the order of writes and checks. An element is read later only past ops that do not write it; past computations only if it is a
//! result of rank 0, so that no array lives longer for it.
//! **Example**: `%s = item %a; %b = reduce…; %t = item %b; yield %s, %t` becomes `%b = reduce…; %s, %t = item %a, %b; yield %s, %t`.

use std::collections::HashSet;

use numptx_ir::array::{Function, Module, Op, OpKind, Region, ValueId};
use numptx_source::InternalError;

use crate::Pass;
use crate::points_to::{PointsTo, written_arrays};

/// See the file's header.
pub const JOIN_WAITS: Pass = Pass {
    name: "join-waits",
    sentence: "read elements that the host needs at once",
    required: false,
    run: join_waits,
};

fn join_waits(module: &mut Module) -> Result<(), InternalError> {
    for function in &mut module.functions {
        let points_to = PointsTo::of(function);
        let mut body = std::mem::take(&mut function.body);
        Join { function, points_to, cells: HashSet::new() }.region(&mut body);
        function.body = body;
    }
    Ok(())
}

struct Join<'f> {
    /// The function, without its body.
    function: &'f Function,
    points_to: PointsTo,
    /// Results of rank 0.
    cells: HashSet<ValueId>,
}

impl Join<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut ops: Vec<Op> = Vec::with_capacity(region.ops.len());
        let mut waiting: Option<Op> = None;
        for mut op in std::mem::take(&mut region.ops) {
            if waiting.as_ref().is_some_and(|waiting| !self.may_come_first(&op, waiting)) {
                ops.extend(waiting.take());
            }
            op.regions.iter_mut().for_each(|nested| self.region(nested));
            match (&op.kind, &mut waiting) {
                (OpKind::Item, Some(waiting)) => {
                    waiting.operands.extend(op.operands);
                    waiting.results.extend(op.results);
                }
                (OpKind::Item, None) => waiting = Some(op),
                _ => {
                    if matches!(op.kind, OpKind::Map(_) | OpKind::Reduce(_)) {
                        let is_cell = |v: &ValueId| self.function.array(*v).is_some_and(|array| array.rank == 0);
                        self.cells.extend(op.results.iter().filter(|v| is_cell(v)));
                    }
                    ops.push(op);
                }
            }
        }
        ops.extend(waiting);
        region.ops = ops;
    }

    /// Whether an op may run before elements are read that come before it now.
    fn may_come_first(&self, op: &Op, waiting: &Op) -> bool {
        if op.kind.is_terminator() || !op.regions.is_empty() || op.operands.iter().any(|v| waiting.results.contains(v))
        {
            return false;
        }
        let is_free = op.kind.is_pure_scalar_or_view() || op.kind == OpKind::Item;
        let written = written_arrays(op);
        let is_written = |read: &ValueId| written.iter().any(|v| self.points_to.may_share(*v, *read));
        is_free || waiting.operands.iter().all(|read| self.cells.contains(read) && !is_written(read))
    }
}
