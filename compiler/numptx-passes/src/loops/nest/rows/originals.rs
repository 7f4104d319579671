//! What became of computations over rows: which loops they are now, and what they were.

use std::collections::HashMap;

use numptx_ir::array::{Op, ValueId};
use numptx_ir::scalar::Reducer;

/// Ops that were expanded, each after the copies that it reads, by the index of the outermost loop that each became.
pub type Originals = HashMap<ValueId, Vec<Op>>;

/// Loops that combine what their iterations give, by their indices.
pub type Reductions = HashMap<ValueId, Reducer>;

/// What becomes of a reduction with several results.
#[derive(Clone, Copy, Debug)]
pub enum Several {
    /// One loop: a thread goes through the elements once.
    Together,
    /// A loop each: threads share loops that combine one thing.
    Apart,
}
