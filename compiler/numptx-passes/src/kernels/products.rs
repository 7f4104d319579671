//! Products of matrices among the reductions: a library may compute them, so they stay what they are.
//!
//! In: a function. Out: the products that fusion leaves alone. A product reads each element many times, and a library reads arrays: computing its factors
//! elsewhere costs one pass over them, and computing them inside costs the library. Loops may become kernels, in which products are loops, too: there
//! fusion goes on.

use std::collections::BTreeSet;

use numptx_ir::array::{Function, Op, OpKind, Region};
use numptx_ir::scalar::Reducer;

use crate::rewrite::function::Place;

/// Products of matrices outside of loops.
#[derive(Default)]
pub struct Products {
    places: BTreeSet<Place>,
    n_regions: usize,
}

impl Products {
    /// Finds all of a function.
    pub fn of(function: &Function) -> Self {
        let mut products = Products::default();
        products.collect(&function.body, false);
        products
    }

    /// Whether a product stands there.
    pub fn contains(&self, place: Place) -> bool {
        self.places.contains(&place)
    }

    fn collect(&mut self, region: &Region, is_in_loop: bool) {
        let number = self.n_regions;
        self.n_regions += 1;
        for (index, op) in region.ops.iter().enumerate() {
            if !is_in_loop && is_matrix_product(op) {
                self.places.insert(Place { region: number, index });
            }
            let is_loop = matches!(op.kind, OpKind::For | OpKind::While);
            op.regions.iter().for_each(|nested| self.collect(nested, is_in_loop || is_loop));
        }
    }
}

/// Whether an op sums up products of two arrays for each pair of a row and a column. Of vectors it does not: these read each element of the matrix once.
fn is_matrix_product(op: &Op) -> bool {
    let OpKind::Reduce(reduce) = &op.kind else { return false };
    reduce.rank - reduce.n_reduced >= 2
        && reduce.n_reduced > 0
        && reduce.reducers == [Reducer::Add]
        && reduce.body.factors().is_some_and(|[a, b]| a != b)
}
