//! Loops whose iterations each multiply a row of one matrix by all of another one: what their work items sum up is a product of matrices, which
//! [`crate::HOIST_PRODUCTS`] computes before them.
//!
//! In: a loop. Out: whether it is one.

use std::collections::HashMap;

use numptx_ir::array::{Function, Op, OpKind, ValueId};

use crate::analysis::traverse::for_each_op;

/// Whether some sum in a loop is one of products of two matrices' elements, with elements side by side.
pub(crate) fn multiplies_rows(function: &Function, op: &Op) -> bool {
    let mut views = HashMap::new();
    let mut visit = |op: &Op| {
        if op.kind.is_view() {
            views.insert(op.results[0], op.operands[0]);
        }
    };
    op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
    let is_matrix = |input: Option<&ValueId>| {
        let mut root = input.copied();
        while let Some(next) = root.and_then(|value| views.get(&value)) {
            root = Some(*next);
        }
        root.and_then(|root| function.array(root)).is_some_and(|array| array.rank == 2)
    };
    let mut found = false;
    let mut visit = |op: &Op| {
        let (OpKind::Reduce(reduce) | OpKind::StoreReduce(reduce)) = &op.kind else { return };
        let n_stored = if matches!(op.kind, OpKind::StoreReduce(_)) { reduce.n_results() } else { 0 };
        let Some(factors) = reduce.body.factors().filter(|_| reduce.rank == reduce.n_reduced + 1) else { return };
        let inputs = op.operands.get(reduce.rank + n_stored..).unwrap_or_default();
        found |= factors.iter().all(|n| is_matrix(inputs.get(*n as usize)));
    };
    op.regions.iter().for_each(|region| for_each_op(region, &mut visit));
    found
}
