//! Views of arrays that a loop writes, made in it.
//!
//! In: a loop that writes an array, and uses rows and elements of it that were made before. Out: the loop with these made in its body, so that all
//! that it touches of the array is one table of its program, and the dependence analysis sees which elements they are. As separate arrays they would
//! be memory that is shared.
//!
//! `%r = index<0> %a, %k; for %i { … index<0> %r, %j … }` becomes `for %i { %s = index<0> %a, %k; … index<0> %s, %j … }`.

use std::collections::HashMap;

use numptx_ir::array::{Op, OpKind, Region, ValueId};

use crate::analysis::points_to::written_arrays;
use crate::analysis::traverse::{Substitution, for_each_op, substitute};
use crate::loops::form_nests::FormNests;
use crate::loops::nest::scope::Captured;

/// The ops that make rows and elements of arrays, by what they make.
pub type IndexViews = HashMap<ValueId, Op>;

/// All of them in a region.
pub fn index_views_of(region: &Region) -> IndexViews {
    let mut views = IndexViews::new();
    for_each_op(region, &mut |op| {
        if matches!(op.kind, OpKind::Index { .. }) {
            views.insert(op.results[0], op.clone());
        }
    });
    views
}

impl FormNests<'_> {
    /// The loop with such views in it; `None` if it uses none. An index is in range where its view was made, which is before the loop.
    pub fn with_own_views(&mut self, op: &Op) -> Option<Op> {
        let views = self.views_of_written(op);
        if views.is_empty() {
            return None;
        }
        let mut own = op.clone();
        for region in &mut own.regions {
            let mut names = Substitution::default();
            let mut made = Vec::with_capacity(views.len());
            for view in &views {
                let mut again = view.clone();
                again.operands[0] = names.resolve(view.operands[0]);
                let result = self.function.add_value(self.function.ty(view.results[0]));
                self.known.points_to.add_alias(result, view.operands[0]);
                names.replace(view.results[0], result);
                again.results = vec![result];
                made.push(again);
            }
            substitute(region, &names);
            made.append(&mut region.ops);
            region.ops = made;
        }
        Some(own)
    }

    /// The ops that make the views that a loop uses of what it writes, and the views that these are of, in their order.
    fn views_of_written(&self, op: &Op) -> Vec<Op> {
        let written: Vec<ValueId> = written_arrays(op);
        let is_written = |array: &ValueId| written.iter().any(|other| self.known.points_to.may_share(*array, *other));
        let captured = Captured::of(self.function, &self.known.constants, std::slice::from_ref(op), &[]);
        let mut found: Vec<Op> = Vec::new();
        for array in captured.arrays.into_iter().filter(is_written) {
            let mut chain = Vec::new();
            let mut view = array;
            while let Some(made) = self.facts.index_views.get(&view) {
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
