//! **Does**: makes rows and elements of an array in the loop that uses them, if the loop writes the array and knows it by several names.
//! **Requires**: phase Placed.
//! **Ensures**: of an array that a loop over elements writes, the loop uses no rows or elements that were made before it beside the array or others.
//! **Keeps**: values. An index is in range where its view was made, which is before the loop.
//! **Example**: `%r = index<0> %a, %k; for %i { store … to index<0> %a, %i; … %r … }` becomes `for %i { %s = index<0> %a, %k; … %s … }`.

use std::collections::HashMap;

use numptx_ir::array::{Function, Module, Op, OpKind, Region, ValueId};
use numptx_source::InternalError;

use crate::Pass;
use crate::analysis::apart::Apart;
use crate::analysis::points_to::{PointsTo, written_arrays};
use crate::analysis::traverse::{Substitution, for_each_op, substitute, uses_objects};
use crate::loops::form_nests::touches_elements;
use crate::loops::nest::scope::Captured;
use crate::source::remove_dead::remove_dead_ops;

/// See the file's header.
pub const REMATERIALISE_VIEWS: Pass = Pass::optional(
    "rematerialise-views",
    "make views of written arrays in the loops that use them",
    rematerialise_views,
);

fn rematerialise_views(module: &mut Module) -> Result<(), InternalError> {
    for function in &mut module.functions {
        let points_to = PointsTo::of(function);
        let apart = Apart::of(function, &points_to);
        let mut body = std::mem::take(&mut function.body);
        let mut made = HashMap::new();
        for_each_op(&body, &mut |op| {
            if matches!(op.kind, OpKind::Index { .. }) {
                made.insert(op.results[0], op.clone());
            }
        });
        let mut views = Views { function, points_to, apart, made, is_changed: false };
        views.region(&mut body);
        let is_changed = views.is_changed;
        function.body = body;
        if is_changed {
            remove_dead_ops(function);
        }
    }
    Ok(())
}

struct Views<'f> {
    function: &'f mut Function,
    points_to: PointsTo,
    apart: Apart,
    /// The ops that make rows and elements of arrays, by what they make.
    made: HashMap<ValueId, Op>,
    is_changed: bool,
}

impl Views<'_> {
    fn region(&mut self, region: &mut Region) {
        for op in &mut region.ops {
            op.regions.iter_mut().for_each(|nested| self.region(nested));
            let is_loop = matches!(op.kind, OpKind::For | OpKind::While);
            if is_loop && touches_elements(op) && !uses_objects(self.function, op) {
                let views = self.views_of_written(op);
                self.is_changed |= !views.is_empty();
                op.regions.iter_mut().for_each(|body| self.make_in(body, &views));
            }
        }
    }

    /// Makes views at the beginning of a region, for the ops in it.
    fn make_in(&mut self, region: &mut Region, views: &[Op]) {
        let mut names = Substitution::default();
        let mut made = Vec::with_capacity(views.len() + region.ops.len());
        for view in views {
            let mut again = view.clone();
            again.operands[0] = names.resolve(view.operands[0]);
            let result = self.function.add_value(self.function.ty(view.results[0]));
            self.points_to.add_alias(result, view.operands[0]);
            names.replace(view.results[0], result);
            again.results = vec![result];
            made.push(again);
        }
        substitute(region, &names);
        made.append(&mut region.ops);
        region.ops = made;
    }

    /// The ops that make the views that a loop uses of what it writes, and the views that these are of, in their order.
    fn views_of_written(&self, op: &Op) -> Vec<Op> {
        let written: Vec<ValueId> = written_arrays(op);
        let is_written = |array: &ValueId| written.iter().any(|other| self.points_to.may_share(*array, *other));
        let captured = Captured::of(self.function, &HashMap::new(), std::slice::from_ref(op), &[]);
        let arrays: Vec<ValueId> = captured.arrays.into_iter().filter(is_written).collect();
        let has_others = |array: &ValueId| arrays.iter().any(|v| v != array && self.apart.are_of_one(*v, *array));
        let mut found: Vec<Op> = Vec::new();
        for array in arrays.iter().filter(|array| has_others(array)) {
            let mut chain = Vec::new();
            let mut view = *array;
            while let Some(made) = self.made.get(&view) {
                chain.push(made.clone());
                view = made.operands[0];
            }
            for made in chain.into_iter().rev() {
                if !found.contains(&made) {
                    found.push(made);
                }
            }
        }
        found
    }
}
