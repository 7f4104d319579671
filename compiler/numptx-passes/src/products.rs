//! Products of matrices among the reductions: a library may compute them, so they stay what they are.
//!
//! In: an op. Out: whether fusion leaves it alone. A product reads each element many times, and a library reads arrays: computing its factors elsewhere costs
//! one pass over them, and computing them inside costs the library.

use numptx_ir::array::{Op, OpKind};
use numptx_ir::scalar::Reducer;

/// Whether an op sums up products of two arrays for each pair of a row and a column. Of vectors it does not: these read each element of the matrix once.
pub fn is_matrix_product(op: &Op) -> bool {
    let OpKind::Reduce(reduce) = &op.kind else { return false };
    reduce.rank - reduce.n_reduced >= 2
        && reduce.n_reduced > 0
        && reduce.reducers == [Reducer::Add]
        && reduce.body.factors().is_some_and(|[a, b]| a != b)
}
