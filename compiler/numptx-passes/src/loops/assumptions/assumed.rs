//! What a loop may require, beside that no check fails, for its iterations to depend on each other in fewer ways: elements of arrays that it only reads
//! are not negative, and lie between the least and the largest of them, indices do not count from the end, and loops by run-time steps rise.
//!
//! In: a loop that is slow as it is. Out: the least and the largest elements of arrays, as host scalars; symbols for elements with these as their
//! ranges; assumptions, and what follows from them for the dependence analysis. Where they do not hold, the loop runs as it would without them.

use std::collections::{HashMap, HashSet};

use numptx_ir::array::ValueId;
use numptx_ir::scalar::{Constant, ScalarOp};

use crate::loops::dependence::Affine;
use crate::loops::nest::conditions::Condition;
use crate::loops::nest::scope::Sums;

/// Limit: sums of sums are followed as far.
pub(crate) const DEPTH: usize = 3;

/// The least and the largest elements of arrays, by array.
#[derive(Clone, Debug, Default)]
pub struct Assumed {
    pub(crate) ends: HashMap<ValueId, [ValueId; 2]>,
    /// Whether elements may be negative, too: they are added to indices.
    pub has_offsets: bool,
}

impl Assumed {
    /// All of them, in one order always.
    pub fn scalars(&self) -> Vec<ValueId> {
        let mut scalars: Vec<ValueId> = self.ends.values().flatten().copied().collect();
        scalars.sort_unstable();
        scalars
    }

    /// Keeps arrays only whose elements are added to indices, of whichever sign.
    pub(crate) fn keep_offsets(&mut self, offsets: &HashSet<ValueId>) {
        self.ends.retain(|array, _| offsets.contains(array));
        self.has_offsets = true;
    }
}

/// What sums are made of, and what that is made of.
pub(crate) fn parts_of(scalars: &[ValueId], sums: &Sums, constants: &HashMap<ValueId, Constant>) -> Vec<ValueId> {
    let is_sum =
        |(op, of): &&(ScalarOp, [ValueId; 2])| *op != ScalarOp::Mul || of.iter().any(|v| constants.contains_key(v));
    let mut parts = Vec::new();
    let mut level: Vec<ValueId> = scalars.to_vec();
    for _ in 0..DEPTH {
        level = level.iter().filter_map(|v| sums.get(v)).filter(is_sum).flat_map(|(_, of)| *of).collect();
        parts.extend(&level);
    }
    parts
}

/// What is known of a value.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    pub affine: Option<Affine>,
    pub condition: Option<Condition>,
}
